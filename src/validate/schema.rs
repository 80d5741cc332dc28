//! The shape of every object of the model: which fields it has and of which JSON type. One table
//! an object; one function reads them all.

use crate::model::bounds::each;
use crate::model::{Key, Kind, Path, Report, View, Word};

/// What a field may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FieldKind {
    /// A string.
    Text,
    /// A finite number.
    Number,
    /// `true` or `false`.
    Flag,
    /// An object that is not looked into.
    Record,
    /// An array of anything.
    List,
    /// An array of these.
    ListOf(&'static FieldKind),
    /// An object with free names, whose values are these.
    MapOf(&'static FieldKind),
    /// An object with these fields.
    Object(&'static [FieldSpec]),
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldSpec {
    key: Key,
    needed: bool,
    shape: FieldKind,
}

const fn needed(key: Key, shape: FieldKind) -> FieldSpec {
    FieldSpec { key, needed: true, shape }
}
const fn optional(key: Key, shape: FieldKind) -> FieldSpec {
    FieldSpec { key, needed: false, shape }
}

use FieldKind::{Flag, List, ListOf, MapOf, Number, Object, Record, Text};

const SPAN: FieldKind = Object(&[needed(Key::Start, Number), optional(Key::End, Number)]);
const SOURCE_TEXT: FieldKind =
    Object(&[needed(Key::Value, Text), needed(Key::Start, Number), needed(Key::End, Number)]);
const POSITION: FieldKind = Object(&[needed(Key::Line, Number), needed(Key::Character, Number)]);
const RANGE: FieldKind = Object(&[needed(Key::Start, POSITION), needed(Key::End, POSITION)]);
const MODEL: FieldKind = Object(&[needed(Key::ProviderID, Text), needed(Key::ModelID, Text)]);
const CREATED: FieldKind = Object(&[needed(Key::Created, Number)]);
/// The counts of a step; those of a message are BR-13's.
const TOKENS: FieldKind = Object(&[
    optional(Key::Total, Number),
    needed(Key::Input, Number),
    needed(Key::Output, Number),
    needed(Key::Reasoning, Number),
    needed(Key::Cache, Object(&[needed(Key::Read, Number), needed(Key::Write, Number)])),
]);

/// The fields of a part behind its base ones; what needs more than a table is in `part.rs`.
pub(crate) const fn of_part(kind: Word) -> &'static [FieldSpec] {
    match kind {
        Word::Text => {
            const {
                &[
                    needed(Key::Text, Text),
                    optional(Key::Synthetic, Flag),
                    optional(Key::Ignored, Flag),
                    optional(Key::Time, SPAN),
                    optional(Key::Metadata, Record),
                ]
            }
        }
        Word::Reasoning => {
            const { &[needed(Key::Text, Text), optional(Key::Metadata, Record), needed(Key::Time, SPAN)] }
        }
        Word::Tool => {
            const {
                &[
                    needed(Key::CallID, Text),
                    needed(Key::Tool, Text),
                    optional(Key::Metadata, Record),
                ]
            }
        }
        Word::StepStart => const { &[optional(Key::Snapshot, Text)] },
        Word::StepFinish => {
            const {
                &[
                    needed(Key::Reason, Text),
                    optional(Key::Snapshot, Text),
                    needed(Key::Cost, Number),
                    needed(Key::Tokens, TOKENS),
                ]
            }
        }
        Word::File => {
            const { &[needed(Key::Mime, Text), optional(Key::Filename, Text), needed(Key::Url, Text)] }
        }
        Word::Subtask => {
            const {
                &[
                    needed(Key::Prompt, Text),
                    needed(Key::Description, Text),
                    needed(Key::Agent, Text),
                    optional(Key::Model, MODEL),
                    optional(Key::Command, Text),
                ]
            }
        }
        Word::Agent => const { &[needed(Key::Name, Text), optional(Key::Source, SOURCE_TEXT)] },
        Word::Compaction => const { &[needed(Key::Auto, Flag)] },
        Word::Retry => const { &[needed(Key::Attempt, Number), needed(Key::Time, CREATED)] },
        Word::Snapshot => const { &[needed(Key::Snapshot, Text)] },
        Word::Patch => const { &[needed(Key::Hash, Text), needed(Key::Files, ListOf(&Text))] },
        _ => const { &[] },
    }
}

/// The fields of a file part's source, by its type.
pub(crate) const fn of_source(kind: Word) -> Option<&'static [FieldSpec]> {
    match kind {
        Word::File => Some(const { &[needed(Key::Path, Text), needed(Key::Text, SOURCE_TEXT)] }),
        Word::Symbol => Some(
            const {
                &[
                    needed(Key::Path, Text),
                    needed(Key::Range, RANGE),
                    needed(Key::Name, Text),
                    needed(Key::Kind, Number),
                    needed(Key::Text, SOURCE_TEXT),
                ]
            },
        ),
        Word::Resource => Some(
            const {
                &[
                    needed(Key::ClientName, Text),
                    needed(Key::Uri, Text),
                    needed(Key::Text, SOURCE_TEXT),
                ]
            },
        ),
        _ => None,
    }
}

/// The fields of a tool state, but for those that rules of their own look at.
pub(crate) const fn of_state(status: crate::model::Status) -> &'static [FieldSpec] {
    use crate::model::Status;
    match status {
        Status::Pending => const { &[needed(Key::Input, Record)] },
        Status::Running => {
            const {
                &[
                    needed(Key::Input, Record),
                    optional(Key::Title, Text),
                    optional(Key::Metadata, Record),
                ]
            }
        }
        Status::Completed => {
            const {
                &[
                    needed(Key::Input, Record),
                    needed(Key::Output, Text),
                    needed(Key::Title, Text),
                    needed(Key::Metadata, Record),
                ]
            }
        }
        Status::Error => {
            const {
                &[
                    needed(Key::Input, Record),
                    needed(Key::Error, Text),
                    optional(Key::Metadata, Record),
                ]
            }
        }
    }
}

