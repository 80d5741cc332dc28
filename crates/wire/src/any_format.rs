//! A format without its type, so that the reader of all formats is compiled once, not once a format.

use super::provider_format::ProviderFormat;
use super::reader::Sink;
use crate::providers::response_id::RecordOwner;
use apex_parts_json::record::Val;
use apex_parts_json::saved::Saved;
use apex_parts_model::Violation;
use std::borrow::Cow;

/// The constants of a [`ProviderFormat`] that readers need.
#[derive(Clone, Copy)]
pub(crate) struct FormatTraits {
    pub(crate) name: &'static str,
    pub(crate) also_read: &'static str,
    pub(crate) error_type_first: bool,
    pub(crate) begins: bool,
    pub(crate) padding: &'static str,
    pub(crate) args_alike: bool,
}

/// A [`ProviderFormat`]: each method is the one of the same name.
pub(crate) trait AnyFormat: Saved {
    fn traits(&self) -> FormatTraits;
    fn owns(&self, event: &str, root: Val<'_>) -> bool;
    fn reads(&self, root: Val<'_>) -> bool;
    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool;
    fn rewritten(&self, root: Val<'_>) -> Option<String>;
    fn inner<'a>(&mut self, root: Val<'a>, out: &mut Sink<'_>) -> Option<Val<'a>>;
    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation>;
    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>);
    fn error_of<'a>(&self, event: &str, root: Val<'a>) -> Option<Val<'a>>;
    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>);
    fn failed_id(&self) -> &str;
    fn begins(&self, event: &str, root: Val<'_>, failed: &str) -> bool;
    fn done(&mut self, out: &mut Sink<'_>);
    fn end(&mut self, out: &mut Sink<'_>);
    fn held(&self) -> u64;
    fn drop_held(&mut self);
    fn id_of<'a>(&self, root: Val<'a>) -> Cow<'a, str>;
    fn turn(&mut self, event: &str, root: Val<'_>) -> RecordOwner;
    fn distrust(&mut self);
    fn open_id(&self) -> &str;
    fn cut(&mut self, out: &mut Sink<'_>);
}

impl<S: ProviderFormat> AnyFormat for S {
    fn traits(&self) -> FormatTraits {
        FormatTraits {
            name: S::NAME,
            also_read: S::ALSO_READ,
            error_type_first: S::ERROR_TYPE_FIRST,
            begins: S::BEGINS,
            padding: S::PADDING,
            args_alike: S::ARGS_ALIKE,
        }
    }
    fn owns(&self, event: &str, root: Val<'_>) -> bool {
        S::owns(event, root)
    }
    fn reads(&self, root: Val<'_>) -> bool {
        S::reads(root)
    }
    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        ProviderFormat::fast_path(self, event, json, out)
    }
    fn rewritten(&self, root: Val<'_>) -> Option<String> {
        S::rewritten(root)
    }
    fn inner<'a>(&mut self, root: Val<'a>, out: &mut Sink<'_>) -> Option<Val<'a>> {
        ProviderFormat::inner(self, root, out)
    }
    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        ProviderFormat::check(self, event, root)
    }
    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        ProviderFormat::apply(self, event, root, out);
    }
    fn error_of<'a>(&self, event: &str, root: Val<'a>) -> Option<Val<'a>> {
        S::error_of(event, root)
    }
    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        ProviderFormat::fail(self, root, out);
    }
    fn failed_id(&self) -> &str {
        ProviderFormat::failed_id(self)
    }
    fn begins(&self, event: &str, root: Val<'_>, failed: &str) -> bool {
        S::begins(event, root, failed)
    }
    fn done(&mut self, out: &mut Sink<'_>) {
        ProviderFormat::done(self, out);
    }
    fn end(&mut self, out: &mut Sink<'_>) {
        ProviderFormat::end(self, out);
    }
    fn held(&self) -> u64 {
        ProviderFormat::held(self)
    }
    fn drop_held(&mut self) {
        ProviderFormat::drop_held(self);
    }
    fn id_of<'a>(&self, root: Val<'a>) -> Cow<'a, str> {
        S::id_of(root)
    }
    fn turn(&mut self, event: &str, root: Val<'_>) -> RecordOwner {
        ProviderFormat::turn(self, event, root)
    }
    fn distrust(&mut self) {
        ProviderFormat::distrust(self);
    }
    fn open_id(&self) -> &str {
        ProviderFormat::open_id(self)
    }
    fn cut(&mut self, out: &mut Sink<'_>) {
        ProviderFormat::cut(self, out);
    }
}
