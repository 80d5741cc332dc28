//! swe-agent: trajectories of SWE-agent. The format is described in [`reader`].

mod content;
mod reader;
mod steps;

pub use reader::SweAgent;
