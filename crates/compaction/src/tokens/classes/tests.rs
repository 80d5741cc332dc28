use super::*;
use proptest::prelude::*;

fn check(cases: &[(&str, f64)]) {
    for (text, tokens) in cases {
        // The sums here are of floats, those of the estimator exact.
        assert!((classes(text) - tokens).abs() < 1e-6, "{text:?}: {}", classes(text));
    }
}

#[test]
fn each_class_has_its_cost() {
    check(&[
        ("", 0.0),
        ("a", 1.0),
        ("letter", 1.0),
        ("letters", 1.19),
        ("internationally", 1.0 + 0.19 * 9.0),
        ("camelCase", 2.0),
        ("HTMLParser", 1.0 + 0.19 * 4.0),
        ("getURL", 2.0),
        ("7", 1.1),
        ("123", 1.1),
        ("1234", 2.2),
        ("1234567", 3.3),
        (".", 0.7),
        ("()", 0.7),
        ("();", 1.4),
        ("====", 1.4),
        ("\n", 0.8),
        ("\r\n\r\n", 0.8),
        (" ", 0.0),
        ("\t", 0.0),
        ("  ", 0.75),
        ("\t   ", 0.75),
        ("漢字", 1.8),
        ("かな", 1.8),
        ("한글", 1.8),
        ("。", 0.7),
        ("мир", 1.26),
        ("é", 0.42),
        ("für", 2.42),
        ("việt", 2.42),
        ("नम", 3.3),
        ("🦀", 3.3),
        ("— →", 1.4),
        ("\u{1b}[0m", 0.7 + 1.1 + 1.0),
        ("a_b", 2.7),
    ]);
}

#[test]
fn runs_stand_beside_each_other() {
    check(&[
        (
            "let x = 1;\n    foo(x)\n",
            1.0 + 1.0 + 0.7 + 1.1 + 0.7 + 0.8 + 0.75 + 1.0 + 0.7 + 1.0 + 0.7 + 0.8,
        ),
        ("漢a字", 2.8),
        ("v2", 2.1),
    ]);
}

#[test]
fn long_runs_that_change_often_are_hashes() {
    let hex = "0a1b2c3d4e5f60718293a4b5";
    assert_eq!(hex.len(), 24);
    check(&[(hex, 24.0 * 0.64)]);
    check(&[(&format!("x {hex}."), 1.0 + 24.0 * 0.64 + 0.7)]);
    // One short of it, and names in which little changes.
    check(&[(hex.split_at(1).1, 8.0 + 10.0 * 1.1)]);
    check(&[("calculateMonthlyPaymentForCustomer", 5.0 + 0.19 * (3.0 + 1.0 + 1.0 + 2.0))]);
    check(&[(&"a".repeat(30), 1.0 + 0.19 * 24.0)]);
    check(&[(&"1".repeat(30), 11.0)]);
}

#[test]
fn long_texts_are_exact() {
    check(&[(&"foo(bar);\n".repeat(100_000), 100_000.0 * (1.0 + 0.7 + 1.0 + 0.7 + 0.8))]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn it_is_a_number_and_never_negative(text in "(?s).{0,200}") {
        let tokens = classes(&text);
        prop_assert!(tokens.is_finite() && tokens >= 0.0);
        prop_assert!(tokens <= 1.65 * text.encode_utf16().count() as f64 + 0.001);
    }

    /// Outside runs that are long enough to be a hash.
    #[test]
    fn two_texts_cost_no_more_than_one_and_two(
        a in "([a-z]{1,7}|[A-Z]{1,4}|[0-9]{1,4}|[ -/\\t\\n]{1,3}|[à-ü]|漢|я|🦀){0,20}",
        b in "([a-z]{1,7}|[A-Z]{1,4}|[0-9]{1,4}|[ -/\\t\\n]{1,3}|[à-ü]|漢|я|🦀){0,20}",
    ) {
        let whole = format!("{a}{b}");
        let is_long = |run: &str| run.len() >= 24;
        prop_assume!(!whole.split(|c: char| !c.is_ascii_alphanumeric()).any(is_long));
        prop_assert!(classes(&whole) <= classes(&a) + classes(&b) + 2.0);
    }

    /// Compared with the table, one run after the other.
    #[test]
    fn runs_cost_what_the_table_says(
        runs in prop::collection::vec((0_usize..7, 1_usize..12), 0..20)
    ) {
        let (mut text, mut expected, mut last) = (String::new(), 0_u64, 9);
        for (kind, n) in runs {
            // Letters and digits never side by side: no run of both is long.
            if kind == last || (kind < 3 && last < 3) {
                continue;
            }
            let m = n as u64;
            let (piece, cost) = match kind {
                0 => ("q", 100 + 19 * m.saturating_sub(6)),
                1 => ("Q", 100 + 19 * m.saturating_sub(6)),
                2 => ("5", 110 * m.div_ceil(3)),
                3 => ("+", 70 * m.div_ceil(2)),
                4 => ("\n", 80),
                5 => (" ", if n > 1 { 75 } else { 0 }),
                _ => ("語", 90 * m),
            };
            text.push_str(&piece.repeat(n));
            expected += cost;
            last = kind;
        }
        prop_assert_eq!(classes(&text), expected as f64 / 100.0);
    }
}
