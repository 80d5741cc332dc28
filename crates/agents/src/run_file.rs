//! [`RunFile`]: what a file says of the run that it is a part of. A run may have several: those of its sub-agents, and of
//! the same session after a part of it was taken back.

use crate::fields::{get, string};
use apex_parts_json::tape::{Node, Tape};
use std::borrow::Cow;

/// What a file is to the session that it names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunFileRole {
    /// The session begins with it.
    #[default]
    Begins,
    /// The session goes on in it.
    Continues,
    /// It has no messages: it says what the session is.
    Describes,
}

/// What a file says of the run that it is a part of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFile {
    /// What tells its session from others: an id, or the path of its file without the ending.
    pub session: String,
    /// The same of the session that started it, if it is a sub-agent.
    pub parent: Option<String>,
    /// What it is to its session.
    pub role: RunFileRole,
    /// When it was begun, as the file has it: the files of a session are in this order.
    pub begun: String,
}

/// The text in a field of an object in an object, and so on.
pub(crate) fn text_at<'a>(root: Node<'a>, names: &[&str]) -> Option<Cow<'a, str>> {
    string(names.iter().try_fold(root, |node, name| get(Some(node), name)))
}

/// What a file that describes a sub-agent says of it: its title and its agent.
#[must_use]
pub fn described(json: &[u8]) -> [Option<String>; 2] {
    let mut tape = Tape::default();
    let json = json.trim_ascii();
    let root = tape.read(json, 0).is_ok().then(|| tape.root(json));
    ["description", "agentType"].map(|name| {
        let text = string(get(root, name)).filter(|text| !text.is_empty());
        text.map(Cow::into_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_a_title_and_an_agent() {
        let json = br#"{"agentType":"general-purpose","description":"List the files"}"#;
        assert_eq!(
            described(json),
            [Some("List the files".to_owned()), Some("general-purpose".to_owned())]
        );
        for odd in [&b"{"[..], b"[]", b"{\"description\":7,\"agentType\":\"\"}"] {
            assert_eq!(described(odd), [None, None]);
        }
    }
}
