//! All atoms, one on each line, separated by tabs: `cargo run -p tilework-hardware --example list_atoms`.

use tilework_hardware::atom::{Atom, atoms};

fn main() {
    for atom in atoms() {
        match atom {
            Atom::Mma(mma) => {
                let [m, n, k] = mma.shape;
                println!(
                    "mma\t{}\t({m},{n},{k})\t{}\t{}\t{}\t{}",
                    mma.name, mma.threads, mma.a, mma.b, mma.c
                );
            }
            Atom::Copy(copy) => {
                let memory = copy.memory.map(|memory| memory.to_string()).unwrap_or_default();
                println!("copy\t{}\t{}\t{}\t{}\t{memory}", copy.name, copy.threads, copy.src, copy.dst);
            }
        }
    }
}
