//! [`Unions`]: numbers of which some turn out to be the same.

/// Numbers from 0 on, each in a set with those that are the same.
#[derive(Debug, Default)]
pub(crate) struct Unions {
    above: Vec<usize>,
}

impl Unions {
    /// A new number.
    pub(crate) fn add(&mut self) -> usize {
        self.above.push(self.above.len());
        self.above.len() - 1
    }

    /// The first number of those that are the same as this one.
    pub(crate) fn find(&mut self, number: usize) -> usize {
        let mut at = number;
        while let Some(above) = self.above.get(at).copied().filter(|above| *above != at) {
            // The way becomes shorter for those who ask next.
            let next = self.above.get(above).copied().unwrap_or(above);
            if let Some(place) = self.above.get_mut(at) {
                *place = next;
            }
            at = above;
        }
        at
    }

    /// Makes two numbers the same.
    pub(crate) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        if let Some(place) = self.above.get_mut(one.max(other)) {
            *place = one.min(other);
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_those_that_are_the_same() {
        let mut all = Unions::default();
        (0..6).for_each(|n| assert_eq!(all.add(), n));
        all.join(5, 3);
        all.join(3, 1);
        all.join(4, 4);
        let found: Vec<usize> = (0..6).map(|n| all.find(n)).collect();
        assert_eq!(found, [0, 1, 2, 1, 4, 1]);
    }
}
