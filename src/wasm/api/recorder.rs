//! § 5 of the API: the ReAct recorder.

use super::loops::{config, json_of_any, piece_of, response_value, verdict_value};
use crate::wasm::declarations::declared;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{log_corrected, logged, new_id, now};
use crate::wasm::limits;
use crate::wasm::options::{RECORDER, STEP, log_unknown, unreadable};
use apex_parts_model::delta::Piece;
use apex_parts_model::{Build, Error, Key, Path, Problem, Severity, View};
use apex_parts_recorder::{CallContext, Recorder, Retained, StepUsage};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// A value of the caller that is kept between calls: passed on by reference, never read.
#[derive(Clone, Debug)]
struct Kept(JsValue);

impl Retained for Kept {
    type View = Js;
    fn view(&self) -> Js {
        Js::hold(&self.0)
    }
    fn keep(view: &Js) -> Kept {
        Kept(view.take())
    }
}

/// Records the steps, reasoning, text and tool calls of an engine as the parts of one message and as events,
/// and runs the loop detector. Calls out of order are corrected and logged, not refused.
///
/// ```js
/// const recorder = new ReActRecorder({ sessionID: "s", messageID: "m" });
/// recorder.startStep();
/// const verdict = recorder.startTool("c1", "read", { filePath: "a.txt" });
/// if (verdict.suggestedAction !== "interrupt") recorder.finishTool("c1", { output: "text of a.txt" });
/// recorder.finishStep("tool-calls", { cost: 0.01 });
/// recorder.parts().map((part) => part.type); // ["step-start", "tool", "step-finish"]
/// recorder.takeEvents().map((event) => event.type); // ["step-start", "tool_start", "tool_end", "step-finish"]
/// recorder.free();
/// ```
#[wasm_bindgen]
#[derive(Debug)]
pub struct ReActRecorder(Recorder<Kept>);

fn text(value: &JsValue) -> Result<String, JsValue> {
    let text = limits::text_of(value).map_err(|too_large| too_large.invalid())?;
    Ok(text.unwrap_or_default())
}

/// A chunk of streamed text.
fn piece(value: &JsValue) -> Result<Piece<'static>, JsValue> {
    piece_of(value).map_err(|too_large| too_large.invalid())
}

/// The string of the caller itself, including lone surrogates; "" if the value is not a string.
fn string(value: &JsValue) -> Js {
    if value.is_string() { Js::hold(value) } else { Js::string("") }
}

fn list(items: impl IntoIterator<Item = Js>) -> JsValue {
    let mut list = Js::list();
    for item in items {
        list.push(&item);
    }
    list.take()
}

impl ReActRecorder {
    /// Calls the recorder, and logs what it corrected.
    fn call<R>(&mut self, call: impl FnOnce(&mut Recorder<Kept>, &mut CallContext<'_>) -> R) -> R {
        let mut at = CallContext::new(now(), new_id);
        let result = call(&mut self.0, &mut at);
        for (name, message) in &at.corrections {
            log_corrected(name, message);
        }
        result
    }
}

#[wasm_bindgen]
impl ReActRecorder {
    /// Creates a recorder of one message. Throws `PartValidationError` if an id is missing or empty, or a
    /// setting of `doomLoop` is invalid.
    ///
    /// @param options - The ids of the session and the message, and the settings of the loop detector.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "ReActRecorderOptions")] options: &JsValue,
    ) -> Result<ReActRecorder, JsValue> {
        let _scope = Scope::new();
        let options = Js::hold(options);
        log_unknown(&options, "ReActRecorder", RECORDER);
        let mut problems = Vec::new();
        if let Some(why) = unreadable(&options, &[Key::DoomLoop]) {
            problems.push(Problem::new(Severity::Error, "schema", &Path::ROOT, why));
        }
        let mut id = |key: Key| {
            let id = options.get(key).text().map(Cow::into_owned).unwrap_or_default();
            if id.is_empty() {
                let message = format!("`{}` must be a string that is not empty", key.as_str());
                let path = Path::ROOT;
                problems.push(Problem::new(Severity::Error, "schema", &path.key(key), message));
            }
            id
        };
        let (session, message) = (id(Key::SessionID), id(Key::MessageID));
        if !problems.is_empty() {
            return Err(logged(&Error::validation(problems)));
        }
        let config = config(&options.get(Key::DoomLoop).take())?;
        Ok(ReActRecorder(Recorder::new(&session, &message, config, now())))
    }

