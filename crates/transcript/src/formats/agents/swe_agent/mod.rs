//! swe-agent: trajectories of SWE-agent. The format is described in [`reader`].

mod content;
mod reader;
mod steps;

pub(crate) use reader::SweAgent;

/// The `exit_status` of a run that handed its work in.
pub(crate) const SUBMITTED: &str = "submitted";
/// Where a session keeps it.
pub(crate) const EXIT_STATUS: &str = "exitStatus";
