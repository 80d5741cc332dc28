#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use super::{CREDSWEEPER, GITLEAKS, KINGFISHER, NOSEY_PARKER, OURS, TOKEN_FORMATS, TOKEN_ROWS};
use crate::registry::SECRET_KINDS;
use crate::{Redactor, find};
use std::collections::BTreeSet;

/// Letters of a class, in an order that looks random.
fn letters(class: char) -> &'static str {
    match class {
        'a' | 'b' | 'D' | 'E' | 'p' | 'P' | 'w' | 'W' | 'x' => "k3QzR7mXb9TfW2cYv5NgH8jLd4PsB6",
        'd' => "3819267405",
        'h' | 'U' => "3f9a0c7e1b58d264",
        'H' => "3F9a0C7e1b58D264",
        'l' => "k3qz7mxb9tf2cyv5ng8jld4psb6",
        'u' => "K3QZ7MXB5TF2CYV5NG6JLD4PSB6",
        'z' => "services",
        other => panic!("no class {other}"),
    }
}

/// The parts of a format: what stands before `>`, and what is masked.
fn place_and_token(format: &str) -> (&str, &str) {
    let format = format.trim_start_matches(['?', '!']);
    format.split_once('>').unwrap_or(("", format))
}

/// A token of a format, with the fewest bytes that it may have, or with the most.
fn made(format: &str, is_long: bool) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some((text, behind)) = rest.split_once('{') {
        out.push_str(text);
        let (run, after) = behind.split_once('}').unwrap();
        let (least, most) = run[1..].split_once('-').unwrap_or((&run[1..], &run[1..]));
        let count: usize = if is_long { most } else { least }.parse().unwrap();
        let from = out.len();
        out.extend(letters(run.chars().next().unwrap()).chars().cycle().take(count));
        // A UUID, where there is one.
        if run == "U36" {
            for dash in [8, 13, 18, 23] {
                out.replace_range(from + dash..=from + dash, "-");
            }
        }
        rest = after;
    }
    out + rest
}

#[test]
fn every_row_says_what_it_is_and_where_it_is_from() {
    let mut seen = BTreeSet::new();
    for (kind, service, source, formats) in TOKEN_ROWS {
        assert!(SECRET_KINDS.iter().any(|known| known.name == *kind), "{kind}");
        assert!(!service.is_empty());
        let is_page = source.starts_with("https://");
        let lists = [GITLEAKS, CREDSWEEPER, NOSEY_PARKER, KINGFISHER, OURS];
        assert!(is_page || lists.contains(source), "{service}: {source}");
        for format in *formats {
            assert!(seen.insert(*format), "twice: {format}");
        }
    }
    let lines = TOKEN_FORMATS.lines().filter(|line| !line.starts_with('='));
    assert_eq!(lines.count(), seen.len());
}

#[test]
fn a_token_of_every_format_is_found_from_its_beginning_to_its_end() {
    let mut wrong = Vec::new();
    for (kind, _, _, formats) in TOKEN_ROWS {
        for format in *formats {
            for is_long in [false, true] {
                let (place, token) = place_and_token(format);
                let (place, token) = (made(place, is_long), made(token, is_long));
                let text = format!("a \"{place}{token}\" b");
                let start = 3 + place.len();
                let found = find(&text);
                let is_whole = found
                    .iter()
                    .any(|secret| secret.start == start && secret.end == start + token.len());
                let is_kind = found.first().is_some_and(|secret| secret.kind.name == *kind);
                if !(is_whole && is_kind) {
                    wrong.push(format!("{format}: {token}\n  {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_bare_prefix_and_a_stand_in_stay() {
    for (_, _, _, formats) in TOKEN_ROWS {
        for format in *formats {
            let (place, token) = place_and_token(format);
            let prefix = format!("{place}{}", token.split('{').next().unwrap());
            // This one says that it is a key.
            if prefix.starts_with("bedrock-api-key-") {
                continue;
            }
            let mut texts = vec![format!("{prefix} {prefix}... `{prefix}*` {prefix}your-key")];
            if !prefix.is_empty() {
                texts.push(format!("{prefix}{}", "x".repeat(36)));
                texts.push(format!("{prefix}{}", "X".repeat(20)));
                texts.push(format!("{prefix}your_token_goes_here"));
                texts.push(format!("{prefix}<token>"));
            }
            for text in texts {
                let found = find(&text);
                assert!(found.is_empty(), "{text}: {found:?}");
            }
        }
    }
}

#[test]
fn a_token_begins_behind_an_underscore_and_a_digit() {
    let token = made("ghp_{a36}", false);
    for (text, masked) in [
        (format!("my_{token}"), "my_[redacted github-token 1]"),
        (format!("1{token}"), "1[redacted github-token 1]"),
        (format!("x my9_{token}."), "x my9_[redacted github-token 1]."),
    ] {
        assert_eq!(Redactor::default().redact_text(&text).as_deref(), Some(masked), "{text}");
    }
    // A letter goes on with a word, and so does what is short, or has another length, or is in data.
    for text in [
        format!("my{token}"),
        format!("my_{}", made("hf_{a34}", false)),
        format!("my_{}", made("ghp_{a12}", false)),
        format!("my_{}", made("rubygems_{h47}", false)),
        format!("{}_{token}", made("{a60}", false)),
    ] {
        assert_eq!(find(&text).len(), 0, "{text}");
    }
}

#[test]
fn what_only_begins_like_a_key_stays() {
    for text in [
        "monkey-6a9efa6622ffefb10ad03be3a32e816e cache-key-6a9efa6622ffefb10ad03be3a32e816e",
        "my_key-6a9efa6622ffefb10ad03be3a32e816e 1key-6a9efa6622ffefb10ad03be3a32e816e",
        "s.someVeryLongMethodNameIs pk_loading live_reload_enabled_by_the_test_runner_here_0",
        "\"mappings\": \"EAAA,SAASA,IAAI,CAACC,CAAC;AACbC,OAAO,CAACC,GAAG,CAACF,CAAC\"",
        "v1.local.example.com v2.public.api sl.gallery.item SUPERCALIFRAGILISTIC",
        "API-DOCUMENTATION-OF-THE-SERVICE pat-na1 tk-us sm_pat_ sgp_local_ 123456789012345%27",
    ] {
        let found = find(text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}
