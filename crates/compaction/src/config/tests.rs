use super::*;
use serde_json::json;

fn model(context: f64, output: f64, input: Option<f64>) -> ModelLimits {
    ModelLimits { context, input, output: Some(output) }
}

#[test]
fn what_is_usable_follows_the_limits() {
    let plain = CompactionConfig::default();
    let reserved = CompactionConfig { reserved: Some(12_000.0), ..plain.clone() };
    let both = CompactionConfig { subtract_reserved: true, ..reserved.clone() };
    for (model, config, expected) in [
        (model(200_000.0, 8_000.0, None), &plain, 192_000),
        (model(200_000.0, 64_000.0, None), &plain, 168_000),
        (model(128_000.0, 0.0, None), &plain, 96_000),
        (model(400_000.0, 128_000.0, Some(272_000.0)), &plain, 252_000),
        (model(30_000.0, 8_000.0, Some(26_000.0)), &reserved, 14_000),
        (model(30_000.0, 8_000.0, Some(0.0)), &reserved, 22_000),
        (model(30_000.0, 8_000.0, None), &both, 10_000),
        (model(30_000.0, 8_000.0, Some(5_000.0)), &plain, 0),
        (model(0.0, 8_000.0, None), &plain, 0),
    ] {
        assert_eq!(usable(&model, config).to_string(), expected.to_string(), "{model:?}");
    }
}

#[test]
fn it_overflows_at_the_token() {
    let model = model(24_000.0, 8_000.0, None);
    let plain = CompactionConfig::default();
    let over = |tokens: serde_json::Value, config: &CompactionConfig| {
        is_overflow(&Some(&tokens), &model, config)
    };
    assert!(!over(json!({"total": 15_999}), &plain));
    assert!(over(json!({"total": 16_000}), &plain));
    let sum =
        json!({"input": 1, "output": 2, "reasoning": 9e9, "cache": {"read": 15_000, "write": 997}});
    assert!(over(sum.clone(), &plain));
    assert!(!over(json!({"input": 15_999, "reasoning": 9e9}), &plain));
    assert!(!over(sum.clone(), &CompactionConfig { auto: false, ..plain.clone() }));
    assert!(over(json!({"input": 5}), &CompactionConfig { threshold: Some(5.0), ..plain.clone() }));
    let unknown = ModelLimits { context: 0.0, ..model };
    assert!(!is_overflow(&Some(&sum), &unknown, &plain));
    for odd in [json!(null), json!(7), json!({"input": "x", "cache": 3})] {
        assert!(!over(odd, &plain));
    }
}

#[test]
fn settings_that_are_none_are_named() {
    let read = |config: serde_json::Value| CompactionConfig::read(&Some(&config));
    assert_eq!(read(json!({})), Ok(CompactionConfig::default()));
    assert_eq!(read(json!({"reserved": null, "other": []})), Ok(CompactionConfig::default()));
    let config = read(json!({"tail_turns": 0, "protectedTools": [], "estimator": "classes"}));
    let config = config.unwrap();
    assert_eq!((config.tail_turns, config.estimator), (Some(0.0), Estimator::Classes));
    assert!(config.protected_tools.is_empty());
    for (config, field) in [
        (json!({"protect": -1}), "protect"),
        (json!({"pinUser": "2"}), "pinUser"),
        (json!({"auto": 1}), "auto"),
        (json!({"prices": {"input": -1}}), "prices.input"),
        (json!({"prices": 7}), "prices"),
        (json!({"protectedTools": [7]}), "protectedTools"),
        (json!({"estimator": "o200k"}), "estimator"),
        (json!([]), "config"),
    ] {
        let error = read(config).unwrap_err();
        assert_eq!(error.name(), "CompactionError");
        assert!(error.to_string().contains(&format!("`{field}`")), "{error}");
    }
    let limits = |model: serde_json::Value| ModelLimits::read(&Some(&model));
    assert_eq!(limits(json!({"limit": {"context": 5}})).map(|l| l.output), Ok(None));
    assert!(limits(json!({"limit": {"output": 5}})).is_err());
    assert!(limits(json!({})).is_err());
}

fn second(config: &serde_json::Value) -> CompactionConfig {
    CompactionConfig::read(&Some(config)).unwrap()
}

#[test]
fn the_rule_of_opencode_2_keeps_the_larger_of_buffer_and_output_free() {
    for (model, config, expected) in [
        (model(200_000.0, 32_000.0, None), json!({"buffer": 20_000}), 168_000),
        (model(200_000.0, 8_000.0, None), json!({"buffer": 20_000}), 180_000),
        (model(200_000.0, 8_000.0, None), json!({"buffer": 0}), 192_000),
        (model(200_000.0, 0.0, None), json!({"buffer": 0}), 200_000),
        (model(200_000.0, 64_000.0, None), json!({"keep": {"tokens": 8_000}}), 168_000),
        (model(200_000.0, 8_000.0, None), json!({"keep": {}}), 180_000),
        (model(400_000.0, 128_000.0, Some(272_000.0)), json!({"buffer": 30_000}), 242_000),
        (model(100_000.0, 8_000.0, Some(99_000.0)), json!({"buffer": 5_000}), 92_000),
        (model(100_000.0, 8_000.0, Some(0.0)), json!({"buffer": 5_000}), 92_000),
        (model(0.0, 8_000.0, None), json!({"buffer": 1}), 0),
        (model(10_000.0, 8_000.0, None), json!({"buffer": 20_000}), 0),
    ] {
        let config = second(&config);
        assert_eq!(usable(&model, &config).to_string(), expected.to_string(), "{model:?}");
    }
    let no_output = ModelLimits { context: 200_000.0, input: None, output: None };
    assert_eq!(usable(&no_output, &second(&json!({"buffer": 1}))).to_string(), "168000");
}

#[test]
fn the_rule_of_opencode_2_counts_reasoning() {
    let model = model(100_000.0, 8_000.0, None);
    let over = |tokens: serde_json::Value, config: serde_json::Value| {
        is_overflow(&Some(&tokens), &model, &second(&config))
    };
    let sum = json!({"input": 70_000, "output": 9_000, "reasoning": 1_000,
        "cache": {"read": 0, "write": 0}});
    assert!(over(sum.clone(), json!({"buffer": 20_000})));
    assert!(!over(sum.clone(), json!({"buffer": 20_000, "auto": false})));
    assert!(!over(sum.clone(), json!({"buffer": 19_999})));
    assert!(!over(sum, json!({})));
    assert!(!over(json!({"input": 79_999}), json!({"keep": {}})));
}

#[test]
fn settings_of_both_versions_contradict_each_other() {
    let kept = |config| second(&config).preserve_recent_tokens;
    assert_eq!(kept(json!({"keep": {"tokens": 8}})), Some(8.0));
    assert_eq!(kept(json!({"buffer": 8})), Some(15_000.0));
    assert_eq!(kept(json!({"keep": null, "buffer": null})), None);
    assert_eq!(kept(json!({"keep": {"tokens": 8}, "reserved": null})), Some(8.0));
    for (config, field) in [
        (json!({"buffer": 1, "reserved": 5}), "reserved"),
        (json!({"keep": {}, "preserve_recent_tokens": 5}), "preserve_recent_tokens"),
        (json!({"keep": {"tokens": -1}}), "keep.tokens"),
        (json!({"keep": 7}), "keep"),
        (json!({"buffer": "7"}), "buffer"),
    ] {
        let error = CompactionConfig::read(&Some(&config)).unwrap_err();
        assert!(error.to_string().contains(&format!("`{field}`")), "{error}");
    }
}
