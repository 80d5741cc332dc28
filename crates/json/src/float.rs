//! The `f64` nearest to a decimal number.
//!
//! Must equal `str::parse::<f64>`, proven by the tests below. The standard library's own has a table of
//! powers of five, 10 KB that no compressor makes smaller; this one computes what it needs.

/// Significant digits beyond these change nothing but whether a number is above a tie (the longest tie
/// between two `f64` has 767).
const MAX_DIGITS: usize = 770;
/// The largest power of five in 32 bits, and its exponent.
const FIVES: (u32, u32) = (1_220_703_125, 13);

/// A number, as digits and a power of ten.
#[derive(Default)]
struct Decimal {
    /// The significant digits, at most [`MAX_DIGITS`], as limbs of 32 bits; the least significant first.
    limbs: Vec<u32>,
    digits: usize,
    exponent: i64,
    /// Digits other than 0 were left out.
    inexact: bool,
}

/// The nearest `f64` of a number as JSON writes it, ties to even; infinite if it is too large, and `None`
/// if the text is not such a number.
///
/// Time is proportional to the length of the text: the arithmetic on long numbers, which is quadratic in
/// their digits, takes at most `MAX_DIGITS` of them.
pub fn parse(text: &str) -> Option<f64> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let magnitude = magnitude(rest.as_bytes())?;
    Some(if negative { -magnitude } else { magnitude })
}

fn magnitude(text: &[u8]) -> Option<f64> {
    let end = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
    let (significand, exponent) = text.split_at(end);
    let exponent = exponent.get(1..).map_or(Some(0), parse_exponent)?;
    // Up to 19 digits without a vector: almost every number ends here.
    let (mut value, mut digits, mut fraction, mut point) = (0u64, 0, 0, false);
    for byte in significand {
        match byte {
            b'0'..=b'9' => {
                value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                digits += usize::from(digits > 0 || *byte != b'0');
                fraction += i64::from(point);
            }
            b'.' if !point => point = true,
            _ => return None,
        }
    }
    if significand.len() == usize::from(point) {
        return None;
    }
    let exponent = exponent - fraction;
    // Both are exact as `f64`, so that their product or quotient is rounded once.
    if digits <= 19 && value <= 1 << f64::MANTISSA_DIGITS && (-19..=19).contains(&exponent) {
        let power = 10u64.pow(exponent.unsigned_abs() as u32) as f64;
        return Some(if exponent < 0 { value as f64 / power } else { value as f64 * power });
    }
    Some(Decimal::read(significand, exponent).nearest())
}

/// The number after `e`; huge ones are as good as any other that is out of range.
fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut exponent = 0i64;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        exponent = (exponent * 10 + i64::from(byte - b'0')).min(1 << 40);
    }
    Some(if negative { -exponent } else { exponent })
}

impl Decimal {
    /// `exponent` is that of the last digit.
    fn read(significand: &[u8], exponent: i64) -> Decimal {
        let mut decimal = Decimal { exponent, ..Decimal::default() };
        let digits = significand.iter().filter(|byte| **byte != b'.').map(|byte| byte - b'0');
        for digit in digits.skip_while(|digit| *digit == 0) {
            if decimal.digits < MAX_DIGITS {
                decimal.digits += 1;
                decimal.multiply(10, digit.into());
            } else {
                decimal.exponent += 1;
                decimal.inexact |= digit != 0;
            }
        }
        decimal
    }

    fn multiply(&mut self, by: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for limb in &mut self.limbs {
            carry += u64::from(*limb) * u64::from(by);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.limbs.push(carry as u32);
        }
    }

