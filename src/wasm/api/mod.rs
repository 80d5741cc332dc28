//! The API for JavaScript, one file a section.

pub mod assembler;
pub mod convert;
pub mod loops;
pub mod parts;
pub mod recorder;
mod search;
pub mod tool_states;
pub mod transcript;
pub mod validator;
