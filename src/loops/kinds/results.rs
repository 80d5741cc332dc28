//! The kinds that look at results: interleaved_repeat, same_error, near_repeat, stagnation.

use crate::loops::canonical::jaccard;
use crate::loops::config::Config;
use crate::loops::core::exact_cycles::{KEPT, ResultStatus};
use crate::loops::fingerprint;
use crate::loops::fingerprint::Fingerprint;
use crate::loops::verdict::LoopKind;
use std::collections::VecDeque;

/// A call whose result is known now.
pub(crate) struct KnownResult<'a> {
    /// Its number in the sequence.
    pub(crate) number: u64,
    pub(crate) tool: &'a str,
    /// Tool and arguments.
    pub(crate) print: Fingerprint,
    /// The words of its arguments.
    pub(crate) words: &'a [u32],
    pub(crate) outcome: ResultStatus,
    /// The length of its result in bytes.
    pub(crate) length: u64,
    pub(crate) poll: bool,
    /// The tool changes something.
    pub(crate) changes: bool,
}

/// A loop that a soft kind sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) kind: LoopKind,
    pub(crate) loop_of: Fingerprint,
    pub(crate) result: Option<Fingerprint>,
    pub(crate) repeats: u64,
}

/// The same call with the same result.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RepeatedResult {
    pub(crate) print: Fingerprint,
    pub(crate) result: Fingerprint,
    pub(crate) fails: bool,
    pub(crate) count: u64,
    pub(crate) last: u64,
    /// There was other work between.
    pub(crate) apart: bool,
}

/// One tool, with the same error or the same long result whatever the arguments, and whatever else it
/// gave in between.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RepeatedToolResult {
    pub(crate) tool: Fingerprint,
    pub(crate) result: Fingerprint,
    pub(crate) fails: bool,
    pub(crate) count: u64,
    /// The arguments that it was called with.
    pub(crate) args: Vec<Fingerprint>,
}

/// The last call, as near_repeat compares it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NearRepeat {
    pub(crate) tool: Fingerprint,
    pub(crate) words: Vec<u64>,
    pub(crate) result: Fingerprint,
    pub(crate) number: u64,
    pub(crate) count: u64,
}

/// What is known of results.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ResultKinds {
    pub(crate) again: VecDeque<RepeatedResult>,
    pub(crate) of_tools: VecDeque<RepeatedToolResult>,
    pub(crate) near: NearRepeat,
    /// Calls that changed something.
    pub(crate) changed: VecDeque<Fingerprint>,
}

/// The same result so many times, with other work between; so many where it fails.
const INTERLEAVED: u64 = 6;
const INTERLEAVED_FAILING: u64 = 4;
/// The same error so many times.
const SAME_ERROR: u64 = 5;
const NEAR: u64 = 5;
const NEAR_WORDS: usize = 4;
const NEAR_SHARE: f64 = 0.8;
const NEAR_BYTES: u64 = 16;
const STAGNATION: u64 = 6;
const STAGNATION_BYTES: u64 = 64;

/// Takes an entry out of a table, or makes one; puts it back as the youngest.
fn youngest<T: Default>(table: &mut VecDeque<T>, is: impl Fn(&T) -> bool) -> Option<&mut T> {
    let entry = match table.iter().position(is) {
        Some(place) => table.remove(place).unwrap_or_default(),
        None => T::default(),
    };
    if table.len() == KEPT {
        table.pop_front();
    }
    table.push_back(entry);
    table.back_mut()
}

impl ResultKinds {
    /// Takes what a call came to. Gives the loops that are seen, and whether there was progress
    /// that makes everything before it count no more.
    pub(crate) fn take(&mut self, told: &KnownResult<'_>) -> (Vec<Finding>, bool) {
        let (result, fails) = match told.outcome {
            ResultStatus::Unknown => return (Vec::new(), false),
            ResultStatus::Good(result) => (result, false),
            ResultStatus::Bad(result) => (result, true),
        };
        if told.changes && !fails && !self.changed.contains(&told.print) {
            // New work was done: what came before it is no loop.
            if self.changed.len() == KEPT {
                self.changed.pop_front();
            }
            let mut changed = std::mem::take(&mut self.changed);
            changed.push_back(told.print);
            *self = ResultKinds { changed, ..ResultKinds::default() };
            return (Vec::new(), true);
        }
        let mut seen = Vec::new();
        seen.extend(self.take_again(told, result, fails));
        seen.extend(self.take_of_tool(told, result, fails));
        seen.extend(self.take_near(told, result, fails));
        (seen, false)
    }

