//! Custom parts that are files in the message model.

use super::part::{Body, StreamedPart};
use super::provider_state::{self, ProviderState, ShownState};
use apex_parts_json::record::{self, Val};
use apex_parts_json::writer::{ObjectWriter, string};
use std::borrow::Cow;

/// A custom part that is a file: `KEY-file`, whose state of the key has the AI SDK's file as `part`, or
/// `KEY-inlineData` and `KEY-fileData`, whose `part` is Gemini's.
pub(crate) struct StreamedFile {
    mime: String,
    url: String,
    name: Option<String>,
    /// The rest of its state.
    state: ProviderState,
}

impl StreamedFile {
    pub(crate) fn new(part: &StreamedPart) -> Option<StreamedFile> {
        let Body::Custom(custom) = &part.body else { return None };
        let (key, kind) = custom.name.rsplit_once('-')?;
        if !matches!(kind, "file" | "inlineData" | "fileData") {
            return None;
        }
        let state = part.state()?;
        let part = record::read(state.field(key, "part")?, record::MAX_DEPTH).ok()?;
        let others = state.without(key);
        match kind {
            "file" => StreamedFile::from_sdk(part, others),
            _ => StreamedFile::from_gemini(part, key, kind, others),
        }
    }

    fn from_sdk(file: Val<'_>, mut state: ProviderState) -> Option<StreamedFile> {
        let [mime, url, name] =
            file.fields(&["mediaType", "url", "filename"]).map(|field| field.str());
        let (mime, url) = (mime?.into_owned(), url?.into_owned());
        let more = file.get("providerMetadata").json();
        if provider_state::check(&more, record::MAX_DEPTH).is_ok() {
            state.merge(&more);
        }
        Some(StreamedFile { mime, url, name: name.map(Cow::into_owned), state })
    }

    /// As `fromMessages` reads it: what has a place in the part is not in its state.
    fn from_gemini(
        part: Val<'_>,
        key: &str,
        kind: &str,
        mut state: ProviderState,
    ) -> Option<StreamedFile> {
        const FILE: [&str; 4] = ["mimeType", "data", "fileUri", "displayName"];
        const MARKS: [&str; 2] = ["thought", "thoughtSignature"];
        let file = part.get(kind);
        let [mime, data, uri, name] = file.fields(&FILE);
        let mime = filled(mime).unwrap_or("application/octet-stream".into()).into_owned();
        let url = match kind {
            "inlineData" => format!("data:{mime};base64,{}", data.str()?),
            _ => uri.str()?.into_owned(),
        };
        for (name, value) in others(file, &FILE) {
            state.put(key, &name, value);
        }
        let [thought, signature] = part.fields(&MARKS);
        if filled(signature).is_some() {
            state.put(key, "thoughtSignature", signature.json());
        }
        if thought.is_true() {
            state.put(key, "thought", "true".to_owned());
        }
        let mut more = String::new();
        for (name, value) in others(part, &[kind, MARKS[0], MARKS[1]]) {
            more.push(if more.is_empty() { '{' } else { ',' });
            string(&mut more, &name);
            more.push(':');
            more.push_str(&value);
        }
        if !more.is_empty() {
            more.push('}');
            state.put(key, "part", more);
        }
        Some(StreamedFile { mime, url, name: filled(name).map(Cow::into_owned), state })
    }

    /// Writes its fields behind its type.
    pub(crate) fn write(&self, out: &mut ObjectWriter<'_>) {
        out.string("mime", &self.mime).string("url", &self.url);
        if let Some(name) = &self.name {
            out.string("filename", name);
        }
        ShownState { state: Some(&self.state), kept: None }.write(out, "metadata");
    }
}

/// The text of a string that is not empty.
fn filled(value: Val<'_>) -> Option<Cow<'_, str>> {
    value.str().filter(|text| !text.is_empty())
}

/// The fields that are not known, as JSON text.
fn others<'a>(value: Val<'a>, known: &[&str]) -> impl Iterator<Item = (Cow<'a, str>, String)> {
    let fields = value.entries().filter(|(name, one)| one.exists() && !known.contains(&&**name));
    fields.map(|(name, one)| (name, one.json()))
}
