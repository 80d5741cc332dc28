//! The texts of messages that a person or the model wrote, and what they wrote in them.

use apex_parts_agents::{begins_with_context, request_in};
use apex_parts_model::view::start_of;
use apex_parts_model::{Key, Kind, View, Word};

/// Of a text with the context of an editor so many bytes are looked through for the request.
const LONGEST_CONTEXT: usize = 1 << 20;

/// Is it a text that a person or the model wrote, and none that a program put there?
pub(crate) fn is_said<V: View>(part: &V) -> bool {
    part.get_word(Key::Type) == Some(Word::Text)
        && part.get(Key::Synthetic).kind() != Kind::True
        && part.get(Key::Ignored).kind() != Kind::True
        && part.get(Key::Text).kind() == Kind::String
        && !part.get(Key::Text).is_blank()
}

/// What a person or the model wrote in a part, at most the first `most` bytes, without what their editor wrote
/// before it; `None` if they wrote nothing in it.
pub fn said_text<V: View>(part: &V, most: usize) -> Option<String> {
    if !is_said(part) {
        return None;
    }
    let text = part.get(Key::Text);
    if !begins_with_context(&text.text_start(100)) {
        return Some(start_of(&text.text_start(most), most).to_owned());
    }
    let whole = text.text_start(LONGEST_CONTEXT.saturating_add(most));
    let asked = request_in(&whole);
    Some(start_of(asked, most).to_owned())
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_program_put_there_is_not_said() {
        let context =
            "# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\n";
        for (part, said) in [
            (json!({"type": "text", "text": "Hallö"}), Some("Hallö")),
            (json!({"type": "text", "text": "x", "synthetic": false, "ignored": false}), Some("x")),
            (json!({"type": "text", "text": format!("{context}Hallö Welt, du")}), Some("Hallö W")),
            (json!({"type": "text", "text": "x", "synthetic": true}), None),
            (json!({"type": "text", "text": "x", "ignored": true}), None),
            (json!({"type": "text", "text": " \n"}), None),
            (json!({"type": "text", "text": 7}), None),
            (json!({"type": "reasoning", "text": "x"}), None),
            (json!("text"), None),
        ] {
            assert_eq!(said_text(&Some(&part), 8).as_deref(), said, "{part}");
        }
        assert_eq!(
            said_text(&Some(&json!({"type": "text", "text": context})), 5).as_deref(),
            Some("# Con")
        );
    }
}
