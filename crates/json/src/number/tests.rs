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
