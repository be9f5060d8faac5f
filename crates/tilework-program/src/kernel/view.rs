//! Tensors of a kernel, and views of them.

use super::index::Index;
use crate::element::ElementType;
use crate::form;
use crate::prelude::*;
use crate::program::{self, Place, Program, Space, Storage};
use crate::verify::{check_mode, check_split};
use core::fmt::Display;
use core::marker::PhantomData;
use tilework::Layout;

/// A tensor of a kernel, by its place.
#[derive(Debug)]
pub struct Tensor<T> {
    pub(super) place: usize,
    element: PhantomData<T>,
}

impl<T> Clone for Tensor<T> {
    fn clone(&self) -> Tensor<T> {
        *self
    }
}

impl<T> Copy for Tensor<T> {}

/// A tensor with what its coordinates are the sum of: tiles, threads and values.
///
/// A view is a list of steps, each of which adds to the coordinates; what is wrong with one is said by
/// [`finish`](super::Kernel::finish), with the line of the statement that uses it.
#[derive(Clone, Debug)]
pub struct View<T> {
    pub(super) tensor: usize,
    steps: Vec<Step>,
    /// The coordinates of the last tile in the tensor.
    tile: Option<String>,
    /// What an element outside is read as.
    outside: Option<f64>,
    element: PhantomData<T>,
}

/// Of a partition, the first mode is the thread's, the second the value's.
#[derive(Clone, Debug)]
enum Step {
    Index { index: Index, step: i64, mode: usize },
    Split { index: form::Index, layout: String },
    Partition { layout: Result<String, Error> },
    Gather { mode: usize, view: Box<View<u32>> },
}

impl<T: ElementType> Tensor<T> {
    pub(super) fn new(place: usize) -> Tensor<T> {
        Tensor { place, element: PhantomData }
    }

    fn view(self) -> View<T> {
        View { tensor: self.place, steps: Vec::new(), tile: None, outside: None, element: PhantomData }
    }
}

macro_rules! of_whole {
    ($($name:ident($($argument:ident: $of:ty),*), $what:literal;)*) => {
        impl<T: ElementType> Tensor<T> {
            $(
                #[doc = $what]
                #[must_use]
                pub fn $name(self, $($argument: $of),*) -> View<T> {
                    self.view().$name($($argument),*)
                }
            )*
        }
    };
}

of_whole! {
    tile(shape: impl AsRef<[i64]>, at: impl AsRef<[Index]>), "[`View::tile`].";
    along(of: &View<impl Sized>, mode: usize), "[`View::along`].";
    at(mode: usize, index: impl Into<Index>), "[`View::at`].";
    partition(layout: impl Display), "[`View::partition`].";
    threads(layout: impl Display), "[`View::threads`].";
    values(layout: impl Display), "[`View::values`].";
    gather(mode: usize, view: impl Into<View<u32>>), "[`View::gather`].";
}

impl<T: ElementType> From<Tensor<T>> for View<T> {
    fn from(tensor: Tensor<T>) -> View<T> {
        tensor.view()
    }
}

impl<T: Clone> From<&View<T>> for View<T> {
    fn from(view: &View<T>) -> View<T> {
        view.clone()
    }
}

impl<T: ElementType> View<T> {
    fn with(mut self, step: Step) -> View<T> {
        self.steps.push(step);
        self
    }

