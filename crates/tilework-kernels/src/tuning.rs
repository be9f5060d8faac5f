//! The thresholds of all kernels. Each names the row of `benches/record` that justifies it, or, where the exact
//! number makes no difference, what bounds it.

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;

pub(crate) mod copy {
    use super::LINE;
    /// The contiguous bytes of the source that the rows of a block should have: hardware prefetchers need a stream of
    /// that length to run ahead of it.
    ///
    /// Row: "rows of 2 KiB"
    pub(crate) const ROW_BYTES: usize = 2 << 10;
    /// The same for destinations that are written through the caches: each line is read first.
    ///
    /// Row: "in the caches: blocks of 16 lines, and squares that begin at lines"
    pub(crate) const CACHED_ROW_BYTES: usize = 16 * LINE;
    /// The lines of each row that are written side by side; half as many of elements of 8 bytes.
    ///
    /// Rows: "four lines of a row side by side, of elements of 1 and 8 bytes two", "columns past the caches that alias have no order
    /// of their own, with rows of 16 KiB; bytes are written in strips also where no columns evict each other"
    pub(crate) const STRIP_LINES: usize = 4;
    /// The bytes that are enough for a row if the columns could take the same mode.
    ///
    /// Row: "columns take a mode that rows could take too as soon as rows have one line, not eight"
    pub(crate) const FEW_ROW_BYTES: usize = LINE;
    /// The rows of a block have at least this many bytes, however wide the block becomes.
    ///
    /// Row: "columns take a mode before rows that have 8 lines; whole modes are not cut; the next column's run is prefetched"
    pub(crate) const SHORT_ROW_BYTES: usize = 8 * LINE;
    /// Shorter rows that begin within a line are collected on a stage: most of the work would be the first and the last
    /// line of each.
    ///
    /// Row: "memory that begins within a line: blocks are shifted so that they begin at a line"
    pub(crate) const LONG_ROW_BYTES: usize = 6 * LINE;
    /// The bytes that are copied in all parts before the next ones: each part may move a few bytes of every line.
    ///
    /// Row: "swizzled layouts and XOR strides in parts"
    pub(crate) const PART_BYTES: usize = 128 << 10;
    /// The fewest elements of a part that is worth a plan of its own.
    ///
    /// Bound: this number is copied one by one in a microsecond, and the plan of a part takes two.
    pub(crate) const MIN_PART: usize = 128;
    /// The most parts that are planned.
    ///
    /// Bound: two swizzles of four bits, one on each side.
    pub(crate) const MAX_PARTS: usize = 256;
    /// The fewest pieces of a block: it takes modes that are contiguous in neither operand until it has as many.
    ///
    /// Row: "blocks of a few pieces take further modes"
    pub(crate) const MIN_PIECES: usize = 64;
    /// The most columns whose offsets are read from a table.
    ///
    /// Bound: the tables of both operands stay in the first-level cache.
    pub(crate) const MAX_COLUMNS: usize = 1 << 10;
    /// The bytes that a step of the loops covers when elements with a constant stride are gathered or scattered.
    ///
    /// Row: "elements with a constant stride 256 KiB at a time"
    pub(crate) const STEPPED_BYTES: usize = 256 << 10;
    /// A tile with fewer bytes in one direction is not transposed in registers: most of each register would stay empty.
    ///
    /// Row: "tiles with fewer than 32 bytes in one direction are not transposed in registers"
    pub(crate) const MIN_TRANSPOSED_BYTES: usize = LINE / 2;
    /// Runs are cut into pieces of this size.
    ///
    /// Bound: threads can share the pieces, and copying one takes far longer than a step of the loops.
    pub(crate) const MAX_PIECE_BYTES: usize = 1 << 18;
    /// From this many bytes on, pieces are streamed one by one, although their first and last lines are written in part.
    ///
    /// Row: "runs are streamed piece by piece, not through the buffer"
    pub(crate) const STREAMED_PIECE: usize = 1 << 9;
    /// The contiguous bytes of the source that the rows of streamed pieces should have; half of it if pieces are not
    /// whole lines.
    ///
    /// Row: "rows of streamed pieces of 16 KiB"
    pub(crate) const PIECES_BYTES: usize = 16 << 10;
    /// Rows are staged together until each unit has had this many bytes, so that stored bytes have arrived when they
    /// are read again.
    ///
    /// Row: "stage of 16 rows instead of the whole tile"
    pub(crate) const STAGED_BYTES: usize = 4 * LINE;
    /// The bytes of the stage if pieces are lines.
    ///
    /// Row: "a stage of 16 KiB for pieces of whole lines"
    pub(crate) const STAGE_BYTES: usize = 16 << 10;
    /// The fewest contiguous lines of a column that are prefetched together: more if few columns are read side by side.
    ///
    /// Row: "the next squares are prefetched column by column, 4 lines of each column, 8 for f64"
    pub(crate) const PREFETCH_LINES: usize = 4;
    /// How many bytes ahead of a stream the source is prefetched.
    ///
    /// Row: "streaming copy, prefetching 2 KiB ahead"
    pub(crate) const PREFETCH_BYTES: usize = 2 << 10;
    /// From this many arrays on, each is prefetched where they become structures: hardware prefetchers follow fewer streams.
    ///
    /// Row: "arrays are prefetched from 5 on where they become structures"
    pub(crate) const PREFETCHED_ARRAYS: usize = 5;
}

