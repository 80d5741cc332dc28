//! no_progress_read: reads of ranges that were read before.

use crate::core::exact_cycles::MAX_KEPT;
use crate::kinds::results::Finding;
use crate::verdict::LoopKind;
use apex_parts_model::fingerprint;
use apex_parts_model::fingerprint::Fingerprint;
use std::collections::VecDeque;

/// The range that a read covers: from `start` up to, but not including, `end`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadRange {
    /// What is read: a file, a page, …
    pub resource: String,
    /// The first line, byte, … of the range.
    pub start: f64,
    /// The first one after the range.
    pub end: f64,
}

/// The ranges of a resource that were read, as sorted disjoint intervals: start, end, start, end, …
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CoveredRanges {
    pub(crate) resource: Fingerprint,
    pub(crate) spans: Vec<f64>,
}

/// The ranges that were read, of the last 64 resources.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rereads {
    pub(crate) covered: VecDeque<CoveredRanges>,
    /// How many reads in a row covered hardly anything new.
    pub(crate) stale: u64,
    /// The round of the last read, if it is in one: the first read of a round counts.
    pub(crate) round: u64,
}

/// This many such reads in a row are a loop.
const STALE: u64 = 8;
/// A read of which at least this share was read before covers nothing new.
const SHARE: f64 = 0.9;

impl CoveredRanges {
    /// The share of a range that was read before.
    fn share(&self, start: f64, end: f64) -> f64 {
        let inside = |span: &[f64; 2]| (span[1].min(end) - span[0].max(start)).max(0.0);
        self.spans.as_chunks().0.iter().map(inside).sum::<f64>() / (end - start)
    }

    fn add(&mut self, start: f64, end: f64) {
        let (mut start, mut end) = (start, end);
        let mut spans = Vec::with_capacity(self.spans.len() + 2);
        for [from, to] in self.spans.as_chunks().0 {
            if *to < start || *from > end {
                spans.push([*from, *to]);
            } else {
                (start, end) = (start.min(*from), end.max(*to));
            }
        }
        let place = spans.partition_point(|[from, _]| *from < start);
        spans.insert(place, [start, end]);
        // The number of intervals is bounded: the first ones are dropped.
        let too_many = spans.len().saturating_sub(MAX_KEPT);
        self.spans = spans.into_iter().skip(too_many).flatten().collect();
    }
}

impl Rereads {
    /// Takes a read of this round (0: in none); returns a finding if it completes a loop. A round counts
    /// as one read: as one of new content if any of its reads is.
    pub(crate) fn take(&mut self, range: &ReadRange, round: u64) -> Option<Finding> {
        let (start, end) = (range.start, range.end);
        // Empty and invalid ranges are ignored.
        let size = end - start;
        if !(size.is_finite() && size > 0.0) {
            return None;
        }
        let resource = fingerprint::of(range.resource.as_bytes(), 0);
        let place = self.covered.iter().position(|c| c.resource == resource);
        let known = place.and_then(|place| self.covered.remove(place));
        let mut known = known.unwrap_or(CoveredRanges { resource, spans: Vec::new() });
        let stale = known.share(start, end) >= SHARE;
        known.add(start, end);
        if self.covered.len() == MAX_KEPT {
            self.covered.pop_front();
        }
        self.covered.push_back(known);
        let is_further = round > 0 && round == std::mem::replace(&mut self.round, round);
        self.stale = match stale {
            true if is_further => return None,
            true => self.stale + 1,
            false => 0,
        };
        (self.stale >= STALE).then_some(Finding {
            kind: LoopKind::NoProgressRead,
            loop_of: resource,
            result: None,
            repeats: self.stale,
        })
    }
}
