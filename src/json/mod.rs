//! All reading and writing of JSON. Blocks of sixteen bytes, strings and numbers at the bottom;
//! above them values that are looked up where they stand (`record`), a tape over a whole document
//! ([`tape`]), the completion of JSON that is cut ([`partial`]), and the writer. Nothing here
//! recurses, and nothing allocates but what it returns.

mod block;
mod error;
mod field_cache;
pub(crate) mod float;
pub mod partial;
pub(crate) mod record;
pub(crate) mod saved;
pub mod scan;
pub mod tape;
pub(crate) mod text;
pub(crate) mod utf8;
pub(crate) mod writer;

pub use error::{JsonError, JsonErrorKind};
