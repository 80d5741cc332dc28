//! Reads a history, and the answer to it where a record has one: from a body, or message by message.

use super::answer::RecordedAnswer;
use super::body::{Listed, MessagesBody, histories, session_info};
use super::builder::{MessageBuilder, Purpose};
use super::detect::SeenFormats;
use super::messages_format::MessagesFormat;
use super::messages_reader::MessagesReader;
use super::options::ReadOptions;
use super::registry::reader;
use super::values::{NewText, field, kind_of, object, string};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Path, Problem, View};

/// What was found in a history. Its messages are written when they are asked for.
#[derive(Clone, Debug)]
pub struct ReadHistory {
    /// The format that was read.
    pub format: MessagesFormat,
    /// How many messages there are.
    pub count: usize,
    /// What is known of the session beside them, as JSON.
    pub info: Option<Vec<u8>>,
    /// What is wrong with them; paths are those of the input.
    pub problems: Vec<Problem>,
}

/// The formats in whose messages an answer without a sign of its own can stand.
const ALIKE: [MessagesFormat; 3] =
    [MessagesFormat::Anthropic, MessagesFormat::OpenAiChat, MessagesFormat::AiSdkModel];

/// Reads a history: an array of messages or a body that has one, and the answer beside it. `format` is `None` if the messages
/// tell it.
#[must_use]
pub fn read_history(
    format: Option<MessagesFormat>,
    value: Node<'_>,
    answer: Option<&RecordedAnswer>,
    options: &ReadOptions<'_>,
) -> ReadHistory {
    let (builder, format) = build(format, value, answer, options, Purpose::Count);
    let info = session_info(options.session_id, Some(value), &builder.system, &builder.tools);
    ReadHistory { format, count: builder.count, info, problems: builder.problems() }
}

/// Writes the messages of a history that [`read_history`] has read, as a JSON array.
#[must_use]
pub fn write_history(
    format: MessagesFormat,
    value: Node<'_>,
    answer: Option<&RecordedAnswer>,
    options: &ReadOptions<'_>,
) -> Vec<u8> {
    build(Some(format), value, answer, options, Purpose::Write).0.into_json()
}

fn build(
    format: Option<MessagesFormat>,
    value: Node<'_>,
    answer: Option<&RecordedAnswer>,
    options: &ReadOptions<'_>,
    purpose: Purpose,
) -> (MessageBuilder, MessagesFormat) {
    let bodies = histories(value);
    let first = bodies.first();
    let format = format.unwrap_or_else(|| detected(first, answer));
    let reader = reader(format);
    let mut options = *options;
    let mut model =
        string(object(Some(value)).and_then(|body| field(body, "model"))).map(NewText::Node);
    if let Some(answer) = answer {
        options.now_ms = answer.start.unwrap_or(options.now_ms);
        model = answer.model.as_deref().map(NewText::plain).or(model);
    }
    let mut builder = MessageBuilder::new(purpose, format.as_str(), &options, model);
    for body in &bodies {
        read_body(body, reader, &mut builder);
    }
    if let Some(answer) = answer {
        read_answer(answer, format, &mut builder);
    }
    (builder, format)
}

/// The format of a history. If it shows none, that of the answer to it; otherwise Chat Completions.
fn detected(first: Option<&MessagesBody<'_>>, answer: Option<&RecordedAnswer>) -> MessagesFormat {
    let Some(first) = first else {
        return MessagesFormat::OpenAiChat;
    };
    let mut seen = SeenFormats::in_list(first.list());
    if let Listed::Message(message) = first.listed {
        seen.see(message);
    }
    let told = match first.body {
        Some(body) => seen.format_of_body(body),
        None => seen.format(),
    };
    let of_answer = answer.and_then(|answer| MessagesFormat::parse(answer.format));
    let of_answer = of_answer.filter(|_| !first.is_filled());
    told.or(of_answer).unwrap_or(MessagesFormat::OpenAiChat)
}

fn read_body(body: &MessagesBody<'_>, reader: MessagesReader, builder: &mut MessageBuilder) {
    let root = Path::ROOT;
    if matches!(body.listed, Listed::Nothing) {
        return builder.error(&root, || {
            let got = kind_of(body.body);
            format!("expected messages, an array or a body with one, got {got}")
        });
    }
    if let Some(fields) = body.body {
        (reader.head)(fields, builder);
    }
    let path = match body.path {
        Some(name) => root.name(name),
        None => root,
    };
    match body.listed {
        Listed::List(list) if reader.alone.contains(&list.kind()) => {
            (reader.message)(list, &path.index(0), builder);
        }
        Listed::List(list) => builder.each(Some(list), &path, &mut |builder, value, at, _| {
            (reader.message)(value, at, builder);
        }),
        Listed::Message(message) => (reader.message)(message, &path.index(0), builder),
        Listed::Request(text) => read_text("user", text, &path, reader, builder),
        Listed::Answer(text) => read_text("assistant", text, &path, reader, builder),
        Listed::Nothing => {}
    }
    builder.end_list();
}

