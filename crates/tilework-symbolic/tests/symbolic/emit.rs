//! Source text: what is written is compiled, and gives the offset at every coordinate.

use crate::compiled::{Case, check};
use crate::random::{Nest, Problem, Rng, cases, offset, rng};
use std::collections::BTreeSet;
use tilework::{AnyLayout, Codomain, Composed, Error, Layout, MAX_LEAVES, Swizzle};
use tilework_symbolic::{Emitted, Host, Language, Number, Placed, Scope, Source, Values};

/// The offset of an index by the definition: the sum of digits times strides, or the XOR of their bits.
fn truth(layout: &Layout, base: i64, swizzle: Swizzle, index: i64) -> i64 {
    let sum = if layout.codomain() == Codomain::Xor {
        let (mut rest, mut sum) = (index, base);
        for leaf in layout.leaves() {
            for bit in 0..63 {
                if (rest % leaf.extent) >> bit & 1 == 1 {
                    sum ^= leaf.stride.count().numerator() << bit;
                }
            }
            rest /= leaf.extent;
        }
        sum
    } else {
        base + offset(layout, index.into()) as i64
    };
    let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
    let mut result = sum;
    for bit in 0..bits as i32 {
        let (low, high) = (base as i32 + bit, base as i32 + bit + shift.abs());
        let (from, to) = if shift >= 0 { (high, low) } else { (low, high) };
        result ^= (sum >> from & 1) << to;
    }
    result
}

/// A layout with its names, if it has any, and at their values.
struct Subject {
    scope: Scope,
    layout: Placed,
    given: Option<Values>,
    names: Vec<(&'static str, i64)>,
    instance: Layout,
    base: i64,
    swizzle: Swizzle,
}

impl Subject {
    fn plain(any: &AnyLayout) -> Subject {
        let scope = Scope::new();
        let (base, swizzle) = match any {
            AnyLayout::Plain(_) => (0, Swizzle::NONE),
            AnyLayout::Swizzled(composed) => (composed.offset(), composed.swizzle()),
        };
        let instance = *any.layout();
        let layout =
            scope.placed_of(swizzle, Number::integer(base), scope.constant(&instance).unwrap()).unwrap();
        Subject { scope, layout, given: None, names: Vec::new(), instance, base, swizzle }
    }

    /// `None` where there is no small instance.
    fn random(rng: &mut Rng) -> Option<Subject> {
        if rng.chance(35) {
            return random_layout(rng).map(|any| Subject::plain(&any));
        }
        let problem = Problem::random(rng);
        Subject::of(problem, rng)
    }

    fn of(mut problem: Problem, rng: &mut Rng) -> Option<Subject> {
        let modes = problem.modes(rng);
        let nest = Nest::random(rng, modes);
        let mut layout = problem.layout(&nest)?;
        if rng.chance(30) {
            // Tiles, of which some are ragged.
            let tile = *rng.pick(&["2", "3", "4", problem.names[0].name]);
            let tiler = problem.scope.tiler(tile).unwrap();
            let answer = problem.scope.logical_divide(&layout, &tiler).ok()?;
            problem.scope.assume_guard(&answer.guard).ok()?;
            layout = answer.layout;
        }
        let values = problem.values(rng, true);
        let given: Vec<_> = problem.names.iter().map(|known| known.name).zip(values).collect();
        let values = problem.scope.values(&given).ok()?;
        let instance = layout.instance(&values).ok()?;
        let (mut scope, names) = (problem.scope, given);
        let offset = if rng.chance(60) { Number::integer(0) } else { random_offset(rng, &mut scope, &names) };
        let swizzle = if rng.chance(25) { random_swizzle(rng) } else { Swizzle::NONE };
        // Where offsets may be negative, there is no swizzle.
        let plain = |error| match error {
            Error::Fact { .. } => scope.placed_of(Swizzle::NONE, offset.clone(), layout.clone()),
            error => Err(error),
        };
        let layout = scope.placed_of(swizzle, offset.clone(), layout.clone()).or_else(plain).ok()?;
        let base = scope.value(layout.start().ok()?, &values).ok()??;
        let (given, swizzle) = (Some(values), layout.swizzle());
        Some(Subject { scope, layout, given, names, instance, base, swizzle })
    }

