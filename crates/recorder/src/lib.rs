#![doc = include_str!("../README.md")]

mod call_context;
mod call_history;
mod event;
mod recorded_part;
mod recorder;
mod retained;
mod step_usage;

pub use call_context::CallContext;
pub use event::{Event, EventKind};
pub use recorder::Recorder;
pub use retained::Retained;
pub use step_usage::StepUsage;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
