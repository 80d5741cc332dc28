//! Values as a reader gives them to the builder: what stands in the input, and what is made of it.

use apex_parts_json::tape::{Node, Tape, by_index};
use apex_parts_json::writer::escape;
use apex_parts_model::bytes::same;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Kind, View, order};
use std::borrow::Cow;

/// Marks for a cache: they are the caller's, not the history's.
const MARKS: [&str; 2] = ["cache_control", "cachePoint"];

/// A string. Two are equal if they are spelled alike.
#[derive(Clone, Debug)]
pub(crate) enum NewText<'a> {
    /// A string of the input.
    Node(Node<'a>),
    /// As `JSON.stringify` spells it, without the quotes.
    Spelled(Cow<'a, str>),
}

impl<'a> NewText<'a> {
    pub(crate) const EMPTY: NewText<'static> = NewText::Spelled(Cow::Borrowed(""));

    /// The string, spelled by these rules.
    pub(crate) fn plain(text: &str) -> NewText<'static> {
        let mut spelled = String::with_capacity(text.len());
        escape(&mut spelled, text);
        NewText::Spelled(spelled.into())
    }

    pub(crate) fn spelled(&self) -> Cow<'_, str> {
        match self {
            NewText::Node(node) => node.spelled(),
            NewText::Spelled(text) => Cow::Borrowed(text),
        }
    }

    /// Appends it with its quotes.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(b'"');
        match self {
            NewText::Node(node) if !node.is_escaped() => {
                out.extend_from_slice(node.raw().unwrap_or_default());
            }
            text => out.extend_from_slice(text.spelled().as_bytes()),
        }
        out.push(b'"');
    }
}

/// A value of metadata.
#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    Node(Node<'a>),
    Text(NewText<'a>),
    True,
    False,
    Count(usize),
    Object(NewFields<'a>),
    /// JSON, as `JSON.stringify` writes it.
    Json(&'a [u8]),
}

impl Value<'_> {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Value::Node(node) => node.stringify(out),
            Value::Text(text) => text.write(out),
            Value::True => out.extend_from_slice(b"true"),
            Value::False => out.extend_from_slice(b"false"),
            Value::Count(count) => out.extend_from_slice(count.to_string().as_bytes()),
            Value::Object(fields) => fields.write(out),
            Value::Json(json) => out.extend_from_slice(json),
        }
    }
}

/// The fields of an object that is made, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewFields<'a>(Vec<(Cow<'a, str>, Value<'a>)>);

impl<'a> NewFields<'a> {
    /// An object with one field.
    pub(crate) fn one(name: &'static str, value: Value<'a>) -> NewFields<'a> {
        NewFields(vec![(Cow::Borrowed(name), value)])
    }

    /// All fields of an object; none of anything else.
    pub(crate) fn all(value: Option<Node<'a>>) -> NewFields<'a> {
        value.map(|value| select(value, &|_, _| true)).unwrap_or_default()
    }

    /// What `{...value}` has: the fields of an object, the elements of an array, the UTF-16 units of a string.
    pub(crate) fn spread(value: Option<Node<'a>>) -> NewFields<'a> {
        let mut fields = NewFields::all(value);
        let elements = array(value).into_iter().flat_map(Node::children);
        let mut add = |value| fields.0.push((fields.0.len().to_string().into(), value));
        elements.for_each(|element| add(Value::Node(element)));
        if let Some(text) = any_string(value) {
            each_unit(&text.spelled(), &mut |unit| {
                add(Value::Text(NewText::Spelled(unit.to_owned().into())));
            });
        }
        fields
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The field with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The names, as they are spelled.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    /// Sets a field; one that is there keeps its place.
    pub(crate) fn set(&mut self, name: impl Into<Cow<'a, str>>, value: Value<'a>) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, before)) => *before = value,
            None => self.0.push((name, value)),
        }
    }

    /// Sets the fields of another object.
    pub(crate) fn extend(&mut self, more: NewFields<'a>) {
        if self.is_empty() {
            self.0 = more.0;
            return;
        }
        // Either can have any number of fields.
        let mut places = TextMap::default();
        for (at, (name, _)) in self.0.iter().enumerate() {
            places.insert(name, at);
        }
        for (name, value) in more.0 {
            match places.get(&name).and_then(|at| self.0.get_mut(at)) {
                Some((_, before)) => *before = value,
                None => self.0.push((name, value)),
            }
        }
        order::sort_by(&mut self.0, |(a, _), (b, _)| by_index(a, b));
    }

    /// Adds fields to the object that a field is.
    pub(crate) fn merge(&mut self, name: &'static str, more: NewFields<'a>) {
        let field = self.0.iter_mut().find(|(known, _)| known == name);
        let Some((_, own)) = field else { return self.set(name, Value::Object(more)) };
        let mut fields = match own {
            Value::Object(own) => std::mem::take(own),
            Value::Node(own) if !own.kind().is_string() => NewFields::spread(Some(*own)),
            _ => NewFields::default(),
        };
        fields.extend(more);
        *own = Value::Object(fields);
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        for (index, (name, value)) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.push(b'"');
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            value.write(out);
        }
        out.push(b'}');
    }
}

