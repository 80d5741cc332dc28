//! The registry of files that are recognised but not read: what each is called, and what shows it. Such a
//! file opens without messages, and its one problem says what it looks like.

use crate::transcript::formats::registry::Format;
use crate::transcript::formats::seen_fields::SeenFields;

/// A kind of file that is recognised but not read.
#[derive(Debug)]
pub(crate) struct UnreadFormat {
    /// What a file of it is called, with the article.
    name: &'static str,
    /// The readable format whose records begin like its own. That format is not certain before all fields of
    /// a record are known, or the first [`UNCERTAIN`] bytes of it.
    like: Option<Format>,
    /// What shows it.
    sign: UnreadSign,
}

/// What shows a format.
#[derive(Debug)]
enum UnreadSign {
    /// The file begins with these bytes.
    Bytes(&'static [u8]),
    /// A record has begun with such fields.
    Fields(fn(&SeenFields) -> bool),
}

/// The most bytes of a record in which the sign of a format that is not read can stand, if the record begins
/// like those of a format that is read.
pub(crate) const UNCERTAIN: usize = 64 << 10;

/// Fields inside others that show a format: the outer name, the inner name, and the name under which
/// [`SeenFields`] has it.
const INSIDE: [(&str, &str, &str); 1] = [("message", "parts", MESSAGE_PARTS)];
const MESSAGE_PARTS: &str = "message/parts";

static UNREAD: [UnreadFormat; 5] = [
    UnreadFormat {
        name: "a Qwen Code session",
        like: Some(Format::ClaudeCode),
        // The envelope of Claude Code around messages of Gemini, or records of its own.
        sign: UnreadSign::Fields(|seen| {
            (seen.has_any(MESSAGE_PARTS) || seen.has_any("systemPayload"))
                && (seen.has_any("parentUuid")
                    || (seen.has_string("uuid") && seen.has_string("sessionId")))
        }),
    },
    UnreadFormat {
        name: "an OpenHands event log",
        like: None,
        sign: UnreadSign::Fields(|seen| {
            matches!(seen.text("source"), Some("agent" | "user" | "environment"))
                && (seen.has_any("action") || seen.has_any("observation"))
        }),
    },
    UnreadFormat {
        name: "an OpenTelemetry trace",
        like: None,
        sign: UnreadSign::Fields(|seen| seen.has_array("resourceSpans")),
    },
    UnreadFormat {
        name: "a VS Code chat",
        like: None,
        sign: UnreadSign::Fields(|seen| {
            seen.has_array("requests") && seen.has_any("responderUsername")
        }),
    },
    UnreadFormat {
        name: "an SQLite database (Cursor keeps its chats in one)",
        like: None,
        sign: UnreadSign::Bytes(b"SQLite format 3\0"),
    },
];

impl UnreadFormat {
    /// The format of a file that begins with these bytes.
    pub(crate) fn of_bytes(head: &[u8]) -> Option<&'static UnreadFormat> {
        UNREAD.iter().find(|format| match format.sign {
            UnreadSign::Bytes(bytes) => head.starts_with(bytes),
            UnreadSign::Fields(_) => false,
        })
    }

    /// The format of a record that has begun with these fields.
    pub(crate) fn of_fields(seen: &SeenFields) -> Option<&'static UnreadFormat> {
        UNREAD.iter().find(|format| match format.sign {
            UnreadSign::Bytes(_) => false,
            UnreadSign::Fields(shows) => shows(seen),
        })
    }

    /// Do records of a format that is not read begin like those of this one?
    pub(crate) fn resembles(format: Format) -> bool {
        UNREAD.iter().any(|unread| unread.like == Some(format))
    }

    /// Can fields inside the field with this name show a format?
    pub(crate) fn looks_inside(name: &str) -> bool {
        INSIDE.iter().any(|(outer, ..)| *outer == name)
    }

    /// The name under which [`SeenFields`] has a field inside another.
    pub(crate) fn inside(name: &str, inner: &str) -> Option<&'static str> {
        let (.., mark) = INSIDE.iter().find(|place| (place.0, place.1) == (name, inner))?;
        Some(mark)
    }

    /// The sentence that tells it to the user.
    pub(crate) fn message(&self) -> String {
        let read = Format::NAMES.join(", ");
        format!("This looks like {}, which is not read yet; read are: {read}", self.name)
    }
}

impl PartialEq for UnreadFormat {
    fn eq(&self, other: &UnreadFormat) -> bool {
        self.name == other.name
    }
}

impl Eq for UnreadFormat {}
