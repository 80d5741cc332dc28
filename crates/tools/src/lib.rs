#![doc = include_str!("../README.md")]

pub mod content_hash;
pub mod edit;
pub mod glob;
pub mod html;
pub mod lines;
pub mod names;
pub mod schema;
pub mod truncate;

pub use apex_parts_diff as diff;
