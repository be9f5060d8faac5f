//! Convolution as a product of matrices (paper, section 2.6.2, Table 3).
//!
//! ```text
//! C (K,(N,Z,P,Q)) = A (K,(C,T,R,S)) B ((N,Z,P,Q),(C,T,R,S))
//! ```
//!
//! `A` is the filter, `C` the output, and `B` the input by the layout `im2col`: its stride along `Q` is that of the
//! filter, along `S` the dilation, so that an element occurs once for each filter position that covers it. The matrix
//! is never built: it is a view of the input, which packing reads like any other layout. Elements of the padding are
//! not in memory; where a filter crosses the edge, packing uses zeros instead (predication). If there are few output
//! channels, lines of the input are copied with their zeros and read in place (`lines`).

mod image;
mod lines;
pub(crate) mod reference;
mod shape;

pub use shape::Convolution;

use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::{Error, count};
use crate::execution::Execution;
use crate::gathered::Summed;
use crate::located::{Located, Operand, OperandMut, placed};
use crate::matmul::plan::ProductPlan;
use crate::matmul::run::driver::divide;
use crate::matmul::run::operand::{Call, Product, Source, Strided, Target};
use crate::matmul::tile::axis::Axis;
use crate::matmul::tile::element::{Destination, Element, Format, Sum};
use crate::memory::Shared;
use crate::offset_layout::OffsetLayout;
use image::Image;
use lines::Lines;
use shape::{FILTER, INPUT, OUTPUT, Shape};
use std::fmt::Write;
use std::marker::PhantomData;
use tilework::{HasLayout, Layout};

/// How to convolve tensors of given layouts; made once, run many times.
///
/// The input is `(N,(Z,P,Q),C)`, the filter `(K,(T,R,S),C)` with the channels of one group, and the output `(N,(Z,P,Q),K)`,
/// with one to three spatial modes. Each mode may be nested, with any strides, so channels-last and channels-first are
/// just layouts. The filter is not flipped (correlation), as in deep learning.
///
/// ```
/// use tilework::layout;
/// use tilework_kernels::{ConvPlan, Convolution, Execution};
/// // Two channels of 5x5, channels last; a 3x3 filter for each of two output channels; output channels first.
/// let input = layout!((1,(5,5),2):(50,(10,2),1));
/// let filter = layout!((2,(3,3),2):(18,(6,2),1));
/// let output = layout!((1,(5,5),2):(50,(5,1),25));
/// let same = Convolution { padding: &[(1, 1), (1, 1)], ..Convolution::default() };
/// let plan = ConvPlan::<f32>::new(&same, &input, &filter, &output)?;
/// let mut sums = [0.0; 50];
/// plan.run(1.0, &[1.0; 50], &[1.0; 36], 0.0, &mut sums, &Execution::default())?;
/// assert_eq!(sums[..7], [8.0, 12.0, 12.0, 12.0, 8.0, 12.0, 18.0]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConvPlan<T: Element, C: Destination<T::Sum> = <T as Element>::Sum> {
    product: ImageProduct,
    types: PhantomData<(T, C)>,
}

/// A plan without its types.
#[derive(Clone, Debug)]
struct ImageProduct {
    shape: Shape,
    /// Rows and steps of the filter, steps and channels of the input, pixels and output channels of the output.
    features: Groups,
    filter_steps: Axis,
    channels: Groups,
    steps: Option<Groups>,
    pixels: Axis,
    out_features: Groups,
    /// How lines of the image are copied with their padding, if they are.
    lines: Option<Lines>,
    /// One for all groups of channels, or one for each.
    plans: Vec<ProductPlan>,
    /// Input, filter and output.
    operands: [Summed; 3],
}

/// The offsets of the channels of each group.
#[derive(Clone, Debug)]
struct Groups {
    bases: Vec<isize>,
    /// Relative to the base of the group: one for all groups, or one for each.
    axes: Vec<Axis>,
}

impl Groups {
    fn new(offsets: &[isize], groups: usize) -> Groups {
        let parts = || offsets.chunks(offsets.len() / groups);
        let from_base = |part: &[isize]| part.iter().map(|offset| offset - part[0]).collect::<Vec<_>>();
        let first = from_base(&offsets[..offsets.len() / groups]);
        let bases = parts().map(|part| part[0]).collect();
        let axes = if parts().all(|part| from_base(part) == first) {
            vec![Axis::new(first)]
        } else {
            parts().map(|part| Axis::new(from_base(part))).collect()
        };
        Groups { bases, axes }
    }

    fn axis(&self, group: usize) -> &Axis {
        self.axes.get(group).unwrap_or(&self.axes[0])
    }
}

