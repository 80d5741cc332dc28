//! Soft kinds warn once per loop; a loop that continues after the warning is interrupted.

use super::verdict::{Action, LoopKind};
use apex_parts_model::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// A loop that a soft kind has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Warned {
    pub(crate) kind: String,
    /// Identifies the loop among those of its kind: a fingerprint of what repeats.
    pub(crate) loop_of: Fingerprint,
    /// The result of the calls, if the kind compares results.
    pub(crate) result: Option<Fingerprint>,
    /// The round in which it was found last; 0 if it was found in none.
    pub(crate) round: u64,
    /// How many times it was found again since.
    pub(crate) further: u64,
    /// `further + 1` when the last result was recorded; 0 if the loop was not found yet.
    pub(crate) further_at_result: u64,
}

/// The last 64 loops that soft kinds have found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Escalation {
    pub(crate) warned: VecDeque<Warned>,
}

/// A loop is interrupted when it has been found this many more times.
const FURTHER: u64 = 3;

impl Escalation {
    /// Records that a soft kind has found a loop, in this round (0: in none); returns what to do about it.
    /// A round counts once: the model cannot react before it ends.
    pub(crate) fn escalate(
        &mut self,
        kind: LoopKind,
        loop_of: Fingerprint,
        result: Option<Fingerprint>,
        round: u64,
    ) -> Action {
        let name = kind.as_str();
        if let Some(known) = self.warned.iter_mut().find(|w| w.kind == name && w.loop_of == loop_of)
        {
            if round == 0 || round > known.round {
                known.further += 1;
                known.round = round;
            }
            let goes_on = known.further >= FURTHER;
            return if goes_on { Action::Interrupt } else { Action::Continue };
        }
        // A result that was already warned about does not warn again, but the loop is recorded and
        // interrupted if it continues.
        let was_warned = result.is_some() && self.warned.iter().any(|w| w.result == result);
        if self.warned.len() == crate::core::exact_cycles::MAX_KEPT {
            self.warned.pop_front();
        }
        let kind = name.to_owned();
        self.warned.push_back(Warned { kind, loop_of, result, round, ..Warned::default() });
        if was_warned { Action::Continue } else { Action::Warning }
    }

    /// Was this loop found before?
    pub(crate) fn knows(&self, kind: LoopKind, loop_of: Fingerprint) -> bool {
        self.warned.iter().any(|w| w.kind == kind.as_str() && w.loop_of == loop_of)
    }

    /// A result was recorded: `take_back` returns to this state.
    pub(crate) fn keep(&mut self) {
        self.warned.iter_mut().for_each(|w| w.further_at_result = w.further + 1);
    }

    /// Undoes what was found since the last recorded result.
    pub(crate) fn take_back(&mut self) {
        self.warned.retain(|w| w.further_at_result > 0);
        for warned in &mut self.warned {
            let further = warned.further_at_result.saturating_sub(1);
            if further != warned.further {
                (warned.further, warned.round) = (further, 0);
            }
        }
    }
}
