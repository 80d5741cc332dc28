//! Soft kinds warn once a loop; a loop that goes on all the same is interrupted.

use super::verdict::{Action, LoopKind};
use crate::loops::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// A loop that was warned about.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Warned {
    pub(crate) kind: String,
    /// What makes it this loop and no other: the set of its calls.
    pub(crate) loop_of: Fingerprint,
    /// The result that was warned about, if the kind is about results.
    pub(crate) result: Option<Fingerprint>,
    /// How often it went on since.
    pub(crate) further: u64,
    /// The same, and one more, when a result was recorded last; 0 where it was not seen by then.
    pub(crate) kept: u64,
}

/// The loops that were seen, the last 64 of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Escalation {
    pub(crate) warned: VecDeque<Warned>,
}

/// A loop goes on so many calls before it is interrupted.
const FURTHER: u64 = 3;

impl Escalation {
    /// A soft kind sees its loop: what to do now.
    pub(crate) fn sees(
        &mut self,
        kind: LoopKind,
        loop_of: Fingerprint,
        result: Option<Fingerprint>,
    ) -> Action {
        let name = kind.as_str();
        if let Some(known) = self.warned.iter_mut().find(|w| w.kind == name && w.loop_of == loop_of)
        {
            known.further += 1;
            let goes_on = known.further >= FURTHER;
            return if goes_on { Action::Interrupt } else { Action::Continue };
        }
        // A result already warned about does not warn again; the loop is one all the same, and is
        // interrupted where it goes on.
        let is_known = result.is_some() && self.warned.iter().any(|w| w.result == result);
        if self.warned.len() == crate::loops::core::exact_cycles::KEPT {
            self.warned.pop_front();
        }
        let kind = name.to_owned();
        self.warned.push_back(Warned { kind, loop_of, result, further: 0, kept: 0 });
        if is_known { Action::Continue } else { Action::Warning }
    }

    /// A result was recorded: what was seen up to here stays.
    pub(crate) fn keep(&mut self) {
        self.warned.iter_mut().for_each(|w| w.kept = w.further + 1);
    }

    /// What was seen since is taken back.
    pub(crate) fn take_back(&mut self) {
        self.warned.retain(|w| w.kept > 0);
        self.warned.iter_mut().for_each(|w| w.further = w.kept.saturating_sub(1));
    }
}
