//! Errors that were silent: the wrong bytes that each built have the length and the type of the right ones, and symmetric data
//! pass. Here they are built by loops, and `check_elements` refuses each with the element and, where it has a name, the order.

use tilework_formats::{Conversion, Format, Packed, Repack};

fn packed(name: &str, sizes: &[(&str, i64)]) -> Packed {
    Format::named(name).and_then(|format| format.at(sizes)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Codes without symmetry, one in a byte.
fn codes(count: i64, bits: u32) -> Vec<u8> {
    (0..count).map(|at| ((at * at * 31 + at * 7 + at / 16 + 3) % 251 % (1 << bits)) as u8).collect()
}

/// The plain codes where the format has them.
fn right(packed: &Packed, codes: &[u8]) -> Vec<u8> {
    let offsets = packed.offsets().unwrap();
    stored(packed, codes.iter().zip(offsets).map(|(code, offset)| (offset, *code)))
}

/// Codes of at most 8 bits at offsets, zero between.
fn stored(packed: &Packed, codes: impl Iterator<Item = (i64, u8)>) -> Vec<u8> {
    let bits = i64::from(packed.format().element_bits());
    let mut bytes = vec![0; packed.bytes() as usize];
    for (offset, code) in codes.filter(|(offset, _)| *offset >= 0) {
        bytes[(offset * bits / 8) as usize] |= code << (offset * bits % 8);
    }
    bytes
}

/// The right bytes are accepted, the wrong ones refused with a text that begins and ends so.
#[track_caller]
fn refused(packed: &Packed, codes: &[u8], wrong: &[u8], begins: &str, ends: &str) {
    packed.check_elements(&right(packed, codes), codes, None).unwrap();
    let error = packed.check_elements(wrong, codes, None).unwrap_err();
    let text = error.to_string();
    assert_eq!(error.code(), "kind", "{text}");
    assert!(text.starts_with(begins) && text.ends_with(ends), "{text}");
}

/// flashinfer PR 4093: the factors are row by row. Symmetric data pass, and 99.8 % of the addresses are others.
#[test]
fn factors_row_by_row() {
    let (m, s) = (512, 64);
    let scales = packed("scale_128x4", &[("M", m), ("S", s)]);
    let plain = codes(m * s, 8);
    let ends = "the bytes are in the order of `M S:8`, which `repack` converts";
    refused(&scales, &plain, &plain, "element (0,4) is ", ends);
    let other = scales.offsets().unwrap().iter().zip(0..).filter(|(offset, at)| **offset != *at).count();
    assert!(other as f64 > 0.998 * plain.len() as f64, "{other}");
    scales.check_elements(&vec![7; plain.len()], &vec![7; plain.len()], None).unwrap();
}

/// flashinfer PR 4574: tiles of 8 rows in place of 128, where the tactic wants the larger.
#[test]
fn tiles_of_another_tactic() {
    let sizes = [("M", 128), ("S", 8)];
    let plain = codes(128 * 8, 8);
    let wrong = right(&packed("scale_8x4", &sizes), &plain);
    refused(
        &packed("scale_128x4", &sizes),
        &plain,
        &wrong,
        "element (",
        "the order of `scale_8x4`, which `repack` converts",
    );
}

/// aiter 4788 and 671: one shuffle where the operator reads by the other.
#[test]
fn the_shuffle_of_another_shape() {
    let sizes = [("N", 64), ("K", 64)];
    let plain = codes(64 * 64, 8);
    let wrong = right(&packed("amd_16x16_8", &sizes), &plain);
    let ends = "the order of `amd_16x16_8`, which `repack` converts";
    refused(&packed("amd_32x16_8", &sizes), &plain, &wrong, "element (0,16) is ", ends);
}

/// aiter PR 2900: rows of ceil(K/32) factors in a buffer whose rows are padded to 8.
#[test]
fn a_stride_that_is_not_padded() {
    let (m, s) = (32, 10);
    let scales = packed("scale_gfx950", &[("M", m), ("S", s)]);
    let plain = codes(m * s, 8);
    // The shuffle of 32 by 8 with rows of 10 in place of 16.
    let at = |i: i64, j: i64| i % 16 * 4 + i / 16 % 2 + j % 4 * 64 + j / 4 % 2 * 2 + j / 8 * 256;
    let wrong = |i, j| at(i, j) - if j >= 8 { 128 } else { 0 };
    let places = (0..m * s).map(|index| wrong(index / s, index % s));
    let wrong: Vec<u8> = stored(&scales, places.zip(plain.iter().copied()));
    refused(&scales, &plain, &wrong, "element (", "is stored");
}

/// pie PR 491: zero points in Marlin's order of columns, without the interleave of the eight of a word.
#[test]
fn an_interleave_that_is_forgotten() {
    let (g, n) = (2, 128);
    let zeros = packed("marlin_zeros_4", &[("G", g), ("N", n)]);
    let plain = codes(g * n, 4);
    // Of 64 columns, column i + 8 j is at 8 i + j; the interleave would put the eight of a word in the order 0, 2, 4, 6, 1, 3, 5, 7.
    let place = |column: i64| column / 64 * 64 + column % 8 * 8 + column % 64 / 8;
    let places = (0..g * n).map(|index| index / n * n + place(index % n));
    let wrong = stored(&zeros, places.zip(plain.iter().copied()));
    refused(&zeros, &plain, &wrong, "element (0,8) is ", "is stored");
}

/// vLLM PR 51718: the stride of the block of the other cache, which has keys and values within a page.
#[test]
fn the_block_of_another_cache() {
    let sizes = [("P", 2), ("V", 2), ("B", 4), ("H", 2), ("D", 8)];
    let cache = packed("kv_2pnhd", &sizes);
    let count = 2 * 2 * 4 * 2 * 8;
    // Elements of 16 bits: the code is the number of the element.
    let plain: Vec<u8> = (0..count as u16).flat_map(u16::to_le_bytes).collect();
    let other = packed("kv_p2nhd", &sizes);
    let bytes = |packed: &Packed| {
        let mut bytes = vec![0; packed.bytes() as usize];
        for (offset, code) in packed.offsets().unwrap().into_iter().zip(plain.chunks(2)) {
            bytes[offset as usize * 2..][..2].copy_from_slice(code);
        }
        bytes
    };
    cache.check_elements(&bytes(&cache), &plain, None).unwrap();
    let text = cache.check_elements(&bytes(&other), &plain, None).unwrap_err().to_string();
    assert!(text.starts_with("element (0,1,0,0,0) is 64, but kv_2pnhd has it at offset 128"), "{text}");
    assert!(text.contains("kv_p2nhd"), "{text}");
}

/// llm-awq 91 and OpenVINO PR 32123: the nibbles of a byte the other way round.
#[test]
fn nibbles_the_other_way_round() {
    let weight = packed("awq_gemm", &[("K", 4), ("N", 16)]);
    let plain = codes(64, 4);
    let wrong: Vec<u8> = right(&weight, &plain).iter().map(|byte| byte.rotate_left(4)).collect();
    refused(&weight, &plain, &wrong, "element (0,0) is ", "is stored");
}

/// vLLM 26343: zero points of GPTQ version 1 are stored minus 1; version 2 reads them as they are.
#[test]
fn zero_points_minus_one() {
    let zeros = packed("gptq_4.zeros", &[("G", 2), ("N", 16)]);
    let plain: Vec<u8> = codes(32, 4).iter().map(|code| code % 15).collect();
    let wrong = right(&zeros, &plain.iter().map(|code| code + 1).collect::<Vec<_>>());
    refused(&zeros, &plain, &wrong, "element (0,0) is ", "is stored");
    // A conversion to a format that stores them as they are knows of it.
    let (gptq, marlin) = (zeros.format(), Format::named("marlin_zeros_4").unwrap());
    let sizes = [("G", 2), ("N", 64)];
    let stored = packed("gptq_4.zeros", &sizes);
    let (of_gptq, of_marlin) = (codes(128, 4), packed("marlin_zeros_4", &sizes));
    let of_gptq: Vec<u8> = of_gptq.iter().map(|code| code % 15).collect();
    let repack = Repack::new(gptq, &marlin, &sizes, Conversion::default()).unwrap();
    let converted = repack.run(&right(&stored, &of_gptq)).unwrap();
    let plain: Vec<u8> = of_gptq.iter().map(|code| code + 1).collect();
    of_marlin.check_elements(&converted, &plain, None).unwrap();
}

/// Primus-Turbo PR 383: the padding of the factors is 127, and has to be 0.
#[test]
fn padding_of_another_value() {
    let scales = packed("scale_128x4", &[("M", 130), ("S", 3)]);
    let plain = codes(390, 8);
    let mut wrong = right(&scales, &plain);
    let offsets = scales.offsets().unwrap();
    (0..wrong.len()).filter(|at| !offsets.contains(&(*at as i64))).for_each(|at| wrong[at] = 127);
    refused(&scales, &plain, &wrong, "byte 3 is padding of scale_128x4, and not 0", "");
}

/// What is no array of elements is refused by its size.
#[test]
fn arrays_of_another_size() {
    let weight = packed("marlin_4", &[("K", 16), ("N", 64)]);
    let text = weight.check_elements(&[0; 512], &[0; 512], None).unwrap_err().to_string();
    assert_eq!(text, "the elements [16, 64] are 1024, of 1 bytes each; 512 bytes given");
    let text = weight.check_elements(&[0; 511], &[0; 1024], None).unwrap_err().to_string();
    assert_eq!(text, "marlin_4 at these sizes is 512 bytes; 511 given");
    let wide = packed("M N:128", &[("M", 1), ("N", 1)]);
    assert_eq!(wide.check_elements(&[0; 16], &[0; 16], None).unwrap_err().code(), "kind");
}
