//! Accesses by the tiles of instructions, against enumeration of all tiles: coordinates by the manual, offsets by the
//! strides, words and sectors in sets.

use std::collections::{BTreeMap, BTreeSet};
use testkit::Random;
use tilework::{AnyLayout, HasLayout};
use tilework_expr::{Accesses, Failure, Operand, Session};
use tilework_hardware::access::Access;
use tilework_hardware::memory::{Banks, Sectors};

/// `Sw<B,3,S> o (rows,columns,planes):strides`, by definition.
struct Data {
    extents: [i64; 3],
    strides: [i64; 3],
    swizzle: Option<(i64, i64)>,
}

impl Data {
    /// Up to `most` tiles each way, of which the last may be a part.
    fn random(random: &mut Random, [m, n]: [i64; 2], most: i64) -> Data {
        let (rows, columns) = (m * (1 + random.below(most)), n * (1 + random.below(most)));
        let (rows, columns) = match random.below(3) {
            0 => (rows - random.below(m), columns - 2 * random.below((n + 1) / 2)),
            _ => (rows, columns),
        };
        let planes = random.choose(&[1, 1, 2]);
        let padding = random.choose(&[0, 0, 8, 16]);
        let strides = match random.below(3) {
            0 => [1, rows + padding, (rows + padding) * columns],
            _ => [columns + padding, 1, (columns + padding) * rows],
        };
        let swizzle = (random.below(2) == 0).then(|| random.choose(&[(1, 3), (2, 3), (3, 3), (3, 4)]));
        Data { extents: [rows, columns, planes], strides, swizzle }
    }

    fn layout(&self) -> AnyLayout {
        let ([m, n, p], [dm, dn, dp]) = (self.extents, self.strides);
        let plain = format!("({m},{n},{p}):({dm},{dn},{dp})");
        let text = match self.swizzle {
            Some((bits, shift)) => format!("Sw<{bits},3,{shift}> o 0 o {plain}"),
            None => plain,
        };
        Session::new().evaluate(&text).unwrap().as_data().unwrap().unwrap()
    }

    fn at(&self, row: i64, column: i64, plane: i64) -> i64 {
        let [dm, dn, dp] = self.strides;
        let offset = row * dm + column * dn + plane * dp;
        match self.swizzle {
            Some((bits, shift)) => offset ^ ((offset >> (3 + shift) & ((1 << bits) - 1)) << 3),
            None => offset,
        }
    }
}

/// The coordinate in a tile of a value of a thread.
type Place = Box<dyn Fn(i64, i64) -> (i64, i64)>;

/// Threads, values, extents of the tile, and places.
struct Tile {
    threads: i64,
    values: i64,
    extents: [i64; 2],
    place: Place,
}

/// `mma.m16n8k16` of four warps, two along M and two along N, by the tables of the PTX manual.
fn mma(operand: &str) -> Tile {
    let place: Place = match operand {
        "a" => Box::new(|thread, value| {
            let (warp, group, quad, register) = (thread / 32, thread % 32 / 4, thread % 4, value / 2);
            (warp % 2 * 16 + group + 8 * (register % 2), 2 * quad + value % 2 + 8 * (register / 2))
        }),
        "b" => Box::new(|thread, value| {
            let (warp, group, quad, register) = (thread / 32, thread % 32 / 4, thread % 4, value / 2);
            (warp / 2 * 8 + group, 2 * quad + value % 2 + 8 * register)
        }),
        _ => Box::new(|thread, value| {
            let (warp, group, quad) = (thread / 32, thread % 32 / 4, thread % 4);
            (warp % 2 * 16 + group + 8 * (value / 2), warp / 2 * 8 + 2 * quad + value % 2)
        }),
    };
    let (values, extents) = match operand {
        "a" => (8, [32, 16]),
        "b" => (4, [16, 16]),
        _ => (4, [32, 16]),
    };
    Tile { threads: 128, values, extents, place }
}

/// What one instruction of one warp accesses: the first bit of each lane that is inside.
fn instructions(tile: &Tile, data: &Data, bits: i64, vector: i64) -> Option<Vec<Vec<i64>>> {
    let ([rows, columns, planes], [m, n]) = (data.extents, tile.extents);
    let mut all = Vec::new();
    for (plane, row, column) in (0..planes).flat_map(|p| {
        (0..(rows + m - 1) / m).flat_map(move |i| (0..(columns + n - 1) / n).map(move |j| (p, i * m, j * n)))
    }) {
        for warp in 0..tile.threads / 32 {
            for first in (0..tile.values).step_by(vector as usize) {
                let mut starts = Vec::new();
                for thread in warp * 32..warp * 32 + 32 {
                    let offset = |value| {
                        let (i, j) = (tile.place)(thread, value);
                        let inside = row + i < rows && column + j < columns;
                        inside.then(|| data.at(row + i, column + j, plane))
                    };
                    if (0..vector).all(|v| offset(first + v).is_none()) {
                        continue;
                    }
                    let start = offset(first)?;
                    if start % vector != 0 || (0..vector).any(|v| offset(first + v) != Some(start + v)) {
                        return None;
                    }
                    starts.push(start * bits);
                }
                if !starts.is_empty() {
                    all.push(starts);
                }
            }
        }
    }
    Some(all)
}

