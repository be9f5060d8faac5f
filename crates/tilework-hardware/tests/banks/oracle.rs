//! Counting, written anew: layouts are evaluated leaf by leaf, phases are lists of lanes, and words are sets.

use super::random::{Case, Memory};
use std::collections::{BTreeMap, BTreeSet};
use tilework::{Codomain, Layout};
use tilework_hardware::Refused;

/// The offset of an index, from extents and strides.
pub fn evaluate(layout: &Layout, index: i64) -> i64 {
    let (mut rest, mut offset) = (index, 0);
    for leaf in layout.leaves() {
        let (digit, stride) = (rest % leaf.extent, leaf.stride.count().numerator());
        rest /= leaf.extent;
        if layout.codomain() == Codomain::Xor {
            for bit in 0..63 {
                if digit >> bit & 1 == 1 {
                    offset ^= stride << bit;
                }
            }
        } else {
            offset += digit * stride;
        }
    }
    offset
}

/// Phase of each lane, as the manuals tell it.
pub fn phases(memory: Memory, width: u32) -> Vec<i64> {
    let quarter = |lane: i64| match lane % 32 {
        0..=3 | 20..=23 => 0,
        4..=7 | 16..=19 => 1,
        8..=11 | 28..=31 => 2,
        _ => 3,
    };
    match (memory, width) {
        (Memory::Nvidia, ..=32) => vec![0; 32],
        (Memory::Nvidia, ..=64) => (0..32).map(|lane| lane / 16).collect(),
        (Memory::Nvidia, _) => (0..32).map(|lane| lane / 8).collect(),
        (Memory::AmdRead | Memory::AmdWrite, ..=32) => (0..64).map(|lane| lane / 32).collect(),
        (Memory::AmdWrite, _) => (0..64).map(|lane| lane / 8).collect(),
        (Memory::AmdRead, _) => (0..64).map(|lane| quarter(lane) + 4 * (lane / 32)).collect(),
        (Memory::Odd, _) => (0..24).map(|lane| lane % 3).collect(),
    }
}

/// Warp, instruction, phase and bank.
type Place = (u32, u32, i64, u32);

pub struct Banked {
    /// Wavefronts, ideal, degree, phases.
    pub numbers: (u64, u64, u64, u64),
    /// The wavefronts of the longest phase of those that take longer than their ideal.
    pub worst: Option<u64>,
    /// The words in each bank, and the lanes that access them.
    pub meetings: BTreeMap<Place, (u32, u64)>,
}

pub struct Oracle<'a> {
    case: &'a Case,
    /// The offset of each value of each thread; nothing where a coordinate is outside.
    offsets: Vec<Vec<Option<i64>>>,
}

