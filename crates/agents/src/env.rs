//! [`Env`]: the time and new ids.

/// What a transcript needs from its host: the time and new ids.
pub struct Env<'a> {
    /// The current time in milliseconds since the Unix epoch, for formats without timestamps.
    pub now_ms: f64,
    /// Returns a new id.
    pub new_id: &'a mut dyn FnMut() -> String,
}
