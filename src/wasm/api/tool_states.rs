//! § 2 of the API: tool states.

use crate::model::spec::{self, StateSpec};
use crate::model::tool_state::{self, Completion};
use crate::model::{Error, Key, Kind, Status, Transition, View, exit_code, outcome};
use crate::wasm::from_options;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, made, now};
use crate::wasm::option_types::is_joined;
use wasm_bindgen::prelude::*;

/// The new state, or the given object itself if the transition changes nothing.
fn stepped(step: Result<Transition<Js>, Error>, given: &JsValue) -> Result<JsValue, JsValue> {
    match step {
        Ok(Transition::Same) => Ok(given.clone()),
        Ok(Transition::New(state)) => Ok(state.take()),
        Err(error) => Err(logged(&error)),
    }
}

// ── ToolStateTransition (P0-2 §4.2) ─────────────────────────────────────────────────────────────

/// Creates a pending state (BR-06). `raw` is the text of the arguments so far.
#[wasm_bindgen(js_namespace = ToolStateTransition, js_name = createPending, unchecked_return_type = "ToolStatePending")]
pub fn create_pending(
    #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] input: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] raw: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    made(tool_state::create_pending("createPending", &Js::hold(input), &Js::hold(raw)))
}

/// Creates a running state, started now (BR-07).
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

// ── How a call ended ────────────────────────────────────────────────────────────────────────────

/// How a tool call ended, as its tool says: `failed` if it is completed and its metadata (or, of a shell
/// without an exit code, its output) tells an exit code other than 0, `isError`, an HTTP status from 400 on,
/// or that it was aborted or timed out; `error` if its state is an error, `running` while it is pending or
/// running. `undefined` for parts that are not tool calls, and for states without a known status.
#[wasm_bindgen(js_name = outcome, unchecked_return_type = "\"completed\" | \"failed\" | \"error\" | \"running\" | undefined")]
#[must_use]
pub fn outcome_of(#[wasm_bindgen(unchecked_param_type = "Part")] part: &JsValue) -> JsValue {
    let _scope = Scope::new();
    let outcome = outcome(&Js::hold(part));
    outcome.map_or(JsValue::UNDEFINED, |outcome| JsValue::from_str(outcome.as_str()))
}

/// The exit code of a tool call that has ended, from its metadata or from the first or last line of its error
/// or output; `undefined` if it has none.
#[wasm_bindgen(js_name = exitCode, unchecked_return_type = "number | undefined")]
#[must_use]
pub fn exit_code_of(#[wasm_bindgen(unchecked_param_type = "Part")] part: &JsValue) -> JsValue {
    let _scope = Scope::new();
    #[allow(clippy::cast_precision_loss)] // at most 11 digits
    exit_code(&Js::hold(part)).map_or(JsValue::UNDEFINED, |code| JsValue::from_f64(code as f64))
}

// ── apex-bridge's src/types/tool-state.ts ───────────────────────────────────────────────────────

fn status_is(state: &JsValue, status: Status) -> bool {
    let _scope = Scope::new();
    Status::of(&Js::hold(state)) == Some(status)
}

macro_rules! guards {
    ($($name:ident $js:literal $returns:literal $status:ident;)+) => {
        $(#[doc = concat!("Whether the status of this state is ", stringify!($status), ".")]
        #[wasm_bindgen(js_name = $js, unchecked_return_type = $returns)]
        #[must_use]
        pub fn $name(#[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue) -> bool {
            const ROW: &StateSpec = spec::state(Status::$status);
            const _: () = assert!(is_joined($js, &[ROW.guard]));
            const _: () = assert!(is_joined($returns, &["state is ", ROW.type_name]));
            status_is(state, ROW.status)
        })+
        const _: () = assert!([$($js),+].len() == spec::STATES.len(), "each state has a guard");
    };
}

guards! {
    is_tool_state_pending "isToolStatePending" "state is ToolStatePending" Pending;
    is_tool_state_running "isToolStateRunning" "state is ToolStateRunning" Running;
    is_tool_state_completed "isToolStateCompleted" "state is ToolStateCompleted" Completed;
    is_tool_state_error "isToolStateError" "state is ToolStateError" Error;
}

