//! § 1 of the API: what makes parts and messages.

use crate::model::factory::{self, Recipe};
use crate::model::{Error, Key, View};
use crate::wasm::from_options;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{made, new_id, now};
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

fn part(recipe: &Recipe, field: &dyn Fn(Key) -> Js) -> Result<Js, Error> {
    factory::part(recipe, field, &mut new_id)
}

from_options! {
    /// A text part.
    create_text_part "createTextPart" "CreateTextPartOptions" "TextPart"
        |o| part(&factory::TEXT, &|key| o.get(key));
    /// A reasoning part.
    create_reasoning_part "createReasoningPart" "CreateReasoningPartOptions" "ReasoningPart"
        |o| part(&factory::REASONING, &|key| o.get(key));
    /// The start of a step.
    create_step_start_part "createStepStartPart" "CreateStepStartPartOptions" "StepStartPart"
        |o| part(&factory::STEP_START, &|key| o.get(key));
    /// The end of a step.
    create_step_finish_part "createStepFinishPart" "CreateStepFinishPartOptions" "StepFinishPart"
        |o| part(&factory::STEP_FINISH, &|key| o.get(key));
    /// A tool part.
    create_tool_part "createToolPart" "CreateToolPartOptions" "ToolPart"
        |o| part(&factory::TOOL, &|key| o.get(key));
    /// A file part.
    create_file_part "createFilePart" "CreateFilePartOptions" "FilePart"
        |o| part(&factory::FILE, &|key| o.get(key));
    /// A subtask part.
    create_subtask_part "createSubtaskPart" "CreateSubtaskPartOptions" "SubtaskPart"
        |o| part(&factory::SUBTASK, &|key| o.get(key));
    /// An agent part.
    create_agent_part "createAgentPart" "CreateAgentPartOptions" "AgentPart"
        |o| part(&factory::AGENT, &|key| o.get(key));
    /// A compaction part.
    create_compaction_part "createCompactionPart" "CreateCompactionPartOptions" "CompactionPart"
        |o| part(&factory::COMPACTION, &|key| o.get(key));
    /// A retry part, made at `created` or else now.
    create_retry_part "createRetryPart" "CreateRetryPartOptions" "RetryPart"
        |o| factory::retry_part(&|key| o.get(key), &mut new_id, now());
    /// A user message, made now.
    create_user_message "createUserMessage" "CreateUserMessageOptions" "UserMessage"
        |o| factory::user_message(&|key| o.get(key), &mut new_id, now());
    /// An assistant message, made now, that has cost nothing yet.
    create_assistant_message "createAssistantMessage" "CreateAssistantMessageOptions" "AssistantMessage"
        |o| factory::assistant_message(&|key| o.get(key), &mut new_id, now());
}

/// A part from arguments by position, with a new id. Its time, if its type has one, is the clock's.
fn positional(recipe: &Recipe, given: &[(Key, &JsValue)]) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let field = |key: Key| match given.iter().find(|(k, _)| *k == key) {
        Some((_, value)) => Js::hold(value),
        None if key == Key::Time => factory::started(now()),
        None => Js::MISSING,
    };
    made(part(recipe, &field))
}

/// A text part with a new id, started now.
#[wasm_bindgen(js_namespace = PartFactory, js_name = createTextPart, unchecked_return_type = "TextPart")]
pub fn text_part(
    #[wasm_bindgen(js_name = sessionID, unchecked_param_type = "string")] session: &JsValue,
    #[wasm_bindgen(js_name = messageID, unchecked_param_type = "string")] message: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
) -> Result<JsValue, JsValue> {
    positional(
        &factory::TEXT,
        &[(Key::SessionID, session), (Key::MessageID, message), (Key::Text, text)],
    )
}

/// A reasoning part with a new id, started now.
#[wasm_bindgen(js_namespace = PartFactory, js_name = createReasoningPart, unchecked_return_type = "ReasoningPart")]
pub fn reasoning_part(
    #[wasm_bindgen(js_name = sessionID, unchecked_param_type = "string")] session: &JsValue,
    #[wasm_bindgen(js_name = messageID, unchecked_param_type = "string")] message: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
) -> Result<JsValue, JsValue> {
    positional(
        &factory::REASONING,
        &[(Key::SessionID, session), (Key::MessageID, message), (Key::Text, text)],
    )
}

/// A tool part with a new id.
#[wasm_bindgen(js_namespace = PartFactory, js_name = createToolPart, unchecked_return_type = "ToolPart")]
pub fn tool_part(
    #[wasm_bindgen(js_name = sessionID, unchecked_param_type = "string")] session: &JsValue,
    #[wasm_bindgen(js_name = messageID, unchecked_param_type = "string")] message: &JsValue,
    #[wasm_bindgen(js_name = callID, unchecked_param_type = "string")] call: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] tool: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "ToolState")] state: &JsValue,
) -> Result<JsValue, JsValue> {
    positional(
        &factory::TOOL,
        &[
            (Key::SessionID, session),
            (Key::MessageID, message),
            (Key::CallID, call),
            (Key::Tool, tool),
            (Key::State, state),
        ],
    )
}

/// The start of a step, with a new id.
#[wasm_bindgen(js_namespace = PartFactory, js_name = createStepStartPart, unchecked_return_type = "StepStartPart")]
pub fn step_start_part(
    #[wasm_bindgen(js_name = sessionID, unchecked_param_type = "string")] session: &JsValue,
    #[wasm_bindgen(js_name = messageID, unchecked_param_type = "string")] message: &JsValue,
) -> Result<JsValue, JsValue> {
    let given = [(Key::SessionID, session), (Key::MessageID, message)];
    positional(&factory::STEP_START, &given)
}

/// The end of a step, with a new id. `cost` is in US dollars.
#[wasm_bindgen(js_namespace = PartFactory, js_name = createStepFinishPart, unchecked_return_type = "StepFinishPart")]
pub fn step_finish_part(
    #[wasm_bindgen(js_name = sessionID, unchecked_param_type = "string")] session: &JsValue,
    #[wasm_bindgen(js_name = messageID, unchecked_param_type = "string")] message: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] reason: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] cost: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "TokenStats")] tokens: &JsValue,
) -> Result<JsValue, JsValue> {
    positional(
        &factory::STEP_FINISH,
        &[
            (Key::SessionID, session),
            (Key::MessageID, message),
            (Key::Reason, reason),
            (Key::Cost, cost),
            (Key::Tokens, tokens),
        ],
    )
}
