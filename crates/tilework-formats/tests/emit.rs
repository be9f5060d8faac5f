//! The offset of an element as source text, compiled and run in each language: of every format, with names and at sizes, at
//! every coordinate of the padded array, where the condition tells padding and what is not stored from elements.

use crate::compiled::{Case, check};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;
use testkit::Random;
use tilework_formats::{Axis, Error, Format, Kind, Language, Packed, formats};
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

/// A format at sizes: the extents of its padded array, and the offset of each coordinate, the first axis fastest.
struct Array {
    packed: Packed,
    extents: Vec<i64>,
    offsets: Vec<i64>,
}

static ARRAYS: LazyLock<Vec<Array>> = LazyLock::new(|| {
    let sizes = |format: Format| all_sizes(&format).into_iter().map(move |sizes| format.at(&pairs(&sizes)));
    all_formats().into_iter().flat_map(sizes).map(|packed| Array::of(packed.unwrap())).collect()
});

impl Array {
    fn of(packed: Packed) -> Array {
        let extents = padded(&packed);
        let offset = |mut index: i64| {
            let digit = |extent: &i64| {
                let digit = index % extent;
                index /= extent;
                digit
            };
            packed.offset(&extents.iter().map(digit).collect::<Vec<_>>()).ok().flatten().unwrap_or(NOTHING)
        };
        let offsets = (0..extents.iter().product()).map(offset).collect();
        Array { packed, extents, offsets }
    }
}

/// The function of a format, behind one that asks the condition first.
fn case(array: &Array, language: Language, with_names: bool, index: usize) -> Case {
    let Array { packed, extents, offsets } = array;
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
    let size = |name: &String| sizes.iter().find(|(own, _)| own == name).unwrap().1;
    Case {
        what,
        language,
        name,
        text: text.replacen(&format!("{own}("), &format!("inner{index}("), 1) + &outer,
        values: words[extents.len()..].iter().map(size).collect(),
        offsets: offsets.clone(),
        extents: extents.clone(),
        prints: false,
    }
}

fn every_format_gives_its_offsets(language: Language) {
    let (mut cases, mut ragged, mut number) = (Vec::new(), 0, 0);
    let (every, mut seen) = (4 / testkit::scaled(4, 0.25).clamp(1, 4), BTreeSet::new());
    for (place, array) in ARRAYS.iter().enumerate() {
        ragged += usize::from(array.extents != array.packed.shape());
        number += 1 + usize::from(!array.packed.format().is_expanded());
        // Where a part of the cases runs, each format at one of its sizes at least.
        if !seen.insert(array.packed.format().name()) && place % every != 0 {
            continue;
        }
        // With names there is no text of what has more modes at larger sizes.
        let is_expanded = array.packed.format().is_expanded();
        for with_names in [false, true].into_iter().filter(|names| !(*names && is_expanded)) {
            cases.push(case(array, language, with_names, cases.len()));
        }
    }
    assert!(
        formats().iter().all(|own| ARRAYS.iter().any(|array| array.packed.format().name() == own.name()))
    );
    assert!(ragged > 50 && number > 1000, "{ragged} ragged, {number} in all");
    assert!(cases.len() * every >= number, "{} of {number}", cases.len());
    check(language, &cases);
}

/// Formats that no software has: alternatives, sizes of 0, layouts that are smaller than the array.
#[test]
fn unlike_formats_give_their_offsets_in_rust() {
    let records = include_str!("unlike.txt").split("\n\n").filter(|record| !record.trim().is_empty());
    let mut cases = Vec::new();
    for format in records.filter_map(|record| Format::parse(record).ok()).flatten() {
        // Of two least sizes the facts have the larger one, and the rules the last.
        let least = |axis: &Axis| {
            let own = format.rules().iter().filter(|rule| rule.axis == axis.name && rule.kind == Kind::From);
            own.count()
        };
        let has_facts = format.axes().iter().all(|axis| least(axis) <= 1);
        for small in [1, 2, 3, 4, 6] {
            let sizes: Vec<_> = format.axes().iter().map(|axis| (axis.name.as_str(), small)).collect();
            let Some(packed) = format.at(&sizes).ok().filter(|packed| packed.offsets().is_ok()) else {
                continue;
            };
            let array = Array::of(packed);
            for with_names in [false, true].into_iter().take(1 + usize::from(has_facts)) {
                cases.push(case(&array, Language::Rust, with_names, 10_000 + cases.len()));
            }
        }
    }
    assert!(cases.len() > 100, "{}", cases.len());
    check(Language::Rust, &cases);
}

