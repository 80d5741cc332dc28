//! The paths outside that commands name.

use super::*;
use std::collections::BTreeSet;

fn dirs(text: &str) -> Vec<String> {
    request(text).dirs
}

#[test]
fn words_that_lead_outside_are_absolute_paths() {
    for (text, expected) in [
        ("rm -f ../outside/none.txt", "/home/dev/outside/none.txt"),
        ("cat /home/dev/outside/secret.txt", "/home/dev/outside/secret.txt"),
        ("ls /home/dev/outside/", "/home/dev/outside"),
        ("cat ~/outside/secret.txt", "/home/dev/outside/secret.txt"),
        ("ls ~", "/home/dev"),
        ("ls ..", "/home/dev"),
        ("cp hello.py /home/dev/outside/sub/h.py", "/home/dev/outside/sub/h.py"),
        ("cat src/../../x", "/home/dev/x"),
        ("cat '/etc'/pass\"wd\"", "/etc/passwd"),
        ("ls /etc/*.conf", "/etc"),
        ("ls /etc/a*/b", "/etc"),
        ("ls /e*", "/"),
        ("cat /etc/{passwd,group}", "/etc/group"),
        ("cat {/etc,a}/b", "/etc/b"),
        ("cat {,a}/etc/x", "/etc/x"),
        ("cat {,}~/x", "/home/dev/x"),
        ("p=/etc; cat $p/x", "/etc/x"),
        ("p=.; cat $p./x", "/home/dev/x"),
        ("echo /etc/*", "/etc"),
        ("x=../a; cat < $x", "/home/dev/a"),
        ("grep --file=/etc/passwd x", "/etc/passwd"),
        ("gcc -I/opt/include a.c", "/opt/include"),
        ("gcc -I../include a.c", "/home/dev/include"),
        ("dd if=/dev/sda", "/dev/sda"),
        ("curl file:///etc/passwd", "/etc/passwd"),
        ("curl -d @/etc/passwd http://x", "/etc/passwd"),
        ("X=/etc/passwd; cat $X", "/etc/passwd"),
        ("for f in /etc/*; do cat $f; done", "/etc"),
        ("a $(cat /etc/passwd)", "/etc/passwd"),
        ("/opt/tool/run a", "/opt/tool/run"),
        ("cd", "/home/dev"),
        ("cd ..", "/home/dev"),
        ("cd /etc", "/etc"),
        ("pushd /etc", "/etc"),
        ("sudo cat /etc/shadow", "/etc/shadow"),
        ("bash -c 'cat /etc/passwd'", "/etc/passwd"),
        ("bash -c \"bash -c 'cat ../x'\"", "/home/dev/x"),
        ("find . -exec cp {} /srv \\;", "/srv"),
        ("git commit -F /etc/passwd", "/etc/passwd"),
    ] {
        assert!(dirs(text).contains(&expected.to_owned()), "{text}: {:?}", dirs(text));
    }
}

#[test]
fn redirect_targets_count_whatever_the_command_is() {
    assert_eq!(dirs("echo hi > /home/dev/outside/r.txt"), ["/home/dev/outside/r.txt"]);
    assert_eq!(dirs("> /etc/x"), ["/etc/x"]);
    assert_eq!(dirs("{ echo a; } >> ../x"), ["/home/dev/x"]);
    assert_eq!(dirs("while read l; do echo $l; done < /etc/passwd"), ["/etc/passwd"]);
    assert_eq!(dirs("echo a > $X"), ["*"]);
    assert_eq!(dirs("echo a > \"$X/b\""), ["*"]);
    assert_eq!(dirs("echo $(</etc/passwd)"), ["/etc/passwd"]);
    for text in [
        "a > /dev/null 2>&1",
        "a 2> /dev/stderr",
        "a < /dev/fd/3",
        "a >&2",
        "a 2>&-",
        "a > made.txt",
        "a > >(tee b)",
        "a <<< /etc/x",
        "a << /x\n/x",
        "a &> out",
        "a <&$x",
    ] {
        let expected: &[&str] = if text.contains("$x") { &["*"] } else { &[] };
        assert_eq!(dirs(text), expected, "{text}");
    }
}

#[test]
fn a_path_that_is_not_known_is_a_star() {
    for text in [
        "cat \"$X/a\"",
        "cat $(a)/b",
        "cat `echo /etc/passwd`",
        "cat ~root/x",
        "cat ~$X",
        "cat ..$X",
        "cat ${X:-/etc/passwd}",
        "cat $X",
        "rm -rf \"$X\"",
        "cd $X",
        "cd \"$(a)\"",
        "cat $X; read X",
        "X=$(a); cat $X",
        "cat --file=$X/a",
        "cat src/*/../../../x",
        "cat src/.*/x",
        "cat {..,a}/b",
        "cat {1..2}../x",
        "xargs -I{} cp {} a/",
        "echo x | xargs cat",
        "grep -R x .",
        "find -L . -name x",
        "read x; cat $x",
        "x=/etc; mapfile -t x; sed p $x",
        "CDPATH=..; cd a && cat x",
        "read OLDPWD; cd -",
        "HOME=/; cat ~/x",
        "ls $1",
        "bash -c 'cat \"$X/y\"'",
    ] {
        assert!(dirs(text).contains(&"*".to_owned()), "{text}: {:?}", dirs(text));
    }
}

