//! Unknown options are logged and ignored: an error would break programs written for a newer version.

use super::handle::Js;
use crate::wasm::host::warn;
use apex_parts_model::{Key, Kind, View, shorten};
use std::cell::RefCell;

pub(crate) const ASSEMBLER: &[&str] =
    &["format", "runId", "onProblem", "onDuplicate", "maxBytes", "maxDepth", "thinkTags"];
#[cfg(feature = "transcript")]
pub(crate) const TRANSCRIPT: &[&str] = &["format", "ids", "read", "now"];
#[cfg(feature = "transcript")]
pub(crate) const SQLITE: &[&str] = &["wal"];
#[cfg(feature = "transcript")]
pub(crate) const SEARCH: &[&str] =
    &["query", "regex", "caseSensitive", "limit", "from", "to", "session"];
#[cfg(feature = "transcript")]
pub(crate) const QUERY: &[&str] = &["regex", "caseSensitive"];
pub(crate) const VALIDATE: &[&str] = &["ids"];
#[cfg(feature = "convert")]
pub(crate) const PAGE: &[&str] = &["title", "facts"];
#[cfg(feature = "redact")]
pub(crate) const REDACT: &[&str] = &["keep", "mask", "places"];
pub(crate) const RECORDER: &[&str] = &["sessionID", "messageID", "doomLoop"];
pub(crate) const STEP: &[&str] = &["cost", "tokens", "snapshot"];
/// The settings of a loop detector.
pub(crate) const LOOPS: &[&str] = match TRANSCRIPT_LOOPS.split_first() {
    Some((_, settings)) => settings,
    None => &[],
};
/// Of the loops of a transcript: the session, and the settings.
pub(crate) const TRANSCRIPT_LOOPS: &[&str] = &[
    "session",
    "threshold",
    "checkInterval",
    "maxIterations",
    "ignoredTools",
    "boundaryTools",
    "pollTools",
    "progressTools",
    "volatileArgKeys",
    "disabled",
];

/// The most unknown options that are logged. Each is logged once, for a program repeats them.
const MOST_LOGGED: usize = 100;

thread_local! {
    static LOGGED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// What is wrong if options, or one of these fields of them, throw when they are read: such an option is not absent.
#[inline(never)]
pub(crate) fn unreadable(given: &Js, keys: &[Key]) -> Option<String> {
    let throws = |value: &Js| value.kind() == Kind::Unreadable;
    if throws(given) {
        return Some("the options throw when they are read".to_owned());
    }
    let key = keys.iter().find(|key| throws(&given.get(**key)))?;
    Some(format!("`{}` throws when it is read", key.as_str()))
}

/// Logs the options that are not among the known ones.
pub(crate) fn log_unknown(given: &Js, of: &str, known: &[&str]) {
    if given.kind() != Kind::Object {
        return;
    }
    for name in given.names(MOST_LOGGED) {
        if known.contains(&name.as_str()) {
            continue;
        }
        let message = message(&shorten(&name), of, known);
        let is_new = LOGGED.with_borrow_mut(|logged| {
            let is_new = logged.len() < MOST_LOGGED && !logged.contains(&message);
            if is_new {
                logged.push(message.clone());
            }
            is_new
        });
        if is_new {
            warn(&message);
        }
    }
}

fn message(name: &str, of: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|known| (distance(name, known), known)).min();
    match nearest {
        Some((distance, known)) if distance <= 1 + name.len() / 3 => {
            format!("{of} has no option {name:?}, which is ignored: did you mean {known:?}?")
        }
        _ => format!(
            "{of} has no option {name:?}, which is ignored: the options are {}",
            known.join(", ")
        ),
    }
}

/// The edit distance: how many letters to insert, remove or replace, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_ascii_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_ascii_lowercase().chars().enumerate() {
        let mut next = vec![i + 1];
        for ((y, pair), left) in b.iter().zip(row.windows(2)).zip(0..) {
            let (diagonal, above) = match pair {
                [diagonal, above] => (*diagonal, *above),
                _ => (i, i),
            };
            let before: usize = next.get(left).copied().unwrap_or(i);
            next.push((diagonal + usize::from(x != *y)).min(above + 1).min(before + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