/// Reads a text as a message of this role.
fn read_text(
    role: &str,
    text: Node<'_>,
    path: &Path<'_>,
    reader: MessagesReader,
    builder: &mut MessageBuilder,
) {
    let text = String::from_utf8_lossy(text.json());
    let json = ["{\"role\":\"", role, "\",\"content\":", &text, "}"].concat();
    let mut tape = Tape::default();
    // The text is JSON.
    let _ = tape.read_foreign(&json);
    (reader.message)(tape.root_of(&json), &path.index(0), builder);
}

/// Reads an answer behind the history that the builder has.
fn read_answer(answer: &RecordedAnswer, request: MessagesFormat, builder: &mut MessageBuilder) {
    builder.look_for_answer();
    let json = format!("[{}]", answer.messages);
    let mut tape = Tape::default();
    let read = tape.read_foreign(&json);
    let list = tape.root_of(&json);
    if read.is_ok() && list.children().next().is_some() {
        let format = match MessagesFormat::parse(answer.format) {
            Some(format) => format,
            None => match SeenFormats::in_list(Some(list)).format() {
                None | Some(MessagesFormat::OpenAiChat) if ALIKE.contains(&request) => request,
                told => told.unwrap_or(MessagesFormat::OpenAiChat),
            },
        };
        let listed = Listed::List(list);
        let body = MessagesBody { listed, path: Some(answer.path), body: None };
        read_body(&body, reader(format), builder);
    }
    builder.complete(answer);
}

/// Reads the messages of a history one after the other, as they come.
#[derive(Debug)]
pub struct MessagesReading {
    /// The format that was given.
    given: Option<MessagesFormat>,
    seen: SeenFormats,
    /// The format as far as it is told.
    format: MessagesFormat,
    builder: MessageBuilder,
    session_id: String,
    /// How many elements of the array there were.
    elements: usize,
}

impl MessagesReading {
    /// Begins with the messages of a session; `format` is `None` if they tell it. The time is that of the messages when they
    /// are written.
    #[must_use]
    pub fn new(format: Option<MessagesFormat>, session_id: &str) -> MessagesReading {
        let (given, format) = (format, format.unwrap_or(MessagesFormat::OpenAiChat));
        MessagesReading {
            given,
            seen: SeenFormats::default(),
            format,
            builder: counting(format, session_id),
            session_id: session_id.to_owned(),
            elements: 0,
        }
    }

    /// Looks at the next message. True if it shows that the messages are of another format than those before it showed: then
    /// all of them have to be read again, from the first one on.
    #[must_use]
    pub fn is_other_format(&mut self, message: Node<'_>) -> bool {
        if self.given.is_some() {
            return false;
        }
        self.seen.see(message);
        let format = self.seen.format().unwrap_or(MessagesFormat::OpenAiChat);
        if format == self.format {
            return false;
        }
        self.format = format;
        self.builder = counting(format, &self.session_id);
        self.elements = 0;
        true
    }

    /// Reads the next message.
    pub fn read(&mut self, message: Node<'_>) {
        let path = Path::ROOT.index(self.elements);
        (reader(self.format).message)(message, &path, &mut self.builder);
        self.elements += 1;
    }

    /// The format, as far as the messages show it.
    #[must_use]
    pub fn format(&self) -> MessagesFormat {
        self.format
    }

    /// What was found so far.
    #[must_use]
    pub fn history(&self) -> ReadHistory {
        let builder = &self.builder;
        let info = session_info(&self.session_id, None, &builder.system, &builder.tools);
        let (format, count) = (self.format, builder.count);
        ReadHistory { format, count, info, problems: builder.problems() }
    }
}

/// Counts the messages of a history.
fn counting(format: MessagesFormat, session_id: &str) -> MessageBuilder {
    let options = ReadOptions { session_id, now_ms: 0.0 };
    MessageBuilder::new(Purpose::Count, format.as_str(), &options, None)
}

/// Writes messages one after the other, as a JSON array.
#[derive(Debug)]
pub struct MessagesWriting {
    builder: MessageBuilder,
    reader: MessagesReader,
    elements: usize,
}

impl MessagesWriting {
    /// Begins with the messages of a session.
    #[must_use]
    pub fn new(format: MessagesFormat, options: &ReadOptions<'_>) -> MessagesWriting {
        let builder = MessageBuilder::new(Purpose::Write, format.as_str(), options, None);
        MessagesWriting { builder, reader: reader(format), elements: 0 }
    }

    /// Writes the next message.
    pub fn write(&mut self, message: Node<'_>) {
        (self.reader.message)(message, &Path::ROOT.index(self.elements), &mut self.builder);
        self.elements += 1;
    }

    /// The array.
    #[must_use]
    pub fn into_json(self) -> Vec<u8> {
        self.builder.into_json()
    }
}
