//! The registry of transcript formats, one line each. Their names, the order of their detection and their
//! readers are taken from here. Recorded streams have a registry of their own,
//! [`Provider`](apex_parts_wire::Provider).

use super::recording::{self, Recording};
use super::{
    message_arrays, messages, opencode_events, opencode_export, opencode_run, opencode2_export,
    with_parts,
};
use apex_parts_agents::{
    ClaudeCode, ClaudeStream, Codex, CopilotCli, DocumentLayout, ExitStatus, FormatReader,
    GeminiCli, Inspect, OPENCODE, Pi, RunFile, SeenFields, SweAgent, TranscriptFormat,
};
use apex_parts_json::tape::Node;
use apex_parts_model::Agent;
use apex_parts_validate::Ids;
use apex_parts_wire::WireFormat;

macro_rules! registry {
    ($($(#[doc = $doc:literal])+ $(#[cfg($cfg:meta)])? $variant:ident => $format:ty,)+) => {
        /// The transcript formats that can be read.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Format {
            $($(#[doc = $doc])+ $(#[cfg($cfg)])? $variant,)+
            /// A recorded stream of deltas or of a provider; each response is a message.
            Stream(WireFormat),
        }

        impl Format {
            /// Every format but the recorded streams.
            const FILES: &'static [Format] = &[$($(#[cfg($cfg)])? Format::$variant,)+];

            /// The format's name in the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::NAME,)+
                    Format::Stream(WireFormat::Delta) => DELTAS,
                    Format::Stream(format) => format.as_str(),
                }
            }

            /// Its name for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::TITLE,)+
                    Format::Stream(format) => format.title(),
                }
            }

            /// The agent that writes it; `None` if several programs do.
            #[must_use]
            pub const fn agent(self) -> Option<Agent> {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::AGENT,)+
                    Format::Stream(format) => format.agent(),
                }
            }

            /// How the names of its files end.
            #[must_use]
            pub const fn endings(self) -> &'static [&'static str] {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::ENDINGS,)+
                    Format::Stream(_) => &[".sse", ".jsonl", ".ndjson", ".txt", ".log"],
                }
            }

            /// The texts of notices that say that a person interrupted the run.
            const fn interruptions(self) -> &'static [&'static str] {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::INTERRUPTIONS,)+
                    Format::Stream(_) => &[],
                }
            }

            /// Where it says how the run ended.
            pub(crate) const fn exit_status(self) -> Option<ExitStatus> {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::EXIT_STATUS,)+
                    Format::Stream(_) => None,
                }
            }

            /// Which ids are valid in it.
            pub(crate) const fn ids(self) -> Ids {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::IDS,)+
                    Format::Stream(_) => Ids::Apex,
                }
            }

            /// Whether a file of it also has what tools returned.
            pub const fn holds_results(self) -> bool {
                match self {
                    Format::Stream(format) => format.holds_results(),
                    _ => true,
                }
            }

            /// The layout of a file that is not one JSON array.
            pub(crate) const fn layout(self) -> Option<DocumentLayout> {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::LAYOUT,)+
                    Format::Stream(_) => None,
                }
            }

            /// The line of a request behind which the task stands.
            pub(crate) const fn task_mark(self) -> Option<&'static str> {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::TASK_MARK,)+
                    Format::Stream(_) => None,
                }
            }

            /// Does its reader get a file as one record?
            pub(crate) const fn is_whole(self) -> bool {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::IS_WHOLE,)+
                    Format::Stream(_) => false,
                }
            }

            /// Are ZIP archives files of this format?
            pub(crate) const fn is_archive(self) -> bool {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::IS_ARCHIVE,)+
                    Format::Stream(_) => false,
                }
            }

            /// A new reader, which assembles messages; `None` if files contain messages as they are.
            pub(crate) fn reader(self) -> Option<Box<dyn FormatReader>> {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::reader(),)+
                    Format::Stream(format) => Some(Box::new(Recording::new(format))),
                }
            }

            /// What a file says of the run that it is a part of: its path, and its first line, if that is an object.
            pub(crate) fn run_file(path: &str, line: Option<Node<'_>>) -> Option<RunFile> {
                let mut formats = Format::FILES.iter();
                formats.find_map(|format| match format {
                    $($(#[cfg($cfg)])? Format::$variant => {
                        <$format as TranscriptFormat>::run_file(path, line)
                    })+
                    Format::Stream(_) => None,
                })
            }

            /// Is a record of this format? `None` if its reader tells that.
            pub(crate) fn is_own(self, record: Node<'_>) -> Option<bool> {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::is_own(record),)+
                    Format::Stream(_) => None,
                }
            }

            /// No more than one in so many records of a file may be of another format.
            pub(crate) const fn share(self) -> u64 {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::SHARE,)+
                    Format::Stream(_) => 2,
                }
            }

            /// How many records after the one that it is told by may still show a form that is not read.
            pub(crate) const fn records(self) -> usize {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::RECORDS,)+
                    Format::Stream(_) => 0,
                }
            }

            fn detects(self, seen: &SeenFields) -> bool {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::detect(seen),)+
                    Format::Stream(_) => recording::is_delta(seen),
                }
            }

            fn inside(self) -> &'static [&'static str] {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => <$format as TranscriptFormat>::INSIDE,)+
                    Format::Stream(_) => &[],
                }
            }

            fn detects_inside(self, name: &str, inside: &SeenFields, seen: &SeenFields) -> bool {
                self.inside().contains(&name) && match self {
                    $($(#[cfg($cfg)])? Format::$variant => {
                        <$format as TranscriptFormat>::detect_inside(name, inside, seen)
                    })+
                    Format::Stream(_) => false,
                }
            }

            fn detects_record(self, seen: &SeenFields) -> bool {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => {
                        <$format as TranscriptFormat>::detect_record(seen)
                    })+
                    Format::Stream(_) => false,
                }
            }

            fn may_be(self, seen: &SeenFields, is_listed: bool) -> bool {
                match self {
                    $($(#[cfg($cfg)])? Format::$variant => {
                        <$format as TranscriptFormat>::may_be(seen, is_listed)
                    })+
                    Format::Stream(_) => false,
                }
            }
        }
    };
}

