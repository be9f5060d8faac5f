//! Emitted text has integers of 32 bits: at all sizes at which a kernel may be launched, however large, what it compares and
//! where it accesses memory is the same as with integers that do not wrap.

use std::collections::BTreeMap;
use testkit::Random;
use tilework_program::{Buffers, Error, Program, Target};

/// A number, and the same in 32 bits.
type Both = (i128, u32);

/// Reads expressions of the text.
struct Reader<'a> {
    text: &'a str,
    names: &'a BTreeMap<String, Both>,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.text = self.text.trim_start();
        let is_next = self.text.starts_with(token);
        self.text = if is_next { &self.text[token.len()..] } else { self.text };
        is_next
    }

    fn operand(&mut self) -> Both {
        if self.eat("(") {
            let inner = self.any(0);
            assert!(self.eat(")"), "{}", self.text);
            return inner;
        }
        self.text = self.text.trim_start();
        let end = self
            .text
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.'))
            .unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        if word == "select" {
            assert!(self.eat("("));
            // The first operand is not read where the condition holds.
            let start = self.text;
            let (mut depth, mut ends) = (0, Vec::new());
            for (at, c) in start.char_indices() {
                depth += i32::from(c == '(' || c == '[') - i32::from(c == ')' || c == ']');
                if c == ',' && depth == 0 || depth < 0 {
                    ends.push(at);
                }
                if depth < 0 {
                    break;
                }
            }
            let part = |from: usize, to: usize| Reader { text: &start[from..to], names: self.names };
            let condition = part(ends[1] + 1, ends[2]).any(0);
            assert_eq!(condition.0, condition.1.into(), "{start}");
            self.text = &start[ends[2] + 1..];
            return match condition.0 {
                0 => part(0, ends[0]).any(0),
                _ => part(ends[0] + 1, ends[1]).any(0),
            };
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let value: i128 = word.trim_end_matches(['u', 'f']).parse::<f64>().unwrap() as i128;
            return (value, value as u32);
        }
        if self.eat("[") {
            let at = self.any(0);
            assert_eq!(at.0, at.1.into(), "an access at {word}[{}]", at.0);
            assert!(self.eat("]"));
            // Rows of any number, in the order of their places.
            let row = [0, 1, 5, u32::MAX - 1, u32::MAX, 1 << 31, (1 << 31) - 1, 99][at.0 as usize % 8];
            return (row.into(), row);
        }
        *self
            .names
            .get(word.trim_start_matches("sizes."))
            .unwrap_or_else(|| panic!("{word} in {}", self.text))
    }

    /// Operators that bind more tightly than a level.
    fn any(&mut self, level: usize) -> Both {
        const LEVELS: [&[&str]; 4] = [&["&&"], &["<"], &["+", "-"], &["*", "/", "%"]];
        if level == LEVELS.len() {
            return self.operand();
        }
        let mut left = self.any(level + 1);
        while let Some(sign) = LEVELS[level].iter().find(|sign| self.eat(sign)) {
            let right = self.any(level + 1);
            left = match *sign {
                "&&" => (left.0 & right.0, left.1 & right.1),
                // A coordinate below 0 is outside.
                "<" => (i128::from(left.0 >= 0 && left.0 < right.0), u32::from(left.1 < right.1)),
                "+" => (left.0 + right.0, left.1.wrapping_add(right.1)),
                "-" => (left.0 - right.0, left.1.wrapping_sub(right.1)),
                "*" => (left.0 * right.0, left.1.wrapping_mul(right.1)),
                "/" => (left.0.div_euclid(right.0), left.1.checked_div(right.1).unwrap_or(0)),
                _ => (left.0.rem_euclid(right.0), left.1.checked_rem(right.1).unwrap_or(0)),
            };
        }
        left
    }
}

