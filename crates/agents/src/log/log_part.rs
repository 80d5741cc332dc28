//! [`LogPart`]: a part of a message in a log, but for tool calls.

use super::shared_text::SharedText;
use crate::fields::{get, string as text_of};
use apex_parts_json::tape::{Tape, unescape};
use apex_parts_json::writer::{ObjectWriter, escape, object, string};
use std::borrow::Cow;
use std::rc::Rc;

/// The type of parts that note what the program said, or what went wrong.
pub const NOTICE: &str = "notice";

/// Fields of an object, in order: each with its JSON.
pub type LogFields = Vec<(Cow<'static, str>, SharedText)>;

/// A part without its place. Its fields are shared with the line that it was read from, where that is kept.
#[derive(Clone, Debug)]
pub struct LogPart {
    /// Its id; empty if it gets that of its message with a number.
    pub id: String,
    /// Its type.
    pub kind: Cow<'static, str>,
    /// Its own fields.
    pub fields: PartFields,
    /// Did the program say it, not a person or the model?
    pub synthetic: bool,
    /// Is it left out of what the model reads?
    pub ignored: bool,
    /// When it was said, of a text or a reasoning.
    pub at: Option<f64>,
}

/// The fields of a part that only its type has.
#[derive(Clone, Debug)]
pub enum PartFields {
    /// `text`; raw.
    Text(SharedText),
    /// A JSON object with them.
    Object(Rc<String>),
}

/// Where a part stands: the ids of its session and message, and its own.
#[derive(Clone, Copy)]
pub(crate) struct PartPlace<'a> {
    pub(crate) session: &'a str,
    pub(crate) message: &'a str,
    pub(crate) id: &'a str,
}

impl PartPlace<'_> {
    /// Writes the first fields of a part.
    pub(crate) fn base(&self, part: &mut ObjectWriter<'_>, kind: &str) {
        part.string("id", self.id).string("sessionID", self.session);
        part.string("messageID", self.message).string("type", kind);
    }
}

/// Writes `time`.
pub(crate) fn write_time(out: &mut ObjectWriter<'_>, start: f64, end: Option<f64>) {
    out.object("time", |time| {
        time.number("start", start);
        if let Some(end) = end {
            // Clocks may differ; nothing ends before it starts (BR-08).
            time.number("end", end.max(start));
        }
    });
}

/// Writes the fields of an object.
pub(crate) fn write_fields(fields: &LogFields, out: &mut ObjectWriter<'_>) {
    for (name, json) in fields {
        out.foreign_key(name).push_str(json);
    }
}

/// A field whose value is a string.
pub(crate) fn text_field(name: &'static str, text: &str) -> (Cow<'static, str>, SharedText) {
    let mut json = String::new();
    string(&mut json, text);
    (name.into(), json.into())
}

/// Writes a JSON string, given its escaped content.
pub(crate) fn raw_string(out: &mut String, raw: &str) {
    out.push('"');
    out.push_str(raw);
    out.push('"');
}

