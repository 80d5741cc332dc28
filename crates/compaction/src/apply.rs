//! The history with a summary. The caller's objects are never changed: what differs is a new object, everything else
//! is the very same.

use super::config::bad_config;
use super::given_plan::GivenPlan;
use super::head::{Head, Speaker, Times};
use super::history::{History, MessageArray};
use super::marking::{copy_of, first_part_with_tail};
use super::request::attached;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Build, Error, Key, Kind, View, Word};

/// Whether the run goes on by itself after a compaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoOn {
    /// If the last answer had not ended its turn.
    #[default]
    Auto,
    /// In any case, as OpenCode does.
    Always,
    /// Not.
    Never,
}

/// What a host knows of a summary.
pub struct SummaryMeta<'a, V> {
    /// Gives ids, each greater than the last.
    pub id: &'a mut dyn FnMut() -> Result<String, Error>,
    /// The time, in milliseconds since the Unix epoch.
    pub now: f64,
    /// By the program, not by the user.
    pub auto: bool,
    /// The provider refused the last request as too large.
    pub overflow: bool,
    /// Whether the run goes on by itself.
    pub go_on: GoOn,
    /// The `TokenStats` of the summary; missing for none.
    pub tokens: V,
    /// Its cost in US dollars.
    pub cost: f64,
    /// Its model; missing for that of the last user message.
    pub model_id: V,
    /// Its provider, like the model.
    pub provider_id: V,
    /// Why it ended; missing for `stop`.
    pub finish: V,
}

impl<V> std::fmt::Debug for SummaryMeta<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut all = f.debug_struct("SummaryMeta");
        all.field("now", &self.now).field("auto", &self.auto).field("overflow", &self.overflow);
        all.field("go_on", &self.go_on).field("cost", &self.cost).finish_non_exhaustive()
    }
}

const CONTINUE: &str = "Continue with the next step if there is one; otherwise say that you are done, or ask what is \
unclear.";
const MEDIA_LEFT_OUT: &str = "The last request was larger than the provider accepts, because of the files attached to \
it. They have been removed from the conversation: if the user asked about them, say that they are too large and ask for \
smaller or fewer ones. ";

/// Adds a summary: all old messages, the message of the compaction, the summary, and where the run goes on the
/// message that it goes on with.
///
/// # Errors
/// `CompactionError`: `empty_summary`, `stale_plan`, or `bad_config` if `now` or an id cannot be used.
pub fn apply_summary<V: Build>(
    messages: &V,
    plan: &V,
    text: &str,
    meta: &mut SummaryMeta<'_, V>,
) -> Result<V, Error> {
    if apex_parts_model::view::is_blank(text) {
        let message = "the summary is blank: nothing was changed; ask the model again";
        return Err(Error::compaction("empty_summary", "", message));
    }
    let plan = GivenPlan::read(plan);
    let text = with_own_words(text, &plan.pinned);
    appended(messages, &plan, &[(&text, false)], meta)
}

/// What stands at the beginning of a history whose earliest turns were left out.
pub const TRUNCATION_NOTICE: &str =
    "[Earlier messages of this conversation were removed to fit the context, without a summary]";

/// Leaves out the earliest turns, as [`plan_truncation`](super::plan_truncation()) decided: all old messages, then the
/// message of a compaction and a notice in place of a summary, after which `filter_compacted` gives the newest turns.
/// A summary that was there before goes with the notice. If the plan leaves nothing out, nothing is added. `go_on`
/// of `meta` has no effect: the view ends with the newest message, as before.
///
/// # Errors
/// `CompactionError`: `stale_plan`, or `bad_config` if the plan is for a summary, its first message has no id, or `now`
/// or an id cannot be used.
pub fn apply_truncation<V: Build>(
    messages: &V,
    plan: &V,
    meta: &mut SummaryMeta<'_, V>,
) -> Result<V, Error> {
    let plan = GivenPlan::read(plan);
    if !plan.summarise.is_empty() {
        let message = "the plan is for a summary: make it with `strategy: \"truncate\"`, or use `applySummary`";
        return Err(bad_config("strategy", message.to_owned()));
    }
    if plan.tail_start.is_none() {
        if plan.drop.is_empty() {
            plan.expect_for(&MessageArray::new(messages.clone()))?;
            return Ok(messages.clone());
        }
        let message = "the first message that stays has no `id`: nothing would stay";
        return Err(bad_config("tailStartID", message.to_owned()));
    }
    let mut texts = vec![(TRUNCATION_NOTICE, true)];
    texts.extend(plan.previous_summary.as_deref().map(|text| (text, false)));
    meta.go_on = GoOn::Never;
    appended(messages, &plan, &texts, meta)
}

