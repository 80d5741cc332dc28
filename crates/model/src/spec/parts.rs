//! The parts, which differ by `type`.

use super::field::FieldKind::{Flag, ListOf, Named, Number, Object, OneOf, Record, Text};
use super::field::{FieldSpec, Origin, optional, required};
use super::shared::{CREATED, MODEL, SOURCE_TEXT, SPAN, TOKENS};
use crate::names::{Key, Word};

/// A part type.
#[derive(Clone, Copy, Debug)]
pub struct PartSpec {
    /// Its number: in the index of a transcript, in `layout().types` and in the viewer. It never
    /// changes.
    pub code: u8,
    /// Its `type`.
    pub word: Word,
    /// The name of its Rust struct and its TypeScript interface.
    pub type_name: &'static str,
    /// Its guard in `PartValidator`.
    pub guard: &'static str,
    /// Its constructor, if it has one. The type of its options is named after it.
    pub constructor: Option<&'static str>,
    /// Its fields after `type`; [`BASE`] has those before it.
    pub fields: &'static [FieldSpec],
}

impl PartSpec {
    /// The function that makes it, for error messages.
    #[must_use]
    pub const fn function(&self) -> &'static str {
        match self.constructor {
            Some(name) => name,
            None => self.type_name,
        }
    }
}

/// The fields of every part before its `type` (BR-01, BR-04).
pub const BASE: &[FieldSpec] = &[
    required(Key::Id, Text).from(Origin::IdOrNew).by_rule(),
    required(Key::SessionID, Text).by_rule(),
    required(Key::MessageID, Text).by_rule(),
];

/// Text, of a person or a model.
pub const TEXT: PartSpec = PartSpec {
    code: 0,
    word: Word::Text,
    type_name: "TextPart",
    guard: "isTextPart",
    constructor: Some("createTextPart"),
    fields: &[
        required(Key::Text, Text),
        optional(Key::Synthetic, Flag),
        optional(Key::Ignored, Flag),
        optional(Key::Time, Object(SPAN)),
        optional(Key::Metadata, Record),
    ],
};

/// Reasoning of a model before it answers.
pub const REASONING: PartSpec = PartSpec {
    code: 1,
    word: Word::Reasoning,
    type_name: "ReasoningPart",
    guard: "isReasoningPart",
    constructor: Some("createReasoningPart"),
    fields: &[
        required(Key::Text, Text),
        optional(Key::Metadata, Record),
        required(Key::Time, Object(SPAN)),
    ],
};

/// A tool call and its state.
pub const TOOL: PartSpec = PartSpec {
    code: 2,
    word: Word::Tool,
    type_name: "ToolPart",
    guard: "isToolPart",
    constructor: Some("createToolPart"),
    fields: &[
        required(Key::CallID, Text),
        required(Key::Tool, Text),
        required(Key::State, OneOf("ToolState")).by_rule(), // one of STATES
        optional(Key::Metadata, Record),
    ],
};

/// The start of a step: one call of the model.
pub const STEP_START: PartSpec = PartSpec {
    code: 3,
    word: Word::StepStart,
    type_name: "StepStartPart",
    guard: "isStepStartPart",
    constructor: Some("createStepStartPart"),
    fields: &[optional(Key::Snapshot, Text)],
};

/// The end of a step.
pub const STEP_FINISH: PartSpec = PartSpec {
    code: 4,
    word: Word::StepFinish,
    type_name: "StepFinishPart",
    guard: "isStepFinishPart",
    constructor: Some("createStepFinishPart"),
    fields: &[
        required(Key::Reason, Text),
        optional(Key::Snapshot, Text),
        required(Key::Cost, Number),
        required(Key::Tokens, Named(&TOKENS)),
    ],
};

/// A file, by URL.
pub const FILE: PartSpec = PartSpec {
    code: 5,
    word: Word::File,
    type_name: "FilePart",
    guard: "isFilePart",
    constructor: Some("createFilePart"),
    fields: &[
        required(Key::Mime, Text),
        optional(Key::Filename, Text),
        required(Key::Url, Text),
        optional(Key::Source, OneOf("FilePartSource")).by_rule(), // one of SOURCES
    ],
};

/// A task handed to another agent.
pub const SUBTASK: PartSpec = PartSpec {
    code: 6,
    word: Word::Subtask,
    type_name: "SubtaskPart",
    guard: "isSubtaskPart",
    constructor: Some("createSubtaskPart"),
    fields: &[
        required(Key::Prompt, Text),
        required(Key::Description, Text),
        required(Key::Agent, Text),
        optional(Key::Model, Object(MODEL)),
        optional(Key::Command, Text),
    ],
};

/// An agent that was named in a prompt.
pub const AGENT: PartSpec = PartSpec {
    code: 7,
    word: Word::Agent,
    type_name: "AgentPart",
    guard: "isAgentPart",
    constructor: Some("createAgentPart"),
    fields: &[required(Key::Name, Text), optional(Key::Source, Object(SOURCE_TEXT))],
};

/// A place at which the history was compacted.
pub const COMPACTION: PartSpec = PartSpec {
    code: 8,
    word: Word::Compaction,
    type_name: "CompactionPart",
    guard: "isCompactionPart",
    constructor: Some("createCompactionPart"),
    fields: &[
        required(Key::Auto, Flag),
        optional(Key::Overflow, Flag),
        optional(Key::TailStart, Text),
    ],
};

/// A request that failed and was sent again.
pub const RETRY: PartSpec = PartSpec {
    code: 9,
    word: Word::Retry,
    type_name: "RetryPart",
    guard: "isRetryPart",
    constructor: Some("createRetryPart"),
    fields: &[
        required(Key::Attempt, Number),
        required(Key::Error, OneOf("APIError")).by_rule(), // API_ERROR or NAMED_ERROR
        required(Key::Time, Object(CREATED)).from(Origin::CreatedOrNow),
    ],
};

/// The state of the work tree.
pub const SNAPSHOT: PartSpec = PartSpec {
    code: 10,
    word: Word::Snapshot,
    type_name: "SnapshotPart",
    guard: "isSnapshotPart",
    constructor: None,
    fields: &[required(Key::Snapshot, Text)],
};

/// Changes to files.
pub const PATCH: PartSpec = PartSpec {
    code: 11,
    word: Word::Patch,
    type_name: "PatchPart",
    guard: "isPatchPart",
    constructor: None,
    fields: &[required(Key::Hash, Text), required(Key::Files, ListOf(&Text))],
};

/// Every part type; each is at the place of its code.
pub const PARTS: &[&PartSpec] = &[
    &TEXT,
    &REASONING,
    &TOOL,
    &STEP_START,
    &STEP_FINISH,
    &FILE,
    &SUBTASK,
    &AGENT,
    &COMPACTION,
    &RETRY,
    &SNAPSHOT,
    &PATCH,
];

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
