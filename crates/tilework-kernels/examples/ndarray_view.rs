//! A view of another library as a tensor, without a copy: shape and strides are all that a layout needs.
//!
//! `cargo run -p tilework-kernels --example ndarray_view`

use ndarray::{Array2, ArrayView2, s};
use tilework::{HTuple, Layout, Stride, Tensor, layout};
use tilework_kernels::{Execution, copy};

/// The layout of a view, from its first element on.
fn layout_of(view: &ArrayView2<f32>) -> Result<Layout, tilework::Error> {
    let extents: Vec<_> = view.shape().iter().map(|&extent| HTuple::leaf(extent as i64)).collect();
    let strides: Vec<_> =
        view.strides().iter().map(|&stride| HTuple::leaf(Stride::integer(stride as i64))).collect();
    Layout::of(&HTuple::tuple(&extents)?, &HTuple::tuple(&strides)?)
}

fn main() -> Result<(), tilework_kernels::Error> {
    let array = Array2::from_shape_fn((8, 12), |(row, column)| (100 * row + column) as f32);
    // Every second row of the last eight columns.
    let view = array.slice(s![..;2, 4..]);
    let layout = layout_of(&view)?;
    println!("the view is {layout}");

    // The elements from the view's first one to the end of the array.
    let memory = array.as_slice().expect("an array of its own is in one piece");
    let source = Tensor::new(&memory[4..], layout)?;
    // Into tiles of 2x4, each in one piece.
    let mut tiles = Tensor::filled(layout!(((2,2),(4,2)):((4,16),(1,8))), 0.0)?;
    copy(&source, &mut tiles, &Execution::default())?;
    println!("the first tile: {:?}", &tiles.accessor()[..8]);
    assert_eq!(tiles.accessor()[..8], [4.0, 5.0, 6.0, 7.0, 204.0, 205.0, 206.0, 207.0]);
    assert!(
        view.indexed_iter().all(|((row, column), &value)| tiles.at([row as i64, column as i64]) == value)
    );
    Ok(())
}
