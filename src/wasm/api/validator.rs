//! § 1 of the API: the validator and its guards.

use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::Problems;
use crate::wasm::limits::take_refusal;
use crate::wasm::option_types::is_joined;
use crate::wasm::options::{VALIDATE, log_unknown, unreadable};
use apex_parts_model::spec::{self, PartSpec};
use apex_parts_model::{Build, Key, Kind, Path, Report, View};
use apex_parts_validate::Ids;
use wasm_bindgen::prelude::*;

pub(crate) fn ids_of(options: &JsValue) -> Option<Ids> {
    Js::hold(options).get(Key::Ids).word().and_then(Ids::of)
}

/// The ids that the validator accepts, from its options. That they cannot be read is a problem.
fn accepted_ids(options: &JsValue, problems: &mut Problems) -> Ids {
    if options.is_object() {
        let given = Js::hold(options);
        log_unknown(&given, "PartValidator", VALIDATE);
        if let Some(why) = unreadable(&given, &[Key::Ids]) {
            problems.error("schema", &Path::ROOT, why);
        }
    }
    ids_of(options).unwrap_or_default()
}

/// `{valid, problems}`
pub(crate) fn result(problems: &Problems) -> JsValue {
    let mut result = Js::object();
    result.put_bool(Key::Valid, problems.errors == 0);
    result.put(Key::Problems, &problems.list());
    result.take()
}

/// Reports a text that was too long to be read as a problem, because a validator does not throw.
pub(crate) fn too_long(problems: &mut Problems) {
    if let Some(message) = take_refusal() {
        problems.error("limit", &Path::ROOT, message);
    }
}

macro_rules! validators {
    ($($(#[$meta:meta])* $name:ident $js:literal $param:literal $check:path;)+) => {
        $($(#[$meta])*
        /// @param options - Which ids are accepted.
        /// @returns All problems, and whether none of them is an error.
        #[wasm_bindgen(js_namespace = PartValidator, js_name = $js, unchecked_return_type = "ValidationResult")]
        #[must_use]
        pub fn $name(
            #[wasm_bindgen(js_name = $param, unchecked_param_type = "unknown")] value: &JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "ValidateOptions")] options: &JsValue,
        ) -> JsValue {
            let _scope = Scope::new();
            let mut problems = Problems::new();
            let ids = accepted_ids(options, &mut problems);
            $check(&Js::hold(value), ids, &mut problems);
            too_long(&mut problems);
            result(&problems)
        })+
    };
}

validators! {
    /// Checks a part against all rules and reports every problem. Never throws, whatever the value.
    ///
    /// @param part - Any value.
    validate_part "validatePart" "part" apex_parts_validate::part;
    /// Checks a message with its parts and reports every problem. Never throws.
    ///
    /// @param message - Any value.
    validate_message "validateMessage" "message" apex_parts_validate::message;
    /// Checks an array of messages with parts, or an export of OpenCode, and reports every problem. Never
    /// throws.
    ///
    /// @param messages - Any value.
    validate_transcript "validateTranscript" "messages" apex_parts_validate::transcript;
}

/// Returns the part if it is valid; otherwise throws `PartValidationError` with all problems in
/// `details.problems`.
///
/// @param part - Any value.
/// @param options - Which ids are accepted.
/// @returns The given part.
#[wasm_bindgen(js_namespace = PartValidator, js_name = assertPart, unchecked_return_type = "Part")]
pub fn assert_part(
    #[wasm_bindgen(unchecked_param_type = "unknown")] part: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ValidateOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let mut problems = Problems::new();
    let ids = accepted_ids(options, &mut problems);
    apex_parts_validate::part(&Js::hold(part), ids, &mut problems);
    too_long(&mut problems);
    if let Some(first) = problems.first_error.take() {
        return Err(problems.logged(first));
    }
    Ok(part.clone())
}

fn is(part: &JsValue, row: &PartSpec) -> bool {
    let _scope = Scope::new();
    let part = Js::hold(part);
    part.kind() == Kind::Object && part.get(Key::Type).word() == Some(row.word)
}

/// A type guard for each row of the table of parts. Names are spelt out because wasm-bindgen accepts only
/// literals; assertions compare them, and their number, with the table at compile time.
macro_rules! guards {
    ($($name:ident $js:literal $returns:literal $row:ident;)+) => {
        $(/// Whether the value is an object with this `type`. Its other fields are not read.
        ///
        /// @param part - Any value.
        /// @returns `true` if it is one.
        #[wasm_bindgen(js_namespace = PartValidator, js_name = $js, unchecked_return_type = $returns)]
        #[must_use]
        pub fn $name(#[wasm_bindgen(unchecked_param_type = "unknown")] part: &JsValue) -> bool {
            const _: () = assert!(is_joined($js, &[spec::$row.guard]));
            const _: () = assert!(is_joined($returns, &["part is ", spec::$row.type_name]));
            is(part, &spec::$row)
        })+
        const _: () = assert!([$($js),+].len() == spec::PARTS.len(), "each part type has a guard");
    };
}

guards! {
    is_text_part "isTextPart" "part is TextPart" TEXT;
    is_reasoning_part "isReasoningPart" "part is ReasoningPart" REASONING;
    is_tool_part "isToolPart" "part is ToolPart" TOOL;
    is_step_start_part "isStepStartPart" "part is StepStartPart" STEP_START;
    is_step_finish_part "isStepFinishPart" "part is StepFinishPart" STEP_FINISH;
    is_file_part "isFilePart" "part is FilePart" FILE;
    is_subtask_part "isSubtaskPart" "part is SubtaskPart" SUBTASK;
    is_agent_part "isAgentPart" "part is AgentPart" AGENT;
    is_compaction_part "isCompactionPart" "part is CompactionPart" COMPACTION;
    is_retry_part "isRetryPart" "part is RetryPart" RETRY;
    is_snapshot_part "isSnapshotPart" "part is SnapshotPart" SNAPSHOT;
    is_patch_part "isPatchPart" "part is PatchPart" PATCH;
}
