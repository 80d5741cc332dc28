//! § 6 of the API: the loops of a transcript.

use super::loops_of_messages::found_value;
use crate::wasm::api::transcript::Transcript;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::logged;
use crate::wasm::numbers::{count, whole};
use crate::wasm::options::{TRANSCRIPT_LOOPS, log_unknown};
use apex_parts_transcript::LoopSearch;
use wasm_bindgen::prelude::*;

impl Transcript {
    /// Continues the search for loops up to a message, or begins anew if the config has changed.
    fn look_for(&mut self, to: usize, given: &JsValue) -> Result<(), JsValue> {
        {
            let _scope = Scope::new();
            log_unknown(&Js::hold(given), "loops", TRANSCRIPT_LOOPS);
        }
        let config = super::loops::config_of_transcript(given)?;
        let session = self.session_of(given)?;
        let begun = self
            .loop_search
            .take()
            .filter(|search| *search.config() == config && search.session() == session.as_deref());
        let search = self.loop_search.insert(begun.unwrap_or_else(|| match session {
            Some(session) => LoopSearch::of_session(config, &session),
            None => LoopSearch::new(config),
        }));
        self.core.look_for_loops(search, to).map_err(|e| logged(&e))
    }
}

#[wasm_bindgen]
impl Transcript {
    /// Finds the loops of the whole file, session by session, or with `session` those of one; also those that span
    /// several messages. Throws `PartValidationError` if a setting is invalid, `TranscriptError` if there is no such
    /// session, or a message cannot be read.
    ///
    /// @param config - The settings; the defaults if left out.
    /// @returns The loops of one session after another.
    #[wasm_bindgen(
        unchecked_return_type = "(DoomLoopDetectionResult & { partIDs: string[]; places: [message: number, part: number][] })[]"
    )]
    pub fn loops(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "DoomLoopConfig & SessionScope", js_name = config)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.look_for(usize::MAX, given)?;
        let loops = self.loop_search.take().map(|search| search.loops());
        Ok(found_value(&loops.unwrap_or_default()))
    }

    /// Finds the loops in the messages before the index `to` and returns their number, continuing where the
    /// last call stopped; `loops` with the same config then searches only the rest. So a long search can be
    /// split, with other work in between. Indices count the messages of all sessions, session by session if
    /// they were assembled from pieces. Throws as `loops` does.
    ///
    /// @param to - The index of the message before which to stop, from 0.
    /// @param config - The settings; the defaults if left out.
    /// @returns The number of loops so far.
    #[wasm_bindgen(js_name = lookForLoops, unchecked_return_type = "number")]
    pub fn look_for_loops(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] to: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "DoomLoopConfig & SessionScope", js_name = config)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.look_for(whole(to).unwrap_or(0), given)?;
        let number = self.loop_search.as_ref().map_or(0, |search| search.loops().len());
        Ok(JsValue::from(count(number)))
    }
}
