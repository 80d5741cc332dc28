//! Hostile input: deep, long, wide.

use super::*;

fn size(request: &ShellRequest) -> usize {
    let commands = request.commands.iter();
    commands.map(|c| c.denied_as.iter().chain(&c.inner).map(String::len).sum::<usize>()).sum()
}

#[test]
fn what_is_too_deep_is_opaque() {
    for (open, inner, close) in [
        ("$(", "rm x", ")"),
        ("( ", "rm x", ")"),
        ("{ ", "rm x", "; }"),
        ("if ", "rm x", "; then a; fi"),
        ("\"$(", "rm x", ")\""),
        ("${x:-", "a", "}"),
        ("$((", "1", "))"),
        ("<(", "rm x", ")"),
        ("x=(", "a", ")"),
        ("f() ", "{ rm x; }", ""),
        ("case x in x) ", "rm x", ";; esac"),
    ] {
        for depth in [30, 1_000, 50_000] {
            let text = [&open.repeat(depth), inner, &close.repeat(depth)].concat();
            let text = text.get(..(200 << 10).min(text.len())).unwrap();
            let request = request(text);
            assert!(request.opaque || depth == 30, "{open} {depth}");
        }
    }
    assert!(denies_rm(&request(&["$(".repeat(8), "rm x".to_owned(), ")".repeat(8)].concat())));
}

#[test]
fn many_wrappers_are_opaque_and_small() {
    for wrapper in [
        "env ",
        "sudo ",
        "eval ",
        "xargs ",
        "bash -c ",
        "runuser -c ",
        "find -exec ",
        "$x ",
        "watch ",
        "time ",
    ] {
        let text = [&wrapper.repeat(5_000), "rm x"].concat();
        let request = request(&text);
        assert!(request.opaque || denies_rm(&request), "{wrapper}");
        assert!(size(&request) < 100 * text.len(), "{wrapper} {}", size(&request));
    }
    let request = request(&["sudo ".repeat(12), "rm x".to_owned()].concat());
    assert!(denies_rm(&request) && !request.opaque);
}

#[test]
fn long_texts_end_soon() {
    for piece in [
        "a; ",
        "a | ",
        "$x",
        "'",
        "\"",
        "\\",
        "`",
        "a\n",
        "cd a && ",
        "cd ..;",
        "a=1 ",
        "<<X\n",
        "<<<a ",
        ">/a",
        "[",
        "{",
        "{,",
        "${",
        "$'",
        "#",
        "((",
        ")",
        "-exec a \\; ",
        "$((1)) ",
        "a b ",
        "/",
        "-a ",
        "--a ",
        "/=",
        "../",
        "=",
        "a=(",
        "echo $(a) ",
        "[[ ",
        "\\\n",
        "é",
        "\t",
        "<(a) ",
        "cat /a/b/c$x/",
        "x=$y; ",
        "case a in ",
    ] {
        for start in
            ["", "find ", "env ", "bash -c '", "cat <<X\n", "\"", "git ", "sudo ", "alias "]
        {
            let text = [start, &piece.repeat((20 << 10) / piece.len())].concat();
            let request = request(&text);
            assert!(size(&request) < 100 * text.len(), "{start}{piece}");
            assert!(request.dirs.len() <= 257);
        }
    }
}

#[test]
fn a_text_over_the_limit_is_one_opaque_command() {
    let request = request(&"a; ".repeat(100_000));
    assert!(request.opaque);
    assert_eq!(request.commands.len(), 1);
}
