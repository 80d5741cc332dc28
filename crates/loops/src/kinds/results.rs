//! The kinds that compare results: interleaved_repeat, same_error, near_repeat, stagnation.

use crate::canonical::jaccard;
use crate::config::Config;
use crate::core::exact_cycles::{MAX_KEPT, ResultStatus};
use crate::verdict::LoopKind;
use apex_parts_model::fingerprint;
use apex_parts_model::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// A call with its result.
pub(crate) struct KnownResult<'a> {
    /// Its number in the sequence of calls.
    pub(crate) number: u64,
    /// The number of the first call of its round; 0 if it is in none.
    pub(crate) round: u64,
    pub(crate) tool: &'a str,
    /// The fingerprint of its tool and arguments.
    pub(crate) fingerprint: Fingerprint,
    /// The words of its arguments, as [`words`](crate::canonical::words) returns them.
    pub(crate) words: &'a [u32],
    pub(crate) outcome: ResultStatus,
    /// The length of its result in bytes.
    pub(crate) length: u64,
    pub(crate) poll: bool,
    /// The tool changes something, so that its success is progress.
    pub(crate) is_mutating: bool,
}

impl KnownResult<'_> {
    /// Has its round, or a later one, counted already where `round` counted last? The model cannot react
    /// before a round ends, so a round counts once.
    fn has_counted(&self, round: u64) -> bool {
        self.round > 0 && self.round <= round
    }
}

/// A loop that a soft kind has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) kind: LoopKind,
    pub(crate) loop_of: Fingerprint,
    pub(crate) result: Option<Fingerprint>,
    pub(crate) repeats: u64,
}

/// How often a call has given the same result (interleaved_repeat).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RepeatedResult {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) result: Fingerprint,
    pub(crate) fails: bool,
    pub(crate) count: u64,
    pub(crate) last: u64,
    /// The round that counted last; 0 if that was a call in none.
    pub(crate) round: u64,
    /// Other calls were made in between.
    pub(crate) interleaved: bool,
}

/// How often a tool has given the same error or the same long result, also if it gave others in between
/// (same_error, stagnation).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RepeatedToolResult {
    pub(crate) tool: Fingerprint,
    pub(crate) result: Fingerprint,
    pub(crate) fails: bool,
    pub(crate) count: u64,
    /// The round that counted last; 0 if that was a call in none.
    pub(crate) round: u64,
    /// The distinct calls that gave this result, at most one of each round.
    pub(crate) args: Vec<Fingerprint>,
}

/// The last call, for near_repeat.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NearRepeat {
    pub(crate) tool: Fingerprint,
    pub(crate) words: Vec<u64>,
    /// The words of the call that the first one of this round was compared with; empty if it was in no
    /// round, or was the first of its loop.
    pub(crate) earlier: Vec<u64>,
    pub(crate) result: Fingerprint,
    /// The highest number of a call in its round.
    pub(crate) number: u64,
    /// Its round; 0 if it is in none.
    pub(crate) round: u64,
    /// How many rounds are alike.
    pub(crate) count: u64,
}

/// The results since the last progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ResultKinds {
    pub(crate) same_call: VecDeque<RepeatedResult>,
    pub(crate) same_tool: VecDeque<RepeatedToolResult>,
    pub(crate) near: NearRepeat,
    /// Calls that have changed something: repeating one of them is not progress.
    pub(crate) changed: VecDeque<Fingerprint>,
}

/// The repeats that make an interleaved_repeat, and those if the call fails.
const INTERLEAVED: u64 = 6;
const INTERLEAVED_FAILING: u64 = 4;
/// The repeats that make a same_error.
const SAME_ERROR: u64 = 5;
/// The repeats that make a near_repeat, the fewest words, and the least share of common words. The result
/// may have any length, because the arguments are alike.
const NEAR: u64 = 5;
const NEAR_WORDS: usize = 4;
const NEAR_SHARE: f64 = 0.8;
/// The repeats that make a stagnation, and the fewest bytes of the result.
const STAGNATION: u64 = 6;
const STAGNATION_BYTES: u64 = 64;

/// Moves the matching entry of a table to its back, or adds a new one there; the oldest entry is dropped
/// if the table is full.
fn move_to_back<T: Default>(table: &mut VecDeque<T>, is: impl Fn(&T) -> bool) -> Option<&mut T> {
    let entry = match table.iter().position(is) {
        Some(place) => table.remove(place).unwrap_or_default(),
        None => T::default(),
    };
    if table.len() == MAX_KEPT {
        table.pop_front();
    }
    table.push_back(entry);
    table.back_mut()
}

impl ResultKinds {
    /// Takes a call with its result. Returns the loops that it completes, and whether it was progress,
    /// after which the calls before it no longer count.
    pub(crate) fn take(&mut self, call: &KnownResult<'_>) -> (Vec<Finding>, bool) {
        let (result, fails) = match call.outcome {
            ResultStatus::Unknown => return (Vec::new(), false),
            ResultStatus::Good(result) => (result, false),
            ResultStatus::Bad(result) => (result, true),
        };
        if call.is_mutating && !fails && !self.changed.contains(&call.fingerprint) {
            // A change that was not made before is progress.
            if self.changed.len() == MAX_KEPT {
                self.changed.pop_front();
            }
            let mut changed = std::mem::take(&mut self.changed);
            changed.push_back(call.fingerprint);
            *self = ResultKinds { changed, ..ResultKinds::default() };
            return (Vec::new(), true);
        }
        let mut seen = Vec::new();
        seen.extend(self.take_same_call(call, result, fails));
        seen.extend(self.take_same_tool(call, result, fails));
        seen.extend(self.take_near(call, result, fails));
        (seen, false)
    }

