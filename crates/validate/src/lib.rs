#![doc = include_str!("../README.md")]

pub(crate) mod part;
mod rules;
mod schema;
mod validator;

pub use rules::Ids;
pub use rules::negative_counts;
pub use validator::message_at;
pub use validator::{message, part, transcript};
