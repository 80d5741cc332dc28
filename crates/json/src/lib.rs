#![doc = include_str!("../README.md")]

pub mod block;
pub mod canonical;
pub mod cursor;
mod error;
mod field_cache;
mod fields;
pub mod float;
mod literal;
mod number;
mod open_containers;
pub mod partial;
pub mod record;
pub mod saved;
pub mod scan;
pub mod slots;
pub mod span;
pub mod string;
pub mod stringified;
pub mod tape;
pub mod text;
mod tree;
pub mod utf16;
pub mod utf8;
pub mod white_space;
pub mod writer;

pub use error::{JsonError, JsonErrorKind};
