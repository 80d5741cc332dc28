//! How many secrets are found of a list made for this, in every surrounding in which a session shows them, and how many
//! texts without any are left alone. Secrets are put together here, so that none stands in this file.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::cast_precision_loss)]

mod harmless;
mod secrets;

use crate::Redactor;
use harmless::HARMLESS;
use secrets::{LINES, PASSWORD_PLACES, PASSWORDS, PLACES, RANDOM, RANDOM_PLACES, TOKENS};

/// What is random in a secret.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn of(&mut self, letters: &str, count: usize) -> String {
        (0..count).map(|_| char::from(letters.as_bytes()[self.below(letters.len())])).collect()
    }
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

/// A secret of a shape: `{a36}` is 36 letters and digits, `h` is hexadecimal, `u` capitals and digits, `l` small letters
/// and digits, `w` base64 for URLs, `b` base64, `d` digits.
fn made(shape: &str, random: &mut Random) -> String {
    let mut out = String::new();
    let mut rest = shape;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let (piece, after) = behind.split_once('}').unwrap();
        let count = piece[1..].parse().unwrap();
        let letters = match &piece[..1] {
            "a" => format!("{LOWER}{UPPER}{DIGITS}"),
            "h" => "0123456789abcdef".to_owned(),
            "u" => format!("{UPPER}{DIGITS}"),
            "l" => format!("{LOWER}{DIGITS}"),
            "w" => format!("{LOWER}{UPPER}{DIGITS}-_"),
            "b" => format!("{LOWER}{UPPER}{DIGITS}+/"),
            _ => DIGITS.to_owned(),
        };
        out.push_str(&random.of(&letters, count));
        // A token does not end with what joins its pieces.
        if out.ends_with(['-', '_']) {
            out.pop();
            out.push('q');
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A secret in a text is masked, and all around it is as it was.
fn is_masked(place: &str, secret: &str, missing: &mut Vec<String>) -> bool {
    let text = place.replacen('@', secret, if place.starts_with("(@)") { 3 } else { 1 });
    let mut redactor = Redactor::default();
    let masked = redactor.redact_text(&text).unwrap_or_else(|| text.clone());
    let again = redactor.redact_text(&masked);
    let (before, behind) = place.split_once('@').unwrap();
    let behind = behind.rsplit('@').next().unwrap();
    let is_gone = !masked.contains(secret) && masked.contains("[redacted ");
    let is_good =
        is_gone && masked.starts_with(before) && masked.ends_with(behind) && again.is_none();
    if !is_good {
        missing.push(format!("{text:?}\n  → {masked:?}"));
    }
    is_good
}

/// So many of 1,000 secrets are found, and of 1,000 texts without one are left alone.
const LEAST: f64 = 0.98;

fn assert_share(what: &str, good: usize, all: usize, missing: &[String]) {
    let share = good as f64 / all as f64;
    assert!(
        share >= LEAST,
        "{what}: {good} of {all}, {share:.4}\n{}",
        missing[..missing.len().min(40)].join("\n")
    );
}

#[test]
fn tokens_are_found_in_every_surrounding() {
    let mut random = Random(20_261_126);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for shape in TOKENS {
        for place in PLACES {
            let secret = made(shape, &mut random);
            all += 1;
            good += usize::from(is_masked(place, &secret, &mut missing));
        }
    }
    assert_share("tokens", good, all, &missing);
}

#[test]
fn a_token_is_found_around_a_sequence_of_the_terminal() {
    let mut random = Random(7);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for shape in TOKENS {
        let secret = made(shape, &mut random);
        for at in [1, 4, secret.len() / 2, secret.len() - 3] {
            let (head, tail) = secret.split_at(at);
            let parted = format!("{head}\u{1b}[01;31m\u{1b}[K{tail}");
            all += 1;
            good += usize::from(is_masked("a @ b", &parted, &mut missing));
        }
    }
    assert_share("tokens with a sequence inside", good, all, &missing);
}

#[test]
fn passwords_are_found_by_their_place() {
    let mut random = Random(11);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for place in PASSWORD_PLACES {
        for shape in PASSWORDS {
            let secret = made(shape, &mut random);
            all += 1;
            good += usize::from(is_masked(place, &secret, &mut missing));
        }
    }
    assert_share("passwords", good, all, &missing);
}

#[test]
fn what_looks_random_is_found_beside_its_name() {
    let mut random = Random(17);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for place in RANDOM_PLACES {
        for shape in RANDOM {
            let secret = made(shape, &mut random);
            all += 1;
            good += usize::from(is_masked(place, &secret, &mut missing));
        }
    }
    assert_share("random values", good, all, &missing);
}

#[test]
fn private_keys_are_found_however_their_lines_are_shown() {
    let mut random = Random(13);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for (before, behind) in LINES {
        for (label, count) in
            [("RSA ", 12), ("", 8), ("EC ", 3), ("OPENSSH ", 6), ("ENCRYPTED ", 14)]
        {
            for is_cut in [false, true] {
                let mut lines = vec![format!("-----BEGIN {label}PRIVATE KEY-----")];
                lines.extend((0..count).map(|_| made("{b64}", &mut random)));
                lines.push(made("{b31}=", &mut random));
                if !is_cut {
                    lines.push(format!("-----END {label}PRIVATE KEY-----"));
                }
                let shown: Vec<_> = lines
                    .iter()
                    .enumerate()
                    .map(|(at, line)| {
                        let before = before.replace('N', &(at + 1).to_string());
                        format!("{before}{line}{behind}")
                    })
                    .collect();
                let text = format!("before\n{}\nafter", shown.join("\n"));
                let masked = Redactor::default().redact_text(&text).unwrap_or_default();
                let is_left =
                    lines.iter().skip(1).take(count + 1).any(|line| masked.contains(line.as_str()));
                let stays = masked.starts_with("before\n") && masked.ends_with("\nafter");
                let again = Redactor::default().redact_text(&masked);
                all += 1;
                if is_left || !stays || again.is_some() {
                    missing.push(format!("{text}\n  → {masked}"));
                } else {
                    good += 1;
                }
            }
        }
    }
    assert_share("private keys", good, all, &missing);
}

#[test]
fn texts_without_secrets_are_left_alone() {
    let mut alarms = Vec::new();
    for text in HARMLESS {
        if let Some(masked) = Redactor::default().redact_text(text) {
            alarms.push(format!("{text}\n  → {masked}"));
        }
    }
    assert_share("harmless texts", HARMLESS.len() - alarms.len(), HARMLESS.len(), &alarms);
}
