//! The second spelling of Gemini's names: Python's dumps and protobuf's own JSON write them in snake_case. Such a
//! record is written again with the usual names; most records have none of these and are left as they are.

use apex_parts_json::record::Val;
use apex_parts_json::writer::escape;

/// The names that are read.
const NAMES: &str = " response_id model_version usage_metadata prompt_feedback block_reason finish_reason \
    function_call function_response executable_code code_execution_result tool_call tool_response tool_type \
    thought_signature partial_args json_path string_value number_value bool_value null_value will_continue \
    prompt_token_count tool_use_prompt_token_count candidates_token_count thoughts_token_count \
    cached_content_token_count total_token_count ";

/// Names stand no deeper than this.
const DEPTH: usize = 12;

/// The record with the usual names; `None` if it has them already.
pub(crate) fn rewritten(root: Val<'_>) -> Option<String> {
    memchr::memchr(b'_', root.raw().as_bytes())?;
    let (mut out, mut changed) = (String::new(), false);
    write(root, DEPTH, &mut out, &mut changed);
    changed.then_some(out)
}

fn write(value: Val<'_>, depth: usize, out: &mut String, changed: &mut bool) {
    if depth == 0 || !value.is_object() && !value.is_array() {
        return out.push_str(value.raw());
    }
    out.push(if value.is_object() { '{' } else { '[' });
    let start = out.len();
    for item in value.items() {
        comma(start, out);
        write(item, depth - 1, out, changed);
    }
    for (name, field) in value.entries() {
        comma(start, out);
        out.push('"');
        if NAMES.contains(&format!(" {name} ")) {
            *changed = true;
            let mut words = name.split('_');
            out.push_str(words.next().unwrap_or_default());
            for word in words {
                let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
                out.push_str(&first.to_ascii_uppercase());
                out.push_str(rest);
            }
        } else {
            escape(out, &name);
        }
        out.push_str("\":");
        // What a program wrote keeps its names.
        let is_foreign = name == "args" || name == "response" && !field.get("candidates").exists();
        write(field, if is_foreign { 0 } else { depth - 1 }, out, changed);
    }
    out.push(if value.is_object() { '}' } else { ']' });
}

fn comma(start: usize, out: &mut String) {
    if out.len() > start {
        out.push(',');
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::rewritten;
    use apex_parts_json::record;

    #[test]
    fn only_known_names_are_written_again() {
        let json = r#"{"candidates":[{"finish_reason":"STOP","my_own":1}],"model_version":"a_b"}"#;
        let want = r#"{"candidates":[{"finishReason":"STOP","my_own":1}],"modelVersion":"a_b"}"#;
        assert_eq!(rewritten(record::read(json, 16).unwrap()).as_deref(), Some(want));
        assert_eq!(rewritten(record::read(want, 16).unwrap()), None);
    }

    #[test]
    fn arguments_keep_their_names() {
        let json = r#"{"function_call":{"args":{"json_path":"$"}}}"#;
        let want = r#"{"functionCall":{"args":{"json_path":"$"}}}"#;
        assert_eq!(rewritten(record::read(json, 16).unwrap()).as_deref(), Some(want));
    }
}
