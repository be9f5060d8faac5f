//! Who accesses a layout.

use crate::error::{ExprError, Failure};
use crate::instruction::Instruction;
use crate::program::{Apply, StepKind};
use crate::session::Session;
use crate::trace::Recorder;
use crate::value::Value;
use tilework::{Error, Layout, Tiler, layout};
use tilework_hardware::access::Access;
use tilework_hardware::tiled::TiledMma;

/// An access to a layout that is not yet known.
///
/// | written | access |
/// |---|---|
/// | `ldmatrix` | the rows of its matrices, along the second mode |
/// | `ldmatrix.trans` | the same along the first mode |
/// | `rows` | 16 bytes a thread, by rows |
/// | `((4,8),8):((64,1),8)` | from threads and values to coordinates of the layout |
/// | `tiled_mma(..).a` | the threads and values of all tiles of an operand; `.b`, `.c`; an MMA atom is one tile of itself |
/// | `tiled_copy(..).src` | the same of a source, by vectors of the atom; `.dst` |
///
/// ```
/// use tilework::layout;
/// use tilework_expr::{Accesses, Session};
/// let mma = "tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1))";
/// let accesses = Accesses::read(&mut Session::new(), &format!("{mma}.a"))?;
/// // Four tiles of (32,16), one below the other.
/// let access = accesses.of(&layout!((128,16):(16,1)), 16, None)?;
/// assert_eq!((access.threads(), access.values()), (128, 4 * 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Accesses(Kind);

#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // One of a question.
enum Kind {
    Ldmatrix,
    LdmatrixTrans,
    Rows,
    Layout(Layout),
    /// An MMA or a tiled copy, and its operand or side.
    Tiled(Value, &'static str),
}

impl Accesses {
    /// The access of a text.
    ///
    /// # Errors
    /// [`ExprError`] for a text without a value, and those of [`of_value`](Self::of_value).
    pub fn read(session: &mut Session, text: &str) -> Result<Accesses, ExprError> {
        let all =
            [("ldmatrix", Kind::Ldmatrix), ("ldmatrix.trans", Kind::LdmatrixTrans), ("rows", Kind::Rows)];
        if let Some((_, kind)) = all.into_iter().find(|(name, _)| *name == text.trim()) {
            return Ok(Accesses(kind));
        }
        let mut recorder = Recorder::new(text, false);
        session.statements(text, Some(&mut recorder)).map_err(|error| match error.code {
            "name" => error.with_help(format!("an access is {WRITTEN}")),
            _ => *error,
        })?;
        let of_field = recorder.last().and_then(|operands| match operands.kind {
            StepKind::Apply(Apply::Field(field)) => Accesses::of_field(&operands.values[0], field),
            _ => None,
        });
        match of_field {
            Some(accesses) => Ok(accesses),
            None => Accesses::of_value(session.value()?).map_err(|failure| failure.at(0..text.len(), &[])),
        }
    }

    /// The access of a value.
    ///
    /// # Errors
    /// [`Failure`] for a value that is neither a layout nor a tiled copy whose two sides are alike.
    pub fn of_value(value: &Value) -> Result<Accesses, Failure> {
        if let Value::Instruction(instruction) = value {
            return match &**instruction {
                Instruction::TiledCopy(copy) if copy.layout_s_tv()? == copy.layout_d_tv()? => {
                    Ok(Accesses(Kind::Tiled(value.clone(), "src")))
                }
                Instruction::TiledCopy(_) => {
                    Err(wrong("the source and the destination differ; write .src or .dst"))
                }
                Instruction::TiledMma(_) | Instruction::Mma(_) => {
                    Err(wrong("an MMA has three operands; write .a, .b or .c"))
                }
                _ => Err(wrong("one instruction has no tile; write tiled_mma(..).a or tiled_copy(..).src")),
            };
        }
        match value.as_layout() {
            Some(layout) => Ok(Accesses(Kind::Layout(layout?))),
            None => Err(wrong(&format!("an access is {WRITTEN}; found {}", value.kind()))),
        }
    }

