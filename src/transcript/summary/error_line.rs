//! The line of an output at which to begin reading when a call has failed.

/// The longest line that is looked at or given.
const LONGEST: usize = 300;
/// The most bytes of an output that are looked through, at its beginning and at its end.
const LOOKED: usize = 256 << 10;

/// How lines begin that say what went wrong, in lower case, after blanks.
const BEGINNINGS: [&str; 14] = [
    "error:",
    "error[",
    "error ",
    "fatal:",
    "failed",
    "fail ",
    "fail:",
    "panic:",
    "traceback ",
    "npm err!",
    "exception in thread",
    "uncaught ",
    "✗ ",
    "✕ ",
];

/// What such lines have within them, in lower case.
const WITHIN: [&str; 16] = [
    " error:",
    "error: ",
    "panicked at",
    "exception:",
    "command not found",
    "no such file or directory",
    "permission denied",
    "assertionerror",
    "syntaxerror",
    "typeerror",
    "... failed",
    "--- fail",
    ": error ",
    "cannot find",
    "segmentation fault",
    "not ok ",
];

/// The text's range of the first line that looks like an error.
pub(crate) fn first_error_line(text: &str) -> Option<&str> {
    let mut line = [0_u8; LONGEST];
    let looked = text.get(..floor(text, LOOKED)).unwrap_or(text);
    looked.lines().find(|candidate| {
        let candidate = candidate.trim_start();
        let bytes = candidate.as_bytes();
        let length = bytes.len().min(LONGEST);
        let (Some(lower), Some(from)) = (line.get_mut(..length), bytes.get(..length)) else {
            return false;
        };
        lower.copy_from_slice(from);
        lower.make_ascii_lowercase();
        BEGINNINGS.iter().any(|begins| lower.starts_with(begins.as_bytes()))
            || WITHIN.iter().any(|within| memchr::memmem::find(lower, within.as_bytes()).is_some())
    })
}

/// The first line that looks like an error; otherwise the last that is not blank. Shortened.
pub(crate) fn told(text: &str) -> &str {
    let line = first_error_line(text).or_else(|| {
        let tail = text.get(ceil(text, text.len().saturating_sub(LOOKED))..).unwrap_or(text);
        tail.lines().rev().find(|line| says_something(line.trim()))
    });
    let line = line.unwrap_or_default().trim();
    line.get(..floor(line, LONGEST)).unwrap_or(line)
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
                "a\nsrc/x.ts(3,1): error TS2304: Cannot find name\nb",
                "src/x.ts(3,1): error TS2304: Cannot find name",
            ),
            (
                "cat: nope.txt: No such file or directory\n",
                "cat: nope.txt: No such file or directory",
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
        assert!(told(&long).len() <= LONGEST && long.starts_with(told(&long)));
    }
}
