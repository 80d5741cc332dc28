//! Texts that bash reads in another way than they look.

use super::*;

#[test]
fn an_escaped_line_feed_is_nothing_wherever_it_stands() {
    for text in [
        "echo \"$\\\n(rm 1)\"",
        "echo $\\\n{x:-$(rm 1)}",
        "cat <<E\n$\\\n(rm 5)\nE",
        "cat <<E\nE\\\nOF\nE\nrm 3",
        "cat <<EOF\nE\\\nOF\nrm 3\nEOF",
        "cat <<-X\n\ta\n\tX\\\n\nrm 12\nX",
        "[[ a == a ]\\\n]; rm 4 ]]",
        "echo a |\\\n| rm 25",
        "cat <\\\n<E\nx\nE\nrm 27",
        "$\\\n'\\162m' 29",
        "echo `echo $\\\n(rm 4)`",
        "echo a # b\\\nrm 141",
        "cat <<'E'\nx\\\nE\nrm 60",
        "echo a\\\n#b; rm 1",
        "i\\\nf a; then rm 1; fi",
    ] {
        assert!(denies_rm(&request(text)), "{text}");
    }
    for text in ["echo 'a\\\nb'", "echo a \\\n b", "cat <<'E'\na\\\nE", "a &\\\n& b", "ls >\\\n> o"]
    {
        assert!(!request(text).opaque, "{text}");
    }
}

#[test]
fn quotes_and_escapes_end_where_bash_ends_them() {
    for text in [
        "echo $'\\c' ; rm 1 #'",
        "echo $'\\cx\\c' ; rm 10 #'",
        "$'\\x{72}m' 1",
        "$'r\\u006d\\c@x' 1",
        "echo ${x:-\"}\"}; rm 73",
        "echo ${x:-'}'}; rm 31 #'}",
        "x=([1]=2 # )\n3); rm 35",
        "a[0 # ]=1; rm 1",
        "echo $(#)\n); rm 37",
        "echo a\r\nrm 139",
        "echo a\u{1}; rm 72",
        "cat << 'E'\\''F'\nx\nE'F\nrm 45",
        "case in in in) rm 39;; esac",
        "bash >&--c 'rm x'",
    ] {
        let request = request(text);
        assert!(request.opaque || denies_rm(&request), "{text}");
    }
}

#[test]
fn what_bash_refuses_or_reads_in_its_own_way_is_opaque() {
    for text in [
        "echo $(cat <<E\nE rm 31)\nE\n)",
        "cat <<`e`\nx\n`e`\nrm 47",
        "if; then a; fi",
        "{ }",
        "( )",
        "; a",
        "a ;; b",
        "for i in a; do done",
        "[[ ]]",
        "[[ a b ]]",
        "[[ -f ]]",
        "[[ a == ]]",
        "in a",
        "a >2>&1",
        "a & ; b",
        "x=$(>1 ! rm x)",
        "echo a >& '$(rm x)'",
        "HOME=rm; ~",
        "HOME=rm; source ~",
        "HOME=rm; . -- ~ 1",
        "HOME=rm; bash ~",
        "set -o posix; a",
        "shopt -s extglob; a",
        "alias k='env '\nk rm",
        "((cat <<E\na\\\nE\nrm x\nE\n) )",
        "echo \"$\\\n(: ${v:=$'a[$(rm 6)0]'}; q=; [[ $qv -eq 1 ]])\"",
    ] {
        assert!(request(text).opaque, "{text}");
    }
}

#[test]
fn unknown_values_are_opaque_where_they_are_evaluated() {
    for set in [
        "read v",
        "mapfile -t v",
        "printf -v v %s x",
        "v=$(a)",
        "for v in *; do :; done",
        "select v in a; do :; done <<< 1; v=$REPLY",
        "w=$(a); v=$w",
        "v='a[$(rm x)]'",
        ": ${v:=$(a)}",
        "getopts a v",
        "set -- a; v=$1",
    ] {
        for used in [
            "((v))",
            "echo $((v + 1))",
            "let v",
            "[[ $v -eq 1 ]]",
            "[[ -v $v ]]",
            "test -v \"$v\"",
            "echo ${!v}",
            "echo ${x:v}",
            "echo ${a[v]}",
            "a[v]=1",
            "declare -i i; i=$v; declare -i i=v",
            "unset \"$v\"",
            "read \"$v\"",
            "printf -v \"$v\" a",
            "declare \"$v=1\"",
            "((${w:-$v}))",
        ] {
            let text = [set, "\n", used].concat();
            assert!(request(&text).opaque, "{text}");
        }
    }
    for text in [
        "v=3; ((v)); echo $((v + 1)) ${x:v}",
        "for v in 1 2 {3..5}; do ((s += v)); done",
        "while read -r l; do echo \"$l\"; done < a",
        "i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done",
        "[ $# -gt 0 ] && echo \"$1\"",
        "a=(1 2); echo ${a[0]} ${a[@]} ${#a[@]}",
    ] {
        assert!(!request(text).opaque, "{text}");
    }
}

