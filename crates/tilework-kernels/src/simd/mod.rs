//! Vector instructions: the AVX2, AVX-512 and NEON operations that the kernels use, and the same in plain Rust.
//!
//! | trait | a register is | used by |
//! |---|---|---|
//! | [`vector::Vector`], [`vector::Pack`] | numbers that are multiplied and added | products of matrices |
//! | [`matrices::Matrices`] | small matrices that are multiplied | products of matrices |
//! | [`lanes::Lanes`] | bytes that are permuted | copies |
//! | [`strided::Strided`] | elements that are gathered or scattered | copies |
//!
//! An instruction set is a module of `vector` and a type of `lanes`. Which one runs is decided once for each plan.

pub(crate) mod lanes;
pub(crate) mod matrices;
pub(crate) mod prefetch;
pub(crate) mod strided;
pub(crate) mod vector;

/// The statement for each number below `$count`, which is at most 16, written out: a loop that the compiler does not
/// unroll, or an iterator that it does not inline, would put the registers on the stack. `array::from_fn`, `array::map` and
/// `copy_from_slice` are not inlined where the crate is compiled in several units, as in the profile `release`.
macro_rules! unrolled {
    ($i:ident < $count:path, $statement:expr) => {
        unrolled!(@ $i $count, $statement; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $i:ident $count:path, $statement:expr; $($number:literal)*) => {
        $(if const { $number < $count } {
            let $i = $number % $count;
            $statement;
        })*
    };
}
pub(crate) use unrolled;
