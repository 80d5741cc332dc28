//! [`Exchange`]: a record that is a session of its own, and where its request and its answer stand.

use super::answer::read_answers;
use super::message_likeness::{
    MessageLikeness, is_observation, list_likeness, list_of, message_likeness,
};
use super::whole_answer::{
    error_text, is_whole_answer, seconds_or_ms, text_answer, tokens_json, usage_tokens,
};
use apex_parts_agents::fields::{get, items, number, of_kind, pick, raw, string};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::escape;
use apex_parts_model::{Kind, View};
use apex_parts_providers::RecordedAnswer;

/// The names under which programs keep the text of an answer.
pub(super) const ANSWERS: [&str; 16] = [
    "response",
    "reply",
    "prediction",
    "answer",
    "completion",
    "output",
    "generation",
    "generated_text",
    "output_text",
    "response_text",
    "model_output",
    "model_response",
    "model_answer",
    "llm_output",
    "llm_response",
    "assistant",
];

/// A record with messages, a request, its answer, or both.
pub(super) struct Exchange<'a> {
    /// What it calls itself.
    pub(super) id: Option<Node<'a>>,
    request: Request<'a>,
    answer: Option<(&'static str, Node<'a>)>,
    /// The answer that was not preferred.
    rejected: Option<(&'static str, Node<'a>)>,
    error: Option<ExchangeError<'a>>,
    /// What is said beside an answer of its model, its times, its tokens and its cost.
    about: Option<Node<'a>>,
    is_observation: bool,
    /// The fields of the record that are read here: they are not kept as fields of the session.
    pub(super) used: Vec<&'static str>,
    /// A text that is no more than likely to be the answer.
    pub(super) likely: Option<&'static str>,
}

/// Where the request stands.
enum Request<'a> {
    /// The record has the answer alone.
    None,
    /// The record is the request.
    Record,
    /// In a field: a body, a list of messages, or a text.
    Field(Node<'a>),
    /// A value that has no messages: its JSON is what was asked.
    Value(Node<'a>),
}

/// Why there is no answer.
enum ExchangeError<'a> {
    Value(Node<'a>),
    Status(String),
}

/// A value that is there.
fn given<'a>(value: Option<Node<'a>>) -> Option<Node<'a>> {
    value.filter(|value| !value.kind().is_nullish())
}

/// Is it an answer that may stand in any field: a text, a message, several, or a whole answer?
fn is_answer(value: Node<'_>) -> bool {
    match value.kind() {
        Kind::Object => {
            is_whole_answer(value) || message_likeness(value) == MessageLikeness::Message
        }
        Kind::Array => {
            items(Some(value)).next().is_some() && list_likeness(value) == MessageLikeness::Message
        }
        kind => kind.is_string() && string(Some(value)).is_some(),
    }
}

/// Does a list of messages end with an answer?
fn is_answered(list: Node<'_>) -> bool {
    let last = items(Some(list)).last();
    let [role, from] = last.map_or([None; 2], |last| pick(last, ["role", "from"]));
    let speaker = string(role).or_else(|| string(from));
    speaker.is_some_and(|who| matches!(&*who, "assistant" | "model" | "gpt"))
}

/// Is it a whole conversation, which begins with a request?
fn begins_with_request(value: Node<'_>) -> bool {
    let role = items(Some(value)).next().and_then(|first| get(Some(first), "role"));
    string(role).is_some_and(|role| matches!(&*role, "user" | "system" | "developer"))
}

