//! The pieces that the blocks of Claude Code's messages become: texts, reasoning, files, custom parts, calls and
//! their results.

use super::line::{CallPiece, LinePiece, ResultPiece, TaskCall, UserLine, UserSaid};
use super::tags::{TaggedText, tagged};
use crate::fields::{get, is_true, items, number, of_kind, pick, raw, string, token};
use crate::log::log_part::{LogFields, LogPart};
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::Node;
use apex_parts_json::writer::escape;
use apex_parts_model::{Kind, View};

/// The tools that start a sub-agent.
const TASK_TOOLS: [&str; 2] = ["Task", "Agent"];

/// The tag of a result whose output is in a file of its own.
const PERSISTED: &str = "<persisted-output>";
/// What stands before the path of that file.
const SAVED_TO: &str = "saved to: ";

/// What a line says apart from its message.
#[derive(Clone, Copy)]
pub(crate) struct LineExtras<'a> {
    pub(crate) json: &'a str,
    pub(crate) at: f64,
    /// What the tool returned, for the first result.
    pub(crate) outcome: Option<Node<'a>>,
}

/// A text (raw).
fn text_part(raw: &str, at: f64, synthetic: bool) -> LogPart {
    LogPart { synthetic, ..LogPart::text(raw, at) }
}

impl UserLine {
    /// Reads what a user's line has, or the prompt of one that waited.
    pub(crate) fn read(&mut self, content: Option<Node<'_>>, mut extras: LineExtras<'_>) {
        let is_own = self.is_synthetic || self.is_summary;
        let is_text = |block: &Node<'_>| get(Some(*block), "text").is_some();
        let is_whole = content.is_some_and(|c| c.kind().is_string())
            || items(content).filter(|b| !is_result(*b)).map(|b| is_text(&b)).eq([true]);
        if let Some(text) = content.filter(|c| c.kind().is_string()) {
            self.text(text, extras, is_own, is_whole);
            return;
        }
        for block in items(content) {
            if is_result(block) {
                self.pieces.push(LinePiece::Result(result(block, extras)));
                extras.outcome = None;
            } else if let Some(text) =
                get(Some(block), "text").filter(|_| kind_of(block).as_ref() == "text")
            {
                self.text(text, extras, is_own, is_whole);
            } else {
                self.pieces.push(LinePiece::Part(other_part(block, extras.json)));
            }
        }
    }

    /// Adds a text; `is_whole` says that the line has no other one.
    fn text(&mut self, text: Node<'_>, extras: LineExtras<'_>, is_own: bool, is_whole: bool) {
        let LineExtras { json, at, .. } = extras;
        let raw = token(text, json);
        // Most texts have no tag, and are not unescaped for one.
        let begins = raw.trim_start().trim_start_matches("\\n").trim_start();
        let may_be_tagged = begins.starts_with(['<', '[', '\\']) && !is_own;
        let said = if may_be_tagged { text.str() } else { None };
        let part = match said.as_deref().map_or(TaggedText::Plain, tagged) {
            TaggedText::Plain => text_part(raw, at, is_own),
            TaggedText::Interruption if is_whole => {
                self.said = UserSaid::Interruption;
                text_part(raw, at, false)
            }
            TaggedText::Command(command) if is_whole => {
                self.said = UserSaid::Command;
                let part = LogPart::new("text", raw.len(), |part| {
                    part.string("text", &command.text()).object("metadata", |metadata| {
                        metadata.string("command", command.name);
                    });
                });
                LogPart { at: Some(at), ..part }
            }
            TaggedText::Own(said) => {
                if is_whole {
                    self.said = said;
                }
                text_part(raw, at, true)
            }
            TaggedText::Interruption | TaggedText::Command(_) => text_part(raw, at, false),
        };
        self.pieces.push(LinePiece::Part(part));
    }
}

