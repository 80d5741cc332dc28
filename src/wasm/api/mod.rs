//! The API for JavaScript, one file for each section.

pub mod assembler;
mod assembler_fast_path;
mod assembler_options;
#[cfg(feature = "convert")]
pub mod convert;
pub mod loops;
pub mod model_messages;
pub mod parts;
pub mod recorder;
#[cfg(feature = "transcript")]
mod search;
pub mod tool_states;
#[cfg(feature = "tools")]
pub mod tools;
#[cfg(feature = "transcript")]
pub mod transcript;
pub mod validator;
