//! The state of a tool call: `pending → running → completed | error` (BR-05).
//!
//! States are immutable: every function builds a new one from the values of the old one and leaves
//! that unchanged. Asking for the status that a state already has gives [`Transition::Same`]. Times
//! are in milliseconds since the Unix epoch. Long because every transition is public.

use super::error::Error;
use super::factory::started;
use super::names::{Key, Word};
use super::problem::Path;
use super::spec;
pub use super::status::{Status, Transition};
use super::text::number_text;
use super::view::{Build, Kind, View};

/// The text that replaces the output of a tool when its result is cleared.
pub const CLEARED_OUTPUT: &str = Word::ClearedOutput.as_str();

// The fields that a transition sets or drops; every other field is carried over.
const OF_PENDING: &[Key] = &spec::PENDING.keys::<3>();
const OF_RUNNING: &[Key] = &spec::RUNNING.keys::<5>();
const OF_TIME: &[Key] = &[Key::Start, Key::End, Key::Compacted];

fn allow<V: View>(state: &V, to: Status) -> Result<Status, Error> {
    match Status::read(state) {
        Some(from) if from.reachable().contains(&to) => Ok(from),
        _ => Err(refuse(state, to)),
    }
}

/// The input of a state. It goes into the next state unchanged, as the other fields do, so none of
/// them may throw when it is read.
fn input_of<V: View>(state: &V) -> Result<V, Error> {
    let input = state.get(Key::Input);
    let (title, metadata) = (state.get(Key::Title), state.get(Key::Metadata));
    let time = state.get(Key::Time);
    let start = time.get(Key::Start);
    readable(&[
        (Key::Input, &input),
        (Key::Title, &title),
        (Key::Metadata, &metadata),
        (Key::Time, &time),
        (Key::Start, &start),
    ])?;
    Ok(input)
}

fn refuse<V: View>(state: &V, to: Status) -> Error {
    Error::transition(state.get(Key::Status).text().map(String::from), to)
}

/// BR-09: the output of a completed tool is a string and not empty.
fn check_output<V: View>(output: &V) -> Result<(), Error> {
    let path = Path::ROOT;
    let path = path.key(Key::Output);
    match output.kind() {
        Kind::String => Ok(()),
        Kind::EmptyString => Err(Error::rule(
            "BR-09",
            &path,
            "the output of a completed tool is empty; say at least that there is no output",
        )),
        kind => Err(Error::rule(
            "schema",
            &path,
            format!("the output of a tool must be a string, not {}", kind.describe()),
        )),
    }
}

/// BR-10: the error of a failed tool is a string and not blank.
fn check_error<V: View>(error: &V) -> Result<(), Error> {
    let path = Path::ROOT;
    let path = path.key(Key::Error);
    match error.kind() {
        kind if !kind.is_string() => {
            let message = format!("the error of a tool must be a string, not {}", kind.describe());
            Err(Error::rule("schema", &path, message))
        }
        _ if error.is_blank() => {
            let message = "the error of a failed tool is blank; say what went wrong";
            Err(Error::rule("BR-10", &path, message))
        }
        _ => Ok(()),
    }
}

/// Checks that these arguments of a `create…` function are given. An empty string counts as given.
///
/// # Errors
/// `MissingRequiredField` for the first that is absent or null; `PartValidationError` for the first
/// that throws when it is read.
pub fn require<V: View>(function: &'static str, given: &[(Key, &V)]) -> Result<(), Error> {
    match given.iter().find(|(_, value)| value.kind().is_nullish()) {
        Some((field, _)) => Err(Error::missing(function, *field)),
        None => readable(given),
    }
}

/// Checks that no value throws when it is read: such a value cannot go into a state.
fn readable<V: View>(given: &[(Key, &V)]) -> Result<(), Error> {
    match given.iter().find(|(_, value)| value.kind() == Kind::Unreadable) {
        Some((field, _)) => {
            let path = Path::ROOT;
            let message = format!("`{}` throws when it is read", field.as_str());
            Err(Error::rule("schema", &path.key(*field), message))
        }
        None => Ok(()),
    }
}

/// The value, or this number if the caller gave none. An explicit `0` is a value.
fn or_number<V: Build>(value: &V, number: f64) -> V {
    if value.kind().is_nullish() { V::of_number(number) } else { value.clone() }
}

fn state_of<V: Build>(status: Status, input: &V) -> V {
    V::object_with(Key::Status, status.word()).with(Key::Input, input)
}

fn span<V: Build>(start: &V, end: &V) -> V {
    V::object().with(Key::Start, start).with(Key::End, end)
}

/// A new pending state (BR-06).
///
/// # Errors
/// `MissingRequiredField` if an argument is absent or null.
pub fn create_pending<V: Build>(function: &'static str, input: &V, raw: &V) -> Result<V, Error> {
    require(function, &[(Key::Input, input), (Key::Raw, raw)])?;
    Ok(state_of(Status::Pending, input).with(Key::Raw, raw))
}

