//! Matrix instructions of GPUs. Each is told by where its manual says that element `i` of a lane's fragment is.

use super::Registers;

/// Where element `i` of a lane is: a row and a column.
type Place = fn(Shape, usize, usize) -> (usize, usize);

/// What the manuals' case distinctions are about.
#[derive(Clone, Copy)]
pub struct Shape {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    /// Bits of an element of `A`, as it is in the register.
    pub bits: usize,
}

/// Where the elements of the three operands are: `A` by row and column, `B` by `k` and `n`, `C` by row and column.
#[derive(Clone, Copy)]
pub struct Instruction {
    pub a: Place,
    pub b: Place,
    pub c: Place,
}

/// `D = A B + C` on registers.
pub fn execute<T: Copy + std::ops::Add<Output = T> + PartialEq + std::fmt::Debug>(
    instruction: &Instruction,
    shape: Shape,
    multiply: impl Fn(T, T) -> T,
    [a, b, c]: [&Registers<T>; 3],
) -> Registers<T> {
    let Shape { m, n, k, .. } = shape;
    let left = gather(a, shape, instruction.a, m, k);
    let right = gather(b, shape, instruction.b, k, n);
    let mut result = c.clone();
    for (lane, own) in result.iter_mut().enumerate() {
        for (i, sum) in own.iter_mut().enumerate() {
            let (row, column) = (instruction.c)(shape, lane, i);
            for depth in 0..k {
                *sum = *sum + multiply(left[row * k + depth], right[depth * n + column]);
            }
        }
    }
    result
}

/// The matrix that the lanes hold together: all of it, and the same where two hold the same element.
fn gather<T: Copy + PartialEq + std::fmt::Debug>(
    registers: &Registers<T>,
    shape: Shape,
    place: Place,
    rows: usize,
    columns: usize,
) -> Vec<T> {
    let mut matrix = vec![None; rows * columns];
    for (lane, own) in registers.iter().enumerate() {
        for (i, &value) in own.iter().enumerate() {
            let (row, column) = place(shape, lane, i);
            let element: &mut Option<T> = &mut matrix[row * columns + column];
            assert!(element.is_none_or(|known| known == value), "lane {lane}, element {i}: another value");
            *element = Some(value);
        }
    }
    matrix.into_iter().map(|element| element.expect("an element that no lane holds")).collect()
}

/// PTX ISA, `mma.m8n8k4` with `.f16`: the case distinctions are by `.row` and `.col`, and by the type of `C`.
pub fn quad_pair(letters: &str, wide: bool) -> Instruction {
    let row_major: Place = |_, lane, i| (lane % 4 + if lane < 16 { 0 } else { 4 }, i);
    let column_major: Place = |_, lane, i| (i % 4 + if lane < 16 { 0 } else { 4 }, lane % 4);
    let b_column: Place = |_, lane, i| (i, lane % 4 + if lane < 16 { 0 } else { 4 });
    let b_row: Place = |_, lane, i| (lane % 4, i + if lane < 16 { 0 } else { 4 });
    Instruction {
        a: if letters.starts_with('T') { row_major } else { column_major },
        b: if letters.ends_with('N') { b_column } else { b_row },
        c: if wide {
            |_, lane, i| {
                let row = (lane & 1) + (i & 2);
                (if lane < 16 { row } else { row + 4 }, (i & 4) + (lane & 2) + (i & 1))
            }
        } else {
            |_, lane, i| (lane % 4 + if lane < 16 { 0 } else { 4 }, i)
        },
    }
}

/// PTX ISA, `mma.sync` of a warp, shape by shape: `group` is the manual's groupID, `inner` its threadID_in_group.
pub const WARP: Instruction = Instruction { a: warp_a, b: warp_b, c: warp_c };

fn warp_a(Shape { m, k, bits, .. }: Shape, lane: usize, i: usize) -> (usize, usize) {
    let (group, inner) = (lane >> 2, lane % 4);
    let lower = |first: bool| if first { group } else { group + 8 };
    match (m, k, bits) {
        (8, 4, 64) => (group, inner),
        (16, 4, 32 | 64) => (lower(i == 0), inner),
        (16, 8, 32 | 64) => (lower(i == 0 || i == 2), if i < 2 { inner } else { inner + 4 }),
        (16, 16, 64) => (lower(i.is_multiple_of(2)), [inner, inner + 4, inner + 8, inner + 12][i / 2]),
        (16, 8, 16) => (lower(i < 2), inner * 2 + (i & 1)),
        (16, 16, 16) => {
            (lower(i < 2 || (4..6).contains(&i)), inner * 2 + (i & 1) + if i < 4 { 0 } else { 8 })
        }
        (8, 16, 8) => (group, inner * 4 + i),
        (16, 16, 8) => (lower(i < 4), inner * 4 + (i & 3)),
        (16, 32, 8) => {
            (lower(i < 4 || (8..12).contains(&i)), inner * 4 + (i & 3) + if i < 8 { 0 } else { 16 })
        }
        (8, 32, 4) => (group, inner * 8 + i),
        (16, 32, 4) => (lower(i < 8), inner * 8 + (i & 7)),
        (16, 64, 4) => {
            (lower(i < 8 || (16..24).contains(&i)), inner * 8 + (i & 7) + if i < 16 { 0 } else { 32 })
        }
        (8, 128, 1) => (group, inner * 32 + i),
        (16, 128, 1) => (lower(i < 32), inner * 32 + (i & 31)),
        (16, 256, 1) => {
            (lower(i < 32 || (64..96).contains(&i)), inner * 32 + (i & 31) + if i < 64 { 0 } else { 128 })
        }
        _ => panic!("no mma.sync of {m}x{k} with {bits} bits"),
    }
}

