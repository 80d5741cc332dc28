//! How many tokens a message takes when it is sent, part by part, as `toModelMessage` sends it.

use super::config::Estimator;
use super::head::{Head, Speaker};
use super::sent::{is_cleared, is_sent_file};
use super::tokens::chars::of_units;
#[cfg(feature = "tokens")]
use super::tokens::{classes::classes, media::media_tokens};
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Key, Kind, Status, View, Word};

/// What the estimator "classes" adds for a message, and for a result, which is one of its own.
const ENVELOPE: u32 = 6;

// The validator alone (CP-2) counts texts by their length and every file as an image of unknown size: what reads
// images, documents and classes of characters is not in its module.
#[cfg(not(feature = "tokens"))]
fn classes(text: &str) -> f64 {
    of_units(apex_parts_model::utf16::utf16_of(text))
}
#[cfg(not(feature = "tokens"))]
fn media_tokens(_mime: &str, _url: &str) -> f64 {
    1600.0
}

/// Tokens as a whole number.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
pub(crate) fn whole(tokens: f64) -> u32 {
    tokens.round() as u32
}

impl Estimator {
    /// The tokens of a text.
    pub(crate) fn of_text(self, text: &str) -> u32 {
        match self {
            Estimator::Chars => whole(of_units(apex_parts_model::utf16::utf16_of(text))),
            Estimator::Classes => whole(classes(text)),
        }
    }

    /// The tokens of a value that is a text; of anything else 0.
    fn of_value<V: View>(self, value: &V) -> u32 {
        match self {
            Estimator::Chars => whole(of_units(value.units())),
            Estimator::Classes => value.text().map_or(0, |text| self.of_text(&text)),
        }
    }

    /// The tokens of a value as JSON.
    pub(crate) fn of_json<V: View>(self, value: &V) -> u32 {
        match self {
            Estimator::Chars => whole(of_units(value.json_units())),
            Estimator::Classes => value.json_text().map_or(0, |text| self.of_text(&text)),
        }
    }

    /// What is added for a message or a result.
    fn envelope(self) -> u32 {
        if self == Estimator::Classes { ENVELOPE } else { 0 }
    }
}

/// The tokens of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartTokens {
    /// Of its text; of a call: its name and its input.
    pub(crate) own: u32,
    /// Of a call: its output, also if that is cleared, or its error.
    pub(crate) result: u32,
    /// Of its files.
    pub(crate) media: u32,
    /// The bits below.
    pub(crate) bits: u8,
}

/// It is sent.
pub(crate) const SENT: u8 = 1;
/// A summary has something to say of it.
pub(crate) const SAYS: u8 = 2;
/// A call that ended well.
pub(crate) const COMPLETED: u8 = 4;
/// A call whose output is cleared.
const CLEARED: u8 = 8;
/// It has files that are sent.
const FILES: u8 = 16;
/// A text that is the user's own.
pub(crate) const OWN_WORDS: u8 = 32;
/// Anything but the beginning of a step or a thought.
pub(crate) const ANSWERS: u8 = 64;

impl PartTokens {
    /// Counts a part, without its files.
    pub fn count<V: View>(part: &V, speaker: Speaker, by: Estimator) -> PartTokens {
        let kind = part.get_word(Key::Type);
        let mut tokens = PartTokens::default();
        if !matches!(kind, Some(Word::StepStart | Word::Reasoning)) {
            tokens.bits |= ANSWERS;
        }
        match (speaker, kind) {
            (Speaker::User, Some(Word::Text)) if part.get(Key::Ignored).kind() != Kind::True => {
                let text = part.get(Key::Text);
                tokens.own = by.of_value(&text);
                tokens.bits |= SENT;
                if text.kind() == Kind::String {
                    let is_own = part.get(Key::Synthetic).kind() != Kind::True && !text.is_blank();
                    tokens.bits |= SAYS | if is_own { OWN_WORDS } else { 0 };
                }
            }
            (Speaker::User, Some(Word::File)) => {
                tokens.bits |= SAYS | if is_sent_file(part) { SENT | FILES } else { 0 };
            }
            (Speaker::User, Some(line @ (Word::Compaction | Word::Subtask))) => {
                tokens.own = by.of_text(line_of(line).as_str());
                tokens.bits |= SENT | SAYS;
            }
            (Speaker::Assistant, Some(Word::Text | Word::Reasoning)) => {
                let text = part.get(Key::Text);
                tokens.own = by.of_value(&text);
                tokens.bits |= SENT | if text.kind() == Kind::String { SAYS } else { 0 };
            }
            (Speaker::Assistant, Some(Word::Tool)) => tokens.read_call(part, by),
            _ => {}
        }
        tokens
    }

