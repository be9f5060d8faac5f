//! Layouts that evaluate themselves by the definition, and random ones. Nothing here is shared with the algebra or the
//! kernels.

use crate::located::Located;
pub use testkit::Random;
use tilework::{Counting, Tensor};

/// Calls a function or block with the layout of a place, of whichever type it is.
macro_rules! with_layout {
    ($place:expr, |$layout:ident| $body:expr) => {
        match $place.form {
            $crate::harness::place::Form::Swizzled(..) => {
                let $layout: tilework::Composed = $place.layout().parse().unwrap();
                $body
            }
            _ => {
                let $layout: tilework::Layout = $place.layout().parse().unwrap();
                $body
            }
        }
    };
}
pub(super) use with_layout;

/// A mode of a layout: an extent with its stride, or modes.
#[derive(Clone, PartialEq, Debug)]
pub enum Mode {
    Leaf(i64, i64),
    Tuple(Vec<Mode>),
}

impl Mode {
    pub fn size(&self) -> i64 {
        match self {
            Mode::Leaf(extent, _) => *extent,
            Mode::Tuple(modes) => modes.iter().map(Mode::size).product(),
        }
    }

    pub fn leaves(&self) -> Vec<(i64, i64)> {
        match self {
            Mode::Leaf(extent, stride) => vec![(*extent, *stride)],
            Mode::Tuple(modes) => modes.iter().flat_map(Mode::leaves).collect(),
        }
    }

    fn show(&self, leaf: &dyn Fn(i64, i64) -> String) -> String {
        match self {
            Mode::Leaf(extent, stride) => leaf(*extent, *stride),
            Mode::Tuple(modes) => {
                let modes: Vec<String> = modes.iter().map(|mode| mode.show(leaf)).collect();
                format!("({})", modes.join(","))
            }
        }
    }

    /// The same with a mode left out or an extent or stride made smaller.
    fn smaller(&self) -> Vec<Mode> {
        match self {
            &Mode::Leaf(extent, stride) => {
                let extents = [1, 2, extent / 2, extent - 1].into_iter().filter(|&e| 0 < e && e < extent);
                let nearer = [0, 1, stride / 2, stride - stride.signum(), -stride];
                let strides = nearer.into_iter().filter(|&s| s.abs() < stride.abs() || s == -stride && s > 0);
                extents.map(|e| Mode::Leaf(e, stride)).chain(strides.map(|s| Mode::Leaf(extent, s))).collect()
            }
            Mode::Tuple(modes) => {
                let mut all = Vec::new();
                if let [only] = &modes[..] {
                    all.push(only.clone());
                }
                for (i, mode) in modes.iter().enumerate() {
                    for smaller in mode.smaller() {
                        let mut copy = modes.clone();
                        copy[i] = smaller;
                        all.push(Mode::Tuple(copy));
                    }
                    if modes.len() > 1 && mode.size() == 1 {
                        let mut copy = modes.clone();
                        copy.remove(i);
                        all.push(Mode::Tuple(copy));
                    }
                }
                all
            }
        }
    }
}

/// How the multiples of the strides become an offset.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Form {
    Sum,
    /// Strides that are joined without carries.
    Xor,
    /// `Sw<bits,base,shift>` of the sum.
    Swizzled(u32, u32, i32),
}

/// A layout, and where it begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    pub modes: Vec<Mode>,
    pub form: Form,
    pub start: i64,
}

impl Place {
    /// Sums of these modes, from the smallest start that has no negative offset.
    pub fn new(modes: Vec<Mode>) -> Place {
        let mut place = Place { modes, form: Form::Sum, start: 0 };
        place.settle();
        place
    }

    /// Moves the start so far that no offset is negative.
    pub fn settle(&mut self) {
        if self.form == Form::Sum {
            let leaves = self.modes.iter().flat_map(Mode::leaves);
            self.start = -leaves.map(|(extent, stride)| (extent - 1) * stride.min(0)).sum::<i64>();
        }
    }

    pub fn size(&self) -> i64 {
        self.modes.iter().map(Mode::size).product()
    }

    /// Where everything lies: a table for each mode.
    pub fn table(&self) -> Table {
        Table { place: self.clone(), parts: self.modes.iter().map(|mode| self.parts(mode)).collect() }
    }

    /// The offset of each integral coordinate.
    pub fn offsets(&self) -> Vec<usize> {
        let parts = self.parts(&Mode::Tuple(self.modes.clone()));
        parts.into_iter().map(|part| self.finish(part)).collect()
    }

