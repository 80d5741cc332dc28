//! What a provider sent with a part besides its text, by the key of the provider: `payload.provider` of deltas
//! and parts, `metadata` of parts.

use apex_parts_json::record;
use apex_parts_json::saved::Numbering;
use apex_parts_json::text::Text;
use apex_parts_json::writer::{ObjectWriter, object, text};
use apex_parts_model::Violation;

/// State of more providers than this is refused.
const MAX_KEYS: usize = 16;
/// A provider with more fields has an index of them.
const FEW: usize = 16;
/// The field beside the keys that says that the provider ran the call itself.
pub(crate) const EXECUTED: &str = "providerExecuted";

/// State of providers: a field replaces an earlier one of its key and name. The order of keys and fields
/// is that of their first values.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProviderState {
    keys: Vec<KeyState>,
    /// The provider ran the call itself.
    pub(crate) executed: bool,
    /// The number of bytes of its names and values.
    size: usize,
}

/// The state of one key.
#[derive(Clone, Debug)]
struct KeyState {
    key: Box<str>,
    /// Names and values as JSON text.
    fields: Vec<(Box<str>, Box<str>)>,
    /// The indices of the fields, if they are many.
    index: Numbering,
    /// A list in place of fields, as JSON text.
    list: Option<Box<str>>,
}

/// The text of a call's arguments, kept beside them: the key, and the text.
pub(crate) type KeptArguments<'a> = Option<(&'static str, &'a Text)>;

/// Refuses what is not the JSON text of an object of objects and lists, nested up to `depth` levels.
pub(crate) fn check(json: &str, depth: usize) -> Result<(), Violation> {
    let wrong = |message: String| {
        let path = "/payload/provider".to_owned();
        Err(Violation { path, ..Violation::new("schema", message) })
    };
    let root = match record::read(json, depth) {
        Ok(root) if root.is_object() => root,
        Err(error) if error.is_limit() => {
            let message =
                format!("`payload.provider` is nested deeper than {depth} levels (`maxDepth`)");
            return Err(Violation::new("limit", message));
        }
        _ => return wrong("`payload.provider` must be an object".to_owned()),
    };
    let mut count = 0;
    for (key, value) in root.entries() {
        if key == EXECUTED && matches!(value.raw(), "true" | "false") {
            continue;
        }
        count += 1;
        if !value.is_object() && !value.is_array() {
            return wrong("a field of `payload.provider` must be an object or a list".to_owned());
        }
    }
    if count > MAX_KEYS {
        let message = format!("`payload.provider` has more than {MAX_KEYS} fields");
        return Err(Violation::new("limit", message));
    }
    Ok(())
}

/// Writes a field whose value is JSON text, if there is one.
pub(crate) fn json_field(out: &mut ObjectWriter<'_>, name: &'static str, json: Option<&str>) {
    if let Some(json) = json {
        out.key(name).push_str(json);
    }
}

impl ProviderState {
    /// The number of bytes that it counts for.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Takes over what was checked. Fields of further keys are left out if there are too many.
    pub(crate) fn merge(&mut self, json: &str) {
        let Ok(root) = record::read(json, usize::MAX) else { return };
        for (key, value) in root.entries() {
            if value.is_object() {
                let Some(at) = self.key(&key) else { continue };
                for (name, value) in value.entries() {
                    self.set(at, &name, value.json());
                }
            } else if value.is_array() {
                let Some(at) = self.key(&key) else { continue };
                self.set_list(at, value.json().into());
            } else {
                self.executed = value.is_true();
            }
        }
    }

    fn set_list(&mut self, key: usize, json: Box<str>) {
        let Some(known) = self.keys.get_mut(key) else { return };
        self.size += json.len();
        self.size -= known.list.replace(json).map_or(0, |old| old.len());
    }

    /// The index of a key, which is added if it is new.
    fn key(&mut self, key: &str) -> Option<usize> {
        if let Some(at) = self.keys.iter().position(|known| &*known.key == key) {
            return Some(at);
        }
        if self.keys.len() >= MAX_KEYS {
            return None;
        }
        self.size += key.len();
        self.keys.push(KeyState {
            key: key.into(),
            fields: Vec::new(),
            index: Numbering::new(),
            list: None,
        });
        Some(self.keys.len() - 1)
    }

