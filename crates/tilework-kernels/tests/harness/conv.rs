//! Convolution.

use super::number::{Number, TYPES, Types, with_types};
use super::place::{Mode, Place, Places, Random, Strides};
use super::{Case, Factors, Guarded, check_random, operand};
use crate::conv::{ConvPlan, Convolution};
use crate::cpu::isa::Isa;
use crate::execution::Execution;
use crate::matmul::tile::element::{Destination, Element};

/// One spatial direction.
#[derive(Clone, Copy, PartialEq)]
struct Direction {
    inside: usize,
    taps: usize,
    stride: usize,
    dilation: usize,
    padding: (usize, usize),
}

impl Direction {
    /// Places of the filter, if it fits.
    fn out(&self) -> Option<usize> {
        let padded = self.inside + self.padding.0 + self.padding.1;
        Some(padded.checked_sub(self.dilation * (self.taps - 1) + 1)? / self.stride + 1)
    }
}

#[derive(Clone)]
struct Windows {
    types: Types,
    images: usize,
    directions: Vec<Direction>,
    /// Channels and output channels of a group.
    channels: usize,
    features: usize,
    groups: usize,
    /// Where the layouts come from; compact ones without, with the first mode fastest or the channels.
    seed: Option<u64>,
    channels_last: bool,
    factors: Factors,
}

impl Windows {
    /// Input, filter and output with a mode for each direction.
    fn places(&self) -> [Place; 3] {
        let Windows { images, directions, channels, features, groups, .. } = self;
        let sizes = |first: usize, of: &dyn Fn(&Direction) -> usize, last: usize| -> Vec<i64> {
            let spatial = directions.iter().map(of);
            [first].into_iter().chain(spatial).chain([last]).map(|size| size as i64).collect()
        };
        let all = [
            sizes(*images, &|d| d.inside, groups * channels),
            sizes(groups * features, &|d| d.taps, *channels),
            sizes(*images, &|d| d.out().unwrap(), groups * features),
        ];
        let mut random = self.seed.map(Random::new);
        let mut which = 0;
        all.map(|sizes| {
            which += 1;
            let Some(random) = &mut random else {
                let leaf = |i: usize| {
                    let faster = if self.channels_last { &sizes[i + 1..] } else { &sizes[..i] };
                    Mode::Leaf(sizes[i], faster.iter().product())
                };
                return Place::new((0..sizes.len()).map(leaf).collect());
            };
            random.place(&sizes, if which == 3 { Strides::Apart } else { Strides::Free })
        })
    }