/// All messages, and what a compaction adds. `texts`: those of the summary, and whether the program wrote them.
fn appended<V: Build>(
    messages: &V,
    plan: &GivenPlan,
    texts: &[(&str, bool)],
    meta: &mut SummaryMeta<'_, V>,
) -> Result<V, Error> {
    if !(meta.now.is_finite() && meta.now >= 0.0) {
        let message = "`now` must be the time in milliseconds since the Unix epoch".to_owned();
        return Err(bad_config("now", message));
    }
    let history = MessageArray::new(messages.clone());
    plan.expect_for(&history)?;
    let heads: Vec<Head> = (0..history.len()).map(|index| history.head(index)).collect();
    let after = Appended::new(&history, &heads, meta.now);
    let mut list = V::list();
    let reused = heads.last().is_some_and(|last| last.is_bare_compaction());
    let old = history.len() - usize::from(reused);
    for index in 0..old {
        let mark = V::mark();
        list.push(&history.at(index));
        V::release(mark);
    }
    let compaction = if reused {
        first_part_with_tail(&history.at(old), plan.tail_start.as_deref())
    } else {
        after.compaction(plan, meta)?
    };
    list.push(&compaction);
    let parent = compaction.get(Key::Info).get(Key::Id);
    let tail = reused.then(|| history.at(old).get(Key::Parts).at(0).get(Key::TailStart));
    list.push(&after.summary(&parent, texts, tail.as_ref(), meta)?);
    if let Some(last) = after.going_on(&history, &heads, plan, meta)? {
        list.push(&last);
    }
    Ok(list)
}

/// The text of a summary with the user's own words.
fn with_own_words(text: &str, pinned: &[String]) -> String {
    let mut text = text.trim_end().to_owned();
    if !pinned.is_empty() {
        text.push_str("\n\n## The user's own words");
    }
    for words in pinned {
        text.push_str("\n\n");
        text.push_str(words);
    }
    text
}

/// What is added to a history.
struct Appended<V> {
    /// The `info` of the last message of the user, and of the last answer; missing if there is none.
    user: V,
    answer: V,
    session: V,
    /// When it is added: not before anything else.
    at: f64,
}

impl<V: Build> Appended<V> {
    fn new(history: &MessageArray<V>, heads: &[Head], now: f64) -> Appended<V> {
        let info = |index: Option<usize>| {
            index.map_or_else(|| V::object().get(Key::Info), |at| history.at(at).get(Key::Info))
        };
        let user = info(heads.iter().rposition(|head| head.speaker == Speaker::User));
        let answer = info(heads.iter().rposition(|head| head.speaker == Speaker::Assistant));
        let times = (0..heads.len()).flat_map(|index| {
            let Times { created, completed } = history.times(index);
            [created, completed]
        });
        let at = times.filter(|time| time.is_finite()).fold(now, f64::max);
        let of = if user.kind() == Kind::Object { &user } else { &answer };
        let session = of.get(Key::SessionID);
        Appended { user, answer, session, at }
    }

    /// `{id, sessionID}` of a new message, and the same with `messageID` of its part.
    fn begin(&self, meta: &mut SummaryMeta<'_, V>) -> Result<(V, V), Error> {
        let id = V::string(&(meta.id)()?);
        let info = V::object().with(Key::Id, &id).with(Key::SessionID, &self.session);
        Ok((info, id))
    }

    fn part(&self, message: &V, meta: &mut SummaryMeta<'_, V>) -> Result<V, Error> {
        let id = V::string(&(meta.id)()?);
        let part = V::object().with(Key::Id, &id).with(Key::SessionID, &self.session);
        Ok(part.with(Key::MessageID, message))
    }

