//! The request for a summary, as the text of one message.

use super::given_plan::GivenPlan;
use super::history::{History, MessageReader};
use super::sent::is_cleared;
use super::view::HistoryView;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::utf16::utf16_of;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Error, Key, Kind, Path, Status, View, Word};
use std::borrow::Cow;

/// What a host adds to the request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestOptions<'a> {
    /// MessageLines after the instructions.
    pub context: &'a [String],
    /// Instructions in place of all but the conversation.
    pub prompt: Option<&'a str>,
    /// The most UTF-16 units of one output.
    pub tool_output_max: f64,
}

/// The longest string of V8.
const LONGEST: usize = (1 << 29) - 24;

/// What a model is asked for: the sections of a summary.
const TEMPLATE: &str = "\
Write a summary from which another agent can go on with this work without having seen the conversation. Answer with \
the summary alone, in the language of the user, as Markdown with these sections; leave out a section that would be \
empty:

## Objective
What the user wants, with every constraint and preference that was stated.

## Done
What has been done and what came of it, with the decisions that were made and why.

## State
Files, commands, identifiers, values and error messages that are still needed, written exactly as they occurred.

## Next
What is in progress, and the next steps in their order.

## Open
Questions without an answer, and what has failed and should not be tried again.

Be exact and brief. Do not invent anything, do not address the user, and do not call tools.";

const MERGE: &str = "\
<prior-summary> tells what happened before this conversation. Merge it with the conversation into one summary: keep \
what still holds, correct what has changed, drop what is no longer needed.";

/// The text of the request for the summary that a plan asks for.
///
/// # Errors
/// `CompactionError` (`stale_plan`) if the plan is for another history; `PartValidationError` (`limit`) if the text
/// would be longer than a string can be; `TranscriptError` if the host cannot read the bytes of a transcript.
pub fn summary_request<V: View>(
    history: &impl History,
    plan: &V,
    options: &RequestOptions<'_>,
) -> Result<String, Error> {
    let plan = GivenPlan::read(plan);
    plan.expect_for(history)?;
    let mut conversation =
        ConversationText { out: String::new(), most: options.tool_output_max, is_full: false };
    for index in places_of(history, &plan.summarise) {
        history.show(index, &mut conversation)?;
    }
    if conversation.is_full {
        let message =
            "the conversation is longer than a string can be; set a smaller `toolOutputMax`";
        return Err(Error::rule("limit", &Path::ROOT, message));
    }
    let mut request = format!("<conversation>\n{}\n</conversation>", conversation.out);
    if let Some(prompt) = options.prompt {
        request.push_str("\n\n");
        request.push_str(prompt);
        return Ok(request);
    }
    if let Some(previous) = &plan.previous_summary {
        request.push_str("\n\n<prior-summary>\n");
        request.push_str(previous);
        request.push_str("\n</prior-summary>\n\n");
        request.push_str(MERGE);
    }
    request.push_str("\n\n");
    request.push_str(TEMPLATE);
    for line in options.context {
        request.push_str("\n\n");
        request.push_str(line);
    }
    Ok(request)
}

/// The indices of the messages with these ids, which stand in the order of the view.
fn places_of(history: &impl History, ids: &[String]) -> Vec<usize> {
    let mut wanted: SortedMap<u64, usize> = SortedMap::new();
    for id in ids {
        *wanted.or_default(super::print::hash(id)) += 1;
    }
    let mut places = Vec::new();
    for index in HistoryView::new(history).indices() {
        if let Some(left) = wanted.get_mut(&history.id_hash(index as usize))
            && *left > 0
        {
            *left -= 1;
            places.push(index as usize);
        }
    }
    places
}

/// Writes messages as the text of a conversation.
struct ConversationText {
    out: String,
    most: f64,
    is_full: bool,
}

/// The lines of a message.
#[derive(Default)]
struct MessageLines(Vec<String>);

impl MessageLines {
    /// Adds a line for a text that is not empty.
    fn say(&mut self, who: &str, text: &str) {
        if !text.is_empty() {
            self.0.push(format!("{who}: {text}"));
        }
    }
}

