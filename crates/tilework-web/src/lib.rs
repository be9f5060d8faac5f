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

#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
mod abi;
mod answer;
mod cell;
mod names;
mod picture;
mod question;
mod sharding;
mod wrong;

pub use answer::answer;
