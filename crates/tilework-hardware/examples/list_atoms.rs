//! All atoms, one on each line, separated by tabs: `cargo run -p tilework-hardware --example list_atoms`.

use tilework_hardware::atom::nvidia::{Kind, tcgen05_scales};
use tilework_hardware::atom::{Atom, atoms};

fn main() {
    let kinds = [Kind::MXF8F6F4, Kind::MXF8F6F4Sparse, Kind::MXF4, Kind::NVF4, Kind::NVF4Sparse];
    for (kind, rows) in kinds.into_iter().flat_map(|kind| [32, 96, 128, 256].map(|rows| (kind, rows))) {
        if let Some(scales) = tcgen05_scales(kind, rows) {
            println!("scales\t{kind:?} {rows}\t{scales}");
        }
    }
    for atom in atoms() {
        match atom {
            Atom::Mma(mma) => {
                let [m, n, k] = mma.shape;
                let [e, sfa, sfb] = [mma.e, mma.sfa, mma.sfb]
                    .map(|layout| layout.map(|layout| layout.to_string()).unwrap_or_default());
                println!(
                    "mma\t{}\t({m},{n},{k})\t{}\t{}\t{}\t{}\t{e}\t{sfa}\t{sfb}",
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
