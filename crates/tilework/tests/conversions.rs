//! What is written for other programs, read back by simple means of its own and applied at every index.

use testkit::Random;
use tilework::{AnyLayout, Composed, HTuple, Layout, LinearLayout};

fn pick<'a, T>(rng: &mut Random, from: &'a [T]) -> &'a T {
    &from[(rng.next() % from.len() as u64) as usize]
}

/// How many cases to run where so many are due in release.
fn cases(count: usize) -> usize {
    testkit::scaled(count, 0.05).max(20)
}

/// Modes of up to three leaves, as text; in each leaf an extent and a stride of these.
fn random(rng: &mut Random, rank: usize, extents: &[i64], strides: &[String]) -> String {
    let (mut shape, mut stride) = (Vec::new(), Vec::new());
    for _ in 0..rank {
        let leaves = rng.next() % 3 + 1;
        let many = |texts: Vec<String>| match &texts[..] {
            [one] => one.clone(),
            _ => format!("({})", texts.join(",")),
        };
        shape.push(many((0..leaves).map(|_| pick(rng, extents).to_string()).collect()));
        stride.push(many((0..leaves).map(|_| pick(rng, strides).clone()).collect()));
    }
    format!("({}):({})", shape.join(","), stride.join(","))
}

fn parse(text: &str) -> Option<AnyLayout> {
    Composed::parse(text).map(AnyLayout::from).or_else(|_| Layout::parse(text).map(AnyLayout::from)).ok()
}

/// The offsets of all coordinates of the modes, the first fastest; each offset by its components.
fn table(layout: &AnyLayout) -> Vec<Vec<i64>> {
    let offset = |index| {
        let offset = layout.evaluate(&HTuple::leaf(index)).ok()?;
        Some(offset.leaves().iter().map(|component| component.numerator()).collect())
    };
    (0..layout.layout().size()).map_while(offset).collect()
}

/// Whether a table over bits of the index is linear over F2.
fn is_linear(table: &[Vec<i64>]) -> bool {
    let xor = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a ^ b).collect::<Vec<_>>();
    table.iter().flatten().all(|&component| component >= 0)
        && table[0].iter().all(|&component| component == 0)
        && (0..table.len()).all(|x| {
            let low = x & x.wrapping_neg();
            table[x] == xor(&table[x - low], &table[low])
        })
}

/// The bases in Triton's text, of the named index: found by splitting the text at its signs.
fn bases(text: &str, name: &str) -> Vec<Vec<i64>> {
    let (_, rest) = text.split_once(&format!("{name} = [")).unwrap();
    let mut out = Vec::new();
    for row in rest.trim_start_matches('[').split("], [").take_while(|row| !row.starts_with(']')) {
        let (numbers, last) = row.split_once(']').map_or((row, false), |(numbers, _)| (numbers, true));
        out.push(numbers.split(", ").map(|number| number.parse().unwrap()).collect());
        if last {
            break;
        }
    }
    out
}

/// The coordinate at an index: the XOR of the bases of its bits.
fn applied(bases: &[Vec<i64>], index: usize, rank: usize) -> Vec<i64> {
    let mut out = vec![0; rank];
    for (bit, basis) in bases.iter().enumerate().filter(|(bit, _)| index >> bit & 1 == 1) {
        assert!(bit < 64);
        out.iter_mut().zip(basis).for_each(|(out, basis)| *out ^= basis);
    }
    out
}

