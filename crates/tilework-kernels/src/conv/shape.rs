//! The extents of a convolution, and the offsets along each of its modes.

use crate::error::{Error, count};
use crate::matmul::tile::axis::Axis;
use tilework::__private::sort_by_key;
use tilework::Layout;

/// How a filter moves over an input. Empty strides and dilations are 1, empty paddings 0.
///
/// ```
/// use tilework_kernels::Convolution;
/// let halved = Convolution { stride: &[2, 2], padding: &[(1, 1), (1, 1)], ..Convolution::default() };
/// assert_eq!(halved.groups, 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convolution<'a> {
    /// For each spatial direction, the distance between filter positions.
    pub stride: &'a [usize],
    /// The distance between filter taps.
    pub dilation: &'a [usize],
    /// How many zeros there are before and after the input.
    pub padding: &'a [(usize, usize)],
    /// The number of independent groups into which channels and output channels are divided.
    pub groups: usize,
}

impl Default for Convolution<'_> {
    fn default() -> Self {
        Convolution { stride: &[], dilation: &[], padding: &[], groups: 1 }
    }
}

/// One direction in which the filter moves: a spatial mode, or the images, along which the filter has extent 1.
#[derive(Clone, Debug)]
pub(crate) struct Direction {
    pub name: char,
    /// Extents of the output, of the input and of the filter.
    pub out: usize,
    pub input: usize,
    pub taps: usize,
    pub stride: usize,
    pub dilation: usize,
    /// Zeros before the first element of the input.
    pub low: usize,
    /// Offsets of the input, the filter and the output.
    pub in_offsets: Vec<isize>,
    pub tap_offsets: Vec<isize>,
    pub out_offsets: Vec<isize>,
    /// The distance between neighbours in the input, if it is constant.
    pub step: Option<isize>,
    /// The input's layout along it.
    pub layout: Layout,
}

/// The extents of a convolution.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The images and the spatial modes, those with the smallest output strides first.
    pub directions: Vec<Direction>,
    /// Channels of a group, and output channels of one.
    pub channels: usize,
    pub features: usize,
    pub groups: usize,
    /// Channels of the input, channels of a group in the filter, output channels in the filter and in the output.
    pub in_channels: Vec<isize>,
    pub filter_channels: Vec<isize>,
    pub filter_features: Vec<isize>,
    pub out_features: Vec<isize>,
    /// The input's channels.
    pub layout: Layout,
}

pub(super) const INPUT: &str = "the input";
pub(super) const FILTER: &str = "the filter";
pub(super) const OUTPUT: &str = "the output";

impl Shape {
    /// # Errors
    /// Those of [`ConvPlan::new`](crate::ConvPlan::new) about extents and ranks.
    pub(crate) fn new(
        convolution: &Convolution,
        [input, filter, output]: [&Layout; 3],
    ) -> Result<Shape, Error> {
        Shape::check_ranks([input, filter, output])?;
        let spatial = [input.mode(1)?, filter.mode(1)?, output.mode(1)?];
        let rank = spatial[0].rank();
        for (operand, layout) in [INPUT, FILTER, OUTPUT].into_iter().zip(&spatial) {
            if !(1..=3).contains(&rank) || layout.rank() != rank {
                let found = count(layout.rank(), "mode");
                return refuse(format!(
                    "mode 1 of {operand} has {found}; it has one for each spatial direction, 1 to 3 in all operands"
                ));
            }
        }
        let mut directions = vec![images(&input.mode(0)?, &output.mode(0)?)?];
        for i in 0..rank {
            let name = ['z', 'y', 'x'][3 - rank + i];
            let modes = [spatial[0].mode(i)?, spatial[1].mode(i)?, spatial[2].mode(i)?];
            directions.push(convolution.direction(i, rank, name, modes)?);
        }
        let distance = |offsets: &[isize]| match offsets {
            [first, second, ..] => (second - first).unsigned_abs(),
            _ => usize::MAX,
        };
        sort_by_key(&mut directions, |d| (distance(&d.out_offsets), distance(&d.in_offsets)));

        let channels = filter.mode(2)?.size();
        let groups = i64::try_from(convolution.groups).unwrap_or(i64::MAX);
        let (all, features) = (input.mode(2)?.size(), filter.mode(0)?.size());
        if groups == 0 || groups.checked_mul(channels) != Some(all) {
            let (all, own) = (count(all as usize, "channel"), count(channels as usize, "channel"));
            let groups = count(convolution.groups, "group");
            return refuse(format!(
                "the input has {all} for {groups}, and the filter {own} for each; they have to agree"
            ));
        }
        if features % groups != 0 || features != output.mode(2)?.size() {
            let found = output.mode(2)?.size();
            let (features, groups) =
                (count(features as usize, "output channel"), count(convolution.groups, "group"));
            return refuse(format!(
                "the filter has {features} and the output {found}, in {groups}; they have to be as many, and as many in each group"
            ));
        }
        Ok(Shape {
            directions,
            channels: channels as usize,
            features: (features / groups) as usize,
            groups: groups as usize,
            in_channels: Axis::of(&input.mode(2)?)?.offsets,
            filter_channels: Axis::of(&filter.mode(2)?)?.offsets,
            filter_features: Axis::of(&filter.mode(0)?)?.offsets,
            out_features: Axis::of(&output.mode(2)?)?.offsets,
            layout: input.mode(2)?,
        })
    }

