//! What a file itself says of all that a run changed: a diff, or the names of the files.

use super::summarizer::Summarizer;
use super::transcript_summary::{ChangeTotals, FileChange, PartRef, TranscriptSummary};
use crate::Transcript;
use apex_parts_agents::fields::{get, is_true, items, string};
use apex_parts_agents::{CHANGES_UNKNOWN, EDITED_FILES, SUBMISSION};
use apex_parts_diff::diff_files;
use apex_parts_json::tape::Node;

/// The most files that are listed.
const MOST: usize = 10_000;

impl Transcript {
    /// Puts what the file says of its changes in the place of what its calls say.
    pub(super) fn state_changes(
        &self,
        summarizer: &Summarizer,
        session: Option<Node<'_>>,
        summary: &mut TranscriptSummary,
    ) {
        let ChangeTotals { files, added, removed, .. } = &mut summary.totals;
        for sum in [files, added, removed] {
            sum.get_or_insert_default();
        }
        let main = self.sessions().into_iter().next().unwrap_or_default();
        let is_main = summarizer.session().is_none_or(|id| id == main.id);
        let info = session.filter(|_| is_main);
        if info.is_none() {
            return;
        }
        let at = summarizer.last_place();
        let change = |path: String, added, removed| {
            let at = at.clone();
            FileChange { path, added, removed, changes: 1, at }
        };
        let commits = summary.totals.commits;
        let submission = string(get(info, SUBMISSION)).unwrap_or_default();
        let changed = diff_files(&submission);
        let names = get(info, EDITED_FILES);
        if !changed.is_empty() {
            let sum = |of: fn(&apex_parts_diff::ChangedFile) -> u32| {
                changed.iter().map(of).fold(0, u32::saturating_add)
            };
            summary.totals = ChangeTotals {
                files: u32::try_from(changed.len()).ok(),
                added: Some(sum(|file| file.added)),
                removed: Some(sum(|file| file.removed)),
                commits,
            };
            let list = changed.into_iter().take(MOST);
            summary.files =
                list.map(|file| change(file.path, Some(file.added), Some(file.removed))).collect();
        } else if items(names).next().is_some() {
            let names: Vec<_> = items(names).filter_map(|name| string(Some(name))).collect();
            summary.totals = ChangeTotals {
                files: u32::try_from(names.len()).ok(),
                commits,
                ..ChangeTotals::default()
            };
            let list = names.into_iter().take(MOST);
            summary.files = list.map(|name| change(name.into_owned(), None, None)).collect();
        } else if is_true(get(info, CHANGES_UNKNOWN)) {
            summary.totals = ChangeTotals { commits, ..ChangeTotals::default() };
            summary.files.clear();
        }
    }
}

impl Summarizer {
    /// The last message of the main session.
    fn last_place(&self) -> PartRef {
        let message = self.last.as_ref().map_or(0, |last| last.index);
        PartRef { message, ..PartRef::default() }
    }
}
