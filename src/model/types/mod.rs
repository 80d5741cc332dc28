//! The model as Rust structs, for Rust users and for the generated `.d.ts`. The rules do not run over
//! these but over [`View`](crate::model::View), which reads JSON values, tapes and JavaScript objects
//! alike.

pub mod message;
pub mod part;
pub mod source;
pub mod tool_state;
