//! What the explorer in the browser asks, and the answers: both are JSON.
//!
//! The page knows nothing of layouts. It sends the text of a pane and what the reader has chosen, and gets values,
//! pictures, explanations and sentences back; `answer` is the whole of the interface.
//!
//! ```
//! let question = r#"{"ask":"pane","text":"(4,8):(8,1) o 4:8"}"#;
//! let answer: serde_json::Value = serde_json::from_str(&tilework_web::answer(question))?;
//! assert_eq!(answer["value"]["text"], "4:2");
//! assert_eq!(answer["operations"][0]["name"], "composition");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Every question stands for itself: a text is evaluated anew, after the texts before it, whose names it may use. So
//! there is nothing to keep in step with the page.

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