impl<T: Element, C: Destination<T::Sum>> ConvPlan<T, C> {
    /// The plan for the layouts of input, filter and output.
    ///
    /// # Errors
    /// [`Error::Rank`] for ranks other than 3; [`Error::Specification`] for a number of spatial modes that is not 1 to
    /// 3 or differs between the layouts, for a stride, dilation or number of groups of 0, and for extents that do not
    /// agree, in the output with `(input + padding - dilation (filter - 1) - 1) / stride + 1`; [`Error::Size`] for
    /// different numbers of images; [`Error::Codomain`] for offsets that are not integers; [`Error::Aliasing`] if two
    /// coordinates of the output have one offset; [`Error::Layout`] if a padded extent does not fit in 64 bits;
    /// [`Error::Memory`]; [`Error::Isa`].
    pub fn new(
        convolution: &Convolution,
        input: &impl HasLayout,
        filter: &impl HasLayout,
        output: &impl HasLayout,
    ) -> Result<Self, Error> {
        let operands = [
            OffsetLayout::new(INPUT, input, 0)?,
            OffsetLayout::new(FILTER, filter, 0)?,
            OffsetLayout::new(OUTPUT, output, 0)?,
        ];
        ConvPlan::with(convolution, operands)
    }

    /// The plan for the layouts of tensors and the offsets at which they begin. It does not read their elements.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// use tilework_kernels::{ConvPlan, Convolution, Execution};
    /// // The last four of a line of six elements.
    /// let line = Tensor::with_offset(Counting, 2, layout!((1,4,1):(0,1,0)))?;
    /// let pair = Tensor::new(Counting, layout!((1,2,1):(0,1,0)))?;
    /// let sums = Tensor::new(Counting, layout!((1,3,1):(0,1,0)))?;
    /// let plan = ConvPlan::<f32>::for_tensors(&Convolution::default(), &line, &pair, &sums)?;
    /// let mut output = [0.0; 3];
    /// let line = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// plan.run(1.0, &line, &[1.0, 1.0], 0.0, &mut output, &Execution::default())?;
    /// assert_eq!(output, [7.0, 9.0, 11.0]);
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn for_tensors(
        convolution: &Convolution,
        input: &(impl Located + ?Sized),
        filter: &(impl Located + ?Sized),
        output: &(impl Located + ?Sized),
    ) -> Result<Self, Error> {
        let operands = [placed(INPUT, input)?, placed(FILTER, filter)?, placed(OUTPUT, output)?];
        ConvPlan::with(convolution, operands)
    }

    fn with(convolution: &Convolution, operands: [OffsetLayout; 3]) -> Result<Self, Error> {
        let format = Format::of::<T, C>(Isa::current()?);
        let product = ImageProduct::new(convolution, operands, format, Caches::get())?;
        Ok(ConvPlan { product, types: PhantomData })
    }

    /// `output = alpha conv(input, filter) + beta output`, with the elements in slices that the layouts index from 0.
    ///
    /// If `beta` is 0, the output is not read; if `alpha` is 0, input and filter are not. The number of threads does
    /// not change the result.
    ///
    /// # Errors
    /// [`Error::Image`] if a slice does not contain all offsets of its layout; [`Error::Cancelled`].
    pub fn run(
        &self,
        alpha: T::Sum,
        input: &[T],
        filter: &[T],
        beta: T::Sum,
        output: &mut [C],
        execution: &Execution,
    ) -> Result<(), Error> {
        let ImageProduct { shape, plans, pixels, .. } = &self.product;
        let [of_input, of_filter, of_output] = &self.product.operands;
        of_input.check_image(INPUT, input.len())?;
        of_filter.check_image(FILTER, filter.len())?;
        of_output.check_image(OUTPUT, output.len())?;
        let (input, filter) = (of_input.gathered.read(input), of_filter.gathered.read(filter));
        let ProductPlan { format, size: [m, n, _], .. } = &plans[0];
        let lines = self.product.lines.as_ref().filter(|_| alpha != T::Sum::ZERO);
        let out = shape.directions[0].out;
        let tile = if lines.is_some() { [*m, out] } else { format.tile() };
        of_output.gathered.write(output, |output| {
            let to = Shared(output.as_mut_ptr().wrapping_offset(of_output.start as isize));
            divide(execution, [*m, *n], tile, shape.groups, |group, [rows, cols], counter| {
                let ImageProduct { channels, features, out_features, .. } = &self.product;
                let from = input.as_ptr().wrapping_offset(of_input.start as isize + channels.bases[group]);
                let weights =
                    filter.as_ptr().wrapping_offset(of_filter.start as isize + features.bases[group]);
                let to = to.at(out_features.bases[group]);
                let steps = self.product.steps.as_ref().map(|steps| steps.axis(group));
                let (out_features, filter_steps) = (out_features.axis(group), &self.product.filter_steps);
                // SAFETY: all images are within the slices or the copies, no two coordinates of the output have one
                // offset, and the parts are disjoint.
                unsafe {
                    if let Some(by_lines) = lines {
                        let call = Call { alpha, a: weights, b: from, beta, c: to.cast() };
                        let lines = cols.start / out..cols.end / out;
                        let of = (shape, format);
                        return by_lines.run(of, features.axis(group), pixels, &call, lines, counter);
                    }
                    let image = Image::new(from, shape, channels.axis(group), steps);
                    let filter = Strided::new(weights, features.axis(group), filter_steps);
                    let plan = plans.get(group).unwrap_or(&plans[0]);
                    let (image, filter) = (Source::Panels(&image), Source::Memory(filter));
                    let (a, b) = if plan.swapped { (filter, image) } else { (image, filter) };
                    let (c_rows, c_cols) =
                        if plan.swapped { (out_features, pixels) } else { (pixels, out_features) };
                    let c = &Target::new::<T::Sum, C>(plan, to, c_rows, c_cols);
                    Product { plan, alpha, a, b, beta, c }.part(rows, cols, counter);
                }
            })
        })
    }

