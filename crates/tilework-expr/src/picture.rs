//! An expression as a picture: its value, or what its outermost operation does.

mod instruction;

use crate::error::{ExprError, Failure};
use crate::functions::{Drawing, Order};
use crate::operation::{Operands, Operation};
use crate::program::{Apply, StepKind};
use crate::session::Session;
use crate::steps::coordinate;
use crate::trace::Recorder;
use crate::value::Value;
use crate::width::width;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use tilework::{__private::sort_by_key, AnyLayout, Error, HTuple, Layout, Leaf, Offset, Shape, Tiler};
use tilework_draw::{Arrow, Banks, Cell, ColorBy, Ground, Options, Scene, Tiling};

/// The aspect of an expression that a picture shows.
///
/// ```
/// use tilework_expr::Aspect;
/// let names: Vec<&str> = Aspect::ALL.iter().map(|aspect| aspect.name()).collect();
/// assert_eq!(names.join(" "), "offsets threads values tiles slice common banks operation");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Aspect {
    /// Every offset of the value.
    #[default]
    Offsets,
    /// The value as a thread-value layout: the thread and value at each place of the tile.
    Threads,
    /// The inverse view: the offset of each value of each thread.
    Values,
    /// The tiles of a composition, divide or product.
    Tiles,
    /// The whole from which a slice was cut.
    Slice,
    /// The common part of two layouts in `common_layout` or `common_vector`.
    Common,
    /// The memory bank of every offset, for a swizzled layout also without the swizzle.
    Banks,
    /// The operands of the outermost operation and its result.
    Operation,
}

impl Aspect {
    /// Their names and what they show, in the order of the variants.
    const ROWS: [(&'static str, &'static str); 8] = [
        ("offsets", "the offset of every coordinate"),
        ("threads", "thread and value at each place of the tile of a thread-value layout"),
        ("values", "the offset of each value of each thread"),
        ("tiles", "the tiles of a composition, divide or product"),
        ("slice", "a slice in the layout that it was cut from"),
        ("common", "what the two layouts of common_layout or common_vector share"),
        ("banks", "the memory bank of every offset, before and after a swizzle"),
        ("operation", "the operands of the outermost operation beside its result"),
    ];

    /// All aspects.
    pub const ALL: [Aspect; 8] = {
        use Aspect::{Banks, Common, Offsets, Operation, Slice, Threads, Tiles, Values};
        [Offsets, Threads, Values, Tiles, Slice, Common, Banks, Operation]
    };

    /// The name on the command line and in links.
    ///
    /// ```
    /// assert_eq!(tilework_expr::Aspect::Banks.name(), "banks");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        Aspect::ROWS[self as usize].0
    }

    /// What it shows, in one line.
    ///
    /// ```
    /// assert_eq!(tilework_expr::Aspect::Offsets.summary(), "the offset of every coordinate");
    /// ```
    #[must_use]
    pub const fn summary(self) -> &'static str {
        Aspect::ROWS[self as usize].1
    }
}

/// The options of the picture of an expression.
///
/// ```
/// use tilework_expr::{Look, Session};
/// let scene = Session::new().picture("(4,8):(8,1)", &Look::default())?;
/// assert_eq!(scene.panels[0].cells.len(), 32);
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Look {
    /// The aspect.
    pub aspect: Aspect,
    /// The number of cells, the colours, and the line through the offsets.
    pub options: Options,
    /// The tile of a thread-value layout; by default the smallest.
    pub tile: Option<Shape>,
    /// How many memory banks there are; by default those of a GPU's shared memory.
    pub banks: Option<u32>,
    /// The bytes of a bank; by default those of a GPU's shared memory.
    pub bank_bytes: Option<u32>,
    /// The bits of an element in the banks; a tensor has its own.
    pub element_bits: Option<u32>,
    /// The index in the result of the element that is traced through an operation.
    pub element: Option<i64>,
}

impl Look {
    /// This aspect, with the defaults for everything else.
    ///
    /// ```
    /// use tilework_expr::{Aspect, Look};
    /// assert_eq!(Look::of(Aspect::Offsets), Look::default());
    /// ```
    #[must_use]
    pub fn of(aspect: Aspect) -> Look {
        Look { aspect, ..Look::default() }
    }
}

