//! Secrets of Kubernetes: all that is under `data` and `stringData` beside `kind: Secret`, in YAML and in JSON.

use super::byte_class::is_blank;
use super::haystack::{Haystack, Spans};
use super::strength::is_given;
use std::ops::Range;

/// Where a name, a colon and a value follow each other: where the value begins, without its quotation mark.
fn value_behind(text: Haystack<'_>, from: usize) -> Option<usize> {
    let from =
        text.quote(from).filter(|_| text.at(from) != Some(b'`')).map_or(from, |(_, end)| end);
    let colon = text.skip_blanks(from);
    let start = text.skip_blanks(colon + 1);
    (text.at(colon) == Some(b':')).then(|| text.quote(start).map_or(start, |(_, inside)| inside))
}

fn is_data(name: &[u8]) -> bool {
    matches!(name, b"data" | b"stringData")
}

/// Reads all manifests of a text at the first `kind: Secret`.
pub(super) fn manifests(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let value = value_behind(text, at + b"kind".len());
    let is_secret = |value: usize| text.has(value, b"Secret") && text.ends_word(value + 6);
    if !text.has(at, b"kind") || !value.is_some_and(is_secret) {
        return at + 1;
    }
    objects(text, spans);
    documents(text, spans);
    text.bytes.len()
}

/// An object of JSON that is open.
#[derive(Default)]
struct OpenObject {
    is_secret: bool,
    /// It is the `data` of the one around it.
    is_data: bool,
    /// The values of its `data`.
    values: Spans,
}

/// The secrets in objects of JSON.
fn objects(text: Haystack<'_>, spans: &mut Spans) {
    let mut open: Vec<OpenObject> = Vec::new();
    let mut name = 0..0;
    let mut at = 0;
    while let Some(byte) = text.at(at) {
        at += 1;
        match byte {
            b'{' => {
                let is_data = !open.is_empty() && is_data(text.slice(name.clone()));
                open.push(OpenObject { is_data, ..OpenObject::default() });
                name = 0..0;
            }
            b'}' => close(&mut open, spans),
            b'[' | b']' | b',' => name = 0..0,
            b'"' => {
                let mut close =
                    text.run(at, usize::MAX, |byte| !matches!(byte, b'"' | b'\\' | b'\n'));
                close = text.run(close, 4, |byte| byte == b'\\');
                // Behind another escape the string goes on.
                close = text.run(close, usize::MAX, |byte| !matches!(byte, b'"' | b'\n'));
                let string = at..text.run_back(close, 4, |byte| byte == b'\\').max(at);
                at = close + usize::from(text.at(close) == Some(b'"'));
                if text.at(text.skip_blanks(at)) == Some(b':') {
                    name = string;
                    continue;
                }
                let named = text.slice(name.clone());
                let Some((last, outer)) = open.split_last_mut() else { continue };
                if named == b"kind" && text.slice(string.clone()) == b"Secret" {
                    last.is_secret = true;
                } else if let Some(outer) =
                    outer.last_mut().filter(|_| last.is_data && !named.is_empty())
                    && is_given(text.slice(string.clone()))
                {
                    outer.values.push(string);
                }
            }
            _ => {}
        }
    }
    while !open.is_empty() {
        close(&mut open, spans);
    }
}

fn close(open: &mut Vec<OpenObject>, spans: &mut Spans) {
    if let Some(closed) = open.pop().filter(|closed| closed.is_secret) {
        spans.extend(closed.values);
    }
}

/// A line of YAML.
struct YamlLine {
    /// At which column it begins, behind the sign of an element.
    column: usize,
    is_element: bool,
    /// Its content, without the white space behind it.
    content: Range<usize>,
}

impl YamlLine {
    /// The line that begins here. The number of a line may stand before it.
    fn new(text: Haystack<'_>, at: usize, end: usize) -> YamlLine {
        let digits = text.run(at, 16, is_blank);
        let behind = text.run(digits, 12, |byte| byte.is_ascii_digit());
        let sign = [&b"\t"[..], "→".as_bytes(), b"|", b": "].into_iter();
        let number = sign.filter(|_| behind > digits).find(|sign| text.has(behind, sign));
        let begin = number.map_or(at, |sign| behind + sign.len());
        let mut start = text.run(begin, usize::MAX, |byte| byte == b' ');
        let is_element = text.has(start, b"- ");
        if is_element {
            start = text.run(start + 1, usize::MAX, |byte| byte == b' ');
        }
        let content = text.slice(start..end.max(start)).trim_ascii_end().len();
        YamlLine { column: start - begin, is_element, content: start..start + content }
    }

    /// Its name and where its value is, if it has both.
    fn pair<'t>(&self, text: Haystack<'t>) -> Option<(&'t [u8], Range<usize>)> {
        let line = text.slice(self.content.clone());
        let colon = memchr::memchr(b':', line)?;
        let name = line.get(..colon)?.trim_ascii();
        let start = text.run(self.content.start + colon + 1, usize::MAX, is_blank);
        let is_apart = start > self.content.start + colon + 1 || start >= self.content.end;
        let name =
            name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name);
        is_apart.then_some((name, start.min(self.content.end)..self.content.end))
    }
}

/// The secrets in documents of YAML.
fn documents(text: Haystack<'_>, spans: &mut Spans) {
    let mut lines: Vec<YamlLine> = Vec::new();
    let mut at = 0;
    while at <= text.bytes.len() {
        let rest = text.bytes.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(text.bytes.len(), |length| at + length);
        let line = YamlLine::new(text, at, end);
        let content = text.slice(line.content.clone());
        if content == b"---" {
            document(text, &lines, spans);
            lines.clear();
        } else if !content.is_empty() && !content.starts_with(b"#") {
            lines.push(line);
        }
        at = end + 1;
    }
    document(text, &lines, spans);
}

