//! Comparisons of bytes, eight at a time: WebAssembly has no `memcmp`, and the function that the
//! compiler puts in its place goes byte by byte.

/// Whether both are the same bytes.
#[must_use]
#[inline(always)]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ((Some(a_last), Some(b_last)), (a_eights, b_eights)) =
        ((a.last_chunk::<8>(), b.last_chunk::<8>()), (a.as_chunks::<8>().0, b.as_chunks::<8>().0))
    else {
        return same_few(a, b);
    };
    let word = |eight: &[u8; 8]| u64::from_le_bytes(*eight);
    word(a_last) == word(b_last) && a_eights.iter().zip(b_eights).all(|(a, b)| word(a) == word(b))
}

/// The same for less than eight bytes of each, as many as of the other. Most names of fields are so short.
#[inline(always)]
fn same_few(a: &[u8], b: &[u8]) -> bool {
    let ends = |bytes: &[u8]| Some((*bytes.first_chunk::<4>()?, *bytes.last_chunk::<4>()?));
    match (ends(a), ends(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

/// Whether the first sorts before the second. Their common prefix, which is long for ids, is
/// skipped eight bytes at a time.
#[must_use]
pub fn is_less(a: &[u8], b: &[u8]) -> bool {
    let eights = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let common = 8 * eights.take_while(|(a, b)| a == b).count();
    a.get(common..) < b.get(common..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_compare_as_slices_do() {
        for length in 0..40 {
            let one: Vec<u8> = (0..length).collect();
            for at in 0..=one.len() {
                let mut other = one.clone();
                other.get_mut(at).into_iter().for_each(|byte| *byte ^= 0x80);
                let longer = [one.as_slice(), b"x"].concat();
                for (a, b) in [(&one, &other), (&other, &one), (&one, &longer), (&longer, &other)] {
                    assert_eq!(same(a, b), a == b, "{a:?} {b:?}");
                    assert_eq!(is_less(a, b), a < b, "{a:?} {b:?}");
                }
            }
        }
    }
}
