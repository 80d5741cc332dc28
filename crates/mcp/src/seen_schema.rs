//! A schema whose descriptions are without what is not seen. Names and values stay as they are: a call with others
//! would be refused.

use super::schema_tree::{SchemaTree, resolved};
use apex_parts_json::writer;
use apex_parts_model::invisible::{Controls, VisibleText};
use std::borrow::Cow;

/// Fields that hold schemas by name.
const BY_NAME: [&str; 5] =
    ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];
/// Fields that hold values.
const VALUES: [&str; 5] = ["enum", "const", "default", "examples", "example"];
/// Fields that hold texts for a reader.
const TEXTS: [&str; 3] = ["description", "title", "$comment"];

/// Removes what is not seen from the descriptions of a schema. `is_by_name`: the value holds schemas by name. The
/// depth of a definition is limited.
pub(super) fn without_hidden(value: &mut SchemaTree<'_>, is_by_name: bool) {
    match value {
        SchemaTree::Object(fields) => {
            for (key, value) in fields {
                let key = key.as_ref();
                match value {
                    SchemaTree::Text(raw) if !is_by_name && TEXTS.contains(&key) => clean(raw),
                    _ if !is_by_name && VALUES.contains(&key) => {}
                    value => without_hidden(value, !is_by_name && BY_NAME.contains(&key)),
                }
            }
        }
        SchemaTree::Array(items) => {
            for item in items {
                without_hidden(item, false);
            }
        }
        SchemaTree::Text(_) | SchemaTree::Word(_) => {}
    }
}

/// `raw` is a string as it is written between its quotes.
#[inline(never)]
fn clean(raw: &mut Cow<'_, str>) {
    let text = resolved(raw);
    let seen = VisibleText::new(&text, Controls::Remove);
    if seen.removed() == 0 {
        return;
    }
    let mut written = String::new();
    writer::string(&mut written, &seen.text);
    let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default().to_owned();
    *raw = Cow::Owned(inner);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_cleaned_and_values_are_not() {
        let json = r#"{"description":"a\u200bb\"","default":{"title":"\u200b"},"enum":["\u200b"],"properties":{"default":{"title":"x\u001b[1my"},"title":{"anyOf":[{"description":"\u202ez"}]}},"required":["\u200b"]}"#;
        let mut tree = SchemaTree::read(json, 32).unwrap();
        without_hidden(&mut tree, false);
        let mut text = String::new();
        tree.write(&mut text, false);
        let wanted = r#"{"description":"ab\"","default":{"title":"\u200b"},"enum":["\u200b"],"properties":{"default":{"title":"xy"},"title":{"anyOf":[{"description":"z"}]}},"required":["\u200b"]}"#;
        assert_eq!(text, wanted);
    }
}
