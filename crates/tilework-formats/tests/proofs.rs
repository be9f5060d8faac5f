//! What holds for every row of the table: proofs for all sizes, pieces of blocks, padding and containers.

use std::collections::BTreeMap;
use testkit::Random;
use tilework_formats::{Format, Holds, Kind, Packed, formats};

/// Rows whose elements are not proved to have offsets of their own for all sizes, and why.
const NOT_PROVED: &[(&str, &str)] =
    &[("scale_128x4_of_element", "if V <= 1"), ("im2col", "if (S >= W or S <= 1) and (R >= H or R <= 1)")];

#[test]
fn elements_have_offsets_of_their_own() {
    let mut found = Vec::new();
    for format in formats() {
        let injective = format.proof().unwrap().injective;
        if injective != Holds::Always {
            found.push((format.name(), injective.to_string()));
        }
    }
    let found: Vec<(&str, &str)> = found.iter().map(|(name, text)| (*name, text.as_str())).collect();
    assert_eq!(found, NOT_PROVED);
}

/// Whether no two elements have one offset.
fn are_distinct(packed: &Packed) -> bool {
    let mut offsets = packed.offsets().unwrap();
    offsets.retain(|offset| *offset >= 0);
    offsets.sort_unstable();
    offsets.windows(2).all(|pair| pair[0] < pair[1])
}

/// Formats that a proof by the digits of a layout could take for another: bounds below 1, alternatives, a shape that is larger than
/// the layout, coordinates in a stride.
#[test]
fn what_is_proved_of_unlike_formats_is_so_from_0_on() {
    let records = include_str!("unlike.txt").split("\n\n").filter(|record| !record.trim().is_empty());
    let mut wrong = 0;
    for format in records.filter_map(|record| Format::parse(record).ok()).flatten() {
        let is_proved = format.proof().unwrap().injective == Holds::Always;
        let names: Vec<_> = format.axes().iter().map(|axis| axis.name.clone()).collect();
        let sizes = all_sizes(&names.iter().map(String::as_str).collect::<Vec<_>>(), 9);
        let sizes =
            sizes.iter().map(|own| own.iter().map(|(name, size)| (*name, size - 5)).collect::<Vec<_>>());
        let has_own = sizes
            .filter_map(|sizes| format.at(&sizes).ok())
            .all(|packed| packed.offsets().is_err() || are_distinct(&packed));
        assert!(has_own || !is_proved, "{} is proved to be injective", format.name());
        wrong += usize::from(!has_own);
    }
    assert!(wrong >= 12, "{wrong}");
}

/// All values of some sizes, as their names are repeated.
fn all_sizes<'a>(names: &[&'a str], most: i64) -> Vec<Vec<(&'a str, i64)>> {
    names.iter().fold(vec![Vec::new()], |all, name| {
        let longer =
            |sizes: &Vec<_>| (1..=most).map(|size| [&sizes[..], &[(*name, size)]].concat()).collect();
        all.iter().flat_map::<Vec<_>, _>(longer).collect()
    })
}

#[test]
fn regions_that_are_apart_have_no_offset_twice() {
    let mut sizes = Vec::new();
    for size in 1..=60 {
        sizes.extend(["lapack_packed_upper", "lapack_rfp_lower"].map(|name| (name, vec![("N", size)])));
        for small in 1..=6 {
            sizes.push((
                "lapack_band",
                vec![("M", size), ("N", 61 - size), ("L", small - 1), ("U", small / 2)],
            ));
            sizes.extend((1..=6).map(|b| ("scalapack_numroc", vec![("N", size), ("B", b), ("P", small)])));
        }
        sizes.push(("fbgemm_fp16", vec![("K", 511 + 9 * size), ("N", size % 40 + 1)]));
    }
    for (name, sizes) in &sizes {
        assert!(are_distinct(&Format::named(name).unwrap().at(sizes).unwrap()), "{name} {sizes:?}");
    }
}

