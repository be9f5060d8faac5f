//! Every copy brings each bit where its layouts say.

// The loops of manuals count.
#![allow(clippy::needless_range_loop)]

use tilework::Layout;
use tilework_hardware::atom::{Atom, CopyAtom, atoms};

use super::{Registers, through};

/// Which bit of what is moved: the number of it in the layouts of the row.
type Bit = usize;

/// PTX ISA, `ldmatrix.m8n8.b16`: threads `8i` to `8i+7` have the addresses of the rows of matrix `i`; a thread gets elements `2 (t mod 4)` and
/// the next of row `t/4`, of the transposed matrix with `.trans`.
fn ldmatrix(rows: &Registers<Bit>, count: usize, trans: bool) -> Registers<Bit> {
    let element =
        |matrix: usize, row: usize, column: usize| &rows[8 * matrix + row][16 * column..16 * (column + 1)];
    let fragment = |thread: usize, matrix: usize, half: usize| {
        let (row, column) = (thread / 4, 2 * (thread % 4) + half);
        if trans { element(matrix, column, row) } else { element(matrix, row, column) }
    };
    let halves = (0..2 * count).map(|half| (half / 2, half % 2));
    (0..32)
        .map(|thread| {
            halves.clone().flat_map(|(matrix, half)| fragment(thread, matrix, half).to_vec()).collect()
        })
        .collect()
}

/// PTX ISA, `stmatrix`: the other direction. The rows, by the threads that have their addresses.
fn stmatrix(fragments: &Registers<Bit>, count: usize, trans: bool) -> Registers<Bit> {
    let mut rows = vec![vec![0; 128]; 8 * count];
    for thread in 0..32 {
        for matrix in 0..count {
            for half in 0..2 {
                let (row, column) = (thread / 4, 2 * (thread % 4) + half);
                let (row, column) = if trans { (column, row) } else { (row, column) };
                for bit in 0..16 {
                    rows[8 * matrix + row][16 * column + bit] =
                        fragments[thread][32 * matrix + 16 * half + bit];
                }
            }
        }
    }
    rows
}

/// PTX ISA, `movmatrix.m8n8.trans.b16`: fragments as those of `ldmatrix`, transposed.
fn movmatrix(fragments: &Registers<Bit>) -> Registers<Bit> {
    let rows = stmatrix(fragments, 1, false);
    ldmatrix(&rows, 1, true)
}

/// Lanes exchange registers with the lane whose number differs in one bit: in what lane and register `r` are to each other, 2x2
/// registers are transposed.
fn exchange(registers: &Registers<Bit>, bit: usize) -> Registers<Bit> {
    let register = |lane: usize, r: usize| registers[lane][32 * r..32 * (r + 1)].to_vec();
    let own = |lane: usize, r: usize| {
        let side = usize::from(lane & bit != 0);
        let partner = if r == side { lane } else { lane ^ bit };
        register(partner, side)
    };
    (0..32).map(|lane| [own(lane, 0), own(lane, 1)].concat()).collect()
}

/// PTX ISA, data movement shapes of `tcgen05.ld`: the lane and the bit in it, within the repetition, that a thread's register holds.
fn tensor_memory(shape: &str, thread: usize, register: usize, repeat: usize) -> Option<(usize, usize)> {
    let (row, column) = (thread / 4, thread % 4);
    Some(match shape {
        "32dp32b" => (thread, 32 * register),
        // The second half of the warp reads the columns behind those of the first.
        "16dp32b" => (thread % 16, 32 * register + thread / 16 * 32 * repeat),
        "16dp128b" => (row + 8 * (register % 2), 32 * column + register / 2 * 128),
        "16dp256b" => (row + 8 * (register / 2 % 2), 64 * column + 32 * (register % 2) + register / 4 * 256),
        _ => return None,
    })
}

