//! A file part, and what it was taken from.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use super::base::{PartBase, Tag, UnknownFields, present};
use crate::names::{Key, Word};
use crate::spec::field::{FieldKind, FieldSpec, optional, required};
use crate::spec::object::{ModelObject, ObjectDocs, kind_spec, kind_type, object, part};
use crate::spec::rows::{PartSpec, SourceSpec};
use serde::{Deserialize, Serialize};

object! {
    /// A piece of a prompt, and its place (UTF-16 offsets).
    struct SourceText [] {
        /// The text.
        value: Value = Text;
        /// Where it starts.
        start: Start = Number;
        /// Where it ends.
        end: End = Number;
    }
}

object! {
    /// A range of a text file.
    struct Range [] {
        /// Where it starts.
        start: Start = Object(Position);
        /// Where it ends.
        end: End = Object(Position);
    }
}

object! {
    /// A place in a text file, counted from 0.
    struct Position [] {
        /// The line.
        line: Line = Number;
        /// The character in the line (UTF-16).
        character: Character = Number;
    }
}

/// The sources, one statement each: their structs, their rows, their union.
macro_rules! sources {
    ($($(#[doc = $about:literal])+ $word:ident: $name:ident { $($body:tt)* })+) => {
        $(object! {
            $(#[doc = $about])+
            struct $name [
                /// Always the word of this type.
                #[serde(rename = "type")]
                pub kind: Tag<{ Word::$word as u8 }>,
            ] { $($body)* }
        })+

        /// What a file part was taken from; `type` says which.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum FilePartSource {
            $($(#[doc = $about])+ $word($name),)+
        }

        /// Every type of file source.
        pub const SOURCES: &[SourceSpec] = &[$(SourceSpec {
            word: Word::$word,
            type_name: stringify!($name),
            fields: <$name as ModelObject>::FIELDS,
        },)+];

        /// Their documentation.
        pub const SOURCE_DOCS: &[ObjectDocs] = &[$(<$name as ModelObject>::DOCS,)+];
    };
}

sources! {
    /// A file from which a part was taken.
    File: FileSource {
        /// Its path.
        path: Path = Text;
        /// The text that refers to it in the prompt, and its place (UTF-16 offsets).
        text: Text = Object(SourceText);
    }
    /// A symbol of a program from which a part was taken.
    Symbol: SymbolSource {
        /// The path of its file.
        path: Path = Text;
        /// Its place in the file.
        range: Range = Object(Range);
        /// Its name.
        name: Name = Text;
        /// Its kind, as language servers number them.
        symbol_kind ("kind"): Kind = Number;
        /// The text that refers to it in the prompt, and its place (UTF-16 offsets).
        text: Text = Object(SourceText);
    }
    /// A resource of a tool server from which a part was taken.
    Resource: ResourceSource {
        /// The server.
        client_name ("clientName"): ClientName = Text;
        /// The resource.
        uri: Uri = Text;
        /// The text that refers to it in the prompt, and its place (UTF-16 offsets).
        text: Text = Object(SourceText);
    }
}

part! {
    /// A file, by URL.
    5 File: FilePart, FILE, constructor {
        /// Its MIME type.
        mime: Mime = Text;
        /// Its name.
        optional filename: Filename = Text;
        /// Where it is: `data:`, `file:` or `https:`.
        url: Url = Text;
        /// What it was taken from.
        optional source: Source = OneOf(FilePartSource), by_rule; // one of SOURCES
    }
}
