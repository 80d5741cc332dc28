//! A reader of one format.

use super::any_format::{AnyFormat, FormatTraits};
use super::reader::{Reader, Sink};
use super::record_reader::{Names, RecordReader, Sniff};
use apex_parts_json::record;
use apex_parts_json::utf8::to_text;
use apex_parts_model::Violation;
use serde_json::Value;
use std::borrow::Cow;

/// A [`Reader`] of a format.
pub(crate) struct ProviderReader {
    pub(crate) format: Box<dyn AnyFormat>,
    traits: FormatTraits,
    records: RecordReader,
}

impl ProviderReader {
    pub(crate) fn new(format: Box<dyn AnyFormat>, sniff: Sniff, names: Names) -> ProviderReader {
        let traits = format.traits();
        ProviderReader { format, traits, records: RecordReader::new(sniff, names) }
    }

    /// Reads a record that is spelled as the last one; false leaves it to [`ProviderReader::fast`].
    fn again(&mut self, event: &str, record: &[u8], depth: usize, out: &mut Sink<'_>) -> bool {
        depth >= record::FAST_PATH_DEPTH && self.records.again(event, record, out)
    }

    /// Reads a record in a frequent spelling; false leaves it to [`RecordReader::read`].
    fn fast(&mut self, event: &str, text: &str, depth: usize, out: &mut Sink<'_>) -> bool {
        let ProviderReader { format, traits, records } = self;
        depth >= record::FAST_PATH_DEPTH && records.fast(&mut **format, traits, event, text, out)
    }
}

impl Reader for ProviderReader {
    fn record_within(
        &mut self,
        event: &str,
        data: &[u8],
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Violation> {
        if self.again(event, data, depth, out) {
            return Ok(());
        }
        let text = to_text(data);
        if matches!(text, Cow::Borrowed(_)) && self.fast(event, &text, depth, out) {
            return Ok(());
        }
        self.records.read(&mut *self.format, event, (data, &text), depth, out)
    }

    fn line(&mut self, event: &str, line: &[u8], depth: usize, out: &mut Sink<'_>) -> bool {
        self.again(event, line, depth, out)
            || std::str::from_utf8(line).is_ok_and(|text| self.fast(event, text, depth, out))
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        self.records.end(&mut *self.format, out);
    }

    fn held(&self) -> u64 {
        self.format.held() + self.records.held()
    }

    fn drop_held(&mut self) {
        self.records.drop_held();
        self.format.drop_held();
    }

    fn snapshot(&self) -> Value {
        self.records.save(&*self.format)
    }

    fn restore(&mut self, state: Value) -> Result<(), Violation> {
        self.records.restore(&mut *self.format, state)
    }
}
