//! The program, its documents and the rules of the repository.

mod atoms;
mod budgets;
mod commands;
mod documents;
mod draw;
mod format;
mod gallery;
mod header;
mod help;
mod imports;
mod lines;
mod listed;
mod output;
mod pages;
mod run;
mod sharding;
mod targets;
mod widths;
