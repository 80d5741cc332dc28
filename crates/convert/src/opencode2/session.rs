//! The session as OpenCode 2 takes it: its `info`.

use crate::opencode::survey::{Survey, time_json};
use crate::opencode::{LostFields, SessionSource};
use apex_parts_agents::fields::{any_string, get, items, number, of_kind, raw, string};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::{self, ObjectWriter};
use apex_parts_model::view::number_text;
use apex_parts_model::{Kind, Path};
use apex_parts_opencode2::joined;

/// What the `info` is made of.
pub(super) struct SessionInfo<'a> {
    pub(super) source: &'a SessionSource<'a>,
    pub(super) survey: &'a Survey,
    pub(super) id: &'a str,
    /// The id now of the session that started it.
    pub(super) parent: Option<String>,
    pub(super) title: Option<&'a str>,
    pub(super) directory: Option<&'a str>,
    /// The JSON of the session whose records the messages are of.
    pub(super) kept: Option<&'a str>,
    /// Is every id new?
    pub(super) is_copy: bool,
}

/// Our name of a tool's permission, as OpenCode 2 calls it.
fn action_of(permission: &str) -> &str {
    match permission {
        "bash" => "shell",
        "task" => "subagent",
        other => other,
    }
}

/// The fields of the first model's session that have a place.
const PLACED: [&str; 12] = [
    "id",
    "projectID",
    "directory",
    "parentID",
    "title",
    "metadata",
    "cost",
    "tokens",
    "agent",
    "model",
    "permission",
    "time",
];