#[test]
fn names_that_are_put_together_are_not_known() {
    for used in [
        "x=v; echo $(( ${x}2 ))",
        "x=v2y; echo $(( ${x%y} ))",
        "x=v/2; echo $(( ${x/\\//} ))",
        "x=v y=2; (( $x$y ))",
        "x=v; y=${x}2; ((y))",
        "x=v; x+=2; let x",
        "x=v; declare x+=2; ((x))",
        "IFS=; x=(v 2); (( ${x[*]} ))",
        "echo $(( v\"2\" )) $(( v$((2)) )) $(( v${#a} ))",
        "[[ v${x:-2} -eq 1 ]]",
        "y=${x/x/v\\\n2}; ((y))",
        "echo $((USER))",
    ] {
        let text = ["v2='a[$(rm x)]'\n", used].concat();
        assert!(request(&text).opaque, "{text}");
    }
    for text in [
        "x=10; echo $(( ${x%0} * $((3 + 4)) + ${#x} )) $((${x}0))",
        "x=5; x+=1; echo $((x))",
        "v2='a[$(rm x)]'; i=1; echo $((i + ${i}2)) $((0x1f))",
        "echo $(( ${COLUMNS:-80} - 5 ))",
    ] {
        assert!(!request(text).opaque, "{text}");
    }
}

#[test]
fn programs_that_count_give_numbers() {
    for text in [
        "echo $(( $(wc -l < a) + 1 ))",
        "n=$(wc -l < \"$f\"); ((n++))",
        "[[ $(ls \"a\" | wc -l) -gt 3 ]]",
        "s=$(date +%s); echo $(( $(date +%s) - s ))",
    ] {
        assert!(!request(text).opaque, "{text}");
    }
    for text in [
        "echo $(( $(wc -l a) ))",
        "echo $(( $(a || wc -l) ))",
        "echo $(( $(a; wc -l) ))",
        "echo $(( $(echo \"a | wc -l < b\") ))",
        "echo $(( $(echo a\\| wc -l) ))",
        "wc() { a; }; echo $(( $(wc -l < a) ))",
        "PATH=a; echo $(( $(wc -l < a) ))",
        ". a; echo $(( $(wc -l < a) ))",
        "v=2; echo $(( v$(wc -l < a) ))",
    ] {
        assert!(request(text).opaque, "{text}");
    }
}

#[test]
fn operands_that_are_variables_need_their_values() {
    for text in [
        "T=--; timeout \"$T\" 5 a",
        "read T; timeout \"$T\" a",
        "timeout \"$T\" a",
        "T=5; timeout $T a",
        "eval 'T=-k'; T=5; timeout \"$T\" 5 a",
    ] {
        assert!(request(text).opaque, "{text}");
    }
    let request = request("T=30; timeout \"$T\" rm a");
    assert!(!request.opaque && denies_rm(&request));
}

#[test]
fn words_that_may_be_several_are_no_value_of_an_option() {
    for text in [
        "env -u r* rm x",
        "env {BASH_ENV,A}=/a bash -c :",
        "env BASH_EN[V]=/a bash -c :",
        "nice -n $x a",
        "bash --rcfile * a",
        "find . -exec bash + \\; <<< 'rm x'",
        "shopt -s expand_aliases\nalias k=\nk rm",
        "shopt -s expand_aliases\nalias k=A=1\nk rm",
        "x='$(rm x)' >& \"$\\\nx\"t",
        "x='a[$(rm x)]'; a {b\\\n[x]}>o",
        "a=(); v='([$(rm x)]=1)'; declare \"a=$v\"",
    ] {
        let request = request(text);
        assert!(request.opaque || denies_rm(&request), "{text}");
    }
    let open = |text: &str| request(text).commands.remove(0).open_as;
    assert!(open("git -C $d status").contains(&"git \0".to_owned()));
    assert!(!open("git -C \"$d\" status").contains(&"git \0".to_owned()));
    assert!(denies_rm(&request("x86_64 rm x")) && denies_rm(&request("i386 -R rm x")));
}

