//! Which containers of a value are open.

/// The containers that are open, from the outside in: true for an object. Most values nest less than
/// 64 levels deep, which takes no allocation.
#[derive(Default)]
pub(crate) struct OpenContainers {
    pub(crate) depth: usize,
    /// The innermost of the first 64 levels is the lowest bit.
    near: u64,
    deep: Vec<bool>,
}

impl OpenContainers {
    const NEAR: usize = 64;

    pub(crate) fn push(&mut self, is_object: bool) {
        if self.depth < OpenContainers::NEAR {
            self.near = (self.near << 1) | u64::from(is_object);
        } else {
            self.deep.push(is_object);
        }
        self.depth += 1;
    }

    pub(crate) fn pop(&mut self) {
        if self.depth > OpenContainers::NEAR {
            self.deep.pop();
        } else {
            self.near >>= 1;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    pub(crate) fn last(&self) -> Option<bool> {
        match self.depth {
            0 => None,
            depth if depth > OpenContainers::NEAR => self.deep.last().copied(),
            _ => Some(self.near & 1 == 1),
        }
    }
}
