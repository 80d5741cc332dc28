//! The model as Rust structs, for Rust users and for the generated `.d.ts`. The rules do not run
//! over these but over [`View`](crate::View), which reads JSON values, tapes and JavaScript
//! objects alike. Each is stated with its row of the table (`spec/object.rs`).

pub mod base;
pub mod error;
pub mod file;
pub mod message;
pub mod part;
pub mod tool_state;
