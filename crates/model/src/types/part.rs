//! The twelve part types of a message, and custom parts.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).
//!
//! Nothing is lost: every type keeps the fields that it does not name, and numbers keep their
//! kind, so that JSON in is JSON out.
//!
//! ```
//! use apex_parts_model::Part;
//! let json = r#"{"id":"p","sessionID":"s","messageID":"m","type":"text","text":"hi","mood":1}"#;
//! let part: Part = serde_json::from_str(json)?;
//! let Part::Text(text) = &part else { panic!("a text part") };
//! assert_eq!(text.text, "hi");
//! assert_eq!(serde_json::to_value(&part)?["mood"], 1);
//! # Ok::<(), serde_json::Error>(())
//! ```

use super::base::{
    Created, ModelRef, PartBase, TOKENS, Tag, TimeSpan, TokenStats, UnknownFields, WritingTime,
    present,
};
use super::error::MessageError;
use super::file::{FILE, FilePart, SourceText};
use super::tool_state::ToolState;
use crate::names::{Key, Word};
use crate::spec::field::{FieldKind, FieldSpec, Origin, optional, required};
use crate::spec::object::{ModelObject, ObjectDocs, kind_spec, kind_type, object, part};
use crate::spec::rows::PartSpec;
use serde::de::{DeserializeOwned, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

part! {
    /// Text, of a person or a model.
    0 Text: TextPart, TEXT, constructor {
        /// The text.
        text: Text = Text;
        /// Made by the program, not by a person or a model.
        optional synthetic: Synthetic = Flag;
        /// Not for the model.
        optional ignored: Ignored = Flag;
        /// When it was written, in milliseconds since the Unix epoch.
        optional time: Time = Object(WritingTime);
        /// Additional data.
        optional metadata: Metadata = Record;
    }
}

part! {
    /// Reasoning of a model before it answers.
    1 Reasoning: ReasoningPart, REASONING, constructor {
        /// The reasoning.
        text: Text = Text;
        /// Additional data.
        optional metadata: Metadata = Record;
        /// When it was written, in milliseconds since the Unix epoch.
        time: Time = Object(TimeSpan);
    }
}

part! {
    /// A tool call and its state.
    2 Tool: ToolPart, TOOL, constructor {
        /// The id under which model and program know the call.
        call_id ("callID"): CallID = Text;
        /// The name of the tool.
        tool: Tool = Text;
        /// The state of the call.
        state: State = OneOf(ToolState), by_rule; // one of STATES
        /// Additional data.
        optional metadata: Metadata = Record;
    }
}

part! {
    /// The start of a step: one call of the model.
    3 StepStart: StepStartPart, STEP_START, constructor {
        /// The state of the work tree, as an id.
        optional snapshot: Snapshot = Text;
    }
}

part! {
    /// The end of a step.
    4 StepFinish: StepFinishPart, STEP_FINISH, constructor {
        /// Why it ended.
        reason: Reason = Text;
        /// The state of the work tree, as an id.
        optional snapshot: Snapshot = Text;
        /// What it cost, in US dollars.
        cost: Cost = Number;
        /// What it used.
        tokens: Tokens = Named(TokenStats, TOKENS);
    }
}

part! {
    /// A task handed to another agent.
    6 Subtask: SubtaskPart, SUBTASK, constructor {
        /// What it is asked.
        prompt: Prompt = Text;
        /// In a few words.
        description: Description = Text;
        /// The agent.
        agent: Agent = Text;
        /// The model, if it is not the session's.
        optional model: Model = Object(ModelRef);
        /// The command that started it.
        optional command: Command = Text;
    }
}

part! {
    /// An agent that was named in a prompt.
    7 Agent: AgentPart, AGENT, constructor {
        /// Its name.
        name: Name = Text;
        /// Where it was named (UTF-16 offsets).
        optional source: Source = Object(SourceText);
    }
}

part! {
    /// A place at which the history was compacted.
    8 Compaction: CompactionPart, COMPACTION, constructor {
        /// By the program, not by the user.
        auto: Auto = Flag;
        /// The provider had refused the request as too large.
        optional overflow: Overflow = Flag;
        /// The id of the message with which the part of the history begins that stayed verbatim.
        optional tail_start_id: TailStart = Text;
    }
}

part! {
    /// A request that failed and was sent again.
    9 Retry: RetryPart, RETRY, constructor {
        /// Which attempt.
        attempt: Attempt = Number;
        /// Why.
        error: Error = OneOf(MessageError), by_rule; // API_ERROR or NAMED_ERROR
        /// When, in milliseconds since the Unix epoch.
        time: Time = Object(Created), from(CreatedOrNow);
    }
}

part! {
    /// The state of the work tree.
    10 Snapshot: SnapshotPart, SNAPSHOT, constructor {
        /// Its id.
        snapshot: Snapshot = Text;
    }
}

part! {
    /// Changes to files.
    11 Patch: PatchPart, PATCH, constructor {
        /// The id of the change.
        hash: Hash = Text;
        /// The files changed.
        files: Files = ListOf(Text);
    }
}

/// The union of the parts and their table, from one line each.
macro_rules! parts {
    ($($(#[doc = $about:literal])+ $word:ident($name:ident) = $row:ident,)+) => {
        /// Every part type; each is at the place of its code.
        pub const PARTS: &[&PartSpec] = &[$(&$row),+];

        /// Their documentation.
        pub const PART_DOCS: &[ObjectDocs] = &[$(<$name as ModelObject>::DOCS),+];

        /// A part of a message; `type` says which.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Part {
            $($(#[doc = $about])+ $word($name),)+
            /// A part of any other type.
            Custom(CustomPart),
        }

        impl Serialize for Part {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Part::$word(part) => part.serialize(serializer),)+
                    Part::Custom(part) => part.serialize(serializer),
                }
            }
        }

        impl<'de> Deserialize<'de> for Part {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                fn read<T: DeserializeOwned, E: serde::de::Error>(value: Value) -> Result<T, E> {
                    serde_json::from_value(value).map_err(E::custom)
                }
                let value = Value::deserialize(deserializer)?;
                match value.get("type").and_then(Value::as_str).and_then(Word::parse) {
                    $(Some(Word::$word) => read(value).map(Part::$word),)+
                    _ => read(value).map(Part::Custom),
                }
            }
        }
    };
}

