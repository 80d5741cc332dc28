//! A part that grows: its last JSON, and what deltas have added to its strings since.
//!
//! Texts are kept as the escaped content of JSON strings. Such contents can be joined (halves of surrogate
//! pairs become pairs by themselves), so that a delta costs no more than its own bytes.

use apex_parts_json::scan;
use apex_parts_json::scan::TokenKind;
use apex_parts_json::tape::MAX_DEPTH;
use apex_parts_json::writer::string;
use apex_parts_model::order;
use apex_parts_model::problem_list::ProblemList;

/// The most fields of a part that deltas may change after its last JSON.
const MOST_FIELDS: usize = 16;
/// The most steps of a field's path into a part.
const MOST_STEPS: usize = 4;

/// A part: its JSON and the texts that were added to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrowingPart {
    /// The last JSON of the part; empty if there has been none.
    base: String,
    added: Vec<Added>,
}

/// The text that was added to a field.
#[derive(Clone, Debug)]
struct Added {
    field: Box<str>,
    /// Escaped.
    raw: String,
    /// The offset of the first delta.
    offset: u64,
}

/// A change to the base.
struct Edit {
    /// The start and the end of what the text replaces.
    at: usize,
    to: usize,
    text: String,
}

/// Where the added text of a field is inserted.
enum InsertionPoint {
    /// At this position: the closing quote of its string.
    AtQuote(usize),
    /// In place of a `null` in this range.
    Replace(usize, usize),
    /// As a new field with this name, at the closing brace of its object; true if the object is empty.
    NewField(usize, String, bool),
    /// Nowhere: the field is not a string.
    NotText,
}

impl GrowingPart {
    /// Replaces the part by its JSON.
    pub(crate) fn set(&mut self, json: &str) {
        if self.base.capacity() < json.len() {
            self.base = String::new(); // so that the old content is not copied
        }
        self.base.clear();
        self.base.push_str(json);
        self.added.clear();
    }

    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        self.base.len() + self.added.iter().map(|added| added.raw.len()).sum::<usize>()
    }

    /// Has its JSON ever been set?
    pub(crate) fn is_whole(&self) -> bool {
        !self.base.is_empty()
    }

    /// Removes its JSON and all added texts.
    pub(crate) fn clear(&mut self) {
        *self = GrowingPart::default();
    }

    /// Adds to a field that has been added to before; false if it has not.
    #[must_use]
    pub(crate) fn more(&mut self, field: &str, raw: &str) -> bool {
        let added = self.added.iter_mut().find(|a| &*a.field == field);
        added.map(|added| added.raw.push_str(raw)).is_some()
    }

    /// Adds to a field; false if there are too many fields.
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

    /// Sets the base under the added texts, if its JSON was never set.
    pub(crate) fn begin(&mut self, base: String) {
        self.base = base;
    }

    /// Writes the part with all added texts.
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
    // The closing braces of empty objects that have got a first field.
    let mut begun = Vec::new();
    for added in added {
        match place(base, 0, &added.field) {
            InsertionPoint::AtQuote(at) => edits.push(Edit { at, to: at, text: added.raw }),
            InsertionPoint::Replace(at, to) => {
                edits.push(Edit { at, to, text: format!("\"{}\"", added.raw) });
            }
            InsertionPoint::NewField(at, name, empty) => {
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
            InsertionPoint::NotText => {
                let message = format!(
                    "deltas for `{}`, which is no text; left out",
                    short_name(&added.field)
                );
                problems.error("events", message, added.offset);
            }
        }
    }
    order::sort_by(&mut edits, |a, b| a.at.cmp(&b.at));
    let mut from = 0;
    for edit in edits {
        out.push_str(base.get(from..edit.at).unwrap_or_default());
        out.push_str(&edit.text);
        from = edit.to;
    }
    out.push_str(base.get(from..).unwrap_or_default());
}

/// Where to insert into a field of the object whose opening brace is at `at`. OpenCode names fields of the
/// part itself; a name such as `state.raw` is a path into the object `state`, if there is one and the part
/// has no field with the whole name.
fn place(base: &str, at: usize, field: &str) -> InsertionPoint {
    let (mut at, mut field) = (at, field);
    let mut steps = 0;
    loop {
        let Ok(([found], end)) = scan::fields(base, at, [field], MAX_DEPTH) else {
            return InsertionPoint::NotText;
        };
        if let Some(span) = found {
            return match span.kind {
                TokenKind::String(_) => InsertionPoint::AtQuote(span.end.saturating_sub(1)),
                TokenKind::Null => InsertionPoint::Replace(span.start, span.end),
                _ => InsertionPoint::NotText,
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
        return InsertionPoint::NewField(end.saturating_sub(1), field.to_owned(), empty);
    }
}

/// A name from the file, shortened for the message of a problem.
pub(crate) fn short_name(name: &str) -> String {
    name.chars().take(40).collect()
}
