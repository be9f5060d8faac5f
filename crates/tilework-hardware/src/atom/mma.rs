//! The description of an instruction that multiplies matrices.

use tilework::{HTuple, Layout, Leaf};

use super::element::Element;
use super::name::Name;

/// An instruction that computes `D = A B^T + C`, with `A` of `(M,K)`, `B` of `(N,K)`, and `C` and `D` of `(M,N)`.
///
/// Each layout maps `(thread,value)` to the index of an element in column-major order: `m + M k` in `A`, `n + N k` in `B`,
/// `m + M n` in `C` (paper, section 3.3.4). A thread's values are numbered in register order, the lowest bits first. If
/// several threads read the same operand through a descriptor, the thread mode has stride 0.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::atom::{Element, nvidia::SM80_16x8x16_F32F16F16F32_TN as ATOM};
/// assert_eq!(ATOM.shape, [16, 8, 16]);
/// assert_eq!(ATOM.elements, [Element::F32, Element::F16, Element::F16, Element::F32]);
/// assert_eq!(ATOM.b, layout!(((4,8),(2,2)):((16,1),(8,64))));
/// // Register 1 of thread 5 holds B(n=1, k=3) in its upper half: value 1 is k = 2 (5 mod 4) + 1.
/// assert_eq!(ATOM.b.at(5 + 32 * 1), 1 + 8 * 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MmaAtom {
    /// The struct in CUTLASS; for other vendors the shape and the elements in the same form.
    pub name: Name,
    /// The instruction, or the common part of its variants.
    pub instruction: &'static str,
    /// The section of the manual that states which register holds which element.
    pub section: &'static str,
    /// `(M,N,K)`.
    pub shape: [i64; 3],
    /// The elements of `D`, `A`, `B` and `C`.
    pub elements: [Element; 4],
    /// The number of elements of the matrix `A` per stored one: 1 if it is dense, 2 if half of each group of adjacent
    /// ones is 0. The values of a thread are those of the matrix, including zeros.
    pub sparsity: i64,
    /// From the index of a thread to its lane.
    pub threads: Layout,
    /// `(thread,value) -> m + M k`.
    pub a: Layout,
    /// `(thread,value) -> n + N k`.
    pub b: Layout,
    /// `(thread,value) -> m + M n`, for `C` and `D`.
    pub c: Layout,
    /// If half of the elements of `A` are stored, and threads hold the metadata: `(thread,value) -> m + M k` of the
    /// elements that a thread's metadata describes. Threads whose metadata the instruction does not read repeat that of
    /// others. None if the metadata is in tensor memory.
    pub e: Option<Layout>,
    /// `(thread,value) -> m + M k` of the elements of `A` that the scale in a value multiplies; the values of a block
    /// have one scale. None if nothing is scaled, or scales are in tensor memory.
    pub sfa: Option<Layout>,
    /// The same of `B`, `(thread,value) -> n + N k`.
    pub sfb: Option<Layout>,
}

impl MmaAtom {
    /// The defaults of most literals: `A` is dense, and nothing is scaled. The literals set all other fields.
    pub(super) const DENSE: MmaAtom = MmaAtom {
        name: Name::new(""),
        instruction: "",
        section: "",
        shape: [1; 3],
        elements: [Element::F32; 4],
        sparsity: 1,
        threads: Layout::UNIT,
        a: Layout::UNIT,
        b: Layout::UNIT,
        c: Layout::UNIT,
        e: None,
        sfa: None,
        sfb: None,
    };
}

/// The memory of the operand `A` of an instruction; `B` is in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// Shared memory, through a descriptor.
    Shared,
    /// Registers (SM90).
    Registers,
    /// Tensor memory (SM100).
    TensorMemory,
}

impl Source {
    /// The letter in CUTLASS's names.
    pub(super) const fn letter(self) -> &'static str {
        match self {
            Source::Shared => "S",
            Source::Registers => "R",
            Source::TensorMemory => "T",
        }
    }
}

/// The modes that are longer than 1.
pub(super) const fn modes<const N: usize>(all: [(i64, i64); N]) -> ([(i64, i64); N], usize) {
    let (mut modes, mut count, mut i) = ([(1, 0); N], 0, 0);
    while i < N {
        if all[i].0 > 1 {
            modes[count] = all[i];
            count += 1;
        }
        i += 1;
    }
    (modes, count)
}

/// The layout of threads and values with these modes, `(extent, stride)` each, each mode flat.
///
/// # Panics
/// For an extent below 1; the arguments are those of a rule.
pub(super) const fn thread_value(threads: &[(i64, i64)], values: &[(i64, i64)]) -> Layout {
    expect(Layout::concatenate(&[flat(threads), flat(values)]))
}

/// One mode, or a tuple of several; `1:0` for none.
pub(super) const fn flat(modes: &[(i64, i64)]) -> Layout {
    let mut layouts = [expect(Layout::new(HTuple::leaf(Leaf::new(1, 0)))); 6];
    let mut i = 0;
    while i < modes.len() {
        layouts[i] = expect(Layout::new(HTuple::leaf(Leaf::new(modes[i].0, modes[i].1))));
        i += 1;
    }
    match modes.len() {
        0 | 1 => layouts[0],
        n => expect(Layout::concatenate(layouts.split_at(n).0)),
    }
}

pub(super) const fn expect(layout: Result<Layout, tilework::Error>) -> Layout {
    match layout {
        Ok(layout) => layout,
        Err(_) => panic!("the rule of a family makes a layout for each of its rows"),
    }
}