impl Session {
    /// The picture of an expression.
    ///
    /// ```
    /// use tilework_expr::{Aspect, Look, Session};
    /// let mut look = Look::of(Aspect::Operation);
    /// look.element = Some(5);
    /// let scene = Session::new().picture("(8,8):(8,1) o ((4,8),2):((16,1),8)", &look)?;
    /// assert_eq!((scene.panels.len(), scene.arrows.len()), (3, 2));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExprError`] if the expression has no value, the value is not a layout, or the aspect does not apply to the
    /// operation.
    pub fn picture(&mut self, text: &str, look: &Look) -> Result<Scene, ExprError> {
        let mut recorder = Recorder::new(text, false);
        self.statements(text, Some(&mut recorder)).map_err(|error| *error)?;
        let operands =
            recorder.last().ok_or_else(|| ExprError::new(0..0, "syntax", "there is nothing to draw"))?;
        let value = self.value()?;
        let span = operands.span();
        draw(&operands, value, look).map_err(|failure| failure.at(span, &[]))
    }
}

impl Value {
    /// The picture of every offset of a layout or shape; for an instruction, the thread and value at each place of `A`,
    /// `B` and `C`, or of source and destination.
    ///
    /// ```
    /// use tilework_draw::Options;
    /// let value = tilework_expr::Session::new().evaluate("(4,8)")?.clone();
    /// assert_eq!(value.picture(&Options::default()).unwrap().panels[0].cells.len(), 32);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`Failure`] for values of other kinds.
    pub fn picture(&self, options: &Options) -> Result<Scene, Failure> {
        offsets(self, &Look { options: *options, ..Look::default() })
    }
}

impl Operation {
    /// The picture of the result of this operation, as by [`Session::picture`] for the last one.
    ///
    /// ```
    /// use tilework_expr::{Look, Session};
    /// let trace = Session::new().trace("size((4,8):(8,1) o (2,4))");
    /// assert_eq!(trace.operations[0].picture(&Look::default())?.panels[0].cells.len(), 8);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Session::picture`].
    pub fn picture(&self, look: &Look) -> Result<Scene, ExprError> {
        let value = self.outcome().map_err(ExprError::clone)?;
        draw(&self.operands, value, look).map_err(|failure| failure.at(self.span(), &[]))
    }
}

fn draw(operands: &Operands, value: &Value, look: &Look) -> Result<Scene, Failure> {
    check_colors(operands, value, look)?;
    match look.aspect {
        Aspect::Offsets => offsets(value, look),
        Aspect::Threads if matches!(value, Value::Instruction(_)) => value.picture(&look.options),
        Aspect::Threads => threads(value, look),
        Aspect::Values => {
            let function = Function::of(value)?;
            let title = value.to_string();
            Ok(tilework_draw::thread_values(&title, &function.domain, &|at| function.at(at), &look.options)?)
        }
        Aspect::Tiles => tiles(operands, value, look),
        Aspect::Slice => slice(operands, look),
        Aspect::Common => common(operands, look),
        Aspect::Banks => banks(value, look),
        Aspect::Operation => operation(operands, value, look),
    }
}

/// Refuses colours that would have no meaning.
fn check_colors(operands: &Operands, value: &Value, look: &Look) -> Result<(), Failure> {
    let instruction = matches!(value, Value::Instruction(_));
    match look.options.color_by {
        Some(ColorBy::Thread) if !instruction && !matches!(look.aspect, Aspect::Threads | Aspect::Values) => {
            Err(refusal("only the aspects threads and values, and an instruction, have colours by thread"))
        }
        Some(ColorBy::Bank) if instruction || look.aspect == Aspect::Threads => Err(refusal(
            "places of a tile are in no memory bank; the aspects offsets, values and banks have colours by bank",
        )),
        Some(ColorBy::Bank) => memory(value, look).map(|_| ()),
        Some(ColorBy::Tile) if !instruction && look.aspect != Aspect::Tiles => {
            let tiled = match (look.aspect, look.tile) {
                (Aspect::Threads, Some(tile)) => {
                    Function::of(&Value::from(Layout::column_major(&tile)?))?.is_tiled()
                }
                (Aspect::Threads, None) => false,
                (Aspect::Operation, _) if tiling(operands, &look.options).is_ok() => true,
                _ => Function::of(value)?.is_tiled(),
            };
            if tiled {
                return Ok(());
            }
            Err(refusal(
                "no mode is nested, so there are no tiles to colour; the aspect tiles has those of a divide or product",
            ))
        }
        _ => Ok(()),
    }
}

