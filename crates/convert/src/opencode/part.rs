//! A part as OpenCode takes it.

use super::error::{api_error_json, finish_of};
use super::fit::{Fitter, GivenField};
use super::ids;
use super::import_shape::{ATTACHMENT, PARTS};
use super::links::MessageLinks;
use super::picked::{elements, field, json, kind_of, object, text};
use super::places::{IdRules, Place};
use super::shape::{JsonShape, ShapeKind};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{self, ObjectWriter};
use apex_parts_model::fingerprint::{self, Fingerprint};
use apex_parts_model::sorted_set::SortedSet;
use apex_parts_model::{Kind, Path, View};
use std::borrow::Cow;

/// The ids of the parts of a session so far.
pub(super) type SeenParts = SortedSet<Fingerprint>;

/// The ids of the parts of a message, in their order: OpenCode sorts them by id alone.
pub(super) fn part_ids(
    parts: &[Node<'_>],
    place: &Place,
    rules: &IdRules,
    seen: &mut SeenParts,
) -> Vec<String> {
    let old: Vec<_> = parts.iter().map(|part| text(field(object(Some(*part)), "id"))).collect();
    let kept: Vec<bool> = old
        .iter()
        .map(|id| {
            let kept = id.as_deref().filter(|id| rules.keeps(id, "prt"));
            kept.is_some_and(|id| seen.insert(ids::hash(id)))
        })
        .collect();
    // OpenCode itself numbers parts as they come, so that its own order is the one that is meant.
    let is_own =
        |(id, kept): (&Option<_>, &bool)| *kept && id.as_deref().is_some_and(ids::is_own_form);
    let all_own = old.iter().zip(&kept).all(is_own);
    let first = (place.stamp + 1).min((1 << 48) - 1 - (parts.len() as u64));
    let mut made: Vec<String> = Vec::with_capacity(parts.len());
    for (number, (id, kept)) in old.iter().zip(kept).enumerate() {
        let last = made.last().map_or("", String::as_str);
        let id = match id.as_deref().filter(|id| kept && (all_own || *id > last)) {
            Some(id) => id.to_owned(),
            None => {
                let key = part_key(id.as_deref(), place, rules, number);
                let next = ids::id("prt", first + number as u64, key);
                let mut next = if next.as_str() > last { next } else { right_behind(last, key) };
                // The file may have the id that was made, as one that was put together of others.
                while !seen.insert(ids::hash(&next)) {
                    next = right_behind(&next, key);
                }
                next
            }
        };
        made.push(id);
    }
    made
}

/// The hash from which the id of a part is made.
fn part_key(id: Option<&str>, place: &Place, rules: &IdRules, number: usize) -> Fingerprint {
    match id.filter(|_| rules.content.is_none()) {
        // Another message may have a part of the same id.
        Some(id) => {
            let own = ids::numbered(ids::hash(id), number);
            rules.key(fingerprint::join(place.key, own))
        }
        None => ids::numbered(place.key, number),
    }
}

/// An id that sorts behind another one, and before all that are greater than that.
fn right_behind(id: &str, key: Fingerprint) -> String {
    let mut next = format!("{id}0");
    ids::tail(key, 6, &mut next);
    next
}

/// The field that says of a call that the provider ran it.
const EXECUTED: &str = "providerExecuted";
/// The name below which OpenCode keeps what it has no field for.
const OWN: &str = "apex";

/// Is it the state that a reader of streams writes for a call that the provider ran?
fn has_result(state: Node<'_>) -> bool {
    let kind = text(field(object(Some(state)), "type"));
    kind.is_some_and(|kind| kind.ends_with("_use"))
        || ["item", "part", "result"].iter().any(|name| field(object(Some(state)), name).is_some())
}

/// Writes the parts of a message.
pub(super) struct PartWriter<'a> {
    pub(super) session: &'a str,
    pub(super) place: &'a Place,
    pub(super) rules: &'a IdRules,
    pub(super) links: &'a MessageLinks,
}