fn warp_b(Shape { k, bits, .. }: Shape, lane: usize, i: usize) -> (usize, usize) {
    let (group, inner) = (lane >> 2, lane % 4);
    let row = match (k, bits) {
        (4, 32 | 64) => inner,
        (8, 32 | 64) => [inner, inner + 4][i],
        (16, 64) => [inner, inner + 4, inner + 8, inner + 12][i],
        (8, 16) => inner * 2 + i,
        (16, 16) => inner * 2 + (i & 1) + if i < 2 { 0 } else { 8 },
        (16, 8) => inner * 4 + i,
        (32, 8) => inner * 4 + (i & 3) + if i < 4 { 0 } else { 16 },
        (32, 4) => inner * 8 + i,
        (64, 4) => inner * 8 + (i & 7) + if i < 8 { 0 } else { 32 },
        (128, 1) => inner * 32 + i,
        (256, 1) => inner * 32 + (i & 31) + if i < 32 { 0 } else { 128 },
        // The dense operand of a sparse instruction: twice as many registers, each of the next columns.
        (16, 32) => inner + 4 * i,
        (32, 16) => inner * 2 + (i & 1) + 8 * (i / 2),
        (64, 8) => inner * 4 + (i & 3) + 16 * (i / 4),
        (128, 4) => inner * 8 + (i & 7) + 32 * (i / 8),
        _ => panic!("no mma.sync of depth {k} with {bits} bits"),
    };
    (row, group)
}

fn warp_c(Shape { m, .. }: Shape, lane: usize, i: usize) -> (usize, usize) {
    let (group, inner) = (lane >> 2, lane % 4);
    (if m == 8 || i < 2 { group } else { group + 8 }, inner * 2 + (i & 1))
}

/// PTX ISA, `wgmma` with `A` in registers: each of the four warps has 16 rows of `A` and of `C`.
pub const WARPGROUP: Instruction = Instruction {
    a: |shape, lane, i| {
        let (row, column) = warp_a(Shape { m: 16, ..shape }, lane % 32, i);
        (16 * (lane / 32) + row, column)
    },
    b: |Shape { n, .. }, _, i| (i / n, i % n),
    c: |_, lane, i| {
        let row = 16 * (lane / 32) + (lane % 32) / 4 + if i % 4 < 2 { 0 } else { 8 };
        (row, 8 * (i / 4) + 2 * (lane % 4) + (i & 1))
    },
};

/// `wgmma` with both operands in shared memory, of which each thread sees all.
pub const WARPGROUP_SHARED: Instruction =
    Instruction { a: |Shape { m, .. }, _, i| (i % m, i / m), ..WARPGROUP };

/// `tcgen05.mma` of one SM, all of whose operands are in memory.
pub const TENSOR_CORE: Instruction = Instruction {
    a: |Shape { m, .. }, _, i| (i % m, i / m),
    b: |Shape { n, .. }, _, i| (i / n, i % n),
    c: |Shape { m, .. }, _, i| (i % m, i / m),
};

/// `tcgen05.mma.cta_group::2`: each SM has half of the rows of `A` and of `C`, and half of the columns of `B`.
pub const TENSOR_CORES: Instruction = Instruction {
    a: |Shape { m, .. }, sm, i| (i % (m / 2) + m / 2 * sm, i / (m / 2)),
    b: |Shape { n, .. }, sm, i| (i / (n / 2), i % (n / 2) + n / 2 * sm),
    c: |Shape { m, .. }, sm, i| (i % (m / 2) + m / 2 * sm, i / (m / 2)),
};

/// A single thread: registers in the order of columns.
pub const SINGLE: Instruction = Instruction { b: |Shape { n, .. }, _, i| (i / n, i % n), ..TENSOR_CORE };

/// PTX ISA, `mma.sp`: a stored element is in one of a few columns, and the metadata says in which. `i` counts stored elements; the first
/// of those columns, and how many they are.
pub fn sparse_columns(Shape { k, bits, .. }: Shape, lane: usize, i: usize) -> (usize, usize) {
    let inner = lane % 4;
    match (k, bits) {
        // The manual's [firstcol ... lastcol], for TF32, 16 bits, 8 bits, 4 bits.
        (16, 32) => (inner * 2 + if i < 2 { 0 } else { 8 }, 2),
        (32, 16) => (inner * 4 + if i < 4 { 0 } else { 16 }, 4),
        (64, 8) => (inner * 8 + if i & 2 == 0 { 0 } else { 4 } + if i < 8 { 0 } else { 32 }, 4),
        (128, 4) => (inner * 16 + 8 * ((i & 7) / 4) + if i < 16 { 0 } else { 64 }, 8),
        _ => panic!("no mma.sp of depth {k} with {bits} bits"),
    }
}

