//! A session in OpenCode's form, message by message.

use super::fit::Fitter;
use super::ids;
use super::lost::LostFields;
use super::message::{AGENT, MessageInfo, is_user};
use super::part::{PartWriter, SeenParts, part_ids, synthetic_text};
use super::picked::{elements, field, object, text};
use super::places::{IdRules, OrderedPlaces};
use super::session::{SessionInfo, created_of, session_id};
use super::source::{MessageSource, SessionSource};
use super::survey::{RevertTo, Survey};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer;
use apex_parts_model::view::number_text;
use apex_parts_model::{Error, Kind, Path, View};
use std::borrow::Cow;

/// How to convert.
#[derive(Clone, Debug, Default)]
pub struct OpenCodeOptions {
    /// The folder of the session, and of messages that name none.
    pub directory: Option<String>,
    /// The title, instead of the session's own.
    pub title: Option<String>,
    /// Given for a copy, in which every id is new: something that no other copy has.
    pub copy: Option<String>,
    /// The time now, in milliseconds: what has no id of OpenCode's is not later.
    pub now_ms: Option<f64>,
}

/// What the message says that is added where a file has answers only.
const PROMPT: &str =
    "(The prompt of this answer is not in the file from which this session was created.)";

/// A conversion of the messages of a [`MessageSource`], which is read twice: for the session's record, which stands
/// before them, and for the messages themselves. Of a message nothing is held but its id.
#[derive(Debug)]
pub struct OpenCodeConversion {
    rules: IdRules,
    survey: Survey,
    places: OrderedPlaces,
    seen: SeenParts,
    lost: LostFields,
    directory: Option<String>,
    session: String,
    info: String,
    last_user: Option<String>,
    last_parent: String,
    tape: Tape,
    next: usize,
    prompt_left: bool,
}

/// Reads a message: calls `look` with its `info` and its `parts`.
fn read<T>(
    tape: &mut Tape,
    bytes: &[u8],
    index: usize,
    look: impl FnOnce(Node<'_>, Node<'_>) -> T,
) -> Result<T, Error> {
    let text = String::from_utf8_lossy(bytes);
    let path = Path::ROOT.index(index);
    tape.read(text.as_bytes(), 0).map_err(|error| Error::rule("json", &path, error.message))?;
    let root = tape.root_of(&text);
    let (info, parts) = (object(field(Some(root), "info")), field(Some(root), "parts"));
    match (info, parts.filter(|parts| parts.kind() == Kind::Array)) {
        (Some(info), Some(parts)) => Ok(look(info, parts)),
        _ => Err(Error::rule("schema", &path, "expected a message `{info, parts}`".to_owned())),
    }
}

impl OpenCodeConversion {
    /// Reads the messages once, and makes the session's record.
    ///
    /// # Errors
    /// If a message cannot be read.
    pub fn new(
        messages: &dyn MessageSource,
        source: &SessionSource<'_>,
        options: &OpenCodeOptions,
    ) -> Result<OpenCodeConversion, Error> {
        let salt = options.copy.as_deref().map(ids::hash);
        let rules = IdRules {
            salt,
            content: source.content,
            // An id that was made up says nothing.
            session: source.content.unwrap_or_else(|| ids::hash(&source.id)),
            is_foreign: source.is_foreign,
            latest: options.now_ms,
        };
        let mut tape = Tape::default();
        let own = source.info.unwrap_or_default();
        let (created, revert) = match tape.read(own, 0) {
            Ok(_) => about(object(Some(tape.root(own)))),
            Err(_) => (None, RevertTo::default()),
        };
        let begin = created.unwrap_or(0.0);
        let mut survey = Survey::new(rules, begin, revert);
        for index in 0..messages.count() {
            if let Some(bytes) = messages.json(index)? {
                read(&mut tape, &bytes, index, |info, parts| survey.add(info, parts))?;
            }
        }
        let mut lost = LostFields::default();
        let session = session_id(&source.id, created.or(survey.first).unwrap_or(0.0), &rules);
        let directory = options.directory.as_deref();
        let title = options.title.as_deref();
        let info =
            SessionInfo { source, survey: &survey, rules: &rules, id: &session, title, directory };
        let info = info.write(&mut lost);
        Ok(OpenCodeConversion {
            rules,
            places: OrderedPlaces::new(rules, begin),
            seen: SeenParts::new(),
            lost,
            directory: options.directory.clone(),
            session,
            info,
            last_user: None,
            last_parent: String::new(),
            tape,
            next: 0,
            prompt_left: survey.needs_prompt,
            survey,
        })
    }