    /// A function of this layout and of the first of these words, where there is one that its guard admits.
    fn case(&mut self, rng: &mut Rng, language: Language, name: String, words: &[&str]) -> Option<Case> {
        let leaves = self.instance.leaves().len();
        let parts: Vec<Layout> = match rng.range(1, 3) {
            1 => vec![self.instance],
            2 if self.instance.rank() > 1 => {
                (0..self.instance.rank()).map(|i| self.instance.mode(i).unwrap()).collect()
            }
            _ if self.instance.rank() == 1 => vec![self.instance],
            _ => (0..leaves).map(|i| self.instance.flatten().mode(i).unwrap()).collect(),
        };
        let words = words.get(..parts.len())?;
        let bits = *rng.pick(&[None, None, Some(32), Some(64)]);
        let bits = bits.filter(|bits| *bits == 32 || language != Language::Wgsl);
        let products = bits != Some(64) && language.divisors().is_some() && rng.chance(40);
        let mut source = Source::new(language, words);
        (source.bits, source.products) = (bits, products);
        let emitted = match self.scope.index_function(&self.layout, &name, &source) {
            Ok(emitted) => emitted,
            // Strides that do not fit 32 bits, words that are no names, and capacities.
            Err(Error::Argument { .. } | Error::Fact { .. } | Error::Capacity { .. }) => return None,
            Err(error) => panic!("{error}: {:?}", self.layout.to_string()),
        };
        let Emitted { text, guard, .. } = emitted;
        if let Some(given) = &self.given
            && !self.scope.holds(&guard, given).unwrap()
        {
            return None;
        }
        let (name, text) = with_divisors(language, name, text.as_str(), words, &self.names);
        let parameters = parameters(&text, &name);
        let known = self.names.iter().filter(|(known, _)| parameters.contains(*known));
        let values: Vec<i64> = known.map(|(_, value)| *value).collect();
        Some(Case {
            what: format!("{} {:?}", self.layout, self.names),
            language,
            name,
            text,
            extents: parts.iter().map(Layout::size).collect(),
            values,
            offsets: (0..self.instance.size())
                .map(|x| truth(&self.instance, self.base, self.swizzle, x))
                .collect(),
            prints: false,
        })
    }

