//! What the built-in tools in `ts/tools/builtins/` ask the rules of tools: edits, diffs, pages of files, globs,
//! HTML. In a module of its own, which only the built-in tools load. Not part of the API: names that begin with
//! `tools` or `Tools` are left out of the package's entries. Functions have few parameters, and texts as values,
//! because `ts/module/guard.ts` passes on eight numbers to a function and five to a method.

use crate::wasm::host::{set, strings};
use apex_parts_diff::{UnifiedDiff, unified_diff};
use apex_parts_tools::content_hash::ContentHash;
use apex_parts_tools::edit::edit_composed;
use apex_parts_tools::glob::{
    Glob, IgnoreFile, IgnoreKind, IgnoreStack, is_skipped, relative_pattern,
};
use apex_parts_tools::html;
use apex_parts_tools::lines::binary::{HEAD_BYTES, binary_message, file_type, is_binary};
use apex_parts_tools::lines::directory::DirectoryPage;
use apex_parts_tools::lines::{FilePage, PageReader, PastEnd};
use js_sys::{Function, JsString, Object, Uint8Array};
use wasm_bindgen::prelude::*;

fn text_of(value: &JsValue) -> String {
    value.as_string().unwrap_or_default()
}

#[allow(clippy::cast_precision_loss)] // nothing here is as many as 2^53
fn count(number: usize) -> JsValue {
    JsValue::from_f64(number as f64)
}

// ── Edits and diffs ─────────────────────────────────────────────────────────────────────────────

/// Replaces a text in a file: `{bytes, level, line, endLine, count, output, patch, additions, deletions}`, or
/// `{refused}` with the sentence that says why not. `path` is the file's in sentences, `diff_path` in the diff.
#[wasm_bindgen(js_name = toolsEdit, skip_typescript)]
#[must_use]
pub fn tools_edit(
    bytes: &Uint8Array,
    old: &str,
    new: &str,
    all: bool,
    path: &JsValue,
    diff_path: &JsValue,
) -> JsValue {
    let (file, path) = (bytes.to_vec(), text_of(path));
    let object = Object::new();
    let compose = |text: &str| String::from(JsString::from(text).normalize("NFC"));
    match edit_composed(&file, old, new, all, &compose) {
        Err(refusal) => set(&object, "refused", &refusal.message(&path).into()),
        Ok(edited) => {
            let diff = unified_diff(&text_of(diff_path), &file, &edited.bytes);
            let output = edited.output(&path, diff.additions, diff.deletions);
            set(&object, "bytes", &Uint8Array::from(edited.bytes.as_slice()));
            set(&object, "level", &edited.level.number().into());
            set(&object, "line", &count(edited.line));
            set(&object, "endLine", &count(edited.end_line));
            set(&object, "count", &count(edited.count));
            set(&object, "output", &output.into());
            set_diff(&object, diff);
        }
    }
    object.into()
}

/// The difference between two versions of a file: `{patch, additions, deletions}`.
#[wasm_bindgen(js_name = toolsDiff, skip_typescript)]
#[must_use]
pub fn tools_diff(path: &str, old: &[u8], new: &[u8]) -> JsValue {
    let object = Object::new();
    set_diff(&object, unified_diff(path, old, new));
    object.into()
}

fn set_diff(object: &Object, diff: UnifiedDiff) {
    set(object, "patch", &diff.patch.into());
    set(object, "additions", &count(diff.additions));
    set(object, "deletions", &count(diff.deletions));
}

// ── Pages of files and directories ──────────────────────────────────────────────────────────────

/// Reads a page of a file from pieces of its bytes, which are hashed on the way: each is copied once.
#[wasm_bindgen(js_name = ToolsPage, skip_typescript)]
pub struct ToolsPage {
    reader: PageReader,
    hash: ContentHash,
}

#[wasm_bindgen(js_class = ToolsPage)]
impl ToolsPage {
    /// A page of at most `limit` lines from line `offset` on.
    #[wasm_bindgen(constructor, skip_typescript)]
    #[must_use]
    pub fn new(offset: usize, limit: usize) -> ToolsPage {
        ToolsPage { reader: PageReader::new(offset, limit), hash: ContentHash::default() }
    }

    /// Takes the next bytes.
    #[wasm_bindgen(skip_typescript)]
    pub fn push(&mut self, bytes: &[u8]) {
        self.hash.push(bytes);
        self.reader.push(bytes);
    }

