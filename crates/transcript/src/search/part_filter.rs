//! Which messages and parts pass the filters of a query, by what the index knows of them.

use crate::index::entry::{COMPLETED, CUSTOM, MessageFact, NO_EXIT, PART_TYPES, PartFact};
use crate::index::message_index::Index;
use crate::search::language::{FilterCondition, QueryFilter, STATUSES, matches_name};

/// The places in [`STATUSES`] of a call that runs, of one whose state is an error, and of one that cannot end in its file.
const RUNNING: usize = 2;
const ERROR: usize = 4;
const REQUESTED: usize = 6;
const ROLES: [&str; 3] = ["other", "user", "assistant"];
/// [`MessageFact::flags`] of a message with an error.
const HAS_ERROR: u8 = 1;

/// The filters of a query, for the messages of one list.
///
/// What a part costs is what its message costs, where it has no cost of its own and something else chose it:
/// `tool:bash cost>0.05` are calls in expensive messages.
#[derive(Debug)]
pub(crate) struct PartFilter {
    tests: Vec<FilterTest>,
    /// A message's error has no tool and no type; it may pass the others.
    takes_errors: bool,
}

#[derive(Debug)]
struct FilterTest {
    negated: bool,
    kind: FilterTestKind,
}

#[derive(Debug)]
enum FilterTestKind {
    /// Of each role, agent, tool or status, by its number: is it one of those?
    Role(Vec<bool>),
    Agent(Vec<bool>),
    Tool(Vec<bool>),
    Status {
        allowed: Vec<bool>,
        takes_errors: bool,
    },
    Exit(Vec<i32>),
    Type {
        allowed: Vec<bool>,
        /// The names, for parts of other types.
        names: Vec<String>,
    },
    Measure {
        what: FilterAmount,
        than: &'static str,
        limit: f64,
        /// Other parts than those that end a step have what their message has.
        inherits: bool,
    },
}

#[derive(Clone, Copy, Debug)]
enum FilterAmount {
    Cost,
    Tokens,
    Duration,
}

/// A message, and what the index knows of its parts.
#[derive(Clone, Copy)]
pub(crate) struct FilteredMessage<'a> {
    pub(crate) index: &'a Index,
    pub(crate) fact: &'a MessageFact,
    /// The index behind its last part among all parts.
    pub(crate) end: usize,
}

impl PartFilter {
    /// `has_text`: a text is searched for as well. `holds_results`: a call that runs may still end in the file.
    pub(crate) fn new(
        filters: &[QueryFilter],
        index: &Index,
        has_text: bool,
        holds_results: bool,
    ) -> PartFilter {
        let is_of_parts =
            |filter: &QueryFilter| matches!(filter.name, "tool" | "status" | "exit" | "type");
        let inherits = has_text || filters.iter().any(is_of_parts);
        let kinds = filters.iter().map(|filter| match &filter.condition {
            FilterCondition::Names { values } => names_test(filter, values, index, holds_results),
            FilterCondition::Number { than, value } => {
                let what = match filter.name {
                    "cost" => FilterAmount::Cost,
                    "tokens" => FilterAmount::Tokens,
                    _ => FilterAmount::Duration,
                };
                FilterTestKind::Measure { what, than, limit: *value, inherits }
            }
        });
        let tests: Vec<FilterTest> = kinds
            .zip(filters)
            .map(|(kind, filter)| FilterTest { negated: filter.negated, kind })
            .collect();
        let takes_errors = tests.iter().all(|test| match &test.kind {
            FilterTestKind::Status { takes_errors, .. } => *takes_errors,
            FilterTestKind::Tool(_) | FilterTestKind::Exit(_) | FilterTestKind::Type { .. } => {
                false
            }
            _ => true,
        });
        PartFilter { tests, takes_errors }
    }

    /// Does a part pass? Of a part of another type than those of the index, `kind` says what it is.
    pub(crate) fn passes(
        &self,
        message: &FilteredMessage<'_>,
        part: &PartFact,
        kind: &dyn Fn() -> String,
    ) -> bool {
        self.tests.iter().all(|test| test.kind.holds(message, part, kind) != test.negated)
    }

