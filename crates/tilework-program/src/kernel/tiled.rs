//! CuTe's tiled copies and products: an atom of `tilework_hardware` partitions a tile among threads and their values.

use super::Kernel;
use super::view::{Tensor, View};
use crate::element::{Element, ElementType};
use crate::instruction::Instruction;
use crate::prelude::*;
use crate::program::{Expr, Function, Kind, Place, Space, Storage};
use crate::{form, program};
use core::fmt::Display;
use tilework::{Layout, Tiler};
use tilework_hardware::tiled;

/// The operand of a product.
#[derive(Clone, Copy, Debug)]
enum Operand {
    A,
    B,
    C,
}

/// Atoms of a matrix instruction side by side, repeated over a tile: CuTe's `TiledMMA`.
///
/// ```
/// use tilework_program::f16;
/// use tilework_program::kernel::Kernel;
/// // C = A B^T of one tile: 32 threads, one instruction.
/// let mut k = Kernel::new("product", 32);
/// let (a, b) = (k.read::<f16>("A", "(16,16):(16,1)"), k.read::<f16>("B", "(8,16):(16,1)"));
/// let c = k.write::<f32>("C", "(16,8):(8,1)");
/// k.grid(["1"]);
/// let mma = k.tiled_mma("SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "<_,_,_>");
/// let (ra, rb, rc) = (k.fragment_a(&mma, [16, 16]), k.fragment_b(&mma, [8, 16]), k.fragment_c(&mma, [16, 8]));
/// let first = [0.into(), 0.into()];
/// k.fill(rc, 0.0);
/// k.copy(mma.partition_a(a.tile([16, 16], first)), ra);
/// k.copy(mma.partition_b(b.tile([8, 16], first)), rb);
/// k.gemm(&mma, ra, rb, rc);
/// k.copy(rc, mma.partition_c(c.tile([16, 8], first)));
/// let program = k.finish()?;
/// assert!(program.check()?.is_proved());
/// assert!(program.to_string().contains("rc = rc + f32(ra) * f32(rb) by SM80_16x8x16_F32F16F16F32_TN"));
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TiledMma {
    /// None where the kernel has recorded what is wrong.
    mma: Option<Box<tiled::TiledMma>>,
    instruction: String,
}

/// An instruction that copies, with how it partitions a tile among threads: CuTe's `TiledCopy`.
///
/// The name of an instruction alone copies views that are partitioned.
#[derive(Clone, Debug)]
pub struct TiledCopy {
    instruction: String,
    partition: Option<Partition>,
}

#[derive(Clone, Debug)]
enum Partition {
    /// The elements of an operand.
    Operand(TiledMma, Operand),
    /// Threads, and the values of each.
    Threads(Box<[Layout; 2]>),
}

impl From<&str> for TiledCopy {
    fn from(instruction: &str) -> TiledCopy {
        TiledCopy { instruction: instruction.to_string(), partition: None }
    }
}

impl From<&TiledCopy> for TiledCopy {
    fn from(copy: &TiledCopy) -> TiledCopy {
        copy.clone()
    }
}

impl TiledMma {
    /// The extents `[M,N,K]` of its tile; those of a wrong one are 1.
    #[must_use]
    pub fn tile(&self) -> [i64; 3] {
        self.mma.as_ref().map_or([1; 3], |mma| mma.tile())
    }

    /// (thread,(value of the fragment, repetitions)) to the coordinates of a tile.
    fn layout(&self, operand: Operand, tile: &Layout) -> Result<Layout, Error> {
        let Some(mma) = &self.mma else { return Err(Error::new("there is no such tiled product")) };
        let [m, n, k] = mma.tile();
        let (own, layout) = match operand {
            Operand::A => ([m, k], mma.layout_a_tv_of(tile)),
            Operand::B => ([n, k], mma.layout_b_tv_of(tile)),
            Operand::C => ([m, n], mma.layout_c_tv_of(tile)),
        };
        let shape =
            (0..tile.rank()).map(|mode| Ok(tile.mode(mode)?.size())).collect::<Result<Vec<_>, Error>>()?;
        let is_whole = shape.len() == 2 && shape.iter().zip(own).all(|(extent, tile)| extent % tile == 0);
        match is_whole {
            true => Ok(layout?),
            false => {
                Err(error!("{} in tiles of {own:?} does not divide a tile of {shape:?}", self.instruction))
            }
        }
    }

