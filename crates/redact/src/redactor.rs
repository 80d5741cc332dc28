//! One session of masking: its options, the numbers of what was masked, and the list of what was found.

use super::chosen_text::ChosenText;
use super::find::find_in;
use super::mask::{SecretNumbers, hint, mask};
use super::registry::{MASKED, SECRET_KINDS};
use super::secret_kind::{KindIndex, SecretKind};
use super::secret_name::ValueName;
use apex_parts_model::order;
use std::ops::Range;

/// A text whose masks make others be found is looked at this often; then it is masked as a whole.
const ROUNDS: usize = 8;

/// How secrets are masked.
#[derive(Clone, Debug)]
pub struct RedactOptions {
    /// Names of kinds that are found and listed, and not masked.
    pub keep: Vec<String>,
    /// The most places that are listed of each kind.
    pub places: usize,
}

impl Default for RedactOptions {
    fn default() -> Self {
        RedactOptions { keep: Vec::new(), places: 20 }
    }
}

/// Where a secret is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecretPlace {
    /// The id of the message that it is in, if it is in one.
    pub message: Option<String>,
    /// The id of the part.
    pub part: Option<String>,
    /// The JSON Pointer of the string in the value that was given.
    pub pointer: String,
    /// The line of the file, from 1, that the value or the text is in, if a file was searched that has one per line.
    pub line: Option<usize>,
    /// It is in what of a file no copy has.
    pub is_beside: bool,
    /// The secret's first characters and its length.
    pub shown: String,
    /// The number in its mask, by which equal secrets are told; `None` if there are too many.
    pub number: Option<usize>,
}

/// What was found of one kind.
#[derive(Clone, Debug)]
pub struct SecretCount<'r> {
    /// The kind.
    pub kind: &'static SecretKind,
    /// How often.
    pub count: u64,
    /// How many of them differ.
    pub distinct: usize,
    /// Is it masked?
    pub masked: bool,
    /// The first of them.
    pub places: &'r [SecretPlace],
}

/// What was found of a kind.
#[derive(Debug, Default)]
struct KindState {
    keep: bool,
    numbers: SecretNumbers,
    count: u64,
    places: Vec<SecretPlace>,
}

/// Masks secrets, and numbers what it masks: equal secrets have equal masks, in all that one `Redactor` is given.
///
/// ```
/// use apex_parts_redact::Redactor;
/// let mut redactor = Redactor::default();
/// let masked = redactor.redact_text("cd /home/alice/app && mail alice@corp.io, bob@corp.io, alice@corp.io");
/// assert_eq!(
///     masked.as_deref(),
///     Some(
///         "cd /home/[redacted user 1]/app && mail \
///          [redacted email 1], [redacted email 2], [redacted email 1]"
///     )
/// );
/// assert_eq!(redactor.redact_text("nothing here"), None);
/// ```
#[derive(Debug)]
pub struct Redactor {
    /// One for each of [`SECRET_KINDS`], and one for chosen texts.
    kinds: Vec<KindState>,
    most_places: usize,
    chosen: Vec<ChosenText>,
    /// How many of each kind were known when a search for others began.
    known: Option<Vec<usize>>,
}

impl Default for Redactor {
    fn default() -> Self {
        Redactor::new(&RedactOptions::default())
    }
}

impl Redactor {
    /// Begins a session. Names in `keep` that are of no kind are passed over.
    #[must_use]
    pub fn new(options: &RedactOptions) -> Redactor {
        let state = |kind: &SecretKind| KindState {
            keep: options.keep.iter().any(|name| name == kind.name),
            ..KindState::default()
        };
        let kinds = SECRET_KINDS.iter().map(state).chain([KindState::default()]).collect();
        Redactor { kinds, most_places: options.places, chosen: Vec::new(), known: None }
    }

    /// Masks these texts as well, as secrets of the kind `masked`, in every string that is a value.
    ///
    /// ```
    /// use apex_parts_redact::{ChosenText, Redactor};
    /// let mut redactor = Redactor::default().with_texts(vec![ChosenText::literal("Adler").unwrap()]);
    /// let masked = redactor.redact_text("Project Adler, adler");
    /// assert_eq!(masked.as_deref(), Some("Project [redacted masked 1], adler"));
    /// assert_eq!(redactor.unused_texts().count(), 0);
    /// ```
    #[must_use]
    pub fn with_texts(mut self, texts: Vec<ChosenText>) -> Redactor {
        self.chosen = texts;
        self
    }

    /// The indexes of the chosen texts that were nowhere so far.
    pub fn unused_texts(&self) -> impl Iterator<Item = usize> {
        self.chosen.iter().enumerate().filter(|(_, text)| !text.is_used()).map(|(index, _)| index)
    }

    /// The text with its secrets masked; `None` if it has none, or only such as are kept.
    pub fn redact_text(&mut self, text: &str) -> Option<String> {
        let masked = self.mask_bytes(text.as_bytes(), None, &mut SecretPlace::default)?;
        Some(String::from_utf8_lossy(&masked).into_owned())
    }

