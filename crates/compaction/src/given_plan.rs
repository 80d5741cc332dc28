//! A plan that a caller gives back.

use super::history::History;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Error, Key, View};
use std::borrow::Cow;

/// A plan as it was given: its ids and the hash of its history.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenPlan {
    pub(crate) fingerprint: String,
    pub(crate) keep: Vec<String>,
    pub(crate) summarise: Vec<String>,
    pub(crate) drop: Vec<String>,
    pub(crate) tail_start: Option<String>,
    pub(crate) previous_summary: Option<String>,
    pub(crate) pinned: Vec<String>,
    pub(crate) part_ids: Vec<String>,
}

impl GivenPlan {
    /// Reads a plan of either kind.
    pub(crate) fn read<V: View>(plan: &V) -> GivenPlan {
        let text = |key: Key| plan.get(key).text().map(Cow::into_owned);
        let ids = |key: Key| {
            let mut ids = Vec::new();
            plan.get(key).each(MAX_ELEMENTS, &mut |_, id| {
                ids.extend(id.text().map(Cow::into_owned));
            });
            ids
        };
        let mut pinned = Vec::new();
        plan.get(Key::Pinned).each(MAX_ELEMENTS, &mut |_, one| {
            pinned.extend(one.get(Key::Text).text().map(Cow::into_owned));
        });
        GivenPlan {
            fingerprint: text(Key::Fingerprint).unwrap_or_default(),
            keep: ids(Key::Keep),
            summarise: ids(Key::Summarise),
            drop: ids(Key::Drop),
            tail_start: text(Key::TailStartID).filter(|id| !id.is_empty()),
            previous_summary: text(Key::PreviousSummary).filter(|text| !text.is_empty()),
            pinned,
            part_ids: ids(Key::PartIDs),
        }
    }

    /// Is it for this history?
    pub(crate) fn expect_for(&self, history: &impl History) -> Result<(), Error> {
        if !self.fingerprint.is_empty() && self.fingerprint == history.fingerprint() {
            return Ok(());
        }
        Err(stale_plan())
    }
}

pub(super) fn stale_plan() -> Error {
    let message = "the plan is not for these messages: an id or a mark differs; make a new plan";
    Error::compaction("stale_plan", "", message)
}
