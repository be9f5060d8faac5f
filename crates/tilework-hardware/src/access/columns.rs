//! An access that is linear over F2: the offsets of the bits of thread and value.

use super::{Access, Reach};
use crate::memory::Banks;
use alloc::vec::Vec;
use tilework::{Codomain, HasLayout, Swizzle};

/// The most bits of a thread or value number that are considered.
const MAX_BITS: usize = 32;

/// The columns of an access: column `k` is the offset of thread, or value, `2^k`.
#[derive(Clone, Copy)]
pub(crate) struct Columns {
    list: [u64; MAX_BITS],
    threads: usize,
    values: usize,
    /// The offset of thread 0 and value 0, which either shares no bit with a column, or is XORed with the columns.
    start: u64,
    pub reach: Reach,
}

impl Columns {
    /// The columns, if all extents are powers of two, nothing carries, and no coordinate is outside the layout.
    pub fn new(data: &impl HasLayout, access: &Access) -> Option<Columns> {
        let (threads, size) = (access.threads() as u64, access.layout().size() as u64);
        if !threads.is_power_of_two() || !size.is_power_of_two() || size.trailing_zeros() > MAX_BITS as u32 {
            return None;
        }
        let layout = data.as_layout();
        let tv = access.layout().to_bit_matrix().ok()?;
        let layout_matrix = layout.to_bit_matrix().ok()?;
        if tv.rows() > layout_matrix.columns().len() {
            return None;
        }
        let threads = threads.trailing_zeros() as usize;
        let values = tv.columns().len() - threads;
        let mut indices = [0; 64];
        let rank: u32 = tv.columns().iter().map(|&index| u32::from(reduce_into(&mut indices, index))).sum();
        let reach = Reach { elements: 1 << rank, size: layout.size(), outside: 0, values: size as i64 };
        let mut columns = Columns { list: [0; MAX_BITS], threads, values, start: 0, reach };
        for (column, &coordinate) in columns.list.iter_mut().zip(tv.columns()) {
            *column = layout_matrix.apply(coordinate);
        }
        if let Some(composed) = data.swizzled() {
            let all = columns.list.iter().fold(0, |all, column| all | column);
            columns.start = u64::try_from(composed.offset()).ok()?;
            if layout.codomain() == Codomain::Integer && columns.start & all != 0 {
                return None;
            }
            columns = columns.swizzled(composed.swizzle());
        }
        Some(columns)
    }

    /// The same access to the layout with one more swizzle.
    pub fn swizzled(&self, swizzle: Swizzle) -> Columns {
        // An offset has 63 bits.
        self.map(|column| swizzle.apply(column as i64).map_or(column, |offset| offset as u64))
    }

    /// The access through a linear map of offsets.
    pub fn map(&self, function: impl Fn(u64) -> u64) -> Columns {
        let mut columns = *self;
        columns.start = function(self.start);
        for column in &mut columns.list[..self.threads + self.values] {
            *column = function(*column);
        }
        columns
    }

    /// The offset of a thread and a value.
    pub fn at(&self, thread: u64, value: u64) -> u64 {
        let (threads, values) = self.list.split_at(self.threads);
        let bits = |columns: &[u64], number: u64| {
            columns
                .iter()
                .enumerate()
                .filter(|(k, _)| number >> k & 1 == 1)
                .fold(0, |sum, (_, column)| sum ^ column)
        };
        self.start ^ bits(threads, thread) ^ bits(values, value)
    }

    /// Whether vectors are contiguous and begin at multiples of their length.
    pub fn are_vectors(&self, access: &Access) -> bool {
        let bits = access.vector_len().trailing_zeros() as usize;
        let (threads, values) = self.list[..self.threads + self.values].split_at(self.threads);
        access.vector_len().is_power_of_two()
            && values[..bits].iter().enumerate().all(|(k, &column)| column == 1 << k)
            && threads
                .iter()
                .chain(&values[bits..])
                .chain([&self.start])
                .all(|column| column % (1 << bits) == 0)
    }

