//! Stands where a provider's reader would, in a crate built without the feature `providers`.

use super::reader::{Fault, Provider, Reader, Sink};
use serde_json::Value;

/// Refuses every record of this format.
pub(crate) struct Unread(pub(crate) Provider);

impl Unread {
    fn refusal(&self) -> Fault {
        let name = self.0.as_str();
        let message =
            format!("the format {name:?} is not read here: the feature `providers` is off");
        Fault::new("schema", message)
    }
}

impl Reader for Unread {
    fn record_within(
        &mut self,
        _event: &str,
        _data: &[u8],
        _depth: usize,
        _out: &mut Sink<'_>,
    ) -> Result<(), Fault> {
        Err(self.refusal())
    }

    fn held(&self) -> u64 {
        0
    }

    fn let_go(&mut self) {}

    fn end(&mut self, _out: &mut Sink<'_>) {}

    fn snapshot(&self) -> Value {
        Value::Null
    }

    fn restore(&mut self, _state: Value) -> Result<(), Fault> {
        Err(self.refusal())
    }
}
