//! The questions of the explorer in the browser, and the answers: both are JSON.
//!
//! The page has no knowledge of layouts. It sends the text of a pane and the reader's choices, and gets values,
//! pictures, explanations and sentences; `answer` is the whole interface.
//!
//! ```
//! let question = r#"{"ask":"pane","text":"(4,8):(8,1) o 4:8"}"#;
//! let answer: serde_json::Value = serde_json::from_str(&tilework_web::answer(question))?;
//! assert_eq!(answer["value"]["text"], "4:2");
//! assert_eq!(answer["operations"][0]["name"], "composition");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Questions are stateless: each evaluates its text anew, after the earlier texts, whose names it may use. So there is
//! no state to synchronize with the page.
//!
//! # How the explorer answers
//!
//! The page has no code for layouts. It sends a question in JSON and gets one answer in JSON; `crates/tilework-web/src/question.rs` has the
//! questions, `web/src/answers.ts` both in TypeScript. No question depends on an earlier one: the text of a pane is evaluated anew, after the
//! texts of the panes before it, whose names it may use. That takes microseconds, and there is no state to keep consistent.
//!
//! | question | answer |
//! |---|---|
//! | `pane` | value, kind, facts, picture, the places of the operations; or the error with its place |
//! | `operation` | one of them: operands and value with pictures, and the sections of its `Explanation`, which `tilework explain` prints |
//! | `cell` | the coordinates of a cell of the picture at every level of nesting, its offset, bank, thread and value |
//! | `export` | the picture as SVG, LaTeX or HTML |
//! | `functions`, `aspects`, `atoms` | the tables for completion and menus; instructions found by words of their names |
//! | `scan` | every layout in a text that was pasted, with its line and label |
//! | `memory` | a tile of shared memory: the banks of an access, the swizzle without conflicts, the vector of a copy, the operand |
//! | `format`, `place` | a storage format by name: facts, picture of elements and storage at sizes, or the formats that have some words; a cell of the picture |
//! | `program`, `touch` | a GPU program: its statements, what the threads of a block touch in one; or the line that is wrong; a cell of the picture |
//! | `check`, `emit`, `run`, `starts` | what a check of it finds, its source text, what it does at sizes; programs of the library |
//! | `sharding`, `block` | a tensor on many devices: forms, picture, plan, or the line that is wrong; who holds a cell of it |
//!
//! **The module** has three functions and no generated glue: `room(n)` allocates room for a question, `answer()` answers it, `place()` returns
//! the address of the answer (`abi.rs`). wasm-bindgen would require a program of exactly the crate's version. Each fact is the result of a
//! function of the table, so a user can compute everything that the page shows by typing it. A browser loads no further files for a page opened with a
//! double click, so `web/vite.config.ts` writes module and script into `index.html`, whose policy forbids requests and other scripts.
//!
//! What takes longer than a frame, the check of a program, its run and its source text, is asked when the keys rest, and is bounded.
//!
//! **Operations.** Programs run on a stack (`tilework-expr`). A recorder keeps a `Trace`: the operands and the value of every call. The stepper of
//! the page shows them in order; a call that fails ends the trace.
//!
//! **Pictures.** The page gets the SVG of `tilework-draw` and draws its marks on a canvas (`web/src/svg.ts`). Chromium takes 60 ms to lay out
//! the text of 1024 cells in SVG, and 10 ms for the same marks on a canvas. The cell under the pointer is found by arithmetic, so the
//! picture of 4096 cells has as few page elements as that of one cell; a screen reader finds a grid with one cell, the selected one.
//!
//! **A keystroke** is answered as a whole: everything below the field belongs to one question, and what is asked later, about a cell or a
//! step, is asked of the same one. While an expression is incomplete that is the previous question, paler, so that the page does not jump.
//!
//! | module of `web/src` | contents |
//! |---|---|
//! | `main.ts`, `page.ts` | the panes side by side, the address, light and dark |
//! | `state.ts` | the state as text and back |
//! | `engine.ts`, `answers.ts` | the module, and the types of its answers |
//! | `pane.ts` | the frame of every pane: what is asked, the button that closes it, what is wrong, a picture with its caption |
//! | `expression.ts` | one expression and its parts on the page |
//! | `editor.ts` | the field, with the error underlined in a copy of the text below it, and completion |
//! | `picture.ts`, `svg.ts` | pan, zoom, the selected cell; the marks on the canvas |
//! | `cells.ts`, `explanation.ts`, `sliders.ts` | the panels beside and below, and the names of a value |
//! | `tile.ts`, `memory.ts` | a tile of shared memory: its lines in an address, its pane |
//! | `stored.ts`, `format.ts` | a storage format: its sizes in an address, its pane |
//! | `kernel.ts`, `program.ts` | a GPU program: its text in an address, its pane |
//! | `tensor.ts`, `sharding.ts` | a tensor on many devices: its lines in an address, its pane |
//! | `atoms.ts`, `examples.ts` | instructions by the words of their names; examples for the first visit |
//!
//! `tilework explore` serves the same files. They are part of the program only with the feature `page`; the build fails if `web/build` has not
//! run. Without the feature nobody needs Node.js, and stale files in the work tree cannot get into the program.

#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
mod abi;
mod answer;
mod cell;
mod format;
mod memory;
mod names;
mod picture;
mod place;
mod program;
mod question;
mod sharding;
mod wrong;

pub use answer::answer;
