//! [`GeminiPart`]: the fields of a part, which stand in it under their names or, as Google's API takes too, in snake case.

use crate::values::{NewFields, given, others, pick, select};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// What a part can be: it has one of the fields of this name.
pub(crate) const DATA: [[&str; 2]; 9] = [
    ["functionCall", "function_call"],
    ["functionResponse", "function_response"],
    ["executableCode", "executable_code"],
    ["toolCall", "tool_call"],
    ["codeExecutionResult", "code_execution_result"],
    ["toolResponse", "tool_response"],
    ["text", "text"],
    ["inlineData", "inline_data"],
    ["fileData", "file_data"],
];
pub(crate) const CALL: usize = 0;
pub(crate) const RESPONSE: usize = 1;
pub(crate) const CODE: usize = 2;
pub(crate) const TOOL: usize = 3;
pub(crate) const CODE_RESULT: usize = 4;
pub(crate) const TOOL_RESPONSE: usize = 5;
pub(crate) const TEXT: usize = 6;
pub(crate) const INLINE: usize = 7;
pub(crate) const FILE: usize = 8;

const STATE: [&str; 3] = ["thought", "thoughtSignature", "thought_signature"];
const DATA_AND_STATE: usize = 2 * DATA.len() + STATE.len();
const NAMES: [&str; DATA_AND_STATE] = {
    let [a, b, c, d, e, f, g, h, i] = DATA;
    let [j, k, l] = STATE;
    [
        a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1], e[0], e[1], f[0], f[1], g[0], g[1], h[0],
        h[1], i[0], i[1], j, k, l,
    ]
};

/// A field under its name or in snake case.
pub(crate) fn either<'a>(node: Node<'a>, names: &[&str; 2]) -> Option<Node<'a>> {
    let [own, snake] = pick(node, names).values;
    given(own).or(snake)
}

/// A part of a content.
pub(crate) struct GeminiPart<'a> {
    node: Node<'a>,
    data: [Option<Node<'a>>; DATA.len()],
    pub(crate) signature: Option<Node<'a>>,
    pub(crate) is_thought: bool,
    /// Has it fields that are neither data nor its state?
    has_others: bool,
    /// The data that it cannot have beside the first.
    left_out: Vec<&'static str>,
    has_one: bool,
}

impl<'a> GeminiPart<'a> {
    /// The part that is an object or a text; of everything else one without fields.
    pub(crate) fn new(node: Node<'a>) -> GeminiPart<'a> {
        let picked = pick(node, &NAMES);
        let mut data = [None; DATA.len()];
        for (slot, pair) in data.iter_mut().zip(picked.values.chunks(2)) {
            if let [own, snake] = pair {
                *slot = given(*own).or(*snake);
            }
        }
        // It has no other name.
        data[TEXT] = if node.kind().is_string() { Some(node) } else { picked.values[2 * TEXT] };
        let [.., thought, signature, snake] = picked.values;
        GeminiPart {
            node,
            data,
            signature: given(signature).or(snake),
            is_thought: thought.is_some_and(|thought| thought.kind() == Kind::True),
            has_others: picked.has_others,
            left_out: Vec::new(),
            has_one: data.iter().flatten().count() == 1,
        }
    }

    pub(crate) fn get(&self, data: usize) -> Option<Node<'a>> {
        self.data.get(data).copied().flatten()
    }

    /// Keeps the first of the fields that say what it is. Gives the others.
    pub(crate) fn keep_first(&mut self) -> NewFields<'a> {
        if self.data.iter().flatten().count() < 2 {
            return NewFields::default();
        }
        let mut is_first = true;
        for (slot, names) in self.data.iter_mut().zip(&DATA) {
            let Some(value) = *slot else { continue };
            if !is_first {
                self.left_out.extend(names);
            }
            // What is left of a part has no fields that are null.
            if !is_first || value.kind() == Kind::Null {
                *slot = None;
            }
            is_first = false;
        }
        self.has_one = true;
        select(self.node, &|name, _| self.left_out.contains(&name))
    }

    /// The fields that are neither its state nor this data. Of a part without data, all that are not its state.
    pub(crate) fn others(&self, own: Option<usize>) -> NewFields<'a> {
        let own = own.and_then(|own| DATA.get(own));
        if self.node.kind() != Kind::Object || (own.is_some() && self.has_one && !self.has_others) {
            return NewFields::default();
        }
        let mut known = STATE.to_vec();
        known.extend(own.into_iter().flatten());
        known.extend(&self.left_out);
        others(self.node, &known)
    }
}