/// Right where the layout is linear, and refused where it is not. Whether there was one.
fn check_linear(text: &str, lanes: usize) -> bool {
    let layout = parse(text).unwrap();
    let values = table(&layout);
    assert_eq!(values.len() as i64, layout.layout().size(), "{text}");
    let extents = layout.layout().leaves().iter().map(|leaf| leaf.extent);
    let expected = extents.clone().all(|extent| extent.count_ones() == 1) && is_linear(&values);
    let linear = match LinearLayout::of(&layout, lanes as i64) {
        Ok(linear) => linear,
        Err(error) => {
            assert!(!expected, "{text}: {error}");
            if let Some(leaf) = extents.clone().position(|extent| extent.count_ones() != 1)
                && matches!(error.code(), "not-power-of-two")
            {
                let named =
                    format!("leaf {leaf} of the layout has extent {},", extents.clone().nth(leaf).unwrap());
                assert!(error.to_string().starts_with(&named), "{text}: {error}");
            }
            return false;
        }
    };
    assert!(expected, "{text}: {linear}");
    let triton = linear.to_string();
    let [registers, lane, warps, blocks] =
        ["register", "lane", "warp", "block"].map(|name| bases(&triton, name));
    let mode = |mode: usize| layout.layout().mode(mode).map_or(1, |mode| mode.size() as usize);
    let rank = values[0].len();
    assert_eq!(1 << (lane.len() + warps.len()), mode(0), "{text}: {linear}");
    let (back, parsed) = (linear.layout().unwrap(), triton.parse::<LinearLayout>().unwrap());
    for (index, value) in values.iter().enumerate() {
        let (thread, value_, block) = (index % mode(0), index / mode(0) % mode(1), index / mode(0) / mode(1));
        let parts = [
            applied(&registers, value_, rank),
            applied(&lane, thread % lanes, rank),
            applied(&warps, thread / lanes, rank),
            applied(&blocks, block, rank),
        ];
        let sum: Vec<i64> = (0..rank).map(|i| parts.iter().fold(0, |sum, part| sum ^ part[i])).collect();
        assert_eq!(&sum, value, "{text} at {index}: {triton}");
        let number =
            value.iter().zip(linear.shape().leaves()).rev().fold(0, |sum, (x, extent)| sum * extent + x);
        assert_eq!(back.evaluate(index as i64).unwrap().to_string(), number.to_string(), "{text}: {back}");
    }
    // Without any basis, nothing in Triton's text tells the dimensions.
    if triton.contains("[[") {
        assert_eq!(parsed.to_gluon().as_str(), linear.to_gluon().as_str(), "{text}");
    }
    let gluon = LinearLayout::parse(linear.to_gluon().as_str()).unwrap();
    assert_eq!(gluon.to_gluon().as_str(), linear.to_gluon().as_str(), "{text}");
    let again = LinearLayout::onto(&back.into(), linear.shape(), lanes as i64).unwrap();
    assert_eq!(again.to_gluon().as_str(), linear.to_gluon().as_str(), "{text}");
    true
}

#[test]
fn linear_layouts_of_all_small_layouts() {
    let (mut found, mut none) = (0, 0);
    for sign in ["", "^"] {
        for number in 0..8 * 10 * 8 * 10 {
            let [e0, d0, e1, d1] =
                [number % 8 + 1, number / 8 % 10 - 1, number / 80 % 8 + 1, number / 640 - 1];
            if sign == "^" && (d0 < 0 || d1 < 0) {
                continue;
            }
            *if check_linear(&format!("({e0},{e1}):({sign}{d0},{sign}{d1})"), 2) {
                &mut found
            } else {
                &mut none
            } += 1;
        }
    }
    assert!(found > 1000 && none > 5000, "{found} {none}");
}

#[test]
fn linear_layouts_of_random_layouts() {
    let mut rng = Random::new(1);
    let numbers: Vec<String> = [0, 0, 1, 2, 4, 8, 16, 32, 64, 3, 12, -4].map(|n| n.to_string()).into();
    let powers: Vec<String> = (0..10).map(|k| (1 << k).to_string()).collect();
    let xors: Vec<String> = [0, 1, 2, 4, 8, 16, 32, 9, 18, 36, 73].map(|n| format!("^{n}")).into();
    let coordinates: Vec<String> =
        ["0", "1@0", "2@0", "4@0", "8@0", "1@1", "2@1", "4@1", "1@2", "2@2", "3@1"].map(String::from).into();
    let (mut found, mut none) = (0, 0);
    for round in 0..cases(40_000) {
        let extents: &[i64] = if round % 5 == 0 { &[1, 2, 3, 4, 6] } else { &[1, 2, 2, 4, 4, 8] };
        let strides = [&numbers, &powers, &xors, &coordinates][round % 4];
        let rank = (rng.next() % 3 + 1) as usize;
        let mut text = random(&mut rng, rank, extents, strides);
        if round % 3 == 0 && round % 4 != 3 {
            let (bits, base) = (rng.next() % 3, rng.next() % 3);
            let offset = if round % 4 == 1 { rng.next() % 2 } else { 0 };
            text = format!("Sw<{bits},{base},{}> o {offset} o {text}", bits + rng.next() % 3);
        }
        let Some(layout) = parse(&text) else { continue };
        if layout.layout().size() > 4096 || table(&layout).len() as i64 != layout.layout().size() {
            continue;
        }
        *if check_linear(&text, *pick(&mut rng, &[1, 4, 32])) { &mut found } else { &mut none } += 1;
    }
    assert!(found > cases(40_000) / 5 && none > cases(40_000) / 10, "{found} {none}");
}

