//! Records of a model's own format inside of those of Amazon Bedrock's InvokeModel: `{chunk: {bytes}}`.

use apex_parts_json::record::Val;
use apex_parts_model::base64;

/// The record that another one wraps, as text.
pub(crate) fn wrapped(root: Val<'_>) -> Option<String> {
    let bytes = root.get("chunk").get("bytes").str()?;
    Some(String::from_utf8_lossy(&base64::decode(bytes.trim().as_bytes())).into_owned())
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use crate::providers::Provider;
    use crate::sniff;
    use apex_parts_model::delta::ReaderOutput;

    #[test]
    fn a_wrapped_record_is_read_and_recognised() {
        // {"choices":[{"delta":{"content":"Hi"}}]}
        let record = br#"{"chunk":{"bytes":"eyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJjb250ZW50IjoiSGkifX1dfQ=="},"p":"ab"}"#;
        assert_eq!(sniff(record), Some(Provider::OpenAiChat));
        let mut all = Vec::new();
        let mut take = |one: ReaderOutput<'_>| all.push(format!("{one:?}"));
        Provider::OpenAiChat.reader().record("", record, &mut take).unwrap();
        assert!(all.iter().any(|one| one.contains("Hi")), "{all:?}");
    }

    #[test]
    fn bytes_that_are_no_record_are_reported() {
        let mut reader = Provider::Anthropic.reader();
        let error = reader.record("", br#"{"chunk":{"bytes":"!"}}"#, &mut |_| {}).unwrap_err();
        assert_eq!(error.rule, "json");
    }
}
