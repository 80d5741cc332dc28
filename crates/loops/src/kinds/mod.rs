//! The kinds of loop that are not an exact repetition of calls.

pub(crate) mod chanting;
mod line_filter;
pub(crate) mod repeated_text;
pub(crate) mod rereads;
pub(crate) mod results;
