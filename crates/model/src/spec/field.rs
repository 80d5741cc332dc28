//! The words of the table: what a row says of a field.

use crate::names::Key;

/// What a field may hold.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A string.
    Text,
    /// A finite number.
    Number,
    /// `true` or `false`.
    Flag,
    /// An object that is not looked into.
    Record,
    /// An array that is not looked into; the TypeScript name of what it holds.
    List(&'static str),
    /// An array of these.
    ListOf(&'static FieldKind),
    /// An object with free names, whose values are these.
    MapOf(&'static FieldKind),
    /// An object with these fields, which has no name of its own in TypeScript.
    Object(&'static [FieldSpec]),
    /// An object with a name of its own.
    Named(&'static ObjectSpec),
    /// One of several objects; the name of their union. `validate/part.rs` picks the row.
    OneOf(&'static str),
}

/// May a field be left out? A field that may be left out still must not be `null`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// It must be there.
    Required,
    /// It may be left out.
    Optional,
    /// It may be left out, but the TypeScript type of the object demands it, so that parts are
    /// assignable to the types of programs that demand it.
    RequiredInType,
}

/// Where a constructor takes a field from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// From the option of the same name. A required field is a required option.
    Option,
    /// From the options that have the names of its own fields: `model` from `providerID` and
    /// `modelID`.
    OptionsInside,
    /// From the option `id`, or a new id.
    IdOrNew,
    /// `{created}` from the option `created`, or from the clock.
    CreatedOrNow,
    /// `{created}` from the clock.
    Now,
    /// Every count is 0.
    Zero,
    /// From nowhere: it is set later, if at all.
    Later,
}

/// Which code checks a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckedBy {
    /// The general walk over this table.
    Table,
    /// A function of its own, because a rule (`BR-…`) says more than the kind does.
    Rule,
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// Its name.
    pub key: Key,
    /// May it be left out?
    pub need: Need,
    /// What it holds.
    pub kind: FieldKind,
    /// Where a constructor takes it from.
    pub origin: Origin,
    /// Which code checks it.
    pub checked_by: CheckedBy,
}

const fn field(key: Key, need: Need, kind: FieldKind) -> FieldSpec {
    FieldSpec { key, need, kind, origin: Origin::Option, checked_by: CheckedBy::Table }
}
pub(crate) const fn required(key: Key, kind: FieldKind) -> FieldSpec {
    field(key, Need::Required, kind)
}
pub(crate) const fn optional(key: Key, kind: FieldKind) -> FieldSpec {
    field(key, Need::Optional, kind)
}

impl FieldSpec {
    pub(crate) const fn from(self, origin: Origin) -> FieldSpec {
        FieldSpec { origin, ..self }
    }
    pub(crate) const fn by_rule(self) -> FieldSpec {
        FieldSpec { checked_by: CheckedBy::Rule, ..self }
    }
    pub(crate) const fn required_in_type(self) -> FieldSpec {
        FieldSpec { need: Need::RequiredInType, ..self }
    }
    /// Does the TypeScript type of the object demand it?
    #[must_use]
    pub const fn is_required_in_type(&self) -> bool {
        matches!(self.need, Need::Required | Need::RequiredInType)
    }
    /// Must it be there?
    #[must_use]
    pub const fn is_required(&self) -> bool {
        matches!(self.need, Need::Required)
    }
}

/// An object that is known by a name, with its fields.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSpec {
    /// The name of its Rust struct and its TypeScript interface.
    pub type_name: &'static str,
    /// Its fields.
    pub fields: &'static [FieldSpec],
}
