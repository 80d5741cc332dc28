//! [`FailureGroup`]: calls that failed alike.

use super::transcript_summary::{CallFailure, PartRef};
use apex_parts_model::fingerprint::{self, Fingerprint};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Calls that failed alike: of the same tool, about the same, with the same exit code and the same words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FailureGroup {
    /// The tool.
    pub tool: String,
    /// What they were about, as of a [`CallFailure`].
    pub subject: String,
    /// `failed`: they completed, and say that they failed; `error`: they ended in an error.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"failed\" | \"error\""))]
    pub outcome: String,
    /// The exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i64>,
    /// What they said.
    pub said: String,
    /// How many there are.
    pub count: u32,
    /// How many of them were mended.
    pub mended: u32,
    /// The first.
    pub first: PartRef,
    /// The last.
    pub last: PartRef,
}

/// The groups of these failures, in the order of their first.
pub(crate) fn groups(failures: &[CallFailure]) -> Vec<FailureGroup> {
    let mut groups: Vec<FailureGroup> = Vec::new();
    let mut places: BTreeMap<Fingerprint, usize> = BTreeMap::new();
    for failure in failures {
        let CallFailure { tool, subject, outcome, exit, said, at, mended } = failure;
        let exit_text = exit.map_or_else(String::new, |exit| exit.to_string());
        let key = [tool, subject, outcome, &exit_text, said]
            .into_iter()
            .fold(fingerprint::of(b"", 0), |key, text| {
                fingerprint::mix(key, fingerprint::of(text.as_bytes(), 1))
            });
        let place = *places.entry(key).or_insert(groups.len());
        if place == groups.len() {
            groups.push(FailureGroup {
                tool: tool.clone(),
                subject: subject.clone(),
                outcome: outcome.clone(),
                exit: *exit,
                said: said.clone(),
                first: at.clone(),
                ..FailureGroup::default()
            });
        }
        if let Some(group) = groups.get_mut(place) {
            group.count += 1;
            group.mended += u32::from(mended.is_some());
            group.last = at.clone();
        }
    }
    groups
}
