//! Exact repetition: of single calls, and of the parallel calls of a turn.

pub(crate) mod exact_cycles;
pub(crate) mod parallel_rounds;
