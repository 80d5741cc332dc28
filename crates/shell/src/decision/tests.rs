use super::*;
use proptest::prelude::*;

fn rules(list: &[(&'static str, Permit)]) -> Rules {
    Rules::new(list.iter().map(|(pattern, permit)| ("bash", *pattern, *permit)))
}

/// What holds for a text, and the commands that are asked.
fn verdict(list: &[(&'static str, Permit)], text: &str) -> (Permit, Vec<String>) {
    let rules = rules(list);
    let verdict = Permissions::new(&[&rules], &[]).shell(text);
    (verdict.permit, verdict.asked.into_iter().map(|(command, _)| command).collect())
}

const ALL: (&str, Permit) = ("*", Permit::Allow);

#[test]
fn every_command_is_judged() {
    let list = [ALL, ("rm *", Permit::Deny), ("git push *", Permit::Ask)];
    assert_eq!(verdict(&list, "ls; git status"), (Permit::Allow, vec![]));
    assert_eq!(verdict(&list, "ls && git push"), (Permit::Ask, vec!["git push".into()]));
    assert_eq!(verdict(&list, "git push; sudo rm x").0, Permit::Deny);
    assert_eq!(verdict(&list, "echo $(/bin/r'm' -f x)").0, Permit::Deny);
    assert_eq!(verdict(&[], "ls"), (Permit::Ask, vec!["ls".into()]));
}

#[test]
fn what_is_not_known_is_asked_unless_all_is_allowed() {
    assert_eq!(verdict(&[ALL], "$x y").0, Permit::Allow);
    assert_eq!(verdict(&[("echo *", Permit::Allow)], "$x y").0, Permit::Ask);
    assert_eq!(verdict(&[ALL, ("rm *", Permit::Deny)], "$x y").0, Permit::Ask);
    // A word that is not known may be what a rule behind that of the text names.
    let list = [("ls *", Permit::Allow), ("ls keys *", Permit::Ask)];
    assert_eq!(verdict(&list, "ls \"$x\"").0, Permit::Ask);
    assert_eq!(verdict(&[list[1], list[0]], "ls \"$x\"").0, Permit::Allow);
}

#[test]
fn a_text_without_commands_is_asked_as_it_stands() {
    assert_eq!(verdict(&[], "# nothing"), (Permit::Ask, vec!["# nothing".into()]));
    assert_eq!(verdict(&[("# *", Permit::Allow)], "# nothing"), (Permit::Allow, vec![]));
    assert_eq!(verdict(&[ALL, ("rm *", Permit::Deny)], "[[ -n $(rm x) ]]").0, Permit::Deny);
}

#[test]
fn an_approval_allows_what_is_asked_and_never_what_is_denied() {
    let rules = rules(&[("rm *", Permit::Deny)]);
    let approved = [("bash".to_owned(), "ls *".to_owned()), ("bash".to_owned(), "rm *".to_owned())];
    let rulesets = [&rules];
    let permissions = Permissions::new(&rulesets, &approved);
    let of = |text: &str| permissions.decide("bash", &[text.to_owned()], Some(text));
    assert_eq!(of("ls -l"), Decision::Asked(vec![]));
    assert_eq!(of("pwd"), Decision::Asked(vec![0]));
    assert_eq!(of("rm x"), Decision::CommandDenied("rm x".into()));
    assert_eq!(permissions.decide("edit", &["a".into()], None), Decision::Asked(vec![0]));
}

#[test]
fn the_whole_text_is_asked_where_no_pattern_is() {
    let rules = rules(&[("cd *", Permit::Allow), ("ls *", Permit::Allow)]);
    let rulesets = [&rules];
    let permissions = Permissions::new(&rulesets, &[]);
    let whole = "ls\n'";
    assert_eq!(permissions.decide("bash", &["ls".into()], Some(whole)), Decision::WholeAsked);
    assert_eq!(permissions.decide("bash", &[], Some(whole)), Decision::Asked(vec![]));
}

#[test]
fn later_rulesets_win() {
    let first = rules(&[("ls *", Permit::Deny)]);
    let second = rules(&[("ls *", Permit::Allow)]);
    let permit = |all: &[&Rules]| Permissions::new(all, &[]).shell("ls").permit;
    assert_eq!(permit(&[&first, &second]), Permit::Allow);
    assert_eq!(permit(&[&second, &first]), Permit::Deny);
    let place = Permissions::new(&[&first, &second], &[]).last("bash", "ls");
    assert_eq!(place, Some(RulePlace { ruleset: 1, rule: 0 }));
}

fn any_permit() -> impl Strategy<Value = Permit> {
    prop_oneof![Just(Permit::Allow), Just(Permit::Deny), Just(Permit::Ask)]
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let pattern =
        prop_oneof!["\\*", "(git|rm|ls)( \\*)?", "(git|rm|ls) [a-z]{1,2}\\*?", "[a-z $;*]{0,6}"];
    prop::collection::vec((pattern, any_permit()), 0..6).prop_map(|list| {
        Rules::new(list.into_iter().map(|(pattern, permit)| ("bash".to_owned(), pattern, permit)))
    })
}

fn any_text() -> impl Strategy<Value = String> {
    let word = "(git|rm|ls|\\$x|'r'm|push|\"a b\"|/bin/rm|sudo)";
    let command = prop::collection::vec(word, 1..4).prop_map(|words| words.join(" "));
    let separator = prop_oneof![Just("; "), Just(" && "), Just(" | "), Just("\n")];
    let text = prop::collection::vec((command, separator), 1..4)
        .prop_map(|parts| parts.into_iter().flat_map(|(a, b)| [a, b.to_owned()]).collect());
    prop_oneof![4 => text, 1 => "[ -~\n]{0,20}"]
}

proptest! {
    /// A rule in front changes nothing of what later rules decide, one that denies all behind them denies all, and no
    /// approval beats a denial.
    #[test]
    fn laws(rules in any_rules(), text in any_text()) {
        let verdict = Permissions::new(&[&rules], &[]).shell(&text);
        let deny = Rules::new([("bash", "*", Permit::Deny)]);
        prop_assert_eq!(Permissions::new(&[&rules, &deny], &[]).shell(&text).permit, Permit::Deny);
        let all = [("bash".to_owned(), "*".to_owned())];
        let approved = Permissions::new(&[&rules], &all).shell(&text).permit;
        prop_assert_eq!(approved == Permit::Deny, verdict.permit == Permit::Deny);
        prop_assert_eq!(verdict.permit == Permit::Ask, !verdict.asked.is_empty());
        prop_assert_eq!(verdict.permit == Permit::Deny, verdict.denied.is_some());
        // A rule that denies nothing more cannot allow what was asked.
        let ask = Rules::new([("bash", "*", Permit::Ask)]);
        let stricter = Permissions::new(&[&rules, &ask], &[]).shell(&text).permit;
        // Some texts, as `[`, are never asked.
        let is_free = Permissions::new(&[], &[]).shell(&text).permit == Permit::Allow;
        prop_assert!(is_free || stricter != Permit::Allow);
    }
}

#[test]
fn only_a_rule_for_everything_allows_a_change_of_what_runs() {
    let list = [("*", Permit::Ask), ("ls *", Permit::Allow), ("export *", Permit::Allow)];
    for text in ["for PATH in .; do ls; done", "export PATH=.; ls"] {
        assert_eq!(verdict(&list, text), (Permit::Ask, vec![text.to_owned()]));
        assert_eq!(verdict(&[ALL, ("rm *", Permit::Deny)], text), (Permit::Allow, vec![]));
    }
    let spelled =
        [("*", Permit::Ask), ("NODE_OPTIONS=* npm *", Permit::Allow), ("npm *", Permit::Allow)];
    assert_eq!(verdict(&spelled, "NODE_OPTIONS=x npm test").0, Permit::Allow);
    assert_eq!(verdict(&spelled, "for NODE_OPTIONS in x; do npm test; done").0, Permit::Ask);
}

#[test]
fn a_harmless_assignment_needs_no_rule_of_its_own() {
    let list = [("*", Permit::Ask), ("npm *", Permit::Allow)];
    assert_eq!(verdict(&list, "CI=1 npm test"), (Permit::Allow, vec![]));
    assert_eq!(verdict(&list, "X=1 npm test").0, Permit::Ask);
    // The last rule that matches either spelling decides.
    let ask = ("CI=* npm *", Permit::Ask);
    assert_eq!(verdict(&[list[0], list[1], ask], "CI=1 npm test").0, Permit::Ask);
    assert_eq!(verdict(&[list[0], ask, list[1]], "CI=1 npm test").0, Permit::Allow);
    assert_eq!(verdict(&[ALL, ("npm *", Permit::Deny)], "CI=1 npm test").0, Permit::Deny);
    assert_eq!(verdict(&[ALL, ("CI=*", Permit::Deny)], "CI=1 npm test").0, Permit::Deny);
    assert_eq!(verdict(&[ALL, ("npm *", Permit::Ask)], "CI=1 npm test").0, Permit::Ask);
}

/// What is decided about one pattern of `edit`, by rules and approvals.
fn edit(list: &[(&'static str, Permit)], pattern: &str, approved: &[&str]) -> Decision {
    let rules = Rules::new(list.iter().map(|(pattern, permit)| ("edit", *pattern, *permit)));
    let approved: Vec<_> =
        approved.iter().map(|pattern| ("edit".to_owned(), (*pattern).to_owned())).collect();
    Permissions::new(&[&rules], &approved).decide("edit", &[pattern.to_owned()], None)
}

#[test]
fn a_target_that_is_not_known_is_judged_by_all_rules_that_may_decide() {
    let (allowed, asked, denied) =
        (Decision::Asked(vec![]), Decision::Asked(vec![0]), Decision::Denied(0));
    let none = ("*", Permit::Deny);
    let (src, docs) = (("src/*", Permit::Deny), ("docs/*", Permit::Allow));
    for (list, pattern, expected) in [
        (vec![], "*", &asked),
        (vec![ALL], "*", &allowed),
        (vec![none], "*", &denied),
        (vec![ALL, src], "*", &asked),
        (vec![src, ALL], "*", &allowed),
        (vec![none, src], "*", &denied),
        (vec![none, docs], "*", &asked),
        (vec![docs], "*", &asked),
        (vec![src], "*", &asked),
        (vec![ALL, ("a?", Permit::Deny)], "*", &asked),
        (vec![("*", Permit::Ask), docs], "*", &asked),
        (vec![("**", Permit::Allow)], "*", &allowed),
        // The beginning is known.
        (vec![ALL, src], "out/*", &allowed),
        (vec![ALL, src], "src/*", &denied),
        (vec![ALL, src], "src/a*", &denied),
        (vec![ALL, src], "s*", &asked),
        (vec![ALL, ("*.lock", Permit::Deny)], "out/*", &asked),
        (vec![ALL, ("out/1.lock", Permit::Deny)], "out/*", &asked),
        (vec![none, ("out/?", Permit::Allow)], "out/*", &asked),
    ] {
        assert_eq!(&edit(&list, pattern, &[]), expected, "{list:?} {pattern}");
    }
}

#[test]
fn an_approval_does_not_cover_what_may_be_denied() {
    let src = ("src/*", Permit::Deny);
    let asks = ("*", Permit::Ask);
    assert_eq!(edit(&[asks], "*", &["*"]), Decision::Asked(vec![]));
    assert_eq!(edit(&[asks], "out/*", &["out/*"]), Decision::Asked(vec![]));
    assert_eq!(edit(&[asks], "*", &["out/*"]), Decision::Asked(vec![0]));
    assert_eq!(edit(&[asks, src], "*", &["*"]), Decision::Asked(vec![0]));
    assert_eq!(edit(&[asks, src], "out/*", &["*"]), Decision::Asked(vec![]));
}

#[test]
fn only_a_directory_that_is_wholly_unknown_is_open() {
    let rules = Rules::new([
        ("external_directory", "*", Permit::Allow),
        ("external_directory", "/keys/*", Permit::Deny),
    ]);
    let rulesets = [&rules];
    let permissions = Permissions::new(&rulesets, &[]);
    let decide =
        |pattern: &str| permissions.decide("external_directory", &[pattern.to_owned()], None);
    assert_eq!(decide("*"), Decision::Asked(vec![0]));
    assert_eq!(decide("/*"), Decision::Asked(vec![]));
    assert_eq!(decide("/keys/*"), Decision::Denied(0));
    assert_eq!(permissions.decide("read", &["*".to_owned()], None), Decision::Asked(vec![0]));
}
