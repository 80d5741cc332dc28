//! The rules of tools, without their hosts: no files, no processes, no clock. One noun a file.

pub mod content_hash;
pub mod diff;
pub mod edit;
pub mod glob;
pub mod html;
pub mod lines;
pub mod names;
pub mod permission;
pub mod schema;
pub mod shell;
pub mod truncate;
pub mod wildcard;
