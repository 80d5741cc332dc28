//! Spellings of `rm` that must not get past a deny of `rm *`, and texts that are no `rm`.

use super::*;

#[test]
fn every_spelling_of_rm_is_denied() {
    for text in [
        "rm x",
        "rm",
        "rm   -f x",
        "A=1 rm x",
        "A=1 B=$(c) rm x",
        "/bin/rm x",
        "../../bin/rm x",
        "r\\m x",
        "\\rm x",
        "'r'm x",
        "\"rm\" x",
        "$'\\x72m' x",
        "$'r\\155' x",
        "r\\\nm x",
        "r''m x",
        "rm\tx",
        "rm<x",
        ">a rm x",
        "2>/dev/null rm x",
        "rm x > /dev/null",
        "! rm x",
        "{ rm x; }",
        "(rm x)",
        "a&&rm x",
        "a|rm x",
        "a;rm x",
        "a&rm x",
        "a\nrm x",
        "a || rm x",
        "if a; then rm x; fi",
        "cat <(rm x)",
        "cat `rm x`",
        "cat \"$(rm x)\"",
        "x=$(rm x)",
        "cat <<X\n$(rm x)\nX",
        "f() { rm x; }; f",
        "sudo rm x",
        "sudo -u root -- rm x",
        "sudo --user root rm x",
        "sudo A=1 rm x",
        "doas -u a rm x",
        "env rm x",
        "env -i A=1 rm x",
        "env -u A rm x",
        "env -S 'rm x'",
        "env -S'rm' x",
        "env -vS 'rm x'",
        "env --split-string='rm x'",
        "env - rm x",
        "timeout 5 rm x",
        "timeout -k 5 --signal=KILL 10s rm x",
        "timeout --kill-after 5 10 rm x",
        "nice rm x",
        "nice -5 rm x",
        "nice -n 5 rm x",
        "nohup rm x",
        "time rm x",
        "time -p rm x",
        "/usr/bin/time -f %e rm x",
        "command rm x",
        "command -p rm x",
        "builtin command rm x",
        "exec rm x",
        "exec -a ls rm x",
        "xargs rm",
        "xargs -0 rm -f",
        "xargs -I {} rm {}",
        "xargs -I{} rm {}",
        "xargs -n 1 -P4 rm",
        "xargs --max-args 1 rm",
        "xargs -d '\\n' rm",
        "stdbuf -oL rm x",
        "stdbuf -o L rm x",
        "setsid rm x",
        "setsid -w rm x",
        "bash -c 'rm x'",
        "bash -c \"rm x\"",
        "bash -c rm\\ x",
        "sh -ec 'rm x'",
        "zsh -c 'a; rm x'",
        "bash -o pipefail -c 'rm x'",
        "bash --norc -c 'rm x'",
        "bash +x -c 'rm x'",
        "/bin/bash -c 'rm x'",
        "bash -c \"bash -c 'rm x'\"",
        "bash -c 'eval \"rm x\"'",
        "bash <<X\nrm x\nX",
        "bash <<< 'rm x'",
        "bash -s <<< 'rm x'",
        "bash /dev/stdin <<< 'rm x'",
        "sudo bash <<X\nrm x\nX",
        "eval rm x",
        "eval 'rm x'",
        "eval \"r\"\"m x\"",
        "eval -- rm x",
        "eval \"rm $X\"",
        "find . -exec rm {} \\;",
        "find . -name a -execdir rm {} +",
        "find . -ok rm {} ';'",
        "find . -okdir rm {} \\;",
        "find . -exec sudo rm {} +",
        "find . -exec sh -c 'rm \"$1\"' _ {} \\;",
        "fd -x rm",
        "busybox rm x",
        "coproc rm x",
        "coproc { rm x; }",
        "trap 'rm x' EXIT",
        "trap -- 'rm x' 0",
        "alias x='rm y'",
        "su -c 'rm x'",
        "su root -c 'rm x'",
        "flock f rm x",
        "flock f -c 'rm x'",
        "watch -n 1 rm x",
        "chroot / rm x",
        "ionice -c 2 rm x",
        "parallel rm",
        "$X rm x",
        "$(a) rm x",
        "r$X\"m\" x",
        "r$()m x",
        "{rm,x}",
        "A+=1 rm x",
        "a[0]=1 rm x",
        "a=(1 2) rm x",
        "rm.exe x",
        "time -- rm x",
        "sudo timeout 5 nice env A=1 nohup rm x",
        "while rm x; do :; done",
        "case x in x) rm x;; esac",
        "[[ a ]] && rm x",
        "((1)) && rm x",
        "{ rm x; } 2>&1 | tee a",
        "sudo --unknown value rm x",
        "mapfile -C 'rm x' a",
        "echo ${x:-`rm x`}",
        "let x=$(rm x)",
        "timeout --sig KILL 5 rm x",
        "nice --adj 5 rm x",
        "xargs --max-a 1 rm",
        "sudo --us root rm x",
        "sudo --login rm x",
        "env --split 'rm x'",
        "bash +c 'rm x'",
        "unshare -r rm x",
        "nsenter -t 1 -m rm x",
        "setarch -R rm x",
        "setarch x86_64 rm x",
        "prlimit --nofile=9 rm x",
        "fakeroot -- rm x",
        "bash rm x",
        ". /bin/rm",
        "bash -c - 'rm x'",
        "env -S \"'-u ' rm x\"",
    ] {
        assert!(denies_rm(&request(text)), "{text}");
    }
}

