#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

fn key() -> String {
    ["ghp", "_", "abcdefghij0123456789ABCDEFGHIJ012345"].concat()
}

fn redacted(value: &Value) -> Value {
    let json = serde_json::to_vec(value).unwrap();
    match Redactor::default().redact_json(&json).unwrap() {
        Some(masked) => serde_json::from_slice(&masked).unwrap(),
        None => value.clone(),
    }
}

#[test]
fn equal_secrets_have_equal_masks_over_a_session() {
    let mut redactor = Redactor::default();
    let other = key().replace("ghp", "gho");
    let text = format!("{} {other} {}", key(), key());
    let masked = redactor.redact_text(&text).unwrap();
    assert_eq!(
        masked,
        "[redacted github-token 1] [redacted github-token 2] [redacted github-token 1]"
    );
    let masked = redactor.redact_json(format!("[\"{other}\"]").as_bytes()).unwrap().unwrap();
    assert_eq!(masked, b"[\"[redacted github-token 2]\"]");
    let found: Vec<_> = redactor.findings().collect();
    assert_eq!((found.len(), found[0].count, found[0].distinct), (1, 4, 2));
    assert_eq!(found[0].places[0].shown, "ghp_… (40 characters)");
}

#[test]
fn fields_that_join_parts_stay_and_a_tools_own_do_not() {
    let secret = key();
    let part = |rest: Value| {
        let mut part =
            json!({"id": secret, "sessionID": secret, "messageID": secret, "type": "tool"});
        part.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        part
    };
    let given = part(json!({"callID": secret, "tool": "x", "state": {"status": "completed",
        "input": {"id": secret, "list": [secret]}, "output": secret}}));
    let mask = "[redacted github-token 1]";
    let expected = part(json!({"callID": secret, "tool": "x", "state": {"status": "completed",
        "input": {"id": mask, "list": [mask]}, "output": mask}}));
    assert_eq!(redacted(&given), expected);
}

#[test]
fn the_name_of_a_field_says_what_its_value_is() {
    let given = json!({
        "password": "hunter2", "env": [{"name": "API_TOKEN", "value": "a1b2c3d4e5f6"}],
        "headers": {"Authorization": "Bearer abc123def456", "cookie": "sid=a8f3e2d1; lang=en"},
        "keys": {"api_keys": ["k1j2h3g4f5d6"]}, "token": "word", "name": "k1j2h3g4f5d6"
    });
    let expected = json!({
        "password": "[redacted password 1]",
        "env": [{"name": "API_TOKEN", "value": "[redacted secret 1]"}],
        "headers": {"Authorization": "Bearer [redacted authorization 1]",
            "cookie": "sid=[redacted cookie 1]; lang=en"},
        "keys": {"api_keys": ["[redacted secret 2]"]}, "token": "word", "name": "k1j2h3g4f5d6"
    });
    assert_eq!(redacted(&given), expected);
}

#[test]
fn escapes_are_read_before_secrets_are_looked_for() {
    let json = r#"{"a":"alice\u0040corp.io","b":"\/home\/alice\/x\n","c":"x\u00e9\ud83d\ude00"}"#;
    let masked = Redactor::default().redact_json(json.as_bytes()).unwrap().unwrap();
    assert_eq!(
        std::str::from_utf8(&masked).unwrap(),
        r#"{"a":"[redacted email 1]","b":"/home/[redacted user 1]/x\n","c":"x\u00e9\ud83d\ude00"}"#
    );
}

#[test]
fn names_of_fields_and_numbers_stay() {
    let json = br#"{"alice@corp.io": 4111111111111111, "data": "data:image/png;base64,AAAA"}"#;
    assert_eq!(Redactor::default().redact_json(json).unwrap(), None);
}

