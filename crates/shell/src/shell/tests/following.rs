//! Values that are followed to paths, and those that are not.

use super::*;
use std::collections::BTreeSet;

/// The files that a text writes to, from the directory in which it runs.
fn writes(text: &str) -> BTreeSet<String> {
    let inside = [CWD, "/"].concat();
    let short = |path: String| path.strip_prefix(&inside).map_or(path.clone(), str::to_owned);
    request(text).writes.into_iter().map(short).collect()
}

fn set(files: &[&str]) -> BTreeSet<String> {
    files.iter().map(|file| (*file).to_owned()).collect()
}

#[test]
fn literal_values_are_followed() {
    for text in [
        "ls > $PWD/src/n",
        "ls > ~+/src/n",
        "ls > ~/demo/src/n",
        "ls > $HOME/demo/src/n",
        "ls > /proc/self/cwd/src/n",
        "ls > ${PWD%/*}/demo/src/n",
        "ls > $(pwd)/src/n",
        "f=src/n; ls > $f",
        "f=src/n\nls > \"${f}\"",
        "x=src; > $x/n",
        "x=src y=n; > $x/$y",
        "x=src y=$x/n; > $y",
        "x=~/demo/src; > $x/n",
        "export x=src/n; ls >> $x",
        "declare -rx x=src; > $x/n",
        "set -- src/n; > $1",
        "set -- src n; > $1/$2",
        "a=(src/n x); > ${a[0]}",
        "a=(x src/n); > ${a[1]}",
        "a=(src/n); > $a",
        "read -r x <<< src/n; ls > \"$x\"",
        "printf -v x src/n; > $x",
        "printf -v x %s src/n; > $x",
        "cd \"$(echo src)\" && > n",
        "x=src; cd $x && > n",
        "ls > \"$(dirname src/c.txt)/n\"",
        "d=$(dirname \"$PWD/src/c\"); > $d/n",
        "x=src/n.ts; > ${x%.ts}",
        "x=src/n.a.b; > ${x%.*.*}; > /dev/null",
        "f() { > $1; }; f src/n",
        "f() { local d=$1; > $d/n; }; f src",
        "f() { unset x; x=src; > $x/n; }; f",
        "if x=src; then > $x/n; fi",
        "x=src && { true | (> $x/n); }",
        "x=src; echo $(> $x/n) `> $x/n`",
        "x=src; while true; do > $x/n; done",
        "x=src; { ls; } > $x/n",
        "bash -c 'x=src; > $x/n'",
    ] {
        // Operators that are not read make it unknown.
        let expected = if text.contains("%.*.*") { "*" } else { "src/n" };
        assert_eq!(writes(text), set(&[expected]), "{text}");
    }
}

#[test]
fn all_values_of_a_variable_count() {
    for (text, files) in [
        ("for f in a src/n; do ls > \"$f\"; done", vec!["a", "src/n"]),
        ("for f in {a,b}/n; do > $f; done", vec!["a/n", "b/n"]),
        ("select f in a src/n; do > $f; break; done <<< 1", vec!["a", "src/n"]),
        ("x=a; true && x=b; > $x", vec!["a", "b"]),
        ("x=a; if true; then x=b; fi; > $x", vec!["a", "b"]),
        ("x=a; f() { x=b; }; f; > $x", vec!["a", "b"]),
        ("x=a; for i in 1 2; do > $x; x=b; done", vec!["a", "b"]),
        ("f() { > $1; }; f a; f b", vec!["a", "b"]),
        ("for f in \"$@\"; do > $f; done", vec!["*"]),
        ("set -- a b; for f; do > $f; done", vec!["a", "b"]),
        ("a=(x y); for f in \"${a[@]}\"; do > $f; done", vec!["x", "y"]),
        ("x=a; x+=b; > $x", vec!["*"]),
        ("y='a b'; for f in $y; do > $f; done", vec!["a", "b"]),
    ] {
        assert_eq!(writes(text), set(&files), "{text}");
    }
}

