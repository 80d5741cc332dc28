//! [`LogSession`]: a session in a log.

use super::log_part::{LogFields, LogPart, write_fields};
use super::shared_text::SharedText;
use crate::session_kind::SessionKind;
use crate::token_counts::{TokenCounts, count};
use apex_parts_json::writer::object;
use apex_parts_model::text_map::TextMap;

/// A session.
#[derive(Debug, Default)]
pub(crate) struct LogSession {
    pub(crate) id: String,
    pub(crate) parent: Option<String>,
    pub(crate) title: Option<String>,
    /// What it is, where its parent does not tell it.
    pub(crate) kind: Option<SessionKind>,
    /// The agent of its messages.
    pub(crate) agent: String,
    pub(crate) directory: SharedText,
    pub(crate) version: String,
    /// When it began; the first time in the run where the file does not say it.
    pub(crate) created: Option<f64>,
    /// Its end, where the file says it.
    pub(crate) updated: Option<f64>,
    /// The first and the last time in the run.
    pub(crate) span: Option<(f64, f64)>,
    /// Tokens and cost of the whole run, where the file says them.
    pub(crate) tokens: Option<TokenCounts>,
    pub(crate) cost: Option<f64>,
    /// Further fields of its object.
    pub(crate) more: LogFields,
    /// The model that was named last, and the working directory.
    pub(crate) provider: SharedText,
    pub(crate) model: SharedText,
    pub(crate) cwd: SharedText,
    /// Texts for the model that wait for the next user's message; raw.
    pub(crate) system: String,
    /// Notices that wait for the first message.
    pub(crate) notices: Vec<LogPart>,
    /// The same as warnings, each with its offset, for where no message comes.
    pub(crate) unplaced: Vec<(String, u64)>,
    /// Its messages, as indexes into those of all sessions.
    pub(crate) messages: Vec<usize>,
    /// The last call with each id, as an index into the places of the log's calls.
    pub(crate) calls: TextMap,
    /// The calls without a result, as message and item.
    pub(crate) open: Vec<(usize, usize)>,
    /// How many stretches of it were abandoned.
    pub(crate) branches: usize,
}

impl LogSession {
    /// Notes a time in the run.
    pub(crate) fn touch(&mut self, at: f64) {
        self.span = match self.span {
            Some((first, last)) => Some((first.min(at), last.max(at))),
            None => Some((at, at)),
        };
    }

    /// Its JSON object.
    pub(crate) fn info(&self) -> String {
        let mut json = String::new();
        let (first, last) = self.span.unwrap_or_default();
        let created = self.created.unwrap_or(first);
        let updated = self.updated.unwrap_or(last).max(created);
        object(&mut json, |info| {
            info.string("id", &self.id);
            if let Some(parent) = &self.parent {
                info.string("parentID", parent);
            }
            if let Some(title) = &self.title {
                info.string("title", title);
            }
            info.string("directory", &self.directory);
            if !self.version.is_empty() {
                info.string("version", &self.version);
            }
            info.object("time", |time| {
                time.number("created", created).number("updated", updated);
            });
            if let Some(cost) = self.cost {
                info.number("cost", count(cost));
            }
            if let Some(tokens) = self.tokens {
                info.object("tokens", |out| tokens.write(out));
            }
            write_fields(&self.more, info);
        });
        json
    }
}
