//! Where the time of a run, or of a range of it, went: model, tools, waiting for a person, idle.

use super::transcript_summary::TimeSplit;
use apex_parts_model::order;
use std::ops::RangeInclusive;

/// Adds the times of a session's messages up. A moment counts once, whatever overlaps in it: as a tool's where a call
/// runs, else as waiting where a call asks a person, else as the model's where a request is being answered.
#[derive(Clone, Debug)]
pub(crate) struct BusyTime {
    /// What lies outside of it does not count.
    range: RangeInclusive<f64>,
    first: Option<f64>,
    last: Option<f64>,
    turn: Turn,
    /// Where calls ran, where calls asked a person, and where requests were being answered.
    tools: Spans,
    asks: Spans,
    answers: Spans,
}

/// A request and its answers.
#[derive(Clone, Debug, Default)]
struct Turn {
    /// When the request was made; without one, when the first message was.
    from: Option<f64>,
    /// The end of the last answer that has one, and whether one has none.
    ended: Option<f64>,
    is_open: bool,
    /// The last time of all.
    last: Option<f64>,
    /// The beginnings of calls without an end, and whether they ask a person.
    open: Vec<(f64, bool)>,
}

impl Default for BusyTime {
    fn default() -> BusyTime {
        BusyTime::within(f64::NEG_INFINITY..=f64::INFINITY)
    }
}

fn later(one: Option<f64>, other: f64) -> Option<f64> {
    Some(one.map_or(other, |one| one.max(other)))
}

impl BusyTime {
    /// For a range of time, in milliseconds since the Unix epoch.
    pub(crate) fn within(range: RangeInclusive<f64>) -> BusyTime {
        let [tools, asks, answers] = [(); 3].map(|()| Spans::default());
        BusyTime { range, first: None, last: None, turn: Turn::default(), tools, asks, answers }
    }

    /// The part of a span that is in the range; `None` if they do not meet.
    fn clipped(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let (from, to) = (from.max(*self.range.start()), to.min(*self.range.end()));
        (to >= from).then_some((from, to))
    }

    /// A message begins; `is_request` says that a person wrote it, so that the time before it was idle.
    pub(crate) fn message(&mut self, is_request: bool, created: f64, completed: f64) {
        if is_request {
            let turn = std::mem::take(&mut self.turn);
            self.end_turn(&turn);
        }
        self.at(created);
        self.at(completed);
        let turn = &mut self.turn;
        if created.is_finite() && turn.from.is_none() {
            turn.from = Some(created);
        }
        if is_request {
            return;
        }
        if completed.is_finite() {
            turn.ended = later(turn.ended, completed);
        } else if created.is_finite() {
            turn.is_open = true;
        }
    }

    /// A call ran. One without an end (`to` is not a number) ran until the last time of its turn: a session that
    /// was interrupted was busy until then.
    pub(crate) fn call(&mut self, from: f64, to: f64, asks: bool) {
        self.at(from);
        self.at(to);
        if !from.is_finite() {
            return;
        }
        if to.is_nan() {
            self.turn.open.push((from, asks));
        } else {
            self.add_call(from, to, asks);
        }
    }

    fn add_call(&mut self, from: f64, to: f64, asks: bool) {
        let span = self.clipped(from, to);
        if asks { &mut self.asks } else { &mut self.tools }.add(span);
    }

    fn at(&mut self, ms: f64) {
        if !ms.is_finite() {
            return;
        }
        self.first = Some(self.first.map_or(ms, |first| first.min(ms)));
        self.last = later(self.last, ms);
        self.turn.last = later(self.turn.last, ms);
    }

    fn end_turn(&mut self, turn: &Turn) {
        let Some(last) = turn.last else { return };
        for &(from, asks) in &turn.open {
            self.add_call(from, last, asks);
        }
        let ended = if turn.is_open { Some(last) } else { turn.ended };
        if let (Some(from), Some(to)) = (turn.from, ended) {
            let span = self.clipped(from, to);
            self.answers.add(span);
        }
    }

