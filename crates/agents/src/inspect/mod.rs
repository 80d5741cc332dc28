//! inspect: the logs of Inspect evaluations, as one JSON object (`.json`) or as an archive with a file for each
//! sample (`.eval`). Each sample is a session.

mod attachments;
mod content;
mod events;
mod header;
mod reader;
mod sample;
mod usage;

pub use reader::InspectReader as Inspect;