    fn read_call<V: View>(&mut self, part: &V, by: Estimator) {
        let state = part.get(Key::State);
        let Some(status) = Status::read(&state) else { return };
        self.bits |= SENT | SAYS;
        let name_and_input =
            by.of_value(&part.get(Key::Tool)).saturating_add(by.of_json(&state.get(Key::Input)));
        self.own = name_and_input.saturating_add(by.envelope());
        self.result = match status {
            Status::Completed => by.of_value(&state.get(Key::Output)),
            Status::Error => by.of_value(&state.get(Key::Error)),
            Status::Pending | Status::Running => by.of_text(Word::Interrupted.as_str()),
        };
        if status == Status::Completed {
            self.bits |= COMPLETED;
            if is_cleared(&state) {
                self.bits |= CLEARED;
            } else if !state.get(Key::Attachments).is_empty() {
                self.bits |= FILES;
            }
        }
    }

    /// The same with its files.
    pub(crate) fn with_files<V: View>(self, part: &V, by: Estimator) -> PartTokens {
        if !self.has(FILES) {
            return self;
        }
        let mut media = 0_u32;
        let mut add = |file: &V| {
            let (mime, url) = (file.get(Key::Mime), file.get(Key::Url));
            let mime = mime.text().unwrap_or_default();
            let tokens = media_tokens(&mime, &url.text().unwrap_or_default());
            media = media.saturating_add(whole(tokens));
        };
        if part.get_word(Key::Type) == Some(Word::File) {
            add(part);
        } else {
            part.get(Key::State).get(Key::Attachments).each(MAX_ELEMENTS, &mut |_, file| {
                if file.kind() == Kind::Object {
                    add(file);
                }
            });
            // The line that says which tool returned them.
            let line = format!(
                "{}{}{}",
                Word::ToolSays.as_str(),
                part.get(Key::Tool).text().unwrap_or_default(),
                Word::ReturnedAttachment.as_str()
            );
            return PartTokens {
                media,
                result: self.result.saturating_add(by.of_text(&line)),
                ..self
            };
        }
        PartTokens { media, ..self }
    }

    const fn has(self, bit: u8) -> bool {
        self.bits & bit != 0
    }

    /// A call that ended well.
    pub(crate) const fn is_completed(self) -> bool {
        self.has(COMPLETED)
    }

    /// A call whose output is cleared.
    pub const fn is_cleared(self) -> bool {
        self.has(CLEARED)
    }

    /// Is it a text of the user's own?
    pub(crate) const fn is_own_words(self) -> bool {
        self.has(OWN_WORDS)
    }

    /// What its result takes as it is sent, without files.
    pub(crate) fn sent_result(self, by: Estimator) -> u32 {
        if self.is_cleared() { by.of_text(Word::ClearedOutput.as_str()) } else { self.result }
    }

    /// All that is sent of it.
    pub(crate) fn sent(self, by: Estimator) -> u64 {
        u64::from(self.own) + u64::from(self.sent_result(by)) + u64::from(self.media)
    }
}

