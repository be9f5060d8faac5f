//! A tile in shared memory is written by rows and read by columns: which swizzle lets 32 threads read a column at once?
//!
//! Shared memory has 32 banks of 4 bytes. Threads that ask one bank for different words wait for each other.
//!
//! `cargo run -p tilework --example bank_conflicts`

use tilework::{Composed, Counting, Layout, Swizzle, Tensor, layout};

const BANKS: i64 = 32;

/// How many of 32 threads wait for one bank, at worst, where thread `i` reads `offset(i)`.
fn conflicts(offset: impl Fn(i64) -> i64) -> usize {
    let mut asked = [0; BANKS as usize];
    (0..32).for_each(|thread| asked[(offset(thread) % BANKS) as usize] += 1);
    asked.into_iter().max().unwrap_or(0)
}

fn main() -> Result<(), tilework::Error> {
    // 32x32 elements of 4 bytes, row by row.
    let rows: Layout = layout!((32,32):(32,1));
    let tile = Tensor::new(Counting, rows)?;
    let by_rows = conflicts(|thread| tile.at([3, thread]));
    let by_columns = conflicts(|thread| tile.at([thread, 3]));
    println!("{rows}: a row is read in {by_rows} turn, a column in {by_columns}");
    assert_eq!((by_rows, by_columns), (1, 32));

    // Every swizzle of the ten bits of an offset that leaves the rows as good as they are.
    for bits in 1..=5 {
        for base in 0..=5 {
            for shift in bits..=10 - bits - base {
                let swizzled = Composed::new(Swizzle::new(bits, base, shift)?, 0, rows)?;
                let tile = Tensor::new(Counting, swizzled)?;
                let worst = |read: &dyn Fn(i64, i64) -> i64| {
                    (0..32).map(|at| conflicts(|thread| read(at, thread))).max().unwrap_or(0)
                };
                let by_rows = worst(&|row, thread| tile.at([row, thread]));
                let by_columns = worst(&|column, thread| tile.at([thread, column]));
                if by_rows == 1 && by_columns < 8 {
                    println!("{swizzled}: rows {by_rows}, columns {by_columns}");
                }
                if (bits, base, shift) == (5, 0, 5) {
                    assert_eq!((by_rows, by_columns), (1, 1));
                }
            }
        }
    }
    Ok(())
}
