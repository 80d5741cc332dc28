//! Context compaction of a transcript.

use crate::compaction;
use crate::model::{Build, Key};
use crate::wasm::api::compaction::{Made, check_value, estimated, planned, pruned, requested};
use crate::wasm::api::transcript::Transcript;
use crate::wasm::columns::uint32;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::numbers::count;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Transcript {
    /// Tells whether the next request fits into the model's context (FR-52, FR-53), as
    /// `SessionCompaction.check`. Throws `CompactionError` for a limit or setting that is no number.
    #[wasm_bindgen(unchecked_return_type = "ContextCheck")]
    pub fn check(
        &self,
        #[wasm_bindgen(unchecked_param_type = "{ model: ModelLimits; config?: CompactionConfig }")]
        input: &JsValue,
    ) -> Made<JsValue> {
        let _scope = Scope::new();
        check_value(self.core(), input)
    }

    /// Estimates the tokens of the next request, as `SessionCompaction.estimate`. Throws `TranscriptError` if a
    /// message cannot be read.
    #[wasm_bindgen(unchecked_return_type = "Estimate")]
    pub fn estimate(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "EstimateOptions")] options: &JsValue,
    ) -> Made<JsValue> {
        let _scope = Scope::new();
        estimated(self.core(), options)
    }

    /// Finds the old outputs that can be cleared (FR-56), as `SessionCompaction.prune`. Throws as `check` does.
    #[wasm_bindgen(unchecked_return_type = "PrunePlan")]
    pub fn prune(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "CompactionConfig")] config: &JsValue,
    ) -> Made<JsValue> {
        let _scope = Scope::new();
        pruned(self.core(), config)
    }

    /// Plans a compaction (FR-54, FR-55), as `SessionCompaction.plan`. Throws as `check` does.
    #[wasm_bindgen(unchecked_return_type = "CompactionPlan")]
    pub fn plan(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "{ model: ModelLimits; config?: CompactionConfig; overflow?: boolean }"
        )]
        input: &JsValue,
    ) -> Made<JsValue> {
        let _scope = Scope::new();
        planned(self.core(), input)
    }

    /// The request for the summary that a plan asks for, as `SessionCompaction.summaryRequest`. Throws
    /// `CompactionError` (`stale_plan`) if the plan is for another history.
    #[wasm_bindgen(js_name = summaryRequest, unchecked_return_type = "UIMessage[]")]
    pub fn summary_request(
        &self,
        #[wasm_bindgen(unchecked_param_type = "CompactionPlan")] plan: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "SummaryRequestOptions")] options: &JsValue,
    ) -> Made<JsValue> {
        let _scope = Scope::new();
        requested(self.core(), plan, options)
    }

    /// The compactions that ended well, oldest first, by the indices of messages: the compaction, its summary, the
    /// message with which the part begins that stayed verbatim, and the range that it hid (`to` not included).
    #[wasm_bindgen(
        unchecked_return_type = "{ message: number; summary: number; tail?: number; from: number; to: number }[]"
    )]
    #[must_use]
    pub fn compactions(&self) -> JsValue {
        let _scope = Scope::new();
        let mut list = Js::list();
        let mut seen = 0;
        for one in compaction::finished_compactions(self.core()) {
            let mut value = Js::object();
            let to = one.tail.unwrap_or(one.message);
            let places = [
                (Key::Message, Some(one.message)),
                (Key::Summary, Some(one.summary)),
                (Key::Tail, one.tail),
                (Key::From, Some(to.min(seen))),
                (Key::To, Some(to)),
            ];
            for (key, place) in places {
                if let Some(place) = place {
                    value.put_number(key, f64::from(count(place)));
                }
            }
            seen = to;
            list.push(&value);
        }
        list.take()
    }

    /// The indices of the messages that are sent, in their order: what `filterCompacted` reads.
    #[wasm_bindgen(js_name = compactedView, unchecked_return_type = "Uint32Array")]
    #[must_use]
    pub fn compacted_view(&self) -> JsValue {
        uint32(compaction::HistoryView::of(self.core()).order)
    }
}