#[test]
fn what_stays_inside_asks_for_nothing() {
    for text in [
        "cat hello.py",
        "cat src/a.py ./b",
        "ls /home/dev/demo/src",
        "cat ~/demo/x",
        "ls src/..",
        "cat a/b/../../c",
        "echo /etc/passwd ../x ~",
        "printf '%s' /etc",
        "test -f /etc/passwd",
        "[ -d ../x ]",
        "[[ -f /etc/x ]]",
        "git commit -m 'fix ../a and /b'",
        "git commit -am \"see /x\"",
        "git commit --message=/x",
        "git commit -m \"$(cat <<'EOF'\na/b\nEOF\n)\"",
        "gh pr create --title /x --body '../y'",
        "for f in a b src/*; do cat $f; done",
        "X=src/a; cat $X",
        "kill -9 $$",
        "sleep $((10 / 2))",
        "head -n $((a/b)) x",
        "diff <(ls src/a) <(ls b)",
        "FILES=$(git diff origin/main)",
        "cat src/{a,b}.ts src/*.js",
        "cat {a,b}/c",
        "/bin/rm -f x",
        "/usr/bin/env ls",
        "sed 's/a/b/' x",
        "curl -s https://a/b?c=$X -o out || true; :",
        "cd src && cat ../hello.py",
        "cd src && cd a && cat ../../x && ls ../../src",
        "bash -c 'ls src'",
        "cat /dev/null",
        "python3 $X",
        "git log HEAD~1..",
        "npm install @a/b",
        "scp a:b/c .",
        "p=src; cat $p/a ${p}/b",
        "for f in *; do cat \"$f\"; done",
        "grep -rn x src",
        "xargs echo",
    ] {
        let expected: &[&str] = if text.contains("?c=$X") { &["*"] } else { &[] };
        assert_eq!(dirs(text), expected, "{text}");
    }
}

#[test]
fn a_change_of_the_directory_counts_only_if_it_surely_happened() {
    assert_eq!(dirs("cd src && cat ../hello.py"), [""; 0]);
    // It goes on where it was if the directory is not there.
    for text in [
        "cd no; cat ../x",
        "cd no || cat ../x",
        "a || cd no && cat ../x",
        "(cd no) && cat ../x",
        "cd no & cat ../x",
        "cd no | a && cat ../x",
        "! cd no && cat ../x",
    ] {
        assert_eq!(dirs(text), ["/home/dev/x"], "{text}");
    }
    assert_eq!(dirs("cd .. && cat outside/x"), ["/home/dev", "/home/dev/outside/x"]);
    assert_eq!(dirs("cd ../outside; cat a/b"), ["/home/dev/outside", "/home/dev/outside/a/b"]);
}

#[test]
fn a_link_is_asked_about_even_without_a_slash() {
    let is_inside = &mut |path: &str| path.starts_with(CWD) && !path.contains("/link");
    let request = shell_request("cd link && ls", CWD, "/home/dev", is_inside);
    assert_eq!(request.dirs, ["/home/dev/demo/link"]);
    for text in ["git checkout link", "iconv link", "dd if=link", "cat {a,link}", "x=link; cat $x"]
    {
        let request = shell_request(text, CWD, "/home/dev", is_inside);
        assert_eq!(request.dirs, ["/home/dev/demo/link"], "{text}");
    }
    for text in ["cat link", "sudo cp a link", "sed -n p link", "cat < link", "bash -c 'rm link'"] {
        let request = shell_request(text, CWD, "/home/dev", is_inside);
        assert_eq!(request.dirs, ["/home/dev/demo/link"], "{text}");
    }
    for text in ["echo link", "test -f link", "cat -link l*"] {
        let request = shell_request(text, CWD, "/home/dev", is_inside);
        assert_eq!(request.dirs, [""; 0], "{text}");
    }
}

#[test]
fn a_parent_behind_a_name_is_given_as_it_is_written() {
    let climbs = |text| request(text).climbs;
    assert_eq!(climbs("cat link/../x"), ["/home/dev/demo/link/../x"]);
    assert_eq!(climbs("cd link && cat ../x"), ["/home/dev/demo/link/../x"]);
    assert_eq!(climbs("echo a > src/link/../x"), ["/home/dev/demo/src/link/../x"]);
    assert_eq!(climbs("cat x"), [""; 0]);
    assert_eq!(dirs("cat link/../x"), [""; 0]);
}

