use super::*;
use apex_parts_model::delta::ReaderOutput;

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

#[test]
fn totals_become_increments() {
    let found = increments(&[usage(5.0, 1.0), usage(5.0, 1.0), usage(5.0, 4.0)]);
    assert_eq!(found, [usage(5.0, 1.0), usage(0.0, 3.0)]);
}

#[test]
fn a_total_never_falls() {
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
