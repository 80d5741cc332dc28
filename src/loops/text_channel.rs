//! The text that streams in one channel, answers or reasoning.

use crate::loops::fingerprint::Fingerprint;
use crate::loops::kinds::chanting::{ChantFinding, Chanting};
use crate::loops::kinds::repeated_text::RepeatedText;

/// One channel of streamed text.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextChannel {
    pub(crate) chant: Chanting,
    pub(crate) echo: RepeatedText,
    /// The first half of a surrogate pair, if the last chunk ended in the middle of one.
    pub(crate) half: Option<u16>,
}

impl TextChannel {
    pub(crate) fn take(&mut self, text: &str, is_reasoning: bool) -> Option<ChantFinding> {
        self.echo.take(text, is_reasoning);
        self.chant.take(text)
    }

    /// Ends the message: its text's fingerprint and number of repetitions, if that is too many.
    pub(crate) fn close(&mut self, is_reasoning: bool) -> Option<(Fingerprint, u64)> {
        if self.half.take().is_some() {
            self.take("\u{fffd}", is_reasoning);
        }
        self.chant.clear();
        self.echo.close()
    }
}
