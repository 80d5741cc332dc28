//! Where the time of a run, or of a range of it, went: model, tools, waiting for a person, idle.

use super::transcript_summary::TimeSplit;
use apex_parts_model::order;
use std::ops::RangeInclusive;

/// Adds the times of a session's messages up, in their order.
#[derive(Clone, Debug)]
pub(crate) struct BusyTime {
    /// What lies outside of it does not count.
    range: RangeInclusive<f64>,
    first: Option<f64>,
    last: Option<f64>,
    /// The beginning of the turn: of a request and its answers.
    turn: Option<(f64, f64)>,
    /// The calls of the turn: from, to (not a number while there is no end), and whether it asks a person.
    calls: Vec<(f64, f64, bool)>,
    sums: TimeSplit,
}

impl Default for BusyTime {
    fn default() -> BusyTime {
        BusyTime::within(f64::NEG_INFINITY..=f64::INFINITY)
    }
}

impl BusyTime {
    /// For a range of time, in milliseconds since the Unix epoch.
    pub(crate) fn within(range: RangeInclusive<f64>) -> BusyTime {
        let (calls, sums) = (Vec::new(), TimeSplit::default());
        BusyTime { range, first: None, last: None, turn: None, calls, sums }
    }

    /// The part of a span that is in the range; `None` if they do not meet.
    fn clipped(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let (from, to) = (from.max(*self.range.start()), to.min(*self.range.end()));
        (to >= from).then_some((from, to))
    }

    /// A message begins; `is_request` says that a person wrote it, so that the time before it was idle.
    pub(crate) fn message(&mut self, is_request: bool, created: f64, completed: f64) {
        if is_request {
            self.end_turn();
        }
        self.at(created);
        self.at(completed);
    }

    /// A call ran. One without an end (`to` is not a number) ran until the last time of its turn: a session that
    /// was interrupted was busy until then.
    pub(crate) fn call(&mut self, from: f64, to: f64, asks: bool) {
        self.at(from);
        self.at(to);
        if from.is_finite() && (to.is_nan() || to > from) {
            self.calls.push((from, to, asks));
        }
    }

    fn at(&mut self, ms: f64) {
        if !ms.is_finite() {
            return;
        }
        self.first = Some(self.first.map_or(ms, |first| first.min(ms)));
        self.last = Some(self.last.map_or(ms, |last| last.max(ms)));
        self.turn = Some(self.turn.map_or((ms, ms), |(from, to)| (from.min(ms), to.max(ms))));
    }

    fn end_turn(&mut self) {
        let Some((from, to)) = self.turn.take() else { return };
        let calls = std::mem::take(&mut self.calls).into_iter().filter_map(|(start, end, asks)| {
            let (start, end) = self.clipped(start, if end.is_nan() { to } else { end })?;
            Some((start, end, asks))
        });
        let mut calls: Vec<_> = calls.collect();
        let Some((from, to)) = self.clipped(from, to) else { return };
        order::sort_by(&mut calls, |a, b| a.0.total_cmp(&b.0));
        let tools = union(calls.iter().filter(|call| !call.2));
        let all = union(calls.iter());
        self.sums.tools += tools;
        self.sums.waiting += all - tools;
        self.sums.model += (to - from - all).max(0.0);
    }

    /// The sums so far; `None` if there are no times, or none in the range.
    pub(crate) fn split(&self) -> Option<TimeSplit> {
        let mut all = self.clone();
        all.end_turn();
        let (first, last) = self.clipped(self.first?, self.last?)?;
        let total = last - first;
        let TimeSplit { model, tools, waiting, .. } = all.sums;
        let busy = model + tools;
        let idle = (total - busy - waiting).max(0.0);
        Some(TimeSplit { total, busy, model, tools, waiting, idle })
    }
}

/// The length of the union of spans that are sorted by their beginnings.
fn union<'a>(spans: impl Iterator<Item = &'a (f64, f64, bool)>) -> f64 {
    let (mut sum, mut end) = (0.0, f64::NEG_INFINITY);
    for (from, to, _) in spans {
        if *to > end {
            sum += to - from.max(end);
            end = *to;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_counted_twice() {
        let mut time = BusyTime::default();
        time.message(true, 0.0, f64::NAN);
        time.message(false, 1.0, 100.0);
        time.call(10.0, 30.0, false);
        time.call(20.0, 40.0, false);
        time.call(35.0, 60.0, true);
        // The next day.
        time.message(true, 10_000.0, f64::NAN);
        time.message(false, 10_001.0, 10_100.0);
        let split = time.split().unwrap();
        let expected = TimeSplit {
            total: 10_100.0,
            busy: 180.0,
            model: 150.0,
            tools: 30.0,
            waiting: 20.0,
            idle: 9_900.0,
        };
        assert_eq!(split, expected);
    }

    #[test]
    fn of_a_range_counts_what_is_in_it() {
        let of = |from: f64, to: f64| {
            let mut time = BusyTime::within(from..=to);
            time.message(true, 100.0, f64::NAN);
            time.message(false, 101.0, 200.0);
            time.call(110.0, 130.0, false);
            time.call(120.0, 140.0, false);
            time.call(135.0, 160.0, true);
            time.message(true, 10_100.0, f64::NAN);
            time.message(false, 10_101.0, 10_200.0);
            time.split().map(|split| [split.model, split.tools, split.waiting, split.idle])
        };
        assert_eq!(of(0.0, 20_000.0), Some([150.0, 30.0, 20.0, 9_900.0]));
        assert_eq!(of(125.0, 150.0), Some([0.0, 15.0, 10.0, 0.0]));
        assert_eq!(of(150.0, 10_150.0), Some([90.0, 0.0, 10.0, 9_900.0]));
        assert_eq!(of(300.0, 10_000.0), Some([0.0, 0.0, 0.0, 9_700.0]));
        assert_eq!(of(20_000.0, 30_000.0), None);
        assert_eq!(of(150.0, 140.0), None);
    }

    #[test]
    fn a_call_without_an_end_lasts_until_the_last_time_of_its_turn() {
        let mut time = BusyTime::default();
        time.message(true, 0.0, f64::NAN);
        time.message(false, 10.0, f64::NAN);
        time.call(20.0, f64::NAN, false);
        time.call(30.0, 50.0, false);
        // The next request: the first call was interrupted, and this one is still running.
        time.message(true, 1_000.0, f64::NAN);
        time.message(false, 1_010.0, f64::NAN);
        time.call(1_020.0, f64::NAN, false);
        time.message(false, 1_100.0, f64::NAN);
        let split = time.split().unwrap();
        let expected = TimeSplit {
            total: 1_100.0,
            busy: 150.0,
            model: 40.0,
            tools: 110.0,
            waiting: 0.0,
            idle: 950.0,
        };
        assert_eq!(split, expected);
        let mut asking = BusyTime::within(0.0..=30.0);
        asking.message(false, 0.0, 100.0);
        asking.call(10.0, f64::NAN, true);
        let split = asking.split().unwrap();
        assert_eq!((split.model, split.waiting, split.total), (10.0, 20.0, 30.0));
    }

    #[test]
    fn without_times_there_is_no_sum() {
        let mut time = BusyTime::default();
        time.message(true, f64::NAN, f64::NAN);
        time.call(f64::NAN, 7.0, false);
        assert_eq!(time.split().map(|split| split.total), Some(0.0));
        assert_eq!(BusyTime::default().split(), None);
    }
}
