//! The result of a search, and its independent check.

use crate::access::Access;
use crate::memory::Banks;
use crate::refused::Refused;
use core::fmt;
use tilework::{Codomain, Composed, Error, HTuple, Layout, MAX_LEAVES, Swizzle};

/// A claim that no access to a layout has conflicts.
///
/// [`check`](Self::check) counts the words in each bank from the definition, value by value, and shares no code with
/// the reports and searches; in a constant, the compiler checks the proof.
///
/// ```
/// use tilework::{Layout, Swizzle, layout};
/// use tilework_hardware::{access::Access, memory::Banks, swizzle::Certificate};
/// // Lanes write a row of 32 words, and read a column.
/// const ROW: Access = match Access::new(layout!((32,1):(32,0)), 32) { Ok(access) => access, Err(_) => panic!() };
/// const COLUMN: Access = match Access::new(layout!((32,1):(1,0)), 32) { Ok(access) => access, Err(_) => panic!() };
/// const ACCESSES: [(Banks, Access); 2] = [(Banks::NVIDIA, ROW), (Banks::NVIDIA, COLUMN)];
/// const SWIZZLE: Swizzle = match Swizzle::new(5, 0, 5) { Ok(swizzle) => swizzle, Err(_) => panic!() };
/// const TILE: Certificate = match Certificate::new(SWIZZLE, layout!((32,32):(32,1)), &ACCESSES) {
///     Ok(certificate) => certificate,
///     Err(_) => panic!(),
/// };
/// const _: () = assert!(TILE.check().is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Certificate<'a> {
    data: Composed,
    accesses: &'a [(Banks, Access)],
}

/// The claim of a certificate that is false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// Two elements have the same offset, or it is undecided whether they do.
    Injective,
    /// The memory does not serve an access.
    Refused {
        /// Which access.
        access: usize,
        /// The reason.
        refused: Refused,
    },
    /// More words in a bank than necessary.
    Conflict {
        /// Which access.
        access: usize,
        /// The warp.
        warp: i64,
        /// The first value of the vectors.
        value: i64,
        /// The phase.
        phase: i64,
        /// The most words in a bank.
        words: u32,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Flaw::Injective => f.write_str("two elements may share a place"),
            Flaw::Refused { access, refused } => write!(f, "access {access}: {refused}"),
            Flaw::Conflict { access, warp, value, phase, words } => write!(
                f,
                "access {access}, warp {warp}, value {value}, phase {phase}: {words} words in a bank"
            ),
        }
    }
}

impl core::error::Error for Flaw {}

/// The most words of a phase: 64 lanes of 16 bytes, and one more each if these begin within a word.
const MAX_WORDS: usize = 64 * 5;

/// The most values of all threads that are enumerated.
const MAX_VALUES: i64 = 1 << 20;

/// `?` in constants.
macro_rules! algebra {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(Refused::Algebra(error)),
        }
    };
}

