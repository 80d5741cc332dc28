//! A file is read under a guess until enough bytes have come to be sure, so that a stream shows from
//! its first event on. Where the guess was wrong, the reading begins anew.

use crate::model::problem_list::ProblemList;
use crate::transcript::detect::detection::{detect_likely, detect_surely};
use crate::transcript::detect::guess::Guess;
use crate::transcript::formats::reader::Env;
use crate::transcript::index::message_index::Index;
use crate::transcript::load_state::LoadState;
use crate::transcript::session_set::SessionSet;
use crate::transcript::source::ByteSource;
use crate::transcript::transcript::Transcript;

impl Transcript {
    /// Guesses what the file is by all bytes so far, where that is not sure yet.
    pub(crate) fn renew_guess(&mut self, env: &mut Env<'_>) {
        if let Some(guess) = &self.guess
            && detect_likely(&guess.head, guess.given) != Some(guess.begin)
        {
            self.begin_anew();
        }
        if self.guess.is_some() || !matches!(self.state, LoadState::Begins) {
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

    /// What came stands in the window, from `from` on: is it sure now what the file is?
    pub(crate) fn check_guess(&mut self, from: usize) {
        if let Some(guess) = &mut self.guess {
            guess.head.extend_from_slice(self.list.window.get(from..).unwrap_or_default());
            self.decide(false);
        }
    }

    /// No more comes.
    pub(crate) fn check_guess_at_end(&mut self) {
        self.decide(true);
    }

    fn decide(&mut self, over: bool) {
        let Some(guess) = &self.guess else { return };
        match detect_surely(&guess.head, guess.given, &mut self.looked, over) {
            Ok(None) => {}
            Ok(Some(begin)) if begin == guess.begin => self.guess = None,
            // What is wrong is found again, where all bytes are looked at.
            Ok(Some(_)) | Err(_) => self.begin_anew(),
        }
    }

    /// Takes back what was read under a guess.
    fn begin_anew(&mut self) {
        let Some(Guess { given, head, .. }) = self.guess.take() else { return };
        self.state = LoadState::Begins;
        self.format = given;
        self.looked = 0;
        self.session = None;
        self.session_set = SessionSet::default();
        self.damage = ProblemList::default();
        self.list.index = Index::default();
        self.list.window = head;
        self.list.base = 0;
        if let ByteSource::Held(pieces) = &mut self.list.store {
            pieces.clear();
        }
    }
}
