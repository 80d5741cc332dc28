//! [`LoggedPart`]: a part of an agent's message, but for tool calls.

use crate::formats::builder::{self, raw_string};
use apex_parts_json::writer::{ObjectWriter, object, string};

/// The type of parts that note what the program said, or what went wrong.
pub(crate) const NOTICE: &str = "notice";

/// Fields of an object, in order: each with its JSON.
pub(crate) type AgentFields = Vec<(Box<str>, String)>;

/// A part. Texts are raw: as they stand in a JSON string, still escaped.
#[derive(Debug)]
pub(crate) enum LoggedPart {
    /// Text of the model or of the user.
    Text { raw: String, at: f64, synthetic: bool, ignored: bool },
    /// Reasoning.
    Reasoning { raw: String, at: f64, metadata: AgentFields },
    /// A file or an image.
    File(AgentFile),
    /// Where earlier messages were summarized.
    Compaction { auto: bool, tokens_before: Option<f64> },
    /// What the model has no part type for: a type of the format's own, and its fields.
    Custom { kind: String, fields: AgentFields },
}

/// A file or an image: its URL and name raw.
#[derive(Debug)]
pub(crate) struct AgentFile {
    pub(crate) mime: String,
    pub(crate) url: String,
    pub(crate) name: Option<String>,
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
        builder::base(part, self.id, self.session, self.message, kind);
    }
}

/// Writes the fields of an object.
pub(crate) fn write_fields(fields: &AgentFields, out: &mut ObjectWriter<'_>) {
    for (name, json) in fields {
        out.foreign_key(name).push_str(json);
    }
}

/// A field whose value is a string.
pub(crate) fn text_field(name: &str, text: &str) -> (Box<str>, String) {
    let mut json = String::new();
    string(&mut json, text);
    (name.into(), json)
}

impl AgentFile {
    /// The file with this URL (raw). Its type is that of a `data:` URL, or the one told, or `otherwise`.
    pub(crate) fn from_url(url: &str, mime: Option<&str>, otherwise: &str) -> AgentFile {
        let data = url.strip_prefix("data:").and_then(|data| data.split([';', ',']).next());
        let mime = data.filter(|mime| mime.contains('/')).or(mime).unwrap_or(otherwise);
        AgentFile { mime: mime.to_owned(), url: url.to_owned(), name: None }
    }

    /// The file with these bytes, as base64 (raw).
    pub(crate) fn from_base64(data: &str, mime: &str) -> AgentFile {
        let mut url = String::with_capacity(data.len() + mime.len() + 16);
        url.push_str("data:");
        apex_parts_json::writer::escape(&mut url, mime);
        url.push_str(";base64,");
        url.push_str(data);
        AgentFile { mime: mime.to_owned(), url, name: None }
    }

    pub(crate) fn write(&self, place: PartPlace<'_>, out: &mut String) {
        object(out, |part| {
            place.base(part, "file");
            part.string("mime", &self.mime);
            if let Some(name) = &self.name {
                raw_string(part.key("filename"), name);
            }
            raw_string(part.key("url"), &self.url);
        });
    }

    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        self.url.len() + 200
    }
}

impl LoggedPart {
    /// Text of the model or of the user, raw.
    pub(crate) fn text(raw: impl Into<String>, at: f64) -> LoggedPart {
        LoggedPart::Text { raw: raw.into(), at, synthetic: false, ignored: false }
    }

    /// Text that the program, not the person, put into a user message; raw.
    pub(crate) fn synthetic(raw: impl Into<String>, at: f64) -> LoggedPart {
        LoggedPart::Text { raw: raw.into(), at, synthetic: true, ignored: false }
    }

    pub(crate) fn write(&self, place: PartPlace<'_>, out: &mut String) {
        if let LoggedPart::File(file) = self {
            return file.write(place, out);
        }
        object(out, |part| match self {
            LoggedPart::Text { raw, at, synthetic, ignored } => {
                place.base(part, "text");
                raw_string(part.key("text"), raw);
                if *synthetic {
                    part.bool("synthetic", true);
                }
                if *ignored {
                    part.bool("ignored", true);
                }
                builder::time(part, *at, Some(*at));
            }
            LoggedPart::Reasoning { raw, at, metadata } => {
                place.base(part, "reasoning");
                raw_string(part.key("text"), raw);
                if !metadata.is_empty() {
                    part.object("metadata", |out| write_fields(metadata, out));
                }
                builder::time(part, *at, Some(*at));
            }
            LoggedPart::Compaction { auto, tokens_before } => {
                place.base(part, "compaction");
                part.bool("auto", *auto);
                if let Some(tokens) = tokens_before {
                    part.number("tokensBefore", *tokens);
                }
            }
            LoggedPart::Custom { kind, fields } => {
                place.base(part, kind);
                write_fields(fields, part);
            }
            LoggedPart::File(_) => {}
        });
    }

    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        let fields = |fields: &AgentFields| fields.iter().map(|(_, json)| json.len() + 20).sum();
        let own = match self {
            LoggedPart::Text { raw, .. } => raw.len(),
            LoggedPart::Reasoning { raw, metadata, .. } => raw.len() + fields(metadata),
            LoggedPart::File(file) => file.length(),
            LoggedPart::Compaction { .. } => 0,
            LoggedPart::Custom { fields: of, .. } => fields(of),
        };
        200 + own
    }
}