/// Wavefronts, the ideal and the most of a phase. The width is up to 32 bits, so that a warp is one phase.
fn wavefronts(instructions: &[Vec<i64>]) -> (u64, u64, u64) {
    let (mut all, mut ideal, mut degree) = (0, 0, 0);
    for starts in instructions {
        let words: BTreeSet<i64> = starts.iter().map(|start| start / 32).collect();
        let mut banks: BTreeMap<i64, u64> = BTreeMap::new();
        words.iter().for_each(|word| *banks.entry(word % 32).or_default() += 1);
        let most = banks.values().copied().max().unwrap();
        all += most;
        ideal += words.len().div_ceil(32) as u64;
        degree = degree.max(most);
    }
    (all, ideal, degree)
}

fn access(text: &str, data: &Data, bits: u32, vector: Option<u32>) -> Result<Access, Failure> {
    let accesses = Accesses::read(&mut Session::new(), text).unwrap();
    let layout = data.layout();
    accesses.of(layout.as_layout(), bits, vector)
}

const ATOM: &str = "SM80_16x8x16_F32F16F16F32_TN{}";
const MMA: &str = "tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1))";

#[test]
fn all_tiles_of_an_operand_are_counted() {
    let mut random = Random::congruential(5);
    let (mut free, mut conflicts, mut refused) = (0, 0, 0);
    for _ in 0..if cfg!(debug_assertions) { 60 } else { 1000 } {
        let operand = random.choose(&["a", "b", "c"]);
        let mut tile = mma(operand);
        // One warp alone is one tile.
        let alone = random.below(3) == 0;
        if alone {
            tile.threads = 32;
            tile.extents = match operand {
                "a" => [16, 16],
                "b" => [8, 16],
                _ => [16, 8],
            };
        }
        let mma = if alone { ATOM } else { MMA };
        let data = Data::random(&mut random, tile.extents, 4);
        let (bits, vector) = random.choose(&[(16, 1), (16, 2), (32, 1), (8, 2)]);
        let access = access(&format!("{mma}.{operand}"), &data, bits, Some(vector)).unwrap();
        let found = Banks::NVIDIA.report(&data.layout(), &access);
        let name = format!("{operand} of {}, {bits} bits, {vector} at once", data.layout());
        let Some(instructions) = instructions(&tile, &data, bits.into(), vector.into()) else {
            assert!(found.is_err(), "{name}");
            refused += 1;
            continue;
        };
        let report = found.unwrap();
        assert_eq!((report.wavefronts, report.ideal, report.degree), wavefronts(&instructions), "{name}");
        if report.is_ideal() { free += 1 } else { conflicts += 1 }
    }
    println!("{free} without conflicts, {conflicts} with, {refused} that are no vectors");
    assert!(free > 5 && conflicts > 5 && refused > 0);
}

#[test]
fn all_tiles_of_a_copy_are_counted() {
    let mut random = Random::congruential(7);
    let (mut whole, mut partial) = (0, 0);
    for _ in 0..if cfg!(debug_assertions) { 100 } else { 1000 } {
        let across = random.choose(&[1, 2, 4, 8, 16, 32]);
        let down = 32 / across;
        let copy = format!(
            "tiled_copy(atom(UniversalCopy<uint128_t>, 32), (({across},{down}),4):(({},1),{down}), <{down},{}>)",
            4 * down,
            4 * across
        );
        let tile = Tile {
            threads: 32,
            values: 4,
            extents: [down, 4 * across],
            place: Box::new(move |thread, value| (thread / across, thread % across * 4 + value)),
        };
        let mut data = Data::random(&mut random, tile.extents, 3);
        data.swizzle = None;
        let side = random.choose(&["", ".src", ".dst"]);
        let vector = random.choose(&[None, Some(1), Some(2)]);
        let access = access(&format!("{copy}{side}"), &data, 32, vector).unwrap();
        assert_eq!(access.vector_len(), vector.unwrap_or(4));
        let found = Sectors::NVIDIA.report(&data.layout(), &access);
        let Some(instructions) = instructions(&tile, &data, 32, access.vector_len().into()) else {
            assert!(found.is_err());
            continue;
        };
        let report = found.unwrap();
        let units = |unit: i64| -> u64 {
            let width = i64::from(access.width());
            let of = |starts: &Vec<i64>| {
                let bits = starts.iter().flat_map(|start| (*start..start + width).step_by(32));
                bits.map(|bit| bit / unit).collect::<BTreeSet<i64>>().len() as u64
            };
            instructions.iter().map(of).sum()
        };
        assert_eq!(report.requests, instructions.len() as u64);
        assert_eq!((report.sectors, report.lines, report.bits), (units(256), units(1024), 32 * units(32)));
        if report.sectors == report.ideal { whole += 1 } else { partial += 1 }
    }
    println!("{whole} use their sectors in full, {partial} do not");
    assert!(whole > 5 && partial > 5);
}