    fn partition<T: ElementType>(&self, operand: Operand, view: View<T>) -> View<T> {
        let layout = view.tiled().and_then(|tile| self.layout(operand, &tile));
        view.partition_by(layout.and_then(|layout| by_thread(&layout)))
    }

    /// The elements of a tile of `A(m,k)` that each thread has.
    #[must_use]
    pub fn partition_a<T: ElementType>(&self, tile: impl Into<View<T>>) -> View<T> {
        self.partition(Operand::A, tile.into())
    }

    /// The elements of a tile of `B(n,k)` that each thread has.
    #[must_use]
    pub fn partition_b<T: ElementType>(&self, tile: impl Into<View<T>>) -> View<T> {
        self.partition(Operand::B, tile.into())
    }

    /// The elements of a tile of `C(m,n)` that each thread has.
    #[must_use]
    pub fn partition_c<T: ElementType>(&self, tile: impl Into<View<T>>) -> View<T> {
        self.partition(Operand::C, tile.into())
    }

    fn copy(&self, operand: Operand, instruction: &str) -> TiledCopy {
        let partition = Some(Partition::Operand(self.clone(), operand));
        TiledCopy { instruction: instruction.to_string(), partition }
    }

    /// A copy of the elements of `A` that each thread has, by an instruction such as `SM75_U32x4_LDSM_N`.
    #[must_use]
    pub fn copy_a(&self, instruction: &str) -> TiledCopy {
        self.copy(Operand::A, instruction)
    }

    /// A copy of the elements of `B` that each thread has.
    #[must_use]
    pub fn copy_b(&self, instruction: &str) -> TiledCopy {
        self.copy(Operand::B, instruction)
    }
}

/// The modes of threads and of values, each as short as it can be.
fn by_thread(layout: &Layout) -> Result<Layout, Error> {
    Ok(Layout::concatenate(&[layout.mode(0)?.coalesce(), layout.mode(1)?.coalesce()])?)
}

impl TiledCopy {
    /// The elements of a view of global or shared memory that each thread copies.
    fn partition<T: ElementType>(&self, view: View<T>, tile: &Result<Layout, Error>) -> View<T> {
        let Some(partition) = &self.partition else { return view };
        let layout = tile.clone().and_then(|tile| match partition {
            Partition::Operand(mma, operand) => mma.layout(*operand, &tile),
            Partition::Threads(layouts) => {
                let [threads, values] = &**layouts;
                let (Instruction::AsyncCopy(atom) | Instruction::LoadMatrix(atom)) =
                    Instruction::of_name(&self.instruction)?
                else {
                    return Err(error!("{} does not copy", self.instruction));
                };
                let copy = tiled::TiledCopy::of(&atom, 8 * T::ELEMENT.bytes(), threads, values)?;
                Ok(copy.tidfrg_d(&tile)?)
            }
        });
        view.partition_by(layout.and_then(|layout| by_thread(&layout)))
    }
}

impl Kernel {
    /// An atom repeated by a layout of atoms `(M,N,K)` and permuted by a tiler `<M,N,K>`, as CuTe's `make_tiled_mma`.
    #[track_caller]
    pub fn tiled_mma(
        &mut self,
        instruction: &str,
        atoms: impl Display,
        permutation: impl Display,
    ) -> TiledMma {
        let made = || -> Result<tiled::TiledMma, Error> {
            let Instruction::Multiply(atom) = Instruction::of_name(instruction)? else {
                return Err(error!("{instruction} multiplies no matrices"));
            };
            let (atoms, permutation): (Layout, Tiler) =
                (atoms.to_string().parse()?, permutation.to_string().parse()?);
            let mma = tiled::TiledMma::new(*atom, &atoms, &permutation)?;
            match mma.threads() == self.program.threads {
                true => Ok(mma),
                false => Err(error!(
                    "atoms {atoms} of {instruction} take {} threads, and a block has {}",
                    mma.threads(),
                    self.program.threads
                )),
            }
        };
        let made = made();
        let mma = made.as_ref().ok().map(|mma| Box::new(*mma));
        self.record(made.map(|_| ()));
        TiledMma { mma, instruction: instruction.to_string() }
    }

