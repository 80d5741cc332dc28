//! Makes parts and messages out of the caller's own values.

use super::error::Error;
use super::problem::Path;
use crate::model::names::{Key, Word};
use crate::model::view::{Build, Kind};

/// How a part is made: the function that makes it, its type, and its fields. Fields marked
/// `NEEDED` may not be absent or null (`MissingRequiredField`).
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The function, for error messages.
    pub function: &'static str,
    /// The part's `type`.
    pub kind: Word,
    /// The fields behind the base ones.
    pub fields: &'static [(Key, bool)],
}

const NEEDED: bool = true;
const OPTIONAL: bool = false;

macro_rules! recipes {
    ($($(#[$meta:meta])* $name:ident = $function:literal $kind:ident [$($key:ident $need:ident),*];)+) => {
        $($(#[$meta])* pub const $name: Recipe = Recipe {
            function: $function,
            kind: Word::$kind,
            fields: &[$((Key::$key, $need)),*],
        };)+
    };
}

recipes! {
    /// Text.
    TEXT = "createTextPart" Text [Text NEEDED, Synthetic OPTIONAL, Ignored OPTIONAL, Time OPTIONAL, Metadata OPTIONAL];
    /// A thought.
    REASONING = "createReasoningPart" Reasoning [Text NEEDED, Metadata OPTIONAL, Time NEEDED];
    /// A tool call.
    TOOL = "createToolPart" Tool [CallID NEEDED, Tool NEEDED, State NEEDED, Metadata OPTIONAL];
    /// The start of a step.
    STEP_START = "createStepStartPart" StepStart [Snapshot OPTIONAL];
    /// The end of a step.
    STEP_FINISH = "createStepFinishPart" StepFinish [Reason NEEDED, Snapshot OPTIONAL, Cost NEEDED, Tokens NEEDED];
    /// A file.
    FILE = "createFilePart" File [Mime NEEDED, Filename OPTIONAL, Url NEEDED, Source OPTIONAL];
    /// A task for another agent.
    SUBTASK = "createSubtaskPart" Subtask [Prompt NEEDED, Description NEEDED, Agent NEEDED, Model OPTIONAL, Command OPTIONAL];
    /// An agent that was named.
    AGENT = "createAgentPart" Agent [Name NEEDED, Source OPTIONAL];
    /// A summing up of the history.
    COMPACTION = "createCompactionPart" Compaction [Auto NEEDED];
    /// A request sent again; its time is made by [`retry_part`].
    RETRY = "createRetryPart" Retry [Attempt NEEDED, Error NEEDED];
}

/// The field, which may not be absent or null.
fn need<V: Build>(function: &'static str, field: Key, given: V) -> Result<V, Error> {
    if given.kind().is_nullish() {
        return Err(Error::missing(function, field));
    }
    readable(field, given)
}

/// The field, unless it is a getter that throws: a part without it would be a lie.
fn readable<V: Build>(field: Key, given: V) -> Result<V, Error> {
    if given.kind() == Kind::Unreadable {
        let path = Path::ROOT;
        let message = format!("`{}` throws when it is read", field.as_str());
        return Err(Error::rule("schema", &path.key(field), message));
    }
    Ok(given)
}

/// The caller's id, or a new one where it gave none or an empty one.
fn id_or<V: Build>(given: V, new_id: &mut dyn FnMut() -> String) -> V {
    match given.kind() {
        Kind::Missing | Kind::Null | Kind::EmptyString => V::string(&new_id()),
        _ => given,
    }
}

/// A part by its recipe. `field` gives the caller's value for a field of the options.
///
/// # Errors
/// `MissingRequiredField` where a needed one is absent or null.
///
/// ```
/// use apex_parts::model::{Build, Key, Owned, View, factory};
/// let options = Owned::from(serde_json::json!({"sessionID": "s", "messageID": "m", "text": "hi"}));
/// let part = factory::part(&factory::TEXT, &|key| options.get(key), &mut || "new".into())?;
/// assert_eq!(part.into_json(), serde_json::json!(
///     {"id": "new", "sessionID": "s", "messageID": "m", "type": "text", "text": "hi"}));
/// # Ok::<(), apex_parts::model::Error>(())
/// ```
pub fn part<V: Build>(
    recipe: &Recipe,
    field: &dyn Fn(Key) -> V,
    new_id: &mut dyn FnMut() -> String,
) -> Result<V, Error> {
    let function = recipe.function;
    let mut part = V::object();
    part.put(Key::Id, &id_or(readable(Key::Id, field(Key::Id))?, new_id));
    for key in [Key::SessionID, Key::MessageID] {
        part.put(key, &need(function, key, field(key))?);
    }
    part.put_word(Key::Type, recipe.kind);
    for (key, needed) in recipe.fields {
        let given = field(*key);
        let value = if *needed { need(function, *key, given) } else { readable(*key, given) };
        part = part.with_given(*key, &value?);
    }
    Ok(part)
}

/// A retry part, made at `created` or else `now`. An explicit `0` counts.
///
/// # Errors
/// As [`part`].
pub fn retry_part<V: Build>(
    field: &dyn Fn(Key) -> V,
    new_id: &mut dyn FnMut() -> String,
    now: f64,
) -> Result<V, Error> {
    let mut part = part(&RETRY, field, new_id)?;
    let created = readable(Key::Created, field(Key::Created))?;
    part.put(Key::Time, &created_at(&created, now));
    Ok(part)
}

fn created_at<V: Build>(created: &V, now: f64) -> V {
    let mut time = V::object();
    if created.kind().is_nullish() {
        time.put_number(Key::Created, now);
    } else {
        time.put(Key::Created, created);
    }
    time
}

/// `{start: now}`, for parts that are made by position.
pub fn started<V: Build>(now: f64) -> V {
    let mut time = V::object();
    time.put_number(Key::Start, now);
    time
}

fn message<V: Build>(
    function: &'static str,
    role: Word,
    field: &dyn Fn(Key) -> V,
    new_id: &mut dyn FnMut() -> String,
    now: f64,
) -> Result<V, Error> {
    let mut message = V::object();
    message.put(Key::Id, &id_or(readable(Key::Id, field(Key::Id))?, new_id));
    message.put(Key::SessionID, &need(function, Key::SessionID, field(Key::SessionID))?);
    message.put_word(Key::Role, role);
    message.put(Key::Time, &created_at(&V::object().get(Key::Created), now));
    Ok(message)
}

/// A user message, made `now`.
///
/// # Errors
/// `MissingRequiredField` where a needed option is absent or null.
pub fn user_message<V: Build>(
    field: &dyn Fn(Key) -> V,
    new_id: &mut dyn FnMut() -> String,
    now: f64,
) -> Result<V, Error> {
    const FUNCTION: &str = "createUserMessage";
    let mut made = message(FUNCTION, Word::User, field, new_id, now)?;
    made.put(Key::Agent, &need(FUNCTION, Key::Agent, field(Key::Agent))?);
    let mut model = V::object();
    for key in [Key::ProviderID, Key::ModelID] {
        model.put(key, &need(FUNCTION, key, field(key))?);
    }
    made.put(Key::Model, &model);
    for key in [Key::System, Key::Tools, Key::Variant, Key::Summary] {
        made = made.with_given(key, &readable(key, field(key))?);
    }
    Ok(made)
}

/// An assistant message, made `now`, that has cost nothing yet.
///
/// # Errors
/// `MissingRequiredField` where a needed option is absent or null.
pub fn assistant_message<V: Build>(
    field: &dyn Fn(Key) -> V,
    new_id: &mut dyn FnMut() -> String,
    now: f64,
) -> Result<V, Error> {
    const FUNCTION: &str = "createAssistantMessage";
    let mut made = message(FUNCTION, Word::Assistant, field, new_id, now)?;
    for key in [Key::ParentID, Key::ModelID, Key::ProviderID, Key::Agent] {
        made.put(key, &need(FUNCTION, key, field(key))?);
    }
    let mut path = V::object();
    for key in [Key::Cwd, Key::Root] {
        path.put(key, &need(FUNCTION, key, field(key))?);
    }
    made.put(Key::Path, &path);
    made = made.with_given(Key::Summary, &readable(Key::Summary, field(Key::Summary))?);
    made.put_number(Key::Cost, 0.0);
    let mut tokens = V::object();
    for key in [Key::Input, Key::Output, Key::Reasoning] {
        tokens.put_number(key, 0.0);
    }
    let mut cache = V::object();
    for key in [Key::Read, Key::Write] {
        cache.put_number(key, 0.0);
    }
    tokens.put(Key::Cache, &cache);
    made.put(Key::Tokens, &tokens);
    Ok(made)
}

#[cfg(test)]
mod tests;
