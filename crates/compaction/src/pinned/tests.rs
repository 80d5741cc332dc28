use super::*;
use crate::made_up::{history, text, user};
use serde_json::{Value, json};

fn pinned(sizes: &[usize], budget: f64) -> Vec<(u32, usize)> {
    let messages: Vec<Value> = sizes
        .iter()
        .enumerate()
        .map(|(at, size)| user(&format!("u{at}"), vec![text(&"word ".repeat(*size))]))
        .collect();
    let indices: Vec<u32> = (0..).take(messages.len()).collect();
    let messages = Value::Array(messages);
    let made = pinned_of(&history(&messages), &indices, budget, Estimator::Chars).unwrap();
    let tokens: f64 = made.iter().map(|one| f64::from(Estimator::Chars.of_text(&one.text))).sum();
    assert!(tokens <= budget, "{tokens} of {budget}");
    made.iter().map(|one| (one.message, one.text.len())).collect()
}

#[test]
fn everything_that_fits_is_whole() {
    assert_eq!(pinned(&[4, 8, 12], 1000.0), [(0, 20), (1, 40), (2, 60)]);
    assert_eq!(pinned(&[], 1000.0), []);
    assert_eq!(pinned(&[4], 0.0), []);
}

#[test]
fn the_first_comes_first_then_the_newest() {
    let made = pinned(&[80, 400, 80], 220.0);
    assert_eq!(made, [(0, 400), (2, 400)]);
    // A first message that is too long leaves the newest one its half.
    let made = pinned(&[4000, 4000], 400.0);
    assert_eq!(made.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn the_middle_of_a_long_text_is_left_out() {
    let words = (0..500).map(|n| format!("{n} ")).collect::<String>();
    let made = shortened(&words, 100.0, Estimator::Chars).unwrap();
    assert!(made.starts_with("0 1 2 ") && made.ends_with(" 498 499 "), "{made}");
    let left_out = made.split("[… ").nth(1).unwrap().split(' ').next().unwrap();
    let kept = made.len() - "\n[…  characters left out]\n".len() - left_out.len();
    assert_eq!(left_out.parse::<usize>().unwrap(), words.len() - kept);
    assert_eq!(shortened(&words, 3.0, Estimator::Chars), None);
    let emoji = "🎉".repeat(500);
    assert!(shortened(&emoji, 100.0, Estimator::Chars).unwrap().starts_with('🎉'));
}

#[test]
fn what_others_wrote_for_the_user_is_not_the_users() {
    let mut made = text("made by the program");
    made["synthetic"] = json!(true);
    let mut ignored = text("not sent");
    ignored["ignored"] = json!(true);
    let messages = json!([user("u", vec![made, text("one"), ignored, text("two"), text(" ")])]);
    let pinned = pinned_of(&history(&messages), &[0], 100.0, Estimator::Chars).unwrap();
    assert_eq!(pinned, [PinnedText { message: 0, text: "one\ntwo".into() }]);
}
