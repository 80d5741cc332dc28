//! Walks through folders, and lists of names.

use super::*;

fn dirs(text: &str) -> Vec<String> {
    request(text).dirs
}

#[test]
fn walks_that_follow_links_are_given() {
    for (text, walks) in [
        ("grep -R x .", vec!["l-/home/dev/demo"]),
        ("grep -R x", vec!["l-/home/dev/demo"]),
        ("grep -Rn x src a", vec!["l-/home/dev/demo/src", "l-/home/dev/demo/a"]),
        ("grep -Re x src", vec!["l-/home/dev/demo/x", "l-/home/dev/demo/src"]),
        ("cd src && rg -L x", vec!["l-/home/dev/demo/src"]),
        ("find -L src -name x", vec!["l-/home/dev/demo/src"]),
        ("find src -exec cat {} +", vec!["l-/home/dev/demo/src"]),
        ("find . -exec cat {} + -type f", vec!["l-/home/dev/demo"]),
        ("find . ! -type f -exec cat {} +", vec!["l-/home/dev/demo"]),
        ("find . -xtype f -exec cat {} +", vec!["l-/home/dev/demo"]),
        ("find . -type f -o -exec cat {} +", vec!["l-/home/dev/demo"]),
        ("ls -LR src", vec!["l-/home/dev/demo/src"]),
        ("ls --recursive --dereference", vec!["l-/home/dev/demo"]),
        ("cp -rL sub q", vec!["l-/home/dev/demo/sub"]),
        ("cp -r --dereference sub q", vec!["l-/home/dev/demo/sub"]),
        ("tar chf - src", vec!["l-/home/dev/demo/chf", "l-/home/dev/demo/src"]),
        ("zip -r q.zip src", vec!["l-/home/dev/demo/q.zip", "l-/home/dev/demo/src"]),
        ("rsync -aL src q", vec!["l-/home/dev/demo/src", "l-/home/dev/demo/q"]),
        ("x=src; grep -R y $x", vec!["l-/home/dev/demo/src"]),
        ("find src | xargs cat", vec!["ln/home/dev/demo/src"]),
        ("find src -print0 | xargs -0 cat", vec!["l-/home/dev/demo/src"]),
        ("find src -type f | xargs cat", vec!["-n/home/dev/demo/src"]),
        ("find src -type f -print0 | xargs cat", vec!["-n/home/dev/demo/src"]),
        ("find src | xargs -0 cat", vec!["ln/home/dev/demo/src"]),
        ("find src -name '*.o' | xargs rm", vec!["-n/home/dev/demo/src"]),
    ] {
        let request = request(text);
        assert_eq!(request.walks, walks, "{text}");
        assert_eq!(request.dirs, ["*"], "{text}");
    }
}

#[test]
fn what_goes_through_no_link_asks_for_nothing() {
    for text in [
        "grep -r x .",
        "ls -R .",
        "ls -L a",
        "cp -r src q",
        "cp -L a b",
        "tar cf - src",
        "zip -ry q.zip .",
        "rsync -a src q",
        "find . -name x",
        "find . -exec echo {} +",
        "find . -exec rm {} +",
        "find . -type f -exec cat {} +",
        "find . -name '*.ts' -type f -exec cat {} +",
        "find src -type f -print0 | xargs -0 cat",
        "find src -type f -print0 | xargs -r0 -n 1 cat",
        "find src | xargs echo",
        "sort a | head",
    ] {
        assert_eq!(dirs(text), [""; 0], "{text}");
    }
}

#[test]
fn other_walks_and_lists_are_unknown() {
    for text in [
        "ls | xargs cat",
        "find . | grep x | xargs cat",
        "find . -printf '../%p\\n' | xargs cat",
        "find . -type f -print0 | xargs -0 -a l cat",
        "grep -R x $y",
        "grep -R x *",
        "cd $x; grep -R y .",
        "ln -s ../x src/q; grep -R x src",
        "git pull; grep -R x src",
        "for i in 1 2; do grep -R x src; git pull; done",
        "bash -c 'unzip x'; cp -rL src q",
        "cat $x; grep -R y .",
        "find -files0-from l",
        "sort --files0-from=-",
        "tar cf - -T l",
        "tar cf - -T -",
        "tar cf - --files-from=l",
        "rsync --files-from=l . q",
        "ls | cpio -o",
    ] {
        let request = request(text);
        assert!(request.dirs.contains(&"*".to_owned()) && request.walks.is_empty(), "{text}");
    }
    assert_eq!(request("grep -R x src; git pull").walks, ["l-/home/dev/demo/src"]);
    // A list that is in the text.
    assert_eq!(dirs("tar cf - -T - <<< src/a"), [""; 0]);
    assert_eq!(dirs("tar cf - -T - <<'E'\nsrc/a\n../b\nE"), ["/home/dev/b"]);
}
