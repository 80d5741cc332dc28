//! Edits as OpenCode made them, and where the contract decides otherwise.
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod workspace;

use apex_parts_diff::unified_diff;
use apex_parts_tools::edit::{EditRefusal, edit};
use serde_json::Value;
use workspace::{cases, file, relative};

/// What the contract says instead of what was recorded: the file afterwards, or `None` if it is refused; and the
/// sentence that decides.
const OTHERWISE: &[(&str, Option<&[u8]>, &str)] = &[
    (
        "edit-mixed-eol",
        Some(b"unix\nwindows\r\nunix\nmore\n"),
        "in a mixed file each new line takes the end of the old line in its place",
    ),
    (
        "edit-mixed-across",
        Some(b"a\nb\r\nunix again\n"),
        "in a mixed file each new line takes the end of the old line in its place",
    ),
    (
        "edit-latin1",
        Some(b"tea\xe9\nn\xf6\n"),
        "what is not matched stays as it is, valid UTF-8 or not",
    ),
    ("edit-nul", None, "Binary (NUL) is refused"),
    (
        "edit-indent-less",
        Some(
            b"class A:\n    def one(self):\n        if True:\n            return 1\n\n    \
            def two(self):\n        return 22\n",
        ),
        "newString is shifted by the same amount",
    ),
    (
        "edit-indent-tabs-as-spaces",
        Some(b"package main\n\nfunc main() {\n\tprintln(\"y\")\n}\n"),
        "one common indentation shift for all lines (tabs = spaces by the file's own unit)",
    ),
    ("edit-inner-spaces-part", None, "Levels 4–8 match whole lines"),
    ("edit-escaped-newline", None, "an oldString that begins or ends within a line … is not found"),
    (
        "edit-dollar-all",
        Some(b"const a = 1;\n$&!\nconst b = 2;\n$&!\nconst c = 3;\n$&!\n"),
        "Replacement text is literal: `$&`, `$1`, `$$` mean nothing",
    ),
    (
        "edit-line-number-prefix",
        Some(b"def greet(name):\n    return name\n\nprint(greet(\"world\"))\n"),
        "8 `N: ` prefixes of read, on every line and counting up, removed from both",
    ),
];

/// Calls that do not come to the matching: a file to be made or missing, a directory, wrong arguments, a rule.
const ELSEWHERE: &[&str] = &[
    "edit-empty-old-new-file",
    "edit-missing-file",
    "edit-directory",
    "edit-no-args",
    "edit-replaceall-string",
    "perm-edit-deny",
];

fn string<'v>(args: &'v Value, name: &str) -> &'v str {
    args[name].as_str().unwrap_or_default()
}

/// The file that was recorded after the call; `None` if it was not changed.
fn recorded(case: &Value) -> Option<Vec<u8>> {
    let files = case["files"].as_object()?;
    assert_eq!(files.len(), 1, "{}", case["id"]);
    let after = files.values().next()?;
    Some(after.as_str().expect("text").as_bytes().to_vec())
}

/// The lines that are removed and added. OpenCode shows four lines around them; the contract: "unified, 3 lines
/// of context".
fn changes(patch: &str) -> Vec<&str> {
    let hunks = patch.lines().skip_while(|line| !line.starts_with("@@"));
    hunks.filter(|line| line.starts_with(['-', '+', '\\'])).collect()
}

#[test]
fn edits_are_as_recorded_or_as_the_contract_says() {
    let (mut compared, mut otherwise) = (0, 0);
    for case in cases("edit") {
        let id = case["id"].as_str().unwrap();
        if ELSEWHERE.contains(&id) {
            continue;
        }
        let args = &case["args"];
        let path = relative(string(args, "filePath"));
        let before = file(path).unwrap_or_else(|| panic!("{id}: {path}"));
        let all = args["replaceAll"].as_bool().unwrap_or(false);
        let result = edit(&before, string(args, "oldString"), string(args, "newString"), all);
        let after = result.as_ref().ok().map(|edited| edited.bytes.clone());
        let is_completed = case["state"]["status"] == "completed";
        if let Some((_, expected, sentence)) = OTHERWISE.iter().find(|(other, _, _)| *other == id) {
            let shown = after.as_deref().map(String::from_utf8_lossy);
            assert_eq!(after.as_deref(), *expected, "{id}: {sentence}: {shown:?}");
            assert_ne!(after, recorded(&case), "{id} is no exception");
            otherwise += 1;
            continue;
        }
        assert_eq!(after, recorded(&case), "{id}");
        assert_eq!(result.is_ok(), is_completed, "{id}");
        compared += 1;
        let Some(after) = after else {
            refusal_is_as_recorded(&case, &result.unwrap_err());
            continue;
        };
        let diff = unified_diff("p", &before, &after);
        let metadata = &case["state"]["metadata"];
        let patch = metadata["diff"].as_str().unwrap();
        assert_eq!(changes(&diff.patch), changes(patch), "{id}");
        let filediff = &metadata["filediff"];
        assert_eq!(diff.additions, filediff["additions"].as_u64().unwrap() as usize, "{id}");
        assert_eq!(diff.deletions, filediff["deletions"].as_u64().unwrap() as usize, "{id}");
        // The head as well, but for the path.
        let own = unified_diff(string(args, "filePath"), &before, &after).patch;
        if string(args, "filePath").starts_with('/') && path != "link.py" {
            assert_eq!(own.split("@@").next(), patch.split("@@").next(), "{id}");
        }
    }
    assert!(compared > 25 && otherwise == OTHERWISE.len(), "{compared}, {otherwise}");
}

fn refusal_is_as_recorded(case: &Value, refusal: &EditRefusal) {
    let error = case["state"]["error"].as_str().unwrap();
    let same_reason = match refusal {
        EditRefusal::Same => error.contains("identical"),
        EditRefusal::EmptyOld => error.contains("cannot be empty"),
        EditRefusal::Ambiguous { .. } => error.contains("multiple matches"),
        EditRefusal::NotFound { .. } => error.contains("Could not find"),
        _ => false,
    };
    assert!(same_reason, "{}: {refusal:?}, recorded: {error}", case["id"]);
}
