//! A reader: turns the records of one provider into what the assembler takes.

use apex_parts_model::Violation;
use apex_parts_model::delta::ReaderOutput;
use serde_json::Value;

/// The default limit for the nesting of a record.
const DEPTH: usize = 512;

/// Where a reader emits what it has read.
pub type Sink<'o> = dyn FnMut(ReaderOutput<'_>) + 'o;

/// Reads one provider's stream, which is framed into records already.
///
/// A recording may hold several responses one after another: each gets its
/// [`Start`](apex_parts_model::delta::Payload::Start) and its end, unless it was cut: a `Start` that follows
/// no end begins the next message as well. The receiver has to notice that a message has ended.
pub trait Reader {
    /// Takes one record: the SSE event's name (empty if there is none) and its data.
    ///
    /// # Errors
    /// The record is not JSON or lacks fields that its kind requires. Nothing is emitted or changed
    /// then.
    fn record(&mut self, event: &str, data: &[u8], out: &mut Sink<'_>) -> Result<(), Violation> {
        self.record_within(event, data, DEPTH, out)
    }

    /// [`Reader::record`] with a limit for the nesting of objects and arrays.
    ///
    /// # Errors
    /// As there, or the record is nested deeper.
    fn record_within(
        &mut self,
        event: &str,
        data: &[u8],
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Violation>;

    /// Reads a line that is one record in its most frequent spelling, and the type of its event; false leaves
    /// it to [`Reader::record_within`], and nothing is emitted or changed then.
    fn line(&mut self, _event: &str, _line: &[u8], _depth: usize, _out: &mut Sink<'_>) -> bool {
        false
    }

    /// The number of bytes that it holds of what it has not emitted yet.
    fn held(&self) -> u64;

    /// Drops what it holds: it is too much.
    fn drop_held(&mut self);

    /// The transport has ended: emits what is pending, but no end that the stream did not have.
    fn end(&mut self, out: &mut Sink<'_>);

    /// The state as JSON.
    fn snapshot(&self) -> Value;

    /// Takes the state of a snapshot; reading continues with the record that follows it.
    ///
    /// # Errors
    /// It is not a snapshot of this reader, which stays unchanged.
    fn restore(&mut self, state: Value) -> Result<(), Violation>;
}
