//! The pieces that the blocks of Claude Code's messages become: texts, reasoning, files, custom parts, calls and
//! their results.

use super::line::{CallPiece, LinePart, LinePiece, ResultPiece, TaskCall, UserLine, UserSaid};
use super::tags::{TaggedText, tagged};
use crate::formats::builder::{TokenCounts, raw_string};
use crate::formats::fields::{get, is_true, items, number, of_kind, pick, raw, string, token};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{escape, object};
use apex_parts_model::{Kind, View};
use std::rc::Rc;

/// The tools that start a sub-agent.
const TASK_TOOLS: [&str; 2] = ["Task", "Agent"];

/// The tag of a result whose output is in a file of its own.
const PERSISTED: &str = "<persisted-output>";
/// What stands before the path of that file.
const SAVED_TO: &str = "saved to: ";

/// What a line says apart from its message.
#[derive(Clone, Copy)]
pub(super) struct LineExtras<'a> {
    pub(super) json: &'a str,
    /// What the tool returned, for the first result.
    pub(super) outcome: Option<Node<'a>>,
}

/// The fields of an object, without its braces.
fn fields(fill: impl FnOnce(&mut apex_parts_json::writer::ObjectWriter<'_>)) -> Rc<str> {
    let mut out = String::new();
    object(&mut out, fill);
    out.get(1..out.len().saturating_sub(1)).unwrap_or_default().into()
}

/// A text (raw).
fn text_part(raw: &str, is_synthetic: bool) -> LinePart {
    LinePart {
        kind: "text".into(),
        fields: fields(|part| raw_string(part.key("text"), raw)),
        is_synthetic,
        has_time: true,
    }
}

impl UserLine {
    /// Reads what a user's line has, or the prompt of one that waited.
    pub(super) fn read(&mut self, content: Option<Node<'_>>, mut extras: LineExtras<'_>) {
        let is_own = self.is_synthetic || self.is_summary;
        let is_text = |block: &Node<'_>| get(Some(*block), "text").is_some();
        let is_whole = content.is_some_and(|c| c.kind().is_string())
            || items(content).filter(|b| !is_result(*b)).map(|b| is_text(&b)).eq([true]);
        if let Some(text) = content.filter(|c| c.kind().is_string()) {
            self.text(text, extras.json, is_own, is_whole);
            return;
        }
        for block in items(content) {
            if is_result(block) {
                self.pieces.push(LinePiece::Result(result(block, extras)));
                extras.outcome = None;
            } else if let Some(text) =
                get(Some(block), "text").filter(|_| kind_of(block).as_ref() == "text")
            {
                self.text(text, extras.json, is_own, is_whole);
            } else {
                self.pieces.push(LinePiece::Part(other_part(block, extras.json)));
            }
        }
    }

    /// Adds a text; `is_whole` says that the line has no other one.
    fn text(&mut self, text: Node<'_>, json: &str, is_own: bool, is_whole: bool) {
        let raw = token(text, json);
        // Most texts have no tag, and are not unescaped for one.
        let begins = raw.trim_start().trim_start_matches("\\n").trim_start();
        let may_be_tagged = begins.starts_with(['<', '[', '\\']) && !is_own;
        let said = if may_be_tagged { text.str() } else { None };
        let part = match said.as_deref().map_or(TaggedText::Plain, tagged) {
            TaggedText::Plain => text_part(raw, is_own),
            TaggedText::Interruption if is_whole => {
                self.said = UserSaid::Interruption;
                text_part(raw, false)
            }
            TaggedText::Command(command) if is_whole => {
                self.said = UserSaid::Command;
                LinePart {
                    kind: "text".into(),
                    fields: fields(|part| {
                        part.string("text", &command.text()).object("metadata", |metadata| {
                            metadata.string("command", command.name);
                        });
                    }),
                    is_synthetic: false,
                    has_time: true,
                }
            }
            TaggedText::Own(said) => {
                if is_whole {
                    self.said = said;
                }
                text_part(raw, true)
            }
            TaggedText::Interruption | TaggedText::Command(_) => text_part(raw, false),
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
pub(super) fn answer_pieces(
    content: Option<Node<'_>>,
    json: &str,
    is_synthetic: bool,
) -> Vec<LinePiece> {
    if let Some(text) = content.filter(|c| c.kind().is_string()) {
        return vec![LinePiece::Part(text_part(token(text, json), is_synthetic))];
    }
    items(content).map(|block| answer_piece(block, json, is_synthetic)).collect()
}

fn answer_piece(block: Node<'_>, json: &str, is_synthetic: bool) -> LinePiece {
    let names = ["type", "text", "thinking", "signature", "data", "id", "name", "input"];
    let [kind, said, thinking, signature, data, id, name, input] = pick(block, names);
    match &*string(kind).unwrap_or_default() {
        "text" => {
            let raw = said.map_or("", |text| token(text, json));
            LinePiece::Part(text_part(raw, is_synthetic))
        }
        "thinking" | "redacted_thinking" => {
            let raw_text = thinking.map_or("", |text| token(text, json));
            let about = [("signature", signature), ("redacted", data)];
            let about = about.iter().find(|(_, value)| of_kind(*value, Kind::String).is_some());
            let fields = fields(|part| {
                raw_string(part.key("text"), raw_text);
                if let Some((name, Some(value))) = about {
                    part.object("metadata", |metadata| {
                        metadata.key(name).push_str(raw(*value, json));
                    });
                }
            });
            LinePiece::Part(LinePart {
                kind: "reasoning".into(),
                fields,
                is_synthetic: false,
                has_time: true,
            })
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
            LinePiece::Result(result(block, LineExtras { json, outcome: None }))
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
fn other_part(block: Node<'_>, json: &str) -> LinePart {
    file_part(block, json).unwrap_or_else(|| LinePart {
        kind: format!("claude-{}", kind_of(block)).into(),
        fields: fields(|part| part.key("block").push_str(raw(block, json))),
        is_synthetic: false,
        has_time: false,
    })
}

/// The file part of an `image` or a `document`; `None` for other blocks.
fn file_part(block: Node<'_>, json: &str) -> Option<LinePart> {
    let [kind, source, title] = pick(block, ["type", "source", "title"]);
    let kind = string(kind).filter(|kind| matches!(&**kind, "image" | "document"))?;
    let [mime, data, url] = pick(source?, ["media_type", "data", "url"]);
    let mime = string(mime)
        .unwrap_or_else(|| (if kind == "image" { "image/png" } else { "application/pdf" }).into());
    let [data, url] = [data, url].map(|value| value.filter(|v| v.kind() == Kind::String));
    if data.is_none() && url.is_none() {
        return None;
    }
    let is_base64 = string(get(source, "type")).is_none_or(|kind| kind == "base64");
    let fields = fields(|part| {
        part.string("mime", &mime);
        if let Some(title) = string(title) {
            part.string("filename", &title);
        }
        let out = part.key("url");
        out.push('"');
        match (data, url) {
            (Some(data), _) => {
                out.push_str("data:");
                escape(out, &mime);
                out.push_str(if is_base64 { ";base64," } else { "," });
                out.push_str(token(data, json));
            }
            (None, Some(url)) => out.push_str(token(url, json)),
            (None, None) => {}
        }
        out.push('"');
    });
    Some(LinePart { kind: "file".into(), fields, is_synthetic: false, has_time: false })
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
    let mut metadata: Vec<(&'static str, Rc<str>)> = Vec::new();
    let of_kept = get(extras.outcome, "persistedOutputPath");
    if output.trim_start().starts_with(PERSISTED) {
        let path = of_kept.filter(|path| path.kind().is_string()).map(|path| token(path, json));
        let path = path.filter(|path| !path.is_empty()).or_else(|| path_in(&output));
        if let Some(path) = path {
            metadata.push(("outputPath", format!("\"{path}\"").into()));
        }
        metadata.push(("truncated", "true".into()));
    }
    if let Some(outcome) = extras.outcome {
        metadata.push(("toolUseResult", raw(outcome, json).into()));
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
pub(super) fn tokens(usage: Node<'_>) -> TokenCounts {
    let names =
        ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    let [input, output, read, write] = pick(usage, names).map(|count| number(count).unwrap_or(0.0));
    TokenCounts { input, output, reasoning: 0.0, read, write, total: None }
}
