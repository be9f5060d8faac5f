//! The fields of the descriptors of shared operands, one on each line of standard input, as `sm90 K 16 LAYOUT`: mode, LBO
//! and SBO, or why not. `cargo run -p tilework-hardware --example describe_operands`.

use tilework::Composed;
use tilework_hardware::operand::{Major, tcgen05, wgmma};

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("a line of text");
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let &[generation, major, bits, layout] = words.as_slice() else { panic!("four words: {line}") };
        let major = if major == "K" { Major::K } else { Major::MN };
        let bits = bits.parse().expect("a number of bits");
        let layout: Composed = layout.parse().expect("a swizzled layout");
        let (operand, descriptor) = match generation {
            "sm90" => (wgmma(&layout, major, bits), 62),
            _ => (tcgen05(&layout, major, bits), 61),
        };
        match operand {
            Ok(operand) => {
                let bits = if descriptor == 62 { operand.sm90(0) } else { operand.sm100(0) };
                println!("{} {} {} {bits:#x}", bits >> descriptor, operand.leading, operand.stride);
            }
            Err(illegal) => println!("refused: {illegal}"),
        }
    }
}
