//! The registry of providers' formats, one line each: their names, their readers, and the order in
//! which formats are detected.

use super::{
    ag_ui, ai_sdk, anthropic, apex_bridge, bedrock, cohere, gemini, gemini_interactions, ollama,
    openai_chat, openai_responses,
};
use crate::READS_PROVIDERS;
#[cfg(any(feature = "providers", test))]
use crate::any_format::AnyFormat;
use crate::provider_format::{Clues, DELTA, Evidence, ProviderFormat};
#[cfg(any(feature = "providers", test))]
use crate::provider_reader::ProviderReader;
use crate::reader::Reader;
#[cfg(not(any(feature = "providers", test)))]
use crate::unread::Unread;
use crate::unread_format::unread_format;
use crate::wrapped::wrapped;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_model::Agent;

macro_rules! registry {
    ($($(#[doc = $doc:literal])+ $(#[cfg($cfg:meta)])? $variant:ident => $format:ty,)+) => {
        /// The formats of providers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Provider {
            $($(#[doc = $doc])+ $(#[cfg($cfg)])? $variant,)+
        }

        impl Provider {
            /// Every format.
            pub const ALL: &'static [Provider] = &[$($(#[cfg($cfg)])? Provider::$variant,)+];

            /// The format's name in the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Provider::$variant => <$format as ProviderFormat>::NAME,)+
                }
            }

            /// Its name for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Provider::$variant => <$format as ProviderFormat>::TITLE,)+
                }
            }

            /// The agent that sends it; `None` if any program may.
            #[must_use]
            pub const fn agent(self) -> Option<Agent> {
                match self {
                    $($(#[cfg($cfg)])? Provider::$variant => <$format as ProviderFormat>::AGENT,)+
                }
            }

            /// Whether a stream of it also has what the caller's tools returned.
            #[must_use]
            pub const fn holds_results(self) -> bool {
                match self {
                    $($(#[cfg($cfg)])? Provider::$variant => <$format as ProviderFormat>::HOLDS_RESULTS,)+
                }
            }

            /// Whether a stream of it says texts or calls in pieces, and then whole.
            #[must_use]
            pub const fn says_wholes(self) -> bool {
                match self {
                    $($(#[cfg($cfg)])? Provider::$variant => <$format as ProviderFormat>::SAYS_WHOLES,)+
                }
            }

            /// A new reader of this format; without the feature `providers`, one that rejects every
            /// record.
            #[must_use]
            pub fn reader(self) -> Box<dyn Reader> {
                #[cfg(not(any(feature = "providers", test)))]
                return Box::new(Unread(self.as_str()));
                #[cfg(any(feature = "providers", test))]
                Box::new(ProviderReader::new(self.format(), sniff_name, names))
            }

            #[cfg(any(feature = "providers", test))]
            fn format(self) -> Box<dyn AnyFormat> {
                match self {
                    $($(#[cfg($cfg)])? Provider::$variant => Box::new(<$format>::default()),)+
                }
            }

            fn evidence(self, clues: &Clues<'_>) -> Option<Evidence> {
                match self {
                    $($(#[cfg($cfg)])? Provider::$variant => <$format as ProviderFormat>::sniff(clues),)+
                }
            }
        }
    };
}

registry! {
    /// Anthropic's Messages API.
    Anthropic => anthropic::Anthropic,
    /// OpenAI's Chat Completions, and the variants of compatible servers.
    OpenAiChat => openai_chat::OpenAiChat,
    /// OpenAI's Responses.
    OpenAiResponses => openai_responses::OpenAiResponses,
    /// Google's generateContent.
    Gemini => gemini::Gemini,
    /// Google's Gemini Interactions.
    GeminiInteractions => gemini_interactions::GeminiInteractions,
    /// The streams of the AI SDK.
    AiSdk => ai_sdk::AiSdk,
    /// apex-bridge's own events.
    ApexBridge => apex_bridge::ApexBridge,
    /// Amazon Bedrock's Converse.
    Bedrock => bedrock::Bedrock,
    /// Ollama's own chat and generate.
    Ollama => ollama::Ollama,
    /// Cohere's v2 chat.
    Cohere => cohere::Cohere,
    /// The events of AG-UI.
    AgUi => ag_ui::AgUi,
    /// A format for tests only: one module and this line.
    #[cfg(test)]
    MadeUp => super::made_up::MadeUp,
}

impl Provider {
    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Provider> {
        Provider::ALL.iter().copied().find(|format| format.as_str() == name)
    }
}

/// Detects the provider's format from one record, given as UTF-8 JSON text.
///
/// `None` if it is not a JSON object, or does not decide the format (pings, `[DONE]`, bare errors):
/// try again with the next record. Without the feature `providers` it is always `None`.
#[must_use]
pub fn sniff(data: &[u8]) -> Option<Provider> {
    // Its signs of eleven formats would be a thirtieth of a module that reads none of them.
    if !READS_PROVIDERS {
        return None;
    }
    let text = std::str::from_utf8(data).ok()?;
    let root = record::read(text, record::MAX_DEPTH).ok().filter(|root| root.is_object())?;
    match wrapped(root) {
        Some(record) => sniff(record.as_bytes()),
        None => sniff_object("", root),
    }
}

/// The name of the format of a record that is an object; `delta` for a `MessageDelta`. Some streams
/// send the type only as the event's name.
fn sniff_name(event: &str, root: Val<'_>) -> Option<&'static str> {
    let [run, seq, kind] = root.fields(&["runId", "seq", "kind"]);
    if run.is_string() && seq.is_number() && kind.is_string() {
        return Some(DELTA);
    }
    sniff_object(event, root).map(Provider::as_str)
}

/// The names of all formats.
#[cfg(any(feature = "providers", test))]
fn names() -> String {
    Provider::ALL.iter().map(|format| format.as_str()).collect::<Vec<_>>().join(", ")
}

fn sniff_object(event: &str, root: Val<'_>) -> Option<Provider> {
    if unread_format(event, root.raw(), Some(root)).is_some() {
        return None;
    }
    let kind = root.get("type").str();
    let own = most_likely(&Clues { kind: kind.as_deref(), root });
    // The event's name decides if the record's own fields do not.
    own.or_else(|| {
        if event.is_empty() { None } else { most_likely(&Clues { kind: Some(event), root }) }
    })
}

fn most_likely(clues: &Clues<'_>) -> Option<Provider> {
    let mut best: Option<(Evidence, Provider)> = None;
    for format in Provider::ALL.iter().copied() {
        if let Some(evidence) = format.evidence(clues)
            && best.is_none_or(|(most, _)| evidence > most)
        {
            best = Some((evidence, format));
        }
    }
    best.map(|(_, format)| format)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
