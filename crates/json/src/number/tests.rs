use super::*;
use proptest::prelude::*;

#[test]
fn digits_are_skipped() {
    for length in 0..20 {
        for after in ["", ",", "e", "/        ", ":              ", ".12345678901"] {
            let text = format!("x{}{after}", "7".repeat(length));
            assert_eq!(skip_digits(text.as_bytes(), 1), length + 1, "{text}");
        }
    }
}

#[test]
fn numbers_that_end_early_are_cut() {
    for cut in ["-", "1.", "1e", "1e+", "-0.", ""] {
        let error = number(cut.as_bytes(), 0).unwrap_err();
        assert!(error.is_cut() && error.offset == cut.len(), "{cut}");
    }
    assert!(!number(b"-x", 0).unwrap_err().is_cut());
}

proptest! {
    #[test]
    fn numbers_agree_with_serde_json(text in "-?[0-9]{0,18}([.][0-9]{0,4})?([eE][+-]?[0-9]{0,3})?") {
        let ours = number(text.as_bytes(), 0).is_ok_and(|end| end == text.len());
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                prop_assert!(ours, "{text}");
                prop_assert_eq!(Some(double(text.as_bytes())), value.as_f64());
                prop_assert_eq!(tree_number(&text), value);
            }
            // A number beyond the range of doubles is JSON; its digits are kept.
            Err(error) if error.to_string().contains("out of range") => {
                prop_assert!(ours, "{text}");
                prop_assert_eq!(tree_number(&text), Value::String(text));
            }
            Err(_) => prop_assert!(!ours, "{text}"),
        }
    }
}

/// The same by the formatter of the standard library, which of two numbers that are equally near takes the other one.
fn by_std(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap();
    let exponent: i32 = exponent.parse().unwrap();
    if (-6..21).contains(&exponent) {
        return number.to_string();
    }
    format!("{digits}e{}{exponent}", if exponent < 0 { "" } else { "+" })
}

#[test]
fn numbers_are_written_as_javascript_does() {
    for (number, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-120.0, "-120"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e20, "100000000000000000000"),
        (123_456_789_012_345_680_000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (-1.25e21, "-1.25e+21"),
        (0.000_001, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (5e-324, "5e-324"),
        (2_613_143_521_774_629.0 / 4.0, "653285880443657.2"),
        (f64::MAX, "1.7976931348623157e+308"),
        (f64::INFINITY, "null"),
    ] {
        assert_eq!(js_number(number), text);
    }
}

proptest! {
    #[test]
    fn numbers_are_as_short_as_those_of_the_standard_library(
        bits in any::<u64>(), digits in -999_999_i32..1_000_000, scale in -30_i32..30,
    ) {
        for number in [f64::from_bits(bits), f64::from(digits) * 10_f64.powi(scale), f64::from(digits)] {
            if number.is_finite() {
                let (ours, std) = (js_number(number), by_std(number));
                prop_assert_eq!(ours.parse::<f64>(), Ok(number));
                prop_assert_eq!(ours.len(), std.len(), "{} {}", ours, std);
                // Their digits differ in the last one only.
                let near = ours.bytes().zip(std.bytes()).filter(|(a, b)| a != b).count();
                prop_assert!(near <= 1, "{} {}", ours, std);
            }
        }
    }
}
