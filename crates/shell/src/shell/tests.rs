//! The sentences of the contract on shell commands.

use super::*;

mod attacks;
mod bounds;
mod directories;
mod following;
mod laws;
mod reading;
mod settings;
mod walks;

const CWD: &str = "/home/dev/demo";

fn request(text: &str) -> ShellRequest {
    shell_request(text, CWD, "/home/dev", &mut |path| {
        path == CWD || path.starts_with("/home/dev/demo/")
    })
}

/// Does a deny of `rm *` match?
fn denies_rm(request: &ShellRequest) -> bool {
    let candidates = request.commands.iter().flat_map(deny_candidates);
    let mut candidates = candidates.filter(|text| text == "rm" || text.starts_with("rm "));
    candidates.next().is_some()
}

fn patterns(text: &str) -> Vec<String> {
    let request = request(text);
    assert!(!request.opaque, "{text}");
    request.patterns
}

fn words(text: &str) -> Vec<Option<String>> {
    request(text).commands.remove(0).words
}

fn some(words: &[&str]) -> Vec<Option<String>> {
    words.iter().map(|word| Some((*word).to_owned())).collect()
}

#[test]
fn each_simple_command_of_a_list_is_a_pattern() {
    for text in
        ["a; b", "a & b", "a && b", "a || b", "a | b", "a |& b", "a\nb", "a;\n\n b &", "a&b"]
    {
        assert_eq!(patterns(text), ["a", "b"], "{text}");
    }
    assert_eq!(patterns("a; a"), ["a"]);
    assert_eq!(patterns(""), [""; 0]);
    assert_eq!(patterns("  # nothing"), [""; 0]);
    assert_eq!(patterns("a # b; c\nd#e"), ["a", "d#e"]);
}

#[test]
fn commands_within_compound_commands_are_found() {
    for (text, expected) in [
        ("{ a; }", vec!["a"]),
        ("(a)", vec!["a"]),
        ("( (a); b )", vec!["a", "b"]),
        ("((a); b)", vec!["a", "b"]),
        ("if a; then b; elif c; then d; else e; fi > f", vec!["a", "b", "c", "d", "e"]),
        ("while a; do b; done", vec!["a", "b"]),
        ("until a\ndo b\ndone < f", vec!["a", "b"]),
        ("for x in 1 2; do a; done; b", vec!["a", "b"]),
        ("for x\ndo a; done", vec!["a"]),
        ("for ((i = 0; i < 3; i++)); do b; done", vec!["b"]),
        ("select x in 1; do a; done", vec!["a"]),
        ("case $(a) in x|y) b;; (z) c;& *) d; esac", vec!["a", "b", "c", "d"]),
        ("f() { a; }; f", vec!["a", "f"]),
        ("function f { a; }", vec!["a"]),
        ("function f() ( a )", vec!["a"]),
        ("[[ -n $(a) && x =~ ^(b|c)$ ]] && d", vec!["a", "d"]),
        ("(( x = y + 1 )) && a", vec!["a"]),
        ("! a", vec!["a"]),
        ("time { a; }", vec!["a"]),
        ("coproc N { a; }", vec!["a"]),
    ] {
        assert_eq!(patterns(text), expected, "{text}");
    }
}

#[test]
fn commands_within_expansions_are_found_and_come_after_the_outer_one() {
    for (text, inner) in [
        ("a $(b)", "b"),
        ("a \"x $(b) y\"", "b"),
        ("a `b`", "b"),
        ("a \"`b`\"", "b"),
        ("a ${x:-$(b)}", "b"),
        ("a \"${x:-$(b)}\"", "b"),
        ("a <(b)", "b"),
        ("a > >(b)", "b"),
        ("x=$(b)", "b"),
        ("x=(1 $(b) 2)", "b"),
        ("a <<X\n$(b)\nX", "b"),
        ("a <<-X\n\t`b`\n\tX", "b"),
        ("a <<< $(b)", "b"),
        ("a > $(b)", "b"),
        ("a $(case x in x) b;; esac)", "b"),
        ("a `echo \\`b\\``", "echo `b`"),
    ] {
        let found = patterns(text);
        assert_eq!(found[0], text);
        assert_eq!(found[1], inner, "{text}");
    }
}

#[test]
fn a_here_document_belongs_to_its_command() {
    assert_eq!(patterns("cat <<'X'\nrm -rf /\nX"), ["cat <<'X'\nrm -rf /\nX"]);
    assert_eq!(patterns("a <<X | b\n1\nX\nc"), ["a <<X\n1\nX", "b", "c"]);
    assert_eq!(patterns("a <<X <<\\Y\n1\nX\n$(2)\nY\nb"), ["a <<X <<\\Y\n1\nX\n$(2)\nY", "b"]);
    // An escaped line feed joins lines before the delimiter is looked for, if the body is expanded.
    assert_eq!(patterns("a <<X\n1\\\nX\nX\nb"), ["a <<X\n1\\\nX\nX", "b"]);
    assert_eq!(patterns("a <<'X'\n1\\\nX\nb"), ["a <<'X'\n1\\\nX", "b"]);
    assert!(request("a <<X\n1").opaque);
}

