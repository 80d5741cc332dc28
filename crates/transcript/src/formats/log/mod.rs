//! The sessions of a file while it is read: what all formats write into whose messages are in pieces.

pub(crate) mod log_call;
pub(crate) mod log_message;
pub(crate) mod log_part;
pub(crate) mod log_rules;
pub(crate) mod log_session;
pub(crate) mod session_log;
mod stretches;
mod writing;
