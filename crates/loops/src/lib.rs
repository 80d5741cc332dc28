#![doc = include_str!("../README.md")]

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
