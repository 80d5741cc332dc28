//! opencode-events: the events that an OpenCode server sends on `/event`.

mod delta_run;
mod event;
mod growing_part;
mod reader;
mod state;

pub(crate) use reader::OpenCodeEvents;
