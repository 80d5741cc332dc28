use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(schema: &Value, dialect: SchemaDialect) -> (Value, Vec<String>) {
    let definition = json!({"name": "t", "inputSchema": schema}).to_string();
    let read = read_definition(&definition, dialect);
    let rules = read.problems.iter().map(|p| p.rule.clone()).collect();
    (serde_json::from_str(&read.parameters).unwrap(), rules)
}

fn provider(schema: &Value, dialect: SchemaDialect) -> Value {
    read(schema, dialect).0
}

#[test]
fn schemas_are_mended_as_little_as_possible() {
    let empty = json!({"type": "object", "properties": {}});
    for broken in [json!(null), json!([]), json!("x"), json!({"type": "array", "properties": 1})] {
        assert_eq!(read(&broken, SchemaDialect::Keep), (empty.clone(), vec!["MT-2".to_owned()]));
    }
    let fine = json!({"type": "object", "properties": {}, "$schema": "x", "x-mcp-header": "R"});
    assert_eq!(read(&fine, SchemaDialect::Keep), (fine, vec![]));
    let text = r#"{"name":"t","inputSchema":{"properties":{"z":{},"a":{"minimum":1.50}}}}"#;
    let kept = read_definition(text, SchemaDialect::Keep).parameters;
    assert_eq!(kept, r#"{"properties":{"z":{},"a":{"minimum":1.50}},"type":"object"}"#);
}

#[test]
fn alternatives_at_the_root_are_told_and_merged() {
    let schema = json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}, "anyOf": [
        {"properties": {"a": {"type": "string"}, "kind": {"const": "a"}}, "required": ["a", "kind"]},
        {"$ref": "#/$defs/b"},
        false,
    ], "$defs": {"b": {"allOf": [
        {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
        {"properties": {"b": {"type": "number"}}, "required": ["b"]},
    ]}}});
    let (kept, rules) = read(&schema, SchemaDialect::Keep);
    assert_eq!((kept, rules), (schema.clone(), vec!["MT-3".to_owned()]));
    let (merged, rules) = read(&schema, SchemaDialect::Anthropic);
    assert_eq!(rules, ["MT-3"]);
    assert_eq!(merged["required"], json!(["id", "kind"]));
    assert_eq!(merged["properties"]["kind"], json!({"anyOf": [{"const": "a"}, {"const": "b"}]}));
    assert_eq!(merged["properties"]["b"], json!({"type": "number"}));
    assert!(merged.get("anyOf").is_none() && merged.get("$defs").is_some());
    assert_eq!(provider(&schema, SchemaDialect::OpenAi), merged);
    let out = json!({"type": "object", "not": {"required": ["a"]}, "enum": [{}], "properties": {}});
    assert_eq!(provider(&out, SchemaDialect::OpenAi), json!({"type": "object", "properties": {}}));
}

#[test]
fn gemini_gets_neither_references_nor_closed_objects() {
    let schema = json!({"$schema": "x", "type": "object", "additionalProperties": false, "properties": {
        "additionalProperties": {"type": "string", "default": {"$ref": "kept", "$schema": 1}},
        "$ref": {"$ref": "#/$defs/a~1b", "description": "d"},
        "n": {"items": {"additionalProperties": true, "$ref": "#/nowhere"}},
    }, "$defs": {"a/b": {"type": "integer", "description": "own"}}});
    assert_eq!(
        provider(&schema, SchemaDialect::Gemini),
        json!({"type": "object", "properties": {
            "additionalProperties": {"type": "string", "default": {"$ref": "kept", "$schema": 1}},
            "$ref": {"type": "integer", "description": "d"},
            "n": {"items": {}},
        }})
    );
    // Circles end, and so does what doubles at each level.
    let pair = |to: &str| json!({"properties": {"l": {"$ref": to}, "r": {"$ref": to}}});
    let mut definitions = serde_json::Map::new();
    for i in 0..12 {
        definitions.insert(format!("d{i}"), pair(&format!("#/$defs/d{}", i + 1)));
    }
    definitions.insert("c".to_owned(), json!({"items": {"$ref": "#/$defs/c"}}));
    let many: serde_json::Map<String, Value> =
        (0..200).map(|i| (format!("p{i}"), json!({"$ref": "#/$defs/d0"}))).collect();
    let schema = json!({"type": "object", "properties": many, "$defs": definitions});
    let made = provider(&schema, SchemaDialect::Gemini).to_string();
    assert!(made.len() < 2_000_000 && !made.contains("$ref"), "{}", made.len());
    let circle = json!({"type": "object", "properties": {"c": {"$ref": "#/$defs/c"}}, "$defs": schema["$defs"]});
    let made = provider(&circle, SchemaDialect::Gemini).to_string();
    assert_eq!(made.matches("items").count(), 8);
}

#[test]
fn what_is_told_of_definitions() {
    let rules = |json: &str| -> Vec<String> {
        let read = read_definition(json, SchemaDialect::Keep);
        read.problems.iter().map(|p| format!("{} {}", p.rule, p.path)).collect()
    };
    let tool = |more: &str| format!(r#"{{"name":"t",{more}"inputSchema":{{"type":"object"}}}}"#);
    assert_eq!(rules(&tool(r#""description":"a\u001b[1mb","#)), ["MT-4 /description"]);
    assert_eq!(rules(&tool(r#""description":"a\u202eb","#)), ["MT-4 /description"]);
    assert!(rules(&tool(r#""title":"a\u0000","description":"two\nlines","#)).is_empty());
    let read =
        read_definition(&tool(r#""description":"a\u001b[1m\u202eb\u200b","#), SchemaDialect::Keep);
    assert_eq!(read.description, "ab");
    let key = r#"{"name":"t","inputSchema":{"type":"object","properties":{"a\udb40\udc41":{}}}}"#;
    assert_eq!(rules(key), ["MT-4 /inputSchema"]);
    let large = tool(&format!(r#""description":"{}","#, "a".repeat(LARGE_DEFINITION)));
    assert_eq!(rules(&large), ["MT-6 "]);
    let deep = tool(&format!(r#""x":{}1{},"#, "[".repeat(32), "]".repeat(32)));
    assert_eq!(rules(&deep), ["MT-7 "]);
    assert!(read_definition(&deep, SchemaDialect::Gemini).is_left_out);
    assert!(rules(&deep.replacen('[', "", 1).replacen(']', "", 1)).is_empty());
    let task = tool(r#""execution":{"taskSupport":"required"},"#);
    assert!(read_definition(&task, SchemaDialect::Keep).needs_task);
    assert!(rules(&task).is_empty());
}

proptest! {
    #[test]
    fn any_text_gives_a_schema(text in "(?s).{0,200}", dialect in 0usize..4) {
        let dialects =
            [SchemaDialect::Keep, SchemaDialect::Anthropic, SchemaDialect::OpenAi, SchemaDialect::Gemini];
        let schema = serde_json::to_string(&text).unwrap();
        for json in [text.clone(), format!(r#"{{"inputSchema":{{"description":{schema}}}}}"#)] {
            let read = read_definition(&json, dialects[dialect]);
            let made: Value = serde_json::from_str(&read.parameters).unwrap();
            prop_assert_eq!(&made["type"], "object");
            prop_assert!(made["properties"].is_object());
        }
    }
}
