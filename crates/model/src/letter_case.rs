//! Small letters of capital ones, for comparing texts whatever their case.
//!
//! Of the alphabets that most text is in: Latin, Greek, Cyrillic, Armenian. Letters of others are left as
//! they are. (The standard library knows all of Unicode by tables, which are a thirtieth of the small
//! module.)

/// The small letter of a capital one; any other character as it is.
pub fn lowercase(c: char) -> char {
    let code = u32::from(c);
    // Where capitals and small letters alternate, the difference is 1: the capital is even, or odd.
    let (even, odd) = (code + 1 - code % 2, code + code % 2);
    let lower = match code {
        0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE | 0x391..=0x3A1 | 0x3A3..=0x3AB | 0x410..=0x42F => {
            code + 32
        }
        // İ is `i` with a dot above, two characters; ĸ and ŉ have no capitals.
        0x100..=0x12F | 0x132..=0x137 | 0x14A..=0x177 => even,
        0x139..=0x148 | 0x179..=0x17E => odd,
        0x178 => 0xFF,
        0x386 => 0x3AC,
        0x388..=0x38A => code + 37,
        0x38C => 0x3CC,
        0x38E..=0x38F => code + 63,
        0x400..=0x40F => code + 80,
        0x4C0 => 0x4CF,
        0x460..=0x481 | 0x48A..=0x4BF | 0x4D0..=0x52F => even,
        0x4C1..=0x4CE => odd,
        0x531..=0x556 => code + 48,
        // ẞ and the letters around it are single ones.
        0x1E00..=0x1E95 | 0x1EA0..=0x1EFF => even,
        0xFF21..=0xFF3A => code + 32,
        _ => code,
    };
    char::from_u32(lower).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::lowercase;

    #[test]
    fn letters_of_these_alphabets_are_as_the_standard_library_has_them() {
        let blocks =
            [0..0x180, 0x380..0x3CF, 0x400..0x530, 0x531..0x590, 0x1E00..0x1F00, 0xFF00..0xFFFF];
        for c in blocks.into_iter().flatten().filter_map(char::from_u32) {
            let mut std = c.to_lowercase();
            if std.len() == 1 && c != 'ẞ' && c != 'Ϗ' {
                assert_eq!(Some(lowercase(c)), std.next(), "{c} U+{:04X}", u32::from(c));
            }
        }
    }

    #[test]
    fn what_has_no_capital_stays() {
        for c in "aß7-あ漢Ⴀ😀\u{10FFFF}".chars() {
            assert_eq!(lowercase(c), c);
        }
    }
}
