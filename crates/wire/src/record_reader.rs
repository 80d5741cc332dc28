//! What all formats share of reading records: which response a record belongs to, whether it is of the format, errors
//! and `[DONE]`.

use super::any_format::{AnyFormat, FormatTraits};
use super::content::Content;
use super::errors::{not_json, other_format};
use super::foreign::Foreign;
use super::reader::Sink;
use super::spelling::{SeenText, Spelling};
use super::unread_format::unread_format;
use super::wrapped::wrapped;
use crate::providers::failure::read_error;
use crate::providers::output::emit;
use crate::providers::response_id::RecordOwner;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved;
use apex_parts_json::saved::{Saved, state_choice};
use apex_parts_json::utf8::NO_UTF_8;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Payload, ReaderOutput};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Gives the name of the format that a record looks like; the second argument is the name of its
/// event.
pub(crate) type Sniff = fn(&str, Val<'_>) -> Option<&'static str>;

/// Gives the names of all formats, for messages.
pub(crate) type Names = fn() -> String;

/// What the records so far have shown of the stream's format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum FormatEvidence {
    /// There was no record.
    #[default]
    None,
    /// No record was understood.
    Unknown,
    /// Some were read, but all of them look like those of another format.
    Other,
    /// Some were understood.
    Own,
}

state_choice!(FormatEvidence { None, Unknown, Other, Own });

/// What is known of a stream, besides what its format knows.
pub(crate) struct RecordReader {
    /// A record that may begin another response; the next record decides.
    held: String,
    /// The id of a response that is mixed into another one: its records are left out.
    mixed: String,
    seen: FormatEvidence,
    /// The id of a response that ended with an error, as `[id]`: its other records are left out.
    failed: Option<String>,
    content: Content,
    /// The next record need not be read by its format if it is spelled like this.
    spelling: Spelling,
    sniff: Sniff,
    names: Names,
}

const HELD: &str = "heldRecord";
const MIXED: &str = "mixedResponse";
const FAILED: &str = "failedResponse";
const CONTENT: &str = "recordContent";
const SEEN: &str = "seenFormat";

impl RecordReader {
    pub(crate) fn new(sniff: Sniff, names: Names) -> RecordReader {
        RecordReader {
            held: String::new(),
            mixed: String::new(),
            seen: FormatEvidence::default(),
            failed: None,
            content: Content::default(),
            spelling: Spelling::default(),
            sniff,
            names,
        }
    }

    /// Lets the format emit, and notes whether anything of it becomes a part of the message.
    fn run(&mut self, out: &mut Sink<'_>, emit: &mut dyn FnMut(&mut Sink<'_>)) {
        let content = &mut self.content;
        emit(&mut |output| {
            if let Some(message) = content.note(&output) {
                out(ReaderOutput::Warning { rule: "empty", message: message.into() });
            }
            out(output);
        });
    }

    /// Another response begins while one is open, whose records may continue.
    fn cut(&mut self, format: &mut dyn AnyFormat, out: &mut Sink<'_>) {
        format.open_id().clone_into(&mut self.mixed);
        self.run(out, &mut |out| format.cut(out));
    }

    fn is_mixed(&self) -> String {
        format!(
            "the record is of the response {:?}, which is mixed with the one being read",
            self.mixed
        )
    }

    /// Applies the record that was held back, now that a record with this id follows; the id is
    /// empty if nothing follows.
    fn apply_held(&mut self, format: &mut dyn AnyFormat, next: &str, out: &mut Sink<'_>) {
        let held = std::mem::take(&mut self.held);
        let Ok(root) = record::read(&held, record::MAX_DEPTH) else { return };
        let id = format.id_of(root);
        let begins = if next.is_empty() { format.traits().begins } else { next == id };
        if begins {
            self.cut(format, out);
        } else if !next.is_empty() && next == format.open_id() {
            // The open response continues: ids distinguish responses, and this record is of another
            // one.
            self.mixed = id.into_owned();
            let message = self.is_mixed().into();
            return out(ReaderOutput::Warning { rule: "DC-2", message });
        } else {
            format.distrust();
        }
        self.content.see("", root);
        self.run(out, &mut |out| format.apply("", root, out));
    }
}

