//! The recorder: an engine reports reasoning, text, steps and tool calls while it runs, and gets
//! them back as parts of a message and as events. It calls no model and uses no network.
//! Calls in the wrong order are corrected and reported; they lose nothing that was recorded before.
//!
//! ```
//! use apex_parts::loops::Config;
//! use apex_parts::model::{Build, Owned};
//! use apex_parts::recorder::{CallContext, Recorder};
//! let mut ids = 0;
//! let mut now = CallContext::new(5.0, || { ids += 1; format!("id{ids}") });
//! let mut recorder: Recorder<Owned> = Recorder::new("s", "m", Config::default(), 5.0);
//! recorder.start_reasoning(&mut now);
//! let (delta, piece) = (Owned::string("Let me see."), "Let me see.".into());
//! recorder.append_reasoning((&delta, &piece), &mut now);
//! let part = recorder.finish_reasoning(&mut now).unwrap();
//! assert_eq!(part.into_json()["text"], "Let me see.");
//! assert_eq!(recorder.take_events().len(), 3);
//! ```

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
