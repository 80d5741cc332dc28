//! The line of a failed call's output that says what went wrong: a guess, by what compilers, test runners,
//! shells and languages write.

use super::ansi;
use super::text::start_of;
use memchr::memmem;
use std::borrow::Cow;

/// The line of an output at which to begin reading when a call has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorLine<'a> {
    /// Its number, from 1.
    pub line: usize,
    /// Where it begins, in bytes.
    pub offset: usize,
    /// The line without escape sequences of terminals and blanks around it, of its first 400 bytes.
    pub text: Cow<'a, str>,
}

/// The most bytes of an output that are looked through.
const LOOKED: usize = 512 << 10;
/// Of a longer line so much is looked at and given.
const LONGEST: usize = 400;

/// The first line of an output that tells an error.
///
/// ```
/// use apex_parts_model::error_line;
/// let output = "   Compiling demo\nerror[E0308]: mismatched types\n --> src/main.rs\n";
/// let found = error_line(output).unwrap();
/// assert_eq!((found.line, found.offset), (2, 18));
/// assert_eq!(found.text, "error[E0308]: mismatched types");
/// assert_eq!(error_line("test result: ok. 3 passed; 0 failed"), None);
/// ```
#[must_use]
pub fn error_line(output: &str) -> Option<ErrorLine<'_>> {
    // A weaker word only counts where no line has a stronger one.
    first(output, tells_error).or_else(|| first(output, names_error))
}

fn first(output: &str, tells: fn(&str) -> bool) -> Option<ErrorLine<'_>> {
    let output = start_of(output, LOOKED);
    let mut offset = 0;
    for (line, whole) in (1..).zip(output.split('\n')) {
        let text = ansi::plain(start_of(whole, LONGEST));
        if tells(&text) && !tells_none(&text) {
            return Some(ErrorLine { line, offset, text: trimmed(text) });
        }
        offset += whole.len() + 1;
    }
    None
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// What lines begin with that tell an error, after blanks.
const BEGINNINGS: [&str; 14] = [
    "ERROR",
    "Error",
    "FAIL",
    "--- FAIL",
    "not ok",
    "✗",
    "✘",
    "✖",
    "×",
    "Traceback (most recent call last)",
    "panic:",
    "npm ERR!",
    "npm error ",
    "E   ", // pytest
];

/// What such lines have within them.
const WITHIN: [&str; 11] = [
    "panicked at",
    "FAILED",
    "command not found",
    "No such file or directory",
    "Permission denied",
    "cannot access",
    "Segmentation fault",
    "core dumped",
    "undefined reference",
    "Cannot find module",
    ": not found",
];

fn tells_error(line: &str) -> bool {
    let begun = line.trim_start();
    let starts = |word: &&str| begun.strip_prefix(*word).is_some_and(ends_word);
    BEGINNINGS
        .iter()
        .any(|word| starts(word) || (!word.ends_with(is_wordy) && begun.starts_with(*word)))
        || WITHIN.iter().any(|words| memmem::find(line.as_bytes(), words.as_bytes()).is_some())
        || begun.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("fatal:"))
        || is_of_make(begun)
        || (memmem::find(line.as_bytes(), b"Assertion ").is_some()
            && memmem::find(line.as_bytes(), b"failed").is_some())
        || words(line, "error").any(|(before, after)| is_of_error(before, after))
        || type_names(line)
}

/// `make: *** [Makefile:2: all] Error 1`
fn is_of_make(line: &str) -> bool {
    let Some((program, rest)) = line.split_once(": *** ") else { return false };
    let name = program.split('[').next().unwrap_or_default();
    name.ends_with("make") && !rest.is_empty()
}

/// Is the word `error`, with what stands before and after it, one that tells an error: `error:`,
/// `error[E0308]:`, `error TS2304`, `error at`, `error in`?
fn is_of_error(before: &str, after: &str) -> bool {
    if before.ends_with('-') {
        return false;
    }
    if after.starts_with(':') {
        return true;
    }
    if let Some(code) = after.strip_prefix('[') {
        let end = code.find(|char: char| !is_wordy(char)).unwrap_or(code.len());
        return end > 0 && code.get(end..).is_some_and(|rest| rest.starts_with("]:"));
    }
    let Some(next) = after.strip_prefix(' ') else { return false };
    if ["at", "in"].iter().any(|word| next.strip_prefix(word).is_some_and(ends_word)) {
        return true;
    }
    let letters = next.bytes().take_while(u8::is_ascii_uppercase).count();
    let number = next.get(letters..).unwrap_or_default();
    let number = number.strip_prefix('-').unwrap_or(number);
    (1..=4).contains(&letters) && number.starts_with(|char: char| char.is_ascii_digit())
}

