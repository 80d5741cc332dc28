//! Reads a file in its likely format until there are enough bytes to be sure, so that a stream is shown
//! from its first event on. If the guess was wrong, the file is read again from its beginning.

use crate::detect::detection::{DetectionResult, detect_likely, detect_surely};
use crate::detect::guess::Guess;
use crate::load_state::LoadState;
use crate::message_list::MessageList;
use crate::session_set::SessionSet;
use crate::source::ByteSource;
use crate::transcript::Transcript;
use apex_parts_agents::{Env, RecordCount};
use apex_parts_model::problem_list::ProblemList;

impl Transcript {
    /// If the format is not sure yet, guesses it from all bytes so far.
    pub(crate) fn renew_guess(&mut self, env: &mut Env<'_>) {
        if let Some(guess) = &self.guess
            && detect_likely(&guess.head, guess.given) != Some(guess.begin)
        {
            self.begin_anew();
        }
        if self.guess.is_some() || !matches!(self.state, LoadState::Detecting) {
            return;
        }
        if let Some(begin) = detect_likely(&self.list.window, self.format) {
            let head = self.list.window.clone();
            self.guess = Some(Guess { begin, given: self.format, head });
            self.start(begin);
            self.scan(true, env);
            self.settle();
        }
    }

    /// Checks the guess with the new bytes of the window, which begin at `from`.
    pub(crate) fn check_guess(&mut self, from: usize) {
        if let Some(guess) = &mut self.guess {
            guess.head.extend_from_slice(self.list.window.get(from..).unwrap_or_default());
            self.decide(false);
        }
    }

    /// Checks the guess when there are no more bytes.
    pub(crate) fn check_guess_at_end(&mut self) {
        self.decide(true);
    }

    fn decide(&mut self, is_end: bool) {
        let Some(guess) = &self.guess else { return };
        match detect_surely(&guess.head, guess.given, &mut self.looked, is_end) {
            Ok(DetectionResult::More) if !is_end => {}
            Ok(DetectionResult::Is(begin)) if begin == guess.begin => self.guess = None,
            // An error is reported when the bytes are read again.
            Ok(_) | Err(_) => self.begin_anew(),
        }
    }

    /// Discards what was read under a wrong guess.
    fn begin_anew(&mut self) {
        let Some(Guess { given, head, .. }) = self.guess.take() else { return };
        self.state = LoadState::Detecting;
        self.format = given;
        self.looked = 0;
        self.session = None;
        self.session_set = SessionSet::default();
        self.copied = None;
        self.damage = ProblemList::default();
        self.records = RecordCount::default();
        self.guessed_ids.begin_anew();
        let mut store = std::mem::take(&mut self.list.store);
        if let ByteSource::Held(pieces) = &mut store {
            pieces.clear();
        }
        self.list = MessageList { store, window: head, ..MessageList::default() };
    }
}
