//! Messages as HTML: what they show, and that they cannot execute anything.

// Tests may fail loudly.
#![allow(clippy::string_slice)]

use super::*;
use serde_json::{Value, json};

fn shown(info: Value, parts: Value) -> String {
    let mut out = String::new();
    message_to_html(&Some(&json!({"info": info, "parts": parts})), Some(3), &mut out).unwrap();
    out
}

fn assistant(parts: Value) -> String {
    shown(json!({"role": "assistant"}), parts)
}

/// The names of all tags that an HTML parser sees in a text, and of their attributes.
fn tags(html: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        let end = after.find('>').expect("a tag ends");
        let tag = &after[..end];
        let name = tag.split([' ', '\n']).next().unwrap().trim_end_matches('/').to_owned();
        let mut attributes = Vec::new();
        let mut inside = tag.split('"');
        while let Some(name) = inside.next() {
            if let Some(name) = name.trim().strip_suffix('=') {
                attributes.push(name.rsplit(' ').next().unwrap().to_owned());
            }
            inside.next();
        }
        found.push((name, attributes));
        rest = &after[end + 1..];
    }
    found
}

const EVIL: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</pre></details></style></title></script><svg onload=alert(1)>",
    "<math><mi xlink:href=\"javascript:alert(1)\">",
    "<form id=body><input name=innerHTML>",
    "[a](javascript:alert(1)) ![b](javascript:alert(1)) <javascript:alert(1)>",
    "```\"><script>alert(1)</script>\nx\n```",
    "<iframe srcdoc=\"<script>alert(1)</script>\">",
    "<meta http-equiv=refresh content=\"0;url=https://evil.example\">",
    "<base href=https://evil.example>",
    "<style>*{background:url(https://evil.example)}</style>",
    "\u{1b}[31m<script>\u{1b}]8;;javascript:alert(1)\u{7}",
    "-->]]><!--<script>",
    "\0<scr\0ipt>",
];

#[test]
fn no_text_of_a_transcript_becomes_markup() {
    const GOOD: &[&str] = &[
        "article",
        "header",
        "h2",
        "h3",
        "span",
        "time",
        "a",
        "div",
        "details",
        "summary",
        "b",
        "p",
        "dl",
        "dt",
        "dd",
        "pre",
        "figure",
        "figcaption",
        "img",
        "em",
        "strong",
        "code",
        "ul",
        "li",
        "blockquote",
        "hr",
        "main",
        "h1",
        "ol",
        "input",
    ];
    const ATTRIBUTES: &[&str] =
        &["class", "id", "href", "datetime", "src", "alt", "rel", "title", "open", "start"];
    for evil in EVIL {
        let state = |status: &str| {
            json!({"status": status, "title": evil, "input": {*evil: evil, "a": [evil]},
            "output": evil, "error": evil, "metadata": {"diff": evil}, "time": {"start": 1, "end": 2},
            "attachments": [{"type": "file", "filename": evil, "mime": evil, "url": evil}]})
        };
        let parts = json!([
            {"type": "text", "text": evil},
            {"type": "reasoning", "text": evil},
            {"type": "tool", "tool": evil, "state": state("completed")},
            {"type": "tool", "tool": evil, "state": state("error")},
            {"type": "tool", "tool": evil, "state": state(evil)},
            {"type": "file", "filename": evil, "mime": evil, "url": evil},
            {"type": "file", "filename": evil, "mime": evil, "url": format!("data:image/png;base64,{evil}")},
            {"type": "file", "filename": evil, "mime": evil, "url": format!("https://{evil}")},
            {"type": "subtask", "agent": evil, "description": evil, "prompt": evil},
            {"type": "agent", "name": evil},
            {"type": "retry", "error": {"message": evil}},
            {"type": "patch", "files": [evil]},
            {"type": "step-finish", "reason": evil},
            {"type": evil, "a": evil},
        ]);
        let info = json!({"role": "assistant", "providerID": evil, "modelID": evil,
            "time": {"created": 0}, "error": {"name": evil, "data": {"message": evil}}});
        let html = shown(info, parts);
        assert!(!html.contains('\0'));
        for (name, attributes) in tags(&html) {
            let name = name.trim_start_matches('/');
            assert!(GOOD.contains(&name), "<{name}> in {html}");
            for attribute in attributes {
                assert!(ATTRIBUTES.contains(&attribute.as_str()), "{name} {attribute} in {html}");
            }
        }
        for start in ["<a href=\"", "noreferrer\" href=\"", "<img src=\""] {
            for (at, _) in html.match_indices(start) {
                let url = &html[at + start.len()..];
                let good = ["https://", "#m3", "data:image/png;base64,"];
                assert!(good.iter().any(|good| url.starts_with(good)), "{url}");
            }
        }
        let mut head = String::new();
        page_head(evil, &[(*evil).to_owned()], &mut head).unwrap();
        assert_eq!(head.matches("<script").count() + head.matches("<svg").count(), 0);
        assert_eq!(head.matches("</title>").count() + head.matches("</style>").count(), 2);
    }
}

