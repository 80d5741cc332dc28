//! [`PendingCall`]: a tool call to which its result may still be added.

use super::builder::{self, CallOutcome};
use super::placed_part::FinishedPart;
use apex_parts_json::writer::{ObjectWriter, list};
use std::rc::Rc;

/// A tool call to which its result may still be added.
#[derive(Debug)]
pub(crate) struct PendingCall {
    pub(super) id: String,
    pub(super) call_id: String,
    pub(super) tool: String,
    /// JSON.
    pub(super) input: Rc<str>,
    /// A JSON object; empty if there is none.
    pub(super) metadata: String,
    /// The session that it started; empty if it started none.
    pub(super) child: String,
    pub(super) start: f64,
    pub(super) result: Option<PendingResult>,
}

/// The result of a tool call.
#[derive(Debug, Default)]
pub(crate) struct PendingResult {
    pub(crate) is_error: bool,
    /// Raw.
    pub(crate) output: Rc<str>,
    pub(crate) end: f64,
    /// Fields of the state's metadata, each with its JSON.
    pub(crate) metadata: Vec<(&'static str, Rc<str>)>,
    /// The files that came with it.
    pub(crate) attachments: Vec<FinishedPart>,
}

impl PendingCall {
    pub(super) fn length(&self) -> usize {
        let result = self.result.as_ref().map_or(0, |result| {
            let metadata = result.metadata.iter().map(|(_, json)| json.len() + 20);
            let files = result.attachments.iter().map(FinishedPart::length);
            result.output.len() + metadata.chain(files).sum::<usize>()
        });
        self.input.len() + self.metadata.len() + self.child.len() + result
    }

    pub(super) fn fields(&self, session: &str, message: &str, part: &mut ObjectWriter<'_>) {
        part.string("callID", &self.call_id).string("tool", &self.tool);
        let fields = self.result.as_ref().map_or(&[][..], |result| &result.metadata);
        let has_metadata = !self.child.is_empty() || !fields.is_empty();
        let metadata = |out: &mut ObjectWriter<'_>| {
            if !self.child.is_empty() {
                out.string("sessionId", &self.child);
            }
            for (name, json) in fields {
                out.key(name).push_str(json);
            }
        };
        let files = self.result.as_ref().map_or(&[][..], |result| &result.attachments);
        let attachments = |out: &mut String| {
            list(out, files, |out, file| file.write(session, message, out));
        };
        let outcome = self.result.as_ref().map(|result| CallOutcome {
            is_error: result.is_error,
            output: &result.output,
            end: result.end,
            attachments: (!files.is_empty()).then_some(&attachments),
        });
        part.object("state", |state| {
            let metadata: Option<&dyn Fn(&mut ObjectWriter<'_>)> =
                if has_metadata { Some(&metadata) } else { None };
            builder::state(state, &self.input, self.start, metadata, outcome.as_ref());
        });
        if !self.metadata.is_empty() {
            part.key("metadata").push_str(&self.metadata);
        }
    }
}
