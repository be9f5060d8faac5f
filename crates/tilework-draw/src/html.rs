//! A scene as a self-contained HTML file: the SVG, and the script that makes its cells interactive.

use crate::scene::Scene;
use crate::svg::{escape, render};

/// The page. Its cells show index, coordinate and offset under the pointer or the keyboard focus; a click, the space
/// bar or Enter pins one, and arrow keys move between cells.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Options, draw, html};
/// let layout = layout!((4,8):(8,1));
/// let scene = draw("(4,8):(8,1)", &layout, &|index| layout.evaluate(index), &Options::default())?;
/// assert!(html::write(&scene).contains("aria-label=\"index 5, coordinate (1,1), offset 9\""));
/// # Ok::<(), tilework::Error>(())
/// ```
#[must_use]
pub fn write(scene: &Scene) -> String {
    let page = include_str!("page.html");
    // The picture comes last, because a title may contain anything.
    let (before, rest) = page.split_once("<!--title-->").unwrap_or((page, ""));
    let (middle, after) = rest.split_once("<!--picture-->").unwrap_or((rest, ""));
    [before, &escape(&scene.title), middle, &render(scene, None, true), after].concat()
}