impl<'a> Certificate<'a> {
    /// The claim that these accesses to `swizzle o layout` have no conflicts; nothing is checked yet.
    ///
    /// # Errors
    /// Those of [`Composed::new`].
    pub const fn new(
        swizzle: Swizzle,
        layout: Layout,
        accesses: &'a [(Banks, Access)],
    ) -> Result<Certificate<'a>, Error> {
        Ok(Certificate { data: tri!(Composed::new(swizzle, 0, layout)), accesses })
    }

    /// The layout that the tile should have.
    #[must_use]
    pub const fn data(&self) -> &Composed {
        &self.data
    }

    /// The elements of memory that the tile takes, up to the end of the swizzle's pattern.
    ///
    /// # Errors
    /// Those of [`Layout::cosize`]; [`Error::TooLarge`].
    pub const fn elements(&self) -> Result<i64, Error> {
        let cosize = tri!(self.data.layout().cosize());
        let fields = self.data.swizzle().source_mask() | self.data.swizzle().target_mask();
        let pattern = 1 << (i64::BITS - fields.leading_zeros());
        match (cosize - 1).checked_add(pattern) {
            Some(most) => Ok(most / pattern * pattern),
            None => Err(Error::TooLarge { what: "the memory of a swizzled tile" }),
        }
    }

    /// The accesses, each with its memory.
    #[must_use]
    pub const fn accesses(&self) -> &'a [(Banks, Access)] {
        self.accesses
    }

    /// Checks by counting that offsets are distinct, that every vector is contiguous and aligned, and that in every
    /// phase no bank has more words than `ceil(words / banks)`.
    ///
    /// # Errors
    /// The first [`Flaw`] found.
    pub const fn check(&self) -> Result<(), Flaw> {
        if !matches!(self.data.layout().is_injective(), Ok(true)) {
            return Err(Flaw::Injective);
        }
        let mut i = 0;
        while i < self.accesses.len() {
            match self.check_access(i) {
                Ok(None) => i += 1,
                Ok(Some(flaw)) => return Err(flaw),
                Err(refused) => return Err(Flaw::Refused { access: i, refused }),
            }
        }
        Ok(())
    }

    const fn check_access(&self, number: usize) -> Result<Option<Flaw>, Refused> {
        let (banks, access) = &self.accesses[number];
        if access.layout().size() > MAX_VALUES {
            let what = "values of all threads in a certificate";
            return Err(Refused::Algebra(Error::Capacity { what, limit: MAX_VALUES as usize }));
        }
        let lanes = tri!(banks.phases.of_width(access.width()));
        let (threads, warp_size) = (access.threads(), lanes.size());
        let mut first = 0;
        while first < threads {
            let mut value = 0;
            while value < access.values() {
                let mut leader = 0;
                while leader < warp_size && first + leader < threads {
                    let phase = algebra!(lanes.const_try_at(leader));
                    // The first lane of each phase represents it.
                    let (mut before, mut leads) = (0, true);
                    while before < leader {
                        leads &= algebra!(lanes.const_try_at(before)) != phase;
                        before += 1;
                    }
                    if leads && let Some(flaw) = tri!(self.check_phase(number, lanes, first, value, phase)) {
                        return Ok(Some(flaw));
                    }
                    leader += 1;
                }
                value += access.vector_len() as i64;
            }
            first += warp_size;
        }
        Ok(None)
    }

    /// Checks one phase of the warp whose threads begin at `first`.
    const fn check_phase(
        &self,
        number: usize,
        lanes: &Layout,
        first: i64,
        value: i64,
        phase: i64,
    ) -> Result<Option<Flaw>, Refused> {
        let (banks, access) = &self.accesses[number];
        let (mut words, mut count, mut lane) = ([0i128; MAX_WORDS], 0, 0);
        while lane < lanes.size() && first + lane < access.threads() {
            if algebra!(lanes.const_try_at(lane)) == phase {
                let Some(start) = tri!(self.vector(access, first + lane, value)) else {
                    lane += 1;
                    continue;
                };
                let start = start as i128 * access.bits() as i128;
                let bits = 8 * banks.bytes as i128;
                if bits == 0 || banks.count == 0 {
                    return Err(Refused::Width { bits: 0, most: 128 });
                }
                let mut word = start.div_euclid(bits);
                while word * bits < start + access.width() as i128 {
                    let mut known = 0;
                    while known < count && words[known] != word {
                        known += 1;
                    }
                    if known == MAX_WORDS {
                        let error = Error::Capacity { what: "words of a phase", limit: MAX_WORDS };
                        return Err(Refused::Algebra(error));
                    }
                    if known == count {
                        words[count] = word;
                        count += 1;
                    }
                    word += 1;
                }
            }
            lane += 1;
        }
        let mut i = 0;
        while i < count {
            let (mut in_bank, mut k) = (0, 0);
            while k < count {
                in_bank += (words[k].rem_euclid(banks.count as i128)
                    == words[i].rem_euclid(banks.count as i128)) as u32;
                k += 1;
            }
            if in_bank as usize > count.div_ceil(banks.count as usize) {
                let warp = first / lanes.size();
                return Ok(Some(Flaw::Conflict { access: number, warp, value, phase, words: in_bank }));
            }
            i += 1;
        }
        Ok(None)
    }

    /// The offset of a vector, if it is contiguous and aligned; `None` if it is outside the layout.
    const fn vector(&self, access: &Access, thread: i64, first: i64) -> Result<Option<i64>, Refused> {
        let (mut start, mut v, mut outside) = (0, 0, 0);
        let (vector, size) = (access.vector_len(), self.data.layout().size());
        let length = vector as i64;
        while v < length {
            outside += tri!(self.offset(access, thread, first + v)).is_err() as i64;
            v += 1;
        }
        if outside == length {
            return Ok(None);
        }
        v = 0;
        while v < length {
            let value = first + v;
            let found = match tri!(self.offset(access, thread, value)) {
                Ok(found) => found,
                Err(index) => return Err(Refused::Outside { thread, value, index, size, vector }),
            };
            if v == 0 {
                start = found;
                if length > 1 && start % length != 0 {
                    return Err(Refused::Misaligned { thread, value, offset: start, vector });
                }
            }
            if found - start != v {
                let (expected, along) = (start + v, access.along());
                return Err(Refused::Scattered { thread, value, expected, found, vector, along });
            }
            v += 1;
        }
        Ok(Some(start))
    }

    /// The offset of a value of a thread, or the first entry of its coordinate outside the layout.
    const fn offset(&self, access: &Access, thread: i64, value: i64) -> Result<Result<i64, i64>, Refused> {
        let index = HTuple::leaf(thread + access.threads() * value);
        let found = algebra!(access.layout().const_evaluate(&index));
        let (mut leaves, mut i) = ([0; MAX_LEAVES], 0);
        while i < found.leaves().len() {
            leaves[i] = found.leaves()[i].numerator();
            i += 1;
        }
        let coord = algebra!(HTuple::with_profile(found.profile(), leaves.split_at(i).0, 0));
        let layout = self.data.layout();
        if let found @ Codomain::Rational = access.layout().codomain() {
            return Err(Refused::Algebra(Error::Codomain { operation: "a coordinate of a tile", found }));
        }
        let index = algebra!(layout.shape().crd2idx(&coord));
        if !layout.shape().is_in_bounds(&coord) {
            return Ok(Err(index));
        }
        Ok(Ok(algebra!(self.data.const_try_at(index))))
    }
}
