//! [`AssistantInfo`]: the `info` of an assistant's message, as JSON.

use super::token_counts::{TokenCounts, count};
use apex_parts_json::writer::{ObjectWriter, object};

/// The `info` of an assistant's message. Fields that are not known are empty, which is valid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AssistantInfo<'a> {
    pub(crate) id: &'a str,
    pub(crate) session_id: &'a str,
    pub(crate) created: f64,
    pub(crate) completed: Option<f64>,
    pub(crate) parent_id: &'a str,
    pub(crate) model_id: &'a str,
    pub(crate) provider_id: &'a str,
    pub(crate) agent: &'a str,
    pub(crate) cwd: &'a str,
    pub(crate) cost: f64,
    pub(crate) tokens: TokenCounts,
    pub(crate) finish: Option<&'a str>,
    /// A JSON object.
    pub(crate) error: Option<&'a str>,
}

impl AssistantInfo<'_> {
    pub(crate) fn write(&self, out: &mut String) {
        object(out, |info| self.fields(info));
    }

    /// Writes the fields; the caller can add others.
    pub(crate) fn fields(&self, info: &mut ObjectWriter<'_>) {
        info.string("id", self.id).string("sessionID", self.session_id);
        info.string("role", "assistant");
        info.object("time", |time| {
            time.number("created", self.created);
            if let Some(completed) = self.completed {
                time.number("completed", completed);
            }
        });
        info.string("parentID", self.parent_id).string("modelID", self.model_id);
        info.string("providerID", self.provider_id).string("agent", self.agent);
        info.object("path", |path| {
            path.string("cwd", self.cwd).string("root", self.cwd);
        });
        info.number("cost", count(self.cost)).object("tokens", |tokens| self.tokens.write(tokens));
        if let Some(finish) = self.finish {
            info.string("finish", finish);
        }
        if let Some(error) = self.error {
            info.key("error").push_str(error);
        }
    }
}