/// The fields that were asked for, and whether there may be others: each that is neither null nor a mark for a cache.
pub(crate) struct Picked<'a, const N: usize> {
    pub(crate) values: [Option<Node<'a>>; N],
    pub(crate) has_others: bool,
}

/// The fields of an object with these names; of a name that comes twice the last one.
pub(crate) fn pick<'a, const N: usize>(node: Node<'a>, names: &[&str; N]) -> Picked<'a, N> {
    let mut values = [None; N];
    let has_others = pick_into(node, names, &mut values);
    Picked { values, has_others }
}

/// The same for any number of names, so that it is compiled once.
fn pick_into<'a>(node: Node<'a>, names: &[&str], values: &mut [Option<Node<'a>>]) -> bool {
    let mut has_others = false;
    node.pick_or(names, values, |name, value| {
        let is_mark = || MARKS.iter().any(|mark| same(mark.as_bytes(), name));
        has_others = has_others || (value.kind() != Kind::Null && !is_mark());
    });
    has_others
}

/// The field with this name.
pub(crate) fn field<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    let mut found = [None];
    node.pick(&[name], &mut found);
    found[0]
}

/// The fields of an object that are neither known nor null, nor marks.
pub(crate) fn others<'a>(node: Node<'a>, known: &[&str]) -> NewFields<'a> {
    select(node, &|name, value| {
        value.kind() != Kind::Null && !known.contains(&name) && !MARKS.contains(&name)
    })
}

/// The same with the marks.
pub(crate) fn given_but<'a>(node: Node<'a>, known: &[&str]) -> NewFields<'a> {
    select(node, &|name, value| value.kind() != Kind::Null && !known.contains(&name))
}

/// All fields of an object but one.
pub(crate) fn all_but<'a>(node: Node<'a>, left_out: &str) -> NewFields<'a> {
    select(node, &|name, _| name != left_out)
}

/// Some fields of an object; of what is not an object there are none.
pub(crate) fn select<'a>(
    node: Node<'a>,
    is_wanted: &dyn Fn(&str, Node<'a>) -> bool,
) -> NewFields<'a> {
    if node.kind() != Kind::Object {
        return NewFields::default();
    }
    let mut fields = node.js_fields();
    fields.retain(|(name, value)| is_wanted(name, *value));
    NewFields(fields.into_iter().map(|(name, value)| (name, Value::Node(value))).collect())
}

/// An object, of which this is the JSON, after a change of its fields.
fn changed<'a>(
    json: &'a [u8],
    tape: &'a mut Tape,
    change: impl FnOnce(&mut NewFields<'a>),
) -> Vec<u8> {
    let known = tape.read(json, 0).is_ok().then(|| tape.root(json));
    let mut fields = NewFields::all(known);
    change(&mut fields);
    let mut out = Vec::with_capacity(json.len());
    fields.write(&mut out);
    out
}

/// An object, of which this is the JSON, with these fields.
pub(crate) fn with_fields(json: &[u8], more: NewFields<'_>, tape: &mut Tape) -> Vec<u8> {
    changed(json, tape, |fields| fields.extend(more))
}

/// The same with more fields of the object that a field is.
pub(crate) fn merged(
    json: &[u8],
    (name, more): (&'static str, NewFields<'_>),
    tape: &mut Tape,
) -> Vec<u8> {
    changed(json, tape, |fields| fields.merge(name, more))
}

