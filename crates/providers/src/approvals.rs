//! [`Approvals`]: what persons are asked about calls, and what they answer.

use super::parts::CallOutcome;
use super::values::{NewFields, Value, field, object, pick, with_fields};
use super::written::{CallEdit, write_error};
use apex_parts_json::tape::Tape;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Kind, View};

/// The field of a call's metadata.
const FIELD: &str = "approval";

/// A call about which somebody can be asked.
#[derive(Debug, Default)]
struct ApprovableCall {
    /// The last request.
    request: Option<usize>,
    /// The number of the call if it is written and has metadata: others get nothing any more.
    written: Option<usize>,
}

/// The requests of one list of messages, and their answers.
#[derive(Debug, Default)]
pub(crate) struct Approvals {
    /// Does the list have messages of this format?
    pub(crate) is_used: bool,
    /// The last call with each id.
    ids: TextMap,
    calls: Vec<ApprovableCall>,
    request_ids: TextMap,
    /// What the calls get, as JSON.
    requests: Vec<Vec<u8>>,
}

impl Approvals {
    /// Notes a call that was read: its number here.
    pub(crate) fn call(&mut self, id: &str) -> usize {
        let number = self.calls.len();
        self.ids.insert(id, number);
        self.calls.push(ApprovableCall::default());
        number
    }

    /// Notes that a call becomes this one of the builder's, and gives it what was asked. Returns the request.
    pub(crate) fn add(
        &mut self,
        number: Option<usize>,
        call: usize,
        metadata: &mut NewFields<'_>,
    ) -> Option<usize> {
        let own = self.calls.get_mut(number?)?;
        if own.request.is_some() {
            metadata.set(FIELD, Value::True);
        }
        own.written = Some(call).filter(|_| !metadata.is_empty());
        own.request
    }

    /// Records a request; returns false if the call does not exist.
    pub(crate) fn ask(
        &mut self,
        call_id: &str,
        id: Option<&str>,
        approval: &NewFields<'_>,
        calls: &mut [CallEdit],
        tape: &mut Tape,
    ) -> bool {
        let Some(call) = self.ids.get(call_id).and_then(|number| self.calls.get_mut(number)) else {
            return false;
        };
        let number = self.requests.len();
        call.request = Some(number);
        let mut json = Vec::new();
        approval.write(&mut json);
        self.requests.push(json);
        if let Some(id) = id {
            self.request_ids.insert(id, number);
        }
        let edit = call.written.and_then(|number| calls.get_mut(number));
        if let Some(edit) = edit.filter(|edit| !edit.is_merged) {
            edit.request = Some(number);
            edit.metadata = with_fields(&edit.metadata, NewFields::one(FIELD, Value::True), tape);
        }
        true
    }

    /// Notes an answer; false if there is no such request.
    pub(crate) fn answer(&mut self, id: &str, answer: NewFields<'_>, tape: &mut Tape) -> bool {
        let number = self.request_ids.get(id);
        let Some(request) = number.and_then(|number| self.requests.get_mut(number)) else {
            return false;
        };
        *request = with_fields(request, answer, tape);
        true
    }

    /// Gives the calls what was asked and answered. Those that a person refused and that got no result end.
    pub(crate) fn end(&mut self, calls: &mut [CallEdit], now: &str, tape: &mut Tape) {
        for call in calls {
            if let Some(json) = call.request.take().and_then(|number| self.requests.get(number)) {
                let approval = NewFields::one(FIELD, Value::Json(json));
                call.metadata = with_fields(&call.metadata, approval, tape);
            }
            if call.status != "running" || tape.read(&call.metadata, 0).is_err() {
                continue;
            }
            let approval = object(field(tape.root(&call.metadata), FIELD));
            let Some(approval) = approval else { continue };
            let [approved, reason] = pick(approval, &["approved", "reason"]).values;
            if approved.is_some_and(|approved| approved.kind() == Kind::False) {
                call.status = "error";
                call.rest.clear();
                write_error(&CallOutcome::refused(reason), now, &mut call.rest);
            }
        }
    }
}
