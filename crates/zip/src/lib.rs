#![doc = include_str!("../README.md")]

mod archive;
mod bytes;
mod directory;
mod entry;
mod inflate;
mod local_headers;
pub mod writer;
mod zip_problems;

pub use archive::{ZipArchive, ZipBounds};
pub use zip_problems::ZipProblems;
