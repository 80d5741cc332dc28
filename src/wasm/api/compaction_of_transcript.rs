//! Context compaction of a transcript.

use crate::wasm::api::compaction::{
    Made, check_value, estimated, ids_of, outputs_of, planned, pruned, requested,
};
use crate::wasm::api::transcript::Transcript;
use crate::wasm::columns::uint32;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::numbers::count;
use apex_parts_model::{Build, Key};
use js_sys::Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Transcript {
    /// Tells whether the next request fits into the model's context, as
    /// `SessionCompaction.check`. Throws `CompactionError` for a limit or setting that is no number.
    ///
    /// @param input - The limits of the model in tokens, the settings, and what a request holds beside the messages.
    /// @returns Whether it fits, and how many tokens are left.
    #[wasm_bindgen(unchecked_return_type = "ContextCheck")]
    pub fn check(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "{ model: ModelLimits; config?: CompactionConfig } & BesideMessages"
        )]
        input: &JsValue,
    ) -> Made<JsValue> {
        let _scope = Scope::new();
        check_value(self.core(), input)
    }

    /// Estimates the tokens of the next request, as `SessionCompaction.estimate`. Throws `TranscriptError` if a
    /// message cannot be read.
    ///
    /// @param options - The estimator, and what a request holds beside the messages.
    /// @returns The tokens, and how they are known.
    #[wasm_bindgen(unchecked_return_type = "Estimate")]
    pub fn estimate(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "EstimateOptions")] options: &JsValue,
    ) -> Made<JsValue> {
        let _scope = Scope::new();
        estimated(self.core(), options)
    }

    /// The columns of `prune`, which `ts/compaction/` adds.
    #[wasm_bindgen(js_name = compactionPrune, skip_typescript)]
    pub fn compaction_prune(&self, config: &JsValue) -> Made<Array> {
        let _scope = Scope::new();
        pruned(self.core(), config)
    }

    /// The columns of `plan`, like those of `compactionPrune`.
    #[wasm_bindgen(js_name = compactionPlan, skip_typescript)]
    pub fn compaction_plan(&self, input: &JsValue) -> Made<Array> {
        let _scope = Scope::new();
        planned(self.core(), input)
    }

    /// The outputs of a plan of `compactionPrune`.
    #[wasm_bindgen(js_name = compactionOutputs, skip_typescript)]
    pub fn compaction_outputs(&self, runs: &JsValue) -> Made<Array> {
        let _scope = Scope::new();
        outputs_of(self.core(), runs)
    }

    /// The ids of messages.
    #[wasm_bindgen(js_name = compactionIDs, skip_typescript)]
    pub fn compaction_ids(&self, indices: &JsValue) -> Made<JsValue> {
        let _scope = Scope::new();
        ids_of(self.core(), indices)
    }

    /// The request for the summary that a plan asks for, as `SessionCompaction.summaryRequest`. Throws
    /// `CompactionError` (`stale_plan`) if the plan is for another history.
    ///
    /// @param plan - The plan, made for these messages.
    /// @param options - Further lines or another prompt.
    /// @returns The messages to send to the model, without tools.
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
    ///
    /// @returns The compactions; an empty array if there are none.
    #[wasm_bindgen(
        unchecked_return_type = "{ message: number; summary: number; tail?: number; from: number; to: number }[]"
    )]
    #[must_use]
    pub fn compactions(&self) -> JsValue {
        let _scope = Scope::new();
        let mut list = Js::list();
        let mut seen = 0;
        for one in apex_parts_compaction::finished_compactions(self.core()) {
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

    /// The runs of messages that `filterCompacted` reads: first and end of each.
    #[wasm_bindgen(js_name = compactionRuns, skip_typescript)]
    #[must_use]
    pub fn compaction_runs(&self) -> JsValue {
        let view = apex_parts_compaction::HistoryView::new(self.core());
        uint32(view.runs().flat_map(|run| [run.start, run.end]).collect())
    }

    /// The indices of the messages that are sent, in their order: those that `filterCompacted` reads.
    ///
    /// @returns Indices of messages, from 0.
    #[wasm_bindgen(js_name = compactedView, unchecked_return_type = "Uint32Array")]
    #[must_use]
    pub fn compacted_view(&self) -> JsValue {
        uint32(apex_parts_compaction::HistoryView::new(self.core()).indices().collect())
    }
}