impl<'a> Exchange<'a> {
    /// The exchange of a record; `None` if it has neither messages nor an answer.
    pub(super) fn read(record: Node<'a>) -> Option<Exchange<'a>> {
        let [custom_id, key, id, kind] = pick(record, ["custom_id", "key", "id", "type"]);
        let is_generation = string(kind).as_deref() == Some("GENERATION");
        let is_id = |id: &Node<'_>| id.kind().is_string() || id.kind() == Kind::Number;
        let batch = custom_id.or(key).filter(is_id);
        let mut exchange = Exchange {
            id: batch.or(id),
            request: Request::None,
            answer: None,
            rejected: None,
            error: None,
            about: None,
            is_observation: is_generation && is_observation(record),
            used: Vec::new(),
            likely: None,
        };
        let is_read = match exchange.is_observation {
            true => exchange.observation(record),
            false => {
                exchange.preference(record)
                    || exchange.envelope(record, batch.is_some())
                    || exchange.pair(record)
            }
        };
        is_read.then_some(exchange)
    }

    /// A generation of Langfuse.
    fn observation(&mut self, record: Node<'a>) -> bool {
        let names = ["input", "output", "level", "statusMessage"];
        let [input, output, level, status] = pick(record, names).map(given);
        self.about = Some(record);
        self.used.extend(["input", "output"]);
        if let Some(input) = input {
            self.request = match input.kind() {
                Kind::Object if list_of(input).is_none() => Request::Value(input),
                _ => Request::Field(input),
            };
        }
        self.answer = output.map(|output| ("output", output));
        if output.is_none() && string(level).as_deref() == Some("ERROR") {
            self.error = status.map(ExchangeError::Value);
        }
        input.is_some() || output.is_some()
    }

    /// A preference: an answer that was chosen, and one that was not.
    fn preference(&mut self, record: Node<'a>) -> bool {
        let names =
            ["prompt", "chosen", "rejected", "input", "preferred_output", "non_preferred_output"];
        let [prompt, chosen, rejected, input, preferred, refused] = pick(record, names).map(given);
        let names = match (chosen, preferred) {
            (Some(_), _) => ["prompt", "chosen", "rejected"],
            (None, Some(_)) => ["input", "preferred_output", "non_preferred_output"],
            (None, None) => return false,
        };
        let (chosen, rejected) = (chosen.or(preferred), rejected.or(refused));
        let Some(answer) = chosen.filter(|chosen| is_answer(*chosen)) else { return false };
        let prompt = if names[0] == "prompt" { prompt } else { input };
        let is_conversation = begins_with_request(answer);
        match prompt {
            _ if is_conversation => {}
            Some(prompt) => self.request = Request::Field(prompt),
            None => return false,
        }
        self.answer = Some((names[1], answer));
        self.rejected = rejected.filter(|rejected| is_answer(*rejected)).map(|own| (names[2], own));
        self.used.extend(names);
        true
    }

    /// A request, its answer or both, each in a field of its own.
    fn envelope(&mut self, record: Node<'a>, is_batch: bool) -> bool {
        let names = ["params", "body", "request", "result", "response", "error"];
        let [params, body, request, result, response, error] = pick(record, names).map(given);
        let places =
            [("params", params, is_batch), ("body", body, is_batch), ("request", request, true)];
        for (name, place, is_its) in places {
            let is_body = |body: &Node<'_>| body.kind() == Kind::Object && list_of(*body).is_some();
            if let Some(body) = place.filter(is_body).filter(|_| is_its) {
                self.request = Request::Field(body);
                self.used.push(name);
                break;
            }
        }
        let has_request = !matches!(self.request, Request::None);
        if !has_request && !is_batch {
            return false;
        }
        if let Some(result) = of_kind(result, Kind::Object) {
            self.result(result);
        }
        if let Some(response) = response {
            self.response(response, is_batch);
        }
        if let Some(error) = error
            && self.answer.is_none()
            && (has_request || error.kind() == Kind::Object)
            && error_text(error, "").is_some()
        {
            self.error = Some(ExchangeError::Value(error));
            self.used.push("error");
        }
        has_request || self.answer.is_some() || self.error.is_some()
    }

    /// What a batch of Anthropic gives for a request.
    fn result(&mut self, result: Node<'a>) {
        let [kind, message, error] = pick(result, ["type", "message", "error"]);
        let Some(kind) = string(kind) else { return };
        match (&*kind, of_kind(message, Kind::Object)) {
            ("succeeded", Some(message)) => self.answer = Some(("result", message)),
            ("errored", _) => self.error = given(error).map(ExchangeError::Value),
            ("expired" | "canceled", _) => {
                let status = format!("the request of the batch: {kind}");
                self.error = Some(ExchangeError::Status(status));
            }
            _ => return,
        }
        self.used.push("result");
    }

    /// A response, which may stand in what the server sent.
    fn response(&mut self, response: Node<'a>, is_batch: bool) {
        let [status, body] = pick(response, ["status_code", "body"]);
        let body = of_kind(body, Kind::Object).filter(|_| is_batch || status.is_some());
        let own = body.unwrap_or(response);
        let refused = number(status).filter(|status| *status >= 400.0);
        let error = given(get(Some(own), "error").filter(|_| own.kind() == Kind::Object));
        match error.filter(|error| error_text(*error, "").is_some()) {
            Some(error) => self.error = Some(ExchangeError::Value(error)),
            None if is_answer(own) && (own.kind() != Kind::String || is_batch) => {
                self.answer = Some(("response", own));
            }
            None => match refused {
                #[allow(clippy::cast_possible_truncation)] // a status has three digits
                Some(status) => {
                    let status = format!("the server answered with status {}", status as i64);
                    self.error = Some(ExchangeError::Status(status));
                }
                None => return,
            },
        }
        self.used.push("response");
    }

    /// Messages, or a text, with the answer in a field beside them.
    fn pair(&mut self, record: Node<'a>) -> bool {
        let Some((place, list)) = list_of(record) else { return false };
        self.request = Request::Record;
        self.about = Some(record);
        let [response, completion, answer, output, error, status] =
            pick(record, ["response", "completion", "answer", "output", "error_str", "error"])
                .map(given);
        if let Some(response) = response.filter(|response| response.kind() != Kind::String) {
            self.response(response, false);
        }
        // `fromMessages` reads these.
        let is_completed = place == "prompt" && completion.is_some();
        if is_completed {
            self.used.push("completion");
        }
        let is_open = !is_completed && self.answer.is_none() && self.error.is_none();
        if is_open {
            let fields = [("answer", answer), ("completion", completion), ("output", output)];
            let field = fields.into_iter().find_map(|(name, value)| {
                let is_own = |value: &Node<'_>| {
                    is_answer(*value) && !(value.kind().is_string() && is_answered(list))
                };
                Some((name, value.filter(is_own)?))
            });
            self.answer = field;
            self.used.extend(field.map(|(name, _)| name));
        }
        if is_open && self.answer.is_none() {
            let failed = error.or(status).filter(|error| error_text(*error, "").is_some());
            self.error = failed.map(ExchangeError::Value);
        }
        if is_open && self.answer.is_none() && self.error.is_none() && !is_answered(list) {
            let texts = pick(record, ANSWERS);
            let likely = ANSWERS.into_iter().zip(texts).find_map(|(name, text)| {
                Some((name, text.filter(|text| string(Some(*text)).is_some())?))
            });
            self.answer = likely;
            self.likely = likely.map(|(name, _)| name);
            self.used.extend(self.likely);
        }
        true
    }