// Texts, URLs and names are raw: as they stand in a JSON string, still escaped.
impl LogPart {
    /// A part of a type, whose fields `fill` writes: these are about `length` bytes.
    pub fn new(
        kind: impl Into<Cow<'static, str>>,
        length: usize,
        fill: impl FnOnce(&mut ObjectWriter<'_>),
    ) -> LogPart {
        let mut fields = String::with_capacity(length + r#"{"text":""}"#.len());
        object(&mut fields, fill);
        LogPart::of_fields(kind.into(), fields)
    }

    /// The same, given its fields: compiled once, not for each `fill`.
    #[inline(never)]
    fn of_fields(kind: Cow<'static, str>, fields: String) -> LogPart {
        LogPart::with_fields(kind, PartFields::Object(Rc::new(fields)))
    }

    fn with_fields(kind: Cow<'static, str>, fields: PartFields) -> LogPart {
        LogPart { id: String::new(), kind, fields, synthetic: false, ignored: false, at: None }
    }

    /// Text of the model or of the user.
    pub fn text(raw: &str, at: f64) -> LogPart {
        let part = LogPart::with_fields("text".into(), PartFields::Text(raw.into()));
        LogPart { at: Some(at), ..part }
    }

    /// Text that the program, not the person, put into a user message.
    pub fn synthetic(raw: &str, at: f64) -> LogPart {
        LogPart { synthetic: true, ..LogPart::text(raw, at) }
    }

    /// Text of the model with metadata.
    pub fn text_with(raw: &str, at: f64, metadata: &LogFields) -> LogPart {
        LogPart { kind: "text".into(), ..LogPart::reasoning(raw, at, metadata) }
    }

    /// A part of which there is its metadata alone.
    pub fn of_metadata(kind: String, metadata: &LogFields) -> LogPart {
        LogPart::new(kind, 0, |part| {
            part.object("metadata", |out| write_fields(metadata, out));
        })
    }

    /// Reasoning.
    pub fn reasoning(raw: &str, at: f64, metadata: &LogFields) -> LogPart {
        if metadata.is_empty() {
            return LogPart { kind: "reasoning".into(), ..LogPart::text(raw, at) };
        }
        let part = LogPart::new("reasoning", raw.len(), |part| {
            raw_string(part.key("text"), raw);
            part.object("metadata", |out| write_fields(metadata, out));
        });
        LogPart { at: Some(at), ..part }
    }

    /// Where earlier messages were summarized.
    pub fn compaction(auto: bool, tokens_before: Option<f64>) -> LogPart {
        LogPart::new("compaction", 0, |part| {
            part.bool("auto", auto);
            if let Some(tokens) = tokens_before {
                part.number("tokensBefore", tokens);
            }
        })
    }

    /// What the program said: `level` is `info`, `warning` or `error`.
    pub fn notice(level: &str, raw: &str) -> LogPart {
        LogPart::new(NOTICE, raw.len(), |part| {
            raw_string(part.string("level", level).key("text"), raw);
        })
    }

    /// What the model has no part type for, in a field of a type of the format's own; JSON.
    pub fn custom(kind: String, field: &'static str, json: &str) -> LogPart {
        LogPart::new(kind, json.len(), |part| part.key(field).push_str(json))
    }

    /// A file or an image, whose URL is these pieces together.
    pub fn file(mime: &str, name: Option<&str>, url: &[&str]) -> LogPart {
        LogPart::new("file", url.iter().map(|piece| piece.len()).sum(), |part| {
            part.string("mime", mime);
            if let Some(name) = name {
                raw_string(part.key("filename"), name);
            }
            let out = part.key("url");
            out.push('"');
            url.iter().for_each(|piece| out.push_str(piece));
            out.push('"');
        })
    }

    /// The file with this URL. Its type is that of a `data:` URL, or the one told, or `otherwise`.
    pub fn file_at(url: &str, mime: Option<&str>, otherwise: &str, name: Option<&str>) -> LogPart {
        let data = url.strip_prefix("data:").and_then(|data| data.split([';', ',']).next());
        let mime = data.filter(|mime| mime.contains('/')).or(mime).unwrap_or(otherwise);
        LogPart::file(mime, name, &[url])
    }

    /// The file with these bytes, as base64.
    pub fn file_of(data: &str, mime: &str, name: Option<&str>) -> LogPart {
        let mut raw_mime = String::new();
        escape(&mut raw_mime, mime);
        LogPart::file(mime, name, &["data:", &raw_mime, ";base64,", data])
    }

    /// The text of a part that has one.
    pub(crate) fn text_said(&self) -> Option<String> {
        let text = match &self.fields {
            PartFields::Text(text) => unescape(text.as_bytes()).into_owned(),
            PartFields::Object(fields) => {
                let mut tape = Tape::default();
                tape.read_foreign(fields).ok()?;
                text_of(get(Some(tape.root_of(fields)), "text"))?.into_owned()
            }
        };
        Some(text).filter(|text| !text.is_empty())
    }

    /// Do these words (raw) stand in its fields?
    pub(crate) fn says(&self, raw: &str) -> bool {
        match &self.fields {
            PartFields::Text(text) => text.contains(raw),
            PartFields::Object(fields) => fields.contains(raw),
        }
    }

    /// Is it a text that begins with these words (raw)?
    pub(crate) fn begins_with(&self, raw: &str) -> bool {
        let text = match &self.fields {
            PartFields::Text(text) => Some(&**text),
            PartFields::Object(fields) => fields.strip_prefix(r#"{"text":""#),
        };
        self.kind == "text" && text.is_some_and(|text| text.starts_with(raw))
    }

    /// Writes the part.
    pub(crate) fn write(&self, place: PartPlace<'_>, out: &mut String) {
        object(out, |part| {
            place.base(part, &self.kind);
            self.write_own(part);
        });
    }

    /// Writes what it has beside its place and its type.
    pub(crate) fn write_own(&self, part: &mut ObjectWriter<'_>) {
        match &self.fields {
            PartFields::Text(text) => raw_string(part.key("text"), text),
            PartFields::Object(fields) => {
                let fields = fields.get(1..fields.len().saturating_sub(1));
                part.raw(fields.unwrap_or_default());
            }
        }
        if self.synthetic {
            part.bool("synthetic", true);
        }
        if self.ignored {
            part.bool("ignored", true);
        }
        if let Some(at) = self.at {
            write_time(part, at, Some(at));
        }
    }

    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        250 + match &self.fields {
            PartFields::Text(text) => text.len(),
            PartFields::Object(fields) => fields.len(),
        }
    }
}
