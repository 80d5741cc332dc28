//! JSON Schemas and values, against a slow reading of the keywords.

use apex_parts::tools::schema::{JsonSchema, RepairKind, SchemaIssue, ValueStep};
use serde_json::{Map, Value};

/// The first JSON text of the input is the schema, every later one a value. Any schema compiles or is
/// refused; a value fits as the keywords say; an issue names a place of the value; after the repairs the value
/// fits or is refused.
pub fn schema(data: &[u8]) {
    let mut texts = serde_json::Deserializer::from_slice(data).into_iter::<Value>().flatten();
    let Some(schema) = texts.next() else { return };
    let Ok(compiled) = JsonSchema::compile(&Some(&schema)) else { return };
    assert!(compiled.signature().len() <= 1_000_000);
    let check = |value: &Value| {
        let issues = compiled.check(&Some(value), &mut |pattern, text| text.contains(pattern));
        assert!(issues.len() <= 100, "{} issues of {value} by {schema}", issues.len());
        let fits = Reader { root: &schema, fuel: 20_000 }.fits(&schema, value, 60);
        assert!(fits.is_none_or(|fits| fits == issues.is_empty()), "{issues:?} {value} {schema}");
        let is_given_up = issues.iter().any(|issue| issue.message.starts_with("too large"));
        assert!(fits.is_none() || !is_given_up, "{value} {schema}");
        issues
    };
    for value in texts.take(8) {
        let issues = check(&value);
        for issue in &issues {
            assert!(is_there(&value, issue), "{issue:?} {value} {schema}");
        }
        let mut repaired = value.clone();
        for issue in &issues {
            if let Some(repair) = issue.repair {
                change(&mut repaired, &issue.path, repair);
            }
        }
        // The host takes it if it fits now.
        if repaired != value {
            let _ = check(&repaired);
        }
    }
}

fn step<'v>(value: &'v Value, step: &ValueStep) -> Option<&'v Value> {
    match step {
        ValueStep::Field(name) => value.as_object()?.get(name),
        ValueStep::Element(index) => value.as_array()?.get(*index),
    }
}

/// Is there a value at the path, or is one required that is not there? Can it be repaired in this way?
fn is_there(value: &Value, issue: &SchemaIssue) -> bool {
    let at = issue.path.iter().try_fold(value, step);
    let Some(value) = at else {
        let above = issue.path.split_last();
        let object = above.and_then(|(_, above)| above.iter().try_fold(value, step));
        let is_required = issue.message.starts_with("required, ") && issue.received == "nothing";
        return is_required && issue.repair.is_none() && object.is_some_and(Value::is_object);
    };
    let text = value.as_str();
    match issue.repair {
        None => true,
        Some(RepairKind::Number) => text.is_some_and(|text| !text.trim().is_empty()),
        Some(RepairKind::Boolean) => {
            text.is_some_and(|t| t.eq_ignore_ascii_case("true") || t.eq_ignore_ascii_case("false"))
        }
        Some(RepairKind::Parse) => text.is_some_and(|t| t.trim_start().starts_with(['{', '['])),
        Some(RepairKind::Remove) => {
            value.is_null() && matches!(issue.path.last(), Some(ValueStep::Field(_)))
        }
        Some(RepairKind::Wrap) => !value.is_null() && !value.is_array(),
    }
}

/// Makes the change as the host does: what cannot be changed stays.
fn change(value: &mut Value, path: &[ValueStep], repair: RepairKind) {
    let Some((last, above)) = path.split_last() else {
        return in_place(value, repair);
    };
    let mut place = value;
    for step in above {
        let inner = match step {
            ValueStep::Field(name) => place.as_object_mut().and_then(|all| all.get_mut(name)),
            ValueStep::Element(index) => place.as_array_mut().and_then(|all| all.get_mut(*index)),
        };
        let Some(inner) = inner else { return };
        place = inner;
    }
    match (last, place) {
        (ValueStep::Field(name), Value::Object(fields)) if repair == RepairKind::Remove => {
            fields.remove(name);
        }
        (ValueStep::Field(name), Value::Object(fields)) => {
            fields.get_mut(name).into_iter().for_each(|value| in_place(value, repair));
        }
        (ValueStep::Element(index), Value::Array(list)) => {
            list.get_mut(*index).into_iter().for_each(|value| in_place(value, repair));
        }
        _ => {}
    }
}

fn in_place(value: &mut Value, repair: RepairKind) {
    let text = value.as_str().unwrap_or_default();
    let made = match repair {
        RepairKind::Number | RepairKind::Parse => serde_json::from_str(text).ok(),
        RepairKind::Boolean => Some(Value::Bool(text.eq_ignore_ascii_case("true"))),
        RepairKind::Remove => None,
        RepairKind::Wrap => Some(Value::Array(vec![value.take()])),
    };
    if let Some(made) = made {
        *value = made;
    }
}

