//! How a stream is assembled.

use super::settings::{OnDuplicate, OnProblem, Settings};
use crate::wire::WireFormat;

/// How to assemble a stream. What is not set is as it is by default; for [`Stream::restore`], as it
/// was when the snapshot was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StreamOptions {
    /// What the bytes are.
    pub format: Option<WireFormat>,
    /// The run. Deltas say it themselves; a provider's stream has none, and needs one from here.
    pub run_id: Option<String>,
    /// What a violation does.
    pub on_problem: Option<OnProblem>,
    /// What a duplicate does.
    pub on_duplicate: Option<OnDuplicate>,
    /// The most bytes that a message holds, and that one record has.
    pub max_bytes: Option<usize>,
    /// How deep arguments and records may be nested.
    pub max_depth: Option<usize>,
}

impl StreamOptions {
    pub(crate) fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings {
            run_id: self.run_id.clone(),
            on_problem: self.on_problem.unwrap_or(default.on_problem),
            on_duplicate: self.on_duplicate.unwrap_or(default.on_duplicate),
            max_bytes: self.max_bytes.unwrap_or(default.max_bytes),
            max_depth: self.max_depth.unwrap_or(default.max_depth),
        }
    }
}
