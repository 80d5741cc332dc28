//! The registry of files that are recognised but not read: what each is called, and what shows it. Such a
//! file opens without messages, and its one problem says what it looks like.

use crate::formats::registry::Format;
use apex_parts_agents::SeenFields;

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
    /// The file begins with these bytes, apart from white space.
    Bytes(&'static [u8]),
    /// It is an SQLite database, with tables of these names.
    Tables(&'static [&'static str]),
    /// A record has begun with such fields.
    Fields(fn(&SeenFields) -> bool),
}

/// The most bytes of a record in which the sign of a format that is not read can stand, if the record begins
/// like those of a format that is read.
pub(crate) const UNCERTAIN: usize = 64 << 10;

/// How an SQLite database begins.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Fields inside others that show a format: the outer name, the inner name, and the name under which
/// [`SeenFields`] has it.
const INSIDE: [(&str, &str, &str); 1] = [("message", "parts", MESSAGE_PARTS)];
const MESSAGE_PARTS: &str = "message/parts";

const fn fields(name: &'static str, shows: fn(&SeenFields) -> bool) -> UnreadFormat {
    UnreadFormat { name, like: None, sign: UnreadSign::Fields(shows) }
}

static UNREAD: [UnreadFormat; 18] = [
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
    fields("an OpenHands event log", |seen| {
        matches!(seen.text("source"), Some("agent" | "user" | "environment"))
            && (seen.has_any("action") || seen.has_any("observation"))
    }),
    fields("an OpenTelemetry trace", |seen| seen.has_array("resourceSpans")),
    fields("a VS Code chat", |seen| {
        seen.has_array("requests") && seen.has_any("responderUsername")
    }),
    fields("Cline or Roo Code UI messages", |seen| {
        seen.has_number("ts")
            && matches!(seen.kind(), Some("say" | "ask"))
            && (seen.has_string("say") || seen.has_string("ask"))
    }),
    fields("a Goose session", |seen| {
        seen.has_string("working_dir")
            && (seen.has_number("message_count") || seen.has_array("conversation"))
    }),
    fields("ATIF", |seen| {
        seen.has_string("schema_version") && seen.has_object("agent") && seen.has_array("steps")
    }),
    fields("a Langfuse trace", |seen| {
        let own = ["projectId", "scores", "traceId", "htmlPath"];
        seen.has_array("observations") && own.iter().any(|name| seen.has_any(name))
    }),
    fields("a LangSmith run", |seen| {
        seen.has_string("run_type") && (seen.has_any("trace_id") || seen.has_any("dotted_order"))
    }),
    fields("Claude Code stream-json", |seen| {
        let is_line = match seen.kind() {
            Some("system" | "result") => seen.has_string("subtype"),
            Some("user" | "assistant") => seen.has_object("message"),
            Some("stream_event") => seen.has_object("event"),
            _ => false,
        };
        is_line && seen.has_string("session_id")
    }),
    fields("Codex exec --json", |seen| match seen.kind() {
        Some("thread.started") => seen.has_string("thread_id"),
        Some("item.started" | "item.updated" | "item.completed") => seen.has_object("item"),
        _ => false,
    }),
    fields("Gemini stream-json", |seen| {
        seen.kind() == Some("init") && seen.has_string("session_id") && seen.has_string("model")
    }),
    UnreadFormat {
        name: "an Aider chat history",
        like: None,
        sign: UnreadSign::Bytes(b"# aider chat started"),
    },
    UnreadFormat {
        name: "OpenCode's database (`opencode export SESSION` gives a file that is read)",
        like: None,
        sign: UnreadSign::Tables(&["session", "message", "part"]),
    },
    UnreadFormat {
        name: "Cursor's chats",
        like: None,
        sign: UnreadSign::Tables(&["cursorDiskKV"]),
    },
    UnreadFormat { name: "Cursor's chats", like: None, sign: UnreadSign::Tables(&["ItemTable"]) },
    UnreadFormat {
        name: "Cursor's chats",
        like: None,
        sign: UnreadSign::Tables(&["blobs", "meta"]),
    },
    UnreadFormat { name: "an SQLite database", like: None, sign: UnreadSign::Tables(&[]) },
];

/// Does the schema of a database, which is text in its first pages, make a table of this name?
fn has_table(head: &[u8], name: &str) -> bool {
    const CREATE: &[u8] = b"CREATE TABLE ";
    let mut rest = head;
    while let Some(at) = memchr::memmem::find(rest, CREATE) {
        rest = rest.get(at + CREATE.len()..).unwrap_or_default();
        let quoted = rest.strip_prefix(b"IF NOT EXISTS ").unwrap_or(rest);
        let told = match quoted.first() {
            Some(b'`' | b'"' | b'\'' | b'[') => quoted.get(1..).unwrap_or_default(),
            _ => quoted,
        };
        let after = told.strip_prefix(name.as_bytes()).and_then(|after| after.first());
        if after.is_some_and(|after| !after.is_ascii_alphanumeric() && *after != b'_') {
            return true;
        }
    }
    false
}

/// The first bytes of a database in which the names of its tables are looked for.
const SCHEMA: usize = 64 << 10;

impl UnreadFormat {
    /// Is it a database of whose tables more can be read?
    pub(crate) fn needs_more(head: &[u8]) -> bool {
        head.starts_with(SQLITE) && head.len() < SCHEMA
    }

    /// The format of a file that begins with these bytes.
    pub(crate) fn of_bytes(head: &[u8]) -> Option<&'static UnreadFormat> {
        let is_database = head.starts_with(SQLITE);
        UNREAD.iter().find(|format| match format.sign {
            UnreadSign::Bytes(bytes) => head.trim_ascii_start().starts_with(bytes),
            UnreadSign::Tables(names) => {
                let schema = head.get(..SCHEMA).unwrap_or(head);
                is_database && names.iter().all(|name| has_table(schema, name))
            }
            UnreadSign::Fields(_) => false,
        })
    }

    /// The format of a record that has begun with these fields.
    pub(crate) fn of_fields(seen: &SeenFields) -> Option<&'static UnreadFormat> {
        UNREAD.iter().find(|format| match format.sign {
            UnreadSign::Bytes(_) | UnreadSign::Tables(_) => false,
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
        let are = if self.name.contains("messages") || self.name.ends_with("chats") {
            "are"
        } else {
            "is"
        };
        format!("This looks like {}, which {are} not read yet; read are: {read}", self.name)
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }
}

impl PartialEq for UnreadFormat {
    fn eq(&self, other: &UnreadFormat) -> bool {
        self.name == other.name
    }
}

impl Eq for UnreadFormat {}
