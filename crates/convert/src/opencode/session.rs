//! The session as OpenCode takes it: its `info`.

use super::fit::{Fitter, GivenField, integer};
use super::ids;
use super::import_shape::{SESSION, VERSION};
use super::links::MessageLinks;
use super::lost::LostFields;
use super::message::AGENT;
use super::part::quoted;
use super::picked::{field, json, number, object, text};
use super::places::IdRules;
use super::source::SessionSource;
use super::survey::{Survey, number_json, time_json};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::view::number_text;
use apex_parts_model::{Kind, Path, View};
use std::borrow::Cow;

/// The id of a session now: its own if it is OpenCode's, otherwise one that is made of it and of its time.
pub(crate) fn session_id(old: &str, created: f64, rules: &IdRules) -> String {
    if rules.keeps(old, "ses") {
        return old.to_owned();
    }
    let of: Fingerprint = rules.content.unwrap_or_else(|| ids::hash(old));
    ids::session_id(integer(created), rules.salted(of))
}

/// When a session was created, as far as its record says.
pub(crate) fn created_of(info: Option<Node<'_>>) -> Option<f64> {
    number(field(object(field(info, "time")), "created"))
}

/// A name for addresses: the letters and digits of the title.
fn slug_of(title: &str) -> String {
    const LONGEST: usize = 40;
    let mut slug = String::new();
    for letter in title.chars() {
        if slug.len() >= LONGEST {
            break;
        }
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "session".to_owned() } else { slug.to_owned() }
}

/// What the `info` is made of.
pub(crate) struct SessionInfo<'a> {
    pub(crate) source: &'a SessionSource<'a>,
    pub(crate) survey: &'a Survey,
    pub(crate) rules: &'a IdRules,
    pub(crate) id: &'a str,
    pub(crate) title: Option<&'a str>,
    pub(crate) directory: Option<&'a str>,
}

