//! A part that grows: its JSON as it came last, and what deltas have added to its strings since.
//!
//! Texts are kept as they stand between the quotes of JSON strings, escapes and all: one behind the
//! other they are a string again (halves of surrogate pairs join by themselves), so that a delta
//! costs no more than its own bytes.

use crate::json::scan;
use crate::json::scan::TokenKind;
use crate::json::tape::MAX_DEPTH;
use crate::json::writer::string;
use crate::model::problem_list::ProblemList;

/// Deltas may go to so many different fields of a part between two whole ones.
const MOST_FIELDS: usize = 16;
/// A name leads so deep into a part at most.
const MOST_STEPS: usize = 4;

/// A part's JSON.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrowingPart {
    /// The last whole one; empty where none has come.
    base: String,
    added: Vec<Added>,
}

/// What was added to a field.
#[derive(Clone, Debug)]
struct Added {
    field: Box<str>,
    /// As it stands between quotes.
    raw: String,
    /// The first delta.
    offset: u64,
}

/// Something to be written into the base.
struct Edit {
    /// It goes in here,
    at: usize,
    /// and what is there up to here goes out.
    to: usize,
    text: String,
}

/// Where the text of a field goes.
enum InsertionPoint {
    /// Before the closing quote.
    Behind(usize),
    /// In place of a `null`.
    Instead(usize, usize),
    /// Before the closing brace of an object that lacks the field; true where it has no other.
    New(usize, String, bool),
    /// The field is no text.
    Taken,
}

impl GrowingPart {
    /// The whole part, as it is now.
    pub(crate) fn set(&mut self, json: &str) {
        if self.base.capacity() < json.len() {
            self.base = String::new(); // what it says need not be moved
        }
        self.base.clear();
        self.base.push_str(json);
        self.added.clear();
    }

    /// About how long it is.
    pub(crate) fn length(&self) -> usize {
        self.base.len() + self.added.iter().map(|added| added.raw.len()).sum::<usize>()
    }

    /// Has it ever been whole?
    pub(crate) fn is_whole(&self) -> bool {
        !self.base.is_empty()
    }

    /// It is no more.
    pub(crate) fn clear(&mut self) {
        *self = GrowingPart::default();
    }

    /// More of a field that has been added to; false where it has not.
    #[must_use]
    pub(crate) fn more(&mut self, field: &str, raw: &str) -> bool {
        let added = self.added.iter_mut().find(|a| &*a.field == field);
        added.map(|added| added.raw.push_str(raw)).is_some()
    }

    /// More of a field. False where there are too many fields.
    #[must_use]
    pub(crate) fn add(&mut self, field: &str, raw: &str, offset: u64) -> bool {
        if self.more(field, raw) {
            return true;
        }
        if self.added.len() >= MOST_FIELDS {
            return false;
        }
        self.added.push(Added { field: field.into(), raw: raw.to_owned(), offset });
        true
    }

    /// This is its base, as none has come.
    pub(crate) fn begin(&mut self, base: String) {
        self.base = base;
    }

    /// Writes the part with all that was added.
    pub(crate) fn write(self, out: &mut String, problems: &mut ProblemList) {
        let GrowingPart { base, added } = self;
        if added.is_empty() {
            return out.push_str(&base);
        }
        write(&base, added, out, problems);
    }
}

fn write(base: &str, added: Vec<Added>, out: &mut String, problems: &mut ProblemList) {
    let mut edits = Vec::with_capacity(added.len());
    // The brace of an empty object that has got its first field.
    let mut begun = Vec::new();
    for added in added {
        match place(base, 0, &added.field) {
            InsertionPoint::Behind(at) => edits.push(Edit { at, to: at, text: added.raw }),
            InsertionPoint::Instead(at, to) => {
                edits.push(Edit { at, to, text: format!("\"{}\"", added.raw) });
            }
            InsertionPoint::New(at, name, empty) => {
                let mut text = String::with_capacity(added.raw.len() + name.len() + 8);
                if !empty || begun.contains(&at) {
                    text.push(',');
                }
                begun.push(at);
                string(&mut text, &name);
                text.push_str(":\"");
                text.push_str(&added.raw);
                text.push('"');
                edits.push(Edit { at, to: at, text });
            }
            InsertionPoint::Taken => {
                let message =
                    format!("deltas for `{}`, which is no text; left out", shown(&added.field));
                problems.error("events", message, added.offset);
            }
        }
    }
    edits.sort_by_key(|edit| edit.at);
    let mut from = 0;
    for edit in edits {
        out.push_str(base.get(from..edit.at).unwrap_or_default());
        out.push_str(&edit.text);
        from = edit.to;
    }
    out.push_str(base.get(from..).unwrap_or_default());
}

/// The place of a field in the object whose brace is at `at`. OpenCode names fields of the part
/// itself; a name such as `state.raw` leads into the object `state`, where there is one and the
/// part has no field of the whole name.
fn place(base: &str, at: usize, field: &str) -> InsertionPoint {
    let (mut at, mut field) = (at, field);
    let mut steps = 0;
    loop {
        let Ok(([found], end)) = scan::fields(base, at, [field], MAX_DEPTH) else {
            return InsertionPoint::Taken;
        };
        if let Some(span) = found {
            return match span.kind {
                TokenKind::String(_) => InsertionPoint::Behind(span.end.saturating_sub(1)),
                TokenKind::Null => InsertionPoint::Instead(span.start, span.end),
                _ => InsertionPoint::Taken,
            };
        }
        if steps < MOST_STEPS
            && let Some((first, rest)) = field.split_once('.')
            && let Ok(([Some(span)], _)) = scan::fields(base, at, [first], MAX_DEPTH)
            && span.kind == TokenKind::Object
        {
            (at, field) = (span.start, rest);
            steps += 1;
            continue;
        }
        let empty = base.as_bytes().get(scan::skip_space(base.as_bytes(), at + 1)) == Some(&b'}');
        return InsertionPoint::New(end.saturating_sub(1), field.to_owned(), empty);
    }
}

/// A name that somebody else wrote, for a message of ours.
pub(crate) fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}
