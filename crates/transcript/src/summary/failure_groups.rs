//! [`FailureGroup`]s: calls that failed alike.

use super::transcript_summary::{CallFailure, FailureGroup};
use apex_parts_model::fingerprint::{self, Fingerprint};
use apex_parts_model::sorted_map::SortedMap;

/// The groups of these failures, in the order of their first.
pub(crate) fn groups(failures: &[CallFailure]) -> Vec<FailureGroup> {
    let mut groups: Vec<FailureGroup> = Vec::new();
    let mut places: SortedMap<Fingerprint, usize> = SortedMap::new();
    for failure in failures {
        let CallFailure { tool, subject, outcome, exit, said, at, mended } = failure;
        let exit_text = exit.map_or_else(String::new, |exit| exit.to_string());
        let key = [tool, subject, outcome, &exit_text, said]
            .into_iter()
            .fold(fingerprint::of(b"", 0), |key, text| {
                fingerprint::mix(key, fingerprint::of(text.as_bytes(), 1))
            });
        let place = *places.or_insert(key, groups.len());
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