    fn take_again(
        &mut self,
        told: &KnownResult<'_>,
        result: Fingerprint,
        fails: bool,
    ) -> Option<Finding> {
        let other =
            |a: &RepeatedResult| a.print == told.print && (a.result != result || a.fails != fails);
        if self.again.iter().any(other) {
            // A repeated call answers differently: that is progress.
            self.again.clear();
        }
        let again = youngest(&mut self.again, |a| a.print == told.print)?;
        let apart = again.apart || (again.count > 0 && again.last + 1 < told.number);
        *again = RepeatedResult {
            print: told.print,
            result,
            fails,
            count: again.count + 1,
            last: told.number,
            apart,
        };
        let most = if fails { INTERLEAVED_FAILING } else { INTERLEAVED };
        (apart && again.count >= most * Config::patience(told.poll)).then_some(Finding {
            kind: LoopKind::InterleavedRepeat,
            loop_of: told.print,
            result: Some(result),
            repeats: again.count,
        })
    }

    /// same_error, and stagnation.
    fn take_of_tool(
        &mut self,
        told: &KnownResult<'_>,
        result: Fingerprint,
        fails: bool,
    ) -> Option<Finding> {
        // Short results are alike by chance.
        if !fails && told.length < STAGNATION_BYTES {
            return None;
        }
        let tool = fingerprint::of(told.tool.as_bytes(), 0);
        let is = |t: &RepeatedToolResult| (t.tool, t.result, t.fails) == (tool, result, fails);
        let entry = youngest(&mut self.of_tools, is)?;
        (entry.tool, entry.result, entry.fails) = (tool, result, fails);
        entry.count += 1;
        if !entry.args.contains(&told.print) && entry.args.len() < KEPT {
            entry.args.push(told.print);
        }
        let patience = Config::patience(told.poll);
        let others = entry.args.len() as u64;
        let (kind, repeats) =
            if fails { (LoopKind::SameError, entry.count) } else { (LoopKind::Stagnation, others) };
        let is_one = if fails {
            others >= 2 && repeats >= SAME_ERROR * patience
        } else {
            repeats >= STAGNATION * patience
        };
        let loop_of = fingerprint::join(tool, result);
        is_one.then_some(Finding { kind, loop_of, result: Some(result), repeats })
    }

    fn take_near(
        &mut self,
        told: &KnownResult<'_>,
        result: Fingerprint,
        fails: bool,
    ) -> Option<Finding> {
        let tool = fingerprint::of(told.tool.as_bytes(), 0);
        let words: Vec<u64> = told.words.iter().map(|w| u64::from(*w)).collect();
        #[allow(clippy::cast_possible_truncation)] // they were 32 bits
        let before: Vec<u32> = self.near.words.iter().map(|w| *w as u32).collect();
        let near = &self.near;
        let follows = near.tool == tool
            && near.number + 1 == told.number
            && near.result == result
            && near.words.len() >= NEAR_WORDS
            && words.len() >= NEAR_WORDS
            && !fails
            && told.length >= NEAR_BYTES
            && jaccard(&before, told.words) >= NEAR_SHARE;
        let count = if follows { near.count + 1 } else { 1 };
        self.near = NearRepeat { tool, words, result, number: told.number, count };
        let loop_of = fingerprint::join(tool, result);
        let is_one = count >= NEAR * Config::patience(told.poll);
        is_one.then_some(Finding {
            kind: LoopKind::NearRepeat,
            loop_of,
            result: Some(result),
            repeats: count,
        })
    }
}
