//! The error response for a run that is interrupted because of a loop.

use super::canonical;
use super::detector::Detector;
use super::evidence::EvidenceEntry;
use super::verdict::{Action, clip};
use crate::core::exact_cycles::MAX_KEPT;
use apex_parts_json::record;
use apex_parts_json::saved::object_with;
use apex_parts_json::writer::value_text;
use serde_json::Value;

/// What an engine can return when it interrupts a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorResponse {
    /// What happened.
    pub message: String,
    /// The calls of the loop, as [`Verdict::pattern`](super::Verdict::pattern).
    pub pattern: String,
    /// How many times the loop came round.
    pub attempts: u64,
    /// The configured threshold.
    pub threshold: u64,
    /// The last calls of the loop, at most threshold times period of them.
    pub last_calls: Vec<LastCall>,
    /// What the model should do instead.
    pub suggestion: String,
}

/// A call of a loop in an [`ErrorResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct LastCall {
    /// The name of the tool.
    pub tool: String,
    /// Its arguments as JSON text. Those of more than 6,000 UTF-16 code units are truncated and given as
    /// a JSON string.
    pub parameters: String,
    /// When it started, in milliseconds since the Unix epoch.
    pub time_ms: f64,
}

impl ErrorResponse {
    /// As a `DoomLoopErrorResponse`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let object = |fields| Value::Object(object_with(fields));
        let call = |call: &LastCall| {
            let parameters = record::tree(&call.parameters, record::MAX_DEPTH).unwrap_or_default();
            object(vec![
                ("toolName", Value::from(call.tool.as_str())),
                ("parameters", parameters),
                ("timestamp", Value::from(call.time_ms)),
            ])
        };
        let details = object(vec![
            ("pattern", Value::from(self.pattern.as_str())),
            ("attemptCount", Value::from(self.attempts)),
            ("threshold", Value::from(self.threshold)),
            ("lastToolCalls", self.last_calls.iter().map(call).collect()),
        ]);
        let error = object(vec![
            ("name", Value::from("DoomLoopDetected")),
            ("message", Value::from(self.message.as_str())),
            ("details", details),
        ]);
        object(vec![("error", error), ("suggestion", Value::from(self.suggestion.as_str()))])
    }
}

impl Detector {
    /// The error response for the current verdict; `None` if it does not interrupt the run.
    #[must_use]
    pub fn error_response(&self) -> Option<ErrorResponse> {
        let verdict = &self.verdict;
        if verdict.action != Action::Interrupt {
            return None;
        }
        let named = |e: &&EvidenceEntry| verdict.calls.contains(&e.call);
        let last = |e: &EvidenceEntry| {
            let whole = canonical::text(&e.args);
            let is_json =
                whole != e.args || e.args.starts_with(['{', '[', '"']) && !e.args.ends_with('…');
            LastCall {
                tool: e.tool.clone(),
                parameters: match e.args.as_str() {
                    "" => "{}".to_owned(),
                    _ if is_json => whole,
                    cut => value_text(&Value::from(cut)),
                },
                time_ms: e.time,
            }
        };
        let most = usize::try_from(self.config.threshold.max(1) * verdict.period.max(1))
            .unwrap_or(MAX_KEPT);
        let calls = self.calls.entries.iter().filter(named);
        let skipped = calls.clone().count().saturating_sub(most);
        Some(ErrorResponse {
            message: format!("Doom loop detected: {}", clip(&verdict.pattern, 160)),
            pattern: verdict.pattern.clone(),
            attempts: verdict.repeats,
            threshold: self.config.threshold,
            last_calls: calls.skip(skipped).map(last).collect(),
            suggestion: verdict.message.clone(),
        })
    }
}
