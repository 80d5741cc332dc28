//! Sessions as `opencode import` takes them: `{info, messages}`. `docs/opencode.md` says what comes through.

pub(crate) mod check;
mod conversion;
mod error;
mod fit;
pub(crate) mod ids;
mod import_problems;
mod import_shape;
mod links;
mod lost;
mod message;
mod of_transcript;
mod part;
pub(crate) mod picked;
pub(crate) mod places;
pub(crate) mod session;
pub(crate) mod shape;
mod source;
pub(crate) mod survey;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

pub use conversion::{OpenCodeConversion, OpenCodeOptions};
pub use import_problems::import_problems;
pub use lost::LostFields;
pub use of_transcript::session_of;
pub use source::{MessageSource, SessionSource};
