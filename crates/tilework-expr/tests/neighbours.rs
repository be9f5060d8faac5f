//! Layouts in the notations of TIRx and TileLang: what is read is what the text says at every index, by evaluators that know no
//! layouts, and is written again as it was. `corpus/pasted/neighbours.jsonl` has texts of others with their sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use testkit::Random;
use tilework_expr::{Export, Form, Session, Value, scan};

/// A place on named axes; an axis that is not there is at 0.
type Place = BTreeMap<String, i64>;

fn read(text: &str) -> Value {
    Session::new().evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}")).clone()
}

fn refusal(text: &str) -> String {
    match Session::new().evaluate(text) {
        Ok(value) => panic!("{text} is {value}"),
        Err(error) => error.to_string(),
    }
}

fn written(value: &Value, form: Form) -> String {
    Export::new(form).write(value).unwrap_or_else(|error| panic!("{value}: {error}"))
}

/// The places of a coordinate by the value: those of the layout and of each replica, without those at 0.
fn places(value: &Value, coordinate: &[i64]) -> BTreeSet<Place> {
    let names: Vec<String> = match value {
        Value::Named(axes, _) => axes.names().to_vec(),
        _ => vec!["m".into()],
    };
    let coordinate = match coordinate {
        [only] => tilework::HTuple::leaf(*only),
        several => tilework::HTuple::tuple(
            &several.iter().map(|&own| tilework::HTuple::leaf(own)).collect::<Vec<_>>(),
        )
        .unwrap(),
    };
    let offset = value.evaluate(&coordinate).unwrap().unwrap();
    let replicas = match value {
        Value::Named(axes, _) => axes.replicas().copied(),
        _ => None,
    };
    let own = |offset: &tilework::Offset| -> Vec<i64> {
        let mut own: Vec<i64> = offset.leaves().iter().map(|leaf| leaf.numerator()).collect();
        own.resize(names.len(), 0);
        own
    };
    let count = replicas.map_or(1, |replicas| replicas.size());
    let of_replica = |index| {
        replicas.map_or(vec![0; names.len()], |own_replicas| own(&own_replicas.evaluate(index).unwrap()))
    };
    let place = |index| {
        let sums = own(&offset).into_iter().zip(of_replica(index)).map(|(a, b)| a + b);
        names.iter().cloned().zip(sums).filter(|(_, at)| *at != 0).collect()
    };
    (0..count).map(place).collect()
}

/// `(4,1):(1@laneid,2)` as extents, strides and axes.
fn iters(spec: &str) -> Vec<(i64, i64, String)> {
    let list = |text: &str| -> Vec<String> {
        text.trim_matches(['(', ')']).split(',').filter(|own| !own.is_empty()).map(str::to_owned).collect()
    };
    let (shape, strides) = spec.split_once(':').expect("a shape and strides");
    let stride = |text: String| match text.split_once('@') {
        Some((count, axis)) => (count.parse().unwrap(), axis.to_owned()),
        None => (text.parse().unwrap(), "m".to_owned()),
    };
    let pairs = list(shape).into_iter().zip(list(strides).into_iter().map(stride));
    pairs.map(|(extent, (count, axis))| (extent.parse().unwrap(), count, axis)).collect()
}

/// The places of a row-major index by TIRx's rules, from a text without blanks and modules.
fn tirx(text: &str, mut index: i64) -> BTreeSet<Place> {
    let (mut shard, mut replicas, mut first) = (Vec::new(), Vec::new(), Place::new());
    for term in text.split('+') {
        if let Some(spec) = term.strip_prefix("S[") {
            shard = iters(spec.trim_end_matches(']'));
        } else if let Some(spec) = term.strip_prefix("R[") {
            replicas = iters(spec.trim_end_matches(']'));
        } else {
            let (count, axis) = term.split_once('@').unwrap_or((term, "m"));
            *first.entry(axis.to_owned()).or_default() += count.parse::<i64>().unwrap();
        }
    }
    for (extent, stride, axis) in shard.iter().rev() {
        *first.entry(axis.clone()).or_default() += index % extent * stride;
        index /= extent;
    }
    let mut all = BTreeSet::from([first]);
    for (extent, stride, axis) in &replicas {
        let moved = |place: &Place, step: i64| {
            let mut place = place.clone();
            *place.entry(axis.clone()).or_default() += step * stride;
            place
        };
        all = all
            .iter()
            .flat_map(|place| (0..*extent).map(|step| moved(place, step)).collect::<Vec<_>>())
            .collect();
    }
    all.into_iter().map(|place| place.into_iter().filter(|(_, at)| *at != 0).collect()).collect()
}

