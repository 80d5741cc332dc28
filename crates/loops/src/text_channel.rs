//! The detectors of one channel of streamed text: answers or reasoning.

use crate::kinds::chanting::{ChantFinding, Chanting};
use crate::kinds::repeated_text::RepeatedText;
use apex_parts_model::fingerprint::Fingerprint;

/// One channel of streamed text.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextChannel {
    pub(crate) chanting: Chanting,
    pub(crate) repeated_text: RepeatedText,
    /// The first unit of a surrogate pair, if the last chunk ended in the middle of one.
    pub(crate) high_surrogate: Option<u16>,
}

impl TextChannel {
    /// Appends text to the message; returns a chant if the text contains one.
    pub(crate) fn take(&mut self, text: &str, is_reasoning: bool) -> Option<ChantFinding> {
        self.repeated_text.take(text, is_reasoning);
        self.chanting.take(text)
    }

    /// Ends the message. Returns its text's fingerprint and how many equal messages came in a row, if
    /// there are enough for a loop.
    pub(crate) fn close(&mut self, is_reasoning: bool) -> Option<(Fingerprint, u64)> {
        if self.high_surrogate.take().is_some() {
            self.take("\u{fffd}", is_reasoning);
        }
        self.chanting.clear();
        self.repeated_text.close()
    }
}
