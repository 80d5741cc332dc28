use super::exact::{has_inexact, is_exact};
use super::{JsonSchema, RepairKind, SchemaIssue, ValueStep};
use proptest::prelude::*;
use serde_json::{Value, json};

fn compiled(schema: &Value) -> JsonSchema {
    JsonSchema::compile(&Some(schema)).unwrap()
}

fn check(schema: &Value, value: &Value) -> Vec<SchemaIssue> {
    compiled(schema).check(&Some(value), &mut |pattern, text| text.contains(pattern))
}

fn fits(schema: &Value, value: &Value) -> bool {
    check(schema, value).is_empty()
}

fn messages(schema: &Value, value: &Value) -> Vec<String> {
    let path = |issue: &SchemaIssue| {
        let steps = issue.path.iter().map(|step| match step {
            ValueStep::Field(name) => format!(".{name}"),
            ValueStep::Element(index) => format!("[{index}]"),
        });
        steps.collect::<String>()
    };
    let issues = check(schema, value);
    issues.iter().map(|issue| format!("{}: {}", path(issue), issue.message)).collect()
}

fn repair(schema: &Value, value: &Value) -> Option<RepairKind> {
    check(schema, value).first().and_then(|issue| issue.repair)
}

fn edit() -> Value {
    json!({
        "type": "object",
        "properties": {
            "filePath": {"type": "string"},
            "oldString": {"type": "string"},
            "replaceAll": {"type": "boolean"}
        },
        "required": ["oldString", "filePath"],
        "additionalProperties": false
    })
}

#[test]
fn all_issues_are_named_in_the_order_of_the_schema() {
    assert_eq!(
        messages(&edit(), &json!({"replaceAll": "maybe", "zoo": 1})),
        [
            ".filePath: required, a string",
            ".oldString: required, a string",
            ".replaceAll: expected true or false, got the string \"maybe\"",
            ".zoo: not a parameter; leave it out",
        ]
    );
    assert!(fits(&edit(), &json!({"filePath": "a", "oldString": ""})));
    assert_eq!(messages(&edit(), &json!([])), [": expected an object, got an array"]);
}

#[test]
fn the_signature_lists_the_parameters() {
    let schema = json!({"properties": {
        "a": {"type": "string"},
        "b": {"type": "array", "items": {"type": ["integer", "null"]}},
        "c": {"enum": ["x", 1]},
        "d": {"anyOf": [{"type": "string"}, {"$ref": "#/properties/a"}, {"type": "object"}]},
        "e": true
    }, "required": ["a"]});
    assert_eq!(
        compiled(&schema).signature(),
        "a string, b? null|integer[], c? \"x\"|1, d? string|object, e? any"
    );
}

#[test]
fn types_are_those_of_json() {
    let of = |types: &str, value: Value| fits(&json!({"type": types}), &value);
    assert!(of("integer", json!(3)) && of("integer", json!(3.0)) && !of("integer", json!(3.5)));
    assert!(of("number", json!(3)) && of("number", json!(3.5)) && !of("number", json!("3")));
    assert!(of("null", Value::Null) && !of("null", json!(false)));
    assert!(of("array", json!([])) && of("object", json!({})) && !of("object", json!([])));
    assert!(fits(&json!({"type": ["string", "null"]}), &Value::Null));
    assert!(fits(&json!(true), &json!(1)) && !fits(&json!(false), &json!(1)));
}

#[test]
fn limits_hold_for_their_type_only() {
    assert!(fits(&json!({"minimum": 2}), &json!("a")));
    assert_eq!(
        messages(&json!({"type": "integer", "minimum": 1, "maximum": 5}), &json!(9)),
        [": expected a whole number of at least 1 and of at most 5, got the number 9"]
    );
    assert!(!fits(&json!({"exclusiveMinimum": 2}), &json!(2)));
    assert!(!fits(&json!({"exclusiveMaximum": 2}), &json!(2)));
    assert!(fits(&json!({"multipleOf": 0.1}), &json!(0.3)));
    assert!(!fits(&json!({"multipleOf": 2}), &json!(3)));
    assert!(fits(&json!({"maxLength": 1}), &json!("😀")));
    assert!(!fits(&json!({"minLength": 2}), &json!("😀")));
    assert!(!fits(&json!({"minItems": 1}), &json!([])));
    assert!(!fits(&json!({"maxItems": 1}), &json!([1, 2])));
    assert!(!fits(&json!({"minProperties": 1}), &json!({})));
    assert!(!fits(&json!({"maxProperties": 0}), &json!({"a": 1})));
}