    fn take_same_call(
        &mut self,
        call: &KnownResult<'_>,
        result: Fingerprint,
        fails: bool,
    ) -> Option<Finding> {
        let other = |a: &RepeatedResult| {
            a.fingerprint == call.fingerprint && (a.result != result || a.fails != fails)
        };
        if self.same_call.iter().any(other) {
            // A repeated call with another result is progress.
            self.same_call.clear();
        }
        let entry = move_to_back(&mut self.same_call, |a| a.fingerprint == call.fingerprint)?;
        if !call.has_counted(entry.round) {
            let interleaved =
                entry.interleaved || (entry.count > 0 && entry.last + 1 < call.number);
            *entry = RepeatedResult {
                fingerprint: call.fingerprint,
                result,
                fails,
                count: entry.count + 1,
                last: call.number,
                round: call.round,
                interleaved,
            };
        }
        let most = if fails { INTERLEAVED_FAILING } else { INTERLEAVED };
        (entry.interleaved && entry.count >= most * Config::threshold_factor(call.poll)).then_some(
            Finding {
                kind: LoopKind::InterleavedRepeat,
                loop_of: call.fingerprint,
                result: Some(result),
                repeats: entry.count,
            },
        )
    }

    /// same_error and stagnation.
    fn take_same_tool(
        &mut self,
        call: &KnownResult<'_>,
        result: Fingerprint,
        fails: bool,
    ) -> Option<Finding> {
        // Short results are often equal by chance.
        if !fails && call.length < STAGNATION_BYTES {
            return None;
        }
        let tool = fingerprint::of(call.tool.as_bytes(), 0);
        let is = |t: &RepeatedToolResult| (t.tool, t.result, t.fails) == (tool, result, fails);
        let entry = move_to_back(&mut self.same_tool, is)?;
        (entry.tool, entry.result, entry.fails) = (tool, result, fails);
        if !call.has_counted(entry.round) {
            let is_new = !entry.args.contains(&call.fingerprint);
            entry.count += 1;
            if is_new && entry.args.len() < MAX_KEPT {
                entry.args.push(call.fingerprint);
            }
            // What counts for stagnation is new arguments, and a round may have them in any of its calls.
            if fails || is_new {
                entry.round = call.round;
            }
        }
        let factor = Config::threshold_factor(call.poll);
        let others = entry.args.len() as u64;
        let (kind, repeats) =
            if fails { (LoopKind::SameError, entry.count) } else { (LoopKind::Stagnation, others) };
        let is_loop = if fails {
            others >= 2 && repeats >= SAME_ERROR * factor
        } else {
            repeats >= STAGNATION * factor
        };
        let loop_of = fingerprint::join(tool, result);
        is_loop.then_some(Finding { kind, loop_of, result: Some(result), repeats })
    }

    fn take_near(
        &mut self,
        call: &KnownResult<'_>,
        result: Fingerprint,
        fails: bool,
    ) -> Option<Finding> {
        let tool = fingerprint::of(call.tool.as_bytes(), 0);
        let words: Vec<u64> = call.words.iter().map(|w| u64::from(*w)).collect();
        let near = &mut self.near;
        let is_further = call.has_counted(near.round);
        // The calls of a round are compared with one of an earlier round, not with each other.
        let before = if is_further { &near.earlier } else { &near.words };
        let first = if call.round > 0 { call.round } else { call.number };
        let follows = near.tool == tool
            && (is_further || near.number + 1 == first)
            && near.result == result
            && before.len() >= NEAR_WORDS
            && words.len() >= NEAR_WORDS
            && !fails
            && {
                #[allow(clippy::cast_possible_truncation)] // they were stored as 32-bit numbers
                let before: Vec<u32> = before.iter().map(|w| *w as u32).collect();
                jaccard(&before, call.words) >= NEAR_SHARE
            };
        let last_words = std::mem::replace(&mut near.words, words);
        near.number = if is_further { near.number.max(call.number) } else { call.number };
        if follows && is_further {
            // Its round has counted.
        } else if follows {
            near.earlier = if call.round > 0 { last_words } else { Vec::new() };
            near.count += 1;
        } else {
            near.earlier.clear();
            (near.tool, near.result, near.count) = (tool, result, 1);
        }
        if !is_further {
            near.round = call.round;
        }
        let count = near.count;
        let loop_of = fingerprint::join(tool, result);
        let is_loop = count >= NEAR * Config::threshold_factor(call.poll);
        is_loop.then_some(Finding {
            kind: LoopKind::NearRepeat,
            loop_of,
            result: Some(result),
            repeats: count,
        })
    }
}
