//! Files of messages and results.

use crate::formats::agents::logged_part::{AgentFile, LoggedPart};
use crate::formats::fields::{of_kind, pick, raw, string, token};
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The part of an attachment: a file, or what is kept as it is.
pub(super) fn attachment(item: Node<'_>, json: &str) -> LoggedPart {
    if let Some(file) = file(item, json) {
        return LoggedPart::File(file);
    }
    let [kind, path, file_path, name] = pick(item, ["type", "path", "filePath", "displayName"]);
    let path = [path, file_path].into_iter().find(|path| string(*path).is_some()).flatten();
    if let Some(path) = path {
        let mut file =
            AgentFile::from_url(&format!("file://{}", token(path, json)), None, "text/plain");
        file.name = string(name).and(name).map(|name| token(name, json).to_owned());
        return LoggedPart::File(file);
    }
    LoggedPart::Custom {
        kind: format!("copilot-cli-{}", string(kind).as_deref().unwrap_or("attachment")),
        fields: vec![("item".into(), raw(item, json).to_owned())],
    }
}

/// The file of an item with bytes, as base64; `None` if it has none.
pub(super) fn file(item: Node<'_>, json: &str) -> Option<AgentFile> {
    let [kind, data, mime, name] = pick(item, ["type", "data", "mimeType", "displayName"]);
    let data = of_kind(data, Kind::String)?;
    let is_image = string(kind).is_some_and(|kind| kind == "image");
    let otherwise = if is_image { "image/*" } else { "application/octet-stream" };
    let mime = string(mime);
    let mut file = AgentFile::from_base64(token(data, json), mime.as_deref().unwrap_or(otherwise));
    file.name = string(name).and(name).map(|name| token(name, json).to_owned());
    Some(file)
}
