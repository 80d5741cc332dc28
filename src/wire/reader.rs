//! A reader: what one provider sends, record by record, into what the assembler takes.

use crate::model::Violation;
use crate::model::delta::ReaderOutput;
use serde_json::Value;

/// Records nest at most so deep where nothing else is set.
const DEPTH: usize = 512;

/// Where a reader says what it has read.
pub type Sink<'o> = dyn FnMut(ReaderOutput<'_>) + 'o;

/// One provider's stream, framed into records already.
///
/// A recording may hold several responses one after another: each gets its
/// [`Start`](Payload::Start) and its end, unless it was cut: a `Start` behind no end begins the next
/// message too. It is the listener who minds that a message has ended.
pub trait Reader {
    /// Takes one record: the SSE event's name (empty where there is none) and its data.
    ///
    /// # Errors
    /// The record is no JSON or lacks what its kind must have. Nothing was said, nothing changed.
    fn record(&mut self, event: &str, data: &[u8], out: &mut Sink<'_>) -> Result<(), Violation> {
        self.record_within(event, data, DEPTH, out)
    }

    /// [`Reader::record`], whose objects and arrays nest at most so deep.
    ///
    /// # Errors
    /// As there, or it is nested deeper.
    fn record_within(
        &mut self,
        event: &str,
        data: &[u8],
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Violation>;

    /// The bytes that it holds of what it has not said yet.
    fn held(&self) -> u64;

    /// What it holds is too much: lets it go.
    fn drop_held(&mut self);

    /// The transport has ended: says what is still owed, but no end that the stream did not have.
    fn end(&mut self, out: &mut Sink<'_>);

    /// The state as JSON.
    fn snapshot(&self) -> Value;

    /// Takes the state of a snapshot; reading goes on with the record that follows it.
    ///
    /// # Errors
    /// It is no snapshot of this reader, which stays as it was.
    fn restore(&mut self, state: Value) -> Result<(), Violation>;
}