/// What `toModelMessage` writes for a part of the user that has no text.
const fn line_of(kind: Word) -> Word {
    match kind {
        Word::Compaction => Word::WhatDidWeDo,
        _ => Word::ExecutedByUser,
    }
}

/// The tokens of a message, part by part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageTokens {
    /// Of each part.
    pub parts: Vec<PartTokens>,
    /// Has the message an error?
    pub has_failed: bool,
}

impl MessageTokens {
    /// A message of which no part is counted yet.
    pub(crate) fn begin(&mut self, head: &Head) {
        self.parts.clear();
        self.has_failed = head.has_failed();
    }

    /// Counts a message with parts.
    pub fn read<V: View>(&mut self, message: &V, head: &Head, by: Estimator) {
        self.begin(head);
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
            self.parts.push(PartTokens::count(part, head.speaker, by).with_files(part, by));
        });
    }

    /// What all parts take together.
    pub fn sums(&self, by: Estimator) -> MessageSums {
        let mut sums = MessageSums::new(self.has_failed);
        for part in &self.parts {
            sums.add(part, by);
        }
        sums
    }

    /// The results of its calls, which come after what the model said; `(tokens, files)`, the files included.
    pub(crate) fn results(&self, by: Estimator, uncleared: bool) -> (u64, u64) {
        let is_sent = self.sums(by).is_sent();
        let mut sums = (0, 0);
        for part in self.parts.iter().filter(|_| is_sent) {
            let result = if uncleared { part.result } else { part.sent_result(by) };
            sums.0 += u64::from(result) + u64::from(part.media);
            sums.1 += u64::from(part.media);
        }
        sums
    }
}

/// The outputs of the completed calls of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResultSums {
    pub(crate) count: u32,
    /// What they take together.
    pub(crate) tokens: u32,
}

/// What the parts of a message take together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MessageSums {
    /// Of all parts, whether or not the message is sent.
    parts: u32,
    /// The share of the files.
    media: u32,
    /// The outputs, also those that are cleared.
    results: ResultSums,
    /// The bits of all parts.
    bits: u8,
    /// Is there anything that a summary could say of it?
    says: bool,
    has_failed: bool,
}

impl MessageSums {
    /// A message without parts.
    pub fn new(has_failed: bool) -> MessageSums {
        MessageSums { has_failed, ..MessageSums::default() }
    }

    /// Adds a part.
    pub fn add(&mut self, part: &PartTokens, by: Estimator) {
        // No context has 2^32 tokens.
        self.parts = self.parts.saturating_add(u32::try_from(part.sent(by)).unwrap_or(u32::MAX));
        self.media = self.media.saturating_add(part.media);
        self.bits |= part.bits;
        if part.is_completed() {
            self.results.count += 1;
            self.results.tokens = self.results.tokens.saturating_add(part.result);
        }
        // A failed answer without text or call says nothing.
        self.says |= part.has(SAYS) && (!self.has_failed || part.has(ANSWERS));
    }

    /// Is the message sent at all?
    fn is_sent(&self) -> bool {
        self.bits & SENT != 0 && !(self.has_failed && self.bits & ANSWERS == 0)
    }

    /// Has it files that are sent?
    pub const fn has_files(&self) -> bool {
        self.bits & FILES != 0
    }

    /// The outputs of completed calls, if none of them is cleared.
    pub fn results(&self) -> Option<ResultSums> {
        (self.bits & CLEARED == 0).then_some(self.results)
    }

    /// Is there anything that a summary could say of it?
    pub(crate) const fn says(&self) -> bool {
        self.says
    }

    /// What is sent of it.
    pub fn sent(&self, by: Estimator) -> u64 {
        if self.is_sent() { u64::from(by.envelope()) + u64::from(self.parts) } else { 0 }
    }

    /// What its files take of that.
    pub(crate) fn media(&self) -> u64 {
        if self.is_sent() { u64::from(self.media) } else { 0 }
    }
}

#[cfg(test)]
mod tests;