/// The requested memory, of elements of the requested width or of a tensor's.
fn memory(value: &Value, look: &Look) -> Result<Banks, Failure> {
    let usual = Banks::new(width(look.element_bits, [value])?);
    let (count, bytes) = (look.banks.unwrap_or(usual.count), look.bank_bytes.unwrap_or(usual.bytes));
    Ok(Banks { count, bytes, ..usual })
}

/// The function that is drawn: from the indices of a layout to offsets.
struct Function<'a> {
    value: Cow<'a, Value>,
    domain: Layout,
}

impl Function<'_> {
    fn of(value: &Value) -> Result<Function<'_>, Failure> {
        if let Some(domain) = value.domain() {
            return Ok(Function { domain: *domain, value: Cow::Borrowed(value) });
        }
        match value.as_layout() {
            Some(layout) => {
                let domain = layout?;
                Ok(Function { domain, value: Cow::Owned(Value::from(domain)) })
            }
            None if value.is_symbolic() => {
                let wanted = "a picture needs a number for each name, as `at M = 4, K = 8` behind the layout gives them";
                Err(refusal(format!("{wanted}: {value}")))
            }
            None => Err(refusal(format!("{} is not a layout: {value}", value.kind()))),
        }
    }

    fn any_layout(&self) -> AnyLayout {
        match &*self.value {
            Value::Composed(composed) => (**composed).into(),
            _ => self.domain.into(),
        }
    }

    fn at(&self, index: i64) -> Result<Offset, Error> {
        // Unreachable, because a value with a domain is a function on it.
        let none = Error::Index { index: 0, rank: 0 };
        self.value.evaluate(&HTuple::leaf(index)).unwrap_or(Err(none))
    }

    fn scene(&self, title: &str, look: &Look) -> Result<Scene, Failure> {
        let scene = tilework_draw::draw(title, &self.domain, &|index| self.at(index), &look.options)?;
        self.color(scene, look)
    }

    /// The colours that do not depend on a cell's own place.
    fn color(&self, scene: Scene, look: &Look) -> Result<Scene, Failure> {
        let offset = |index: i64| match self.at(index).ok()?.leaves() {
            [leaf] if leaf.is_integer() => Some(leaf.numerator()),
            _ => None,
        };
        match (look.options.color_by, self.value.untyped()) {
            (Some(ColorBy::Bank), _) => {
                let banks = memory(&self.value, look)?;
                if offset(0).is_none() {
                    let (operation, found) = ("colours by memory bank", self.domain.codomain());
                    return Err(Error::Codomain { operation, found }.into());
                }
                let ground = |at| offset(at).map_or(Ground::Blank, |offset| banks.ground(banks.bank(offset)));
                let mut scene = scene.paint(|cell| ground(cell.index));
                scene.remark(&banks.to_string());
                Ok(scene)
            }
            (Some(by @ (ColorBy::Row | ColorBy::Column)), Value::Composed(composed)) => {
                let layout = composed.layout();
                let mut before = HashMap::new();
                for index in 0..look.options.bounded(layout.size())? {
                    before.entry(composed.offset() + layout.try_at(index)?).or_insert(index);
                }
                let ground = by.grounds(layout, look.options.max_cells)?;
                let at = |cell: &Cell| before.get(&offset(cell.index)?).map(|&index| ground(index));
                Ok(scene.paint(|cell| at(cell).unwrap_or_default()))
            }
            _ => Ok(scene),
        }
    }

    /// Whether the rows or columns are divided by nesting.
    fn is_tiled(&self) -> bool {
        let shape = self.domain.shape();
        let divided = |mode: Shape| mode.leaves().iter().filter(|&&extent| extent > 1).count() > 1;
        (0..shape.rank().min(2)).filter_map(|mode| shape.mode(mode).ok()).any(divided)
    }

    /// The layout that maps every index of the domain to itself.
    fn indices(&self) -> Result<Layout, Error> {
        Layout::column_major(&self.domain.shape())
    }
}

fn refusal(message: impl Into<String>) -> Failure {
    Failure::other("kind", message)
}

fn offsets(value: &Value, look: &Look) -> Result<Scene, Failure> {
    if let Value::Instruction(instruction) = value {
        return instruction::scene(instruction, &look.options);
    }
    let function = Function::of(value)?;
    function.scene(&function.value.to_string(), look)
}

fn threads(value: &Value, look: &Look) -> Result<Scene, Failure> {
    let function = Function::of(value)?;
    let tile = match look.tile {
        Some(tile) => tile,
        None => tilework_draw::smallest_tile(&function.domain, &|index| function.at(index), &look.options)?,
    };
    let title = format!("{value} in {tile}");
    Ok(tilework_draw::threads(&title, &function.domain, &|index| function.at(index), &tile, &look.options)?)
}

