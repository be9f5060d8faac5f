//! Every matrix instruction of the table multiplies.

use std::collections::HashSet;
use std::ops::{Add, Mul};
use std::panic::catch_unwind;

use tilework::{Layout, layout};
use tilework_hardware::atom::{Atom, Element, MmaAtom, arm, atoms, find};

use super::gpu::{Instruction, Shape};
use super::{Registers, cpu, gpu, through};

/// Small numbers, always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % below as u64) as i64
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Complex(i64, i64);

impl Add for Complex {
    type Output = Complex;

    fn add(self, other: Complex) -> Complex {
        Complex(self.0 + other.0, self.1 + other.1)
    }
}

impl Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }
}

/// An instruction that is one function.
type Function = Box<dyn Fn([&Registers<i64>; 3]) -> Registers<i64>>;

/// What a row does, by its name: the manual is chosen by the architecture and not by the layouts.
enum Meaning {
    Places(Instruction, usize),
    Sparse(Instruction, usize),
    Function(Function),
}

fn meaning(atom: &MmaAtom) -> Meaning {
    let name = atom.name.as_str();
    let [m, n, k] = atom.shape.map(|extent| extent as usize);
    let bits = atom.elements[1].bits().min(64) as usize;
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if starts(&["SM80_SPARSE"]) {
        Meaning::Sparse(gpu::WARP, bits)
    } else if starts(&["SM61", "SM100_2x1x1", "SM100_1x2x1", "UniversalFMA"]) {
        Meaning::Places(gpu::SINGLE, bits)
    } else if starts(&["SM70"]) {
        Meaning::Places(gpu::quad_pair(&name[name.len() - 2..], atom.elements[3] == Element::F32), bits)
    } else if starts(&["SM75", "SM80", "SM89", "SM90_16x"]) {
        Meaning::Places(gpu::WARP, bits)
    } else if starts(&["SM120"]) {
        // Elements of 4 and 6 bits are in 8 bits, but for those of which 64 are in a row of A.
        let bits = if k as i64 / atom.sparsity == 64 { 4 } else { 8 };
        if atom.sparsity == 2 { Meaning::Sparse(gpu::WARP, bits) } else { Meaning::Places(gpu::WARP, bits) }
    } else if starts(&["SM90_64x", "SM90::GMMA"]) {
        match (name.contains("_RS"), atom.sparsity) {
            (true, 2) => Meaning::Sparse(gpu::WARPGROUP, bits),
            (true, _) => Meaning::Places(gpu::WARPGROUP, bits),
            _ => Meaning::Places(gpu::WARPGROUP_SHARED, bits),
        }
    } else if starts(&["SM100_MMA", "SM103"]) {
        Meaning::Places(if name.contains("2x1SM") { gpu::TENSOR_CORES } else { gpu::TENSOR_CORE }, bits)
    } else if starts(&["CDNA"]) {
        let tile: Vec<usize> =
            name.split('_').nth(1).unwrap().split('x').map(|extent| extent.parse().unwrap()).collect();
        let tile = [tile[0], tile[1], tile[2]];
        let held_by = gpu::mfma(tile, n / tile[1], atom.elements[0] == Element::F64);
        Meaning::Function(Box::new(move |abc| gpu::execute_by_element([m, n, k], &held_by, abc)))
    } else if starts(&["RDNA3"]) {
        Meaning::Function(Box::new(move |abc| gpu::execute_by_element([m, n, k], gpu::wmma3, abc)))
    } else if starts(&["RDNA4"]) {
        Meaning::Function(Box::new(move |abc| gpu::execute_by_element([m, n, k], gpu::wmma4(k), abc)))
    } else if starts(&["AMX"]) {
        Meaning::Function(Box::new(move |abc| cpu::amx(32 / bits, abc)))
    } else if starts(&["AVX"]) {
        Meaning::Function(Box::new(cpu::vector))
    } else if starts(&["Xe"]) {
        Meaning::Function(Box::new(move |abc| cpu::dpas(n, 32 / bits, abc)))
    } else if starts(&["NEON", "SVE"]) {
        Meaning::Function(Box::new(move |abc| cpu::mmla(k, abc)))
    } else if starts(&["SME"]) {
        Meaning::Function(Box::new(move |abc| cpu::mopa(m, k, abc)))
    } else {
        panic!("which manual describes {name}?")
    }
}

