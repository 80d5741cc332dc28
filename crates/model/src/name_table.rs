//! Finds a name among the few hundred of the model in a hash table that is built at compile time.
//! JSON readers look up every key of every object in it.

/// More than twice the number of names of a kind, so that most are found in their first slot.
const SLOTS: usize = 1 << 9;

/// A name in a table.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    gram: Gram,
    length: u8,
    /// One more than the number of the name; 0 if the slot is empty.
    code: u8,
}
pub(super) type HashTable = [Slot; SLOTS];

/// A name as two words: a name of at most sixteen bytes in full, padded with zeros; of a longer one
/// the first eight bytes and the last eight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Gram(u64, u64);

pub(super) const WIDTH: usize = 16;

impl Gram {
    #[inline(always)]
    pub(super) const fn new(name: &[u8]) -> Gram {
        if let (Some(first), Some(last)) = (name.first_chunk::<8>(), name.last_chunk::<8>()) {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            return match name.len() {
                8 => Gram(first, 0),
                9..=15 => Gram(first, last >> (8 * (WIDTH - name.len()))),
                _ => Gram(first, last),
            };
        }
        if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
            let last = (u32::from_le_bytes(*last) as u64) << (8 * (name.len() - 4));
            return Gram(u32::from_le_bytes(*first) as u64 | last, 0);
        }
        let word = match name {
            [a, b, c, ..] => *a as u64 | (*b as u64) << 8 | (*c as u64) << 16,
            [a, b] => *a as u64 | (*b as u64) << 8,
            [a] => *a as u64,
            [] => 0,
        };
        Gram(word, 0)
    }

    /// The words of a name of at most sixteen bytes at the start of the block, without a branch that
    /// depends on its length.
    #[inline]
    pub(super) fn in_block(block: &[u8; WIDTH], length: usize) -> Option<Gram> {
        let Gram(first, last) = MASKS.get(length)?;
        let (halves, _) = block.as_chunks::<8>();
        let half = |i: usize| halves.get(i).map_or(0, |half| u64::from_le_bytes(*half));
        Some(Gram(half(0) & first, half(1) & last))
    }
}

/// Masks for the bytes of a name, by its length.
static MASKS: [Gram; WIDTH + 1] = masks();

#[allow(clippy::indexing_slicing)] // when it is compiled
const fn masks() -> [Gram; WIDTH + 1] {
    let mut masks = [Gram(0, 0); WIDTH + 1];
    let ones = [u8::MAX; WIDTH];
    let mut length = 0;
    while length <= WIDTH {
        masks[length] = Gram::new(ones.split_at(length).0);
        length += 1;
    }
    masks
}

#[inline]
const fn slot_of(Gram(first, last): Gram, length: usize) -> usize {
    let mixed = (first ^ last.rotate_left(31) ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    #[allow(clippy::cast_possible_truncation)] // nine bits
    let slot = (mixed >> 55) as usize;
    slot
}

#[inline(always)]
pub(super) fn find(table: &HashTable, gram: Gram, length: usize) -> u8 {
    let mut slot = slot_of(gram, length);
    loop {
        let Some(found) = table.get(slot % SLOTS).filter(|found| found.code > 0) else { return 0 };
        if found.gram == gram && usize::from(found.length) == length {
            return found.code;
        }
        slot += 1;
    }
}

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // when it is compiled
pub(super) const fn table(names: &[&str]) -> HashTable {
    assert!(names.len() < SLOTS / 2 && names.len() < u8::MAX as usize);
    let mut table = [Slot { gram: Gram(0, 0), length: 0, code: 0 }; SLOTS];
    let mut n = 0;
    while n < names.len() {
        let name = names[n].as_bytes();
        assert!(name.len() < u8::MAX as usize);
        let gram = Gram::new(name);
        let mut slot = slot_of(gram, name.len());
        while table[slot % SLOTS].code > 0 {
            slot += 1;
        }
        let (length, code) = (name.len() as u8, n as u8 + 1);
        table[slot % SLOTS] = Slot { gram, length, code };
        n += 1;
    }
    table
}
