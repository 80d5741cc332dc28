//! The user's own words, which go verbatim with a summary.

use super::config::Estimator;
use super::history::{History, MessageReader};
use super::token_count::MessageTokens;
use apex_parts_model::order;
use apex_parts_model::utf16::utf16_of;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Error, Key, Kind, View, Word};

/// The words of a message of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedText {
    /// The index of the message.
    pub message: u32,
    /// The words; in the middle of a long text some are left out.
    pub text: String,
}

/// A message with words of the user, and what they take.
struct UserWords {
    message: u32,
    tokens: f64,
}

/// A text of fewer tokens than this is not worth the line that says how much was left out.
const LEAST: f64 = 24.0;

/// Chooses the words of these messages: of the first one in any case, then of the newest.
pub(super) fn pinned_of(
    history: &impl History,
    messages: &[u32],
    budget: f64,
    by: Estimator,
) -> Result<Vec<PinnedText>, Error> {
    let (mut words, mut tokens) = (Vec::new(), MessageTokens::default());
    for message in messages {
        if history.head(*message as usize).speaker != super::head::Speaker::User {
            continue;
        }
        history.tokens(*message as usize, by, &mut tokens)?;
        let own = tokens.parts.iter().filter(|part| part.is_own_words());
        let tokens: f64 = own.map(|part| f64::from(part.own)).sum();
        if tokens > 0.0 {
            words.push(UserWords { message: *message, tokens });
        }
    }
    let mut pinned = Vec::new();
    for (place, room) in shares(&words, budget) {
        let Some(UserWords { message, tokens }) = words.get(place) else { continue };
        let mut texts = OwnTexts::default();
        history.show(*message as usize, &mut texts)?;
        let text = texts.0.join("\n");
        let text = if *tokens <= room { Some(text) } else { shortened(&text, room, by) };
        pinned.extend(text.map(|text| (place, PinnedText { message: *message, text })));
    }
    order::sort_by(&mut pinned, |a, b| a.0.cmp(&b.0));
    Ok(pinned.into_iter().map(|(_, text)| text).collect())
}

/// Which messages get room, and how much: `(index, tokens)`.
fn shares(words: &[UserWords], budget: f64) -> Vec<(usize, f64)> {
    let Some(first) = words.first() else { return Vec::new() };
    let newest = words.len() - 1;
    let mut left = budget;
    let mut shares = Vec::new();
    // The first message must not take all the room of the newest one, which may be what is being done.
    let newest_needs = words.get(newest).filter(|_| newest > 0).map_or(0.0, |words| words.tokens);
    let room = first.tokens.min(left - newest_needs.min(left / 2.0)).max(0.0);
    if room >= LEAST.min(first.tokens) && room > 0.0 {
        left -= room;
        shares.push((0, room));
    }
    for (place, words) in words.iter().enumerate().skip(1).rev() {
        let room = words.tokens.min(left);
        if room <= 0.0 || room < LEAST.min(words.tokens) {
            break;
        }
        left -= room;
        shares.push((place, room));
    }
    shares
}

/// The texts of a message that are the user's own.
#[derive(Default)]
struct OwnTexts(Vec<String>);

impl MessageReader for OwnTexts {
    fn read<V: View>(&mut self, message: &V) {
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
            let is = |key: Key| part.get(key).kind() == Kind::True;
            if part.get_word(Key::Type) != Some(Word::Text)
                || is(Key::Ignored)
                || is(Key::Synthetic)
            {
                return;
            }
            let text = part.get(Key::Text);
            if !text.is_blank() {
                self.0.extend(text.text().map(std::borrow::Cow::into_owned));
            }
        });
    }
}

/// A text with some of its middle left out, so that it takes at most so many tokens; `None` if nothing would be
/// left.
fn shortened(text: &str, room: f64, by: Estimator) -> Option<String> {
    let length = utf16_of(text);
    // Each half in proportion; then less, until it fits.
    let mut keep = 0.45 * room / f64::from(by.of_text(text)).max(1.0);
    for _ in 0..16 {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let units = (keep * length as f64) as usize;
        let head = text.get(..boundary(text, units)).unwrap_or_default();
        let tail = text.get(text.len() - boundary_back(text, units)..).unwrap_or_default();
        let left_out = length.saturating_sub(utf16_of(head) + utf16_of(tail));
        let made = format!("{head}\n[… {left_out} characters left out]\n{tail}");
        if f64::from(by.of_text(&made)) <= room {
            return (!head.is_empty()).then_some(made);
        }
        keep *= 0.8;
    }
    None
}

/// The bytes of the first `units` UTF-16 units, or fewer, so that no character is cut.
fn boundary(text: &str, units: usize) -> usize {
    let mut left = units;
    let cut = text.char_indices().find(|(_, c)| match left.checked_sub(c.len_utf16()) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    cut.map_or(text.len(), |(at, _)| at)
}

/// The same for the last units.
fn boundary_back(text: &str, units: usize) -> usize {
    let mut left = units;
    let cut = text.char_indices().rev().find(|(_, c)| match left.checked_sub(c.len_utf16()) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    cut.map_or(text.len(), |(at, c)| text.len() - at - c.len_utf8())
}

/// What the pinned words take, with the heading above them.
pub(super) fn tokens_of(pinned: &[PinnedText], by: Estimator) -> f64 {
    /// Of the heading above them.
    const HEADING: f64 = 8.0;
    let texts: f64 = pinned.iter().map(|one| f64::from(by.of_text(&one.text))).sum();
    if pinned.is_empty() { 0.0 } else { texts + HEADING }
}

#[cfg(test)]
mod tests;
