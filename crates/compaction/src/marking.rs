//! Outputs marked as cleared. The caller's objects are never changed: what differs is a new object, everything else is
//! the very same.

use super::config::bad_config;
use super::given_plan::{GivenPlan, stale_plan};
use super::history::{History, MessageArray};
use super::marks::mark_of;
use super::print::{fingerprint_of, message_print, mixed};
use apex_parts_model::order;
use apex_parts_model::sorted_set::SortedSet;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Build, Error, Key, Kind, Status, View};

/// Marks the outputs of a plan as cleared at `now`, in milliseconds since the Unix epoch. A part that is no longer
/// completed is left as it is; what is marked keeps its first mark.
///
/// # Errors
/// `CompactionError`: `bad_config` if `now` is not finite, `stale_plan` if the plan is for other messages.
pub fn apply_prune<V: Build>(messages: &V, plan: &V, now: f64) -> Result<V, Error> {
    if !(now.is_finite() && now >= 0.0) {
        let message = "`now` must be the time in milliseconds since the Unix epoch".to_owned();
        return Err(bad_config("now", message));
    }
    let plan = GivenPlan::read(plan);
    let history = MessageArray::new(messages.clone());
    let wanted: SortedSet<&str> = order::inserted(plan.part_ids.iter().map(String::as_str));
    if plan.fingerprint.is_empty() || plan.fingerprint != history.fingerprint() {
        // Unless it was carried out already: then it was for the messages without these marks.
        if wanted.is_empty() || plan.fingerprint != without_marks(&history, &wanted) {
            return Err(stale_plan());
        }
    }
    Ok(changed(&history, &mut |part| {
        let id = part.get(Key::Id);
        if !id.text().is_some_and(|id| wanted.contains(id.as_ref())) {
            return None;
        }
        let state = part.get(Key::State);
        let is_open = Status::read(&state) == Some(Status::Completed) && mark_of(part).is_nan();
        is_open.then(|| {
            let mut time = copy_of(&state.get(Key::Time));
            time.put_number(Key::Compacted, now);
            copy_of(part).with(Key::State, &copy_of(&state).with(Key::Time, &time))
        })
    }))
}

/// The hash of the messages as they were before these parts were marked.
fn without_marks<V: View>(history: &MessageArray<V>, parts: &SortedSet<&str>) -> String {
    let all = (0..history.len()).fold(0, |all, index| {
        let mark = V::mark();
        let without = |id: &str, at: f64| if parts.contains(id) { f64::NAN } else { at };
        let print = message_print(&history.at(index), &without);
        V::release(mark);
        mixed(all, print)
    });
    fingerprint_of(all, history.len())
}

/// An object with the same fields.
pub(super) fn copy_of<V: Build>(of: &V) -> V {
    let mut copy = V::object();
    copy.carry(of, &[]);
    copy
}

/// The messages, in which `change` gives the parts that differ.
pub(super) fn changed<V: Build>(
    history: &MessageArray<V>,
    change: &mut dyn FnMut(&V) -> Option<V>,
) -> V {
    let mut list = V::list();
    for index in 0..history.len() {
        let mark = V::mark();
        let message = history.at(index);
        let parts = message.get(Key::Parts);
        let mut differ = Vec::new();
        for at in 0..parts.len().min(MAX_ELEMENTS) {
            let mark = V::mark();
            match change(&parts.at(at)) {
                Some(part) => differ.push((at, part)),
                None => V::release(mark),
            }
        }
        if differ.is_empty() {
            list.push(&message);
        } else {
            let mut made = V::list();
            let mut differ = differ.into_iter().peekable();
            for at in 0..parts.len().min(MAX_ELEMENTS) {
                match differ.next_if(|(place, _)| *place == at) {
                    Some((_, part)) => made.push(&part),
                    None => made.push(&parts.at(at)),
                }
            }
            list.push(&copy_of(&message).with(Key::Parts, &made));
        }
        V::release(mark);
    }
    list
}

/// The message of a compaction, whose first part has this tail.
pub(super) fn first_part_with_tail<V: Build>(message: &V, tail: Option<&str>) -> V {
    let parts = message.get(Key::Parts);
    let first = parts.at(0);
    let now = first.get(Key::TailStart);
    if now.text().as_deref() == tail && (tail.is_some() || now.kind() == Kind::Missing) {
        return message.clone();
    }
    let mut part = V::object();
    match tail {
        None => part.carry(&first, &[Key::TailStart]),
        Some(tail) => part = copy_of(&first).with(Key::TailStart, &V::string(tail)),
    }
    let mut list = V::list();
    list.push(&part);
    for at in 1..parts.len().min(MAX_ELEMENTS) {
        list.push(&parts.at(at));
    }
    copy_of(message).with(Key::Parts, &list)
}
