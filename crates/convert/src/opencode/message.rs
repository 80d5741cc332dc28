//! A message as OpenCode takes it: its `info`.

use super::error::{finish_of, unknown_error_json};
use super::fit::{Fitter, GivenField, integer};
use super::import_shape::MESSAGE;
use super::part::{quoted, text_or_own};
use super::picked::{field, number, object, text};
use super::places::Place;
use super::shape::JsonShape;
use apex_parts_json::tape::Node;
use apex_parts_json::writer;
use apex_parts_model::view::number_text;
use apex_parts_model::{Kind, Path, View};

/// The agent of messages that do not name theirs: the one that OpenCode begins with.
pub(super) const AGENT: &str = "build";

/// What a message's `info` says of others.
pub(super) struct MessageInfo<'a> {
    pub(super) session: &'a str,
    pub(super) place: &'a Place,
    /// The id of the user's message that an assistant's answers.
    pub(super) parent: &'a str,
    pub(super) directory: Option<&'a str>,
}

/// Is it a user's message? One of an unknown role is.
pub(super) fn is_user(info: Node<'_>) -> bool {
    text(field(Some(info), "role")).as_deref() != Some("assistant")
}

impl MessageInfo<'_> {
    /// Writes the `info`.
    pub(super) fn write(&self, info: Node<'_>, fitter: &mut Fitter<'_>, out: &mut String) {
        let word = if is_user(info) { "user" } else { "assistant" };
        let path = Path::ROOT.name(word);
        let JsonShape::Kinds(tag, kinds) = &MESSAGE else { return };
        let Some(kind) = kinds.iter().find(|kind| kind.word == word) else { return };
        let mut fields = vec![
            ("id", quoted(&self.place.id)),
            ("sessionID", quoted(self.session)),
            ("time", self.time(info, fitter, &path)),
            (*tag, String::new()),
        ];
        let agent = text_or_own(field(Some(info), "agent"), self.place).unwrap_or(AGENT.into());
        fields.push(("agent", quoted(&agent)));
        if word == "assistant" {
            self.assistant(info, &agent, fitter, &mut fields);
        }
        writer::object(out, |out| {
            out.string(tag, word);
            fitter.object(info, kind.fields, &fields, &path, out);
        });
    }

    fn time(&self, info: Node<'_>, fitter: &mut Fitter<'_>, path: &Path<'_>) -> String {
        let time = object(field(Some(info), "time"));
        let path = path.name("time");
        let is_assistant = !is_user(info);
        let known = |name: &str| name == "created" || (is_assistant && name == "completed");
        for (key, value) in time.into_iter().flat_map(Node::fields) {
            let name = key.str().unwrap_or_default();
            if !known(&name) && value.kind() != Kind::Null {
                fitter.lost.note(&path.name(&name));
            }
        }
        let created = self.place.created;
        let mut json = String::new();
        writer::object(&mut json, |out| {
            out.key("created").push_str(&number_text(created));
            let completed = number(field(time, "completed")).filter(|_| is_assistant);
            if let Some(completed) = completed {
                // Where the time of its beginning was moved, it does not end before.
                let least = if self.place.is_made { created } else { 0.0 };
                out.key("completed").push_str(&number_text(integer(completed).max(least)));
            }
        });
        json
    }

    fn assistant(
        &self,
        info: Node<'_>,
        agent: &str,
        fitter: &mut Fitter<'_>,
        given: &mut Vec<GivenField>,
    ) {
        let mode = text_or_own(field(Some(info), "mode"), self.place);
        given.push(("mode", quoted(mode.as_deref().unwrap_or(agent))));
        given.push(("parentID", quoted(self.parent)));
        if let Some(finish) = text(field(Some(info), "finish")) {
            given.push(("finish", quoted(finish_of(&finish))));
        }
        if let Some(error) = field(Some(info), "error")
            && let Some(json) = unknown_error_json(error, fitter.lost)
        {
            given.push(("error", json));
        }
        let path = object(field(Some(info), "path"));
        let [cwd, root] = ["cwd", "root"].map(|name| text(field(path, name)));
        if let Some(directory) = self.directory.filter(|_| cwd.is_none() || root.is_none()) {
            let mut json = String::new();
            writer::object(&mut json, |out| {
                out.string("cwd", cwd.as_deref().unwrap_or(directory));
                out.string("root", root.as_deref().unwrap_or(directory));
            });
            given.push(("path", json));
        }
    }
}
