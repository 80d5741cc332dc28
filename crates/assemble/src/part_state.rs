//! What deltas say of a part beyond text and arguments: blocks of text, state of providers, custom parts, and
//! parts that are taken back.

use super::delta_time::DeltaTime;
use super::log::{Grown, LogContent, TakenEntry};
use super::part::{Body, Measured, PartExtra, StreamedCustom, StreamedPart};
use super::provider_state;
use super::state::Assembler;
use apex_parts_json::saved::Numbering;
use apex_parts_json::text::Text;
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockDelta, BlockKind};
use apex_parts_model::order;

/// The name of a block, which is JSON text, among those of all kinds.
pub(crate) fn block_key(kind: BlockKind, block: &str) -> String {
    let kind = if kind == BlockKind::Text { "text" } else { "thinking" };
    [kind, block].concat()
}

/// The name of a block of custom parts of a type.
pub(crate) fn custom_key(name: &str, block: &str) -> String {
    format!("custom{} {name}{block}", name.len())
}

/// An index that was a number of a [`Numbering`].
pub(crate) fn index_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The blocks of the parts before this one.
pub(crate) fn blocks_before(blocks: &Numbering, part: usize) -> Numbering {
    order::inserted(blocks.iter().filter(|(_, index)| index_of(**index) < part).map(own))
}

fn own<K: Clone, V: Copy>((key, value): (&K, &V)) -> (K, V) {
    (key.clone(), *value)
}

