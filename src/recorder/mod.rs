//! The recorder: what an engine calls while it runs, and what it gets back as parts and events
//! (seed 001). It holds no model and no network, and nothing here throws away what was taken.
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

mod event;
mod recorder;

pub use event::{Event, EventKind};
pub use recorder::{CallContext, Recorder, Retained, StepUsage};

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