#[test]
fn a_value_that_may_not_be_there_is_not_followed() {
    for text in [
        "> $x; x=a",
        "(x=a); > $x/n",
        "true | x=a; > $x/n",
        "x=a & > $x/n",
        "false && x=a; > $x/n",
        "true || x=a; > $x/n",
        "if false; then x=a; fi; > $x/n",
        "while false; do x=a; done; > $x/n",
        "for x in $y; do :; done; > $x/n",
        "case a in b) x=a;; esac; > $x/n",
        "case a in b) x=a;; *) > $x/n;; esac",
        "f() { x=a; }; > $x/n",
        "f() { > $x/n; }; x=a; f",
        "x=a true; > $x/n",
        "time x=a; > $x/n",
        "coproc { x=a; }; > $x/n",
        "echo $(x=a); > $x/n",
        "{ x=a; ls; } > $x/n",
        "y=$x/n; x=a; > $y",
        "y=$(> $x/n) x=a",
        "cat <<E; x=a\n$(> $x/n)\nE\n",
        "bash -c '> $x'; x=a",
        "x=a; bash -c '> $x/n'",
        ": ${x:=a}; > $x/n",
        "set a; shift; > $1/n",
        "> $1",
        "set -- a; f() { > $1; }; f $y",
        "f() { > $1; }; set -- a",
        "f() { > $1; }; f a; xargs -I{} sh -c 'f {}'; f $y",
        "x=a; local x; > $x/n",
        "x=a; g() { > $x/n; }; f() { local x; g; }; f",
    ] {
        assert!(writes(text).contains("*"), "{text}: {:?}", writes(text));
    }
}

#[test]
fn what_may_change_a_value_makes_it_unknown() {
    for before in [
        "unset x",
        "f() { unset x; }; f",
        "read x",
        "read -r x y <<< b",
        "read -r x <<< 'b c'",
        "read -rax <<< b",
        "IFS= read -d '' x",
        "mapfile -t x",
        "mapfile -tx",
        "getopts s x",
        "printf -v x %q b",
        "printf -vx b",
        "declare -u x",
        "declare -l x",
        "declare -i x=7",
        "declare -n x=y",
        "declare -n y=x; y=b",
        "local -n y=x",
        "wait -p x",
        "exec {x}> fd",
        "coproc x { ls; }",
        "x+=b",
        "x[0]=b",
        "x=$(ls)",
        "x=$y",
        "x=$(printf b)",
        "x=$(echo b c)",
        "x=$(echo -e b)",
        "x=$(cat <<< b)",
        "x=${y:-b}",
        "x=${z/a/b}",
        "x='~/b'",
        "x=b:~/c",
        ". ./set.sh",
        "source set.sh",
        "eval 'x=b'",
        "trap 'x=b' DEBUG",
        "alias x=y",
        "eval \"$y\"",
        "(( $y = 5 ))",
        "echo() { ls; }; x=$(echo b)",
        "export() { ls; }",
        "export $y",
        "printf -v \"$y\" b",
    ] {
        let text = ["x=a; ", before, "; > $x"].concat();
        assert!(writes(&text).contains("*"), "{text}: {:?}", writes(&text));
    }
    for before in
        ["echo x=b", "env x=b ls", "read y", "unset y", "y=b", "cd .", "grep x=b", "(x=a)"]
    {
        let text = ["x=a; ", before, "; > $x"].concat();
        assert!(writes(&text) == set(&["a"]), "{text}: {:?}", writes(&text));
    }
}