/// A text of TIRx without blanks, modules and the constructor.
fn normal(text: &str) -> String {
    let text = text.replace([' '], "").replace("T.", "");
    text.strip_prefix("TileLayout(").and_then(|text| text.strip_suffix(')')).unwrap_or(&text).to_owned()
}

/// The coordinate of a row-major index.
fn row_major(extents: &[i64], mut index: i64) -> Vec<i64> {
    let mut coordinate = vec![0; extents.len()];
    for (at, extent) in coordinate.iter_mut().zip(extents).rev() {
        *at = index % extent;
        index /= extent;
    }
    coordinate
}

fn check_tirx(text: &str) {
    let value = read(text);
    let text = normal(text);
    assert_eq!(written(&value, Form::Tirx).replace(' ', ""), text);
    assert_eq!(read(&value.to_string()), value, "{text}");
    let extents: Vec<i64> = value.domain().unwrap().leaves().iter().map(|leaf| leaf.extent).collect();
    let size: i64 = extents.iter().product();
    for index in (0..size).step_by((size / 500).max(1) as usize) {
        assert_eq!(places(&value, &row_major(&extents, index)), tirx(&text, index), "{text} at {index}");
    }
}

/// A formula of TileLang at these values of `_i`, `_j`, .. and, last, of `_rep`: products before sums, from left to right.
fn formula(text: &str, values: &[i64]) -> i64 {
    let factor = |word: &str| match word {
        "_rep" => values[values.len() - 1],
        _ => match word.strip_prefix('_') {
            Some(letter) => values[usize::from(letter.as_bytes()[0] - b'i')],
            None => word.parse().unwrap(),
        },
    };
    let term = |term: &str| {
        let words: Vec<&str> = term.split(' ').collect();
        words[1..].chunks(2).fold(factor(words[0]), |left, pair| match (pair[0], factor(pair[1])) {
            ("*", right) => left * right,
            ("//", right) => left.div_euclid(right),
            (_, right) => left.rem_euclid(right),
        })
    };
    text.split(" + ").map(term).sum()
}

fn between<'a>(text: &'a str, before: &str, behind: &str) -> &'a str {
    text.split_once(before).and_then(|(_, rest)| rest.split_once(behind)).expect("the part").0
}

fn check_fragment(text: &str) {
    let value = read(text);
    assert_eq!(written(&value, Form::Tilelang), text);
    assert_eq!(read(&value.to_string()), value, "{text}");
    let numbers = |list: &str| -> Vec<i64> { list.split(", ").map(|own| own.parse().unwrap()).collect() };
    let extents = numbers(between(text, "([", "]"));
    let replicas = numbers(between(text, "replicate: ", ","))[0];
    let thread = between(text, "forward_thread: ", ", forward_index");
    let index = between(text, "forward_index: [", "]");
    let size: i64 = extents.iter().product();
    for at in (0..size).step_by((size / 500).max(1) as usize) {
        let mut values = row_major(&extents, at);
        let found = places(&value, &values);
        let wanted = (0..replicas).map(|replica| {
            values.push(replica);
            let place = [("thread", formula(thread, &values)), ("index", formula(index, &values))];
            values.pop();
            place.into_iter().filter(|(_, at)| *at != 0).map(|(name, at)| (name.to_owned(), at)).collect()
        });
        assert_eq!(found, wanted.collect(), "{text} at {at}");
    }
}

#[test]
fn pasted_texts_of_the_neighbours_round_trip() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pasted/neighbours.jsonl");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let (mut tirx, mut fragments) = (0, 0);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case is a JSON object");
        let text = case["text"].as_str().expect("a case has a text");
        assert!(case["source"].as_str().is_some_and(|source| !source.is_empty()), "{text}");
        match case["form"].as_str() {
            Some("tirx") => (check_tirx(text), tirx += 1).0,
            _ => (check_fragment(text), fragments += 1).0,
        }
        let found = scan(&format!("    loop {text}\n"));
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!((found[0].text.as_str(), &found[0].value), (text, &read(text)));
    }
    // Slices of arrays are no layouts, and lists of formulas have two in a line.
    assert!(scan("x = S[1:3] + R[4] + S[8, 4]\n").is_empty());
    let formula = "Layout([4] -> [8], transform: [_i] -> [_i // 2 * 4 + _i % 2])";
    assert_eq!(scan(&format!("{formula} and S[4:1@tx] // {formula}\n")).len(), 3);
    assert!(tirx + fragments >= 60 && tirx >= 50 && fragments >= 4, "{tirx} and {fragments}");
}