    /// Starts a reasoning part. If one is open, it is finished first and that is logged.
    #[wasm_bindgen(js_name = startReasoning)]
    pub fn start_reasoning(&mut self) {
        let _scope = Scope::new();
        self.call(Recorder::start_reasoning);
    }

    /// Appends to the open reasoning part. If none is open, one is started and that is logged. Throws
    /// `PartValidationError` (`limit`) if the text is too large for the module's memory.
    ///
    /// @param delta - The text; a chunk may be cut anywhere.
    #[wasm_bindgen(js_name = appendReasoning)]
    pub fn append_reasoning(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] delta: &JsValue,
    ) -> Result<(), JsValue> {
        let _scope = Scope::new();
        let (view, piece) = (string(delta), piece(delta)?);
        self.call(|recorder, at| recorder.append_reasoning((&view, &piece), at));
        Ok(())
    }

    /// Finishes the open reasoning part and returns it. If none is open, that is logged and the result is
    /// `undefined`.
    ///
    /// @returns The part with its end, or `undefined`.
    #[wasm_bindgen(js_name = finishReasoning, unchecked_return_type = "ReasoningPart | undefined")]
    pub fn finish_reasoning(&mut self) -> JsValue {
        let _scope = Scope::new();
        self.call(Recorder::finish_reasoning).map_or(JsValue::UNDEFINED, Js::take)
    }

    /// Appends to the text of the answer. Throws `PartValidationError` (`limit`) if the text is too large for
    /// the module's memory.
    ///
    /// @param delta - The text; a chunk may be cut anywhere.
    #[wasm_bindgen(js_name = appendText)]
    pub fn append_text(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] delta: &JsValue,
    ) -> Result<(), JsValue> {
        let _scope = Scope::new();
        let (view, piece) = (string(delta), piece(delta)?);
        self.call(|recorder, at| recorder.append_text((&view, &piece), at));
        Ok(())
    }

    /// Starts a step and returns its part. If one is open, it is finished as interrupted and that is logged.
    ///
    /// @param snapshot - The state of the work tree, as an id.
    /// @returns The part.
    #[wasm_bindgen(js_name = startStep, unchecked_return_type = "StepStartPart")]
    pub fn start_step(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] snapshot: &JsValue,
    ) -> JsValue {
        let _scope = Scope::new();
        self.call(|recorder, at| recorder.start_step(&Js::hold(snapshot), at)).take()
    }

    /// Finishes the step and returns its part. `cost` is in US dollars. If no step is open, one is started and
    /// that is logged.
    ///
    /// @param reason - Why the step ended, as `stop` or `tool-calls`.
    /// @param usage - Cost in US dollars, tokens, the state of the work tree; what is left out is 0.
    /// @returns The part.
    #[wasm_bindgen(js_name = finishStep, unchecked_return_type = "StepFinishPart")]
    pub fn finish_step(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] reason: &JsValue,
        #[wasm_bindgen(
            unchecked_optional_param_type = "{ cost?: number; tokens?: TokenStats; snapshot?: string }"
        )]
        usage: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let _scope = Scope::new();
        let (reason, usage) = (text(reason)?, Js::hold(usage));
        log_unknown(&usage, "finishStep", STEP);
        let usage = StepUsage {
            cost: usage.get(Key::Cost),
            tokens: usage.get(Key::Tokens),
            snapshot: usage.get(Key::Snapshot),
        };
        Ok(self.call(|recorder, at| recorder.finish_step(&reason, &usage, at)).take())
    }

    /// Starts a tool call and returns the verdict of the loop detector, also if it is to interrupt. Throws
    /// `MissingRequiredField` if `input` is missing.
    ///
    /// @param callID - The id of the call.
    /// @param tool - The name of the tool.
    /// @param input - The arguments.
    /// @param raw - The arguments as the model wrote them; accepted, and not kept.
    /// @returns The verdict: `suggestedAction` says whether to run the call.
    #[wasm_bindgen(js_name = startTool, unchecked_return_type = "DoomLoopDetectionResult")]
    pub fn start_tool(
        &mut self,
        #[wasm_bindgen(js_name = callID, unchecked_param_type = "string")] call: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] tool: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] input: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string", js_name = raw)] _raw: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let _scope = Scope::new();
        let (call, tool) = (text(call)?, text(tool)?);
        let json = json_of_any(input).map_err(|too_large| too_large.invalid())?;
        let input = Js::hold(input);
        let verdict =
            self.call(|recorder, at| recorder.start_tool((&call, &tool), (&input, &json), at));
        verdict.map(|verdict| verdict_value(&verdict)).map_err(|error| logged(&error))
    }

    /// Finishes a tool call and returns its part. Throws `InvalidStateTransition` if the call was not started
    /// or has ended, `PartValidationError` if the output is empty (BR-09) or the error blank (BR-10); the
    /// recorder is then unchanged.
    ///
    /// @param callID - The id of the call that was started.
    /// @param outcome - Its output, or its error.
    /// @returns The part in its last state.
    #[wasm_bindgen(js_name = finishTool, unchecked_return_type = "ToolPart")]
    pub fn finish_tool(
        &mut self,
        #[wasm_bindgen(js_name = callID, unchecked_param_type = "string")] call: &JsValue,
        #[wasm_bindgen(
            unchecked_param_type = "{ output: string; title?: string; metadata?: Record<string, unknown>; attachments?: FilePart[] } | { error: string; metadata?: Record<string, unknown> }"
        )]
        outcome: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let _scope = Scope::new();
        let (call, outcome) = (text(call)?, Js::hold(outcome));
        let part = self.call(|recorder, at| recorder.finish_tool(&call, &outcome, at));
        part.map(Js::take).map_err(|error| logged(&error))
    }

    /// The current verdict of the loop detector; nothing is recorded.
    ///
    /// @returns The current verdict.
    #[wasm_bindgen(js_name = detectDoomLoop, unchecked_return_type = "DoomLoopDetectionResult")]
    #[must_use]
    pub fn detect_doom_loop(&self) -> JsValue {
        verdict_value(&self.0.detect())
    }

    /// The error that an engine can return to the model if the current verdict is to interrupt; otherwise
    /// `undefined`.
    ///
    /// @returns The error, or `undefined`.
    #[wasm_bindgen(js_name = toErrorResponse, unchecked_return_type = "DoomLoopErrorResponse | undefined")]
    #[must_use]
    pub fn to_error_response(&self) -> JsValue {
        response_value(self.0.detector())
    }

    /// The number of steps and the tool calls so far. Times are in milliseconds since the Unix epoch.
    #[wasm_bindgen(
        getter,
        js_name = stepContext,
        unchecked_return_type = "{ stepCount: number; startTime: number; reasoningStartTime?: number; toolCallHistory: { toolName: string; parameters: unknown; timestamp: number }[] }"
    )]
    #[must_use]
    pub fn step_context(&self) -> JsValue {
        let _scope = Scope::new();
        self.0.step_context().take()
    }

    /// The events since the last call.
    ///
    /// @returns The events in order; an empty array if there are none.
    #[wasm_bindgen(js_name = takeEvents, unchecked_return_type = "StreamEvent[]")]
    pub fn take_events(&mut self) -> JsValue {
        let _scope = Scope::new();
        let events = self.0.take_events();
        list(events.iter().map(|event| event.build(&event.data.view())))
    }

    /// The parts so far, in order.
    ///
    /// @returns The parts.
    #[wasm_bindgen(unchecked_return_type = "Part[]")]
    #[must_use]
    pub fn parts(&self) -> JsValue {
        let _scope = Scope::new();
        list(self.0.parts())
    }
}

#[wasm_bindgen(typescript_custom_section)]
const REACT: &str = declared(include_str!("../types/recorder.d.ts"));
