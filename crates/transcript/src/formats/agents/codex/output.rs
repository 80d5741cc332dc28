//! The results of Codex's calls: texts, texts with a header, JSON in texts, arrays, objects.

use super::contents::{CodexContent, contents};
use crate::formats::agents::arguments::inner_object;
use crate::formats::agents::logged_call::{AgentResult, LoggedStatus};
use crate::formats::fields::{number, of_kind, pick, raw, string, token};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::escape;
use apex_parts_model::{Kind, View};

/// The beginnings of the lines that give the exit code in the header of an output.
const EXITS: [&str; 2] = ["Exit code: ", "Process exited with code "];

/// The result that the `output` of an item is.
pub(crate) fn output_result(output: Option<Node<'_>>, json: &str, end: f64) -> AgentResult {
    let mut result = AgentResult { end, ..AgentResult::default() };
    match output {
        Some(output) if output.kind() == Kind::Object => {
            let [inner, success] = pick(output, ["content", "success"]);
            match inner {
                Some(inner) => content(&mut result, inner, json),
                None => escape(&mut result.text, raw(output, json)),
            }
            if of_kind(success, Kind::False).is_some() {
                result.status = LoggedStatus::Failed;
            }
        }
        Some(output) => content(&mut result, output, json),
        None => {}
    }
    if is_aborted(&result.text) {
        result.status = LoggedStatus::Aborted;
    }
    result
}

/// Does an output say, and nothing else, that the user ended the call?
fn is_aborted(text: &str) -> bool {
    let after = text.trim().strip_prefix("aborted by user after ");
    let seconds = after.and_then(|after| after.strip_suffix('s'));
    seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok_and(f64::is_finite))
}

/// What a tool search found.
pub(crate) fn search_result(item: Node<'_>, json: &str, end: f64) -> AgentResult {
    let [tools, status] = pick(item, ["tools", "status"]);
    let mut result = AgentResult { end, ..AgentResult::default() };
    if let Some(tools) = tools {
        escape(&mut result.text, raw(tools, json));
    }
    fail_by(status, &mut result);
    result
}

fn content(result: &mut AgentResult, content: Node<'_>, json: &str) {
    match content.kind() {
        kind if kind.is_nullish() => {}
        Kind::Array => list(result, content, json),
        kind if kind.is_string() => {
            let text = content.str().unwrap_or_default();
            if !wrapped(result, &text) {
                token(content, json).clone_into(&mut result.text);
                result.exit = exit_of(&text);
            }
        }
        _ => escape(&mut result.text, raw(content, json)),
    }
}

fn list(result: &mut AgentResult, content: Node<'_>, json: &str) {
    let mut is_first = true;
    for item in contents(Some(content), json) {
        match item {
            CodexContent::Text { raw, .. } => {
                if !std::mem::take(&mut is_first) {
                    result.text.push_str("\\n");
                }
                result.text.push_str(raw);
            }
            CodexContent::Image(file) => result.attachments.push(file),
            CodexContent::Other(part) => result.others.push(part),
        }
    }
    let text = apex_parts_json::tape::unescape(result.text.as_bytes());
    result.exit = exit_of(&text);
}

/// Reads a text that is `{output, metadata}` as JSON; false if it is none.
fn wrapped(result: &mut AgentResult, text: &str) -> bool {
    let Some(inner) = inner_object(text) else { return false };
    let mut tape = Tape::default();
    if tape.read(inner.as_bytes(), 0).is_err() {
        return false;
    }
    let [output, metadata] = pick(tape.root(inner.as_bytes()), ["output", "metadata"]);
    let (Some(output), Some(metadata)) = (output, of_kind(metadata, Kind::Object)) else {
        return false;
    };
    if !output.kind().is_string() {
        return false;
    }
    token(output, inner).clone_into(&mut result.text);
    for (key, value) in metadata.fields() {
        let Some(name) = key.raw() else { continue };
        let name = apex_parts_json::tape::unescape(name);
        result.metadata.push(((&*name).into(), raw(value, inner).to_owned()));
        if name == "exit_code" {
            result.exit = integer(Some(value));
        }
    }
    true
}

/// The error of an item that says that it failed.
pub(crate) fn fail_by(status: Option<Node<'_>>, result: &mut AgentResult) {
    if string(status).is_some_and(|status| status == "failed") {
        result.status = LoggedStatus::Failed;
        "failed".clone_into(&mut result.text);
    }
}

/// An exit code: a whole number.
pub(crate) fn integer(value: Option<Node<'_>>) -> Option<i64> {
    const LIMIT: f64 = 9_007_199_254_740_991.0;
    let code = number(value).filter(|code| code.fract() == 0.0 && code.abs() <= LIMIT)?;
    #[allow(clippy::cast_possible_truncation)] // checked above
    Some(code as i64)
}

/// The exit code in the header of an output, which ends before the line `Output:`.
fn exit_of(text: &str) -> Option<i64> {
    let header = text.lines().take_while(|line| !line.starts_with("Output:"));
    header.into_iter().find_map(|line| {
        let code = EXITS.iter().find_map(|exit| line.strip_prefix(exit))?;
        code.trim_end().parse().ok()
    })
}