    /// The session's record, as JSON.
    #[must_use]
    pub fn info(&self) -> &str {
        &self.info
    }

    /// What had no place so far.
    #[must_use]
    pub fn lost(&self) -> &LostFields {
        &self.lost
    }

    /// The next message, as JSON; `None` at the end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn next(&mut self, messages: &dyn MessageSource) -> Result<Option<String>, Error> {
        while self.next < messages.count() {
            let index = self.next;
            if let Some(bytes) = messages.json(index)? {
                if std::mem::take(&mut self.prompt_left) {
                    return self.prompt(&bytes, index).map(Some);
                }
                self.next += 1;
                return self.message(&bytes, index).map(Some);
            }
            self.next += 1;
        }
        Ok(None)
    }

    /// The message that the first one answers.
    fn prompt(&mut self, first: &[u8], index: usize) -> Result<String, Error> {
        let mut tape = std::mem::take(&mut self.tape);
        let result = read(&mut tape, first, index, |info, _| {
            let place = self.places.before(info);
            self.last_user = Some(place.id.clone());
            let part = ids::id("prt", place.stamp + 1, place.key);
            let of = |name| text(field(Some(info), name)).unwrap_or_default();
            let mut out = String::new();
            writer::object(&mut out, |message| {
                message.object("info", |out| {
                    out.string("role", "user").string("id", &place.id);
                    out.string("sessionID", &self.session).object("time", |time| {
                        time.key("created").push_str(&number_text(place.created));
                    });
                    let agent = of("agent");
                    out.string("agent", if agent.is_empty() { AGENT } else { &agent });
                    out.object("model", |model| {
                        model.string("providerID", &of("providerID"));
                        model.string("modelID", &of("modelID"));
                    });
                });
                message.list("parts", [PROMPT], |out, said| {
                    let ids = [part.as_str(), &self.session, &place.id];
                    writer::object(out, |out| synthetic_text(out, ids, said));
                });
            });
            out
        });
        self.tape = tape;
        result
    }

    fn message(&mut self, bytes: &[u8], index: usize) -> Result<String, Error> {
        let mut tape = std::mem::take(&mut self.tape);
        let result = read(&mut tape, bytes, index, |info, parts| self.write(info, parts));
        self.tape = tape;
        result
    }

    fn write(&mut self, info: Node<'_>, parts: Node<'_>) -> String {
        let place = self.places.next(info);
        let parent = self.parent(info);
        if is_user(info) {
            self.last_user = Some(place.id.clone());
        } else {
            self.last_parent.clone_from(&parent);
        }
        let parts: Vec<Node<'_>> = elements(Some(parts)).collect();
        let part_ids = part_ids(&parts, &place, &self.rules, &mut self.seen);
        let mut fitter = Fitter { created: place.created, lost: &mut self.lost };
        let message = MessageInfo {
            session: &self.session,
            place: &place,
            parent: &parent,
            directory: self.directory.as_deref(),
        };
        let writer = PartWriter {
            session: &self.session,
            place: &place,
            rules: &self.rules,
            links: &self.survey.links,
        };
        let mut out = String::from("{\"info\":");
        message.write(info, &mut fitter, &mut out);
        out.push_str(",\"parts\":[");
        let begin = out.len();
        for (part, id) in parts.into_iter().zip(&part_ids) {
            let mut json = String::new();
            if !writer.write(part, id, &mut fitter, &mut json) {
                continue;
            }
            if out.len() > begin {
                out.push(',');
            }
            out.push_str(&json);
        }
        out.push_str("]}");
        out
    }

    /// The message that one answers: the one that it names, if that is in the session, otherwise the user's last, or
    /// the one that the answer before it names.
    fn parent(&self, info: Node<'_>) -> String {
        let named = text(field(Some(info), "parentID"));
        let named = named.and_then(|old| self.survey.links.of(&old, &self.rules));
        named.or_else(|| self.last_user.clone()).unwrap_or_else(|| self.last_parent.clone())
    }
}

/// When a session was created, and where it was reverted to.
fn about(info: Option<Node<'_>>) -> (Option<f64>, RevertTo) {
    let revert = object(field(info, "revert"));
    let id = |name| text(field(revert, name)).map(Cow::into_owned).unwrap_or_default();
    let to = RevertTo { message: id("messageID"), part: id("partID"), part_now: None };
    (created_of(info), to)
}
