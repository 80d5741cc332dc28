//! The diff that a tool wrote down of what it changed: where agents keep it.

use apex_parts_agents::fields::{get, items, number, of_kind, pick, string};
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;
use std::borrow::Cow;
use std::fmt::Write;

/// The most hunks of a list that are read.
const MOST_HUNKS: usize = 1000;

/// A place where a tool writes a diff down: a field, or a field of one.
pub type DiffPlace = (&'static str, Option<&'static str>);

/// The places in a call's metadata: the first that has a diff counts.
pub const IN_METADATA: [DiffPlace; 6] = [
    ("diff", None),
    ("filediff", Some("patch")),
    ("patch", None),
    ("details", Some("diff")),
    ("resultDisplay", Some("fileDiff")),
    ("toolUseResult", Some(HUNKS)),
];

/// The field that has a list of hunks.
const HUNKS: &str = "structuredPatch";

/// The places in its arguments.
pub const IN_INPUT: [DiffPlace; 3] = [("patchText", None), ("patch", None), ("diff", None)];

/// The diff in the metadata of a call, otherwise in its arguments: a unified diff, one whose lines have their
/// numbers (pi), a patch in the form of `apply_patch`, or Claude Code's list of hunks as a unified diff.
pub fn recorded_diff<'a>(
    input: Option<Node<'a>>,
    metadata: Option<Node<'a>>,
) -> Option<Cow<'a, str>> {
    metadata.and_then(of_metadata).or_else(|| diff_in(input?, IN_INPUT))
}

/// The diff in the metadata of a call.
pub(crate) fn of_metadata(metadata: Node<'_>) -> Option<Cow<'_, str>> {
    diff_in(metadata, IN_METADATA)
}

fn diff_in<const N: usize>(object: Node<'_>, places: [DiffPlace; N]) -> Option<Cow<'_, str>> {
    let values = pick(object, places.map(|(name, _)| name));
    values.into_iter().zip(places).find_map(|(value, (_, inner))| match inner {
        None => string(value),
        Some(inner) => {
            let value = get(of_kind(value, Kind::Object), inner);
            if inner == HUNKS { of_hunks(value).map(Cow::Owned) } else { string(value) }
        }
    })
}

/// A list of hunks as a unified diff; `None` if there are none.
fn of_hunks(hunks: Option<Node<'_>>) -> Option<String> {
    let mut diff = String::new();
    for hunk in items(hunks).take(MOST_HUNKS) {
        let [old, old_lines, new, new_lines, lines] =
            pick(hunk, ["oldStart", "oldLines", "newStart", "newLines", "lines"]);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
        let [old, old_lines, new, new_lines] = [old, old_lines, new, new_lines]
            .map(|count| number(count).map_or(0, |count| count.max(0.0) as u32));
        let _ = writeln!(diff, "@@ -{old},{old_lines} +{new},{new_lines} @@");
        for line in items(lines) {
            diff.push_str(&line.str().unwrap_or_default());
            diff.push('\n');
        }
    }
    (!diff.is_empty()).then_some(diff)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use apex_parts_json::tape::Tape;
    use serde_json::{Value, json};

    fn of(input: &Value, metadata: &Value) -> Option<String> {
        let texts = [input.to_string(), metadata.to_string()];
        let tapes = texts.each_ref().map(|text| {
            let mut tape = Tape::default();
            tape.read(text.as_bytes(), 0).unwrap();
            tape
        });
        let [input, metadata] = &tapes;
        let [input_text, metadata_text] = &texts;
        let input = input.root_of(input_text);
        recorded_diff(Some(input), Some(metadata.root_of(metadata_text))).map(Cow::into_owned)
    }

    #[test]
    fn it_is_found_wherever_agents_keep_it() {
        let diff = "@@ -1,1 +1,2 @@\n-x\n+y\n+z\n";
        for metadata in [
            json!({"diff": diff}),
            json!({"filediff": {"patch": diff}}),
            json!({"diff": "", "patch": diff}),
            json!({"details": {"diff": diff}}),
            json!({"resultDisplay": {"fileDiff": diff}}),
            json!({"toolUseResult": {"structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1,
                "newLines": 2, "lines": ["-x", "+y", "+z"]}]}}),
        ] {
            assert_eq!(
                of(&json!({"diff": "other"}), &metadata).as_deref(),
                Some(diff),
                "{metadata}"
            );
        }
        assert_eq!(of(&json!({"patch": diff}), &json!(7)).as_deref(), Some(diff));
        assert_eq!(of(&json!([]), &json!({"toolUseResult": {"structuredPatch": []}})), None);
    }
}
