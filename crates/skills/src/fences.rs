//! The two lines of dashes around the frontmatter.

use std::ops::Range;

/// Where the frontmatter and the body of a text are, in bytes.
#[derive(Debug, PartialEq)]
pub(super) struct Fences {
    pub(super) yaml: Range<usize>,
    pub(super) body: usize,
}

/// Why a text has no frontmatter.
#[derive(Debug, PartialEq)]
pub(super) enum NoFences {
    /// The first line is something else: all is body.
    Unopened { message: String },
    /// No line closes it: there is no body.
    Unclosed,
}

impl Fences {
    /// Finds them in a text without a byte order mark.
    pub(super) fn find(text: &str) -> Result<Fences, NoFences> {
        let (first, start) = line(text, 0);
        if !is_fence(first) {
            return Err(NoFences::Unopened { message: unopened(first) });
        }
        let mut at = start;
        while at < text.len() {
            let (found, next) = line(text, at);
            if is_fence(found) {
                return Ok(Fences { yaml: start..at, body: next });
            }
            at = next;
        }
        Err(NoFences::Unclosed)
    }
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
}

/// The line at a byte, without its end, and where the next one begins.
pub(super) fn line(text: &str, at: usize) -> (&str, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let Some(end) = memchr::memchr2(b'\n', b'\r', rest.as_bytes()) else {
        return (rest, text.len());
    };
    let (line, ending) = rest.split_at(end);
    (line, at + end + if ending.starts_with("\r\n") { 2 } else { 1 })
}

fn unopened(first: &str) -> String {
    let shown: String = first.chars().take(40).collect();
    match first.strip_prefix("---") {
        Some(rest) if !rest.starts_with('-') => format!(
            "the first line is {shown:?}: frontmatter is YAML between two lines of exactly ---, and no other \
             language is read"
        ),
        _ => "a SKILL.md begins with frontmatter: a line of exactly ---, YAML with name and description, and \
              again a line of ---"
            .to_owned(),
    }
}