/// A new running state (BR-07), started at `start`, or at `now` if that is absent.
///
/// # Errors
/// `MissingRequiredField` if `input` is absent or null.
pub fn create_running<V: Build>(
    function: &'static str,
    input: &V,
    title: &V,
    metadata: &V,
    start: &V,
    now: f64,
) -> Result<V, Error> {
    require(function, &[(Key::Input, input)])?;
    readable(&[(Key::Title, title), (Key::Metadata, metadata), (Key::StartTime, start)])?;
    Ok(state_of(Status::Running, input)
        .with_given(Key::Title, title)
        .with_given(Key::Metadata, metadata)
        .with(Key::Time, &V::object().with(Key::Start, &or_number(start, now))))
}

/// The values of a completed state.
#[derive(Clone, Debug)]
pub struct Completion<V> {
    /// The arguments of the call.
    pub input: V,
    /// The output (BR-09).
    pub output: V,
    /// A title for people.
    pub title: V,
    /// Additional data; `{}` if absent.
    pub metadata: V,
    /// Files that it returned.
    pub attachments: V,
    /// The time at which it started; now, if absent.
    pub start: V,
    /// The time at which it ended (BR-08); now, if absent.
    pub end: V,
}

/// A new completed state.
///
/// # Errors
/// `MissingRequiredField` if input, output or title is absent or null; `PartValidationError`
/// if the output is empty (BR-09).
pub fn create_completed<V: Build>(
    function: &'static str,
    of: &Completion<V>,
    now: f64,
) -> Result<V, Error> {
    require(
        function,
        &[(Key::Input, &of.input), (Key::Output, &of.output), (Key::Title, &of.title)],
    )?;
    readable(&[
        (Key::Metadata, &of.metadata),
        (Key::Attachments, &of.attachments),
        (Key::StartTime, &of.start),
        (Key::EndTime, &of.end),
    ])?;
    check_output(&of.output)?;
    let metadata = if of.metadata.kind().is_nullish() { V::object() } else { of.metadata.clone() };
    Ok(state_of(Status::Completed, &of.input)
        .with(Key::Output, &of.output)
        .with(Key::Title, &of.title)
        .with(Key::Metadata, &metadata)
        .with(Key::Time, &span(&or_number(&of.start, now), &or_number(&of.end, now)))
        .with_given(Key::Attachments, &of.attachments))
}

/// A new error state.
///
/// # Errors
/// `MissingRequiredField` if input or error is absent or null; `PartValidationError` if the
/// error is blank (BR-10).
pub fn create_error<V: Build>(
    function: &'static str,
    input: &V,
    error: &V,
    metadata: &V,
    start: &V,
    end: &V,
    now: f64,
) -> Result<V, Error> {
    require(function, &[(Key::Input, input), (Key::Error, error)])?;
    readable(&[(Key::Metadata, metadata), (Key::StartTime, start), (Key::EndTime, end)])?;
    check_error(error)?;
    Ok(state_of(Status::Error, input)
        .with(Key::Error, error)
        .with_given(Key::Metadata, metadata)
        .with(Key::Time, &span(&or_number(start, now), &or_number(end, now))))
}

/// pending → running, started at `now`.
///
/// # Errors
/// `InvalidStateTransition` from any other status but running itself.
pub fn pending_to_running<V: Build>(
    state: &V,
    title: &V,
    now: f64,
) -> Result<Transition<V>, Error> {
    if allow(state, Status::Running)? == Status::Running {
        return Ok(Transition::Same);
    }
    readable(&[(Key::Title, title)])?;
    let mut running = state_of(Status::Running, &input_of(state)?).with_given(Key::Title, title);
    running.put(Key::Time, &started(now));
    running.carry(state, OF_PENDING);
    Ok(Transition::New(running))
}

/// The time of a state that ends: from the start of the running state (`end` if it has none) to
/// `end`.
fn ended<V: Build>(state: &V, end: &V) -> V {
    let running = state.get(Key::Time);
    let start = running.get(Key::Start);
    let mut time = span(if start.kind().is_nullish() { end } else { &start }, end);
    time.carry(&running, OF_TIME);
    time
}

/// running → completed. An absent `title` is that of the running state, or `""`; an absent `end` is
/// `now`.
///
/// # Errors
/// `InvalidStateTransition` from any other status but completed itself; `PartValidationError`
/// if the output is empty (BR-09).
pub fn running_to_completed<V: Build>(
    state: &V,
    output: &V,
    title: &V,
    attachments: &V,
    end: &V,
    now: f64,
) -> Result<Transition<V>, Error> {
    if allow(state, Status::Completed)? == Status::Completed {
        return Ok(Transition::Same);
    }
    check_output(output)?;
    readable(&[(Key::Title, title), (Key::Attachments, attachments), (Key::EndTime, end)])?;
    let mut completed = state_of(Status::Completed, &input_of(state)?);
    completed.put(Key::Output, output);
    let own = state.get(Key::Title);
    if !title.kind().is_nullish() {
        completed.put(Key::Title, title);
    } else if own.kind().is_nullish() {
        completed.put(Key::Title, &V::string(""));
    } else {
        completed.put(Key::Title, &own);
    }
    let metadata = state.get(Key::Metadata);
    let metadata = if metadata.kind().is_nullish() { V::object() } else { metadata };
    completed.put(Key::Metadata, &metadata);
    completed.put(Key::Time, &ended(state, &or_number(end, now)));
    let mut completed = completed.with_given(Key::Attachments, attachments);
    completed.carry(state, OF_RUNNING);
    Ok(Transition::New(completed))
}