/// Follows one thread of one block through one step of each loop.
fn follow(text: &str, names: &mut BTreeMap<String, Both>, random: &mut Random) {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut skipped = 0;
    for line in lines {
        let read = |text: &str, names: &BTreeMap<String, Both>| {
            let found = Reader { text, names }.any(0);
            assert_eq!(found.0, found.1.into(), "{line} with {names:?}");
            found
        };
        if skipped > 0 {
            skipped += i32::from(line.ends_with('{')) - i32::from(line.starts_with('}'));
        } else if let Some((name, value)) = line.strip_prefix("let ").and_then(|rest| rest.split_once(" = "))
        {
            if !value.starts_with("block.") {
                let value = Reader { text: value, names }.any(0);
                names.insert(name.into(), value);
            }
        } else if let Some(rest) = line.strip_prefix("for (var ") {
            let (name, rest) = rest.split_once(" = 0u; ").unwrap();
            let count = read(rest.split_once(" < ").unwrap().1.split_once(';').unwrap().0, names).0;
            let step = [0, count - 1, count / 2, count - 2][random.below(4) as usize].max(0);
            skipped = i32::from(count < 1);
            names.insert(name.into(), (step, step as u32));
        } else if let Some(rest) = line.strip_prefix("if ") {
            let (condition, rest) = rest.split_once(") {").unwrap();
            let holds = read(&condition[1..], names).0 != 0;
            skipped = i32::from(!holds && rest.is_empty());
            if let (true, Some((to, value))) = (holds, rest.trim_end_matches(" }").split_once(" = ")) {
                Reader { text: to, names }.any(0);
                Reader { text: value, names }.any(0);
            }
        } else if let (false, Some((to, value))) = (line.starts_with("//"), line.split_once(" = ")) {
            Reader { text: if to.contains('[') { to } else { "0u" }, names }.any(0);
            Reader { text: value, names }.any(0);
        }
    }
}

#[test]
fn large_sizes_in_32_bits() {
    let mut random = Random::named("large_sizes_in_32_bits");
    let (mut launched, mut refused) = (0, 0);
    for _ in 0..300 {
        let mut pick = |all: &[&str]| all[random.below(all.len() as u64) as usize].to_string();
        let tile = pick(&["32", "48", "96", "128", "100"]);
        let view = |name: &str, pick: &mut dyn FnMut(&[&str]) -> String| {
            let rows =
                pick(&["b0 1@0", "b0 1@0", "b0 64@0", "(k+2)%4 1@0", "(k+5)/2 1@0", "k 1@0", "b0 100000@0"]);
            format!("{name}[{rows}, k {tile}@1, t 32:1@1{}]", pick(&["", "", ", 7@1", ", b0 32@1"]))
        };
        let to = view("y", &mut pick);
        let from = match pick(&["A", "A", "x", "n"]).as_str() {
            "A" => view("A", &mut pick),
            "n" => format!("n[k {tile}@0, t 32:1@0]"),
            _ => {
                let added = pick(&["", "", ", 3@0", ", b0 1@0", ", k 1@0", ", k 1@0, 2@0"]);
                format!("A[r[b0 1@0] else 4@0{added}, k {tile}@1, t 32:1@1]")
            }
        };
        let mut body = format!("{to} = {from} else 0\n");
        if pick(&["", "when"]) == "when" {
            let bound = pick(&["ceil(N/32)", "N", "2*M", "ceil((N+M)/7)", "floor(N/3)+1"]);
            body = format!("when {} < {bound} {{\n{body}}}\n", pick(&["k + 2", "k", "3*k + b0", "(k+9)/4"]));
        }
        let count =
            pick(&["ceil(N/32)", "ceil(N/48)", "ceil(N/128)", "floor(N/32)", "N", "floor((N + 2*M)/96)"]);
        let text = format!(
            "kernel k 32 threads, grid (M)\nread A f32 (M,N):({},1)\nread n f32 (M,N):(1,M)\nread r u32 M:1\nwrite y f32 (M,N):(N,1)\n\
             for k in {count} {{\n{body}}}\n",
            pick(&["lda", "0"])
        )
        .replace("read n f32 (M,N)", "read n f32 ((M,N))").replace(":(1,M)", ":((1,M))");
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let Ok(emitted) = program.emit(Target::Wgsl) else { continue };
        let Ok(guard) = program.conditions() else { continue };
        for _ in 0..30 {
            let m = 1 + random.below(3) as i64;
            let near =
                [1 << 32, 1 << 31, (1 << 32) / 3, 1 << 16, 1 << 30, (1 << 32) / 48][random.below(6) as usize];
            let n = (near / m + random.below(260) as i64 - 230).max(1);
            let Ok(sizes) = program.sizes(&[("M", m), ("N", n)]) else { continue };
            let named: Vec<(&str, i64)> = sizes.named().collect();
            let holds = program.scope().holds(&guard, &program.scope().values(&named).unwrap()).unwrap();
            if let Err(error) = program.launch(&sizes, &[]) {
                assert!(!holds, "{error}: {named:?}\n{text}");
                refused += 1;
                continue;
            }
            launched += 1;
            let mut names: BTreeMap<String, Both> =
                sizes.named().map(|(name, value)| (name.into(), (value.into(), value as u32))).collect();
            let (block, thread) = (random.below(m as u64) as u32, random.below(32) as u32);
            names.extend([("b0", block), ("t", thread)].map(|(name, own)| (name.into(), (own.into(), own))));
            follow(&emitted[emitted.find(") {").unwrap()..], &mut names, &mut random);
        }
    }
    assert!(launched > 2_000 && refused > 500, "{launched} {refused}");
}