#[test]
fn globs_are_given_with_the_folders_in_which_they_are_looked_for() {
    let globs = |text| request(text).globs;
    assert_eq!(globs("ls *.txt"), ["/home/dev/demo/*.txt"]);
    assert_eq!(globs("cd src && ls {a,b}/?"), ["/home/dev/demo/src/b/?", "/home/dev/demo/src/a/?"]);
    assert_eq!(globs("for f in l*; do ls $f; done"), ["/home/dev/demo/l*"]);
    assert_eq!(globs("ls '*' a; cat *; for f in *; do cat \"$f\"; done"), [""; 0]);
    let files = |text| request(text).file_globs;
    assert_eq!(files("for f in l*; do echo $f; done"), ["/home/dev/demo/l*"]);
    assert_eq!(files("cat k*; echo n*"), ["/home/dev/demo/k*", "/home/dev/demo/n*"]);
}

#[test]
fn files_that_redirects_write_to_are_given() {
    let writes = |text| request(text).writes;
    for (text, expected) in [
        ("ls > a", vec!["/home/dev/demo/a"]),
        ("ls >> a 2> b", vec!["/home/dev/demo/a", "/home/dev/demo/b"]),
        ("ls &> a; ls >| b; ls <> c; ls >& d; ls {fd}> e", vec!["a", "b", "c", "d", "e"]),
        ("cd src && ls > a", vec!["/home/dev/demo/src/a"]),
        ("bash -c 'ls > a'", vec!["/home/dev/demo/a"]),
        ("echo $(ls > a) <(ls > b)", vec!["a", "b"]),
        ("{ ls; } > a", vec!["/home/dev/demo/a"]),
        ("exec 3> ../a", vec!["/home/dev/a"]),
        ("ls > b/../a", vec!["b/../a"]),
        ("ls > $x", vec!["*"]),
        ("ls > a{1,2}", vec!["*"]),
        ("ls > a*", vec!["*"]),
        ("ls > /dev/null 2>&1 <a >&2 2>&- <<< x", vec![]),
        ("((3 > 2)); [[ 3 > 2 ]]; echo '> x'; diff <(ls) <(ls)", vec![]),
    ] {
        let whole = |file: &str| match file {
            "*" => "*".to_owned(),
            _ if file.starts_with('/') => file.to_owned(),
            _ => [CWD, "/", file].concat(),
        };
        let expected: BTreeSet<_> = expected.into_iter().map(whole).collect();
        let found: BTreeSet<_> = writes(text).into_iter().collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_change_of_the_directory_is_seen_however_it_is_made() {
    for text in [
        "cd src && cd - && cat ../x",
        "pushd src && popd && cat ../x",
        "eval 'cd src; cd a' && cat ../x",
        "command -- cd src && cat ../../x",
    ] {
        assert!(dirs(text).contains(&"/home/dev/x".to_owned()), "{text}");
    }
    assert_eq!(dirs("builtin cd src && cat ../x"), [""; 0]);
    // From a directory deep inside.
    let is_inside = &mut |path: &str| path.starts_with("/home/dev/demo");
    for text in [
        "command cd ../.. && cat ../x",
        "builtin cd ../..; cat ../x",
        "eval cd ../..; cat ../x",
        "eval 'cd ..; cd ..' && cat ../x",
        "f() { cd ../..; }; f; cat ../x",
    ] {
        let request = shell_request(text, "/home/dev/demo/a/b", "/home/dev", is_inside);
        assert!(request.dirs.contains(&"/home/dev/x".to_owned()), "{text}");
    }
}

#[test]
fn each_path_is_named_once_in_order() {
    assert_eq!(dirs("cat /b /a /b; ls /a > /c"), ["/b", "/a", "/c"]);
}

#[test]
fn a_windows_drive_is_a_root() {
    let is_inside = &mut |path: &str| path.starts_with("C:/demo");
    let request = shell_request("cat a/b D:/x ../y ../../..", "C:/demo", "C:/home", is_inside);
    assert_eq!(request.dirs, ["D:/x", "C:/y", "C:"]);
}

#[test]
fn modes_in_which_globs_find_more_make_them_unknown() {
    for text in [
        "shopt -s dotglob; cat *",
        "shopt -s 'nocase'glob; cat L*",
        "shopt -s \"$x\"; cat *",
        "bash -O dotglob -c 'cat *'",
        "bash -c 'shopt -s dotglob; cat *'",
        "GLOBIGNORE=x; cat *",
        "env GLOBIGNORE=x bash -c 'cat *'",
    ] {
        assert!(dirs(text).contains(&"*".to_owned()), "{text}");
    }
    for text in ["shopt -s dotglob; cat a", "shopt -s nullglob; cat *", "cat *"] {
        assert!(!dirs(text).contains(&"*".to_owned()), "{text}");
    }
}

#[test]
fn a_path_that_only_begins_as_a_device_is_a_file() {
    let writes = |text: &str| request(text).writes;
    assert_eq!(writes("a > /dev/fd/../../../tmp/x"), ["/dev/fd/../../../tmp/x"]);
    assert_eq!(writes("a > /dev/null 2> /dev/stderr"), [""; 0]);
}