fn kind_of(block: Node<'_>) -> std::borrow::Cow<'_, str> {
    string(get(Some(block), "type")).unwrap_or_default()
}

fn is_result(block: Node<'_>) -> bool {
    kind_of(block).ends_with("tool_result")
}

/// The pieces of an answer. `is_synthetic` says that the program wrote it.
pub(crate) fn answer_pieces(
    content: Option<Node<'_>>,
    json: &str,
    at: f64,
    is_synthetic: bool,
) -> Vec<LinePiece> {
    if let Some(text) = content.filter(|c| c.kind().is_string()) {
        return vec![LinePiece::Part(text_part(token(text, json), at, is_synthetic))];
    }
    items(content).map(|block| answer_piece(block, json, at, is_synthetic)).collect()
}

fn answer_piece(block: Node<'_>, json: &str, at: f64, is_synthetic: bool) -> LinePiece {
    let names = ["type", "text", "thinking", "signature", "data", "id", "name", "input"];
    let [kind, said, thinking, signature, data, id, name, input] = pick(block, names);
    match &*string(kind).unwrap_or_default() {
        "text" => {
            let raw = said.map_or("", |text| token(text, json));
            LinePiece::Part(text_part(raw, at, is_synthetic))
        }
        "thinking" | "redacted_thinking" => {
            let raw_text = thinking.map_or("", |text| token(text, json));
            let about = [("signature", signature), ("redacted", data)];
            let about = about.iter().find(|(_, value)| of_kind(*value, Kind::String).is_some());
            let field = |(name, value): &(&'static str, Option<Node<'_>>)| {
                Some(((*name).into(), raw((*value)?, json).into()))
            };
            let metadata = about.and_then(field).into_iter().collect();
            LinePiece::Part(LogPart::reasoning(raw_text, at, &metadata))
        }
        kind if kind.ends_with("tool_use") => {
            let tool = string(name).unwrap_or_default();
            LinePiece::Call(CallPiece {
                call_id: string(id).unwrap_or_default().into(),
                input: input.map_or("{}", |input| raw(input, json)).into(),
                is_of_provider: kind != "tool_use",
                task: TASK_TOOLS.contains(&&*tool).then(|| task(input)),
                tool: tool.into(),
            })
        }
        kind if kind.ends_with("tool_result") => {
            LinePiece::Result(result(block, LineExtras { json, at, outcome: None }))
        }
        _ => LinePiece::Part(other_part(block, json)),
    }
}

/// What a call that starts a sub-agent says of it.
fn task(input: Option<Node<'_>>) -> TaskCall {
    let names = ["prompt", "description", "subagent_type"];
    let texts = input.map_or([None; 3], |input| pick(input, names));
    let [prompt, description, agent] = texts.map(|text| string(text).unwrap_or_default().into());
    TaskCall { prompt, description, agent }
}

/// A file part, or a custom part for a block that the model does not have.
fn other_part(block: Node<'_>, json: &str) -> LogPart {
    file_part(block, json).unwrap_or_else(|| {
        LogPart::custom(format!("claude-{}", kind_of(block)), "block", raw(block, json))
    })
}

/// The file part of an `image` or a `document`; `None` for other blocks.
fn file_part(block: Node<'_>, json: &str) -> Option<LogPart> {
    let [kind, source, title] = pick(block, ["type", "source", "title"]);
    let kind = string(kind).filter(|kind| matches!(&**kind, "image" | "document"))?;
    let [mime, data, url, form] = pick(source?, ["media_type", "data", "url", "type"]);
    let mime = string(mime)
        .unwrap_or_else(|| (if kind == "image" { "image/png" } else { "application/pdf" }).into());
    let [data, url] = [data, url].map(|value| of_kind(value, Kind::String));
    let name = string(title).and(title).map(|title| token(title, json));
    if let Some(data) = data {
        let is_base64 = string(form).is_none_or(|form| form == "base64");
        return Some(match is_base64 {
            true => LogPart::file_of(token(data, json), &mime, name),
            false => {
                let mut raw_mime = String::new();
                escape(&mut raw_mime, &mime);
                LogPart::file(&mime, name, &["data:", &raw_mime, ",", token(data, json)])
            }
        });
    }
    url.map(|url| LogPart::file(&mime, name, &[token(url, json)]))
}

/// The result of a call: its texts, joined by line breaks, and its images as files.
fn result(block: Node<'_>, extras: LineExtras<'_>) -> ResultPiece {
    let json = extras.json;
    let [call_id, content, is_error] = pick(block, ["tool_use_id", "content", "is_error"]);
    let (mut output, mut files) = (String::new(), Vec::new());
    let content = content.filter(|content| !content.kind().is_nullish());
    match content.map(|content| (content, content.kind())) {
        None => {}
        Some((text, kind)) if kind.is_string() => token(text, json).clone_into(&mut output),
        Some((all, Kind::Array)) => {
            for block in all.children() {
                let text = get(Some(block), "text").filter(|text| text.kind().is_string());
                if let (None, Some(file)) = (text, file_part(block, json)) {
                    files.push(file);
                    continue;
                }
                if !output.is_empty() {
                    output.push_str("\\n");
                }
                match text {
                    Some(text) => output.push_str(token(text, json)),
                    None => escape(&mut output, raw(block, json)),
                }
            }
        }
        Some((other, _)) => escape(&mut output, raw(other, json)),
    }
    let mut metadata = LogFields::new();
    let of_kept = get(extras.outcome, "persistedOutputPath");
    if output.trim_start().starts_with(PERSISTED) {
        let path = of_kept.filter(|path| path.kind().is_string()).map(|path| token(path, json));
        let path = path.filter(|path| !path.is_empty()).or_else(|| path_in(&output));
        if let Some(path) = path {
            metadata.push(("outputPath".into(), format!("\"{path}\"").into()));
        }
        metadata.push(("truncated".into(), "true".into()));
    }
    if let Some(outcome) = extras.outcome {
        metadata.push(("toolUseResult".into(), raw(outcome, json).into()));
    }
    ResultPiece {
        call_id: string(call_id).unwrap_or_default().into(),
        is_error: is_true(is_error),
        output: output.into(),
        files,
        metadata,
        agent: string(get(extras.outcome, "agentId")).map(|agent| agent.as_ref().into()),
    }
}

/// The path that a text names as that of its output; both are raw.
fn path_in(output: &str) -> Option<&str> {
    let at = output.find(SAVED_TO)? + SAVED_TO.len();
    let path = output.get(at..)?;
    Some(path.split("\\n").next().unwrap_or(path).trim()).filter(|path| !path.is_empty())
}

/// The tokens of Anthropic's `usage`. `input_tokens` does not include those of the cache; `output_tokens`
/// includes those of reasoning, which are not counted apart.
pub(crate) fn tokens(usage: Node<'_>) -> TokenCounts {
    let names =
        ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    let [input, output, read, write] = pick(usage, names).map(|count| number(count).unwrap_or(0.0));
    TokenCounts { input, output, reasoning: 0.0, read, write, total: None }
}
