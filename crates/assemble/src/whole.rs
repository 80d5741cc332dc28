//! Whole values that come after their pieces (W-70): compared with what was read, and put in its place where they differ.

use super::corrections::{Correction, Corrections, Move};
use super::delta_time::DeltaTime;
use super::log::{Grown, LogContent};
use super::part::{Body, CallState, Measured, PartExtra, ReportedState, StreamedPart};
use super::part_state::{block_key, custom_key, index_of};
use super::state::Assembler;
use apex_parts_json::record;
use apex_parts_json::text::Text;
use apex_parts_model::Violation;
use apex_parts_model::delta::{
    BlockDelta, BlockKind, Payload, Piece, WholeCall, WholePlace, WholeText,
};
use apex_parts_wire::READS_PROVIDERS;
use serde_json::Value;
use std::ops::Range;

/// Resets of a response resend at most so many times what it holds; what is beyond that waits for its end.
const MOST_RESENT: usize = 4;

/// How a whole text compares with what was read of it.
enum Fit<'a> {
    /// It is the same.
    Same,
    /// It has this more.
    More(Piece<'a>),
    /// It is another one.
    Other,
}

/// Compares a whole text with what was read of it.
fn fit<'a>(read: &Text, whole: &'a str) -> Fit<'a> {
    let mut rest = whole;
    for block in read.blocks() {
        match rest.strip_prefix(block) {
            Some(more) => rest = more,
            None => return Fit::Other,
        }
    }
    let Some(high) = read.high() else {
        return if rest.is_empty() { Fit::Same } else { Fit::More(rest.into()) };
    };
    // The other half of a character that was cut in two comes first.
    let mut units = [0; 2];
    let first = rest.chars().next().map(|c| (c, c.encode_utf16(&mut units)));
    match first {
        Some((c, [one, two])) if *one == high => {
            let text = rest.get(c.len_utf8()..).unwrap_or_default().into();
            Fit::More(Piece { low: Some(*two), text, high: None })
        }
        _ => Fit::Other,
    }
}

/// Are these JSON texts of the same value, as `JSON.parse` reads them?
fn is_same_value(a: &str, b: &str) -> bool {
    let read = |json: &str| record::tree(json.trim_ascii(), record::MAX_DEPTH).ok();
    a == b || read(a).zip(read(b)).is_some_and(|(a, b)| same(&a, &b))
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|((name, a), (other, b))| name == other && same(a, b))
        }
        (a, b) => a == b,
    }
}

/// The kind of a part of text.
fn kind_of(part: &StreamedPart) -> Option<BlockKind> {
    match part.body {
        Body::Text(_) => Some(BlockKind::Text),
        Body::Thinking(_) => Some(BlockKind::Thinking),
        _ => None,
    }
}

fn is_plain_thinking(part: &StreamedPart) -> bool {
    matches!(part.body, Body::Thinking(_)) && part.block().is_none()
}

fn new_text(kind: BlockKind, text: &str) -> Body {
    let mut body = Text::default();
    body.append(&Piece::from(text));
    if kind == BlockKind::Text { Body::Text(body) } else { Body::Thinking(body) }
}

impl Assembler {
    /// Takes a whole text. What it has beyond what was read is appended; another text waits for [`Assembler::settle`].
    #[inline(never)] // off the path of pieces
    pub(crate) fn whole_text(
        &mut self,
        whole: &WholeText<'_>,
        now: i64,
        offset: Option<u64>,
    ) -> Result<(), Violation> {
        let segments: Vec<_> = whole.texts.iter().filter(|(_, text)| !text.is_empty()).collect();
        let Some(parts) = self.parts_of_block(whole, segments.first().map(|first| first.0)) else {
            return Ok(());
        };
        if segments.is_empty() || (parts.start as u64) < self.corrections.unknown {
            return Ok(());
        }
        let mut at = 0;
        let mut more = None;
        for (index, (kind, text)) in parts.clone().zip(&segments) {
            let Some(part) = self.parts.get(index).filter(|part| kind_of(part) == Some(*kind))
            else {
                break;
            };
            match fit(part.text(), text) {
                Fit::Same => at += 1,
                Fit::More(piece) if at + 1 == parts.len() => {
                    more = Some((index, piece));
                    at += 1;
                    break;
                }
                Fit::More(_) | Fit::Other => break,
            }
        }
        let rest = segments.get(at..).unwrap_or_default();
        let has_other = at < parts.len();
        if has_other || !rest.is_empty() && parts.end < self.parts.len() {
            if let Some((index, piece)) = more {
                self.append(index, &piece, now)?;
            }
            if has_other {
                let what = format!(
                    "the whole text of {:?} is not what its pieces were: it replaces them",
                    whole.item
                );
                self.warn("final", &what, offset);
            }
            return self.correct(Correction {
                part: (parts.start + at) as u64,
                count: (parts.len() - at) as u64,
                texts: rest.iter().map(|(_, text)| text.to_string()).collect(),
                kinds: rest
                    .iter()
                    .map(|(kind, _)| u64::from(*kind == BlockKind::Thinking))
                    .collect(),
                ..Correction::default()
            });
        }
        if let Some((index, piece)) = more {
            self.append(index, &piece, now)?;
        }
        for (kind, text) in rest {
            let piece = Piece::from(&**text);
            let payload = match kind {
                BlockKind::Text => Payload::Text(piece),
                BlockKind::Thinking => Payload::Thinking(piece),
            };
            self.apply_next(&payload, now)?;
        }
        Ok(())
    }