/// A tile that does not divide a layout has elements behind its end; a thread-value layout alone has no tile.
#[test]
fn what_an_access_does_not_reach_is_said() {
    let mut random = Random::congruential(9);
    let (mut whole, mut parts) = (0, 0);
    for _ in 0..300 {
        let (rows, columns) = (1 + random.below(96), 1 + random.below(48));
        let padded = ((rows + 31) / 32 * 32, (columns + 15) / 16 * 16);
        let (rows, columns) = if random.below(2) == 0 { padded } else { (rows, columns) };
        let data = Data { extents: [rows, columns, 1], strides: [columns, 1, 0], swizzle: None };
        let report = |text: &str| {
            let access = access(text, &data, 16, None).unwrap();
            Banks::NVIDIA.report(&data.layout(), &access).unwrap()
        };
        let (size, found) = (rows * columns, report(&format!("{MMA}.a")));
        // Two warps along N read the same elements of A.
        let outside = 2 * (padded.0 * padded.1 - size);
        assert_eq!((found.reach.partial(), found.reach.outside), (None, outside), "({rows},{columns})");
        assert_eq!(found.to_string().contains("are outside the layout"), outside > 0, "{found}");
        // Threads and values of the tile reach 512 indices, whatever the shape is.
        let alone = report(&format!("let TV = {MMA}.a; TV"));
        let expected = (Some(512).filter(|_| size > 512), 2 * (512 - size).max(0));
        assert_eq!((alone.reach.partial(), alone.reach.outside), expected, "({rows},{columns})");
        let said = format!("; it reaches 512 of {size} elements, by indices that count along the first mode");
        assert_eq!(alone.to_string().contains(&said), size > 512, "{alone}");
        if outside == 0 { whole += 1 } else { parts += 1 }
    }
    assert!(whole > 50 && parts > 50);
}

#[test]
fn an_access_says_what_it_may_be() {
    let read = |text: &str| Accesses::read(&mut Session::new(), text).map_err(|error| error.to_string());
    for (text, sentence) in [
        (MMA, "write .a, .b or .c"),
        (ATOM, "write .a, .b or .c"),
        ("tiled_copy(atom(SM75_U32x4_LDSM_N, 16), (32,8):(8,1), <16,16>)", "write .src or .dst"),
        ("atom(SM75_U32x4_LDSM_N, 16)", "tiled_copy(..).src"),
        ("Sw<3,3,3>", "found a swizzle"),
        ("ldmatrx", "an access is `ldmatrix`"),
    ] {
        let refused = read(text).unwrap_err();
        assert!(refused.contains(sentence), "{text}: {refused}");
    }
    for text in ["ldmatrix", " rows ", "(32,4):(4,1)", &format!("{MMA}.b"), &format!("let M = {MMA}; M.c")] {
        assert!(read(text).is_ok(), "{text}");
    }
}

/// A layout that is legal under another swizzle is refused with that swizzle, not with another layout.
#[test]
fn the_swizzle_under_which_a_layout_is_legal_is_proposed() {
    for (row, swizzle) in [(16, "Sw<1,3,3>"), (32, "Sw<2,3,3>"), (64, "Sw<3,3,3>")] {
        let check = |swizzle: &str| {
            let text = format!("{swizzle} o 0 o (64,{row}):({row},1)");
            let data = Session::new().evaluate(&text).unwrap().as_data().unwrap().unwrap();
            Operand::of(&data, "wgmma.a.k", None, 16, None).unwrap()
        };
        assert!(check(swizzle).legal.is_some(), "{swizzle}");
        // The swizzle in bytes.
        let found = check("Sw<3,4,3>");
        assert_eq!(found.nearest, Some(format!("{swizzle} o 0 o (64,{row}):({row},1)")), "{found}");
    }
}