#[test]
fn what_has_no_text_is_refused() {
    let private = |layout: &str| {
        let record = format!("name own\naxes M rows\nbits 8\nshape M, 64\nstorage 64*M\nlayout {layout}");
        Format::parse(&record).map(|all| all[0].clone())
    };
    let refused = |format: Result<Format, Error>, sizes: &[(&str, i64)]| {
        format.and_then(|format| format.emit(Language::C, sizes)).unwrap_err().to_string()
    };
    for (format, sizes, message) in [
        (Format::named("morton"), &[][..], "the modes of morton are as many as its sizes say: give b=.."),
        (Format::named("morton"), &[("b", 63)], "b must be at most 16; 63 given"),
        (
            Format::named("marlin_4"),
            &[("K", 100)],
            "K must be a multiple of 16: marlin_4 packs 16 rows; 100 given",
        ),
        (Format::named("marlin_4"), &[("N", 64), ("N", 64)], "the size N is given twice"),
        (
            Format::named("marlin_4"),
            &[("M", 64)],
            "there is no size M: marlin_4 has the sizes K rows, N columns",
        ),
        (private("(M,64):(64,1) where i >= M"), &[], "no element of own is stored at these sizes"),
    ] {
        assert_eq!(refused(format, sizes), message);
    }
    // At known sizes a condition would be for some of the elements.
    let triangle = Format::named("lapack_packed_upper").unwrap();
    assert!(triangle.emit(Language::Wgsl, &[("N", 300)]).is_ok());
    let large = triangle.emit(Language::Wgsl, &[("N", 80_000)]).unwrap_err().to_string();
    assert!(
        large.starts_with("lapack_packed_upper at these sizes has offsets that do not fit: only if "),
        "{large}"
    );
    let is_none = "a layout of own has the name j, which is no size";
    assert!(refused(private("(M,64):(64,j) where i < 4"), &[]).contains(is_none));
    assert!(refused(private("Sw<3,3,3> o 0 o (M,64):(64,1) where i < 4"), &[]).contains("swizzle"));
    let size = Format::parse("name own\naxes i rows\nbits 8\nlayout i:1").unwrap().remove(0);
    assert_eq!(refused(Ok(size), &[]), "i is a size of own, and the name of a coordinate");
}

/// Sizes of a format whose storage is large, if random ones are.
fn large(format: &Format, rng: &mut Random) -> Option<Packed> {
    const SIZES: [i64; 10] = [1, 2, 8, 64, 1000, 1 << 10, 3 << 14, 1 << 16, (1 << 16) + 64, 1 << 18];
    let mut sizes =
        || format.axes().iter().map(|axis| (axis.name.as_str(), rng.choose(&SIZES))).collect::<Vec<_>>();
    let is_large = |packed: &Packed| (1 << 28..1 << 40).contains(&packed.storage());
    (0..2000).find_map(|_| format.at(&sizes()).ok().filter(is_large))
}

/// At corners and random coordinates of arrays beyond 32 bits and almost: the integers are wide enough.
#[test]
fn large_arrays_give_their_offsets_in_rust() {
    let (mut rng, mut cases, mut wide) = (Random::named("large"), Vec::new(), 0);
    for format in all_formats().iter().filter(|format| !format.is_expanded()) {
        let Some(packed) = large(format, &mut rng) else { continue };
        let extents = padded(&packed);
        let coordinates: Vec<Vec<i64>> = (0..64)
            .map(|_| {
                let ends = extents.iter().zip(packed.shape());
                ends.map(|(padded, extent)| {
                    [0, padded - 1, (extent - 1).min(padded - 1), rng.below(*padded)][rng.below(4usize)]
                })
                .collect()
            })
            .collect();
        let offsets =
            coordinates.iter().map(|own| packed.offset(own).ok().flatten().unwrap_or(NOTHING)).collect();
        let array = Array { packed, extents, offsets };
        for with_names in [false, true] {
            let own = case(&array, Language::Rust, with_names, 20_000 + cases.len());
            wide += usize::from(own.text.contains("64"));
            let integer = &own.text.split("(i: ").nth(1).unwrap()[..3];
            let place = |at: usize| format!("at[{at}]");
            let arguments = (0..array.extents.len()).map(place).chain(own.values.iter().map(i64::to_string));
            let (name, arguments) =
                (format!("large{}", cases.len()), arguments.collect::<Vec<_>>().join(", "));
            let text = format!(
                "{}pub fn {name}(x: usize) -> {integer} {{\n    let at = {coordinates:?}[x];\n    {}({arguments})\n}}\n",
                own.text, own.name
            );
            cases.push(Case { name, text, extents: vec![64], values: Vec::new(), ..own });
        }
    }
    assert!(cases.len() > 250 && wide > 100, "{wide} of {} wide", cases.len());
    check(Language::Rust, &cases);
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
