use super::*;
use proptest::prelude::*;

const PLAIN: QueryOptions = QueryOptions { regex: false, case_sensitive: false };

fn parse(text: &str, options: QueryOptions) -> Result<ParsedQuery, QueryMistake> {
    parse_query(text, options, &mut |pattern| (pattern == "(").then(|| "unclosed".to_owned()))
}

fn texts(text: &str) -> Vec<String> {
    let query = parse(text, PLAIN).unwrap();
    let shown =
        |term: &QueryTerm| if term.regex { format!("/{}/", term.text) } else { term.text.clone() };
    query.terms.iter().map(shown).collect()
}

fn filters(text: &str) -> Vec<String> {
    let query = parse(text, PLAIN).unwrap();
    let filters = query.filters.iter();
    { filters }
        .map(|filter| {
            let not = if filter.negated { "not " } else { "" };
            match &filter.condition {
                FilterCondition::Names { values } => {
                    format!("{not}{} {}", filter.name, values.join("|"))
                }
                FilterCondition::Number { than, value } => {
                    format!("{not}{} {than} {value}", filter.name)
                }
            }
        })
        .collect()
}

#[test]
fn words_are_one_phrase_and_filters_are_taken_out_of_it() {
    for (query, expected) in [
        ("exit code", vec!["exit code"]),
        ("  two  spaces ", vec!["two  spaces"]),
        ("", vec![]),
        ("\u{feff} \n", vec![]),
        ("exit tool:bash code", vec!["exit code"]),
        ("tool:bash exit code status:error", vec!["exit code"]),
        ("\"tool:bash\"", vec!["tool:bash"]),
        ("\"one\" \"two\"", vec!["one", "two"]),
        ("a b \"one\" c", vec!["a b", "one", "c"]),
        (r#""say \"hi\" \n""#, vec![r#"say "hi" \n"#]),
        ("\"\"", vec![]),
        ("{\"type\": 1}", vec!["{\"type\": 1}"]),
        ("\"type\": 5", vec!["\"type\": 5"]),
        ("/exit [1-9]/", vec!["/exit [1-9]/"]),
        (r"/a\/b/i", vec![r"/a\/b/"]),
        ("/[/]/", vec!["/[/]/"]),
        (r"/[\]/]x/", vec![r"/[\]/]x/"]),
        ("/home/dev/file.txt", vec!["/home/dev/file.txt"]),
        ("/[a/", vec!["/[a/"]),
        ("//", vec!["//"]),
        ("Error: no", vec!["Error: no"]),
        ("http://a.b/c", vec!["http://a.b/c"]),
        ("-x tool>3 a<b", vec!["-x tool>3 a<b"]),
        ("ls cost > $1 -la", vec!["ls -la"]),
        ("cost < effort", vec!["cost < effort"]),
        ("cost=low", vec!["cost=low"]),
    ] {
        assert_eq!(texts(query), expected, "{query}");
    }
}

#[test]
fn filters_have_names_or_compare_a_number() {
    for (query, expected) in [
        ("tool:bash,read", "tool bash|read"),
        ("Tool:Web*", "tool Web*"),
        ("tool:\"my tool\"", "tool my tool"),
        ("-role:user", "not role user"),
        ("exit:-1,0", "exit -1|0"),
        ("cost<=$2", "cost <= 2"),
        ("cost > .05", "cost > 0.05"),
        ("tokens>=1.5k", "tokens >= 1500"),
        ("tokens<2M", "tokens < 2000000"),
        ("tokens<1.005k", "tokens < 1005"),
        ("dur>10", "dur > 10000"),
        ("dur>5.s", "dur > 5000"),
        ("dur >=500ms", "dur >= 500"),
        ("dur>1.005s", "dur > 1005"),
        ("dur>1.5m", "dur > 90000"),
        ("dur<2h", "dur < 7200000"),
    ] {
        assert_eq!(filters(query), [expected], "{query}");
    }
}

#[test]
fn a_mistake_is_a_sentence_with_a_place() {
    let long = "x".repeat(2001);
    for (query, at, says) in [
        ("é \u{1f600} \"two", 5, "quotation mark is not closed"),
        ("a tool:", 7, "A value is missing behind tool:, as in tool:bash"),
        (
            "status:broken",
            7,
            "no status “broken”: it is pending, running, completed, error, failed or requested",
        ),
        ("role:robot", 5, "it is user, assistant or other"),
        ("exit:one", 5, "“one” is not an exit code, as in exit:101"),
        ("exit:12345678901", 5, "not an exit code"),
        ("x cost>abc", 7, "“abc” is not an amount of dollars, as in cost>0.05"),
        ("cost>", 5, "An empty value is not an amount of dollars"),
        ("cost:5", 0, "Write cost>0.05"),
        ("x cost=5", 2, "Write cost>0.05"),
        ("tokens>5s", 7, "not an amount of tokens"),
        ("dur>$5", 4, "not an amount of time"),
        ("dur>.", 4, "not an amount of time"),
        ("dur>-5", 4, "not an amount of time"),
        ("dur>1.2.3", 4, "not an amount of time"),
        ("a /(/", 3, "not a valid regular expression: unclosed"),
        ("/a/g", 3, "only flag"),
        (long.as_str(), 2000, "at most 2000 characters"),
    ] {
        let mistake = parse(query, PLAIN).unwrap_err();
        assert!(mistake.sentence.contains(says), "{query}: {mistake:?}");
        assert!(mistake.sentence.ends_with('.'), "{mistake:?}");
        assert_eq!(mistake.at, at, "{query}");
    }
}

#[test]
fn a_word_that_names_no_filter_is_named() {
    let unknown = |query| parse(query, PLAIN).unwrap().unknown;
    assert_eq!(unknown("error -foo:bar baz:1").as_deref(), Some("foo"));
    assert_eq!(unknown("foo:").as_deref(), Some("foo"));
    for query in [
        "http://a.b",
        "std::fs",
        r"c:\x",
        "error: no",
        "Error:no",
        "10:30",
        "\"foo:bar\"",
        "a foo: b",
    ] {
        assert_eq!(unknown(query), None, "{query}");
    }
}

#[test]
fn case_matters_where_it_is_asked_for() {
    let options = QueryOptions { regex: true, case_sensitive: true };
    let query = parse("a.b \"c\" /d/ /e/i", options).unwrap();
    let terms: Vec<_> =
        query.terms.iter().map(|t| (t.text.as_str(), t.regex, t.case_sensitive)).collect();
    let expected = [("a.b", true, true), ("c", false, true), ("d", true, true), ("e", true, false)];
    assert_eq!(terms, expected);
}

#[test]
fn names_match_with_stars() {
    for (pattern, name, matches) in [
        ("bash", "Bash", true),
        ("web*", "webfetch", true),
        ("w*f*h", "webfetch", true),
        ("*", "", true),
        ("web", "webfetch", false),
        ("ab*ba", "aba", false),
        ("a*b*c", "acb", false),
    ] {
        assert_eq!(matches_name(pattern, name), matches, "{pattern} {name}");
    }
    assert!(!matches_name(&"a*".repeat(900), &"b".repeat(5000)));
}

proptest! {
    #[test]
    fn anything_at_all_is_a_query_or_a_mistake(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "\"", "/", "\\", "tool:", "cost>", "status:", "dur <", "-", "*", "a", " ", "(", "[",
                "]", "<", "=", "é", "\u{1f600}", "\n", "\u{85}", ",", ".", "$", "9", "i",
            ]),
            0..30,
        ),
        regex in any::<bool>(),
    ) {
        let text = pieces.concat();
        let options = QueryOptions { regex, case_sensitive: regex };
        match parse(&text, options) {
            Ok(query) => prop_assert!(query.terms.iter().all(|term| !term.text.is_empty())),
            Err(mistake) => {
                prop_assert!(mistake.at <= text.encode_utf16().count());
                prop_assert!(mistake.sentence.ends_with('.'));
            }
        }
    }

    #[test]
    fn a_quoted_text_is_itself(text in ".{1,40}", before in "[a-z ]{0,5}") {
        let quoted = format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""));
        let query = parse(&format!("{before} {quoted} tool:bash"), PLAIN).unwrap();
        prop_assert_eq!(&query.terms.last().unwrap().text, &text);
        prop_assert_eq!(query.filters.len(), 1);
    }
}
