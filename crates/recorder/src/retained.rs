//! Values that outlive a call.

use apex_parts_model::{Build, Owned};

/// A value that outlives a call: natively the value itself, in a host a reference to it.
pub trait Retained: Clone {
    /// The value as rules read and build it, for the length of one call.
    type View: Build;
    /// A view of the value, to read it or to put it into another value.
    fn view(&self) -> Self::View;
    /// Keeps the value of a view.
    fn keep(view: &Self::View) -> Self;
}

impl Retained for Owned {
    type View = Owned;
    fn view(&self) -> Owned {
        self.clone()
    }
    fn keep(view: &Owned) -> Owned {
        view.clone()
    }
}
