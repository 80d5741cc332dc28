//! What a failed call says, in one line.

use apex_parts_model::{ansi, end_of, error_line, start_of};

/// The longest line that is given.
const LONGEST: usize = 300;
/// The most bytes of an output that are looked through at its end.
const LOOKED: usize = 256 << 10;

/// The first line that tells an error; otherwise the last that is not blank. Shortened.
pub(crate) fn describe(text: &str) -> String {
    if let Some(inner) = in_wrapper(text.trim()) {
        let line = inner.lines().map(ansi::plain).find(|line| says_something(line.trim()));
        return start_of(line.unwrap_or_default().trim(), LONGEST).to_owned();
    }
    let line = error_line(text).map(|found| found.text).or_else(|| {
        let lines = end_of(text, LOOKED).lines().rev();
        lines.map(ansi::plain).find(|line| says_something(line.trim()))
    });
    start_of(line.unwrap_or_default().trim(), LONGEST).to_owned()
}

/// What stands in a tag that is all of a text, as `<tool_use_error>…</tool_use_error>`.
fn in_wrapper(text: &str) -> Option<&str> {
    let (name, inner) = text.strip_prefix('<')?.split_once('>')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let inner = inner.strip_suffix('>')?.strip_suffix(name)?.strip_suffix("</")?;
    (!inner.contains(&format!("</{name}>"))).then_some(inner)
}

/// Is it more than blanks, or a tag around what a tool says? A line that gives the exit code in such brackets, as
/// `<exited with exit code 3>`, says nothing that `exit` does not.
fn says_something(line: &str) -> bool {
    let in_brackets =
        line.starts_with('<') && line.ends_with('>') && line.matches('<').count() == 1;
    let is_tag = in_brackets && (!line.contains(' ') || line.contains(" exit code "));
    !line.is_empty() && !is_tag
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
            ("<tool_use_error>Not found.\nString: x</tool_use_error>", "Not found."),
            ("<a>x</a>\n<a>last</a>", "<a>last</a>"),
            ("half\nbroken\n<shellId: 0 completed with exit code 3>", "broken"),
            ("a < b\n<a b>", "<a b>"),
            ("0 errors\nall fine", "all fine"),
            ("it went\n \u{1b}[1;33mwrong\u{1b}[0m \n\u{1b}[0m\n", "wrong"),
            ("", ""),
        ] {
            assert_eq!(describe(output), line, "{output:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let long = format!("error: {}", "é".repeat(1000));
        assert!(describe(&long).len() <= LONGEST && long.starts_with(&describe(&long)));
    }
}
