//! The files of the AI SDK's messages, in every form that its versions 6 and 7 take.

use crate::parts::{NewFile, NewPart, PartContent};
use crate::values::{
    NewFields, NewText, Value, any_string, array, data_url, field, is, mime_of, object, pick,
    string,
};
use apex_parts_json::float;
use apex_parts_json::tape::Node;
use apex_parts_model::view::is_blank;
use apex_parts_model::{Kind, View};

/// The key of what only the AI SDK knows.
pub(crate) const AI_SDK: &str = "ai-sdk";

/// The type of files of which nothing else is known.
pub(crate) const BYTES: &str = "application/octet-stream";

/// Files of these types are sent to models only if they say that they are the AI SDK's.
const SAID: [&str; 2] = ["text/plain", "application/x-directory"];

/// A value that JavaScript cannot read without an error.
pub(crate) struct Unreadable;

/// A part that no type of the model is for, in the form of a part of a UI message.
pub(crate) fn custom_of<'a>(kind: &str, part: Value<'a>) -> NewPart<'a> {
    let name = NewText::Spelled([AI_SDK, "-", kind].concat().into());
    NewPart::kept(PartContent::Custom(name), AI_SDK, NewFields::one("part", part))
}

/// A file with this address.
pub(crate) fn file_at<'a>(
    url: NewText<'a>,
    mime: NewText<'a>,
    filename: Option<Node<'a>>,
    state: Option<Node<'a>>,
) -> NewPart<'a> {
    let mut metadata = NewFields::all(state);
    if SAID.contains(&&*mime.spelled()) {
        let own = NewFields::one("mediaType", Value::Text(mime.clone()));
        metadata.set(AI_SDK, Value::Object(own));
    }
    let filename = string(filename).map(NewText::Node);
    NewPart { content: PartContent::File(NewFile { mime, url, filename }), metadata }
}

/// Where the data of a file is.
#[derive(Clone, Debug)]
pub(crate) enum FileAddress<'a> {
    /// At this address.
    Given(Node<'a>),
    /// In an address that is made of it.
    Made(NewText<'a>),
}

impl<'a> FileAddress<'a> {
    /// The MIME type that it shows; otherwise one of the defaults.
    pub(crate) fn mime(&self, given: &'static str, made: &'static str) -> NewText<'static> {
        match self {
            FileAddress::Given(url) => mime_of(*url, given),
            FileAddress::Made(_) => NewText::Spelled(made.into()),
        }
    }

    pub(crate) fn text(self) -> NewText<'a> {
        match self {
            FileAddress::Given(url) => NewText::Node(url),
            FileAddress::Made(url) => url,
        }
    }
}

/// The address of a file's data: a string, bytes, or one of these with a tag. `None` for a reference.
pub(crate) fn address_of<'a>(
    data: Option<Node<'a>>,
    mime: &str,
) -> Result<Option<FileAddress<'a>>, Unreadable> {
    if let Some(text) = any_string(data) {
        return Ok(Some(string_address(text, mime)));
    }
    let Some(object) = object(data) else { return Ok(None) };
    let [kind, inner, url, text] = pick(object, &["type", "data", "url", "text"]).values;
    let bytes = if is(kind, "Buffer") {
        bytes_of(inner)?
    } else if is(kind, "data") {
        match any_string(inner) {
            Some(text) => return Ok(Some(string_address(text, mime))),
            None => match inner.map(|inner| pick(inner, &["type", "data"]).values) {
                Some([kind, data]) if is(kind, "Buffer") => bytes_of(data)?,
                _ => None,
            },
        }
    } else if is(kind, "url") {
        return Ok(string(url).map(FileAddress::Given));
    } else if is(kind, "text") {
        any_string(text).and_then(Node::str).map(|text| text.as_bytes().to_vec())
    } else {
        None
    };
    Ok(bytes.map(|bytes| {
        let url = ["data:", mime, ";base64,", &base64(&bytes)].concat();
        FileAddress::Made(NewText::Spelled(url.into()))
    }))
}

/// The address that a string is, or that of the base64 that it is: that has no colon.
fn string_address<'a>(text: Node<'a>, mime: &str) -> FileAddress<'a> {
    let spelled = text.spelled();
    let start = spelled.as_bytes().iter().take(64);
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let scheme = start.clone().take_while(is_scheme).count();
    let is_address = spelled.starts_with(|first: char| first.is_ascii_alphabetic())
        && start.clone().nth(scheme) == Some(&b':');
    match is_address {
        true => FileAddress::Given(text),
        false => FileAddress::Made(data_url(mime, text)),
    }
}

/// The reference to a file that providers hold; `None` if the data is not one.
pub(crate) fn reference_of(data: Option<Node<'_>>) -> Option<Node<'_>> {
    let data = object(data)?;
    let kind = field(data, "type");
    if is(kind, "reference") {
        return object(field(data, "reference"));
    }
    let mut values = data.js_fields().into_iter().map(|(_, value)| value).peekable();
    values.peek()?;
    (kind.is_none() && values.all(|value| value.kind().is_string())).then_some(data)
}

/// The bytes of a `Buffer` that JSON has; `None` if they are not an array.
fn bytes_of(data: Option<Node<'_>>) -> Result<Option<Vec<u8>>, Unreadable> {
    let Some(data) = array(data) else { return Ok(None) };
    data.children().map(byte_of).collect::<Result<_, _>>().map(Some)
}

/// What JavaScript makes a byte of a value: its number, without what is beyond eight bits. An array is its elements as text.
fn byte_of(value: Node<'_>) -> Result<u8, Unreadable> {
    let mut left = vec![value];
    while let Some(one) = left.pop() {
        match one.kind() {
            Kind::Array => left.extend(one.children()),
            // It would be called.
            Kind::Object if field(one, "toString").is_some() => return Err(Unreadable),
            _ => {}
        }
    }
    let mut one = value;
    while one.kind() == Kind::Array {
        let mut elements = one.children();
        match (elements.next(), elements.next()) {
            (Some(only), None) if only.kind() != Kind::True => one = only,
            _ => return Ok(0),
        }
    }
    let number = match one.kind() {
        Kind::True => 1.0,
        Kind::Number => number_of(std::str::from_utf8(one.json()).unwrap_or_default()),
        _ => number_of(&one.str().unwrap_or_default()),
    };
    // Greater numbers are multiples of 256.
    let is_exact = number.abs() < 9.0e18;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    // It is what JavaScript does.
    Ok(if is_exact { (number as i64) as u8 } else { 0 })
}

/// The number JavaScript converts the string to; 0 if it is not one.
fn number_of(text: &str) -> f64 {
    let is_space = |c: char| is_blank(c.encode_utf8(&mut [0; 4]));
    let text = text.trim_matches(is_space);
    let radix = match text.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => 16,
        [b'0', b'o' | b'O', _, ..] => 8,
        [b'0', b'b' | b'B', _, ..] => 2,
        _ => {
            let digits = text.strip_prefix('+').filter(|rest| !rest.starts_with('-'));
            return float::parse(digits.unwrap_or(text)).unwrap_or_default();
        }
    };
    let digits = text.chars().skip(2).map(|digit| digit.to_digit(radix));
    let add = |sum: f64, digit: Option<u32>| Some(sum * f64::from(radix) + f64::from(digit?));
    digits.into_iter().try_fold(0.0, add).unwrap_or_default()
}

/// The base64 of bytes, in the standard alphabet and with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            let digit = DIGITS.get(value as usize).filter(|_| digit <= three.len());
            out.push(char::from(*digit.unwrap_or(&b'=')));
        }
    }
    out
}