#[test]
fn variables_that_programs_run_are_read_or_opaque() {
    for text in [
        "read PS4; a",
        "export BASH_ENV=$x; a",
        "env 'BASH_FUNC_ls%%=() { rm x; }' bash -c ls",
        "BASH_CMDS[k]=/bin/rm; k",
        "GIT_CONFIG_VALUE_0='!rm x' git x",
        "declare -n r=PS4; r=x",
        "SHELL=$x script -c a",
    ] {
        assert!(request(text).opaque, "{text}");
    }
    assert!(denies_rm(&request("SHELL='a b'/rm script -c a")));
    assert!(denies_rm(&request("GIT_EXTERNAL_DIFF='rm x' git diff")));
    assert!(denies_rm(&request("env PAGER=rm git log")));
    assert!(!request("GIT_PAGER=cat git log; ENV=test a").opaque);
}

#[test]
fn options_before_a_subcommand_are_dropped() {
    let denies = |text: &str, start: &str| {
        let request = request(text);
        let mut spellings = request.commands.iter().flat_map(deny_candidates);
        spellings.any(|spelling| spelling.starts_with(start))
    };
    for (text, start) in [
        ("kubectl -n prod delete pod x", "kubectl delete"),
        ("kubectl -nprod --context=a -v 6 delete ns x", "kubectl delete"),
        ("docker --context remote -D rm -f x", "docker rm -f"),
        ("docker compose -f c.yml -p n down -v", "docker compose down -v"),
        ("aws --profile p --output=json s3 rm s3://b", "aws s3 rm"),
        ("aws s3 --region r rm s3://b", "aws s3 rm"),
        ("gh repo -R o/r delete x", "gh repo delete"),
        ("cargo +nightly --offline publish", "cargo publish"),
        ("python3 -m pip --quiet uninstall x", "pip uninstall"),
        ("terraform -chdir=x destroy", "terraform destroy"),
        ("ip -6 -n ns link set", "ip link"),
        ("npm --unknown value publish", "npm publish"),
        ("npm --unknown publish", "npm publish"),
        ("sudo helm -n p --kube-context c uninstall r", "helm uninstall"),
    ] {
        assert!(denies(text, start), "{text}");
    }
    for (text, start) in [
        ("git -C push status", "git push"),
        ("npm --prefix publish test", "npm publish"),
        ("kubectl -n delete get pods", "kubectl delete"),
    ] {
        assert!(!denies(text, start), "{text}");
    }
}

#[test]
fn words_that_are_not_known_are_open() {
    let open = |text: &str| request(text).commands.remove(0).open_as;
    assert_eq!(open("rm $x a"), ["rm \0 a"]);
    assert_eq!(open("rm {a,b}"), ["rm \0"]);
    assert!(open("xargs rm -f").contains(&"rm -f \0".to_owned()));
    assert!(open("find . -exec rm {} +").contains(&"rm \0".to_owned()));
    assert!(open("bash -c 'rm \"$@\"' _ -f").contains(&"rm \0".to_owned()));
    assert_eq!(open("rm a 'b'"), [""; 0]);
}

#[test]
fn tests_arithmetic_and_functions_can_be_denied() {
    let silent = |text: &str| request(text).silent;
    assert_eq!(silent("[[ a == b ]] && ((1))"), ["[[ a == b ]]", "((1))"]);
    assert_eq!(silent("f() { a; }; bash -c '((2))'"), ["f() { a; }", "((2))"]);
}

#[test]
fn what_is_beyond_a_limit_is_known_as_such() {
    assert!(is_over(&request(&"a; ".repeat(5_000))));
    assert!(is_over(&request(&["$(".repeat(60), ")".repeat(60)].concat())));
    assert!(is_over(&request(&"a; ".repeat(100_000))));
    assert!(!is_over(&request("echo \"unclosed")));
}

#[test]
fn words_of_builtins_that_are_no_names_run_nothing() {
    for text in [
        "unset '$(rm x)' A",
        "declare -a q '`a`'",
        "readonly R=1 -n",
        "declare x=\"$n\" y",
        "D=src; find $D -name x",
        "find $HOME -name x",
        "find \"$x\" -name y",
        "[ -f *.txt ]",
        "printf '%s\\n' *",
    ] {
        assert!(!request(text).opaque, "{text}");
    }
    for text in [
        "unset 'a[$(rm x)]'",
        "declare -n r=x",
        "set -e $x",
        "x=$'a[\\x24(rm x)]'; test -v* \"$x\"",
        "printf {-v,'a[$(rm x)]'} 1",
        "[ {-v,'a[$(rm x)]'} ]",
        "D=-exec; find . $D rm \\;",
        "D=';'; find . -exec echo {} $D -exec rm \\;",
        "read D; find $D -name x",
    ] {
        let request = request(text);
        assert!(request.opaque || denies_rm(&request), "{text}");
    }
}
