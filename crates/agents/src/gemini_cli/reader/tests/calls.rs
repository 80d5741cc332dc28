//! Calls and their outputs.

use super::*;

#[test]
fn calls_have_their_results() {
    let output = "Output: a\nb\nExit Code: 7\nSignal: 0";
    let all = calling(&[
        shell("success", output),
        shell("error", ""),
        shell("cancelled", ""),
        shell("executing", "x"),
    ]);
    let state = |index: usize| &all[0]["parts"][index]["state"];
    assert_eq!(all[0]["info"]["finish"], "tool-calls");
    assert_eq!(all[0]["info"]["time"], json!({"created": at(2), "completed": at(9)}));
    let shown = json!({"displayName": "Shell", "resultDisplay": {"a": 1}});
    assert_eq!(
        state(1),
        &json!({"status": "completed", "input": {"command": "ls"}, "output": output, "title": "ls it", "metadata": with(shown.clone(), "exit", json!(7)), "time": {"start": at(2), "end": at(9)}})
    );
    assert_eq!(
        (&state(2)["status"], &state(2)["error"], &state(2)["metadata"]),
        (&json!("error"), &json!("error"), &shown)
    );
    assert_eq!(
        (&state(3)["error"], &state(3)["metadata"]["aborted"]),
        (&json!("cancelled"), &json!(true))
    );
    assert_eq!((&state(4)["status"], &state(4)["metadata"]), (&json!("running"), &shown));
    assert_eq!(all[0]["parts"][1]["callID"], "c1");
}

#[test]
fn outputs_are_texts() {
    let response = |response: Value| json!({"functionResponse": {"response": response}});
    for (result, output) in [
        (
            json!([
                response(json!({"output": "a"})),
                response(json!({"error": "b"})),
                response(json!({"x": [1, 2.50]}))
            ]),
            "a\nb\n{\"x\":[1,2.5]}",
        ),
        (json!([{"text": "t"}, "s"]), "t\ns"),
        (json!("s"), "s"),
        (response(json!({"output": {"k": "v"}})), "{\"k\":\"v\"}"),
        (response(json!({"output": "", "error": "e"})), ""),
        (json!(null), ""),
    ] {
        let all = calling(&[with(shell("success", ""), "result", result)]);
        assert_eq!(all[0]["parts"][1]["state"]["output"], output);
    }
    let image = json!([{"functionResponse": {"response": {"output": "o"}, "parts": [{"inlineData": {"data": "QQ=="}}]}}, {"inlineData": {"mimeType": "image/gif", "data": "QUI="}}]);
    let all = calling(&[with(shell("success", ""), "result", image)]);
    let files = all[0]["parts"][1]["state"]["attachments"].clone();
    assert_eq!(
        (&files[0]["url"], &files[1]["mime"]),
        (&json!("data:image/*;base64,QQ=="), &json!("image/gif"))
    );
}

#[test]
fn an_exit_code_has_a_line() {
    use crate::gemini_cli::content::exit_code;
    for (output, code) in [
        ("Exit Code: 0", Some(0)),
        ("a\\nExit Code: -1\\r\\nb", Some(-1)),
        ("Exit Code: 1\\nExit Code: 2", Some(2)),
        ("Exit Code: (none)\\nx", None),
        ("the Exit Code: 3", None),
        // Line breaks that were escaped twice.
        ("Error: (none)\\\\nExit Code: 4\\\\nSignal: 0", Some(4)),
        ("a\\nError: (none)\\\\nExit Code: 4\\\\nSignal: 0", None),
    ] {
        assert_eq!(exit_code(output), code, "{output}");
    }
}
