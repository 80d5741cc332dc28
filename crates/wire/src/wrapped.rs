//! Records of a model's own format inside of those of Amazon Bedrock's InvokeModel: `{chunk: {bytes}}`.

use apex_parts_json::record::Val;
use apex_parts_model::base64;

/// The record that another one wraps, as text.
pub(crate) fn wrapped(root: Val<'_>) -> Option<String> {
    let bytes = root.get("chunk").get("bytes").str()?;
    Some(String::from_utf8_lossy(&base64::decode(bytes.trim().as_bytes())).into_owned())
}
