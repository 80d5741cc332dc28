//! ZIP archives: their directory or, where that is lost, their local headers; entries that are stored or
//! deflated. An archive may lie about anything: what it says is checked, and what it may unpack to is bounded.

pub(crate) mod archive;
mod bytes;
mod checksum;
mod directory;
mod entry;
mod inflate;
mod local_headers;
pub(crate) mod zip_problems;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod zip_writer;