    /// The tile of a shape at a position of the grid of tiles: CuTe's `local_tile`.
    ///
    /// ```
    /// use tilework_program::kernel::Kernel;
    /// let mut k = Kernel::new("zeros", 256);
    /// let b = k.write::<f32>("B", "(M,N):(1,ldb)");
    /// let [i, j] = k.grid(["ceil(M/32)", "ceil(N/32)"]);
    /// k.fill(b.tile([32, 32], [i, j]).partition("((32,8),4):((1@0,1@1),8@1)"), 0.0);
    /// assert!(k.finish()?.to_string().ends_with("B[b0 32@0, b1 32@1, t (32,8):(1@0,1@1), v 4:8@1] = 0\n"));
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    #[must_use]
    pub fn tile(mut self, shape: impl AsRef<[i64]>, at: impl AsRef<[Index]>) -> View<T> {
        for (mode, (step, index)) in shape.as_ref().iter().zip(at.as_ref()).enumerate() {
            self.steps.push(Step::Index { index: *index, step: *step, mode });
        }
        let modes: Vec<String> = shape.as_ref().iter().map(i64::to_string).collect();
        let strides: Vec<String> = (0..modes.len()).map(|mode| format!("1@{mode}")).collect();
        self.tile = Some(format!("({}):({})", modes.join(","), strides.join(",")));
        self
    }

    /// A tensor of one mode as a tile of another view: along a mode of that tile, and the same along its others.
    ///
    /// ```
    /// use tilework_program::kernel::Kernel;
    /// let mut k = Kernel::new("rows", 32);
    /// let (bias, c) = (k.read::<f32>("bias", "N:1"), k.write::<f32>("C", "(M,N):(ldc,1)"));
    /// let [i, j] = k.grid(["ceil(M/16)", "ceil(N/8)"]);
    /// let mma = k.tiled_mma("SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "<_,_,_>");
    /// let out = c.tile([16, 8], [i, j]);
    /// k.copy(mma.partition_c(bias.along(&out, 1)), mma.partition_c(out));
    /// let program = k.finish()?;
    /// assert!(program.to_string().contains("= bias[b1 8@0, t (4,8):(2@0,0), v (2,2):(1@0,0)] else 0"));
    /// assert!(program.check()?.is_proved());
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    #[must_use]
    pub fn along<U>(mut self, of: &View<U>, mode: usize) -> View<T> {
        self.steps.extend(of.steps.iter().filter_map(|step| match step {
            Step::Index { index, step, mode: own } if *own == mode => {
                Some(Step::Index { index: *index, step: *step, mode: 0 })
            }
            _ => None,
        }));
        self.tile = of.tile.as_ref().and_then(|tile| tile.split_once(':')).map(|(shape, strides)| {
            let own = |own: usize| if own == mode { "1@0" } else { "0" };
            let strides: Vec<&str> = (0..strides.split(',').count()).map(own).collect();
            format!("{shape}:({})", strides.join(","))
        });
        self
    }

    /// From the coordinates of the last tile to those of the tensor.
    pub(super) fn tiled(&self) -> Result<Layout, Error> {
        let missing = || Error::new("a tile is partitioned: write `.tile(shape, at)` first");
        parsed(self.tile.as_ref().ok_or_else(missing)?)
    }

    /// Moved along a mode by an index or a number.
    #[must_use]
    pub fn at(self, mode: usize, index: impl Into<Index>) -> View<T> {
        self.with(Step::Index { index: index.into(), step: 1, mode })
    }

    /// Split among threads and the values of each, by a layout of both: (thread, value) to coordinates.
    #[must_use]
    pub fn partition(self, layout: impl Display) -> View<T> {
        self.with(Step::Partition { layout: Ok(layout.to_string()) })
    }

    /// The same by a layout that may be none.
    pub(super) fn partition_by(self, layout: Result<Layout, Error>) -> View<T> {
        self.with(Step::Partition { layout: layout.map(|layout| layout.to_string()) })
    }

    /// Split among threads.
    #[must_use]
    pub fn threads(self, layout: impl Display) -> View<T> {
        self.with(Step::Split { index: form::Index::Thread, layout: layout.to_string() })
    }

    /// Split among the values of a thread.
    #[must_use]
    pub fn values(self, layout: impl Display) -> View<T> {
        self.with(Step::Split { index: form::Index::Value, layout: layout.to_string() })
    }

    /// With one coordinate read from memory.
    #[must_use]
    pub fn gather(self, mode: usize, view: impl Into<View<u32>>) -> View<T> {
        self.with(Step::Gather { mode, view: Box::new(view.into()) })
    }

