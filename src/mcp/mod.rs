//! What servers of the Model Context Protocol send, made fit for models: names, URIs, definitions of tools,
//! results. No client and no clock.

pub mod content;
pub mod definition;
pub mod name;
pub mod uri;

pub(crate) mod fingerprint;
pub(crate) mod schema_target;
pub(crate) mod schema_tree;
mod seen_schema;
