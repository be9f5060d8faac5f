//! Random accesses: of all widths, to layouts of all kinds.

use std::fmt;
pub use testkit::Random;
use tilework::{Composed, HTuple, Layout, Leaf, Stride, Swizzle, layout};
use tilework_hardware::Refused;
use tilework_hardware::access::{Access, BankReport, Conflict, SectorReport};
use tilework_hardware::memory::{Banks, Phases, Sectors};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    Nvidia,
    AmdRead,
    AmdWrite,
    /// Five banks of 6 bytes, and every third of 24 lanes.
    Odd,
}

pub struct Case {
    pub layout: Layout,
    /// Bits, base, shift, and the offset before the swizzle.
    pub swizzle: Option<(i64, i64, i64, i64)>,
    pub access: Access,
    pub memory: Memory,
}

impl Case {
    /// How many banks of how many bytes.
    pub fn banks(&self) -> (u32, u32) {
        if self.memory == Memory::Odd { (5, 6) } else { (32, 4) }
    }

    fn memory(&self) -> Banks {
        let (count, bytes) = self.banks();
        match self.memory {
            Memory::Nvidia => Banks::NVIDIA,
            Memory::AmdRead => Banks::AMD_READ,
            Memory::AmdWrite => Banks::AMD_WRITE,
            Memory::Odd => Banks { count, bytes, phases: Phases::all(layout!((3,8):(1,0))).unwrap() },
        }
    }

    fn composed(&self) -> Option<Composed> {
        let (bits, base, shift, start) = self.swizzle?;
        Some(Composed::new(Swizzle::new(bits, base, shift).unwrap(), start, self.layout).unwrap())
    }

    pub fn report(&self) -> Result<BankReport, Refused> {
        match self.composed() {
            Some(composed) => self.memory().report(&composed, &self.access),
            None => self.memory().report(&self.layout, &self.access),
        }
    }

    pub fn conflicts(&self) -> Result<Vec<Conflict>, Refused> {
        match self.composed() {
            Some(composed) => self.memory().conflicts(&composed, &self.access),
            None => self.memory().conflicts(&self.layout, &self.access),
        }
    }

    pub fn sectors(&self, sectors: &Sectors) -> Result<SectorReport, Refused> {
        match self.composed() {
            Some(composed) => sectors.report(&composed, &self.access),
            None => sectors.report(&self.layout, &self.access),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(composed) = self.composed() {
            write!(f, "{composed} ")?;
        } else {
            write!(f, "{} ", self.layout)?;
        }
        write!(f, "by {} in {:?}", self.access, self.memory)
    }
}

/// Random accesses.
pub trait Cases {
    fn case(&mut self) -> Case;

    /// A layout whose first elements are contiguous, as many as a vector has, most of the time.
    fn data(&mut self, vector: u64, plain: bool) -> (Layout, Option<(i64, i64, i64, i64)>);

    fn access(&mut self, size: i64, bits: u32, vector: u32, plain: bool) -> Option<Access>;
}

impl Cases for Random {
    fn case(&mut self) -> Case {
        let memory =
            self.choose(&[Memory::Nvidia, Memory::Nvidia, Memory::AmdRead, Memory::AmdWrite, Memory::Odd]);
        let plain = self.below(2) == 0;
        loop {
            let (bits, vector) = if plain {
                let bits = self.choose(&[8, 16, 32, 64, 128]);
                (bits, self.choose(&[1, 2, 4, 8, 16]))
            } else {
                (self.choose(&[4, 8, 16, 24, 32, 40, 64, 96, 128]), self.choose(&[1, 1, 2, 3, 4, 5, 8, 16]))
            };
            let amd = matches!(memory, Memory::AmdRead | Memory::AmdWrite);
            if bits * vector > 128 || amd && (33..=64).contains(&(bits * vector)) {
                continue;
            }
            let (layout, swizzle) = self.data(vector, plain);
            if let Some(access) = self.access(layout.size(), bits as u32, vector as u32, plain) {
                return Case { layout, swizzle, access, memory };
            }
        }
    }

    fn data(&mut self, vector: u64, plain: bool) -> (Layout, Option<(i64, i64, i64, i64)>) {
        let xor = self.below(3) == 0;
        let mut leaves = vec![(vector as i64, if self.below(30) == 0 { 2 } else { 1 })];
        let mut next = vector as i64;
        for _ in 0..1 + self.below(3) {
            let extent = if plain { 1 << self.below(6) } else { 1 + self.below(20) as i64 };
            let stride = match self.below(8) {
                0 => 0,
                1 => vector as i64 * self.below(70) as i64,
                2 if !xor => -(vector as i64) * self.below(9) as i64,
                3 if !xor => next + vector as i64,
                4 if self.below(8) == 0 => 1 + self.below(50) as i64,
                _ => next,
            };
            leaves.push((extent, stride));
            next = (extent * stride).max(next);
        }
        // The vector stays in front.
        let last = leaves.len() - 1;
        if last > 1 && self.below(2) == 0 {
            leaves.swap(1, last);
        }
        let layout = build(&leaves, xor);
        let negative = layout.min_offset().unwrap() < 0;
        if negative || self.below(2) == 0 {
            return (layout, None);
        }
        let (bits, low) = (self.below(4) as i64, vector.ilog2() as i64);
        let base = low + self.below(4) as i64;
        let shift = (bits + self.below(4) as i64) * if self.below(4) == 0 { -1 } else { 1 };
        let start = if self.below(2) == 0 { 0 } else { vector * self.below(1 << 14) } as i64;
        (layout, Some((bits, base, shift, start)))
    }

    fn access(&mut self, size: i64, bits: u32, vector: u32, plain: bool) -> Option<Access> {
        let v = i64::from(vector);
        let mode = |random: &mut Random, most: u64| {
            let extent =
                if plain { 1 << random.below(most) } else { 1 + random.below(1 << (most - 1)) as i64 };
            let stride = match random.below(6) {
                0 => 0,
                1 => v * random.below(1 + (size / v) as u64) as i64,
                2 if random.below(5) == 0 => random.below(40) as i64,
                _ => v << random.below(1 + (size / v).ilog2() as u64),
            };
            (extent, stride)
        };
        let threads: Vec<_> = (0..1 + self.below(3)).map(|_| mode(self, 5)).collect();
        let values = [(v, 1), mode(self, 3)];
        let reach: i64 = threads.iter().chain(&values).map(|(extent, stride)| (extent - 1) * stride).sum();
        // Some lie outside.
        if reach >= size && self.below(8) != 0 {
            return None;
        }
        let xor = self.below(6) == 0;
        let tv = Layout::concatenate(&[build(&threads, xor), build(&values, xor)]).ok()?;
        if tv.size() > 4096 {
            return None;
        }
        Some(Access::new(tv, bits).unwrap().vector(vector).unwrap())
    }
}

fn build(leaves: &[(i64, i64)], xor: bool) -> Layout {
    let modes: Vec<_> = leaves
        .iter()
        .map(|&(extent, stride)| {
            let stride = if xor { Stride::xor(stride).unwrap() } else { Stride::integer(stride) };
            HTuple::leaf(Leaf { extent, stride })
        })
        .collect();
    Layout::new(HTuple::tuple(&modes).unwrap()).unwrap()
}
