//! Reads fields of records whose names are not those of the model.

use crate::record::Record;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::utf8::{NO_UTF_8, whole_text};
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Kind, View};
use std::borrow::Cow;

/// The text of a record. Invalid UTF-8 becomes U+FFFD and is reported as a problem.
pub fn text<'a>(record: &Record<'a>, problems: &mut ProblemList) -> Cow<'a, str> {
    if let Some(text) = whole_text(record.json) {
        return Cow::Borrowed(text);
    }
    let valid = record.json.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
    problems.error("encoding", NO_UTF_8, record.offset + valid as u64);
    String::from_utf8_lossy(record.json)
}

/// A record that is a JSON object: its text, and its value on a tape.
pub struct ObjectRecord<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) tape: Tape,
}

impl<'a> ObjectRecord<'a> {
    /// Reads a record; if it is not a JSON object, a problem is added and `None` returned.
    pub fn read(record: &Record<'a>, problems: &mut ProblemList) -> Option<ObjectRecord<'a>> {
        ObjectRecord::read_on(Tape::default(), record, problems)
    }

    /// The same on a tape that another record was on.
    pub(crate) fn read_on(
        mut tape: Tape,
        record: &Record<'a>,
        problems: &mut ProblemList,
    ) -> Option<ObjectRecord<'a>> {
        let text = text(record, problems);
        let bytes = text.as_bytes();
        let error = match tape.read_foreign(&text) {
            Ok(end) if skip_space(bytes, end) < bytes.len() => {
                ("something follows the record", end)
            }
            Ok(_) => {
                if tape.root(bytes).kind() == Kind::Object {
                    return Some(ObjectRecord { text, tape });
                }
                problems.error("schema", "a record is an object; skipped", record.offset);
                return None;
            }
            Err(error) => (error.message, error.offset),
        };
        let message = format!("{}; the record is skipped", error.0);
        problems.error("json", message, record.place(error.1));
        None
    }

    /// Its text; bytes that are no UTF-8 have become U+FFFD.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The object; its spans are those in [`ObjectRecord::text`].
    pub fn root(&self) -> Node<'_> {
        self.tape.root_of(&self.text)
    }
}

/// The fields with these names. If a name comes twice, the last one counts, as for `JSON.parse`.
pub fn pick<'a, const N: usize>(node: Node<'a>, names: [&str; N]) -> [Option<Node<'a>>; N] {
    let mut found = [None; N];
    node.pick(&names, &mut found);
    found
}

/// The field with this name.
pub fn get<'a>(node: Option<Node<'a>>, name: &str) -> Option<Node<'a>> {
    let [found] = pick(node?, [name]);
    found
}

/// The text of a string; `None` if it is empty or not a string.
pub fn string(node: Option<Node<'_>>) -> Option<Cow<'_, str>> {
    node?.str().filter(|text| !text.is_empty())
}

/// A finite number; `None` for anything else.
pub fn number(node: Option<Node<'_>>) -> Option<f64> {
    let node = node.filter(|node| node.kind() == Kind::Number)?;
    Some(node.number()).filter(|n| n.is_finite())
}

/// Is it `true`?
pub fn is_true(node: Option<Node<'_>>) -> bool {
    node.is_some_and(|node| node.kind() == Kind::True)
}

/// The value if it is of this kind.
pub fn of_kind(node: Option<Node<'_>>, kind: Kind) -> Option<Node<'_>> {
    node.filter(|node| node.kind() == kind)
}

/// The value if it is a string, even an empty one.
pub fn any_string(node: Option<Node<'_>>) -> Option<Node<'_>> {
    node.filter(|node| node.kind().is_string())
}

/// The elements of an array; nothing if it is not an array.
pub fn items(node: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let mut all = of_kind(node, Kind::Array).map(Node::children);
    std::iter::from_fn(move || all.as_mut()?.next())
}

/// The value's JSON.
pub fn raw<'a>(node: Node<'_>, json: &'a str) -> &'a str {
    let span = node.span();
    let quote = usize::from(node.kind().is_string());
    json.get(span.start.saturating_sub(quote)..span.end + quote).unwrap_or("null")
}

/// The escaped content of a string; empty if it is not a string.
pub fn token<'a>(node: Node<'_>, json: &'a str) -> &'a str {
    if node.kind().is_string() { json.get(node.span()).unwrap_or_default() } else { "" }
}

/// Adds a text to raw ones, after a separator (both raw: as they stand in a JSON string).
pub fn join(texts: &mut String, separator: &str, more: &str) {
    if !texts.is_empty() && !more.is_empty() {
        texts.push_str(separator);
    }
    texts.push_str(more);
}
