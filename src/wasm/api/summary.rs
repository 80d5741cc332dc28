//! What a run did, summed up from a transcript.

use crate::wasm::api::transcript::{Transcript, parse};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::logged;
use crate::wasm::numbers::{count, whole};
use apex_parts_model::{Error, Key, View, error_line, shorten};
use apex_parts_transcript::{Division, Summarizer};
use std::ops::RangeInclusive;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Transcript {
    /// What the run in the whole file did, or one session of it: which calls failed and whether they were mended, the
    /// files it changed, its commits, models and cost; and of the main session alone what was asked, how it ended, and
    /// where its time went. Throws `TranscriptError` if there is no such session, or a message cannot be read.
    ///
    /// @param scope - The session; the whole file if left out.
    /// @returns The summary; what is not known is left out.
    #[wasm_bindgen(unchecked_return_type = "TranscriptSummary")]
    pub fn summary(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "SessionScope", js_name = scope)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let summarizer = self.summed_up(usize::MAX, given)?;
        let summary = self.core().summary(&summarizer);
        self.keep(summarizer);
        parse(&serde_json::to_vec(&summary).unwrap_or_default())
    }

    /// Where calls, time, tokens and cost of the whole file went, or of one session: by tool, step, model, agent or file; those that took the most time
    /// come first. `range` is a range of time in milliseconds since the Unix epoch: spans count with what of them
    /// is in it, tokens and cost with the end of their step. What is not known is left out. Throws
    /// `TranscriptError` if `by` is none of these, or a message cannot be read.
    ///
    /// @param by - What a row stands for.
    /// @param range - From `start` up to `end`, in milliseconds since the Unix epoch; without either, to that end of the run. `session`: of this one alone.
    /// @returns The rows; times are in milliseconds, cost in US dollars.
    #[wasm_bindgen(unchecked_return_type = "BreakdownRow[]")]
    pub fn breakdown(
        &mut self,
        #[wasm_bindgen(
            unchecked_param_type = "\"tool\" | \"step\" | \"model\" | \"agent\" | \"file\""
        )]
        by: &JsValue,
        #[wasm_bindgen(
            unchecked_optional_param_type = "{ start?: number; end?: number; session?: string }"
        )]
        range: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let given = range;
        let name = by.as_string().unwrap_or_default();
        let known = Division::ALL.iter().find(|(known, _)| *known == name);
        let Some((_, by)) = known else {
            let names: Vec<&str> = Division::ALL.iter().map(|(name, _)| *name).collect();
            let message =
                format!("`by` must be one of {}, not {:?}", names.join(", "), shorten(&name));
            return Err(logged(&Error::transcript("schema", message, 0)));
        };
        let range = range_of(range);
        let summarizer = self.summed_up(usize::MAX, given)?;
        let rows = self.core().breakdown(&summarizer, *by, &range);
        self.keep(summarizer);
        parse(&serde_json::to_vec(&rows).unwrap_or_default())
    }

    /// Where the time of the main session went in a range, as `summary().time` says it for all of it: the model, tools, waiting for
    /// a person, idle. `range` as for `breakdown`; `undefined` if no time is known in it. Throws
    /// `TranscriptError` if a message cannot be read.
    ///
    /// @param range - From `start` up to `end`, in milliseconds since the Unix epoch; without either, to that end of the run. `session`: of this one instead.
    /// @returns The split in milliseconds, or `undefined`.
    #[wasm_bindgen(js_name = timeSplit, unchecked_return_type = "TimeSplit | undefined")]
    pub fn time_split(
        &mut self,
        #[wasm_bindgen(
            unchecked_optional_param_type = "{ start?: number; end?: number; session?: string }"
        )]
        range: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let summarizer = self.summed_up(usize::MAX, range)?;
        let split = self.core().time_split(&summarizer, &range_of(range));
        self.keep(summarizer);
        let Some(split) = split else { return Ok(JsValue::UNDEFINED) };
        parse(&serde_json::to_vec(&split).unwrap_or_default())
    }

    /// Sums up the messages of the whole file before the index `to` and returns how many it has read, going on where the last
    /// call stopped; `summary` then reads only the rest. So the work can be split, with other work in between.
    /// Indices count the messages of all sessions. Throws as `summary` does.
    ///
    /// @param to - The index of the message before which to stop, from 0.
    /// @returns The number of messages read so far.
    #[wasm_bindgen(unchecked_return_type = "number")]
    pub fn summarize(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] to: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let summarizer = self.summed_up(whole(to).unwrap_or(0), &JsValue::UNDEFINED)?;
        let looked = summarizer.looked();
        self.summarizer = Some(summarizer);
        Ok(JsValue::from(count(looked)))
    }
}

/// The line of a failed call's output that says what went wrong; `undefined` where no line looks so. A guess, by
/// what compilers, test runners, shells and languages write. `line` counts from 1, `offset` is its place in
/// UTF-16 units, `text` the line without escape sequences of terminals.
///
/// ```js
/// errorLine("   Compiling demo\nerror: mismatched types"); // { line: 2, offset: 18, text: "error: mismatched types" }
/// ```
///
/// @param output - The output of a call.
/// @returns The line, or `undefined`.
#[wasm_bindgen(js_name = errorLine, unchecked_return_type = "{ line: number; offset: number; text: string } | undefined")]
pub fn error_line_of(#[wasm_bindgen(unchecked_param_type = "string")] output: &JsValue) -> JsValue {
    let output = output.as_string().unwrap_or_default();
    let Some(found) = error_line(&output) else { return JsValue::UNDEFINED };
    let before = output.get(..found.offset).unwrap_or_default();
    let offset: usize = before.chars().map(char::len_utf16).sum();
    let found = serde_json::json!({"line": found.line, "offset": offset, "text": found.text});
    parse(&serde_json::to_vec(&found).unwrap_or_default()).unwrap_or(JsValue::UNDEFINED)
}

/// A range of time of JavaScript, in milliseconds since the Unix epoch; without a bound where it names none.
fn range_of(range: &JsValue) -> RangeInclusive<f64> {
    let _scope = Scope::new();
    let given = Js::hold(range);
    let time = |key, otherwise: f64| {
        let ms = given.get(key).number();
        if ms.is_nan() { otherwise } else { ms }
    };
    time(Key::Start, f64::NEG_INFINITY)..=time(Key::End, f64::INFINITY)
}

impl Transcript {
    /// A summarizer that has read the messages before `to`: of the whole file, or of the session that is given.
    fn summed_up(&mut self, to: usize, given: &JsValue) -> Result<Summarizer, JsValue> {
        let mut summarizer = match self.session_of(given)? {
            Some(session) => Summarizer::of_session(&session),
            None => self.summarizer.take().unwrap_or_default(),
        };
        self.core().summarize(&mut summarizer, to).map_err(|e| logged(&e))?;
        Ok(summarizer)
    }

    /// Keeps what was read of the whole file.
    fn keep(&mut self, summarizer: Summarizer) {
        if summarizer.session().is_none() {
            self.summarizer = Some(summarizer);
        }
    }
}
