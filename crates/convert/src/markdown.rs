//! Messages as Markdown.

use crate::html::markdown::is_safe_link;
use crate::output::BoundedOutput;
use crate::text;
use crate::text::{each_part, expect_message, text_of};
use apex_parts_model::ansi::plain;
use apex_parts_model::{Error, Key, Kind, View, Word};

/// Writes the beginning of a document: its title, and facts about it as a list.
///
/// # Errors
/// `PartValidationError` (`limit`) if it is too long.
pub fn markdown_head(title: &str, facts: &[String], out: &mut String) -> Result<(), Error> {
    let mut out = BoundedOutput::new(out);
    out.push_str("# ");
    inline(title, &mut out);
    out.push('\n');
    if !facts.is_empty() {
        out.push('\n');
    }
    for fact in facts {
        out.push_str("- ");
        inline(fact, &mut out);
        out.push('\n');
    }
    out.finish()
}

/// Writes a message with its parts: a heading with role, model and time, then each part. `number` is shown
/// in the heading. Texts are written as they are, except that a code block is closed and raw HTML escaped
/// if it would otherwise swallow what follows.
///
/// # Errors
/// `PartValidationError` if it is not a message with parts, or the text would be too long (`limit`).
///
/// ```
/// use apex_parts_convert::message_to_markdown;
/// let message = serde_json::json!({
///     "info": {"role": "user", "time": {"created": 1_700_000_000_000_i64}},
///     "parts": [{"type": "text", "text": "hi"}],
/// });
/// let mut out = String::new();
/// message_to_markdown(&Some(&message), None, &mut out)?;
/// assert_eq!(out, "\n## User · 2023-11-14 22:13:20 UTC\n\nhi\n");
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
pub fn message_to_markdown<V: View>(
    message: &V,
    number: Option<u32>,
    out: &mut String,
) -> Result<(), Error> {
    write(message, number, BoundedOutput::new(out))
}

fn write<V: View>(
    message: &V,
    number: Option<u32>,
    mut out: BoundedOutput<'_>,
) -> Result<(), Error> {
    expect_message(message)?;
    let info = message.get(Key::Info);
    out.push_str("\n## ");
    if let Some(number) = number {
        out.push_str(&format!("{number}. "));
    }
    out.push_str(text::role(&info));
    let model = Some(text::model(&info)).filter(|model| !model.is_empty());
    let created = text::moment(info.get(Key::Time).get(Key::Created).number());
    for fact in model.into_iter().chain(created) {
        out.push_str(" · ");
        inline(&fact, &mut out);
    }
    out.push('\n');
    each_part(message, &mut |kind, part| {
        self::part(kind, part, &mut out);
        !out.is_full()
    });
    let error = text::error(&info.get(Key::Error));
    if !error.is_empty() {
        out.push_str("\n**Error**\n");
        fenced("", &error, &mut out);
    }
    out.finish()
}

fn part<V: View>(kind: Option<Word>, part: &V, out: &mut BoundedOutput<'_>) {
    match kind {
        Some(Word::Text) => {
            if part.get(Key::Ignored).kind() == Kind::True {
                out.push_str("\n*Not shown to the model:*\n");
            }
            text(&text_of(part, Key::Text), out);
        }
        Some(Word::Reasoning) => quote("Reasoning", &text_of(part, Key::Text), out),
        Some(Word::Tool) => tool(part, out),
        Some(Word::StepStart | Word::Snapshot) => {}
        Some(Word::StepFinish) => {
            let reason = text_of(part, Key::Reason);
            let usage = text::usage(part);
            let comma = if reason.is_empty() || usage.is_empty() { "" } else { ": " };
            line("Step", &[&reason, comma, &usage], out);
        }
        Some(Word::File) => file(part, out),
        Some(Word::Subtask) => {
            let about = text_of(part, Key::Description);
            line("Subtask", &[&text_of(part, Key::Agent), " · ", &about], out);
            quote("", &text_of(part, Key::Prompt), out);
        }
        Some(Word::Agent) => line("Agent", &[&text_of(part, Key::Name)], out),
        Some(Word::Compaction) => {
            out.push_str("\n---\n\n*What came before was summarised here.*\n")
        }
        Some(Word::Retry) => line("Retry", &[&text::error(&part.get(Key::Error))], out),
        Some(Word::Patch) => {
            line("Patch", &[], out);
            out.push('\n');
            part.get(Key::Files).each(10_000, &mut |_, file| {
                if let Some(file) = file.text() {
                    out.push_str("- ");
                    code(&file, out);
                    out.push('\n');
                }
            });
        }
        _ => {
            line("Part", &[&text_of(part, Key::Type)], out);
            let json = text::json(part, out);
            fenced("json", &json, out);
        }
    }
}

