//! § 1 of the API: constructors of parts and messages.

use crate::model::spec::{self, MESSAGES, MessageSpec, PARTS, PartSpec};
use crate::model::{Error, Key, View, factory};
use crate::wasm::from_options;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{made, new_id, now};
use crate::wasm::option_types::is_joined;
use wasm_bindgen::prelude::*;

/// A new message id, a UUIDv7. Ids sort in the order of their creation.
#[wasm_bindgen(js_name = generateMessageId)]
#[must_use]
pub fn generate_message_id() -> String {
    new_id()
}

/// A new part id, a UUIDv7. Ids sort in the order of their creation.
#[wasm_bindgen(js_name = generatePartId)]
#[must_use]
pub fn generate_part_id() -> String {
    new_id()
}

fn part(row: &PartSpec, option: &dyn Fn(Key) -> Js) -> Result<Js, Error> {
    factory::part(row, option, &mut new_id, &now)
}

fn message(row: &MessageSpec, option: &dyn Fn(Key) -> Js) -> Result<Js, Error> {
    factory::message(row, option, &mut new_id, &now)
}

/// Constructors that take an object of options, each for a row of the table of parts and messages. Names
/// are spelt out because wasm-bindgen accepts only literals; assertions compare them, and their number,
/// with the table at compile time.
macro_rules! constructors {
    ($make:ident, $count:expr; $($(#[$meta:meta])* $name:ident $js:literal $options:literal $returns:literal $row:ident;)+) => {
        from_options! {
            $($(#[$meta])* $name $js $options $returns |o| $make(&spec::$row, &|key| o.get(key));)+
        }
        $(const _: () = assert!(is_joined($js, &[spec::$row.function()]));
        const _: () = assert!(is_joined($options, &["C", $js.split_at(1).1, "Options"]));
        const _: () = assert!(is_joined($returns, &[spec::$row.type_name]));)+
        const _: () = assert!([$($js),+].len() == $count, "each row with a constructor is listed");
    };
}

#[allow(clippy::indexing_slicing)] // at compile time
const PARTS_WITH_CONSTRUCTOR: usize = {
    let (mut i, mut count) = (0, 0);
    while i < PARTS.len() {
        count += PARTS[i].constructor.is_some() as usize;
        i += 1;
    }
    count
};

constructors! {
    part, PARTS_WITH_CONSTRUCTOR;
    /// Creates a text part.
    create_text_part "createTextPart" "CreateTextPartOptions" "TextPart" TEXT;
    /// Creates a reasoning part.
    create_reasoning_part "createReasoningPart" "CreateReasoningPartOptions" "ReasoningPart" REASONING;
    /// Creates a step-start part.
    create_step_start_part "createStepStartPart" "CreateStepStartPartOptions" "StepStartPart" STEP_START;
    /// Creates a step-finish part. `cost` is in US dollars.
    create_step_finish_part "createStepFinishPart" "CreateStepFinishPartOptions" "StepFinishPart" STEP_FINISH;
    /// Creates a tool part.
    create_tool_part "createToolPart" "CreateToolPartOptions" "ToolPart" TOOL;
    /// Creates a file part.
    create_file_part "createFilePart" "CreateFilePartOptions" "FilePart" FILE;
    /// Creates a subtask part.
    create_subtask_part "createSubtaskPart" "CreateSubtaskPartOptions" "SubtaskPart" SUBTASK;
    /// Creates an agent part.
    create_agent_part "createAgentPart" "CreateAgentPartOptions" "AgentPart" AGENT;
    /// Creates a compaction part.
    create_compaction_part "createCompactionPart" "CreateCompactionPartOptions" "CompactionPart" COMPACTION;
    /// Creates a retry part, dated `created` (milliseconds since the Unix epoch; default: now).
    create_retry_part "createRetryPart" "CreateRetryPartOptions" "RetryPart" RETRY;
}

constructors! {
    message, MESSAGES.len();
    /// Creates a user message, dated now.
    create_user_message "createUserMessage" "CreateUserMessageOptions" "UserMessage" USER;
    /// Creates an assistant message, dated now, with zero cost and tokens.
    create_assistant_message "createAssistantMessage" "CreateAssistantMessageOptions" "AssistantMessage" ASSISTANT;
}

/// A part from positional arguments, with a new id; if its type has a time, it is the current time.
fn by_position(row: &PartSpec, given: &[(Key, &JsValue)]) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let option = |key: Key| match given.iter().find(|(k, _)| *k == key) {
        Some((_, value)) => Js::hold(value),
        None if key == Key::Time => factory::started(now()),
        None => Js::MISSING,
    };
    made(part(row, &option))
}

/// Whether the keys are the required options of the row, in its order, without `time`.
#[allow(clippy::indexing_slicing)] // at compile time
const fn are_required(keys: &[Key], row: &PartSpec) -> bool {
    let (mut i, mut at) = (0, 0);
    while i < row.fields.len() {
        let key = row.fields[i].key as u8;
        if row.fields[i].is_required() && key != Key::Time as u8 {
            if at == keys.len() || keys[at] as u8 != key {
                return false;
            }
            at += 1;
        }
        i += 1;
    }
    at == keys.len()
}

/// The constructors of `PartFactory`: they have the names of those above but take the required fields by
/// position. The contract demands both.
macro_rules! positional {
    ($($(#[$meta:meta])* $name:ident $js:literal $returns:literal $row:ident
        ($($key:ident $param:ident $js_param:literal $type:literal),*);)+) => {
        $($(#[$meta])*
        #[wasm_bindgen(js_namespace = PartFactory, js_name = $js, unchecked_return_type = $returns)]
        pub fn $name(
            #[wasm_bindgen(js_name = sessionID, unchecked_param_type = "string")] session: &JsValue,
            #[wasm_bindgen(js_name = messageID, unchecked_param_type = "string")] message: &JsValue,
            $(#[wasm_bindgen(js_name = $js_param, unchecked_param_type = $type)] $param: &JsValue,)*
        ) -> Result<JsValue, JsValue> {
            const _: () = assert!(is_joined($js, &[spec::$row.function()]));
            const _: () = assert!(is_joined($returns, &[spec::$row.type_name]));
            const _: () = assert!(are_required(&[$(Key::$key),*], &spec::$row));
            by_position(
                &spec::$row,
                &[(Key::SessionID, session), (Key::MessageID, message), $((Key::$key, $param)),*],
            )
        })+
    };
}

positional! {
    /// Creates a text part with a new id, started now.
    text_part "createTextPart" "TextPart" TEXT (Text text "text" "string");
    /// Creates a reasoning part with a new id, started now.
    reasoning_part "createReasoningPart" "ReasoningPart" REASONING (Text text "text" "string");
    /// Creates a tool part with a new id.
    tool_part "createToolPart" "ToolPart" TOOL
        (CallID call "callID" "string", Tool tool "tool" "string", State state "state" "ToolState");
    /// Creates a step-start part with a new id.
    step_start_part "createStepStartPart" "StepStartPart" STEP_START ();
    /// Creates a step-finish part with a new id. `cost` is in US dollars.
    step_finish_part "createStepFinishPart" "StepFinishPart" STEP_FINISH
        (Reason reason "reason" "string", Cost cost "cost" "number", Tokens tokens "tokens" "TokenStats");
}
