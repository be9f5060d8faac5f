//! Programs: read, proved, run, written, and refused.

mod changed;
mod emit;
mod folds;
mod golden;
mod integers;
mod judged;
mod kernel;
mod late;
mod launch;
mod library;
mod masks;
mod mistakes;
mod narrow;
mod programs;
mod random;
mod texts;