    /// The layout of the input as a matrix of pixels and steps, `((N,Z,P,Q),(C,T,R,S))`, and the offset of its first
    /// element; padding makes it negative, and offsets of the padding may be outside the input. None if the input is
    /// not linear along a spatial direction, so that the matrix is not a layout.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_kernels::{ConvPlan, Convolution};
    /// let (input, output) = (layout!((1,12,4):(0,4,1)), layout!((1,5,8):(0,8,1)));
    /// let halved = Convolution { stride: &[2], ..Convolution::default() };
    /// let plan = ConvPlan::<f32>::new(&halved, &input, &layout!((8,3,4):(12,4,1)), &output)?;
    /// assert_eq!(plan.im2col(), Some((layout!(((5,1),(4,3)):((8,0),(1,4))), 0)));
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    #[must_use]
    pub fn im2col(&self) -> Option<(Layout, i64)> {
        self.product.im2col()
    }

    /// Which matrices are multiplied, and why.
    #[must_use]
    pub fn explain(&self) -> String {
        self.product.explain()
    }
}

impl ImageProduct {
    fn new(
        convolution: &Convolution,
        placed: [OffsetLayout; 3],
        format: Format,
        caches: Caches,
    ) -> Result<ImageProduct, Error> {
        Shape::check_ranks(placed.each_ref().map(|operand| operand.layout().layout()))?;
        let [input, filter, output] = placed.each_ref().map(Summed::new);
        let operands = [input?, filter?, output?];
        let shape = Shape::new(convolution, operands.each_ref().map(|operand| &operand.layout))?;
        placed[2].check_apart(OUTPUT)?;
        let groups = shape.groups;
        let taps = shape.directions.iter().map(|d| &d.tap_offsets);
        let filter_steps = nest([&shape.filter_channels].into_iter().chain(taps))?;
        let pixels = nest(shape.directions.iter().map(|d| &d.out_offsets))?;
        let channels = Groups::new(&shape.in_channels, groups);
        let steps: Option<Vec<Axis>> =
            channels.axes.iter().map(|axis| image::steps_of(&shape, axis).map(Axis::new)).collect();
        let steps = steps.map(|axes| Groups { bases: Vec::new(), axes });
        let out_features = Groups::new(&shape.out_features, groups);
        let run = |axis: &Axis| axis.longest().min(format.lanes as u32);
        let (of_pixels, of_features) = (run(&pixels), run(out_features.axis(0)));
        let pixels_first =
            (of_pixels, shape.pixels()) > (of_features, shape.features) && of_pixels >= of_features;
        let (m, n) =
            if pixels_first { (shape.pixels(), shape.features) } else { (shape.features, shape.pixels()) };
        let size = [m, n, filter_steps.len()];
        let features = Groups::new(&shape.filter_features, groups);
        let plan = |group| {
            // The image yields panels only.
            let (filter, channels) = (Some([features.axis(group), &filter_steps]), out_features.axis(group));
            let (operands, output) = match pixels_first {
                true => ([None, filter], &pixels),
                false => ([filter, None], channels),
            };
            ProductPlan::by_blocks(format, caches, size, operands, output, !pixels_first)
        };
        let plans = (0..features.axes.len().max(out_features.axes.len())).map(plan).collect();
        let lines = || {
            let axes = [&channels, &features, &out_features].map(|groups| &groups.axes[..]);
            Lines::new(&shape, &format, axes, &filter_steps, caches)
        };
        Ok(ImageProduct {
            lines: if pixels_first { None } else { lines() },
            features,
            plans,
            filter_steps,
            channels,
            steps,
            pixels,
            out_features,
            operands,
            shape,
        })
    }

