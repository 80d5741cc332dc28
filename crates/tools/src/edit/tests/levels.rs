//! What is found, and what stands there afterwards.

use super::*;

fn to(text: &str, level: u8) -> (String, u8) {
    (text.to_owned(), level)
}

#[test]
fn an_exact_text_is_replaced_literally() {
    assert_eq!(done("a b c", "b", "$& $1 $$ \\n"), to("a $& $1 $$ \\n c", 1));
    assert_eq!(done("const s = 1;\n", " = 1", ""), to("const s;\n", 1));
    assert_eq!(all("log(a);\nlog(a);\n", "log(a);", "$&!"), ("$&!\n$&!\n".to_owned(), 2));
    assert_eq!(all("aaaa\naa aa\n", "aa", "b"), ("bb\nb b\n".to_owned(), 4));
}

#[test]
fn lines_are_those_that_were_matched() {
    let at = |old: &str, all| {
        let edited = edit(b"1\n2\n3\n4\n2\n", old, "x", all).unwrap();
        (edited.line, edited.end_line, edited.count)
    };
    assert_eq!(at("3", false), (3, 3, 1));
    assert_eq!(at("3\n", false), (3, 3, 1));
    assert_eq!(at("2\n3\n4", false), (2, 4, 1));
    assert_eq!(at("\n3", false), (2, 3, 1));
    assert_eq!(at("2", true), (2, 5, 2));
}

#[test]
fn bytes_that_are_not_utf_8_stay() {
    let edited = edit(b"caf\xe9\nn\xf6\n", "caf", "tea", false).unwrap();
    assert_eq!(edited.bytes, b"tea\xe9\nn\xf6\n");
    let edited = edit(b"\xff\n  a\n  bcd\n\xfe", "a\nbcd", "x\ny", false).unwrap();
    assert_eq!(edited.bytes, b"\xff\n  x\n  y\n\xfe");
}

#[test]
fn the_files_line_ends_are_kept() {
    assert_eq!(
        done("alpha\r\nbeta\r\n\r\ngamma\r\n", "gamma", "delta\nepsilon"),
        to("alpha\r\nbeta\r\n\r\ndelta\r\nepsilon\r\n", 1)
    );
    assert_eq!(done("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n"), to("x\r\ny\r\nz\r\nc\r\n", 2));
    assert_eq!(done("a\nb\nc\n", "a\r\nb", "x\r\ny"), to("x\ny\nc\n", 2));
    assert_eq!(
        done("old\rmac\rlines\r", "old\nmac", "new\nand\nmac"),
        to("new\rand\rmac\rlines\r", 2)
    );
    assert_eq!(done("one", "one", "1\r\n2"), to("1\r\n2", 1));
    assert_eq!(done("a\nb\n", "a", "x\r\ny\rz"), to("x\ny\rz\nb\n", 1));
    assert_eq!(all("a\r\nb\r\na\r\nb\r\n", "a\nb", "c\nd\ne").0, "c\r\nd\r\ne\r\n".repeat(2));
}

#[test]
fn in_a_mixed_file_each_line_takes_the_end_of_the_line_in_its_place() {
    let file = "unix\nwindows\r\nunix again\n";
    assert_eq!(done(file, "unix\nwindows", "a\nb"), to("a\nb\r\nunix again\n", 1));
    assert_eq!(done(file, "unix again", "unix\nmore"), to("unix\nwindows\r\nunix\nmore\n", 1));
    assert_eq!(done(file, "unix\nwindows\nunix again\n", "a\nb\nc\nd\n"), to("a\nb\r\nc\nd\n", 2));
    assert_eq!(done(file, "windows", "w\nx"), to("unix\nw\r\nx\r\nunix again\n", 1));
    assert_eq!(done("a\r\nb\nc", "c", "d\ne"), to("a\r\nb\nd\ne", 1));
}

#[test]
fn a_text_that_begins_or_ends_inside_crlf_takes_both() {
    assert_eq!(done("a\r\nb\r\n", "\nb", "\nc"), to("a\r\nc\r\n", 2));
    assert_eq!(done("a\r\nb\r\n", "a\r", "c\r"), to("c\r\nb\r\n", 2));
    assert_eq!(done("a\r\nb\r\n", "a\n", ""), to("b\r\n", 2));
    assert_eq!(all("a\r\nb\r\n", "\n", "").0, "ab");
}

#[test]
fn line_ends_can_be_changed_by_naming_only_them() {
    assert_eq!(done("a\r\nb\r\n", "a\r\nb", "a\nb"), to("a\nb\r\n", 1));
}

