//! The table of the model: every object that has a type of its own, with its fields.
//!
//! One row describes one type: parts in `parts.rs`, tool states in `states.rs`, messages in
//! `messages.rs`, file sources in `sources.rs`, what they share in `shared.rs`. The rest of the
//! crate reads the rows:
//!
//! - the validator checks the fields (`validate/schema.rs`);
//! - the constructors take their options from them (`model/factory.rs`);
//! - the transcript index and the viewer number part types by [`PartSpec::code`];
//! - the TypeScript option types are written from them while the crate is compiled
//!   (`wasm/option_types.rs`), and the guards and constructors that JavaScript sees are compared with
//!   them by the compiler (`wasm/api/validator.rs`, `wasm/api/parts.rs`);
//! - the Rust structs in `model/types/` and the types of the `.d.ts` are written by hand, because
//!   that reads better than a macro; `spec/tests.rs` fails if one of them differs from its row.
//!
//! The order of the fields counts: problems are reported in it, and constructors set the fields in
//! it.

mod field;
mod messages;
mod parts;
mod shared;
mod sources;
mod states;
#[cfg(test)]
mod tests;

pub use field::{CheckedBy, FieldKind, FieldSpec, Need, ObjectSpec, Origin};
pub use messages::{ASSISTANT, MESSAGE_BASE, MESSAGES, MessageSpec, USER};
pub use parts::{
    AGENT, BASE, COMPACTION, FILE, PART_TYPES, PARTS, PATCH, PartSpec, REASONING, RETRY, SNAPSHOT,
    STEP_FINISH, STEP_START, SUBTASK, TEXT, TOOL, part,
};
pub use shared::{
    API_ERROR, CACHE, CREATED, ERROR_NAMES, MODEL, NAMED_ERROR, POSITION, RANGE, SOURCE_TEXT, SPAN,
    SUMMARY, TOKENS, WORK_PATH,
};
pub use sources::{SOURCES, SourceSpec};
pub use states::{COMPLETED, COMPLETED_TIME, ERROR, PENDING, RUNNING, STATES, StateSpec, state};
