//! Cases from gitignore(5), from globset and from what ripgrep does; laws against a slow matcher.

// Tests may fail loudly.
#![allow(clippy::string_slice)]

use super::*;
use proptest::prelude::*;

fn matches(pattern: &str, path: &str) -> bool {
    Glob::new(pattern).unwrap_or_else(|e| panic!("{pattern}: {e}")).matches(path)
}

#[track_caller]
fn cases(table: &[(&str, &[&str], &[&str])]) {
    for (pattern, yes, no) in table {
        for path in *yes {
            assert!(matches(pattern, path), "{pattern} matches {path}");
        }
        for path in *no {
            assert!(!matches(pattern, path), "{pattern} does not match {path}");
        }
    }
}

#[test]
fn without_a_slash_a_pattern_matches_at_any_depth() {
    cases(&[
        ("*.ts", &["a.ts", "src/a.ts", "a/b/c/.d.ts", ".ts"], &["a.tsx", "a.ts/b"]),
        ("a", &["a", "x/a"], &["ab", "a/x", "xa"]),
        ("日*.txt", &["日本語.txt", "x/日.txt"], &["本.txt"]),
        (".env*", &[".env", ".env.example", "x/.env"], &["a.env"]),
    ]);
}

#[test]
fn a_slash_at_the_front_or_within_ties_a_pattern_to_the_start() {
    cases(&[
        ("/*.ts", &["a.ts"], &["src/a.ts"]),
        ("src/*.ts", &["src/a.ts", "src/.dotted.ts"], &["x/src/a.ts", "src/b/a.ts"]),
        ("/a", &["a"], &["x/a"]),
        ("many/f10?.txt", &["many/f101.txt"], &["many/f10.txt", "many/f10/.txt"]),
    ]);
}

#[test]
fn two_stars_cross_folders_only_as_a_whole_component() {
    cases(&[
        ("**", &["a", "a/b", ".x/y"], &[]),
        ("**/*", &["a", "a/b"], &[]),
        ("**/a", &["a", "x/a", "x/y/a"], &["xa", "a/x"]),
        ("a/**", &["a/b", "a/b/c"], &["a", "b/a/c"]),
        ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "axb", "a/xb", "a/b/c"]),
        ("a/**/**/b", &["a/b", "a/x/b"], &["ab"]),
        ("a**b", &["ab", "axxb", "x/ab"], &["a/b"]),
        ("src/a**/c", &["src/a/c", "src/ab/c"], &["src/a/b/c"]),
        ("***", &["a", "x/a"], &[]),
        ("**/*.{ts,tsx}", &["a.ts", "b/c.tsx"], &["a.tsxx"]),
        ("**/out.js", &["out.js", "dist/out.js"], &["out.jsx"]),
    ]);
}

#[test]
fn a_star_a_question_mark_and_a_class_never_match_a_slash() {
    cases(&[
        ("/a*b", &["ab", "axb"], &["a/b"]),
        ("/a?b", &["axb", "a😀b"], &["a/b", "ab"]),
        ("/a[!x]b", &["ayb"], &["a/b", "axb"]),
        ("/a[.-0]b", &["a.b", "a0b"], &["a/b"]),
    ]);
}

#[test]
fn classes_have_ranges_negation_and_literal_ends() {
    cases(&[
        ("src/[au]*.ts", &["src/app.ts", "src/util.ts"], &["src/dup.ts"]),
        ("src/[!a-t]*.ts", &["src/util.ts", "src/.dotted.ts"], &["src/app.ts"]),
        ("[^a]", &["b"], &["a"]),
        ("[]a]", &["]", "a"], &["b"]),
        ("[!]a]", &["b"], &["]", "a"]),
        ("[a-]", &["a", "-"], &["b"]),
        ("[-a]", &["a", "-"], &["b"]),
        ("[a\\]]", &["a", "]"], &["b"]),
        ("[à-ü]", &["é"], &["e"]),
        ("[a-c-e]", &["b", "-", "e"], &["d"]),
    ]);
}