fn fail<V: Build>(state: &V, error: &V, metadata: &V, end: &V) -> Result<V, Error> {
    readable(&[(Key::Metadata, metadata), (Key::EndTime, end)])?;
    let mut failed = state_of(Status::Error, &input_of(state)?)
        .with(Key::Error, error)
        .with_given(Key::Metadata, metadata)
        .with(Key::Time, &ended(state, end));
    let pending = Status::read(state) == Some(Status::Pending);
    failed.carry(state, if pending { OF_PENDING } else { OF_RUNNING });
    Ok(failed)
}

/// running → error. Absent `metadata` is that of the running state; an absent `end` is `now`.
///
/// # Errors
/// `InvalidStateTransition` from any other status but error itself; `PartValidationError` if
/// the error is blank (BR-10).
pub fn running_to_error<V: Build>(
    state: &V,
    error: &V,
    metadata: &V,
    end: &V,
    now: f64,
) -> Result<Transition<V>, Error> {
    if allow(state, Status::Error)? == Status::Error {
        return Ok(Transition::Same);
    }
    check_error(error)?;
    let own = state.get(Key::Metadata);
    let metadata = if metadata.kind().is_nullish() { &own } else { metadata };
    Ok(Transition::New(fail(state, error, metadata, &or_number(end, now))?))
}

/// running for longer than `timeout_ms` at `now` → error; any other state stays as it is.
///
/// # Errors
/// `PartValidationError` if a field of the state throws when it is read.
pub fn expire<V: Build>(state: &V, now: f64, timeout_ms: f64) -> Result<Transition<V>, Error> {
    if Status::read(state) != Some(Status::Running) {
        return Ok(Transition::Same);
    }
    let start = state.get(Key::Time).get(Key::Start).number();
    // Compared this way round, so that a `NaN` as start or timeout does not expire the state.
    if now - start > timeout_ms {
        let timeout = number_text(timeout_ms);
        let error = V::string(&format!("Tool execution timed out after {timeout} ms"));
        let failed = fail(state, &error, &state.get(Key::Metadata), &V::of_number(now))?;
        return Ok(Transition::New(failed));
    }
    Ok(Transition::Same)
}

/// pending or running → error with this reason and `metadata.aborted`; a finished state stays as it
/// is, so a call can be aborted twice.
///
/// # Errors
/// `PartValidationError` if the reason is blank (BR-10), `InvalidStateTransition` if the
/// value is not a tool state.
pub fn abort<V: Build>(state: &V, reason: &V, now: f64) -> Result<Transition<V>, Error> {
    match Status::read(state) {
        Some(Status::Completed | Status::Error) => Ok(Transition::Same),
        Some(Status::Pending | Status::Running) => {
            check_error(reason)?;
            let mut metadata = V::object();
            metadata.put_bool(Key::Aborted, true);
            metadata.carry(&state.get(Key::Metadata), &[]);
            Ok(Transition::New(fail(state, reason, &metadata, &V::of_number(now))?))
        }
        None => Err(refuse(state, Status::Error)),
    }
}

/// The duration of a finished call in milliseconds; `None` before it has finished.
pub fn duration<V: View>(state: &V) -> Option<f64> {
    match Status::read(state)? {
        Status::Pending | Status::Running => None,
        Status::Completed | Status::Error => {
            let time = state.get(Key::Time);
            let ms = time.get(Key::End).number() - time.get(Key::Start).number();
            (!ms.is_nan()).then_some(ms)
        }
    }
}

/// Replaces the output of a completed state by [`CLEARED_OUTPUT`] and sets `time.compacted`. A
/// second call changes nothing.
///
/// # Errors
/// `PartValidationError` if the state is not completed.
pub fn compact<V: Build>(state: &V, now: f64) -> Result<Transition<V>, Error> {
    if Status::read(state) != Some(Status::Completed) {
        let path = Path::ROOT;
        let message = "only a completed tool state can be compacted";
        return Err(Error::rule("schema", &path.key(Key::Status), message));
    }
    let old = state.get(Key::Time);
    if old.get(Key::Compacted).kind() == Kind::Number {
        return Ok(Transition::Same);
    }
    let mut compacted = V::object();
    compacted.carry(state, &[Key::Output, Key::Time]);
    compacted.put_word(Key::Output, Word::ClearedOutput);
    let mut time = V::object();
    time.carry(&old, &[Key::Compacted]);
    time.put_number(Key::Compacted, now);
    compacted.put(Key::Time, &time);
    Ok(Transition::New(compacted))
}

#[cfg(test)]
mod tests;
