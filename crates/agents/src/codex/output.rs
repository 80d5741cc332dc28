//! The results of Codex's calls: texts, texts with a header, JSON in texts, arrays, objects.

use super::contents::{CodexContent, contents};
use crate::arguments::inner_object;
use crate::fields::{get, number, of_kind, pick, raw, string, token};
use crate::log::SharedText;
use crate::log::log_call::{LogResult, LogStatus};
use crate::prepared_search::PreparedSearch;
use apex_parts_json::float;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::escape;
use apex_parts_model::{Kind, View};
use std::borrow::Cow;

/// The beginnings of the lines that give the exit code in the header of an output.
const EXITS: [&str; 2] = ["Exit code: ", "Process exited with code "];

/// The result that the `output` of an item is.
pub(crate) fn output_result(output: Option<Node<'_>>, json: &str, end: f64) -> LogResult {
    let mut result = LogResult { end, ..LogResult::default() };
    match output {
        Some(output) if output.kind() == Kind::Object => {
            let [inner, success] = pick(output, ["content", "success"]);
            match inner {
                Some(inner) => content(&mut result, inner, json),
                None => result.text = escaped(raw(output, json)),
            }
            if of_kind(success, Kind::False).is_some() {
                result.status = LogStatus::Failed;
            }
        }
        Some(output) => content(&mut result, output, json),
        None => {}
    }
    if is_aborted(&result.text) {
        result.status = LogStatus::Aborted;
    } else if is_unsupported(&result.text) {
        result.status = LogStatus::Failed;
    }
    result
}

/// The thread of the agent that a call has started, as its output says: `{"agent_id": …}`, an object or as text.
pub(crate) fn agent_in(output: Option<Node<'_>>, json: &str) -> Option<String> {
    let of = |root| string(get(Some(root), "agent_id")).map(Cow::into_owned);
    let output = output?;
    if output.kind() == Kind::Object {
        return of(output);
    }
    let raw = token(output, json);
    // Its name could be written with escapes too.
    if !may_be_object(raw) || !(AGENT_ID.is_in(raw) || ESCAPED_ASCII.is_in(raw)) {
        return None;
    }
    let text = string(Some(output))?;
    let mut tape = Tape::default();
    tape.read(text.as_bytes(), 0).ok()?;
    of(tape.root_of(&text))
}

/// Does an output say, and nothing else, that there is no such tool?
fn is_unsupported(text: &str) -> bool {
    let name = text.trim().strip_prefix("unsupported call: ");
    name.is_some_and(|name| !name.is_empty() && !name.contains([' ', '\\']))
}

/// Does an output say, and nothing else, that the user ended the call?
fn is_aborted(text: &str) -> bool {
    let after = text.trim().strip_prefix("aborted by user after ");
    let seconds = after.and_then(|after| after.strip_suffix('s'));
    seconds.and_then(float::parse).is_some_and(f64::is_finite)
}

/// What a tool search found.
pub(crate) fn search_result(item: Node<'_>, json: &str, end: f64) -> LogResult {
    let [tools, status] = pick(item, ["tools", "status"]);
    let mut result = LogResult { end, ..LogResult::default() };
    if let Some(tools) = tools {
        result.text = escaped(raw(tools, json));
    }
    fail_by(status, &mut result);
    result
}

fn content(result: &mut LogResult, content: Node<'_>, json: &str) {
    match content.kind() {
        kind if kind.is_nullish() => {}
        Kind::Array => list(result, content, json),
        kind if kind.is_string() => {
            let raw = token(content, json);
            if !(may_be_object(raw) && wrapped(result, &content.str().unwrap_or_default())) {
                result.exit = exit_of(raw);
                result.text = raw.into();
            }
        }
        _ => result.text = escaped(raw(content, json)),
    }
}

fn list(result: &mut LogResult, content: Node<'_>, json: &str) {
    let (mut all, mut is_first) = (String::new(), true);
    for item in contents(Some(content), json) {
        match item {
            CodexContent::Text { raw, .. } => {
                if !std::mem::take(&mut is_first) {
                    all.push_str("\\n");
                }
                all.push_str(raw);
            }
            CodexContent::Image(file) => result.attachments.push(file),
            CodexContent::Other(part) => result.others.push(part),
        }
    }
    result.exit = exit_of(&all);
    result.text = all.into();
}

