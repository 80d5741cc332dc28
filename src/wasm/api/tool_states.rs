//! § 2 of the API: tool states, and how calls end.

use crate::wasm::from_options;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, made, now};
use crate::wasm::option_types::is_joined;
use apex_parts_model::spec::{self, StateSpec};
use apex_parts_model::tool_state::{self, Completion};
use apex_parts_model::{Error, Key, Status, Transition, View, exit_code, outcome};
use wasm_bindgen::prelude::*;

/// The new state, or the given object itself if the transition changes nothing.
pub(super) fn stepped(
    step: Result<Transition<Js>, Error>,
    given: &JsValue,
) -> Result<JsValue, JsValue> {
    match step {
        Ok(Transition::Same) => Ok(given.clone()),
        Ok(Transition::New(state)) => Ok(state.take()),
        Err(error) => Err(logged(&error)),
    }
}

// ── How a call ended ────────────────────────────────────────────────────────────────────────────

/// How a tool call ended, as its tool says: `failed` if it is completed and its metadata (or, of a shell
/// without an exit code, its output) tells an exit code other than 0, `isError`, an HTTP status from 400 on,
/// or that it was aborted or timed out; `error` if its state is an error, `running` while it is pending or
/// running. `undefined` for parts that are not tool calls, and for states without a known status.
///
/// ```js
/// const state = createToolStateCompleted({ input: {}, output: "no", title: "false", metadata: { exit: 1 } });
/// outcome(PartFactory.createToolPart("s", "m", "c1", "bash", state)); // "failed"
/// ```
///
/// @param part - The part; any value is accepted.
/// @returns How it ended, or `undefined`.
#[wasm_bindgen(js_name = outcome, unchecked_return_type = "\"completed\" | \"failed\" | \"error\" | \"running\" | undefined")]
#[must_use]
pub fn outcome_of(#[wasm_bindgen(unchecked_param_type = "Part")] part: &JsValue) -> JsValue {
    let _scope = Scope::new();
    let outcome = outcome(&Js::hold(part));
    outcome.map_or(JsValue::UNDEFINED, |outcome| JsValue::from_str(outcome.as_str()))
}

/// The exit code of a tool call that has ended, from its metadata or from the first or last line of its error
/// or output; `undefined` if it has none.
///
/// ```js
/// const state = createToolStateCompleted({ input: {}, output: "no", title: "false", metadata: { exit: 1 } });
/// exitCode(PartFactory.createToolPart("s", "m", "c1", "bash", state)); // 1
/// ```
///
/// @param part - The part; any value is accepted.
/// @returns The exit code, or `undefined`.
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
    Status::read(&Js::hold(state)) == Some(status)
}

macro_rules! guards {
    ($($(#[$meta:meta])* $name:ident $js:literal $returns:literal $status:ident;)+) => {
        $($(#[$meta])*
        ///
        /// @param state - Any value.
        /// @returns `true` if it has.
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
    /// Whether the state is pending. Its other fields are not read.
    ///
    /// ```js
    /// isToolStatePending(createToolStatePending({ input: {}, raw: "" })); // true
    /// ```
    is_tool_state_pending "isToolStatePending" "state is ToolStatePending" Pending;
    /// Whether the state is running. Its other fields are not read.
    ///
    /// ```js
    /// isToolStateRunning(createToolStateRunning({ input: {} })); // true
    /// ```
    is_tool_state_running "isToolStateRunning" "state is ToolStateRunning" Running;
    /// Whether the state is completed. Its other fields are not read.
    ///
    /// ```js
    /// isToolStateCompleted(createToolStateRunning({ input: {} })); // false
    /// ```
    is_tool_state_completed "isToolStateCompleted" "state is ToolStateCompleted" Completed;
    /// Whether the state is in error. Its other fields are not read.
    ///
    /// ```js
    /// isToolStateError(createToolStateError({ input: {}, error: "no such file" })); // true
    /// ```
    is_tool_state_error "isToolStateError" "state is ToolStateError" Error;
}

from_options! {
    /// Creates a pending state (BR-06).
    ///
    /// ```js
    /// createToolStatePending({ input: {}, raw: '{"file' }).raw; // '{"file'
    /// ```
    create_tool_state_pending "createToolStatePending" "CreateToolStatePendingOptions" "ToolStatePending"
        |o| tool_state::create_pending("createToolStatePending", &o.get(Key::Input), &o.get(Key::Raw));
    /// Creates a running state, started at `startTime` or now (BR-07).
    ///
    /// ```js
    /// createToolStateRunning({ input: {}, startTime: 1000 }).time; // { start: 1000 }
    /// ```
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
    ///
    /// ```js
    /// createToolStateCompleted({ input: {}, output: "text", title: "Reads" }).status; // "completed"
    /// ```
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
    ///
    /// ```js
    /// createToolStateError({ input: {}, error: "no such file" }).status; // "error"
    /// ```
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
///
/// ```js
/// pendingToRunning(createToolStatePending({ input: {}, raw: "{}" }), "Reads").title; // "Reads"
/// ```
///
/// @param pending - A pending or running state.
/// @param title - What is shown of the call.
/// @returns A new state, or the given one.
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
///
/// ```js
/// const running = createToolStateRunning({ input: {} });
/// runningToCompleted(running, "done", "Reads").status; // "completed"
/// ```
///
/// @param running - A running or completed state.
/// @param output - The result for the model; not empty.
/// @param title - What is shown of the call.
/// @param attachments - Files for the model.
/// @returns A new state, or the given one.
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
///
/// ```js
/// runningToError(createToolStateRunning({ input: {} }), "no such file").error; // "no such file"
/// ```
///
/// @param running - A running state, or one in error.
/// @param error - What went wrong; not blank.
/// @param metadata - Additional data, in place of that of the running state.
/// @returns A new state, or the given one.
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
///
/// ```js
/// isToolCompleted(createToolStateRunning({ input: {} })); // false
/// ```
///
/// @param state - Any state.
/// @returns `true` for a completed state and one in error.
#[wasm_bindgen(js_name = isToolCompleted)]
#[must_use]
pub fn is_tool_completed(
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
) -> bool {
    status_is(state, Status::Completed) || status_is(state, Status::Error)
}

/// The duration of a finished call in milliseconds; `null` if it has not finished.
///
/// ```js
/// getToolDuration(createToolStateError({ input: {}, error: "timed out", startTime: 1000, endTime: 3500 })); // 2500
/// ```
///
/// @param state - Any state.
/// @returns Milliseconds, or `null`.
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
///
/// ```js
/// const state = createToolStateCompleted({ input: {}, output: "a long text", title: "Reads" });
/// compactToolState(state).output; // "[Old tool result content cleared]"
/// ```
///
/// @param completed - A completed state.
/// @returns A new state, or the given one.
#[wasm_bindgen(js_name = compactToolState, unchecked_return_type = "ToolStateCompleted")]
pub fn compact_tool_state(
    #[wasm_bindgen(unchecked_param_type = "ToolStateCompleted")] completed: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    stepped(tool_state::compact(&Js::hold(completed), now()), completed)
}
