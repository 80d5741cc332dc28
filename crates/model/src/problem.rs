//! Problems: what is wrong with input, and where, as data.

use crate::names::Key;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How bad a problem is: an error makes a value invalid, a warning does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The value breaks a rule.
    #[default]
    Error,
    /// The value is allowed but unusual.
    Warning,
}

impl Severity {
    /// `"error"` or `"warning"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One thing that is wrong with a value, and where.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Problem {
    /// An error makes the value invalid, a warning does not.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"error\" | \"warning\""))]
    pub severity: Severity,
    /// The rule broken: `BR-02`, `WP-1`, …, or `schema`.
    pub rule: String,
    /// JSON Pointer (RFC 6901) from the value that was validated.
    pub path: String,
    /// What is wrong and what to do, in English. In JavaScript it ends in the rule: `… (BR-02)`.
    pub message: String,
    /// Byte offset in the file or stream, if the value came from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<f64>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.severity.as_str(), self.rule)?;
        if !self.path.is_empty() {
            write!(f, " at {}", self.path)?;
        }
        if let Some(offset) = self.offset {
            write!(f, " (byte {offset})")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The result of a validation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ValidationResult {
    /// True if no problem is an error.
    pub valid: bool,
    /// All problems, in the order of the value.
    pub problems: Vec<Problem>,
}

impl From<Vec<Problem>> for ValidationResult {
    fn from(problems: Vec<Problem>) -> Self {
        ValidationResult { valid: problems.iter().all(|p| p.severity != Severity::Error), problems }
    }
}

/// The first 40 characters of a text from the input, for an error message.
#[must_use]
pub fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The path of the value that is being checked: a JSON Pointer that is written out only when there
/// is a problem to report.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: PathStep<'a>,
}

#[derive(Clone, Copy, Debug)]
enum PathStep<'a> {
    Root,
    Key(Key),
    Name(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    /// The value that was validated.
    pub const ROOT: Path<'static> = Path { parent: None, step: PathStep::Root };

    /// The field of this name.
    #[must_use]
    pub fn key(&'a self, key: Key) -> Path<'a> {
        Path { parent: Some(self), step: PathStep::Key(key) }
    }
    /// The field of this name, which is not one of the model's.
    #[must_use]
    pub fn name(&'a self, name: &'a str) -> Path<'a> {
        Path { parent: Some(self), step: PathStep::Name(name) }
    }
    /// The element of this index.
    #[must_use]
    pub fn index(&'a self, index: usize) -> Path<'a> {
        Path { parent: Some(self), step: PathStep::Index(index) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            fmt::Display::fmt(parent, f)?;
        }
        match self.step {
            PathStep::Root => Ok(()),
            PathStep::Key(key) => write!(f, "/{}", key.as_str()),
            PathStep::Index(index) => write!(f, "/{index}"),
            PathStep::Name(name) => {
                f.write_str("/")?;
                for c in name.chars() {
                    match c {
                        '~' => f.write_str("~0")?,
                        '/' => f.write_str("~1")?,
                        c => fmt::Write::write_char(f, c)?,
                    }
                }
                Ok(())
            }
        }
    }
}

/// Receives problems as they are found, so that a million of them need not be in memory twice.
pub trait Report {
    /// Receives a problem.
    fn report(&mut self, problem: Problem);

    /// Receives an error at this path.
    fn error(&mut self, rule: &str, path: &Path<'_>, message: impl Into<String>)
    where
        Self: Sized,
    {
        self.report(Problem::new(Severity::Error, rule, path, message));
    }

    /// Receives a warning at this path.
    fn warning(&mut self, rule: &str, path: &Path<'_>, message: impl Into<String>)
    where
        Self: Sized,
    {
        self.report(Problem::new(Severity::Warning, rule, path, message));
    }
}

impl Problem {
    /// A problem at this path.
    pub fn new(
        severity: Severity,
        rule: &str,
        path: &Path<'_>,
        message: impl Into<String>,
    ) -> Problem {
        Problem {
            severity,
            rule: rule.to_owned(),
            path: path.to_string(),
            message: message.into(),
            offset: None,
        }
    }
}

impl Problem {
    /// The message of an error for this problem and so many others: it ends in the rule.
    pub fn with_others(&self, others: usize) -> String {
        let mut text = self.message.clone();
        if !self.path.is_empty() {
            text.push_str(&format!(" (at {})", self.path));
        }
        match others {
            0 => {}
            1 => text.push_str(", and 1 more error"),
            n => text.push_str(&format!(", and {n} more errors")),
        }
        text.push_str(&format!(" ({})", self.rule));
        text
    }
}

impl Report for Vec<Problem> {
    fn report(&mut self, problem: Problem) {
        self.push(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_json_pointer() {
        let root = Path::ROOT;
        assert_eq!(root.to_string(), "");
        let parts = root.key(Key::Parts);
        let third = parts.index(3);
        assert_eq!(third.key(Key::SessionID).to_string(), "/parts/3/sessionID");
        assert_eq!(third.name("a/b~c").to_string(), "/parts/3/a~1b~0c");
    }

    #[test]
    fn a_problem_reads_as_a_sentence() {
        let path = Path::ROOT;
        let mut p = Problem::new(Severity::Error, "BR-01", &path.key(Key::Id), "is missing");
        assert_eq!(p.to_string(), "error BR-01 at /id: is missing");
        p.offset = Some(12.0);
        p.severity = Severity::Warning;
        assert_eq!(p.to_string(), "warning BR-01 at /id (byte 12): is missing");
    }
}
