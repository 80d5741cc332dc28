//! The files that a call changed, with the lines that it added and removed: what the tool says of it, or else
//! what its arguments show.

use super::call_subject::{CallSubject, patch_in};
use super::recorded_diff::of_metadata;
use apex_parts_agents::fields::{items, number, of_kind, pick, string};
use apex_parts_diff::{
    ChangedFile, PATCH_BEGIN, changed_lines, count_changes, lines_of, parse_patch,
};
use apex_parts_json::tape::Node;
use apex_parts_model::{Key, Kind, View};
use std::borrow::Cow;

/// The most files of one call.
const MOST: usize = 1000;

/// The files that a completed call changed.
pub(crate) fn changed_files(state: Node<'_>, subject: &CallSubject<'_>) -> Vec<ChangedFile> {
    let input = state.get(Key::Input);
    let metadata = Some(state.get(Key::Metadata)).filter(|m| m.kind() == Kind::Object);
    let patch = patch_text(input, subject);
    let is_change = matches!(subject, CallSubject::Change(_)) || patch.is_some();
    if !is_change {
        return Vec::new();
    }
    let recorded = metadata.map(from_metadata).unwrap_or_default();
    if !recorded.is_empty() {
        return recorded;
    }
    if let Some(patch) = patch {
        return parse_patch(&patch);
    }
    let CallSubject::Change(path) = subject else { return Vec::new() };
    // Of a new file some tools write down an empty diff.
    let counted = metadata.and_then(of_metadata).map(|diff| count_changes(&diff));
    let (added, removed) =
        counted.filter(|sums| *sums != (0, 0)).unwrap_or_else(|| from_input(input));
    vec![ChangedFile { path: path.to_string(), added, removed }]
}

/// Files with counts, as OpenCode and our own tools say them.
fn from_metadata(metadata: Node<'_>) -> Vec<ChangedFile> {
    let [file_diff, files] = pick(metadata, ["filediff", "files"]);
    let one = of_kind(file_diff, Kind::Object);
    one.into_iter().chain(items(files)).take(MOST).filter_map(changed_file).collect()
}

fn changed_file(file: Node<'_>) -> Option<ChangedFile> {
    let names = ["file", "filePath", "path", "relativePath", "additions", "deletions"];
    let [file, file_path, path, relative, added, removed] = pick(file, names);
    let path = [file, file_path, path, relative].into_iter().find_map(string)?;
    let (added, removed) = (number(added)?, number(removed)?);
    Some(ChangedFile { path: path.into_owned(), added: lines(added), removed: lines(removed) })
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
fn lines(count: f64) -> u32 {
    count.max(0.0) as u32
}

/// What the arguments show: the text that is replaced and the one in its place, or the whole content.
fn from_input(input: Node<'_>) -> (u32, u32) {
    let [content, contents, text, edits] =
        pick(input, ["content", "contents", "file_text", "edits"]);
    if let Some(content) = [content, contents, text].into_iter().find_map(string) {
        return (u32::try_from(lines_of(content.as_bytes()).len()).unwrap_or(u32::MAX), 0);
    }
    let mut sums = replaced(input);
    for edit in items(edits).take(MOST) {
        let (added, removed) = replaced(edit);
        sums = (sums.0.saturating_add(added), sums.1.saturating_add(removed));
    }
    sums
}

fn replaced(edit: Node<'_>) -> (u32, u32) {
    let old = pick(edit, ["oldString", "old_string", "oldText", "old_str"]);
    let new = pick(edit, ["newString", "new_string", "newText", "new_str"]);
    let [old, new] = [old, new].map(|names| names.into_iter().find_map(string).unwrap_or_default());
    let changes = changed_lines(&lines_of(old.as_bytes()), &lines_of(new.as_bytes()));
    let sum = |lengths: &mut dyn Iterator<Item = usize>| {
        u32::try_from(lengths.sum::<usize>()).unwrap_or(u32::MAX)
    };
    (
        sum(&mut changes.iter().map(|change| change.new.len())),
        sum(&mut changes.iter().map(|change| change.old.len())),
    )
}

/// The patch of a call: in an argument for it, or in the command of a shell.
fn patch_text<'a>(input: Node<'a>, subject: &CallSubject<'a>) -> Option<Cow<'a, str>> {
    patch_in(input).or_else(|| match subject {
        CallSubject::Command(command) => {
            Some(command.clone()).filter(|text| text.contains(PATCH_BEGIN))
        }
        _ => None,
    })
}

/// The files of the patch that a call applies, if it does.
pub fn patched_files(input: Node<'_>, subject: &CallSubject<'_>) -> Vec<String> {
    let patch = patch_text(input, subject).unwrap_or_default();
    parse_patch(&patch).into_iter().map(|file| file.path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use apex_parts_json::tape::Tape;

    fn of(tool: &str, state: &str) -> Vec<(String, u32, u32)> {
        let mut tape = Tape::default();
        tape.read(state.as_bytes(), 0).unwrap();
        let state = tape.root_of(state);
        let subject = CallSubject::new(tool, state.get(Key::Input));
        let files = changed_files(state, &subject);
        files.into_iter().map(|file| (file.path, file.added, file.removed)).collect()
    }

    #[test]
    fn what_the_tool_says_goes_first() {
        let input = r#""input":{"filePath":"a","oldString":"x","newString":"y\nz"}"#;
        let file = |added, removed| vec![("a".to_owned(), added, removed)];
        for (metadata, expected) in [
            (r#"{"filediff":{"file":"a","additions":5,"deletions":4}}"#, file(5, 4)),
            (r#"{"diff":"--- a\n+++ a\n@@ -1 +1,3 @@\n-x\n+y\n+z\n+w\n"}"#, file(3, 1)),
            (
                r#"{"toolUseResult":{"structuredPatch":[{"lines":["+a"," b","-c","-d"]}]}}"#,
                file(1, 2),
            ),
            ("{}", file(2, 1)),
            ("7", file(2, 1)),
        ] {
            assert_eq!(of("edit", &format!("{{{input},\"metadata\":{metadata}}}")), expected);
        }
    }

    #[test]
    fn arguments_show_the_rest() {
        let patch = r"*** Begin Patch\n*** Add File: new.txt\n+one\n+two\n*** Update File: b\n@@\n-x\n+y\n*** End Patch\n";
        let files = vec![("new.txt".to_owned(), 2, 0), ("b".to_owned(), 1, 1)];
        assert_eq!(of("apply_patch", &format!(r#"{{"input":{{"input":"{patch}"}}}}"#)), files);
        let command = format!(r#"{{"input":{{"command":["apply_patch","{patch}"]}}}}"#);
        assert_eq!(of("shell", &command), files);
        let write = r#"{"input":{"path":"w","content":"1\n2\n3"}}"#;
        assert_eq!(of("write", write), [("w".to_owned(), 3, 0)]);
        let edits = r#"{"input":{"file_path":"m","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}}"#;
        assert_eq!(of("MultiEdit", edits), [("m".to_owned(), 1, 2)]);
        assert_eq!(of("read", r#"{"input":{"filePath":"a"}}"#), []);
        assert_eq!(of("bash", r#"{"input":{"command":"ls"}}"#), []);
    }
}
