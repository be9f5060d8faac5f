//! Symbolic layouts: the worked examples, and instantiation against the static algebra and plain evaluation.
//!
//! `TILEWORK_CASES` scales the number of random cases (1 in release, 0.02 in debug), `TILEWORK_SEED` changes them, and
//! `--nocapture` prints how many instances were judged, and how.

mod analysis;
mod bounds;
mod compiled;
mod complement;
mod composition;
mod emit;
mod emit_text;
mod equality;
mod examples;
mod inverse;
mod placed;
mod random;
mod recast;
mod refused;
#[allow(dead_code)]
#[path = "../../../tilework/tests/rustc/mod.rs"]
mod rustc;
mod signs;
mod without_names;
