//! Private keys in PEM: the block from its first line to its last.

use super::haystack::{Haystack, is_alphanumeric};
use super::secret_kind::Spans;

/// The most bytes of a block.
const LONGEST: usize = 1 << 16;
/// The fewest bytes of base64 of a key; what has fewer only speaks of one.
const LEAST: usize = 40;
/// The most bytes of a first or last line.
const LINE: usize = 80;

/// Reads the block at `-----BEGIN `; one that is cut off ends where its base64 does.
pub(super) fn private_key(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let name = at + b"-----BEGIN ".len();
    let dashes = text.run(name, LINE, |byte| byte != b'-' && byte != b'\n');
    let is_key = text.has_before(dashes, b"PRIVATE KEY") || text.has_before(dashes, b"KEY BLOCK");
    let line = text.slice(name..dashes);
    let is_private = line.windows(7).any(|word| word == b"PRIVATE");
    if !is_key || !is_private || !text.has(dashes, b"-----") {
        return at + 1;
    }
    let body = dashes + 5;
    // Headers (`Proc-Type: 4,ENCRYPTED`), line breaks that are escaped in a text, quotation marks around lines.
    let is_body = |byte: u8| is_alphanumeric(byte) || b"+/= \t\r\n\\:,.;()\"'".contains(&byte);
    let mut end = text.run(body, LONGEST, is_body);
    let mut next = end;
    // A dash within a header is no end.
    while text.at(next) == Some(b'-') && !text.has(next, b"-----") && next - body < LINE * 4 {
        next = text.run(next + 1, LONGEST, is_body);
        end = next;
    }
    let letters = text.slice(body..end).iter().filter(|byte| is_alphanumeric(**byte)).count();
    if letters < LEAST {
        return end.max(at + 1);
    }
    if text.has(end, b"-----END ") {
        let last = text.run(end + 9, LINE, |byte| byte != b'-' && byte != b'\n');
        end = if text.has(last, b"-----") { last + 5 } else { last };
    } else {
        end = text.run_back(end, LONGEST, |byte| !is_alphanumeric(byte));
    }
    spans.push(at..end);
    end
}