#[test]
fn what_is_no_rm_is_not_denied() {
    for text in [
        "echo rm x",
        "echo \"rm x\"",
        "echo 'a; rm x'",
        "grep rm a",
        "command -v rm",
        "command -V rm",
        "git rm x",
        "rmdir x",
        "cat <<'X'\nrm x\nX",
        "cat <<X\nrm x\nX",
        "# rm x",
        "echo \\; rm x",
        "xargs echo rm",
        "sudo -u rm ls",
        "timeout -s rm 5 ls",
        "man rm",
        "which rm",
        "npm rm x",
        "echo $((rm + 1))",
        "x=rm",
        "find . -name rm",
        "bash -c 'echo rm x'",
        "a=(rm x)",
        "env rm=1 ls",
        "echo \"`echo rm x`\"",
        "case rm in rm) ls;; esac",
        "for rm in rm; do ls; done",
        "docker rm x",
        "ls > rm",
        "type rm",
        "echo a#; echo rm x",
    ] {
        let request = request(text);
        assert!(!denies_rm(&request), "{text}");
        assert!(!request.opaque, "{text}");
    }
}

#[test]
fn what_values_of_variables_may_run_is_opaque() {
    for text in [
        "BASH_ENV=a bash -c b",
        "env BASH_ENV=a bash b",
        "PS4='$(rm x)'; set -x; a",
        "export PS4=$X",
        "PROMPT_COMMAND='rm x' bash -i",
        "history -s 'rm x'; fc -s",
        "read X <<< 'a[$(rm x)]'; echo $((X))",
        "read X <<'E'\na[$(rm x)]\nE\n((X))",
        "for X in 'a[`rm x`]'; do ((X)); done",
        "f() { [[ $1 -eq 0 ]]; }; f 'a[$(rm x)]'",
        "test -v $x 'a[`rm x`]'",
        "[ -v $x $y 'a[$(rm x)]' ]",
        "echo ${X:='a[$(rm x)]'} $((X))",
        "timeout $X 1 rm x",
        "sudo -u $X root rm x",
        "X=('a[$(rm x)]'); echo $((X + 1))",
        "bash -c 'set -- \"a[\\$(rm x)]\"; echo $(($1))'",
    ] {
        assert!(request(text).opaque, "{text}");
    }
    for text in [
        "PS4='+ ' bash -x a",
        "ENV=a b",
        "PS4= a",
        "a 'b [c] $(d)'",
        "((i++)); a \"${b[$((i + 1))]}\"",
    ] {
        assert!(!request(text).opaque, "{text}");
    }
}

#[test]
fn global_options_of_git_are_dropped() {
    for text in [
        "git push",
        "git -C . push",
        "git -c a=b push origin",
        "git --git-dir=x push",
        "git --git-dir x push",
        "git --work-tree x push",
        "git --no-pager push",
        "git -P push",
        "/usr/bin/git -C . push",
        "sudo git -C . push",
        "g\\it  \"push\"",
        "A=1 git -C \"$X\" push",
    ] {
        let request = request(text);
        let candidates: Vec<_> = request.commands.iter().flat_map(deny_candidates).collect();
        assert!(
            candidates.iter().any(|text| text.starts_with("git push")),
            "{text}: {candidates:?}"
        );
        assert!(!request.opaque, "{text}");
    }
}

#[test]
fn the_spellings_are_the_text_the_words_and_these_without_folder_and_assignments() {
    let request = request("A=1  /bin/r'm'  \"a b\" $X");
    let expected =
        ["A=1  /bin/r'm'  \"a b\" $X", "A=1 /bin/rm a b $X", "/bin/rm a b $X", "rm a b $X"];
    assert_eq!(deny_candidates(&request.commands[0]), expected);
}

#[test]
fn an_arithmetic_expansion_that_is_a_subshell_is_read_as_one() {
    assert!(denies_rm(&request("echo $((rm x) )")));
    assert!(denies_rm(&request("echo $((rm x); ls)")));
    assert!(denies_rm(&request("((rm x); ls)")));
    // Arithmetic with two operands side by side is an error in bash.
    assert!(request("((rm x))").opaque);
    assert_eq!(patterns("((x = y  * ${z:-b} + 1)); a"), ["a"]);
    assert_eq!(patterns("echo $((1 + (2)))"), ["echo $((1 + (2)))"]);
}

#[test]
fn a_reserved_word_behind_an_escaped_line_feed_does_not_hide_a_command() {
    for text in ["!\\\n rm x", "{\\\n rm x; }", "if\\\n rm x; then a; fi", "time\\\n rm x"] {
        let request = request(text);
        assert!(request.opaque || denies_rm(&request), "{text}");
    }
}

#[test]
fn a_comment_is_one_only_at_the_beginning_of_a_word() {
    assert!(denies_rm(&request("echo a#b; rm x")));
    assert!(denies_rm(&request("echo ${x#a}; rm x")));
    assert!(denies_rm(&request("echo \"#\" '#' \\# $#; rm x")));
    let hidden = request("[[ x =~ a|#b ]]; rm x\n]]");
    assert!(hidden.opaque || denies_rm(&hidden));
}
