//! Values as text: four decimals, and more where different values would look the same.

use cranfield_core::small_sort::SmallSort;

use super::Row;

const LEAST: usize = 4;
/// With this many decimals, any two values from 0 to 1 that are not tiny look different.
const MOST: usize = 18;

/// Writes the values of all rows.
pub(super) fn write(rows: &mut [Row]) {
    let values: Vec<Option<f64>> = rows.iter().map(|row| Some(row.value)).collect();
    for (row, text) in rows.iter_mut().zip(of(&values)) {
        row.text = text;
    }
    let measures = rows.first().map_or(0, |row| row.values.len());
    for measure in 0..measures {
        let values: Vec<Option<f64>> = rows.iter().map(|row| row.values[measure]).collect();
        for (row, text) in rows.iter_mut().zip(of(&values)) {
            row.texts.push(text);
        }
    }
}

/// The texts of the values of a column. Only values that need them have more digits.
fn of(values: &[Option<f64>]) -> Vec<String> {
    let mut order: Vec<usize> = (0..values.len())
        .filter(|at| values[*at].is_some())
        .collect();
    let value = |at: usize| values[at].unwrap_or_default();
    order.small_sort_by(|a, b| value(*a).total_cmp(&value(*b)));
    let mut digits = vec![LEAST; values.len()];
    for pair in order.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if value(a).to_bits() == value(b).to_bits() {
            continue;
        }
        let needed = (LEAST..MOST)
            .find(|digits| format!("{:.digits$}", value(a)) != format!("{:.digits$}", value(b)))
            .unwrap_or(MOST);
        digits[a] = digits[a].max(needed);
        digits[b] = digits[b].max(needed);
    }
    // Equal values have equal texts.
    for pair in order.windows(2).chain(order.windows(2).rev()) {
        let (a, b) = (pair[0], pair[1]);
        if value(a).to_bits() == value(b).to_bits() {
            let most = digits[a].max(digits[b]);
            (digits[a], digits[b]) = (most, most);
        }
    }
    let texts = values.iter().zip(digits);
    texts
        .map(|(value, digits)| {
            value.map_or_else(|| "–".into(), |value| format!("{value:.digits$}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_that_would_look_the_same_have_more_digits() {
        let next = f64::from_bits(0.3_f64.to_bits() + 1);
        let values = [0.5, 0.77481, 0.77484, 0.77481, 0.3, next].map(Some);
        let texts = of(&values);
        assert_eq!(texts[..4], ["0.5000", "0.77481", "0.77484", "0.77481"]);
        assert_eq!(texts[4], "0.29999999999999999");
        assert_eq!(texts[5], "0.30000000000000004");
        assert_eq!(of(&[None, Some(-0.25)]), ["–", "-0.2500"]);
    }
}
