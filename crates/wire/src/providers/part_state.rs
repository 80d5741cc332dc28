//! The state of a provider on a part, as JSON text: `{"anthropic":{"signature":"…"}}`. What is sent back to the
//! provider has to equal what came from it, so that the order of fields and the spelling of numbers are kept.

use super::output::emit;
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::writer;
use apex_parts_model::delta::{BlockDelta, BlockKind, Payload, Piece};

/// The fields of one key.
#[derive(Debug)]
pub(crate) struct StateFields {
    text: String,
    /// The length of the text before the first field.
    head: usize,
    /// The provider runs the call itself.
    executed: bool,
}

impl StateFields {
    /// A state without fields.
    pub(crate) fn new(key: &str) -> StateFields {
        let text = format!("{{\"{key}\":{{");
        StateFields { head: text.len(), text, executed: false }
    }

    /// Adds a field whose value is JSON text.
    pub(crate) fn json(&mut self, name: &str, json: &str) -> &mut StateFields {
        put_field(&mut self.text, name, json);
        self
    }

    /// Adds a field of the wire, unless it is missing or null.
    pub(crate) fn value(&mut self, name: &str, value: Val<'_>) -> &mut StateFields {
        if value.exists() { self.json(name, &value.json()) } else { self }
    }

    /// Adds a string, unless it is empty.
    pub(crate) fn string(&mut self, name: &str, value: &str) -> &mut StateFields {
        if !value.is_empty() {
            put_field(&mut self.text, name, "");
            writer::string(&mut self.text, value);
        }
        self
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, name: &str, value: u64) -> &mut StateFields {
        self.json(name, &value.to_string())
    }

    /// Adds `true`.
    pub(crate) fn flag(&mut self, name: &str) -> &mut StateFields {
        self.json(name, "true")
    }

    /// Says that the provider runs the call itself.
    pub(crate) fn executed(&mut self) -> &mut StateFields {
        self.executed = true;
        self
    }

    /// Adds a list, given as its elements with commas between them, unless it is empty.
    pub(crate) fn list(&mut self, name: &str, elements: &str) -> &mut StateFields {
        if elements.is_empty() { self } else { self.json(name, &format!("[{elements}]")) }
    }

    /// Adds an object, given as its fields with commas between them, unless it is empty.
    pub(crate) fn object(&mut self, name: &str, fields: &str) -> &mut StateFields {
        if fields.is_empty() { self } else { self.json(name, &format!("{{{fields}}}")) }
    }

    /// Adds fields as they are, with commas between them.
    pub(crate) fn fields(&mut self, fields: &str) -> &mut StateFields {
        if !fields.is_empty() {
            put_comma(&mut self.text);
            self.text.push_str(fields);
        }
        self
    }

    /// The state as JSON text; `None` if it has no field.
    pub(crate) fn take(self) -> Option<String> {
        (self.executed || self.text.len() > self.head).then(|| self.whole())
    }

    /// The state as JSON text, with or without fields.
    pub(crate) fn whole(mut self) -> String {
        self.text.push_str(if self.executed { "},\"providerExecuted\":true}" } else { "}}" });
        self.text
    }
}

fn put_comma(fields: &mut String) {
    if !fields.is_empty() && !fields.ends_with('{') {
        fields.push(',');
    }
}

/// Appends a field to fields with commas between them.
fn put_field(fields: &mut String, name: &str, json: &str) {
    put_comma(fields);
    writer::string(fields, name);
    fields.push(':');
    fields.push_str(json);
}

/// Appends an element to elements with commas between them.
pub(crate) fn put_element(elements: &mut String, json: &str) {
    if !elements.is_empty() {
        elements.push(',');
    }
    elements.push_str(json);
}

/// The fields of an object that are not listed in `own`, as JSON text with commas between them. Those that are
/// null are left out.
pub(crate) fn other_fields(of: Val<'_>, own: &[&str]) -> String {
    let mut fields = String::new();
    for (name, value) in of.entries() {
        if value.exists() && !own.contains(&&*name) {
            put_field(&mut fields, &name, &value.json());
        }
    }
    fields
}