    /// May a part pass whose type is not known yet?
    pub(crate) fn may_pass(&self, message: &FilteredMessage<'_>, part: &PartFact) -> bool {
        part.kind == CUSTOM || self.passes(message, part, &String::new)
    }

    /// Does the error of a message pass?
    pub(crate) fn passes_error(&self, message: &FilteredMessage<'_>) -> bool {
        self.takes_errors
            && self.tests.iter().all(|test| test.kind.holds_for_error(message) != test.negated)
    }

    /// Do the filters ask for errors by themselves?
    pub(crate) fn asks_for_errors(&self) -> bool {
        self.takes_errors
            && self.tests.iter().any(|test| matches!(test.kind, FilterTestKind::Status { .. }))
    }
}

/// Has a message an error?
pub(crate) fn has_error(message: &MessageFact) -> bool {
    message.flags & HAS_ERROR != 0
}

fn names_test(
    filter: &QueryFilter,
    values: &[String],
    index: &Index,
    holds_results: bool,
) -> FilterTestKind {
    let has = |name: &str| values.iter().any(|value| value.eq_ignore_ascii_case(name));
    let interned = |list: &[Box<str>]| {
        let names = list.iter().map(|name| one_of(name, values));
        [false].into_iter().chain(names).collect()
    };
    match filter.name {
        "role" => FilterTestKind::Role(ROLES.iter().map(|name| one_of(name, values)).collect()),
        "agent" => FilterTestKind::Agent(interned(index.agents.list())),
        "tool" => FilterTestKind::Tool(interned(index.tools.list())),
        "exit" => FilterTestKind::Exit(values.iter().filter_map(|value| exit_of(value)).collect()),
        "status" => {
            let mut allowed: Vec<bool> = STATUSES.iter().map(|name| one_of(name, values)).collect();
            // A call whose state is an error has failed too.
            if has("failed")
                && let Some(error) = allowed.get_mut(ERROR)
            {
                *error = true;
            }
            // Nothing runs in a file that holds no results.
            if !holds_results {
                let requested = allowed.get(REQUESTED).copied().unwrap_or_default();
                allowed.iter_mut().skip(RUNNING).take(1).for_each(|running| *running = requested);
            }
            FilterTestKind::Status { allowed, takes_errors: has("error") }
        }
        _ => {
            let is_custom = has("custom");
            let names = if is_custom { vec!["*".to_owned()] } else { values.to_vec() };
            let allowed = PART_TYPES.iter().map(|word| one_of(word.as_str(), values)).collect();
            FilterTestKind::Type { allowed, names }
        }
    }
}

fn one_of(name: &str, values: &[String]) -> bool {
    !name.is_empty() && values.iter().any(|value| matches_name(value, name))
}

/// An exit code as the index holds it: its low 32 bits. Some systems write them without a sign.
#[allow(clippy::cast_possible_truncation)] // the low bits
fn exit_of(value: &str) -> Option<i32> {
    value.parse::<i64>().ok().map(|code| code as i32)
}

impl FilterTestKind {
    fn holds(
        &self,
        message: &FilteredMessage<'_>,
        part: &PartFact,
        kind: &dyn Fn() -> String,
    ) -> bool {
        let is = |allowed: &Vec<bool>, at: usize| allowed.get(at).copied().unwrap_or_default();
        match self {
            FilterTestKind::Role(allowed) => is(allowed, usize::from(message.fact.role)),
            FilterTestKind::Agent(allowed) => is(allowed, usize::from(message.fact.agent)),
            FilterTestKind::Tool(allowed) => is(allowed, usize::from(part.tool)),
            FilterTestKind::Status { allowed, .. } => is(allowed, usize::from(part.status)),
            FilterTestKind::Exit(codes) => {
                part.status >= COMPLETED && part.exit != NO_EXIT && codes.contains(&part.exit)
            }
            FilterTestKind::Type { names, .. } if part.kind == CUSTOM => {
                let kind = kind();
                names.iter().any(|name| matches_name(name, &kind))
            }
            FilterTestKind::Type { allowed, .. } => is(allowed, usize::from(part.kind)),
            FilterTestKind::Measure { what: FilterAmount::Duration, than, limit, .. } => {
                compares(lasted(message, part.from, part.to), than, *limit)
            }
            FilterTestKind::Measure { what, than, limit, inherits } => {
                let own = if ends_step(part) {
                    what.own(part)
                } else if *inherits {
                    what.sum(message)
                } else {
                    return false;
                };
                what.compares(own, than, *limit)
            }
        }
    }

