//! A text is not a layout before it is read.

use tilework::Tensor;

fn main() {
    let _ = Tensor::new(&[0; 32], "(4,8):(8,1)");
}
