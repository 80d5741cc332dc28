//! What a failed call says, in one line.

use crate::model::error_line;

/// The longest line that is given.
const LONGEST: usize = 300;
/// The most bytes of an output that are looked through at its end.
const LOOKED: usize = 256 << 10;

/// The first line that tells an error; otherwise the last that is not blank. Shortened.
pub(crate) fn told(text: &str) -> String {
    let line = error_line(text).map(|found| found.text).or_else(|| {
        let tail = text.get(ceil(text, text.len().saturating_sub(LOOKED))..).unwrap_or(text);
        tail.lines().rev().map(str::trim).find(|line| says_something(line)).map(Into::into)
    });
    let line = line.unwrap_or_default();
    line.get(..floor(&line, LONGEST)).unwrap_or(&line).to_owned()
}

/// Is it more than blanks, or a tag around what a tool says?
fn says_something(line: &str) -> bool {
    let is_tag = line.starts_with('<') && line.ends_with('>') && !line.contains(' ');
    !line.is_empty() && !is_tag
}

/// The last boundary of characters that is not after `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The first boundary of characters that is not before `at`.
fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_line_that_says_what_went_wrong() {
        for (output, line) in [
            (
                "   Compiling demo\nerror[E0308]: mismatched types\n --> src/main.rs\n",
                "error[E0308]: mismatched types",
            ),
            (
                "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n",
                "test b ... FAILED",
            ),
            ("nothing known\nlast words\n\n", "last words"),
            ("<metadata>\nUser aborted\n</metadata>\n", "User aborted"),
            ("0 errors\nall fine", "all fine"),
            ("", ""),
        ] {
            assert_eq!(told(output), line, "{output:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let long = format!("error: {}", "é".repeat(1000));
        assert!(told(&long).len() <= LONGEST && long.starts_with(&told(&long)));
    }
}
