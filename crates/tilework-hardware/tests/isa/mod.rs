//! What the instructions do, a second time: on registers, as their manuals say it, and without layouts. The two descriptions meet here:
//! registers are filled through the layouts of `A`, `B` and `C`, the instruction is carried out on them, and what is read through the layout
//! of `C` has to be `A B^T + C`. Copies have to bring each bit where the layout of the destination has it.

mod copies;
pub mod cpu;
pub mod gpu;
mod mma;
mod names;

use tilework::Layout;

/// `registers[lane][i]`: what a lane holds, as the manual numbers it. Lanes that have no part in the instruction hold nothing.
pub type Registers<T> = Vec<Vec<T>>;

/// What each thread holds of `data` under a layout of threads and values.
pub fn through<T: Copy>(layout: &Layout, threads: &Layout, data: impl Fn(usize) -> T) -> Registers<T> {
    let (count, values) = (layout.mode(0).unwrap().size(), layout.mode(1).unwrap().size());
    let lanes = (0..count).map(|thread| threads.at(thread)).max().unwrap() + 1;
    let mut registers = vec![Vec::new(); lanes as usize];
    for thread in 0..count {
        let own = (0..values).map(|value| data(layout.at(thread + count * value) as usize)).collect();
        registers[threads.at(thread) as usize] = own;
    }
    registers
}
