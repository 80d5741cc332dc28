//! JSON Web Tokens.

use super::byte_class::is_base64_url;
use super::haystack::{Haystack, Spans};

/// The most bytes of one of its pieces.
const LONGEST: usize = 1 << 15;
/// The fewest of the first and of the second: `{"alg":"none"}`, `{"sub":1}`.
const LEAST: usize = 12;

/// Reads the token at `eyJ`: a header, a payload and perhaps a signature; or five pieces, if it is encrypted.
pub(super) fn web_token(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    // In the middle of a run of its letters it has been looked at already.
    let is_within = text.before(at) == Some(b'-') || !text.begins_word(at);
    if !text.has(at, b"eyJ") || is_within || text.is_in_data(at) {
        return at + 1;
    }
    let mut ends = [at; 5];
    let mut from = at;
    let mut pieces = 0;
    for end in &mut ends {
        *end = text.run(from, LONGEST, is_base64_url);
        pieces += 1;
        from = *end + 1;
        if text.at(*end) != Some(b'.') {
            break;
        }
    }
    let [header, payload, signature, _, tag] = ends;
    let is_long = header - at >= LEAST;
    let is_signed = pieces >= 2 && payload > header + LEAST && text.has(header + 1, b"ey");
    if is_long && is_signed {
        let end = if pieces >= 3 { signature } else { payload };
        spans.push(at..end);
        return end;
    }
    if is_long && pieces == 5 && tag > signature + LEAST {
        spans.push(at..tag);
        return tag;
    }
    header.max(at + 1)
}