    fn im2col(&self) -> Option<(Layout, i64)> {
        let (mut rows, mut steps, mut start) = (Vec::new(), Vec::new(), self.operands[0].start);
        if self.shape.groups == 1 {
            steps.push(self.shape.layout);
        } else {
            let of_group = Layout::of(self.shape.channels, 1).ok()?;
            steps.push(self.shape.layout.composition(&of_group).ok()?);
        }
        for d in &self.shape.directions {
            let step = d.step?;
            let line =
                |count: usize, by: usize| d.layout.coalesce().composition(&Layout::of(count, by).ok()?).ok();
            rows.push(line(d.out, d.stride)?);
            if d.taps > 1 {
                steps.push(line(d.taps, d.dilation)?);
            }
            start = start.checked_sub(i64::try_from(d.low).ok()?.checked_mul(step as i64)?)?;
        }
        let modes = [Layout::concatenate(&rows).ok()?, Layout::concatenate(&steps).ok()?];
        Some((Layout::concatenate(&modes).ok()?, start))
    }

    fn explain(&self) -> String {
        let shape = &self.shape;
        let mut text = String::new();
        let (pixels, features, k) = (shape.pixels(), shape.features, self.filter_steps.len());
        let _ = writeln!(
            text,
            "{} by {}, each from {} at {}: k = {k}, in {}",
            count(pixels, "pixel"),
            count(features, "output channel"),
            count(shape.channels, "channel"),
            count(shape.taps(), "place"),
            count(shape.groups, "group")
        );
        let order: String = shape.directions.iter().map(|d| d.name).collect();
        let _ = writeln!(text, "pixels in the order {order}, in which the output is densest first");
        let _ = match self.im2col() {
            Some((layout, start)) => writeln!(text, "im2col is the layout {{{start}}} o {layout}"),
            None => writeln!(text, "im2col by tables, since the input is not linear along all directions"),
        };
        let padded = shape
            .directions
            .iter()
            .any(|d| (d.out - 1) * d.stride + (d.taps - 1) * d.dilation >= d.input || d.low > 0);
        let _ =
            writeln!(text, "{}", if padded { "zeros where a filter is over the edge" } else { "no padding" });
        let plan = &self.plans[0];
        let rows = if plan.swapped { "output channels" } else { "pixels" };
        let _ = writeln!(text, "rows are the {rows}, of which more are contiguous in the output");
        if let Some(lines) = &self.lines {
            return text + &lines.explain(&plan.format);
        }
        let names = ["the input", "the filter"];
        for line in plan.explain(if plan.swapped { [names[1], names[0]] } else { names }) {
            let _ = writeln!(text, "{line}");
        }
        text
    }
}

/// `output = alpha conv(input, filter) + beta output`; see [`ConvPlan`].
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Convolution, Execution, conv};
/// let line = Tensor::new([1.0, 2.0, 4.0, 8.0, 16.0], layout!((1,5,1):(0,1,0)))?;
/// let differences = Tensor::new([-1.0, 1.0], layout!((1,2,1):(0,1,0)))?;
/// let mut output = Tensor::new([0.0; 4], layout!((1,4,1):(0,1,0)))?;
/// conv(&Convolution::default(), 1.0, &line, &differences, 0.0, &mut output, &Execution::default())?;
/// assert_eq!(output.accessor(), &[1.0, 2.0, 4.0, 8.0]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`ConvPlan::for_tensors`] and [`ConvPlan::run`].
pub fn conv<T: Element, C: Destination<T::Sum>>(
    convolution: &Convolution,
    alpha: T::Sum,
    input: &impl Operand<T>,
    filter: &impl Operand<T>,
    beta: T::Sum,
    output: &mut impl OperandMut<C>,
    execution: &Execution,
) -> Result<(), Error> {
    let plan = ConvPlan::<T, C>::for_tensors(convolution, input, filter, output)?;
    plan.run(alpha, input.elements(), filter.elements(), beta, output.elements_mut(), execution)
}

/// The sums of one offset of each table, the first fastest.
fn nest<'a>(tables: impl Iterator<Item = &'a Vec<isize>> + Clone) -> Result<Axis, Error> {
    let count = tables.clone().fold(1u128, |count, table| count.saturating_mul(table.len() as u128));
    let error = Error::Memory { bytes: count.saturating_mul(size_of::<isize>() as u128) };
    let mut all: Vec<isize> = Vec::new();
    all.try_reserve_exact(usize::try_from(count).map_err(|_| error.clone())?).map_err(|_| error)?;
    all.push(0);
    for table in tables {
        let inner = all.len();
        for _ in 1..table.len() {
            all.extend_from_within(..inner);
        }
        for (part, offset) in all.chunks_mut(inner).zip(table) {
            part.iter_mut().for_each(|at| *at += offset);
        }
    }
    Ok(Axis::new(all))
}
