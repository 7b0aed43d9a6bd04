//! Data that several tests share.

/// The scores of three systems on twenty topics, from Sakai's book on laboratory experiments.
pub(crate) fn sakai_scores() -> Vec<Vec<f64>> {
    let tenths: [[u8; 20]; 3] = [
        [7, 3, 2, 6, 4, 4, 0, 7, 1, 3, 5, 4, 0, 6, 5, 3, 1, 5, 2, 1],
        [5, 1, 0, 2, 4, 3, 0, 5, 3, 3, 4, 4, 1, 4, 2, 1, 1, 6, 3, 2],
        [0, 0, 2, 1, 3, 3, 1, 2, 4, 4, 4, 3, 3, 2, 2, 2, 1, 5, 4, 3],
    ];
    tenths
        .iter()
        .map(|row| row.map(|score| f64::from(score) / 10.0).to_vec())
        .collect()
}
