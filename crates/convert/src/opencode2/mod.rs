//! Sessions as `opencode import` of OpenCode 2 takes them: `{info, messages: [record]}`. `docs/opencode.md` says what comes
//! through.

mod conversion;
mod error;
mod import_problems;
mod import_shape;
mod message;
mod metadata;
mod pairs;
mod parts;
mod record;
mod session;
mod tool;

pub use conversion::OpenCode2Conversion;
pub use import_problems::import_problems;
pub use import_shape::{info_problems, record_problems};

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