#[test]
fn the_page_forbids_everything_else() {
    let mut page = String::new();
    page_head("A & B", &["3 messages".into()], &mut page).unwrap();
    page_foot(&mut page);
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(
        page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    );
    assert!(page.contains("<title>A &amp; B</title>") && page.contains("<li>3 messages</li>"));
    assert!(!page.contains("<script") && page.ends_with("</html>\n"));
    assert!(!CSS.contains("url(") && !CSS.contains("@import") && !CSS.contains('<'));
}

#[test]
fn a_tool_is_folded_with_its_state_input_and_output() {
    let html = assistant(json!([{"type": "tool", "tool": "bash", "state": {
        "status": "completed", "title": "t", "input": {"command": "ls\n-la", "n": 5},
        "output": "\n\u{1b}[1;31mred\u{1b}[0m", "metadata": {"diff": "@@ 1\n-a\n+b\n c"},
        "time": {"start": 0, "end": 20}}}]));
    for piece in [
        "<details class=\"completed\">\n<summary><b>bash</b><span class=\"state\">completed</span>t · 20 ms</summary>",
        "<dt>command</dt><dd><pre>ls\n-la</pre></dd>",
        "<dt>n</dt><dd><pre>5</pre></dd>",
        "<pre><span class=\"at\">@@ 1\n</span><span class=\"del\">-a\n</span><span class=\"ins\">+b\n</span> c</pre>",
        "<h3>Output</h3>\n<pre>\n\n<span class=\"a1 bold\">red</span></pre>",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
}

#[test]
fn only_data_urls_of_bitmaps_are_images() {
    let file =
        |url: &str| json!({"type": "file", "mime": "image/png", "filename": "f", "url": url});
    let html = assistant(json!([
        file("data:image/png;base64,AAAA"),
        file("https://x.example/p.png"),
        file("data:image/svg+xml;base64,AAAA"),
        {"type": "text", "text": "![a](https://x.example/p.png)"},
    ]));
    assert_eq!(html.matches("<img").count(), 1);
    assert!(html.contains("<img src=\"data:image/png;base64,AAAA\" alt=\"f\">"));
    assert_eq!(html.matches("href=\"https://x.example/p.png\"").count(), 2);
}

#[test]
fn reasoning_is_folded_to_its_first_line() {
    let html = assistant(json!([{"type": "reasoning", "text": "first\n\n**second**"}]));
    assert!(html.contains("<summary>Reasoning: first…</summary>"), "{html}");
    assert!(html.contains("<strong>second</strong>"));
}

#[test]
fn a_page_that_would_be_too_long_is_refused() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let tool = json!({"type": "tool", "state": {"input": {"a": ["<".repeat(400)]}}});
    for part in [text(&"<".repeat(400)), tool, json!({"type": "other", "a": "\u{1}".repeat(200)})] {
        let message = json!({"info": {"role": "user"}, "parts": [text("a"), part, text("b")]});
        let mut page = "before".to_owned();
        let error =
            write(&Some(&message), None, BoundedOutput::within(&mut page, 1000)).unwrap_err();
        assert!(error.to_string().ends_with(" (limit)"), "{error}");
        assert_eq!(page, "before");
        write(&Some(&message), None, BoundedOutput::within(&mut page, 5000)).unwrap();
    }
}
