//! The items of a result, one after the other.

use super::filename::last_segment;
use super::item::{
    Base64Facts, ContentHead, ContentLink, ContentParts, ContentResource, ContentSource,
};
use super::mime::{extension, is_text, is_text_head, media_type, sniffed};
use super::pieces::{ByteRange, Pieces};
use crate::uri::format_uri;
use apex_parts_json::record::{MAX_DEPTH, tree};
use apex_parts_model::view::number_text;
use apex_parts_model::{Problem, Severity};
use serde_json::Value;

/// The most problems of a result; one more says how many there are beside them.
const MAX_RESULT_PROBLEMS: usize = 200;

/// What the items that were read give.
pub(super) struct ItemReader<'h> {
    head: &'h ContentHead,
    pub(super) pieces: Pieces,
    pub(super) parts: ContentParts,
    /// Where the text resources are, in bytes.
    pub(super) ranges: Vec<ByteRange>,
    files: usize,
    hidden: usize,
    reordering: usize,
    problems_more: usize,
}

impl<'h> ItemReader<'h> {
    pub(super) fn new(head: &'h ContentHead) -> ItemReader<'h> {
        ItemReader {
            head,
            pieces: Pieces::default(),
            parts: ContentParts::default(),
            ranges: Vec::new(),
            files: 0,
            hidden: 0,
            reordering: 0,
            problems_more: 0,
        }
    }

    pub(super) fn tell(&mut self, severity: Severity, rule: &str, path: &str, message: String) {
        if self.parts.problems.len() >= MAX_RESULT_PROBLEMS {
            self.problems_more += 1;
            return;
        }
        let (rule, path) = (rule.to_owned(), path.to_owned());
        self.parts.problems.push(Problem { severity, rule, path, message, offset: None });
    }

    pub(super) fn warn(&mut self, rule: &str, path: &str, message: impl Into<String>) {
        self.tell(Severity::Warning, rule, path, message.into());
    }

    pub(super) fn error(&mut self, rule: &str, path: &str, message: impl Into<String>) {
        self.tell(Severity::Error, rule, path, message.into());
    }

    /// Adds a piece; its range.
    pub(super) fn piece(&mut self, text: &str, path: &str) -> ByteRange {
        let (range, seen) = self.pieces.push(text);
        if seen.hidden > 0 && self.hidden == 0 {
            self.warn("MC-8", path, "the text had invisible characters, which were removed");
        }
        if seen.reordering > 0 && self.reordering == 0 {
            self.warn(
                "MC-9",
                path,
                "the text had bidi controls, which change its order; they were removed",
            );
        }
        self.hidden += seen.hidden;
        self.reordering += seen.reordering;
        range
    }

    /// Reads an item, given as JSON.
    pub(super) fn item(&mut self, json: &str, index: usize) {
        let list = if self.head.is_read { "contents" } else { "content" };
        let path = format!("/{list}/{index}");
        let item = tree(json, MAX_DEPTH).unwrap_or_default();
        let is_known = if self.head.is_read {
            item.is_object() && self.resource(&item, &path)
        } else {
            match item.get("type").and_then(Value::as_str) {
                Some("text") => match item.get("text").and_then(Value::as_str) {
                    Some(text) => {
                        self.piece(text, &path);
                        true
                    }
                    None => false,
                },
                Some(kind @ ("image" | "audio")) => {
                    let mime = item.get("mimeType");
                    self.file(kind, Base64Facts::read(item.get("data")), mime, None, &path);
                    true
                }
                Some("resource") => item
                    .get("resource")
                    .filter(|resource| resource.is_object())
                    .is_some_and(|resource| self.resource(resource, &format!("{path}/resource"))),
                Some("resource_link") => self.link(&item, &path),
                _ => false,
            }
        };
        if !is_known {
            self.warn("MC-6", &path, "an unknown or malformed item: passed on as JSON");
            self.piece(json, &path);
        }
    }

    /// A file; left out if its base64 is not valid, or over a limit.
    fn file(
        &mut self,
        kind: &str,
        facts: Option<Base64Facts>,
        mime: Option<&Value>,
        uri: Option<&str>,
        path: &str,
    ) {
        self.files += 1;
        let number = self.files;
        let Some(facts) = facts else {
            self.error("MC-5", path, "its base64 is not valid: left out");
            self.piece(&format!("[{kind} {number}: not valid base64, left out]"), path);
            return;
        };
        if facts.mended {
            self.warn("MC-5", path, "its base64 was repaired");
        }
        let mime = self.file_type(&facts, mime, path);
        if let Some(what) = no_picture(kind, &facts.head, &mime) {
            self.warn("MC-4", path, format!("{what}: left out"));
            self.piece(&format!("[{kind} {number}: {what}, left out]"), path);
            return;
        }
        let summary = format!("{kind} {number}: {mime}, {} bytes", number_text(facts.bytes));
        let is_over = facts.bytes > self.head.max_file;
        if is_over || self.parts.attachments.len() >= self.head.max_files {
            let why = if is_over { "the file is too large" } else { "there are too many files" };
            self.warn("MC-7", path, format!("{why}: left out"));
            self.piece(&format!("[{summary}, over the limit, left out]"), path);
            return;
        }
        self.piece(&format!("[{summary}]"), path);
        let named = uri.and_then(last_segment);
        let filename = named.unwrap_or_else(|| format!("{kind}-{number}.{}", extension(&mime)));
        let source = uri.map(|uri| source_of(uri, String::new()));
        let data = facts.index;
        self.parts.attachments.push(ContentResource {
            mime,
            filename,
            url: String::new(),
            data,
            source,
        });
    }

    fn file_type(&mut self, facts: &Base64Facts, mime: Option<&Value>, path: &str) -> String {
        let declared = mime.and_then(Value::as_str).and_then(media_type);
        let actual = sniffed(&facts.head);
        let Some(declared) = declared else {
            let mime = actual.unwrap_or("application/octet-stream").to_owned();
            self.warn("MC-4", path, format!("it has no valid media type: {mime} is used"));
            return mime;
        };
        match actual {
            Some(actual)
                if declared.starts_with("image/")
                    && declared != actual
                    && !is_same(&declared, actual) =>
            {
                self.warn("MC-4", path, format!("it is labelled {declared}, and is {actual}"));
                actual.to_owned()
            }
            _ => declared,
        }
    }

    /// An embedded resource. False if it is not well formed.
    fn resource(&mut self, resource: &Value, path: &str) -> bool {
        let uri = resource.get("uri").and_then(Value::as_str).filter(|uri| !uri.is_empty());
        let given = resource.get("mimeType");
        let mime = given.and_then(Value::as_str).and_then(media_type);
        let facts = Base64Facts::read(resource.get("blob"));
        let text = resource.get("text").and_then(Value::as_str);
        let blob_text = facts.as_ref().filter(|_| mime.as_deref().is_some_and(is_text));
        let blob_text = blob_text.and_then(|facts| facts.text.as_deref());
        let Some(text) = text.or(blob_text) else {
            if uri.is_none() {
                if facts.is_none() {
                    return false;
                }
                self.warn("MC-6", path, "a resource without a URI");
            }
            self.file("resource", facts, given, uri, path);
            return true;
        };
        let Some(uri) = uri else {
            self.warn("MC-6", path, "a resource without a URI: only its text is used");
            self.piece(text, path);
            return true;
        };
        if blob_text.is_some() && facts.as_ref().is_some_and(|facts| facts.mended) {
            self.warn("MC-5", path, "its base64 was repaired");
        }
        if mime.is_none() && given.is_some_and(|given| !given.is_null()) {
            self.warn("MC-4", path, "its media type is not valid: text/plain is used");
        }
        let range = self.piece(text, path);
        let Ok(url) = format_uri(&self.head.client, uri) else {
            self.warn("MC-6", path, "its URI is too long: only its text is used");
            return true;
        };
        let filename = last_segment(uri).unwrap_or_else(|| "resource".to_owned());
        let source = Some(source_of(uri, String::new()));
        let mime = mime.unwrap_or_else(|| "text/plain".to_owned());
        self.ranges.push(range);
        self.parts.resources.push(ContentResource { mime, filename, url, data: 0, source });
        true
    }

    /// A resource that is named. False if it is not well formed.
    fn link(&mut self, item: &Value, path: &str) -> bool {
        let text =
            |name: &str| item.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let Some(uri) = text("uri") else { return false };
        let Ok(url) = format_uri(&self.head.client, uri) else { return false };
        let given = text("name");
        let mime = text("mimeType").and_then(media_type);
        // On one line, so that a name cannot look like another piece.
        let line = |name: &str| name.replace(['\n', '\r', '\u{2028}', '\u{2029}'], " ");
        let name = given.map(line).or_else(|| last_segment(uri)).unwrap_or_default();
        let mut piece = format!("[resource: {name} <{url}>");
        if let Some(mime) = &mime {
            piece.push(' ');
            piece.push_str(mime);
        }
        piece.push(']');
        self.piece(&piece, path);
        let name = given.map(str::to_owned);
        self.parts.links.push(ContentLink { uri: uri.to_owned(), name, mime });
        true
    }

    /// Adds how many problems the list has not, and counts what was not seen.
    pub(super) fn end_problems(&mut self) {
        self.parts.invisible = self.hidden + self.reordering;
        let more = self.problems_more;
        if more > 0 {
            let message = format!("{more} more problems");
            let severity = Severity::Warning;
            let problem = Problem {
                severity,
                rule: "MC-7".into(),
                path: String::new(),
                message,
                offset: None,
            };
            self.parts.problems.push(problem);
        }
    }
}

fn source_of(uri: &str, value: String) -> ContentSource {
    ContentSource { uri: uri.to_owned(), value, start: 0, end: 0 }
}

/// Why a file that should be a picture is not one. Providers refuse such files.
fn no_picture(kind: &str, head: &str, mime: &str) -> Option<String> {
    if kind == "image" && !mime.starts_with("image/") {
        return Some(format!("{mime} is not an image"));
    }
    let is_picture = mime.starts_with("image/") && (kind == "image" || mime != "image/svg+xml");
    (is_picture && sniffed(head).is_none() && is_text_head(head))
        .then(|| format!("text, not {mime}"))
}

/// Types with several names for the same bytes, of which none is refused by providers.
fn is_same(given: &str, found: &str) -> bool {
    let icon = ["image/x-icon", "image/vnd.microsoft.icon"];
    icon.contains(&given) && icon.contains(&found)
        || (given == "image/heif" && found == "image/heic")
}