    /// The hash of all that was pushed.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn hash(&self) -> String {
        self.hash.value()
    }

    /// The page as an object, or `{pastEnd}` with a sentence. The reader is empty afterwards.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn finish(&mut self, path: &str) -> JsValue {
        let reader = std::mem::replace(&mut self.reader, PageReader::new(1, 0));
        match reader.finish() {
            Ok(page) => file_page(&page, path),
            Err(past) => past_end(past),
        }
    }
}

fn past_end(past: PastEnd) -> JsValue {
    let object = Object::new();
    set(&object, "pastEnd", &past.message().into());
    object.into()
}

fn file_page(page: &FilePage, path: &str) -> JsValue {
    let object = Object::new();
    set(&object, "output", &page.output(path).into());
    set(&object, "text", &page.text.as_str().into());
    set(&object, "preview", &page.preview().into());
    set(&object, "lineStart", &count(page.line_start));
    set(&object, "lineEnd", &count(page.line_end));
    set(&object, "totalLines", &count(page.total_lines));
    set(&object, "truncated", &page.truncated.into());
    set(&object, "stoppedAtBytes", &page.stopped_at_bytes.into());
    if let Some(eol) = page.eol {
        set(&object, "eol", &eol.name().into());
    }
    if let Some(has_end) = page.final_newline {
        set(&object, "finalNewline", &has_end.into());
    }
    set(&object, "bom", &page.bom.into());
    set(&object, "encoding", &page.encoding.name().into());
    object.into()
}

/// A page of a directory's entries as an object, or `{pastEnd}` with a sentence. `names` in any order, those
/// of directories with `/` at their ends.
#[wasm_bindgen(js_name = toolsDirectory, skip_typescript)]
#[must_use]
pub fn tools_directory(path: &str, names: Vec<String>, offset: usize, limit: usize) -> JsValue {
    match DirectoryPage::new(names, offset, limit) {
        Err(past) => past_end(past),
        Ok(page) => {
            let object = Object::new();
            set(&object, "output", &page.output(path).into());
            set(&object, "entries", &strings(&page.entries));
            set(&object, "offset", &count(page.offset));
            set(&object, "total", &count(page.total));
            set(&object, "truncated", &page.truncated.into());
            object.into()
        }
    }
}

/// What a file is by its first bytes: `{isBinary, name?, mime?, isAttachment?}`.
#[wasm_bindgen(js_name = toolsFileType, skip_typescript)]
#[must_use]
pub fn tools_file_type(head: &[u8]) -> JsValue {
    let head = head.get(..HEAD_BYTES).unwrap_or(head);
    let object = Object::new();
    set(&object, "isBinary", &is_binary(head).into());
    if let Some(known) = file_type(head) {
        set(&object, "name", &known.name.into());
        set(&object, "mime", &known.mime.into());
        set(&object, "isAttachment", &known.is_attachment.into());
    }
    object.into()
}

/// The sentence for a file of `size` bytes that is not text.
#[wasm_bindgen(js_name = toolsBinaryMessage, skip_typescript)]
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size is a whole number
pub fn tools_binary_message(path: &str, size: f64, head: &[u8]) -> String {
    binary_message(path, size as u64, head)
}

/// The hash of bytes that come in pieces.
#[wasm_bindgen(js_name = ToolsHash, skip_typescript)]
#[derive(Default)]
pub struct ToolsHash(ContentHash);

#[wasm_bindgen(js_class = ToolsHash)]
impl ToolsHash {
    /// The hash of nothing.
    #[wasm_bindgen(constructor, skip_typescript)]
    #[must_use]
    pub fn new() -> ToolsHash {
        ToolsHash::default()
    }

    /// Takes the next bytes.
    #[wasm_bindgen(skip_typescript)]
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// The hash as text.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn value(&self) -> String {
        self.0.value()
    }
}

// ── Globs ───────────────────────────────────────────────────────────────────────────────────────

/// A compiled glob.
#[wasm_bindgen(js_name = ToolsGlob, skip_typescript)]
pub struct ToolsGlob(Glob);