    /// What was found so far, kind by kind.
    pub fn findings(&self) -> impl Iterator<Item = SecretCount<'_>> {
        let kinds = SECRET_KINDS.iter().chain([&MASKED]);
        let states = kinds.zip(&self.kinds).filter(|(_, state)| state.count > 0);
        states.map(|(kind, state)| SecretCount {
            kind,
            count: state.count,
            distinct: state.numbers.len(),
            masked: !state.keep,
            places: &state.places,
        })
    }

    /// From here on only what was not found before is counted and listed; or all again.
    pub(super) fn find_only_new(&mut self, is_so: bool) {
        let count = |state: &KindState| state.numbers.len();
        self.known = is_so.then(|| self.kinds.iter().map(count).collect());
    }

    fn is_kept(&self, kind: KindIndex) -> bool {
        self.kinds.get(kind.0).is_some_and(|state| state.keep)
    }

    /// The bytes with their secrets masked; `None` if there is nothing to mask. `name` is that of the field whose
    /// value they are; `place` says where that is.
    pub(super) fn mask_bytes(
        &mut self,
        text: &[u8],
        name: Option<&ValueName<'_>>,
        place: &mut dyn FnMut() -> SecretPlace,
    ) -> Option<Vec<u8>> {
        let mut masked: Option<Vec<u8>> = None;
        // A mask may part what was one word, so that the rest is another: until nothing is found.
        for round in 0..=ROUNDS {
            let current = masked.as_deref().unwrap_or(text);
            let mut ranges = find_in(current, name);
            if round > 0 {
                ranges.retain(|(kind, _)| !self.is_kept(*kind));
            } else {
                self.add_chosen(current, &mut ranges);
            }
            if ranges.is_empty() {
                break;
            }
            if round == ROUNDS {
                let (kind, _) = ranges.first()?;
                let number = self.note(*kind, current, place);
                return Some(mask(*kind, number).into_bytes());
            }
            let next = self.masked(current, &ranges, place);
            masked = Some(next?);
        }
        masked
    }

    /// Adds the chosen texts to what was found. One that overlaps a secret that is masked goes with it.
    fn add_chosen(&mut self, text: &[u8], ranges: &mut Vec<(KindIndex, Range<usize>)>) {
        if self.chosen.is_empty() {
            return;
        }
        let chosen: Vec<Range<usize>> =
            self.chosen.iter_mut().flat_map(|one| one.find(text)).collect();
        if chosen.is_empty() {
            return;
        }
        let (kept, mut all): (Vec<_>, Vec<_>) =
            std::mem::take(ranges).into_iter().partition(|(kind, _)| self.is_kept(*kind));
        let masked = KindIndex(SECRET_KINDS.len());
        all.extend(chosen.into_iter().map(|range| (masked, range)));
        order::sort_by(&mut all, |a, b| (a.1.start, a.0).cmp(&(b.1.start, b.0)));
        for (kind, range) in all {
            match ranges.last_mut().filter(|(_, last)| last.end > range.start) {
                Some((last_kind, last)) => {
                    *last_kind = (*last_kind).min(kind);
                    last.end = last.end.max(range.end);
                }
                None => ranges.push((kind, range)),
            }
        }
        // What is kept is not listed where it overlaps a masked range.
        let is_apart = |range: &Range<usize>| {
            let next = ranges.partition_point(|(_, other)| other.end <= range.start);
            ranges.get(next).is_none_or(|(_, other)| other.start >= range.end)
        };
        let kept: Vec<_> = kept.into_iter().filter(|(_, range)| is_apart(range)).collect();
        ranges.extend(kept);
        order::sort_by(ranges, |a, b| a.1.start.cmp(&b.1.start));
    }

    /// Would anything be masked in these bytes?
    pub(super) fn masks_any(&mut self, text: &[u8], name: Option<&ValueName<'_>>) -> bool {
        let is_masked = find_in(text, name).iter().any(|(kind, _)| !self.is_kept(*kind));
        is_masked || self.chosen.iter_mut().any(|one| !one.find(text).is_empty())
    }

    /// The bytes with the chosen texts masked, and nothing else; `None` if it has none.
    pub(super) fn mask_chosen(
        &mut self,
        text: &[u8],
        place: &mut dyn FnMut() -> SecretPlace,
    ) -> Option<Vec<u8>> {
        let mut ranges = Vec::new();
        self.add_chosen(text, &mut ranges);
        self.masked(text, &ranges, place)
    }

    /// The bytes with what was found in them masked; `None` if all of that is kept.
    fn masked(
        &mut self,
        text: &[u8],
        found: &[(KindIndex, Range<usize>)],
        place: &mut dyn FnMut() -> SecretPlace,
    ) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut from = 0;
        for (kind, range) in found {
            let number = self.note(*kind, text.get(range.clone()).unwrap_or_default(), place);
            if self.is_kept(*kind) {
                continue;
            }
            out.extend_from_slice(text.get(from..range.start).unwrap_or_default());
            out.extend_from_slice(mask(*kind, number).as_bytes());
            from = range.end;
        }
        (from > 0).then(|| {
            out.extend_from_slice(text.get(from..).unwrap_or_default());
            out
        })
    }

    /// Counts a secret, and gives its number.
    fn note(
        &mut self,
        kind: KindIndex,
        secret: &[u8],
        place: &mut dyn FnMut() -> SecretPlace,
    ) -> Option<usize> {
        let most = self.most_places;
        let state = self.kinds.get_mut(kind.0)?;
        let number = state.numbers.number(secret);
        let known = self.known.as_ref().and_then(|known| known.get(kind.0));
        if known.zip(number).is_some_and(|(known, number)| number <= *known) {
            return number;
        }
        state.count += 1;
        if state.places.len() < most {
            state.places.push(SecretPlace { shown: hint(secret), number, ..place() });
        }
        number
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