#[test]
fn tensors_of_linear_layouts() {
    let of = |text: &str, shape: &str| {
        LinearLayout::onto(&parse(text).unwrap(), &shape.parse().unwrap(), 32)
            .map(|linear| linear.to_gluon().to_string())
    };
    let code = |text, shape| of(text, shape).unwrap_err().code();
    assert_eq!(of("(32,4):(1@1,1@0)", "(4,32)"), of("(32,4):(4,1)", "(4,32)"));
    assert!(of("(32,4):(1@1,1@0)", "(8,(16,64))").is_err());
    assert_eq!(code("(32,4):(1,32)", "(4,16)"), "size");
    assert_eq!(code("(32,4):(1@1,1@0)", "(2,64)"), "size");
    assert_eq!(code("(32,4):(1@2,1@0)", "(4,32)"), "index");
    assert_eq!(code("(32,4):(1,32)", "(4,48)"), "not-power-of-two");
    assert_eq!(code("(32,4,2,2):(1,32,0,0)", "128"), "rank");
    assert_eq!(code("(32,4):(1,1/2)", "128"), "not-integral");
    assert_eq!(code("(32,4):(1,32)", "(1,1,1,1,1,1,1,1,128)"), "capacity");
    assert_eq!(
        LinearLayout::of(&parse("32:1").unwrap(), 48).unwrap_err().to_string(),
        "leaf 0 of a warp has extent 48, which is not a power of two"
    );
    assert!(LinearLayout::of(&parse("4294967296:1073741824").unwrap(), 32).is_ok());
    let all = (0..62).map(|bit| format!("[{}]", 1u64 << bit)).collect::<Vec<_>>().join(", ");
    let linear = LinearLayout::parse(&format!("#ttg.linear<{{register = [{all}]}}>"));
    assert_eq!(linear.unwrap().layout().unwrap().to_string(), format!("(1,{}):(0,1)", 1i64 << 62));
}

/// Texts that are nearly right are refused or read, and nothing else.
#[test]
fn linear_layouts_that_are_malformed() {
    let mut rng = Random::new(2);
    let texts = [
        "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[1, 0], [2, 0]], warp = [], block = []}>",
        "gl.DistributedLinearLayout(reg_bases=[[0, 1]], lane_bases=[[1, 0]], warp_bases=[], block_bases=[], shape=[2, 2])",
    ];
    let signs = b"[]{}<>(),=# 019-";
    let (mut read, mut refused) = (0, 0);
    for round in 0..cases(100_000) {
        let mut bytes = texts[round % 2].as_bytes().to_vec();
        for _ in 0..rng.next() % 3 + 1 {
            let at = (rng.next() % bytes.len() as u64) as usize;
            match rng.next() % 3 {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, *pick(&mut rng, signs)),
                _ => bytes[at] = *pick(&mut rng, signs),
            }
        }
        match LinearLayout::parse(std::str::from_utf8(&bytes).unwrap()) {
            Ok(linear) => {
                read += 1;
                let again = LinearLayout::parse(linear.to_gluon().as_str()).unwrap();
                assert_eq!(again.to_gluon().as_str(), linear.to_gluon().as_str());
            }
            Err(_) => refused += 1,
        }
    }
    assert!(read > 50 && refused > 500, "{read} {refused}");
    let code = |text| LinearLayout::parse(text).unwrap_err().code();
    assert_eq!(code("#ttg.linear<{lane = [[1], [2, 0]]}>"), "syntax");
    assert_eq!(code("gl.DistributedLinearLayout(lane_bases=[[4]], shape=[4])"), "syntax");
    assert_eq!(code("gl.DistributedLinearLayout(lane_bases=[[1]], shape=[6])"), "not-power-of-two");
    assert_eq!(code("gl.DistributedLinearLayout(lane_bases=[[1]], shape=[2, 2])"), "syntax");
    assert_eq!(code("gl.DistributedLinearLayout(shape=[4611686018427387904, 4])"), "overflow");
    assert_eq!(code("#ttg.linear<{lane = [[9223372036854775807]]}>"), "overflow");
    assert_eq!(code("#ttg.linear<{lane = [[0, 0, 0, 0, 0, 0, 0, 0, 0]]}>"), "capacity");
}