/// Reads the schema anew for every value, in no more than so many steps.
struct Reader<'s> {
    root: &'s Value,
    fuel: usize,
}

impl Reader<'_> {
    /// Whether the value fits; nothing if that takes too many steps, or too deep ones.
    fn fits(&mut self, schema: &Value, value: &Value, depth: usize) -> Option<bool> {
        self.fuel = self.fuel.checked_sub(1)?;
        let depth = depth.checked_sub(1)?;
        let Some(schema) = schema.as_object() else { return Some(schema != &Value::Bool(false)) };
        // All of them, so that the steps are counted whatever the result.
        let mut fits = simple(schema, value);
        if let Some(to) = schema.get("$ref").and_then(Value::as_str).filter(|to| is_local(to)) {
            let root = self.root;
            let target = root.pointer(&to[1..]).expect("checked when it was compiled");
            fits &= self.fits(target, value, depth)?;
        }
        let of = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        let mut count = |keyword: &str| {
            let mut fitting = 0;
            for branch in of(keyword).into_iter().flatten() {
                fitting += usize::from(self.fits(branch, value, depth)?);
            }
            Some((fitting, of(keyword).map_or(0, Vec::len)))
        };
        let (all, branches) = count("allOf")?;
        fits &= all == branches;
        let (any, branches) = count("anyOf")?;
        fits &= any > 0 || branches == 0;
        let (one, branches) = count("oneOf")?;
        fits &= one == 1 || branches == 0;
        if let Some(not) = schema.get("not") {
            fits &= !self.fits(not, value, depth)?;
        }
        match value {
            Value::Array(list) => {
                let prefix = of("prefixItems").or(of("items"));
                let others = schema.get("items").filter(|items| !items.is_array());
                let others = others.or(schema.get("additionalItems"));
                for (index, element) in list.iter().enumerate() {
                    let own = prefix.and_then(|prefix| prefix.get(index)).or(others);
                    if let Some(own) = own {
                        fits &= self.fits(own, element, depth)?;
                    }
                }
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    let own = schema.get("properties").and_then(|all| all.get(name));
                    if let Some(own) = own.or(schema.get("additionalProperties")) {
                        fits &= self.fits(own, value, depth)?;
                    }
                }
            }
            _ => {}
        }
        Some(fits)
    }
}

fn is_local(reference: &str) -> bool {
    reference == "#" || reference.starts_with("#/")
}

/// What the keywords without schemas in them say.
fn simple(schema: &Map<String, Value>, value: &Value) -> bool {
    let is_type = |name: &Value| match name.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        _ => value.is_object(),
    };
    let of_type = schema.get("type").is_none_or(|types| match types {
        Value::Array(types) => types.iter().any(is_type),
        one => is_type(one),
    });
    let of_enum = schema.get("enum").is_none_or(|all| {
        all.as_array().is_some_and(|all| all.iter().any(|literal| equal(literal, value)))
    });
    let is_const = schema.get("const").is_none_or(|literal| equal(literal, value));
    let required = schema.get("required").and_then(Value::as_array);
    let has_required = value.as_object().is_none_or(|fields| {
        let mut names = required.into_iter().flatten().filter_map(Value::as_str);
        names.all(|name| fields.contains_key(name))
    });
    let pattern = schema.get("pattern").and_then(Value::as_str);
    let has_match = value.as_str().is_none_or(|text| pattern.is_none_or(|p| text.contains(p)));
    of_type && of_enum && is_const && has_required && has_match && is_within(schema, value)
}

#[allow(clippy::cast_precision_loss)]
fn is_within(schema: &Map<String, Value>, value: &Value) -> bool {
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let between = |least: &str, most: &str, size: usize| {
        limit(least).is_none_or(|least| size as f64 >= least)
            && limit(most).is_none_or(|most| size as f64 <= most)
    };
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            limit("minimum").is_none_or(|limit| number >= limit)
                && limit("maximum").is_none_or(|limit| number <= limit)
                && limit("exclusiveMinimum").is_none_or(|limit| number > limit)
                && limit("exclusiveMaximum").is_none_or(|limit| number < limit)
                && limit("multipleOf").is_none_or(|limit| {
                    let times = number / limit;
                    (times - times.round()).abs() <= 1e-9 * times.abs().max(1.0)
                })
        }
        Value::String(text) => between("minLength", "maxLength", text.chars().count()),
        Value::Array(list) => between("minItems", "maxItems", list.len()),
        Value::Object(fields) => between("minProperties", "maxProperties", fields.len()),
        _ => true,
    }
}

/// Numbers are equal by value, objects whatever the order of their fields.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|o| equal(one, o)))
        }
        _ => one == other,
    }
}
