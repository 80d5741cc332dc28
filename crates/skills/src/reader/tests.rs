//! What is read of whole files, with bounds and offsets.

use super::*;
use crate::YamlValue;
use proptest::prelude::*;

fn read(text: &str) -> SkillDocument {
    SkillDocument::parse(text.as_bytes(), &SkillOptions::default(), &mut |a, b| a == b)
}

fn rules(document: &SkillDocument) -> Vec<&str> {
    document.problems.iter().map(|problem| problem.rule.as_str()).collect()
}

fn with_field(field: &str) -> SkillDocument {
    read(&format!("---\nname: a\ndescription: d\n{field}\n---\nbody"))
}

fn extra(field: &str) -> Vec<(String, YamlValue)> {
    with_field(field).extra
}

#[test]
fn places_are_bytes_of_the_file() {
    let text = "\u{feff}---\r\nname: \"é é\"\r\ndescription: <b>\r\nfoo/~bar: é\r\n---\r\nx";
    let read = read(text);
    let place = |rule: &str| {
        let problem = read.problems.iter().find(|problem| problem.rule == rule).unwrap();
        (problem.path.clone(), problem.offset.unwrap() as usize)
    };
    assert_eq!(place("SK-06"), ("/name".to_owned(), text.find("\"é").unwrap()));
    assert_eq!(place("SK-09"), ("/description".to_owned(), text.find("<b>").unwrap()));
    assert_eq!(place("SK-15"), ("/foo~1~0bar".to_owned(), text.find("foo").unwrap()));
}

#[test]
fn places_after_a_repair_are_those_of_the_file() {
    let text = "---\nname: A\ndescription: one: two\n  three\nlicense: [x\nfoo: y\n---\nx";
    let read = read(text);
    assert_eq!(read.description, "one: two three");
    assert_eq!(read.license.as_deref(), Some("[x"));
    let found: Vec<_> =
        read.problems.iter().map(|p| (p.rule.as_str(), p.offset.unwrap() as usize)).collect();
    let at = |piece: &str| text.find(piece).unwrap();
    let wanted = [("SK-16", at("one:")), ("SK-06", at("A\n")), ("SK-15", at("foo"))];
    assert_eq!(found, wanted);
    assert!(read.problems[0].message.contains("description, license"));
}

#[test]
fn a_text_is_taken_as_it_stands_only_if_yaml_fails() {
    let read_so =
        |text: &str| read(&format!("---\nname: a\ndescription: {text}\n---\nb")).description;
    assert_eq!(read_so("a # b"), "a");
    assert_eq!(read_so("a: b # c"), "a: b # c");
    assert_eq!(read_so("a: b\n  c\n\n\n\td\n  "), "a: b c\n\nd");
    assert_eq!(read_so("\n  Use when: *x y"), "Use when: *x y");
    assert_eq!(read_so("@x \"y\" \\z"), "@x \"y\" \\z");
    assert_eq!(read_so("[WIP] é: f"), "[WIP] é: f");
    for quoted in ["'a' b: c", "\"a\" b: c", "|a: b", "> a: b"] {
        let read = read(&format!("---\nname: a\ndescription: {quoted}\n---\nb"));
        assert_eq!(rules(&read), ["SK-03"], "{quoted}");
    }
    // Nothing else is repaired, and the first fault is told.
    let read = read("---\nname: a: b\ndescription: c: d\n---\nb");
    assert_eq!((rules(&read), read.problems[0].offset), (vec!["SK-03"], Some(11.0)));
}