/// The row of a stored element is that of the dense instruction with as many registers.
pub fn sparse_row(shape: Shape, lane: usize, i: usize) -> usize {
    let dense = Shape { m: 16, k: shape.k / 2, ..shape };
    warp_a(dense, lane % 32, i).0 + 16 * (lane / 32)
}

/// PTX ISA, metadata of `mma.sp` and `wgmma.sp` with the selector 0: the lane that has it for an element of `A`, and the number of
/// the element among those of the lane. For 32 and 16 bits the lower half of a register is about row `g` and the upper about row `g + 8`.
pub fn metadata(Shape { k, bits, .. }: Shape, row: usize, column: usize) -> (usize, usize) {
    let (quad, upper) = (32 * (row / 16) + 4 * (row % 8), row % 16 / 8);
    let (half, rest) = (column / (k / 2), column % (k / 2));
    if bits >= 16 { (quad + half, rest + k / 2 * upper) } else { (quad + upper + 2 * half, rest) }
}

/// PTX ISA, `mma` with block scaling, the thread ids 0: the lane that has the scales of a row of `A`, and of a column of `B`.
pub fn scales(operand: char, row: usize) -> usize {
    if operand == 'a' { 4 * (row % 8) + row / 8 } else { 4 * row }
}

/// AMD Matrix Instruction Calculator and CDNA ISA: lane and register of `A[i][k]` and `B[k][j]` in block `b`, and of `D[i][j]`. The blocks are
/// side by side in `n`.
pub fn mfma(
    tile: [usize; 3],
    blocks: usize,
    double: bool,
) -> impl Fn(char, usize, usize) -> Vec<(usize, usize)> {
    let [m, n, k] = tile;
    let adjacent = k * m * blocks / 64;
    move |operand, first, second| match operand {
        // All blocks have the same A.
        'a' => {
            (0..blocks).map(|b| (first + m * (b + blocks * (second / adjacent)), second % adjacent)).collect()
        }
        'b' => {
            let (depth, j, b) = (first, second % n, second / n);
            vec![(j + n * (b + blocks * (depth / adjacent)), depth % adjacent)]
        }
        _ => {
            let (i, j, b) = (first, second % n, second / n);
            vec![match (m, double) {
                (32, _) => (j + 32 * (i / 4 % 2), 16 * b + 4 * (i / 8) + i % 4),
                (16, false) => (j + 16 * (i / 4), 4 * b + i % 4),
                (4, false) => (j + 4 * b, i),
                (16, true) => (j + 16 * (i % 4), i / 4),
                _ => (j + 4 * b + 16 * i, 0),
            }]
        }
    }
}

/// RDNA3 ISA, `v_wmma`: lanes 16 to 31 hold the same of `A` and `B` as lanes 0 to 15.
pub fn wmma3(operand: char, first: usize, second: usize) -> Vec<(usize, usize)> {
    match operand {
        'a' => vec![(first, second), (first + 16, second)],
        'b' => vec![(second, first), (second + 16, first)],
        _ => vec![(second + 16 * (first % 2), first / 2)],
    }
}

/// RDNA4 ISA, `v_wmma`: lanes 16 to 31 have the second half of `k`, and rows 8 to 15.
pub fn wmma4(k: usize) -> impl Fn(char, usize, usize) -> Vec<(usize, usize)> {
    move |operand, first, second| match operand {
        'a' => vec![(first + 16 * (second / (k / 2)), second % (k / 2))],
        'b' => vec![(second + 16 * (first / (k / 2)), first % (k / 2))],
        _ => vec![(second + 16 * (first / 8), first % 8)],
    }
}

/// `D = A B + C`, where the manual says lane and register for an element and not the other way around.
pub fn execute_by_element(
    [m, n, k]: [usize; 3],
    held_by: impl Fn(char, usize, usize) -> Vec<(usize, usize)>,
    [a, b, c]: [&Registers<i64>; 3],
) -> Registers<i64> {
    let read = |registers: &Registers<i64>, places: Vec<(usize, usize)>| {
        let values: Vec<i64> = places.iter().map(|&(lane, i)| registers[lane][i]).collect();
        assert!(values.iter().all(|&value| value == values[0]));
        values[0]
    };
    let mut result = c.clone();
    for i in 0..m {
        for j in 0..n {
            let sum: i64 = (0..k).map(|l| read(a, held_by('a', i, l)) * read(b, held_by('b', l, j))).sum();
            for (lane, register) in held_by('d', i, j) {
                result[lane][register] += sum;
            }
        }
    }
    result
}