/// Reads a text that is `{output, metadata}` as JSON; false if it is none.
fn wrapped(result: &mut LogResult, text: &str) -> bool {
    let Some(inner) = inner_object(text) else { return false };
    let mut tape = Tape::default();
    if tape.read(inner.as_bytes(), 0).is_err() {
        return false;
    }
    let [output, metadata] = pick(tape.root_of(inner), ["output", "metadata"]);
    let (Some(output), Some(metadata)) = (output, of_kind(metadata, Kind::Object)) else {
        return false;
    };
    if !output.kind().is_string() {
        return false;
    }
    result.text = token(output, inner).into();
    for (key, value) in metadata.fields() {
        let Some(name) = key.raw() else { continue };
        let name = apex_parts_json::tape::unescape(name);
        result.metadata.push((name.to_string().into(), raw(value, inner).into()));
        if name == "exit_code" {
            result.exit = integer(Some(value));
        }
    }
    true
}

/// The error of an item that says that it failed.
pub(crate) fn fail_by(status: Option<Node<'_>>, result: &mut LogResult) {
    if string(status).is_some_and(|status| status == "failed") {
        result.status = LogStatus::Failed;
        result.text = "failed".into();
    }
}

/// A text as the content of a JSON string.
fn escaped(text: &str) -> SharedText {
    let mut raw = String::new();
    escape(&mut raw, text);
    raw.into()
}

/// An exit code: a whole number.
pub(crate) fn integer(value: Option<Node<'_>>) -> Option<i64> {
    const LIMIT: f64 = 9_007_199_254_740_991.0;
    let code = number(value).filter(|code| code.fract() == 0.0 && code.abs() <= LIMIT)?;
    #[allow(clippy::cast_possible_truncation)] // checked above
    Some(code as i64)
}

/// How the escape of an ASCII character begins that needs none.
static ESCAPED_ASCII: PreparedSearch = PreparedSearch::new("\\u00");
static AGENT_ID: PreparedSearch = PreparedSearch::new("agent_id");
/// What both beginnings of a line with an exit code ([`EXITS`]) contain.
static CODE: PreparedSearch = PreparedSearch::new(" code");
/// The line that ends the header of an output, in a raw text.
static OUTPUT_LINE: PreparedSearch = PreparedSearch::new("\\nOutput:");

/// Can a raw text be that of a JSON object? Most begin with something else, and need not be unescaped to know.
fn may_be_object(raw: &str) -> bool {
    let mut rest = raw;
    loop {
        let next = ["\\n", "\\r", "\\t", " "].iter().find_map(|space| rest.strip_prefix(space));
        match next {
            Some(next) => rest = next,
            None => return rest.starts_with('{') || rest.starts_with("\\u"),
        }
    }
}

/// The raw text before the first line `Output:`; all of it if there is none, or if that line is written with escapes.
fn header_of(raw: &str) -> &str {
    for at in OUTPUT_LINE.places(raw) {
        let before = raw.get(..at).unwrap_or_default();
        // After an escaped backslash, `\n` is not a line break.
        if before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0 {
            return before;
        }
    }
    raw
}

/// The exit code in the header of a raw output, which ends before the line `Output:`.
fn exit_of(raw: &str) -> Option<i64> {
    let raw = header_of(raw);
    if !CODE.is_in(raw) && !ESCAPED_ASCII.is_in(raw) {
        return None;
    }
    exit_in(raw)
}

/// The same without a look at the raw text first.
fn exit_in(raw: &str) -> Option<i64> {
    let text = apex_parts_json::tape::unescape(raw.as_bytes());
    let header = text.lines().take_while(|line| !line.starts_with("Output:"));
    header.into_iter().find_map(|line| {
        let code = EXITS.iter().find_map(|exit| line.strip_prefix(exit))?;
        code.trim_end().parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use apex_parts_json::tape::unescape;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_exit_code_is_read_as_from_the_whole_text(pieces in prop::collection::vec(
            prop::sample::select(vec![
                "Exit code: ", "Process exited with code ", "7", "-1", "Output:", "\\n", "\\\\", "\\r", " ",
                "\\u000a", "\\u0045xit code: 3", "nOutput:", "x", "é", "\\u001b[0m",
            ]),
            0..12,
        )) {
            let raw = pieces.concat();
            prop_assert_eq!(exit_of(&raw), exit_in(&raw), "{}", raw);
        }

        #[test]
        fn what_cannot_be_an_object_is_none(pieces in prop::collection::vec(
            prop::sample::select(vec!["{}", "{", " ", "\\n", "\\t", "\\r", "\\u0020", "\\u007b", "x", "\\\"a\\\":1", "}"]),
            0..6,
        )) {
            let raw = pieces.concat();
            let is_object = inner_object(&unescape(raw.as_bytes())).is_some();
            prop_assert!(!is_object || may_be_object(&raw), "{}", raw);
        }
    }
}
