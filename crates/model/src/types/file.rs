//! A file part, and what it was taken from.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use super::base::{PartBase, Tag, UnknownFields, present, tag};
use crate::names::Word;
use serde::{Deserialize, Serialize};
use serde_json::Number;

tag!(FileTag, Word::File);
tag!(SymbolTag, Word::Symbol);
tag!(ResourceTag, Word::Resource);

/// A file, by URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FilePart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"file"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"file\""))]
    pub kind: Tag<FileTag>,
    /// Its MIME type.
    pub mime: String,
    /// Its name.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// Where it is: `data:`, `file:` or `https:`.
    pub url: String,
    /// What it was taken from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source: Option<FilePartSource>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// What a file part was taken from; `type` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type = "FileSource | SymbolSource | ResourceSource"))]
#[serde(untagged)]
pub enum FilePartSource {
    /// A file.
    File(FileSource),
    /// A symbol.
    Symbol(SymbolSource),
    /// A resource.
    Resource(ResourceSource),
}

/// A piece of a prompt, and its place (UTF-16 offsets).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceText {
    /// The text.
    pub value: String,
    /// Where it starts.
    pub start: Number,
    /// Where it ends.
    pub end: Number,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A range of a text file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Where it starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A place in a text file, counted from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    pub line: Number,
    /// The character in the line (UTF-16).
    pub character: Number,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A file from which a part was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FileSource {
    /// Always `"file"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"file\""))]
    pub kind: Tag<FileTag>,
    /// Its path.
    pub path: String,
    /// The text that refers to it in the prompt, and its place (UTF-16 offsets).
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "{ value: string; start: number; end: number }")
    )]
    pub text: SourceText,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A symbol of a program from which a part was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SymbolSource {
    /// Always `"symbol"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"symbol\""))]
    pub kind: Tag<SymbolTag>,
    /// The path of its file.
    pub path: String,
    /// Its place in the file.
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(
            type = "{ start: { line: number; character: number }; end: { line: number; character: number } }"
        )
    )]
    pub range: Range,
    /// Its name.
    pub name: String,
    /// Its kind, as language servers number them.
    #[serde(rename = "kind")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub symbol_kind: Number,
    /// The text that refers to it in the prompt, and its place (UTF-16 offsets).
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "{ value: string; start: number; end: number }")
    )]
    pub text: SourceText,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A resource of a tool server from which a part was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ResourceSource {
    /// Always `"resource"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"resource\""))]
    pub kind: Tag<ResourceTag>,
    /// The server.
    #[serde(rename = "clientName")]
    pub client_name: String,
    /// The resource.
    pub uri: String,
    /// The text that refers to it in the prompt, and its place (UTF-16 offsets).
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "{ value: string; start: number; end: number }")
    )]
    pub text: SourceText,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}
