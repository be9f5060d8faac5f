//! The offset of an element as source text, compiled and run in each language: of every format, with names and at sizes, at
//! every coordinate of the padded array, where the condition tells padding and what is not stored from elements.

#[path = "../../tilework-symbolic/tests/symbolic/compiled.rs"]
mod compiled;
#[allow(dead_code)]
#[path = "../../tilework/tests/rustc/mod.rs"]
mod rustc;

use compiled::{Case, check};
use serde_json::Value;
use std::path::Path;
use testkit::Random;
use tilework_formats::{Format, Language, Packed, formats};
use tilework_symbolic::Scope;

/// What is given for a coordinate that has no element.
const NOTHING: i64 = 987_654_321;

/// The most coordinates of an array.
const MOST: i64 = 1 << 13;

type Sizes = Vec<(String, i64)>;

fn pairs(sizes: &Sizes) -> Vec<(&str, i64)> {
    sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect()
}

/// The table, and formats whose names are rules.
fn all_formats() -> Vec<Format> {
    let rules =
        ["BA16a64b4a:8", "(8,128)(4,1)", "P V B H D", "E x scale_128x4", "E x lapack_band", "E x gptq_3_bit"];
    formats().iter().cloned().chain(rules.map(|name| Format::named(name).unwrap())).collect()
}

/// The sizes of the format's case in the corpus, small ones, and random ones.
fn all_sizes(format: &Format) -> Vec<Sizes> {
    const SIZES: [i64; 24] =
        [1, 1, 2, 2, 3, 4, 5, 7, 8, 8, 16, 16, 17, 32, 33, 64, 64, 96, 128, 129, 160, 256, 512, 600];
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/formats/formats.jsonl");
    let corpus = std::fs::read_to_string(corpus).unwrap();
    let corpus = corpus.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let corpus = corpus.filter(|case| case["name"] == format.name()).map(|case| {
        let sizes = case["sizes"].as_object().unwrap().iter();
        sizes.map(|(name, size)| (name.clone(), size.as_i64().unwrap())).collect()
    });
    let small = format.small().unwrap().into_iter().map(|(name, size)| (name.to_owned(), size)).collect();
    let mut rng = Random::named(format.name());
    let random = (0..3000).map(move |_| {
        format.axes().iter().map(|axis| (axis.name.clone(), rng.choose(&SIZES))).collect::<Sizes>()
    });
    let is_small = |sizes: &Sizes, most: i64| {
        format.at(&pairs(sizes)).is_ok_and(|packed| padded(&packed).iter().product::<i64>() <= most)
    };
    let mut all: Vec<Sizes> = corpus.filter(|sizes| is_small(sizes, 2 * MOST)).chain([small]).collect();
    all.extend(random.filter(|sizes| is_small(sizes, MOST)).take(2));
    all.dedup();
    all
}

/// The extents of the padded array: those of the first layout.
fn padded(packed: &Packed) -> Vec<i64> {
    let text = packed.format().layouts()[0].split(" where ").next().unwrap();
    if !text.contains(':') || text.contains("..") {
        return packed.shape().to_vec();
    }
    let mut scope = Scope::new();
    let layout = scope.layout(text.rsplit(" o ").next().unwrap()).unwrap();
    let values = scope.any_values(&packed.sizes().collect::<Vec<_>>());
    let layout = layout.instance(&values).unwrap();
    (0..layout.rank()).map(|mode| layout.mode(mode).unwrap().size()).collect()
}