pub(crate) mod matmul {
    /// The lines of the first cache for which a block has one step.
    ///
    /// Row: "blocks of k have one step for every two lines of the first-level cache"
    pub(crate) const LINES_OF_A_STEP: usize = 2;
    /// The most multiplications that are done without packing, wherever the operands are, and on one thread.
    ///
    /// Row: "n = 12 to 64, NN"
    pub(crate) const SMALL: usize = 1_000_000;
    /// The most elements of a matrix that a vector is multiplied by without packing.
    ///
    /// Bound: half of a second-level cache; larger ones are read in as many streams as [`GEMV_STREAMS`].
    pub(crate) const SMALL_BY_VECTOR: usize = 1 << 16;
    /// A panel that is multiplied by at most this many others is used so little that packing it is much of the work.
    ///
    /// Row: "A is read in place for few columns, if its steps are few or close together"
    pub(crate) const FEW_PANELS: usize = 16;
    /// The panels of `A` in a block if `B` has few panels, and how few.
    ///
    /// Row: "few panels of `B`: blocks of `A` of five panels, not of a quarter of the second-level cache"
    pub(crate) const PANELS_FOR_FEW: usize = 5;
    /// The most panels of output channels of a convolution that reads the lines of an image in place.
    ///
    /// Row: "B read in place for at most 4 panels of A"
    pub(crate) const FEW_PANELS_OF_A: usize = 4;
    /// Steps of a packed panel that are written before those of the next panel, where rows are contiguous.
    ///
    /// Row: "neighbouring panels are packed together, 8 steps at a time"
    pub(crate) const PACKED_TOGETHER: usize = 8;
    /// The fewest steps of a kernel that prefetches the next blocks while it runs.
    ///
    /// Bound: four times [`PREFETCH_STEPS`]; shorter ones end before the lines arrive.
    pub(crate) const PREFETCHING_STEPS: usize = 4 * PREFETCH_STEPS;
    /// Steps of a kernel from one prefetch to the next.
    ///
    /// Row: "the same, a few lines every 16 steps within the kernel"
    pub(crate) const PREFETCH_STEPS: usize = 16;
    /// The most lines that are prefetched at a time: a further prefetch waits for the earlier ones.
    ///
    /// Row: "the next block is prefetched before each tile"
    pub(crate) const MAX_PREFETCH_LINES: usize = 6;
    /// A panel of `B` that is read in place is prefetched while the kernels use the one as many panels before it.
    ///
    /// Row: "panels of `B` that are read in place are prefetched two panels ahead"
    pub(crate) const PANELS_AHEAD: usize = 2;
    /// The fewest steps at which the lines of `C` are prefetched before the loop: shorter products finish before the lines
    /// arrive, and would wait for those of the tile before.
    ///
    /// Row: "lines of C are prefetched at the start of long tiles only, from 128 steps on"
    pub(crate) const PREFETCHING_STEPS_OF_C: usize = 128;
    /// Rows or steps that a product by a vector reads side by side.
    ///
    /// Row: "a matrix by a vector without packing"
    pub(crate) const GEMV_STREAMS: usize = 4;
    /// Rows whose sums are kept while all steps are added.
    ///
    /// Bound: half of a first-level cache.
    pub(crate) const GEMV_ROWS: usize = 2048;
}