    /// Sets a field of a key to JSON text.
    pub(crate) fn put(&mut self, key: &str, name: &str, json: String) {
        if let Some(key) = self.key(key) {
            self.set(key, name, json);
        }
    }

    fn set(&mut self, key: usize, name: &str, json: String) {
        let Some(KeyState { fields, index, .. }) = self.keys.get_mut(key) else { return };
        self.size += json.len();
        let known = if fields.len() > FEW {
            index.get(name).and_then(|at| usize::try_from(*at).ok())
        } else {
            fields.iter().position(|(known, _)| &**known == name)
        };
        if let Some((_, value)) = known.and_then(|at| fields.get_mut(at)) {
            self.size -= value.len();
            *value = json.into();
            return;
        }
        self.size += name.len();
        fields.push((name.into(), json.into()));
        if fields.len() > FEW {
            let indexed = index.len();
            for (at, (name, _)) in (0..).zip(&*fields).skip(indexed) {
                index.insert(name.to_string(), at);
            }
        }
    }

    /// The key under which the argument text of a call is kept; `None` if the call keeps none, because its item or its
    /// input does.
    pub(crate) fn arguments_key(&self) -> Option<&'static str> {
        let has_text = |known: &KeyState| {
            !known.fields.iter().any(|(name, _)| matches!(&**name, "item" | "custom" | "arguments"))
        };
        ["openai", "openaiCompatible"]
            .into_iter()
            .find(|key| self.keys.iter().any(|known| &*known.key == *key && has_text(known)))
    }

    /// A field of a key, as JSON text.
    pub(crate) fn field(&self, key: &str, name: &str) -> Option<&str> {
        let known = self.keys.iter().find(|known| &*known.key == key)?;
        known.fields.iter().find(|(known, _)| &**known == name).map(|(_, json)| &**json)
    }

    /// The same without a key.
    pub(crate) fn without(&self, key: &str) -> ProviderState {
        let mut state = self.clone();
        state.keys.retain(|known| &*known.key != key);
        state
    }

    /// Is there nothing to show?
    fn is_empty(&self) -> bool {
        !self.executed && self.keys.iter().all(|key| key.fields.is_empty() && key.list.is_none())
    }

    /// The state as JSON text, as a delta has it: a key without fields too.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.size + self.size / 16 + 32);
        object(&mut out, |out| self.write(out, None, true));
        out
    }

    /// Writes the fields of the state; of keys without fields if `all` says so.
    fn write(&self, out: &mut ObjectWriter<'_>, kept: KeptArguments<'_>, all: bool) {
        for KeyState { key, fields, list, .. } in &self.keys {
            if let Some(list) = list {
                out.foreign_key(key).push_str(list);
                continue;
            }
            let kept = kept.filter(|(of, _)| *of == &**key);
            if fields.is_empty() && kept.is_none() && !all {
                continue;
            }
            object(out.foreign_key(key), |out| {
                for (name, json) in fields {
                    out.foreign_key(name).push_str(json);
                }
                if let Some((_, arguments)) = kept {
                    text(out.key("arguments"), arguments);
                }
            });
        }
        if self.executed {
            out.bool(EXECUTED, true);
        }
    }
}

/// State of a part as it is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShownState<'a> {
    pub(crate) state: Option<&'a ProviderState>,
    pub(crate) kept: KeptArguments<'a>,
}