#[test]
fn scalars_are_those_of_the_core_schema() {
    use YamlValue::{Bool, List, Map, Null, Number, Text};
    let value = |written: &str| extra(&format!("level: {written}"))[0].1.clone();
    let text = |text: &str| Text(text.to_owned());
    for (written, number) in [
        ("007", 7.0),
        ("-12", -12.0),
        ("+1", 1.0),
        ("0x1F", 31.0),
        ("0o17", 15.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("-1.5e3", -1_500.0),
        ("9007199254740992", 9_007_199_254_740_992.0),
    ] {
        assert_eq!(value(written), Number(number), "{written}");
    }
    // JSON has no such numbers: as one, each would become null.
    for infinite in [".inf", "-.Inf", "+.INF", ".nan", ".NaN"] {
        assert_eq!(value(infinite), text(infinite));
    }
    for same in ["no", "yes", "on", "1_000", "0b1", "-0x1", "1e", ".", "1:30", "2001-01-01"] {
        assert_eq!(value(same), text(same));
    }
    for large in ["9007199254740993", "0xFFFFFFFFFFFFFFFF", "12345678901234567890", "1e999"] {
        assert_eq!(value(large), text(large));
    }
    assert_eq!(value("'1'"), text("1"));
    assert_eq!(value("!!str 1"), text("1"));
    assert_eq!(value("TRUE"), Bool(true));
    assert_eq!(value("~"), Null);
    let map = Map(vec![("__proto__".to_owned(), Null), ("1".to_owned(), text("x"))]);
    assert_eq!(value("[{__proto__: , 1: x}, []]"), List(vec![map, List(Vec::new())]));
}

#[test]
fn the_frontmatter_is_kept_as_it_stands() {
    use YamlValue::{Bool, List, Map, Number, Text};
    let text = |text: &str| Text(text.to_owned());
    let read = read(
        "---\nname: ' a '\ndescription: b\nversion: 1.10\nmetadata: {n: 3, l: [true, x]}\n---\nc",
    );
    let metadata =
        vec![("n".to_owned(), Number(3.0)), ("l".to_owned(), List(vec![Bool(true), text("x")]))];
    let wanted = [
        ("name", text(" a ")),
        ("description", text("b")),
        ("version", Number(1.1)),
        ("metadata", Map(metadata)),
    ];
    assert_eq!(read.data, wanted.map(|(key, value)| (key.to_owned(), value)));
    assert_eq!(read.name, "a");
}

#[test]
fn fields_of_another_kind_are_told() {
    for (field, wanted) in [
        ("license: ''", "SK-12"),
        ("license:", "SK-12"),
        ("compatibility: [a]", "SK-12"),
        ("metadata: a", "SK-13"),
        ("metadata: {a: [1.10, x]}", "SK-13"),
        ("allowed-tools: {a: b}", "SK-14"),
        ("allowed-tools: Bash(a, b Read", "SK-14"),
        ("allowed-tools: [a, ~]", "SK-14"),
        ("mode: Direct", "SK-18"),
        ("tages: a", "SK-15"),
    ] {
        assert_eq!(rules(&with_field(field)), [wanted], "{field}");
    }
    assert_eq!(with_field("metadata: {a: [1.10, x]}").metadata[0].1, "[1.10,\"x\"]");
    assert_eq!(with_field("allowed-tools: a(b c), d e").allowed_tools, ["a(b c)", "d", "e"]);
    assert_eq!(with_field("allowed-tools: a(b c d").allowed_tools, ["a(b", "c", "d"]);
    assert_eq!(extra("mode: true"), [("mode".to_owned(), YamlValue::Bool(true))]);
}

#[test]
fn what_yaml_allows_beyond_the_page_is_refused() {
    for field in [
        "x: \u{1}",
        "x: a\0b",
        "x: \u{7f}",
        "? [a]\n: b",
        "? {a: b}\n: c",
        "'': x",
        "x: !!int 1",
        "x: !!str [a]",
        "x: ! a",
        "x: &a [*a]",
        "<<: *nothing",
        "... \nx: y",
        "--- x",
        "%YAML 1.2",
        "x: {a: 1, b: 2",
    ] {
        assert_eq!(rules(&with_field(field)), ["SK-03"], "{field:?}");
    }
    assert_eq!(rules(&with_field("x: [{a: 1, 'a': 2}]")), ["SK-04"]);
    assert_eq!(with_field("x: [{a: 1, 'a': 2}]").problems[0].path, "/x/0/a");
    assert_eq!(rules(&with_field("# comment\nmodel: a\u{85}b\n...")), Vec::<&str>::new());
    assert_eq!(rules(&with_field("arguments: &a x\nmodel: *a\n*a : y")), ["SK-15"]);
}

#[test]
fn limits_are_where_they_are_said_to_be() {
    let nested = |levels: usize| {
        rules(&with_field(&format!("hooks: {}{}", "[".repeat(levels), "]".repeat(levels)))).len()
    };
    assert_eq!((nested(15), nested(16)), (0, 1));
    let listed =
        |count: usize| rules(&with_field(&format!("hooks: [{}]", "a,".repeat(count)))).len();
    // The mapping, three keys, two texts and the list.
    assert_eq!((listed(1_993), listed(1_994)), (0, 1));
    let repeated = |count: usize| {
        let field = format!("model: &a {}\nhooks: [{}]", "x".repeat(1 << 10), "*a,".repeat(count));
        rules(&with_field(&field)).len()
    };
    assert_eq!((repeated(64), repeated(65)), (0, 1));
}

/// Time that grows with the square of 64 KiB would make this test stand out for minutes.
#[test]
fn hostile_frontmatter_is_read_in_bounded_steps() {
    let whole = 64 << 10;
    let piece = |piece: &str| piece.repeat((whole - 100) / piece.len());
    for field in [
        piece("["),
        piece("{"),
        piece("{a: "),
        piece("- "),
        piece("? "),
        piece("? - "),
        piece(": "),
        piece("&a "),
        piece("*a "),
        piece("!a "),
        piece("!!str "),
        piece("'"),
        piece("\""),
        piece("\\"),
        piece("|\n"),
        piece(">\n "),
        piece("\n"),
        piece("\t"),
        piece("a:\n "),
        piece("#\n"),
        piece("...\n"),
        piece("--- \n"),
        piece("%TAG ! a\n"),
        format!("x: [{}", piece("a,")),
        format!("x: [{}", piece("a: b,")),
        format!("x: [{}", piece("[],")),
        format!("x: [{}", piece("\n")),
        format!("x: \"{}", piece(" \n")),
        format!("x: |\n{}", piece(" \n")),
        format!("x: {}", piece("é\n ")),
        (0..6_000).map(|at| format!("x{at}: &a{at}\n")).collect(),
        (0..6_000).map(|at| format!("- {at}\n")).collect(),
        (0..400).map(|at| format!("{}a:\n", " ".repeat(at))).collect(),
        piece("description: a: b\n"),
        piece("license: a\n"),
    ] {
        let _ = with_field(&field);
        let _ = super::super::yaml::read_yaml(&field);
    }
}

fn written() -> impl Strategy<Value = (String, String)> {
    let plain = "[a-zé][a-z0-9é ]{0,20}[a-z]".prop_map(|text| (text.clone(), text));
    let single = "[ -~é]{0,30}".prop_map(|text| (format!("'{}'", text.replace('\'', "''")), text));
    let double = any::<String>().prop_map(|text| (serde_json::to_string(&text).unwrap(), text));
    let double = double.prop_filter("printable", |(_, text)| {
        !text.chars().any(|c| (c.is_control() && !c.is_ascii()) || c == '\x7f' || c == '\u{feff}')
    });
    let literal = proptest::collection::vec("[!-~é][ -~é]{0,20}", 1..4).prop_map(|lines| {
        (format!("|\n    {}", lines.join("\n    ")), format!("{}\n", lines.join("\n")))
    });
    prop_oneof![plain, single, double, literal]
}

proptest! {
    #[test]
    fn any_bytes_give_a_document(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = SkillDocument::parse(&bytes, &SkillOptions::default(), &mut |_, _| false);
    }

    #[test]
    fn pieces_of_yaml_give_a_document(
        pieces in proptest::collection::vec(prop_oneof![
            "(description|name|license|metadata|mode|x|allowed-tools): ?",
            "[-\\[\\]{}&*!|>'\"%@`?:,#\\\\~ \t\n\ré\u{85}\u{feff}ab1.]{1,6}",
            Just("\n---\n".to_owned()), Just("\n".to_owned()), Just("\n  ".to_owned()),
        ], 0..40),
        strict in any::<bool>(),
    ) {
        let text = format!("---\n{}", pieces.concat());
        let options = SkillOptions { dir_name: Some("x"), strict, ..SkillOptions::default() };
        let read = SkillDocument::parse(text.as_bytes(), &options, &mut |a, b| a == b);
        prop_assert!(text.ends_with(&read.body) || rules(&read).contains(&"SK-24"));
        let has_error = read.problems.iter().any(|problem| problem.severity == Severity::Error);
        prop_assert_eq!(read.valid, !has_error);
        for problem in &read.problems {
            prop_assert!(text.is_char_boundary(problem.offset.unwrap() as usize), "{:?}", problem);
        }
    }

    #[test]
    fn what_was_written_is_read_back(
        texts in proptest::collection::vec(written(), 1..8),
        body in any::<String>(),
    ) {
        let fields: String =
            texts.iter().enumerate().map(|(at, (text, _))| format!("  k{at}: {text}\n")).collect();
        let text = format!("---\nname: a\ndescription: d\nmetadata:\n{fields}---\n{body}");
        let read = read(&text);
        let metadata: Vec<_> = read.metadata.iter().map(|(_, text)| text.as_str()).collect();
        let wanted: Vec<_> = texts.iter().map(|(_, text)| text.as_str()).collect();
        prop_assert_eq!(metadata, wanted, "{:?} {:?}", text, read.problems);
        prop_assert_eq!(read.body, body);
    }
}

#[test]
fn what_is_not_seen_is_removed() {
    let text = "---\nname: a\ndescription: d\u{200b}e \u{202e}\nlicense: x\n---\na\u{200b}b\u{1b}[1m می\u{200c}خواهم";
    let read = read(text);
    assert_eq!((&*read.description, &*read.body), ("de ", "ab می\u{200c}خواهم"));
    assert!(read.valid);
    assert_eq!(rules(&read), ["SK-24", "SK-24"]);
    let at = text.find("a\u{200b}b").unwrap() + 1;
    #[allow(clippy::cast_precision_loss)]
    let offset = at as f64;
    assert_eq!((&*read.problems[1].path, read.problems[1].offset), ("", Some(offset)));
    assert_eq!(read.problems[0].path, "/description");
    assert!(
        rules(&self::read("\u{feff}---\nname: a\ndescription: d\n---\nx 👨\u{200d}👩")).is_empty()
    );
}