/// The function of a format, behind one that asks the condition first.
fn case(packed: &Packed, language: Language, with_names: bool, index: usize) -> Case {
    let sizes: Vec<(&str, i64)> = packed.sizes().collect();
    let (format, given) = (packed.format(), if with_names { &[][..] } else { &sizes[..] });
    let text = format.emit(language, given).unwrap_or_else(|error| panic!("{packed:?}: {error}"));
    let what = format!("{} {sizes:?}\n{text}", format.name());
    let is_head = |line: &&str| {
        ["def ", "fn ", "pub fn ", "static ", "__host__ "].iter().any(|word| line.starts_with(word))
    };
    let (head, rest) = text.lines().find(is_head).unwrap().split_once('(').unwrap();
    let (before, own) = head.rsplit_once(' ').unwrap();
    let (list, after) = rest.split_once(')').unwrap();
    let mut list: Vec<String> = list.split(", ").map(str::to_owned).collect();
    // `x: u32` and `uint32_t x`.
    let word = |part: &String| part.split(':').next().unwrap().rsplit(' ').next().unwrap().to_owned();
    let arguments: Vec<String> = list.iter().map(word).collect();
    let condition = text.lines().find_map(|line| line.split_once(" No padding if ")).map(|(_, text)| text);
    let mut words = arguments.clone();
    let in_condition: Vec<&str> =
        condition.unwrap_or_default().split(|c: char| !c.is_ascii_alphanumeric()).collect();
    for (name, _) in &sizes {
        if in_condition.contains(name) && !words.iter().any(|word| word == name) {
            list.push(match list[0].rsplit_once(' ') {
                Some((kind, _)) if !kind.ends_with(':') => format!("{kind} {name}"),
                Some((_, kind)) => format!("{name}: {kind}"),
                None => (*name).to_owned(),
            });
            words.push((*name).to_owned());
        }
    }
    let always = match language {
        Language::C => "1",
        Language::Python => "True",
        _ => "true",
    };
    let (name, call) = (format!("format{index}"), format!("inner{index}({})", arguments.join(", ")));
    let (condition, list) = (condition.unwrap_or(always), list.join(", "));
    let outer = match language {
        Language::Python => format!("def {name}({list}):\n    return {call} if {condition} else {NOTHING}\n"),
        Language::Rust => format!(
            "#[allow(non_snake_case)]\n{before} {name}({list}){after}\n    if {condition} {{ {call} }} else {{ {NOTHING} }}\n}}\n"
        ),
        _ => format!(
            "{before} {name}({list}){after}\n    if ({condition}) {{ return {call}; }}\n    return {NOTHING};\n}}\n"
        ),
    };
    let extents = padded(packed);
    let offset = |mut index: i64| {
        let digit = |extent: &i64| {
            let digit = index % extent;
            index /= extent;
            digit
        };
        packed.offset(&extents.iter().map(digit).collect::<Vec<_>>()).ok().flatten().unwrap_or(NOTHING)
    };
    let count: i64 = extents.iter().product();
    let size = |name: &String| sizes.iter().find(|(own, _)| own == name).unwrap().1;
    Case {
        what,
        language,
        name,
        text: text.replacen(&format!("{own}("), &format!("inner{index}("), 1) + &outer,
        values: words[extents.len()..].iter().map(size).collect(),
        offsets: (0..count).map(offset).collect(),
        extents,
        prints: false,
    }
}

fn every_format_gives_its_offsets(language: Language) {
    let (mut cases, mut ragged) = (Vec::new(), 0);
    for format in all_formats() {
        let all = all_sizes(&format);
        assert!(!all.is_empty(), "{}", format.name());
        for packed in all.iter().map(|sizes| format.at(&pairs(sizes)).unwrap()) {
            ragged += usize::from(padded(&packed) != packed.shape());
            // With names there is no text of what has more modes at larger sizes.
            for with_names in [false, true].into_iter().filter(|names| !(*names && format.is_expanded())) {
                cases.push(case(&packed, language, with_names, cases.len()));
            }
        }
    }
    assert!(ragged > 50 && cases.len() > 1000, "{ragged} ragged, {} in all", cases.len());
    check(language, &cases);
}

#[test]
fn every_format_gives_its_offsets_in_rust() {
    every_format_gives_its_offsets(Language::Rust);
}

#[test]
fn every_format_gives_its_offsets_in_wgsl() {
    every_format_gives_its_offsets(Language::Wgsl);
}

#[cfg(unix)]
#[test]
fn every_format_gives_its_offsets_in_c() {
    every_format_gives_its_offsets(Language::C);
}

#[cfg(unix)]
#[test]
fn every_format_gives_its_offsets_in_cuda() {
    every_format_gives_its_offsets(Language::Cuda);
}

#[cfg(unix)]
#[test]
fn every_format_gives_its_offsets_in_python() {
    every_format_gives_its_offsets(Language::Python);
}
