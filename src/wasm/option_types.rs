//! The TypeScript interfaces of the constructors' options, generated at compile time from the table of
//! parts and messages; and the check of the names spelt out in `api/` against that table.

use crate::wasm::declarations::Declarations;
use apex_parts_model::spec::{BASE, FieldKind, FieldSpec, MESSAGE_BASE, MESSAGES, Origin, PARTS};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const OPTION_TYPES: &str = {
    const TEXT: &Declarations = &option_types();
    TEXT.as_str()
};

/// One interface for each constructor.
#[allow(dead_code)] // the lint does not see the use in the custom section above
#[allow(clippy::indexing_slicing)] // at compile time
const fn option_types() -> Declarations {
    let mut text = Declarations::new();
    text.push("\n");
    let mut i = 0;
    while i < PARTS.len() {
        if let Some(constructor) = PARTS[i].constructor {
            text.interface(constructor, BASE, PARTS[i].fields);
        }
        i += 1;
    }
    i = 0;
    while i < MESSAGES.len() {
        text.interface(MESSAGES[i].constructor, MESSAGE_BASE, MESSAGES[i].fields);
        i += 1;
    }
    text
}

/// What an interface is the type of.
#[derive(Clone, Copy)]
pub(super) enum TypeOf {
    /// An object of the model.
    Object,
    /// The options of a constructor.
    Options,
}

impl TypeOf {
    const fn demands(self, field: &FieldSpec) -> bool {
        match self {
            TypeOf::Object => field.is_required_in_type(),
            TypeOf::Options => field.is_required(),
        }
    }
}

impl Declarations {
    /// The interface of the options of a constructor.
    const fn interface(&mut self, constructor: &str, base: &[FieldSpec], fields: &[FieldSpec]) {
        self.push("/** What `");
        self.push(constructor);
        self.push("` takes. */\nexport interface C");
        self.push(constructor.split_at(1).1);
        self.push("Options {\n");
        self.options(base);
        self.options(fields);
        self.push("}\n");
    }

    #[allow(clippy::indexing_slicing)] // at compile time
    const fn options(&mut self, fields: &[FieldSpec]) {
        let mut i = 0;
        while i < fields.len() {
            let field = &fields[i];
            match (field.origin, field.kind) {
                (Origin::Option, _) => self.member(field, TypeOf::Options),
                (Origin::IdOrNew, kind) => self.option(field.key.as_str(), kind),
                (Origin::CreatedOrNow, _) => self.option("created", FieldKind::Number),
                (Origin::OptionsInside, FieldKind::Object(inside)) => self.options(inside),
                (Origin::OptionsInside | Origin::Now | Origin::Zero | Origin::Later, _) => {}
            }
            i += 1;
        }
    }

    /// A member of an interface.
    pub(super) const fn member(&mut self, field: &FieldSpec, of: TypeOf) {
        self.push("  ");
        self.field(field, of);
        self.push(";\n");
    }

    /// An option that may be left out.
    const fn option(&mut self, name: &str, kind: FieldKind) {
        self.push("  ");
        self.push(name);
        self.push("?: ");
        self.kind(kind, TypeOf::Options);
        self.push(";\n");
    }

    const fn field(&mut self, field: &FieldSpec, of: TypeOf) {
        self.push(field.key.as_str());
        self.push(if of.demands(field) { ": " } else { "?: " });
        self.kind(field.kind, of);
    }

    #[allow(clippy::indexing_slicing)] // at compile time
    const fn kind(&mut self, kind: FieldKind, of: TypeOf) {
        match kind {
            FieldKind::Text => self.push("string"),
            FieldKind::Number => self.push("number"),
            FieldKind::Flag => self.push("boolean"),
            FieldKind::Record => self.push("Record<string, unknown>"),
            FieldKind::List(item) => {
                self.push(item);
                self.push("[]");
            }
            FieldKind::ListOf(item) => {
                self.kind(*item, of);
                self.push("[]");
            }
            FieldKind::MapOf(item) => {
                self.push("Record<string, ");
                self.kind(*item, of);
                self.push(">");
            }
            FieldKind::Object(fields) => {
                self.push("{ ");
                let mut i = 0;
                while i < fields.len() {
                    if i > 0 {
                        self.push("; ");
                    }
                    self.field(&fields[i], of);
                    i += 1;
                }
                self.push(" }");
            }
            FieldKind::Named(object) => self.push(object.type_name),
            FieldKind::OneOf(union) => self.push(union),
        }
    }
}

/// Whether the text is these pieces, joined.
#[allow(clippy::indexing_slicing)] // at compile time
pub(crate) const fn is_joined(text: &str, pieces: &[&str]) -> bool {
    let (mut at, mut piece) = (0, 0);
    while piece < pieces.len() {
        let mut i = 0;
        while i < pieces[piece].len() {
            if at == text.len() || text.as_bytes()[at] != pieces[piece].as_bytes()[i] {
                return false;
            }
            (at, i) = (at + 1, i + 1);
        }
        piece += 1;
    }
    at == text.len()
}