registry! {
    /// `opencode export`: `{info, messages: [{info, parts}]}`.
    OpenCodeExport => opencode_export::OpenCodeExport,
    /// The records of a session of OpenCode 2: `{info, messages: [record]}`, or a page of its API.
    OpenCode2Export => opencode2_export::OpenCode2Export,
    /// The events of an OpenCode server, as SSE or one per line.
    OpenCodeEvents => opencode_events::OpenCodeEvents,
    /// The output of `opencode run --format json`.
    OpenCodeRun => opencode_run::OpenCodeRun,
    /// Messages with their parts: a JSON array, or one per line.
    WithParts => with_parts::WithPartsFile,
    /// Messages as the assembler returns them: a JSON array, or one per line.
    Messages => messages::PlainMessages,
    /// A session of Claude Code.
    ClaudeCode => ClaudeCode,
    /// What `claude -p --output-format stream-json` prints.
    ClaudeStream => ClaudeStream,
    /// A rollout of Codex CLI.
    Codex => Codex,
    /// A session of Gemini CLI.
    GeminiCli => GeminiCli,
    /// A session of Copilot CLI.
    CopilotCli => CopilotCli,
    /// A session of pi or OpenClaw.
    Pi => Pi,
    /// A trajectory of SWE-agent.
    SweAgent => SweAgent,
    /// A log of an Inspect evaluation: one JSON object, or an archive.
    Inspect => Inspect,
    /// Messages of Anthropic's Messages API.
    AnthropicMessages => message_arrays::AnthropicMessages,
    /// Messages of OpenAI's Chat Completions API and of those like it.
    OpenAiChatMessages => message_arrays::OpenAiChatMessages,
    /// Items of OpenAI's Responses API.
    OpenAiResponsesItems => message_arrays::OpenAiResponsesItems,
    /// Contents of Gemini's API.
    GeminiContents => message_arrays::GeminiContents,
    /// `UIMessage`s of the AI SDK.
    AiSdkUiMessages => message_arrays::AiSdkUiMessages,
    /// `ModelMessage`s of the AI SDK.
    AiSdkModelMessages => message_arrays::AiSdkModelMessages,
    /// Conversations of ShareGPT.
    ShareGptMessages => message_arrays::ShareGptMessages,
    /// A format for tests only: one module and this line.
    #[cfg(test)]
    MadeUp => super::made_up::MadeUp,
}