    /// Refuses layouts with ranks other than 3.
    pub(super) fn check_ranks(operands: [&Layout; 3]) -> Result<(), Error> {
        let modes = [(INPUT, "(N,(Z,P,Q),C)"), (FILTER, "(K,(T,R,S),C)"), (OUTPUT, "(N,(Z,P,Q),K)")];
        for ((operand, modes), layout) in modes.into_iter().zip(operands) {
            if layout.rank() != 3 {
                return Err(Error::Rank { operand, modes, found: layout.rank() });
            }
        }
        Ok(())
    }

    /// Elements of one channel of the output.
    pub(crate) fn pixels(&self) -> usize {
        self.directions.iter().map(|d| d.out).product()
    }

    /// Elements of one channel of the filter.
    pub(crate) fn taps(&self) -> usize {
        self.directions.iter().map(|d| d.taps).product()
    }
}

fn refuse<T>(reason: String) -> Result<T, Error> {
    Err(Error::Specification { reason })
}

/// The images as a direction.
fn images(input: &Layout, output: &Layout) -> Result<Direction, Error> {
    if input.size() != output.size() {
        let (first, second) = (input.size(), output.size());
        return Err(Error::Size { operands: "N of the input and of the output", first, second });
    }
    let one = Convolution::default();
    one.direction(0, 1, 'n', [*input, Layout::UNIT, *output])
}

impl Convolution<'_> {
    /// The spatial direction `i` of `rank`, of these layouts of input, filter and output.
    fn direction(
        &self,
        i: usize,
        rank: usize,
        name: char,
        [input, filter, output]: [Layout; 3],
    ) -> Result<Direction, Error> {
        let counts = [self.stride.len(), self.dilation.len(), self.padding.len()];
        if counts.iter().any(|&count| count != 0 && count != rank) {
            let directions = count(rank, "spatial direction");
            return refuse(format!(
                "strides, dilations and paddings are {counts:?} in number, for {directions}; give none or one for each"
            ));
        }
        let stride = self.stride.get(i).copied().unwrap_or(1);
        let dilation = self.dilation.get(i).copied().unwrap_or(1);
        let (low, high) = self.padding.get(i).copied().unwrap_or((0, 0));
        if stride == 0 || dilation == 0 {
            return refuse(format!(
                "stride {stride} and dilation {dilation} along {name}; both are at least 1"
            ));
        }
        let [inside, taps, out] = [input, filter, output].map(|layout| layout.size() as usize);
        let sum = || {
            let padded = low.checked_add(inside)?.checked_add(high)?;
            let reach = dilation.checked_mul(taps - 1)?.checked_add(1)?;
            // Coordinates are counted in `isize`.
            isize::try_from(padded.checked_add(reach)?.checked_mul(2)?).ok()?;
            Some((padded, reach, padded.checked_sub(reach).map(|rest| rest / stride + 1)))
        };
        let Some((padded, reach, expected)) = sum() else {
            return Err(tilework::Error::TooLarge {
                what: "the sum of the padded input and the reach of the filter",
            }
            .into());
        };
        if expected != Some(out) {
            let expected = expected.unwrap_or(0);
            return refuse(format!(
                "along {name} the output has {out} elements and not {expected}: {padded} padded ones, a filter that reaches over {reach}, stride {stride}"
            ));
        }
        let in_offsets = Axis::of(&input)?;
        Ok(Direction {
            name,
            out,
            input: inside,
            taps,
            stride,
            dilation,
            low,
            step: if inside == 1 { Some(0) } else { in_offsets.stride },
            in_offsets: in_offsets.offsets,
            tap_offsets: Axis::of(&filter)?.offsets,
            out_offsets: Axis::of(&output)?.offsets,
            layout: input,
        })
    }
}
