//! What every tile has: its addresses and sizes.

/// The addresses and sizes of a tile.
#[derive(Clone, Copy)]
pub(crate) struct Tile<'a> {
    /// The source at the first row and column.
    pub from: *const u8,
    /// The source at the first row and column of the tile after this one.
    pub next: *const u8,
    /// The offset of each row from there.
    pub row_from: &'a [isize],
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub columns: usize,
    /// The offset of each column from there; only the first if the step is enough.
    pub column_from: &'a [isize],
    /// The destination of the first column of each row.
    pub row_to: &'a [*mut u8],
    /// The bytes of an element.
    pub unit: usize,
    /// The bytes of one column.
    pub piece: usize,
}

impl Tile<'_> {
    /// The bytes of a row.
    pub fn bytes(&self) -> usize {
        self.columns * self.piece
    }

    /// Where a row of the column after this one is read; after the last column, one of the next tile.
    #[inline(always)]
    pub fn next_column(&self, row_from: isize, column: usize) -> *const u8 {
        let (base, next) = match self.column_from.get(column + 1) {
            Some(&next) => (self.from, next),
            None => (self.next, self.column_from[0]),
        };
        base.wrapping_offset(row_from + next)
    }
}

/// Copies `bytes` bytes by vectors.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `bytes` bytes, and they do not overlap.
#[inline(always)]
pub(crate) unsafe fn copy_bytes(from: *const u8, to: *mut u8, bytes: usize) {
    #[inline(always)]
    unsafe fn both_ends<const N: usize>(from: *const u8, to: *mut u8, bytes: usize) {
        // SAFETY: the two pieces are the first and the last `N` of at least `N` bytes, for which both pointers are valid.
        unsafe {
            let last = from.add(bytes - N).cast::<[u8; N]>().read_unaligned();
            let first = from.cast::<[u8; N]>().read_unaligned();
            to.cast::<[u8; N]>().write_unaligned(first);
            to.add(bytes - N).cast::<[u8; N]>().write_unaligned(last);
        }
    }
    // SAFETY: both pointers are valid for `bytes` bytes, and every access is within them.
    unsafe {
        match bytes {
            0 => {}
            1 => *to = *from,
            2..=3 => both_ends::<2>(from, to, bytes),
            4..=7 => both_ends::<4>(from, to, bytes),
            8..=15 => both_ends::<8>(from, to, bytes),
            16..=31 => both_ends::<16>(from, to, bytes),
            32..=512 => {
                let mut at = 0;
                while at + 32 <= bytes {
                    to.add(at)
                        .cast::<[u8; 32]>()
                        .write_unaligned(from.add(at).cast::<[u8; 32]>().read_unaligned());
                    at += 32;
                }
                let last = from.add(bytes - 32).cast::<[u8; 32]>().read_unaligned();
                to.add(bytes - 32).cast::<[u8; 32]>().write_unaligned(last);
            }
            _ => std::ptr::copy_nonoverlapping(from, to, bytes),
        }
    }
}
