//! [`SharedText`]: a string that several messages or parts share.

use apex_parts_model::bytes::same;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

/// An immutable string; a clone shares its memory. An empty one takes none.
///
/// ```
/// use apex_parts_agents::log::SharedText;
///
/// let mut model = SharedText::default();
/// assert!(model.is_empty());
/// model.set("sonnet");
/// assert_eq!(&*model.clone(), "sonnet");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SharedText {
    text: Option<Rc<str>>,
}

impl SharedText {
    /// Makes it this text. It stays shared with others if it is this text already.
    pub fn set(&mut self, text: &str) {
        if !same(self.as_bytes(), text.as_bytes()) {
            *self = text.into();
        }
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> SharedText {
        SharedText { text: (!text.is_empty()).then(|| text.into()) }
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> SharedText {
        text.as_str().into()
    }
}

impl From<Cow<'_, str>> for SharedText {
    fn from(text: Cow<'_, str>) -> SharedText {
        (&*text).into()
    }
}

impl From<Rc<str>> for SharedText {
    fn from(text: Rc<str>) -> SharedText {
        SharedText { text: Some(text) }
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
