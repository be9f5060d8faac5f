//! Memories as a warp sees them: banks and the lanes that are served together, sectors and lines. The cost of an access
//! is computed in [`access`](crate::access).

use crate::refused::Refused;
use tilework::{Codomain, Error, Layout, layout};

/// How many lanes a warp may have.
pub const MAX_LANES: usize = 64;

/// The lanes of a warp that are served together, for each width of access.
///
/// One request of a warp is served in *phases*. The assignment of lanes to phases depends on the bytes that each
/// accesses, and is a layout from lanes to phases:
///
/// | memory | bytes a lane | phases |
/// |---|---|---|
/// | NVIDIA shared memory | up to 4 | `32:0`, all lanes at once |
/// | | 8 | `(16,2):(0,1)`, halves |
/// | | 16 | `(8,4):(0,1)`, quarters |
/// | AMD LDS | up to 4 | `(32,2):(0,1)`, halves |
/// | | 16, written | `(8,8):(0,1)`, eights |
/// | | 16, read | `(4,2,2,2,2):(0,^1,^2,^1,^4)`: lanes 0 to 3 with 20 to 23, 4 to 7 with 16 to 19, ... |
///
/// Sources: CUDA C++ Programming Guide, shared memory by compute capability; ROCm composable_kernel,
/// `lds_bank_conflicts.rst`. None states which lanes AMD serves together at 8 bytes. These cannot be derived either,
/// because at 16 bytes reads and writes differ; so such accesses are [refused](Refused::Phases), unless [`Phases::all`]
/// gives a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phases {
    /// From lanes to phases, if a lane accesses up to 4, up to 8, or up to 16 bytes.
    widths: [Option<Layout>; 3],
}

impl Phases {
    /// NVIDIA's shared memory.
    pub const NVIDIA: Phases =
        Phases { widths: [Some(layout!(32:0)), Some(layout!((16,2):(0,1))), Some(layout!((8,4):(0,1)))] };
    /// AMD's LDS, read.
    pub const AMD_READ: Phases =
        Phases { widths: [Some(layout!((32,2):(0,1))), None, Some(layout!((4,2,2,2,2):(0,^1,^2,^1,^4)))] };
    /// AMD's LDS, written.
    pub const AMD_WRITE: Phases =
        Phases { widths: [Some(layout!((32,2):(0,1))), None, Some(layout!((8,8):(0,1)))] };

    /// The same phases for every width.
    ///
    /// # Errors
    /// [`Refused::Lanes`] for more than [`MAX_LANES`] lanes, and [`Error::Codomain`] for strides that are not integers.
    pub const fn all(lanes: Layout) -> Result<Phases, Refused> {
        if lanes.size() > MAX_LANES as i64 {
            return Err(Refused::Lanes { lanes: lanes.size(), most: MAX_LANES });
        }
        match lanes.codomain() {
            Codomain::Integer | Codomain::Xor => Ok(Phases { widths: [Some(lanes); 3] }),
            found => Err(Refused::Algebra(Error::Codomain { operation: "phases", found })),
        }
    }

    /// From lanes to phases, if each lane accesses `bits` bits.
    ///
    /// ```
    /// use tilework_hardware::memory::Phases;
    /// use tilework::layout;
    /// assert_eq!(Phases::NVIDIA.of_width(128)?, &layout!((8,4):(0,1)));
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused::Width`] above 128 bits, [`Refused::Phases`] if no phases are published.
    pub const fn of_width(&self, bits: u32) -> Result<&Layout, Refused> {
        let class = match bits {
            0..=32 => 0,
            33..=64 => 1,
            65..=128 => 2,
            _ => return Err(Refused::Width { bits, most: 128 }),
        };
        match &self.widths[class] {
            Some(lanes) => Ok(lanes),
            None => Err(Refused::Phases { bits }),
        }
    }
}

/// A memory with banks: a word is in bank `word mod count`, and each bank returns one word at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banks {
    /// How many banks there are.
    pub count: u32,
    /// The width of a word, in bytes.
    pub bytes: u32,
    /// The lanes that are served together.
    pub phases: Phases,
}

impl Banks {
    /// Shared memory of NVIDIA's GPUs, 32 banks of 4 bytes.
    pub const NVIDIA: Banks = Banks { count: 32, bytes: 4, phases: Phases::NVIDIA };
    /// AMD's LDS for reads, 32 banks of 4 bytes; `gfx950` has 64.
    pub const AMD_READ: Banks = Banks { count: 32, bytes: 4, phases: Phases::AMD_READ };
    /// AMD's LDS for writes.
    pub const AMD_WRITE: Banks = Banks { count: 32, bytes: 4, phases: Phases::AMD_WRITE };

    /// The bank in which an element of `bits` bits at `offset` begins.
    ///
    /// ```
    /// use tilework_hardware::memory::Banks;
    /// assert_eq!(Banks::NVIDIA.bank(66, 16), 1);
    /// ```
    #[must_use]
    pub const fn bank(&self, offset: i64, bits: u32) -> u32 {
        let word = (offset as i128 * bits as i128).div_euclid(8 * self.word_bytes());
        word.rem_euclid(if self.count == 0 { 1 } else { self.count as i128 }) as u32
    }

    pub(crate) const fn word_bytes(&self) -> i128 {
        if self.bytes == 0 { 1 } else { self.bytes as i128 }
    }
}

/// Global memory: data is moved in sectors, and tags are looked up for lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sectors {
    /// The bytes of a sector.
    pub sector: u32,
    /// The bytes of a line.
    pub line: u32,
    /// The lanes whose accesses are one request.
    pub lanes: u32,
}

impl Sectors {
    /// NVIDIA's GPUs: sectors of 32 bytes, lines of 128, warps of 32 lanes.
    pub const NVIDIA: Sectors = Sectors { sector: 32, line: 128, lanes: 32 };
}
