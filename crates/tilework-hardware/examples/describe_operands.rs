//! The fields of the descriptors of shared operands, one on each line of standard input, as `wgmma.b.k 16 LAYOUT`: mode,
//! LBO and SBO, or why not. `cargo run -p tilework-hardware --example describe_operands`.

use tilework::Composed;
use tilework_hardware::operand::{Instruction, Matrix};

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("a line of text");
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let &[name, bits, layout] = words.as_slice() else { panic!("three words: {line}") };
        let matrix = Matrix::find(name).expect("an operand");
        let bits = bits.parse().expect("a number of bits");
        let layout: Composed = layout.parse().expect("a swizzled layout");
        let mode = if matrix.instruction == Instruction::Wgmma { 62 } else { 61 };
        match matrix.operand(&layout, bits) {
            Ok(operand) => {
                let bits = operand.descriptor(0);
                println!("{} {} {} {bits:#x}", bits >> mode, operand.leading, operand.stride);
            }
            Err(illegal) => println!("refused: {illegal}"),
        }
    }
}
