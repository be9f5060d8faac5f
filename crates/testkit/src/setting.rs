//! What the environment says of random tests.

use std::str::FromStr;

/// The value of an environment variable, such as `TILEWORK_SEED`; the default where it is not set.
///
/// ```
/// assert_eq!(testkit::setting("TILEWORK_UNSET", 7), 7);
/// ```
///
/// # Panics
/// For a value that cannot be read: a test must not run other cases than it was asked for.
pub fn setting<T: FromStr>(name: &str, default: T) -> T {
    std::env::var(name).map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name} is set to `{text}`, which cannot be read"))
    })
}

/// How many cases to run of `count`: `TILEWORK_CASES` times as many; by default all, and `unoptimised` times as many in a
/// build with debug assertions.
#[must_use]
pub fn scaled(count: usize, unoptimised: f64) -> usize {
    let default = if cfg!(debug_assertions) { unoptimised } else { 1.0 };
    (count as f64 * setting("TILEWORK_CASES", default)) as usize
}
