//! § 2 of the API: `ToolStateTransition`.

use super::tool_states::stepped;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{made, now};
use apex_parts_model::tool_state::{self, Completion};
use apex_parts_model::{Key, Kind, Status, View};
use wasm_bindgen::prelude::*;

/// Creates a pending state (BR-06). `raw` is the text of the arguments so far.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createPending, unchecked_return_type = "ToolStatePending", return_description = "The state.")]
pub fn create_pending(
    #[wasm_bindgen(
        unchecked_param_type = "Record<string, unknown>",
        param_description = "The arguments parsed so far."
    )]
    input: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "string",
        param_description = "The text of the arguments so far."
    )]
    raw: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    made(tool_state::create_pending("createPending", &Js::hold(input), &Js::hold(raw)))
}

/// Creates a running state, started now (BR-07).
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createRunning, unchecked_return_type = "ToolStateRunning", return_description = "The state.")]
pub fn create_running(
    #[wasm_bindgen(
        unchecked_param_type = "Record<string, unknown>",
        param_description = "The arguments."
    )]
    input: &JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "string",
        param_description = "What is shown of the call."
    )]
    title: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let none = Js::MISSING;
    made(tool_state::create_running(
        "createRunning",
        &Js::hold(input),
        &Js::hold(title),
        &none,
        &none,
        now(),
    ))
}

/// Creates a completed state. Times are in milliseconds since the Unix epoch. Throws
/// `PartValidationError` if the output is empty (BR-09).
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createCompleted, unchecked_return_type = "ToolStateCompleted", return_description = "The state.")]
pub fn create_completed(
    #[wasm_bindgen(
        unchecked_param_type = "Record<string, unknown>",
        param_description = "The arguments."
    )]
    input: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "string",
        param_description = "The result for the model; not empty."
    )]
    output: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "string",
        param_description = "What is shown of the call."
    )]
    title: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "Record<string, unknown>",
        param_description = "Additional data."
    )]
    metadata: &JsValue,
    #[wasm_bindgen(js_name = startTime, unchecked_param_type = "number", param_description = "When it started, in milliseconds since the Unix epoch.")]
    start: &JsValue,
    #[wasm_bindgen(js_name = endTime, unchecked_param_type = "number", param_description = "When it ended, in milliseconds since the Unix epoch.")]
    end: &JsValue,
) -> Result<JsValue, JsValue> {
    const FUNCTION: &str = "createCompleted";
    let _scope = Scope::new();
    let of = Completion {
        input: Js::hold(input),
        output: Js::hold(output),
        title: Js::hold(title),
        metadata: Js::hold(metadata),
        attachments: Js::MISSING,
        start: Js::hold(start),
        end: Js::hold(end),
    };
    let given =
        [(Key::Metadata, &of.metadata), (Key::StartTime, &of.start), (Key::EndTime, &of.end)];
    made(
        tool_state::require(FUNCTION, &given)
            .and_then(|()| tool_state::create_completed(FUNCTION, &of, now())),
    )
}

/// Creates an error state. Times are in milliseconds since the Unix epoch. Throws `PartValidationError` if
/// the error is blank (BR-10).
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createError, unchecked_return_type = "ToolStateError", return_description = "The state.")]
pub fn create_error(
    #[wasm_bindgen(
        unchecked_param_type = "Record<string, unknown>",
        param_description = "The arguments."
    )]
    input: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "string",
        param_description = "What went wrong; not blank."
    )]
    error: &JsValue,
    #[wasm_bindgen(js_name = startTime, unchecked_param_type = "number", param_description = "When it started, in milliseconds since the Unix epoch.")]
    start: &JsValue,
    #[wasm_bindgen(js_name = endTime, unchecked_param_type = "number", param_description = "When it ended, in milliseconds since the Unix epoch.")]
    end: &JsValue,
) -> Result<JsValue, JsValue> {
    const FUNCTION: &str = "createError";
    let _scope = Scope::new();
    let (start, end) = (Js::hold(start), Js::hold(end));
    let (input, error) = (Js::hold(input), Js::hold(error));
    made(tool_state::require(FUNCTION, &[(Key::StartTime, &start), (Key::EndTime, &end)]).and_then(
        |()| {
            let none = Js::MISSING;
            tool_state::create_error(FUNCTION, &input, &error, &none, &start, &end, now())
        },
    ))
}

/// pending → running, started now. Returns a running state as it is; throws `InvalidStateTransition` for
/// anything else.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = pendingToRunning, unchecked_return_type = "ToolStateRunning", return_description = "A new state, or the given one.")]
pub fn step_to_running(
    #[wasm_bindgen(
        unchecked_param_type = "ToolState",
        param_description = "A pending or running state."
    )]
    state: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    stepped(tool_state::pending_to_running(&Js::hold(state), &Js::MISSING, now()), state)
}

