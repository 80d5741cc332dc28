//! § 1 of the API: what makes parts and messages.

use crate::model::spec::{self, MESSAGES, MessageSpec, PARTS, PartSpec};
use crate::model::{Error, Key, View, factory};
use crate::wasm::from_options;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{made, new_id, now};
use crate::wasm::option_types::is_made_of;
use wasm_bindgen::prelude::*;

/// A new id for a message: a UUIDv7. Ids sort in the order in which they were made.
#[wasm_bindgen(js_name = generateMessageId)]
#[must_use]
pub fn generate_message_id() -> String {
    new_id()
}

/// A new id for a part: a UUIDv7. Ids sort in the order in which they were made.
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

/// Constructors that take an object of options, each by a row of the table of the model. The names
/// are spelt out because the generator of the JavaScript takes literals only; the compiler compares
/// them with the row, and their number with that of the rows.
macro_rules! constructors {
    ($make:ident, $count:expr; $($(#[$meta:meta])* $name:ident $js:literal $options:literal $returns:literal $row:ident;)+) => {
        from_options! {
            $($(#[$meta])* $name $js $options $returns |o| $make(&spec::$row, &|key| o.get(key));)+
        }
        $(const _: () = assert!(is_made_of($js, &[spec::$row.function()]));
        const _: () = assert!(is_made_of($options, &["C", $js.split_at(1).1, "Options"]));
        const _: () = assert!(is_made_of($returns, &[spec::$row.type_name]));)+
        const _: () = assert!([$($js),+].len() == $count, "each row with a constructor has it here");
    };
}

#[allow(clippy::indexing_slicing)] // while it is compiled
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
    /// A text part.
    create_text_part "createTextPart" "CreateTextPartOptions" "TextPart" TEXT;
    /// A reasoning part.
    create_reasoning_part "createReasoningPart" "CreateReasoningPartOptions" "ReasoningPart" REASONING;
    /// The start of a step.
    create_step_start_part "createStepStartPart" "CreateStepStartPartOptions" "StepStartPart" STEP_START;
    /// The end of a step.
    create_step_finish_part "createStepFinishPart" "CreateStepFinishPartOptions" "StepFinishPart" STEP_FINISH;
    /// A tool part.
    create_tool_part "createToolPart" "CreateToolPartOptions" "ToolPart" TOOL;
    /// A file part.
    create_file_part "createFilePart" "CreateFilePartOptions" "FilePart" FILE;
    /// A subtask part.
    create_subtask_part "createSubtaskPart" "CreateSubtaskPartOptions" "SubtaskPart" SUBTASK;
    /// An agent part.
    create_agent_part "createAgentPart" "CreateAgentPartOptions" "AgentPart" AGENT;
    /// A compaction part.
    create_compaction_part "createCompactionPart" "CreateCompactionPartOptions" "CompactionPart" COMPACTION;
    /// A retry part, made at `created` or else now.
    create_retry_part "createRetryPart" "CreateRetryPartOptions" "RetryPart" RETRY;
}

constructors! {
    message, MESSAGES.len();
    /// A user message, made now.
    create_user_message "createUserMessage" "CreateUserMessageOptions" "UserMessage" USER;
    /// An assistant message, made now, that has cost nothing yet.
    create_assistant_message "createAssistantMessage" "CreateAssistantMessageOptions" "AssistantMessage" ASSISTANT;
}

/// A part from arguments by position, with a new id. Its time, if its type has one, is the clock's.
fn by_position(row: &PartSpec, given: &[(Key, &JsValue)]) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let option = |key: Key| match given.iter().find(|(k, _)| *k == key) {
        Some((_, value)) => Js::hold(value),
        None if key == Key::Time => factory::started(now()),
        None => Js::MISSING,
    };
    made(part(row, &option))
}

/// Are the keys the required options of the row, in its order, without `time`?
#[allow(clippy::indexing_slicing)] // while it is compiled
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

/// The constructors of `PartFactory`. They have the names of those above and take the required
/// fields by position: both are in the contract.
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
            const _: () = assert!(is_made_of($js, &[spec::$row.function()]));
            const _: () = assert!(is_made_of($returns, &[spec::$row.type_name]));
            const _: () = assert!(are_required(&[$(Key::$key),*], &spec::$row));
            by_position(
                &spec::$row,
                &[(Key::SessionID, session), (Key::MessageID, message), $((Key::$key, $param)),*],
            )
        })+
    };
}

positional! {
    /// A text part with a new id, started now.
    text_part "createTextPart" "TextPart" TEXT (Text text "text" "string");
    /// A reasoning part with a new id, started now.
    reasoning_part "createReasoningPart" "ReasoningPart" REASONING (Text text "text" "string");
    /// A tool part with a new id.
    tool_part "createToolPart" "ToolPart" TOOL
        (CallID call "callID" "string", Tool tool "tool" "string", State state "state" "ToolState");
    /// The start of a step, with a new id.
    step_start_part "createStepStartPart" "StepStartPart" STEP_START ();
    /// The end of a step, with a new id. `cost` is in US dollars.
    step_finish_part "createStepFinishPart" "StepFinishPart" STEP_FINISH
        (Reason reason "reason" "string", Cost cost "cost" "number", Tokens tokens "tokens" "TokenStats");
}