/// Every text is read or refused, and what is read prints as itself and in both forms as a text that is read.
#[test]
fn changed_texts_are_read_or_refused() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pasted/neighbours.jsonl");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let case = |line: &str| -> String {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case is a JSON object");
        case["text"].as_str().expect("a case has a text").to_owned()
    };
    let texts: Vec<String> = text.lines().map(case).collect();
    let signs: Vec<char> = "()[]:,@+-*/%SR_ij0123456789 9".chars().collect();
    let (mut random, mut count) = (Random::new(44), 0);
    for round in 0..6000 {
        let mut text: Vec<char> = texts[round % texts.len()].chars().collect();
        for _ in 0..1 + random.below(3) {
            let (at, sign) = (random.below(text.len()), signs[random.below(signs.len())]);
            match random.below(3) {
                0 => drop(text.remove(at)),
                1 => text[at] = sign,
                _ => text.insert(at, sign),
            }
        }
        let text: String = text.into_iter().collect();
        let Ok(value) = Session::new().evaluate(&text).cloned() else { continue };
        count += 1;
        assert_eq!(Session::new().evaluate(&value.to_string()), Ok(&value), "{text}");
        for form in [Form::Tirx, Form::Tilelang] {
            let Ok(written) = Export::new(form).write(&value) else { continue };
            let again = read(&written);
            assert_eq!(Export::new(form).write(&again).ok(), Some(written), "{text}");
        }
    }
    assert!(count > 500, "{count} are read");
}

#[test]
fn fragments_of_logs_round_trip() {
    for text in [
        "Fragment([16, 64] -> [32], replicate: 4, thread: 128, forward_thread: _rep * 32 + _i % 8 * 4 + _j % 8 // 2, forward_index: [_j // 8 * 4 + _i // 8 * 2 + _j % 2], thread_range: I.Range(0, 128))",
        "Fragment([16, 64] -> [8], replicate: 1, thread: 128, forward_thread: _j % 32 // 8 * 32 + _i % 8 * 4 + _j % 8 // 2, forward_index: [_j // 32 * 4 + _i // 8 * 2 + _j % 2], thread_range: I.Range(0, 128))",
        "Fragment([16] -> [4], replicate: 32, thread: 128, forward_thread: _rep % 4 * 32 + _rep // 4 * 4 + _i % 8 // 2, forward_index: [_i // 8 * 2 + _i % 2], thread_range: I.Range(0, 128))",
    ] {
        check_fragment(text);
    }
}

#[test]
fn random_tiles_are_what_tirx_says() {
    let mut random = Random::new(41);
    let axes = ["", "@laneid", "@warpid", "@tx", "@TCol"];
    for _ in 0..600 {
        let mut spec = |most: u64| {
            let count = 1 + random.below(most);
            let parts: Vec<(String, String)> = (0..count)
                .map(|_| {
                    let stride = 1 + random.below(40);
                    let axis = axes[random.below(5) as usize];
                    ((1 + random.below(5)).to_string(), format!("{stride}{axis}"))
                })
                .collect();
            let (shape, strides): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
            match count {
                1 => format!("{}:{}", shape[0], strides[0]),
                _ => format!("({}):({})", shape.join(","), strides.join(",")),
            }
        };
        let mut text = format!("S[{}]", spec(4));
        if random.below(2) == 0 {
            text += &format!(" + R[{}]", {
                let extent = 1 + random.below(4);
                format!("{extent}:{}{}", 1 + random.below(50), axes[1 + random.below(4) as usize])
            });
        }
        let value = read(&text);
        // Without its own stride, an offset is written in the order of the names.
        let offset = axes[random.below(5) as usize];
        text += &format!(" + {}{offset}", 1 + random.below(9));
        let moved = read(&text);
        check_tirx(&text);
        assert_eq!(value.domain().map(tilework::Layout::shape), moved.domain().map(tilework::Layout::shape));
    }
}

