//! The TypeScript interfaces of the model, written at compile time from its table and its documentation.
// An index out of bounds is a compile error here; and the lint for dead code does not see what only a custom section uses.
#![allow(clippy::indexing_slicing, dead_code)]

use crate::wasm::declarations::Declarations;
use crate::wasm::option_types::TypeOf;
use apex_parts_model::spec::{
    API_ERROR, BASE, FieldSpec, MESSAGE_BASE, MESSAGE_BASE_DOCS, MESSAGE_DOCS, MESSAGES,
    ModelObject, ObjectDocs, PART_DOCS, PARTS, SOURCE_DOCS, SOURCES, STATE_DOCS, STATES, TOKENS,
};
use apex_parts_model::types::base::{PartBase, TokenStats};
use apex_parts_model::types::error::APIError;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const MODEL_TYPES: &str = {
    const TEXT: &Declarations = &model_types();
    TEXT.as_str()
};

const fn model_types() -> Declarations {
    let mut text = Declarations::new();
    text.push("\n");
    text.head("PartBase", "", PartBase::DOCS.about);
    text.members(BASE, PartBase::DOCS.fields);
    text.push("}\n");
    let mut i = 0;
    while i < PARTS.len() {
        text.head(PARTS[i].type_name, " extends PartBase", PART_DOCS[i].about);
        text.tag("type", PARTS[i].word.as_str());
        text.members(PARTS[i].fields, PART_DOCS[i].fields);
        text.push("}\n");
        i += 1;
    }
    text.union_head(
        "A part of a message; `type` says which. `CustomParts` adds types to it.",
        "Part",
    );
    i = 0;
    while i < PARTS.len() {
        text.alternative(i, PARTS[i].type_name);
        i += 1;
    }
    text.alternative(i, "ProgramPart");
    text.push(";\n");
    i = 0;
    while i < SOURCES.len() {
        text.head(SOURCES[i].type_name, "", SOURCE_DOCS[i].about);
        text.tag("type", SOURCES[i].word.as_str());
        text.members(SOURCES[i].fields, SOURCE_DOCS[i].fields);
        text.push("}\n");
        i += 1;
    }
    text.union_head("What a file part was taken from; `type` says which.", "FilePartSource");
    i = 0;
    while i < SOURCES.len() {
        text.alternative(i, SOURCES[i].type_name);
        i += 1;
    }
    text.push(";\n");
    i = 0;
    while i < STATES.len() {
        // A type and not an interface, because only a type is also a `Record<string, unknown>`.
        text.comment("", STATE_DOCS[i].about);
        text.push("export type ");
        text.push(STATES[i].type_name);
        text.push(" = {\n");
        text.tag("status", STATES[i].status.as_str());
        text.members(STATES[i].fields, STATE_DOCS[i].fields);
        text.push("};\n");
        i += 1;
    }
    text.union_head("The state of a tool call; `status` says which.", "ToolState");
    i = 0;
    while i < STATES.len() {
        text.alternative(i, STATES[i].type_name);
        i += 1;
    }
    text.push(";\n");
    i = 0;
    while i < MESSAGES.len() {
        text.head(MESSAGES[i].type_name, "", MESSAGE_DOCS[i].about);
        text.members(MESSAGE_BASE, MESSAGE_BASE_DOCS);
        text.tag("role", MESSAGES[i].role.as_str());
        text.members(MESSAGES[i].fields, MESSAGE_DOCS[i].fields);
        text.push("}\n");
        i += 1;
    }
    text.union_head("A message; `role` says which.", "MessageInfo");
    i = 0;
    while i < MESSAGES.len() {
        text.alternative(i, MESSAGES[i].type_name);
        i += 1;
    }
    text.push(";\n");
    text.object(TOKENS.type_name, TOKENS.fields, TokenStats::DOCS);
    text.object(API_ERROR.type_name, API_ERROR.fields, APIError::DOCS);
    text
}

impl Declarations {
    /// A comment of these lines, each of which begins with a space.
    const fn comment(&mut self, indent: &str, lines: &[&str]) {
        self.push(indent);
        self.push("/**\n");
        let mut i = 0;
        while i < lines.len() {
            self.push(indent);
            self.push(" *");
            self.push(lines[i]);
            self.push("\n");
            i += 1;
        }
        self.push(indent);
        self.push(" */\n");
    }

    const fn head(&mut self, name: &str, extends: &str, about: &[&str]) {
        self.comment("", about);
        self.push("export interface ");
        self.push(name);
        self.push(extends);
        self.push(" {\n");
    }

    const fn object(&mut self, name: &str, fields: &[FieldSpec], docs: ObjectDocs) {
        self.head(name, "", docs.about);
        self.members(fields, docs.fields);
        self.push("}\n");
    }

    /// The field that says which object of its group it is.
    const fn tag(&mut self, name: &str, word: &str) {
        self.push("  /** Always `\"");
        self.push(word);
        self.push("\"`. */\n  ");
        self.push(name);
        self.push(": \"");
        self.push(word);
        self.push("\";\n");
    }

    const fn members(&mut self, fields: &[FieldSpec], docs: &[&[&str]]) {
        assert!(fields.len() == docs.len(), "each field has its documentation");
        let mut i = 0;
        while i < fields.len() {
            self.comment("  ", docs[i]);
            self.member(&fields[i], TypeOf::Object);
            i += 1;
        }
    }

    const fn union_head(&mut self, about: &str, name: &str) {
        self.push("/** ");
        self.push(about);
        self.push(" */\nexport type ");
        self.push(name);
        self.push(" =");
    }

    const fn alternative(&mut self, index: usize, name: &str) {
        self.push(if index > 0 { " | " } else { " " });
        self.push(name);
    }
}