impl Assembler {
    /// The state of a delta, which has its form.
    pub(crate) fn checked<'a>(
        &self,
        provider: Option<&'a str>,
    ) -> Result<Option<&'a str>, Violation> {
        if let Some(json) = provider {
            // Its record was within the limit; a reader puts the record's values a few levels deeper.
            provider_state::check(json, self.settings.max_depth.saturating_add(8))?;
        }
        Ok(provider)
    }

    /// Takes state over into a part. Its bytes are held already; those of values that it replaces are released.
    pub(crate) fn merge_state(&mut self, index: usize, provider: Option<&str>) {
        let (Some(json), Some(part)) = (provider, self.parts.get_mut(index)) else { return };
        part.reported.set = part.reported.added;
        let state = &mut part.extra.get_or_insert_default().state;
        let before = state.size();
        state.merge(json);
        let released = (json.len() + before).saturating_sub(state.size());
        self.held = self.held.saturating_sub(released);
        self.touch(index);
    }

    /// DC-5: text of a block goes to the part of the block, else to the last part if that is of its kind.
    pub(crate) fn block(
        &mut self,
        delta: &BlockDelta<'_>,
        seq: i64,
        when: DeltaTime<'_>,
    ) -> Result<(), Violation> {
        let BlockDelta { kind, text: piece, block, provider } = delta;
        let (block, provider) = (block.as_deref(), self.checked(provider.as_deref())?);
        let is_kind = |part: &StreamedPart| match part.body {
            Body::Text(_) => *kind == BlockKind::Text,
            Body::Thinking(_) => *kind == BlockKind::Thinking,
            _ => false,
        };
        let known = match block {
            Some(block) => self.blocks.get(&block_key(*kind, block)).map(|at| index_of(*at)),
            None => self.parts.last().filter(|part| is_kind(part)).map(|_| self.parts.len() - 1),
        };
        let own = if known.is_none() { block.map_or(0, str::len) } else { 0 };
        let text = piece.text.len() + usize::from(piece.low.is_some()) * 4;
        self.hold(own + text + provider.map_or(0, str::len))?;
        let index = known.unwrap_or_else(|| {
            let body = if *kind == BlockKind::Text { Body::Text } else { Body::Thinking };
            self.add(body(Text::default()), seq, when.ms())
        });
        if let (None, Some(block), Some(part)) = (known, block, self.parts.get_mut(index)) {
            let extra: &mut PartExtra = part.extra.get_or_insert_default();
            extra.block = Some(block.into());
            self.blocks.insert(block_key(*kind, block), index as u64);
            let begun = Grown { part: index, from: 0, to: 0, high: None, state: false };
            self.log.add(LogContent::Begin(begun), seq, when);
        }
        let is_last = index + 1 == self.parts.len();
        let is_empty = text == 0 && piece.high.is_none();
        if let Some(part) = self.parts.get_mut(index).filter(|_| !is_empty)
            && let Body::Text(text) | Body::Thinking(text) = &mut part.body
        {
            let from = text.len();
            text.append(piece);
            self.log.grow(index, from, text, seq, when);
            if !is_last {
                part.ended = when.ms().or(part.ended);
            }
        }
        if provider.is_some() {
            self.merge_state(index, provider);
            let named = self.parts.get(index).is_some_and(|part| part.block().is_some());
            self.log.note_state(index, named, seq, when);
        } else if known.is_none() && block.is_none() {
            // A part without text and state: only the delta itself says that it is there.
            self.log.add(LogContent::State { part: index, named: false }, seq, when);
        }
        self.touch(index);
        Ok(())
    }

    /// DC-7: the call has ended; or more of its state comes after that.
    pub(crate) fn call_end(
        &mut self,
        id: &str,
        provider: Option<&str>,
        seq: i64,
        when: DeltaTime<'_>,
    ) -> Result<(), Violation> {
        let state = provider.is_some();
        let what = match self.open_call(id) {
            Ok(part) => LogContent::CallEnd { part, state },
            Err(violation) => match self.calls.get(id).filter(|_| state) {
                Some(part) => LogContent::State { part: *part, named: true },
                None => return Err(violation),
            },
        };
        let Some(index) = what.part() else { return Ok(()) };
        self.hold(provider.map_or(0, str::len))?;
        if matches!(what, LogContent::CallEnd { .. }) {
            self.end_call(index, when.ms());
        }
        self.merge_state(index, provider);
        self.log.add(what, seq, when);
        Ok(())
    }

    /// A part that no other kind describes; or, if there is a part of its type and block, more of that one (W-74).
    pub(crate) fn custom(
        &mut self,
        name: &str,
        block: Option<&str>,
        provider: &str,
        seq: i64,
        when: DeltaTime<'_>,
    ) -> Result<(), Violation> {
        let provider = self.checked(Some(provider))?;
        let key = block.map(|block| custom_key(name, block));
        let known = key.as_ref().and_then(|key| self.blocks.get(key)).map(|at| index_of(*at));
        let own = if known.is_none() { name.len() + block.map_or(0, str::len) } else { 0 };
        self.hold(own + provider.map_or(0, str::len))?;
        let index = known
            .unwrap_or_else(|| self.add(Body::Custom(StreamedCustom::new(name)), seq, when.ms()));
        self.merge_state(index, provider);
        let Some(part) = self.parts.get_mut(index) else { return Ok(()) };
        let extra: &mut PartExtra = part.extra.get_or_insert_default();
        if let (None, Some(block), Some(key)) = (known, block, key) {
            extra.block = Some(block.into());
            self.blocks.insert(key, index as u64);
        }
        // What was not taken yet is written with the state that the part has by then.
        if extra.logged != self.log.turn || !self.log.kept {
            extra.logged = self.log.turn;
            self.log.add(LogContent::Custom { part: index }, seq, when);
        }
        self.touch(index);
        Ok(())
    }

    /// Takes back the parts that began at this `seq` or later, with their calls and the results of these.
    pub(crate) fn reset(&mut self, since: i64, seq: i64, when: DeltaTime<'_>) {
        let from = self.parts.partition_point(|part| part.seq < since);
        // In a log, where deltas are joined, this part begins with its number or a later one, and each part
        // before it with an earlier one.
        let since = self.parts.get(from).map_or(seq, |first| first.seq);
        self.write_taken(from);
        self.log.cut(from);
        self.log.add(LogContent::Reset { since, left: from }, seq, when);
        let mut released = 0;
        let before = self.removed.len();
        for (index, part) in (from..).zip(self.parts.drain(from..)) {
            released += part.size();
            if part.reported.added {
                self.removed.push(index);
            }
        }
        // The last one is removed first, so that each index is that of a part.
        self.removed.get_mut(before..).unwrap_or_default().reverse();
        // Maps are built again: to remove from them would be code for this alone.
        let calls = std::mem::take(&mut self.calls);
        self.calls = order::inserted(calls.iter().filter(|(_, index)| **index < from).map(own));
        if calls.len() > self.calls.len() {
            let is_kept = |id: &str| self.calls.contains_key(id) || !calls.contains_key(id);
            released += self.end_meta.forget_results(&is_kept);
        }
        self.held = self.held.saturating_sub(released);
        self.blocks = blocks_before(&self.blocks, from);
        self.changed.retain(|index| *index < from);
        self.last_call = 0;
        self.measured = Measured::default();
        // The last part that is left was closed by the next one, of which a log may have nothing.
        if self.parts.last().is_some_and(StreamedPart::closes) {
            self.close(from.wrapping_sub(1), when.ms());
        }
    }

    /// What was taken of parts that go is kept as it was written.
    pub(crate) fn write_taken(&mut self, from: usize) {
        let Some(mut taken) = self.log.taken.take() else { return };
        for TakenEntry { entry, half } in &mut taken {
            if entry.what.part().is_some_and(|part| part >= from) {
                let mut line = String::new();
                self.write_entry(entry, *half, &mut line);
                entry.what = LogContent::Written(line.into());
            }
        }
        self.log.taken = Some(taken);
    }
}
