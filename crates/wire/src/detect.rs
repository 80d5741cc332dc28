//! Detects the format of a stream from its first records.

use super::delta::DeltaReader;
use super::providers::sniff;
use super::wire_format::WireFormat;
use crate::framing::Framing;

/// The number of records without a sign of their format (pings, bare errors) after which detection
/// gives up.
const RECORDS: usize = 64;

/// The format of a recorded stream (SSE or NDJSON); `None` if its first records are of no known
/// format.
///
/// ```
/// use apex_parts_wire::detect;
/// let stream = b"data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}\n\n";
/// assert_eq!(detect(stream).map(|f| f.as_str()), Some("anthropic"));
/// assert_eq!(detect(b"{\"info\":{},\"messages\":[]}"), None);
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<WireFormat> {
    let (mut framing, mut at) = (Framing::default(), 0);
    let mut seen = 0;
    while let Some(frame) = framing.next(bytes, &mut at, usize::MAX) {
        if let Some(format) = of_record(frame.data) {
            return Some(format);
        }
        seen += 1;
        if seen == RECORDS {
            return None;
        }
    }
    while let Some(frame) = framing.finish(usize::MAX) {
        if let Some(format) = of_record(frame.data) {
            return Some(format);
        }
    }
    None
}

fn of_record(data: &[u8]) -> Option<WireFormat> {
    const DEPTH: usize = 512;
    let is_delta = match DeltaReader::default().read(data, DEPTH) {
        Ok(_) => true,
        // A malformed one counts as well.
        Err(refusal) => refusal.run_id.is_some() && refusal.seq.is_some(),
    };
    if is_delta { Some(WireFormat::Delta) } else { sniff(data).map(WireFormat::Provider) }
}