    /// The access of an operand of an MMA, or of a side of a tiled copy; `None` for another value or field.
    #[must_use]
    pub fn of_field(value: &Value, field: &str) -> Option<Accesses> {
        let Value::Instruction(instruction) = value else { return None };
        let sides: &[&str] = match **instruction {
            Instruction::TiledMma(_) | Instruction::Mma(_) => &["a", "b", "c"],
            Instruction::TiledCopy(_) => &["src", "dst"],
            _ => return None,
        };
        let side = sides.iter().find(|side| **side == field)?;
        Some(Accesses(Kind::Tiled(value.clone(), side)))
    }

    /// The MMA or tiled copy, which may give the question its width.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        match &self.0 {
            Kind::Tiled(value, _) => Some(value),
            _ => None,
        }
    }

    /// The access to a layout of elements of `bits` bits, `vector` consecutive values of a thread at once: by default the
    /// values of the atom of a tiled copy, and otherwise one.
    ///
    /// # Errors
    /// [`Failure`] if the layout has no such tiles, and those of [`Access`].
    pub fn of(&self, data: &Layout, bits: u32, vector: Option<u32>) -> Result<Access, Failure> {
        let (tv, usual) = match &self.0 {
            Kind::Ldmatrix => return Ok(Access::ldmatrix(data, bits)?),
            Kind::LdmatrixTrans => return Ok(Access::ldmatrix_trans(data, bits)?),
            Kind::Rows => return Ok(Access::rows(data, bits)?),
            Kind::Layout(layout) => (*layout, 1),
            Kind::Tiled(value, side) => all_tiles(value, side, data)?,
        };
        Ok(Access::new(tv, bits)?.vector(vector.unwrap_or(usual))?)
    }
}

const WRITTEN: &str = "`ldmatrix`, `ldmatrix.trans`, `rows`, a layout, tiled_mma(..).a or tiled_copy(..).src";

fn wrong(message: &str) -> Failure {
    Failure::other("kind", message)
}

/// From threads and values of all tiles to indices of a layout, and how many values of a thread one instruction moves.
/// Where a tile ends behind a mode, to coordinates: the index there would be that of another element.
fn all_tiles(value: &Value, side: &str, data: &Layout) -> Result<(Layout, u32), Failure> {
    let found = tiles(value, side, &Layout::column_major(&data.shape())?)?;
    match found.0.max_offset()? < data.size() {
        true => Ok(found),
        false => tiles(value, side, &Layout::identity(&data.shape())?),
    }
}

/// From threads and values of all tiles to where their elements are in a layout of indices or coordinates.
fn tiles(value: &Value, side: &str, indices: &Layout) -> Result<(Layout, u32), Failure> {
    let Value::Instruction(instruction) = value else {
        return Err(wrong("a tile is that of an instruction"));
    };
    let of_atom =
        |atom: &Layout| -> Result<u32, Error> { Ok(atom.mode(1)?.size().try_into().unwrap_or(u32::MAX)) };
    Ok(match (&**instruction, side) {
        (Instruction::Mma(atom), _) => {
            let one = TiledMma::new(*atom, &layout!((1,1,1):(0,0,0)), &Tiler::HOLE)?;
            return tiles(&Instruction::TiledMma(one).into(), side, indices);
        }
        (Instruction::TiledMma(mma), "a") => (mma.layout_a_tv_of(indices)?, 1),
        (Instruction::TiledMma(mma), "b") => (mma.layout_b_tv_of(indices)?, 1),
        (Instruction::TiledMma(mma), _) => (mma.layout_c_tv_of(indices)?, 1),
        (Instruction::TiledCopy(copy), side) => {
            let [source, destination] = copy.atom().elements(copy.bits())?;
            match side {
                "src" => (copy.tidfrg_s(indices)?, of_atom(&source)?),
                _ => (copy.tidfrg_d(indices)?, of_atom(&destination)?),
            }
        }
        _ => return Err(wrong("a tile is that of an MMA or a tiled copy")),
    })
}
