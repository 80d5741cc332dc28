//! The tail: the newest messages that stay verbatim, within a budget.

use super::config::Estimator;
use super::history::History;
use super::size::ModelSize;
use apex_parts_model::Error;

/// What a run of messages takes, measured with an estimator.
#[derive(Clone, Copy, Default)]
struct RunSize {
    model: ModelSize,
    counted: u64,
}

impl RunSize {
    fn tokens(self, by: Estimator) -> f64 {
        match by {
            Estimator::Chars => self.model.tokens(),
            #[allow(clippy::cast_precision_loss)] // no context has 2^53 tokens
            Estimator::Classes => self.counted as f64,
        }
    }

    /// With one more message.
    fn plus(self, history: &impl History, index: u32, by: Estimator) -> Result<RunSize, Error> {
        let index = index as usize;
        let mut more = RunSize::default();
        match by {
            Estimator::Chars => history.show(index, &mut more.model)?,
            Estimator::Classes => {
                more.counted = history.sums(index, by)?.sent(by);
            }
        }
        Ok(RunSize { model: self.model.plus(more.model), counted: self.counted + more.counted })
    }
}

/// What limits the tail.
#[derive(Clone, Copy, Debug)]
pub(super) struct TailLimits {
    /// Its tokens.
    pub(super) budget: f64,
    /// Its turns; `None` for any number.
    pub(super) turns: Option<f64>,
    pub(super) by: Estimator,
}

/// Where the tail begins among these messages, given by their indices; `None` if nothing stays.
pub(super) fn tail_of(
    history: &impl History,
    shown: &[u32],
    limits: TailLimits,
) -> Result<Option<usize>, Error> {
    let (mut kept, mut total, mut turns, mut end) = (None, 0.0, 0.0, shown.len());
    while limits.turns.is_none_or(|most| turns + 1.0 <= most) {
        // A turn is measured from its end, so that no message is measured twice.
        let Some(turn) =
            measured_turn(history, shown.get(..end).unwrap_or_default(), limits, total)?
        else {
            break;
        };
        match turn {
            MeasuredTurn::Fits { start, tokens } => {
                total += tokens;
                turns += 1.0;
                kept = Some(start);
                end = start;
            }
            MeasuredTurn::Cut { from } => {
                kept = from.or(kept);
                break;
            }
        }
    }
    // With everything in it, nothing would be summarised.
    Ok(kept.filter(|start| *start > 0))
}

enum MeasuredTurn {
    /// All of it stays.
    Fits { start: usize, tokens: f64 },
    /// It is too large; what stays of it begins here, if anything does.
    Cut { from: Option<usize> },
}

/// Measures the turn that ends these messages; `None` if there is none.
fn measured_turn(
    history: &impl History,
    shown: &[u32],
    limits: TailLimits,
    total: f64,
) -> Result<Option<MeasuredTurn>, Error> {
    let mut size = RunSize::default();
    for (start, index) in shown.iter().enumerate().rev() {
        size = size.plus(history, *index, limits.by)?;
        let tokens = size.tokens(limits.by);
        let begins = history.head(*index as usize).begins_turn();
        if total + tokens > limits.budget {
            let has_turn = begins
                || shown
                    .iter()
                    .take(start)
                    .any(|earlier| history.head(*earlier as usize).begins_turn());
            let from = Some(start + 1).filter(|from| *from < shown.len());
            return Ok(has_turn.then_some(MeasuredTurn::Cut { from }));
        }
        if begins {
            return Ok(Some(MeasuredTurn::Fits { start, tokens }));
        }
    }
    Ok(None)
}
