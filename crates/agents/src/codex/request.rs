//! The request in a text of Codex in an editor, which writes before it what is open there.

/// How such a text begins.
const CONTEXT: &str = "# Context from my IDE setup:\n";
/// The line before the request.
const HEADING: &str = "\n## My request for Codex:\n";

/// Does a text that begins like this have what is open in the editor before its request?
pub fn begins_with_context(text: &str) -> bool {
    text.starts_with(CONTEXT)
}

/// What is asked in a text: what comes after the context of an editor, if it has one; otherwise all of it.
pub fn request_in(text: &str) -> &str {
    if !begins_with_context(text) {
        return text;
    }
    let asked = text.split_once(HEADING).map(|(_, asked)| asked);
    asked.filter(|asked| !asked.trim().is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_after_the_context() {
        let context = "# Context from my IDE setup:\n\n## Open tabs:\n- go.mod: go.mod\n";
        let both = format!("{context}{HEADING}Which version\nis it?");
        assert_eq!(request_in(&both), "Which version\nis it?");
        let shortest = format!("{CONTEXT}{HEADING}x");
        assert_eq!(request_in(&shortest), "x");
        for whole in [
            "",
            "x",
            context,
            HEADING.trim_start(),
            &format!("a\n{both}"),
            &format!("{CONTEXT}{HEADING} \n"),
        ] {
            assert_eq!(request_in(whole), whole);
        }
    }
}