    /// Loops over the first of these words that print the offsets, where there are some that their guard admits.
    fn loops(&mut self, rng: &mut Rng, language: Language, name: String, words: &[&str]) -> Option<Case> {
        let words = words.get(..self.instance.leaves().len())?;
        let bits = *rng.pick(&[None, Some(32), Some(64)]);
        let mut source = Source::new(language, words);
        source.bits = bits;
        let line = match language {
            Language::C | Language::Cuda => "printf(\"%lld \", (long long)offset);",
            Language::Rust | Language::Wgsl => "print!(\"{offset} \");",
            Language::Python => "print(offset, end=' ')",
            other => panic!("nothing runs {other:?}"),
        };
        let Ok(emitted) = self.scope.loop_nest(&self.layout, line, &source) else { return None };
        if let Some(given) = &self.given
            && !self.scope.holds(&emitted.guard, given).unwrap()
        {
            return None;
        }
        let (text, integer) = (emitted.text.as_str(), emitted.integer);
        let own = words_of(&self.layout.to_string());
        let names: Vec<_> = self.names.iter().filter(|(name, _)| own.contains(*name)).collect();
        let list = |before: &str, after: &str| {
            let words: Vec<String> = names.iter().map(|(name, _)| format!("{before}{name}{after}")).collect();
            words.join(", ")
        };
        let text = match language {
            Language::C | Language::Cuda => {
                format!("static void {name}({}) {{\n{text}}}\n", list(&format!("{integer} "), ""))
            }
            Language::Rust | Language::Wgsl => {
                format!("#[allow(warnings)]\nfn {name}({}) {{\n{text}}}\n", list("", &format!(": {integer}")))
            }
            Language::Python => {
                let lines: String = text.lines().map(|line| format!("    {line}\n")).collect();
                format!("def {name}({}):\n{lines}", list("", ""))
            }
            other => panic!("nothing runs {other:?}"),
        };
        Some(Case {
            what: format!("loops over {} {:?}", self.layout, self.names),
            language,
            name,
            text,
            extents: vec![],
            values: names.iter().map(|(_, value)| *value).collect(),
            offsets: (0..self.instance.size())
                .map(|x| truth(&self.instance, self.base, Swizzle::NONE, x))
                .collect(),
            prints: true,
        })
    }
}

/// A function that has divisors as parameters, called by one that makes them.
fn with_divisors(
    language: Language,
    name: String,
    text: &str,
    words: &[&str],
    names: &[(&str, i64)],
) -> (String, String) {
    let Some(line) = text.lines().find(|line| line.starts_with("// d") && line.contains(" = divisor_of("))
    else {
        return (name, text.to_owned());
    };
    let divisors: Vec<&str> = line.split(", d").map(|part| part.split_once(" = ").unwrap().1).collect();
    let (_, head) = text.split_once(&format!("{name}(")).unwrap();
    let list = head.split_once(')').unwrap().0;
    let own: Vec<&str> = list.split(", ").skip(words.len() + divisors.len()).collect();
    let own = own.iter().map(|part| match language {
        Language::Rust => part.split_once(':').unwrap().0,
        _ => part.split_once(' ').unwrap().1,
    });
    let arguments: Vec<&str> = words.iter().copied().chain(divisors).chain(own).collect();
    let used = words_of(&arguments.join(", "));
    let names = names.iter().map(|(name, _)| *name).filter(|name| used.contains(*name));
    let all = words.iter().copied().chain(names);
    let call = format!("{name}({})", arguments.join(", "));
    let wrapper = if language == Language::Rust {
        let list: Vec<String> = all.map(|word| format!("{word}: u32")).collect();
        format!("#[allow(warnings)]\npub fn w{name}({}) -> u32 {{\n    {call}\n}}\n", list.join(", "))
    } else {
        let list: Vec<String> = all.map(|word| format!("uint32_t {word}")).collect();
        format!("static inline uint32_t w{name}({}) {{\n    return {call};\n}}\n", list.join(", "))
    };
    (format!("w{name}"), text.to_owned() + &wrapper)
}

/// The words between the parentheses of a function's head.
fn parameters<'a>(text: &'a str, name: &str) -> BTreeSet<&'a str> {
    let (_, rest) = text.split_once(&format!("{name}(")).unwrap();
    let (list, _) = rest.split_once(')').unwrap();
    // `x: u32` and `uint32_t x`.
    let word = |part: &'a str| part.split(':').next().unwrap_or(part).rsplit(' ').next().unwrap_or(part);
    list.split(", ").map(word).collect()
}

fn words_of(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned).collect()
}

fn random_layout(rng: &mut Rng) -> Option<AnyLayout> {
    let rank = rng.range(1, 4);
    let extents: Vec<i64> = (0..rank).map(|_| *rng.pick(&[1, 2, 2, 3, 4, 4, 5, 8])).collect();
    let mut strides: Vec<i64> =
        extents.iter().scan(1, |step, extent| Some(std::mem::replace(step, *step * extent))).collect();
    rng.shuffle(&mut strides);
    for stride in &mut strides {
        if rng.chance(25) {
            *stride = *rng.pick(&[0, 1, 3, 5, 8, 16, -1, -4, 1 << 33]);
        }
    }
    let xor = rng.chance(15);
    let leaves = extents.iter().zip(&strides);
    let leaves = leaves.map(|(extent, stride)| match xor {
        true => (extent.to_string(), format!("^{}", stride.abs() & 0xffff)),
        false => (extent.to_string(), stride.to_string()),
    });
    let layout: Layout = Nest::random(rng, leaves.collect()).text().parse().ok()?;
    if rng.chance(75) {
        return Some(layout.into());
    }
    let swizzle = random_swizzle(rng);
    let least: i64 = (0..layout.size()).map(|x| truth(&layout, 0, Swizzle::NONE, x)).min()?;
    let offset = if least < 0 { -least } else { rng.range(0, 9) };
    Some(Composed::new(swizzle, offset, layout).unwrap().into())
}

