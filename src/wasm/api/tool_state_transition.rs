//! § 2 of the API: `ToolStateTransition`.

use super::tool_states::stepped;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{made, now};
use apex_parts_model::tool_state::{self, Completion};
use apex_parts_model::{Key, Kind, Status, View};
use wasm_bindgen::prelude::*;

/// Creates a pending state (BR-06). `raw` is the text of the arguments so far.
///
/// @param input - The arguments parsed so far.
/// @param raw - The text of the arguments so far.
/// @returns The state.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createPending, unchecked_return_type = "ToolStatePending")]
pub fn create_pending(
    #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] input: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] raw: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    made(tool_state::create_pending("createPending", &Js::hold(input), &Js::hold(raw)))
}

/// Creates a running state, started now (BR-07).
///
/// @param input - The arguments.
/// @param title - What is shown of the call.
/// @returns The state.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createRunning, unchecked_return_type = "ToolStateRunning")]
pub fn create_running(
    #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] input: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "string")] title: &JsValue,
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
///
/// @param input - The arguments.
/// @param output - The result for the model; not empty.
/// @param title - What is shown of the call.
/// @param metadata - Additional data.
/// @param startTime - When it started, in milliseconds since the Unix epoch.
/// @param endTime - When it ended, in milliseconds since the Unix epoch.
/// @returns The state.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createCompleted, unchecked_return_type = "ToolStateCompleted")]
pub fn create_completed(
    #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] input: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] output: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] title: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] metadata: &JsValue,
    #[wasm_bindgen(js_name = startTime, unchecked_param_type = "number")] start: &JsValue,
    #[wasm_bindgen(js_name = endTime, unchecked_param_type = "number")] end: &JsValue,
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
///
/// @param input - The arguments.
/// @param error - What went wrong; not blank.
/// @param startTime - When it started, in milliseconds since the Unix epoch.
/// @param endTime - When it ended, in milliseconds since the Unix epoch.
/// @returns The state.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createError, unchecked_return_type = "ToolStateError")]
pub fn create_error(
    #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] input: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] error: &JsValue,
    #[wasm_bindgen(js_name = startTime, unchecked_param_type = "number")] start: &JsValue,
    #[wasm_bindgen(js_name = endTime, unchecked_param_type = "number")] end: &JsValue,
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
///
/// @param state - A pending or running state.
/// @returns A new state, or the given one.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = pendingToRunning, unchecked_return_type = "ToolStateRunning")]
pub fn step_to_running(
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    stepped(tool_state::pending_to_running(&Js::hold(state), &Js::MISSING, now()), state)
}

/// running → completed at `endTime`, with the title of the running state. Returns a completed state as it
/// is; throws `InvalidStateTransition` for anything else, `PartValidationError` if the output is empty
/// (BR-09).
///
/// @param state - A running or completed state.
/// @param output - The result for the model; not empty.
/// @param endTime - When it ended, in milliseconds since the Unix epoch; now if it is no number.
/// @returns A new state, or the given one.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = runningToCompleted, unchecked_return_type = "ToolStateCompleted")]
pub fn step_to_completed(
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] output: &JsValue,
    #[wasm_bindgen(js_name = endTime, unchecked_param_type = "number")] end: &JsValue,
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
///
/// @param state - A running state, or one in error.
/// @param error - What went wrong; not blank.
/// @param endTime - When it ended, in milliseconds since the Unix epoch; now if it is no number.
/// @returns A new state, or the given one.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = runningToError, unchecked_return_type = "ToolStateError")]
pub fn step_to_error(
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] error: &JsValue,
    #[wasm_bindgen(js_name = endTime, unchecked_param_type = "number")] end: &JsValue,
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
///
/// @param state - Any state.
/// @param now - The time, in milliseconds since the Unix epoch.
/// @param timeoutMs - How long a call may run, in milliseconds.
/// @returns A state in error, or the given one.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = expire, unchecked_return_type = "ToolState")]
pub fn expire(
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] now: &JsValue,
    #[wasm_bindgen(js_name = timeoutMs, unchecked_param_type = "number")] timeout: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let (now, timeout) = (Js::hold(now).number(), Js::hold(timeout).number());
    stepped(tool_state::expire(&Js::hold(state), now, timeout), state)
}

/// pending or running → error with this reason and `metadata.aborted`, at `now` (default: the current time).
/// Returns a finished state as it is. Throws `PartValidationError` if the reason is blank (BR-10),
/// `InvalidStateTransition` if the value is not a tool state.
///
/// @param state - Any state.
/// @param reason - Why, for the model; not blank.
/// @param now - The time, in milliseconds since the Unix epoch.
/// @returns A state in error, or the given one.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = abort, unchecked_return_type = "ToolState")]
pub fn abort(
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] reason: &JsValue,
    #[wasm_bindgen(js_name = now, unchecked_param_type = "number")] at: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let at = Js::hold(at);
    let at = if at.kind() == Kind::Number { at.number() } else { now() };
    stepped(tool_state::abort(&Js::hold(state), &Js::hold(reason), at), state)
}

/// The statuses reachable from this one in one step, including itself; an empty list if it is not a status.
///
/// @param status - A status.
/// @returns Statuses.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = validTransitions, unchecked_return_type = "ToolState[\"status\"][]")]
#[must_use]
pub fn valid_transitions(
    #[wasm_bindgen(unchecked_param_type = "ToolState[\"status\"]")] status: &JsValue,
) -> js_sys::Array {
    let _scope = Scope::new();
    let status = Js::hold(status).word().and_then(Status::from_word);
    let reachable = status.map_or(&[][..], Status::reachable);
    reachable.iter().map(|s| JsValue::from_str(s.as_str())).collect()
}
