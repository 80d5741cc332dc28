//! The estimator "chars": a quarter of the length in UTF-16 units.

/// The tokens of so many UTF-16 units: a quarter, rounded as `Math.round` does.
#[allow(clippy::cast_precision_loss)] // below 2^53
#[must_use]
pub fn of_units(units: usize) -> f64 {
    (units / 4 + usize::from(units % 4 >= 2)) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_rounded_half_up() {
        for (units, tokens) in
            [(0, 0.0), (1, 0.0), (2, 1.0), (3, 1.0), (5, 1.0), (6, 2.0), (2000, 500.0)]
        {
            assert_eq!(of_units(units).to_bits(), f64::to_bits(tokens));
        }
    }
}