    /// What each index of a mode adds to the offset.
    fn parts(&self, mode: &Mode) -> Vec<i64> {
        let mut all = vec![0];
        for (extent, stride) in mode.leaves() {
            let before = all.clone();
            for step in 1..extent {
                let by = self.multiple(step, stride);
                all.extend(before.iter().map(|&part| self.join(part, by)));
            }
        }
        all
    }

    fn multiple(&self, step: i64, stride: i64) -> i64 {
        match self.form {
            Form::Xor => (0..63).filter(|bit| step >> bit & 1 == 1).fold(0, |sum, bit| sum ^ stride << bit),
            _ => step * stride,
        }
    }

    fn join(&self, a: i64, b: i64) -> i64 {
        if self.form == Form::Xor { a ^ b } else { a + b }
    }

    /// From what the modes add to the offset.
    fn finish(&self, joined: i64) -> usize {
        let offset = match self.form {
            Form::Sum => self.start + joined,
            Form::Xor => self.start ^ joined,
            Form::Swizzled(bits, base, shift) => {
                let picked = joined & (((1 << bits) - 1) << (base as i32 + shift.max(0)));
                let moved = if shift < 0 { picked << -shift } else { picked >> shift };
                self.start + (joined ^ moved)
            }
        };
        usize::try_from(offset).expect("no offset is negative")
    }

    /// The largest offset and 1.
    pub fn len(&self) -> usize {
        self.offsets().into_iter().max().unwrap_or(0) + 1
    }

    /// A tensor of this layout without elements.
    pub fn located(&self) -> Box<dyn Located> {
        with_layout!(self, |layout| Box::new(Tensor::with_offset(Counting, self.start, layout).unwrap()))
    }

    /// How many elements a tensor asks for: of a swizzle it knows the bits.
    pub fn room(&self) -> usize {
        match self.form {
            Form::Swizzled(bits, base, shift) => {
                let joined =
                    self.modes.iter().flat_map(Mode::leaves).map(|(extent, stride)| (extent - 1) * stride);
                let bits = (bits + base + shift.unsigned_abs()).max(64 - joined.sum::<i64>().leading_zeros());
                self.start as usize + (1 << bits)
            }
            _ => self.len(),
        }
    }

    /// Whether coordinates that share an offset share one of `of`, too. Of themselves they do where there are none.
    pub fn repeats_only(&self, of: &[usize]) -> bool {
        const NONE: usize = usize::MAX;
        let mut known = vec![NONE; self.len()];
        self.offsets().into_iter().zip(of).all(|(at, &of)| {
            let before = std::mem::replace(&mut known[at], of);
            before == NONE || before == of
        })
    }

    /// Whether no two coordinates have one offset.
    pub fn is_apart(&self) -> bool {
        self.repeats_only(&(0..self.size() as usize).collect::<Vec<_>>())
    }

    /// The layout in the notation of the algebra, without the start.
    pub fn layout(&self) -> String {
        let whole = match &self.modes[..] {
            [only @ Mode::Leaf(..)] => only.clone(),
            modes => Mode::Tuple(modes.to_vec()),
        };
        let stride = |_: i64, stride: i64| {
            if self.form == Form::Xor && stride != 0 { format!("^{stride}") } else { stride.to_string() }
        };
        let text = format!("{}:{}", whole.show(&|extent, _| extent.to_string()), whole.show(&stride));
        match self.form {
            Form::Swizzled(bits, base, shift) => format!("Sw<{bits},{base},{shift}> o 0 o {text}"),
            _ => text,
        }
    }

    /// As the program takes it.
    pub fn text(&self) -> String {
        match (self.form, self.start) {
            (Form::Swizzled(..), _) | (_, 0) => self.layout(),
            (_, start) => format!("{{{start}}} o {}", self.layout()),
        }
    }

    /// As a tensor of Rust, without its elements.
    pub fn tensor(&self) -> String {
        format!(
            "Tensor::with_offset(Counting, {}, \"{}\".parse::<{}>()?)?",
            self.start,
            self.layout(),
            match self.form {
                Form::Swizzled(..) => "Composed",
                _ => "Layout",
            }
        )
    }

    /// The same with a start at 0, without a swizzle, or with a smaller mode.
    pub fn smaller(&self) -> Vec<Place> {
        let mut all: Vec<Place> = Vec::new();
        if self.form != Form::Sum {
            all.push(Place::new(self.modes.clone()));
        }
        let mut settled = self.clone();
        settled.settle();
        if settled.start < self.start {
            all.push(settled);
        }
        for (i, mode) in self.modes.iter().enumerate() {
            for smaller in mode.smaller() {
                let mut copy = self.clone();
                copy.modes[i] = smaller;
                copy.settle();
                all.push(copy);
            }
        }
        all
    }
}

