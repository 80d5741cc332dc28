//! What is wrong with the parts of a message once their whole values have come (W-70).

use apex_parts_json::saved::{Saved, state};
use apex_parts_json::slots::Slots;
use apex_parts_wire::READS_PROVIDERS;
use serde_json::Value;
use std::ops::Range;

/// What is wrong with the parts of a message, and what they should be.
#[derive(Debug, Default)]
pub(crate) struct Corrections {
    /// Texts and calls that differ from their whole values, by [`Correction::key`].
    pub(crate) waiting: Slots<Correction>,
    /// They wait for the end of the response: resets have sent enough again.
    pub(crate) is_full: bool,
    /// Parts that were added at the end and stand before others.
    pub(crate) moves: Vec<Move>,
    /// The places of new parts, one within the other: the first of them, and the part before which they stand.
    pub(crate) moving: Vec<(usize, Option<usize>)>,
    /// How many bytes resets have sent again.
    pub(crate) resent: u64,
    /// How many of the first parts are not compared: an older snapshot does not say enough of them.
    pub(crate) unknown: u64,
}

/// What is saved of them.
#[derive(Default)]
struct SavedCorrections {
    waiting: Slots<Correction>,
    is_full: bool,
    resent: u64,
    unknown: u64,
}

state!(SavedCorrections { waiting, is_full, resent, unknown });

impl Corrections {
    /// Is there anything to correct?
    pub(crate) fn has_any(&self) -> bool {
        !self.moving.is_empty() || !self.moves.is_empty() || self.waiting.first().is_some()
    }

    /// Those between two records: nothing moves.
    pub(crate) fn saved(&self) -> Corrections {
        if !READS_PROVIDERS {
            return Corrections::default();
        }
        let Corrections { waiting, is_full, moves: _, moving: _, resent, unknown } = self;
        let (waiting, is_full) = (waiting.clone(), *is_full);
        let (resent, unknown) = (*resent, *unknown);
        Corrections { waiting, is_full, resent, unknown, ..Corrections::default() }
    }
}

impl Saved for Corrections {
    fn save(&self) -> Value {
        // Without providers there is nothing to correct.
        if !READS_PROVIDERS {
            return Value::Null;
        }
        let Corrections { waiting, is_full, resent, unknown, .. } = self.saved();
        SavedCorrections { waiting, is_full, resent, unknown }.save()
    }

    fn put_back(&mut self, saved: Value) -> bool {
        *self = Corrections::default();
        if !READS_PROVIDERS {
            return true;
        }
        let Some(saved) = SavedCorrections::load(saved) else { return false };
        (self.waiting, self.is_full) = (saved.waiting, saved.is_full);
        (self.resent, self.unknown) = (saved.resent, saved.unknown);
        true
    }
}

/// Parts that were added at the end.
#[derive(Debug)]
pub(crate) struct Move {
    pub(crate) parts: Range<usize>,
    pub(crate) before: usize,
}

/// What stands in the place of some parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Correction {
    /// The index of the first of these parts.
    pub(crate) part: u64,
    /// How many parts of text it replaces; 0 for a call, or if texts stand before that part.
    pub(crate) count: u64,
    /// The texts in their place; whether each is reasoning.
    pub(crate) texts: Vec<String>,
    pub(crate) kinds: Vec<u64>,
    /// The part is a call: its name and its arguments.
    pub(crate) is_call: bool,
    pub(crate) name: String,
    pub(crate) args: String,
}

state!(Correction { part, count, texts, kinds, is_call, name, args });

impl Correction {
    /// The bytes that it holds.
    pub(crate) fn size(&self) -> usize {
        self.texts.iter().map(String::len).sum::<usize>() + self.name.len() + self.args.len()
    }

    /// The index of its first part.
    pub(crate) fn index(&self) -> usize {
        usize::try_from(self.part).unwrap_or(usize::MAX)
    }

    /// In the order of the parts, what stands before a part first. One of the same parts takes the place of another.
    pub(crate) fn key(&self) -> u64 {
        self.part.saturating_mul(2) + u64::from(self.count > 0)
    }
}
