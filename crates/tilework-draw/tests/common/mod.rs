//! What the tests draw.

use tilework::{Composed, HTuple, Layout};
use tilework_draw::{Options, Scene, draw};

/// Nested modes, three modes, offsets that are not a layout's, a row that is wrapped, and colours by tile.
#[allow(dead_code)] // Not every test that shares this file draws all of them.
pub const PICTURES: [(&str, &str); 5] = [
    ("nested", "((4,8),2):((16,1),8)"),
    ("slices", "(2,3,2):(1,2,6)"),
    ("swizzled", "Sw<2,0,2> o 0 o (4,(2,2)):(4,(1,2))"),
    ("wrapped", "70:3"),
    ("tiles", "((2,2),(3,2)):((1,6),(2,12))"),
];

/// The scene of a layout or a swizzled layout.
pub fn scene(text: &str, options: &Options) -> Scene {
    match text.parse::<Layout>() {
        Ok(layout) => draw(text, &layout, |index| layout.evaluate(&HTuple::leaf(index)), options),
        Err(_) => {
            let swizzled: Composed = text.parse().expect("a layout or a swizzled layout");
            draw(text, swizzled.layout(), |index| swizzled.evaluate(&HTuple::leaf(index)), options)
        }
    }
    .expect("a scene")
}
