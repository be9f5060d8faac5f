//! COPY: from any layout to any layout of the same size (paper, section 2.6.1).
//!
//! The paper's algorithm is `dst(i) = src(i)` for every integral coordinate `i`, and its eight uses are layouts (Table
//! 2). A [`CopyPlan`] does the same in an order that suits the memory:
//!
//! | question | answered by |
//! |---|---|
//! | In which loops are both layouts linear? | a common refinement of the shapes, coalesced jointly |
//! | What is moved as one piece? | the mode of stride 1 in both: the common vector of the layouts |
//! | What is a tile? | rows that are contiguous in the source, columns that are contiguous in the destination |
//! | How is it transposed? | in registers, by zipping the elements of 16-byte lanes |
//! | And elements with a small constant stride? | lines are shuffled in registers, or scattered by masked stores |
//! | And the fields of structures? | registers are rotated among each other and permuted, so that each line is read once |
//! | How is it written? | past the caches in whole lines, if it is too large for them |
//! | How is it divided? | every thread gets the same number of blocks |
//! | And with a swizzle, or XOR strides? | in parts in which both layouts are linear |

mod plan;
mod run;
#[cfg(test)]
mod tests;
mod tile;

use crate::cpu::isa::Isa;
use crate::disjoint::are_disjoint;
use crate::error::{Error, check_image};
use crate::execution::{Counter, Execution};
use crate::located::{Located, Operand, OperandMut, placed};
use crate::loops::nest::part_of;
use crate::memory::Shared;
use crate::offset_layout::OffsetLayout;
use plan::Nest;
pub(crate) use plan::Way;
use plan::loops::{DESTINATION, SOURCE};
use plan::parts::Parts;
use std::fmt::Write;
use std::marker::PhantomData;
use std::ops::Range;
use tilework::__private::gcd;
use tilework::HasLayout;

/// Copies the elements of one tensor to another of the same size, `dst(i) = src(i)` for each integral coordinate `i`
/// (paper, section 2.6.1).
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, copy};
/// // A tensor transpose of Table 2: (m,(n,p)) from m-major with a gap to packed.
/// let data: Vec<f32> = (0..4000).map(|i| i as f32).collect();
/// let source = Tensor::new(&data[..], layout!((8,(3,5)):(1,(57,8))))?;
/// let mut packed = Tensor::filled(layout!((8,15):(1,8)), 0.0)?;
/// copy(&source, &mut packed, &Execution::default())?;
/// assert_eq!((packed.at([2, 4]), source.at((2, (1, 1)))), (67.0, 67.0));
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`CopyPlan::new`] and [`CopyPlan::run`].
pub fn copy<T: Copy + Send + Sync>(
    source: &impl Operand<T>,
    destination: &mut impl OperandMut<T>,
    execution: &Execution,
) -> Result<(), Error> {
    let plan = CopyPlan::for_tensors(source, destination)?;
    plan.run(source.elements(), destination.elements_mut(), execution)
}

/// How to copy elements of type `T` from one layout to another; made once, run many times.
///
/// ```
/// use tilework::layout;
/// use tilework_kernels::{CopyPlan, Execution};
/// let transpose = CopyPlan::<u16>::new(&layout!((100,200):(1,100)), &layout!((100,200):(200,1)))?;
/// let source: Vec<u16> = (0..20000).collect();
/// let mut destination = vec![0; 20000];
/// transpose.run(&source, &mut destination, &Execution::threads(2))?;
/// assert_eq!(destination[1], source[100]);
/// assert!(transpose.explain().contains("transposed in registers"));
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CopyPlan<T> {
    plan: BytesPlan,
    element: PhantomData<T>,
}

/// A plan for elements of a given size, compiled once for all types.
#[derive(Clone, Debug)]
struct BytesPlan {
    /// The bytes of an element.
    element: usize,
    source: OffsetLayout,
    destination: OffsetLayout,
    /// The smallest and the largest offset of each.
    images: [(i64, i64); 2],
    isa: Isa,
    loops: Loops,
}

#[derive(Clone, Debug)]
enum Loops {
    /// Both layouts are linear in these loops.
    Nested(Box<Nest>),
    /// Both layouts are linear within each part.
    Parts(Box<Parts>),
    /// Each run of `run` elements is found by evaluating both layouts.
    Evaluate { run: usize },
}