parts! {
    /// Text.
    Text(TextPart) = TEXT,
    /// Reasoning of a model.
    Reasoning(ReasoningPart) = REASONING,
    /// A tool call.
    Tool(ToolPart) = TOOL,
    /// The start of a step.
    StepStart(StepStartPart) = STEP_START,
    /// The end of a step.
    StepFinish(StepFinishPart) = STEP_FINISH,
    /// A file.
    File(FilePart) = FILE,
    /// A task for another agent.
    Subtask(SubtaskPart) = SUBTASK,
    /// An agent that was named.
    Agent(AgentPart) = AGENT,
    /// A place at which the history was compacted.
    Compaction(CompactionPart) = COMPACTION,
    /// A request sent again.
    Retry(RetryPart) = RETRY,
    /// A state of the work tree.
    Snapshot(SnapshotPart) = SNAPSHOT,
    /// Changes to files.
    Patch(PatchPart) = PATCH,
}

/// A part of any other type: kept whole, in place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CustomPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Everything else.
    #[serde(flatten)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ [field: string]: unknown }"))]
    pub fields: Map<String, Value>,
}

/// The row of a part type; `None` for a word that names no part type.
#[must_use]
pub fn part(word: Word) -> Option<&'static PartSpec> {
    // The first words are the part types, in the order of their codes: see below.
    PARTS.get(word as usize).copied()
}

/// The words of all part types, by their code.
pub const PART_TYPES: [Word; PARTS.len()] = {
    let mut words = [Word::Text; PARTS.len()];
    let mut code = 0;
    while code < PARTS.len() {
        #[allow(clippy::indexing_slicing)] // while it is compiled
        let (row, word) = (PARTS[code], &mut words[code]);
        assert!(row.code as usize == code, "a row of PARTS is not at the place of its code");
        assert!(row.word as usize == code, "`Word` does not begin with the part types");
        *word = row.word;
        code += 1;
    }
    words
};