/// Fills registers, carries out the instruction, and compares what is read through the layout of `C`.
fn multiplies<T: Copy + PartialEq + Add<Output = T> + std::fmt::Debug>(
    atom: &MmaAtom,
    mut number: impl FnMut() -> T,
    multiply: impl Fn(T, T) -> T + Copy,
    execute: impl Fn([&Registers<T>; 3], &[T]) -> Registers<T>,
    is_zero: Option<&dyn Fn(usize) -> Option<T>>,
) {
    let [m, n, k] = atom.shape.map(|extent| extent as usize);
    let mut matrix = |size: usize| (0..size).map(|_| number()).collect::<Vec<T>>();
    let (mut a, b, c) = (matrix(m * k), matrix(n * k), matrix(m * n));
    if let Some(zero) = is_zero {
        a.iter_mut().enumerate().for_each(|(index, element)| *element = zero(index).unwrap_or(*element));
    }
    let fill = |layout: &Layout, data: &[T]| through(layout, &atom.threads, |index| data[index]);
    let registers = [fill(&atom.a, &a), fill(&atom.b, &b), fill(&atom.c, &c)];
    let result = execute([&registers[0], &registers[1], &registers[2]], &a);
    let mut expected = c;
    for j in 0..n {
        for l in 0..k {
            for i in 0..m {
                expected[i + m * j] = expected[i + m * j] + multiply(a[i + m * l], b[j + n * l]);
            }
        }
    }
    let mut reached = vec![false; m * n];
    let threads = atom.c.mode(0).unwrap().size();
    for thread in 0..threads {
        for (value, &element) in result[atom.threads.at(thread) as usize].iter().enumerate() {
            let index = atom.c.at(thread + threads * value as i64) as usize;
            assert!(
                element == expected[index],
                "{}: C at {index}, thread {thread}, value {value}",
                atom.name
            );
            reached[index] = true;
        }
    }
    assert!(reached.iter().all(|&reached| reached), "{}: C is not covered", atom.name);
}

fn check(atom: &MmaAtom) {
    let [m, n, k] = atom.shape.map(|extent| extent as usize);
    let mut numbers = Numbers((m * 1000 + n * 10 + k) as u64);
    let unsigned = [Element::U8, Element::U4].iter().any(|element| atom.elements[1..3].contains(element));
    let (below, offset) = match atom.elements[1] {
        Element::U1 => (2, 0),
        _ if unsigned => (4, 0),
        _ => (7, -3),
    };
    let mut number = || numbers.next(below) + offset;
    let multiply = if atom.name.ends_with("XORPOPC") { |a: i64, b: i64| a ^ b } else { |a, b| a * b };
    match meaning(atom) {
        Meaning::Places(instruction, bits) => {
            let shape = Shape { m, n, k, bits };
            if matches!(atom.elements[1], Element::C64) {
                let number = || Complex(number(), number());
                multiplies(
                    atom,
                    number,
                    |a, b| a * b,
                    |abc, _| gpu::execute(&instruction, shape, |a, b| a * b, abc),
                    None,
                );
            } else {
                multiplies(
                    atom,
                    number,
                    multiply,
                    |abc, _| gpu::execute(&instruction, shape, multiply, abc),
                    None,
                );
            }
        }
        Meaning::Sparse(instruction, bits) => sparse(atom, &mut number, instruction, Shape { m, n, k, bits }),
        Meaning::Function(function) => multiplies(atom, number, multiply, |abc, _| function(abc), None),
    }
}