impl<'a> Oracle<'a> {
    pub fn new(case: &'a Case) -> Oracle<'a> {
        let (threads, values) = (case.access.threads(), case.access.values());
        let offset = |thread: i64, value: i64| {
            let index = evaluate(case.access.layout(), thread + threads * value);
            if index < 0 || index >= case.layout.size() {
                return None;
            }
            let mut offset = evaluate(&case.layout, index);
            if let Some((bits, base, shift, start)) = case.swizzle {
                offset =
                    if case.layout.codomain() == Codomain::Xor { offset ^ start } else { offset + start };
                let field = (1 << bits) - 1;
                offset ^= if shift >= 0 {
                    (offset >> (base + shift) & field) << base
                } else {
                    (offset >> base & field) << (base - shift)
                };
            }
            Some(offset)
        };
        let offsets = (0..threads).map(|t| (0..values).map(|v| offset(t, v)).collect()).collect();
        Oracle { case, offsets }
    }

    fn vector(&self) -> usize {
        self.case.access.vector_len() as usize
    }

    /// Whether some vector is inside, and each is inside and contiguous, or outside.
    fn is_legal(&self) -> bool {
        self.offsets.iter().flatten().any(Option::is_some)
            && self.offsets.iter().all(|values| {
                values.chunks(self.vector()).all(|vector| {
                    let Some(first) = vector[0] else { return vector.iter().all(Option::is_none) };
                    (0..).zip(vector).all(|(i, &at)| at == Some(first + i))
                        && first % vector.len() as i64 == 0
                })
            })
    }

    /// How many indices are reached, and how many values are outside.
    pub fn reach(&self) -> (i64, i64) {
        let (threads, values) = (self.case.access.threads(), self.case.access.values());
        let all = (0..threads * values).map(|number| evaluate(self.case.access.layout(), number));
        let (inside, outside): (Vec<i64>, Vec<i64>) =
            all.partition(|index| (0..self.case.layout.size()).contains(index));
        (inside.into_iter().collect::<BTreeSet<_>>().len() as i64, outside.len() as i64)
    }

    /// Whether what is refused is so.
    pub fn confirms(&self, error: &Refused) -> bool {
        let at = |thread: i64, value: i64| self.offsets[thread as usize][value as usize];
        match *error {
            Refused::Outside { thread, value, vector, .. } => {
                let vector = i64::from(vector);
                let first = value / vector * vector;
                let all_outside = || self.offsets.iter().flatten().all(Option::is_none);
                let some_inside = || (first..first + vector).any(|value| at(thread, value).is_some());
                at(thread, value).is_none() && if vector == 1 { all_outside() } else { some_inside() }
            }
            Refused::Scattered { thread, value, expected, found, .. } => {
                let first = at(thread, value / self.vector() as i64 * self.vector() as i64).unwrap();
                at(thread, value) == Some(found)
                    && found != expected
                    && expected == first + value % self.vector() as i64
            }
            Refused::Misaligned { thread, value, offset, vector } => {
                at(thread, value) == Some(offset) && offset % i64::from(vector) != 0
            }
            _ => false,
        }
    }

    pub fn banks(&self) -> Option<Banked> {
        if !self.is_legal() {
            return None;
        }
        let (count, bytes) = self.case.banks();
        let phases = phases(self.case.memory, self.case.access.width());
        let mut served: BTreeMap<(u32, u32, i64), BTreeMap<u32, BTreeSet<i64>>> = BTreeMap::new();
        let mut meetings: BTreeMap<Place, (u32, u64)> = BTreeMap::new();
        for (thread, values) in self.offsets.iter().enumerate() {
            let (warp, lane) = ((thread / phases.len()) as u32, thread % phases.len());
            for (instruction, vector) in values.chunks(self.vector()).enumerate() {
                let place = (warp, instruction as u32, phases[lane]);
                let Some(first) = vector[0] else { continue };
                for word in self.units(first, i64::from(bytes) * 8) {
                    let bank = word.rem_euclid(i64::from(count)) as u32;
                    served.entry(place).or_default().entry(bank).or_default().insert(word);
                    meetings.entry((place.0, place.1, place.2, bank)).or_default().1 |= 1 << lane;
                }
            }
        }
        let (mut wavefronts, mut ideal, mut degree, mut worst) = (0, 0, 0, None);
        for (&(warp, instruction, phase), banks) in &served {
            let words: usize = banks.values().map(BTreeSet::len).sum();
            let most = banks.values().map(BTreeSet::len).max().unwrap();
            wavefronts += most as u64;
            ideal += words.div_ceil(count as usize) as u64;
            if most > words.div_ceil(count as usize) {
                worst = worst.max(Some(most as u64));
            }
            degree = degree.max(most as u64);
            for (&bank, words) in banks {
                meetings.get_mut(&(warp, instruction, phase, bank)).unwrap().0 = words.len() as u32;
            }
        }
        Some(Banked { numbers: (wavefronts, ideal, degree, served.len() as u64), worst, meetings })
    }

    /// The units of so many bits that a vector lies in.
    fn units(&self, offset: i64, bits: i64) -> BTreeSet<i64> {
        let element = i64::from(self.case.access.bits());
        let start = offset * element;
        (start..start + i64::from(self.case.access.width())).map(|bit| bit.div_euclid(bits)).collect()
    }

    /// Requests, sectors, ideal, lines and bits.
    pub fn sectors(&self) -> (u64, u64, u64, u64, u64) {
        let mut requests: BTreeMap<(usize, usize), [BTreeSet<i64>; 3]> = BTreeMap::new();
        for (thread, values) in self.offsets.iter().enumerate() {
            for (instruction, vector) in values.chunks(self.vector()).enumerate() {
                let Some(first) = vector[0] else { continue };
                let request = requests.entry((thread / 32, instruction)).or_default();
                for (set, bits) in request.iter_mut().zip([32 * 8, 128 * 8, 1]) {
                    set.extend(self.units(first, bits));
                }
            }
        }
        let sum = |of: fn(&[BTreeSet<i64>; 3]) -> usize| requests.values().map(of).sum::<usize>() as u64;
        let ideal = sum(|[_, _, bits]| bits.len().div_ceil(256));
        (requests.len() as u64, sum(|r| r[0].len()), ideal, sum(|r| r[1].len()), sum(|r| r[2].len()))
    }
}
