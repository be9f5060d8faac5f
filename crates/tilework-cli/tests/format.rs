//! `format` as a program: what it refuses, with one sentence and exit status 1 and nothing written, and the tensors of a
//! weight that are converted together.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tilework_formats::{Format, Packed, Repack, bundle, formats};

/// An empty folder of its own, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tilework-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_tilework");
        Command::new(program).arg("format").args(arguments).current_dir(&self.0).output().unwrap()
    }

    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    /// Refused: exit status 1, one line that begins so and has this part, and no new file.
    fn refused(&self, arguments: &[&str], begins: &str, part: &str) {
        let before = self.files();
        let Output { status, stdout, stderr } = self.run(arguments);
        let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
        let text = if stdout.is_empty() { &stderr } else { &stdout };
        assert_eq!(status.code(), Some(1), "{arguments:?}: {text}");
        assert!(text.lines().count() == 1 && text.starts_with(begins), "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
        assert_eq!(self.files(), before, "{arguments:?}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A `.npy` file of bytes with a header.
fn npy(kind: &str, is_fortran: bool, shape: &str, bytes: usize) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut all = b"\x93NUMPY\x01\x00".to_vec();
    all.extend((header.len() as u16).to_le_bytes());
    all.extend(header.bytes());
    all.resize(all.len() + bytes, 7);
    all
}

#[test]
fn wrong_sizes_and_coordinates_are_refused() {
    let folder = Folder::new("sizes");
    for (arguments, begins, part) in [
        (&["marlin_4", "K=0", "N=64"][..], "error[size]", "K must be at least 1; 0 given"),
        (&["marlin_4", "K=-16", "N=64"], "error[size]", "-16 given"),
        (&["marlin_4", "K=24", "N=64"], "error[size]", "multiple of 16: marlin_4 packs 16 rows; 24 given"),
        (&["marlin_4", "K=16"], "error[size]", "the size N is missing"),
        (&["marlin_4", "K=16", "N=64", "Q=1"], "error[size]", "there is no size Q"),
        (&["marlin_4", "K=16", "K=16", "N=64"], "error[size]", "the size K is given twice"),
        (&["marlin_4", "K=1e3", "N=64"], "error[size]", "`K=1e3` is no size"),
        (&["marlin_4", "K=99999999999999999999", "N=64"], "error[size]", "is no size"),
        (&["marlin_4", "K=1099511627776", "N=1099511627776"], "error[overflow]", "64 bits"),
        (&["marlin_4", "K=1099511627776", "N=64", "--offsets"], "error[limit]", "67108864 elements at most"),
        (&["scale_128x4", "M=9223372036854775807", "S=17"], "error[overflow]", "64 bits"),
        (&["tinygemm_int4", "N=8", "K=32", "I=3"], "error[size]", "I must be one of 2, 4, 8"),
        (&["compressed_tensors_packed", "N=8", "K=32", "B=9"], "error[size]", "B must be at most 8; 9 given"),
        (&["marlin_4", "K=16", "N=64", "--at", "16,0"], "error[outside]", "(16,0) in the shape [16, 64]"),
        (
            &["marlin_4", "k=16", "N=64"],
            "error[size]",
            "there is no size k: give K; marlin_4 has the sizes K rows, N columns",
        ),
        (
            &["marlin_4", "K=16", "N=64", "--at", "0"],
            "error[outside]",
            "an element has 2 indices, (K, N); 1 given",
        ),
        (&["marlin_4", "K=16", "N=64", "--at", "(0,0,0)"], "error[outside]", "2 indices, (K, N); 3 given"),
        (&["marlin_4", "K=16", "N=64", "--at", "-1,0"], "error[outside]", "(-1,0) in the shape [16, 64]"),
        (&["marlin_4", "K=16", "N=64", "--at", "(16,0)"], "error[outside]", "(16,0) in the shape [16, 64]"),
        (&["marlin_4", "K=16", "N=64", "--element", "512"], "error[outside]", "0 to 511; 512 given"),
        (&["marlin_4", "K=16", "N=64", "--element", "-1"], "error[outside]", "the bytes 0 to 511; -1 given"),
        (
            &["marlin_4", "=", "scale_128x4"],
            "error[specification]",
            "cannot be compared: marlin_4 has elements of 4 bits, scale_128x4 has elements of 8 bits; a private",
        ),
        (&["marlin_4==gptq_4"], "error[name]", "`tilework format A = B`, with spaces"),
        (&["marlin_4=gptq_4"], "error[name]", "`tilework format A = B`, with spaces"),
        (&["marlin_5", "K=16"], "error[name]", "did you mean `marlin_4`"),
        (&["marlin_4", "=", "awq_gemv_fst"], "error[name]", "`awq_gemv_fast`"),
        (&["marlin_4", "=", "kv_nhd"], "error[specification]", "4 sizes"),
        (&["E x E x marlin_4", "E=1", "K=16", "N=64"], "error[specification]", "a name of its own"),
        (&["K x marlin_4", "K=16", "N=64"], "error[specification]", "a name of its own"),
        (&["tq1_0", "N=1"], "error[kind]", "base 3"),
        (&["identify", "f=()"], "error[syntax]", "is no offset"),
        (&["identify", "f=(0,1", "--like", "nothing"], "error[name]", "nothing"),
    ] {
        folder.refused(arguments, begins, part);
    }
    let at = ["marlin_4", "K=16", "N=64", "--at"];
    let place = |text: &str| folder.run(&[&at[..], &[text]].concat()).stdout;
    assert!(place("3,5").starts_with(b"offset ") && place("3,5") == place("(3, 5)"));
    // Large sizes that fit are answered.
    let at = folder.run(&["marlin_4", "K=1099511627776", "N=64", "--at", "1099511627775,63"]);
    assert!(String::from_utf8(at.stdout).unwrap().starts_with("offset 70368744177663, byte 35184372088831,"));
    let padding = folder.run(&["scale_8x4", "M=7", "S=4", "--element", "31"]);
    assert_eq!(padding.stdout, b"padding\n");
}

/// A list is the same offsets in each spelling, as an argument and in a file; of each type of integers too.
#[test]
fn offsets_in_every_form_are_the_same() {
    let folder = Folder::new("offsets");
    let own = folder.run(&["identify", "f=(0,1,16,17)", "--like", "scales"]).stdout;
    assert!(own.starts_with(b"scale_128x4 M=2 S=2"));
    for text in [
        "f=(0,1,16,17)",
        "(0,1,16,17)",
        "[0, 1, 16, 17]",
        "0,1,16,17",
        "[[0, 1], [16, 17]]\n",
        " 0, 1,\n16,17\n",
    ] {
        folder.write("offsets.txt", text.as_bytes());
        for given in [text, "offsets.txt"] {
            assert_eq!(folder.run(&["identify", given, "--like", "scales"]).stdout, own, "{text}");
        }
    }
    for (kind, width) in [("<i4", 4), ("<u4", 4), ("<i8", 8), ("<u8", 8), ("|u1", 1)] {
        let mut file = npy(kind, false, "(4,)", 0);
        for offset in [0u64, 1, 16, 17] {
            file.extend(&offset.to_le_bytes()[..width]);
        }
        folder.write("offsets.npy", &file);
        let found = folder.run(&["identify", "offsets.npy", "--like", "fbgemm"]).stdout;
        assert!(String::from_utf8(found).unwrap().ends_with("first: (2,2):(1,16)\n"), "{kind}");
    }
}

#[test]
fn what_is_no_table_of_offsets_is_refused() {
    let folder = Folder::new("tables");
    folder.write("none.npy", &npy("<i4", false, "(0,)", 0));
    folder.write("rows.npy", &npy("<i4", false, "(0, 4)", 0));
    folder.write("large.npy", &npy("<i4", false, "(1099511627776, 1099511627776)", 4));
    let with = |kind: &str, shape: &str, numbers: &[u64], width: usize| {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()[..width].to_vec());
        [npy(kind, false, shape, 0), bytes.collect()].concat()
    };
    folder.write("beyond.npy", &with("<u8", "(2,)", &[0, 1 << 63], 8));
    folder.write("weight.npy", &with("<i4", "(3,)", &[0x8765_4321, 7, 0x1234_5678], 4));
    folder.write("range.npy", &with("<i4", "(2049,)", &(0..2049).collect::<Vec<_>>(), 4));
    let swizzled: Vec<u64> = (0..4096).map(|index| index ^ (index >> 6 & 7)).collect();
    folder.write("swizzled.npy", &with("<i4", "(4096,)", &swizzled, 4));
    for (file, begins, part) in [
        ("none.npy", "error[size]", "none is given"),
        ("rows.npy", "error[size]", "none is given"),
        ("large.npy", "error[size]", "has not as many elements"),
        ("beyond.npy", "error[file]", "9223372036854775808 is no offset"),
    ] {
        folder.refused(&["identify", file, "--like", "awq"], begins, part);
    }
    for (file, ends) in [
        ("weight.npy", "as --offsets prints, not packed weights\n"),
        ("range.npy", "layout of the elements in row-major order, the last axis first: 2049:1\n"),
        (
            "swizzled.npy",
            "layout of the elements in row-major order, the last axis first: (64,8,8):(^1,^65,^512)\n",
        ),
    ] {
        let found = folder.run(&["identify", file, "--like", "awq"]).stdout;
        assert!(String::from_utf8(found).unwrap().ends_with(ends), "{file}");
    }
}

#[test]
fn wrong_files_are_refused_and_nothing_is_written() {
    let folder = Folder::new("files");
    folder.write("short.bin", &[0; 511]);
    folder.write("words.npy", &npy("<i4", false, "(1, 128)", 512));
    folder.write("doubles.npy", &npy("<f8", false, "(64,)", 512));
    folder.write("floats.npy", &npy("<f4", false, "(1, 128)", 512));
    folder.write("permuted.npy", &npy("<i4", false, "(128, 1)", 512));
    folder.write("columns.npy", &npy("<i4", true, "(1, 128)", 512));
    folder.write("swapped.npy", &npy(">i4", false, "(1, 128)", 512));
    folder.write("cut.npy", &npy("<i4", false, "(1, 128)", 512)[..9]);
    folder.write("none.safetensors", b"\xff\xff\xff");
    let sizes = ["K=16", "N=64"];
    let contiguous = "a .npy file of one contiguous array, the last axis fastest, is needed";
    for (file, begins, part) in [
        ("short.bin", "error[size]", "marlin_4 at these sizes is 512 bytes; 511 given"),
        ("doubles.npy", "error[kind]", "marlin_4 is stored as int32 [1, 128], not as float64 [64]"),
        ("floats.npy", "error[kind]", "marlin_4 is stored as int32 [1, 128], not as float32 [1, 128]"),
        ("permuted.npy", "error[kind]", "marlin_4 is stored as int32 [1, 128], not as int32 [128, 1]"),
        ("columns.npy", "error[file]", contiguous),
        ("swapped.npy", "error[file]", contiguous),
        ("cut.npy", "error[file]", contiguous),
        ("absent.bin", "error[file]", "cannot be read"),
        (".", "error[file]", "cannot be read"),
        ("none.safetensors:q", "error[file]", "is not that of a safetensors file"),
    ] {
        let [k, n] = sizes;
        for target in ["out.bin", "out.npy", "out.safetensors:q"] {
            folder.refused(&["repack", "marlin_4", "awq_gemm", k, n, file, target], begins, part);
            folder.refused(
                &["repack", "marlin_4", "marlin_4", k, n, file, target, "--split", "N=1"],
                begins,
                part,
            );
        }
        folder.refused(&["check", "marlin_4", k, n, file], begins, part);
    }
    for (arguments, begins, part) in [
        (&["awq_gemm", "K=16", "N=64"][..], "error[file]", "no/out.bin"),
        (&["awq_gemm", "K=16", "N=64", "Q=2"], "error[size]", "has a size Q"),
        (&["awq_gemm", "K=16"], "error[size]", "the size N is missing"),
        (&["marlin_8", "K=16", "N=64"], "error[kind]", "of 4 bits; marlin_8 is [16, 64] of 8 bits"),
        (&["nothing", "K=16", "N=64"], "error[name]", "nothing"),
        (&["awq_gemm", "K=16", "N=64", "--fill", "256"], "error[specification]", "`256` is no fill"),
        (
            &["awq_gemm", "K=16", "N=64", "--piece", "scales"],
            "error[kind]",
            "has no pieces, of which `scales`",
        ),
        (&["awq_gemm", "K=16", "N=64", "--split", "K=0"], "error[size]", "K = 16 is not divided into 0"),
        (&["awq_gemm", "K=16", "N=64", "--split", "K=-1"], "error[size]", "into -1 equal parts"),
        (&["awq_gemm", "K=16", "N=64", "--split", "K=5"], "error[size]", "K = 16 is not divided into 5"),
        (&["awq_gemm", "K=16", "N=64", "--split", "K=2"], "error[size]", "K must be a multiple of 16"),
        (&["awq_gemm", "K=16", "N=64", "--split", "Q=2"], "error[size]", "has no size Q"),
    ] {
        let files = ["words.npy", "no/out.bin"];
        folder.refused(&[&["repack", "marlin_4"], arguments, &files].concat(), begins, part);
    }
    // Bytes are those of any type.
    assert!(
        folder
            .run(&["repack", "marlin_4", "awq_gemm", "K=16", "N=64", "words.npy", "a.npy"])
            .status
            .success()
    );
    assert!(
        folder.run(&["repack", "awq_gemm", "marlin_4", "K=16", "N=64", "a.npy", "b.bin"]).status.success()
    );
    assert_eq!(std::fs::read(folder.0.join("b.bin")).unwrap(), [7; 512]);
}

#[test]
fn a_split_writes_all_parts_or_none() {
    let folder = Folder::new("parts");
    folder.write("whole.bin", &[7; 1024]);
    folder.write("part-0.bin", b"old");
    let arguments =
        ["repack", "marlin_4", "marlin_4", "K=32", "N=64", "whole.bin", "part.bin", "--split", "K=2"];
    let second = folder.0.join("part-1.bin");
    std::fs::create_dir(&second).unwrap();
    folder.refused(&arguments, "error[file]", "part-1.bin");
    assert_eq!(std::fs::read(folder.0.join("part-0.bin")).unwrap(), b"old");
    std::fs::remove_dir(&second).unwrap();
    assert!(folder.run(&arguments).status.success());
    assert_eq!(folder.files(), ["part-0.bin", "part-1.bin", "whole.bin"]);
    for name in ["part-0.bin", "part-1.bin"] {
        assert_eq!(std::fs::read(folder.0.join(name)).unwrap(), [7; 512]);
    }
}

#[test]
fn an_error_of_a_private_format_says_the_line() {
    let folder = Folder::new("private");
    let start =
        "# Own formats.\n\nname one\naxes M rows\nbits 8\nlayout M:1\n\n\nname own\naxes M rows\nbits 8\n";
    for (rest, part) in [
        ("layout M:ld", "a layout of own has the name ld, which is no size"),
        ("layout (M:1", "expected"),
        ("sizes M near 4\nlayout M:1", "`M near 4` is no rule of a size"),
        ("color red\nlayout M:1", "`color` is no key of a format"),
        ("", "own has no `layout`"),
        ("like none\nlayout M:1", "there is no format `none`"),
        ("layout M:1 where q", "expected"),
        ("storage M*\nlayout M:1", "expected"),
    ] {
        folder.write("own.txt", format!("{start}{rest}\n").as_bytes());
        let begins = "error[specification]: the record from line 9 on: ";
        folder.refused(&["own", "M=3", "--file", "own.txt"], begins, part);
    }
    folder.write("own.txt", b"\xff\xfe");
    folder.refused(
        &["own", "M=3", "--file", "own.txt"],
        "error[specification]: the record from line 1 on: ",
        "",
    );
}

#[test]
fn words_are_listed_in_json_too() {
    let folder = Folder::new("list");
    let Output { stdout, status, .. } = folder.run(&["marlin", "zero", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&stdout).unwrap();
    let names: Vec<_> = found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(status.success());
    assert_eq!(names, ["marlin_zeros_4", "marlin_zeros_8"]);
    assert_eq!(found[0]["sizes"], serde_json::json!(["G", "N"]));
    let all: serde_json::Value = serde_json::from_slice(&folder.run(&["--json"]).stdout).unwrap();
    assert_eq!(all.as_array().unwrap().len(), formats().len());
}

#[test]
fn a_picture_without_sizes_is_of_small_ones() {
    let folder = Folder::new("draw");
    for name in ["awq_gemm", "scale_8x4", "E x awq_gemm"] {
        let Output { stdout, status, .. } = folder.run(&[name, "--draw"]);
        assert!(status.success() && String::from_utf8(stdout).unwrap().contains("offset of each element"));
    }
}

/// The tensors of a weight in the formats of one side, and their sizes.
fn packed(name: &str, side: usize, sizes: &[(&str, i64)]) -> Vec<(&'static str, Packed)> {
    let tensors = bundle(name, name).unwrap_or_else(|| panic!("{name}"));
    let tensors = tensors.into_iter().map(|(tensor, from, to)| (tensor, if side == 0 { from } else { to }));
    tensors.map(|(tensor, format)| (tensor, format.at(&format.own_sizes(sizes)).unwrap())).collect()
}

/// What a tensor `q.NAME` of a file contains, by the plain definition of the format: its type, its shape and its bytes.
fn tensor(path: &Path, name: &str) -> (String, Vec<i64>, Vec<u8>) {
    let bytes = std::fs::read(path).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let entry = &header[format!("q.{name}")];
    let numbers = |key: &str| -> Vec<i64> { serde_json::from_value(entry[key].clone()).unwrap() };
    let range = numbers("data_offsets");
    let data = &bytes[8 + length..][range[0] as usize..range[1] as usize];
    (entry["dtype"].as_str().unwrap().to_owned(), numbers("shape"), data.to_vec())
}

const BUNDLES: [&[&str]; 3] = [
    &["awq", "autoawq_gemv", "gptq", "exllamav2", "marlin"],
    &["gptq_int8", "marlin_int8"],
    &["gptq_int2", "exllamav2_int2"],
];

/// Every pair of bundles of elements of one width, there and back, against the conversions of each tensor alone.
#[test]
fn weights_are_converted_with_their_scales_and_zero_points() {
    let folder = Folder::new("bundle");
    for (from, to) in
        BUNDLES.iter().flat_map(|all| all.iter().flat_map(|one| all.iter().map(move |two| (*one, *two))))
    {
        for groups in [1, 4] {
            let sizes = [("K", 128), ("N", 64), ("G", groups), ("X", 1)];
            let own = bundle(from, to).unwrap();
            let is_of =
                |size: &&(&str, i64)| own.iter().any(|(_, a, b)| a.has_size(size.0) || b.has_size(size.0));
            let words: Vec<String> =
                sizes.iter().filter(is_of).map(|(name, size)| format!("{name}={size}")).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut entries = serde_json::Map::new();
            let mut data: Vec<u8> = Vec::new();
            for (name, packed) in packed(from, 0, &sizes) {
                let (dtype, shape) = packed.container().unwrap();
                let kind = dtype.replace("int", "I").replace("float", "F");
                let end = data.len() + packed.bytes() as usize;
                let entry =
                    serde_json::json!({"dtype": kind, "shape": shape, "data_offsets": [data.len(), end]});
                entries.insert(format!("q.{name}"), entry);
                // Codes that both versions of zero points have: odd ones without the highest bit; and padding of 0.
                let bits = packed.format().element_bits() as usize;
                let mut own = vec![0u8; packed.bytes() as usize];
                for (index, offset) in packed.offsets().unwrap().into_iter().enumerate() {
                    for bit in (0..bits - 1).filter(|bit| *bit == 0 || ((index * 7) >> bit) & 1 == 1) {
                        let place = offset as usize * bits + bit;
                        own[place / 8] |= 1 << (place % 8);
                    }
                }
                data.extend(own);
            }
            let header = serde_json::Value::Object(entries).to_string();
            folder.write(
                "in.safetensors",
                &[&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat(),
            );
            let convert = |from: &str, to: &str, source: &str, target: &str| {
                let (source, target) = (format!("{source}.safetensors:q"), format!("{target}.safetensors:q"));
                folder.run(&[&["repack", from, to][..], &words, &[&source, &target]].concat())
            };
            for (from, to, source, target) in [(from, to, "in", "there"), (to, from, "there", "back")] {
                let Output { status, stderr, .. } = convert(from, to, source, target);
                assert!(status.success(), "{from} to {to}: {}", String::from_utf8(stderr).unwrap());
            }
            let path = |name: &str| folder.0.join(format!("{name}.safetensors"));
            for (name, from, to) in &own {
                let repack = Repack::new(
                    from,
                    to,
                    &sizes
                        .iter()
                        .filter(|(size, _)| from.has_size(size) || to.has_size(size))
                        .copied()
                        .collect::<Vec<_>>(),
                    Default::default(),
                )
                .unwrap();
                let (source, target) = (tensor(&path("in"), name).2, tensor(&path("there"), name));
                assert_eq!(repack.run(&source).unwrap(), target.2, "{name} of {from:?} to {to:?}");
                assert_eq!(repack.container().unwrap().1, target.1);
                assert_eq!(
                    tensor(&path("back"), name).2,
                    source,
                    "{name} of {} to {}",
                    from.name(),
                    to.name()
                );
            }
        }
    }
}

/// Of Marlin, the scales of one group have another order than those of several.
#[test]
fn scales_of_one_group_have_their_own_order() {
    let (any, channel) =
        (Format::named("marlin_scales_any").unwrap(), Format::named("marlin_scales_channel").unwrap());
    let offsets = |format: &Format, sizes: &[(&str, i64)]| format.at(sizes).unwrap().offsets().unwrap();
    assert_eq!(offsets(&any, &[("G", 1), ("N", 128)]), offsets(&channel, &[("N", 128)]));
    let sizes = [("G", 3), ("N", 128)];
    assert_eq!(offsets(&any, &sizes), offsets(&Format::named("marlin_scales").unwrap(), &sizes));
}

#[test]
fn a_weight_is_refused_whole() {
    let folder = Folder::new("whole");
    folder.write("in.safetensors", b"\x02\0\0\0\0\0\0\0{}");
    for (arguments, begins, part) in [
        (&["awq", "marlin", "K=100", "N=64", "G=4"][..], "error[size]", "K must be a multiple of 16"),
        (&["awq", "marlin", "K=128", "N=64"], "error[size]", "the size G is missing"),
        (
            &["awq", "marlin", "K=128", "N=64", "G=4", "Q=1"],
            "error[size]",
            "neither awq nor marlin has a size Q",
        ),
        (&["awq", "marlin", "K=128", "N=64", "G=4"], "error[file]", "there is no tensor `q.qweight`"),
        (&["awq", "marlin_int8", "K=128", "N=64", "G=4"], "error[kind]", "of 4 bits; marlin_8"),
        (&["awq", "marlin", "K=128", "N=64", "G=4", "--split", "K=2"], "error[size]", "has no size K"),
        (&["awq", "marlin", "K=128", "N=64", "G=4", "--split", "N=2"], "error[size]", "32 given"),
        (&["awq", "autoawq_gemv", "K=128", "N=64", "G=4"], "error[size]", "the size X is missing"),
    ] {
        let files = ["in.safetensors:q", "out.safetensors:q"];
        folder.refused(&[&["repack"], arguments, &files].concat(), begins, part);
    }
    let sizes = ["awq", "marlin", "K=128", "N=64", "G=4"];
    folder.refused(
        &[&["repack"], &sizes[..], &["a.bin", "b.bin"]].concat(),
        "error[file]",
        "FILE.safetensors:NAME",
    );
}

#[test]
fn no_bundle_has_the_name_of_a_format() {
    for name in BUNDLES.concat() {
        assert!(
            bundle(name, name).is_some() && formats().iter().all(|format| format.name() != name),
            "{name}"
        );
    }
}
