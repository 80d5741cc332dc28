//! [`AssistantInfo`]: the `info` of an assistant's message, as JSON.

use crate::token_counts::{TokenCounts, count};
use apex_parts_json::writer::{ObjectWriter, object};

/// The `info` of an assistant's message. Fields that are not known are empty, which is valid.
#[derive(Clone, Copy, Debug, Default)]
pub struct AssistantInfo<'a> {
    /// The id of the message.
    pub id: &'a str,
    /// The id of its session.
    pub session_id: &'a str,
    /// When it began.
    pub created: f64,
    /// When it was complete.
    pub completed: Option<f64>,
    /// The id of the user's message that it answers.
    pub parent_id: &'a str,
    /// The id of the model.
    pub model_id: &'a str,
    /// The id of the provider.
    pub provider_id: &'a str,
    /// The name of the agent.
    pub agent: &'a str,
    /// The working directory.
    pub cwd: &'a str,
    /// What it cost.
    pub cost: f64,
    /// What it used.
    pub tokens: TokenCounts,
    /// Why it ended.
    pub finish: Option<&'a str>,
    /// A JSON object.
    pub error: Option<&'a str>,
}

impl AssistantInfo<'_> {
    /// Writes the object.
    pub fn write(&self, out: &mut String) {
        object(out, |info| self.fields(info));
    }

    /// Writes the fields; the caller can add others.
    pub fn fields(&self, info: &mut ObjectWriter<'_>) {
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
