//! Fingerprints: 128-bit hashes that are the same on every machine and in every version, because snapshots
//! contain them. They are MurmurHash3 (x64, 128 bits): collisions by intent are possible but gain an
//! attacker nothing.

/// A fingerprint.
pub type Fingerprint = u128;

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

const fn fmix64(mut k: u64) -> u64 {
    k ^= k >> 33;
    k = k.wrapping_mul(0xff51_afd7_ed55_8ccd);
    k ^= k >> 33;
    k = k.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ (k >> 33)
}

const fn mix_k1(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

const fn mix_k2(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn block(bytes: &[u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(*bytes);
    #[allow(clippy::cast_possible_truncation)] // the two halves
    (both as u64, (both >> 64) as u64)
}

/// Up to eight bytes as a little-endian number. (Copying them into an array of eight would cost more than
/// all other steps of a short hash.)
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    let number = |four: &[u8; 4]| u64::from(u32::from_le_bytes(*four));
    match (bytes.first_chunk(), bytes.last_chunk()) {
        // The two may overlap; the bytes are the same there.
        (Some(first), Some(last)) => number(first) | number(last) << (8 * (bytes.len() - 4)),
        _ => bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)),
    }
}

/// The fingerprint of bytes; different seeds give different fingerprints.
pub fn of(bytes: &[u8], seed: u64) -> Fingerprint {
    let (mut h1, mut h2) = (seed, seed);
    let (blocks, tail) = bytes.as_chunks::<16>();
    for bytes in blocks {
        let (k1, k2) = block(bytes);
        h1 = (h1 ^ mix_k1(k1)).rotate_left(27).wrapping_add(h2);
        h1 = h1.wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 = (h2 ^ mix_k2(k2)).rotate_left(31).wrapping_add(h1);
        h2 = h2.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (first, second) = tail.split_at_checked(8).unwrap_or((tail, &[]));
    h1 ^= mix_k1(word(first));
    h2 ^= mix_k2(word(second));
    finalize(h1, h2, bytes.len() as u64)
}

/// The same as [`of`] for up to eight bytes, given as a little-endian number.
#[inline]
pub fn of_word(word: u64, length: u64, seed: u64) -> Fingerprint {
    finalize(seed ^ mix_k1(word), seed, length)
}

#[inline(always)]
fn finalize(mut h1: u64, mut h2: u64, length: u64) -> Fingerprint {
    h1 ^= length;
    h2 ^= length;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = fmix64(h1);
    h2 = fmix64(h2);
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    u128::from(h1) | (u128::from(h2) << 64)
}

/// Combines two fingerprints in order, in few steps: for values that occur by the thousand.
#[inline(always)]
pub fn mix(a: Fingerprint, b: Fingerprint) -> Fingerprint {
    let ((a1, a2), (b1, b2)) = (block(&a.to_le_bytes()), block(&b.to_le_bytes()));
    let mut h1 = (a1 ^ mix_k1(b1)).rotate_left(27).wrapping_add(a2);
    h1 = h1.wrapping_mul(5).wrapping_add(0x52dc_e729);
    let mut h2 = (a2 ^ mix_k2(b2)).rotate_left(31).wrapping_add(h1);
    h2 = h2.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    h1 = fmix64(h1.wrapping_add(h2));
    h2 = fmix64(h2.wrapping_add(h1));
    u128::from(h1) | (u128::from(h2) << 64)
}

/// Combines two fingerprints in order.
pub fn join(a: Fingerprint, b: Fingerprint) -> Fingerprint {
    let mut bytes = [0; 32];
    let (first, second) = bytes.split_at_mut(16);
    first.copy_from_slice(&a.to_le_bytes());
    second.copy_from_slice(&b.to_le_bytes());
    of(&bytes, 2)
}

/// A fingerprint of bytes that arrive one by one. It differs from that of [`of`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunningFingerprint {
    /// The first half of the hash.
    pub h1: u64,
    /// The second half of the hash.
    pub h2: u64,
    /// The last bytes that are not hashed yet, fewer than eight.
    pub word: u64,
    /// The number of bytes.
    pub length: u64,
}