impl SessionInfo<'_> {
    /// The `info` as JSON.
    pub(crate) fn write(&self, lost: &mut LostFields) -> String {
        let bytes = self.source.info.unwrap_or(b"{}");
        let text = String::from_utf8_lossy(bytes);
        let mut tape = Tape::default();
        let info = match tape.read(text.as_bytes(), 0) {
            Ok(_) => object(Some(tape.root_of(&text))),
            Err(_) => None,
        };
        let mut nothing = Tape::default();
        let info = info.unwrap_or_else(|| {
            let _ = nothing.read(b"{}", 0);
            nothing.root(b"{}")
        });
        let fields = self.given(info, lost);
        let created = created_of(Some(info)).or(self.survey.first).unwrap_or(0.0);
        let mut out = String::new();
        writer::object(&mut out, |out| {
            // Of another agent's record all is kept below `metadata`.
            let mut kept = LostFields::default();
            let lost = if self.source.is_opencode { lost } else { &mut kept };
            let mut fitter = Fitter { created, lost };
            fitter.object(info, SESSION, &fields, &Path::ROOT.name("session"), out);
        });
        out
    }

    fn given(&self, info: Node<'_>, lost: &mut LostFields) -> Vec<GivenField> {
        let survey = self.survey;
        let of = |name: &str| field(Some(info), name);
        // What an export says stays, also where that is nothing.
        let is_said = |text: &Cow<'_, str>| self.source.is_export || !text.is_empty();
        let own = |name: &str| of(name)?.str().filter(is_said).map(|text| text.into_owned());
        let title = self.title.map(str::to_owned).or_else(|| own("title"));
        let title = title.or_else(|| self.source.title.clone());
        let title = title.or_else(|| survey.prompt.clone());
        let title = title.unwrap_or_else(|| "Converted session".to_owned());
        let mut fields = vec![
            ("id", quoted(self.id)),
            ("slug", quoted(&own("slug").unwrap_or_else(|| slug_of(&title)))),
            ("title", quoted(&title)),
            ("time", self.time(info)),
            ("parentID", self.parent().map(|id| quoted(&id)).unwrap_or_default()),
        ];
        // The version of another agent says nothing of OpenCode's records.
        let version = own("version").filter(|_| self.source.is_opencode);
        fields.push(("version", quoted(version.as_deref().unwrap_or(VERSION))));
        if let Some(directory) = self.directory {
            fields.push(("directory", quoted(directory)));
        }
        // What an export does not say its session does not have.
        if !self.source.is_export {
            self.sums(info, &mut fields);
        }
        if object(of("revert")).is_some() {
            fields.push(("revert", self.revert(of("revert"), &survey.links, lost)));
        }
        if !self.source.is_opencode {
            fields.push(("metadata", self.provenance(info)));
        }
        fields
    }

    /// What the messages say together, where the record does not say it. `import` does not sum.
    fn sums(&self, info: Node<'_>, given: &mut Vec<GivenField>) {
        let survey = self.survey;
        let of = |name: &str| field(Some(info), name);
        if number(of("cost")).is_none() {
            given.push(("cost", number_text(survey.cost)));
        }
        if object(of("tokens")).is_none() {
            let mut json = String::new();
            writer::object(&mut json, |out| survey.tokens.write(out));
            given.push(("tokens", json));
        }
        if text(of("agent")).is_none() {
            given.push(("agent", quoted(survey.agent.as_deref().unwrap_or(AGENT))));
        }
        if object(of("model")).is_none() {
            given.push(("model", survey.model.clone().unwrap_or_default()));
        }
        if self.directory.is_none() && text(of("directory")).is_none() {
            let directory = survey.directory.as_deref();
            given.push(("directory", directory.map(quoted).unwrap_or_default()));
        }
    }

    fn time(&self, info: Node<'_>) -> String {
        let survey = self.survey;
        let time = object(field(Some(info), "time"));
        let created = created_of(Some(info)).or(survey.first).unwrap_or(0.0);
        let updated = number(field(time, "updated")).unwrap_or(survey.last).max(
            // Only what is made up must not be before its beginning.
            if survey.first.is_some() && field(time, "updated").is_none() { created } else { 0.0 },
        );
        let mut json = String::new();
        writer::object(&mut json, |out| {
            out.key("created").push_str(&time_json(created));
            out.key("updated").push_str(&time_json(updated));
            if let Some(compacting) = number(field(time, "compacting")) {
                out.key("compacting").push_str(&time_json(compacting));
            }
            if let Some(archived) = number_json(field(time, "archived")) {
                out.key("archived").push_str(&archived);
            }
        });
        json
    }

    /// The session that started this one. It is not copied with it.
    fn parent(&self) -> Option<String> {
        let (id, created) = self.source.parent.as_ref()?;
        let rules = IdRules { salt: None, content: None, ..*self.rules };
        Some(session_id(id, *created, &rules))
    }

    fn revert(
        &self,
        revert: Option<Node<'_>>,
        links: &MessageLinks,
        lost: &mut LostFields,
    ) -> String {
        let root = Path::ROOT.name("session");
        let path = root.name("revert");
        let message = text(field(revert, "messageID")).and_then(|old| links.of(&old, self.rules));
        let Some(message) = message else {
            lost.note(&path);
            return String::new();
        };
        let part = text(field(revert, "partID"));
        let now = part.and_then(|old| {
            let made = self.survey.revert.part_now.clone();
            made.or_else(|| self.rules.keeps(&old, "prt").then(|| old.into_owned()))
        });
        let mut json = String::new();
        writer::object(&mut json, |out| {
            out.string("messageID", &message);
            if let Some(part) = now {
                out.string("partID", &part);
            }
            for name in ["snapshot", "diff"] {
                if let Some(value) = field(revert, name).filter(|value| value.raw().is_some()) {
                    out.key(name).push_str(&self::json(value));
                }
            }
        });
        json
    }

    /// Where the session comes from, in the record that OpenCode keeps for others.
    fn provenance(&self, info: Node<'_>) -> String {
        let metadata = object(field(Some(info), "metadata"));
        let mut json = String::new();
        writer::object(&mut json, |out| {
            for (key, value) in metadata.into_iter().flat_map(Node::fields) {
                let name = key.str().unwrap_or_default();
                if name != "apex" {
                    out.foreign_key(&name).push_str(&self::json(value));
                }
            }
            out.object("apex", |apex| {
                apex.string("format", self.source.format);
                if self.rules.content.is_none() && !self.source.id.is_empty() {
                    apex.string("sessionID", &self.source.id);
                }
                if self.source.info.is_some() && info.kind() == Kind::Object {
                    apex.key("session").push_str(&self::json(info));
                }
            });
        });
        json
    }
}
