//! What a call is about, told by its arguments: agents name their tools differently, but not much what they
//! take.

use apex_parts_agents::fields::{items, pick, string};
use apex_parts_diff::{PATCH_BEGIN, parse_patch};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};
use std::borrow::Cow;

/// What a call is about.
#[derive(Clone, Debug, PartialEq)]
pub enum CallSubject<'a> {
    /// A shell runs this command.
    Command(Cow<'a, str>),
    /// It changes this file.
    Change(Cow<'a, str>),
    /// It does something else with this file or folder.
    Path(Cow<'a, str>),
    /// A person is asked.
    Question,
    /// Something else, told by a pattern, an address, a query …; empty where nothing tells it.
    Other(Cow<'a, str>),
}

/// The commands of editors whose argument `command` is none of a shell.
const EDITOR_COMMANDS: [&str; 5] = ["view", "create", "str_replace", "insert", "undo_edit"];

/// The arguments of which one stands beside the path of a file that is changed.
const CHANGES: [&str; 12] = [
    "oldString",
    "oldText",
    "old_str",
    "old_string",
    "newString",
    "newText",
    "new_str",
    "new_string",
    "content",
    "contents",
    "edits",
    "file_text",
];

/// Does this tool ask a person?
pub(crate) fn asks(tool: &str) -> bool {
    const NAMES: [&str; 7] = [
        "question",
        "askuserquestion",
        "ask_user",
        "ask_user_question",
        "ask_followup_question",
        "request_user_input",
        "ask_human",
    ];
    NAMES.iter().any(|name| tool.eq_ignore_ascii_case(name))
}

/// A patch in the arguments that are there for one.
pub(crate) fn patch_in(input: Node<'_>) -> Option<Cow<'_, str>> {
    let names = ["patchText", "patch", "input", "diff"];
    pick(input, names).into_iter().filter_map(string).find(|text| text.contains(PATCH_BEGIN))
}

impl<'a> CallSubject<'a> {
    /// What a call of this tool with these arguments is about.
    pub fn new(tool: &str, input: Node<'a>) -> CallSubject<'a> {
        if asks(tool) {
            return CallSubject::Question;
        }
        let commands = pick(input, ["command", "cmd", "script"]);
        let text = commands.into_iter().find_map(command_text);
        let paths = pick(input, ["filePath", "file_path", "path", "notebook_path", "filename"]);
        let path = paths.into_iter().find_map(string);
        let is_editor =
            path.is_some() && text.as_deref().is_some_and(|text| EDITOR_COMMANDS.contains(&text));
        if let Some(command) = text.filter(|_| !is_editor) {
            return CallSubject::Command(command);
        }
        let [pattern, query, url, description, name] =
            pick(input, ["pattern", "query", "url", "description", "name"]);
        let other = [pattern, query, url].into_iter().find_map(string);
        let (Some(path), None) = (path, &other) else {
            // A patch may change several files: it is about the first.
            let file = patch_in(input).and_then(|patch| parse_patch(&patch).into_iter().next());
            if let Some(file) = file {
                return CallSubject::Change(Cow::Owned(file.path));
            }
            let other = other.or_else(|| [description, name].into_iter().find_map(string));
            return CallSubject::Other(other.unwrap_or_default());
        };
        let changes = pick(input, CHANGES).iter().any(Option::is_some);
        if changes { CallSubject::Change(path) } else { CallSubject::Path(path) }
    }

    /// Its name in the API.
    pub fn kind(&self) -> &'static str {
        match self {
            CallSubject::Command(_) => "command",
            CallSubject::Change(_) => "change",
            CallSubject::Path(_) => "path",
            CallSubject::Question => "question",
            CallSubject::Other(_) => "other",
        }
    }

    /// In a few words.
    pub fn text(&self) -> &str {
        match self {
            CallSubject::Command(text)
            | CallSubject::Change(text)
            | CallSubject::Path(text)
            | CallSubject::Other(text) => text,
            CallSubject::Question => "",
        }
    }
}

/// The command of a shell: a string, or a list of arguments, of which `bash -lc` and the like are left out.
fn command_text(value: Option<Node<'_>>) -> Option<Cow<'_, str>> {
    let value = value?;
    if value.kind() != Kind::Array {
        return string(Some(value));
    }
    let mut words: Vec<Cow<'_, str>> = items(Some(value)).take(1000).map_while(Node::str).collect();
    let is_shell = |word: &str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
        matches!(name, "bash" | "sh" | "zsh" | "fish" | "pwsh" | "powershell" | "cmd")
    };
    if words.len() == 3
        && words.first().is_some_and(|word| is_shell(word))
        && words.get(1).is_some_and(|word| word.starts_with('-') || word.starts_with('/'))
    {
        return words.pop();
    }
    let all = words.join(" ");
    (!all.is_empty()).then_some(Cow::Owned(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use apex_parts_json::tape::Tape;

    fn of(tool: &str, input: &str) -> String {
        let mut tape = Tape::default();
        tape.read(input.as_bytes(), 0).unwrap();
        format!("{:?}", CallSubject::new(tool, tape.root_of(input)))
    }

    #[test]
    fn arguments_tell_it() {
        for (tool, input, subject) in [
            ("bash", r#"{"command":"ls -la"}"#, r#"Command("ls -la")"#),
            ("shell", r#"{"command":["bash","-lc","cargo test"]}"#, r#"Command("cargo test")"#),
            ("shell", r#"{"command":["git","log"]}"#, r#"Command("git log")"#),
            ("exec_command", r#"{"cmd":"pwd"}"#, r#"Command("pwd")"#),
            ("edit", r#"{"filePath":"a.rs","oldString":"x","newString":"y"}"#, r#"Change("a.rs")"#),
            ("write_file", r#"{"file_path":"a.rs","content":""}"#, r#"Change("a.rs")"#),
            ("str_replace_editor", r#"{"command":"view","path":"/a"}"#, r#"Path("/a")"#),
            (
                "str_replace_editor",
                r#"{"command":"create","path":"/a","file_text":""}"#,
                r#"Change("/a")"#,
            ),
            ("read", r#"{"filePath":"a.rs"}"#, r#"Path("a.rs")"#),
            ("question", r#"{"questions":[]}"#, "Question"),
            ("grep", r#"{"path":"src","pattern":"fn main"}"#, r#"Other("fn main")"#),
            ("webfetch", r#"{"url":"https://example.com"}"#, r#"Other("https://example.com")"#),
            ("task", r#"{"description":"Look","prompt":"…"}"#, r#"Other("Look")"#),
            (
                "apply_patch",
                r#"{"input":"*** Begin Patch\n*** Update File: a.rs\n*** Add File: b"}"#,
                r#"Change("a.rs")"#,
            ),
            ("x", r#"{"input":"*** Begin Patch","name":"y"}"#, r#"Other("y")"#),
            ("todo", r#"{"command":7}"#, r#"Other("")"#),
            ("x", "[]", r#"Other("")"#),
        ] {
            assert_eq!(of(tool, input), subject, "{tool} {input}");
        }
    }
}