impl PartWriter<'_> {
    fn base(&self, id: &str) -> Vec<GivenField> {
        vec![
            ("id", quoted(id)),
            ("sessionID", quoted(self.session)),
            ("messageID", quoted(&self.place.id)),
        ]
    }

    /// Writes a part; false if it is nothing that a part could hold.
    pub(super) fn write(
        &self,
        part: Node<'_>,
        id: &str,
        fitter: &mut Fitter<'_>,
        out: &mut String,
    ) -> bool {
        if part.kind() != Kind::Object {
            fitter.lost.note(&Path::ROOT.name("part"));
            return false;
        }
        let Some(kind) = kind_of(part, "type", PARTS) else {
            return self.carry(part, id, fitter, out);
        };
        let path = Path::ROOT.name(kind.word);
        let mut fields = self.base(id);
        fields.push(("type", String::new()));
        match kind.word {
            "tool" => self.tool(part, id, fitter, &mut fields),
            "compaction" => self.compaction(part, fitter, &mut fields),
            "step-finish" => {
                let reason = text_or_own(field(Some(part), "reason"), self.place);
                let reason = reason.unwrap_or("unknown".into());
                fields.push(("reason", quoted(finish_of(&reason))));
            }
            "retry" => {
                let error = field(Some(part), "error");
                fields.extend(api_error_json(error, fitter).map(|json| ("error", json)));
            }
            _ => {}
        }
        writer::object(out, |out| {
            out.string("type", kind.word);
            fitter.object(part, kind.fields, &fields, &path, out);
        });
        true
    }

    /// A part of a type that OpenCode does not have: as a text that no model sees, with the part in its metadata.
    fn carry(&self, part: Node<'_>, id: &str, fitter: &mut Fitter<'_>, out: &mut String) -> bool {
        let Some(kind) = text(field(Some(part), "type")) else {
            fitter.lost.note(&Path::ROOT.name("part"));
            return false;
        };
        let fields = self.base(id);
        writer::object(out, |out| {
            out.string("type", "text");
            fields.iter().for_each(|(name, json)| out.key(name).push_str(json));
            out.string("text", &format!("[{kind}]"));
            out.bool("synthetic", true).bool("ignored", true);
            out.object("metadata", |metadata| {
                metadata.object(OWN, |apex| {
                    fields.iter().for_each(|(name, json)| apex.key(name).push_str(json));
                    for (key, value) in part.fields() {
                        let name = key.str().unwrap_or_default();
                        if fields.iter().all(|(field, _)| *field != name) {
                            apex.foreign_key(&name).push_str(&json(value));
                        }
                    }
                });
            });
        });
        true
    }

    fn compaction(&self, part: Node<'_>, fitter: &mut Fitter<'_>, given: &mut Vec<GivenField>) {
        let Some(tail) = field(Some(part), "tail_start_id") else { return };
        let id = tail.str().and_then(|old| self.links.of(&old, self.rules));
        if id.is_none() {
            fitter.lost.note(&Path::ROOT.name("compaction").name("tail_start_id"));
        }
        given.push(("tail_start_id", id.map(|id| quoted(&id)).unwrap_or_default()));
    }

    fn tool(&self, part: Node<'_>, id: &str, fitter: &mut Fitter<'_>, given: &mut Vec<GivenField>) {
        let old = text(field(Some(part), "id"));
        let call = text_or_own(field(Some(part), "callID"), self.place);
        // A call without an id of its own has that of its part.
        if call.is_none() || call == old {
            given.push(("callID", quoted(id)));
        }
        given.extend(self.run_by_provider(part).map(|json| ("metadata", json)));
        let root = Path::ROOT.name("tool");
        let path = root.name("state");
        let Some(state) = object(field(Some(part), "state")) else { return };
        let Some((tag, kinds)) = states() else { return };
        let known = kind_of(state, tag, kinds);
        if known.is_none() {
            fitter.lost.note(&path.name(tag));
        }
        let Some(kind) = known.or(kinds.first()) else { return };
        let mut own = vec![(tag, String::new())];
        let files = field(Some(state), "attachments");
        if kind.word == "completed" && files.is_some_and(|files| files.kind() == Kind::Array) {
            own.push(("attachments", self.attachments(files, id, fitter, &path)));
        }
        let mut json = String::new();
        writer::object(&mut json, |out| {
            out.string(tag, kind.word);
            fitter.object(state, kind.fields, &own, &path, out);
        });
        given.push(("state", json));
    }

    /// The metadata of a call that the provider ran, if its result is not in the form of the AI SDK. OpenCode would send
    /// such a call to another provider without its result, so that the field that says it is kept below `apex`.
    fn run_by_provider(&self, part: Node<'_>) -> Option<String> {
        let metadata = object(field(Some(part), "metadata"))?;
        let is_set = |of, name| field(of, name).is_some_and(|value| value.kind() == Kind::True);
        let is_ours =
            self.rules.is_foreign || metadata.fields().any(|(_, state)| has_result(state));
        let of_sdk = object(field(Some(metadata), "ai-sdk"));
        if !is_set(Some(metadata), EXECUTED) || is_set(of_sdk, EXECUTED) || !is_ours {
            return None;
        }
        let mut text = String::new();
        writer::object(&mut text, |out| {
            for (key, value) in metadata.fields() {
                let name = key.str().unwrap_or_default();
                if name != EXECUTED && name != OWN {
                    out.foreign_key(&name).push_str(&json(value));
                }
            }
            out.object(OWN, |own| {
                own.bool(EXECUTED, true);
            });
        });
        Some(text)
    }

    /// The files of a result. Their ids are in no table, but must have OpenCode's form.
    fn attachments(
        &self,
        files: Option<Node<'_>>,
        part: &str,
        fitter: &mut Fitter<'_>,
        path: &Path<'_>,
    ) -> String {
        let path = path.name("attachments");
        let JsonShape::Kinds(tag, kinds) = &ATTACHMENT else { return String::new() };
        let mut fitting = Vec::new();
        for file in elements(files) {
            match kind_of(file, tag, kinds) {
                Some(kind) => fitting.push((file, kind)),
                None => fitter.lost.note(&path),
            }
        }
        let mut json = String::new();
        writer::list(&mut json, fitting.into_iter().enumerate(), |out, (number, (file, kind))| {
            let old = text(field(Some(file), "id"));
            let id = old.filter(|id| self.rules.keeps(id, "prt")).map(|id| id.into_owned());
            let key = ids::numbered(ids::hash(part), number);
            let id = id.unwrap_or_else(|| ids::id("prt", self.place.stamp, key));
            let mut fields = self.base(&id);
            fields.push(("type", String::new()));
            self.keep_places(file, &mut fields);
            writer::object(out, |out| {
                out.string("type", kind.word);
                fitter.object(file, kind.fields, &fields, &path, out);
            });
        });
        json
    }

    /// Where an attachment says that it belongs to something else of OpenCode's, it goes on saying so.
    fn keep_places(&self, file: Node<'_>, given: &mut [GivenField]) {
        for (name, json) in given {
            let prefix = match *name {
                "sessionID" => "ses",
                "messageID" => "msg",
                _ => continue,
            };
            if let Some(own) =
                text(field(Some(file), name)).filter(|id| self.rules.keeps(id, prefix))
            {
                *json = quoted(&own);
            }
        }
    }
}

/// The states of a tool: the name of the field that tells them apart, and each.
fn states() -> Option<(&'static str, &'static [ShapeKind])> {
    let tool = PARTS.iter().find(|kind| kind.word == "tool")?;
    let state = tool.fields.iter().find(|field| field.name == "state")?;
    match state.shape {
        JsonShape::Kinds(tag, kinds) => Some((tag, kinds)),
        _ => None,
    }
}

/// The text of a string: of another agent's message one that is not empty, of OpenCode's own any, for that stays as it
/// is.
pub(super) fn text_or_own<'a>(value: Option<Node<'a>>, place: &Place) -> Option<Cow<'a, str>> {
    value?.str().filter(|text| !place.is_made || !text.is_empty())
}

/// A string as JSON.
pub(super) fn quoted(text: &str) -> String {
    let mut json = String::new();
    writer::string(&mut json, text);
    json
}

/// Writes a text of this package's own.
pub(super) fn synthetic_text(out: &mut ObjectWriter<'_>, ids: [&str; 3], text: &str) {
    let [id, session, message] = ids;
    // In the order in which it is written when it is converted again.
    out.string("type", "text");
    out.string("id", id).string("sessionID", session).string("messageID", message);
    out.string("text", text).bool("synthetic", true);
}