#[test]
fn literals_are_compared_as_json_values() {
    let schema = json!({"enum": ["a", 1, null, {"x": [1, {"y": true}]}]});
    assert!(fits(&schema, &json!({"x": [1.0, {"y": true}]})));
    assert!(!fits(&schema, &json!({"x": [1, {"y": true}], "z": 0})));
    assert!(fits(&schema, &Value::Null) && !fits(&schema, &json!("b")));
    assert_eq!(
        messages(&json!({"const": "a"}), &json!("b")),
        [": expected \"a\", got the string \"b\""]
    );
    assert_eq!(
        messages(&json!({"enum": ["a", "b"]}), &json!("c")),
        [": expected one of \"a\", \"b\", got the string \"c\""]
    );
}

#[test]
fn elements_have_their_own_schemas() {
    let pair = json!({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}});
    assert!(fits(&pair, &json!(["a", 1, 2])));
    assert_eq!(
        messages(&pair, &json!([1, "b"])),
        [
            "[0]: expected a string, got the number 1",
            "[1]: expected a whole number, got the string \"b\""
        ]
    );
    let only = json!({"prefixItems": [{}], "items": false});
    assert!(fits(&only, &json!([1])) && !fits(&only, &json!([1, 2])));
    assert!(!fits(&json!({"items": [{"type": "string"}]}), &json!([1])));
}

#[test]
fn a_branch_must_fit_and_the_one_that_was_meant_tells_why_none_does() {
    let any = json!({"anyOf": [
        {"type": "string"},
        {"type": "object", "properties": {"a": {"type": "integer"}}}
    ]});
    assert!(fits(&any, &json!("x")) && fits(&any, &json!({"a": 1})));
    assert_eq!(messages(&any, &json!(1)), [": expected a string or an object, got the number 1"]);
    assert_eq!(
        messages(&any, &json!({"a": "x"})),
        [".a: expected a whole number, got the string \"x\""]
    );
    let one = json!({"oneOf": [{"type": "integer"}, {"minimum": 2}]});
    assert!(fits(&one, &json!(1)) && fits(&one, &json!(2.5)) && !fits(&one, &json!(3)));
    assert!(!fits(&json!({"allOf": [{"minimum": 1}, {"maximum": 2}]}), &json!(3)));
    assert!(!fits(&json!({"not": {"type": "string"}}), &json!("a")));
    assert!(fits(&json!({"not": {"type": "string"}}), &json!(1)));
}

#[test]
fn references_lead_to_other_places_of_the_schema_and_may_go_round() {
    let tree = json!({"$ref": "#/$defs/tree", "$defs": {
        "tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}},
        "a/b~c": {"type": "string"}
    }});
    assert!(fits(&tree, &json!({"next": {"next": {}}})));
    assert_eq!(
        messages(&tree, &json!({"next": {"next": 1}})),
        [".next.next: expected an object, got the number 1"]
    );
    let escaped = json!({"$ref": "#/$defs/a~1b~0c", "$defs": {"a/b~c": {"type": "string"}}});
    assert!(fits(&escaped, &json!("x")) && !fits(&escaped, &json!(1)));
    let forever = json!({"$ref": "#"});
    assert_eq!(messages(&forever, &json!(1)), [": too large or too deep to be checked"]);
    let nowhere = json!({"properties": {"a": {"$ref": "#/$defs/none"}}});
    let error = JsonSchema::compile(&Some(&nowhere)).unwrap_err();
    assert_eq!(error, "its $ref #/$defs/none does not lead to a schema");
}

#[test]
fn patterns_are_matched_by_the_host() {
    assert!(fits(&json!({"pattern": "b"}), &json!("abc")));
    assert_eq!(
        messages(&json!({"type": "string", "pattern": "^x$"}), &json!("y")),
        [": expected a string that matches ^x$, got the string \"y\""]
    );
}

