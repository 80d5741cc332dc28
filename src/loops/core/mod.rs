//! What every kind of loop is built on: calls that repeat exactly, and calls of one turn.

pub(crate) mod exact_cycles;
pub(crate) mod parallel_rounds;