/// Whether numbers are those of a layout of one mode, by the definition: each stride is that of the first index it has, up to where
/// the next one begins.
fn is_layout(values: &[i64]) -> bool {
    let (mut extents, mut strides) = (vec![], vec![]);
    let at = |extents: &[i64], strides: &[i64], mut index: i64| {
        let mut sum = 0;
        for (position, (extent, stride)) in extents.iter().zip(strides).enumerate() {
            let own = if position + 1 < extents.len() { index % extent } else { index };
            sum += own * stride;
            index /= extent;
        }
        sum
    };
    let size = values.len() as i64;
    let mut before = 1;
    while before < size {
        if size % before != 0 {
            return false;
        }
        extents.push(size);
        strides.push(values[before as usize]);
        let Some(end) = (before..size).find(|&index| at(&extents, &strides, index) != values[index as usize])
        else {
            return true;
        };
        if end % before != 0 {
            return false;
        }
        *extents.last_mut().unwrap() = end / before;
        before = end;
    }
    true
}

#[test]
fn a_term_is_read_exactly_if_it_is_a_layout() {
    let mut random = Random::new(42);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..4000 {
        let size = 1 + random.below(48) as i64;
        let (modulus, divisor, factor) = (1 + random.below(16), 1 + random.below(8), 1 + random.below(5));
        let text = match random.below(3) {
            0 => format!("_i % {modulus} * {factor}"),
            1 => format!("_i // {divisor} * {factor}"),
            _ => format!("_i % {modulus} // {divisor} * {factor}"),
        };
        let values: Vec<i64> = (0..size).map(|index| formula(&text, &[index, 0])).collect();
        let extent = values.iter().max().unwrap() + 1;
        let printed = format!("Layout([{size}] -> [{extent}], transform: [_i] -> [{text}])");
        match Session::new().evaluate(&printed) {
            Ok(value) => {
                for index in 0..size {
                    let found = value.evaluate(&tilework::HTuple::leaf(index)).unwrap().unwrap();
                    assert_eq!(found.leaves()[0].numerator(), values[index as usize], "{printed}");
                }
                read += 1;
            }
            Err(error) => {
                // The inner remainder or quotient has to be a layout too.
                let inner = format!("_i % {modulus}");
                let remainders: Vec<i64> = (0..size).map(|index| formula(&inner, &[index, 0])).collect();
                let partial = text.contains(&inner) && !is_layout(&remainders);
                assert!(partial || !is_layout(&values), "{printed}: {error}");
                refused += 1;
            }
        }
    }
    assert!(read > 800 && refused > 800, "{read} read, {refused} refused");
}

#[test]
fn random_fragments_are_written_as_they_are_read() {
    let mut random = Random::new(43);
    for _ in 0..500 {
        // Extents of dimensions and of replicas as products, each factor along the threads or the registers.
        let (mut thread, mut index) = ((1, vec![]), (1, vec![]));
        let rank = 1 + random.below(3) as usize;
        let mut extents = vec![1i64; rank];
        let mut replicas = 1;
        let names: Vec<String> =
            (0..rank).map(|mode| format!("_{}", char::from(b'i' + mode as u8))).collect();
        let mut factors: Vec<(usize, i64, bool)> = (0..1 + random.below(6))
            .map(|_| {
                (random.below(rank as u64 + 1) as usize, 2 + random.below(3) as i64, random.below(2) == 0)
            })
            .collect();
        factors.sort_by_key(|(mode, ..)| *mode);
        let mut terms = vec![];
        for (mode, extent, on_thread) in factors {
            let size = if mode < rank { &mut extents[mode] } else { &mut replicas };
            let (before, on_thread) = (*size, on_thread || mode == rank);
            *size *= extent;
            terms.push((mode, before, *size, on_thread));
        }
        for (mode, before, end, on_thread) in terms {
            let (name, size) =
                if mode < rank { (names[mode].as_str(), extents[mode]) } else { ("_rep", replicas) };
            let output = if on_thread { &mut thread } else { &mut index };
            let step = output.0;
            output.0 *= end / before;
            let modulus = if end < size { format!(" % {end}") } else { String::new() };
            let divisor = if before > 1 { format!(" // {before}") } else { String::new() };
            let factor = if step > 1 { format!(" * {step}") } else { String::new() };
            output.1.insert(0, format!("{name}{modulus}{divisor}{factor}"));
        }
        let join = |terms: Vec<String>| if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
        let shape = extents.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let fragment = format!(
            "Fragment([{shape}] -> [{}], replicate: {replicas}, thread: {}, forward_thread: {}, forward_index: [{}], \
             thread_range: I.Range(0, {}))",
            index.0,
            thread.0,
            join(thread.1),
            join(index.1),
            thread.0
        );
        let value = read(&fragment);
        assert_eq!(read(&value.to_string()), value, "{fragment}");
        let again = written(&value, Form::Tilelang);
        assert_eq!(read(&again), value, "{fragment}");
        check_fragment(&again);
    }
}