#[test]
fn what_is_proved_of_regions_is_so_at_all_small_sizes() {
    let (mut random, cases) = (Random::named("regions"), testkit::scaled(2_000, 0.03).max(60));
    let (mut proved, mut wrong) = (0, 0);
    for _ in 0..cases {
        let mut number = |from: &[&'static str]| *random.pick(from);
        let mut conditions = [
            "i <= j",
            "j <= i",
            "i < j",
            "j < i",
            "j <= i + 1",
            "i < 3",
            "i >= 3",
            "i + j < M",
            "i + j >= M",
        ];
        if number(&["", "rows"]).is_empty() {
            conditions = [
                "floor(i/3) < floor(M/3)",
                "floor(i/3) == floor(M/3)",
                "floor(i/3) >= 1",
                "j >= M - floor(M/2)",
                "j < M - floor(M/2)",
                "i < floor(M/2)",
                "i >= floor(M/2)",
                "j >= i",
                "j < i",
            ];
        }
        let strides = ["1", "2", "3", "M", "N", "M+1", "2*N", "M+N"];
        let mut lines = String::new();
        for _ in 0..number(&["1", "1", "2"]).parse().unwrap() {
            let (a, b, offset) =
                (number(&strides), number(&strides), number(&["0", "1", "M", "M*N", "2*M*N", "N-1"]));
            let condition = number(&conditions);
            lines += &match number(&["layout", "layout", "polynomial"]) {
                "layout" => format!("layout {{{offset}}} o (M,N):({a},{b}) where {condition}\n"),
                _ => format!("layout {offset} + {a}*i + j*(j+1)/2 where {condition}\n"),
            };
        }
        let text = format!("name own\naxes M rows, N columns\nbits 8\nstorage 9*M*N\n{lines}");
        let Ok(format) = Format::parse(&text) else { continue };
        let is_proved = format[0].proof().unwrap().injective == Holds::Always;
        let own = all_sizes(&["M", "N"], 8).iter().all(|sizes| are_distinct(&format[0].at(sizes).unwrap()));
        assert!(own || !is_proved, "{lines} is proved to be injective");
        proved += usize::from(is_proved);
        wrong += usize::from(!own);
    }
    assert!(proved * 40 >= cases && wrong * 4 >= cases, "{proved} proved, {wrong} not injective");
}

/// Whether the elements of the padded array have all offsets of the storage.
fn fills_its_storage(packed: &Packed) -> bool {
    let padding = packed.padding().unwrap();
    let padded = |(name, size)| (name, padding.iter().find(|own| own.0 == name).map_or(size, |own| own.2));
    let sizes: Vec<(&str, i64)> = packed.sizes().map(padded).collect();
    let full = packed.format().at(&sizes).unwrap();
    let mut offsets = full.offsets().unwrap();
    offsets.sort_unstable();
    offsets.dedup();
    offsets.into_iter().eq(0..full.storage())
}

/// What is said to be compact for all sizes or for none is so at random ones.
#[test]
fn storages_that_are_filled_are_those_that_are_compact() {
    let (mut random, mut found) = (Random::named("compact"), [0; 2]);
    for format in formats() {
        let claimed = match format.proof().unwrap().compact {
            Holds::Always => true,
            Holds::Never => false,
            _ => continue,
        };
        for packed in (0..12).map(|_| admitted(&mut random, format)).filter(|packed| packed.storage() <= 2048)
        {
            assert_eq!(fills_its_storage(&packed), claimed, "{packed:?}");
        }
        found[usize::from(claimed)] += 1;
    }
    assert!(found[0] > 5 && found[1] > 60, "{found:?}");
}

/// Sizes that a format admits, small ones.
fn admitted(random: &mut Random, format: &Format) -> Packed {
    for _ in 0..10_000 {
        let size = |random: &mut Random| match random.below(3) {
            0 => random.range(1, 9),
            1 => 16 * random.range(1, 9),
            _ => 256 * random.range(1, 3),
        };
        let sizes: Vec<(&str, i64)> =
            format.axes().iter().map(|axis| (axis.name.as_str(), size(random))).collect();
        if sizes.iter().map(|(_, size)| size).product::<i64>() < 100_000
            && let Ok(packed) = format.at(&sizes)
        {
            return packed;
        }
    }
    panic!("{} admits no sizes", format.name());
}

#[test]
fn containers_are_as_large_as_the_storage() {
    let mut random = Random::named("containers");
    for format in formats() {
        for _ in 0..3 {
            let packed = admitted(&mut random, format);
            let (dtype, shape) = packed.container().unwrap();
            let bits: i64 =
                dtype.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap();
            let bytes = bits / 8 * shape.iter().product::<i64>();
            assert_eq!(bytes, packed.bytes(), "{packed:?}: {dtype} {shape:?}");
        }
    }
}

/// The right array of every format is accepted, as it is, as a view of one axis and as bytes; another order of its extents and
/// another type are refused.
#[test]
fn arrays_are_those_of_the_container() {
    let (mut random, mut refused) = (Random::named("arrays"), [0; 2]);
    for format in formats()
        .iter()
        .flat_map(|format| [format.clone(), Format::named(&format!("Y x {}", format.name())).unwrap()])
        .chain(["A B:8", "ba:16", "P V B H D:32", "N:64"].map(|name| Format::named(name).unwrap()))
    {
        let packed = admitted(&mut random, &format);
        let (dtype, shape) = packed.container().unwrap();
        let (kind, bits) = dtype.split_at(dtype.find(|letter: char| letter.is_ascii_digit()).unwrap());
        let (kind, width) = (&kind[..1], bits.parse::<i64>().unwrap() / 8);
        let own = format!("<{kind}{width}");
        let mut bytes = shape.clone();
        *bytes.last_mut().unwrap() *= width;
        let flat = [shape.iter().product::<i64>()];
        let all = [(own.as_str(), &shape[..]), (&own, &flat), ("|u1", &bytes), ("|u1", &[packed.bytes()])];
        for (dtype, shape) in all.into_iter().chain([(format!("<u{width}").as_str(), &shape[..])]) {
            packed.check_container(dtype, shape).unwrap_or_else(|error| panic!("{packed:?}: {error}"));
        }
        if format.container().is_none() {
            continue;
        }
        let message =
            |dtype: &str, shape: &[i64]| packed.check_container(dtype, shape).unwrap_err().to_string();
        let stored = format!("{} is stored as {dtype} {shape:?}, not as ", format.name());
        let permuted: Vec<i64> = shape.iter().rev().copied().collect();
        if permuted != shape {
            assert_eq!(message(&own, &permuted), format!("{stored}{dtype} {permuted:?}"));
            refused[0] += 1;
        }
        assert_eq!(
            message(&format!("<V{}", width + 1), &shape),
            format!("{stored}V{} {shape:?}", 8 * width + 8)
        );
        if width > 1 && kind != "u" {
            let (other, word) = if kind == "i" { ("f", "float") } else { ("i", "int") };
            assert_eq!(
                message(&format!("<{other}{width}"), &shape),
                format!("{stored}{word}{bits} {shape:?}")
            );
            refused[1] += 1;
        }
    }
    assert!(refused[0] > 80 && refused[1] > 40, "{refused:?}");
}

/// The offsets of the padded array are within the storage: what is padded to has room.
#[test]
fn the_storage_has_room_for_the_padding() {
    let mut random = Random::named("padding");
    for format in formats() {
        let packed = admitted(&mut random, format);
        let mut sizes: BTreeMap<&str, i64> = packed.sizes().collect();
        sizes.extend(packed.padding().unwrap().into_iter().map(|(axis, _, padded)| (axis, padded)));
        let sizes: Vec<(&str, i64)> = sizes.into_iter().collect();
        let Ok(full) = format.at(&sizes) else { panic!("{} does not admit {sizes:?}", format.name()) };
        assert_eq!(full.storage(), packed.storage(), "{packed:?} and {full:?}");
        assert!(full.padding().unwrap().iter().all(|(axis, _, size)| sizes.contains(&(*axis, *size))));
    }
    assert!(formats().iter().any(|format| format.rules().iter().any(|rule| rule.kind == Kind::To)));
}

/// Bits of a block that no piece has, for sizes `N` and `K`, or `P` and `B`, of whole blocks.
fn unused(block: &str, sizes: &[(&str, i64)]) -> i64 {
    let size = |name: &str| sizes.iter().find(|(own, _)| *own == name).map_or(1, |(_, size)| *size);
    match block {
        // A page is rounded up to 576 bytes, and of the 8 bytes of factors of a token one is free.
        "mla_584" => 8 * size("P") * (size("B") + (584 * size("B") + 575) / 576 * 576 - 584 * size("B")),
        _ => 0,
    }
}

#[test]
fn every_bit_of_a_block_is_in_one_piece() {
    let mut blocks: BTreeMap<&str, Vec<&Format>> = BTreeMap::new();
    for format in formats() {
        blocks.entry(format.block().unwrap_or_default()).or_default().push(format);
    }
    blocks.remove("");
    assert!(blocks.len() >= 18, "{:?}", blocks.keys());
    for (block, pieces) in &blocks {
        for whole in 1..3 {
            let size = |axis: &str| match (*block, axis) {
                ("kleidiai_f32p8" | "kleidiai_bf16p12x4", "K") => 4 * whole,
                ("kleidiai_bf16p12x4", _) => 12 * whole,
                (_, "R" | "C") => 8,
                (_, "K") => 256 * whole,
                _ => 8 * whole,
            };
            let mut bits: Vec<&str> = Vec::new();
            let mut sizes = Vec::new();
            for piece in pieces {
                sizes = piece.axes().iter().map(|axis| (axis.name.as_str(), size(&axis.name))).collect();
                let packed = piece.at(&sizes).unwrap();
                let width = piece.element_bits() as usize;
                bits.resize(if bits.is_empty() { packed.storage() as usize * width } else { bits.len() }, "");
                assert_eq!(packed.storage() as usize * width, bits.len(), "{}", piece.name());
                for offset in packed.offsets().unwrap() {
                    for bit in &mut bits[offset as usize * width..][..width] {
                        assert_eq!(*bit, "", "{} and {bit} of {block} have a bit in common", piece.name());
                        *bit = piece.name();
                    }
                }
            }
            let free = bits.iter().filter(|bit| bit.is_empty()).count();
            assert_eq!(free as i64, unused(block, &sizes), "{block}");
        }
    }
}

#[test]
fn names_that_are_rules_are_the_rows() {
    let same = |one: &str, two: &str| {
        let compared = Format::named(one).unwrap().compare(&Format::named(two).unwrap(), &[]).unwrap();
        assert_eq!(compared.equal, Holds::Always, "{one} = {two}: {compared:?}");
    };
    for (rule, row) in [
        ("BA16a64b4a:8", "vnni4"),
        ("BA16a64b2a:16", "vnni2"),
        ("nChw16c:32", "nChw16c"),
        ("nChw32c:8", "nchw_vect32"),
        ("nChw4c:8", "nchw_vect4"),
        ("nhwc:32", "nhwc"),
        ("chwn:32", "chwn"),
        ("OIhw16i16o:32", "OIhw16i16o"),
        ("OIhw4i16o4i:8", "OIhw4i16o4i"),
        ("(8,128):32", "tpu_8x128"),
        ("(8,128)(2,1):16", "tpu_16bit"),
        ("(8,128)(4,1):8", "tpu_8bit"),
        ("P B H D:16", "kv_nhd"),
        ("P H B D:16", "kv_hnd"),
        ("V P B H D:16", "kv_2pnhd"),
        ("P H B V D:16", "kv_p_h_b_2d"),
        ("P L V H B D:16", "kv_pl2hnd"),
        ("B x scale_128x4", "scale_128x4_batched"),
    ] {
        same(rule, row);
    }
    for wrong in [
        "aBc",
        "abB16b",
        "(8,128)(3,1)",
        "a b",
        "ab0b",
        "P P",
        "M x scale_128x4",
        "i x scale_128x4",
        "E x nothing",
        "A x B x C x D x nchw_vect4 x E",
        "ab:0",
        "",
    ] {
        assert!(Format::named(wrong).is_err(), "{wrong}");
    }
}

/// Any format with an axis before all others is arrays of it, one behind the other: elements, storage, container and pieces.
#[test]
fn leading_axes_are_on_any_format() {
    let names = formats().iter().map(Format::name).chain(["nChw8c:8", "(8,128):32", "P B H D:16"]);
    for name in names {
        let one = Format::named(name).unwrap();
        let one = one.at(&one.small().unwrap()).unwrap();
        let text = format!("Y x Z x {name}");
        let several = Format::named(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let sizes: Vec<(&str, i64)> = [("Y", 2), ("Z", 3)].into_iter().chain(one.sizes()).collect();
        let packed = several.at(&sizes).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(packed.storage(), 6 * one.storage());
        let own = one.offsets().unwrap();
        let (count, storage) = (own.len(), one.storage());
        for (index, offset) in packed.offsets().unwrap().into_iter().enumerate() {
            let start = (index / count) as i64 * storage;
            let wanted = if own[index % count] < 0 { -1 } else { start + own[index % count] };
            assert_eq!(offset, wanted, "{packed:?}");
        }
        let ((dtype, shape), (single, inner)) = (packed.container().unwrap(), one.container().unwrap());
        let bytes = |shape: &[i64], dtype: &str| {
            let bits: i64 =
                dtype.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap();
            bits / 8 * shape.iter().product::<i64>()
        };
        assert_eq!(bytes(&shape, &dtype), packed.bytes(), "{text}");
        if several.container().is_some() {
            assert_eq!((dtype, shape), (single, [&[2, 3], &inner[..]].concat()));
        }
        let pieces: Vec<String> = several.pieces().map(|piece| piece.name().to_owned()).collect();
        let inner = one.format().pieces().map(|piece| format!("Y x Z x {}", piece.name()));
        assert_eq!(pieces, inner.collect::<Vec<_>>());
        assert_eq!(several.encoding(), one.format().encoding());
    }
}

#[test]
fn what_is_the_same_and_what_is_not() {
    let compare =
        |one: &str, two: &str| Format::named(one).unwrap().compare(&Format::named(two).unwrap(), &[]);
    for (one, two) in [
        ("amd_16x16_8", "ck_shuffle_b_v0_8"),
        ("scale_deepgemm_f32", "scale_cublas_vec128"),
        ("gate_up_1", "gate_up_1"),
        ("tma_128", "tma_128"),
        ("lapack_band", "lapack_band"),
        // Sizes that have the same names are the same ones, in any order.
        ("awq_gemv_fast", "tensorrt_int4_sm80"),
    ] {
        let compared = compare(one, two).unwrap();
        assert_eq!((compared.equal, compared.difference), (Holds::Always, None), "{one} {two}");
    }
    let compared = compare("awq_gemv", "gptq_4").unwrap().difference.unwrap();
    assert_eq!((compared.coordinate, compared.offsets), (vec![0, 8], [Some(8), Some(24)]));
    let compared = compare("scale_gfx1250_n32k4", "scale_gfx1250_k4").unwrap();
    assert_eq!(compared.difference.unwrap().sizes[0], ("N".to_owned(), 64));
    let compared = compare("amd_16x16_8", "amd_32x16_8").unwrap();
    assert!(compared.difference.is_some() && compared.equal != Holds::Always);
    assert!(compare("marlin_4", "marlin_8").is_err());
    assert!(
        compare("kv_p2nhd", "P V B H D")
            .unwrap_err()
            .to_string()
            .ends_with("; `P V B H D:8` has elements of 8 bits")
    );
    // The storage is told where only it differs.
    let [one, two] = ["scale_128x4", "scale_128x4_pad8"].map(|name| Format::named(name).unwrap());
    let compared = one.compare(&two, &[("M", 1), ("S", 1)]).unwrap();
    assert_eq!(compared.equal, Holds::Always);
    assert_eq!(compared.storage, ", in storages of 512 and 1024 elements");
}

#[test]
fn tiles_that_do_not_divide_are_refused() {
    for name in ["(8,128)(3,1)", "(128)", "(2,8,128)", "(8,128)(4,1)x:8"] {
        let message = Format::named(name).unwrap_err().to_string();
        let rule = "tiles are rows and columns that the next tile divides, such as `(8,128)(4,1)`";
        assert_eq!(message, format!("`{name}` is no format: {rule}"));
    }
}

#[test]
fn records_that_are_no_formats_are_refused() {
    let refused = |text: &str| Format::parse(text).unwrap_err().to_string();
    let start = "name own\naxes M rows\nbits 8\n";
    for (lines, message) in [
        ("layout M:ld", "a layout of own has the name ld, which is no size"),
        ("sizes M near 4\nlayout M:1", "`M near 4` is no rule of a size, such as `K by 16` or `M to 128`"),
        ("sizes M in , M to 4\nlayout M:1", "`M in ` has no bound"),
        ("sizes N by 4\nlayout M:1", "`N by 4` is about no size of own"),
        ("color red\nlayout M:1", "`color` is no key of a format: "),
        ("sizes M by 4", "own has no `layout`"),
        ("layout (M,4):(1,M)", "(M,4):(1,M) of own has not the 1 modes of its shape"),
        ("like other\nlayout M:1", "there is no format `other` before the one like it"),
    ] {
        let text = refused(&format!("{start}{lines}"));
        assert!(text.starts_with(&format!("the record from line 1 on: {message}")), "{text}");
    }
    assert_eq!(
        refused("\nname own\naxes M\nbits 0\nlayout M:1"),
        "the record from line 2 on: `bits` is a number of 1 to 1024"
    );
    assert_eq!(
        refused(&format!("{start}layout M:1\n\n{start}layout M:1")),
        "the record from line 6 on: two formats have the name `own`"
    );
    // Long names are no work.
    for name in ["E x ".repeat(10_000), "aB".repeat(10_000), "_".repeat(100_000)] {
        assert_eq!(Format::named(&name).unwrap_err().code(), "name");
    }
}

/// A condition for all sizes holds exactly where the offsets of all elements are equal, and the one of the storages where these are.
#[test]
fn conditions_of_equality_are_those_of_the_elements() {
    let text = |one: &str, two: &str, sizes: &[(&str, i64)]| {
        let [one, two] = [one, two].map(|name| Format::named(name).unwrap());
        let compared = one.compare(&two, sizes).unwrap();
        format!("{}{}", compared.equal, compared.storage)
    };
    assert_eq!(
        text("scale_128x4", "scale_128x4_pad8", &[]),
        "if ceil(S/4) == 2*ceil(S/8) or ceil(M/128) <= 1, in storages that are equal if ceil(S/4) == 2*ceil(S/8)"
    );
    assert_eq!(
        text("scale_deepgemm_ue8m0", "scale_gfx1250_k4", &[]),
        "if M == 4*ceil(M/4) or ceil(S/4) <= 1, in storages that are equal if M == 4*ceil(M/4)"
    );
    // A size that only one has is given, and not all are.
    let own = "name own\nlike trtllm_gate_up_shuffle_16\nbits 16";
    let (own, c) = (&Format::parse(own).unwrap()[0], [("C", 8)]);
    let gate_up = Format::named("gate_up_c").unwrap();
    for (one, two) in [(&gate_up, own), (own, &gate_up)] {
        assert!(one.compare(two, &[]).is_err(), "{one:?}");
        let compared = one.compare(two, &c).unwrap();
        assert_eq!((compared.equal, compared.difference), (Holds::Always, None));
        assert!(one.compare(two, &[("C", 4)]).unwrap().difference.is_some());
        assert_eq!(one.compare(two, &[("Q", 4)]).unwrap_err().code(), "size");
    }
}
