//! An object of the model, stated once: its struct, its row and its documentation.

use super::field::FieldSpec;

/// The documentation of an object, from which its TypeScript interface is written. It is apart from the fields, because
/// a module must not contain it.
#[derive(Clone, Copy, Debug)]
pub struct ObjectDocs {
    /// Of the object, line by line; each begins with a space.
    pub about: &'static [&'static str],
    /// Of each field.
    pub fields: &'static [&'static [&'static str]],
}

/// A struct that is an object of the model.
pub trait ModelObject {
    /// Its fields, but for those that every object of its group has.
    const FIELDS: &'static [FieldSpec];
    /// Their documentation.
    const DOCS: ObjectDocs;
}

/// The Rust type of a kind of field.
macro_rules! kind_type {
    (Text) => { String };
    (Number) => { serde_json::Number };
    (Flag) => { bool };
    (Record) => { serde_json::Map<String, serde_json::Value> };
    (List($item:ident)) => { Vec<serde_json::Value> };
    (ListOf(Text)) => { Vec<String> };
    (ListOf($union:ident)) => { Vec<$union> };
    // Values that are no strings, or no flags, are kept too.
    (MapOf($kind:ident)) => { serde_json::Map<String, serde_json::Value> };
    (Object($object:ident $(, $fields:expr)?)) => { $object };
    (Named($object:ident, $row:ident)) => { $object };
    (OneOf($union:ident)) => { $union };
}

/// A kind of field as its row has it.
macro_rules! kind_spec {
    (ListOf(Text)) => {
        FieldKind::ListOf(&FieldKind::Text)
    };
    (ListOf($union:ident)) => {
        FieldKind::ListOf(&FieldKind::OneOf(stringify!($union)))
    };
    (MapOf($kind:ident)) => {
        FieldKind::MapOf(&FieldKind::$kind)
    };
    (Object($object:ident)) => {
        FieldKind::Object(<$object as ModelObject>::FIELDS)
    };
    (Object($object:ident, $fields:expr)) => {
        FieldKind::Object($fields)
    };
    (Named($object:ident, $row:ident)) => {
        FieldKind::Named(&$row)
    };
    (OneOf($union:ident)) => {
        FieldKind::OneOf(stringify!($union))
    };
    (List($item:ident)) => {
        FieldKind::List(stringify!($item))
    };
    ($kind:ident) => {
        FieldKind::$kind
    };
}

/// States an object: its struct for serde, its fields as rows, their documentation.
///
/// ```text
/// object! {
///     /// What it is.
///     struct NAME [FIELDS OF THE STRUCT BEFORE THOSE BELOW] {
///         /// What it is.
///         name ("name in JSON, if it is another"): Key = Kind, from(Origin), by_rule;
///         /// One that may be left out.
///         optional name: Key = Kind;
///         /// One that may be left out, which the TypeScript type demands nevertheless.
///         optional name: Key = Kind, required_in_type;
///     }
/// }
/// ```
macro_rules! object {
    ($(#[doc = $about:literal])+ struct $name:ident [$($head:tt)*] { $($body:tt)* }) => {
        object! { @fields [$($about)+] $name [$($head)*] [] [] [] $($body)* }
    };
    (@fields $about:tt $name:ident $head:tt [$($fields:tt)*] [$($rows:tt)*] [$($docs:tt)*]
        $(#[doc = $doc:literal])+
        optional $field:ident $(($json:literal))?: $key:ident = $kind:ident $(($($of:tt)*))? $(, $how:ident $(($origin:ident))?)*;
        $($rest:tt)*) => {
        object! { @fields $about $name $head
            [$($fields)*
                $(#[doc = $doc])+
                $(#[serde(rename = $json)])?
                #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
                pub $field: Option<kind_type!($kind $(($($of)*))?)>,]
            [$($rows)* optional(Key::$key, kind_spec!($kind $(($($of)*))?)) $(.$how($(Origin::$origin)?))*,]
            [$($docs)* &[$($doc),+],]
            $($rest)*
        }
    };
    (@fields $about:tt $name:ident $head:tt [$($fields:tt)*] [$($rows:tt)*] [$($docs:tt)*]
        $(#[doc = $doc:literal])+
        $field:ident $(($json:literal))?: $key:ident = $kind:ident $(($($of:tt)*))? $(, $how:ident $(($origin:ident))?)*;
        $($rest:tt)*) => {
        object! { @fields $about $name $head
            [$($fields)*
                $(#[doc = $doc])+
                $(#[serde(rename = $json)])?
                pub $field: kind_type!($kind $(($($of)*))?),]
            [$($rows)* required(Key::$key, kind_spec!($kind $(($($of)*))?)) $(.$how($(Origin::$origin)?))*,]
            [$($docs)* &[$($doc),+],]
            $($rest)*
        }
    };
    (@fields [$($about:literal)+] $name:ident [$($head:tt)*] [$($fields:tt)*] [$($rows:tt)*] [$($docs:tt)*]) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct $name {
            $($head)*
            $($fields)*
            /// Fields that the model does not name.
            #[serde(flatten)]
            pub unknown: UnknownFields,
        }

        impl ModelObject for $name {
            const FIELDS: &'static [FieldSpec] = &[$($rows)*];
            const DOCS: ObjectDocs = ObjectDocs { about: &[$($about),+], fields: &[$($docs)*] };
        }
    };
}

/// States a part: its number, word, struct, row, whether it has a constructor, and its fields as in `object!`.
macro_rules! part {
    ($(#[doc = $about:literal])+ $code:literal $word:ident: $name:ident, $row:ident $(, $constructor:ident)? { $($body:tt)* }) => {
        object! {
            $(#[doc = $about])+
            struct $name [
                /// Which part of which message of which session.
                #[serde(flatten)]
                pub base: PartBase,
                /// Always the word of this type.
                #[serde(rename = "type")]
                pub kind: Tag<{ Word::$word as u8 }>,
            ] { $($body)* }
        }

        $(#[doc = $about])+
        pub const $row: PartSpec = PartSpec {
            code: $code,
            word: Word::$word,
            type_name: stringify!($name),
            guard: concat!("is", stringify!($name)),
            constructor: part!(@constructor $name $($constructor)?),
            fields: <$name as ModelObject>::FIELDS,
        };
    };
    (@constructor $name:ident constructor) => { Some(concat!("create", stringify!($name))) };
    (@constructor $name:ident) => { None };
}

pub(crate) use {kind_spec, kind_type, object, part};
