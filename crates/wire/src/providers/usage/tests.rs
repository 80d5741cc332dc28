use super::*;
use apex_parts_model::delta::{Payload, ReaderOutput, Usage};

fn increments(totals: &[Usage]) -> Vec<Usage> {
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

fn usage(input: f64, output: f64) -> Usage {
    Usage { input, output, total: input + output, ..Usage::default() }
}

/// The totals once these were stated: the sum of what was emitted.
pub(crate) fn totals_of(all: &[Stated], counting: TokenCounting) -> Usage {
    let mut totals = Totals::default();
    let mut sum = Usage::default();
    for stated in all {
        totals.state(*stated, counting, &mut |output| {
            if let ReaderOutput::Delta(Payload::Usage(usage)) = output {
                sum = sum.plus(usage);
            }
        });
    }
    sum
}

fn input(input: f64, cache_read: Option<f64>, output: f64) -> Stated {
    Stated { input: Some(input), output: Some(output), cache_read, ..Stated::default() }
}

#[test]
fn the_last_statement_counts() {
    let apart = TokenCounting::CacheApart;
    let sum = totals_of(&[input(8834.0, None, 0.0), input(18.0, Some(8831.0), 426.0)], apart);
    assert_eq!((sum.input, sum.output, sum.total), (8849.0, 426.0, 9275.0));
    let sum = totals_of(&[input(100.0, None, 1.0), input(40.0, None, 4.0)], apart);
    assert_eq!((sum.input, sum.total), (40.0, 44.0));
    // A cache that a statement says is not used.
    let sum = totals_of(&[input(40.0, Some(60.0), 1.0), input(30.0, Some(0.0), 1.0)], apart);
    assert_eq!((sum.input, sum.cache_read), (30.0, Some(0.0)));
}

#[test]
fn zeros_alone_and_what_is_absent_change_nothing() {
    let apart = TokenCounting::CacheApart;
    let first = input(40.0, Some(60.0), 5.0);
    let output = Stated { output: Some(4.0), ..Stated::default() };
    for second in [input(0.0, None, 4.0), input(0.0, Some(0.0), 4.0), output] {
        let sum = totals_of(&[first, second], apart);
        assert_eq!((sum.input, sum.output, sum.total), (100.0, 4.0, 104.0));
    }
    let sum = totals_of(&[first, input(41.0, None, 0.0)], apart);
    assert_eq!((sum.input, sum.output), (101.0, 5.0));
}

#[test]
fn a_total_of_its_own_counts_until_there_is_another() {
    let first = Stated { total: Some(20.0), ..input(10.0, None, 5.0) };
    let sum = totals_of(&[first], TokenCounting::Included);
    assert_eq!(sum.total, 20.0);
    let sum = totals_of(&[first, input(10.0, None, 5.0)], TokenCounting::Included);
    assert_eq!(sum.total, 20.0);
    let sum = totals_of(&[first, input(11.0, None, 5.0)], TokenCounting::Included);
    assert_eq!(sum.total, 16.0);
}

#[test]
fn reasoning_and_tools_that_are_counted_apart() {
    let first = Stated { tools: Some(3.0), reasoning: Some(7.0), ..input(10.0, None, 5.0) };
    let apart = TokenCounting::ReasoningApart;
    let sum = totals_of(&[first], apart);
    assert_eq!((sum.input, sum.output, sum.reasoning), (13.0, 12.0, Some(7.0)));
    let sum = totals_of(&[first, input(20.0, None, 6.0)], apart);
    assert_eq!((sum.input, sum.output), (23.0, 13.0));
}

#[test]
fn totals_become_increments() {
    let found = increments(&[usage(5.0, 1.0), usage(5.0, 1.0), usage(5.0, 4.0)]);
    assert_eq!(found, [usage(5.0, 1.0), usage(0.0, 3.0)]);
}

#[test]
fn a_sum_never_falls() {
    let found = increments(&[usage(5.0, 4.0), usage(0.0, 0.0), usage(6.0, 4.0)]);
    assert_eq!(found, [usage(5.0, 4.0), usage(1.0, 0.0)]);
}

#[test]
fn the_first_usage_is_emitted_even_if_all_counts_are_zero() {
    assert_eq!(increments(&[usage(0.0, 0.0), usage(0.0, 0.0)]), [usage(0.0, 0.0)]);
}

#[test]
fn a_new_count_is_emitted_even_if_it_is_zero() {
    let late = Usage { cache_read: Some(0.0), ..usage(1.0, 1.0) };
    let found = increments(&[usage(1.0, 1.0), late, late]);
    assert_eq!(found[1..], [Usage { cache_read: Some(0.0), ..Usage::default() }]);
}