#[test]
fn a_byte_order_mark_stays() {
    assert_eq!(done("\u{feff}with\nsecond\n", "with", "marked"), to("\u{feff}marked\nsecond\n", 1));
    assert_eq!(
        done("\u{feff}a\r\nb\r\n", "\u{feff}a\nb", "\u{feff}c\nd"),
        to("\u{feff}c\r\nd\r\n", 2)
    );
    assert_eq!(done("a\nb\n", "\u{feff}a", "\u{feff}c"), to("c\nb\n", 2));
    assert_eq!(done("\u{feff}a\r\nb\r\n", "a\nb", "c"), to("\u{feff}c\r\n", 2));
}

#[test]
fn trailing_whitespace_is_ignored_at_level_3() {
    let file = "keep  \nthese\t\n  spaces   \nplain\n";
    assert_eq!(
        done(file, "keep\nthese", "kept\nthose"),
        to("kept\nthose\n  spaces   \nplain\n", 3)
    );
    assert_eq!(done(file, "plain  ", "done"), to("keep  \nthese\t\n  spaces   \ndone\n", 3));
    assert_eq!(done("a\n\nbcd\n", "a\n    \nbcd", "x"), to("x\n", 3));
    assert_eq!(done("a \r\nb\t\r\nc\r\n", "a\nb", "x\ny"), to("x\r\ny\r\nc\r\n", 3));
    // What is before a text stays, also blanks at the end of that line.
    assert_eq!(done("x  \na \nb\n", "\na\nb", "\nc"), to("x  \nc\n", 3));
    assert_eq!(all("a \nb\na\t\nb\n", "a\nb", "c\nd").0, "c\nd\nc\nd\n");
    // Blanks at the end of the old text stand for the end of a line.
    assert!(is_not_found("returning\n", "return  ", "x"));
}

#[test]
fn an_indentation_shift_moves_the_new_text() {
    let file = "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        if True:\n            return 2\n";
    assert_eq!(
        done(
            file,
            "def two(self):\n    if True:\n        return 2",
            "def two(self):\n    return 22"
        ),
        to(&file.replace("        if True:\n            return 2", "        return 22"), 4)
    );
    let edited =
        edit(file.as_bytes(), "def two(self):\n    if True:", "def two(self):", false).unwrap();
    assert_eq!((edited.line, edited.end_line, edited.moved), (5, 6, true));
    // More indented than the file.
    assert_eq!(
        done("a:\n  bcd()\n  e\n", "      bcd()\n      e", "      x\n        y"),
        to("a:\n  x\n    y\n", 4)
    );
}

#[test]
fn tabs_are_spaces_by_the_files_own_unit() {
    let go = "func main() {\n\tif true {\n\t\tprintln(\"x\")\n\t}\n}\n";
    let old = "    if true {\n        println(\"x\")\n    }";
    assert_eq!(done(go, old, "    println(\"y\")"), to("func main() {\n\tprintln(\"y\")\n}\n", 4));
    let two = old.replace("    ", "  ");
    assert_eq!(
        done(go, &two, "  if false {\n    println(\"y\")\n  }"),
        to("func main() {\n\tif false {\n\t\tprintln(\"y\")\n\t}\n}\n", 4)
    );
    let js = "f {\n  if (a) {\n    call();\n  }\n}\n";
    assert_eq!(
        done(js, "\tif (a) {\n\t\tcall();\n\t}", "\tif (b) {\n\t\tcall();\n\t}"),
        to(&js.replace("(a)", "(b)"), 4)
    );
    // The first lines are not indented; those after them are, with spaces for tabs.
    assert_eq!(
        done(go, "func main() {\n    if true {", "func main() {\n    if false {"),
        to(&go.replace("true", "false"), 4)
    );
}

#[test]
fn new_text_that_is_in_its_place_is_not_moved() {
    let file = "class A:\n    def two(self):\n        return 2\n";
    let as_given = "    def two(self):\n        return 3";
    let edited = edit(file.as_bytes(), "def two(self):\n    return 2", as_given, false).unwrap();
    assert_eq!(edited.bytes, format!("class A:\n{as_given}\n").as_bytes());
    assert!(!edited.moved);
    assert_eq!(
        edited.output("a.py", 1, 1),
        "Edited a.py: lines 2-3 (+1 -1). Matched ignoring indentation."
    );
    // At neither place: as given.
    assert_eq!(done("      abc\n      d\n", "  abc\n  d", "   x"), to("   x\n", 4));
    // Nothing to move.
    assert_eq!(done("x\n    abc\n    d\ny\n", "abc\nd\n", ""), to("x\ny\n", 4));
}

#[test]
fn the_shift_is_the_same_for_all_lines() {
    let file = "    abc\n        def\n";
    assert!(is_not_found(file, "abc\ndef", "x"));
    assert!(is_not_found(file, "  abc\n    def", "x"));
    assert_eq!(done(file, "abc\n    def", "x"), to("    x\n", 4));
}

#[test]
fn blank_lines_are_indented_by_anything() {
    let file = "    abc\n\n    def\n";
    assert_eq!(done(file, "abc\n        \ndef", "x\n\ny"), to("    x\n\n    y\n", 4));
    assert_eq!(done("\tabc\n   \n\tdef\n", "abc\n\ndef", "x\n\ny"), to("\tx\n\n\ty\n", 4));
}