    fn time(&self, keys: &[Key]) -> V {
        let mut time = V::object();
        for key in keys {
            time.put_number(*key, self.at);
        }
        time
    }

    fn message(info: &V, parts: &[V]) -> V {
        let mut list = V::list();
        for part in parts {
            list.push(part);
        }
        V::object().with(Key::Info, info).with(Key::Parts, &list)
    }

    /// The `info` of a message of the user, as the last one's.
    fn user_info(&self, meta: &mut SummaryMeta<'_, V>) -> Result<(V, V), Error> {
        let (mut info, id) = self.begin(meta)?;
        info.put_word(Key::Role, Word::User);
        info.put(Key::Time, &self.time(&[Key::Created]));
        let of = if self.user.kind() == Kind::Object { &self.user } else { &self.answer };
        info.copy(Key::Agent, of, Key::Agent);
        if self.user.kind() == Kind::Object {
            info.copy(Key::Model, &self.user, Key::Model);
        } else {
            let mut model = V::object();
            model.copy(Key::ProviderID, &self.answer, Key::ProviderID);
            model.copy(Key::ModelID, &self.answer, Key::ModelID);
            info.put(Key::Model, &model);
        }
        Ok((info, id))
    }

    fn compaction(&self, plan: &GivenPlan, meta: &mut SummaryMeta<'_, V>) -> Result<V, Error> {
        let (info, id) = self.user_info(meta)?;
        let mut part = self.part(&id, meta)?;
        part.put_word(Key::Type, Word::Compaction);
        part.put_bool(Key::Auto, meta.auto);
        if meta.overflow {
            part.put_bool(Key::Overflow, true);
        }
        if let Some(tail) = &plan.tail_start {
            part.put(Key::TailStart, &V::string(tail));
        }
        Ok(Self::message(&info, &[part]))
    }

    fn summary(
        &self,
        parent: &V,
        texts: &[(&str, bool)],
        reused: Option<&V>,
        meta: &mut SummaryMeta<'_, V>,
    ) -> Result<V, Error> {
        let (mut info, id) = self.begin(meta)?;
        info.put_word(Key::Role, Word::Assistant);
        info.put(Key::Time, &self.time(&[Key::Created, Key::Completed]));
        info.put(Key::ParentID, parent);
        let model = self.user.get(Key::Model);
        for (key, given) in [(Key::ModelID, &meta.model_id), (Key::ProviderID, &meta.provider_id)] {
            let last =
                if model.kind() == Kind::Object { model.get(key) } else { self.answer.get(key) };
            let value = if given.kind() == Kind::String { given.clone() } else { last };
            let value = if value.kind().is_string() { value } else { V::string("unknown") };
            info.put(key, &value);
        }
        info.put_word(Key::Mode, Word::Compaction);
        info.put_word(Key::Agent, Word::Compaction);
        let path = self.answer.get(Key::Path);
        info.put(Key::Path, &if path.kind() == Kind::Object { path } else { root_path() });
        info.put_bool(Key::Summary, true);
        info.put_number(Key::Cost, if meta.cost.is_finite() { meta.cost } else { 0.0 });
        let tokens = meta.tokens.clone();
        info.put(Key::Tokens, &if tokens.kind() == Kind::Object { tokens } else { no_tokens() });
        let finish = meta.finish.clone();
        let stop = || V::string("stop");
        info.put(Key::Finish, &if finish.kind() == Kind::String { finish } else { stop() });
        if let Some(tail) = reused {
            // What undoing has to restore: the compaction was there before, with this tail.
            let tail = tail.text().unwrap_or_default();
            info.put(Key::Reused, &V::string(&tail));
        }
        let mut parts = Vec::new();
        for (text, is_synthetic) in texts {
            let mut part = self.part(&id, meta)?;
            part.put_word(Key::Type, Word::Text);
            part.put(Key::Text, &V::string(text));
            if *is_synthetic {
                part.put_bool(Key::Synthetic, true);
            }
            part.put(Key::Time, &self.time(&[Key::Start, Key::End]));
            parts.push(part);
        }
        Ok(Self::message(&info, &parts))
    }