    /// The words of the lanes of one phase, which is the same space for every phase, up to its start, and the number of
    /// phases.
    pub fn words(&self, banks: &Banks, access: &Access) -> Option<(Space, u64)> {
        let lanes = banks.phases.of_width(access.width()).ok()?;
        let (count, word) = (banks.count, 8 * u64::from(banks.bytes));
        if !self.are_vectors(access)
            || !count.is_power_of_two()
            || !word.is_power_of_two()
            || !access.bits().is_power_of_two()
        {
            return None;
        }
        let matrix = lanes.to_bit_matrix().ok()?;
        let mut phases = Named::new();
        let mut space = Space::new(count);
        let (element, word) = (access.bits().trailing_zeros(), word.trailing_zeros());
        let to_word = |offset: u64| {
            if element <= word {
                return Some(offset >> (word - element));
            }
            (offset.leading_zeros() > element - word).then_some(offset << (element - word))
        };
        let mut lanes_of_phase = 0;
        for (lane, &phase) in matrix.columns().iter().enumerate().take(self.threads) {
            // Lanes that are dependent in the layout of phases are lanes of one phase.
            if let Some(combination) = phases.insert(phase, 1 << lane) {
                space.insert(to_word(self.at(combination, 0) ^ self.start)?);
                lanes_of_phase += 1;
            }
        }
        for k in 0..access.vector_len().trailing_zeros() {
            space.insert(to_word(1 << k)?);
        }
        for k in word..element {
            space.insert(1 << (k - word));
        }
        let instructions = self.values - access.vector_len().trailing_zeros() as usize;
        Some((space, 1 << (self.threads - lanes_of_phase + instructions)))
    }
}

/// A space of words over F2, and its image in the banks.
#[derive(Clone, Copy)]
pub(crate) struct Space {
    pub words: [u64; 64],
    pub rank: u32,
    banks: [u64; 32],
    pub bank_rank: u32,
    count: u32,
}

impl Space {
    fn new(count: u32) -> Space {
        Space { words: [0; 64], rank: 0, banks: [0; 32], bank_rank: 0, count }
    }

    fn insert(&mut self, word: u64) {
        self.rank += u32::from(reduce_into(&mut self.words, word));
        self.bank_rank += u32::from(reduce_into(&mut self.banks, word & u64::from(self.count - 1)));
    }

    /// A basis of the words and one of their banks, the lowest first.
    pub fn bases(&self) -> [Vec<u64>; 2] {
        [&self.words[..], &self.banks]
            .map(|echelon| echelon.iter().copied().filter(|&word| word != 0).collect())
    }

    /// The bits that occur in words of the space.
    pub fn support(&self) -> u64 {
        self.words.iter().fold(0, |all, word| all | word)
    }

    /// The wavefronts of a phase: the words in each bank that has any.
    pub fn wavefronts(&self) -> u64 {
        1 << (self.rank - self.bank_rank)
    }

    /// The fewest wavefronts possible for these words.
    pub fn ideal(&self) -> u64 {
        1 << self.rank.saturating_sub(self.count.trailing_zeros())
    }
}

/// Reduces a vector by an echelon form and adds it; returns whether it was independent.
pub(crate) fn reduce_into(vectors: &mut [u64], vector: u64) -> bool {
    let mut rest = vector;
    while rest != 0 {
        let lead = rest.ilog2() as usize;
        if vectors[lead] == 0 {
            vectors[lead] = rest;
            return true;
        }
        rest ^= vectors[lead];
    }
    false
}

/// An echelon form that records for each of its vectors the given vectors whose sum it is.
struct Named {
    vectors: [u64; 64],
    names: [u64; 64],
}

impl Named {
    fn new() -> Named {
        Named { vectors: [0; 64], names: [0; 64] }
    }

    /// Adds a vector; if it depends on earlier ones, returns the names of those whose sum is 0.
    fn insert(&mut self, vector: u64, name: u64) -> Option<u64> {
        let (mut rest, mut names) = (vector, name);
        while rest != 0 {
            let lead = rest.ilog2() as usize;
            if self.vectors[lead] == 0 {
                (self.vectors[lead], self.names[lead]) = (rest, names);
                return None;
            }
            rest ^= self.vectors[lead];
            names ^= self.names[lead];
        }
        Some(names)
    }
}
