//! A reader of one format.

use super::provider_format::ProviderFormat;
use super::reader::{Reader, Sink};
use super::record_reader::{Names, RecordReader, Sniff};
use apex_parts_json::record;
use apex_parts_json::utf8::to_text;
use apex_parts_model::Violation;
use serde_json::Value;
use std::borrow::Cow;

/// A [`Reader`] of a [`ProviderFormat`].
pub(crate) struct ProviderReader<S> {
    pub(crate) format: S,
    records: RecordReader,
}

impl<S: ProviderFormat> ProviderReader<S> {
    pub(crate) fn new(sniff: Sniff, names: Names) -> ProviderReader<S> {
        ProviderReader { format: S::default(), records: RecordReader::new(sniff, names) }
    }

    /// Reads a record that is spelled as the last one; false leaves it to [`ProviderReader::fast`].
    fn again(&mut self, event: &str, record: &[u8], depth: usize, out: &mut Sink<'_>) -> bool {
        depth >= record::FAST_PATH_DEPTH && self.records.again(event, record, out)
    }

    /// Reads a record in a frequent spelling; false leaves it to [`RecordReader::read`].
    fn fast(&mut self, event: &str, text: &str, depth: usize, out: &mut Sink<'_>) -> bool {
        let ProviderReader { format, records } = self;
        let fields = (S::PADDING, S::ARGS_ALIKE);
        depth >= record::FAST_PATH_DEPTH
            && records.fast(event, text, fields, out, &mut |out| format.fast_path(event, text, out))
    }
}

impl<S: ProviderFormat> Reader for ProviderReader<S> {
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
        let ProviderReader { format, records } = self;
        records.read(format, event, (data, &text), depth, out)
    }

    fn line(&mut self, event: &str, line: &[u8], depth: usize, out: &mut Sink<'_>) -> bool {
        self.again(event, line, depth, out)
            || std::str::from_utf8(line).is_ok_and(|text| self.fast(event, text, depth, out))
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        self.records.end(&mut self.format, out);
    }

    fn held(&self) -> u64 {
        self.format.held() + self.records.held()
    }

    fn drop_held(&mut self) {
        self.records.drop_held();
        self.format.drop_held();
    }

    fn snapshot(&self) -> Value {
        let ProviderReader { format, records } = self;
        records.save(format.save())
    }

    fn restore(&mut self, state: Value) -> Result<(), Violation> {
        let mut state = state;
        let records = self.records.load(&mut state);
        let loaded = records.zip(S::load(state));
        let (records, format) =
            loaded.ok_or_else(|| Violation::new("schema", "not a snapshot of this reader"))?;
        *self = ProviderReader { format, records };
        Ok(())
    }
}