#[test]
fn swizzles_have_their_own_conventions() {
    // cuda-oxide has the first bit that is read, TIRx the bits that stay in place first.
    for (bits, base, source) in [(5i64, 0i64, 5i64), (3, 0, 5), (2, 1, 5), (1, 4, 7), (3, 4, 7)] {
        let text = format!("cuda_device::swizzle::Swizzle<{bits}, {base}, {source}>");
        let value = read(&text);
        assert_eq!(written(&value, Form::CudaOxide), text);
        assert_eq!(read(&format!("cuda_oxide::Swizzle::<{bits}, {base}, {source}>")), value);
        let Value::Swizzle(swizzle) = value else { panic!("{value}") };
        for x in 0..4096 {
            assert_eq!(swizzle.apply(x), Ok(x ^ (((x >> source) & ((1 << bits) - 1)) << base)), "{text}");
        }
    }
    for (text, inner) in [("SwizzleLayout(1, 2, 3)", true), ("SwizzleLayout(1, 2, 3, False)", false)] {
        let value = read(text);
        assert_eq!(written(&value, Form::Tirx), text);
        let Value::Swizzle(swizzle) = value else { panic!("{value}") };
        for x in 0..4096 {
            let high = x >> 1;
            let mixed = if inner { high ^ ((high & (3 << 3)) >> 3) } else { high ^ ((high & 3) << 3) };
            assert_eq!(swizzle.apply(x), Ok(mixed << 1 | x & 1), "{text}");
        }
    }
    let composed = "ComposeLayout(3, 3, 3, TileLayout(S[(64,4,64):(64,4096,1)]))";
    assert_eq!(written(&read(composed), Form::Tirx), composed);
    let named = "T.ComposeLayout(SwizzleLayout(per_element=3, swizzle_len=3, atom_len=3), T.TileLayout(T.S[(64, 4, 64) : (64, 4096, 1)]))";
    assert_eq!(read(named), read(composed));
    assert_eq!(read(composed).to_string(), "Sw<3,3,3> o 0 o (64,4,64):(64,4096,1)");
    let outer = "ComposeLayout(SwizzleLayout(3, 3, 3, False), TileLayout(S[4096:1]))";
    assert_eq!(written(&read(outer), Form::Tirx), outer);
}

#[test]
fn operations_keep_the_names() {
    for (text, result) in [
        ("coalesce(S[(8,4,2):(4@laneid,1@laneid,1)])", "S[(8,4,2):(4@laneid,1@laneid,1)]"),
        ("(S[(8,4,2):(4@laneid,1@laneid,1)])(3,_,1)", "S[4:1@laneid] + 12@laneid + 1"),
        (
            "S[8:4@laneid] + R[4:1@laneid] + (1@laneid + 2@warpid)",
            "S[8:4@laneid] + R[4:1@laneid] + 1@laneid + 2@warpid",
        ),
        ("S[(8,4):(4@laneid,1@laneid)].layout", "(8,4):(4@0,1@0)"),
        ("(S[(8,4,2):(4@laneid,1@laneid,1)])(3,2,1)", "(14,1)"),
        ("S[8, 4, 2]", "(8,4,2):(8,2,1)"),
        ("S[(4,2):(1,\"laneid\")]", "S[(4,2):(1,1@laneid)]"),
        ("S[4:(2@a+3@b)]", "S[4:(2@a+3@b)]"),
        ("coalesce(S[(8,4):(1@tx,8@tx)] + R[2:32@tx])", "S[32:1@tx] + R[2:32@tx]"),
        ("is_injective((S[4:1@a] + R[2:1@a]).layout)", "true"),
        ("S[(4,2):(1@tx,0)] + 0", "S[(4,2):(1@tx,0)]"),
        ("S[(8,4):(4@laneid,1@laneid)] o (4,2):(2,8)", "S[(4,2):(8@laneid,1@laneid)]"),
        ("S[4:1@tx] + 0@laneid", "S[4:1@tx] + 0@laneid"),
        ("T.TileLayout(T.S[4:1@T.Axis.tx] + 5)", "S[4:1@tx] + 5"),
        (
            "Layout([16, 64] -> [2, 8, 64], transform: [_i, _j] -> [_i // 8, _i % 8, _j])",
            "S[((8,2),64):((1@index1,1@index),1@index2)]",
        ),
        ("Layout([4, 8] -> [35], transform: [_i, _j] -> [_i * 8 + _j + 3])", "{3} o (4,8):(8,1)"),
        (
            "Layout([4, 8] -> [32], transform: [_i, _j] -> [(_i * 8 + _j) // 16 * 16 + (_i * 8 + _j) % 16])",
            "(4,8):(8,1)",
        ),
    ] {
        assert_eq!(read(text).to_string(), result, "{text}");
    }
    for text in [
        "Layout([16, 64] -> [2, 8, 64], transform: [_i, _j] -> [_i // 8, _i % 8, _j])",
        "Layout([4, 8] -> [35], transform: [_i, _j] -> [_i * 8 + _j + 3])",
    ] {
        assert_eq!(written(&read(text), Form::Tilelang), text);
    }
    // Modes of several leaves become leaves of TIRx from the last one.
    assert_eq!(written(&read("((2,4),8):((1,16),2)"), Form::Tirx), "S[(4,2,8):(16,1,2)]");
}

