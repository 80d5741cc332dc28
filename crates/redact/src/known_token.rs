//! Tokens that are known by how they begin.

use super::haystack::{Haystack, Spans};
use super::secret_kind::KnownToken;
use super::strength::{is_random, is_stand_in};

/// Reads the token that may begin here.
pub(super) fn token(text: Haystack<'_>, at: usize, known: &KnownToken, spans: &mut Spans) -> usize {
    if !text.has(at, known.prefix.as_bytes()) {
        return at + 1;
    }
    let start = at + known.prefix.len();
    let mut run = text.run(start, known.most + 1, known.body);
    if run - start > known.most {
        // What is longer is data, unless a sequence of the terminal ends the token: another token within it is not
        // looked for, which would take long.
        let Some(cut) = text.last_cut(start + known.least..=start + known.most) else { return run };
        run = cut;
    }
    // A sentence's end, or a line of dashes, is not the token's.
    let end = text.run_back(run, 4, |byte| matches!(byte, b'.' | b'-')).max(start);
    let body = text.slice(start..end);
    if body.len() < known.least || !text.ends_word(end) {
        return at + 1;
    }
    if is_stand_in(body) || (known.is_random && !is_random(body)) || text.is_in_data(at) {
        return run;
    }
    spans.push(at..end);
    end
}
