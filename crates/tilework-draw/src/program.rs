//! What a block of a GPU program touches: a panel for each view of each statement, with the thread and value of each element.

use crate::grid::Options;
use crate::scene::{Ground, Scene};
use crate::threads::threads;
use std::collections::HashMap;
use tilework::{Layout, Offset, Shape};
use tilework_program::{Program, Space, Touched};

/// The elements that the threads of a block touch, statement by statement: a global tensor coloured by thread, a shared one by
/// the wavefront in which an element is served, so that one colour is no bank conflict. With a line, its statement alone.
///
/// ```
/// use tilework_draw::{Ground, Options, program};
/// let text = "\
/// kernel k 32 threads, grid (1)
/// read A f32 (32,N):(1,lda)
/// shared s f32 (32,4):(8,2)
/// s[t 32:1@0, v 4:1@1] = A[t 32:1@0, v 4:1@1] else 0
/// ";
/// let scene = program(&text.parse()?, None, &Options::default())?;
/// assert_eq!(scene.panels[0].title, "line 4: s[t 32:1@0, v 4:1@1] written");
/// // Rows are 8 words apart: every fourth thread meets in a bank.
/// assert_eq!((scene.panels[0].cells[0].ground, scene.panels[0].cells[4 * 4].ground), (Ground::Class(0), Ground::Class(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Program::touched`] and [`threads`].
pub fn program(
    program: &Program,
    line: Option<usize>,
    options: &Options,
) -> Result<Scene, tilework_program::Error> {
    let touched = program.touched()?;
    let shown = touched.iter().filter(|own| line.is_none_or(|line| line == own.line));
    let panels = shown.map(|own| panel(own, options)).collect::<Result<_, tilework::Error>>()?;
    let mut scene = Scene::row(program.name(), panels);
    scene.remark("the first block, at the first step of its loops; shared memory is coloured by wavefront, the rest by thread");
    Ok(scene)
}

fn panel(touched: &Touched, options: &Options) -> Result<Scene, tilework::Error> {
    let Touched { line, view, space, is_written, extents, touches } = touched;
    let verb = if *is_written { "written" } else { "read" };
    let count = touches.last().map_or(1, |last| last.thread + 1);
    let values = touches.last().map_or(1, |last| last.value + 1);
    // Threads first, as in a layout of threads and values.
    let domain = Layout::column_major(&format!("({count},{values})").parse()?)?;
    let offset = |index: i64| {
        let place = index % count * values + index / count;
        Ok(Offset::leaf(touches[place as usize].element.into()))
    };
    let extents: Vec<String> = extents.iter().map(i64::to_string).collect();
    let tile: Shape = format!("({})", extents.join(",")).parse()?;
    let mut scene = threads(&format!("line {line}: {view} {verb}"), &domain, &offset, &tile, options)?;
    if *space != Space::Shared {
        return Ok(scene);
    }
    let mut served: HashMap<i64, usize> = HashMap::new();
    for touch in touches {
        let wavefront = served.entry(touch.element).or_default();
        *wavefront = touch.wavefront.max(*wavefront);
    }
    for cell in scene.panels.iter_mut().flat_map(|panel| &mut panel.cells) {
        cell.ground = Ground::Blank;
        if let Some(wavefront) = served.get(&cell.index) {
            cell.ground = Ground::Class(*wavefront);
            cell.note += &format!(", wavefront {wavefront}");
        }
    }
    Ok(scene)
}