    /// The parts that a block of text has become; `first` is the kind that it begins with now. `None` if there is none.
    fn parts_of_block(
        &self,
        whole: &WholeText<'_>,
        first: Option<BlockKind>,
    ) -> Option<Range<usize>> {
        let known = self.blocks.get(&block_key(whole.kind, &whole.block));
        let anchor = match known {
            Some(index) => index_of(*index),
            // All that was read of it is reasoning between tags.
            None if whole.is_split && self.parts.last().is_some_and(is_plain_thinking) => {
                self.parts.len() - 1
            }
            None => return None,
        };
        if !whole.is_split {
            return Some(anchor..anchor + 1);
        }
        let mut range = anchor..anchor + 1;
        let before = anchor.checked_sub(1).and_then(|index| self.parts.get(index));
        if known.is_some()
            && first == Some(BlockKind::Thinking)
            && before.is_some_and(is_plain_thinking)
        {
            range.start -= 1;
        }
        while let Some(next) = self.parts.get(range.end)
            && kind_of(next).is_some()
            && next.block().is_none()
        {
            range.end += 1;
        }
        Some(range)
    }

    /// Takes the whole arguments of a call, and its name.
    #[inline(never)] // off the path of pieces
    pub(crate) fn whole_call(
        &mut self,
        whole: &WholeCall<'_>,
        now: i64,
        offset: Option<u64>,
    ) -> Result<(), Violation> {
        let Some(index) = self.calls.get(&*whole.id).copied() else { return Ok(()) };
        let Some(call) = self.parts.get(index).and_then(StreamedPart::call) else { return Ok(()) };
        if (index as u64) < self.corrections.unknown {
            return Ok(());
        }
        let name = whole.name.as_deref().filter(|name| !name.is_empty() && **name != *call.name);
        let read = call.raw.to_str();
        let head = read.get(..whole.head).unwrap_or_default();
        let args = [head, &*whole.args].concat();
        let tail = &*whole.tail;
        let fit = fit(&call.raw, &args);
        let is_same = matches!(fit, Fit::Same)
            || is_same_value(&[&*read, tail].concat(), &[&*args, tail].concat());
        if is_same && name.is_none() {
            return Ok(());
        }
        if let (Fit::More(piece), true, None) = (&fit, call.is_open(), name) {
            let id = call.id.clone();
            let args = Payload::ToolCallArgs { id: (&*id).into(), text: piece.clone() };
            return self.apply_next(&args, now);
        }
        if whole.is_usual {
            let (id, read) = (call.id.to_string(), read.into_owned());
            let before = name.map(|_| call.name.to_string());
            self.end_meta.note_input(id, read, before);
        } else if !matches!(fit, Fit::More(_)) {
            let item = match whole.item == whole.id {
                true => String::new(),
                false => format!(", item {:?},", whole.item),
            };
            let what = format!(
                "the whole arguments of the call {:?}{item} are not what their pieces were: they replace them",
                whole.id
            );
            self.warn("final", &what, offset);
        }
        let args = if is_same {
            self.parts.get(index).map(|part| part.text().to_str().into_owned()).unwrap_or_default()
        } else {
            // The tail has come by the end of the record.
            args + tail
        };
        let name = name.unwrap_or_default().to_owned();
        let part = index as u64;
        self.correct(Correction { part, is_call: true, name, args, ..Correction::default() })
    }

