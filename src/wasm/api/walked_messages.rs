//! The messages of an array, of which most are read by a walk in JavaScript (`walked_messages.js`): reading each field
//! through a handle takes several times as long. Must equal [`MessageArray`], proven by
//! tests/package/compaction/walked.test.mjs.

use crate::wasm::handle::Js;
use apex_parts_compaction::{
    Estimator, Head, History, IdList, MessageArray, MessageReader, MessageSums, MessageTokens,
    Note, PlainKind, PlainPart, Times, hash, mixed, part_print,
};
use apex_parts_model::Error;
use js_sys::{Array, Int32Array, Uint8Array};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/api/walked_messages.js")]
extern "C" {
    #[wasm_bindgen(js_name = walkMessages)]
    fn walk_messages(slot: u32, length: u32) -> Array;
    #[wasm_bindgen(js_name = measuredParts)]
    fn measured_parts(slot: u32) -> Option<Int32Array>;
}

/// What a walk over all messages has found.
#[derive(Debug, Default)]
struct Walk {
    /// The messages that are out of the ordinary.
    odd: Vec<usize>,
    /// For each message the number of its parts and the lengths of the ids, or -1.
    numbers: Vec<i32>,
    /// The ids, one after another.
    ids: Vec<u8>,
}

/// The ids of a walk, in turn.
struct WalkedIds<'a> {
    lengths: std::slice::Iter<'a, i32>,
    rest: &'a [u8],
}

impl<'a> WalkedIds<'a> {
    fn next(&mut self) -> &'a str {
        let length = self.lengths.next().and_then(|length| usize::try_from(*length).ok());
        let (id, rest) = self.rest.split_at_checked(length.unwrap_or(0)).unwrap_or_default();
        self.rest = rest;
        // The walk takes ASCII only.
        std::str::from_utf8(id).unwrap_or_default()
    }
}

impl Walk {
    fn over(list: Js, length: usize) -> Walk {
        let found = walk_messages(list.slot(), u32::try_from(length).unwrap_or(u32::MAX));
        let numbers = found.get(0).dyn_into::<Int32Array>().unwrap_or_default().to_vec();
        let ids = found.get(1).dyn_into::<Uint8Array>().unwrap_or_default().to_vec();
        let mut odd = Vec::new();
        let (mut at, mut index) = (0, 0);
        while let Some(parts) = numbers.get(at) {
            match usize::try_from(*parts) {
                // Its own id, and those of the parts.
                Ok(parts) => at += parts + 2,
                Err(_) => {
                    odd.push(index);
                    at += 1;
                }
            }
            index += 1;
        }
        Walk { odd, numbers, ids }
    }

    /// The hash of all ids and marks; `of_odd` gives that of a message that is out of the ordinary.
    fn print(&self, of_odd: impl Fn(usize) -> u64) -> u64 {
        let mut ids = WalkedIds { lengths: self.numbers.iter(), rest: &self.ids };
        let (mut all, mut index) = (0, 0);
        while let Some(parts) = ids.lengths.next() {
            let print = if *parts < 0 {
                of_odd(index)
            } else {
                let own = hash(ids.next());
                (0..*parts).fold(own, |print, _| mixed(print, part_print(ids.next(), f64::NAN)))
            };
            all = mixed(all, print);
            index += 1;
        }
        all
    }
}

/// The messages of an array. What is asked again is kept.
pub(super) struct WalkedMessages {
    list: Js,
    array: MessageArray<Js>,
    walk: OnceCell<Walk>,
    heads: RefCell<Vec<Option<Head>>>,
    sums: RefCell<Vec<Option<(Estimator, MessageSums)>>>,
}

/// Keeps a value for a message.
fn keep<T: Copy>(all: &RefCell<Vec<Option<T>>>, index: usize, value: T) {
    let mut all = all.borrow_mut();
    if all.len() <= index {
        all.resize(index + 1, None);
    }
    if let Some(place) = all.get_mut(index) {
        *place = Some(value);
    }
}

fn kept<T: Copy>(all: &RefCell<Vec<Option<T>>>, index: usize) -> Option<T> {
    all.borrow().get(index).copied().flatten()
}

impl WalkedMessages {
    pub(super) fn new(list: Js) -> WalkedMessages {
        WalkedMessages {
            list,
            array: MessageArray::new(list),
            walk: OnceCell::new(),
            heads: RefCell::default(),
            sums: RefCell::default(),
        }
    }

    fn walk(&self) -> &Walk {
        self.walk.get_or_init(|| Walk::over(self.list, self.array.len()))
    }

    /// Counts a message that is nothing out of the ordinary; false for any other.
    fn read_plain(&self, index: usize, head: &Head, to: &mut MessageTokens) -> bool {
        let measured = self.array.with(index, |message| measured_parts(message.slot()));
        let Some(numbers) = measured.map(|numbers| numbers.to_vec()) else { return false };
        to.read_plain(
            head,
            numbers.as_chunks::<4>().0.iter().map(|[kind, units @ ..]| PlainPart {
                kind: usize::try_from(*kind)
                    .ok()
                    .and_then(|kind| PlainKind::ALL.get(kind).copied())
                    .unwrap_or(PlainKind::Other),
                units: units.map(|units| u32::try_from(units).unwrap_or(0)),
            }),
        );
        true
    }
}

impl History for WalkedMessages {
    fn len(&self) -> usize {
        self.array.len()
    }

    fn head(&self, index: usize) -> Head {
        kept(&self.heads, index).unwrap_or_else(|| {
            let head = self.array.head(index);
            keep(&self.heads, index, head);
            head
        })
    }

    fn times(&self, index: usize) -> Times {
        self.array.times(index)
    }

    fn id_hash(&self, index: usize) -> u64 {
        self.array.id_hash(index)
    }

    fn print(&self) -> u64 {
        self.walk().print(|index| self.array.message_print(index))
    }

    fn notes(&self) -> Cow<'_, [Note]> {
        self.walk().odd.iter().filter_map(|index| self.array.note(*index)).collect()
    }

    fn tokens(&self, index: usize, by: Estimator, to: &mut MessageTokens) -> Result<(), Error> {
        if by != Estimator::Chars || !self.read_plain(index, &self.head(index), to) {
            self.array.tokens(index, by, to)?;
        }
        keep(&self.sums, index, (by, to.sums(by)));
        Ok(())
    }

    fn sums(&self, index: usize, by: Estimator) -> Result<MessageSums, Error> {
        if let Some((_, sums)) = kept(&self.sums, index).filter(|(own, _)| *own == by) {
            return Ok(sums);
        }
        let mut tokens = MessageTokens::default();
        self.tokens(index, by, &mut tokens)?;
        Ok(tokens.sums(by))
    }

    fn tool_name(&self, index: usize, part: usize) -> Result<Option<Cow<'_, str>>, Error> {
        self.array.tool_name(index, part)
    }

    fn show(&self, index: usize, reader: &mut impl MessageReader) -> Result<(), Error> {
        self.array.show(index, reader)
    }

    fn message_id(&self, index: usize) -> Result<String, Error> {
        self.array.message_id(index)
    }

    fn message_ids(&self, indices: &[u32], to: &mut IdList) -> Result<(), Error> {
        self.array.message_ids(indices, to)
    }

    fn part_ids(&self, places: &[(u32, u32)], to: &mut IdList) -> Result<(), Error> {
        self.array.part_ids(places, to)
    }
}