    /// With what an element outside of its global tensor is read as; 0 where nothing is said.
    #[must_use]
    pub fn outside(self, value: f64) -> View<T> {
        View { outside: Some(value), ..self }
    }

    /// The same with another number for what is outside, where nothing is said.
    pub(super) fn outside_or(self, value: f64) -> View<T> {
        View { outside: self.outside.or(Some(value)), ..self }
    }

    /// The view as a part of a program.
    pub(super) fn place_in(&self, program: &Program, is_read: bool) -> Result<program::View, Error> {
        let tensor = program.tensors.get(self.tensor);
        let tensor = tensor.ok_or_else(|| Error::new("the tensor is one of another kernel"))?;
        let places = self.places(program, tensor);
        let places = places.map_err(|error| error!("{}: {}", tensor.name, error.message()))?;
        // What is said of a tensor that has no outside is refused with the statement.
        let outside = match (is_read, tensor.space.is_global()) {
            (true, true) => self.outside.or(Some(0.0)),
            (true, false) => None,
            (false, _) => self.outside,
        };
        Ok(program::View { tensor: self.tensor, places, outside })
    }

    fn places(&self, program: &Program, tensor: &program::Tensor) -> Result<Vec<Place>, Error> {
        let (rank, mut places) = (tensor.rank(), Vec::new());
        for step in &self.steps {
            match step {
                Step::Index { index, step, mode } => {
                    check_mode(*mode, rank)?;
                    let wrong =
                        || error!("mode {mode}: an index of this form is no digit of a loop or block");
                    let (digit, plus) = index.parts().ok_or_else(wrong)?;
                    if let Some(digit) = digit {
                        places.push(Place::Step { digit, step: *step, mode: *mode });
                    }
                    if plus != 0 {
                        places.push(Place::Constant { step: plus.saturating_mul(*step), mode: *mode });
                    }
                }
                Step::Split { index, layout } => places.push(split(*index, &parsed(layout)?, rank)?),
                Step::Partition { layout } => {
                    let whole = parsed(layout.as_ref().map_err(Clone::clone)?)?;
                    if whole.rank() != 2 {
                        return Err(error!(
                            "{whole} has {} modes: a partition has one of threads and one of values",
                            whole.rank()
                        ));
                    }
                    places.push(split(form::Index::Thread, &whole.mode(0)?, rank)?);
                    places.push(split(form::Index::Value, &whole.mode(1)?, rank)?);
                }
                Step::Gather { mode, view } => {
                    check_mode(*mode, rank)?;
                    let mut view = view.place_in(program, true)?;
                    view.outside = None;
                    places.push(Place::Gather { view: Box::new(view), mode: *mode });
                }
            }
        }
        // Registers as they are: all of their elements.
        if let (Space::Registers, Storage::Local(layout), true) =
            (tensor.space, &tensor.storage, places.is_empty())
            && layout.layout().size() > 1
        {
            let modes = (0..rank).map(|mode| Ok(layout.layout().mode(mode)?.size().to_string()));
            let shape = tuple(&modes.collect::<Result<Vec<_>, Error>>()?);
            let strides = tuple(&(0..rank).map(|mode| format!("1@{mode}")).collect::<Vec<_>>());
            places.push(split(form::Index::Value, &parsed(&format!("{shape}:{strides}"))?, rank)?);
        }
        Ok(places)
    }
}

fn tuple(items: &[String]) -> String {
    match items {
        [one] => one.clone(),
        all => format!("({})", all.join(",")),
    }
}

fn parsed(layout: &str) -> Result<Layout, Error> {
    layout.parse().map_err(|error| error!("{layout}: {error}"))
}

fn split(index: form::Index, layout: &Layout, rank: usize) -> Result<Place, Error> {
    let name = if index == form::Index::Thread { "t" } else { "v" };
    check_split(name, layout, rank).map_err(|error| error!("{name} {layout}: {}", error.message()))?;
    Ok(Place::Split { index, layout: Box::new(*layout) })
}