    fn typed<T, C>(&self) -> Result<(), String>
    where
        T: Element<Sum: Number> + Number,
        C: Destination<T::Sum> + Number,
    {
        let Windows { images, directions, channels, features, groups, factors, .. } = self;
        let [input, filter, output] = self.places();
        let tables = [input.table(), filter.table(), output.table()];
        let (from, weights) =
            (operand::<T>(&input, factors.reads(), 1), operand::<T>(&filter, factors.reads(), 2));
        let mut written = Guarded::<C>::new(output.room(), 256, |i| C::noise(i as u64));
        if factors.beta != 0 {
            output.offsets().into_iter().for_each(|at| written.set(at, C::of(at as i64 * 5 % 9 - 4)));
        }
        let mut expected = written.clone();
        let tensors = self.places().map(|place| grouped(&place).located());
        let list = |of: fn(&Direction) -> usize| directions.iter().map(of).collect::<Vec<_>>();
        let (stride, dilation) = (list(|d| d.stride), list(|d| d.dilation));
        let padding: Vec<(usize, usize)> = directions.iter().map(|d| d.padding).collect();
        let how = Convolution { stride: &stride, dilation: &dilation, padding: &padding, groups: *groups };
        let plan =
            factors.plan(|| ConvPlan::<T, C>::for_tensors(&how, &*tensors[0], &*tensors[1], &*tensors[2]));
        let plan = plan.map_err(|error| error.to_string())?;
        let (alpha, beta) = (<T::Sum as Number>::of(factors.alpha), <T::Sum as Number>::of(factors.beta));
        plan.run(alpha, &from, &weights, beta, written.inner(), &Execution::threads(factors.threads))
            .map_err(|error| error.to_string())?;

        let (pixels, taps) = (list(|d| d.out().unwrap()), list(|d| d.taps));
        for image in 0..*images {
            for pixel in all_below(&pixels) {
                for feature in 0..groups * features {
                    let (group, mut sum) = (feature / features, 0);
                    for tap in all_below(&taps) {
                        // Where it lies in the input, padding included.
                        let at = directions
                            .iter()
                            .enumerate()
                            .map(|(i, d)| pixel[i] * d.stride + tap[i] * d.dilation);
                        let inside = at
                            .zip(directions)
                            .map(|(at, d)| at.checked_sub(d.padding.0).filter(|&at| at < d.inside));
                        let Some(inside) = inside.collect::<Option<Vec<usize>>>() else { continue };
                        for channel in 0..if factors.reads() { *channels } else { 0 } {
                            let read = [&[image], &inside[..], &[group * channels + channel]].concat();
                            let weight = [&[feature], &tap[..], &[channel]].concat();
                            sum += from[tables[0].at(&read)].value() * weights[tables[1].at(&weight)].value();
                        }
                    }
                    let at = tables[2].at(&[&[image], &pixel[..], &[feature]].concat());
                    expected.update(at, sum, factors);
                }
            }
        }
        written.compare(&expected).map_err(|error| format!("{error}\n{}", plan.explain()))
    }
}

/// The same with one mode for all directions.
fn grouped(place: &Place) -> Place {
    let mut modes = place.modes.clone();
    let last = modes.len() - 1;
    let spatial = modes.drain(1..last).collect();
    modes.insert(1, Mode::Tuple(spatial));
    Place { modes, ..place.clone() }
}

/// All tuples below `extents`.
fn all_below(extents: &[usize]) -> Vec<Vec<usize>> {
    extents.iter().fold(vec![vec![]], |all, &extent| {
        all.iter().flat_map(|tuple| (0..extent).map(move |i| [&tuple[..], &[i]].concat())).collect()
    })
}

impl Case for Windows {
    fn run(&self) -> Result<(), String> {
        with_types!(self.types, self.typed())
    }

    fn is_for(&self, isa: Isa) -> bool {
        isa == isa.registers() || self.types.are_narrow()
    }

    fn smaller(&self) -> Vec<Windows> {
        let mut all = self.factors.smaller(|factors| Windows { factors, ..self.clone() });
        let less =
            |size: usize| [1, size / 2, size - 1].into_iter().filter(move |&less| 0 < less && less < size);
        if self.seed.is_some() {
            all.push(Windows { seed: None, ..self.clone() });
        }
        all.extend(less(self.images).map(|images| Windows { images, ..self.clone() }));
        all.extend(less(self.groups).map(|groups| Windows { groups, ..self.clone() }));
        all.extend(less(self.channels).map(|channels| Windows { channels, ..self.clone() }));
        all.extend(less(self.features).map(|features| Windows { features, ..self.clone() }));
        for i in 0..self.directions.len() {
            let mut with = |change: &dyn Fn(&mut Direction)| {
                let mut copy = self.clone();
                change(&mut copy.directions[i]);
                if copy.directions[i] != self.directions[i] && copy.directions[i].out().is_some() {
                    all.push(copy);
                }
            };
            let now = self.directions[i];
            less(now.inside).for_each(|inside| with(&|d| d.inside = inside));
            less(now.taps).for_each(|taps| with(&|d| d.taps = taps));
            with(&|d| d.stride = 1);
            with(&|d| d.dilation = 1);
            with(&|d| d.padding.0 /= 2);
            with(&|d| d.padding.1 /= 2);
            if self.directions.len() > 1 {
                let mut copy = self.clone();
                copy.directions.remove(i);
                all.push(copy);
            }
        }
        all
    }

