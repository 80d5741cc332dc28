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
}

impl<S: ProviderFormat> Reader for ProviderReader<S> {
    fn record_within(
        &mut self,
        event: &str,
        data: &[u8],
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Violation> {
        let text = to_text(data);
        let ProviderReader { format, records } = self;
        let fast_path = records.is_plain() && depth >= record::FAST_PATH_DEPTH;
        let is_text = matches!(text, Cow::Borrowed(_));
        if fast_path
            && is_text
            && records.fast(event, &text, out, &mut |out| format.fast_path(event, &text, out))
        {
            return Ok(());
        }
        records.read(format, event, (data, &text), depth, out)
    }

    fn line(&mut self, line: &[u8], depth: usize, out: &mut Sink<'_>) -> bool {
        let ProviderReader { format, records } = self;
        if !records.is_plain() || depth < record::FAST_PATH_DEPTH {
            return false;
        }
        let Ok(text) = std::str::from_utf8(line) else { return false };
        records.fast("", text, out, &mut |out| format.fast_path("", text, out))
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
        self.records.save(self.format.save())
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
