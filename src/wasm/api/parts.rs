//! § 1 of the API: constructors of parts and messages.

use crate::wasm::from_options;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{made, new_id, now};
use crate::wasm::option_types::is_joined;
use apex_parts_model::spec::{self, MESSAGES, MessageSpec, PARTS, PartSpec};
use apex_parts_model::{Error, Key, View, factory};
use wasm_bindgen::prelude::*;

/// A new message id, a UUIDv7. Ids sort in the order of their creation.
///
/// ```js
/// generateMessageId() < generateMessageId(); // true
/// ```
///
/// @returns The id, 36 characters.
#[wasm_bindgen(js_name = generateMessageId)]
#[must_use]
pub fn generate_message_id() -> String {
    new_id()
}

/// A new part id, a UUIDv7. Ids sort in the order of their creation.
///
/// ```js
/// generatePartId().length; // 36
/// ```
///
/// @returns The id, 36 characters.
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

/// Those that only the full module has.
const MORE_PARTS: usize = 2;

constructors! {
    part, PARTS_WITH_CONSTRUCTOR - MORE_PARTS;
    /// Creates a text part.
    ///
    /// ```js
    /// createTextPart({ sessionID: "s", messageID: "m", text: "Hi" }).text; // "Hi"
    /// ```
    create_text_part "createTextPart" "CreateTextPartOptions" "TextPart" TEXT;
    /// Creates a reasoning part.
    ///
    /// ```js
    /// createReasoningPart({ sessionID: "s", messageID: "m", text: "Hm", time: { start: 1 } }).time; // { start: 1 }
    /// ```
    create_reasoning_part "createReasoningPart" "CreateReasoningPartOptions" "ReasoningPart" REASONING;
    /// Creates a step-start part.
    ///
    /// ```js
    /// createStepStartPart({ sessionID: "s", messageID: "m" }).type; // "step-start"
    /// ```
    create_step_start_part "createStepStartPart" "CreateStepStartPartOptions" "StepStartPart" STEP_START;
    /// Creates a step-finish part. `cost` is in US dollars.
    ///
    /// ```js
    /// const tokens = { input: 9, output: 3, reasoning: 0, cache: { read: 0, write: 0 } };
    /// createStepFinishPart({ sessionID: "s", messageID: "m", reason: "stop", cost: 0.01, tokens }).cost; // 0.01
    /// ```
    create_step_finish_part "createStepFinishPart" "CreateStepFinishPartOptions" "StepFinishPart" STEP_FINISH;
    /// Creates a tool part.
    ///
    /// ```js
    /// const state = createToolStatePending({ input: {}, raw: "" });
    /// createToolPart({ sessionID: "s", messageID: "m", callID: "c1", tool: "read", state }).tool; // "read"
    /// ```
    create_tool_part "createToolPart" "CreateToolPartOptions" "ToolPart" TOOL;
    /// Creates a file part.
    ///
    /// ```js
    /// createFilePart({ sessionID: "s", messageID: "m", mime: "text/plain", url: "data:text/plain,Hi" }).mime; // "text/plain"
    /// ```
    create_file_part "createFilePart" "CreateFilePartOptions" "FilePart" FILE;
    /// Creates a subtask part.
    ///
    /// ```js
    /// createSubtaskPart({ sessionID: "s", messageID: "m", prompt: "Find it", description: "find", agent: "explore" }).agent; // "explore"
    /// ```
    create_subtask_part "createSubtaskPart" "CreateSubtaskPartOptions" "SubtaskPart" SUBTASK;
    /// Creates an agent part.
    ///
    /// ```js
    /// createAgentPart({ sessionID: "s", messageID: "m", name: "explore" }).name; // "explore"
    /// ```
    create_agent_part "createAgentPart" "CreateAgentPartOptions" "AgentPart" AGENT;
    /// Creates a compaction part.
    ///
    /// ```js
    /// createCompactionPart({ sessionID: "s", messageID: "m", auto: true }).auto; // true
    /// ```
    create_compaction_part "createCompactionPart" "CreateCompactionPartOptions" "CompactionPart" COMPACTION;
    /// Creates a retry part, dated `created` (milliseconds since the Unix epoch; default: now).
    ///
    /// ```js
    /// const error = { message: "overloaded", statusCode: 529, isRetryable: true };
    /// createRetryPart({ sessionID: "s", messageID: "m", attempt: 1, error, created: 1000 }).time; // { created: 1000 }
    /// ```
    create_retry_part "createRetryPart" "CreateRetryPartOptions" "RetryPart" RETRY;
}

