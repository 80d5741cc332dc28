//! The secrets in a JSON value: in every string of it that is a value, by its text and by the name of its field.

use super::neighbor::is_name;
use super::private_key::KEY_FIELDS;
use super::redactor::{Redactor, SecretPlace};
use super::secret_name::{NamedBy, ValueName, named_secret};
use super::signed_part::{SignedPlace, signatures};
use apex_parts_json::JsonError;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer;
use apex_parts_model::{Key, Kind, View, order};
use std::borrow::Cow;
use std::ops::Range;

/// Fields that say what belongs together. No secret is looked for in their values, but in what a tool was given or has
/// noted, where such a name is a tool's own.
const LINKS: &[&[u8]] = &[b"id", b"sessionID", b"messageID", b"parentID", b"callID", b"tool"];
/// Fields with one of a few words, which are the same; not even a chosen text is masked in them.
const WORDS: &[&[u8]] = &[b"type", b"role", b"status"];

/// What a string is in its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringUse {
    /// A text.
    Value,
    /// It says what belongs together.
    Link,
    /// One of a few words.
    Word,
}
/// Fields of the model with values of any shape.
const FREE: &[&[u8]] = &[b"input", b"metadata"];

/// A container that is open.
pub(super) struct OpenContainer<'a> {
    node: Node<'a>,
    /// The entry of the tape that is no longer in it.
    end: u32,
    is_object: bool,
    /// The name of the field whose value comes next.
    name: Option<Node<'a>>,
    /// Its own place in what it is in: a name or an index.
    own: Option<Node<'a>>,
    index: usize,
    /// How many elements have been seen.
    seen: usize,
    /// The element before the one that is looked at, if it is a text.
    before: Option<Node<'a>>,
    is_free: bool,
    signed: SignedPlace,
}

impl Redactor {
    /// The JSON text with the secrets in its strings masked; `None` if it has none, or only such as are kept. What has
    /// no secrets is left byte for byte.
    ///
    /// ```
    /// use apex_parts_redact::Redactor;
    /// let json = br#"{"tool": "bash", "input": {"password": "hunter2!"}}"#;
    /// let masked = Redactor::default().redact_json(json).unwrap().unwrap();
    /// assert_eq!(masked, br#"{"tool": "bash", "input": {"password": "[redacted password 1]"}}"#);
    /// ```
    ///
    /// # Errors
    /// A [`JsonError`] if it is not one JSON value.
    pub fn redact_json(&mut self, json: &[u8]) -> Result<Option<Vec<u8>>, JsonError> {
        let mut tape = Tape::default();
        read_whole(&mut tape, json)?;
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let mut changed = Vec::new();
        each_string(&tape, json, &mut |string, open, link| {
            let Some(text) = string.str() else { return };
            let place = &mut || place(open);
            let masked = match link {
                StringUse::Value => self.mask_bytes(text.as_bytes(), name_of(open).as_ref(), place),
                // Equal texts have equal masks, so that what belongs together still does.
                StringUse::Link => self.mask_chosen(text.as_bytes(), place),
                StringUse::Word => None,
            };
            if let Some(masked) = masked {
                let mut escaped = String::new();
                writer::escape(&mut escaped, &String::from_utf8_lossy(&masked));
                edits.push((string.span(), escaped));
                let signed =
                    open.last().map(|last| last.signed.of_field(last.node.index, last.name));
                if let Some(SignedPlace::Text(part)) = signed {
                    changed.push(part);
                }
            }
        });
        if edits.is_empty() {
            return Ok(None);
        }
        let left_out = signatures(&tape, json, changed);
        edits.extend(left_out.into_iter().map(|range| (range, String::new())));
        order::sort_by(&mut edits, |(a, _), (b, _)| a.start.cmp(&b.start));
        Ok(Some(edited(json, &edits)))
    }
}

/// Reads a JSON text, which is one value.
pub(super) fn read_whole(tape: &mut Tape, json: &[u8]) -> Result<(), JsonError> {
    let end = tape.read(json, 0)?;
    let rest = json.get(end..).unwrap_or_default();
    if rest.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    Err(JsonError::syntax("more than one value", end))
}

/// The bytes with ranges of them replaced, in order; what is within a range that went before goes with it.
fn edited(json: &[u8], edits: &[(Range<usize>, String)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(json.len());
    let mut copied = 0;
    for (range, text) in edits {
        if range.start >= copied {
            out.extend_from_slice(json.get(copied..range.start).unwrap_or_default());
            out.extend_from_slice(text.as_bytes());
            copied = range.end;
        }
    }
    out.extend_from_slice(json.get(copied..).unwrap_or_default());
    out
}

/// Shows every string that is a value, with the containers that it is in; those of the last one's fields name it.
pub(super) fn each_string<'a>(
    tape: &'a Tape,
    json: &'a [u8],
    look: &mut dyn FnMut(Node<'a>, &[OpenContainer<'a>], StringUse),
) {
    let mut open: Vec<OpenContainer<'a>> = Vec::new();
    let mut index = 0;
    while let Some(entry) = tape.entries.get(index as usize) {
        let node = tape.node(json, index);
        while open.last().is_some_and(|last| last.end <= index) {
            open.pop();
        }
        index += 1;
        let (mut own, mut at, mut is_free) = (None, 0, false);
        let mut signed = SignedPlace::Outside;
        if let Some(last) = open.last_mut() {
            if last.is_object && last.name.is_none() {
                last.name = Some(node);
                continue;
            }
            (own, at, is_free) = (last.name, last.seen, last.is_free);
            last.seen += 1;
            signed = last.signed.of_field(last.node.index, own);
        }
        match entry.kind {
            Kind::String => look(node, &open, if is_free { StringUse::Value } else { use_of(own) }),
            Kind::Array | Kind::Object => open.push(OpenContainer {
                node,
                end: entry.next,
                is_object: entry.kind == Kind::Object,
                name: None,
                own,
                index: at,
                seen: 0,
                before: None,
                is_free: is_free || own.is_some_and(|name| is_one(name, FREE)),
                signed,
            }),
            _ => {}
        }
        // A container that was opened is the last one now: the one that it is in waits for its next name.
        let outer = match entry.kind {
            Kind::Array | Kind::Object => open.len().checked_sub(2).and_then(|at| open.get_mut(at)),
            _ => open.last_mut(),
        };
        if let Some(outer) = outer {
            outer.name = None;
            outer.before = (entry.kind == Kind::String).then_some(node);
        }
    }
}