    /// An instruction that copies, with a layout of threads over a tile and one of the values of each: CuTe's
    /// `make_tiled_copy`.
    ///
    /// ```
    /// use tilework_program::f16;
    /// use tilework_program::kernel::Kernel;
    /// let mut k = Kernel::new("copy", 128);
    /// let (a, s) = (k.read::<f16>("A", "(M,K):(lda,1)"), k.shared::<f16>("s", "(128,32):(32,1)"));
    /// let [i, j] = k.grid(["ceil(M/128)", "ceil(K/32)"]);
    /// let rows = k.tiled_copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "(32,4):(4,1)", "(1,8):(0,1)");
    /// k.copy_by(&rows, a.tile([128, 32], [i, j]), s);
    /// let line = "s[t (4,32):(8@1,1@0), v (8,4):(1@1,32@0)] = A[b0 128@0, b1 32@1, t (4,32):(8@1,1@0), v (8,4):(1@1,32@0)]";
    /// assert!(k.finish()?.to_string().contains(line));
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    #[track_caller]
    pub fn tiled_copy(
        &mut self,
        instruction: &str,
        threads: impl Display,
        values: impl Display,
    ) -> TiledCopy {
        let parse = |text: String| text.parse::<Layout>().map_err(Error::from);
        let layouts =
            parse(threads.to_string()).and_then(|own| Ok(Box::new([own, parse(values.to_string())?])));
        let partition = layouts.as_ref().ok().cloned().map(Partition::Threads);
        self.record(layouts.map(|_| ()));
        TiledCopy { instruction: instruction.to_string(), partition }
    }

    /// `to = from` by an instruction: its name, for views that are partitioned, or a tiled copy of a tile.
    #[track_caller]
    pub fn copy_by<T: ElementType>(
        &mut self,
        by: impl Into<TiledCopy>,
        from: impl Into<View<T>>,
        to: impl Into<View<T>>,
    ) {
        let (by, from, to): (TiledCopy, View<T>, View<T>) = (by.into(), from.into(), to.into());
        // One of the two says which tile it is.
        let tile = from.tiled().or_else(|_| to.tiled());
        let [from, to] = [from, to].map(|view| {
            let tensor = self.program.tensors.get(view.tensor);
            match tensor.is_some_and(|tensor| tensor.space == Space::Registers) {
                true => view,
                false => by.partition(view, &tile),
            }
        });
        let from = from.place_in(&self.program, true).map(Expr::View);
        let to = to.place_in(&self.program, false);
        let by = Instruction::of_name(&by.instruction);
        self.push(from.and_then(|value| Ok(Kind::Each { to: to?, value, by: Some(by?) })));
    }

    /// The registers of a tile of `A(m,k)`: the elements of a fragment, then its repetitions along m and k.
    #[track_caller]
    pub fn fragment_a<T: ElementType>(&mut self, mma: &TiledMma, shape: [i64; 2]) -> Tensor<T> {
        self.fragment("ra", mma, Operand::A, shape)
    }

    /// The registers of a tile of `B(n,k)`.
    #[track_caller]
    pub fn fragment_b<T: ElementType>(&mut self, mma: &TiledMma, shape: [i64; 2]) -> Tensor<T> {
        self.fragment("rb", mma, Operand::B, shape)
    }

    /// The registers of a tile of `C(m,n)`.
    #[track_caller]
    pub fn fragment_c<T: ElementType>(&mut self, mma: &TiledMma, shape: [i64; 2]) -> Tensor<T> {
        self.fragment("rc", mma, Operand::C, shape)
    }

