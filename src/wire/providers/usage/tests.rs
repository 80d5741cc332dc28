use super::*;
use crate::model::delta::ReaderOutput;

fn told(totals: &[Usage]) -> Vec<Usage> {
    let mut found = Vec::new();
    let mut all = Totals::default();
    for now in totals {
        all.advance(*now, &mut |output| {
            if let ReaderOutput::Delta(Payload::Usage(usage)) = output {
                found.push(usage);
            }
        });
    }
    found
}

fn of(input: f64, output: f64) -> Usage {
    Usage { input, output, total: input + output, ..Usage::default() }
}

#[test]
fn totals_become_increments() {
    let found = told(&[of(5.0, 1.0), of(5.0, 1.0), of(5.0, 4.0)]);
    assert_eq!(found, [of(5.0, 1.0), of(0.0, 3.0)]);
}

#[test]
fn a_total_never_falls() {
    let found = told(&[of(5.0, 4.0), of(0.0, 0.0), of(6.0, 4.0)]);
    assert_eq!(found, [of(5.0, 4.0), of(1.0, 0.0)]);
}

#[test]
fn the_first_usage_is_told_even_if_it_counts_nothing() {
    assert_eq!(told(&[of(0.0, 0.0), of(0.0, 0.0)]), [of(0.0, 0.0)]);
}

#[test]
fn a_count_that_is_new_is_told_even_if_it_is_zero() {
    let late = Usage { cache_read: Some(0.0), ..of(1.0, 1.0) };
    let found = told(&[of(1.0, 1.0), late, late]);
    assert_eq!(found[1..], [Usage { cache_read: Some(0.0), ..Usage::default() }]);
}
