//! XOR strides: bits of the offsets above the banks XORed into those that choose the bank.
//!
//! In words, such a map is `F = [I X; 0 I]` over the bits of the bank and those above. Two words of one phase are in
//! one bank if and only if their difference is in the kernel `K` of `[I X]`, which has the basis `e_i + X e_i` for the
//! bits `i` above. So the words `W` of a phase are spread over as many banks as possible if and only if `dim(K n W) =
//! dim W - min(dim W, banks)`. This is checked while `K` grows by one column of `X` at a time: the intersection never
//! shrinks.

use super::certificate::Certificate;
use super::impossible::Impossible;
use super::trial::Trial;
use crate::access::{Access, Space, reduce_into};
use crate::memory::Banks;
use alloc::vec::Vec;
use tilework::{BitMatrix, Error, Layout, MAX_BITS, Swizzle};

/// The most partial choices that are tried.
const BUDGET: u64 = 200_000;

pub(super) fn search<'a>(trial: &Trial<'a>) -> Result<Certificate<'a>, Impossible> {
    let refused = |access: usize, error: Error| Impossible::Refused { access, refused: error.into() };
    let (tile, accesses) = (&trial.tile, trial.accesses);
    if tile.to_bit_matrix().is_err() {
        return Err(Impossible::NotLinear { access: None });
    }
    let mut spaces = Vec::new();
    for (i, (banks, access)) in accesses.iter().enumerate() {
        let Some(columns) = &trial.linear[i] else {
            // Not linear, or only the vectors are broken up?
            return Err(match banks.report(tile, access) {
                Err(refused) => Impossible::Refused { access: i, refused },
                Ok(_) => Impossible::NotLinear { access: Some(i) },
            });
        };
        let Some((space, _)) = columns.words(banks, access) else {
            return Err(Impossible::NotLinear { access: Some(i) });
        };
        spaces.push(space);
    }
    let Some(field) = Field::new(accesses) else { return Err(Impossible::NotLinear { access: Some(0) }) };
    let above = spaces.iter().fold(0, |all, space| all | space.support()) >> field.banks << field.banks;
    let bits: Vec<u32> = (0..u64::BITS).filter(|bit| above >> bit & 1 == 1).collect();
    let mut search = Search { spaces: &spaces, field, bits: &bits, chosen: Vec::new(), candidates: 0 };
    match search.extend() {
        Some(true) => {}
        Some(false) => return Err(Impossible::Dependent { candidates: search.candidates }),
        None => return Err(Impossible::Undecided { candidates: search.candidates }),
    }
    let layout = field.layout(tile, &bits, &search.chosen).map_err(|error| refused(0, error))?;
    Certificate::new(Swizzle::NONE, layout, accesses).map_err(|error| refused(0, error))
}

/// The bits of a word that choose the bank, and those that may change.
#[derive(Clone, Copy)]
struct Field {
    /// The bits of an offset within a word; negated if an element is wider than a word.
    word: u32,
    /// The bits of a bank.
    banks: u32,
    /// The first bit of a bank above the widest vector.
    first: u32,
}

impl Field {
    /// The field, if all accesses have elements no wider than a word, and the same banks.
    fn new(accesses: &[(Banks, Access)]) -> Option<Field> {
        let (banks, access) = accesses.first()?;
        let word = (8 * u64::from(banks.bytes) / u64::from(access.bits())).checked_ilog2()?;
        let vector = accesses.iter().map(|(_, access)| access.vector_len()).max()?.ilog2();
        let same = accesses.iter().all(|(own, other)| {
            (own.count, own.bytes, other.bits()) == (banks.count, banks.bytes, access.bits())
        });
        same.then_some(Field { word, banks: banks.count.ilog2(), first: vector.saturating_sub(word) })
    }

    /// The tile with each of the `bits` above the banks XORed into the chosen bits of the bank.
    fn layout(self, tile: &Layout, bits: &[u32], chosen: &[u64]) -> Result<Layout, Error> {
        let size = tile.to_bit_matrix()?.rows();
        let mut columns = [0; MAX_BITS];
        for (i, column) in columns[..size].iter_mut().enumerate() {
            let into = bits.iter().position(|&bit| bit + self.word == i as u32).map_or(0, |k| chosen[k]);
            *column = 1 << i | into << self.word;
        }
        let rows = size.max((self.word + self.banks) as usize);
        BitMatrix::new(rows, &columns[..size])?.to_layout()?.composition(tile)
    }
}

struct Search<'a> {
    spaces: &'a [Space],
    field: Field,
    bits: &'a [u32],
    /// The bits into which each of the first bits is XORed.
    chosen: Vec<u64>,
    candidates: u64,
}

impl Search<'_> {
    /// Whether the choices so far extend to all bits; none if the budget ends.
    fn extend(&mut self) -> Option<bool> {
        if !self.spaces.iter().all(|space| self.may_be_free(space)) {
            return Some(false);
        }
        if self.chosen.len() == self.bits.len() {
            return Some(true);
        }
        for choice in 0..1u64 << self.field.banks.saturating_sub(self.field.first) {
            self.candidates += 1;
            if self.candidates > BUDGET {
                return None;
            }
            self.chosen.push(choice << self.field.first);
            if self.extend()? {
                return Some(true);
            }
            self.chosen.pop();
        }
        Some(false)
    }

    /// Whether the kernel so far intersects the words of a phase no more than necessary.
    fn may_be_free(&self, space: &Space) -> bool {
        let (mut sum, mut rank) = (space.words, space.rank);
        for (&bit, &choice) in self.bits.iter().zip(&self.chosen) {
            rank += u32::from(reduce_into(&mut sum, 1 << bit | choice));
        }
        let meet = space.rank + self.chosen.len() as u32 - rank;
        meet <= space.rank.saturating_sub(self.field.banks)
    }
}