fn banks(value: &Value, look: &Look) -> Result<Scene, Failure> {
    let banks = memory(value, look)?;
    let one = |value: &Value| {
        let data = value
            .as_data()
            .unwrap_or_else(|| Ok(Function::of(value).map_or(Layout::UNIT, |own| own.domain).into()))?;
        let scene = tilework_draw::banks(&value.to_string(), &data, &banks, &look.options)?;
        match look.options.colors_by(ColorBy::Bank) {
            true => Ok(scene),
            false => Function::of(value)?.color(scene, look),
        }
    };
    let Value::Composed(composed) = value.untyped() else { return one(value) };
    let (mut pair, mut about) = (Vec::new(), String::new());
    for value in [&Value::from(*composed.layout()), value] {
        let mut scene = one(value)?;
        // The two are compared, so the difference is in the title.
        let caption = std::mem::take(&mut scene.caption);
        if let Some((same, conflicts)) = caption.rsplit_once("; ") {
            about = same.to_string();
            scene.title = format!("{}: {conflicts}", scene.title);
        }
        pair.push(scene);
    }
    Ok(Scene { caption: about, ..Scene::row("before and after the swizzle", pair) })
}

/// The arrangement of an operation's elements in tiles.
enum Tiles {
    /// The indices of the operand on the left are tiled; the layout maps the indices of the result to them.
    Divide { tiling: Tiling, indices: Box<Layout> },
    /// The indices of the result are tiled.
    Product(Copies),
}

/// The drawing of the operation in the table.
fn drawing(operands: &Operands) -> Option<Drawing> {
    match operands.kind {
        StepKind::Apply(Apply::Call { function, .. }) => function.drawing,
        _ => None,
    }
}

fn tiling(operands: &Operands, options: &Options) -> Result<Tiles, Failure> {
    let none = || refusal("only a composition, a divide or a product has tiles to show");
    let (Some(drawing), [left, right]) = (drawing(operands), operands.values.as_slice()) else {
        return Err(none());
    };
    let tiler = right.as_tiler().ok_or_else(none)??;
    let left = Function::of(left)?;
    let indices = left.indices()?;
    match drawing {
        Drawing::Composition => {
            let tile = match alone(&tiler)? {
                Some(tile) => indices.composition(&tile)?,
                None => indices.composition_by_mode(&tiler)?,
            };
            Ok(Tiles::Divide { tiling: Tiling::of_tile(&tile, options)?, indices: Box::new(tile) })
        }
        Drawing::Divide(divide) => {
            let tiling = Tiling::new(&indices.zipped_divide(&tiler)?, options)?;
            Ok(Tiles::Divide { tiling, indices: Box::new(divide(&indices, &tiler)?) })
        }
        Drawing::Product(of_layout, by_mode) => {
            let order = if tiler.is_by_mode() { by_mode } else { of_layout };
            Ok(Tiles::Product(Copies::new(order, &left.domain, &tiler)?))
        }
        Drawing::Common(_) | Drawing::Inverse | Drawing::Part => Err(none()),
    }
}

/// The layout of a tiler, unless it applies by mode.
fn alone(tiler: &Tiler) -> Result<Option<Layout>, Error> {
    if tiler.is_by_mode() { Ok(None) } else { tiler.layout() }
}

/// The copies of the tile in the result of a product.
struct Copies {
    /// From an index of the result to that of its copy in the grid.
    copy: Box<Layout>,
    grid: Vec<i64>,
}

impl Copies {
    fn new(order: Order, tile: &Layout, tiler: &Tiler) -> Result<Copies, Error> {
        let grid = match alone(tiler)? {
            Some(grid) => grid.shape().mode_sizes()?,
            None => tile.zipped_product(tiler)?.mode(1)?.shape().mode_sizes()?,
        };
        let tile = tile.shape().mode_sizes()?;
        let extent = |sizes: &Shape, mode: usize| sizes.leaves().get(mode).copied().unwrap_or(1);
        let (mut leaves, mut step) = (Vec::new(), 1);
        for mode in 0..tile.leaves().len().max(grid.leaves().len()) {
            let within = Leaf::new(extent(&tile, mode), 0);
            let copy = Leaf::new(extent(&grid, mode), step);
            leaves.extend(if let Order::Raked = order { [copy, within] } else { [within, copy] });
            step *= copy.extent;
        }
        if let Order::Whole = order {
            sort_by_key(&mut leaves, |leaf| !leaf.stride.is_zero());
        }
        let copy = Layout::new(HTuple::tuple(&leaves.into_iter().map(HTuple::leaf).collect::<Vec<_>>())?)?;
        Ok(Copies { copy: Box::new(copy), grid: grid.leaves().to_vec() })
    }

