#![doc = include_str!("../README.md")]

pub(crate) mod part;
mod rules;
mod schema;
mod validator;

pub use rules::{Ids, negative_counts};
pub use validator::{message, message_at, part, transcript};