impl SessionInfo<'_> {
    /// The `info`, as JSON.
    pub(super) fn write(&self, lost: &mut LostFields) -> String {
        let text = match self.kept {
            Some(kept) => kept.into(),
            None => String::from_utf8_lossy(self.source.info.unwrap_or(b"{}")),
        };
        let mut tape = Tape::default();
        let read = tape.read(text.as_bytes(), 0).is_ok();
        let info = of_kind(read.then(|| tape.root_of(&text)), Kind::Object);
        if self.kept.is_some() && info.is_some() {
            return self.changed(info, &text);
        }
        self.made(info, &text, lost)
    }

    /// The session that the records are of, with what was asked to be another.
    fn changed(&self, info: Option<Node<'_>>, json: &str) -> String {
        let mut out = String::new();
        let old = string(get(info, "id")).unwrap_or_default();
        let mut fields: Vec<(&str, String)> = Vec::new();
        let quoted = |text: &str| {
            let mut out = String::new();
            writer::string(&mut out, text);
            out
        };
        if old != self.id {
            fields.push(("id", quoted(self.id)));
        }
        fields.extend(self.title.map(|title| ("title", quoted(title))));
        if let Some(directory) = self.directory {
            fields.push(("location", joined(&["{\"directory\":", &quoted(directory), "}"])));
        }
        if fields.is_empty() {
            return json.trim().to_owned();
        }
        writer::object(&mut out, |out| {
            for (key, value) in info.into_iter().flat_map(Node::fields) {
                let name = key.str().unwrap_or_default();
                // A copy does not hang on what the original hangs on.
                let is_left = self.is_copy && matches!(&*name, "fork" | "revert");
                if !is_left && !fields.iter().any(|(field, _)| *field == name) {
                    out.foreign_key(&name).push_str(raw(value, json));
                }
            }
            for (name, value) in &fields {
                out.foreign_key(name).push_str(value);
            }
        });
        out
    }

    fn made(&self, info: Option<Node<'_>>, json: &str, lost: &mut LostFields) -> String {
        let survey = self.survey;
        let mut out = String::new();
        let text = |name: &str| string(get(info, name)).map(std::borrow::Cow::into_owned);
        let copy = |out: &mut ObjectWriter<'_>, name: &'static str, kind: Kind| {
            if let Some(value) = of_kind(get(info, name), kind) {
                out.key(name).push_str(raw(value, json));
            }
        };
        writer::object(&mut out, |out| {
            out.string("id", self.id);
            if let Some(parent) = &self.parent {
                out.string("parentID", parent);
            }
            out.string("projectID", text("projectID").as_deref().unwrap_or("global"));
            if let Some(agent) = text("agent") {
                out.string("agent", &agent);
            } else if !self.source.is_opencode
                && let Some(agent) = &survey.agent
            {
                out.string("agent", agent);
            }
            match of_kind(get(info, "model"), Kind::Object) {
                Some(model) if self.source.is_opencode => {
                    out.key("model").push_str(raw(model, json))
                }
                _ if self.source.is_opencode => {}
                _ => {
                    if let Some(model) = &survey.model {
                        out.key("model").push_str(model);
                    }
                }
            }
            let cost = get(info, "cost").filter(|cost| number(Some(*cost)).is_some());
            let cost =
                cost.map_or_else(|| number_text(survey.cost), |cost| raw(cost, json).to_owned());
            out.key("cost").push_str(&cost);
            out.object("tokens", |tokens| survey.tokens.write(tokens));
            self.time(out, info);
            let title = self.title.map(str::to_owned).or_else(|| text("title"));
            let title =
                title.or_else(|| self.source.title.clone()).or_else(|| survey.prompt.clone());
            if let Some(title) = title {
                out.string("title", &title);
            }
            out.object("location", |location| {
                let directory = self.directory.map(str::to_owned).or_else(|| text("directory"));
                let directory = directory.or_else(|| survey.directory.clone());
                location.string("directory", &directory.unwrap_or_default());
            });
            if self.source.is_opencode {
                copy(out, "metadata", Kind::Object);
                rules(out, get(info, "permission"));
                copy(out, "permissions", Kind::Array);
                self.revert(out, get(info, "revert"), json);
            } else {
                self.provenance(out, info, json);
            }
        });
        let root = Path::ROOT.name("session");
        for (key, value) in
            info.into_iter().flat_map(Node::fields).filter(|_| self.source.is_opencode)
        {
            let name = key.str().unwrap_or_default();
            let is_placed = PLACED.contains(&&*name) || matches!(&*name, "permissions" | "revert");
            let is_nothing = of_kind(Some(value), Kind::Null).is_some();
            if !is_placed && !is_nothing {
                lost.note(&root.name(&name));
            }
        }
        out
    }

    fn time(&self, out: &mut ObjectWriter<'_>, info: Option<Node<'_>>) {
        let time = of_kind(get(info, "time"), Kind::Object);
        let of = |name: &str| number(get(time, name));
        let created = of("created").or(self.survey.first).unwrap_or(0.0);
        let updated = of("updated").unwrap_or_else(|| self.survey.last.max(created));
        out.object("time", |out| {
            out.key("created").push_str(&time_json(created));
            out.key("updated").push_str(&time_json(updated));
            if let Some(archived) = of("archived") {
                out.key("archived").push_str(&time_json(archived));
            }
        });
    }

    fn revert(&self, out: &mut ObjectWriter<'_>, revert: Option<Node<'_>>, json: &str) {
        let revert = of_kind(revert, Kind::Object);
        let Some(message) = any_string(get(revert, "messageID")).filter(|_| !self.is_copy) else {
            return;
        };
        out.object("revert", |out| {
            out.key("messageID").push_str(raw(message, json));
            for name in ["partID", "snapshot"] {
                if let Some(text) = any_string(get(revert, name)) {
                    out.key(name).push_str(raw(text, json));
                }
            }
        });
    }

    /// Where the session comes from.
    fn provenance(&self, out: &mut ObjectWriter<'_>, info: Option<Node<'_>>, json: &str) {
        let metadata = of_kind(get(info, "metadata"), Kind::Object);
        out.object("metadata", |out| {
            for (key, value) in metadata.into_iter().flat_map(Node::fields) {
                let name = key.str().unwrap_or_default();
                if name != "apex" {
                    out.foreign_key(&name).push_str(raw(value, json));
                }
            }
            out.object("apex", |apex| {
                apex.string("format", self.source.format);
                if self.source.content.is_none() && !self.source.id.is_empty() {
                    apex.string("sessionID", &self.source.id);
                }
                if let (Some(info), Some(_)) = (info, self.source.info) {
                    apex.key("session").push_str(raw(info, json));
                }
            });
        });
    }
}

/// Writes the rules of a session of the first model, if it has any.
fn rules(out: &mut ObjectWriter<'_>, list: Option<Node<'_>>) {
    let of = |rule: Node<'_>, name: &str| {
        string(get(Some(rule), name)).map(std::borrow::Cow::into_owned)
    };
    let rules: Vec<_> = items(list)
        .filter_map(|rule| {
            Some((of(rule, "permission")?, of(rule, "pattern")?, of(rule, "action")?))
        })
        .collect();
    if rules.is_empty() {
        return;
    }
    out.list("permissions", rules, |out, (permission, pattern, action)| {
        writer::object(out, |rule| {
            rule.string("action", action_of(&permission));
            rule.string("resource", &pattern).string("effect", &action);
        });
    });
}
