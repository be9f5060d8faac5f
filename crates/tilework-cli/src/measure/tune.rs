//! `tilework tune`.

use super::memory::in_words;
use super::outcome::{self, Outcome};
use crate::answer::Refusal;
use serde_json::json;
use std::io;
use tilework_kernels::machine::{CopyParameters, Machine};

/// What `tune` is asked.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Arguments {
    /// Print the earlier measurements, and measure nothing
    #[arg(long)]
    show: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const HELP: &str = "\
Plans of copies are good without it. In two seconds it measures what CPUID does not report: how fast memcpy is in each cache,
from where on it is faster to write past the caches, how deep and how many columns are best read side by side, and whether columns
that are a power of two apart evict each other. What is found is kept in tilework/machine in XDG_CACHE_HOME, or in .cache in HOME,
and used by the plans of this user on this processor; `copy --plan` says so. Removing the file brings the defaults back.";

/// Runs the command; returns whether it succeeded.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    outcome::print(outcome(arguments.show), arguments.json)
}

fn outcome(show: bool) -> Result<Outcome, Refusal> {
    let machine = match show {
        true => Machine::load()?.ok_or_else(|| {
            Refusal::Condition("machine", "nothing was measured; `tilework tune` does".to_string())
        })?,
        false => tilework_kernels::tune()?,
    };
    if !show {
        machine.save()?;
    }
    let file = Machine::path().map(|path| path.display().to_string()).unwrap_or_default();
    let mut outcome = Outcome::default();
    outcome.for_programs("command", "tune");
    outcome.text("file", "file", &file);
    let [first, second, third, memory] = machine.memcpy.map(|speed| 1e-9 * speed);
    let speeds = format!(
        "{first:.1} GB/s in the first cache, {second:.1} in the second, {third:.1} in the third, {memory:.1} beyond"
    );
    outcome.add("memcpy", "memcpy", speeds, json!(machine.memcpy));
    let copies: serde_json::Map<_, _> = machine.copies.iter().map(|(isa, parameters)| {
        let CopyParameters { stream_bytes, row_bytes, lines, aliasing, .. } = *parameters;
        let value = json!({"stream_bytes": stream_bytes, "row_bytes": row_bytes, "lines": lines, "aliasing": aliasing});
        (isa.clone(), value)
    }).collect();
    let words: Vec<String> =
        machine.copies.iter().map(|(isa, parameters)| in_line(isa, parameters)).collect();
    outcome.add("copies", "copies", words.join("\n"), copies);
    Ok(outcome)
}

fn in_line(isa: &str, parameters: &CopyParameters) -> String {
    let CopyParameters { stream_bytes, row_bytes, lines, aliasing, .. } = *parameters;
    let past = match stream_bytes {
        usize::MAX => "never written past the caches".to_string(),
        bytes => format!("written past the caches from {} on", in_words(bytes as u128)),
    };
    let evict = if aliasing { "evict" } else { "do not evict" };
    format!(
        "{isa}: {past}; {row_bytes} bytes deep, {lines} lines side by side; columns that alias {evict} each other"
    )
}
