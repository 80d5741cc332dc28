//! A reader of one format: what all of them share, around what the format makes of a record.

use super::reader::{Fault, Reader, Sink};
use super::record::{self, Val};
use super::response_id::Turn;
use super::utf8::NO_UTF_8;
use crate::model::delta::Said;
use crate::model::state::{self, State};
use serde_json::Value;
use std::borrow::Cow;

/// What one format makes of records that are known to be JSON objects.
pub(super) trait Shape: Clone + Default + State {
    /// Reads the records that come by the thousand without more ado; false leaves a record to
    /// `check` and `apply`.
    fn quick(&mut self, _event: &str, _json: &str, _out: &mut Sink<'_>) -> bool {
        false
    }
    /// Does the record have what its kind must have?
    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Fault>;
    /// Says what a record says that has passed `check`.
    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>);
    /// The stream sent its `[DONE]`.
    fn done(&mut self, out: &mut Sink<'_>);
    /// The transport has ended.
    fn end(&mut self, out: &mut Sink<'_>);
    /// The bytes that are held of what was not said yet.
    fn held(&self) -> u64 {
        0
    }
    /// What is held is too much.
    fn let_go(&mut self) {}
    /// The id of the response that a record is of; empty where it has none.
    fn id_of(_root: Val<'_>) -> Cow<'_, str> {
        Cow::Borrowed("")
    }
    /// Which response is a record of that has passed `check`? What `Wait` holds back is applied
    /// when the next record has come.
    fn turn(&mut self, _event: &str, _root: Val<'_>) -> Turn {
        Turn::Same
    }
    /// A record that was held back begins a response, unless the next record shows that it does not.
    const BEGINS: bool = false;
    /// It did not: ids tell nothing here.
    fn distrust(&mut self) {}
    /// The response that is open is over, and another begins.
    fn cut(&mut self, out: &mut Sink<'_>) {
        self.end(out);
    }
}

/// A [`Reader`] of a [`Shape`].
#[derive(Default)]
pub(super) struct Records<S> {
    pub(super) shape: S,
    /// A record that may begin another response, until the next one tells.
    held: String,
}

impl<S: Shape> Records<S> {
    /// Applies what was held back, now that a record with this id follows; nothing does where it is
    /// empty.
    fn settle(&mut self, next: &str, out: &mut Sink<'_>) {
        let held = std::mem::take(&mut self.held);
        let Ok(root) = record::read(&held, record::MAX_DEPTH) else { return };
        let begins = if next.is_empty() { S::BEGINS } else { next == S::id_of(root) };
        if begins {
            self.shape.cut(out);
        } else {
            self.shape.distrust();
        }
        self.shape.apply("", root, out);
    }
}

impl<S: Shape> Reader for Records<S> {
    fn record_within(
        &mut self,
        event: &str,
        data: &[u8],
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(data);
        let read = self.text(event, &text, depth, out);
        if read.is_ok() && matches!(text, Cow::Owned(_)) {
            out(Said::Warning { rule: "json", message: NO_UTF_8.into() });
        }
        read
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        self.settle("", out);
        self.shape.end(out);
    }

    fn held(&self) -> u64 {
        self.shape.held() + self.held.len() as u64
    }

    fn let_go(&mut self) {
        self.held = String::new();
        self.shape.let_go();
    }

    fn snapshot(&self) -> Value {
        let mut saved = self.shape.save();
        if !self.held.is_empty() {
            // A response is open: that is no default.
            if let Value::Object(saved) = &mut saved {
                state::put(saved, HELD, self.held.save());
            }
        }
        saved
    }

    fn restore(&mut self, state: Value) -> Result<(), Fault> {
        let mut state = state;
        let held = state.as_object_mut().map(|fields| state::take(fields, HELD));
        let found = S::load(state).zip(String::load(held.unwrap_or_default()));
        let (shape, held) =
            found.ok_or_else(|| Fault::new("schema", "no snapshot of this reader"))?;
        *self = Records { shape, held };
        Ok(())
    }
}

const HELD: &str = "heldRecord";

impl<S: Shape> Records<S> {
    fn text(
        &mut self,
        event: &str,
        text: &str,
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Fault> {
        let quick = self.held.is_empty() && depth >= record::QUICK_DEPTH;
        if quick && self.shape.quick(event, text, out) {
            return Ok(());
        }
        if text.trim() == "[DONE]" {
            self.settle("", out);
            self.shape.done(out);
            return Ok(());
        }
        let root = record::read(text, depth)?;
        if !root.is_object() {
            let what = format!("a record must be an object, this is {}", root.describe());
            return Err(Fault::new("schema", what));
        }
        self.shape.check(event, root)?;
        if !self.held.is_empty() {
            self.settle(&S::id_of(root), out);
        }
        match self.shape.turn(event, root) {
            Turn::Same => {}
            Turn::Other => self.shape.cut(out),
            Turn::Wait => {
                self.held = root.raw().to_owned();
                return Ok(());
            }
        }
        self.shape.apply(event, root, out);
        Ok(())
    }
}
