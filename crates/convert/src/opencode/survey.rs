//! The first pass over the messages: the places of all, and what a session says of them together.

use super::links::MessageLinks;
use super::message::is_user;
use super::part::{SeenParts, part_ids};
use super::picked::{elements, field, json, number, object, text};
use super::places::{IdRules, OrderedPlaces};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{self, ObjectWriter};
use apex_parts_model::view::number_text;
use apex_parts_transcript::said_text;

/// The tokens of all messages.
#[derive(Debug, Default)]
pub(crate) struct SurveyTokens {
    input: f64,
    output: f64,
    reasoning: f64,
    read: f64,
    write: f64,
}

impl SurveyTokens {
    fn add(&mut self, tokens: Option<Node<'_>>) {
        let count = |of, name| number(field(of, name)).unwrap_or(0.0);
        let cache = object(field(tokens, "cache"));
        self.input = sum(self.input, count(tokens, "input"));
        self.output = sum(self.output, count(tokens, "output"));
        self.reasoning = sum(self.reasoning, count(tokens, "reasoning"));
        self.read = sum(self.read, count(cache, "read"));
        self.write = sum(self.write, count(cache, "write"));
    }

    pub(crate) fn write(&self, out: &mut ObjectWriter<'_>) {
        out.number("input", self.input).number("output", self.output);
        out.number("reasoning", self.reasoning).object("cache", |cache| {
            cache.number("read", self.read).number("write", self.write);
        });
    }
}

/// The sum, as long as it is finite.
fn sum(a: f64, b: f64) -> f64 {
    Some(a + b).filter(|sum| sum.is_finite()).unwrap_or(a)
}

/// Where a session was reverted to.
#[derive(Debug, Default)]
pub(crate) struct RevertTo {
    pub(crate) message: String,
    pub(crate) part: String,
    /// The id now of the part.
    pub(crate) part_now: Option<String>,
}

/// What the messages say together.
#[derive(Debug)]
pub(crate) struct Survey {
    pub(crate) links: MessageLinks,
    places: OrderedPlaces,
    rules: IdRules,
    pub(crate) revert: RevertTo,
    /// A message must be added at the beginning, which the first answers.
    pub(crate) needs_prompt: bool,
    has_user: bool,
    pub(crate) first: Option<f64>,
    pub(crate) last: f64,
    pub(crate) cost: f64,
    pub(crate) tokens: SurveyTokens,
    /// The first words of the first prompt.
    pub(crate) prompt: Option<String>,
    pub(crate) agent: Option<String>,
    /// The JSON of the last model: `{id, providerID, variant?}`.
    pub(crate) model: Option<String>,
    pub(crate) directory: Option<String>,
    count: usize,
}

impl Survey {
    pub(crate) fn new(rules: IdRules, created: f64, revert: RevertTo) -> Survey {
        Survey {
            links: MessageLinks::default(),
            places: OrderedPlaces::new(rules, created),
            rules,
            revert,
            needs_prompt: false,
            has_user: false,
            first: None,
            last: 0.0,
            cost: 0.0,
            tokens: SurveyTokens::default(),
            prompt: None,
            agent: None,
            model: None,
            directory: None,
            count: 0,
        }
    }

    /// Takes the next message.
    pub(crate) fn add(&mut self, info: Node<'_>, parts: Node<'_>) {
        let is_user = is_user(info);
        if self.count == 0 && !is_user && !self.answers_another(info) {
            self.needs_prompt = true;
            let prompt = self.places.before(info);
            self.first = Some(prompt.created);
        }
        self.count += 1;
        self.has_user |= is_user;
        let place = self.places.next(info);
        let old = text(field(Some(info), "id")).unwrap_or_default();
        self.links.note(&old, &place);
        if !self.revert.part.is_empty() && self.revert.message == old {
            let parts: Vec<_> = elements(Some(parts)).collect();
            let ids = part_ids(&parts, &place, &self.rules, &mut SeenParts::new());
            let is = |part: &Node<'_>| {
                text(field(Some(*part), "id")).as_deref() == Some(&self.revert.part)
            };
            let at = parts.iter().position(is);
            self.revert.part_now = at.and_then(|at| ids.get(at).cloned());
        }
        self.first = Some(self.first.map_or(place.created, |first| first.min(place.created)));
        let completed = number(field(object(field(Some(info), "time")), "completed"));
        self.last = self.last.max(place.created).max(completed.unwrap_or(0.0));
        self.facts(info, parts, is_user);
    }

    /// Does the message answer one that is not in the file, and that has an id of OpenCode's?
    fn answers_another(&self, info: Node<'_>) -> bool {
        let parent = text(field(Some(info), "parentID")).unwrap_or_default();
        self.rules.is_own(&parent, "msg")
    }

    fn facts(&mut self, info: Node<'_>, parts: Node<'_>, is_user: bool) {
        let agent = text(field(Some(info), "agent")).map(|agent| agent.into_owned());
        if !is_user {
            self.cost = sum(self.cost, number(field(Some(info), "cost")).unwrap_or(0.0));
            self.tokens.add(object(field(Some(info), "tokens")));
            let path = object(field(Some(info), "path"));
            let cwd = text(field(path, "cwd"));
            self.directory = cwd.map(|cwd| cwd.into_owned()).or(self.directory.take());
        }
        // The user's message says with which agent and model the session goes on.
        let model = if is_user { object(field(Some(info), "model")) } else { Some(info) };
        let [id, provider, variant] =
            ["modelID", "providerID", "variant"].map(|name| text(field(model, name)));
        if is_user || !self.has_user {
            self.agent = agent.or(self.agent.take());
            if let (Some(id), Some(provider)) = (id, provider) {
                let mut json = String::new();
                writer::object(&mut json, |out| {
                    out.string("id", &id).string("providerID", &provider);
                    if let Some(variant) = &variant {
                        out.string("variant", variant);
                    }
                });
                self.model = Some(json);
            }
        }
        if is_user && self.prompt.is_none() {
            self.prompt = first_words(parts);
        }
    }
}

/// The most characters of a title.
const TITLE: usize = 60;

/// The first words that the user wrote.
fn first_words(parts: Node<'_>) -> Option<String> {
    let text = elements(Some(parts)).find_map(|part| said_text(&part, usize::MAX))?;
    let mut title = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let more = word.chars().count() + usize::from(length > 0);
        if length > 0 && length + more > TITLE {
            title.push('…');
            return Some(title);
        }
        if length > 0 {
            title.push(' ');
        }
        title.extend(word.chars().take(TITLE));
        length += more;
    }
    Some(title)
}

/// A number that is there, as JSON.
pub(crate) fn number_json(value: Option<Node<'_>>) -> Option<String> {
    number(value).and(value).map(|value| json(value).into_owned())
}

/// A time as JSON.
pub(crate) fn time_json(ms: f64) -> String {
    number_text(super::fit::integer(ms))
}