#[test]
fn a_number_has_what_is_before_it_as_a_prefix() {
    for (text, file) in [
        ("for i in $(seq 2); do > out/$i.log; done", "out/*"),
        ("for i in {1..9}; do > out/a$i; done", "out/a*"),
        ("for ((i=0; i<3; i++)); do > out/$i/x; done", "out/*"),
        ("n=$((1 + 2)); > out/$n", "out/*"),
        ("> out/$RANDOM", "out/*"),
        ("> out/$$.pid", "out/*"),
        ("> out/$#", "out/*"),
        ("> out/${#x}", "out/*"),
        ("> out/$(date +%s)", "out/*"),
        ("> out/$(ls | wc -l)", "out/*"),
        ("> out/$(id -u)", "out/*"),
        ("> out/$(grep -c 'a b' f)", "*"),
        ("> out/$(grep -ci a f)", "out/*"),
        ("> out/$(grep -c a f g)", "*"),
        ("> out/$(grep -rc a f)", "*"),
        ("> out/$(grep -cH a f)", "*"),
        ("> out/$(grep -c \"$x\" f)", "*"),
        ("grep() { echo /etc; }; > out/$(grep -c a f)", "*"),
        ("wc() { echo /etc; }; > out/$(ls | wc -l)", "*"),
        ("> out/$(echo ../src; ls | wc -l)", "*"),
        ("> out/$(echo ../src || wc -l)", "*"),
        ("> out/$(seq -f ../src 1)", "*"),
        ("> out/$(seq 1 $n)", "out/*"),
        ("RANDOM=a; > out/$RANDOM", "*"),
        ("unset RANDOM; > out/$RANDOM", "*"),
        ("> out/${#a[x]}", "*"),
        ("> $(ls) | (cat))", "*"),
        ("> out/$i", "*"),
        ("> out/../$$", "*"),
        ("for f in src/*.ts; do > $f.bak; done", "src/*"),
        ("for f in src/*.ts; do > ${f%.ts}.js; done", "src/*"),
    ] {
        assert_eq!(writes(text), set(&[file]), "{text}");
    }
    let dirs = |text| request(text).dirs;
    assert_eq!(dirs("cat \"$(grep -c x a.txt)\" /etc/$$.x"), ["/etc"]);
    assert_eq!(dirs("cat $(cat n)"), ["*"]);
}

#[test]
fn words_are_followed_as_redirects_are() {
    let dirs = |text| request(text).dirs;
    for (text, expected) in [
        ("X=/etc; cat $X/passwd", "/etc/passwd"),
        ("cat $(echo /etc/passwd)", "/etc/passwd"),
        ("set -- /etc; cat $1/passwd", "/etc/passwd"),
        ("cat $HOME/x", "/home/dev/x"),
        ("cat ${PWD%/*}/out/x", "/home/dev/out/x"),
        ("x='a /etc/passwd'; cat $x", "/etc/passwd"),
        ("f() { cat $2; }; f a /etc/passwd", "/etc/passwd"),
        ("x=/etc/passwd; bash -c \"cat $x\"", "*"),
        ("IFS=:; x=a:/etc/passwd; cat $x", "*"),
        ("HOME=/; cat $HOME/x", "/x"),
    ] {
        assert!(dirs(text).contains(&expected.to_owned()), "{text}: {:?}", dirs(text));
    }
    for text in [
        "x=src; cat $x/a",
        "for f in $(echo src); do cat $f; done",
        "x=$(echo a | wc -l); cat $x",
        "kill -9 /x",
        "export X=/etc/x PATH=\"$PWD/bin:$PATH\"",
        "local a=/etc/x",
        "docker run -v \"$PWD:/app\" -w /app node",
        "docker run --volume=src:/etc --workdir=/app node",
        "n=$(ls | wc -l); [ $n -gt 3 ]",
    ] {
        assert_eq!(dirs(text), [""; 0], "{text}");
    }
    assert_eq!(dirs("docker run -v /etc:/e -v/srv:/s node"), ["/etc", "/srv"]);
    assert_eq!(dirs("export X=/etc/x; cat $X"), ["/etc/x"]);
    assert!(!request("n=$(find . -name '*.ts' | wc -l); [ $n -gt 3 ]").opaque);
    assert!(!request("c=$(grep -c x f); if [ $c -eq 1 ]; then echo; fi").opaque);
    for text in [
        "n=$(grep -c x f g); [ $n -gt 3 ]",
        "n=$(echo 'a[$(rm x)]'; ls | wc -l); [ $n -gt 3 ]",
        "n=$(echo 'a[$(rm x)]' \\| wc -l); [ $n -gt 3 ]",
        "wc() { cat f; }; n=$(ls | wc -l); [ $n -gt 3 ]",
    ] {
        assert!(request(text).opaque, "{text}");
    }
}

