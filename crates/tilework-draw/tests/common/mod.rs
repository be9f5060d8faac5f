//! What the tests draw.

use tilework::{AnyLayout, Layout};
use tilework_draw::{Options, Scene, draw};

/// Nested modes, three modes, offsets that are not a layout's, a row that is wrapped, and colours by tile.
pub const PICTURES: [(&str, &str); 5] = [
    ("nested", "((4,8),2):((16,1),8)"),
    ("slices", "(2,3,2):(1,2,6)"),
    ("swizzled", "Sw<2,0,2> o 0 o (4,(2,2)):(4,(1,2))"),
    ("wrapped", "70:3"),
    ("tiles", "((2,2),(3,2)):((1,6),(2,12))"),
];

/// The scene of a layout or a swizzled layout.
pub fn scene(text: &str, options: &Options) -> Scene {
    let layout = match text.parse::<Layout>() {
        Ok(layout) => AnyLayout::Plain(layout),
        Err(_) => AnyLayout::Swizzled(text.parse().expect("a layout or a swizzled layout")),
    };
    draw(text, layout.layout(), &|index| layout.evaluate(index), options).expect("a scene")
}