fn random_swizzle(rng: &mut Rng) -> Swizzle {
    let (bits, base) = (rng.range(0, 3), rng.range(0, 3));
    let shift = rng.range(bits, 4) * rng.pick(&[1, 1, -1]);
    Swizzle::new(bits, base, shift).unwrap()
}

/// A number, in which some names are.
fn random_offset(rng: &mut Rng, scope: &mut Scope, names: &[(&str, i64)]) -> Number {
    let (first, second) = (rng.pick(names).0, rng.pick(names).0);
    let text = match rng.range(0, 4) {
        0 => rng.range(0, 9).to_string(),
        1 => first.to_owned(),
        2 => format!("8*{first}*{second} + 3"),
        3 => format!("ceil({first}/4)*{second}"),
        _ => format!("{first} - 3*{second}"),
    };
    scope.number(&text).unwrap()
}

/// Functions of random layouts in this language.
fn random_cases(language: Language, count: usize) -> Vec<Case> {
    let mut rng = rng(language.name());
    let words: Vec<String> = (0..MAX_LEAVES).map(|i| format!("x{i}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut cases = Vec::new();
    while cases.len() < count {
        let Some(mut subject) = Subject::random(&mut rng) else { continue };
        if subject.instance.size() > 400 {
            continue;
        }
        let name = format!("f{}", cases.len());
        let loops = subject.swizzle.bits() == 0 && language != Language::Wgsl && rng.chance(20);
        cases.extend(if loops {
            subject.loops(&mut rng, language, name, &words)
        } else {
            subject.case(&mut rng, language, name, &words)
        });
    }
    cases
}

/// Names of layouts and of coordinates: common ones, those of the emitted text, and words of the languages.
const WORDS: [&str; 22] = [
    "M", "K", "x", "i", "j", "k", "x1", "t0", "t1", "d0", "offset", "f", "a", "b", "c", "n", "select",
    "range", "u32", "in", "lambda", "while",
];
/// How many of them are words of a language, or of the emitted text.
const RESERVED: usize = 6;

/// Functions of layouts whose names and coordinates are random words. Where a word is both, or has a meaning in a
/// language, there is none.
fn renamed_cases(language: Language, count: usize) -> Vec<Case> {
    let mut rng = rng(&format!("names {}", language.name()));
    let (mut cases, mut refused) = (Vec::new(), 0);
    while cases.len() < count {
        let mut words = WORDS;
        rng.shuffle(&mut words);
        let problem = Problem::of(&mut rng, [words[0], words[1], words[2], words[3]]);
        let Some(mut subject) = Subject::of(problem, &mut rng) else { continue };
        if subject.instance.size() > 400 {
            continue;
        }
        let own = words_of(&subject.layout.to_string());
        let declared = |word: &&&str| subject.names.iter().any(|(name, _)| name == *word);
        // A declared name that is not in the layout would have the bounds of its facts.
        let free: Vec<&str> = words.iter().filter(|word| !declared(word)).copied().collect();
        let mut coordinate = free[..subject.instance.leaves().len().min(free.len())].to_vec();
        if rng.chance(30) && own.contains(words[0]) {
            coordinate[0] = words[0];
        }
        let name = format!("f{}", cases.len());
        let loops = language != Language::Wgsl && rng.chance(30);
        let used = if loops { coordinate.len() } else { 1 };
        let unfit = |word: &&str| own.contains(*word) || WORDS[WORDS.len() - RESERVED..].contains(word);
        let unfit = coordinate[..used].iter().any(unfit);
        let case = if loops {
            subject.loops(&mut rng, language, name, &coordinate)
        } else {
            subject.case(&mut rng, language, name, &coordinate)
        };
        assert!(case.is_none() || !unfit, "{coordinate:?} of {}", case.unwrap().what);
        refused += usize::from(unfit);
        cases.extend(case);
    }
    assert!(refused * 20 > count, "{refused} refused");
    cases
}

#[test]
fn rust_gives_the_offsets() {
    check(Language::Rust, &random_cases(Language::Rust, cases(10_000)));
    check(Language::Rust, &renamed_cases(Language::Rust, cases(3_000)));
}

#[test]
fn wgsl_gives_the_offsets() {
    check(Language::Wgsl, &random_cases(Language::Wgsl, cases(10_000)));
    check(Language::Wgsl, &renamed_cases(Language::Wgsl, cases(3_000)));
}

#[cfg(unix)]
#[test]
fn c_gives_the_offsets() {
    check(Language::C, &random_cases(Language::C, cases(10_000)));
    check(Language::C, &renamed_cases(Language::C, cases(3_000)));
}

#[cfg(unix)]
#[test]
fn cuda_gives_the_offsets() {
    check(Language::Cuda, &random_cases(Language::Cuda, cases(10_000)));
    check(Language::Cuda, &renamed_cases(Language::Cuda, cases(3_000)));
}

#[cfg(unix)]
#[test]
fn python_gives_the_offsets() {
    check(Language::Python, &random_cases(Language::Python, cases(10_000)));
    check(Language::Python, &renamed_cases(Language::Python, cases(3_000)));
}

/// Layouts with strides of either sign, whose names have bounds on both sides; `None` where an instance is not small.
/// Whether all numbers are small enough for 32 bits by the largest sizes of the names.
fn bounded(rng: &mut Rng) -> Option<(Subject, bool)> {
    let mut scope = Scope::new();
    let mut names: Vec<(&str, i64, i64)> = Vec::new();
    for name in ["M", "ld", "s"] {
        let (low, span) = (*rng.pick(&[1, 1, 0, -3, -1000]), *rng.pick(&[0, 5, 2000, 60_000]));
        names.push((name, low, low + span));
    }
    names.push(("K", 1, *rng.pick(&[4, 1000])));
    for (name, low, high) in &names {
        scope.declare(name).ok()?;
        scope.assume(&format!("{name} >= {low}, {name} <= {high}")).unwrap();
    }
    let size = |name: &str| {
        let (_, low, high) = names.iter().find(|(own, _, _)| *own == name).unwrap();
        i128::from(low.abs().max(high.abs()))
    };
    let (mut extents, mut strides, mut elements, mut reach) = (Vec::new(), Vec::new(), 1, 0);
    for _ in 0..rng.range(1, 3) {
        let extent = *rng.pick(&["2", "3", "4", "7", "K"]);
        let (a, b, c) = (*rng.pick(&["M", "ld", "s"]), *rng.pick(&["M", "ld", "s"]), rng.range(-9i64, 9));
        let (text, largest) = match rng.range(1, 5) {
            1 => (format!("{a} - {b}"), size(a) + size(b)),
            2 => (format!("{a}*{b} - 7*{a}"), size(a) * size(b) + 7 * size(a)),
            3 => (format!("{a} + {c}"), size(a) + i128::from(c.abs())),
            4 => (format!("floor(({a} - {b})/3) + {c}"), size(a) + size(b) + 1 + i128::from(c.abs())),
            _ => (format!("{c}"), i128::from(c.abs())),
        };
        let most: i128 = if extent == "K" { size("K") } else { extent.parse().unwrap() };
        elements *= most;
        reach += most * largest;
        extents.push(extent);
        strides.push(text);
    }
    let layout = scope.layout(&format!("({}):({})", extents.join(","), strides.join(","))).ok()?;
    let value = |rng: &mut Rng, low: i64, high: i64| *rng.pick(&[low, low + (high - low) / 3, high]);
    let given: Vec<(&str, i64)> = names
        .iter()
        .map(|(name, low, high)| {
            (*name, if *name == "K" { rng.range(1, 4) } else { value(rng, *low, *high) })
        })
        .collect();
    let values = scope.values(&given).ok()?;
    let instance = layout.instance(&values).ok()?;
    let fits = reach.max(elements) < 1 << 30;
    let (base, swizzle) = (0, Swizzle::NONE);
    let names = given;
    Some((
        Subject { scope, layout: layout.into(), given: Some(values), names, instance, base, swizzle },
        fits,
    ))
}

/// What fits 32 bits by the bounds of its names is written, whatever its sign, and what is written gives the offsets.
#[test]
fn strides_of_either_sign_give_the_offsets() {
    let words: Vec<String> = (0..MAX_LEAVES).map(|i| format!("x{i}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for language in [Language::Wgsl, Language::Rust, Language::C] {
        let (mut rng, mut found) = (rng(&format!("bounded {}", language.name())), Vec::new());
        while found.len() < cases(3_000) {
            let Some((mut subject, fits)) = bounded(&mut rng) else { continue };
            let name = format!("b{}", found.len());
            let case = match language != Language::Wgsl && rng.chance(40) {
                true => subject.loops(&mut rng, language, name, &words),
                false => subject.case(&mut rng, language, name, &words),
            };
            let text = subject.layout.to_string();
            let fits = fits && language == Language::Wgsl;
            assert!(
                case.is_some() || !fits,
                "{text} {:?}",
                subject.scope.facts().map(|f| subject.scope.guard_text(&f))
            );
            found.extend(case);
        }
        check(language, &found);
    }
}

/// A function with this name that returns 1 where conditions hold, and 0 where one does not.
fn condition(language: Language, name: &str, parameters: &[String], conditions: &[String]) -> String {
    let list = |before: &str, after: &str| {
        let words: Vec<String> = parameters.iter().map(|word| format!("{before}{word}{after}")).collect();
        words.join(", ")
    };
    let lines = |before: &str, after: &str| -> String {
        conditions.iter().map(|condition| format!("    {before}{condition}{after}\n")).collect()
    };
    match language {
        Language::C | Language::Cuda => {
            let body = lines("if (!(", ")) return 0;");
            format!("static inline int {name}({}) {{\n{body}    return 1;\n}}\n", list("int64_t ", ""))
        }
        Language::Rust | Language::Wgsl => {
            let body = lines("if !(", ") { return 0; }");
            format!("#[allow(warnings)]\npub fn {name}({}) -> i32 {{\n{body}    1\n}}\n", list("", ": i64"))
        }
        Language::Python => {
            format!("def {name}({}):\n{}    return 1\n", list("", ""), lines("if not (", "): return 0"))
        }
        other => panic!("nothing runs {other:?}"),
    }
}

/// Predicates of tiles of matrices, where each element of each tile knows whether it is in bounds.
fn predicates(language: Language, count: usize) -> Vec<Case> {
    let mut rng = rng(&format!("predicates {}", language.name()));
    let mut cases = Vec::new();
    while cases.len() < count {
        let mut problem = Problem::random(&mut rng);
        let extents: Vec<String> =
            (0..rng.range(1, 3)).map(|_| problem.number(&mut rng, &[2, 3, 4, 8])).collect();
        let strides = (0..extents.len()).map(|i| format!("1@{i}"));
        let nest = Nest(extents.iter().cloned().zip(strides).map(|leaf| vec![leaf]).collect());
        let tiles: Vec<&str> = extents.iter().map(|_| *rng.pick(&["2", "3", "4", "_", "K"])).collect();
        let text =
            if extents.len() == 1 { tiles[0].replace('_', "4") } else { format!("<{}>", tiles.join(",")) };
        let (Some(layout), Ok(tiler)) = (problem.layout(&nest), problem.scope.tiler(&text)) else { continue };
        let Ok(answer) = problem.scope.tiled_divide(&layout, &tiler) else { continue };
        let given: Vec<_> =
            problem.names.iter().map(|known| known.name).zip(problem.values(&mut rng, true)).collect();
        let values = problem.scope.values(&given).unwrap();
        let Ok(instance) = answer.layout.instance(&values) else { continue };
        if !problem.scope.holds(&answer.guard, &values).unwrap() || instance.size() > 400 {
            continue;
        }
        let bounds: Vec<_> = extents.iter().map(|extent| problem.scope.number(extent).unwrap()).collect();
        let limits: Vec<i64> =
            bounds.iter().map(|bound| problem.scope.value(bound, &values).unwrap().unwrap()).collect();
        let mut parameters: Vec<String> = (0..instance.rank()).map(|i| format!("x{i}")).collect();
        let words: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let Ok(emitted) = problem.scope.predicate(&answer.layout, &bounds, &Source::new(language, &words))
        else {
            continue;
        };
        parameters.extend(given.iter().map(|(name, _)| name.to_string()));
        let name = format!("p{}", cases.len());
        let inside = |x: i64| {
            let coordinate = instance.evaluate(x).unwrap();
            coordinate.leaves().iter().zip(&limits).all(|(c, limit)| c.numerator() < *limit)
        };
        cases.push(Case {
            what: format!("{} {given:?}", answer.layout),
            language,
            text: condition(language, &name, &parameters, &[emitted.text.as_str().to_owned()]),
            name,
            extents: (0..instance.rank()).map(|i| instance.mode(i).unwrap().size()).collect(),
            values: given.iter().map(|(_, value)| *value).collect(),
            offsets: (0..instance.size()).map(|x| inside(x).into()).collect(),
            prints: false,
        });
    }
    cases
}

/// Guards of compositions as checks on the host.
fn checks(language: Language, host: Host, count: usize) -> Vec<Case> {
    let mut rng = rng(&format!("checks {}", host.name()));
    let mut cases = Vec::new();
    while cases.len() < count {
        let mut problem = Problem::random(&mut rng);
        problem.hint(&mut rng);
        let modes = problem.modes(&mut rng);
        let right = problem.right(&mut rng, &modes, 2);
        let (left, right) = (Nest::random(&mut rng, modes), Nest::random(&mut rng, right));
        let (Some(a), Some(b)) = (problem.layout(&left), problem.layout(&right)) else { continue };
        let Ok(answer) = problem.scope.composition(&a, &b) else { continue };
        if answer.guard.is_always() {
            continue;
        }
        let values = problem.values(&mut rng, true);
        let given = problem.given(&values);
        let Ok(holds) = problem.scope.holds(&answer.guard, &given) else { continue };
        let text = match problem.scope.checks(&answer.guard, host) {
            Ok(text) => text,
            // A guard whose text does not fit.
            Err(Error::Capacity { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        let condition_of = |line: &str| {
            let open = line.find(['(', ' ']).unwrap();
            let rest = line[open + 1..].trim_end_matches(';');
            if line.as_bytes()[open] == b'(' {
                rest.strip_suffix(')').unwrap().to_owned()
            } else {
                rest.to_owned()
            }
        };
        let conditions: Vec<String> = text.as_str().lines().map(condition_of).collect();
        let name = format!("g{}", cases.len());
        let parameters: Vec<String> = problem.names.iter().map(|known| known.name.to_owned()).collect();
        cases.push(Case {
            what: format!("{text} {parameters:?} {values:?}"),
            language,
            text: condition(language, &name, &parameters, &conditions),
            name,
            extents: vec![],
            values,
            offsets: vec![holds.into()],
            prints: false,
        });
    }
    cases
}

/// Conditions whose products and sums wrap in 32 or 64 bits, at values where they do: what a check says in integers of either width is
/// what the condition is by exact integers.
fn wide_checks(language: Language, host: Host, bits: u32) -> Vec<Case> {
    type Exact = fn([i128; 4]) -> bool;
    fn of(factors: &[i128]) -> i128 {
        factors.iter().fold(1i128, |product, factor| product.saturating_mul(*factor))
    }
    let conditions: [(&str, Exact); 9] = [
        ("B*S*H*D <= 2147483648", |[b, s, h, d]| of(&[b, s, h, d]) <= 1 << 31),
        ("3*B*S*H*D <= 2147483647", |[b, s, h, d]| of(&[3, b, s, h, d]) <= i32::MAX.into()),
        ("B*B*S <= 9000000000000000000", |[b, s, ..]| of(&[b, b, s]) <= 9_000_000_000_000_000_000),
        ("2*B + 3 <= S", |[b, s, ..]| 2 * b + 3 <= s),
        ("B*S + D <= H*D", |[b, s, h, d]| b * s + d <= h * d),
        ("B*S == H", |[b, s, h, _]| b * s == h),
        ("B*S % 96 == 0", |[b, s, ..]| b * s % 96 == 0),
        ("128*ceil(B/128) <= S", |[b, s, ..]| (b + 127) / 128 * 128 <= s),
        ("B*S*H + D*D*D >= 5", |[b, s, h, d]| of(&[b, s, h]).saturating_add(of(&[d, d, d])) >= 5),
    ];
    let mut values: Vec<i64> = vec![1, 2, 3, 32, 128, 46_341, 65_536, 131_072, (1 << 31) - 1];
    if bits == 64 {
        values.extend([1 << 32, (1 << 32) + 1, 3_037_000_500, 1 << 62, i64::MAX]);
    }
    let places = cases(200);
    let (mut rng, mut cases) = (rng(&format!("wide {bits} {}", host.name())), Vec::new());
    for (text, exact) in conditions {
        let mut scope = Scope::new();
        scope.layout("(B,S,H,D):(1,1,1,1)").unwrap();
        let guard = scope.conditions(text).unwrap();
        assert!(!guard.is_always());
        let check = scope.checks(&guard, host).unwrap();
        for place in 0..places {
            let own: Vec<i64> = (0..4).map(|_| *rng.pick(&values)).collect();
            let own = if place == 0 { vec![32, 131_072, 32, 128] } else { own };
            let whole: [i128; 4] = std::array::from_fn(|i| own[i].into());
            // Where a check of the width that is left bounds each name, it is for smaller ones.
            let is_bounded = text.contains("D*D*D") && own.iter().any(|value| *value >= 1 << 42);
            let holds = exact(whole) && !is_bounded;
            let name = format!("w{bits}_{}", cases.len());
            let lines: Vec<String> = (check.lines())
                .map(|line| {
                    line.trim_end_matches(';')
                        .split_once('(')
                        .unwrap()
                        .1
                        .strip_suffix(')')
                        .unwrap()
                        .to_owned()
                })
                .collect();
            let parameters = ["B", "S", "H", "D"].map(str::to_owned);
            let function = condition(language, &name, &parameters, &lines);
            let function = match bits {
                32 => function.replace("int64_t", "int32_t").replace(": i64", ": i32"),
                _ => function,
            };
            let what = format!("{check} at {own:?}");
            cases.push(Case {
                what,
                language,
                text: function,
                name,
                extents: vec![],
                values: own,
                offsets: vec![holds.into()],
                prints: false,
            });
        }
    }
    cases
}

#[cfg(unix)]
#[test]
fn checks_in_c_hold_exactly_where_products_wrap() {
    for bits in [32, 64] {
        check(Language::C, &wide_checks(Language::C, Host::C, bits));
    }
}

#[test]
fn checks_in_rust_hold_exactly_where_products_wrap() {
    for bits in [32, 64] {
        check(Language::Rust, &wide_checks(Language::Rust, Host::Rust, bits));
    }
}

#[test]
fn predicates_and_checks_hold_where_they_should_in_rust() {
    check(Language::Rust, &predicates(Language::Rust, cases(2_000)));
    check(Language::Rust, &checks(Language::Rust, Host::Rust, cases(2_000)));
}

#[cfg(unix)]
#[test]
fn predicates_and_checks_hold_where_they_should_in_c_and_python() {
    check(Language::C, &predicates(Language::C, cases(2_000)));
    check(Language::C, &checks(Language::C, Host::C, cases(2_000)));
    check(Language::Python, &predicates(Language::Python, cases(2_000)));
    for host in [Host::Python, Host::Torch] {
        check(Language::Python, &checks(Language::Python, host, cases(2_000)));
    }
}