#[test]
fn the_text_of_a_command_has_its_redirects_and_assignments() {
    let text = "FOO=1 BAR=\"2 3\" printenv FOO > made.txt 2>/dev/null";
    let request = request(text);
    assert_eq!(request.patterns, [text]);
    assert_eq!(request.always, ["printenv *"]);
    let command = &request.commands[0];
    assert_eq!(command.name.as_deref(), Some("printenv"));
    assert_eq!(command.words, some(&["FOO=1", "BAR=2 3", "printenv", "FOO"]));
    let target = |op: &str, target: &str| ShellRedirect {
        op: op.to_owned(),
        target: Some(target.to_owned()),
    };
    assert_eq!(command.redirects, [target(">", "made.txt"), target(">", "/dev/null")]);
}

#[test]
fn every_kind_of_redirect_is_read() {
    let ops = |text| {
        let redirects = request(text).commands.remove(0).redirects;
        let parts = redirects.into_iter().map(|r| (r.op, r.target.unwrap_or("?".to_owned())));
        parts.map(|(op, target)| [op, target].join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(ops("a <b >c >>d <>e >|f"), ["< b", "> c", ">> d", "<> e", ">| f"]);
    assert_eq!(ops("a 2>&1 >&2 <&- &>b &>>c"), [">& 1", ">& 2", "<& -", "&> b", "&>> c"]);
    assert_eq!(ops("a {fd}>b <<<c <<d >$x\nd"), ["> b", "<<< c", "<< d", "> ?"]);
    assert_eq!(request("> made").patterns, ["> made"]);
    assert_eq!(request("> made").always, [""; 0]);
}

#[test]
fn words_are_unquoted_and_an_expansion_is_none() {
    assert_eq!(words("r\\m -f 'a b' \"c\\\"d\" e\\ f"), some(&["rm", "-f", "a b", "c\"d", "e f"]));
    assert_eq!(words("$'\\x72\\155\\u0041\\n' $\"a\""), some(&["rmA\n", "a"]));
    assert_eq!(words("a\\\nb c \\\n d"), some(&["ab", "c", "d"]));
    assert_eq!(words("'r'm - --"), some(&["rm", "-", "--"]));
    assert_eq!(words("a *.txt \"$\" 5$"), some(&["a", "*.txt", "$", "5$"]));
    for text in ["a $x", "a \"$x\"", "a b$(c)", "a `b`", "a ${x}", "a $((1))", "a {b,c}", "a $1"] {
        assert_eq!(words(text)[1], None, "{text}");
    }
}

#[test]
fn a_bare_assignment_is_asked_and_has_no_always() {
    let request = request("X=1");
    assert_eq!(request.patterns, ["X=1"]);
    assert_eq!(request.always, [""; 0]);
    assert_eq!(request.commands[0].name, None);
}

#[test]
fn changes_of_the_directory_are_not_asked() {
    assert_eq!(patterns("cd src && chdir a; pushd b; popd; ls"), ["ls"]);
    assert_eq!(patterns("cd $(a)"), ["a"]);
    assert_eq!(patterns("cd src > made"), ["cd src > made"]);
    let request = request("cd src");
    assert!(!request.commands[0].asked);
    assert_eq!(deny_candidates(&request.commands[0]), ["cd src"]);
}

#[test]
fn always_is_the_known_prefix() {
    let prefixes = |text| request(text).always.join(", ");
    for (text, expected) in [
        ("cat a b", "cat *"),
        ("git", "git *"),
        ("git push origin main", "git push *"),
        ("git diff --", "git diff *"),
        ("git config user.name x", "git config user.name *"),
        ("git -C . push --force", "git -C . push *"),
        ("npm install x", "npm install *"),
        ("npm run build -- x", "npm run build *"),
        ("docker compose up -d || true", "docker compose up *, true *"),
        ("no_such_command_here", "no_such_command_here *"),
        ("'r'm -f x", "'r'm *"),
        ("/bin/rm -f x", "/bin/rm *"),
        ("echo a; echo b", "echo *"),
        ("$X a", ""),
    ] {
        assert_eq!(prefixes(text), expected, "{text}");
    }
}

#[test]
fn what_a_wrapper_runs_is_inner() {
    for (text, inner) in [
        ("sudo -n -u root rm -f x", vec!["rm -f x"]),
        ("env -i A=1 nice -n 5 rm 'a b'", vec!["nice -n 5 rm 'a b'", "rm 'a b'"]),
        ("bash -lc 'cd src && rm x; ls'", vec!["rm x", "ls"]),
        ("find . -name a -exec rm {} \\; -o -ok ls {} +", vec!["rm {}", "ls {}"]),
        ("xargs -0 -n 1 rm -f", vec!["rm -f"]),
        ("eval \"rm x\" y", vec!["rm x y"]),
        ("trap 'rm x' EXIT", vec!["rm x"]),
        ("coproc rm x", vec!["rm x"]),
        ("time -p rm x", vec!["rm x"]),
        ("timeout -s KILL 5 rm x", vec!["rm x"]),
        ("bash <<'X'\nrm x\nX", vec!["rm x"]),
        ("command -v rm", vec![]),
        ("env", vec![]),
        ("find . -name rm", vec![]),
    ] {
        let request = request(text);
        assert_eq!(request.commands[0].inner, inner, "{text}");
        assert!(!request.opaque, "{text}");
    }
}

#[test]
fn what_cannot_be_known_is_opaque() {
    for text in [
        "echo \"unclosed",
        "echo 'unclosed",
        "echo $(a",
        "a )",
        "{ a",
        "if a; then b",
        "a | | ;; b(",
        "echo `a",
        "a <<X",
        "${x",
        "case x in",
        "[[ a",
        "a \\",
        "fi",
        "do a",
        "$X",
        "\"$X\" a",
        "${X}b a",
        "$(a) b",
        "`a` b",
        "/bin/r? x",
        "r[m] x",
        "{rm,x}",
        "r*",
        "eval $X",
        "eval \"$X\"",
        "eval \"rm $X\"",
        "bash -c \"$X\"",
        "sh -c $X",
        "bash $X",
        "sudo $X",
        "env A=1 $X",
        "source $X",
        ". \"$X\"",
        "source <(a)",
        "echo a | bash",
        "bash -s",
        "bash < a",
        "trap \"$X\" EXIT",
        "xargs sh -c",
        "xargs bash",
        "find . -exec {} \\;",
        "xargs -I x x a",
        "git $X",
        "git -c alias.p=push p",
        "xargs git",
        "x='a[$(rm y)]'; ((x))",
        "let 'a[$(rm y)]'",
        "[[ 'a[$(rm y)]' -eq 1 ]]",
        "echo ${x@P}",
        "hash -p /bin/rm ls",
        "a\0b",
        "echo ${ a; }",
        "f=(",
        "if a; then b; fi fi c",
    ] {
        assert!(request(text).opaque, "{text}");
    }
}

#[test]
fn what_is_known_is_not_opaque() {
    for text in [
        "[ -f a ] && b",
        "test -n \"$X\"",
        "rm \"$X\"",
        "cat $f | grep x",
        "git log --format='%h [$x]'",
        "bash script.sh",
        "bash --version",
        "source venv/bin/activate",
        "python3 -c \"$X\"",
        "trap - EXIT",
        "trap '' INT",
        "alias ll='ls -l'",
        "xargs",
        "xargs -n1",
        "xargs rm",
        "find . -delete",
        "echo {a,b} *.txt ~",
        "a; ",
        "a &",
        "a;\n",
        "echo a=b [x] {}",
        "awk '{print $1}' f",
        "docker run -e \"A=$B\" x",
        "git commit -m \"$(cat <<'EOF'\nit's (a\n\nEOF\n)\"",
        "sed -e 's/[$]x/(/'",
        "echo \"a ${x:-b} ${#x} ${x[0]} ${x%.*} ${x//a/b} $((x << 2))\"",
        "for f in *; do echo \"$f\"; done",
        "grep -c $'\\t' f",
        "curl -s \"http://x/?a=1&b=2\"",
        "env | sort",
    ] {
        assert!(!request(text).opaque, "{text}");
    }
}

#[test]
fn a_part_that_cannot_be_parsed_is_denied_by_what_comes_before() {
    assert!(denies_rm(&request("ls; rm -f \"x")));
    assert!(denies_rm(&request("echo $(rm x")));
    assert!(denies_rm(&request("rm x )")));
    let request = request("echo \"unclosed");
    assert_eq!(request.patterns, ["echo \"unclosed"]);
    assert!(request.commands[0].opaque);
}

#[test]
fn an_opaque_command_is_known_by_itself() {
    let request = request("ls; $X a; echo");
    let opaque: Vec<_> = request.commands.iter().map(|command| command.opaque).collect();
    assert_eq!(opaque, [false, true, false]);
}