/// `make_full_bank_swizzled_layout` and those of half and of a quarter of the banks (TileLang, `layout/gemm_layouts.cc`), which write
/// the XOR of two bits as the remainder of their sum by 2.
#[test]
fn swizzles_of_tilelang_are_swizzles() {
    for (bits, log, rows, columns) in
        (1..=3).flat_map(|bits| [(bits, 3, 16, 64), (bits, 2, 8, 64), (bits, 4, 32, 128)])
    {
        let (vector, chunks) = (1i64 << log, 1i64 << bits);
        let terms: Vec<String> = (0..bits)
            .map(|bit| {
                let (row, chunk) = (8 >> bits << bit, vector << bit);
                format!("(_j % {} // {chunk} + _i % {} // {row}) % 2 * {chunk}", 2 * chunk, 2 * row)
            })
            .collect();
        let index = format!("_i % 8 * {} + {} + _j % {vector}", chunks * vector, terms.join(" + "));
        let claimed = [columns / vector / chunks, rows / 8, 8 * chunks * vector];
        let text = format!(
            "Layout([{rows}, {columns}] -> [{}, {}, {}], transform: [_i, _j] -> [_j // {}, _i // 8, {index}])",
            claimed[0],
            claimed[1],
            claimed[2],
            chunks * vector
        );
        let value = read(&text);
        assert!(value.to_string().starts_with(&format!("Sw<{bits},{log},3> o 0 o (")), "{text}: {value}");
        let mut offsets = Vec::new();
        for (j, i) in (0..columns).flat_map(|j| (0..rows).map(move |i| (j, i))) {
            let (chunk, row) = (j / vector % chunks, i % 8);
            let index = j % vector + ((chunk ^ (row >> (3 - bits))) + row * chunks) * vector;
            offsets.push(((j / vector / chunks * claimed[1] + i / 8) * claimed[2] + index).to_string());
        }
        assert_eq!(
            read(&format!("image({value})")).to_string(),
            format!("({})", offsets.join(",")),
            "{text}"
        );
    }
    for (text, result) in [
        ("Layout([2, 2] -> [2], transform: [_i, _j] -> [(_i + _j) % 2])", Some("(2,2):(^1,^1)")),
        (
            "Layout([8] -> [8], transform: [_i] -> [_i // 2 * 2 + (_i + _i // 4) % 2])",
            Some("Sw<1,0,2> o 0 o ((4,2)):((1,4))"),
        ),
        // Sums that carry, extents that have no bits, and threads.
        ("Layout([4, 4] -> [4], transform: [_i, _j] -> [(_i + _j) % 4])", None),
        ("Layout([6, 2] -> [2], transform: [_i, _j] -> [(_i + _j) % 2])", None),
        (
            "Fragment([2, 2] -> [1], replicate: 1, thread: 2, forward_thread: (_i + _j) % 2, forward_index: [0])",
            None,
        ),
    ] {
        let value = Session::new().evaluate(text).map(ToString::to_string).ok();
        assert_eq!(value.as_deref(), result, "{text}");
    }
}