fn tool<V: View>(part: &V, out: &mut BoundedOutput<'_>) {
    let state = part.get(Key::State);
    let outcome = text::summary_of_call(part, &state);
    out.push_str("\n**Tool** ");
    code(&text_of(part, Key::Tool), out);
    let facts = [
        outcome.status,
        text::duration(&state.get(Key::Time)).unwrap_or_default(),
        text_of(&state, Key::Title),
    ];
    for fact in facts.iter().filter(|fact| !fact.is_empty()) {
        out.push_str(" · ");
        inline(fact, out);
    }
    out.push('\n');
    let input = state.get(Key::Input);
    if !matches!(input.kind(), Kind::Missing | Kind::Null) {
        out.push_str("\nInput:\n");
        let json = text::json(&input, out);
        fenced("json", &json, out);
    }
    if let Some(diff) = state.get(Key::Metadata).get(Key::Diff).text() {
        out.push_str("\nChanges:\n");
        fenced("diff", &diff, out);
    }
    if !outcome.heading.is_empty() {
        out.push_str(&format!("\n{}:\n", outcome.heading));
        fenced("", &plain(&outcome.text), out);
    }
    state.get(Key::Attachments).each(10_000, &mut |_, attachment| file(attachment, out));
}

fn file<V: View>(part: &V, out: &mut BoundedOutput<'_>) {
    let (name, mime) = (text_of(part, Key::Filename), text_of(part, Key::Mime));
    let url = text_of(part, Key::Url);
    let name = if name.is_empty() { "unnamed" } else { &name };
    out.push_str("\n**File** ");
    code(name, out);
    if !mime.is_empty() {
        out.push_str(" · ");
        inline(&mime, out);
    }
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && c != '<' && c != '>';
    if url.starts_with("data:") {
        out.push_str(&format!(" · {} bytes of text", url.len()));
    } else if is_safe_link(&url) && url.chars().all(is_plain) {
        out.push_str(" · <");
        out.push_str(&url);
        out.push('>');
    } else if !url.is_empty() {
        out.push_str(" · ");
        code(&url, out);
    }
    out.push('\n');
}

/// Writes a line `**Label** what`.
fn line(label: &str, what: &[&str], out: &mut BoundedOutput<'_>) {
    out.push_str(&format!("\n**{label}**"));
    if what.iter().any(|piece| !piece.is_empty()) {
        out.push(' ');
    }
    for piece in what {
        inline(piece, out);
    }
    out.push('\n');
}

/// Writes a text on one line, with all markup escaped.
fn inline(text: &str, out: &mut BoundedOutput<'_>) {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        // An ampersand is markup only where an entity begins.
        let entity =
            |next: Option<&char>| next.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '#');
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '&' if entity(rest.peek()) => out.push_str("\\&"),
            c if c.is_control() || c.is_whitespace() => out.push(' '),
            c => out.push(c),
        }
    }
}

/// The length of the longest run of a character.
fn longest_run(text: &str, of: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == of { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Writes a code span.
fn code(text: &str, out: &mut BoundedOutput<'_>) {
    let line = text.replace(char::is_control, " ");
    let fence = "`".repeat(longest_run(&line, '`') + 1);
    let space = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    let line = if line.trim().is_empty() { "?" } else { &line };
    for piece in [&fence, space, line, space, &fence] {
        out.push_str(piece);
    }
}

/// Writes a code block, whose fence is longer than any in the text.
fn fenced(language: &str, text: &str, out: &mut BoundedOutput<'_>) {
    let fence = "`".repeat((longest_run(text, '`') + 1).max(3));
    for piece in ["\n", &fence, language, "\n", text] {
        out.push_str(piece);
    }
    out.push_str(if text.is_empty() || text.ends_with('\n') { "" } else { "\n" });
    out.push_str(&fence);
    out.push('\n');
}

fn quote(label: &str, text: &str, out: &mut BoundedOutput<'_>) {
    out.push('\n');
    if !label.is_empty() {
        out.push_str(&format!("> **{label}**\n>\n"));
    }
    for line in text.trim_end().lines() {
        out.push_str(if line.is_empty() { ">" } else { "> " });
        out.push_str(line);
        out.push('\n');
    }
}

/// Writes a text as it is, but closes a code block that it leaves open, and escapes raw HTML that could
/// stay open.
fn text(text: &str, out: &mut BoundedOutput<'_>) {
    out.push('\n');
    let mut open: Option<(char, usize)> = None;
    for line in text.trim_end().split('\n') {
        let bare = line.trim_start_matches(' ');
        let indent = line.len() - bare.len();
        let mark = bare.chars().next().filter(|c| *c == '`' || *c == '~');
        let run = mark.map_or(0, |mark| bare.chars().take_while(|c| *c == mark).count());
        let info = bare.get(run..).unwrap_or_default();
        match open {
            Some((mark_open, length)) => {
                let closes = mark == Some(mark_open) && run >= length && info.trim().is_empty();
                if closes && indent < 4 {
                    open = None;
                }
            }
            None if run >= 3 && indent < 4 && !(mark == Some('`') && info.contains('`')) => {
                open = mark.map(|mark| (mark, run));
            }
            None if indent < 4 && opens_raw_html(bare) => {
                out.push('\\');
                out.push_str(bare);
                out.push('\n');
                continue;
            }
            None => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    if let Some((mark, length)) = open {
        out.push_str(&mark.to_string().repeat(length));
        out.push('\n');
    }
}

/// Does the line begin an HTML block that only its own end tag or mark ends, perhaps never?
fn opens_raw_html(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('<') else { return false };
    let tags = ["!", "?", "script", "pre", "style", "textarea"];
    tags.iter().any(|tag| rest.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag)))
}

#[cfg(test)]
mod tests;