/// Half of each group of adjacent columns is 0: of two for TF32, of four for 16 and 8 bits, two pairs of four for 4 bits. Registers hold
/// the others, each with the place that it has in its group.
fn sparse(atom: &MmaAtom, number: &mut impl FnMut() -> i64, instruction: Instruction, shape: Shape) {
    let (_, group) = gpu::sparse_columns(shape, 0, 0);
    let kept = |row: usize, column: usize| {
        let (place, draw) = (column % group, (row * 31 + column / group * 17) % 6);
        match group {
            2 => place == draw % 2,
            4 => [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]][draw].contains(&place),
            _ => [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]][draw].contains(&(place / 2)),
        }
    };
    let zero = |index: usize| (!kept(index % shape.m, index / shape.m)).then_some(0);
    let execute = |[a, b, c]: [&Registers<i64>; 3], matrix: &[i64]| {
        // What a thread stores; and of which elements it has the metadata, whether they are stored.
        let metadata =
            through(&atom.e.unwrap(), &atom.threads, |index| kept(index % shape.m, index / shape.m));
        let places = through(&atom.a, &atom.threads, |index| (index % shape.m, index / shape.m));
        let mut left = vec![0; shape.m * shape.k];
        for (lane, own) in a.iter().enumerate() {
            let stored = own.iter().zip(&places[lane]).filter(|(_, place)| kept(place.0, place.1));
            for (i, (&value, _)) in stored.enumerate() {
                let at = |i| (gpu::sparse_row(shape, lane, i), gpu::sparse_columns(shape, lane % 32, i).0);
                let (row, first) = at(i);
                let before = (0..i).filter(|&other| at(other) == (row, first)).count();
                let is_stored = |&column: &usize| {
                    let (lane, index) = gpu::metadata(shape, row, column);
                    metadata[lane][index]
                };
                let column = (first..first + group).filter(is_stored).nth(before).unwrap();
                left[row * shape.k + column] = value;
            }
        }
        // With A put together as a matrix, the rest is the dense instruction.
        let dense: Registers<i64> = vec![left.clone()];
        let by_rows = Instruction { a: |Shape { k, .. }, _, i| (i / k, i % k), ..instruction };
        assert_eq!(left.len(), matrix.len());
        gpu::execute(&by_rows, shape, |a, b| a * b, [&dense, b, c])
    };
    multiplies(atom, number, |a, b| a * b, execute, Some(&zero));
}

/// Rows that differ in names alone are tried once; of those that read memory, and so are the same for any extents, small ones.
fn distinct() -> Vec<MmaAtom> {
    let mut seen = HashSet::new();
    let mma = atoms().filter_map(|atom| match atom {
        Atom::Mma(atom) => Some(atom),
        Atom::Copy(_) => None,
    });
    mma.filter(|atom| {
        let [m, n, k] = atom.shape;
        let architecture: String = atom.name.chars().take_while(|c| *c != '_').collect();
        let by_name = atom.name.contains("POPC") || atom.name.contains("RS") || atom.name.contains("64_TN");
        let narrow = !cfg!(debug_assertions) || m * n * k <= 64 * 64 * 16 || n == 256 && m * k <= 64 * 8;
        let key = format!("{architecture} {by_name} {} {} {} {}", atom.threads, atom.a, atom.b, atom.c);
        narrow && seen.insert(key)
    })
    .collect()
}

#[test]
fn every_row_multiplies() {
    let atoms = distinct();
    assert!(atoms.len() > 250, "{} rows", atoms.len());
    atoms.iter().for_each(check);
}

#[test]
fn every_row_is_a_row_of_a_manual() {
    for atom in atoms() {
        if let Atom::Mma(atom) = atom {
            meaning(&atom);
            let [m, n, k] = atom.shape;
            for (layout, size) in [(&atom.a, m * k), (&atom.b, n * k), (&atom.c, m * n)] {
                assert_eq!(layout.filter().coalesce().size(), size, "{}: {layout}", atom.name);
                assert_eq!(layout.mode(0).unwrap().size(), atom.threads.size(), "{}", atom.name);
            }
            assert!(
                atom.shape.iter().all(|&extent| atom.name.contains(&extent.to_string()))
                    || atom.name.contains("SM61")
                    || atom.name.starts_with("SM100")
                    || atom.name.starts_with("SM103")
                    || atom.name.starts_with("UniversalFMA")
                    || atom.name.starts_with("CDNA"),
                "{}",
                atom.name
            );
        }
    }
}

fn named(name: &str) -> MmaAtom {
    match find(name) {
        Some(Atom::Mma(atom)) => atom,
        _ => panic!("{name}"),
    }
}