#[test]
fn an_inner_command_runs_in_its_own_folder() {
    for (text, files) in [
        ("env -C src bash -c '> n'", vec!["src/n"]),
        ("env --chdir=src sh -c '> n'", vec!["src/n"]),
        ("env -iC src sh -c '> n'", vec!["src/n"]),
        ("env -C src sh -c 'ls' > n", vec!["n"]),
        ("env -C src ls; > n", vec!["n"]),
        ("env -C $d sh -c '> n'", vec!["*"]),
        ("env -C src env -C sub sh -c '> n'", vec!["src/sub/n"]),
        ("sudo -D src sh -c '> n'", vec!["src/n"]),
        ("sudo -i sh -c '> n'", vec!["*"]),
        ("sh -c \"env -C src sh -c '> n'\"", vec!["*"]),
        ("find src -execdir sh -c '> n' \\;", vec!["*"]),
        ("find src -exec sh -c '> n' \\;", vec!["n"]),
        ("CDPATH=.; cd src; > n", vec!["*"]),
        ("export CDPATH=.; cd src; > n", vec!["*"]),
        ("OLDPWD=src; cd -; > n", vec!["*"]),
        ("CDPATH=.; cd ./src && > n", vec!["src/n"]),
    ] {
        assert_eq!(writes(text), set(&files), "{text}");
    }
    assert_eq!(request("env -C src cat ../x").dirs, [""; 0]);
    assert_eq!(request("env -C .. cat x").dirs, ["/home/dev", "/home/dev/x"]);
    assert!(request("find . -execdir cat ../x {} +").dirs.contains(&"*".to_owned()));
}

#[test]
fn paths_through_a_new_name_are_not_known() {
    for text in [
        "ln -s src s2; > s2/n",
        "ln src/n s2; > s2",
        "ln -sfn ../a b; > b",
        "ln -s -t d src; > d/src/n",
        "ln -s a/src; > src/n",
        "mv src s3; > s3/n",
        "mv lnk q; > q",
        "mv a b d; > d/a",
        "sudo mv src s3; > s3/n",
        "bash -c 'ln -s src s2'; > s2/n",
        "ln -s $x $y; > a",
        "for i in 1 2; do > s2/n; ln -s src s2; done",
    ] {
        assert!(writes(text).contains("*"), "{text}");
    }
    for text in ["ln -s src s2; > a", "mv a b; > a", "mv a d/; > d/b", "cp -r src s2; > s2/n"] {
        assert!(!writes(text).contains("*"), "{text}");
    }
    let is_star = |text| request(text).dirs.contains(&"*".to_owned());
    for text in ["ln -s x y; cat y", "ln -s x y; ls y/*", "mv x y; cat y/z", "cd y; ln -s x y"] {
        assert!(is_star(text), "{text}");
    }
    for text in ["ln -s x y; rm y", "mv x y; cat y", "ln -s x y; cat z", "mv a d/; cat d/b"] {
        assert!(!is_star(text), "{text}");
    }
}

#[test]
fn long_texts_with_many_values_end_soon() {
    let many = |piece: &str| piece.repeat((200 << 10) / piece.len());
    for text in [
        many("x=a; > $x; "),
        many("x=$x$x; "),
        ["x=a; ", &many("x=$x; "), "> $x"].concat(),
        ["x=a && ", &"x=b && ".repeat(4_000), "> $x"].concat(),
        many("unset x; x=a; > $x; "),
        many("f() { > $1; }; f a; "),
        ["a=(", &many("x "), "); > ${a[1]} ${a[@]}"].concat(),
        many("ln -s a b; > b/c; "),
        many("env -C a cat b; "),
        many("grep -R x a | xargs cat; "),
        many("${x%/*}"),
        many("(( x++ )); "),
        many("((x++ = 1))"),
        many("> $((1)) "),
        ["> ", &many("$x")].concat(),
        ["x=a; > ", &many("$x")].concat(),
        ["x=", &many("a"), "; ", &"> $x$x$x; ".repeat(3)].concat(),
        many("$(echo "),
        many("' \""),
    ] {
        let _ = request(&text);
    }
    // Each is made of two of the one before: only their number may be counted.
    let mut text = "x0=a".to_owned();
    for level in 1..200 {
        let below = (level - 1).to_string();
        text = [&text, "; x", &level.to_string(), "=$x", &below, "$x", &below].concat();
    }
    assert!(writes(&[&text, "; > $x199"].concat()).contains("*"));
}
