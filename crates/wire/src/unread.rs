//! Takes the place of a provider's reader in a crate built without the feature `providers`.

use super::reader::{Reader, Sink};
use apex_parts_model::Violation;
use serde_json::Value;

/// Refuses every record of this format.
pub(crate) struct Unread(pub(crate) &'static str);

impl Unread {
    fn refused(&self) -> Violation {
        let name = self.0;
        let message =
            format!("the format {name:?} is not read here: the feature `providers` is off");
        Violation::new("schema", message)
    }
}

impl Reader for Unread {
    fn record_within(
        &mut self,
        _event: &str,
        _data: &[u8],
        _depth: usize,
        _out: &mut Sink<'_>,
    ) -> Result<(), Violation> {
        Err(self.refused())
    }

    fn held(&self) -> u64 {
        0
    }

    fn drop_held(&mut self) {}

    fn end(&mut self, _out: &mut Sink<'_>) {}

    fn snapshot(&self) -> Value {
        Value::Null
    }

    fn restore(&mut self, _state: Value) -> Result<(), Violation> {
        Err(self.refused())
    }
}
