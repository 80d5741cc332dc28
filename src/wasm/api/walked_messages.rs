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
    #[wasm_bindgen(js_name = headsOf)]
    fn heads_of(slot: u32, from: u32, to: u32) -> Array;
    #[wasm_bindgen(js_name = measuredParts)]
    fn measured_parts(slot: u32, from: u32, to: u32) -> Array;
}

/// The messages that are read with one call.
const BLOCK: usize = 16;

/// What a walk over all messages has found.
#[derive(Debug, Default)]
struct Walk {
    /// The messages that are out of the ordinary.
    odd: Vec<usize>,
    /// For each message the number of its parts and the lengths of the ids, or -1.
    numbers: Vec<i32>,
    /// The ids, one after another.
    ids: Vec<u8>,
    /// Where the numbers and the ids of each message begin.
    starts: Vec<(usize, usize)>,
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
        let (mut odd, mut starts) = (Vec::new(), Vec::with_capacity(length));
        let (mut at, mut size) = (0, 0);
        while let Some(parts) = numbers.get(at) {
            let (index, place) = (starts.len(), at);
            starts.push((at, size));
            at += 1;
            match usize::try_from(*parts) {
                // Its own id, and those of the parts.
                Ok(parts) => at += parts + 1,
                Err(_) => odd.push(index),
            }
            let lengths = numbers.get(place + 1..at).unwrap_or_default();
            size +=
                lengths.iter().filter_map(|length| usize::try_from(*length).ok()).sum::<usize>();
        }
        Walk { odd, numbers, ids, starts }
    }

    /// The id of a message and those of its parts; `None` if it is out of the ordinary.
    fn ids_of(&self, index: usize) -> Option<WalkedIds<'_>> {
        let (at, size) = *self.starts.get(index)?;
        let (parts, lengths) = self.numbers.get(at..)?.split_first()?;
        let lengths = lengths.get(..usize::try_from(*parts).ok()? + 1)?.iter();
        Some(WalkedIds { lengths, rest: self.ids.get(size..)? })
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

/// A block of messages, of which each has a number of places; those that are out of the ordinary have one.
#[derive(Debug, Default)]
struct WalkedBlock {
    /// Where each message begins; `None` if it is out of the ordinary.
    starts: Vec<Option<usize>>,
    numbers: Vec<i32>,
    /// The names that some of the numbers stand for.
    names: Vec<String>,
}

impl WalkedBlock {
    /// `length` gives the number of places of a message, the first of which is given.
    fn new(found: &Array, length: impl Fn(usize) -> usize) -> WalkedBlock {
        let numbers = found.get(0).dyn_into::<Int32Array>().unwrap_or_default().to_vec();
        let names = found.get(1).dyn_into::<Array>().unwrap_or_default();
        let names = names.iter().map(|name| name.as_string().unwrap_or_default()).collect();
        let (mut starts, mut at) = (Vec::with_capacity(BLOCK), 0);
        while let Some(first) = numbers.get(at) {
            let first = usize::try_from(*first).ok();
            starts.push(first.map(|_| at));
            at += first.map_or(1, &length);
        }
        WalkedBlock { starts, numbers, names }
    }

    /// The numbers from where a message begins.
    fn numbers_of(&self, index: usize) -> Option<&[i32]> {
        self.numbers.get((*self.starts.get(index % BLOCK)?)?..)
    }

    fn name(&self, number: i32) -> Option<&str> {
        self.names.get(usize::try_from(number).ok()?).map(String::as_str)
    }
}

/// The facts of messages.
fn read_heads(found: &Array) -> Vec<Option<Head>> {
    let block = WalkedBlock::new(found, |_| 5);
    let read = |index| {
        let ([speaker, bits, model, prompt, output], _) =
            block.numbers_of(index)?.split_first_chunk()?;
        let tokens = [prompt.cast_unsigned(), output.cast_unsigned()];
        let bits = u8::try_from(*bits).unwrap_or_default();
        Some(Head::plain(*speaker == 1, bits, block.name(*model), tokens))
    };
    (0..block.starts.len()).map(read).collect()
}

/// What is measured of a part: what it is, the lengths of its texts, and the number of its tool.
type MeasuredPart = [i32; 5];

fn plain_kind(number: i32) -> PlainKind {
    let kind = usize::try_from(number).ok().and_then(|kind| PlainKind::ALL.get(kind).copied());
    kind.unwrap_or(PlainKind::Other)
}

/// Blocks of messages, read when they are first asked for.
#[derive(Debug)]
struct WalkedBlocks<T> {
    list: Js,
    length: usize,
    all: Vec<OnceCell<T>>,
}

impl<T> WalkedBlocks<T> {
    fn new(list: Js, length: usize) -> WalkedBlocks<T> {
        WalkedBlocks {
            list,
            length,
            all: (0..length.div_ceil(BLOCK)).map(|_| OnceCell::new()).collect(),
        }
    }

