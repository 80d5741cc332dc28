//! Unpacks deflated bytes, but no more than allowed: memory grows with what is really unpacked, whatever the
//! archive says that it will be.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// Why unpacking failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InflateError {
    /// The packed bytes end too early.
    Cut,
    /// They are not deflated bytes.
    Broken,
    /// There would be more unpacked bytes than allowed.
    TooLong,
    /// There is no memory for more.
    NoMemory,
}

/// What was unpacked, and how it ended.
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    pub(super) end: Result<(), InflateError>,
}

/// The least memory that is taken at once.
const LEAST: usize = 4 << 10;

/// Unpacks at most `limit` bytes.
pub(super) fn inflate(packed: &[u8], limit: usize) -> Inflated {
    let mut state = Box::<DecompressorOxide>::default();
    let (mut from, mut done) = (0, 0);
    let mut bytes = Vec::new();
    let end = loop {
        if done == bytes.len() {
            // One byte more than allowed shows that there are too many.
            let most = limit.saturating_add(1);
            let wanted = (2 * bytes.len()).max(2 * packed.len()).max(LEAST).min(most);
            if bytes.len() >= wanted {
                break Err(InflateError::TooLong);
            }
            if bytes.try_reserve_exact(wanted - bytes.len()).is_err() {
                break Err(InflateError::NoMemory);
            }
            bytes.resize(wanted, 0);
        }
        let rest = packed.get(from..).unwrap_or_default();
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, read, written) = decompress(&mut state, rest, &mut bytes, done, flags);
        from += read;
        done += written;
        match next(status, read + written > 0 || done == bytes.len()) {
            InflateStep::More => {}
            InflateStep::End => {
                break if done > limit { Err(InflateError::TooLong) } else { Ok(()) };
            }
            InflateStep::Failed(error) => break Err(error),
        }
    };
    bytes.truncate(done.min(limit));
    Inflated { bytes, end }
}

/// How far deflated bytes go whose end is not known.
pub(super) struct Measured {
    pub(super) packed: usize,
    pub(super) unpacked: usize,
    pub(super) end: Result<(), InflateError>,
}

/// Measures deflated bytes and keeps none of them; stops after `limit` bytes.
pub(super) fn measure(packed: &[u8], limit: usize) -> Measured {
    // Deflated bytes refer back to at most this many.
    const WINDOW: usize = 32 << 10;
    let mut state = Box::<DecompressorOxide>::default();
    let mut window = vec![0; WINDOW];
    let (mut from, mut done) = (0, 0);
    let end = loop {
        let rest = packed.get(from..).unwrap_or_default();
        let (status, read, written) = decompress(&mut state, rest, &mut window, done % WINDOW, 0);
        from += read;
        done += written;
        if done > limit {
            break Err(InflateError::TooLong);
        }
        match next(status, read + written > 0) {
            InflateStep::More => {}
            InflateStep::End => break Ok(()),
            InflateStep::Failed(error) => break Err(error),
        }
    };
    Measured { packed: from, unpacked: done, end }
}

enum InflateStep {
    More,
    End,
    Failed(InflateError),
}

/// What follows after a call of the library; `moves` says that another one can go on.
fn next(status: TINFLStatus, moves: bool) -> InflateStep {
    match status {
        TINFLStatus::Done => InflateStep::End,
        TINFLStatus::HasMoreOutput if moves => InflateStep::More,
        TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
            InflateStep::Failed(InflateError::Cut)
        }
        _ => InflateStep::Failed(InflateError::Broken),
    }
}
