//! Random choices, such as where an input is cut. They depend only on the input, so its bytes alone
//! reproduce a crash.

/// A small generator of random numbers (xorshift), seeded with the input.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(data: &[u8]) -> Dice {
        // FNV-1a. A seed of zero would generate only zeros.
        let hash = data.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Dice(hash | 1)
    }

    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    /// Up to seven cuts in ascending order, sometimes two at the same place.
    pub(super) fn cuts(&mut self, length: usize) -> Vec<usize> {
        let mut cuts: Vec<usize> = (0..self.roll(8)).map(|_| self.roll(length + 1)).collect();
        cuts.sort_unstable();
        cuts
    }
}

/// The bytes between the cuts.
pub(super) fn pieces<'d>(data: &'d [u8], cuts: &[usize]) -> Vec<&'d [u8]> {
    let mut rest = data;
    let mut at = 0;
    let mut found = Vec::new();
    for cut in cuts {
        let (now, later) = rest.split_at(cut - at);
        found.push(now);
        (rest, at) = (later, *cut);
    }
    found.push(rest);
    found
}
