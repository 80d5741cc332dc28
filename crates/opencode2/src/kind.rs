//! [`RecordKind`]: the kinds of records.

use crate::lists::joined;

/// The kinds of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// What a person wrote, with files, agents and skills.
    User,
    /// An answer of a model.
    Assistant,
    /// A compaction of the history.
    Compaction,
    /// A command that a person ran.
    Shell,
    /// A text that the program wrote.
    Synthetic,
    /// Instructions.
    System,
    /// A skill that was loaded.
    Skill,
    /// A switch of agent, model or folder, or the end of a run: no turn of its own.
    Mark,
    /// A kind that is not known.
    Unknown,
}

/// The types of records that are no turn.
pub(crate) const MARKS: [&str; 4] =
    ["agent-switched", "model-switched", "location-switched", "idle"];

impl RecordKind {
    /// The kind of a record of this type.
    #[must_use]
    pub fn parse(name: &str) -> RecordKind {
        match name {
            "user" => RecordKind::User,
            "assistant" => RecordKind::Assistant,
            "compaction" => RecordKind::Compaction,
            "shell" => RecordKind::Shell,
            "synthetic" => RecordKind::Synthetic,
            "system" => RecordKind::System,
            "skill" => RecordKind::Skill,
            name if MARKS.contains(&name) => RecordKind::Mark,
            _ => RecordKind::Unknown,
        }
    }

    /// How many messages a record becomes.
    #[must_use]
    pub fn messages(self) -> usize {
        match self {
            RecordKind::Mark => 0,
            RecordKind::Compaction | RecordKind::Shell => 2,
            _ => 1,
        }
    }
}

/// The type of a custom part for something of this type. The types that parts have are not given to others.
pub(crate) fn custom_type(name: &str) -> String {
    const PARTS: [&str; 12] = [
        "text",
        "reasoning",
        "file",
        "tool",
        "step-start",
        "step-finish",
        "snapshot",
        "patch",
        "agent",
        "retry",
        "compaction",
        "subtask",
    ];
    let is_taken = PARTS.contains(&name) || MARKS.contains(&name) || name == "skill";
    if is_taken { joined(&["opencode2-", name]) } else { name.to_owned() }
}