    /// Is there more to it than a request that is the record itself?
    pub(super) fn is_envelope(&self) -> bool {
        match self.request {
            Request::Record => self.answer.is_some() && self.likely.is_none(),
            Request::None => self.answer.is_some() || self.error.is_some(),
            Request::Field(_) | Request::Value(_) => true,
        }
    }

    /// The list of the request's messages, if it is one.
    pub(super) fn list(&self, record: Node<'a>) -> Option<Node<'a>> {
        let list = match self.request {
            Request::None | Request::Value(_) => None,
            Request::Record => list_of(record).map(|(_, list)| list),
            Request::Field(body) if body.kind() == Kind::Object => {
                list_of(body).map(|(_, list)| list)
            }
            Request::Field(list) => Some(list),
        };
        list.filter(|list| list.kind() == Kind::Array)
    }

    /// How its request is one of messages.
    pub(super) fn likeness(&self, record: Node<'a>) -> MessageLikeness {
        self.list(record).map_or(MessageLikeness::Message, list_likeness)
    }

    /// The fields that are read of the record.
    pub(super) fn is_used(&self, record: Node<'_>, name: &str) -> bool {
        let is_list = matches!(self.request, Request::Record)
            && list_of(record).is_some_and(|(list, _)| list == name);
        is_list || self.used.contains(&name)
    }

    /// The request, of which messages are read: a body, or a list of messages.
    pub(super) fn request(&self, record: Node<'_>, json: &str) -> String {
        let body = match self.request {
            Request::None => return "[]".to_owned(),
            Request::Record if self.answer.is_none() => return raw(record, json).to_owned(),
            Request::Record => record,
            Request::Field(text) if text.kind().is_string() => return asked(raw(text, json)),
            Request::Value(value) => return asked(&quoted(raw(value, json))),
            Request::Field(body) => return raw(body, json).to_owned(),
        };
        let mut out = String::from("{");
        for (name, value) in body.fields() {
            if name.str().is_some_and(|name| self.used.iter().any(|used| *used == name)) {
                continue;
            }
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(raw(name, json));
            out.push(':');
            out.push_str(raw(value, json));
        }
        out.push('}');
        out
    }

    /// The answer, and those that are in branches: further choices, and the one that was not preferred.
    pub(super) fn answers(&self, json: &str) -> (Option<RecordedAnswer>, Vec<RecordedAnswer>) {
        let mut all = match self.answer {
            Some((name, value)) => read_answers(value, json, name),
            None => Vec::new(),
        };
        if let (true, Some((name, value)), true) =
            (self.is_observation, self.answer, all.is_empty())
        {
            // What the model gave as JSON.
            all.push(text_answer(&quoted(raw(value, json)), name));
        }
        let mut others = all.split_off(all.len().min(1));
        let mut answer = all.pop();
        if let Some(error) = self.error(json) {
            let failed = answer.get_or_insert_with(|| text_answer("\"\"", "error"));
            if failed.path == "error" {
                failed.messages.clear();
            }
            failed.error = Some(error);
        }
        if let (Some(answer), Some(about)) = (&mut answer, self.about) {
            self.complete(answer, about);
        }
        if let Some((name, value)) = self.rejected {
            let skipped = self.answer.map_or(0, |(_, chosen)| same_beginning(chosen, value, json));
            let rejected = read_answers(value, json, name);
            others.extend(rejected.into_iter().take(1).map(|answer| match skipped {
                0 => answer,
                skipped => {
                    let messages = messages_behind(value, skipped, json);
                    RecordedAnswer { messages, ..answer }
                }
            }));
        }
        (answer, others)
    }

    /// Adds what is said beside the answer. An observation of Langfuse has its own figures.
    fn complete(&self, answer: &mut RecordedAnswer, about: Node<'_>) {
        let names = [
            "model",
            "startTime",
            "endTime",
            "usageDetails",
            "usage",
            "response_cost",
            "calculatedTotalCost",
            "totalCost",
        ];
        let [model, start, end, details, usage, cost, calculated, total] = pick(about, names);
        if answer.model.is_none() {
            answer.model = string(model).map(std::borrow::Cow::into_owned);
        }
        let (start, end) = (seconds_or_ms(start), seconds_or_ms(end));
        (answer.start, answer.end) = (start.or(answer.start), end.or(answer.end));
        let own = of_kind(details, Kind::Object).or(of_kind(usage, Kind::Object));
        if answer.tokens.is_none() || self.is_observation {
            answer.tokens = own.and_then(usage_tokens).map(tokens_json).or(answer.tokens.take());
        }
        let cost = [cost, calculated, total].into_iter().find_map(number);
        answer.cost = cost.or(answer.cost);
    }

    fn error(&self, json: &str) -> Option<String> {
        match self.error.as_ref()? {
            ExchangeError::Value(value) => error_text(*value, json),
            ExchangeError::Status(status) => Some(status.clone()),
        }
    }
}

/// A request that is a text; `token` is its JSON.
fn asked(token: &str) -> String {
    format!("[{{\"role\":\"user\",\"content\":{token}}}]")
}

/// How many values two lists have in common at their beginning.
fn same_beginning(list: Node<'_>, other: Node<'_>, json: &str) -> usize {
    let pairs = items(Some(list)).zip(items(Some(other)));
    pairs.take_while(|(one, two)| raw(*one, json) == raw(*two, json)).count()
}

/// The messages of a list without as many at its beginning, as they stand in an array.
fn messages_behind(list: Node<'_>, skipped: usize, json: &str) -> String {
    let messages: Vec<_> = items(Some(list)).skip(skipped).map(|one| raw(one, json)).collect();
    messages.join(",")
}

/// A string as it stands in JSON, with its quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    escape(&mut out, text);
    out.push('"');
    out
}