    /// The sums so far; `None` if there are no times, or none in the range.
    pub(crate) fn split(&self) -> Option<TimeSplit> {
        let (first, last) = self.clipped(self.first?, self.last?)?;
        let total = last - first;
        let mut all = self.clone();
        let turn = std::mem::take(&mut all.turn);
        all.end_turn(&turn);
        let BusyTime { tools: mut spans, asks, answers, .. } = all;
        let tools = spans.length();
        spans.extend(asks);
        let with_asks = spans.length();
        spans.extend(answers);
        let (waiting, model) = (with_asks - tools, spans.length() - with_asks);
        let busy = model + tools;
        let idle = (total - busy - waiting).max(0.0);
        Some(TimeSplit { total, busy, model, tools, waiting, idle })
    }
}

/// Spans of time, of which those that meet are joined now and then.
#[derive(Clone, Debug, Default)]
struct Spans {
    list: Vec<(f64, f64)>,
    /// The length at which they are joined next.
    limit: usize,
}

impl Spans {
    fn add(&mut self, span: Option<(f64, f64)>) {
        let Some((from, to)) = span.filter(|(from, to)| to > from) else { return };
        // Most follow each other.
        if let Some(last) = self.list.last_mut().filter(|last| last.0 <= from && from <= last.1) {
            last.1 = last.1.max(to);
            return;
        }
        self.list.push((from, to));
        if self.list.len() > self.limit {
            self.join();
            self.limit = (2 * self.list.len()).max(64);
        }
    }

    fn extend(&mut self, more: Spans) {
        self.list.extend(more.list);
    }

    /// Sorts the spans, and joins those that meet.
    fn join(&mut self) {
        if !self.list.is_sorted_by(|a, b| a.1 < b.0) {
            order::sort_by(&mut self.list, |a, b| a.0.total_cmp(&b.0));
        }
        self.list.dedup_by(|next, last| {
            let meets = next.0 <= last.1;
            if meets {
                last.1 = last.1.max(next.1);
            }
            meets
        });
    }

    /// How long they are together.
    fn length(&mut self) -> f64 {
        self.join();
        // The sum of no numbers is −0.
        0.0 + self.list.iter().map(|(from, to)| to - from).sum::<f64>()
    }
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
    fn nothing_is_zero_and_not_less() {
        let mut time = BusyTime::default();
        time.message(true, 0.0, f64::NAN);
        time.message(false, 1.0, 100.0);
        let TimeSplit { tools, waiting, idle, .. } = time.split().unwrap();
        assert!([tools, waiting, idle].iter().all(|ms| *ms == 0.0 && ms.is_sign_positive()));
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
    fn a_moment_counts_once() {
        // A request that was typed while the one before it was being answered.
        let mut time = BusyTime::default();
        time.message(true, 0.0, f64::NAN);
        time.message(false, 1_000.0, 10_000.0);
        time.message(true, 2_000.0, f64::NAN);
        time.message(false, 3_000.0, 11_000.0);
        let split = time.split().unwrap();
        assert_eq!((split.busy, split.total), (11_000.0, 11_000.0));
        // Calls whose clock began in 1970, in each of many turns.
        let mut time = BusyTime::default();
        for turn in 0..1_000 {
            let now = 1_700_000_000_000.0 + 60_000.0 * f64::from(turn);
            time.message(true, now, f64::NAN);
            time.message(false, now + 1.0, now + 10_000.0);
            time.call(1.0, 3.0, false);
            time.call(5.0, f64::NAN, true);
        }
        let TimeSplit { total, busy, model, tools, waiting, idle } = time.split().unwrap();
        assert_eq!((model, tools), (0.0, 2.0));
        assert!(busy <= total && (busy + waiting + idle - total).abs() <= 1.0);
    }

    #[test]
    fn spans_are_joined_in_any_order() {
        let spans = [(5.0, 6.0), (0.0, 1.0), (0.5, 2.0), (2.0, 3.0), (9.0, 9.0), (5.5, 5.6)];
        let mut forwards = Spans::default();
        let mut backwards = Spans::default();
        spans.iter().for_each(|span| forwards.add(Some(*span)));
        spans.iter().rev().for_each(|span| backwards.add(Some(*span)));
        assert_eq!((forwards.length(), backwards.length()), (4.0, 4.0));
        // What has been joined takes no more room than what is left of it.
        let mut many = Spans::default();
        for at in (0..10_000).rev() {
            let at = f64::from(at);
            many.add(Some((at, at + 1.0)));
            assert!(many.list.len() <= 65);
        }
        assert_eq!(many.length(), 10_000.0);
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