impl RecordReader {
    fn text(
        &mut self,
        format: &mut dyn AnyFormat,
        event: &str,
        text: &str,
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Violation> {
        if text.trim() == "[DONE]" {
            if self.failed.is_some() || self.content.names_other() {
                return Ok(());
            }
            if matches!(self.seen, FormatEvidence::None | FormatEvidence::Unknown) {
                let message = format!("`[DONE]` ends a stream of which {}", Self::nothing(format));
                return Err(Violation::new("schema", message));
            }
            self.apply_held(format, "", out);
            self.warn(format, out);
            self.run(out, &mut |out| format.done(out));
            return Ok(());
        }
        let read = record::read(text, depth);
        if self.seen != FormatEvidence::Own
            && let Some(name) = unread_format(event, text, read.ok())
        {
            if self.content.name_other() {
                let names = (self.names)();
                let message =
                    format!("This looks like {name}, which is not read; read are: {names}");
                out(ReaderOutput::Wrong { message });
            }
            return Ok(());
        }
        let root = alone(read.map_err(|error| not_json(error, text))?);
        if !root.is_object() {
            let what = format!("a record must be an object, not {}", root.describe());
            return Err(Violation::new("schema", what));
        }
        if let Some(record) = wrapped(root) {
            return self.text(format, event, &record, depth, out);
        }
        let rewritten = format.rewritten(root);
        let root = match &rewritten {
            Some(text) => record::read(text, depth).map_err(|error| not_json(error, text))?,
            None => root,
        };
        if self.failed.as_ref().is_some_and(|id| !format.begins(event, root, id)) {
            return Ok(());
        }
        let mut inner = None;
        self.run(out, &mut |out| inner = format.inner(root, out));
        let Some(root) = inner else {
            self.content.see(event, root);
            return Ok(());
        };
        let error = format.error_of(event, root);
        let seen = if error.is_some() && !format.owns(event, root) {
            // Every provider may report an error in the words of another.
            self.seen.max(FormatEvidence::Unknown)
        } else {
            self.weigh(format, event, root)?
        };
        if error.is_none() {
            format.check(event, root)?;
        }
        if !self.mixed.is_empty() && format.id_of(root) == self.mixed {
            return Err(Violation::new("DC-2", self.is_mixed()));
        }
        self.failed = None;
        self.seen = seen;
        if error.is_none()
            && seen == FormatEvidence::Unknown
            && !self.understands(format, event, root)
        {
            self.content.see(event, root);
            return Ok(());
        }
        if !self.held.is_empty() {
            let next = format.id_of(root);
            self.apply_held(format, &next, out);
        }
        match format.turn(event, root) {
            RecordOwner::Same => {}
            RecordOwner::Other => self.cut(format, out),
            RecordOwner::Wait => {
                self.held = root.raw().to_owned();
                return Ok(());
            }
        }
        self.content.see(event, root);
        if let Some(error) = error {
            self.seen = if seen == FormatEvidence::Other { seen } else { FormatEvidence::Own };
            self.run(out, &mut |out| {
                format.fail(root, out);
                let error = read_error(root, error, format.traits().error_type_first);
                emit(out, Payload::Error(Box::new(error)));
            });
            self.failed = Some(format.failed_id().to_owned());
            return Ok(());
        }
        self.run(out, &mut |out| format.apply(event, root, out));
        Ok(())
    }

    /// What the stream has shown once this record is read.
    fn weigh(
        &self,
        format: &dyn AnyFormat,
        event: &str,
        root: Val<'_>,
    ) -> Result<FormatEvidence, Violation> {
        if self.seen == FormatEvidence::Own || format.owns(event, root) {
            return Ok(FormatEvidence::Own);
        }
        match (self.sniff)(event, root) {
            Some(name) if name == format.traits().name => Ok(FormatEvidence::Own),
            Some(other) if other == format.traits().also_read && format.reads(root) => {
                Ok(FormatEvidence::Other)
            }
            Some(other) => Err(Violation::new("schema", other_format(other, format.traits().name))),
            None => Ok(self.seen.max(FormatEvidence::Unknown)),
        }
    }

    /// Does a record that could be of any format emit something? Only then it is applied: to begin
    /// a response or to note something of it does not count.
    fn understands(&mut self, format: &mut dyn AnyFormat, event: &str, root: Val<'_>) -> bool {
        let mut said = false;
        // Tried out, and taken back: a copy would be code of every format.
        let before = format.save();
        format.apply(event, root, &mut |one| {
            said |= matches!(&one, ReaderOutput::Delta(payload)
                if !matches!(payload, Payload::Start { .. } | Payload::Done { .. }));
        });
        let is_back = format.put_back(before);
        debug_assert!(is_back, "a state is put back where it was saved");
        if said {
            self.seen = FormatEvidence::Own;
        }
        said
    }

    /// Reports that no record was understood, or that all look like those of another format.
    fn warn(&mut self, format: &dyn AnyFormat, out: &mut Sink<'_>) {
        if self.content.names_other() {
            return;
        }
        match std::mem::replace(&mut self.seen, FormatEvidence::Own) {
            before @ (FormatEvidence::None | FormatEvidence::Own) => self.seen = before,
            FormatEvidence::Unknown => {
                out(ReaderOutput::Wrong {
                    message: format!("the stream ends, and {}", Self::nothing(format)),
                });
            }
            FormatEvidence::Other => {
                let (own, other) = (format.traits().name, format.traits().also_read);
                let message = format!(
                    "no record is specific to {own:?}: all look like {other:?}, of which only text is read here"
                );
                out(ReaderOutput::Warning { rule: "schema", message: message.into() });
            }
        }
    }

    fn nothing(format: &dyn AnyFormat) -> String {
        format!("no record was recognised as one of the format {:?}", format.traits().name)
    }
}

impl RecordReader {
    /// Reads a record that is spelled as the last one; false leaves it to [`RecordReader::fast`].
    pub(crate) fn again(&mut self, event: &str, record: &[u8], out: &mut Sink<'_>) -> bool {
        self.held.is_empty() && self.mixed.is_empty() && self.spelling.read(event, record, out)
    }