/// Numbers beyond 64 bits, wherever one may stand, are refused with the line, that of the first statement inside of
/// a loop or a condition, or with the axis of the grid.
#[test]
fn numbers_beyond_64_bits_have_a_place() {
    let large = ["9223372036854775807*M*M*M", "M*M*M*M*M*M*M*M*4611686018427387904"];
    let places = [
        ("read A f32 M:1", "read A f32 {}:1", 2),
        ("read A f32 M:1", "read A f32 M:{}", 2),
        ("write B f32 M:1", "write B f32 {}:1", 3),
        ("for k in 2 {", "for k in {} {", 7),
        ("when k < 2 {", "when k < {} {", 8),
        ("when k < 2 {", "when b0 < {} {", 8),
        ("grid (ceil(M/32))", "grid ({})", 0),
        ("grid (ceil(M/32))", "grid (ceil(({})/32))", 0),
    ];
    let text = "kernel k 32 threads, grid (ceil(M/32))\nread A f32 M:1\nwrite B f32 M:1\nshared s f32 32:1\nregisters e f32 1:1\n\
                e = 0\nfor k in 2 {\nwhen k < 2 {\ns[t 32:1@0] = A[b0 32@0, t 32:1@0] else 0\nbarrier\n\
                e = e + s[t 32:1@0]\nbarrier\n}\n}\nB[b0 32@0, t 32:1@0] = e\n";
    for (number, (from, to, line)) in large.into_iter().flat_map(|own| places.map(|place| (own, place))) {
        let text = text.replace(from, &to.replace("{}", number));
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let run = || -> Result<(), Error> {
            let sizes = program.sizes(&[("M", 3)])?;
            // A run of this grid would go on up to its limit.
            if line == 0 {
                return program.launch(&sizes, &[]).map(|_| ());
            }
            program.run(&sizes, &mut Buffers::new(&program, &sizes)?).map(|_| ())
        };
        for (what, found) in [
            ("check", program.check().map(|_| ())),
            ("conditions", program.conditions().map(|_| ())),
            ("emit", program.emit(Target::Cuda).map(|_| ())),
            ("run", run()),
        ] {
            let Err(error) = found else { continue };
            let is_placed = match line {
                0 => error.line().is_some() || error.message().contains("axis 0 of the grid"),
                _ => error.line().is_some_and(|own| (line..=line + 2).contains(&own)),
            };
            assert!(is_placed, "{what} of\n{text}{error}");
        }
    }
}
