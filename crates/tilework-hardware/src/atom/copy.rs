//! What an instruction is that moves data.

use tilework::Layout;

use super::name::Name;

/// An instruction that moves data: thread by thread, or by all threads of a warp together.
///
/// The layouts map `(thread,value)` to **bits** of what is moved; which bit has which number is arbitrary, and the same in the
/// source and in the destination. What thread and value the source has at a bit, the destination has it at the same bit.
///
/// ```
/// use tilework_hardware::atom::nvidia::SM75_U32x1_LDSM_N as LDSM;
/// // The rows of the 8x8 matrix of 16 bits come from threads 0 to 7, 128 bits each; four threads share a row.
/// assert_eq!(LDSM.src.to_string(), "((8,4),128):((128,0),1)");
/// assert_eq!(LDSM.dst.to_string(), "(32,32):(32,1)");
/// // For elements of 16 bits, bits become elements.
/// assert_eq!(LDSM.dst.upcast(16).unwrap().to_string(), "(32,2):(2,1)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CopyAtom {
    /// The struct in CUTLASS.
    pub name: Name,
    /// The instruction, or what its variants have in common.
    pub instruction: &'static str,
    /// Where the manual states which register holds what.
    pub section: &'static str,
    /// From the index of a thread to its lane.
    pub threads: Layout,
    /// `(thread,value) -> bit` of the source.
    pub src: Layout,
    /// `(thread,value) -> bit` of the destination.
    pub dst: Layout,
    /// Whose threads and values a tiled copy is laid out by: those of the destination, or of the source.
    pub reference: Side,
    /// Where the instruction prescribes addresses: from the bits of what is moved to bits of tensor memory, in which a lane
    /// is 2^21 bits long.
    pub memory: Option<Layout>,
}

/// One of the two sides of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// What is read.
    Source,
    /// What is written.
    Destination,
}

impl CopyAtom {
    /// The layout of the side by which a tiled copy is laid out.
    pub const fn reference_layout(&self) -> &Layout {
        match self.reference {
            Side::Source => &self.src,
            Side::Destination => &self.dst,
        }
    }
}