/// An object without one of its fields, as JSON text.
pub(crate) fn without(of: Val<'_>, left_out: &str) -> String {
    let mut fields = String::new();
    for (name, value) in of.entries().filter(|(name, _)| name != left_out) {
        put_field(&mut fields, &name, &value.json());
    }
    format!("{{{fields}}}")
}

/// Emits text with its block or state.
pub(crate) fn emit_block(
    out: &mut Sink<'_>,
    kind: BlockKind,
    text: Piece<'_>,
    block: Option<u64>,
    provider: Option<String>,
) {
    let block = block.map(|number| number.to_string().into());
    let provider = provider.map(Into::into);
    emit(out, Payload::Block(Box::new(BlockDelta { kind, text, block, provider })));
}

/// Emits text without a block and without state.
pub(crate) fn emit_text(out: &mut Sink<'_>, kind: BlockKind, text: Piece<'_>) {
    emit(
        out,
        match kind {
            BlockKind::Text => Payload::Text(text),
            BlockKind::Thinking => Payload::Thinking(text),
        },
    );
}

/// Emits a part that no other kind describes: its type is `KEY-kind`, and its state has one field.
pub(crate) fn emit_custom(out: &mut Sink<'_>, key: &str, kind: &str, field: &str, json: &str) {
    let mut state = StateFields::new(key);
    state.json(field, json);
    emit_custom_block(out, key, kind, None, state);
}

/// Emits the content of a part that no other kind describes: a new part, unless there is one of its kind and block.
pub(crate) fn emit_custom_block(
    out: &mut Sink<'_>,
    key: &str,
    kind: &str,
    block: Option<u64>,
    state: StateFields,
) {
    let name = format!("{key}-{kind}").into();
    let block = block.map(|number| number.to_string().into());
    emit(out, Payload::Custom { name, block, provider: state.whole().into() });
}

/// What records emit of parts, one line each: `text`, `thinking`, `call`, `args`, `end`, `result`, `custom`, with the
/// block in brackets and the state at the end. The stream ends after the last record.
#[cfg(test)]
pub(crate) fn parts_of(format: super::Provider, records: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut reader = format.reader();
    for record in records {
        let mut take = |one: apex_parts_model::delta::ReaderOutput<'_>| lines.extend(line_of(one));
        reader.record("", record.as_bytes(), &mut take).unwrap();
        // A snapshot changes nothing.
        let state = reader.snapshot();
        reader = format.reader();
        reader.restore(state).unwrap();
    }
    reader.end(&mut |output| lines.extend(line_of(output)));
    lines
}

#[cfg(test)]
fn line_of(output: apex_parts_model::delta::ReaderOutput<'_>) -> Option<String> {
    use apex_parts_model::delta::ReaderOutput;
    let with = |line: String, provider: Option<std::borrow::Cow<'_, str>>| match provider {
        Some(provider) => format!("{line} {provider}"),
        None => line,
    };
    Some(match output {
        ReaderOutput::Delta(Payload::Text(text)) => format!("text {}", text.text),
        ReaderOutput::Delta(Payload::Thinking(text)) => format!("thinking {}", text.text),
        ReaderOutput::Delta(Payload::Block(block)) => {
            let kind = if block.kind == BlockKind::Text { "text" } else { "thinking" };
            let number = block.block.unwrap_or_default();
            with(format!("{kind}[{number}] {}", block.text.text), block.provider)
        }
        ReaderOutput::Delta(Payload::ToolCallStart { id, name, provider }) => {
            with(format!("call {id} {name}"), provider)
        }
        ReaderOutput::Delta(Payload::ToolCallArgs { id, text }) => {
            format!("args {id} {}", text.text)
        }
        ReaderOutput::Delta(Payload::ToolCallEnd { id, provider }) => {
            with(format!("end {id}"), provider)
        }
        ReaderOutput::Delta(Payload::Custom { name, provider, .. }) => {
            with(format!("custom {name}"), Some(provider))
        }
        ReaderOutput::ToolResult { id, content, provider, .. } => {
            with(format!("result {id} {content}"), provider)
        }
        _ => return None,
    })
}