fn is_one(name: Node<'_>, names: &[&[u8]]) -> bool {
    name.str().is_some_and(|name| names.contains(&name.as_bytes()))
}

fn use_of(own: Option<Node<'_>>) -> StringUse {
    match own {
        Some(name) if is_one(name, LINKS) => StringUse::Link,
        Some(name) if is_one(name, WORDS) => StringUse::Word,
        _ => StringUse::Value,
    }
}

/// The most fields of an object among which the name of a value is looked for.
const MOST_FIELDS: usize = 16;

/// The name that says what a string is: that of its field, of the field of the list that it is in, or, of a field called
/// `value`, the one that is told beside it, or else that of the object.
pub(super) fn name_of<'a>(open: &[OpenContainer<'a>]) -> Option<ValueName<'a>> {
    let last = open.last()?;
    let outer = open.len().checked_sub(2).and_then(|at| open.get(at));
    if is_in_manifest(last, outer) || is_in_web_key(last) {
        return Some(ValueName { name: Cow::Borrowed(b""), by: NamedBy::Keeper });
    }
    let own = |by| {
        let name = bytes_of(last.own?.str()?);
        Some(ValueName { name, by })
    };
    let Some(name) = last.name else {
        let before = last.before.and_then(Node::str).map(bytes_of);
        let before = before.filter(|name| named_secret(name).is_some());
        return before.map_or_else(
            || own(NamedBy::Field),
            |name| Some(ValueName { name, by: NamedBy::Element }),
        );
    };
    let name = name.str()?;
    if !name.eq_ignore_ascii_case("value") {
        return Some(ValueName { name: bytes_of(name), by: NamedBy::Field });
    }
    let mut fields = last.node.fields().take(MOST_FIELDS);
    let beside = fields
        .find_map(|(name, value)| is_name(name.str()?.as_bytes()).then(|| value.str()).flatten());
    let is_cookie = outer.and_then(|list| list.own).is_some_and(|name| is_one(name, &[b"cookies"]));
    match beside {
        Some(name) => {
            let by = if is_cookie { NamedBy::Cookie } else { NamedBy::Beside };
            Some(ValueName { name: bytes_of(name), by })
        }
        None => own(NamedBy::Beside),
    }
}

/// Is it the `data` of an object of Kubernetes whose `kind` is `Secret`?
fn is_in_manifest(last: &OpenContainer<'_>, outer: Option<&OpenContainer<'_>>) -> bool {
    let is_data = last.own.is_some_and(|name| is_one(name, &[b"data", b"stringData"]));
    let mut fields = outer
        .filter(|_| is_data)
        .into_iter()
        .flat_map(|outer| outer.node.fields().take(MOST_FIELDS));
    is_data && fields.any(|(name, value)| is_one(name, &[b"kind"]) && is_one(value, &[b"Secret"]))
}

/// Is it a secret field of a JSON Web Key?
fn is_in_web_key(last: &OpenContainer<'_>) -> bool {
    let is_kept = last.name.is_some_and(|name| is_one(name, KEY_FIELDS));
    is_kept && last.node.fields().take(MOST_FIELDS).any(|(name, _)| is_one(name, &[b"kty"]))
}

fn bytes_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Where a string is.
pub(super) fn place(open: &[OpenContainer<'_>]) -> SecretPlace {
    let mut place = SecretPlace::default();
    for (depth, container) in open.iter().enumerate() {
        if depth > 0 {
            step(&mut place.pointer, container.own, container.index);
        }
        let id = |node: Node<'_>, key: Key| node.get(key).str().map(Cow::into_owned);
        let node = container.node;
        if node.get(Key::Parts).kind() == Kind::Array {
            (place.message, place.part) = (id(node.get(Key::Info), Key::Id), None);
        } else if place.part.is_none() && node.get(Key::Type).kind() == Kind::String {
            let message = id(node, Key::MessageID);
            if message.is_some() || place.message.is_some() {
                place.part = id(node, Key::Id);
            }
            place.message = place.message.or(message);
        } else if place.message.is_none() && node.get(Key::Role).kind() == Kind::String {
            place.message = id(node, Key::Id);
        }
    }
    if let Some(last) = open.last() {
        step(&mut place.pointer, last.name, last.seen.saturating_sub(1));
    }
    place
}

/// Adds a step to a JSON Pointer.
fn step(pointer: &mut String, name: Option<Node<'_>>, index: usize) {
    pointer.push('/');
    match name.and_then(Node::str) {
        Some(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
        None => pointer.push_str(&index.to_string()),
    }
}
