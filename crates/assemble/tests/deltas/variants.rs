//! Variants of a JSON value that differ from it in one place, for tests of bad input.

use serde_json::{Value, json};

/// A value of each type, and of some types several.
fn replacements() -> Vec<Value> {
    let all = json!([null, true, 1, -1, 1.5, "x", [], {}, [[]]]);
    all.as_array().unwrap().clone()
}

/// Returns the whole with a value in a certain place.
type Put<'a> = dyn Fn(Value) -> Value + 'a;

/// Every variant in which one value (the whole, a field or an element) is replaced by one of the
/// [`replacements`].
pub(crate) fn with_other_values(value: &Value) -> Vec<Value> {
    let (mut found, replacements) = (Vec::new(), replacements());
    each_place(value, &|new| new, &mut |inner, put| {
        found.extend(replacements.iter().filter(|new| *new != inner).cloned().map(put));
    });
    found
}

/// Every variant that lacks one field.
pub(crate) fn without_a_field(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    each_place(value, &|new| new, &mut |inner, put| {
        let Value::Object(fields) = inner else { return };
        found.extend(fields.keys().map(|name| {
            let mut fields = fields.clone();
            fields.remove(name);
            put(Value::Object(fields))
        }));
    });
    found
}

/// Calls `look` with each value inside `value`, and with a function that returns the whole with another
/// value in its place. `put` does the same for `value` itself.
fn each_place(value: &Value, put: &Put<'_>, look: &mut dyn FnMut(&Value, &Put<'_>)) {
    look(value, put);
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let put = |new| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), new);
                    put(Value::Object(fields))
                };
                each_place(inner, &put, look);
            }
        }
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                let put = |new| {
                    let mut list = list.clone();
                    list[at] = new;
                    put(Value::Array(list))
                };
                each_place(inner, &put, look);
            }
        }
        _ => {}
    }
}
