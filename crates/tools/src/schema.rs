//! JSON Schema: what is wrong with a tool's arguments, and what can be repaired.
//!
//! A schema is compiled once ([`JsonSchema::compile`]) and then checks values ([`JsonSchema::check`]). Of
//! JSON Schema 2020-12 this knows what tools use: `type`, `enum`, `const`, `properties`, `required`,
//! `additionalProperties`, `items`, `prefixItems`, the limits of numbers, lengths and counts, `pattern`,
//! `anyOf`, `oneOf`, `allOf`, `not` and local `$ref`. Keywords that it does not know are ignored and listed.

mod check;
mod compile;
mod exact;
mod issue;
mod literal;
mod node;
mod words;

pub use check::MatchPattern;
pub use compile::JsonSchema;
pub use issue::{RepairKind, SchemaIssue, ValueStep};

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
