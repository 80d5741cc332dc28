//! Does a record with another id belong to another response? Some servers give every record an id
//! of its own, so the id alone does not decide it.

use crate::reader::Sink;
use apex_parts_json::saved::state;
use apex_parts_model::delta::ReaderOutput;

/// The id of the open response, and what is known about ids in this stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResponseId {
    id: String,
    /// A second record had this id: here the records of a response share one.
    again: bool,
    /// Ids change within a response.
    fresh: bool,
}

state!(ResponseId { id, again, fresh });

/// How likely a record is the first of a response, judged by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartLikelihood {
    /// It is not: first records do not look like this.
    No,
    /// Most records of this look continue a response, some begin one.
    Hardly,
    /// It may begin one or continue one.
    Perhaps,
    /// Only first records look like this.
    Yes,
}

/// Which response a record belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordOwner {
    /// The open response.
    Same,
    /// Another one: the open response has ended.
    Other,
    /// The next record decides.
    Wait,
}

impl ResponseId {
    /// The state for a new response with this id.
    pub(crate) fn new(id: &str) -> ResponseId {
        ResponseId { id: id.to_owned(), ..ResponseId::default() }
    }

    /// The id of the open response.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Ids change within a response: from now on they decide nothing.
    pub(crate) fn distrust(&mut self) {
        self.fresh = true;
    }

    /// Whether a record with this id certainly continues the response.
    pub(crate) fn fits(&self, id: &str) -> bool {
        id.is_empty() || id == self.id || self.fresh
    }

    /// Notes that a record with this id continued the response.
    pub(crate) fn seen(&mut self, id: &str) {
        self.again |= id == self.id && !id.is_empty();
    }

    /// Which response a record belongs to that stands behind a finish reason (W-72): another one only if the records of
    /// this one share an id, and what the record says is what an answer begins with. Where only one record came, nothing
    /// shows whether they share it, and it has to say more.
    pub(crate) fn owner_behind_end(
        &mut self,
        id: &str,
        has_role: bool,
        has_text: bool,
    ) -> RecordOwner {
        if self.fits(id) || self.id.is_empty() {
            self.seen(id);
            return RecordOwner::Same;
        }
        let begins = if self.again { has_role || has_text } else { has_role && has_text };
        if begins {
            return RecordOwner::Other;
        }
        self.fresh = true;
        RecordOwner::Same
    }

    /// Which response a record with this id belongs to.
    pub(crate) fn owner_of(&mut self, id: &str, likelihood: StartLikelihood) -> RecordOwner {
        if self.fits(id) {
            self.seen(id);
            return RecordOwner::Same;
        }
        if self.id.is_empty() {
            id.clone_into(&mut self.id);
            return RecordOwner::Same;
        }
        match likelihood {
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

/// Which of the ids of model and response are not blank: 1 and 2.
pub(crate) fn named_by(model: &str, id: &str) -> u64 {
    u64::from(!model.trim().is_empty()) + 2 * u64::from(!id.trim().is_empty())
}

/// Emits the ids that come for the first time; `named` is what has come so far.
pub(crate) fn note_ids(named: &mut u64, model: &str, id: &str, out: &mut Sink<'_>) {
    let now = named_by(model, id) & !*named;
    if now > 0 {
        *named |= now;
        let (model_id, request_id) = (model.into(), id.into());
        out(ReaderOutput::Ids { model_id, request_id });
    }
}
