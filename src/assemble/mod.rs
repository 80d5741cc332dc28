//! Deltas into messages: [`Assembler`] applies the stream contract to deltas, [`Stream`] reads bytes
//! of any format into one, [`Change`] says what a screen redraws. Snapshots, a log of the deltas and
//! the parts of the message model are written from the same state.
//!
//! ```
//! use apex_parts::assemble::{StreamOptions, Stream};
//! let mut stream = Stream::new(StreamOptions::default());
//! stream.push_bytes(br#"{"runId":"r","seq":1,"kind":"start","payload":{"modelId":"m","reque"#, 0.0)?;
//! stream.push_bytes(br#"stId":"q"},"timestamp":"2025-02-17T08:30:00Z"}
//! {"runId":"r","seq":2,"kind":"text","payload":{"textDelta":"Hi"},"timestamp":"2025-02-17T08:30:01Z"}
//! {"runId":"r","seq":3,"kind":"done","payload":{"finishReason":"stop"},"timestamp":"2025-02-17T08:30:02Z"}
//! "#, 0.0)?;
//! let message = stream.message().unwrap();
//! assert_eq!(message.parts().next().unwrap().to_json(), r#"{"kind":"text","payload":{"text":"Hi"}}"#);
//! # Ok::<(), apex_parts::assemble::Violation>(())
//! ```

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
mod read_deltas;
mod run_check;
mod settings;
mod snapshot;
mod state;
mod stream;
mod take_deltas;
mod to_parts;

pub use crate::json::text::Text;
pub use crate::model::Violation;
pub use change::{Change, TextField};
pub use message::{Arguments, Message, MessagePart};
pub use options::StreamOptions;
pub use read_deltas::read_deltas;
pub use run_check::check_run;
pub use settings::{MessageStatus, OnDuplicate, OnProblem, Settings};
pub use state::Assembler;
pub use stream::Stream;
pub use to_parts::MessageContext;
