//! Races that show late: random nests of loops and conditions, followed plainly at sizes far beyond those that a check
//! follows.

use testkit::Random;
use tilework_program::{Buffers, Error, Program};

fn one_of<'a>(random: &mut Random, of: &[&'a str]) -> &'a str {
    of[random.below(of.len() as u64) as usize]
}

/// The right side of a condition, or the number of steps of a loop.
fn number(random: &mut Random) -> String {
    match random.below(2) {
        0 => random.range(0, 12).to_string(),
        _ => {
            one_of(random, &["K", "L", "ceil(K/2)", "floor(L/3)", "K + 1", "L + 2", "ceil(K/4)", "K"]).into()
        }
    }
}

/// The left side: multiples and digits of the indices that there are, and of the block's.
fn form(random: &mut Random, loops: &[&str]) -> String {
    let terms = (0..1 + random.below(3)).map(|_| match random.below(5) {
        0 => random.below(4).to_string(),
        1 => one_of(random, &["b0", "(b0)%3", "b0 + b0", "(b0+1)/2"]).into(),
        kind => match loops.is_empty() {
            true => random.below(8).to_string(),
            false => {
                let k = one_of(random, loops);
                match kind {
                    2 => one_of(random, &["({k})%3", "({k}+2)%2", "({k}+1)/2%2", "({k})/2", "2*{k}"]),
                    _ => "{k}",
                }
                .replace("{k}", k)
            }
        },
    });
    terms.collect::<Vec<_>>().join(" + ")
}

/// A statement or several of them; copies in flight where `is_async`.
fn body(random: &mut Random, loops: &mut Vec<&'static str>, is_async: bool, is_when: bool) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        let stage = match loops.is_empty() || random.chance(50) {
            true => format!("{}@1", random.below(2)),
            false => format!("({})%2 1@1", one_of(random, loops)),
        };
        text += &match random.below(if loops.len() < 3 { 9 } else { 5 }) {
            0 | 1 => "barrier\n".into(),
            2 if is_async && random.chance(60) => {
                format!("s[t 2:1@0, {stage}] = A[t 2:1@0] else 0 by SM80_CP_ASYNC_CACHEALWAYS<uint32_t>\n")
            }
            3 if is_async && !is_when => {
                one_of(random, &["commit\n", "wait 0\nbarrier\n", "wait 1\n", "wait 2\n"]).into()
            }
            2 | 3 => format!("s[t 2:1@0, {stage}] = 1\n"),
            4 => format!("r = r + s[1@0, {stage}]\n"),
            5 | 6 => {
                let index = ["k", "j", "q"][loops.len()];
                let count = number(random);
                loops.push(index);
                let body = body(random, loops, is_async, is_when);
                loops.pop();
                format!("for {index} in {count} {{\n{body}}}\n")
            }
            _ => {
                let (form, below) = (form(random, loops), number(random));
                format!("when {form} < {below} {{\n{}}}\n", body(random, loops, is_async, true))
            }
        };
    }
    text
}

fn text(random: &mut Random) -> String {
    let is_async = random.chance(25);
    let body = body(random, &mut Vec::new(), is_async, false);
    let facts = one_of(random, &["", "", "", "assume K <= 5\n", "assume K % 4 == 0\n", "assume L <= K\n"]);
    format!(
        "kernel late 2 threads, grid (ceil(N/2))\nread A f32 N:1\nread X f32 K:1\nread Z f32 L:1\nwrite y f32 N:1\n\
         shared s f32 (2,2):(1,2)\nregisters r f32 1:1\n{facts}r = 0\ns[t 2:1@0, 0@1] = 0\ns[t 2:1@0, 1@1] = 0\nbarrier\n\
         {body}y[b0 2@0, t 2:1@0] = r\n"
    )
}

/// Whether there is a race at sizes: none where the facts exclude them.
fn wrong_at(program: &Program, given: &[(&str, i64)]) -> Option<Option<Error>> {
    let sizes = program.sizes(given).ok()?;
    let mut buffers = Buffers::new(program, &sizes).unwrap();
    Some(program.run(&sizes, &mut buffers).err())
}

/// What is proved has no race at any size, what is refused has one where the sentence says, and few are neither.
#[test]
fn late_races() {
    let mut random = Random::named("late_races");
    let (mut proved, mut wrong, mut tried) = (0, 0, 0);
    for _ in 0..testkit::scaled(1_000, 0.06) {
        let text = text(&mut random);
        let Ok(program) = text.parse::<Program>() else { panic!("{text}") };
        let report = program.check().unwrap();
        match report.faults().next().map(ToString::to_string) {
            Some(fault) => {
                wrong += 1;
                let sizes =
                    fault.rsplit_once("where ").or(fault.rsplit_once("at ")).map_or("", |(_, sizes)| sizes);
                let sizes = sizes.split(": ").next().unwrap_or(sizes);
                let mut given = vec![("K", 0), ("L", 1), ("N", 30)];
                for part in sizes.split(", ") {
                    let Some((name, value)) = part.split_once('=') else { continue };
                    if let Some(own) = given.iter_mut().find(|own| own.0 == name) {
                        own.1 = value.parse().unwrap();
                    }
                }
                // The facts may not admit a size that the sentence leaves open.
                let open = |k| given.iter().map(move |own| if own == &("K", 0) { ("K", k) } else { *own });
                let done = [4, 400].map(|k| wrong_at(&program, &open(k).collect::<Vec<_>>()));
                assert!(done.iter().any(|done| matches!(done, Some(Some(_)))), "{given:?}\n{text}{report}");
            }
            None if report.is_proved() => {
                proved += 1;
                let sizes = (1..=40).flat_map(|k| (1..=40).map(move |l| (k, l)));
                for (k, l) in sizes {
                    if k.max(l) < 10 || random.chance(3) {
                        let given = [("K", k), ("L", l), ("N", if random.chance(10) { 40 } else { 9 })];
                        if let Some(Some(error)) = wrong_at(&program, &given) {
                            panic!("{error}\nat {given:?}\n{text}{report}");
                        }
                    }
                }
            }
            None => tried += 1,
        }
    }
    assert!(proved > 10 && wrong > 10 && tried < proved, "{proved} {wrong} {tried}");
}