    /// The ground of an index of the result.
    fn ground(&self, index: i64) -> Ground {
        self.copy.try_at(index).map_or(Ground::Blank, |copy| self.of_copy(copy))
    }

    /// The ground of a copy by its index in the grid.
    fn of_copy(&self, copy: i64) -> Ground {
        tilework_draw::tile_ground_at(copy, self.grid.iter().copied())
    }
}

fn tiles(operands: &Operands, value: &Value, look: &Look) -> Result<Scene, Failure> {
    let title = format!("{} = {value}", &operands.source);
    match tiling(operands, &look.options)? {
        Tiles::Divide { tiling, .. } => {
            let parent = Function::of(&operands.values[0])?.scene(&operands.source, look)?;
            Ok(paint(parent, look, |index| tiling.ground(index)))
        }
        Tiles::Product(copies) => {
            Ok(paint(Function::of(value)?.scene(&title, look)?, look, |index| copies.ground(index)))
        }
    }
}

/// The grounds of tiles, unless other colours are requested.
fn paint(scene: Scene, look: &Look, ground: impl Fn(i64) -> Ground) -> Scene {
    if look.options.colors_by(ColorBy::Tile) { scene.paint(|cell| ground(cell.index)) } else { scene }
}

/// All offsets of a layout of indices.
fn image(start: i64, layout: &Layout, options: &Options) -> Result<HashSet<i64>, Error> {
    (0..options.bounded(layout.size())?).map(|index| Ok(start + layout.try_at(index)?)).collect()
}

fn slice(operands: &Operands, look: &Look) -> Result<Scene, Failure> {
    let none =
        || refusal("only a slice, such as (L)(2,_), or a tile of local_tile is a part to show in its whole");
    let (StepKind::Apply(apply), [whole, arguments @ ..]) = (operands.kind, operands.values.as_slice())
    else {
        return Err(none());
    };
    let whole = Function::of(whole)?;
    let part = match apply {
        Apply::Coordinate(_) => {
            let pattern = Value::from(coordinate(arguments)?).as_pattern().ok_or_else(none)?;
            whole.indices()?.slice(&pattern)?
        }
        // The same part of the indices.
        Apply::Call { function, .. } if matches!(function.drawing, Some(Drawing::Part)) => {
            let mut values = operands.values.to_vec();
            values[0] = Value::from(whole.indices()?);
            match function.call(&values, &[])? {
                Value::View(part) => *part,
                _ => return Err(none()),
            }
        }
        _ => return Err(none()),
    };
    let marked = image(part.offset().leaves()[0].numerator(), part.layout(), &look.options)?;
    Ok(mark(whole.scene(&operands.source, look)?, &marked, look))
}

/// Frames some cells, and shades them unless other colours are requested.
fn mark(scene: Scene, marked: &HashSet<i64>, look: &Look) -> Scene {
    let chosen = |cell: &Cell| marked.contains(&cell.index);
    let scene = match look.options.color_by {
        None => scene.paint(|cell| if chosen(cell) { Ground::Class(2) } else { Ground::Blank }),
        Some(_) => scene,
    };
    scene.highlight(chosen)
}

fn common(operands: &Operands, look: &Look) -> Result<Scene, Failure> {
    let none = || refusal("common_layout(A, B) and common_vector(A, B) have something in common to show");
    let (Some(Drawing::Common(common)), [left, right]) = (drawing(operands), operands.values.as_slice())
    else {
        return Err(none());
    };
    let (left, right) = (Function::of(left)?, Function::of(right)?);
    let marked = image(0, &common(&left.any_layout(), &right.any_layout())?, &look.options)?;
    let mut pair = Vec::new();
    for function in [&left, &right] {
        pair.push(mark(function.scene(&function.value.to_string(), look)?, &marked, look));
    }
    Ok(Scene::row(format!("{}: {} elements", &operands.source, marked.len()), pair))
}