constructors! {
    message, MESSAGES.len();
    /// Creates a user message, dated now.
    ///
    /// ```js
    /// createUserMessage({ sessionID: generateMessageId(), agent: "build", providerID: "p", modelID: "m" }).role; // "user"
    /// ```
    create_user_message "createUserMessage" "CreateUserMessageOptions" "UserMessage" USER;
    /// Creates an assistant message, dated now, with zero cost and tokens.
    ///
    /// ```js
    /// const [sessionID, parentID] = [generateMessageId(), generateMessageId()];
    /// const model = { modelID: "m", providerID: "p", agent: "build" };
    /// createAssistantMessage({ sessionID, parentID, ...model, cwd: "/", root: "/" }).cost; // 0
    /// ```
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
        ($($key:ident $param:ident $js_param:literal $type:literal $about:literal),*);)+) => {
        $($(#[$meta])*
        ///
        /// @param sessionID - The id of the session.
        /// @param messageID - The id of the message.
        /// @returns The part, or `undefined` if an argument is missing; that is logged.
        #[wasm_bindgen(js_namespace = PartFactory, js_name = $js, unchecked_return_type = $returns)]
        pub fn $name(
            #[wasm_bindgen(js_name = sessionID, unchecked_param_type = "string")] session: &JsValue,
            #[wasm_bindgen(js_name = messageID, unchecked_param_type = "string")] message: &JsValue,
            $(#[wasm_bindgen(js_name = $js_param, unchecked_param_type = $type, param_description = $about)] $param: &JsValue,)*
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
    text_part "createTextPart" "TextPart" TEXT (Text text "text" "string" "The text; may be empty.");
    /// Creates a reasoning part with a new id, started now.
    reasoning_part "createReasoningPart" "ReasoningPart" REASONING (Text text "text" "string" "The text; may be empty.");
    /// Creates a tool part with a new id.
    tool_part "createToolPart" "ToolPart" TOOL
        (CallID call "callID" "string" "The id of the call.", Tool tool "tool" "string" "The name of the tool.", State state "state" "ToolState" "The state of the call.");
    /// Creates a step-start part with a new id.
    step_start_part "createStepStartPart" "StepStartPart" STEP_START ();
    /// Creates a step-finish part with a new id. `cost` is in US dollars.
    step_finish_part "createStepFinishPart" "StepFinishPart" STEP_FINISH
        (Reason reason "reason" "string" "Why the step ended.", Cost cost "cost" "number" "What it cost, in US dollars.", Tokens tokens "tokens" "TokenStats" "What it used.");
}

/// Constructors that the core lacks: with them, it would be larger.
#[cfg(any(feature = "convert", feature = "providers"))]
pub mod full {
    use super::{
        Js, JsValue, Key, MORE_PARTS, Scope, View, are_required, by_position, factory,
        from_options, is_joined, made, new_id, part, spec, wasm_bindgen,
    };
    use crate::wasm::declarations::declared;

    constructors! {
        part, MORE_PARTS;
        /// Creates a snapshot part.
        ///
        /// ```js
        /// createSnapshotPart({ sessionID: "s", messageID: "m", snapshot: "4b825dc" }).snapshot; // "4b825dc"
        /// ```
        create_snapshot_part "createSnapshotPart" "CreateSnapshotPartOptions" "SnapshotPart" SNAPSHOT;
        /// Creates a patch part.
        ///
        /// ```js
        /// createPatchPart({ sessionID: "s", messageID: "m", hash: "4b825dc", files: ["src/a.ts"] }).files; // ["src/a.ts"]
        /// ```
        create_patch_part "createPatchPart" "CreatePatchPartOptions" "PatchPart" PATCH;
    }

    positional! {
        /// Creates a snapshot part with a new id.
        snapshot_part "createSnapshotPart" "SnapshotPart" SNAPSHOT (Snapshot snapshot "snapshot" "string" "The id of the state of the work tree.");
        /// Creates a patch part with a new id.
        patch_part "createPatchPart" "PatchPart" PATCH
            (Hash hash "hash" "string" "The id of the change.", Files files "files" "string[]" "The files changed.");
    }

    from_options! {
        /// Creates a message with its parts, in their order. A part that lacks `id`, `sessionID` or `messageID` gets a
        /// new id and those of the message; a part that has all three is the same object. Throws `PartValidationError`
        /// (`WP-1`) if a part names another message or session.
        ///
        /// ```js
        /// const ids = { sessionID: generateMessageId(), agent: "build", providerID: "p", modelID: "m" };
        /// const message = createWithParts({ info: createUserMessage(ids), parts: [{ type: "text", text: "Hi" }] });
        /// message.parts[0].messageID === message.info.id; // true
        /// ```
        create_with_parts "createWithParts" "CreateWithPartsOptions" "WithParts" |o| factory::with_parts(&|key| o.get(key), &mut new_id);
    }

    #[wasm_bindgen(typescript_custom_section)]
    const OPTIONS: &str = declared(include_str!("../types/parts.d.ts"));
}
