//! Files that are recognised but not read by their first bytes, and the sentence for all that are not read. Such a file
//! opens without messages, and its one problem says what it looks like. Forms of records are in the registry of
//! [`apex_parts_wire::UnreadFormat`].

use crate::formats::registry::Format;

/// The most bytes of a record, and of those after it, in which the sign of a form that is not read can stand, if they
/// begin like those of a format that is read.
pub(crate) const UNCERTAIN: usize = 64 << 10;

/// How an SQLite database begins.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// What shows a file.
enum ByteSign {
    /// A line of it begins with these bytes.
    Line(&'static [u8]),
    /// It is an SQLite database, with tables of these names.
    Tables(&'static [&'static str]),
}

static FILES: [(&str, ByteSign); 6] = [
    ("an Aider chat history", ByteSign::Line(b"# aider chat started")),
    (
        "OpenCode's database (`opencode export SESSION` gives a file that is read)",
        ByteSign::Tables(&["session", "message", "part"]),
    ),
    ("Cursor's chats", ByteSign::Tables(&["cursorDiskKV"])),
    ("Cursor's chats", ByteSign::Tables(&["ItemTable"])),
    ("Cursor's chats", ByteSign::Tables(&["blobs", "meta"])),
    ("an SQLite database", ByteSign::Tables(&[])),
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

/// Is it a database of whose tables more can be read?
pub(crate) fn needs_more(head: &[u8]) -> bool {
    head.starts_with(SQLITE) && head.len() < SCHEMA
}

/// How the lines of a chat history begin that is Markdown: a title, a request, what the program says.
const MARKDOWN: [u8; 2] = *b"#>";

/// Is it a file of text, in which JSON may stand, of whose lines more can be read?
pub(crate) fn needs_more_lines(head: &[u8]) -> bool {
    let first = head.trim_ascii_start().first();
    first.is_some_and(|first| MARKDOWN.contains(first)) && head.len() < UNCERTAIN
}

/// Does it begin as no JSON does? The strings of one may have any line.
fn is_text(head: &[u8]) -> bool {
    !matches!(head.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Does a line begin with these bytes?
fn has_line(head: &[u8], sign: &[u8]) -> bool {
    memchr::memmem::find_iter(head, sign).any(|at| {
        head.get(..at)
            .is_some_and(|before| before.trim_ascii_start().is_empty() || before.ends_with(b"\n"))
    })
}

/// The form of a file that begins with these bytes.
pub(crate) fn of_bytes(head: &[u8]) -> Option<&'static str> {
    let is_database = head.starts_with(SQLITE);
    let shows = |sign: &ByteSign| match sign {
        ByteSign::Line(bytes) => is_text(head) && has_line(head, bytes),
        ByteSign::Tables(names) => {
            let schema = head.get(..SCHEMA).unwrap_or(head);
            is_database && names.iter().all(|name| has_table(schema, name))
        }
    };
    FILES.iter().find(|(_, sign)| shows(sign)).map(|(name, _)| *name)
}

/// The sentence that tells the user the form of a file that is not read.
pub(crate) fn message(name: &str) -> String {
    let read = Format::NAMES.join(", ");
    let endings = ["chats", "results", "steps"];
    let is_many = name.contains("messages") || endings.iter().any(|ending| name.ends_with(ending));
    let are = if is_many { "are" } else { "is" };
    format!("This looks like {name}, which {are} not read yet; read are: {read}")
}