/// The value if it is neither missing nor null.
pub(crate) fn given(value: Option<Node<'_>>) -> Option<Node<'_>> {
    value.filter(|value| !value.kind().is_nullish())
}

/// The value if it is a string, even an empty one.
pub(crate) fn any_string(value: Option<Node<'_>>) -> Option<Node<'_>> {
    value.filter(|value| value.kind().is_string())
}

/// The value if it is a string that is not empty.
pub(crate) fn string(value: Option<Node<'_>>) -> Option<Node<'_>> {
    value.filter(|value| value.kind() == Kind::String)
}

/// The value if it is an object.
pub(crate) fn object(value: Option<Node<'_>>) -> Option<Node<'_>> {
    value.filter(|value| value.kind() == Kind::Object)
}

/// The value if it is an array.
pub(crate) fn array(value: Option<Node<'_>>) -> Option<Node<'_>> {
    value.filter(|value| value.kind() == Kind::Array)
}

/// Is it this string?
pub(crate) fn is(value: Option<Node<'_>>, text: &str) -> bool {
    any_string(value).is_some_and(|value| match value.raw() {
        Some(raw) if !value.is_escaped() => raw == text.as_bytes(),
        _ => value.spelled() == text,
    })
}

/// What kind of value it is, for a message.
pub(crate) fn kind_of(value: Option<Node<'_>>) -> &'static str {
    match value.map_or(Kind::Missing, |value| value.kind()) {
        Kind::Missing => "nothing",
        Kind::Null => "null",
        Kind::Array => "an array",
        Kind::Object => "an object",
        Kind::True | Kind::False => "a boolean",
        kind if kind.is_string() => "a string",
        _ => "a number",
    }
}

/// A string as it is, of everything else its JSON; empty if there is nothing.
pub(crate) fn json_text(value: Option<Node<'_>>) -> NewText<'_> {
    match value {
        None => NewText::EMPTY,
        Some(value) if value.kind().is_string() => NewText::Node(value),
        Some(value) => NewText::plain(&json_of(value)),
    }
}

/// The JSON of a value, as `JSON.stringify` writes it.
pub(crate) fn json_of(value: Node<'_>) -> String {
    let mut json = Vec::new();
    value.stringify(&mut json);
    String::from_utf8(json).unwrap_or_default()
}

/// The first character or escape of what is spelled, and the rest.
fn split_first(spelled: &str) -> (&str, &str) {
    let length = match spelled.as_bytes() {
        [b'\\', b'u', ..] => 6,
        [b'\\', ..] => 2,
        _ => spelled.chars().next().map_or(0, char::len_utf8),
    };
    spelled.split_at_checked(length).unwrap_or((spelled, ""))
}

/// Shows each UTF-16 unit of what is spelled.
fn each_unit(spelled: &str, look: &mut dyn FnMut(&str)) {
    let mut rest = spelled;
    let mut pair = [0; 2];
    while let Some(first) = rest.chars().next() {
        let (one, next) = split_first(rest);
        match first.encode_utf16(&mut pair) {
            [_] => look(one),
            halves => halves.iter().for_each(|half| look(&format!("\\u{half:04x}"))),
        }
        rest = next;
    }
}

/// The first UTF-16 units of a string in quotes, as `JSON.stringify` writes them.
pub(crate) fn quoted_start(spelled: &str, most: usize) -> String {
    let mut out = String::from("\"");
    let mut units = 0;
    let mut rest = spelled;
    while units < most
        && let Some(first) = rest.chars().next()
    {
        let (one, next) = split_first(rest);
        let mut pair = [0; 2];
        match first.encode_utf16(&mut pair) {
            [high, _] if units + 1 == most => out.push_str(&format!("\\u{high:04x}")),
            all => {
                out.push_str(one);
                units += all.len() - 1;
            }
        }
        units += 1;
        rest = next;
    }
    out.push('"');
    out
}

/// The MIME type that an address states or whose ending it has; otherwise the default.
pub(crate) fn mime_of(url: Node<'_>, otherwise: &'static str) -> NewText<'static> {
    stated_mime(url).unwrap_or(NewText::Spelled(Cow::Borrowed(otherwise)))
}

/// The MIME type that an address states or whose ending it has.
pub(crate) fn stated_mime(url: Node<'_>) -> Option<NewText<'static>> {
    const TYPES: [(&str, &str); 11] = [
        ("png", "image/png"),
        ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        ("gif", "image/gif"),
        ("webp", "image/webp"),
        ("svg", "image/svg+xml"),
        ("pdf", "application/pdf"),
        ("txt", "text/plain"),
        ("mp3", "audio/mp3"),
        ("wav", "audio/wav"),
        ("mp4", "video/mp4"),
    ];
    let quoted = quoted_start(&url.spelled(), 4096);
    let text = quoted.get(1..quoted.len() - 1).unwrap_or_default();
    if let Some(scheme) = text.get(..5)
        && scheme.eq_ignore_ascii_case("data:")
    {
        let head = quoted_start(text, 200);
        let rest = head.get(6..head.len() - 1).unwrap_or_default();
        let end = rest.find([';', ',']).unwrap_or(rest.len());
        if end > 0 {
            return Some(NewText::Spelled(lower_case(rest.get(..end).unwrap_or_default()).into()));
        }
    }
    let endings = text.split('.').skip(1);
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let count = text.matches('.').count();
    let ending = endings.enumerate().find_map(|(index, piece)| {
        let name = piece.trim_start_matches(is_letter);
        let own = piece.get(..piece.len() - name.len()).filter(|own| !own.is_empty())?;
        let is_end = name.is_empty() && index + 1 == count;
        (is_end || name.starts_with(['?', '#'])).then_some(own)
    });
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    let known = TYPES.iter().find(|(name, _)| *name == ending);
    known.map(|(_, mime)| NewText::Spelled(Cow::Borrowed(mime)))
}

/// What is spelled in lower case.
fn lower_case(spelled: &str) -> String {
    let mut out = String::new();
    let mut rest = spelled;
    while let Some(slash) = rest.find('\\') {
        let (before, escape) = rest.split_at_checked(slash).unwrap_or((rest, ""));
        let (one, next) = split_first(escape);
        out.push_str(&before.to_lowercase());
        out.push_str(one);
        rest = next;
    }
    out.push_str(&rest.to_lowercase());
    out
}

/// The address of bytes that are given as base64.
pub(crate) fn data_url(mime: &str, data: Node<'_>) -> NewText<'static> {
    NewText::Spelled(format!("data:{mime};base64,{}", data.spelled()).into())
}
