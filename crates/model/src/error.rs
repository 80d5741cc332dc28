//! Errors that are thrown for misuse of the API; each says what to correct.

use super::names::Key;
use super::problem::{Path, Problem, Severity, shorten};
use super::status::Status;
use super::view::{Kind, MAX_ELEMENTS, View};
use std::fmt;

/// An error of this crate. [`Error::name`] is the name under which JavaScript sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    kind: ErrorKind,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorKind {
    /// A value breaks these rules.
    Validation(Vec<Problem>),
    /// A tool state cannot take the status that was asked for (BR-05).
    Transition {
        /// The value of its `status`; `None` if it has none.
        current: Option<String>,
        /// The status that was asked for.
        attempted: Status,
        /// The statuses reachable in one step, its own included.
        valid: &'static [Status],
    },
    /// A required argument of a `create…` function is absent or `null`.
    Missing {
        /// The function.
        function: &'static str,
        /// The argument, or the field of its options.
        field: Key,
    },
    /// A history cannot be compacted as asked.
    Compaction {
        /// `bad_config`, `empty_summary`, `stale_plan` or `unknown_target`.
        reason: &'static str,
        /// The field that is wrong, for `bad_config`; the id that is not there, for `unknown_target`.
        field: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// The bytes are not a transcript.
    Transcript {
        /// `format`, `json`, `limit`, `schema`, `source` …, as of problems.
        rule: String,
        /// What they are instead, and what to do.
        message: String,
        /// The offset of the byte at which that became clear.
        offset: usize,
    },
}

impl Error {
    /// An error for a value that breaks one rule.
    #[must_use]
    pub fn rule(rule: &str, path: &Path<'_>, message: impl Into<String>) -> Error {
        Error::validation(vec![Problem::new(Severity::Error, rule, path, message)])
    }

    /// An error for a value that breaks rules.
    #[must_use]
    pub fn validation(problems: Vec<Problem>) -> Error {
        Error { kind: ErrorKind::Validation(problems) }
    }

    pub(crate) fn transition(current: Option<String>, attempted: Status) -> Error {
        let valid = current.as_deref().and_then(Status::parse).map_or(&[][..], Status::reachable);
        Error { kind: ErrorKind::Transition { current, attempted, valid } }
    }

    pub(crate) fn missing(function: &'static str, field: Key) -> Error {
        Error { kind: ErrorKind::Missing { function, field } }
    }

    /// An error for a history that cannot be compacted as asked; see [`ErrorKind::Compaction`].
    #[must_use]
    pub fn compaction(
        reason: &'static str,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> Error {
        let (field, message) = (field.into(), message.into());
        Error { kind: ErrorKind::Compaction { reason, field, message } }
    }

    /// An error for bytes that are not a transcript; see [`ErrorKind::Transcript`].
    #[must_use]
    pub fn transcript(rule: &str, message: impl Into<String>, offset: usize) -> Error {
        let (rule, message) = (rule.to_owned(), message.into());
        Error { kind: ErrorKind::Transcript { rule, message, offset } }
    }

    /// The name of the error in the API.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.kind {
            ErrorKind::Validation(_) => "PartValidationError",
            ErrorKind::Transition { .. } => "InvalidStateTransition",
            ErrorKind::Missing { .. } => "MissingRequiredField",
            ErrorKind::Compaction { .. } => "CompactionError",
            ErrorKind::Transcript { .. } => "TranscriptError",
        }
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Validation(problems) => {
                let mut errors = problems.iter().filter(|p| p.severity == Severity::Error);
                let Some(first) = errors.next() else {
                    return f.write_str("the value is not valid");
                };
                f.write_str(&first.with_others(errors.count()))
            }
            ErrorKind::Transition { current, attempted, valid } => {
                let attempted = attempted.as_str();
                match current {
                    Some(current) => {
                        let current = shorten(current);
                        write!(f, "a tool state cannot go from {current:?} to {attempted:?}")?;
                    }
                    None => write!(f, "a value without a status cannot become {attempted:?}")?,
                }
                if valid.is_empty() {
                    return f.write_str(": it is not a tool state (BR-05)");
                }
                f.write_str("; from here it can be")?;
                for (i, status) in valid.iter().enumerate() {
                    let joint = match i {
                        0 => " ",
                        i if i + 1 == valid.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{joint}{:?}", status.as_str())?;
                }
                f.write_str(" (BR-05)")
            }
            ErrorKind::Missing { function, field } => {
                write!(f, "{function}: `{}` is required and was not passed", field.as_str())
            }
            ErrorKind::Compaction { reason, message, .. } => write!(f, "{message} ({reason})"),
            ErrorKind::Transcript { rule, message, offset: 0 } => write!(f, "{message} ({rule})"),
            ErrorKind::Transcript { rule, message, offset } => {
                write!(f, "{message} (at byte {offset}) ({rule})")
            }
        }
    }
}

impl std::error::Error for Error {}

/// Checks that a value is of a kind, and not longer than any value that is read.
///
/// # Errors
/// `PartValidationError` if it is not.
pub fn expect_kind<V: View>(value: &V, kind: Kind, path: &Path<'_>) -> Result<(), Error> {
    if value.kind() == kind {
        let length = value.len();
        if length > MAX_ELEMENTS {
            let message = format!("{length} elements; at most {MAX_ELEMENTS} are accepted");
            return Err(Error::rule("limit", path, message));
        }
        return Ok(());
    }
    let message = format!("expected {}, got {}", kind.describe(), value.kind().describe());
    Err(Error::rule("schema", path, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_and_where() {
        let e = Error::transition(Some("completed".into()), Status::Running);
        assert_eq!(e.name(), "InvalidStateTransition");
        assert_eq!(
            e.to_string(),
            "a tool state cannot go from \"completed\" to \"running\"; from here it can be \"completed\" (BR-05)"
        );
        let e = Error::transition(Some("running".into()), Status::Pending);
        assert!(e.to_string().ends_with("\"running\", \"completed\" or \"error\" (BR-05)"));
        let e = Error::transition(None, Status::Running);
        assert_eq!(
            e.to_string(),
            "a value without a status cannot become \"running\": it is not a tool state (BR-05)"
        );
        let e = Error::missing("createTextPart", Key::Text);
        assert_eq!(e.to_string(), "createTextPart: `text` is required and was not passed");
        let root = Path::ROOT;
        let mut problems =
            vec![Problem::new(Severity::Error, "BR-09", &root.key(Key::Output), "is empty")];
        assert_eq!(
            Error::validation(problems.clone()).to_string(),
            "is empty (at /output) (BR-09)"
        );
        problems.push(problems[0].clone());
        assert!(
            Error::validation(problems.clone()).to_string().ends_with(", and 1 more error (BR-09)")
        );
        problems.push(problems[0].clone());
        assert!(Error::validation(problems).to_string().ends_with(", and 2 more errors (BR-09)"));
        assert_eq!(Error::validation(vec![]).to_string(), "the value is not valid");
        let empty = Error::transcript("format", "the file is empty", 0);
        assert_eq!(empty.to_string(), "the file is empty (format)");
        let e = Error::transcript("json", "no JSON", 7);
        assert_eq!(e.to_string(), "no JSON (at byte 7) (json)");
    }
}