#[test]
fn places_name_message_part_and_pointer() {
    let mut redactor = Redactor::default();
    let message = json!({"info": {"id": "msg_1", "role": "user"}, "parts": [
        {"id": "prt_0", "type": "text", "text": "x"},
        {"id": "prt_1", "type": "tool", "state": {"input": {"a/b": ["", "alice@corp.io"]}}}]});
    redactor.redact_json(message.to_string().as_bytes()).unwrap();
    let part = json!({"id": "prt_9", "messageID": "msg_8", "type": "text", "text": "bob@corp.io"});
    for _ in 0..2 {
        redactor.redact_json(part.to_string().as_bytes()).unwrap();
    }
    let place = |message: &str, part: &str, pointer: &str, shown: &str, number| SecretPlace {
        message: Some(message.to_owned()),
        part: Some(part.to_owned()),
        pointer: pointer.to_owned(),
        shown: shown.to_owned(),
        number: Some(number),
        ..SecretPlace::default()
    };
    let found = redactor.findings().next().unwrap();
    let expected = [
        place("msg_1", "prt_1", "/parts/1/state/input/a~1b/1", "alic… (13 characters)", 1),
        place("msg_8", "prt_9", "/text", "bob@… (11 characters)", 2),
        place("msg_8", "prt_9", "/text", "bob@… (11 characters)", 2),
    ];
    assert_eq!(found.places, expected);
}

#[test]
fn a_signature_goes_with_the_text_that_it_signed() {
    let part = |text: &str, metadata: Value| json!({"type": "reasoning", "text": text, "metadata": metadata});
    let signed = json!({"a": 1, "anthropic": {"signature": "s"}, "b": {"signature": null}});
    let rest = json!({"a": 1, "b": {"signature": null}});
    let (mail, mask) = ("to alice@corp.io", "to [redacted email 1]");
    assert_eq!(redacted(&part(mail, signed.clone())), part(mask, rest));
    for (metadata, left) in [
        (json!({"google": {"thoughtSignature": mail}}), json!({})),
        (json!({"google": {"thoughtSignature": "s"}, "z": mail}), json!({"z": mask})),
        (json!({"z": [mail], "google": {"thoughtSignature": "s"}}), json!({"z": [mask]})),
        (
            json!({"openrouter": {"reasoning_details": [{"text": mail}]}, "openai":
            {"reasoningEncryptedContent": ""}, "z": 1}),
            json!({"z": 1}),
        ),
        (
            json!({"openai": {"itemId": "i", "phase": mail}}),
            json!({"openai": {"itemId": "i", "phase": mask}}),
        ),
    ] {
        assert_eq!(redacted(&part(mail, metadata)), part(mask, left));
    }
    // A signature that is masked itself signs nothing any more.
    let broken = part("x", json!({"anthropic": {"signature": mail}}));
    assert_eq!(redacted(&broken), part("x", json!({})));
    // What was not signed changes: the output of a call, another part, another field.
    let call = |input: &str, output: &str, metadata: Value| {
        json!({"type": "tool", "tool": "x", "state": {"input": {"a": [input]}, "output": output},
            "metadata": metadata})
    };
    let google = json!({"google": {"id": "c", "thoughtSignature": "s"}});
    assert_eq!(redacted(&call("x", mail, google.clone())), call("x", mask, google.clone()));
    assert_eq!(redacted(&call(mail, "x", google)), call(mask, "x", json!({})));
    let run = |text: &str, provider: Value| json!({"kind": "thinking", "payload": {"text": text, "provider": provider}});
    let left = json!({"a": 1, "b": {"signature": null}});
    assert_eq!(redacted(&run(mail, signed.clone())), run(mask, left));
    let title =
        |title: &str| json!({"type": "text", "title": title, "text": "x", "metadata": signed});
    assert_eq!(redacted(&title(mail)), title(mask));
    let model = |input: &str, options: Value| json!([{"role": "assistant", "content": [{"type": "tool-call", "input": input, "providerOptions": options}]}]);
    assert_eq!(
        redacted(&model(mail, signed.clone())),
        model(mask, json!({"a": 1, "b": {"signature": null}}))
    );
}

