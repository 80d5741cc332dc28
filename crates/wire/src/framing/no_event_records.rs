//! In place of the records of a binary event stream where no format of a provider is read: there are none.

use super::frame::Frame;
use apex_parts_json::saved::Saved;
use serde_json::Value;

/// Has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum NoEventRecords {}

impl Saved for NoEventRecords {
    fn save(&self) -> Value {
        match *self {}
    }
    fn put_back(&mut self, _saved: Value) -> bool {
        match *self {}
    }
}

impl NoEventRecords {
    pub(crate) fn begin(_held: Vec<u8>) -> Option<NoEventRecords> {
        None
    }
    pub(crate) fn next<'a>(
        &'a mut self,
        _chunk: &'a [u8],
        _at: &mut usize,
        _max: usize,
    ) -> Option<Frame<'a>> {
        match *self {}
    }
    pub(crate) fn finish(&mut self) -> Option<Frame<'_>> {
        match *self {}
    }
    pub(crate) fn consumed(&self) -> u64 {
        match *self {}
    }
    pub(crate) fn settle(&mut self) {
        match *self {}
    }
}