#[test]
fn groups_may_be_nested_and_alternatives_empty() {
    cases(&[
        ("*.{ts,js}", &["a.ts", "b.js"], &["a.t", "a.ts,js"]),
        ("{a,b{c,d{e,f}}}x", &["ax", "bcx", "bdex", "bdfx"], &["bx", "bdx", "x"]),
        ("a{,.txt}", &["a", "a.txt"], &["a."]),
        ("{src,test}/**/*.ts", &["src/a.ts", "test/x/a.ts"], &["lib/a.ts"]),
        ("{a/**,b}", &["a/x/y", "b"], &["x/b", "a"]),
        ("{**/a,b/c}", &["a", "x/a", "b/c"], &["x/b/c"]),
        ("{[a,b],c}", &["a", ",", "c"], &["["]),
        ("a,b", &["a,b"], &["a", "b"]),
        ("{a}", &["a"], &["{a}"]),
    ]);
}

#[test]
fn a_backslash_makes_the_next_character_literal() {
    cases(&[
        ("\\*", &["*"], &["a"]),
        ("\\[id\\].ts", &["[id].ts"], &["i.ts"]),
        ("\\{a,b\\}", &["{a,b}"], &["a"]),
        ("\\!a", &["!a"], &["a", "b"]),
        ("a\\b", &["ab"], &["a\\b"]),
    ]);
}

#[test]
fn an_exclamation_mark_takes_the_rest_and_no_hidden_file() {
    let glob = Glob::new("!**/*.txt").unwrap();
    assert!(glob.matches("a.py") && !glob.matches("x/a.txt") && glob.matches(".env"));
    assert!(glob.lists("a.py") && !glob.lists("src/.dotted.ts"));
    assert!(Glob::new(".*").unwrap().lists("a/.env"));
}

#[test]
fn an_empty_pattern_lists_all() {
    let glob = Glob::new("").unwrap();
    assert!(glob.matches("a") && glob.lists("a/b/.env"));
}

#[test]
fn brackets_that_find_nothing_can_be_taken_literally() {
    let glob = Glob::new("[id].ts").unwrap();
    assert!(glob.has_class() && glob.matches("i.ts") && !glob.matches("[id].ts"));
    let literal = Glob::literal("[id].ts").unwrap();
    assert!(
        literal.matches("[id].ts") && literal.matches("app/[id].ts") && !literal.matches("i.ts")
    );
    assert!(Glob::literal("app/[...slug]/*.{ts,tsx}").unwrap().matches("app/[...slug]/page.tsx"));
    assert!(Glob::literal("[[...a]].ts").unwrap().matches("[[...a]].ts"));
    assert!(Glob::literal("[user-id].ts").unwrap().matches("[user-id].ts"));
    assert!(!Glob::new("*.ts").unwrap().has_class());
}

#[test]
fn an_error_names_its_place() {
    for (pattern, at) in [
        ("src/[a", 4),
        ("*.{ts", 2),
        ("{a,{b}", 0),
        ("a}", 1),
        ("a\\", 1),
        ("é[", 2),
        ("[z-a]", 3),
        ("!/[", 2),
        ("[", 0),
        ("[]", 0),
        ("[\\", 0),
        ("a{b,[c}", 4),
    ] {
        let error = Glob::new(pattern).unwrap_err();
        assert_eq!(error.at, at, "{pattern}: {error}");
    }
    assert_eq!(Glob::literal("[a").map(|g| g.matches("[a")), Ok(true));
    assert!(Glob::new(&"a".repeat(70_000)).is_err());
    assert!(Glob::new("[").unwrap_err().to_string().ends_with("(at byte 0)"));
}

impl PartialEq for Glob {
    fn eq(&self, _: &Glob) -> bool {
        false
    }
}

fn decision(text: &str, path: &str, is_directory: bool) -> Option<bool> {
    IgnoreFile::parse(text).decision(path, is_directory)
}

#[test]
fn the_last_line_that_matches_decides() {
    let text = "*.log\n!keep.log\nkeep.log\n!/keep.log\n";
    assert_eq!(decision(text, "a.log", false), Some(true));
    assert_eq!(decision(text, "keep.log", false), Some(false));
    assert_eq!(decision(text, "x/keep.log", false), Some(true));
    assert_eq!(decision(text, "a.txt", false), None);
}