#[wasm_bindgen(js_class = ToolsGlob)]
impl ToolsGlob {
    /// Compiles a pattern, with `[` and `]` as they stand if `is_literal`; throws what is wrong with it, a
    /// string.
    #[wasm_bindgen(skip_typescript)]
    pub fn compile(pattern: &str, is_literal: bool) -> Result<ToolsGlob, JsValue> {
        let glob = if is_literal { Glob::literal(pattern) } else { Glob::new(pattern) };
        glob.map(ToolsGlob).map_err(|why| why.to_string().into())
    }

    /// Whether it takes a file.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.0.matches(path)
    }

    /// Whether the glob tool lists a file.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn lists(&self, path: &str) -> bool {
        self.0.lists(path)
    }

    /// Whether it has a class, as `[a-z]`.
    #[wasm_bindgen(js_name = hasClass, skip_typescript)]
    #[must_use]
    pub fn has_class(&self) -> bool {
        self.0.has_class()
    }

    /// Whether it has a `!` in front.
    #[wasm_bindgen(js_name = isNegated, skip_typescript)]
    #[must_use]
    pub fn is_negated(&self) -> bool {
        self.0.is_negated()
    }
}

/// A pattern as one of paths below a directory.
#[wasm_bindgen(js_name = toolsRelativePattern, skip_typescript)]
#[must_use]
pub fn tools_relative_pattern(pattern: &str, directory: &str) -> String {
    relative_pattern(pattern, directory)
}

/// The ignore files of a tree. Folders are relative to its root, which is "".
#[wasm_bindgen(js_name = ToolsIgnore, skip_typescript)]
#[derive(Default)]
pub struct ToolsIgnore(IgnoreStack);

#[wasm_bindgen(js_class = ToolsIgnore)]
impl ToolsIgnore {
    /// No ignore files.
    #[wasm_bindgen(constructor, skip_typescript)]
    #[must_use]
    pub fn new() -> ToolsIgnore {
        ToolsIgnore::default()
    }

    /// Adds the file of this name, or `exclude` of a repository; others count for nothing.
    #[wasm_bindgen(skip_typescript)]
    pub fn add(&mut self, folder: &str, name: &JsValue, text: &JsValue) {
        let name = text_of(name);
        let kind = match name.as_str() {
            "exclude" => Some(IgnoreKind::GitExclude),
            name => IgnoreKind::of_name(name),
        };
        if let Some(kind) = kind {
            self.0.add(folder, kind, IgnoreFile::parse(&text_of(text)));
        }
    }

    /// Says that a folder has a `.git`.
    #[wasm_bindgen(js_name = addRepository, skip_typescript)]
    pub fn add_repository(&mut self, folder: &str) {
        self.0.add_repository(folder);
    }

    /// For each entry of a folder 1 if a walk does not pass over it, else 0. `names` are separated by `/`;
    /// `directories` has 1 for each that is a directory, else 0.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn keep(
        &self,
        folder: &JsValue,
        names: &JsValue,
        directories: &Uint8Array,
        enters_hidden: bool,
    ) -> Vec<u8> {
        let (folder, names) = (text_of(folder), text_of(names));
        let mut path = folder;
        if !path.is_empty() {
            path.push('/');
        }
        let start = path.len();
        let is_kept = |(name, directory): (&str, u8)| {
            let is_directory = directory != 0;
            if is_skipped(name, is_directory, enters_hidden) {
                return 0;
            }
            path.truncate(start);
            path.push_str(name);
            u8::from(!self.0.is_ignored(&path, is_directory))
        };
        names.split('/').zip(directories.to_vec()).map(is_kept).collect()
    }
}

// ── HTML ────────────────────────────────────────────────────────────────────────────────────────

/// A page as Markdown. `resolve(target)` makes the target of a link absolute; if it throws or gives no text, the
/// target is none.
#[wasm_bindgen(js_name = toolsMarkdown, skip_typescript)]
#[must_use]
pub fn tools_markdown(page: &str, resolve: &Function) -> String {
    let mut absolute = |target: &str| {
        let result = resolve.call1(&JsValue::NULL, &target.into());
        result.ok().and_then(|result| result.as_string())
    };
    html::markdown(page, &mut absolute)
}

/// The text of a page.
#[wasm_bindgen(js_name = toolsText, skip_typescript)]
#[must_use]
pub fn tools_text(page: &str) -> String {
    html::text(page)
}

/// What the page says its links are relative to.
#[wasm_bindgen(js_name = toolsBase, skip_typescript)]
#[must_use]
pub fn tools_base(page: &str) -> Option<String> {
    html::base(page)
}