/// What CuTe C++ and the DSL are given, with the signs of the notation.
#[test]
fn cute_is_given_the_same_numbers() {
    let replaced = |text: &str, signs: &[(&str, &str)]| {
        signs.iter().fold(text.replace(' ', ""), |text, (sign, other)| text.replace(sign, other))
    };
    // Of `Int<300>`, `300`.
    let without_int = |text: String| {
        let mut parts = text.split("Int<");
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |text, part| text + &part.replacen('>', "", 1))
    };
    let mut rng = Random::new(3);
    let strides: Vec<String> =
        [0, 1, 2, 7, 12, 14, 300, 512, 1 << 40, -1i64, -11].map(|n| n.to_string()).into();
    let mut swizzled = 0;
    for round in 0..cases(20_000) {
        let rank = (rng.next() % 4) as usize;
        let plain = random(&mut rng, rank, &[1, 2, 3, 11, 12, 100, 256, 1000], &strides);
        let (swizzle, offset) = (format!("2,1,-{}", rng.next() % 2 + 2), rng.next() % 20);
        let swizzled_text = format!("Sw<{swizzle}> o {offset} o {plain}");
        let is_swizzled = round % 3 == 0;
        let Some(layout) = parse(if is_swizzled { &swizzled_text } else { &plain }) else { continue };
        swizzled += usize::from(is_swizzled);
        let (shape, stride) = plain.split_once(':').unwrap();
        let around = |before: &str, within: String, after: &str| {
            if is_swizzled { format!("{before}{within}{after}") } else { within }
        };

        let cpp = replaced(
            layout.to_cpp().unwrap().as_str(),
            &[("make_shape", ""), ("make_stride", ""), ("{}", "")],
        );
        let composed = format!("make_composed_layout(Swizzle<{swizzle}>,{offset},");
        assert_eq!(without_int(cpp), around(&composed, format!("make_layout({shape},{stride})"), ")"));

        let cpp_type = without_int(layout.to_cpp_type().unwrap().to_string());
        let cpp_type = replaced(
            &cpp_type,
            &[("_m", "-"), ("_", ""), ("Shape<", "("), ("Stride<", "("), ("<", "("), (">", ")")],
        );
        let composed = format!("ComposedLayout(Swizzle({swizzle}),{offset},");
        assert_eq!(cpp_type, around(&composed, format!("Layout({shape},{stride})"), ")"));

        let dsl = replaced(layout.to_dsl().unwrap().as_str(), &[(",)", ")")]);
        let composed = format!("cute.make_composed_layout(cute.make_swizzle({swizzle}),{offset},");
        assert_eq!(dsl, around(&composed, format!("cute.make_layout({shape},stride={stride})"), ")"));

        let kind = if is_swizzled {
            format!("composed_layout<\"S<{swizzle}> o {offset} o ")
        } else {
            "layout<\"".into()
        };
        assert_eq!(layout.to_mlir().unwrap().as_str(), format!("!cute.{kind}{plain}\">"));
    }
    assert!(swizzled > 100);
}

