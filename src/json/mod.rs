//! All reading and writing of JSON. At the bottom are blocks of sixteen bytes, strings, numbers and
//! literals, each read in one place; above them the walker of objects and arrays (`cursor`), values
//! looked up in a record's text (`record`), trees, a tape over a whole document ([`tape`]), the
//! completion of JSON that is cut ([`partial`]), canonical JSON and the writer. Every reader fails
//! with the same [`JsonError`]. Only trees are built by recursion, and only results are allocated.

pub(crate) mod block;
mod bytes;
pub(crate) mod canonical;
pub(crate) mod cursor;
mod error;
mod field_cache;
mod fields;
pub(crate) mod float;
mod literal;
mod number;
mod open_containers;
pub mod partial;
pub(crate) mod record;
pub(crate) mod saved;
pub mod scan;
pub(crate) mod slots;
pub(crate) mod span;
pub(crate) mod string;
pub mod tape;
pub(crate) mod text;
mod tree;
pub mod utf16;
pub(crate) mod utf8;
pub(crate) mod white_space;
pub(crate) mod writer;

pub use error::{JsonError, JsonErrorKind};