/// running → completed at `endTime`, with the title of the running state. Returns a completed state as it
/// is; throws `InvalidStateTransition` for anything else, `PartValidationError` if the output is empty
/// (BR-09).
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = runningToCompleted, unchecked_return_type = "ToolStateCompleted", return_description = "A new state, or the given one.")]
pub fn step_to_completed(
    #[wasm_bindgen(
        unchecked_param_type = "ToolState",
        param_description = "A running or completed state."
    )]
    state: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "string",
        param_description = "The result for the model; not empty."
    )]
    output: &JsValue,
    #[wasm_bindgen(js_name = endTime, unchecked_param_type = "number", param_description = "When it ended, in milliseconds since the Unix epoch; now if it is no number.")]
    end: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let (none, output) = (Js::MISSING, Js::hold(output));
    let end = Js::hold(end);
    stepped(
        tool_state::running_to_completed(&Js::hold(state), &output, &none, &none, &end, now()),
        state,
    )
}

/// running → error at `endTime`. Returns an error state as it is; throws `InvalidStateTransition` for
/// anything else, `PartValidationError` if the error is blank (BR-10).
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = runningToError, unchecked_return_type = "ToolStateError", return_description = "A new state, or the given one.")]
pub fn step_to_error(
    #[wasm_bindgen(
        unchecked_param_type = "ToolState",
        param_description = "A running state, or one in error."
    )]
    state: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "string",
        param_description = "What went wrong; not blank."
    )]
    error: &JsValue,
    #[wasm_bindgen(js_name = endTime, unchecked_param_type = "number", param_description = "When it ended, in milliseconds since the Unix epoch; now if it is no number.")]
    end: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let (error, end) = (Js::hold(error), Js::hold(end));
    stepped(
        tool_state::running_to_error(&Js::hold(state), &error, &Js::MISSING, &end, now()),
        state,
    )
}

/// running → error if, at `now`, the state has been running for longer than `timeoutMs`; returns anything
/// else as it is. Times are in milliseconds. Throws `PartValidationError` if a field of the state throws
/// when it is read.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = expire, unchecked_return_type = "ToolState", return_description = "A state in error, or the given one.")]
pub fn expire(
    #[wasm_bindgen(unchecked_param_type = "ToolState", param_description = "Any state.")]
    state: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "number",
        param_description = "The time, in milliseconds since the Unix epoch."
    )]
    now: &JsValue,
    #[wasm_bindgen(js_name = timeoutMs, unchecked_param_type = "number", param_description = "How long a call may run, in milliseconds.")]
    timeout: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let (now, timeout) = (Js::hold(now).number(), Js::hold(timeout).number());
    stepped(tool_state::expire(&Js::hold(state), now, timeout), state)
}

/// pending or running → error with this reason and `metadata.aborted`, at `now` (default: the current time).
/// Returns a finished state as it is. Throws `PartValidationError` if the reason is blank (BR-10),
/// `InvalidStateTransition` if the value is not a tool state.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = abort, unchecked_return_type = "ToolState", return_description = "A state in error, or the given one.")]
pub fn abort(
    #[wasm_bindgen(unchecked_param_type = "ToolState", param_description = "Any state.")]
    state: &JsValue,
    #[wasm_bindgen(
        unchecked_param_type = "string",
        param_description = "Why, for the model; not blank."
    )]
    reason: &JsValue,
    #[wasm_bindgen(js_name = now, unchecked_param_type = "number", param_description = "The time, in milliseconds since the Unix epoch.")]
    at: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let at = Js::hold(at);
    let at = if at.kind() == Kind::Number { at.number() } else { now() };
    stepped(tool_state::abort(&Js::hold(state), &Js::hold(reason), at), state)
}

/// The statuses reachable from this one in one step, including itself; an empty list if it is not a status.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = validTransitions, unchecked_return_type = "ToolState[\"status\"][]", return_description = "Statuses.")]
#[must_use]
pub fn valid_transitions(
    #[wasm_bindgen(
        unchecked_param_type = "ToolState[\"status\"]",
        param_description = "A status."
    )]
    status: &JsValue,
) -> js_sys::Array {
    let _scope = Scope::new();
    let status = Js::hold(status).word().and_then(Status::from_word);
    let reachable = status.map_or(&[][..], Status::reachable);
    reachable.iter().map(|s| JsValue::from_str(s.as_str())).collect()
}
