//! The text form of programs, in both directions. Its grammar is in `docs/kernel/text.md`.

mod cursor;
mod parse;
mod print;
