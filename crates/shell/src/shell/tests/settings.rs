//! Variables that bash evaluates, that decide what programs run, and that change nothing.

use super::*;

fn within(text: &str) -> ShellRequest {
    let environment = ["PATH", "HOME", "EDITION"].map(str::to_owned).into();
    shell_request_in(text, &environment, CWD, "/home/dev", &mut |_| true)
}

#[test]
fn what_bash_evaluates_where_it_is_set_is_opaque_unless_it_is_a_number() {
    for text in [
        "RANDOM='a[$(rm)0]'",
        "x=$(cat f); SECONDS+=$x",
        "OPTIND=('a[$(rm)0]')",
        "for BASHPID in 1 'a[$(rm)0]'; do :; done",
        "printf -v HISTCMD %s x",
        "read -r UID",
        "x='a[$(rm)0]'; y=x; SRANDOM=$y",
        ": ${RANDOM:='a[$(rm)0]'}",
        "declare -n r=RANDOM; r='a[$(rm)0]'",
        "declare PIPESTATUS='($(rm))'",
        "coproc own { :; }; declare own='($(rm))'",
        "export TEXTDOMAIN=m; echo $\"hello\"",
        "read -r LANG <<< x; eval 'echo $\"hello\"'",
        "LC_ALL=C bash -c 'echo $\"hello\"'",
        "TEXTDOMAINDIR=x; echo ${y:-$\"hello\"}",
    ] {
        assert!(request(text).opaque, "{text}");
    }
    for text in [
        "RANDOM=42",
        "SECONDS=$(date +%s)",
        "for OPTIND in 1 2; do :; done",
        "n=7; SRANDOM=$n",
        "declare PIPESTATUS='(1 2)'",
        "echo $\"hello\"",
        "LANG=C; echo '$\"hello\"'",
        "exec {fd}> x",
    ] {
        assert!(!request(text).opaque, "{text}");
    }
    let environment = ["TEXTDOMAIN".to_owned()].into();
    let of = |text| shell_request_in(text, &environment, "/", "/", &mut |_| true).opaque;
    assert!(of("echo $\"hello\"") && !of("echo hello"));
}

#[test]
fn a_variable_that_decides_what_runs_is_noted_however_it_is_set() {
    for text in [
        "for PATH in .; do ls; done",
        "select HOME in a; do :; done",
        "read -r x PATH",
        "printf -v HOME a",
        "mapfile PATH",
        "getopts x PATH",
        "export PATH=.",
        "declare -g PATH=.",
        "f() { local HOME; }",
        "unset PATH",
        ": ${NODE_OPTIONS:=x}",
        "exec {LD_PRELOAD}> x",
        "export GIT_PAGER=less",
        "export -n PATH",
        "coproc PATH { ls; }",
        "readonly npm_config_x=1",
        "read -aPATH",
    ] {
        assert!(is_steered(&request(text)), "{text}");
    }
    for text in [
        "PATH=. ls",
        "PATH=(. x) ls",
        "for x in PATH; do ls; done",
        "export CI=1 GIT_PAGER=cat",
        "export PATH",
        "declare -p PATH",
        "make CC=clang",
        "echo PATH=x",
        "read -r line",
        "for RUST_LOG in a; do ls; done",
    ] {
        assert!(!is_steered(&request(text)), "{text}");
    }
}

#[test]
fn a_variable_that_only_the_text_reads_is_not_asked() {
    for (text, expected) in [
        ("x=5; y=$((x * 2)); echo $y", &["echo $y"][..]),
        ("a=(1 2); a+=(3); m[k]=1", &[]),
        ("declare -A m; local x=1", &[]),
        ("n=$(ls)", &["ls"]),
        ("RANDOM=42; SECONDS=0", &[]),
        ("EDITION=1", &["EDITION=1"]),
        ("PATH=.", &["PATH=."]),
        ("IFS=,", &["IFS=,"]),
        ("BASH_X=1", &["BASH_X=1"]),
        ("MAPFILE=1", &["MAPFILE=1"]),
        ("x=5; export x", &["x=5", "export x"]),
        ("f() { declare -x x; }; x=5", &["declare -x x", "x=5"]),
        ("set -a; x=5", &["set -a", "x=5"]),
        ("set -o allexport; x=5", &["set -o allexport", "x=5"]),
        ("declare -x x=5", &["declare -x x=5"]),
        ("x=5 > f", &["x=5 > f"]),
        ("x=5 ls", &["x=5 ls"]),
    ] {
        assert_eq!(within(text).patterns, expected, "{text}");
    }
    assert_eq!(request("x=5").patterns, ["x=5"]);
}

#[test]
fn an_assignment_that_changes_nothing_is_left_out_of_what_is_judged() {
    for (text, expected) in [
        ("CI=1 npm test", Some("npm test")),
        ("CI=true NODE_ENV='test'  npx x", Some("npx x")),
        ("LANG=C.UTF-8 LC_ALL=POSIX sort a", Some("sort a")),
        ("TZ=Europe/Berlin date", Some("date")),
        ("HOST=::1 npm start", Some("npm start")),
        ("RAILS_ENV=test rake", Some("rake")),
        ("PAGER=cat git log", Some("git log")),
        ("IFS=, read -ra x", Some("read -ra x")),
        ("RAILS_ENV=production rake", None),
        ("HOST=0.0.0.0 npm start", None),
        ("TZ=/etc/x date", None),
        ("TZ=a/b/c date", None),
        ("LANG=../x sort a", None),
        ("CI=$x npm test", None),
        ("DEBUG=a/b npm test", None),
        ("NODE_OPTIONS=x npm test", None),
        ("CI=1 PATH=. npm test", None),
        ("IFS=, ls", None),
        ("PAGER=less git log", None),
        ("> f CI=1 npm test", None),
    ] {
        let request = request(text);
        let [command] = request.commands.as_slice() else { panic!("{text}") };
        assert_eq!(without_harmless(command), expected, "{text}");
        assert_eq!(request.patterns, [text]);
    }
    assert_eq!(request("export CI=1 NO_COLOR=1").patterns, [""; 0]);
    assert_eq!(request("export CI=1 X=1").patterns, ["export CI=1 X=1"]);
}

