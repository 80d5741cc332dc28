//! Violations: what breaks a rule of a stream, of its JSON, its format or the stream contract.

use crate::{Path, Problem, Severity};
use std::fmt;

/// What breaks a rule of a stream: a `DeltaContractError` in JavaScript.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The rule broken: `DC-1` … `DC-15`, or `schema`, `json`, `limit`.
    pub rule: &'static str,
    /// What is wrong, in English.
    pub message: String,
    /// JSON Pointer into the delta; empty for the delta itself.
    pub path: String,
    /// The delta's `seq`, if it has one.
    pub seq: Option<i64>,
    /// The delta's `runId`, if it has one.
    pub run_id: Option<String>,
    /// The offset of the first byte of the record, if it came as bytes.
    pub offset: Option<u64>,
}

impl Violation {
    /// A violation of a rule, without a place.
    #[must_use]
    pub fn new(rule: &'static str, message: impl Into<String>) -> Violation {
        Violation {
            rule,
            message: message.into(),
            path: String::new(),
            seq: None,
            run_id: None,
            offset: None,
        }
    }

    /// The violation as a problem.
    #[must_use]
    pub fn problem(&self) -> Problem {
        self.as_problem(Severity::Error)
    }

    /// The violation as a problem of this severity.
    #[must_use]
    pub fn as_problem(&self, severity: Severity) -> Problem {
        let message = format!("{}{}", self.message, self.place());
        let mut problem = Problem::new(severity, self.rule, &Path::ROOT, message);
        problem.path.clone_from(&self.path);
        #[allow(clippy::cast_precision_loss)] // exact up to 2^53
        let offset = self.offset.map(|offset| offset as f64);
        problem.offset = offset;
        problem
    }

    /// ` (seq 5)`, if it is known.
    fn place(&self) -> String {
        self.seq.map(|seq| format!(" (seq {seq})")).unwrap_or_default()
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} ({})", self.message, self.place(), self.rule)
    }
}

impl std::error::Error for Violation {}
