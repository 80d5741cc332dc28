#![doc = include_str!("../README.md")]

mod assembler;
mod backlog;
pub mod change;
mod contract;
mod delta_json;
mod delta_time;
mod ending;
mod log;
mod message;
mod meta;
mod options;
mod part;
mod part_state;
mod place;
mod provider_state;
mod read_deltas;
mod run_check;
mod settings;
mod snapshot;
mod state;
mod stream;
mod streamed_file;
mod take_deltas;
mod to_parts;

pub use apex_parts_json::text::Text;
pub use apex_parts_model::Violation;
pub use change::{Change, TextField};
pub use message::{Arguments, Message, MessagePart};
pub use options::StreamOptions;
pub use read_deltas::read_deltas;
pub use run_check::check_run;
pub use settings::{MessageStatus, OnDuplicate, OnProblem, Settings};
pub use state::Assembler;
pub use stream::Stream;
pub use to_parts::MessageContext;
