use super::*;
use crate::slots::Slots;
use proptest::prelude::*;

#[derive(Clone, Debug, Default, PartialEq)]
struct All {
    flag: bool,
    count: u64,
    sum: f64,
    name: String,
    maybe: Option<String>,
    cost: Option<f64>,
    list: Vec<String>,
    names: Numbering,
    skipped: bool,
}
state!(All { flag, count, sum, name, maybe, cost, list, names } skip { skipped: "it is never set" });

fn all() -> impl Strategy<Value = All> {
    let names = prop::collection::btree_map(any::<String>(), any::<u64>(), 0..4);
    let list = prop::collection::vec(any::<String>(), 0..4);
    let sum = prop::num::f64::NORMAL | prop::num::f64::ZERO;
    (any::<(bool, u64, String, Option<String>)>(), sum, prop::option::of(sum), list, names)
        .prop_map(|((flag, count, name, maybe), sum, cost, list, names)| All {
            flag,
            count,
            sum,
            name,
            maybe,
            cost,
            list,
            names,
            skipped: false,
        })
}

proptest! {
    #[test]
    fn what_is_saved_is_loaded(thing in all()) {
        let text = thing.save().to_string();
        prop_assert_eq!(All::load(serde_json::from_str(&text).unwrap()), Some(thing));
    }

    #[test]
    fn slots_are_a_map_by_number(steps in prop::collection::vec((0u64..8, any::<Option<u64>>()), 0..40)) {
        let mut slots = Slots::default();
        let mut map = BTreeMap::new();
        for (number, thing) in steps {
            match thing {
                Some(thing) => {
                    slots.insert(number, thing);
                    map.insert(number, thing);
                }
                None => prop_assert_eq!(slots.remove(number), map.remove(&number)),
            }
            prop_assert_eq!(slots.get(number), map.get(&number));
            prop_assert_eq!(slots.first(), map.keys().next().copied());
            prop_assert_eq!(slots.last_below(4), map.range(..4).next_back().map(|(n, _)| *n));
        }
        let mut again = Slots::<u64>::load(slots.save()).unwrap();
        let things: Vec<u64> = std::iter::from_fn(|| again.pop()).collect();
        prop_assert_eq!(things, map.into_values().collect::<Vec<u64>>());
    }
}

#[test]
fn a_default_is_nothing_and_nothing_a_default() {
    assert_eq!(All::default().save(), Value::Null);
    assert_eq!(All::load(Value::Null), Some(All::default()));
    assert_eq!(Slots::<u64>::default().or_default(3), Some(&mut 0));
}

#[test]
fn what_is_no_state_is_told() {
    for wrong in ["1", "[]", "{\"flag\":1}", "{\"count\":-1}", "{\"name\":[]}", "{\"list\":{}}"] {
        assert_eq!(All::load(serde_json::from_str(wrong).unwrap()), None, "{wrong}");
    }
    assert!(Slots::<u64>::load(serde_json::json!([1])).is_none());
}
