//! The table of the model: every object that has a type of its own, with its fields.
//!
//! Each object is stated once, in `types/`, by the macro `object!`: its struct for Rust users, its row in this table, and
//! the documentation of both. The rest reads the rows:
//!
//! - the validator checks the fields (`validate/schema.rs`);
//! - the constructors take their options from them (`model/factory.rs`);
//! - the transcript index and the viewer number part types by [`PartSpec::code`];
//! - the TypeScript types of the model and of the options of constructors are written from them while the package is
//!   compiled (`wasm/model_types.rs`, `wasm/option_types.rs`), and the guards and constructors that JavaScript sees are
//!   compared with them by the compiler (`wasm/api/validator.rs`, `wasm/api/parts.rs`).
//!
//! The order of the fields counts: problems are reported in it, and constructors set the fields in
//! it.

pub(crate) mod field;
pub(crate) mod object;
pub(crate) mod rows;
#[cfg(test)]
mod tests;

pub use crate::types::base::{BASE, TOKENS};
pub use crate::types::error::{API_ERROR, ERROR_NAMES, NAMED_ERROR};
pub use crate::types::file::{FILE, SOURCE_DOCS, SOURCES};
pub use crate::types::message::{
    ASSISTANT, MESSAGE_BASE, MESSAGE_BASE_DOCS, MESSAGE_DOCS, MESSAGES, USER,
};
pub use crate::types::part::{
    AGENT, COMPACTION, PART_DOCS, PART_TYPES, PARTS, PATCH, REASONING, RETRY, SNAPSHOT,
    STEP_FINISH, STEP_START, SUBTASK, TEXT, TOOL, part,
};

pub use crate::types::tool_state::{
    COMPLETED, COMPLETED_TIME, ERROR, PENDING, RUNNING, STATE_DOCS, STATES, state,
};
pub use field::{CheckedBy, FieldKind, FieldSpec, Need, ObjectSpec, Origin};
pub use object::{ModelObject, ObjectDocs};
pub use rows::{MessageSpec, PartSpec, SourceSpec, StateSpec};