/// Places of which one is smaller, or some by modes that have to have one size: those of each group, as number of the
/// place and of its mode. Without groups the places have one size, and all modes of one number are a group.
pub fn smaller_places(places: &[&Place], groups: &[Vec<(usize, usize)>]) -> Vec<Vec<Place>> {
    let whole: Vec<Place> = places.iter().map(|&place| place.clone()).collect();
    let (mut all, mut groups, free) = (Vec::new(), groups.to_vec(), groups.is_empty());
    if free {
        let modes = whole.iter().map(|place| place.modes.len()).min().unwrap_or(0);
        groups = (0..modes).map(|mode| (0..whole.len()).map(|place| (place, mode)).collect()).collect();
    }
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let size = whole[group[0].0].modes[group[0].1].size();
        if group.iter().any(|&(place, mode)| whole[place].modes[mode].size() != size) {
            continue;
        }
        let mut with = |extent: Option<i64>| {
            let mut copy = whole.clone();
            for &(place, mode) in group {
                let stride = whole[place].modes[mode].leaves()[0].1;
                copy[place].modes.splice(mode..=mode, extent.map(|extent| Mode::Leaf(extent, stride)));
                copy[place].settle();
            }
            all.push(copy);
        };
        if free && whole.iter().all(|place| place.modes.len() > 1) {
            with(None);
        }
        for extent in [1, 2, size / 2, size - 1].into_iter().filter(|&extent| 0 < extent && extent < size) {
            with(Some(extent));
        }
    }
    for (i, place) in whole.iter().enumerate() {
        for small in place.smaller() {
            let sizes = |place: &Place| place.modes.iter().map(Mode::size).collect::<Vec<_>>();
            if free || sizes(&small) == sizes(place) {
                let mut copy = whole.clone();
                copy[i] = small;
                all.push(copy);
            }
        }
    }
    all
}

/// See [`Place::table`].
pub struct Table {
    place: Place,
    parts: Vec<Vec<i64>>,
}

impl Table {
    /// The offset of a coordinate with an index for each mode.
    pub fn at(&self, coordinate: &[usize]) -> usize {
        let parts = self.parts.iter().zip(coordinate).map(|(part, &index)| part[index]);
        self.place.finish(parts.fold(0, |sum, part| self.place.join(sum, part)))
    }
}

/// Which strides a random layout may have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Strides {
    /// No two coordinates have one offset.
    Apart,
    /// Any, 0 among them.
    Free,
}

/// Random places.
pub trait Places {
    /// A layout with modes of these sizes, of any form.
    fn place(&mut self, sizes: &[i64], strides: Strides) -> Place;

    /// A layout of integer strides with modes of these sizes.
    fn sums(&mut self, sizes: &[i64], strides: Strides) -> Place;

    /// Extents whose product is `size`.
    fn factors(&mut self, size: i64) -> Vec<i64>;

    /// Leaves, in tuples of any depth.
    fn nested(&mut self, extents: &[Vec<i64>], strides: &[Vec<i64>]) -> Place;

    /// Puts a swizzle on top, where no offset is negative.
    fn swizzle(&mut self, place: &mut Place);

    /// Joins powers of two without carries instead, where all sizes are such.
    fn xor(&mut self, place: &mut Place, sizes: &[i64]);
}

impl Places for Random {
    fn place(&mut self, sizes: &[i64], strides: Strides) -> Place {
        let mut place = self.sums(sizes, strides);
        match self.range(0, 15) {
            0 => self.swizzle(&mut place),
            1 => self.xor(&mut place, sizes),
            _ => {}
        }
        if self.once_in(3) {
            place.start += self.range(0, 70);
        }
        place
    }