impl<T: Copy + Send + Sync> CopyPlan<T> {
    /// The plan for two layouts, each a [`Layout`](tilework::Layout), a static layout or a swizzled one.
    ///
    /// # Errors
    /// [`Error::Size`] for layouts of different sizes, [`Error::Codomain`] for offsets that are not integers, and
    /// [`Error::Aliasing`] if two coordinates of the destination have one offset and may have different values (`2:1`
    /// to `2:0`). A mode with stride 0 in both is allowed: that is the paper's "constant", `7:0` to `7:0`.
    /// [`Error::Isa`] if `TILEWORK_ISA` names instructions that the processor lacks.
    pub fn new(source: &impl HasLayout, destination: &impl HasLayout) -> Result<Self, Error> {
        let (from, to) =
            (OffsetLayout::new(SOURCE, source, 0)?, OffsetLayout::new(DESTINATION, destination, 0)?);
        CopyPlan::for_machine(from, to)
    }

    /// The plan for the layouts of two tensors and the offsets at which they begin. It does not read their elements.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// use tilework_kernels::{CopyPlan, Execution};
    /// let backwards = Tensor::with_offset(Counting, 3, layout!(4:-1))?;
    /// let plan = CopyPlan::for_tensors(&backwards, &Tensor::new(Counting, layout!(4:1))?)?;
    /// let mut reversed = [0; 4];
    /// plan.run(&[1, 2, 3, 4], &mut reversed, &Execution::default())?;
    /// assert_eq!(reversed, [4, 3, 2, 1]);
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn for_tensors(
        source: &(impl Located + ?Sized),
        destination: &(impl Located + ?Sized),
    ) -> Result<Self, Error> {
        let (from, to) = (placed(SOURCE, source)?, placed(DESTINATION, destination)?);
        CopyPlan::for_machine(from, to)
    }

    fn for_machine(source: OffsetLayout, destination: OffsetLayout) -> Result<Self, Error> {
        let isa = Isa::current()?.registers();
        CopyPlan::with(source, destination, isa, Way::Cheapest)
    }

    /// The plan for an instruction set.
    pub(crate) fn with(
        source: OffsetLayout,
        destination: OffsetLayout,
        isa: Isa,
        way: Way,
    ) -> Result<Self, Error> {
        let plan = BytesPlan::new(size_of::<T>(), source, destination, isa, way)?;
        Ok(CopyPlan { plan, element: PhantomData })
    }

    /// Copies from `source` to `destination`, both indexed by the offsets of the layouts.
    ///
    /// # Errors
    /// [`Error::Image`] if a slice does not contain all offsets of its layout, [`Error::Cancelled`].
    pub fn run(&self, source: &[T], destination: &mut [T], execution: &Execution) -> Result<(), Error> {
        check_image(SOURCE, self.plan.images[0], source.len())?;
        check_image(DESTINATION, self.plan.images[1], destination.len())?;
        // SAFETY: the images are within the slices.
        unsafe { self.run_raw(source.as_ptr(), destination.as_mut_ptr(), execution) }
    }

    /// [`run`](Self::run) without slices.
    ///
    /// # Errors
    /// [`Error::Overlap`] if source and destination share an element, or [`are_disjoint`] cannot decide it;
    /// [`Error::Cancelled`].
    ///
    /// # Safety
    /// `source` and `destination` are the addresses of offset 0. Every offset of the source layout is valid for reading
    /// an element, and every offset of the destination layout for writing one.
    pub unsafe fn run_raw(
        &self,
        source: *const T,
        destination: *mut T,
        execution: &Execution,
    ) -> Result<(), Error> {
        // SAFETY: the contract is the same.
        unsafe { self.plan.run(source.cast(), destination.cast(), execution) }
    }

    /// What the plan does, and why, in a few lines.
    #[must_use]
    pub fn explain(&self) -> String {
        self.plan.explain()
    }
}

impl BytesPlan {
    fn new(
        element: usize,
        source: OffsetLayout,
        destination: OffsetLayout,
        isa: Isa,
        way: Way,
    ) -> Result<Self, Error> {
        let (first, second) = (source.size(), destination.size());
        if first != second {
            return Err(Error::Size { operands: "source and destination", first, second });
        }
        let nest = match (source.as_integer_layout(), destination.as_integer_layout()) {
            // Elements of zero size are not moved, but need loops.
            (Some((_, from)), Some((_, to))) => plan::nest(from, to, element.max(1), isa, way)?,
            _ => None,
        };
        let loops = match nest {
            Some(nest) => Loops::Nested(Box::new(nest)),
            None => {
                destination.check_apart(DESTINATION)?;
                match Parts::new(&source, &destination, element.max(1), isa) {
                    Some(parts) => Loops::Parts(Box::new(parts)),
                    None => {
                        let runs = [source.contiguous(), destination.contiguous()].map(|run| run as u64);
                        Loops::Evaluate { run: gcd(runs[0], runs[1]) as usize }
                    }
                }
            }
        };
        let images = [source.image()?, destination.image()?];
        Ok(BytesPlan { element, source, destination, images, isa, loops })
    }

