//! [`RecordedAnswer`]: the answer that a record has beside its request.

/// A whole answer of an API, a message, or a text, and what is said of it.
#[derive(Clone, Debug, Default)]
pub struct RecordedAnswer {
    /// The format of its messages; `auto` if they tell it.
    pub format: &'static str,
    /// JSON, between the brackets of an array; empty if there is only an error.
    pub messages: String,
    /// The field of the record in which it stands.
    pub path: &'static str,
    /// The model that answered.
    pub model: Option<String>,
    /// The tokens, as the JSON of a message has them.
    pub tokens: Option<String>,
    /// What it cost.
    pub cost: Option<f64>,
    /// When the request was sent, in milliseconds since the Unix epoch.
    pub start: Option<f64>,
    /// When the answer was complete.
    pub end: Option<f64>,
    /// Why it ended, if not as it should.
    pub finish: Option<&'static str>,
    /// What the provider said instead of an answer.
    pub error: Option<String>,
}