#[test]
fn keywords_that_are_not_known_are_listed_once() {
    let schema = json!({"if": {}, "properties": {"a": {"if": {}, "format": "uri", "title": "A"}}});
    assert_eq!(compiled(&schema).unknown(), ["if"]);
    let foreign = json!({"$ref": "https://example.com/schema"});
    assert_eq!(compiled(&foreign).unknown(), ["$ref"]);
}

#[test]
fn only_what_the_schema_wants_is_repaired() {
    let field = |of: Value| json!({"properties": {"a": of}});
    let of =
        |types: &str, value: Value| repair(&field(json!({"type": types})), &json!({"a": value}));
    assert_eq!(of("integer", json!("2")), Some(RepairKind::Number));
    assert_eq!(of("integer", json!("2.5")), None);
    assert_eq!(of("integer", json!("2e1")), Some(RepairKind::Number));
    assert_eq!(of("number", json!("-2.5")), Some(RepairKind::Number));
    for text in ["", " 2", "2 ", "0x10", "02", "two", "NaN", "Infinity", "1_000"] {
        assert_eq!(of("number", json!(text)), None, "{text}");
    }
    assert_eq!(of("boolean", json!("true")), Some(RepairKind::Boolean));
    assert_eq!(of("boolean", json!("yes")), None);
    assert_eq!(of("boolean", json!(1)), None);
    assert_eq!(of("string", json!(2)), None);
    assert_eq!(of("object", json!("{\"x\": 1}")), Some(RepairKind::Parse));
    assert_eq!(of("array", json!(" [1]")), Some(RepairKind::Parse));
    assert_eq!(of("array", json!("one")), Some(RepairKind::Wrap));
    assert_eq!(of("object", json!([1])), None);
    assert_eq!(of("string", Value::Null), Some(RepairKind::Remove));
    assert_eq!(of("array", Value::Null), Some(RepairKind::Remove));
    let required = json!({"properties": {"a": {"type": "string"}}, "required": ["a"]});
    assert_eq!(repair(&required, &json!({"a": null})), None);
    let numbers = field(json!({"type": "array", "items": {"type": "integer"}}));
    assert_eq!(repair(&numbers, &json!({"a": 1})), Some(RepairKind::Wrap));
    assert_eq!(repair(&numbers, &json!({"a": "x"})), None);
    let nullable = field(json!({"type": ["string", "null"]}));
    assert!(fits(&nullable, &json!({"a": null})));
    let either = field(json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}));
    assert_eq!(repair(&either, &json!({"a": "7"})), Some(RepairKind::Number));
    assert_eq!(
        repair(&field(json!({"enum": [1, 2]})), &json!({"a": "2"})),
        Some(RepairKind::Number)
    );
}

#[test]
fn exact_numbers_are_told() {
    for text in [
        "0",
        "-0",
        "5",
        "5.0",
        "1e3",
        "1E+3",
        "0.1",
        "-0.25",
        "120",
        "1.5e-7",
        "9007199254740992",
        "1e300",
        "1e23",
        "0e999",
    ] {
        assert!(is_exact(text), "{text}");
    }
    for text in [
        "9007199254740993",
        "12345678901234567890",
        "123456789012345680.5",
        "1e-400",
        "1e400",
        "0.1000000000000000055511151231257827",
        "x",
        "",
    ] {
        assert!(!is_exact(text), "{text}");
    }
}