impl RunningFingerprint {
    /// Adds a byte.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.word = self.word << 8 | u64::from(byte);
        self.length += 1;
        if self.length.is_multiple_of(8) {
            self.mix_word();
        }
    }

    /// Pushes the low `count` bytes of a number, at most eight, the highest first.
    #[inline]
    pub fn push_word(&mut self, bytes: u64, count: u32) {
        #[allow(clippy::cast_possible_truncation)] // below 8
        let held = (self.length % 8) as u32;
        self.length += u64::from(count);
        let Some(excess) = (held + count).checked_sub(8) else {
            self.word = self.word << (8 * count) | bytes;
            return;
        };
        // Two shifts, because shifting by all 64 bits is an error.
        self.word = self.word << (8 * (7 - held)) << 8 | bytes >> (8 * excess);
        self.mix_word();
        self.word = bytes & !(u64::MAX << (8 * excess));
    }

    #[inline]
    fn mix_word(&mut self) {
        self.h1 = (self.h1 ^ mix_k1(self.word)).rotate_left(27).wrapping_mul(5).wrapping_add(1);
        self.h2 = (self.h2 ^ mix_k2(self.word)).rotate_left(31).wrapping_add(self.h1);
        self.word = 0;
    }

    /// The fingerprint of the bytes so far.
    #[must_use]
    pub fn finish(mut self) -> Fingerprint {
        self.mix_word();
        let (h1, h2) = (fmix64(self.h1 ^ self.length), fmix64(self.h2));
        u128::from(h1) | (u128::from(h2) << 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_reference_implementation() {
        // Hashes of the reference implementation, seed 0.
        assert_eq!(of(b"", 0), 0);
        let text = b"The quick brown fox jumps over the lazy dog";
        assert_eq!(of(text, 0), 0x7a43_3ca9_c49a_9347_e34b_bc7b_bc07_1b6c);
        assert_eq!(of(b"hello", 0), 0x5b1e_906a_48ae_1d19_cbd8_a7b3_41bd_9b02);
        let text: Vec<u8> = (1..=16).collect();
        for length in 0..=8 {
            let mut eight = [0; 8];
            eight[..length].copy_from_slice(&text[..length]);
            assert_eq!(word(&text[..length]), u64::from_le_bytes(eight));
            let short = of_word(u64::from_le_bytes(eight), length as u64, 4);
            assert_eq!(short, of(&text[..length], 4));
        }
    }

    #[test]
    fn pushing_words_equals_pushing_their_bytes() {
        let text: Vec<u8> = (0..60).collect();
        for ahead in 0..8 {
            let (first, rest) = text.split_at(ahead);
            let (mut bytes, mut words) =
                (RunningFingerprint::default(), RunningFingerprint::default());
            first.iter().for_each(|b| words.push(*b));
            text.iter().for_each(|b| bytes.push(*b));
            let mut rest = rest;
            for count in [8, 7, 8, 1, 3, 8, 7].into_iter().cycle() {
                let (now, later) = rest.split_at(count.min(rest.len()));
                let word = now.iter().fold(0, |word, b| word << 8 | u64::from(*b));
                words.push_word(word, u32::try_from(now.len()).unwrap());
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
            assert_eq!(words, bytes);
        }
    }

    #[test]
    fn reading_a_running_fingerprint_does_not_change_it() {
        let mut one = RunningFingerprint::default();
        b"abc".iter().for_each(|b| one.push(*b));
        let mut two = RunningFingerprint::default();
        b"ab".iter().for_each(|b| two.push(*b));
        assert_ne!(one.finish(), two.finish());
        two.push(b'c');
        assert_eq!(one.finish(), two.finish());
    }
}