impl MessageReader for ConversationText {
    fn read<V: View>(&mut self, message: &V) {
        let mut lines = MessageLines::default();
        let parts = message.get(Key::Parts);
        match message.get(Key::Info).get_word(Key::Role) {
            Some(Word::User) => user_lines(&parts, &mut lines),
            Some(Word::Assistant) => parts.each(MAX_ELEMENTS, &mut |_, part| {
                let text = part.get(Key::Text);
                let text = || text.text().unwrap_or_default();
                match part.get_word(Key::Type) {
                    Some(Word::Text) => lines.say("[Assistant]", &text()),
                    Some(Word::Reasoning) => lines.say("[Assistant reasoning]", &text()),
                    Some(Word::Tool) => call_lines(part, self.most, &mut lines),
                    _ => {}
                }
            }),
            _ => {}
        }
        let length: usize = lines.0.iter().map(|line| line.len() + 2).sum();
        if lines.0.is_empty() || self.is_full {
            return;
        }
        if self.out.len() + length > LONGEST {
            self.is_full = true;
            return;
        }
        if !self.out.is_empty() {
            self.out.push_str("\n\n");
        }
        self.out.push_str(&lines.0.join("\n"));
    }
}

fn user_lines<V: View>(parts: &V, lines: &mut MessageLines) {
    let (mut texts, mut files) = (Vec::new(), Vec::new());
    parts.each(MAX_ELEMENTS, &mut |_, part| match part.get_word(Key::Type) {
        Some(Word::Text) if part.get(Key::Ignored).kind() != Kind::True => {
            let text = part.get(Key::Text);
            texts.extend(text.text().filter(|text| !text.is_empty()).map(Cow::into_owned));
        }
        Some(Word::File) => files.push(attached(part)),
        _ => {}
    });
    lines.say("[User]", &texts.join("\n"));
    lines.0.extend(files);
}

/// `[Attached MIME: NAME]`
pub(super) fn attached<V: View>(file: &V) -> String {
    let (mime, name) = (file.get(Key::Mime), file.get(Key::Filename));
    let name = name.text().filter(|name| !name.is_empty()).unwrap_or(Cow::Borrowed("file"));
    format!("[Attached {}: {name}]", mime.text().unwrap_or_default())
}

fn call_lines<V: View>(part: &V, most: f64, lines: &mut MessageLines) {
    let state = part.get(Key::State);
    let Some(status) = Status::read(&state) else { return };
    let (tool, input) = (part.get(Key::Tool), state.get(Key::Input));
    let input = input.json_text().unwrap_or(Cow::Borrowed("{}"));
    let name = tool.text().unwrap_or_default();
    lines.0.push(format!("[Assistant tool call]: {name}({input})"));
    match status {
        Status::Completed => {
            let result = if is_cleared(&state) {
                Word::ClearedOutput.as_str().to_owned()
            } else {
                cut(output_of(&state), most)
            };
            lines.0.push(format!("[Tool result]: {result}"));
        }
        Status::Error => {
            let error = state.get(Key::Error);
            lines.0.push(format!("[Tool error]: {}", error.text().unwrap_or_default()));
        }
        Status::Pending | Status::Running => {}
    }
}

/// An output with a line for each of its files.
fn output_of<V: View>(state: &V) -> String {
    let output = state.get(Key::Output);
    let mut all = output.text().unwrap_or_default().into_owned();
    state.get(Key::Attachments).each(MAX_ELEMENTS, &mut |_, file| {
        if file.kind() == Kind::Object {
            all.push('\n');
            all.push_str(&attached(file));
        }
    });
    all
}

/// The first `most` UTF-16 units of a text, without half a surrogate pair at the end.
fn cut(mut text: String, most: f64) -> String {
    #[allow(clippy::cast_precision_loss)] // no text has 2^53 units
    if text.len() as f64 <= most || utf16_of(&text) as f64 <= most {
        return text;
    }
    let mut units = 0.0;
    let end = text.char_indices().find(|(_, c)| {
        units += if c.len_utf16() == 2 { 2.0 } else { 1.0 };
        units > most
    });
    text.truncate(end.map_or(text.len(), |(at, _)| at));
    text.push_str("\n[truncated]");
    text
}

#[cfg(test)]
mod tests;