#[test]
fn kept_kinds_are_listed_and_not_masked() {
    let options = RedactOptions { keep: vec!["email".to_owned()], places: 1 };
    let mut redactor = Redactor::new(&options);
    let masked = redactor.redact_text("a@corp.io b@corp.io PASSWORD=hunter2").unwrap();
    assert_eq!(masked, "a@corp.io b@corp.io PASSWORD=[redacted password 1]");
    assert_eq!(redactor.redact_text("c@corp.io"), None);
    let found: Vec<_> = redactor.findings().collect();
    assert_eq!((found[0].kind.name, found[0].masked), ("password", true));
    assert_eq!((found[1].count, found[1].masked, found[1].places.len()), (3, false, 1));
}

#[test]
fn what_is_no_json_is_refused() {
    for json in ["", "{", "1 2", "{\"a\":}", "nul"] {
        assert!(Redactor::default().redact_json(json.as_bytes()).is_err(), "{json}");
    }
    assert!(Redactor::default().redact_json(b" 1 ").unwrap().is_none());
}

#[test]
fn deep_values_need_no_stack() {
    let deep = format!("{}\"alice@corp.io\"{}", "[".repeat(16_000), "]".repeat(16_000));
    let masked = Redactor::default().redact_json(deep.as_bytes()).unwrap().unwrap();
    assert!(masked.len() > deep.len());
}

/// Pieces of which secrets, beginnings of secrets and masks are made.
fn pieces() -> impl Strategy<Value = String> {
    let fixed: Vec<&'static str> = vec![
        "ghp_",
        "abcdefghij0123456789ABCDEF",
        "sk-",
        "sk-ant-",
        "eyJhbGciOiJIUzI1NiJ9",
        ".",
        "AKIA",
        "IOSFODNN7EXAMPLE",
        "://",
        "user:",
        "hunter2",
        "@",
        "corp.io",
        "alice",
        "/home/",
        "C:\\Users\\",
        "PASSWORD=",
        "token: ",
        "\"",
        "'",
        " ",
        "\n",
        "Bearer ",
        "Authorization: ",
        "Cookie: ",
        "sid=",
        ";",
        "?token=",
        "&",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "\\",
        "é",
        "[",
        "[redacted email 1]",
        "]",
        "--password ",
        "-",
        "_",
        "data:image/png;base64,",
        "-u ",
    ];
    let piece =
        prop_oneof![8 => proptest::sample::select(fixed).prop_map(str::to_owned), 1 => ".{0,3}"];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn masked_once_is_masked_for_good(text in pieces()) {
        let masked = Redactor::default().redact_text(&text);
        let once = masked.clone().unwrap_or_else(|| text.clone());
        prop_assert_eq!(crate::find(&once).len(), 0, "{} -> {}", text, once);
        prop_assert_eq!(masked.is_none(), once == text);
        prop_assert_eq!(Redactor::default().redact_text(&once), None);
    }

    #[test]
    fn values_stay_json_and_are_masked_for_good(texts in proptest::collection::vec(pieces(), 4), name in pieces()) {
        let value = json!({"password": texts[0], "x": [texts[1], {"cookie": texts[2]}], "id": "a", name: texts[3]});
        let once = redacted(&value);
        prop_assert_eq!(&redacted(&once), &once);
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        prop_assert_eq!(keys(&value), keys(&once));
    }

    #[test]
    fn secrets_are_gone(before in "[ -~]{0,12}", after in "[ -~]{0,12}") {
        let text = format!("{before} {} {after}", key());
        let masked = Redactor::default().redact_text(&text).unwrap();
        prop_assert!(!masked.contains(&key()));
    }
}

