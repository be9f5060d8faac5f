//! The language: values, errors, explanations, and what is written from its table.

mod accesses;
mod corpus;
mod explanations;
mod export;
mod formulas;
mod language;
mod names;
mod neighbours;
mod pictures;
mod printed;
mod public_operations;
mod python;
mod semimodules;
mod symbolic;