    /// The block of a message.
    fn of(&self, index: usize, read: impl FnOnce(u32, u32, u32) -> T) -> Option<&T> {
        let from = index - index % BLOCK;
        let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        let to = self.length.min(from + BLOCK);
        Some(
            self.all
                .get(index / BLOCK)?
                .get_or_init(|| read(self.list.slot(), place(from), place(to))),
        )
    }

    /// The same if it has been read.
    fn known(&self, index: usize) -> Option<&T> {
        self.all.get(index / BLOCK)?.get()
    }
}

/// The messages of an array. What is asked again is kept.
pub(super) struct WalkedMessages {
    list: Js,
    array: MessageArray<Js>,
    walk: OnceCell<Walk>,
    heads: WalkedBlocks<Vec<Option<Head>>>,
    /// Those of messages that are out of the ordinary.
    odd_heads: RefCell<Vec<Option<Head>>>,
    parts: WalkedBlocks<WalkedBlock>,
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

/// The parts of a message within a block; `None` if it is out of the ordinary.
fn parts_in(block: &WalkedBlock, index: usize) -> Option<&[MeasuredPart]> {
    let (parts, rest) = block.numbers_of(index)?.split_first()?;
    rest.as_chunks().0.get(..usize::try_from(*parts).ok()?)
}

impl WalkedMessages {
    pub(super) fn new(list: Js) -> WalkedMessages {
        let array = MessageArray::new(list);
        let length = array.len();
        WalkedMessages {
            list,
            array,
            walk: OnceCell::new(),
            heads: WalkedBlocks::new(list, length),
            odd_heads: RefCell::default(),
            parts: WalkedBlocks::new(list, length),
            sums: RefCell::default(),
        }
    }

    fn walk(&self) -> &Walk {
        self.walk.get_or_init(|| Walk::over(self.list, self.array.len()))
    }

    /// Counts a message that is nothing out of the ordinary; false for any other.
    fn read_plain(&self, index: usize, to: &mut MessageTokens) -> bool {
        let block = self.parts.of(index, |slot, from, to| {
            WalkedBlock::new(&measured_parts(slot, from, to), |parts| 1 + 5 * parts)
        });
        let Some(parts) = block.and_then(|block| parts_in(block, index)) else { return false };
        let head = self.head(index);
        to.read_plain(
            &head,
            parts.iter().map(|[kind, units @ .., _]| PlainPart {
                kind: plain_kind(*kind),
                units: units.map(|units| u32::try_from(units).unwrap_or(0)),
            }),
        );
        true
    }

    /// The tool of a part that has been measured and is a call.
    fn measured_tool(&self, index: usize, part: usize) -> Option<&str> {
        let block = self.parts.known(index)?;
        let [.., name] = parts_in(block, index)?.get(part)?;
        block.name(*name)
    }
}

impl History for WalkedMessages {
    fn len(&self) -> usize {
        self.array.len()
    }

    fn head(&self, index: usize) -> Head {
        let heads = self.heads.of(index, |slot, from, to| read_heads(&heads_of(slot, from, to)));
        let plain = heads.and_then(|heads| heads.get(index % BLOCK).copied().flatten());
        plain.or_else(|| kept(&self.odd_heads, index)).unwrap_or_else(|| {
            let head = self.array.head(index);
            keep(&self.odd_heads, index, head);
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
        if by != Estimator::Chars || !self.read_plain(index, to) {
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
        match self.measured_tool(index, part) {
            Some(name) => Ok(Some(Cow::Borrowed(name))),
            None => self.array.tool_name(index, part),
        }
    }

    fn show(&self, index: usize, reader: &mut impl MessageReader) -> Result<(), Error> {
        self.array.show(index, reader)
    }

    fn message_id(&self, index: usize) -> Result<String, Error> {
        self.array.message_id(index)
    }

    fn message_ids(&self, indices: &[u32], to: &mut IdList) -> Result<(), Error> {
        for index in indices {
            match self.walk().ids_of(*index as usize) {
                Some(mut ids) => to.push(ids.next()),
                None => self.array.message_ids(&[*index], to)?,
            }
        }
        Ok(())
    }

    fn part_ids(&self, places: &[(u32, u32)], to: &mut IdList) -> Result<(), Error> {
        for of_message in places.chunk_by(|(a, _), (b, _)| a == b) {
            let message = of_message.first().map_or(0, |(message, _)| *message as usize);
            let Some(mut ids) = self.walk().ids_of(message) else {
                self.array.part_ids(of_message, to)?;
                continue;
            };
            ids.next();
            // The parts are in their order: those of a plan are.
            let mut next = 0;
            for (_, part) in of_message {
                (next..*part).for_each(|_| _ = ids.next());
                to.push(ids.next());
                next = part + 1;
            }
        }
        Ok(())
    }
}
