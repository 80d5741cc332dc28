//! The blocks that a call returned.

use crate::kept::KeptFields;
use crate::lists::push_all;
use crate::units::units;
use crate::writer::PartIds;
use apex_parts_agents::fields::{any_string, items, of_kind, pick, raw, token};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{ObjectWriter, object};
use apex_parts_model::Kind;

/// A file that a call returned, and what is kept of it.
pub(crate) struct ReturnedFile<'a> {
    file: Node<'a>,
    kept: KeptFields,
}

/// The blocks.
#[derive(Default)]
pub(crate) struct Blocks<'a> {
    /// The texts, joined by line feeds, escaped.
    pub(crate) text: String,
    /// Is there any text block?
    pub(crate) has_text: bool,
    /// The files.
    pub(crate) files: Vec<ReturnedFile<'a>>,
}

const BLOCK: [&str; 2] = ["type", "text"];
const FILE: [&str; 4] = ["type", "uri", "mime", "name"];

fn is_file(file: Node<'_>) -> bool {
    let [uri, mime, name] = pick(file, ["uri", "mime", "name"]);
    let is_named = name.is_none() || any_string(name).is_some();
    any_string(uri).is_some() && any_string(mime).is_some() && is_named
}

impl<'a> Blocks<'a> {
    /// The blocks of a field `content`. How they are laid out is kept, unless it is one text and then files.
    /// A call that failed has no place for files.
    pub(crate) fn read(
        content: Option<Node<'a>>,
        takes_files: bool,
        json: &'a str,
        kept: &mut KeptFields,
    ) -> Blocks<'a> {
        let mut blocks = Blocks::default();
        if of_kind(content, Kind::Array).is_none() {
            kept.field_or_none("content", content, json);
            return blocks;
        }
        let mut layout = String::from("[");
        let mut is_plain = true;
        for (index, block) in items(content).enumerate() {
            if index > 0 {
                layout.push(',');
            }
            let [kind, text] = pick(block, ["type", "text"]);
            let kind = kind.and_then(Node::str).unwrap_or_default();
            match (&*kind, any_string(text)) {
                ("text", Some(text)) => {
                    is_plain &= !blocks.has_text && index == 0;
                    let text = token(text, json);
                    if std::mem::replace(&mut blocks.has_text, true) {
                        blocks.text.push_str("\\n");
                    }
                    blocks.text.push_str(text);
                    let mut rest = KeptFields::default();
                    rest.rest(block, &BLOCK, json);
                    is_plain &= rest.is_empty();
                    object(&mut layout, |out| {
                        out.number("length", units(text) as f64);
                        if !rest.is_empty() {
                            out.key("kept").push_str(&rest.json());
                        }
                    });
                }
                ("file", _) if takes_files && is_file(block) => {
                    is_plain &= blocks.has_text;
                    let mut rest = KeptFields::default();
                    rest.rest(block, &FILE, json);
                    blocks.files.push(ReturnedFile { file: block, kept: rest });
                    layout.push_str("\"file\"");
                }
                _ => {
                    is_plain = false;
                    push_all(&mut layout, &["{\"block\":", raw(block, json), "}"]);
                }
            }
        }
        layout.push(']');
        if !(is_plain && blocks.has_text) {
            kept.remark("content", &layout);
        }
        blocks
    }

    /// Adds the files of a field `attachments`, if all of its elements are files.
    pub(crate) fn add_attachments(
        &mut self,
        list: Option<Node<'a>>,
        json: &str,
        kept: &mut KeptFields,
    ) {
        let Some(list) = list else { return };
        let files: Vec<Node<'a>> = items(Some(list)).collect();
        if files.is_empty() || !files.iter().all(|file| is_file(*file)) {
            kept.field("attachments", raw(list, json));
            return;
        }
        for file in files {
            let mut kept = KeptFields::default();
            kept.remark("attachment", "true");
            kept.rest(file, &["uri", "mime", "name"], json);
            self.files.push(ReturnedFile { file, kept });
        }
    }
}

/// Writes the files as attachments, if there are any.
pub(crate) fn write_attachments(
    state: &mut ObjectWriter<'_>,
    files: &[ReturnedFile<'_>],
    place: &PartIds<'_>,
    json: &str,
) {
    if files.is_empty() {
        return;
    }
    state.list(
        "attachments",
        files.iter().enumerate(),
        |out, (number, ReturnedFile { file, kept })| {
            object(out, |part| {
                place.write(part, &format!(":{number}"));
                part.string("type", "file");
                let [uri, mime, name] = pick(*file, ["uri", "mime", "name"]);
                for (key, value) in [("mime", mime), ("url", uri), ("filename", name)] {
                    if let Some(value) = value {
                        part.key(key).push_str(raw(value, json));
                    }
                }
                if !kept.is_empty() {
                    part.key("opencode2").push_str(&kept.json());
                }
            });
        },
    );
}