    fn show(&self, isa: Isa) -> String {
        let [input, filter, output] = self.places().map(|place| grouped(&place).tensor());
        let list = |of: fn(&Direction) -> usize| self.directions.iter().map(of).collect::<Vec<_>>();
        let padding: Vec<(usize, usize)> = self.directions.iter().map(|d| d.padding).collect();
        format!(
            "let how = Convolution {{ stride: &{:?}, dilation: &{:?}, padding: &{padding:?}, groups: {} }};\n\
             let input = {input};\nlet filter = {filter};\nlet output = {output};\n\
             let plan = ConvPlan::<{}>::for_tensors(&how, &input, &filter, &output)?;\n{}",
            list(|d| d.stride),
            list(|d| d.dilation),
            self.groups,
            self.types.parameters(),
            self.factors.show(isa)
        )
    }
}

fn windows(random: &mut Random) -> Windows {
    let rank = random.choose(&[1, 1, 2, 2, 2, 3]);
    let most = [40, 12, 6][rank - 1];
    let directions = (0..rank).map(|_| {
        loop {
            let mut size = |low, high| random.range(low, high) as usize;
            let (inside, taps) = (size(1, most), size(1, 4));
            let (stride, dilation) = (size(1, 3), size(1, 3));
            let padding = (size(0, 4), size(0, 4));
            let direction = Direction { inside, taps, stride, dilation, padding };
            let direction = match size(0, 2) {
                0 => Direction { stride: 1, dilation: 1, ..direction },
                1 => Direction { padding: (0, 0), ..direction },
                _ => direction,
            };
            if direction.out().is_some() {
                break direction;
            }
        }
    });
    let mut windows = Windows {
        types: Types::F32,
        images: 1,
        directions: directions.collect(),
        channels: 1,
        features: 1,
        groups: 1,
        seed: None,
        channels_last: random.once_in(2),
        factors: Factors::random(random),
    };
    windows.types = random.choose(&TYPES);
    windows.images = random.choose(&[1, 1, 2, 3]);
    windows.channels = random.choose(&[1, 2, 3, 5, 8, 17]);
    windows.features = random.choose(&[1, 2, 4, 7, 16, 19]);
    windows.groups = random.choose(&[1, 1, 1, 2, 3]);
    windows.seed = if random.once_in(3) { None } else { Some(random.next()) };
    while work(&windows) > 100_000 && windows.channels > 1 {
        windows.channels = 1;
        windows.images = 1;
    }
    windows
}

/// The same of contiguous channels, whose lines are copied with their padding.
fn lines(random: &mut Random) -> Windows {
    loop {
        let mut windows = Windows { groups: 1, seed: None, channels_last: true, ..windows(random) };
        windows.types = random.choose(&[Types::F32, Types::F64]);
        windows.features = random.choose(&[8, 16, 19, 33]);
        windows.channels = random.choose(&[1, 2, 3, 4, 5, 8, 16]);
        if let Some(along) = windows.directions.last_mut() {
            along.taps = random.range(2, 5) as usize;
            (along.dilation, along.stride) = (1, random.range(1, along.taps as i64 - 1) as usize);
        }
        if windows.directions.iter().all(|d| d.out().is_some()) && work(&windows) < 200_000 {
            return windows;
        }
    }
}

/// How many multiply-adds it takes.
fn work(windows: &Windows) -> usize {
    let spatial = windows.directions.iter().map(|d| d.out().unwrap() * d.taps).product::<usize>();
    spatial * windows.images * windows.channels * windows.features * windows.groups
}

#[test]
#[cfg_attr(miri, ignore)]
fn convolutions() {
    check_random("conv", 5000, windows);
}

#[test]
#[cfg_attr(miri, ignore)]
fn convolutions_by_lines() {
    check_random("conv by lines", 3000, lines);
}