from_options! {
    /// Creates a pending state (BR-06).
    create_tool_state_pending "createToolStatePending" "CreateToolStatePendingOptions" "ToolStatePending"
        |o| tool_state::create_pending("createToolStatePending", &o.get(Key::Input), &o.get(Key::Raw));
    /// Creates a running state, started at `startTime` or now (BR-07).
    create_tool_state_running "createToolStateRunning" "CreateToolStateRunningOptions" "ToolStateRunning"
        |o| tool_state::create_running(
            "createToolStateRunning",
            &o.get(Key::Input),
            &o.get(Key::Title),
            &o.get(Key::Metadata),
            &o.get(Key::StartTime),
            now(),
        );
    /// Creates a completed state. Throws `PartValidationError` if the output is empty (BR-09).
    create_tool_state_completed "createToolStateCompleted" "CreateToolStateCompletedOptions" "ToolStateCompleted"
        |o| tool_state::create_completed(
            "createToolStateCompleted",
            &Completion {
                input: o.get(Key::Input),
                output: o.get(Key::Output),
                title: o.get(Key::Title),
                metadata: o.get(Key::Metadata),
                attachments: o.get(Key::Attachments),
                start: o.get(Key::StartTime),
                end: o.get(Key::EndTime),
            },
            now(),
        );
    /// Creates an error state. Throws `PartValidationError` if the error is blank (BR-10).
    create_tool_state_error "createToolStateError" "CreateToolStateErrorOptions" "ToolStateError"
        |o| tool_state::create_error(
            "createToolStateError",
            &o.get(Key::Input),
            &o.get(Key::Error),
            &o.get(Key::Metadata),
            &o.get(Key::StartTime),
            &o.get(Key::EndTime),
            now(),
        );
}

/// pending → running, started now. Returns a running state as it is; throws `InvalidStateTransition` for
/// anything else.
#[wasm_bindgen(js_name = pendingToRunning, unchecked_return_type = "ToolStateRunning")]
pub fn pending_to_running(
    #[wasm_bindgen(unchecked_param_type = "ToolStatePending")] pending: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "string")] title: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    stepped(tool_state::pending_to_running(&Js::hold(pending), &Js::hold(title), now()), pending)
}

/// running → completed, ended now. Returns a completed state as it is; throws `InvalidStateTransition` for
/// anything else, `PartValidationError` if the output is empty (BR-09).
#[wasm_bindgen(js_name = runningToCompleted, unchecked_return_type = "ToolStateCompleted")]
pub fn running_to_completed(
    #[wasm_bindgen(unchecked_param_type = "ToolStateRunning")] running: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] output: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] title: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "FilePart[]")] attachments: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let (output, title) = (Js::hold(output), Js::hold(title));
    let (attachments, end) = (Js::hold(attachments), Js::MISSING);
    let state = Js::hold(running);
    stepped(
        tool_state::running_to_completed(&state, &output, &title, &attachments, &end, now()),
        running,
    )
}

/// running → error, ended now. Returns an error state as it is; throws `InvalidStateTransition` for
/// anything else, `PartValidationError` if the error is blank (BR-10).
#[wasm_bindgen(js_name = runningToError, unchecked_return_type = "ToolStateError")]
pub fn running_to_error(
    #[wasm_bindgen(unchecked_param_type = "ToolStateRunning")] running: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] error: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Record<string, unknown>")] metadata: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let (error, metadata) = (Js::hold(error), Js::hold(metadata));
    let state = Js::hold(running);
    stepped(tool_state::running_to_error(&state, &error, &metadata, &Js::MISSING, now()), running)
}

/// Whether the call has ended, successfully or not.
#[wasm_bindgen(js_name = isToolCompleted)]
#[must_use]
pub fn is_tool_completed(
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
) -> bool {
    status_is(state, Status::Completed) || status_is(state, Status::Error)
}

/// The duration of a finished call in milliseconds; `null` if it has not finished.
#[wasm_bindgen(js_name = getToolDuration, unchecked_return_type = "number | null")]
#[must_use]
pub fn get_tool_duration(
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
) -> JsValue {
    let _scope = Scope::new();
    tool_state::duration(&Js::hold(state)).map_or(JsValue::NULL, JsValue::from_f64)
}

/// Clears the output of a completed state and sets `time.compacted` to now; a second call changes nothing.
/// Throws `PartValidationError` if the state is not completed.
#[wasm_bindgen(js_name = compactToolState, unchecked_return_type = "ToolStateCompleted")]
pub fn compact_tool_state(
    #[wasm_bindgen(unchecked_param_type = "ToolStateCompleted")] completed: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    stepped(tool_state::compact(&Js::hold(completed), now()), completed)
}