fn operation(operands: &Operands, value: &Value, look: &Look) -> Result<Scene, Failure> {
    let is_part = matches!(operands.kind, StepKind::Apply(Apply::Coordinate(_)))
        || matches!(drawing(operands), Some(Drawing::Part));
    if is_part && let Ok(whole) = slice(operands, look) {
        return Ok(Scene::row(&operands.source, vec![whole, titled(value, "", look)?]));
    }
    let mut scenes = Vec::new();
    let result = titled(value, &operands.source, look)?;
    match tiling(operands, &look.options) {
        // By mode, the tiler has no picture of its own, but its tiles have.
        Ok(Tiles::Divide { tiling, indices })
            if operands.values[1].as_layout().is_none()
                || !matches!(drawing(operands), Some(Drawing::Composition)) =>
        {
            let left = titled(&operands.values[0], &operands.sources[0], look)?;
            scenes.push(paint(left, look, |index| tiling.ground(index)));
            let of_index = |index| indices.try_at(index).map_or(Ground::Blank, |at| tiling.ground(at));
            scenes.push(paint(result, look, of_index));
        }
        Ok(Tiles::Product(copies)) => {
            let tile = titled(&operands.values[0], &operands.sources[0], look)?;
            scenes.push(paint(tile, look, |_| Ground::Class(0)));
            if let Ok(grid) = titled(&operands.values[1], &operands.sources[1], look) {
                scenes.push(paint(grid, look, |index| copies.of_copy(index)));
            }
            scenes.push(paint(result, look, |index| copies.ground(index)));
        }
        _ => {
            let mut operands: Vec<_> = operands.values.iter().zip(&operands.sources).collect();
            // A composition is evaluated from the right: first B, then A.
            operands.reverse();
            for (value, source) in operands {
                if let Ok(scene) = titled(value, source, look) {
                    scenes.push(scene);
                }
            }
            scenes.push(result);
        }
    }
    // The end of each picture's panels in the row.
    let ends: Vec<usize> = scenes
        .iter()
        .scan(0, |end, scene| {
            *end += scene.panels.len();
            Some(*end)
        })
        .collect();
    let mut row = Scene::row(&operands.source, scenes);
    if let Some(element) = look.element {
        trace(&mut row, &ends, operands, value, element)?;
    }
    Ok(row)
}

/// The picture of a value with its source text as the title.
fn titled(value: &Value, source: &str, look: &Look) -> Result<Scene, Failure> {
    let printed = value.to_string();
    let same = source.is_empty() || source.split_whitespace().eq(printed.split_whitespace());
    let title = if same { printed } else { format!("{source} = {printed}") };
    Function::of(value)?.scene(&title, look)
}

/// The arrows that trace one element through the panels of a composition, or from an inverse to the layout.
fn trace(
    row: &mut Scene,
    ends: &[usize],
    operands: &Operands,
    value: &Value,
    element: i64,
) -> Result<(), Failure> {
    let none = || refusal("an element is followed through a composition or an inverse");
    let drawing = drawing(operands).ok_or_else(none)?;
    let size = Function::of(value)?.domain.size();
    if !(0..size).contains(&element) {
        return Err(refusal(format!("there is no element {element}; the result has {size}, from 0")));
    }
    let through: Vec<i64> = match (drawing, operands.values.as_slice()) {
        (Drawing::Composition, [_, right]) if right.as_layout().is_some() => {
            let step = Function::of(right)?.at(element)?;
            vec![element, index(&step)?, element]
        }
        (Drawing::Inverse, [_]) => {
            let step = Function::of(value)?.at(element)?;
            vec![index(&step)?, element]
        }
        _ => return Err(none()),
    };
    let mut stops = Vec::new();
    let mut start = 0;
    for (index, &end) in through.into_iter().zip(ends) {
        let place = |panel: usize| {
            Some((panel, row.panels[panel].cells.iter().position(|cell| cell.index == index)?))
        };
        let Some(stop) = (start..end).find_map(place) else {
            return Err(refusal(format!("element {element} leads to index {index}, which is not drawn")));
        };
        row.panels[stop.0].highlights.push(stop.1);
        stops.push(stop);
        start = end;
    }
    // An inverse maps from its own panel, the last, to the layout's.
    if stops.len() == 2 {
        stops.reverse();
    }
    row.arrows.extend(stops.windows(2).map(|pair| Arrow { from: pair[0], to: pair[1] }));
    Ok(())
}

fn index(offset: &Offset) -> Result<i64, Failure> {
    match offset.leaves() {
        [leaf] if leaf.is_integer() => Ok(leaf.numerator()),
        _ => Err(refusal("an element is followed through integral coordinates only")),
    }
}
