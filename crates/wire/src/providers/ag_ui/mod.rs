//! The events of AG-UI.

mod format;

pub(crate) use format::AgUi;