#[test]
fn refusals_say_what_was_expected() {
    for (text, sentence) in [
        ("S[(8,4):(4@laneid,1@)]", "expected the name of an axis at character 21, found `)`"),
        ("S[(8,4):4@laneid]", "expected `(` before as many strides as extents at character 9, found `4`"),
        ("S[(8,4):(4@laneid)]", "expected `,` before as many strides as extents at character 18, found `)`"),
        ("S[8:4@laneid", "expected `]` at character 13, found the end"),
        ("S[8:4@laneid] + x", "expected `S[`, `R[` or an offset at character 17, found `x`"),
        ("S[8:1] + S[4:1]", "`S` is written twice"),
        ("TileLayout(S[8:1]", "expected `+` or `)` at character 18, found the end"),
        ("SwizzleLayout(3, 3)", "expected `,` at character 19, found `)`"),
        ("ComposeLayout(3, 3, 3, TileLayout(S[8:1@laneid]))", "a swizzle permutes memory"),
        ("cuda_device::Swizzle<3, 4, 2>", "shift"),
        (
            "Layout([4, 8] -> [32], transform: [_i, _k] -> [_i])",
            "expected `[_i, _j] -> [` at character 35, found `[`",
        ),
        (
            "Layout([4, 8] -> [32], transform: [_i, _j] -> [_k])",
            "expected a number, `_rep` or a dimension, as _i",
        ),
        (
            "Layout([4, 8] -> [16], transform: [_i, _j] -> [_i * 8 + _j])",
            "the formula reaches 31, and the print says that there are 16",
        ),
        ("Layout([4, 8] -> [32], transform: [_i, _j] -> [_i * _j])", "expected a positive number"),
        ("Layout([4] -> [4], transform: [_i] -> [3 - _i - 1])", "takes values of 0 or more, found -1"),
        (
            "Fragment([257] -> [2], replicate: 1, thread: 256, forward_thread: _i % 256, forward_index: [_i // 256])",
            "256:1 fits and 257:1 does not",
        ),
        (
            "Fragment([16] -> [4], replicate: 1, thread: tk_i // 16 * 32, forward_thread: _i)",
            "expected a number at character 45, found `t`",
        ),
        (
            "Layout([9223372036854775807, 9223372036854775807] -> [1], transform: [_i, _j] -> [_i * 2])",
            "does not fit in 64 bits",
        ),
    ] {
        let found = refusal(text);
        assert!(found.contains(sentence), "{text}: {found}");
    }
    for (text, sentence) in [
        ("layout_add(S[4:1@a], S[4:1@b])", "one layout is on the axes a, another on b"),
        ("is_injective(S[4:1@a] + R[2:1@a])", "is_injective has no answer for a layout with replicas"),
        (
            "Layout([9223372036854775807] -> [1], transform: [_i] -> [_i // 1 % 7])",
            "the print says that there are 1",
        ),
        (
            "Layout([1317624576693539402] -> [1], transform: [_i] -> [_i * 7 // 1])",
            "the print says that there are 1",
        ),
    ] {
        let found = refusal(text);
        assert!(found.contains(sentence), "{text}: {found}");
    }
    for (form, text, sentence) in [
        (
            Form::Tirx,
            "(4,8):(1@0,1@1)",
            "leaf 1 has the stride 1@1, and this form needs a multiple of one of 1 axes",
        ),
        (Form::Tirx, "4:1/2", "leaf 0 has the stride 1/2"),
        (
            Form::Tilelang,
            "S[4:1@laneid]",
            "TileLang has the axes `thread`, `index`, `index1`, .., and this layout has `laneid`",
        ),
        (Form::Tilelang, "S[4:1@index] + R[2:4@index]", "and replicas are along the first"),
        (Form::Tilelang, "4:-1", "an axis of TileLang takes a stride of 0 or more, found -1"),
        (Form::Tilelang, "Sw<3,3,3> o 0 o 512:1", "expected a layout without swizzle"),
        (Form::CudaOxide, "4:1", "expected a swizzle, found a layout"),
        (Form::CudaOxide, "Sw<3,0,-3>", "a swizzle of cuda-oxide takes a shift to lower bits, found -3"),
    ] {
        let found = Export::new(form).write(&read(text)).unwrap_err().to_string();
        assert!(found.contains(sentence), "{text}: {found}");
    }
}