    /// Appends to a text, which may not be the last part.
    fn append(&mut self, index: usize, piece: &Piece<'_>, now: i64) -> Result<(), Violation> {
        let Some(part) = self.parts.get(index) else { return Ok(()) };
        let block = part.block().map(str::to_owned);
        let payload = match (kind_of(part), block) {
            (Some(kind), Some(block)) => Payload::Block(Box::new(BlockDelta {
                kind,
                text: piece.clone(),
                block: Some(block.into()),
                provider: None,
            })),
            (Some(BlockKind::Text), None) => Payload::Text(piece.clone()),
            (Some(BlockKind::Thinking), None) => Payload::Thinking(piece.clone()),
            (None, _) => return Ok(()),
        };
        self.apply_next(&payload, now)
    }

    /// Applies a payload as the delta that follows the last one.
    fn apply_next(&mut self, payload: &Payload<'_>, now: i64) -> Result<(), Violation> {
        let seq = self.next_seq();
        self.apply(seq, payload, DeltaTime::Ms(now))?;
        self.last_seq = Some(seq);
        Ok(())
    }

    /// Keeps a correction until the end of the record. One of the same parts takes the place of another.
    fn correct(&mut self, correction: Correction) -> Result<(), Violation> {
        self.hold(correction.size())?;
        let key = correction.key();
        let before = self.corrections.waiting.get(key).map_or(0, Correction::size);
        self.corrections.waiting.insert(key, correction);
        self.held = self.held.saturating_sub(before);
        Ok(())
    }

    /// New parts from here on stand before this one; or, with `None`, where they stood before.
    #[inline(never)] // off the path of pieces
    pub(crate) fn place(&mut self, place: Option<&WholePlace<'_>>) {
        let Corrections { moving, moves, .. } = &mut self.corrections;
        let next = self.parts.len();
        if let Some((from, before)) = moving.last_mut() {
            if let Some(before) = before.filter(|_| *from < next) {
                moves.push(Move { parts: *from..next, before });
            }
            *from = next;
        }
        let Some(place) = place else {
            moving.pop();
            if let Some((from, _)) = moving.last_mut() {
                *from = next;
            }
            return;
        };
        let before = match place {
            WholePlace::Block { kind, block } => {
                self.blocks.get(&block_key(*kind, block)).map(|index| index_of(*index))
            }
            WholePlace::Call { id } => self.calls.get(&**id).copied(),
            WholePlace::Custom { name, block } => {
                self.blocks.get(&custom_key(name, block)).map(|index| index_of(*index))
            }
        };
        moving.push((next, before));
    }

    /// A record has been read, or with `is_end` the response ends: makes the corrections that wait, as one `reset` and
    /// the parts behind it again.
    #[inline(always)] // of nearly all records nothing is to be corrected
    pub(crate) fn settle(&mut self, now: i64, is_end: bool) {
        if READS_PROVIDERS && self.corrections.has_any() {
            self.settle_all(now, is_end);
        }
    }

    #[inline(never)]
    fn settle_all(&mut self, now: i64, is_end: bool) {
        while !self.corrections.moving.is_empty() {
            self.place(None);
        }
        let Corrections { waiting, is_full, moves, resent, .. } = &mut self.corrections;
        let may_wait = !is_end && moves.is_empty();
        if may_wait && *is_full {
            return;
        }
        let keys = waiting.numbers();
        let waits = keys.iter().filter_map(|key| waiting.get(*key));
        let firsts = waits.clone().next().map(Correction::index).into_iter();
        let Some(first) = firsts.chain(moves.iter().map(|one| one.before)).min() else { return };
        let size: usize = self.parts.iter().skip(first).map(StreamedPart::size).sum();
        let size = (size + waits.map(Correction::size).sum::<usize>()) as u64;
        *is_full = *resent + size > self.held.saturating_mul(MOST_RESENT) as u64;
        if may_wait && *is_full {
            return;
        }
        *resent += size;
        let (mut waiting, moves) = (std::mem::take(waiting), std::mem::take(moves));
        let waiting = std::iter::from_fn(|| waiting.pop()).collect();
        let reported = self.parts.iter().take_while(|part| part.reported.added).count();
        let since = self.parts.get(first).map_or(i64::MIN, |part| part.seq);
        self.write_taken(first);
        self.log.cut(first);
        let seq = self.next_seq();
        self.last_seq = Some(seq);
        self.log.add(LogContent::Reset { since, left: first }, seq, DeltaTime::Ms(now));
        let rebuilt = Rebuilt::of(self.parts.drain(first..).collect(), first, waiting, &moves);
        let Rebuilt { parts, map, released, changed_from, changed_calls } = rebuilt;
        self.held = self.held.saturating_sub(released);
        self.parts.extend(parts);
        self.renumber(first, &map);
        // The last one is removed first, so that each index is that of a part.
        self.removed.extend((changed_from..reported).rev());
        self.changes_after(first, changed_from, &changed_calls);
        // A step begins with the first part that came in it.
        let step = self.step;
        let mut in_step = None;
        for index in first..self.parts.len() {
            let before = self.parts.get(index).map_or(0, |part| part.seq);
            if in_step.is_none() && step.is_some_and(|step| before >= step) {
                in_step = Some(self.next_seq());
            }
            self.log_again(index, now);
        }
        if step.is_some_and(|step| step > since) {
            self.step = in_step.or(Some(self.next_seq()));
        }
    }