    /// Rounds down, and remembers that it did: dividing twice is dividing by the product.
    fn divide(&mut self, by: u32) {
        let mut rest = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            rest = rest << 32 | u64::from(*limb);
            *limb = (rest / u64::from(by)) as u32;
            rest %= u64::from(by);
        }
        self.inexact |= rest > 0;
    }

    fn nearest(mut self) -> f64 {
        let magnitude = self.digits as i64 + self.exponent;
        if self.digits == 0 || magnitude < -330 {
            return 0.0;
        }
        if magnitude > 330 {
            return f64::INFINITY;
        }
        let mut exponent = self.exponent;
        let mut fives = exponent.unsigned_abs();
        if exponent < 0 {
            // 5^13 has less than 31 bits: the quotient has 66 or more.
            let room = fives / u64::from(FIVES.1) + 4;
            self.limbs.splice(0..0, (0..room).map(|_| 0));
            exponent -= 32 * room as i64;
        }
        while fives > 0 {
            let step = fives.min(FIVES.1.into()) as u32;
            let power = if step == FIVES.1 { FIVES.0 } else { 5u32.pow(step) };
            if self.exponent < 0 {
                self.divide(power)
            } else {
                self.multiply(power, 0)
            }
            fives -= u64::from(step);
        }
        self.rounded(exponent)
    }

    /// The limbs times two to the `exponent`.
    fn rounded(mut self, mut exponent: i64) -> f64 {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        // The four highest limbs have at least 97 bits.
        let rest = self.limbs.len().saturating_sub(4);
        exponent += 32 * rest as i64;
        let (low, high) = self.limbs.split_at(rest);
        let inexact = self.inexact || low.iter().any(|limb| *limb > 0);
        let bits = high.iter().rev().fold(0u128, |bits, limb| bits << 32 | u128::from(*limb));
        let length = 128 - i64::from(bits.leading_zeros());
        // The bits that an `f64` has no place for; less than none if there is place for more.
        let excess = (length - i64::from(f64::MANTISSA_DIGITS)).max(LOWEST - exponent);
        let mut kept = match excess {
            128.. => 0,
            0.. => (bits >> excess) as u64,
            _ => (bits as u64) << -excess,
        };
        if (1..=128).contains(&excess) {
            let half = 1u128 << (excess - 1);
            let rest = bits & (half | (half - 1));
            kept += u64::from(rest > half || rest == half && (inexact || kept & 1 == 1));
        }
        // The highest bit of what is kept counts as one more in the exponent.
        let exponent = excess + exponent - LOWEST;
        if exponent >= 0x7fe {
            return f64::INFINITY;
        }
        f64::from_bits(((exponent as u64) << 52) + kept)
    }
}

/// The exponent of the lowest bit that an `f64` can have.
const LOWEST: i64 = -1074;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str) {
        let (ours, std) = (parse(text).unwrap(), text.parse::<f64>().unwrap());
        assert_eq!(ours.to_bits(), std.to_bits(), "{text}: {ours:e} {std:e}");
    }

    #[test]
    fn edges_are_as_the_standard_library_reads_them() {
        for text in [
            "0",
            "0.0",
            "1",
            "0e999",
            "1e-999",
            "1e999",
            "1e308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "179769313486231580793e289",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.5e-324",
            "9007199254740993",
            "9007199254740992",
            "9007199254740991",
            "9007199254740993.0",
            "9007199254740993.00000000000000000000000000001",
            "18446744073709551615",
            "18446744073709551616",
            "0.00011250000000000001",
            "1e22",
            "1e23",
            "8.5e-17",
            "1e-19",
            "1e19",
            "1E+2",
            "123456789012345678901234567890",
            "0.000000000000000000000000000000000000000000000000000001",
            "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
        ] {
            check(text);
            check(&format!("-{text}"));
        }
    }

    #[test]
    fn ties_of_any_length_are_even() {
        // Half of the lowest number is 2^-1075, which is 5^1075 after so many places.
        let mut digits = vec![1u8];
        for _ in 0..1075 {
            let mut carry = 0;
            for digit in &mut digits {
                carry += *digit * 5;
                (*digit, carry) = (carry % 10, carry / 10);
            }
            digits.extend((carry > 0).then_some(carry));
        }
        let half: String = digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect();
        let half = format!("0.{half:0>1075}");
        check(&half);
        check(&format!("{half}{}1", "0".repeat(5000)));
        check(&format!("{half}{}", "0".repeat(5000)));
    }

    #[test]
    fn what_json_does_not_write_is_not_a_number() {
        for text in ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "1x", "NaN", "inf", "--1", "1e5.0"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn every_number_comes_back(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            if number.is_finite() {
                check(&format!("{number:e}"));
                check(&format!("{number}"));
                check(&format!("{number:.30e}"));
            }
        }

        #[test]
        fn digits_and_exponents_are_as_the_standard_library_reads_them(
            text in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?",
        ) {
            check(&text);
        }

        #[test]
        fn what_lies_between_two_numbers_is_as_the_standard_library_reads_it(
            mantissa in (1u64 << 52)..(1 << 53), shift in 1u32..60, below in any::<bool>(),
        ) {
            let tie = u128::from(mantissa * 2 + 1) << shift;
            check(&(tie - u128::from(below)).to_string());
            check(&(tie + 1).to_string());
            check(&format!("{tie}.{}1", "0".repeat(40)));
        }

        #[test]
        fn many_digits_are_read(text in "[1-9][0-9]{700,900}", at in 0usize..700, e in -1200i32..300) {
            let (whole, fraction) = text.split_at(at + 1);
            check(&format!("{whole}.{fraction}e{e}"));
        }
    }
}