pub(crate) mod contract {
    /// The most multiplications of products that run in plain loops, although vectors could run across several of them.
    ///
    /// Row: "`ijb,jkb->ikb`, 10000 of 4x4x4"
    pub(crate) const TINY: usize = 512;
    /// The fewest products side by side that are worth vectors across them.
    ///
    /// Bound: the widest vectors of f32.
    pub(crate) const SIDE_BY_SIDE: usize = 16;
    /// The most multiplications of products that run in plain loops if they would have to be packed.
    ///
    /// Row: "`bij,bj->bi`, 10000 of 4x4"
    pub(crate) const TINY_PACKED: usize = 64;
    /// How much longer it takes to write a single element than to pack one.
    ///
    /// Bound: a tile is stored, read again and scattered.
    pub(crate) const SCATTER: usize = 2;
    /// The rows that remain when loops become part of the batch, and their least ratio to the columns.
    ///
    /// Bound: tables of offsets stay in a first-level cache, and packing `B` anew costs a sixteenth of the products.
    pub(crate) const ROWS_OF_BATCH: usize = 4096;
    pub(crate) const RATIO_OF_BATCH: usize = 16;
    /// The operand that is not contiguous along its rows chooses the order of the steps, unless the other one has this many
    /// times as many rows.
    ///
    /// Row: "steps in the order of the operand that is not contiguous along its rows"
    pub(crate) const RATIO_OF_STEPS: usize = 4;
    /// The most columns and steps of products that take longer to move than to compute.
    ///
    /// Row: "COPY transposes blocks of A into the order of C in the second-level cache, and they are multiplied there"
    pub(crate) const MOVED: usize = 128;
    /// The most lines that are prefetched at a time for them: they wait for memory.
    ///
    /// Row: "`A` in the order of `C` is read in place where sums are short, and the next lines of both are prefetched"
    pub(crate) const MOVED_LINES: usize = 16;
    /// A block of `A` that is read in place is this part of the second-level cache: the block of `C`, and the next ones of
    /// both, are there too.
    ///
    /// Row: "blocks read in place are a twelfth of the second-level cache"
    pub(crate) const PART_IN_PLACE: usize = 12;
    /// In an output whose layout is free, columns follow as soon as the rows form a run of this many elements.
    ///
    /// Row: "columns follow runs of 512 elements, not all rows"
    pub(crate) const LONG_RUN: usize = 512;
    /// Sums side by side, which the compiler keeps in a vector of eight.
    ///
    /// Row: "four vectors of eight sums"
    pub(crate) const LANES: usize = 8;
    /// Vectors of sums, so that an addition need not wait for the one before.
    ///
    /// Row: "four vectors of eight sums"
    pub(crate) const VECTORS: usize = 4;
}

pub(crate) mod loops {
    /// The most steps of a run, and of the runs side by side, so that a line is used before it is evicted.
    ///
    /// Bound: lines of 16 runs of each operand in a first-level cache.
    pub(crate) const RUN: usize = 1 << 10;
    pub(crate) const RUNS: usize = 16;
    /// The most elements of the destination that are reduced side by side.
    ///
    /// Bound: half of a first-level cache.
    pub(crate) const KEPT: usize = 1 << 11;
    /// Fewer if an operand is not contiguous, so that its lines are still in the cache at the next step.
    ///
    /// Row: "256 elements at a time if an operand is not contiguous, not 1024"
    pub(crate) const KEPT_STRIDED: usize = 1 << 8;
    /// The most steps of a run that is reduced to one element.
    ///
    /// Bound: long enough for the loop around it to cost nothing, and short enough to be cancelled soon.
    pub(crate) const REDUCED: usize = 1 << 13;
    /// The number of parts in which a single element is reduced, whatever the number of threads.
    ///
    /// Bound: more than processors have cores; results depend on it.
    pub(crate) const PARTS: usize = 64;
    /// Elements that are joined side by side, so that they can be in vectors.
    ///
    /// Row: "sums of 32 lanes"
    pub(crate) const JOINED: usize = 16;
}
