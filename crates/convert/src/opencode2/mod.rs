//! Sessions as OpenCode 2 imports them: `{info, messages}`, where each message is a record.

mod import_shape;

pub use import_shape::{info_problems, record_problems};
