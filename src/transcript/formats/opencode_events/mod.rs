//! opencode-events: what an OpenCode server sends on `/event`, replayed.

mod delta_run;
mod event;
mod growing_part;
mod reader;
mod state;

pub(crate) use reader::OpenCodeEvents;
