//! An index of another type is not a coordinate.

use tilework::{Tensor, layout};

fn main() {
    let tensor = Tensor::new(&[0; 32], layout!((4,8):(8,1))).unwrap();
    let _ = tensor.at(5usize);
}