    fn holds_for_error(&self, message: &FilteredMessage<'_>) -> bool {
        let is = |allowed: &Vec<bool>, at: usize| allowed.get(at).copied().unwrap_or_default();
        match self {
            FilterTestKind::Role(allowed) => is(allowed, usize::from(message.fact.role)),
            FilterTestKind::Agent(allowed) => is(allowed, usize::from(message.fact.agent)),
            FilterTestKind::Status { takes_errors, .. } => *takes_errors,
            FilterTestKind::Tool(_) | FilterTestKind::Exit(_) | FilterTestKind::Type { .. } => {
                false
            }
            FilterTestKind::Measure { what: FilterAmount::Duration, than, limit, .. } => {
                let MessageFact { created, completed, .. } = *message.fact;
                compares(lasted(message, created, completed), than, *limit)
            }
            FilterTestKind::Measure { what, than, limit, .. } => {
                what.compares(what.sum(message), than, *limit)
            }
        }
    }
}

fn ends_step(part: &PartFact) -> bool {
    let word = PART_TYPES.get(usize::from(part.kind));
    word.is_some_and(|word| *word == apex_parts_model::Word::StepFinish)
}

/// How long something lasted; a time that the reader made up is none.
fn lasted(message: &FilteredMessage<'_>, from: f64, to: f64) -> f64 {
    let is_made_up = |time| message.index.sums.made_up == Some(time);
    if is_made_up(from) || is_made_up(to) { f64::NAN } else { to - from }
}

/// A number that is not known is `NaN`, which no comparison holds for.
fn compares(number: f64, than: &str, limit: f64) -> bool {
    match than {
        "<" => number < limit,
        "<=" => number <= limit,
        ">" => number > limit,
        _ => number >= limit,
    }
}

impl FilterAmount {
    fn own(self, part: &PartFact) -> f64 {
        match self {
            FilterAmount::Cost => decimal(part.cost),
            FilterAmount::Tokens => f64::from(part.tokens),
            FilterAmount::Duration => f64::NAN,
        }
    }

    /// What the steps of a message come to, otherwise what the message says itself.
    fn sum(self, message: &FilteredMessage<'_>) -> f64 {
        let range = message.fact.first_part as usize..message.end;
        let sum: f64 = message.index.parts.range(range).map(|part| self.own(part)).sum();
        let said = match self {
            FilterAmount::Cost => decimal(message.fact.cost),
            _ => f64::from(message.fact.tokens),
        };
        if sum == 0.0 { said } else { sum }
    }

    /// Costs are compared in 32 bits, as the index holds them: 0.05 is more there, and 0.1 and 0.2 are 0.3.
    #[allow(clippy::cast_possible_truncation)] // to compare
    fn compares(self, number: f64, than: &str, limit: f64) -> bool {
        match self {
            FilterAmount::Cost => compares(f64::from(number as f32), than, f64::from(limit as f32)),
            _ => compares(number, than, limit),
        }
    }
}

/// What was written of a number that the index holds in 32 bits: 0.05, not 0.05000000074505806.
#[allow(clippy::cast_possible_truncation)] // to compare
fn decimal(number: f32) -> f64 {
    let whole = f64::from(number);
    if !(1e-20..1e20).contains(&whole) {
        return whole;
    }
    let mut scale = 1.0;
    while whole * scale < 1e6 {
        scale *= 10.0;
    }
    while whole * scale >= 1e7 {
        scale /= 10.0;
    }
    for _ in 0..3 {
        let short = (whole * scale).round() / scale;
        #[allow(clippy::float_cmp)] // the same 32 bits
        if short as f32 == number {
            return short;
        }
        scale *= 10.0;
    }
    whole
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