#[test]
fn lines_of_ignore_files_have_ends_comments_and_escapes() {
    for (text, path, is_directory, expected) in [
        ("dist/", "dist", true, Some(true)),
        ("dist/", "dist", false, None),
        ("dist/", "a/dist", true, Some(true)),
        ("a/dist/", "x/a/dist", true, None),
        ("# a\n#b", "#b", false, None),
        ("\\#b", "#b", false, Some(true)),
        ("\\!b", "!b", false, Some(true)),
        ("a\r\nb\r\n", "a", false, Some(true)),
        ("a\r\nb\r\n", "b", false, Some(true)),
        ("\u{feff}a", "a", false, Some(true)),
        ("a  ", "a", false, Some(true)),
        ("a\\ ", "a ", false, Some(true)),
        ("a\\   ", "a ", false, Some(true)),
        ("a\\\\ ", "a\\", false, Some(true)),
        ("  ", "a", false, None),
        (" a", " a", false, Some(true)),
        ("[\nb", "b", false, Some(true)),
        ("!", "a", false, None),
        ("/", "a", true, None),
        ("**/", "a/b", true, Some(true)),
        ("**/", "a/b", false, None),
        ("foo/*", "foo/a", false, Some(true)),
        ("foo/*", "foo/a/b", false, None),
        ("foo/**", "foo", true, None),
        ("/*\n!/foo\n/foo/*\n!/foo/bar", "foo/bar", true, Some(false)),
        ("/*\n!/foo\n/foo/*\n!/foo/bar", "foo/x", false, Some(true)),
    ] {
        assert_eq!(decision(text, path, is_directory), expected, "{text:?} {path}");
    }
    assert!(IgnoreFile::parse("# a\n\n").is_empty());
}

#[test]
fn kinds_have_an_order_and_deeper_folders_come_first() {
    let mut stack = IgnoreStack::default();
    let mut add = |folder, name, text| {
        stack.add(folder, IgnoreKind::of_name(name).unwrap(), IgnoreFile::parse(text));
    };
    add("", ".gitignore", "*.log\nonly/a\n/x/top\n");
    add("a/b", ".gitignore", "!keep.log\n/deep\n");
    add("a", ".ignore", "keep.log\n!free.log\n");
    add("", ".rgignore", "!now.log\n");
    for (path, expected) in [
        ("x.log", true),
        ("a/b/x.log", true),
        ("a/b/c/keep.log", true),
        ("a/free.log", false),
        ("now.log", false),
        ("a/b/now.log", false),
        ("a/b/deep", true),
        ("a/b/c/deep", false),
        ("deep", false),
        ("only/a", true),
        ("x/only/a", false),
        ("x/top", true),
    ] {
        assert_eq!(stack.is_ignored(path, false), expected, "{path}");
    }
    assert_eq!(IgnoreKind::of_name("gitignore"), None);
}

#[test]
fn git_ignore_files_above_a_repository_do_not_count_in_it() {
    let mut stack = IgnoreStack::default();
    stack.add("", IgnoreKind::Git, IgnoreFile::parse("*.log"));
    stack.add("", IgnoreKind::Ignore, IgnoreFile::parse("*.tmp"));
    stack.add("sub", IgnoreKind::GitExclude, IgnoreFile::parse("own"));
    stack.add_repository("sub");
    assert!(stack.is_ignored("a.log", false) && stack.is_ignored("subs/a.log", false));
    assert!(!stack.is_ignored("sub/x/a.log", false));
    assert!(stack.is_ignored("sub/x/a.tmp", false) && stack.is_ignored("sub/own", true));
}

#[test]
fn git_is_never_entered_and_hidden_directories_only_by_grep() {
    assert!(is_skipped(".git", true, true) && is_skipped(".git", false, true));
    assert!(is_skipped(".hidden", true, false) && !is_skipped(".hidden", true, true));
    assert!(!is_skipped(".env", false, false) && !is_skipped("src", true, false));
    assert!(!is_skipped(".github", true, true) && !is_skipped(".gitignore", false, false));
}

#[test]
fn an_absolute_pattern_is_made_relative() {
    for (pattern, expected) in [
        ("/d/demo/src/*.ts", "/src/*.ts"),
        ("!/d/demo/src/*.ts", "!/src/*.ts"),
        ("/d/demo2/*.ts", "/d/demo2/*.ts"),
        ("/src/*.ts", "/src/*.ts"),
        ("./a", "/a"),
        (".env", ".env"),
        ("", ""),
    ] {
        assert_eq!(relative_pattern(pattern, "/d/demo"), expected);
        assert_eq!(relative_pattern(pattern, "/d/demo/"), expected);
    }
    assert_eq!(relative_pattern("/a", "/"), "/a");
}