/// What others have in the place of our rows (docs/decisions.md): none of it multiplies.
#[test]
fn the_rows_of_others_do_not_multiply() {
    let rows = |name: &str, a: Layout, b: Layout, c: Layout| MmaAtom { a, b, c, ..named(name) };
    let int4 = named("SM80_16x8x32_S32S4S4S32_TN");
    let amx = layout!((1,(16,32)):(0,(1,16)));
    let cdna = layout!(((2,32),4):((0,1),32));
    let rdna = layout!(((2,16),8):((128,1),16));
    let others = [
        MmaAtom { b: layout!(((4,8),8):((32,1),8)), ..int4 },
        rows("AMX_16x16x32_F32BF16BF16F32", amx, amx, layout!((1,(16,16)):(0,(1,16)))),
        rows("CDNA_32x32x8_F32F16F16_MFMA", cdna, cdna, layout!(((2,32),(4,4)):((4,32),(8,1)))),
        rows("RDNA3_16x16x16_F32F16F16_WMMA", rdna, rdna, layout!(((2,16),8):((8,16),1))),
    ];
    for other in others {
        check(&named(&other.name));
        assert!(catch_unwind(|| check(&other)).is_err(), "{} multiplies", other.name);
    }
}

/// Two strides exchanged, or a stride changed: the check sees it.
#[test]
fn a_wrong_stride_does_not_multiply() {
    let atom = named("SM80_16x8x16_F32F16F16F32_TN");
    let sparse = named("SM80_SPARSE_16x8x32_F32F16F16F32_TN");
    check(&sparse);
    let wrong = [
        MmaAtom { e: Some(layout!(((2,2,8),(16,2)):((0,256,1),(16,8)))), ..sparse },
        MmaAtom { e: Some(layout!(((2,2,8),(2,16)):((256,0,1),(8,16)))), ..sparse },
        MmaAtom { a: layout!(((4,8),(2,2,2)):((32,1),(16,128,8))), ..atom },
        MmaAtom { b: layout!(((4,8),(2,2)):((16,1),(64,8))), ..atom },
        MmaAtom { c: layout!(((4,8),(2,2)):((32,1),(8,16))), ..atom },
        MmaAtom { c: layout!(((8,4),(2,2)):((1,32),(16,8))), ..atom },
    ];
    for atom in wrong {
        assert!(catch_unwind(|| check(&atom)).is_err());
    }
}

/// Metadata for all of `A`, and scales for all of `A` and `B`, in the lanes that the manual has them in.
#[test]
fn metadata_and_scales() {
    let mut found = [HashSet::new(), HashSet::new()];
    for atom in atoms() {
        let Atom::Mma(atom) = atom else { continue };
        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        if let Some(e) = &atom.e
            && found[0].insert((m, k, atom.threads.size()))
        {
            let Meaning::Sparse(_, bits) = meaning(&atom) else {
                // With A in shared memory, the metadata is in the same registers.
                found[0].remove(&(m, k, atom.threads.size()));
                continue;
            };
            let places = through(e, &atom.threads, |index| (index % m, index / m));
            for (row, column) in (0..m).flat_map(|row| (0..k).map(move |column| (row, column))) {
                let (lane, index) = gpu::metadata(Shape { m, n, k, bits }, row, column);
                assert_eq!(places[lane][index], (row, column), "{}", atom.name);
            }
        }
        for (operand, scales, rows) in [('a', &atom.sfa, m), ('b', &atom.sfb, n)] {
            let Some(scales) = scales else { continue };
            found[1].insert((rows, k, 0));
            let places = through(scales, &atom.threads, |index| (index % rows, index / rows));
            for (row, column) in (0..rows).flat_map(|row| (0..k).map(move |column| (row, column))) {
                assert_eq!(places[gpu::scales(operand, row)][column], (row, column), "{}", atom.name);
            }
        }
    }
    assert_eq!(found.map(|found| found.len()), [7, 6]);
    let shared = named("SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_SS");
    assert_eq!(shared.e, named("SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_RS").e);
    let (sparse, dense) = (named("SM100_MMA_F16BF16_SS_SPARSE<half_t,half_t,half_t,64,8>"), shared);
    assert!(sparse.e.is_none() && dense.sfa.is_none() && named("SM80_8x8x4_F64F64F64F64_TN").e.is_none());
}

#[test]
fn outer_products_of_every_length() {
    for bits in [128, 256, 512, 1024, 2048] {
        check(&arm::mopa(bits, [Element::F32; 4]).unwrap());
    }
}
