//! Messages as Markdown.

use super::*;
use pulldown_cmark::{Event, Parser, Tag};
use serde_json::{Value, json};

fn written(info: Value, parts: Value) -> String {
    let mut out = String::new();
    let message = json!({"info": info, "parts": parts});
    message_to_markdown(&Some(&message), Some(3), &mut out).unwrap();
    out
}

fn assistant(parts: Value) -> String {
    written(json!({"role": "assistant", "providerID": "p", "modelID": "m_1"}), parts)
}

/// The texts of the code blocks and of the headings.
fn blocks(markdown: &str) -> (Vec<String>, Vec<String>) {
    let (mut code, mut headings, mut into) = (Vec::new(), Vec::new(), 0);
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                code.push(String::new());
                into = 1;
            }
            Event::Start(Tag::Heading { .. }) => {
                headings.push(String::new());
                into = 2;
            }
            Event::End(_) => into = 0,
            Event::Text(text) | Event::Code(text) => {
                let list = if into == 1 { code.last_mut() } else { headings.last_mut() };
                if let (Some(last), true) = (list, into > 0) {
                    last.push_str(&text);
                }
            }
            _ => {}
        }
    }
    (code, headings)
}

#[test]
fn a_message_has_a_heading_with_role_model_and_time() {
    let info = json!({"role": "user", "time": {"created": 0},
        "model": {"providerID": "a", "modelID": "b*c"}});
    let out = written(info, json!([{"type": "text", "text": "hi\n"}]));
    assert_eq!(out, "\n## 3. User · a/b\\*c · 1970-01-01 00:00:00 UTC\n\nhi\n");
}

#[test]
fn a_tool_has_its_input_changes_and_output() {
    let out = assistant(json!([{"type": "tool", "tool": "edit", "state": {
        "status": "completed", "title": "a\nb", "input": {"path": "x"}, "output": "\u{1b}[31mok\u{1b}[0m",
        "metadata": {"diff": "-a\n+b\n"}, "time": {"start": 0, "end": 1500}}}]));
    assert!(out.contains("**Tool** `edit` · completed · 1.5 s · a b\n"), "{out}");
    let (code, _) = blocks(&out);
    assert_eq!(code, ["{\n  \"path\": \"x\"\n}\n", "-a\n+b\n", "ok\n"]);
}

#[test]
fn no_fence_in_a_text_ends_its_code_block() {
    for output in ["```", "a\n````\nb", "~~~\n`````js\n", "`"] {
        let out = assistant(json!([{"type": "tool", "tool": "`x", "state": {
            "status": "error", "input": {"a": output}, "error": output}}]));
        let (code, headings) = blocks(&out);
        assert_eq!(code.len(), 2, "{out}");
        assert_eq!(code[1].trim_end(), output.trim_end());
        assert_eq!(headings, ["3. Assistant · p/m_1"]);
    }
}

#[test]
fn open_code_blocks_and_raw_html_swallow_nothing() {
    for text in ["```js\nlet a", "~~~~\n~~~", "<!-- a", "<script>", " <pre>\nx", "<![CDATA[", "<?x"]
    {
        let both = assistant(json!([{"type": "text", "text": text}]))
            + &assistant(json!([{"type": "text", "text": "next"}]));
        let (_, headings) = blocks(&both);
        assert_eq!(headings.len(), 2, "{both}");
    }
    // Closed blocks stay as they are.
    let text = "a\n\n```html\n<!-- x -->\n<script>\n```\n\n<b>c</b> `<script>`";
    assert!(assistant(json!([{"type": "text", "text": text}])).contains(text));
}

#[test]
fn every_kind_of_part_is_there() {
    let out = assistant(json!([
        {"type": "step-start"},
        {"type": "reasoning", "text": "one\n\ntwo"},
        {"type": "text", "text": "no", "ignored": true},
        {"type": "file", "mime": "image/png", "filename": "a.png", "url": "data:image/png;base64,AAAA"},
        {"type": "file", "mime": "text/html", "url": "https://x.example/"},
        {"type": "file", "mime": "text/html", "url": "javascript:alert(1)"},
        {"type": "subtask", "agent": "general", "description": "look", "prompt": "look\naround"},
        {"type": "agent", "name": "plan"},
        {"type": "compaction", "auto": true},
        {"type": "retry", "attempt": 1, "error": {"message": "busy"}},
        {"type": "patch", "hash": "h", "files": ["/a", "/b`c"]},
        {"type": "plan", "steps": [1]},
        {"type": "step-finish", "reason": "stop", "cost": 0.5, "tokens": {"input": 3}},
    ]));
    for text in [
        "> **Reasoning**\n>\n> one\n>\n> two\n",
        "*Not shown to the model:*\n\nno\n",
        "**File** `a.png` · image/png · 26 bytes of text\n",
        "**File** `unnamed` · text/html · <https://x.example/>\n",
        "**File** `unnamed` · text/html · `javascript:alert(1)`\n",
        "**Subtask** general · look\n\n> look\n> around\n",
        "**Agent** plan\n",
        "summarised here",
        "**Retry** busy\n",
        "- `/a`\n- ``/b`c``\n",
        "**Part** plan\n\n```json\n{",
        "**Step** stop: 3 in, $0.5\n",
    ] {
        assert!(out.contains(text), "{text} is not in {out}");
    }
}

#[test]
fn other_values_than_messages_are_refused() {
    for value in [json!(5), json!({"info": {}}), json!({"info": {}, "parts": [5]}), json!([])] {
        let error = message_to_markdown(&Some(&value), None, &mut String::new()).unwrap_err();
        assert_eq!(error.name(), "PartValidationError");
    }
}

#[test]
fn a_document_has_a_head() {
    let mut out = String::new();
    markdown_head("A <b> [c] && &amp;", &["1 message".to_owned()], &mut out).unwrap();
    assert_eq!(out, "# A \\<b> \\[c\\] && \\&amp;\n\n- 1 message\n");
}

#[test]
fn a_text_that_would_be_too_long_is_refused() {
    let message = json!({
        "info": {"role": "user"},
        "parts": [{"type": "text", "text": "a"}, {"type": "reasoning", "text": "b".repeat(900)}],
    });
    let mut text = "before".to_owned();
    let error = write(&Some(&message), None, BoundedOutput::within(&mut text, 900)).unwrap_err();
    assert!(error.to_string().ends_with(" (limit)"), "{error}");
    assert_eq!(text, "before");
    write(&Some(&message), None, BoundedOutput::within(&mut text, 1000)).unwrap();
}
