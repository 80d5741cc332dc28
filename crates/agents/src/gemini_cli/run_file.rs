//! What a chat says of its run: its first line has the id of the session. Those of sub-agents stand in a folder of this name.

use crate::run_file::{RunFile, text_at};
use apex_parts_json::tape::Node;

/// What the path and the first line of a chat say.
pub(super) fn run_file(path: &str, line: Node<'_>) -> Option<RunFile> {
    text_at(line, &["projectHash"])?;
    let id = text_at(line, &["sessionId"])?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let session = if folder.is_empty() { id.into_owned() } else { format!("{folder}/{id}") };
    let is_agent = text_at(line, &["kind"]).is_some_and(|kind| kind == "subagent");
    let parent = (is_agent && !folder.is_empty()).then(|| folder.to_owned());
    Some(RunFile { session, parent, ..RunFile::default() })
}
