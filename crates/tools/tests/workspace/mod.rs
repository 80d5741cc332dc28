//! The files of the recorded workspace (`make-workspace.mjs` of the recorded tools) that tests read.

fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (1..=count).map(|number| format!("{}\n", line(number))).collect()
}

/// A file's bytes by its path in the workspace.
pub(crate) fn file(path: &str) -> Option<Vec<u8>> {
    let text = match path {
        "hello.py" | "link.py" => {
            "def greet(name):\n    return \"Hello \" + name\n\nprint(greet(\"world\"))\n"
        }
        "README.md" => "# Demo\n\nA small workspace.\n\n- one\n- two\n",
        ".env" => "TOKEN=needle\n",
        ".env.example" => "TOKEN=\n",
        "text/empty.txt" | "media/empty.bin" => "",
        "text/blank.txt" => "\n",
        "text/blanks.txt" => "\n\n\n",
        "text/spaces-only.txt" => "   \n\t\n",
        "text/no-newline.txt" => "first\nlast without newline",
        "text/one.txt" => "only line\n",
        "text/crlf.txt" => "alpha\r\nbeta\r\n\r\ngamma\r\n",
        "text/crlf-end.txt" => "alpha\r\nbeta",
        "text/mixed.txt" => "unix\nwindows\r\nunix again\n",
        "text/cr-only.txt" => "old\rmac\rlines\r",
        "text/trailing.txt" => "keep  \nthese\t\n  spaces   \nplain\n",
        "text/bom.txt" => "\u{feff}with a mark\nsecond\n",
        "text/nul.txt" => "before\0after\n",
        "text/unicode.txt" => {
            "привет мир\n你好，世界\n😀 👨\u{200d}👩\u{200d}👧 \u{e9} e\u{301}\nשלום\nline\u{2028}separator\n\
             next\u{85}line\nform\u{c}feed\nvertical\u{b}tab\n"
        }
        "text/some-control.txt" => "mostly text with \u{1b}[31mred\u{1b}[0m inside\n",
        "media/text.bin" => "plain text in a .bin\n",
        "media/fake.png" => "this is not a picture\n",
        "media/icon.svg" => "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>dot</title></svg>\n",
        "media/doc.pdf" => "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n",
        "src/app.ts" => {
            "import { add } from \"./util\";\n\nexport function main(): number {\n  \
             const total = add(1, 2);\n  return total;\n}\n"
        }
        "src/dup.ts" => "const a = 1;\nlog(a);\nconst b = 2;\nlog(a);\nconst c = 3;\nlog(a);\n",
        "src/deep/a/b/c.ts" => "export const c = \"needle\";\n",
        "src/indent.py" => {
            "class A:\n    def one(self):\n        if True:\n            return 1\n\n    \
             def two(self):\n        if True:\n            return 2\n"
        }
        "src/tabs.go" => "package main\n\nfunc main() {\n\tif true {\n\t\tprintln(\"x\")\n\t}\n}\n",
        "src/twins.js" => {
            "function load() {\n  start();\n  read(1);\n  stop();\n}\n\nfunction save() {\n  \
             start();\n  write(1);\n  stop();\n}\n\nfunction drop() {\n  start();\n  erase(1);\n  \
             stop();\n}\n"
        }
        "src/spaces.txt" => "a  b   c\nx\ty\tz\nend of it\n",
        "src/repeat.txt" => "aaaa\naa aa\n",
        "src/gap.js" => {
            "begin();\none();\ntwo();\nthree();\nfour();\nfive();\nsix();\nend();\nother();\n"
        }
        "dir with space/file name.txt" => "spaced\n",
        "日本語.txt" => "ファイル\nneedle\n",
        "../outside/secret.txt" => "outside secret\n",
        _ => return other(path),
    };
    Some(text.as_bytes().to_vec())
}

fn other(path: &str) -> Option<Vec<u8>> {
    Some(match path {
        "text/latin1.txt" => b"caf\xe9\nn\xf6\n".to_vec(),
        "text/utf16.txt" => "\u{feff}sixteen\n".encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "text/control.txt" => vec![1, 2, 3, 4, 5, 6, 7, 0x41, 0x42, 0x0a],
        "text/long-line.txt" => format!("short\n{}\nafter\n", "x".repeat(5_000)).into_bytes(),
        "text/exact-2000.txt" => {
            format!("{}\n{}\n", "a".repeat(2_000), "b".repeat(2_001)).into_bytes()
        }
        "text/emoji-edge.txt" => format!("{}{}\n", "a".repeat(1_999), "😀".repeat(10)).into_bytes(),
        "text/cjk-long.txt" => format!("{}\n", "漢".repeat(2_500)).into_bytes(),
        "text/wide.txt" => numbered(100, |i| format!("{i:03} {}", "w".repeat(996))).into_bytes(),
        "text/one-huge-line.txt" => format!("{}\n", "h".repeat(120_000)).into_bytes(),
        "text/lines-3000.txt" => numbered(3_000, |i| format!("line {i}")).into_bytes(),
        "text/lines-2000.txt" => numbered(2_000, |i| format!("row {i}")).into_bytes(),
        "text/lines-2001.txt" => numbered(2_001, |i| format!("row {i}")).into_bytes(),
        _ => return None,
    })
}

/// The path in the workspace of a recorded one.
pub(crate) fn relative(path: &str) -> &str {
    let path = path.strip_prefix("/home/dev/demo/").unwrap_or(path);
    match path {
        "/home/dev/outside/secret.txt" => "../outside/secret.txt",
        "./src/../hello.py" => "hello.py",
        _ => path,
    }
}

/// The recorded calls of a tool; at least one.
pub(crate) fn cases(tool: &str) -> Vec<serde_json::Value> {
    let text =
        String::from_utf8(apex_parts_fixtures::recorded::file("tools", "cases.json")).unwrap();
    // Lone surrogates, which are no JSON for serde, stand in texts that are cut.
    let text = lone_surrogates_replaced(&text);
    let all: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let found: Vec<_> = all.into_iter().filter(|case| case["tool"] == tool).collect();
    assert!(!found.is_empty(), "no call of {tool} was recorded");
    found
}

fn lone_surrogates_replaced(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\ud") {
        let code = &rest[at..at + 6];
        let is_high = ["8", "9", "a", "b"].iter().any(|c| code[3..].starts_with(c));
        let is_pair = is_high && rest[at + 6..].starts_with("\\ud");
        out.push_str(&rest[..at]);
        let is_escaped = rest[..at].chars().rev().take_while(|c| *c == '\\').count() % 2 == 1;
        let length = if is_pair { 12 } else { 6 };
        out.push_str(if is_pair || is_escaped || code.starts_with("\\ud7") {
            &rest[at..at + length]
        } else {
            "\\ufffd"
        });
        rest = &rest[at + length..];
    }
    out + rest
}
