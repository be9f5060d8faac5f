//! Conversions against the bits of each element, read and written one by one.

use testkit::Random;
use tilework_formats::{Conversion, Fill, Format, Kind, Packed, Repack, formats, identify};

fn format(name: &str) -> Format {
    Format::named(name).unwrap()
}

/// The bits of an element.
fn element(bytes: &[u8], width: usize, offset: i64) -> Vec<bool> {
    let bit = |bit: usize| bytes[bit / 8] >> (bit % 8) & 1 == 1;
    (0..width).map(|own| bit(offset as usize * width + own)).collect()
}

fn random_bytes(random: &mut Random, count: i64) -> Vec<u8> {
    (0..count).map(|_| random.next() as u8).collect()
}

/// The coordinates of an array.
fn coordinates(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for extent in shape {
        let longer = |start: Vec<i64>| (0..*extent).map(move |index| [&start[..], &[index]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Each element is in the result where the target has it; all other bits are those of `byte`.
fn check(from: &Packed, to: &Packed, source: &[u8], target: &[u8], byte: u8, order: &[usize]) {
    let width = from.format().element_bits() as usize;
    let mut expected = vec![byte; target.len()];
    for coordinate in coordinates(from.shape()) {
        let moved: Vec<i64> = order.iter().map(|axis| coordinate[*axis]).collect();
        let (Some(one), Some(two)) = (from.offset(&coordinate).unwrap(), to.offset(&moved).unwrap()) else {
            continue;
        };
        for (own, bit) in element(source, width, one).into_iter().enumerate() {
            let place = two as usize * width + own;
            expected[place / 8] = expected[place / 8] & !(1 << (place % 8)) | (bit as u8) << (place % 8);
        }
    }
    assert!(target == expected, "{from:?} to {to:?}");
}

#[test]
fn elements_are_where_the_target_has_them() {
    let mut random = Random::named("repack");
    for (from, to, sizes, order) in [
        ("awq_gemm", "marlin_4", &[("K", 48), ("N", 128)][..], &[0, 1][..]),
        ("marlin_4", "gptq_4", &[("K", 48), ("N", 128)], &[0, 1]),
        ("awq_gemv", "awq_gemm", &[("N", 64), ("K", 128)], &[1, 0]),
        ("awq_gemv_fast", "exllamav2_4", &[("N", 8), ("K", 192)], &[1, 0]),
        ("gptq_2", "exllamav2_2", &[("K", 32), ("N", 7)], &[0, 1]),
        ("M S:8", "scale_128x4", &[("M", 300), ("S", 17)], &[0, 1]),
        ("scale_128x4", "scale_gfx950", &[("M", 300), ("S", 17)], &[0, 1]),
        ("N K:8", "amd_16x16_8", &[("N", 64), ("K", 96)], &[0, 1]),
        ("amd_16x16_16", "N K:16", &[("N", 64), ("K", 96)], &[0, 1]),
        ("M K:16", "tma_128", &[("M", 16), ("K", 70)], &[0, 1]),
        ("M K:8", "trtllm_up_gate_8", &[("M", 48), ("K", 5)], &[0, 1]),
        ("nhwc", "nChw16c", &[("N", 2), ("C", 19), ("H", 3), ("W", 2)], &[0, 1, 2, 3]),
        ("M N:64", "lapack_band", &[("M", 7), ("N", 9), ("L", 2), ("U", 1)], &[0, 1]),
        ("kv_nhd", "kv_hnd", &[("P", 3), ("B", 4), ("H", 2), ("D", 8)], &[0, 1, 2, 3]),
        ("scale_deepgemm_f32", "M S:32", &[("M", 5), ("S", 3)], &[0, 1]),
        // Triangles, whose two axes have one size.
        ("lapack_packed_upper", "lapack_packed_upper", &[("N", 7)], &[0, 1]),
        ("lapack_packed_upper", "lapack_rfp_lower", &[("N", 7)], &[0, 1]),
    ] {
        let fill = [0u8, 0x7F, 0xFF][random.below(3)];
        let conversion = Conversion { fill: Some(Fill::Byte(fill)), ..Conversion::default() };
        let repack = Repack::new(&format(from), &format(to), sizes, conversion).unwrap();
        let own = |format: &Format| {
            let sizes: Vec<(&str, i64)> = sizes
                .iter()
                .filter(|(name, _)| format.axes().iter().any(|axis| axis.name == *name))
                .copied()
                .collect();
            format.at(&sizes).unwrap()
        };
        let (one, two) = (own(&format(from)), own(&format(to)));
        let mut source = random_bytes(&mut random, one.bytes());
        for coordinate in coordinates(one.shape()) {
            let moved: Vec<i64> = order.iter().map(|axis| coordinate[*axis]).collect();
            if let (Some(offset), None) = (one.offset(&coordinate).unwrap(), two.offset(&moved).unwrap()) {
                source[8 * offset as usize..][..8].fill(0);
            }
        }
        let target = repack.run(&source).unwrap();
        assert_eq!(repack.bytes(), (one.bytes(), two.bytes()));
        check(&one, &two, &source, &target, fill, order);
        assert_eq!(repack.run(&source[1..]).unwrap_err().code(), "size");
        assert!(repack.explain().contains(from));
    }
}

/// A plain array of the axes of a format.
fn plain(packed: &Packed) -> Format {
    let shape = packed.shape();
    let strides = (0..shape.len()).map(|axis| shape[axis + 1..].iter().product::<i64>().to_string());
    let (shape, strides): (Vec<_>, Vec<_>) = (shape.iter().map(i64::to_string).collect(), strides.collect());
    let shape_text = shape.join(", ");
    let layout = if shape.len() == 1 {
        format!("{shape_text}:1")
    } else {
        format!("({}):({})", shape.join(","), strides.join(","))
    };
    let sizes: Vec<String> = packed.format().axes().iter().map(|axis| axis.to_string()).collect();
    let record = format!(
        "name plain\naxes {}\nbits {}\nshape {shape_text}\nlayout {layout}",
        sizes.join(", "),
        packed.format().element_bits()
    );
    Format::parse(&record).unwrap().remove(0)
}

/// Bytes and words of every format, ragged where it pads, to and from a plain array; all but a few formats by plans.
#[test]
fn words_are_moved_by_plans() {
    let (mut random, mut one_by_one, mut several) = (Random::named("plans"), Vec::new(), 0);
    for format in formats().iter().filter(|format| [8, 16, 32, 64].contains(&format.element_bits())) {
        for turn in 0..3 {
            let mut sizes = format.small().unwrap();
            for (name, size) in &mut sizes {
                let pads = format.rules().iter().any(|rule| rule.axis == *name && rule.kind == Kind::To);
                *size = if pads && turn > 0 { random.range(1, 3 * *size) } else { *size };
            }
            let Ok(packed) = format.at(&sizes) else { continue };
            if packed.count().is_ok_and(|count| count > 40_000) {
                continue;
            }
            let plain = plain(&packed);
            let own = plain.at(&sizes).unwrap();
            let axes: Vec<usize> = (0..own.shape().len()).collect();
            let conversion = Conversion { fill: Some(Fill::Byte(0x5A)), piece: None, bits_only: true };
            let all = [(&plain, format, &own, &packed), (format, &plain, &packed, &own)];
            for (from, to, one, two) in all.into_iter().filter(|_| format.block().is_none()) {
                let Ok(repack) = Repack::new(from, to, &sizes, conversion) else { continue };
                let mut source = random_bytes(&mut random, one.bytes());
                if repack.run(&source).is_err() {
                    source.fill(0);
                }
                let mut target = random_bytes(&mut random, two.bytes());
                repack.run_into(&source, &mut target).unwrap();
                check(one, two, &source, &target, 0x5A, &axes);
                several += usize::from(repack.explain().contains("plans of copies"));
                if repack.explain().ends_with("one by one") && one_by_one.last() != Some(&format.name()) {
                    one_by_one.push(format.name());
                }
            }
        }
    }
    assert!(several > 30, "{several}");
    // Several layouts, each for some elements, and polynomials.
    let cases = [
        "marlin_scales_any",
        "fbgemm_fp16",
        "lapack_band",
        "lapack_packed_upper",
        "lapack_rfp_lower",
        "scalapack_numroc",
    ];
    assert_eq!(one_by_one, cases);
}

/// All padding has the fill, and no stored bit is looked at.
#[test]
fn padding_that_has_no_fill_is_refused() {
    let (mut random, mut refusals, mut repeats) = (Random::named("padding"), 0, 0);
    for format in formats() {
        let sizes = format.small().unwrap();
        let packed = format.at(&sizes).unwrap();
        let pieces: Vec<Format> = format.pieces().collect();
        let pieces = if pieces.is_empty() { vec![format.clone()] } else { pieces };
        let mut is_padding = vec![true; 8 * packed.bytes() as usize];
        for piece in &pieces {
            let (own, width) = (piece.at(&piece.own_sizes(&sizes)).unwrap(), piece.element_bits() as usize);
            for offset in own.offsets().unwrap().into_iter().filter(|offset| *offset >= 0) {
                is_padding[offset as usize * width..][..width].fill(false);
            }
        }
        let fill = random.next() as u8;
        let mut bytes = random_bytes(&mut random, packed.bytes());
        for bit in (0..is_padding.len()).filter(|bit| is_padding[*bit]) {
            bytes[bit / 8] = bytes[bit / 8] & !(1 << (bit % 8)) | fill & 1 << (bit % 8);
        }
        packed.check(&bytes, Some(Fill::Byte(fill))).unwrap_or_else(|error| panic!("{packed:?}: {error}"));
        for _ in 0..4 {
            let bit = random.below(is_padding.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
            let refused = packed.check(&bytes, Some(Fill::Byte(fill)));
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(refused.is_err(), is_padding[bit], "{packed:?} bit {bit}");
            let text = refused.err().map_or_else(String::new, |error| error.to_string());
            let wanted = format!("byte {} is padding of {}, and not {fill}", bit / 8, format.name());
            assert!(text.is_empty() || text == wanted, "{text}");
            refusals += usize::from(!text.is_empty());
        }
        let conversion = Conversion { fill: Some(Fill::Repeat), piece: None, bits_only: true };
        if let Ok(repack) = Repack::new(format, format, &sizes, conversion) {
            let repeated = repack.run(&bytes).unwrap();
            packed.check(&repeated, Some(Fill::Repeat)).unwrap();
            let refused = packed.check(&bytes, Some(Fill::Repeat)).err().map(|error| error.to_string());
            assert_eq!(refused.is_some(), repeated != bytes);
            assert!(refused.is_none_or(|text| text.ends_with(", and does not repeat the last element")));
            repeats += usize::from(repeated != bytes);
        }
    }
    assert!(refusals > 20 && repeats > 20, "{refusals} {repeats}");
}

#[test]
fn blocks_with_leading_axes_are_converted_with_all_pieces() {
    let mut random = Random::named("leading");
    let (rows, packed) = (format("E x ggml_q4_0"), format("E x ggml_q4_0_8x8"));
    let sizes = [("E", 3), ("N", 8), ("K", 64)];
    let all = Repack::new(&rows, &packed, &sizes, Conversion::default()).unwrap();
    let one = Repack::new(&format("ggml_q4_0"), &format("ggml_q4_0_8x8"), &sizes[1..], Conversion::default());
    let (source, one) = (random_bytes(&mut random, all.bytes().0), one.unwrap());
    let each = source.chunks(one.bytes().0 as usize).flat_map(|own| one.run(own).unwrap());
    assert_eq!(all.run(&source).unwrap(), each.collect::<Vec<_>>());
    let none = Repack::new(&rows, &format("ggml_q4_0_8x8"), &sizes, Conversion::default());
    assert!(none.unwrap_err().to_string().starts_with("E x ggml_q4_0 is [3, 8, 64]"));
}

/// Every format is cut along each of its axes, or refused, as the elements of the parts say.
#[test]
fn every_format_is_cut_or_refused() {
    let mut random = Random::named("cut");
    let (mut cuts, mut ranges, mut refusals) = (0, 0, 0);
    for format in formats() {
        let mut sizes = format.small().unwrap();
        // Blocks of one size more, so that halves are whole.
        sizes.iter_mut().for_each(|(_, size)| *size *= 2);
        let Ok(whole) = format.at(&sizes) else { continue };
        if whole.count().is_ok_and(|count| count > 40_000) {
            continue;
        }
        for (axis, _) in &sizes {
            let parts: Result<Vec<Repack>, _> = (0..2)
                .map(|index| Repack::split(format, format, &sizes, Conversion::default(), (axis, 2), index))
                .collect();
            let Ok(parts) = parts else {
                refusals += 1;
                continue;
            };
            let source = random_bytes(&mut random, parts[0].bytes().0);
            let half: Vec<(&str, i64)> = sizes
                .iter()
                .map(|(name, size)| (*name, if name == axis { size / 2 } else { *size }))
                .collect();
            let width = format.element_bits() as usize;
            for (index, part) in (0..).zip(&parts) {
                let (target, own) = (part.run(&source).unwrap(), format.at(&half).unwrap());
                if let Some(range) = part.range().unwrap() {
                    assert!(source[range.start as usize..range.end as usize] == target, "{own:?} {axis}");
                    ranges += 1;
                }
                if format.block().is_some() {
                    continue;
                }
                for coordinate in coordinates(own.shape()).into_iter().step_by(7) {
                    let extents = own.shape().iter().zip(whole.shape());
                    let moved: Vec<i64> = coordinate
                        .iter()
                        .zip(extents)
                        .map(|(at, (part, whole))| if part == whole { *at } else { at + part * index })
                        .collect();
                    let (Some(from), Some(to)) =
                        (whole.offset(&moved).unwrap(), own.offset(&coordinate).unwrap())
                    else {
                        continue;
                    };
                    assert_eq!(element(&source, width, from), element(&target, width, to), "{own:?} {axis}");
                }
                cuts += 1;
            }
        }
    }
    assert!(cuts > 200 && ranges > 50 && refusals > 20, "{cuts} cuts, {ranges} ranges, {refusals} refusals");
}

#[test]
fn all_pieces_of_a_block_are_converted() {
    let mut random = Random::named("pieces");
    let sizes = [("N", 8), ("K", 64)];
    let (rows, packed) = (format("ggml_q4_0"), format("ggml_q4_0_8x8"));
    let repack = Repack::new(&rows, &packed, &sizes, Conversion::default()).unwrap();
    let source = random_bytes(&mut random, repack.bytes().0);
    let target = repack.run(&source).unwrap();
    for (piece, flipped) in [("", 8), (".scales", 0)] {
        let [one, two] =
            ["ggml_q4_0", "ggml_q4_0_8x8"].map(|name| format(&format!("{name}{piece}")).at(&sizes).unwrap());
        let width = one.format().element_bits() as usize;
        for coordinate in coordinates(one.shape()) {
            let mut bits = element(&source, width, one.offset(&coordinate).unwrap().unwrap());
            // The repack of values is XOR 8.
            (0..4).filter(|bit| flipped >> bit & 1 == 1).for_each(|bit| bits[bit] ^= true);
            assert_eq!(element(&target, width, two.offset(&coordinate).unwrap().unwrap()), bits);
        }
    }
    let back = Repack::new(&packed, &rows, &sizes, Conversion::default()).unwrap();
    assert_eq!(back.run(&target).unwrap(), source);
    // The padding of KleidiAI repeats the last column.
    let sizes = [("N", 5), ("K", 32), ("R", 4), ("C", 8)];
    let conversion = Conversion { piece: Some("values"), bits_only: true, fill: None };
    let repack = Repack::new(&rows, &format("kleidiai_qsi4c32p"), &sizes, conversion).unwrap();
    let source = random_bytes(&mut random, repack.bytes().0);
    let target = repack.run(&source).unwrap();
    let full = format("kleidiai_qsi4c32p").at(&[("N", 8), ("K", 32), ("R", 4), ("C", 8)]).unwrap();
    for (column, k) in (4..8).flat_map(|column| (0..32).map(move |k| (column, k))) {
        let [own, last] =
            [column, 4].map(|column| element(&target, 4, full.offset(&[column, k]).unwrap().unwrap()));
        assert_eq!(own, last);
    }
}

/// An element that the target does not store is 0, or the array is refused with it.
#[test]
fn nothing_is_left_out_but_zeros() {
    let pairs = [
        ("M N:64", "lapack_packed_upper"),
        ("M N:64", "lapack_rfp_lower"),
        ("M N:64", "lapack_band"),
        ("lapack_packed_upper", "lapack_rfp_lower"),
        ("lapack_band", "lapack_packed_upper"),
    ];
    let (mut random, mut lost) = (Random::named("left out"), 0);
    for (from, to) in pairs {
        for _ in 0..20 {
            let n = random.range(2, 9);
            let sizes = [("M", n), ("N", n), ("L", random.range(0, n - 1)), ("U", random.range(0, n - 1))];
            let sizes: Vec<_> = sizes
                .into_iter()
                .filter(|(name, _)| [from, to].iter().any(|own| format(own).has_size(name)))
                .collect();
            let repack = Repack::new(&format(from), &format(to), &sizes, Conversion::default()).unwrap();
            let [one, two] = [from, to].map(|name| {
                let format = format(name);
                format.at(&format.own_sizes(&sizes)).unwrap()
            });
            let element = [random.range(0, n - 1), random.range(0, n - 1)];
            let Some(offset) = one.offset(&element).unwrap() else { continue };
            let mut source = vec![0; one.bytes() as usize];
            source[8 * offset as usize + random.below(8)] = 1;
            match (two.offset(&element).unwrap(), repack.run(&source)) {
                (Some(to), target) => assert_eq!(
                    target.unwrap()[8 * to as usize..][..8],
                    source[8 * offset as usize..][..8],
                    "{one:?} {two:?} {element:?}"
                ),
                (None, refused) => {
                    let message = format!(
                        "element ({},{}) of {from} is not 0, and {to} does not store it; set it to 0 to leave it out",
                        element[0], element[1]
                    );
                    assert_eq!(refused.unwrap_err().to_string(), message, "{one:?} {two:?}");
                    lost += 1;
                }
            }
        }
    }
    assert!(lost > 15, "{lost}");
}

#[test]
fn what_would_be_wrong_is_refused() {
    let refused = |from: &str, to: &str, sizes: &[(&str, i64)], conversion: Conversion<'_>| {
        Repack::new(&format(from), &format(to), sizes, conversion).unwrap_err().to_string()
    };
    let weight = [("K", 64), ("N", 64)];
    let none = Conversion::default();
    assert_eq!(
        refused("ggml_q4_0", "marlin_4", &[("N", 64), ("K", 64)], none),
        "a block of ggml_q4_0 has values and scales, and marlin_4 has no blocks; a piece is converted alone where --piece names it, such as --piece values"
    );
    assert_eq!(
        refused("marlin_4", "cutlass_mixed_int4", &weight, none),
        "marlin_4 is encoded as unsigned, cutlass_mixed_int4 as twos: the same bits are other values; --bits-only moves them all the same"
    );
    assert_eq!(
        refused("marlin_4", "marlin_8", &weight, none),
        "marlin_4 is [64, 64] of 4 bits; marlin_8 is [64, 64] of 8 bits"
    );
    assert_eq!(
        refused("gptq_4", "marlin_4", &[("K", 64), ("N", 40)], none),
        "N must be a multiple of 64: marlin_4 packs 64 columns; 40 given"
    );
    assert_eq!(
        refused("gptq_4", "marlin_4", &[("K", 64), ("N", 64), ("Q", 1)], none),
        "neither gptq_4 nor marlin_4 has a size Q"
    );
    assert_eq!(
        refused("ggml_q4_0", "awq_gemv", &[("N", 8), ("K", 64)], Conversion { piece: Some("sums"), ..none }),
        "ggml_q4_0 has no piece `sums`: values, scales"
    );
    assert_eq!(
        refused("marlin_4", "marlin_4", &weight, Conversion { piece: Some("x"), ..none }),
        "marlin_4 has no pieces, of which `x` would be one"
    );
    assert_eq!(
        refused("M S:8", "vnni4", &[("M", 3), ("S", 4), ("K", 5)], none),
        "the size K of vnni4 is M of M S:8: give M"
    );
    assert_eq!(
        refused("M K:8", "scale_128x4_of_element", &[("M", 200), ("K", 200), ("V", 16)], none),
        "several elements of scale_128x4_of_element have one place"
    );
    let bits_only = Conversion { bits_only: true, ..none };
    assert!(Repack::new(&format("marlin_4"), &format("cutlass_mixed_int4"), &weight, bits_only).is_ok());
    // GPTQ version 1 has no code for the zero point 0.
    let zeros = Repack::new(&format("marlin_zeros_4"), &format("gptq_4.zeros"), &[("G", 1), ("N", 64)], none)
        .unwrap();
    assert_eq!(zeros.run(&[0x11; 32]).unwrap(), [0; 32]);
    assert_eq!(
        zeros.run(&[0; 32]).unwrap_err().to_string(),
        "element (0,0) of marlin_zeros_4 is the code 0 of unsigned, and minus1 of gptq_4.zeros has no code for it"
    );
}

#[test]
fn parts_of_a_split_are_those_of_the_whole() {
    let mut random = Random::named("split");
    for (name, sizes, cut, contiguous) in [
        ("marlin_4", &[("K", 64), ("N", 128)][..], ("K", 2), true),
        ("marlin_4", &[("K", 64), ("N", 128)], ("N", 2), false),
        ("scale_128x4", &[("M", 256), ("S", 8)], ("M", 2), true),
        ("scale_128x4", &[("M", 256), ("S", 8)], ("S", 2), false),
        ("awq_gemm", &[("K", 6), ("N", 24)], ("N", 3), false),
        // The elements are a range, but the padding among them is filled anew.
        ("scale_8x4", &[("M", 16), ("S", 2)], ("M", 2), false),
    ] {
        let format = format(name);
        let whole = format.at(sizes).unwrap();
        let source = random_bytes(&mut random, whole.bytes());
        for index in 0..cut.1 {
            let part = Repack::split(&format, &format, sizes, Conversion::default(), cut, index).unwrap();
            let target = part.run(&source).unwrap();
            let sizes: Vec<(&str, i64)> = sizes
                .iter()
                .map(|(axis, size)| (*axis, if *axis == cut.0 { size / cut.1 } else { *size }))
                .collect();
            let own = format.at(&sizes).unwrap();
            let width = format.element_bits() as usize;
            for coordinate in coordinates(own.shape()) {
                let moved: Vec<i64> = coordinate
                    .iter()
                    .zip(own.shape().iter().zip(whole.shape()))
                    .map(|(at, (part, whole))| if part == whole { *at } else { at + part * index })
                    .collect();
                let [one, two] = [
                    element(&source, width, whole.offset(&moved).unwrap().unwrap()),
                    element(&target, width, own.offset(&coordinate).unwrap().unwrap()),
                ];
                assert_eq!(one, two);
            }
            let range = part.range().unwrap();
            assert_eq!(range.is_some(), contiguous, "{name} {cut:?}");
            assert!(range.is_none_or(|range| source[range.start as usize..range.end as usize] == target));
        }
    }
    let marlin = format("marlin_4");
    let wrong = |cut, index| {
        Repack::split(&marlin, &marlin, &[("K", 48), ("N", 64)], Conversion::default(), cut, index)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(wrong(("K", 5), 0), "K = 48 is not divided into 5 equal parts");
    assert_eq!(wrong(("Q", 2), 0), "marlin_4 has no size Q that is divided");
    assert_eq!(wrong(("K", 2), 0), "K must be a multiple of 16: marlin_4 packs 16 rows; 24 given");
}

#[test]
fn offsets_are_those_of_all_elements_of_a_shape() {
    let large = 1 << 40;
    let shapes: [&[i64]; 9] =
        [&[0], &[0, 4], &[], &[2], &[3], &[-2], &[1, 2], &[large, large], &[1 << 32, 1 << 32, 1 << 32]];
    for offsets in [&[][..], &[0], &[0, 1], &[0, 4, 1]] {
        for shape in shapes {
            let count: i128 = shape.iter().map(|extent| i128::from(*extent)).product();
            let found = identify(offsets, Some(shape), &["scale"]);
            assert_eq!(
                found.is_ok(),
                !offsets.is_empty() && count == offsets.len() as i128,
                "{offsets:?} {shape:?}"
            );
        }
    }
    let none = identify(&[], None, &["scale"]).unwrap_err();
    assert_eq!(none.to_string(), "the offset of one element or more is needed; none is given");
}

/// Also of XOR strides.
#[test]
fn layouts_of_long_tables_are_found() {
    let of = |offsets: &[i64]| identify(offsets, None, &["scale_8x4"]).unwrap().layout;
    let range: Vec<i64> = (0..2049).collect();
    assert_eq!(of(&range).unwrap().layout().to_string(), "2049:1");
    let transposed: Vec<i64> = (0..128 * 512).map(|index| index % 512 * 128 + index / 512).collect();
    assert_eq!(of(&transposed).unwrap().layout().to_string(), "(512,128):(128,1)");
    let swizzled: Vec<i64> = (0..4096).map(|index| index ^ (index >> 6 & 7)).collect();
    assert_eq!(of(&swizzled).unwrap().to_string(), "{0} o (64,8,8):(^1,^65,^512)");
}

#[test]
fn words_that_no_format_has_are_refused() {
    let error = identify(&[0, 1], None, &["scale", "nothing"]).unwrap_err();
    assert_eq!(error.to_string(), "there is no format `scale nothing`, and none has these words");
    let found = |word| identify(&[0, 1, 16, 17], None, &[word]).unwrap().formats.len();
    assert_eq!((found("scales"), found("SCALE")), (6, 6));
    // Words that some format has, of which none has the offsets.
    assert_eq!(identify(&[8, 9, 0, 1], None, &["awq"]).unwrap().formats.len(), 0);
}

/// Every format is found from its own offsets, at small sizes.
#[test]
fn formats_are_identified_by_their_offsets() {
    let (mut unnamed, mut inverses): (Vec<&str>, _) = (Vec::new(), 0);
    for format in formats() {
        let packed = [(1, 2), (1, 3), (2, 2), (2, 1), (3, 2)].into_iter().find_map(|(blocks, others)| {
            let size = |axis: &str| {
                let rule = format.rules().iter().find(|rule| rule.axis == axis);
                let bound = rule.and_then(|rule| rule.bounds[0].parse::<i64>().ok());
                match rule.map(|rule| rule.kind) {
                    Some(Kind::To | Kind::By) => blocks * bound.unwrap_or(32),
                    Some(Kind::In | Kind::Divides) => bound.unwrap_or(1),
                    _ => others,
                }
            };
            let sizes: Vec<(&str, i64)> =
                format.axes().iter().map(|axis| (axis.name.as_str(), size(&axis.name))).collect();
            let packed = format.at(&sizes).ok()?;
            if packed.count().is_ok_and(|count| count > 9_000) {
                return None;
            }
            let offsets = packed.offsets().unwrap();
            let plain = offsets.iter().zip(0..).all(|(offset, index)| *offset == index);
            (!plain).then_some((packed, offsets))
        });
        let Some((packed, offsets)) = packed else {
            unnamed.push(format.name());
            continue;
        };
        let word = format.name().split('.').next().unwrap();
        let found = identify(&offsets, Some(packed.shape()), &[word]).unwrap();
        assert!(found.formats.iter().any(|found| found.format().name() == format.name()), "{packed:?}");
        // And from the number of the element at each place, unless both are the same, or not all elements have a place of their own.
        let mut numbers = vec![-1; packed.storage() as usize];
        offsets
            .iter()
            .zip(0..)
            .filter(|(offset, _)| **offset >= 0)
            .for_each(|(offset, number)| numbers[*offset as usize] = number);
        if numbers != offsets && numbers.iter().filter(|number| **number >= 0).count() == offsets.len() {
            let found = identify(&numbers, None, &[word]).unwrap();
            assert!(found.inverses.iter().any(|found| found.format().name() == format.name()), "{packed:?}");
            inverses += 1;
        }
    }
    assert!(inverses > 80, "{inverses}");
    // Plain arrays at these sizes, or not of so few elements.
    let rest = [
        "scale_cublas_blk128",
        "gptq_4.zeros",
        "gptq_8.zeros",
        "gptq_2.zeros",
        "gptq_4.scales",
        "awq_gemv",
        "awq_gemv.zeros",
        "awq_gemv.scales",
        "kv_nhd",
        "kv_p2nhd",
        "kv_pl2nhd",
        "im2col",
        "scalapack_numroc",
    ];
    assert_eq!(unnamed, rest);
}

#[test]
fn random_permutations_are_of_no_format() {
    let mut random = Random::named("permutations");
    for turn in 0..100 {
        // All formats take time without optimisation.
        let word =
            if turn == 0 { "" } else { random.choose(&["scale", "marlin", "kv", "tile", "gptq", "ggml"]) };
        let mut offsets: Vec<i64> = (0..64).collect();
        random.shuffle(&mut offsets);
        let found = identify(&offsets, Some(&[8, 8]), &[word]).unwrap();
        assert!(
            found.formats.is_empty() && found.inverses.is_empty() && found.layout.is_err(),
            "{offsets:?}: {found:?}"
        );
    }
}

/// Also at sizes that no extent tells, and where the array has no shape.
#[test]
fn formats_are_identified_at_other_sizes() {
    let cases = [
        "lapack_band M=12 N=12 L=0 U=2",
        "lapack_band M=12 N=12 L=3 U=7",
        "ggml_q4_0.scales N=4 K=4096",
        "ggml_q6_K.scales N=2 K=2048",
        "kleidiai_qsi4c32p N=24 K=64 R=12 C=8",
        "scalapack_cyclic N=240 B=24 P=3",
        "scalapack_numroc N=250 B=24 P=3",
        "kv_vllm_key_x P=2 H=3 B=7 D=14 X=7",
        "plasma_tiles M=48 N=72 B=24",
        "im2col C=3 H=8 W=9 R=3 S=2",
        "blis_panels M=28 K=9 R=14",
        "gate_up_c M=36 K=4 C=9",
        "scale_128x4_of_element M=40 K=48 V=12",
        "tinygemm_int4 N=24 K=128 I=4",
        "morton b=4",
    ];
    for case in cases {
        let (name, sizes) = case.split_once(' ').unwrap();
        let sizes = sizes.split(' ').map(|size| size.split_once('=').unwrap());
        let sizes: Vec<(&str, i64)> = sizes.map(|(axis, size)| (axis, size.parse().unwrap())).collect();
        let packed = format(name).at(&sizes).unwrap();
        let offsets = packed.offsets().unwrap();
        for shape in [None, Some(&[offsets.len() as i64][..]), Some(packed.shape())] {
            let found = identify(&offsets, shape, &[name]).unwrap();
            let own = found.formats.iter().find(|found| found.format().name() == name);
            let own = own.unwrap_or_else(|| panic!("{case} {shape:?}"));
            assert_eq!(own.offsets().unwrap(), offsets, "{case} {own:?}");
        }
    }
}

/// A layout that is smaller than its array, or larger than its storage, is refused at the sizes where it is.
#[test]
fn places_of_a_private_format_are_checked() {
    let refusal = |layout: &str, more: &str, sizes: &[(&str, i64)]| {
        let text = format!("name mine\naxes M rows, N columns\nbits 8\nlayout {layout}\n{more}");
        Format::parse(&text).and_then(|all| all[0].at(sizes).map(|_| ())).err().map(|error| error.to_string())
    };
    let sizes = [("M", 5), ("N", 3)];
    let tiles = "((4,ceil(M/4)),N):((1,4*N),4)";
    assert_eq!(refusal(tiles, "", &sizes), None);
    let small = refusal("((4,ceil(M/8)),N):((1,4*N),4)", "", &sizes).unwrap();
    assert!(small.starts_with("the layout of mine has 4 places along M = 5: "), "{small}");
    assert_eq!(refusal("((4,ceil(M/8)),N):((1,4*N),4)", "", &[("M", 4), ("N", 3)]), None);
    let wide = refusal("((4,ceil(M/4)),N):((1,4*N),8)", "", &sizes).unwrap();
    assert!(wide.contains("an element at offset 28, and a storage of 24 elements"), "{wide}");
    assert_eq!(refusal("((4,ceil(M/4)),N):((1,4*N),8)", "storage 29", &sizes), None);
    assert!(refusal(tiles, "storage 5", &sizes).unwrap().contains("a storage of 5"));
    let mut random = Random::named("places");
    for _ in 0..2000 {
        let [a, b, n, s, t, u] = [4, 4, 6, 9, 9, 9].map(|most| random.range(1i64, most));
        let (m, storage) = (random.range(1, a * b), random.range(1, 60i64));
        let layout = format!("(({a},{b}),N):(({s},{t}),{u})");
        let elements = (0..m).flat_map(|i| (0..n).map(move |j| i % a * s + i / a * t + j * u));
        let fits = elements.max().unwrap() < storage;
        let found = refusal(&layout, &format!("storage {storage}"), &[("M", m), ("N", n)]);
        assert_eq!(found.is_none(), fits, "{layout} M={m} N={n} storage {storage}: {found:?}");
    }
}