/// The same in one document: the lines around each `kind: Secret`, as far as they belong to its mapping.
fn document(text: Haystack<'_>, lines: &[YamlLine], spans: &mut Spans) {
    let mut done = 0;
    for (number, line) in lines.iter().enumerate() {
        let is_kind = line.pair(text).is_some_and(|(name, value)| {
            name == b"kind" && matches!(text.slice(value), b"Secret" | b"\"Secret\"" | b"'Secret'")
        });
        if number < done || !is_kind {
            continue;
        }
        let column = line.column;
        let is_inside =
            |line: &&YamlLine| line.column > column || (line.column == column && !line.is_element);
        let before = lines.get(done..=number).unwrap_or_default();
        let mut first = number - before.iter().rev().skip(1).take_while(is_inside).count();
        // The first line of an element.
        let is_first = |line: &YamlLine| line.column == column && line.is_element;
        if line.is_element {
            first = number;
        } else if first > done && lines.get(first - 1).is_some_and(is_first) {
            first -= 1;
        }
        let behind = lines.get(number + 1..).unwrap_or_default();
        done = number + 1 + behind.iter().take_while(is_inside).count();
        mapping(text, column, lines.get(first..done).unwrap_or_default(), spans);
    }
}

/// The values under `data` of a mapping.
fn mapping(text: Haystack<'_>, column: usize, lines: &[YamlLine], spans: &mut Spans) {
    let mut is_in = false;
    // A text of several lines: the column of its name, and where it is.
    let mut block: Option<(usize, Range<usize>)> = None;
    let mut add = |value: Range<usize>| {
        let bytes = text.slice(value.clone());
        let is_around = |byte: &u8| matches!(byte, b'"' | b'\'');
        let start = value.start + usize::from(bytes.first().is_some_and(is_around));
        let end = value.end - usize::from(bytes.len() > 1 && bytes.last().is_some_and(is_around));
        if start < end && is_given(text.slice(start..end)) {
            spans.push(start..end);
        }
    };
    for line in lines {
        if let Some((name, lines)) = &mut block {
            if line.column > *name {
                let start = if lines.end == 0 { line.content.start } else { lines.start };
                *lines = start..line.content.end;
                continue;
            }
            add(lines.clone());
            block = None;
        }
        let Some((name, value)) = line.pair(text) else { continue };
        if line.column == column {
            is_in = is_data(name);
            let bytes = text.slice(value.clone());
            if is_in && bytes.starts_with(b"{") {
                let mut start = value.start + 1;
                for piece in text.slice(start..value.end).split(|byte| matches!(byte, b',' | b'}'))
                {
                    if let Some(colon) = memchr::memchr(b':', piece) {
                        let given = piece.get(colon + 1..).unwrap_or_default();
                        let blanks = given.len() - given.trim_ascii_start().len();
                        let from = start + colon + 1 + blanks;
                        add(from..from + given.trim_ascii().len());
                    }
                    start += piece.len() + 1;
                }
            }
        } else if is_in {
            match text.slice(value.clone()).first() {
                Some(b'|' | b'>') | None => block = Some((line.column, 0..0)),
                _ => add(value),
            }
        }
    }
    if let Some((_, lines)) = block {
        add(lines);
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        let at = memchr::memmem::find(text.as_bytes(), b"kind").unwrap_or_default();
        manifests(Haystack::new(text.as_bytes()), at, &mut spans);
        spans.into_iter().filter_map(|span| text.get(span)).collect()
    }

    #[test]
    fn the_data_of_a_secret_is_found_in_any_order_and_no_other() {
        let yaml =
            "kind: Secret\ndata:\n  a: \"YWJj\"\n  b.c: ZGVm\n# d: x\nmetadata:\n  name: n\n";
        assert_eq!(found(yaml), ["YWJj", "ZGVm"]);
        let other = "data:\n  a: YWJj\nkind: Secret\n---\nkind: ConfigMap\ndata:\n  b: ZGVm\n";
        assert_eq!(found(other), ["YWJj"]);
        let text = "kind: Secret\nstringData:\n  f.yaml: |\n    user: bob\n    word: abc\n  g: {{ .Values.g }}\n  h:\n    YWJj\n";
        assert_eq!(found(text), ["user: bob\n    word: abc", "YWJj"]);
        let list = "items:\n- kind: Secret\n  data:\n    a: YWJj\n- kind: ConfigMap\n  data:\n    b: ZGVm\n- data: {c: Z2hp}\n  kind: Secret\n";
        assert_eq!(found(list), ["YWJj", "Z2hp"]);
        assert_eq!(found("    12\tkind: Secret\n    13\tdata:\n    14\t  a: YWJj\n"), ["YWJj"]);
        assert_eq!(found("kind: SecretStore\ndata:\n  a: YWJj\n"), Vec::<&str>::new());
        let json = r#"{"a":{"data":{"b":"YWJj"},"kind":"Secret"},"data":{"c":"ZGVm"},"stringData":{"d":"x"}}"#;
        assert_eq!(found(json), ["YWJj"]);
        let within = r#"{\"kind\": \"Secret\", \"metadata\": {\"name\": \"n\"}, \"data\": {\"b\": \"YWJj\"}}"#;
        assert_eq!(found(within), ["YWJj"]);
    }
}