    pub(crate) fn next_seq(&self) -> i64 {
        self.last_seq.map_or(1, |last| last.saturating_add(1))
    }

    /// The parts from `first` on have other numbers.
    fn renumber(&mut self, first: usize, map: &[usize]) {
        let moved = |index: usize| match index.checked_sub(first) {
            Some(at) => map.get(at).copied().unwrap_or(index),
            None => index,
        };
        if map.iter().zip(first..).any(|(new, old)| *new != old) {
            self.calls.values_mut().for_each(|index| *index = moved(*index));
            for index in self.blocks.values_mut() {
                *index = moved(index_of(*index)) as u64;
            }
            // They are in order.
            let mut is_unclosed = vec![false; self.parts.len()];
            for index in &self.unclosed {
                if let Some(is_unclosed) = is_unclosed.get_mut(moved(*index)) {
                    *is_unclosed = true;
                }
            }
            let numbered = is_unclosed.iter().enumerate();
            self.unclosed = numbered.filter(|(_, is)| **is).map(|(index, _)| index).collect();
            self.end_meta.move_places(&moved);
        }
        self.last_call = 0;
        self.measured = Measured::default();
    }

    /// What a screen has to draw again: from one part on everything, before it only calls.
    fn changes_after(&mut self, first: usize, from: usize, calls: &[usize]) {
        self.changed.retain(|index| *index < first);
        for index in first..self.parts.len() {
            let Some(part) = self.parts.get_mut(index) else { continue };
            let was_changed = std::mem::take(&mut part.reported.changed);
            if index >= from {
                part.reported = ReportedState::default();
            } else if calls.binary_search(&index).is_ok() {
                part.reported.set = part.reported.added;
            } else if !was_changed {
                continue;
            }
            self.touch(index);
        }
    }

    /// Logs a part as if it came now.
    fn log_again(&mut self, index: usize, now: i64) {
        let when = DeltaTime::Ms(now);
        let first = self.next_seq();
        let turn = self.log.turn;
        let was_unclosed = self.unclosed.binary_search(&index).is_ok();
        let Some(part) = self.parts.get_mut(index) else { return };
        part.seq = first;
        part.half = None;
        let state = part.state().is_some_and(|state| state.size() > 0);
        let (from, to, high) = (0, part.text().len(), part.text().high());
        let grown = Grown { part: index, from, to, high, state };
        let has_text = to > 0 || high.is_some();
        let entries: &[LogContent] = &match &part.body {
            Body::Text(_) | Body::Thinking(_) if part.block().is_some() => {
                vec![LogContent::Begin(grown)]
            }
            Body::Text(_) | Body::Thinking(_) if has_text => vec![LogContent::Grow(grown)],
            Body::Text(_) | Body::Thinking(_) => {
                vec![LogContent::State { part: index, named: false }]
            }
            Body::Custom(_) => vec![LogContent::Custom { part: index }],
            Body::Call(call) => {
                let mut all = vec![LogContent::Call { part: index, state: part.state().is_some() }];
                if has_text {
                    all.push(LogContent::Grow(Grown { state: false, ..grown }));
                }
                if !call.is_open() && !was_unclosed {
                    all.push(LogContent::CallEnd { part: index, state: false });
                }
                all
            }
        };
        if let Body::Custom(_) = part.body {
            let extra: &mut PartExtra = part.extra.get_or_insert_default();
            extra.logged = turn;
        }
        for (entry, seq) in entries.iter().zip(first..) {
            self.log.add(entry.clone(), seq, when);
            self.last_seq = Some(seq);
        }
    }
}