    /// Reads a record in a frequent spelling with the fast path of its format, which emits what became of it, and is
    /// false if it has not read it.
    pub(crate) fn fast(
        &mut self,
        format: &mut dyn AnyFormat,
        traits: &FormatTraits,
        event: &str,
        text: &str,
        out: &mut Sink<'_>,
    ) -> bool {
        if !self.held.is_empty() || !self.mixed.is_empty() {
            return false;
        }
        let mut seen = SeenText::of(text, traits.args_alike);
        let mut is_read = false;
        self.run(out, &mut |out| {
            is_read = format.fast_path(event, text, &mut |output| {
                seen.see(&output);
                out(output);
            });
        });
        if !is_read {
            return false;
        }
        self.seen = FormatEvidence::Own;
        if self.content.is_there() {
            self.spelling.keep(event, text, &seen, traits.padding);
        } else if let Ok(root) = record::read(text, record::MAX_DEPTH) {
            self.content.see(event, root);
        }
        true
    }

    /// Reads a record: its bytes, and the same as text.
    pub(crate) fn read(
        &mut self,
        format: &mut dyn AnyFormat,
        event: &str,
        (data, text): (&[u8], &Cow<'_, str>),
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Violation> {
        self.spelling.forget();
        if let (Cow::Owned(_), Some(foreign)) = (text, Foreign::detect(data)) {
            return Err(Violation::new("json", foreign.message("stream")));
        }
        let read = self.text(format, event, text, depth, out);
        if read.is_ok() && matches!(text, Cow::Owned(_)) {
            out(ReaderOutput::Warning { rule: "json", message: NO_UTF_8.into() });
        }
        read
    }

    /// The transport has ended.
    pub(crate) fn end(&mut self, format: &mut dyn AnyFormat, out: &mut Sink<'_>) {
        self.apply_held(format, "", out);
        self.warn(format, out);
        self.run(out, &mut |out| format.end(out));
        if let Some(message) = self.content.end() {
            out(ReaderOutput::Warning { rule: "empty", message: message.into() });
        }
    }

    /// The number of bytes that it holds.
    pub(crate) fn held(&self) -> u64 {
        self.held.len() as u64
    }

    /// Drops what it holds.
    pub(crate) fn drop_held(&mut self) {
        self.held = String::new();
    }

    /// Adds the state to that of the format.
    pub(crate) fn save(&self, format: &dyn AnyFormat) -> Value {
        let RecordReader {
            held,
            mixed,
            seen,
            failed,
            content,
            // Only for speed: without it the next record is read by its format.
            spelling: _,
            // These belong to the format.
            sniff: _,
            names: _,
        } = self;
        let mut saved = format.save();
        if !held.is_empty() {
            // A response is open, so the state is not the default one and is an object.
            if let Value::Object(saved) = &mut saved {
                saved::put(saved, HELD, held.save());
            }
        }
        let more: [(&str, Value); 4] = [
            (SEEN, seen.save()),
            (MIXED, mixed.save()),
            (FAILED, failed.save()),
            (CONTENT, content.save()),
        ];
        if saved.is_null() && more.iter().any(|(_, value)| !value.is_null()) {
            saved = Value::Object(Map::new());
        }
        if let Value::Object(saved) = &mut saved {
            for (name, value) in more {
                saved::put(saved, name, value);
            }
        }
        saved
    }

    /// Puts back the state that [`RecordReader::save`] gave, and that of the format; an error if it is not one, and
    /// nothing is changed.
    pub(crate) fn restore(
        &mut self,
        format: &mut dyn AnyFormat,
        mut state: Value,
    ) -> Result<(), Violation> {
        let before = format.save();
        match self.load(&mut state) {
            Some(records) if format.put_back(state) => {
                *self = records;
                Ok(())
            }
            _ => {
                let is_back = format.put_back(before);
                debug_assert!(is_back, "a state is put back where it was saved");
                Err(Violation::new("schema", "not a snapshot of this reader"))
            }
        }
    }

    /// Takes the state out of one that [`RecordReader::save`] gave; what is left is that of the format.
    fn load(&self, state: &mut Value) -> Option<RecordReader> {
        let mut take = |name| state.as_object_mut().map(|fields| saved::take(fields, name));
        let names = [HELD, MIXED, SEEN, FAILED, CONTENT];
        let [held, mixed, seen, failed, content] = names.map(|name| take(name).unwrap_or_default());
        Some(RecordReader {
            held: String::load(held)?,
            mixed: String::load(mixed)?,
            seen: FormatEvidence::load(seen)?,
            failed: Option::load(failed)?,
            content: Content::load(content)?,
            spelling: Spelling::default(),
            sniff: self.sniff,
            names: self.names,
        })
    }
}

/// The only element of a list: Google wraps its errors in one.
fn alone(root: Val<'_>) -> Val<'_> {
    let mut items = root.items();
    match (items.next(), items.next()) {
        (Some(item), None) => item,
        _ => root,
    }
}
