//! § 1 of the API: the validator and its guards.

use crate::model::spec::{self, PartSpec};
use crate::model::{Build, Key, Kind, Path, Report, View, Word};
use crate::validate;
use crate::validate::Ids;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::Problems;
use crate::wasm::limits::told_otherwise;
use crate::wasm::option_types::is_made_of;
use crate::wasm::options::{VALIDATE, tell_unknown};
use wasm_bindgen::prelude::*;

pub(crate) fn ids_of(options: &JsValue) -> Option<Ids> {
    match Js::hold(options).get(Key::Ids).word() {
        Some(Word::OpenCode) => Some(Ids::OpenCode),
        Some(Word::Apex) => Some(Ids::Apex),
        _ => None,
    }
}

/// What ids a validator takes.
fn good_ids(options: &JsValue) -> Ids {
    if options.is_object() {
        tell_unknown(&Js::hold(options), "PartValidator", VALIDATE);
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

/// A text that was too long to be read is a problem: a validator throws nothing.
pub(crate) fn too_long(problems: &mut Problems) {
    if let Some(why) = told_otherwise() {
        problems.error("limit", &Path::ROOT, why);
    }
}

macro_rules! validators {
    ($($(#[$meta:meta])* $name:ident $js:literal $param:literal $check:path;)+) => {
        $($(#[$meta])*
        #[wasm_bindgen(js_namespace = PartValidator, js_name = $js, unchecked_return_type = "ValidationResult")]
        #[must_use]
        pub fn $name(
            #[wasm_bindgen(unchecked_param_type = "unknown", js_name = $param)] value: &JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "ValidateOptions")] options: &JsValue,
        ) -> JsValue {
            let _scope = Scope::new();
            let mut problems = Problems::new();
            $check(&Js::hold(value), good_ids(options), &mut problems);
            too_long(&mut problems);
            result(&problems)
        })+
    };
}

validators! {
    /// Checks a part against every rule and reports every problem. Never throws, whatever it is given.
    validate_part "validatePart" "part" validate::part;
    /// Checks a message with its parts.
    validate_message "validateMessage" "message" validate::message;
    /// Checks messages with their parts: an array of them, or an export.
    validate_transcript "validateTranscript" "messages" validate::transcript;
}

/// Returns the part, or throws `PartValidationError` with `details.problems`.
#[wasm_bindgen(js_namespace = PartValidator, js_name = assertPart, unchecked_return_type = "Part")]
pub fn assert_part(
    #[wasm_bindgen(unchecked_param_type = "unknown")] part: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ValidateOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let mut problems = Problems::new();
    validate::part(&Js::hold(part), good_ids(options), &mut problems);
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

/// A guard for each row of the table of parts. The names are spelt out because the generator of the
/// JavaScript takes literals only; the compiler compares them with the row, and their number with
/// that of the rows.
macro_rules! guards {
    ($($name:ident $js:literal $returns:literal $row:ident;)+) => {
        $(/// Is this a part of this type? The answer costs the same whatever the part carries.
        #[wasm_bindgen(js_namespace = PartValidator, js_name = $js, unchecked_return_type = $returns)]
        #[must_use]
        pub fn $name(#[wasm_bindgen(unchecked_param_type = "unknown")] part: &JsValue) -> bool {
            const _: () = assert!(is_made_of($js, &[spec::$row.guard]));
            const _: () = assert!(is_made_of($returns, &["part is ", spec::$row.type_name]));
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