#[test]
fn what_begins_no_sequence_of_a_terminal_takes_nothing_from_a_token() {
    for before in ["\\e[ ", "\x1b[ ", "\\x1b[!"] {
        let masked = Redactor::default().redact_text(&format!("{before}{}", key()));
        assert_eq!(masked, Some(format!("{before}[redacted github-token 1]")));
    }
    let cursor = Redactor::default().redact_text(&format!("\x1b[2 q{}", key()));
    assert_eq!(cursor.as_deref(), Some("\x1b[2 q[redacted github-token 1]"));
}

#[test]
fn chosen_texts_are_masked_wherever_they_are() {
    let texts = |texts: &[&str]| {
        let all = texts.iter().map(|text| crate::ChosenText::literal(text).unwrap()).collect();
        Redactor::default().with_texts(all)
    };
    let cases: [(&[&str], &str, &str); 8] = [
        (&["Adler"], "Adler, Adler, adler", "[redacted masked 1], [redacted masked 1], adler"),
        (&["Adler", "Bus"], "BusAdler", "[redacted masked 1][redacted masked 2]"),
        // What overlaps is masked as one.
        (&["Adler", "lerche"], "Adlerche", "[redacted masked 1]"),
        // A secret that holds the text is masked whole.
        (&["acme"], "to ann@acme.io at acme", "to [redacted email 1] at [redacted masked 1]"),
        (&["io at"], "to ann@acme.io at acme", "to [redacted email 1] acme"),
        // Masks are not looked into.
        (&["redacted"], "ann@acme.io", "[redacted email 1]"),
        (&["1"], "ann@acme.io 1", "[redacted email 1] [redacted masked 1]"),
        (&["ä"], "Ää", "Ä[redacted masked 1]"),
    ];
    for (chosen, text, expected) in cases {
        let mut redactor = texts(chosen);
        assert_eq!(redactor.redact_text(text).as_deref(), Some(expected), "{text}");
    }
    assert!(crate::ChosenText::literal("").is_none());
}

#[test]
fn a_chosen_text_is_masked_in_ids_and_in_no_word_of_the_model() {
    let texts = vec![crate::ChosenText::literal("text").unwrap()];
    let mut redactor = Redactor::default().with_texts(texts);
    let json =
        br#"{"type":"text","id":"text-1","role":"text","text":"text","input":{"type":"text"}}"#;
    let masked = redactor.redact_json(json).unwrap().unwrap();
    let expected = r#"{"type":"text","id":"[redacted masked 1]-1","role":"text","text":"[redacted masked 1]","input":{"type":"[redacted masked 1]"}}"#;
    assert_eq!(String::from_utf8(masked).unwrap(), expected);
    assert_eq!(
        redactor.findings().map(|found| (found.kind.name, found.count)).next(),
        Some(("masked", 3))
    );
}

