//! Inputs for the fuzz targets from fixed seeds. They have enough structure to get past the first byte that a
//! parser looks at.

pub(crate) mod files;
pub(crate) mod pieces;
pub(crate) mod records;
pub(crate) mod schemas;
pub(crate) mod tree;
pub(crate) mod values;

/// A random generator (xorshift) with a fixed seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True once in `n` times, on average.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub(crate) fn word<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A random sequence of pieces that are difficult for parsers, sometimes with changed bytes.
pub(crate) fn bytes(random: &mut Random, pieces: &[&str], most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..random.below(most) {
        out.extend_from_slice(random.word(pieces).as_bytes());
    }
    if random.one_in(4) {
        damage(random, &mut out, 0);
    }
    if random.one_in(4) && !out.is_empty() {
        out.truncate(random.below(out.len()));
    }
    out
}

/// Changes up to three bytes from `from` on.
pub(crate) fn damage(random: &mut Random, bytes: &mut [u8], from: usize) {
    for _ in 0..1 + random.below(3) {
        if bytes.len() > from {
            let at = from + random.below(bytes.len() - from);
            bytes[at] = random.next() as u8;
        }
    }
}