#[test]
fn cute_is_given_what_it_has() {
    let code = |text| parse(text).unwrap().to_cpp().unwrap_err().code();
    assert_eq!(code("4:1/2"), "not-integral");
    assert_eq!(code("(4,2):(1@0,1/2@1)"), "not-integral");
    assert_eq!(code("(2,2):(^1,^1)"), "swizzle");
    assert_eq!(code("Sw<1,0,1> o 1 o 4:^1"), "not-xor-linear");
    let text = |text| parse(text).unwrap().to_cpp_type().unwrap().to_string();
    assert_eq!(text("(8,8):(^1,^9)"), "ComposedLayout<Swizzle<3,0,3>,_0,Layout<Shape<_8,_8>,Stride<_1,_8>>>");
    assert_eq!(text("4:^1"), "Layout<_4,_1>");
    assert_eq!(text("(4):(-12)"), "Layout<Shape<_4>,Stride<_m12>>");
    assert_eq!(text("4:-13"), "Layout<_4,Int<-13>>");
    let coordinates = parse("(4,8,2):(1@0@1,-3@2,300@0)").unwrap();
    assert_eq!(
        coordinates.to_cpp_type().unwrap().as_str(),
        "Layout<Shape<_4,_8,_2>,Stride<E<1,0>,ScaledBasis<_m3,2>,ScaledBasis<Int<300>,0>>>"
    );
    assert_eq!(
        coordinates.to_cpp().unwrap().as_str(),
        "make_layout(make_shape(Int<4>{}, Int<8>{}, Int<2>{}), \
         make_stride(E<1,0>{}, Int<-3>{} * E<2>{}, Int<300>{} * E<0>{}))"
    );
    assert_eq!(
        coordinates.to_dsl().unwrap().as_str(),
        "cute.make_layout((4, 8, 2), stride=(cute.E([1, 0]), -3 * cute.E(2), 300 * cute.E(0)))"
    );
    assert_eq!(coordinates.to_mlir().unwrap().as_str(), "!cute.layout<\"(4,8,2):(1@0@1,-3@2,300@0)\">");
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<i64> {
    let digit = |c: char| !(c.is_ascii_digit() || c == '-');
    text.split(digit).filter(|part| !part.is_empty()).map(|part| part.parse().unwrap()).collect()
}

#[test]
fn strides_of_others_are_right_where_each_mode_has_one() {
    let mut rng = Random::new(4);
    let strides: Vec<String> = [0, 1, 1, 2, 3, 4, 6, 8, 12, 24, -1, -2].map(|n| n.to_string()).into();
    let (mut flat, mut unique, mut none) = (0, 0, 0);
    for _ in 0..cases(40_000) {
        let rank = (rng.next() % 4) as usize;
        let text = random(&mut rng, rank, &[1, 2, 2, 3, 4], &strides);
        let layout = Layout::parse(&text).unwrap();
        let modes: Vec<Layout> = (0..layout.rank()).map(|mode| layout.mode(mode).unwrap()).collect();
        let steps: Vec<i64> = modes.iter().map(|mode| if mode.size() > 1 { mode.at(1) } else { 0 }).collect();
        let bent = modes
            .iter()
            .zip(&steps)
            .position(|(mode, step)| (0..mode.size()).any(|i| mode.at(i) != i * step));
        let numpy = layout.to_numpy(8);
        let Ok(numpy) = numpy else {
            none += 1;
            let mode = bent.unwrap_or_else(|| panic!("{text}: {numpy:?}"));
            assert_eq!(
                numpy.unwrap_err().to_string(),
                format!("mode {mode} has several strides, and this form needs one stride per mode")
            );
            assert_eq!(layout.to_mdspan().unwrap_err().code(), "not-flat");
            continue;
        };
        flat += 1;
        assert_eq!(bent, None, "{text}");
        let found = numbers(numpy.as_str());
        let expected: Vec<i64> =
            modes.iter().map(Layout::size).chain(steps.iter().map(|step| 8 * step)).collect();
        assert_eq!(found, expected, "{text}: {numpy}");
        // Some order of the modes in which each begins behind the one before.
        let mut moving: Vec<(i64, i64)> = modes
            .iter()
            .zip(&steps)
            .filter(|(mode, _)| mode.size() > 1)
            .map(|(mode, step)| (*step, mode.size()))
            .collect();
        moving.sort();
        let mut end = 1;
        let legal = moving.iter().all(|&(step, extent)| {
            let fits = step >= end;
            end = step * extent;
            fits
        });
        match layout.to_mdspan() {
            Ok(mapping) => {
                unique += 1;
                assert!(legal, "{text}: {mapping}");
                let (_, strides) = mapping.as_str().split_once("}, ").unwrap();
                let strides = numbers(strides.split_once('{').unwrap().1);
                assert_eq!(strides.len(), modes.len());
                for ((mode, step), stride) in modes.iter().zip(&steps).zip(strides) {
                    assert!(stride == *step || mode.size() == 1 && stride == 1, "{text}: {mapping}");
                }
            }
            Err(error) => assert!(!legal, "{text}: {error}"),
        }
    }
    assert!(flat > 100 && unique > 50 && none > 100, "{flat} {unique} {none}");
}
