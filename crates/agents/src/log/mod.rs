//! The sessions of a file while it is read: what all formats write into whose messages are in pieces.

pub(crate) mod glance;
mod loaded;
pub(crate) mod log_call;
pub(crate) mod log_message;
pub(crate) mod log_part;
pub(crate) mod log_rules;
pub(crate) mod log_session;
pub(crate) mod session_log;
mod shared_text;
mod stretches;
pub(crate) mod unwritten;
mod writing;

pub use glance::{GlanceScratch, MessageGlance, PartGlance, PartKind};
pub use log_call::{LogCall, LogResult, LogStatus};
pub use log_message::{LogMessage, LogRole};
pub use log_part::{LogFields, LogPart, NOTICE};
pub use log_rules::LogRules;
pub use session_log::SessionLog;
pub use shared_text::SharedText;
