//! A matrix, cut into tiles, cut into what each thread holds: the partition of chapter 8 of the tutorial with numbers in it.
//!
//! `cargo run -p tilework --example partition`

use tilework::{Counting, Layout, Tensor, layout, tiler};

fn main() -> Result<(), tilework::Error> {
    // A row-major matrix whose elements are their offsets.
    let matrix = Tensor::new(Counting, layout!((16,16):(16,1)))?;
    // Eight threads with eight values each: who holds which coordinate of a tile of 8x8.
    let threads: Layout = layout!((8,(2,4)):(8,(1,2)));
    println!("threads and values to coordinates of a tile: {threads}");

    for tile in [(0, 0), (1, 1)] {
        let tile_of = matrix.local_tile(&tiler!(<8, 8>), tile)?;
        println!("\ntile {tile:?} is {tile_of:?}");
        let held = tile_of.composition(&threads)?;
        for thread in [0, 5] {
            let mine = held.slice((thread, ..))?;
            let values: Vec<i64> = mine.iter().collect();
            println!("  thread {thread} holds {mine:?}: offsets {values:?}");
        }
    }

    // All threads together hold every element of a tile once.
    let mut all: Vec<i64> =
        matrix.local_tile(&tiler!(<8, 8>), (0, 1))?.composition(&threads)?.iter().collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 64);
    Ok(())
}
