//! The storage formats: against an oracle, as text in five languages, and their proofs.

mod cases;
#[path = "../../tilework-symbolic/tests/symbolic/compiled.rs"]
mod compiled;
mod emit;
mod oracle;
mod proofs;
mod repack;
#[allow(dead_code)]
#[path = "../../tilework/tests/rustc/mod.rs"]
mod rustc;
mod silent;
mod table;