/// The parts from one on, after corrections.
struct Rebuilt {
    parts: Vec<StreamedPart>,
    /// The new number of each.
    map: Vec<usize>,
    /// The bytes that are held no more.
    released: usize,
    /// From this number on, parts are others than before.
    changed_from: usize,
    /// The numbers of calls that changed.
    changed_calls: Vec<usize>,
}

impl Rebuilt {
    fn of(
        old: Vec<StreamedPart>,
        first: usize,
        corrections: Vec<Correction>,
        moves: &[Move],
    ) -> Rebuilt {
        let mut slots: Vec<Option<StreamedPart>> = old.into_iter().map(Some).collect();
        let mut rebuilt = Rebuilt {
            parts: Vec::with_capacity(slots.len()),
            map: vec![first; slots.len()],
            released: 0,
            changed_from: usize::MAX,
            changed_calls: Vec::new(),
        };
        // The moves that end before a part, and which parts move.
        let mut places: Vec<Vec<&Move>> = slots.iter().map(|_| Vec::new()).collect();
        let mut is_moved = vec![false; slots.len()];
        for one in moves {
            if let Some(place) = places.get_mut(one.before - first) {
                place.push(one);
            }
            let parts = &one.parts;
            for moved in is_moved.iter_mut().take(parts.end - first).skip(parts.start - first) {
                *moved = true;
            }
        }
        let mut corrections = corrections.into_iter().peekable();
        for index in first..first + slots.len() {
            for one in places.get(index - first).into_iter().flatten() {
                let at = first + rebuilt.parts.len();
                rebuilt.changed_from = rebuilt.changed_from.min(at);
                for moved in one.parts.clone() {
                    rebuilt.keep(&mut slots, first, moved);
                }
            }
            while let Some(one) = corrections.next_if(|one| one.index() == index) {
                rebuilt.correct(&mut slots, first, one);
            }
            if is_moved.get(index - first) != Some(&true) {
                rebuilt.keep(&mut slots, first, index);
            }
        }
        rebuilt
    }

    /// Takes a part over.
    fn keep(&mut self, slots: &mut [Option<StreamedPart>], first: usize, index: usize) {
        let at = first + self.parts.len();
        let Some(part) = slots.get_mut(index - first).and_then(Option::take) else { return };
        if let Some(place) = self.map.get_mut(index - first) {
            *place = at;
        }
        self.parts.push(part);
    }

    /// Takes parts over with a correction.
    fn correct(
        &mut self,
        slots: &mut [Option<StreamedPart>],
        first: usize,
        correction: Correction,
    ) {
        let at = first + self.parts.len();
        let start = correction.index() - first;
        if correction.is_call {
            let Some(part) = slots.get_mut(start).and_then(Option::as_mut) else { return };
            self.released += part.text().len();
            let Some(call) = part.call_mut() else { return };
            let Correction { name, args, .. } = correction;
            if !name.is_empty() {
                self.released += call.name.len();
                call.name = name.into();
            }
            let is_open = call.is_open();
            call.raw = Text::default();
            call.raw.append(&Piece::from(args.as_str()));
            call.state = CallState::Open(Box::default());
            call.feed_since(0);
            if !is_open {
                call.end();
            }
            self.changed_calls.push(at);
            return;
        }
        self.changed_from = self.changed_from.min(at);
        let end = start + index_of(correction.count);
        let mut gone: Vec<_> =
            (start..end).filter_map(|index| slots.get_mut(index)?.take()).collect();
        self.released += gone.iter().map(|part| part.text().len()).sum::<usize>();
        // The first of a kind keeps what its part has beside the text.
        for (text, kind) in correction.texts.iter().zip(&correction.kinds) {
            let kind = if *kind == 0 { BlockKind::Text } else { BlockKind::Thinking };
            let body = new_text(kind, text);
            let known = gone.iter().position(|part| kind_of(part) == Some(kind));
            let part = match known {
                Some(index) => StreamedPart { body, ..gone.remove(index) },
                None => StreamedPart::new(body, 0, None),
            };
            self.parts.push(part);
        }
        for place in self.map.iter_mut().take(end).skip(start) {
            *place = at;
        }
    }
}
