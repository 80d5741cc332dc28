//! [`ProviderCalls`]: the calls of an answer that the provider ran.

use crate::parts::{NewCall, NewPart, PartContent};
use apex_parts_json::tape::Node;
use apex_parts_model::text_map::TextMap;

/// The provider's calls of a content, as places among its parts, by the kind of their results.
#[derive(Debug, Default)]
pub(crate) struct ProviderCalls {
    places: [Vec<usize>; 2],
    ids: [TextMap; 2],
}

/// The call at a place, if it has no result.
fn open_call<'p, 'a>(parts: &'p mut [NewPart<'a>], place: usize) -> Option<&'p mut NewCall<'a>> {
    match &mut parts.get_mut(place)?.content {
        PartContent::Call(call) if call.outcome.is_none() => Some(call),
        _ => None,
    }
}

impl ProviderCalls {
    /// Adds the call at a place, which may have an id.
    pub(crate) fn add(&mut self, kind: usize, id: Option<Node<'_>>, place: usize) {
        if let Some((places, ids)) = self.places.get_mut(kind).zip(self.ids.get_mut(kind)) {
            places.push(place);
            if let Some(id) = id {
                ids.insert(&id.spelled(), place);
            }
        }
    }

    /// The call that a result belongs to: the one with its id, else the last one without a result.
    pub(crate) fn take<'p, 'a>(
        &mut self,
        kind: usize,
        id: Option<Node<'_>>,
        parts: &'p mut [NewPart<'a>],
    ) -> Option<&'p mut NewCall<'a>> {
        let named = id.and_then(|id| self.ids.get(kind)?.get(&id.spelled()));
        let mut place = named.filter(|place| open_call(parts, *place).is_some());
        while place.is_none() {
            let last = self.places.get_mut(kind)?.pop()?;
            place = open_call(parts, last).map(|_| last);
        }
        open_call(parts, place?)
    }
}
