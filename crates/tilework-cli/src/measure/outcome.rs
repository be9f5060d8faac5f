//! The output, for people and as JSON.

use super::compared::Check;
use crate::answer::{Refusal, answer};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt;
use std::io;
use tilework_kernels::Isa;
use tilework_kernels::dynamic::Dtype;

/// The output of a command: entries with a label for people and a key for programs, in order.
#[derive(Default)]
pub struct Outcome {
    entries: Vec<Entry>,
    wrong: bool,
}

struct Entry {
    key: &'static str,
    label: &'static str,
    /// Lines for people; none if the entry is for programs only.
    lines: Vec<String>,
    /// The value for programs.
    json: Value,
}

impl Outcome {
    /// Adds an entry for both.
    pub fn add(
        &mut self,
        key: &'static str,
        label: &'static str,
        text: impl Into<String>,
        value: impl Into<Value>,
    ) {
        let lines = text.into().lines().map(str::to_string).collect();
        self.entries.push(Entry { key, label, lines, json: value.into() });
    }

    /// Adds a text that is the same for both.
    pub fn text(&mut self, key: &'static str, label: &'static str, text: &str) {
        self.add(key, label, text, text);
    }

    /// Adds a value for programs only.
    pub fn for_programs(&mut self, key: &'static str, value: impl Into<Value>) {
        self.entries.push(Entry { key, label: "", lines: Vec::new(), json: value.into() });
    }

    /// Adds the operation, and the types of the operands and of the result.
    pub fn elements(&mut self, text: impl Into<String>, dtype: Dtype, output: Dtype) {
        self.add("dtype", "elements", text, dtype.to_string());
        self.for_programs("output_dtype", output.to_string());
    }

    /// Adds the instructions, the number of threads, and the plan.
    pub fn plan(&mut self, threads: u16, explanation: &str) -> Result<(), Refusal> {
        self.for_programs("isa", Isa::current()?.name());
        self.for_programs("threads", threads);
        self.text("plan", "plan", explanation.trim_end());
        Ok(())
    }

    /// Adds the result of the check. Returns whether it is correct.
    pub fn check(&mut self, check: Check) -> bool {
        let good = check.wrong.is_none();
        self.wrong |= !good;
        self.for_programs("correct", good);
        self.text("checked", "checked", &check.checked);
        if let Some(wrong) = check.wrong {
            self.text("wrong", "WRONG", &wrong);
        }
        good
    }

    /// Adds the median time.
    pub fn time(&mut self, median: f64, repeat: usize, threads: u16) {
        let plural = if threads == 1 { "" } else { "s" };
        let text =
            format!("{}, the median of {repeat}, on {threads} thread{plural}", seconds_in_words(median));
        self.for_programs("repeat", repeat);
        self.add("median_s", "time", text, median);
    }

    /// Adds a rate and its limit, in units a second.
    pub fn rate(&mut self, key: &'static str, unit: &str, rate: f64, limit: f64, name: &str) {
        self.add(key, "rate", rate_in_words(rate, unit, limit, name), rate / 1e9);
        self.for_programs("ceiling", limit / 1e9);
        self.for_programs("ratio", rate / limit);
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lines = self.entries.iter().flat_map(|Entry { label, lines, .. }| {
            lines.iter().enumerate().map(|(i, line)| (if i == 0 { *label } else { "" }, line))
        });
        for (i, (label, line)) in lines.enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{}", format!("{label:<11}  {line}").trim_end())?;
        }
        Ok(())
    }
}

/// The values for programs, in order.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries.iter().map(|entry| (entry.key, &entry.json)))
    }
}

/// Prints an outcome or the error; returns whether the result is correct.
pub fn print(outcome: Result<Outcome, Refusal>, json: bool) -> io::Result<bool> {
    answer(json, outcome.map(|outcome| (!outcome.wrong, outcome)))
}

/// `12.3 GB/s, 0.87 of memcpy (14.1 GB/s)`, from two rates in units a second.
pub fn rate_in_words(rate: f64, unit: &str, ceiling: f64, name: &str) -> String {
    let (rate, ceiling) = (rate / 1e9, ceiling / 1e9);
    let ratio = rate / ceiling;
    format!(
        "{} {unit}, {} of {name} ({} {unit})",
        three_digits(rate),
        three_digits(ratio),
        three_digits(ceiling)
    )
}

/// Three digits, or all digits before the point: `0.0123`, `1.23`, `12.3`, `1234`.
fn three_digits(value: f64) -> String {
    let before = if value > 0.0 { value.log10().floor() as i32 } else { 0 };
    format!("{value:.*}", (2 - before).clamp(0, 9) as usize)
}

fn seconds_in_words(seconds: f64) -> String {
    let (scale, unit) = match seconds {
        1.0.. => (1.0, "s"),
        1e-3.. => (1e3, "ms"),
        1e-6.. => (1e6, "us"),
        _ => (1e9, "ns"),
    };
    format!("{} {unit}", three_digits(seconds * scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        let digits =
            [(0.01234, "0.0123"), (0.999, "0.999"), (1.0, "1.00"), (12.34, "12.3"), (1234.5, "1234")];
        digits.iter().for_each(|&(value, expected)| assert_eq!(three_digits(value), expected));
        assert_eq!(rate_in_words(12.3e9, "GB/s", 14.1e9, "memcpy"), "12.3 GB/s, 0.872 of memcpy (14.1 GB/s)");
        let times = [(2.0, "2.00 s"), (0.0123, "12.3 ms"), (4.5e-6, "4.50 us"), (2e-10, "0.200 ns")];
        times.iter().for_each(|&(seconds, expected)| assert_eq!(seconds_in_words(seconds), expected));
    }

    #[test]
    fn json_is_json() {
        let mut outcome = Outcome::default();
        outcome.text("plan", "plan", "a\n\"b\"");
        outcome.for_programs("operands", vec!["4:1", "8:1"]);
        outcome.time(1.25e-7, 5, 2);
        assert!(!outcome.check(Check { checked: "all".into(), wrong: Some("at 3".into()) }));
        outcome.for_programs("ratio", f64::NAN);
        let mut text = Vec::new();
        crate::report::json(&mut text, &outcome);
        let parsed: Value = serde_json::from_slice(&text).unwrap();
        let expected = serde_json::json!({
            "plan": "a\n\"b\"", "operands": ["4:1", "8:1"], "repeat": 5, "median_s": 1.25e-7, "correct": false,
            "checked": "all", "wrong": "at 3", "ratio": null,
        });
        assert_eq!(parsed, expected);
        assert!(text.starts_with(
            br#"{"plan":"a\n\"b\"","operands":["4:1","8:1"],"repeat":5,"median_s":0.000000125,"#
        ));
    }
}
