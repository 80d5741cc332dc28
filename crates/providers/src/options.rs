//! [`ReadOptions`]: what messages get that are read.

/// What messages get that are read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions<'a> {
    /// Their session, with whose id theirs begin.
    pub session_id: &'a str,
    /// When they were written, in milliseconds since the Unix epoch.
    pub now_ms: f64,
}
