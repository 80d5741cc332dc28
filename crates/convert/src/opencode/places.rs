//! The place of each message in OpenCode's order: its id and its time. OpenCode sorts messages by time and then by id,
//! and does not look at the order of the file.

use super::fit::integer;
use super::ids::{self, PER_MS};
use super::picked::{field, number, object, text};
use super::shape::MOST_EXACT;
use apex_parts_json::tape::Node;
use apex_parts_model::fingerprint::{self, Fingerprint};
use apex_parts_model::sorted_set::SortedSet;

/// Where the ids of messages and parts come from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdRules {
    /// Given for a copy, in which every id is new.
    pub(crate) salt: Option<Fingerprint>,
    /// Given if the file has no ids: the hash of its content.
    pub(crate) content: Option<Fingerprint>,
    /// The hash of the session's id. Another session may have the same messages, and needs ids of its own for them.
    pub(crate) session: Fingerprint,
    /// The ids are another agent's, even those that begin as OpenCode's do.
    pub(crate) is_foreign: bool,
    /// Nothing without an id of OpenCode's is later than this.
    pub(crate) latest: Option<f64>,
}

impl IdRules {
    /// Is it an id of OpenCode's?
    pub(crate) fn is_own(&self, id: &str, prefix: &str) -> bool {
        !self.is_foreign && self.content.is_none() && id.starts_with(prefix)
    }

    /// Does the id stay as it is?
    pub(crate) fn keeps(&self, id: &str, prefix: &str) -> bool {
        self.salt.is_none() && self.is_own(id, prefix)
    }

    /// The hash from which a new id is made.
    pub(crate) fn key(&self, of: Fingerprint) -> Fingerprint {
        self.salted(fingerprint::join(self.session, of))
    }

    /// The same for a session.
    pub(crate) fn salted(&self, of: Fingerprint) -> Fingerprint {
        self.salt.map_or(of, |salt| fingerprint::join(salt, of))
    }
}

/// The milliseconds that are left at the end of all times.
const LEFT: f64 = 1_048_576.0;

/// The place of a message.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: String,
    /// The time, in milliseconds.
    pub(crate) created: f64,
    /// The digits of the id that was made, or would be.
    pub(crate) stamp: u64,
    pub(crate) key: Fingerprint,
    pub(crate) is_made: bool,
}

/// Gives the messages of a session their places, in their order.
#[derive(Debug)]
pub(crate) struct OrderedPlaces {
    rules: IdRules,
    count: usize,
    seen: SortedSet<Fingerprint>,
    has_last: bool,
    last_id: String,
    last_created: f64,
    /// The ids that were made for the millisecond of the last message.
    counter: u64,
}

impl OrderedPlaces {
    /// `created` is the time of messages without one, before the first that has one.
    pub(crate) fn new(rules: IdRules, created: f64) -> OrderedPlaces {
        OrderedPlaces {
            rules,
            count: 0,
            seen: SortedSet::new(),
            has_last: false,
            last_id: String::new(),
            last_created: created,
            counter: 0,
        }
    }

    /// The place of the next message.
    pub(crate) fn next(&mut self, info: Node<'_>) -> Place {
        let rules = self.rules;
        let old = text(field(Some(info), "id")).unwrap_or_default();
        let hash = ids::hash(&old);
        // The first message of an id has it; OpenCode would pass over a second one.
        let is_first = !old.is_empty() && self.seen.insert(hash);
        let own = rules.content.map_or(hash, |content| ids::numbered(content, self.count));
        let own = if is_first { own } else { ids::numbered(own, self.count) };
        self.count += 1;
        let given = number(field(object(field(Some(info), "time")), "created"));
        if is_first && rules.is_own(&old, "msg") {
            // The order of OpenCode's own messages is that of their times.
            let is_user = text(field(Some(info), "role")).as_deref() == Some("user");
            let given = given.unwrap_or(self.last_created);
            let created = if is_user { given.max(0.0) } else { integer(given) };
            if rules.salt.is_none() {
                let stamp = ids::stamp(created, 0);
                return self.take(Place {
                    id: old.into_owned(),
                    created,
                    stamp,
                    key: own,
                    is_made: false,
                });
            }
            return self.make(created, rules.key(own));
        }
        let created = integer(given.unwrap_or(self.last_created));
        let created = rules.latest.map_or(created, |latest| created.min(integer(latest)));
        self.make_after(created, rules.key(own))
    }

    /// The place of a message that is added before all others, which begin with this one.
    pub(crate) fn before(&mut self, first: Node<'_>) -> Place {
        let given = number(field(object(field(Some(first), "time")), "created"));
        let created = integer(given.unwrap_or(self.last_created) - 1.0);
        let old = text(field(Some(first), "id")).unwrap_or_default();
        let own = self.rules.content.unwrap_or_else(|| ids::hash(&old));
        let created = self.rules.latest.map_or(created, |latest| created.min(integer(latest)));
        let key = self.rules.key(fingerprint::join(own, ids::hash("prompt")));
        self.make_after(created, key)
    }

    /// A new id that sorts behind those before.
    fn make_after(&mut self, created: f64, key: Fingerprint) -> Place {
        // Times at the end of all leave room for those behind them.
        let created = created.min(MOST_EXACT - LEFT).max(self.last_created.ceil());
        let mut created = created.min(MOST_EXACT);
        #[allow(clippy::cast_precision_loss)] // a small number
        if created == self.last_created && self.counter as f64 + 1.0 >= PER_MS {
            created = integer(created + 1.0);
        }
        if created > self.last_created || self.placed(created, key).id > self.last_id {
            return self.make(created, key);
        }
        // The last id is the file's own and sorts behind what can be made for its millisecond.
        self.make(integer(created + 1.0), key)
    }

    fn make(&mut self, created: f64, key: Fingerprint) -> Place {
        let mut place = self.placed(created, key);
        // The file may have the id that was made, as one that was put together of others.
        while !self.seen.insert(ids::hash(&place.id)) {
            place = self.placed(created, ids::numbered(place.key, 1));
        }
        self.take(place)
    }

    fn placed(&self, created: f64, key: Fingerprint) -> Place {
        let is_same = created.floor() == self.last_created.floor() && self.has_last;
        let stamp = ids::stamp(created.floor(), if is_same { self.counter + 1 } else { 0 });
        Place { id: ids::id("msg", stamp, key), created, stamp, key, is_made: true }
    }

    fn take(&mut self, place: Place) -> Place {
        let is_same = place.created.floor() == self.last_created.floor() && self.has_last;
        self.counter = if is_same { self.counter + 1 } else { 0 };
        self.has_last = true;
        self.last_created = place.created;
        self.last_id.clone_from(&place.id);
        place
    }
}