impl ShownState<'_> {
    /// Is there nothing to show?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_none() && self.state.is_none_or(ProviderState::is_empty)
    }

    /// The number of bytes of text in it.
    pub(crate) fn size(&self) -> usize {
        self.state.map_or(0, ProviderState::size) + self.kept.map_or(0, |(_, text)| text.len())
    }

    /// The state with that of a result, which was checked.
    pub(crate) fn with(&self, json: &str) -> ProviderState {
        let mut merged = self.state.cloned().unwrap_or_default();
        merged.merge(json);
        merged
    }

    /// Writes its fields.
    pub(crate) fn write_fields(&self, out: &mut ObjectWriter<'_>) {
        if let Some(state) = self.state {
            state.write(out, self.kept, false);
        }
    }

    /// Writes it as the field of this name, unless there is nothing to show.
    pub(crate) fn write(&self, out: &mut ObjectWriter<'_>, name: &'static str) {
        if !self.is_empty() {
            out.object(name, |out| self.write_fields(out));
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    fn state_of(json: &str) -> ProviderState {
        let mut state = ProviderState::default();
        state.merge(json);
        state
    }

    fn shown(state: &ProviderState) -> String {
        let mut out = String::new();
        object(&mut out, |out| state.write(out, None, false));
        out
    }

    #[test]
    fn a_later_value_replaces_an_earlier_one_in_its_place() {
        let mut state = state_of(r#"{"b":{"z":"1","a":[1.50]},"a":{}}"#);
        state.merge(r#"{"a":{"x":{"q":1}},"b":{"z":"2","n":null},"providerExecuted":true}"#);
        let want =
            r#"{"b":{"z":"2","a":[1.50],"n":null},"a":{"x":{"q":1}},"providerExecuted":true}"#;
        assert_eq!(shown(&state), want);
        assert_eq!(state.to_json(), want);
        let again = state_of(want);
        assert_eq!((again.to_json(), again.size()), (want.to_owned(), state.size()));
        let listed = state_of(r#"{"citations":[1],"a":{"b":1}}"#);
        assert_eq!(shown(&listed), listed.to_json());
        let mut listed = listed;
        listed.merge(r#"{"citations":[2,3]}"#);
        assert_eq!(shown(&listed), r#"{"citations":[2,3],"a":{"b":1}}"#);
    }

    #[test]
    fn many_fields_are_found_again() {
        let mut state = ProviderState::default();
        for round in 0..3 {
            for n in 0..100 {
                state.merge(&format!(r#"{{"k":{{"f{n}":{round}}}}}"#));
            }
        }
        let fields: Vec<String> = (0..100).map(|n| format!("\"f{n}\":2")).collect();
        assert_eq!(state.to_json(), format!(r#"{{"k":{{{}}}}}"#, fields.join(",")));
        assert_eq!(state.size(), 1 + 10 * 3 + 90 * 4);
    }

    #[test]
    fn a_key_without_fields_is_not_shown() {
        let state = state_of(r#"{"openai":{}}"#);
        assert!(state.is_empty());
        assert_eq!((shown(&state), state.to_json()), ("{}".into(), r#"{"openai":{}}"#.into()));
        assert_eq!(state.arguments_key(), Some("openai"));
        assert_eq!(state_of(r#"{"openai":{"item":{}}}"#).arguments_key(), None);
        assert_eq!(state_of(r#"{"google":{}}"#).arguments_key(), None);
    }

    #[test]
    fn state_is_an_object_of_objects() {
        for good in [
            "{}",
            r#"{"citations":[1]}"#,
            r#"{"a":{}}"#,
            r#"{"providerExecuted":false,"b":{"c":1}}"#,
        ] {
            assert!(check(good, 3).is_ok(), "{good}");
        }
        let many: Vec<String> = (0..17).map(|n| format!("\"{n}\":{{}}")).collect();
        let many = format!("{{{}}}", many.join(","));
        for (wrong, rule) in [
            ("", "schema"),
            ("[]", "schema"),
            ("{", "schema"),
            (r#"{"a":1}"#, "schema"),
            (r#"{"a":"x"}"#, "schema"),
            (r#"{"a":{}} x"#, "schema"),
            (r#"{"providerExecuted":1}"#, "schema"),
            (r#"{"a":{"b":{"c":{}}}}"#, "limit"),
            (&many, "limit"),
        ] {
            assert_eq!(check(wrong, 3).unwrap_err().rule, rule, "{wrong}");
        }
    }
}
