//! Does a record with another id belong to another response? Some servers give every record an id
//! of its own, so that an id alone tells nothing.

use crate::json::saved::state;

/// The id of the response that is open, and what is known of ids on this wire.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResponseId {
    id: String,
    /// Another record had it: ids stay what they are here.
    again: bool,
    /// They change within a response.
    fresh: bool,
}

state!(ResponseId { id, again, fresh });

/// Does a record look as if a response began with it?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartLikelihood {
    /// As one that goes on.
    No,
    /// As most do that go on, and some that begin one.
    Hardly,
    /// It may, as may others.
    Perhaps,
    /// It does.
    Yes,
}

/// What a record belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordOwner {
    /// The response that is open.
    Same,
    /// Another one: the one that is open is over.
    Other,
    /// The next record will tell.
    Wait,
}

impl ResponseId {
    /// The id of a response that begins.
    pub(crate) fn of(id: &str) -> ResponseId {
        ResponseId { id: id.to_owned(), ..ResponseId::default() }
    }

    /// The id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Ids change within a response: they tell nothing any more.
    pub(crate) fn distrust(&mut self) {
        self.fresh = true;
    }

    /// A record with this id can only go on with the response.
    pub(crate) fn fits(&self, id: &str) -> bool {
        id.is_empty() || id == self.id || self.fresh
    }

    /// A record with this id has gone on with it.
    pub(crate) fn seen(&mut self, id: &str) {
        self.again |= id == self.id && !id.is_empty();
    }

    /// What a record with this id belongs to.
    pub(crate) fn owner_of(&mut self, id: &str, looks: StartLikelihood) -> RecordOwner {
        if self.fits(id) {
            self.seen(id);
            return RecordOwner::Same;
        }
        if self.id.is_empty() {
            id.clone_into(&mut self.id);
            return RecordOwner::Same;
        }
        match looks {
            StartLikelihood::Yes => RecordOwner::Other,
            StartLikelihood::Perhaps if self.again => RecordOwner::Other,
            StartLikelihood::Perhaps => RecordOwner::Wait,
            StartLikelihood::Hardly if self.again => RecordOwner::Wait,
            StartLikelihood::Hardly | StartLikelihood::No => {
                self.fresh = true;
                RecordOwner::Same
            }
        }
    }
}