    /// The message with which the run goes on, if it does.
    fn going_on(
        &self,
        history: &MessageArray<V>,
        heads: &[Head],
        plan: &GivenPlan,
        meta: &mut SummaryMeta<'_, V>,
    ) -> Result<Option<V>, Error> {
        if meta.go_on == GoOn::Never {
            return Ok(None);
        }
        if let Some(index) = replayed(history, heads, plan, meta.overflow) {
            return self.replay(&history.at(index), meta).map(Some);
        }
        // The last message that is no compaction and no summary tells whether something is still to do.
        let told = heads.iter().rev().find(|head| !head.is_compaction() && !head.is_summary());
        let is_open = told.is_some_and(|head| match head.speaker {
            Speaker::User => true,
            Speaker::Assistant => head.goes_on() || head.has_failed(),
            Speaker::Nobody => false,
        });
        if meta.go_on == GoOn::Auto && !is_open {
            return Ok(None);
        }
        let (info, id) = self.user_info(meta)?;
        let mut part = self.part(&id, meta)?;
        part.put_word(Key::Type, Word::Text);
        let text = if meta.overflow { MEDIA_LEFT_OUT } else { "" };
        part.put(Key::Text, &V::string(&format!("{text}{CONTINUE}")));
        part.put_bool(Key::Synthetic, true);
        let mut metadata = V::object();
        metadata.put_bool(Key::CompactionContinue, true);
        part.put(Key::Metadata, &metadata);
        part.put(Key::Time, &self.time(&[Key::Start, Key::End]));
        Ok(Some(Self::message(&info, &[part])))
    }

    /// The last request again, with a line in place of each file that is no text.
    fn replay(&self, message: &V, meta: &mut SummaryMeta<'_, V>) -> Result<V, Error> {
        let (mut info, id) = self.user_info(meta)?;
        info.carry(&message.get(Key::Info), &[Key::Summary]);
        let parts = message.get(Key::Parts);
        let mut made = Vec::new();
        for at in 0..parts.len().min(MAX_ELEMENTS) {
            let old = parts.at(at);
            if old.kind() != Kind::Object || old.get_word(Key::Type) == Some(Word::Compaction) {
                continue;
            }
            let mut part = self.part(&id, meta)?;
            let mut metadata = copy_of(&old.get(Key::Metadata));
            metadata.put_bool(Key::CompactionReplay, true);
            if is_media(&old) {
                part.put_word(Key::Type, Word::Text);
                part.put(Key::Text, &V::string(&attached(&old)));
            } else {
                part.carry(&old, &[Key::Metadata]);
            }
            part.put(Key::Metadata, &metadata);
            made.push(part);
        }
        Ok(Self::message(&info, &made))
    }
}

/// A file that is not sent as text.
fn is_media<V: View>(part: &V) -> bool {
    let mime = part.get(Key::Mime);
    let mime = mime.text().unwrap_or_default();
    part.get_word(Key::Type) == Some(Word::File)
        && !mime.starts_with("text/")
        && mime != Word::Directory.as_str()
}

fn root_path<V: Build>() -> V {
    V::object().with(Key::Cwd, &V::string("/")).with(Key::Root, &V::string("/"))
}

fn no_tokens<V: Build>() -> V {
    let mut tokens = V::object();
    for key in [Key::Input, Key::Output, Key::Reasoning] {
        tokens.put_number(key, 0.0);
    }
    let mut cache = V::object();
    cache.put_number(Key::Read, 0.0);
    cache.put_number(Key::Write, 0.0);
    tokens.with(Key::Cache, &cache)
}

/// The message that is asked again: the last one with which a turn begins, if it did not stay and an earlier one is
/// there.
fn replayed<V: View>(
    history: &MessageArray<V>,
    heads: &[Head],
    plan: &GivenPlan,
    overflow: bool,
) -> Option<usize> {
    let last = heads.iter().rposition(|head| head.begins_turn())?;
    let id = history.message_id(last).ok()?;
    let is_in = |ids: &[String]| ids.contains(&id);
    let has_earlier = heads.iter().take(last).any(|head| head.begins_turn());
    let says = history.sums(last, super::config::Estimator::Chars).ok()?.says();
    let is_wanted = is_in(&plan.drop) || (overflow && !is_in(&plan.keep));
    (is_wanted && says && has_earlier).then_some(last)
}

#[cfg(test)]
mod tests;
