//! Vector instructions: the AVX2, AVX-512 and NEON operations that the kernels use, and the same in plain Rust.
//!
//! | trait | a register is | used by |
//! |---|---|---|
//! | [`vector::Vector`], [`vector::Pack`] | numbers that are multiplied and added | products of matrices |
//! | `matrices::Matrices` (NEON) | small matrices that are multiplied | products of matrices |
//! | [`lanes::Lanes`] | bytes that are permuted | copies |
//!
//! An instruction set is a module of `vector` and a type of `lanes`. Elements a few apart are moved by functions ([`strided::ByLines`]).
//! Which one runs is decided once for each plan.

pub(crate) mod lanes;
#[cfg(target_arch = "aarch64")]
pub(crate) mod matrices;
pub(crate) mod prefetch;
pub(crate) mod strided;
pub(crate) mod vector;

/// The statement for each number below `$count`, written out: a loop that the compiler does not unroll would put the
/// registers on the stack (with loops, half of the functions of the crate have another assembly). The number is at most 16,
/// or 4: a statement within another one is written out as often as the product of the two bounds, for every type.
macro_rules! unrolled {
    ($i:ident < $count:path, $statement:expr) => {
        unrolled!(@ $i $count, $statement; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($i:ident < $count:path: 4, $statement:expr) => {
        unrolled!(@ $i $count, $statement; 0 1 2 3)
    };
    (@ $i:ident $count:path, $statement:expr; $($number:literal)*) => {
        $(if const { $number < $count } {
            let $i = $number % $count;
            $statement;
        })*
    };
}
pub(crate) use unrolled;
