//! § 5 of the API: the ReAct recorder.

use super::loops::{config, json_of_any, piece_of, response_value, verdict_value};
use crate::model::delta::Piece;
use crate::model::{Build, Error, Key, Path, Problem, Severity, View};
use crate::recorder::{CallContext, Recorder, Retained, StepUsage};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, new_id, now, thrown_as};
use crate::wasm::limits;
use crate::wasm::options::{RECORDER, STEP, tell_unknown};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// A value of the caller's that outlives a call: passed on by reference, never read.
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

/// Records what an engine does as parts of one message and as events, and asks the loop detector.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ReActRecorder(Recorder<Kept>);

fn text(value: &JsValue) -> Result<String, JsValue> {
    let text = limits::text_of(value).map_err(|too_large| too_large.invalid())?;
    Ok(text.unwrap_or_default())
}

/// A piece of a text that streams.
fn piece(value: &JsValue) -> Result<Piece<'static>, JsValue> {
    piece_of(value).map_err(|too_large| too_large.invalid())
}

/// The caller's own string, halves of characters and all; what is none is "".
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
    /// Calls the recorder, and logs what it had to put right.
    fn call<R>(&mut self, call: impl FnOnce(&mut Recorder<Kept>, &mut CallContext<'_>) -> R) -> R {
        let mut at = CallContext::new(now(), new_id);
        let result = call(&mut self.0, &mut at);
        for (name, message) in &at.wrong {
            thrown_as(name, message);
        }
        result
    }
}

#[wasm_bindgen]
impl ReActRecorder {
    /// A recorder of one message. Throws `PartValidationError` where the ids are missing or a
    /// setting is none.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "ReActRecorderOptions")] options: &JsValue,
    ) -> Result<ReActRecorder, JsValue> {
        let _scope = Scope::new();
        let options = Js::hold(options);
        tell_unknown(&options, "ReActRecorder", RECORDER);
        let mut problems = Vec::new();
        let mut id = |key: Key| {
            let id = options.get(key).text().map(Cow::into_owned).unwrap_or_default();
            if id.is_empty() {
                let message = format!("`{}` is a string that is not empty", key.as_str());
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

    /// A thought begins. One that is open is closed first, and that is logged.
    #[wasm_bindgen(js_name = startReasoning)]
    pub fn start_reasoning(&mut self) {
        let _scope = Scope::new();
        self.call(Recorder::start_reasoning);
    }

    /// More of the thought. Where none is open one begins, and that is logged. Throws
    /// `PartValidationError` (`limit`) where it is too large for the module's memory.
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

    /// The thought is over: its part. `undefined`, and logged, where none is open.
    #[wasm_bindgen(js_name = finishReasoning, unchecked_return_type = "ReasoningPart | undefined")]
    pub fn finish_reasoning(&mut self) -> JsValue {
        let _scope = Scope::new();
        self.call(Recorder::finish_reasoning).map_or(JsValue::UNDEFINED, Js::take)
    }

    /// More of the answer. Throws `PartValidationError` (`limit`) where it is too large for the
    /// module's memory.
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

    /// A step begins. One that is open is finished as interrupted, and that is logged.
    #[wasm_bindgen(js_name = startStep, unchecked_return_type = "StepStartPart")]
    pub fn start_step(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] snapshot: &JsValue,
    ) -> JsValue {
        let _scope = Scope::new();
        self.call(|recorder, at| recorder.start_step(&Js::hold(snapshot), at)).take()
    }

    /// The step is over. Where none is open one begins, and that is logged.
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
        tell_unknown(&usage, "finishStep", STEP);
        let usage = StepUsage {
            cost: usage.get(Key::Cost),
            tokens: usage.get(Key::Tokens),
            snapshot: usage.get(Key::Snapshot),
        };
        Ok(self.call(|recorder, at| recorder.finish_step(&reason, &usage, at)).take())
    }

    /// A tool is called: the detector's verdict. Interrupting ones are returned, not thrown. Throws
    /// `MissingRequiredField` where there is no input.
    #[wasm_bindgen(js_name = startTool, unchecked_return_type = "DoomLoopDetectionResult")]
    pub fn start_tool(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string", js_name = callID)] call: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] tool: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] input: &JsValue,
        // The raw text of the arguments: a running state has none.
        #[wasm_bindgen(unchecked_optional_param_type = "string")] _raw: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let _scope = Scope::new();
        let (call, tool) = (text(call)?, text(tool)?);
        let json = json_of_any(input).map_err(|too_large| too_large.invalid())?;
        let input = Js::hold(input);
        let verdict =
            self.call(|recorder, at| recorder.start_tool((&call, &tool), (&input, &json), at));
        verdict.map(|verdict| verdict_value(&verdict)).map_err(|error| logged(&error))
    }

    /// A tool has run: its part. Throws `InvalidStateTransition` where the call was not started or
    /// has ended, `PartValidationError` where the output (BR-09) or the error (BR-10) is empty;
    /// everything is then as it was.
    #[wasm_bindgen(js_name = finishTool, unchecked_return_type = "ToolPart")]
    pub fn finish_tool(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string", js_name = callID)] call: &JsValue,
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

    /// The standing verdict; nothing is recorded.
    #[wasm_bindgen(js_name = detectDoomLoop, unchecked_return_type = "DoomLoopDetectionResult")]
    #[must_use]
    pub fn detect_doom_loop(&self) -> JsValue {
        verdict_value(&self.0.detect())
    }

    /// What an engine can hand back where the standing verdict is to interrupt; else `undefined`.
    #[wasm_bindgen(
        js_name = toErrorResponse,
        unchecked_return_type = "DoomLoopErrorResponse | undefined"
    )]
    #[must_use]
    pub fn to_error_response(&self) -> JsValue {
        response_value(self.0.detector())
    }

    /// Where the run stands.
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

    /// What happened since the last call.
    #[wasm_bindgen(js_name = takeEvents, unchecked_return_type = "StreamEvent[]")]
    pub fn take_events(&mut self) -> JsValue {
        let _scope = Scope::new();
        let events = self.0.take_events();
        list(events.iter().map(|event| event.build(&event.data.view())))
    }

    /// The parts so far, in their order.
    #[wasm_bindgen(unchecked_return_type = "Part[]")]
    #[must_use]
    pub fn parts(&self) -> JsValue {
        let _scope = Scope::new();
        list(self.0.parts())
    }
}

#[wasm_bindgen(typescript_custom_section)]
const REACT: &str = r#"
/** What a recorder is made with. */
export interface ReActRecorderOptions {
  sessionID: string;
  messageID: string;
  doomLoop?: DoomLoopConfig;
}
/** What happened, as apex-bridge streams it. */
export interface StreamEvent {
  type: "reasoning-start" | "reasoning-delta" | "reasoning-end" | "step-start" | "step-finish" | "content" | "tool_start" | "tool_end" | "done" | "error";
  data: unknown;
  timestamp: number;
  /** The round of the engine: how many steps have begun. */
  iteration: number;
  /** The step that it belongs to, from 1; 0 before the first. */
  stepNumber?: number;
}
"#;
