//! The strings of a part that are searched, and the path of each.

use apex_parts_json::tape::Node;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::{Key, Kind, View, Word};
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::{ControlFlow, Range};

/// The path of a string in its part. Its `Display` is the JSON Pointer (RFC 6901).
#[derive(Debug, Default)]
pub struct Pointer<'a> {
    steps: Vec<PointerStep<'a>>,
}

impl Pointer<'_> {
    /// The path of a value in itself: it has no steps.
    pub const NONE: Pointer<'static> = Pointer { steps: Vec::new() };
}

#[derive(Clone, Copy, Debug)]
enum PointerStep<'a> {
    Name(Key),
    /// A key of the file.
    Field(Node<'a>),
    Index(usize),
}

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            f.write_str("/")?;
            let key = match step {
                PointerStep::Index(index) => {
                    write!(f, "{index}")?;
                    continue;
                }
                PointerStep::Name(key) => Cow::Borrowed(key.as_str()),
                PointerStep::Field(key) => key.str().unwrap_or_default(),
            };
            for c in key.chars() {
                match c {
                    '~' => f.write_str("~0")?,
                    '/' => f.write_str("~1")?,
                    c => f.write_char(c)?,
                }
            }
        }
        Ok(())
    }
}

/// Calls `visit` with the strings of a part that are searched, in a fixed order, until it returns `Break`:
/// - text and reasoning: `text`;
/// - tool: of its `state` the `title`, every string in `input`, then `raw`, `output` and `error`, and of
///   each attachment the same as of a file;
/// - file: `filename`, and `url` unless that contains the file itself (`data:`);
/// - subtask: `description` and `prompt`; agent: `name`; retry: the `message` of its error.
///
/// Ids, times and metadata are left out (the metadata of tools repeats their outputs), and so are empty
/// strings; parts of other types have nothing to search. If an object has a key twice, the last one counts,
/// as for `JSON.parse`. Nothing is allocated for the pointer except the list of its steps.
pub fn strings<'a>(part: Node<'a>, visit: &mut Visit<'a, '_>) -> ControlFlow<()> {
    let mut walk = StringWalk { pointer: Pointer::default(), visit };
    let kind = part.get(Key::Type).word();
    match kind {
        Some(Word::Tool) => {
            let state = part.get(Key::State);
            walk.pointer.steps.push(PointerStep::Name(Key::State));
            walk.fields(state, searched_fields(kind))?;
            let files = state.get(Key::Attachments);
            if files.kind() == Kind::Array {
                walk.pointer.steps.push(PointerStep::Name(Key::Attachments));
                for (index, file) in files.children().enumerate() {
                    walk.pointer.steps.push(PointerStep::Index(index));
                    walk.file(file)?;
                    walk.pointer.steps.pop();
                }
            }
            ControlFlow::Continue(())
        }
        Some(Word::File) => walk.file(part),
        Some(Word::Retry) => {
            let error = part.get(Key::Error);
            walk.pointer.steps.push(PointerStep::Name(Key::Error));
            walk.fields(error, &[Key::Message])?;
            // OpenCode's errors are `{name, data: {message}}`.
            walk.pointer.steps.push(PointerStep::Name(Key::Data));
            walk.fields(error.get(Key::Data), &[Key::Message])
        }
        _ => walk.fields(part, searched_fields(kind)),
    }
}

/// The same for the error of a message: what it says, at `/info/error/data/message` or, of another form,
/// `/info/error/message`.
pub(crate) fn error_strings<'a>(message: Node<'a>, visit: &mut Visit<'a, '_>) -> ControlFlow<()> {
    let mut walk = StringWalk { pointer: Pointer::default(), visit };
    let error = message.get(Key::Info).get(Key::Error);
    walk.pointer.steps.extend([PointerStep::Name(Key::Info), PointerStep::Name(Key::Error)]);
    let data = error.get(Key::Data);
    if data.get(Key::Message).kind() != Kind::String {
        return walk.fields(error, &[Key::Message]);
    }
    walk.pointer.steps.push(PointerStep::Name(Key::Data));
    walk.fields(data, &[Key::Message])
}

