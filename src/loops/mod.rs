//! Detects agents that run in a loop, while it happens or in sessions that have ended.
//!
//! The simplest kind is identical calls one after another; docs/loops.md describes every kind. Pass each call to [`Detector::check`] before it runs, and its result to
//! [`Detector::record`]:
//!
//! ```
//! use apex_parts::loops::{Action, Call, Config, Detector, LoopKind};
//! let mut detector = Detector::new(Config::default());
//! let read = Call { tool: "read", parameters: r#"{"path":"a"}"#, ..Call::default() };
//! assert_eq!(detector.check(&read).action, Action::Continue);
//! assert_eq!(detector.check(&read).action, Action::Continue);
//! let verdict = detector.check(&read);
//! assert_eq!((verdict.kind, verdict.action), (Some(LoopKind::ExactRepeat), Action::Interrupt));
//! assert_eq!(verdict.pattern, r#"read({"path":"a"})"#);
//! ```

mod call;
mod canonical;
mod config;
mod core;
mod detector;
mod error_normalizer;
mod error_response;
mod escalation;
mod evidence;
mod found_loop;
mod kinds;
mod merged_loops;
mod reported_loops;
mod session;
mod snapshot;
mod streamed_text;
mod text_channel;
mod verdict;

pub use call::{Call, CallResult, Channel, RunEvent};
pub use config::Config;
pub use detector::Detector;
pub use error_response::{ErrorResponse, LastCall};
pub use found_loop::Loop;
pub use kinds::rereads::ReadRange;
pub use session::{Finder, find_loops};
pub use verdict::{Action, LoopKind, Verdict};

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
