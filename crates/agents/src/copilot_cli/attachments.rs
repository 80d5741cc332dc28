//! Files of messages and results.

use crate::fields::{of_kind, pick, raw, string, token};
use crate::log::log_part::LogPart;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The part of an attachment: a file, or what is kept as it is.
pub(super) fn attachment(item: Node<'_>, json: &str) -> LogPart {
    if let Some(file) = file(item, json) {
        return file;
    }
    let [kind, path, file_path, name] = pick(item, ["type", "path", "filePath", "displayName"]);
    let path = [path, file_path].into_iter().find(|path| string(*path).is_some()).flatten();
    if let Some(path) = path {
        let name = string(name).and(name).map(|name| token(name, json));
        return LogPart::file("text/plain", name, &["file://", token(path, json)]);
    }
    let kind = format!("copilot-cli-{}", string(kind).as_deref().unwrap_or("attachment"));
    LogPart::custom(kind, "item", raw(item, json))
}

/// The file of an item with bytes, as base64; `None` if it has none.
pub(super) fn file(item: Node<'_>, json: &str) -> Option<LogPart> {
    let [kind, data, mime, name] = pick(item, ["type", "data", "mimeType", "displayName"]);
    let data = of_kind(data, Kind::String)?;
    let is_image = string(kind).is_some_and(|kind| kind == "image");
    let otherwise = if is_image { "image/*" } else { "application/octet-stream" };
    let mime = string(mime);
    let name = string(name).and(name).map(|name| token(name, json));
    Some(LogPart::file_of(token(data, json), mime.as_deref().unwrap_or(otherwise), name))
}