#[test]
fn hostile_patterns_take_bounded_time() {
    let path = format!("{}b", "a".repeat(4_000));
    assert!(!matches(&format!("{}c*", "a*".repeat(2_000)), &path));
    assert!(!matches(&format!("{}c", "{a,aa}".repeat(300)), &"a".repeat(500)));
    assert!(!matches(&format!("{}a{}x", "{a,".repeat(5_000), "}".repeat(5_000)), "aaab"));
    assert!(!matches(&"**/".repeat(2_000), &"a/".repeat(200)));
    assert!(matches(&format!("{}a", "**/".repeat(2_000)), &format!("{}a", "b/".repeat(200))));
    assert!(!matches("{,{,{,{,{,}}}}}x", "y"));
    let file = IgnoreFile::parse(&"*.log\n/a/b\nnode_modules/\n".repeat(30_000));
    assert_eq!(file.decision("src/deep/file.rs", false), None);
}

/// A slow matcher of the grammar, written apart: groups are expanded, the rest tried recursively.
fn slow(pattern: &str, path: &str) -> bool {
    let rooted = pattern.starts_with('/') || pattern.contains('/');
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    expand(pattern).iter().any(|one| {
        let p: Vec<char> = one.chars().collect();
        let starts = path.match_indices('/').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(starts.take_while(|_| !rooted));
        starts.into_iter().any(|at| tries(&p, None, &path[at..]))
    })
}

/// The patterns without groups: the innermost group first.
fn expand(pattern: &str) -> Vec<String> {
    let Some(close) = pattern.find('}') else { return vec![pattern.to_owned()] };
    let open = pattern[..close].rfind('{').unwrap();
    let inner = pattern[open + 1..close].split(',');
    inner.flat_map(|a| expand(&[&pattern[..open], a, &pattern[close + 1..]].concat())).collect()
}

fn tries(p: &[char], before: Option<char>, path: &str) -> bool {
    let mut rest = path.chars();
    let component = before.is_none() || before == Some('/');
    match p {
        [] => path.is_empty(),
        ['*', '*'] if component => before.is_none() || !path.is_empty(),
        ['*', '*', '/', more @ ..] if component => {
            tries(more, Some('/'), path)
                || path.match_indices('/').any(|(at, _)| tries(more, Some('/'), &path[at + 1..]))
        }
        ['*', more @ ..] => {
            tries(more, Some('*'), path)
                || rest.next().is_some_and(|c| c != '/' && tries(p, Some('*'), rest.as_str()))
        }
        ['?', more @ ..] => {
            rest.next().is_some_and(|c| c != '/' && tries(more, Some('?'), rest.as_str()))
        }
        [c, more @ ..] => rest.next() == Some(*c) && tries(more, Some(*c), rest.as_str()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_matcher_agrees_with_a_slow_one(
        pattern in "(/)?([ab*?/]|\\*\\*/|/\\*\\*/){1,8}(/\\*\\*)?",
        path in "[ab]{1,3}(/[ab]{1,3}){0,3}",
    ) {
        let pattern = pattern.trim_end_matches('/').replace("//", "/");
        prop_assume!(!pattern.contains("//") && !pattern.is_empty());
        prop_assert_eq!(matches(&pattern, &path), slow(&pattern, &path), "{} {}", pattern, path);
    }

    #[test]
    fn groups_are_what_their_expansion_is(
        pattern in "([ab*?]|\\{(a|b|\\*|\\{a,b\\})?(,(a|bb|\\?|\\{,a\\}))?\\}){1,5}",
        path in "[ab]{1,5}(/[ab]{1,3})?",
    ) {
        // Two stars that come together by expansion are no component.
        if expand(&pattern).iter().any(|p| p.contains("**")) {
            return Ok(());
        }
        prop_assert_eq!(matches(&pattern, &path), slow(&pattern, &path), "{} {}", pattern, path);
    }

    #[test]
    fn any_text_is_a_glob_or_an_error_within_it(pattern in "\\PC{0,20}|[\\[\\]{}!^*?\\\\/,a-]{0,20}", path in "[ab/*{]{0,9}") {
        match Glob::new(&pattern) {
            Ok(glob) => prop_assert_eq!(glob.matches(&path), glob.matches(&path)),
            Err(error) => prop_assert!(pattern.is_char_boundary(error.at), "{}", error),
        }
        let _ = IgnoreFile::parse(&pattern).decision(&path, true);
    }
}
