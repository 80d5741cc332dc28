//! Messages as one HTML page that loads nothing and executes nothing: no script, an inline style, and a
//! content security policy that forbids everything else.

use crate::html::markdown::{is_bitmap, is_safe_link, write_markdown};
use crate::output::BoundedOutput;
use crate::text;
use crate::text::{each_part, expect_message, text_of};
use apex_parts_model::ansi::{Style, styled};
use apex_parts_model::{Error, Key, Kind, View, Word};

const CSS: &str = include_str!("page.css");

/// The page's content security policy: inline styles and `data:` images only.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

/// Writes the beginning of the page: its title, and facts about the transcript as a list.
///
/// # Errors
/// `PartValidationError` (`limit`) if it is too long.
pub fn page_head(title: &str, facts: &[String], out: &mut String) -> Result<(), Error> {
    let mut whole = BoundedOutput::new(out);
    let out = &mut whole;
    out.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    push(out, &["<meta http-equiv=\"Content-Security-Policy\" content=\"", POLICY, "\">\n"]);
    out.push_str("<meta name=\"referrer\" content=\"no-referrer\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    element("title", "", title, out);
    push(out, &["\n<style>\n", CSS, "</style>\n</head>\n<body>\n<main>\n"]);
    element("h1", "", title, out);
    out.push('\n');
    if !facts.is_empty() {
        out.push_str("<ul class=\"facts\">\n");
        for fact in facts {
            element("li", "", fact, out);
            out.push('\n');
        }
        out.push_str("</ul>\n");
    }
    whole.finish()
}

/// Writes the end of the page.
pub fn page_foot(out: &mut String) {
    out.push_str("</main>\n</body>\n</html>\n");
}

/// Writes a message with its parts for a page: texts as safe Markdown, reasoning and tool calls folded,
/// everything else escaped. `number` is shown in its heading and becomes its anchor `#mNUMBER`.
///
/// # Errors
/// `PartValidationError` if it is not a message with parts, or the page would be too long (`limit`).
///
/// ```
/// use apex_parts_convert::message_to_html;
/// let message = serde_json::json!({
///     "info": {"role": "user"},
///     "parts": [{"type": "text", "text": "*hi* <script>"}],
/// });
/// let mut out = String::new();
/// message_to_html(&Some(&message), None, &mut out)?;
/// assert!(out.contains("<p><em>hi</em> &lt;script&gt;</p>"));
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
pub fn message_to_html<V: View>(
    message: &V,
    number: Option<u32>,
    out: &mut String,
) -> Result<(), Error> {
    write(message, number, BoundedOutput::new(out))
}

fn write<V: View>(
    message: &V,
    number: Option<u32>,
    mut whole: BoundedOutput<'_>,
) -> Result<(), Error> {
    expect_message(message)?;
    let out = &mut whole;
    let info = message.get(Key::Info);
    let role = text::role(&info);
    push(out, &["<article class=\"", if role == "User" { "user" } else { "agent" }, "\""]);
    let number = number.map(|number| number.to_string());
    if let Some(number) = &number {
        push(out, &[" id=\"m", number, "\""]);
    }
    push(out, &[">\n<header><h2>", role, "</h2>"]);
    let model = text::model(&info);
    if !model.is_empty() {
        element("span", "", &model, out);
    }
    let created = info.get(Key::Time).get(Key::Created).number();
    if let (Some(iso), Some(moment)) = (text::iso(created), text::moment(created)) {
        push(out, &["<time datetime=\"", &iso, "\">", &moment, "</time>"]);
    }
    if let Some(number) = &number {
        push(out, &["<a href=\"#m", number, "\">#", number, "</a>"]);
    }
    out.push_str("</header>\n");
    each_part(message, &mut |kind, part| {
        self::part(kind, part, out);
        !out.is_full()
    });
    let error = text::error(&info.get(Key::Error));
    if !error.is_empty() {
        out.push_str("<div class=\"failed\"><h3>Error</h3>");
        element("p", "", &error, out);
        out.push_str("</div>\n");
    }
    out.push_str("</article>\n");
    whole.finish()
}

fn part<V: View>(kind: Option<Word>, part: &V, out: &mut BoundedOutput<'_>) {
    match kind {
        Some(Word::Text) => {
            let hidden = part.get(Key::Ignored).kind() == Kind::True;
            if hidden {
                out.push_str("<p class=\"note\">Not shown to the model:</p>\n");
            }
            markdown(if hidden { "md hidden" } else { "md" }, &text_of(part, Key::Text), out);
        }
        Some(Word::Reasoning) => reasoning(&text_of(part, Key::Text), out),
        Some(Word::Tool) => tool(part, out),
        Some(Word::StepStart | Word::Snapshot) => {}
        Some(Word::StepFinish) => {
            let facts = [text_of(part, Key::Reason), text::usage(part)];
            let facts: Vec<&str> =
                facts.iter().map(String::as_str).filter(|fact| !fact.is_empty()).collect();
            if !facts.is_empty() {
                element("p", "step", &facts.join(" · "), out);
                out.push('\n');
            }
        }
        Some(Word::File) => file(part, out),
        Some(Word::Subtask) => {
            out.push_str("<details open>\n<summary>Subtask ");
            element("b", "", &text_of(part, Key::Agent), out);
            out.push(' ');
            escape(&text_of(part, Key::Description), out);
            out.push_str("</summary>\n");
            markdown("md", &text_of(part, Key::Prompt), out);
            out.push_str("</details>\n");
        }
        Some(Word::Agent) => note("Agent: ", &text_of(part, Key::Name), out),
        Some(Word::Compaction) => {
            out.push_str("<p class=\"break\">What came before was summarised here</p>\n");
        }
        Some(Word::Retry) => note("Tried again: ", &text::error(&part.get(Key::Error)), out),
        Some(Word::Patch) => {
            out.push_str("<p class=\"note\">Files changed: ");
            let mut comma = "";
            part.get(Key::Files).each(10_000, &mut |_, file| {
                if let Some(file) = file.text() {
                    out.push_str(comma);
                    escape(&file, out);
                    comma = ", ";
                }
            });
            out.push_str("</p>\n");
        }
        _ => {
            out.push_str("<details>\n<summary>Part ");
            element("b", "", &text_of(part, Key::Type), out);
            out.push_str("</summary>\n");
            let json = text::json(part, out);
            element("pre", "", &json, out);
            out.push_str("\n</details>\n");
        }
    }
}

fn reasoning(text: &str, out: &mut BoundedOutput<'_>) {
    /// The most characters of the first line that are shown while the text is folded.
    const FIRST: usize = 100;
    let line = text.trim_start().lines().next().unwrap_or_default();
    let mut first: String = line.chars().take(FIRST).collect();
    if first.len() < text.trim().len() {
        first.push('…');
    }
    out.push_str("<details>\n<summary>Reasoning: ");
    escape(&first, out);
    out.push_str("</summary>\n");
    markdown("md", text, out);
    out.push_str("</details>\n");
}

fn tool<V: View>(part: &V, out: &mut BoundedOutput<'_>) {
    let state = part.get(Key::State);
    let outcome = text::summary_of_call(part, &state);
    // Only a known status becomes a class.
    push(out, &["<details class=\"", outcome.word, "\">\n<summary>"]);
    element("b", "", &text_of(part, Key::Tool), out);
    element("span", "state", &outcome.status, out);
    let title = text_of(&state, Key::Title);
    escape(&title, out);
    if let Some(duration) = text::duration(&state.get(Key::Time)) {
        push(out, &[if title.is_empty() { "" } else { " · " }, &duration]);
    }
    out.push_str("</summary>\n");
    let input = state.get(Key::Input);
    if !matches!(input.kind(), Kind::Missing | Kind::Null) {
        out.push_str("<h3>Input</h3>\n");
        fields(&input, out);
    }
    if let Some(text) = state.get(Key::Metadata).get(Key::Diff).text() {
        out.push_str("<h3>Changes</h3>\n");
        diff(&text, out);
    }
    if !outcome.heading.is_empty() {
        push(out, &["<h3>", outcome.heading, "</h3>\n<pre>"]);
        terminal(&outcome.text, out);
        out.push_str("</pre>\n");
    }
    state.get(Key::Attachments).each(10_000, &mut |_, attachment| file(attachment, out));
    out.push_str("</details>\n");
}

/// Writes the input of a tool: texts as they are, everything else as JSON.
fn fields<V: View>(input: &V, out: &mut BoundedOutput<'_>) {
    /// An object with more fields is shown as JSON.
    const MOST: usize = 100;
    let (mut shown, mut length) = (Vec::new(), 0_usize);
    if input.kind() == Kind::Object {
        input.each_field(&mut |name, value| {
            if shown.len() <= MOST && !out.is_full() && value.kind() != Kind::Missing {
                let text = value.text().map(|text| text.into_owned());
                let text = text.unwrap_or_else(|| text::json(value, out));
                length = length.saturating_add(text.len());
                if !out.has_room(length) {
                    return out.give_up();
                }
                shown.push((name.to_owned(), text));
            }
        });
    }
    if shown.is_empty() || shown.len() > MOST {
        let json = text::json(input, out);
        element("pre", "", &json, out);
        out.push('\n');
        return;
    }
    out.push_str("<dl>\n");
    for (name, text) in shown {
        element("dt", "", &name, out);
        out.push_str("<dd>");
        element("pre", "", &text, out);
        out.push_str("</dd>\n");
    }
    out.push_str("</dl>\n");
}

/// Writes a unified diff, with a class for added and removed lines.
fn diff(text: &str, out: &mut BoundedOutput<'_>) {
    out.push_str("<pre>");
    for line in text.split_inclusive('\n') {
        let class = match line.as_bytes().first() {
            Some(b'+') => "ins",
            Some(b'-') => "del",
            Some(b'@') => "at",
            _ => {
                escape(line, out);
                continue;
            }
        };
        element("span", class, line, out);
    }
    out.push_str("</pre>\n");
}

/// Writes the output of a tool, with its terminal colours.
fn terminal(text: &str, out: &mut BoundedOutput<'_>) {
    // HTML drops a line feed directly after `<pre>`.
    out.push_str(if text.starts_with('\n') { "\n" } else { "" });
    styled(text, &mut |piece, Style { colour, bold }| {
        let colour = colour.map(|colour| format!("a{colour}"));
        let class = match (colour, bold) {
            (None, false) => return escape(piece, out),
            (None, true) => "bold".to_owned(),
            (Some(colour), false) => colour,
            (Some(colour), true) => format!("{colour} bold"),
        };
        element("span", &class, piece, out);
    });
}

fn file<V: View>(part: &V, out: &mut BoundedOutput<'_>) {
    let (name, mime) = (text_of(part, Key::Filename), text_of(part, Key::Mime));
    let url = text_of(part, Key::Url);
    let name = if name.is_empty() { "unnamed file" } else { &name };
    out.push_str("<figure>");
    if is_bitmap(&url) {
        out.push_str("<img src=\"");
        escape(&url, out);
        out.push_str("\" alt=\"");
        escape(name, out);
        out.push_str("\">");
    }
    out.push_str("<figcaption>");
    if !url.starts_with('#') && is_safe_link(&url) {
        out.push_str("<a rel=\"noopener noreferrer\" href=\"");
        escape(&url, out);
        out.push_str("\">");
        escape(name, out);
        out.push_str("</a>");
    } else {
        escape(name, out);
    }
    if !mime.is_empty() {
        out.push_str(" · ");
        escape(&mime, out);
    }
    out.push_str("</figcaption></figure>\n");
}

fn note(label: &str, text: &str, out: &mut BoundedOutput<'_>) {
    push(out, &["<p class=\"note\">", label]);
    escape(text, out);
    out.push_str("</p>\n");
}

fn markdown(class: &str, text: &str, out: &mut BoundedOutput<'_>) {
    push(out, &["<div class=\"", class, "\">\n"]);
    if text.contains('\0') {
        write_markdown(&text.replace('\0', "\u{fffd}"), out);
    } else {
        write_markdown(text, out);
    }
    out.push_str("</div>\n");
}

/// Writes an element with text in it.
#[inline(never)] // it has many callers
fn element(name: &str, class: &str, text: &str, out: &mut BoundedOutput<'_>) {
    push(out, &["<", name]);
    if !class.is_empty() {
        push(out, &[" class=\"", class, "\""]);
    }
    out.push('>');
    if name == "pre" && text.starts_with('\n') {
        out.push('\n');
    }
    escape(text, out);
    push(out, &["</", name, ">"]);
}

#[inline(never)] // it has many callers
fn push(out: &mut BoundedOutput<'_>, pieces: &[&str]) {
    for piece in pieces {
        out.push_str(piece);
    }
}

/// Writes text escaped for HTML, also for attribute values in quotes.
fn escape(text: &str, out: &mut BoundedOutput<'_>) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'', '\0']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        out.push_str(match from.bytes().next() {
            Some(b'&') => "&amp;",
            Some(b'<') => "&lt;",
            Some(b'>') => "&gt;",
            Some(b'"') => "&quot;",
            Some(b'\'') => "&#39;",
            _ => "\u{fffd}",
        });
        rest = from.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests;