#[test]
fn numbers_in_texts_do_not_count() {
    for text in ["[1,2.50]", r#"{"a":"9007199254740993"}"#, r#"["\"9007199254740993"]"#, "[", ""] {
        assert!(!has_inexact(text), "{text}");
    }
    for text in
        ["[9007199254740993]", r#"{"a":[1,{"b":1e-400}]}"#, r#"["\\",12345678901234567890]"#]
    {
        assert!(has_inexact(text), "{text}");
    }
}

#[test]
fn long_values_are_cut() {
    let message = &messages(&json!({"type": "number"}), &json!("é".repeat(500)))[0];
    assert_eq!(message.chars().filter(|c| *c == 'é').count(), 80);
}

#[test]
fn a_schema_that_is_none_is_refused() {
    for schema in
        [json!(1), json!({"type": "text"}), json!({"properties": {"a": 1}}), json!({"type": []})]
    {
        assert!(JsonSchema::compile(&Some(&schema)).is_err(), "{schema}");
    }
    let mut deep = json!({});
    for _ in 0..100 {
        deep = json!({"not": deep});
    }
    assert!(JsonSchema::compile(&Some(&deep)).is_err());
}

#[test]
fn hostile_schemas_and_values_end_soon() {
    let mut nested = json!({"type": "string"});
    for _ in 0..8 {
        nested = json!({"anyOf": [nested.clone(), {"allOf": [nested]}]});
    }
    let _ = JsonSchema::compile(&Some(&nested));
    let doubling = json!({"$defs": (0..40).map(|i| {
        (format!("d{i}"), json!({"allOf": [
            {"$ref": format!("#/$defs/d{}", i + 1)}, {"$ref": format!("#/$defs/d{}", i + 1)}]}))
    }).chain([("d40".to_owned(), json!({"type": "string"}))]).collect::<serde_json::Map<_, _>>(),
        "$ref": "#/$defs/d0"});
    assert!(!fits(&doubling, &json!("x")));
    let many = Value::Array(vec![json!(1); 200_000]);
    assert_eq!(check(&json!({"items": {"type": "string"}}), &many).len(), 100);
    let mut value = json!(1);
    for _ in 0..300 {
        value = json!([value]);
    }
    let lists = json!({"items": {"$ref": "#"}});
    assert!(!fits(&lists, &value));
}

#[test]
fn elements_of_the_same_kind_as_the_array_are_no_endless_repair() {
    let lists = json!({"type": "array", "items": {"$ref": "#"}});
    assert_eq!(messages(&lists, &json!(1)), [": expected an array, got the number 1"]);
    let json = json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#"}}]});
    assert_eq!(messages(&json, &json!([true])), ["[0]: expected a string or an array, got true"]);
    let ill = json!({"anyOf": [
        {"type": "array", "items": {"$ref": "#/anyOf/0/items"}},
        {"type": "object"}
    ]});
    assert!(fits(&ill, &json!({})));
}

#[test]
fn no_more_than_100_issues_are_listed_and_no_repair_goes_to_another() {
    let branch = json!({"anyOf": [{"items": {"type": "integer"}}]});
    let many = json!([vec!["x"; 80], vec!["x"; 80]]);
    let issues = check(&json!({"items": branch}), &many);
    assert_eq!(issues.len(), 100);
    let schema = json!({"prefixItems": [{"items": {"type": "integer"}}, {"type": "boolean"}]});
    let issues = check(&schema, &json!([vec!["x"; 100], "true"]));
    assert_eq!((issues.len(), issues[99].repair), (100, None));
    let twice = json!({"required": ["a", "a"]});
    assert_eq!(messages(&twice, &json!({})), [".a: required, a value"]);
}

#[test]
fn a_const_beside_an_enum_counts_too() {
    let schema = json!({"const": "a", "enum": ["a", "b"], "allOf": [{"minLength": 1}]});
    assert!(fits(&schema, &json!("a")) && !fits(&schema, &json!("b")));
    assert!(!fits(&json!({"const": 1, "enum": [2]}), &json!(1)));
}

proptest! {
    #[test]
    fn no_schema_and_no_value_makes_it_fail(schema in json_values(), value in json_values()) {
        if let Ok(schema) = JsonSchema::compile(&Some(&schema)) {
            let _ = schema.signature();
            for issue in schema.check(&Some(&value), &mut |_, _| false) {
                prop_assert!(!issue.message.is_empty());
            }
        }
    }
}

fn json_values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..9i32).prop_map(Value::from),
        "(object|string|array|integer|#|a|\\[1\\])".prop_map(Value::from),
    ];
    let key = "(type|enum|const|properties|required|items|prefixItems|anyOf|oneOf|allOf|not|\\$ref|minimum|a)";
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}
