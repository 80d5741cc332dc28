//! Reading what was read before.

use crate::loops::core::exact_cycles::KEPT;
use crate::loops::fingerprint;
use crate::loops::fingerprint::Fingerprint;
use crate::loops::kinds::results::Finding;
use crate::loops::verdict::LoopKind;
use std::collections::VecDeque;

/// What a read covers: `start` to before `end`, of a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadRange {
    /// A file, a page, …
    pub resource: String,
    /// The first line, byte, … that it covers.
    pub start: f64,
    /// The one behind the last.
    pub end: f64,
}

/// What was read of a resource: intervals in their order, apart from each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CoveredRanges {
    pub(crate) resource: Fingerprint,
    pub(crate) spans: Vec<f64>,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rereads {
    pub(crate) covered: VecDeque<CoveredRanges>,
    /// Reads in a row that showed hardly anything new.
    pub(crate) stale: u64,
}

const STALE: u64 = 8;
/// So much of a read was read before: then it shows nothing new.
const SHARE: f64 = 0.9;

impl CoveredRanges {
    /// How much of a span is covered.
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
        // Many small spans: the first one is forgotten.
        let too_many = spans.len().saturating_sub(KEPT);
        self.spans = spans.into_iter().skip(too_many).flatten().collect();
    }
}

impl Rereads {
    /// Takes a read; gives the loop, where one is seen.
    pub(crate) fn take(&mut self, range: &ReadRange) -> Option<Finding> {
        let (start, end) = (range.start, range.end);
        // What covers nothing says nothing.
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
        if self.covered.len() == KEPT {
            self.covered.pop_front();
        }
        self.covered.push_back(known);
        self.stale = if stale { self.stale + 1 } else { 0 };
        (self.stale >= STALE).then_some(Finding {
            kind: LoopKind::NoProgressRead,
            loop_of: resource,
            result: None,
            repeats: self.stale,
        })
    }
}
