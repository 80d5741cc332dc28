//! What the end of an execution says: its result, its exit code, and its files.

use super::attachments::file;
use crate::fields::{get, items, number, of_kind, pick, raw, token};
use crate::log::log_call::{LogResult, LogStatus};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// The result of an execution, from the data of `tool.execution_complete`.
pub(super) fn result_of(data: Node<'_>, json: &str, end: f64) -> LogResult {
    let [success, result, error, shell] =
        pick(data, ["success", "result", "error", "shellExecution"]);
    let is_failed = success.is_some_and(|success| success.kind() == Kind::False);
    let fields = ["content", "detailedContent", "contents"];
    let [content, detailed, contents] = result.map_or([None; 3], |result| pick(result, fields));
    let content = of_kind(result, Kind::String).or(content);
    let content = content.map_or("", |content| token(content, json));
    let why = get(error, "message").or(error).map_or("", |why| token(why, json));
    let mut metadata = Vec::new();
    if let Some(detailed) = detailed.filter(|detailed| !detailed.kind().is_nullish())
        && (!detailed.kind().is_string() || token(detailed, json) != content)
    {
        metadata.push(("detailedContent".into(), raw(detailed, json).into()));
    }
    let codes = items(contents).filter_map(|item| integer(get(Some(item), "exitCode")));
    LogResult {
        status: if is_failed { LogStatus::Failed } else { LogStatus::Completed },
        text: (if is_failed && !why.is_empty() { why } else { content }).into(),
        end,
        // A number beside the result goes before words in it.
        exit: integer(get(shell, "exitCode")).or(codes.last()).or_else(|| exit_code(content)),
        metadata,
        attachments: items(contents).filter_map(|item| file(item, json)).collect(),
        ..LogResult::default()
    }
}

#[allow(clippy::cast_possible_truncation)] // it is an integer that a double holds
fn integer(value: Option<Node<'_>>) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    number(value).filter(|n| n.fract() == 0.0 && n.abs() <= EXACT).map(|n| n as i64)
}

/// The exit code that the last line of an output (raw) tells, as `<exited with exit code N>` or `<shellId: X completed
/// with exit code N>`. Inside an output it is data.
pub(super) fn exit_code(output: &str) -> Option<i64> {
    let output = output.trim_end_matches([' ', '\t']);
    let lines = output.strip_suffix("\\n").unwrap_or(output);
    let last = lines.rsplit("\\n").next()?.trim();
    let (what, code) =
        last.strip_prefix('<')?.strip_suffix('>')?.rsplit_once(" with exit code ")?;
    let of = what.strip_suffix("exited").or_else(|| what.strip_suffix("completed"))?;
    let of_shell = ["command ", "shell ", "shellId: "];
    let is_mark =
        of.is_empty() || (of.ends_with(' ') && of_shell.iter().any(|begin| of.starts_with(begin)));
    code.parse().ok().filter(|_| is_mark)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::exit_code;

    #[test]
    fn an_exit_code_is_marked() {
        for (output, code) in [
            ("a\\nb\\n<exited with exit code 0>", Some(0)),
            ("<exited with exit code -1>", Some(-1)),
            ("a\\n<command completed with exit code 2>\\n", Some(2)),
            ("<command with shellId: 7 exited with exit code 3>", Some(3)),
            ("<shell exited with exit code 4>", Some(4)),
            ("<completed with exit code 5>", Some(5)),
            ("<exited with exit code 1>\\n<exited with exit code 6>", Some(6)),
            ("a\\n<shellId: 3 completed with exit code 10>", Some(10)),
            ("<exited with exit code 1>\\nand more", None),
            ("exited with exit code 7", None),
            ("<it exited with exit code 7>", None),
            ("<exited with exit code x>", None),
            ("<exited with exit code 8", None),
            ("a < b; <exited with exit code 9>", None),
        ] {
            assert_eq!(exit_code(output), code, "{output}");
        }
    }
}