#[test]
fn other_programs_that_run_commands_are_wrappers() {
    for text in [
        "jobs -x rm y",
        "jobs -x -l rm",
        "builtin -- jobs -x -n -p -- rm y",
        ". -- rm y",
        "jobs -lx rm y",
        "builtin jobs -x rm y",
        "choom -n 0 -- rm y",
        "env -- --x=. rm y",
        "time time ! rm y",
        "time -p time -- time time -p time ! rm y",
        "! time time { rm y; }",
        "choom --adjust=1 rm y",
        "uclampset -m 0 rm y",
        "/lib64/ld-linux-x86-64.so.2 /bin/rm y",
        "ld-linux-aarch64.so.1 --library-path x rm y",
        "split --filter='rm y' a",
        "split -l 5 --filter 'rm y' a",
    ] {
        assert!(denies_rm(&request(text)), "{text}");
    }
    for text in [
        "o=-x; jobs $o a",
        "start-stop-daemon -S -x a",
        "run-parts x",
        "builtin other x",
        "git -c core.sshCommand='a b' fetch",
        "git -c CORE.PAGER=less log",
        "git -c alias.x=log x",
        "git --config-env=core.editor=E commit",
        "git -c diff.a.textconv=x diff",
        "git -c include.path=x log",
        "git grep -O x",
        "git grep -nOless x",
        "git grep --open-files-in-pager=a x",
        "git difftool -x a",
        "git difftool --ext a",
        "GIT_CONFIG_GLOBAL=a git log",
    ] {
        assert!(request(text).opaque, "{text}");
    }
    for text in [
        "jobs -l",
        "jobs",
        "builtin echo x",
        "run-parts --test x",
        "git -c core.pager=cat log",
        "git -c core.hooksPath=/dev/null commit",
        "git -c user.name=a commit",
        "git -c color.ui=always diff",
        "git grep -Ocat x",
        "git grep --open x",
        "git grep -- -O",
        "GIT_CONFIG_GLOBAL=/dev/null git log",
        "split -l 1000 a",
        "split -b 5m --numeric-suffixes=1 a",
    ] {
        let is_pager = text == "git grep --open x";
        assert_eq!(request(text).opaque, is_pager, "{text}");
    }
}

#[test]
fn what_reaches_a_shell_unknown_may_write_any_file() {
    for text in [
        "cat x | sh",
        "echo -e '> f' | sh",
        "echo '\\076 f' | sh",
        "echo \"$x\" | sh",
        "echo() { printf x; }; echo '> f' | sh",
        "cat <<E | sh\n$x\nE",
        "source <(cat x)",
        "bash -c \"$x\"",
        "eval \"$x\"",
        "compgen -W \"$x\"",
        "x='a[$(ls > f)0]'; echo $((x))",
    ] {
        assert_eq!(request(text).writes, ["*"], "{text}");
        assert!(request(text).dirs.contains(&"*".to_owned()), "{text}");
    }
    for (text, expected) in [
        ("bash <<< '> f'", "f"),
        ("echo '> f' | sh", "f"),
        ("cat <<'E' | bash\nls > f\nE", "f"),
        ("jobs -x sh -c 'ls > f'", "f"),
        ("history -w f", "f"),
        ("history -a f", "f"),
        ("script -q f -c true", "f"),
        ("script -O f -c true", "f"),
    ] {
        assert_eq!(request(text).writes, [[CWD, "/", expected].concat()], "{text}");
    }
    for text in ["history -s a", "history -r f", "bash x.sh", "sh --version"] {
        assert_eq!(request(text).writes, [""; 0], "{text}");
    }
}

#[test]
fn files_that_a_command_reads_are_named() {
    for (text, expected) in [
        ("cat a", &["a"][..]),
        ("echo $(< a)", &["a"]),
        ("mapfile -t < a", &["a"]),
        ("source a", &["a"]),
        ("sed p a", &["a"]),
        ("sed -e p a", &["a", "p"]),
        ("grep -c x a", &["a"]),
        ("cp a b", &["a"]),
        ("for f in a; do cat \"$f\"; done", &["a"]),
        ("sudo cat a", &["a"]),
        ("bash -c 'cat a'", &["a"]),
        ("env sort a*", &["a*"]),
        ("git log a", &[]),
        ("git add a; git ls-files a", &[]),
        ("docker run --env-file a --env-file=b", &["run"]),
        ("ls a; rm a; touch a; chmod 1 a; tee a", &[]),
        ("find . -name a", &[]),
        ("echo a > b", &[]),
        ("[ -f a ] && test -e a", &[]),
    ] {
        let found: Vec<String> = request(text)
            .reads
            .iter()
            .filter_map(|path| path.strip_prefix(CWD)?.strip_prefix('/').map(str::to_owned))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}
