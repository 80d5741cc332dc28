//! What a run did, summed up from a transcript.

use crate::transcript::Summarizer;
use crate::wasm::api::transcript::{Transcript, parse};
use crate::wasm::host::logged;
use crate::wasm::numbers::{count, whole};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Transcript {
    /// What the run did, computed from its messages: what was asked, how it ended, which calls failed and
    /// whether they were mended, the files it changed, its commits, and where its time went. Sessions that a
    /// task started count too, but not for the time. Throws `TranscriptError` if a message cannot be read.
    #[wasm_bindgen(unchecked_return_type = "TranscriptSummary")]
    pub fn summary(&mut self) -> Result<JsValue, JsValue> {
        let summarizer = self.summed_up(usize::MAX)?;
        let summary = self.core().summary(&summarizer);
        self.summarizer = Some(summarizer);
        parse(&serde_json::to_vec(&summary).unwrap_or_default())
    }

    /// Sums up the messages before the index `to` and returns how many it has read, going on where the last
    /// call stopped; `summary` then reads only the rest. So the work can be split, with other work in between.
    /// Indices count the messages of all sessions. Throws as `summary` does.
    #[wasm_bindgen(unchecked_return_type = "number")]
    pub fn summarize(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] to: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let summarizer = self.summed_up(whole(to).unwrap_or(0))?;
        let looked = summarizer.looked();
        self.summarizer = Some(summarizer);
        Ok(JsValue::from(count(looked)))
    }
}

impl Transcript {
    fn summed_up(&mut self, to: usize) -> Result<Summarizer, JsValue> {
        let mut summarizer = self.summarizer.take().unwrap_or_default();
        self.core().summarize(&mut summarizer, to).map_err(|e| logged(&e))?;
        Ok(summarizer)
    }
}