/// The fields that are searched in a part of this type, or in the `state` of a tool, in the order in which they are
/// visited; a tool's attachments are not among them.
fn searched_fields(kind: Option<Word>) -> &'static [Key] {
    match kind {
        Some(Word::Text | Word::Reasoning) => &[Key::Text],
        Some(Word::Tool) => &[Key::Title, Key::Input, Key::Raw, Key::Output, Key::Error],
        Some(Word::File) => &[Key::Filename, Key::Url],
        Some(Word::Subtask) => &[Key::Description, Key::Prompt],
        Some(Word::Agent) => &[Key::Name],
        Some(Word::Retry) => &[Key::Error],
        _ => &[],
    }
}

/// The byte range that contains all searched strings of a part; empty if it has none. With this range in
/// an index, a part need not be read for a candidate in its ids.
#[must_use]
pub fn searched(part: Node<'_>) -> Range<usize> {
    searched_of(part, part.get(Key::Type).word())
}

/// The same for a part whose type is known.
pub(crate) fn searched_of(part: Node<'_>, kind: Option<Word>) -> Range<usize> {
    let (of, files): (Node<'_>, &[Key]) = match kind {
        Some(Word::Tool) => (part.get(Key::State), &[Key::Attachments]),
        _ => (part, &[]),
    };
    let keys = searched_fields(kind).iter().chain(files);
    let spans = keys.map(|key| of.get(*key).span()).filter(|span| !span.is_empty());
    spans.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or_default()
}

/// Called with the path and the value of each string; returns `Break` to end.
pub type Visit<'a, 'v> = dyn FnMut(&Pointer<'a>, Node<'a>) -> ControlFlow<()> + 'v;

struct StringWalk<'a, 'v, 'w> {
    pointer: Pointer<'a>,
    visit: &'v mut Visit<'a, 'w>,
}

/// The rest of an object or an array while it is walked.
enum Remaining<'a> {
    Fields(std::vec::IntoIter<(Node<'a>, Node<'a>)>),
    Elements(Box<dyn Iterator<Item = (usize, Node<'a>)> + 'a>),
}

impl<'a> Remaining<'a> {
    fn new(value: Node<'a>) -> Option<Remaining<'a>> {
        match value.kind() {
            Kind::Object => Some(Remaining::Fields(fields(value).into_iter())),
            Kind::Array => Some(Remaining::Elements(Box::new(value.children().enumerate()))),
            _ => None,
        }
    }

    fn next(&mut self) -> Option<(PointerStep<'a>, Node<'a>)> {
        match self {
            Remaining::Fields(fields) => {
                fields.next().map(|(key, value)| (PointerStep::Field(key), value))
            }
            Remaining::Elements(list) => {
                list.next().map(|(index, value)| (PointerStep::Index(index), value))
            }
        }
    }
}

/// The fields of an object, each name once, with its last value.
fn fields(object: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    let mut fields: Vec<(Node<'_>, Node<'_>)> = Vec::new();
    let mut places = SortedMap::new();
    for (key, value) in object.fields() {
        let place = *places.or_insert(key.str().unwrap_or_default(), fields.len());
        match fields.get_mut(place) {
            Some(field) => field.1 = value,
            None => fields.push((key, value)),
        }
    }
    fields
}

impl<'a> StringWalk<'a, '_, '_> {
    fn fields(&mut self, object: Node<'a>, keys: &[Key]) -> ControlFlow<()> {
        keys.iter().try_for_each(|key| self.value(PointerStep::Name(*key), object.get(*key)))
    }

    fn file(&mut self, file: Node<'a>) -> ControlFlow<()> {
        for key in searched_fields(Some(Word::File)) {
            let value = file.get(*key);
            let is_data = value.str().is_some_and(|url| url.starts_with("data:"));
            if *key != Key::Url || !is_data {
                self.value(PointerStep::Name(*key), value)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits all strings of a value. There is no recursion: a value may be as deep as a document.
    fn value(&mut self, step: PointerStep<'a>, value: Node<'a>) -> ControlFlow<()> {
        let mut open = Vec::new();
        let mut now = Some((step, value));
        loop {
            if let Some((step, value)) = now {
                self.pointer.steps.push(step);
                match Remaining::new(value) {
                    Some(rest) => open.push(rest),
                    None => {
                        if value.kind() == Kind::String {
                            (self.visit)(&self.pointer, value)?;
                        }
                        self.pointer.steps.pop();
                    }
                }
            }
            let Some(rest) = open.last_mut() else { return ControlFlow::Continue(()) };
            now = rest.next();
            if now.is_none() {
                open.pop();
                self.pointer.steps.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests;
