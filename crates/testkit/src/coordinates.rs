//! Every coordinate of an array.

/// All coordinates within extents, the first fastest.
///
/// ```
/// let all: Vec<Vec<i64>> = testkit::coordinates(&[2, 2]).collect();
/// assert_eq!(all, [[0, 0], [1, 0], [0, 1], [1, 1]]);
/// ```
pub fn coordinates(extents: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    (0..extents.iter().product()).map(move |mut index| {
        let digit = |extent: &i64| {
            let digit = index % extent;
            index /= extent;
            digit
        };
        extents.iter().map(digit).collect()
    })
}
