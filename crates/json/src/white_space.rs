//! White space between values.

use super::block::{WIDTH, spaces};

/// The first byte from `at` that is not white space. Mostly that is the first.
#[must_use]
#[inline(always)]
pub fn skip_space(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(byte) if *byte > b' ' => at,
        Some(b' ') if bytes.get(at + 1).is_some_and(|byte| *byte > b' ') => at + 1,
        _ => skip_more_space(bytes, at),
    }
}

/// Many files are indented: spaces after a line feed are skipped a block at a time.
#[inline(never)]
fn skip_more_space(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(byte @ ..=b' ') = bytes.get(at) {
        match byte {
            b'\n' => {
                at += 1;
                while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
                    let spaces = spaces(block);
                    at += spaces;
                    if spaces < WIDTH {
                        break;
                    }
                }
            }
            b' ' | b'\r' | b'\t' => at += 1,
            _ => break,
        }
    }
    at
}
