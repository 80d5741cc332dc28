//! Base64: its digits, and the bytes of a short string.

/// The value of white space in [`sextet`]; from here on, it is no value of a digit.
pub const SPACE: u8 = 64;
/// The value of anything else that is not a digit.
pub const END: u8 = 65;

const SEXTETS: [u8; 256] = {
    let mut table = [END; 256];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation, clippy::indexing_slicing)] // below 256
        {
            let digit = byte as u8;
            table[byte] = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                // As it is written in URLs as well.
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                b' ' | b'\t' | b'\n' | b'\r' | 0xc => SPACE,
                _ => END,
            };
        }
        byte += 1;
    }
    table
};

/// The value of a digit, below 64; [`SPACE`] or [`END`] for anything else.
#[inline]
pub fn sextet(byte: u8) -> u8 {
    SEXTETS.get(usize::from(byte)).copied().unwrap_or(END)
}

/// Is it a digit?
#[inline]
pub fn is_digit(byte: u8) -> bool {
    sextet(byte) < SPACE
}

/// The bytes of the digits with which a string begins. Bits that are no whole byte are left out.
pub fn decode(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for digit in text.iter().map(|byte| sextet(*byte)).take_while(|digit| *digit < SPACE) {
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.extend(u8::try_from(bits >> count & 0xff));
        }
    }
    bytes
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    #[test]
    fn digits_become_bytes_up_to_what_is_none() {
        assert_eq!(decode(b"Ym9iOnB3"), b"bob:pw");
        assert_eq!(decode(b"Ym9iOnA="), b"bob:p");
        assert_eq!(decode(b"Ym9iO!nA"), b"bob");
        assert_eq!(decode(b"_-8"), [0xff, 0xef]);
        assert_eq!(decode(b""), b"");
        assert!(is_digit(b'-') && !is_digit(b'=') && !is_digit(b' '));
    }
}