    /// # Safety
    /// That of [`CopyPlan::run_raw`].
    unsafe fn run(
        &self,
        source: *const u8,
        destination: *mut u8,
        execution: &Execution,
    ) -> Result<(), Error> {
        if self.element == 0 {
            return Ok(());
        }
        let bytes = |base: *const u8, (first, last): (i64, i64)| {
            self.at(base, first) as usize..self.at(base, last + 1) as usize
        };
        let (read, written) = (bytes(source, self.images[0]), bytes(destination, self.images[1]));
        if read.start < written.end && written.start < read.end {
            let (read, written) = (source.cast(), destination.cast_const().cast());
            if !are_disjoint((&*self.source, read, self.element), (&*self.destination, written, self.element))
            {
                return Err(Error::Overlap);
            }
        }
        let blocks = match &self.loops {
            Loops::Nested(nest) => nest.at(self.at(destination, self.destination.offset())).0.blocks(),
            Loops::Parts(parts) => parts.count(),
            Loops::Evaluate { run } => self.source.size() as usize / run,
        };
        let (from, to) = (Shared(source.cast_mut()), Shared(destination));
        let parts = execution.thread_count().min(blocks);
        let counter = execution.counter(blocks);
        execution.run(parts, |part| {
            // SAFETY: the contract of `run` covers both pointers, and no two parts have a block in common.
            unsafe { self.run_part(from.at(0), to.at(0), part_of(blocks, part, parts), &counter) }
        });
        counter.result()
    }

    /// Copies the blocks of `range`.
    ///
    /// # Safety
    /// That of [`run`](Self::run), and no other thread copies the same blocks.
    unsafe fn run_part(&self, from: *const u8, to: *mut u8, range: Range<usize>, counter: &Counter) {
        let read = |index: usize| self.at(from, self.source.at(index as i64));
        let written = |index: usize| self.at(to, self.destination.at(index as i64)).cast_mut();
        match &self.loops {
            // SAFETY: the contract of `run` covers both pointers, and the plan was made for instructions that
            // the processor has.
            Loops::Nested(nest) => unsafe {
                let from = self.at(from, self.source.offset());
                let to = self.at(to, self.destination.offset()).cast_mut();
                run::run(nest.at(to), from, to, range, counter);
            },
            Loops::Parts(parts) => {
                let uncounted = Execution::default().counter(1);
                for i in range {
                    let ([from_offset, to_offset], nest) = parts.part(i);
                    let (from, to) =
                        (self.at(from, from_offset as i64), self.at(to, to_offset as i64).cast_mut());
                    let loops = nest.at(to);
                    // SAFETY: the contract of `run` covers both pointers, the offsets of a part are some of the layouts',
                    // and the plan was made for instructions that the processor has.
                    unsafe { run::run(loops, from, to, 0..loops.0.blocks(), &uncounted) };
                    if !counter.advance(1) {
                        break;
                    }
                }
            }
            Loops::Evaluate { run } => {
                for i in range {
                    let (from, to) = (read(i * run), written(i * run));
                    // SAFETY: the contract of `run` covers both pointers; the run is contiguous in both layouts.
                    unsafe { std::ptr::copy_nonoverlapping(from, to, run * self.element) };
                    if !counter.advance(1) {
                        break;
                    }
                }
            }
        }
    }

    /// The address of the element at an offset.
    fn at(&self, base: *const u8, offset: i64) -> *const u8 {
        base.wrapping_offset((offset as isize).wrapping_mul(self.element as isize))
    }

    fn explain(&self) -> String {
        let BytesPlan { element, source, destination, .. } = self;
        let mut text =
            format!("{} elements of {element} bytes, from {source} to {destination}\n", source.size());
        match &self.loops {
            Loops::Evaluate { run } => {
                let _ =
                    writeln!(text, "no loops in common: both layouts are evaluated for each run of {run}");
            }
            Loops::Parts(parts) => parts.explain(*element, &mut text),
            Loops::Nested(nest) => nest.explain(*element, &mut text),
        }
        let _ = writeln!(text, "instructions: {}", self.isa);
        text
    }
}