    fn sums(&mut self, sizes: &[i64], strides: Strides) -> Place {
        let mut leaves: Vec<Vec<i64>> = sizes.iter().map(|&size| self.factors(size)).collect();
        let mut own: Vec<(usize, usize)> =
            leaves.iter().enumerate().flat_map(|(i, mode)| (0..mode.len()).map(move |j| (i, j))).collect();
        // Often the order of the modes, often the other one, else any.
        match self.range(0, 2) {
            0 => {}
            1 => own.reverse(),
            _ => self.shuffle(&mut own),
        }
        let mut chosen: Vec<Vec<i64>> = leaves.iter().map(|mode| vec![0; mode.len()]).collect();
        let mut stride = self.choose(&[1, 1, 1, 1, 2, 3]);
        let gaps = self.range(0, 3);
        for &(i, j) in &own {
            let extent = leaves[i][j];
            chosen[i][j] = if self.once_in(6) { -stride } else { stride };
            stride *= extent;
            stride += match gaps {
                0 => 0,
                1 => self.choose(&[0, 0, 1, 5, 16]),
                2 => self.range(0, 3 * stride.min(100)),
                _ => self.choose(&[0, 1]),
            };
        }
        if strides == Strides::Free {
            for stride in chosen.iter_mut().flatten() {
                if self.once_in(6) {
                    *stride = self.choose(&[0, 0, 1, -1, 2, 7]);
                }
            }
        } else if self.once_in(4) {
            // Modes that lie within each other's reach, and do not meet.
            let mut other = chosen.clone();
            other.iter_mut().flatten().for_each(|stride| *stride = self.range(-12, 12));
            if self.nested(&leaves, &other).is_apart() {
                chosen = other;
            }
        }
        // Extents of 1 have strides that are never used.
        for (mode, strides) in leaves.iter_mut().zip(&mut chosen) {
            if self.once_in(8) {
                let at = self.range(0, mode.len() as i64) as usize;
                mode.insert(at, 1);
                strides.insert(at, self.range(-9, 99));
            }
        }
        self.nested(&leaves, &chosen)
    }

    fn factors(&mut self, size: i64) -> Vec<i64> {
        let (mut left, mut factors) = (size, Vec::new());
        while left > 1 {
            let divisors: Vec<i64> = (2..=left.min(300)).filter(|d| left % d == 0).collect();
            let whole = divisors.is_empty() || self.once_in(2);
            factors.push(if whole { left } else { self.choose(&divisors) });
            left /= factors[factors.len() - 1];
        }
        if factors.is_empty() { vec![1] } else { factors }
    }

    fn nested(&mut self, extents: &[Vec<i64>], strides: &[Vec<i64>]) -> Place {
        let modes = extents.iter().zip(strides).map(|(extents, strides)| {
            let mut modes: Vec<Mode> =
                extents.iter().zip(strides).map(|(&extent, &stride)| Mode::Leaf(extent, stride)).collect();
            while modes.len() > 2 && self.once_in(3) {
                let at = self.range(0, modes.len() as i64 - 2) as usize;
                let pair = modes.splice(at..at + 2, []).collect();
                modes.insert(at, Mode::Tuple(pair));
            }
            if modes.len() == 1 { modes.remove(0) } else { Mode::Tuple(modes) }
        });
        Place::new(modes.collect())
    }

    fn swizzle(&mut self, place: &mut Place) {
        if place.start == 0 {
            let bits = self.range(1, 3);
            let shift = self.range(bits, 4) as i32 * self.choose(&[1, 1, -1]);
            place.form = Form::Swizzled(bits as u32, self.range(0, 3) as u32, shift);
        }
    }

    fn xor(&mut self, place: &mut Place, sizes: &[i64]) {
        if sizes.iter().any(|size| size.count_ones() != 1) {
            return;
        }
        let mut bit = 0;
        let modes = sizes.iter().map(|&size| {
            let own = 1 << bit;
            bit += size.trailing_zeros();
            // The bits above the own ones may be any.
            let stride = own | own << 1 & -(self.range(0, 1));
            Mode::Leaf(size, if size == 1 { 0 } else { stride })
        });
        *place = Place { modes: modes.collect(), form: Form::Xor, start: 0 };
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn places_are_what_the_algebra_says() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let sizes: Vec<i64> =
            (0..random.range(1, 3)).map(|_| random.choose(&[1, 2, 3, 4, 6, 8, 16])).collect();
        let strides = random.choose(&[Strides::Apart, Strides::Free]);
        let place = random.place(&sizes, strides);
        let text = place.layout();
        let at = |i| match place.form {
            Form::Swizzled(..) => {
                let layout: tilework::Composed = text.parse().unwrap();
                Tensor::with_offset(Counting, place.start, layout).unwrap().at(i)
            }
            Form::Sum => place.start + text.parse::<tilework::Layout>().unwrap().at(i),
            Form::Xor => place.start ^ text.parse::<tilework::Layout>().unwrap().at(i),
        };
        let (all, table) = (place.offsets(), place.table());
        for (i, &offset) in all.iter().enumerate() {
            let mut rest = i;
            let coordinate = sizes.iter().map(|&size| (rest % size as usize, rest /= size as usize).0);
            let coordinate: Vec<usize> = coordinate.collect();
            assert_eq!((offset as i64, table.at(&coordinate)), (at(i as i64), offset), "{}", place.text());
        }
    }
}