#[test]
fn runs_of_blanks_within_lines_are_level_5() {
    assert_eq!(done("a1  b   c\nx1\ty\tz\nend\n", "a1 b c\nx1 y z", "both"), to("both\nend\n", 5));
    assert_eq!(done("  int  abc;\n", "int abc;", "int x;"), to("  int x;\n", 5));
    assert!(is_not_found("x\ty\tz\nend of it\n", "x y", "xy"));
}

#[test]
fn typographic_characters_are_level_6() {
    let file = "She said \u{201c}hello\u{201d} \u{2014} it\u{2019}s fine.\nPlain.\n";
    assert_eq!(done(file, "She said \"hello\" - it's fine.", "Bye."), to("Bye.\nPlain.\n", 6));
    assert_eq!(done("it's \"plain\"\n", "it\u{2019}s \u{201c}plain\u{201d}", "x"), to("x\n", 6));
    assert_eq!(done("a1\u{a0}b\u{202f}c\n", "a1 b c", "x"), to("x\n", 6));
}

#[test]
fn one_level_of_escapes_is_undone_in_both_strings_at_level_7() {
    assert_eq!(
        done("print(\"world\")\n", "print(\\\"world\\\")", "print(\\\"bye\\\")"),
        to("print(\"bye\")\n", 7)
    );
    assert_eq!(done("abc\n\tdef\n", "abc\\n\\tdef", "x\\n\\ty"), to("x\n\ty\n", 7));
    assert_eq!(done("it's abc\r\nd\r\n", "it\\'s abc\\nd", "1\\n2"), to("1\r\n2\r\n", 7));
    // It begins within a line.
    let file = "  const total = add(1, 2);\n  return total;\n";
    assert!(is_not_found(file, "const total = add(1, 2);\\n  return total;", "return 3;"));
    // The second backslash is no escape.
    assert!(is_not_found("abc\\\ndef\n", "abc\\\\ndef", "x"));
}

#[test]
fn line_numbers_are_taken_off_both_strings_at_level_8() {
    let file = "def greet(name):\n    return \"Hello \" + name\n\nprint(greet(\"world\"))\n";
    let after = file.replace("\"Hello \" + name", "name");
    assert_eq!(done(file, "2:     return \"Hello \" + name", "    return name"), to(&after, 8));
    assert_eq!(done(file, "2:     return \"Hello \" + name", "2:     return name"), to(&after, 8));
    assert_eq!(
        done(
            file,
            "2:     return \"Hello \" + name\n3: \n4: print(greet(\"world\"))",
            "2:     return 1\n3: x"
        ),
        to("def greet(name):\n    return 1\nx\n", 8)
    );
    assert_eq!(done("abc\n\ndef\n", "1: abc\n2:\n3: def", "x"), to("x\n", 8));
    // Not counting up; not on every line; new text that has only some.
    assert!(is_not_found("abc\ndef\n", "1: abc\n3: def", "x"));
    assert!(is_not_found("abc\ndef\n", "1: abc\ndef", "x"));
    assert!(is_not_found("abc\ndef\n", "1: abc\n2: def", "1: x\ny"));
}

#[test]
fn levels_4_to_8_need_whole_lines_and_a_line_with_three_word_characters() {
    assert!(is_not_found("    {\n    }\n", "{\n  }\n ", "x"));
    assert!(is_not_found("    a;\n    b;\n", "a;\nb;", "x"), "two word characters are too few");
    assert_eq!(done("    a(b, c);\n    }\n", "a(b, c);\n}", "x"), to("    x\n", 4));
    assert!(is_not_found("    abc def\n    ghi\n", "def\nghi", "x"), "it begins within a line");
    assert!(is_not_found("    abc\n    def ghi\n", "abc\ndef", "x"), "it ends within a line");
    assert!(
        is_not_found("    abc\n    def\n", "\nabc\ndef", "x"),
        "a blank line that is not there"
    );
    assert!(is_not_found("    abc\n    def\n", "abc\ndef\n\n", "x"));
    assert!(is_not_found("    abc\n    def", "abc\ndef\n", "x"), "a line end that is not there");
}

#[test]
fn nothing_is_guessed() {
    let file = "begin();\none();\ntwo();\nthree();\nend();\n";
    assert!(is_not_found(file, "begin();\nuno();\nend();", "begin();\nend();"));
    assert!(is_not_found(file, "begin();\none();\n2();\nthree();\nend();", "x"));
}

#[test]
fn the_first_level_with_a_candidate_decides() {
    // Exact in one place, ignoring indentation in two.
    assert_eq!(done("abc\ndef\n  abc\n  def\n", "abc\ndef", "x"), to("x\n  abc\n  def\n", 1));
}
