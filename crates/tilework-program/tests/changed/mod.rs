//! Programs that nobody wrote: those of `programs/` with a number, a name or a line changed.

use std::path::Path;
use testkit::Random;
use tilework_program::{Program, Report, Sizes};

/// The texts of `programs/`.
pub fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A change of one of the texts that is proved, with what was proved; none where the change made no program, or a wrong one.
pub fn proved(texts: &[String], random: &mut Random) -> Option<(Program, Report)> {
    let mut text = texts[random.below(texts.len() as u64) as usize].clone();
    for _ in 0..1 + random.below(3) {
        text = mutated(&text, random);
    }
    let program: Program = text.parse().ok()?;
    let report = program.check().ok()?;
    report.is_proved().then_some((program, report))
}

/// Sizes at which it may be launched.
pub fn sizes(program: &Program, random: &mut Random) -> Option<Sizes> {
    let extents = program.extents();
    let own = |_: &&str| [1, 2, 3, 7, 8, 31, 32, 33, 64, 65, 128, 136, 256][random.below(13) as usize];
    let mut given: Vec<(&str, i64)> = extents.iter().copied().zip(extents.iter().map(own)).collect();
    // Strides are those of arrays without gaps, or any.
    for name in program.scope().names().filter(|name| !extents.contains(name)) {
        if random.chance(30) {
            given.push((name, 1 + random.below(600) as i64));
        }
    }
    let sizes = program.sizes(&given).ok()?;
    let scalars: Vec<(&str, f64)> = program.scalars().iter().map(|own| (&*own.name, 1.0)).collect();
    program.launch(&sizes, &scalars).ok().map(|_| sizes)
}

/// Another program: a number, a name or a line is another one.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut pick = |count: usize| random.below(count as u64) as usize;
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let line = pick(lines.len());
    // The numbers of the line, where they begin and end.
    let bytes = lines[line].as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let words: Vec<(usize, usize)> = (0..bytes.len())
        .filter(|&at| bytes[at].is_ascii_digit() && (at == 0 || !is_word(at - 1)))
        .map(|at| (at, (at..).find(|end| !is_word(*end)).unwrap_or(bytes.len())))
        .collect();
    match pick(8) {
        0..=3 if !words.is_empty() => {
            let (begin, end) = words[pick(words.len())];
            let Ok(number) = lines[line][begin..end].parse::<u64>() else { return text.into() };
            let others = [number + 1, number.saturating_sub(1), 2 * number, number / 2, 1, 32, 64];
            lines[line].replace_range(begin..end, &others[pick(others.len())].to_string());
        }
        4 if !lines[line].contains(['{', '}']) && line > 0 => drop(lines.remove(line)),
        5 if !lines[line].contains(['{', '}']) && line > 0 => {
            let around = ["barrier", "when b0 < 1 {", "when 1 < M {", "for j in 2 {", "when k < 3 {"];
            match around[pick(around.len())] {
                "barrier" => lines.insert(line, "barrier".into()),
                head => lines[line] = format!("{head}\n{}\n}}", lines[line]),
            }
        }
        _ => {
            let words = [
                ("ceil", "floor"),
                ("@0", "@1"),
                ("@1", "@0"),
                ("M", "N"),
                ("N", "M"),
                ("K", "M"),
                ("b0", "b1"),
                ("b1", "b0"),
                ("else 0", "else 1"),
                ("+", "*"),
                ("<=", "<"),
                ("write", "update"),
                ("(k+2)", "k"),
                ("%2", "%3"),
                ("0", "k"),
                ("t ", "v "),
            ];
            let (from, to) = words[pick(words.len())];
            lines[line] = lines[line].replacen(from, to, 1);
        }
    }
    lines.join("\n")
}
