//! apex-bridge's own events.

mod calls;
mod format;

pub(crate) use format::ApexBridge;
