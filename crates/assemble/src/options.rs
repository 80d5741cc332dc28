//! How a stream is assembled.

use super::settings::{OnDuplicate, OnProblem, Settings};
use apex_parts_wire::{Reader, ThinkTags, WireFormat};

/// How to assemble a stream. What is not set has its default; for
/// [`Stream::restore`](super::Stream::restore), the value that it had when the snapshot was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StreamOptions {
    /// The format of the bytes.
    pub format: Option<WireFormat>,
    /// The run's id. Deltas have one; a provider's stream has none and takes this one.
    pub run_id: Option<String>,
    /// Whether a violation is thrown or collected.
    pub on_problem: Option<OnProblem>,
    /// Whether a duplicate is a violation or is ignored.
    pub on_duplicate: Option<OnDuplicate>,
    /// The maximum number of bytes that a message holds, and of one record.
    pub max_bytes: Option<usize>,
    /// The maximum depth to which arguments and records are nested.
    pub max_depth: Option<usize>,
    /// The tag between which a model writes its reasoning into its text, in a provider's format.
    pub think_tags: Option<ThinkTags>,
}

impl StreamOptions {
    /// The reader of the format; `None` for deltas.
    pub(crate) fn reader(&self) -> Option<Box<dyn Reader>> {
        let WireFormat::Provider(format) = self.format.unwrap_or_default() else { return None };
        let reader = format.reader();
        Some(match &self.think_tags {
            Some(tags) => tags.reader(reader),
            None => reader,
        })
    }

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