    #[track_caller]
    fn fragment<T: ElementType>(
        &mut self,
        name: &str,
        mma: &TiledMma,
        operand: Operand,
        shape: [i64; 2],
    ) -> Tensor<T> {
        let [rows, columns] = shape;
        let tile = format!("({rows},{columns}):(1@0,1@1)").parse().map_err(Error::from);
        let sizes = tile.and_then(|tile| mma.layout(operand, &tile)).and_then(|layout| {
            let values = layout.mode(1)?;
            let rest = values.mode(1)?;
            Ok([values.mode(0)?.size(), rest.mode(0)?.size(), rest.mode(1)?.size()])
        });
        let [own, rows, columns] = *sizes.as_ref().unwrap_or(&[1; 3]);
        self.record(sizes.map(|_| ()));
        let name = self.unused_tensor(name);
        self.registers(&name, format!("({own},{rows},{columns}):(1,{own},{})", own * rows))
    }

    fn unused_tensor(&self, name: &str) -> String {
        let is_free =
            |name: &String| self.program.check_name(name).is_ok() && self.program.scope.find(name).is_none();
        let numbered = (1..).map(|count| format!("{name}{count}"));
        core::iter::once(name.to_string()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// `c = c + a * b` for fragments of a tiled product, with all their repetitions.
    #[track_caller]
    pub fn gemm<A: ElementType, B: ElementType, C: ElementType>(
        &mut self,
        mma: &TiledMma,
        a: Tensor<A>,
        b: Tensor<B>,
        c: Tensor<C>,
    ) {
        let made = self.product(mma, [a.place, b.place, c.place]);
        self.push(made);
    }

    fn product(&self, mma: &TiledMma, places: [usize; 3]) -> Result<Kind, Error> {
        let by = Instruction::of_name(&mma.instruction)?;
        let extents = |place: usize| -> Result<Vec<i64>, Error> {
            match self.program.tensors.get(place).map(|tensor| &tensor.storage) {
                Some(Storage::Local(layout)) if layout.layout().rank() == 3 => {
                    (0..3).map(|mode| Ok(layout.layout().mode(mode)?.size())).collect()
                }
                _ => Err(Error::new("fragments have three modes: their elements, and repetitions along two")),
            }
        };
        let [a, b, c] = places.map(extents);
        let (a, b, c) = (a?, b?, c?);
        let repeated = [c[1], c[2], a[2]];
        if [a[1], b[1], b[2]] != repeated {
            return Err(error!(
                "fragments of {}x{}, {}x{} and {}x{} repetitions have no product",
                a[1], a[2], b[1], b[2], c[1], c[2]
            ));
        }
        let view = |tensor: usize, strides: &str| -> Result<program::View, Error> {
            let [m, n, k] = repeated;
            let layout: Layout = format!("({m},{n},{k}):({strides})").parse()?;
            let layout = Box::new(layout.coalesce());
            let places = match layout.size() {
                1 => Vec::new(),
                _ => vec![Place::Split { index: form::Index::Value, layout }],
            };
            Ok(program::View { tensor, places, outside: None })
        };
        let element = |place: usize| self.program.tensors.get(place).map(|tensor| tensor.element);
        let factor = |place: usize, strides: &str| -> Result<Expr, Error> {
            let own = Expr::View(view(place, strides)?);
            let of: Option<Element> = element(places[2]).filter(|of| element(place) != Some(*of));
            Ok(of.map_or(own.clone(), |of| Expr::Call(Function::Cast(of), vec![own])))
        };
        let product =
            Expr::Call(Function::Mul, vec![factor(places[0], "1@1,0,1@2")?, factor(places[1], "0,1@1,1@2")?]);
        let to = view(places[2], "1@1,1@2,0")?;
        let value = Expr::Call(Function::Add, vec![Expr::View(to.clone()), product]);
        Ok(Kind::Each { to, value, by: Some(by) })
    }
}
