//! The description of an instruction that copies data.

use tilework::{Error, Layout};

use super::name::Name;

/// An instruction that copies data: thread by thread, or by all threads of a warp together.
///
/// The layouts map `(thread,value)` to **bits** of the copied data. The numbering of the bits is arbitrary, but the
/// same in the source and in the destination: bit `i` of the source is copied to bit `i` of the destination.
///
/// ```
/// use tilework_hardware::atom::nvidia::SM75_U32x1_LDSM_N as LDSM;
/// // The rows of the 8x8 matrix of 16 bits come from threads 0 to 7, 128 bits each; four threads share a row.
/// assert_eq!(LDSM.src.to_string(), "((8,4),128):((128,0),1)");
/// assert_eq!(LDSM.dst.to_string(), "(32,32):(32,1)");
/// // For elements of 16 bits, bits become elements.
/// assert_eq!(LDSM.dst.upcast(16).unwrap().to_string(), "(32,2):(2,1)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyAtom {
    /// The struct in CUTLASS.
    pub name: Name,
    /// The instruction, or the common part of its variants.
    pub instruction: &'static str,
    /// The section of the manual that states which register holds which bits.
    pub section: &'static str,
    /// From the index of a thread to its lane.
    pub threads: Layout,
    /// `(thread,value) -> bit` of the source.
    pub src: Layout,
    /// `(thread,value) -> bit` of the destination.
    pub dst: Layout,
    /// The side whose threads and values define the layout of a tiled copy: the destination, or the source.
    pub reference: Side,
    /// If the instruction prescribes addresses: from the copied bits to bits of tensor memory, in which a lane is 2^21
    /// bits long.
    pub memory: Option<Layout>,
}

/// One of the two sides of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The data that is read.
    Source,
    /// The data that is written.
    Destination,
}

impl CopyAtom {
    /// The source and the destination, in elements of `bits` bits.
    ///
    /// ```
    /// use tilework_hardware::atom::{Atom, find, nvidia::SM75_U32x4_LDSM_N as LDSM};
    /// let [source, destination] = LDSM.elements(16)?;
    /// assert_eq!((source.to_string(), destination.to_string()), ("(32,8):(8,1)".into(), "(32,(2,4)):(2,(1,64))".into()));
    /// // A register of the destination has 32 bits.
    /// assert!(LDSM.elements(64).is_err());
    /// let Some(Atom::Copy(vectors)) = find("AutoVectorizingCopyWithAssumedAlignment<128>") else { unreachable!() };
    /// assert_eq!(vectors.elements(16)?[0].to_string(), "(1,1):(0,0)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if an element is split between threads; those of [`Layout::upcast`].
    pub const fn elements(&self, bits: i64) -> Result<[Layout; 2], Error> {
        Ok([tri!(whole(&self.src, bits)), tri!(whole(&self.dst, bits))])
    }

    /// The layout of the reference side of a tiled copy.
    #[must_use]
    pub const fn reference_layout(&self) -> &Layout {
        match self.reference {
            Side::Source => &self.src,
            Side::Destination => &self.dst,
        }
    }
}

/// A side in elements of `bits` bits, none of them split between threads; where CuTe chooses the instruction, one element of any
/// width is a single place.
const fn whole(side: &Layout, bits: i64) -> Result<Layout, Error> {
    if tri!(side.cosize()) == 1 && bits > 0 {
        return Ok(*side);
    }
    let elements = tri!(side.upcast(bits));
    let (own, found) = (tri!(side.mode(1)).size(), tri!(elements.mode(1)).size());
    match found.checked_mul(bits) {
        Some(all) if all == own && tri!(elements.mode(0)).size() == tri!(side.mode(0)).size() => Ok(elements),
        _ => Err(Error::Argument {
            operation: "elements of a copy",
            expected: "as many bits as one thread moves in one piece, or a divisor of them",
            found: bits,
        }),
    }
}