/// The name of recorded deltas as a transcript format; as a stream format they are `delta`.
const DELTAS: &str = "deltas";

impl Format {
    /// The names of all transcript formats.
    #[allow(clippy::indexing_slicing)] // evaluated by the compiler, which refuses an index out of bounds
    pub const NAMES: [&str; Format::FILES.len() + WireFormat::NAMES.len()] = {
        let files = Format::FILES.len();
        let mut names = [DELTAS; Format::FILES.len() + WireFormat::NAMES.len()];
        let mut i = 0;
        while i < files {
            names[i] = Format::FILES[i].as_str();
            i += 1;
        }
        // After the files: deltas, whose name as a stream format differs, and the providers.
        i = 1;
        while i < WireFormat::NAMES.len() {
            names[files + i] = WireFormat::NAMES[i];
            i += 1;
        }
        names
    };

    /// The format of this index in [`Format::NAMES`].
    #[must_use]
    #[allow(clippy::indexing_slicing)] // evaluated by the compiler, which refuses an index out of bounds
    pub const fn at(index: usize) -> Format {
        let files = Format::FILES.len();
        if index < files {
            Format::FILES[index]
        } else {
            Format::Stream(WireFormat::at(index - files))
        }
    }

    /// The notice with this text, if it says that a person interrupted the run. Any file may have those of any format,
    /// because sessions are converted.
    pub(crate) fn interruption(text: &str) -> Option<&'static str> {
        let mut all = Format::FILES.iter().flat_map(|format| format.interruptions());
        all.find(|interruption| **interruption == text).copied()
    }

    /// Every format: files first, then recorded deltas and the streams of providers.
    pub fn all() -> impl Iterator<Item = Format> {
        Format::FILES.iter().copied().chain(WireFormat::all().map(Format::Stream))
    }

    /// The format with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Format> {
        Format::all().find(|format| format.as_str() == name)
    }

    /// Is it a session of another agent than OpenCode, with that agent's ids?
    pub fn is_of_other_agent(self) -> bool {
        let is_other = self.agent().is_some_and(|agent| agent.id != OPENCODE.id);
        self.ids() == Ids::OpenCode && is_other
    }

    /// Is it a format of messages for models? Their records have few fields that are theirs alone.
    pub(crate) fn is_messages(self) -> bool {
        self.as_str().starts_with(message_arrays::PREFIX)
    }

    /// The format of ZIP archives.
    pub(crate) fn of_archives() -> Option<Format> {
        Format::FILES.iter().copied().find(|format| format.is_archive())
    }

    /// The format of a record that has begun with these fields, if they show it. Streams of providers are
    /// detected by values too: see [`sniff`](apex_parts_wire::sniff).
    pub(crate) fn detect(seen: &SeenFields) -> Option<Format> {
        let deltas = std::iter::once(Format::Stream(WireFormat::Delta));
        Format::FILES.iter().copied().chain(deltas).find(|format| format.detects(seen))
    }

    /// Does the detection of a format need the fields inside the field with this name?
    pub(crate) fn looks_inside(name: &str) -> bool {
        Format::FILES.iter().any(|format| format.inside().contains(&name))
    }

    /// The same as [`Format::detect`], with the fields `inside` the field `name`.
    pub(crate) fn detect_inside(
        name: &str,
        inside: &SeenFields,
        seen: &SeenFields,
    ) -> Option<Format> {
        let mut files = Format::FILES.iter().copied();
        files.find(|format| format.detects_inside(name, inside, seen))
    }

    /// The format of a complete record that no field told.
    pub(crate) fn of_record(seen: &SeenFields) -> Option<Format> {
        Format::FILES.iter().copied().find(|format| format.detects_record(seen))
    }

    /// The likely format of a record that is cut off after these fields.
    pub(crate) fn of_cut(seen: &SeenFields, is_listed: bool) -> Option<Format> {
        Format::FILES.iter().copied().find(|format| format.may_be(seen, is_listed))
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
