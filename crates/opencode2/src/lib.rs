#![doc = include_str!("../README.md")]

mod assistant;
mod carried;
mod compaction;
mod content;
mod custom;
mod error;
mod in_force;
mod kept;
mod kind;
mod lists;
mod marks;
mod messages;
mod metadata;
mod records;
mod shell;
mod texts;
mod tool;
mod units;
mod user;
mod writer;

pub use assistant::{FINISHES, tokens_json};
pub use carried::is_carried;
pub use error::error_json;
pub use kept::{FIELDS, KEPT, WITHOUT};
pub use kind::RecordKind;
pub use lists::{joined, push_all};
pub use messages::messages_json;
pub use records::Records;
pub use units::{split, units};
