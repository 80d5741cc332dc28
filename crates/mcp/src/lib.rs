#![doc = include_str!("../README.md")]

pub mod content;
pub mod definition;
pub mod fingerprint;
pub mod name;
pub mod uri;

pub(crate) mod schema_target;
pub(crate) mod schema_tree;
mod seen_schema;