fn check(atom: &CopyAtom) -> bool {
    let name = atom.name.as_str();
    let src = through(&atom.src, &atom.threads, |bit| bit);
    let dst = through(&atom.dst, &atom.threads, |bit| bit);
    if name.contains("_U8x") {
        // Matrices of 16x16 bytes: the manual shows them in a picture only, which nothing here was written from.
        return false;
    }
    if name.contains("LDSM") || name.contains("STSM") {
        let count = if name.contains("x4_") || name.contains("U16x8") || name.ends_with("x4_LDSM_N") {
            4
        } else if name.contains("x1_") || name.contains("U16x2") {
            1
        } else {
            2
        };
        let count = if name.contains("U16x4") { 2 } else { count };
        let trans = name.ends_with("_T");
        if name.contains("LDSM") {
            assert_eq!(dst, ldmatrix(&src, count, trans), "{name}");
        } else {
            assert_eq!(dst[..8 * count], stmatrix(&src, count, trans), "{name}");
        }
        // Threads without a row of their own see those of the first ones.
        let rows = if name.contains("LDSM") { &src } else { &dst };
        assert!((0..32).all(|thread| rows[thread] == rows[thread % (8 * count)]), "{name}");
    } else if name.contains("MOVM") {
        assert_eq!(dst, movmatrix(&src), "{name}");
    } else if name.contains("Shuffle") {
        assert_eq!(dst, exchange(&src, name.split("XOR").nth(1).unwrap().parse().unwrap()), "{name}");
    } else if let Some(access) =
        name.strip_prefix("SM100_TMEM_LOAD_").or(name.strip_prefix("SM100_TMEM_STORE_"))
    {
        let (shape, repeat) = access.split_at(access.find("b").unwrap() + 1);
        let repeat: usize = repeat.split('x').next().unwrap().parse().unwrap();
        let registers = if name.contains("LOAD") { &dst } else { &src };
        return tensor_memory(shape, 0, 0, repeat).is_some()
            && registers.iter().enumerate().all(|(thread, own)| {
                own.iter().enumerate().all(|(index, &bit)| {
                    let (lane, column) = tensor_memory(shape, thread, index / 32, repeat).unwrap();
                    is_at(atom, bit, lane, column + index % 32)
                })
            });
    } else if let Some(shape) = name.strip_prefix("SM100_UTCCP_") {
        tensor_copy(atom, shape.split_once('_').unwrap().0, &src, &dst);
    } else {
        assert_eq!(src, dst, "{name}");
    }
    true
}

const LANE: i64 = 32 << 16;

/// Whether a bit is in this lane of tensor memory, so many bits from its begin: with packed elements each 16 of them have 32 bits.
fn is_at(atom: &CopyAtom, bit: usize, lane: usize, column: usize) -> bool {
    let column = if atom.name.ends_with("_16b") { column / 16 * 32 + column % 16 } else { column };
    atom.memory.unwrap().at(bit as i64) == lane as i64 * LANE + column as i64
}

/// PTX ISA, `tcgen05.cp`: which row of the matrix in shared memory each lane gets.
fn tensor_copy(atom: &CopyAtom, shape: &str, src: &Registers<Bit>, dst: &Registers<Bit>) {
    let memory: Layout = atom.memory.unwrap();
    for (rows, lanes) in src.iter().zip(dst) {
        for (&bit, &target) in rows.iter().zip(lanes) {
            let (lane, column) = (memory.at(target as i64) / LANE, memory.at(target as i64) % LANE);
            let row = match shape {
                "128dp256bit" | "128dp128bit" => lane,
                "4dp256bit" => lane,
                // 32 rows to each of four warps; the halves of 64 rows to warps 0 and 2, 1 and 3, or to 0 and 1, 2 and 3.
                "4x32dp128bit" => lane % 32,
                "2x64dp128bitlw0213" => lane % 64,
                "2x64dp128bitlw0123" => lane % 32 + lane / 64 * 32,
                _ => panic!("{shape}"),
            };
            let count = match shape {
                "4x32dp128bit" => 32,
                "2x64dp128bitlw0213" => 64,
                "2x64dp128bitlw0123" => 0,
                _ => 128,
            };
            let expected =
                if count == 0 { row % 32 + 32 * column + row / 32 * 4096 } else { row + count * column };
            assert_eq!(bit as i64, expected, "{}: lane {lane}, bit {column}", atom.name);
        }
    }
}

#[test]
fn every_copy_moves_what_it_says() {
    let (mut checked, mut others) = (0, Vec::new());
    for atom in atoms() {
        let Atom::Copy(atom) = atom else { continue };
        if cfg!(debug_assertions) && atom.src.size() > 1 << 16 {
            continue;
        }
        if check(&atom) { checked += 1 } else { others.push(atom.name.to_string()) }
    }
    assert!(checked > 100, "{checked} copies");
    // What the manual shows in pictures that are not at hand: these agree with CUTLASS, and nothing else is known of them.
    let unknown = |name: &String| name.contains("_U8x") || name.contains("16dp64b");
    assert!(others.iter().all(unknown), "{others:?}");
}
