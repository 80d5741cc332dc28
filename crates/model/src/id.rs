//! Ids: UUIDs (BR-04) of version 7, which sort by the time at which they were created.

/// Is this a UUID in its hyphenated form, of any version and either case (BR-04)?
///
/// ```
/// use apex_parts_model::is_uuid;
/// assert!(is_uuid("0198C3F0-8d5e-7cc1-b5d1-0a2b3c4d5e6f"));
/// assert!(!is_uuid("msg_1731"));
/// ```
#[must_use]
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

/// How far a clock may step back and still count as the same clock, in milliseconds. Ids stay in
/// order across a small step (time synchronisation); after a larger one the clock counts as a new
/// one (as in tests).
const ROLLBACK_MS: u64 = 10_000;

/// The number of random bytes that an id takes at most: four for its end, six for the start of the
/// counter.
pub const RANDOM_BYTES: usize = 10;

/// Creates UUIDs of version 7 (RFC 9562) from a time and random bytes that are handed in.
///
/// Ids of the same millisecond sort in the order in which they were created: the 42 bits after the
/// time are a counter that starts at a random number in each millisecond.
///
/// ```
/// use apex_parts_model::IdSource;
/// let mut ids = IdSource::default();
/// let mut random = |bytes: &mut [u8]| bytes.fill(7); // a real one, please
/// let a = ids.next(1_700_000_000_000.0, &mut random);
/// let b = ids.next(1_700_000_000_000.0, &mut random);
/// assert!(a < b);
/// assert_eq!(a.len(), 36);
/// ```
#[derive(Debug, Default)]
pub struct IdSource {
    last_ms: u64,
    counter: u64,
}

impl IdSource {
    /// A source whose ids sort after the last one of another source.
    ///
    /// ```
    /// use apex_parts_model::IdSource;
    /// let mut ids = IdSource::default();
    /// let a = ids.next(1_700_000_000_000.0, &mut |bytes| bytes.fill(7));
    /// let (time, count) = ids.last();
    /// let b = IdSource::after(time, count).next(1_700_000_000_000.0, &mut |bytes| bytes.fill(0));
    /// assert!(a < b);
    /// ```
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a number that is not one of `last` is cut
    pub fn after(time_ms: f64, count: f64) -> IdSource {
        IdSource { last_ms: time_ms as u64, counter: count as u64 }
    }

    /// The time of the last id in milliseconds since the Unix epoch, and its counter: two zeros if there is none.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // 48 and 42 bits
    pub fn last(&self) -> (f64, f64) {
        (self.last_ms as f64, self.counter as f64)
    }

    /// The next id. `now_ms` is the time in milliseconds since the Unix epoch; `random` fills a
    /// slice with random bytes.
    pub fn next(&mut self, now_ms: f64, random: &mut dyn FnMut(&mut [u8])) -> String {
        const COUNTER_BITS: u32 = 42;
        // A time before 1970 or after the year 10889 has no UUID: the nearest one is taken.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let now = (now_ms.clamp(0.0, ((1u64 << 48) - 1) as f64)) as u64;
        let mut bytes = [0u8; RANDOM_BYTES];
        let same_clock = now <= self.last_ms && self.last_ms - now < ROLLBACK_MS;
        if same_clock && self.counter + 1 < (1 << COUNTER_BITS) {
            random(&mut bytes[..4]);
            self.counter += 1;
        } else {
            random(&mut bytes);
            // A full counter borrows the next millisecond.
            self.last_ms = if same_clock { self.last_ms + 1 } else { now };
            // The top bit starts at zero: two million million ids before the counter is full.
            let [_, _, _, _, c0, c1, c2, c3, c4, c5] = bytes;
            let start = u64::from_le_bytes([c0, c1, c2, c3, c4, c5, 0, 0]);
            self.counter = start & ((1 << (COUNTER_BITS - 1)) - 1);
        }
        let [r0, r1, r2, r3, ..] = bytes;
        let low = u32::from_le_bytes([r0, r1, r2, r3]);
        let high = self.counter >> 30;
        let rest = ((self.counter & ((1 << 30) - 1)) << 32) | u64::from(low);
        let id = uuid::Builder::from_u128(
            (u128::from(self.last_ms) << 80) | (u128::from(high) << 64) | u128::from(rest),
        )
        .with_version(uuid::Version::SortRand)
        .with_variant(uuid::Variant::RFC4122)
        .into_uuid();
        let mut buffer = uuid::Uuid::encode_buffer();
        id.hyphenated().encode_lower(&mut buffer).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random() -> impl FnMut(&mut [u8]) {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        move |bytes: &mut [u8]| {
            for b in bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *b = (state >> 56) as u8;
            }
        }
    }

    #[test]
    fn sorted_and_unique_within_a_millisecond() {
        let mut ids = IdSource::default();
        let mut random = random();
        let created: Vec<String> = (0..10_000)
            .map(|i| ids.next(1_700_000_000_000.0 + f64::from(i / 4000), &mut random))
            .collect();
        assert!(created.windows(2).all(|w| w[0] < w[1]));
        for id in &created {
            let uuid = uuid::Uuid::try_parse(id).unwrap();
            assert_eq!(uuid.get_version_num(), 7);
            assert_eq!(uuid.get_variant(), uuid::Variant::RFC4122);
        }
    }

    #[test]
    fn the_time_is_in_front() {
        let mut ids = IdSource::default();
        let id = ids.next(1_700_000_000_123.0, &mut random());
        let hex: String = id.chars().filter(|c| *c != '-').take(12).collect();
        assert_eq!(u64::from_str_radix(&hex, 16).unwrap(), 1_700_000_000_123);
    }

    /// Every random bit is used in one place only.
    #[test]
    fn counter_and_end_use_different_bits() {
        let mut ids = IdSource::default();
        let mut random = random();
        let created = (1..200)
            .map(|i| ids.next(f64::from(i) * 1e5, &mut random).replace('-', "").into_bytes());
        let same = created.filter(|id| id[18..24] == id[24..30] || id[18..24] == id[26..32]);
        assert_eq!(same.count(), 0);
    }

    #[test]
    fn a_small_step_back_keeps_the_order_and_a_large_one_is_a_new_clock() {
        let mut ids = IdSource::default();
        let mut random = random();
        let a = ids.next(1_700_000_000_000.0, &mut random);
        let b = ids.next(1_699_999_999_000.0, &mut random);
        assert!(a < b);
        let c = ids.next(1_000.0, &mut random);
        assert!(c < a);
        assert!(c.starts_with("00000000-03e8-7"));
    }

    #[test]
    fn a_full_counter_goes_on() {
        let mut ids = IdSource { last_ms: 5, counter: (1 << 42) - 2 };
        let mut random = random();
        let a = ids.next(5.0, &mut random);
        let b = ids.next(5.0, &mut random);
        assert!(a < b);
    }

    #[test]
    fn odd_times_do_no_harm() {
        let mut ids = IdSource::default();
        for t in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 1e300] {
            assert!(is_uuid(&ids.next(t, &mut random())));
        }
    }

    #[test]
    fn only_the_hyphenated_form_counts() {
        for good in ["00000000-0000-0000-0000-000000000000", "FFFFFFFF-ffff-4fff-bfff-ffffffffffff"]
        {
            assert!(is_uuid(good));
        }
        for bad in [
            "",
            "0198c3f08d5e7cc1b5d10a2b3c4d5e6f",
            "{0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f}",
            "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6g",
            "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f ",
            "ses_e00300699ffeNYoFV0qM3JNGJN",
        ] {
            assert!(!is_uuid(bad), "{bad}");
        }
    }
}