/// `TypeError: …`, `java.io.IOException: …`, or a line that ends so.
fn type_names(line: &str) -> bool {
    ["Error", "Exception"].iter().any(|ending| {
        memmem::find_iter(line.as_bytes(), ending.as_bytes()).any(|at| {
            let (Some(before), Some(after)) = (line.get(..at), line.get(at + ending.len()..))
            else {
                return false;
            };
            let name = before.rsplit(|char: char| !is_wordy(char)).next().unwrap_or_default();
            let is_name =
                name.is_empty() || name.starts_with(|char: char| char.is_ascii_uppercase());
            is_name && (after.starts_with(':') || after.trim_end().is_empty())
        })
    })
}

/// Lines that only count errors, or say that there are none.
fn tells_none(line: &str) -> bool {
    let counts = |(before, after): (&str, &str)| {
        let after = after.strip_prefix('s').unwrap_or(after);
        let none = ["0 ", "no ", "No "].iter().any(|none| {
            before.strip_suffix(none).is_some_and(|before| !before.ends_with(is_wordy))
        });
        none && ends_word(after)
    };
    ["error", "failed", "failure"].iter().any(|word| words(line, word).any(counts))
        || memmem::find(line.as_bytes(), b"test result: ok").is_some()
}

/// For an output without any line that tells an error.
fn names_error(line: &str) -> bool {
    ["error", "failed", "failure", "denied", "cannot", "unable to"]
        .iter()
        .any(|word| words(line, word).any(|(_, after)| ends_word(after)))
}

/// The places at which a word begins, in any case: what stands before and after it.
fn words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let letter = word.bytes().next().unwrap_or_default();
    let places = memchr::memchr2_iter(letter, letter.to_ascii_uppercase(), line.as_bytes());
    places.filter_map(move |at| {
        let (before, rest) = line.split_at_checked(at)?;
        let (found, after) = rest.split_at_checked(word.len())?;
        let is_word = found.eq_ignore_ascii_case(word) && !before.ends_with(is_wordy);
        is_word.then_some((before, after))
    })
}

fn is_wordy(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

fn ends_word(after: &str) -> bool {
    !after.starts_with(is_wordy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(output: &str) -> Option<Cow<'_, str>> {
        error_line(output).map(|found| found.text)
    }

    #[test]
    fn lines_of_many_tools_are_known() {
        for line in [
            "error: could not compile `demo`",
            "error[E0425]: cannot find value `x`",
            "src/x.ts(3,1): error TS2304: Cannot find name",
            "Fatal error: Uncaught",
            "fatal: not a git repository",
            "ERROR in ./src/index.js",
            "TypeError: x is not a function",
            "Caused by: java.io.IOException: broken",
            "test b ... FAILED",
            "FAIL src/x.test.ts",
            "not ok 3 - it works",
            "  ✗ it works",
            "thread 'main' panicked at src/main.rs:1:1:",
            "Traceback (most recent call last):",
            "npm ERR! code E404",
            "npm error code E404",
            "make[1]: *** [all] Error 2",
            "bash: foo: command not found",
            "sh: 1: foo: not found",
            "cat: nope.txt: No such file or directory",
            "E   assert 1 == 2",
            "Assertion `a == b' failed.",
            "\u{1b}[31merror\u{1b}[0m: red",
            "it was denied",
        ] {
            let output = format!("all is well\n{line}\nmore: Error: later\n");
            let found = error_line(&output).unwrap();
            let weak = line == "it was denied";
            let expected = if weak { (3, 26) } else { (2, 12) };
            assert_eq!((found.line, found.offset), expected, "{line}");
            assert!(weak || line.contains("red") || found.text == line.trim(), "{line}");
        }
        assert_eq!(told("so it\nwas denied\n").as_deref(), Some("was denied"));
        assert_eq!(told(" \u{1b}[1;31merror\u{1b}[0m: red").as_deref(), Some("error: red"));
        let link = "\u{1b}]8;;https://example.com\u{7}error\u{1b}]8;;\u{7}: of a link";
        assert_eq!(told(link).as_deref(), Some("error: of a link"));
    }

    #[test]
    fn what_counts_no_errors_is_none() {
        for line in [
            "0 errors",
            "no failures",
            "test result: ok. 3 passed; 0 failed",
            "well",
            "terrors: x",
            "",
            "denieds",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let long = format!("error: {}", "é".repeat(1000));
        let found = told(&long).unwrap();
        assert!(found.len() <= LONGEST && long.starts_with(&*found));
        assert_eq!(told(&"x".repeat(LOOKED + 100)), None);
    }
}
