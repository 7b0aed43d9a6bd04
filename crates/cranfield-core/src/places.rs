//! A set of places in a list, such as the measures of a plan.

/// A set of places, counted from 0. The first 64 take no memory on the heap.
///
/// ```
/// use cranfield_core::places::Places;
///
/// let mut places = Places::default();
/// places.insert(3);
/// places.insert(100);
/// assert!(places.contains(100) && !places.contains(99));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    first: u64,
    /// Those from 64 on, 64 in each word; no word behind the last one that is not 0.
    rest: Box<[u64]>,
}

impl Places {
    /// Adds a place.
    pub fn insert(&mut self, place: usize) {
        let bit = 1 << (place % 64);
        let Some(word) = (place / 64).checked_sub(1) else {
            self.first |= bit;
            return;
        };
        if self.rest.len() <= word {
            let mut longer = std::mem::take(&mut self.rest).into_vec();
            longer.resize(word + 1, 0);
            self.rest = longer.into();
        }
        self.rest[word] |= bit;
    }

    /// The set after a list was reduced to the items at these places.
    #[must_use]
    pub fn select(&self, places: &[usize]) -> Self {
        let mut selected = Self::default();
        for (new, _) in places
            .iter()
            .enumerate()
            .filter(|(_, old)| self.contains(**old))
        {
            selected.insert(new);
        }
        selected
    }

    /// Whether a place is in it.
    pub fn contains(&self, place: usize) -> bool {
        let word = match (place / 64).checked_sub(1) {
            None => self.first,
            Some(word) => self.rest.get(word).copied().unwrap_or(0),
        };
        word >> (place % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn holds_what_was_put_in(places in prop::collection::vec(0usize..400, 0..20)) {
            let mut set = Places::default();
            for place in &places {
                set.insert(*place);
            }
            for place in 0..500 {
                prop_assert_eq!(set.contains(place), places.contains(&place));
            }
            let even: Vec<usize> = (0..200).map(|place| 2 * place).collect();
            for place in 0..200 {
                prop_assert_eq!(set.select(&even).contains(place), set.contains(2 * place));
            }
            let mut same = Places::default();
            for place in places.iter().rev() {
                same.insert(*place);
            }
            prop_assert_eq!(set, same);
        }
    }
}