pub(crate) const USER: &[FieldSpec] = &[
    needed(Key::Time, CREATED),
    optional(
        Key::Summary,
        Object(&[
            optional(Key::Title, Text),
            optional(Key::Body, Text),
            optional(Key::Diffs, List),
        ]),
    ),
    needed(Key::Agent, Text),
    needed(Key::Model, MODEL),
    optional(Key::System, Text),
    optional(Key::Tools, MapOf(&Flag)),
    optional(Key::Variant, Text),
];

pub(crate) const ASSISTANT: &[FieldSpec] = &[
    needed(Key::Time, Object(&[needed(Key::Created, Number), optional(Key::Completed, Number)])),
    needed(Key::ParentID, Text),
    needed(Key::ModelID, Text),
    needed(Key::ProviderID, Text),
    needed(Key::Agent, Text),
    needed(Key::Path, Object(&[needed(Key::Cwd, Text), needed(Key::Root, Text)])),
    optional(Key::Summary, Flag),
    needed(Key::Cost, Number),
    optional(Key::Finish, Text),
];

/// apex-bridge's flat form of an error.
pub(crate) const FLAT_ERROR: &[FieldSpec] = &[
    needed(Key::Message, Text),
    optional(Key::StatusCode, Number),
    needed(Key::IsRetryable, Flag),
    optional(Key::ResponseHeaders, MapOf(&Text)),
    optional(Key::ResponseBody, Text),
    optional(Key::Metadata, MapOf(&Text)),
];

/// OpenCode's named form of an error.
pub(crate) const NAMED_ERROR: &[FieldSpec] = &[needed(Key::Data, Record)];

/// Does the object have these fields, of these shapes?
pub(crate) fn fields<V: View, R: Report>(
    object: &V,
    fields: &[FieldSpec],
    path: &Path<'_>,
    report: &mut R,
) {
    for field in fields {
        let value = object.get(field.key);
        let path = path.key(field.key);
        if value.kind() == Kind::Missing {
            if field.needed {
                report.error("schema", &path, missing(field.key, field.shape));
            }
        } else {
            shape(&value, field.shape, &path, report);
        }
    }
}

/// "`text` is missing; it is a string"
fn missing(key: Key, shape: FieldKind) -> String {
    format!("`{}` is missing; it is {}", key.as_str(), describe(shape))
}

const fn describe(shape: FieldKind) -> &'static str {
    match shape {
        Text => "a string",
        Number => "a number",
        Flag => "true or false",
        Record | MapOf(_) | Object(_) => "an object",
        List | ListOf(_) => "an array",
    }
}

/// Is the value of this shape?
pub(crate) fn shape<V: View, R: Report>(
    value: &V,
    shape: FieldKind,
    path: &Path<'_>,
    report: &mut R,
) {
    let kind = value.kind();
    let fits = match shape {
        Text => kind.is_string(),
        Number => kind == Kind::Number,
        Flag => kind.is_bool(),
        Record | MapOf(_) | Object(_) => kind == Kind::Object,
        List | ListOf(_) => kind == Kind::Array,
    };
    if !fits {
        report.error(
            "schema",
            path,
            format!("expected {}, got {}", describe(shape), kind.describe()),
        );
        return;
    }
    match shape {
        Object(of) => fields(value, of, path, report),
        ListOf(of) => each(value, path, report, |element, path, report| {
            self::shape(element, *of, path, report);
        }),
        MapOf(of) => {
            let is_read = value.each_field(&mut |name, value| {
                self::shape(value, *of, &path.name(name), report);
            });
            if !is_read {
                report.error("schema", path, "the names of its fields cannot be read");
            }
        }
        Text | Number | Flag | Record | List => {}
    }
}
