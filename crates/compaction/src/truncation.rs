//! Which of the earliest turns are left out without a summary.

/// What limits the turns that stay.
#[derive(Clone, Copy, Debug)]
pub(super) struct TruncationLimits {
    /// The tokens of the messages that stay.
    pub(super) budget: f64,
    /// Their turns; `None` for any number.
    pub(super) turns: Option<f64>,
    /// The tokens of everything that is sent of the history, what is added included: fewer than these.
    pub(super) room: f64,
    /// The earliest turn goes, even if all of them fit.
    pub(super) overflow: bool,
}

/// A message that may stay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Does a turn begin with it?
    pub(super) begins: bool,
    /// What it takes.
    pub(super) tokens: f64,
}

/// The turns that stay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeptTurns {
    /// The place of their first message.
    pub(super) from: usize,
    /// What their messages take.
    pub(super) tokens: f64,
    /// They are more than the limits permit: no turn is left that could go.
    pub(super) over: bool,
}

/// Leaves out the fewest turns. `added`: what is sent besides if the message at a place is the first that stays.
pub(super) fn kept_turns(
    messages: &[Candidate],
    limits: TruncationLimits,
    added: &dyn Fn(usize) -> f64,
) -> KeptTurns {
    // What stands before the first request, such as the rest of a turn that was cut, counts as a turn.
    let begins = |(place, one): &(usize, &Candidate)| *place == 0 || one.begins;
    let mut turns = messages.iter().enumerate().filter(begins).count();
    let mut tokens: f64 = messages.iter().map(|one| one.tokens).sum();
    for (place, one) in messages.iter().enumerate() {
        if begins(&(place, one)) {
            #[allow(clippy::cast_precision_loss)] // no history has 2^53 turns
            let is_few = limits.turns.is_none_or(|most| turns as f64 <= most.max(1.0));
            let is_small = tokens <= limits.budget && tokens + added(place) < limits.room;
            let is_allowed = !(limits.overflow && place == 0);
            if (is_few && is_small && is_allowed) || turns == 1 {
                return KeptTurns { from: place, tokens, over: !is_small };
            }
            turns -= 1;
        }
        tokens -= one.tokens;
    }
    KeptTurns { from: 0, tokens: 0.0, over: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TruncationLimits =
        TruncationLimits { budget: 100.0, turns: None, room: 1_000.0, overflow: false };

    /// Five messages of ten tokens each: an answer without a request, which counts as a turn, and two turns.
    fn kept(limits: TruncationLimits) -> KeptTurns {
        let messages =
            [false, true, false, true, false].map(|begins| Candidate { begins, tokens: 10.0 });
        kept_turns(&messages, limits, &|_| 5.0)
    }

    #[test]
    fn whole_turns_go_until_the_rest_fits() {
        assert_eq!(kept(LIMITS), KeptTurns { from: 0, tokens: 50.0, over: false });
        let two = KeptTurns { from: 1, tokens: 40.0, over: false };
        assert_eq!(kept(TruncationLimits { budget: 49.0, ..LIMITS }), two);
        assert_eq!(kept(TruncationLimits { room: 55.0, ..LIMITS }), two);
        assert_eq!(kept(TruncationLimits { overflow: true, ..LIMITS }), two);
        let newest = KeptTurns { from: 3, tokens: 20.0, over: false };
        assert_eq!(kept(TruncationLimits { budget: 39.0, ..LIMITS }), newest);
        assert_eq!(kept(TruncationLimits { room: 45.0, ..LIMITS }), newest);
        assert_eq!(kept(TruncationLimits { turns: Some(1.0), ..LIMITS }), newest);
    }

    #[test]
    fn the_newest_turn_stays_even_if_it_does_not_fit() {
        let over = KeptTurns { from: 3, tokens: 20.0, over: true };
        assert_eq!(kept(TruncationLimits { budget: 19.0, ..LIMITS }), over);
        assert_eq!(kept(TruncationLimits { room: 25.0, ..LIMITS }), over);
        let newest = KeptTurns { over: false, ..over };
        assert_eq!(kept(TruncationLimits { turns: Some(0.0), ..LIMITS }), newest);
        let none = kept_turns(&[], LIMITS, &|_| 0.0);
        assert_eq!(none, KeptTurns { from: 0, tokens: 0.0, over: false });
    }
}