#[test]
fn what_matches_is_masked_and_what_does_not_is_named() {
    let digits: crate::MatchRanges = Box::new(|text| {
        text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at..at + 1).collect()
    });
    // Ranges that no function should give.
    let wrong: crate::MatchRanges = Box::new(|text| vec![0..0, 0..text.len() + 1]);
    let texts = vec![
        crate::ChosenText::matches(digits),
        crate::ChosenText::literal("nowhere").unwrap(),
        crate::ChosenText::matches(wrong),
    ];
    let mut redactor = Redactor::default().with_texts(texts);
    assert_eq!(redactor.unused_texts().collect::<Vec<_>>(), [0, 1, 2]);
    let masked = redactor.redact_text("a1b2a1");
    let expected = "a[redacted masked 1]b[redacted masked 2]a[redacted masked 1]";
    assert_eq!(masked.as_deref(), Some(expected));
    assert_eq!(redactor.unused_texts().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn what_is_kept_is_not_listed_where_a_text_is_masked() {
    let options = RedactOptions { keep: vec!["email".to_owned()], ..RedactOptions::default() };
    let texts = vec![crate::ChosenText::literal("acme").unwrap()];
    let mut redactor = Redactor::new(&options).with_texts(texts);
    let masked = redactor.redact_text("ann@acme.io bob@corp.io");
    assert_eq!(masked.as_deref(), Some("ann@[redacted masked 1].io bob@corp.io"));
    let found: Vec<_> = redactor.findings().map(|found| (found.kind.name, found.count)).collect();
    assert_eq!(found, [("email", 1), ("masked", 1)]);
}

#[test]
fn a_name_beside_a_string_tells_what_it_is() {
    let random = ["k3J9x2Lq8Zp0", "Wm5Rt7YbQ4vN1"].concat();
    let cases = [
        (
            json!({"args": ["-y", "--api-key", random]}),
            json!({"args": ["-y", "--api-key", "[redacted secret 1]"]}),
        ),
        (
            json!({"args": ["password", "remember_token"]}),
            json!({"args": ["password", "remember_token"]}),
        ),
        (
            json!({"cookies": [{"name": "session", "value": random, "path": "/"}]}),
            json!({"cookies": [{"name": "session", "value": "[redacted cookie 1]", "path": "/"}]}),
        ),
        (json!({"name": "session", "value": random}), json!({"name": "session", "value": random})),
        (
            json!({"data": {"a": "YWJj", "n": 1}, "kind": "Secret", "stringData": {"b": "my word"}}),
            json!({"data": {"a": "[redacted secret 1]", "n": 1}, "kind": "Secret", "stringData": {"b": "[redacted secret 2]"}}),
        ),
        (
            json!({"kind": "ConfigMap", "data": {"a": "YWJj"}}),
            json!({"kind": "ConfigMap", "data": {"a": "YWJj"}}),
        ),
        (
            json!({"kty": "oct", "k": random, "kid": random}),
            json!({"kty": "oct", "k": "[redacted secret 1]", "kid": random}),
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(redacted(&value), expected);
        assert_eq!(redacted(&expected), expected);
    }
}

/// What texts with secrets are made of, and masks.
const PIECES: &[&str] = &[
    "machine h login bob password ",
    "default login bob password ",
    "password",
    "token",
    " ",
    "\t",
    "\n",
    "=",
    ": ",
    " => ",
    "\"",
    "'",
    "\\\"",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "<",
    "</token>",
    "<token>",
    "hunter22",
    "k3J9x2Lq8Zp0Wm5Rt7Yb",
    "echo ",
    " | sudo -S ls",
    "curl -u bob:",
    "mysql -p",
    "redis-cli AUTH ",
    "[redacted password 1]",
    "[redacted secret]",
    "ENV DB_PASSWORD ",
    "define('AUTH_KEY', '",
    "Authorization: Bearer ",
    "Cookie: sid=",
    "https://bob:",
    "@h.test/",
    "?token=",
    "bob@corp.io",
    "/home/bob/",
    "kind: Secret\ndata:\n  a: ",
    "\"kind\":\"Secret\",\"data\":{",
    "PASSWORD '",
    "--api-key ",
    "\"name\":\"DB_PASSWORD\",\"value\":",
    "-----BEGIN PRIVATE KEY-----\n",
    "1]",
    "requirepass ",
    "<<< ",
    "sshpass -p ",
];

proptest! {
    #[test]
    fn a_mask_is_never_a_value(picks in prop::collection::vec(0..PIECES.len(), 1..14)) {
        let text: String = picks.into_iter().map(|pick| PIECES[pick]).collect();
        let masked = Redactor::default().redact_text(&text).unwrap_or(text);
        prop_assert_eq!(Redactor::default().redact_text(&masked), None, "{}", masked);
        // No mask stands in another.
        for mask in masked.split("[redacted ").skip(1) {
            let (inside, _) = mask.split_once(']').unwrap_or_default();
            let is_kind = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ' ';
            prop_assert!(!inside.is_empty() && inside.chars().all(is_kind), "{}", masked);
        }
    }
}
