//! The parts that the blocks of Claude Code's messages become: reasoning, files, custom parts and tool
//! results.

use crate::json::tape::Node;
use crate::json::writer::{escape, object};
use crate::model::{Kind, View};
use crate::transcript::formats::builder;
use crate::transcript::formats::builder::{TokenCounts, text_part};
use crate::transcript::formats::conversation::PendingResult;
use crate::transcript::formats::fields::{get, items, number, of_kind, pick, raw, string, token};

/// A line of the file.
pub(crate) struct ClaudeLine<'a> {
    pub(crate) json: &'a str,
    pub(crate) root: Node<'a>,
    /// Its `uuid`, or a name with its offset.
    pub(crate) id: String,
    /// Its time.
    pub(crate) at: f64,
    /// The index of its session.
    pub(crate) session: usize,
    pub(crate) offset: u64,
}

/// The file part of an `image` or a `document`; `None` for other blocks.
pub(crate) fn file_part(
    id: &str,
    session: &str,
    message: &str,
    block: Node<'_>,
    json: &str,
) -> Option<String> {
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
    let mut out = String::new();
    object(&mut out, |part| {
        builder::base(part, id, session, message, "file");
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
    Some(out)
}

/// The custom part that keeps a block for which the model has no part type (`place`: the ids of session,
/// message and part).
pub(crate) fn custom_part(
    place: (&str, &str, &str),
    block: Node<'_>,
    kind: &str,
    json: &str,
) -> String {
    let (session, message, id) = place;
    let mut out = String::new();
    object(&mut out, |part| {
        builder::base(part, id, session, message, &format!("claude-{kind}"));
        part.key("block").push_str(raw(block, json));
    });
    out
}

/// The reasoning part of a `thinking` block. The first string of `about` becomes its metadata.
pub(crate) fn reasoning_part(
    place: (&str, &str, &str),
    raw_text: &str,
    about: [(&'static str, Option<Node<'_>>); 2],
    line: &ClaudeLine<'_>,
) -> String {
    let (session, message, id) = place;
    text_part(
        |part| builder::base(part, id, session, message, "reasoning"),
        raw_text,
        |part| {
            let of = about.iter().find(|(_, value)| of_kind(*value, Kind::String).is_some());
            if let Some((name, Some(value))) = of {
                part.object("metadata", |metadata| {
                    metadata.key(name).push_str(raw(*value, line.json));
                });
            }
            builder::time(part, line.at, Some(line.at));
        },
    )
}

/// Writes the content of a tool's result: its texts, joined by line breaks, and its images as attachments
/// of the part (`place`: the ids of session, message and part).
pub(crate) fn result_content(
    content: Option<Node<'_>>,
    json: &str,
    place: (&str, &str, &str),
    result: &mut PendingResult,
) {
    let Some(content) = content.filter(|c| !c.kind().is_nullish()) else { return };
    if content.kind().is_string() {
        token(content, json).clone_into(&mut result.output);
        return;
    }
    if content.kind() != Kind::Array {
        escape(&mut result.output, raw(content, json));
        return;
    }
    let (session, message, part) = place;
    let mut files = 0;
    for block in items(Some(content)) {
        if let Some(text) = get(Some(block), "text").filter(|text| text.kind().is_string()) {
            line(&mut result.output);
            result.output.push_str(token(text, json));
            continue;
        }
        let id = format!("{part}_{}", files + 1);
        if let Some(file) = file_part(&id, session, message, block, json) {
            files += 1;
            result.attachments.push_str(if files == 1 { "[" } else { "," });
            result.attachments.push_str(&file);
        } else {
            line(&mut result.output);
            escape(&mut result.output, raw(block, json));
        }
    }
    if files > 0 {
        result.attachments.push(']');
    }
}

/// The tokens of Anthropic's `usage`. `input_tokens` does not include those of the cache; `output_tokens`
/// includes those of reasoning, which are not counted apart.
pub(crate) fn tokens(usage: Node<'_>) -> TokenCounts {
    let names =
        ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    let [input, output, read, write] = pick(usage, names).map(|count| number(count).unwrap_or(0.0));
    TokenCounts { input, output, reasoning: 0.0, read, write, total: None }
}

fn line(output: &mut String) {
    if !output.is_empty() {
        output.push_str("\\n");
    }
}
