//! Instructions as values: atoms, and atoms over tiles.

use crate::suggest;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;
use tilework_hardware::atom::{Atom, CopyAtom, MmaAtom, Row, bare_name, find_in, rows};
use tilework_hardware::tiled::{TiledCopy, TiledMma};

/// An instruction, or several side by side: the elements of each matrix, or of each side of a copy, that each thread
/// has.
///
/// The layouts are [fields](crate::FIELDS), written after a dot.
///
/// ```
/// let mut session = tilework_expr::Session::new();
/// session.evaluate("let mma = atom(SM80_16x8x16_F32F16F16F32_TN)")?;
/// assert_eq!(session.evaluate("mma.c")?.to_string(), "((4,8),(2,2)):((32,1),(16,8))");
/// assert_eq!(session.evaluate("tiled_mma(mma, (2,2,1)).shape")?.to_string(), "(32,16,16)");
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant)] // It is in a box wherever it is kept.
pub enum Instruction {
    /// It multiplies matrices.
    Mma(MmaAtom),
    /// It copies data, in elements of some bits.
    Copy(CopyAtom, i64),
    /// CuTe's `TiledMMA`.
    TiledMma(TiledMma),
    /// CuTe's `TiledCopy`.
    TiledCopy(TiledCopy),
}

impl Instruction {
    /// The instruction of this name, as [`find`](tilework_hardware::atom::find) reads it; a copy counted in bits.
    pub(crate) fn named(name: &str) -> Option<Instruction> {
        // There are thousands, and each name is made from its row.
        static ROWS: LazyLock<HashMap<String, Vec<Row>>> = LazyLock::new(|| {
            let mut found = HashMap::<String, Vec<Row>>::new();
            rows().for_each(|row| found.entry(bare_name(row.name()).to_string()).or_default().push(row));
            found
        });
        Some(match find_in(ROWS.get(bare_name(name))?.iter().copied(), name)? {
            Atom::Mma(atom) => Instruction::Mma(atom),
            Atom::Copy(atom) => Instruction::Copy(atom, 1),
        })
    }

    /// What kind of instruction this is, for sentences.
    ///
    /// ```
    /// use tilework_expr::{Session, Value};
    /// let value = Session::new().evaluate("atom(SM75_U32x4_LDSM_N)")?.clone();
    /// let Value::Instruction(instruction) = value else { panic!("an instruction") };
    /// assert_eq!(instruction.kind(), "a copy atom");
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Instruction::Mma(_) => "an MMA atom",
            Instruction::Copy(..) => "a copy atom",
            Instruction::TiledMma(_) => "a tiled MMA",
            Instruction::TiledCopy(_) => "a tiled copy",
        }
    }

    /// The instruction and the section of its manual.
    pub(crate) fn manual(&self) -> (&'static str, &'static str) {
        match self {
            Instruction::Mma(atom) => (atom.instruction, atom.section),
            Instruction::Copy(atom, _) => (atom.instruction, atom.section),
            Instruction::TiledMma(mma) => (mma.atom().instruction, mma.atom().section),
            Instruction::TiledCopy(copy) => (copy.atom().instruction, copy.atom().section),
        }
    }
}

impl fmt::Display for Instruction {
    /// The call that creates it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instruction::Mma(atom) => write!(f, "atom({})", atom.name)?,
            Instruction::Copy(atom, bits) => write_copy(f, atom, *bits)?,
            Instruction::TiledMma(mma) => {
                write!(f, "tiled_mma(atom({}), {}", mma.atom().name, mma.atoms())?;
                match mma.permutation() {
                    permutation if permutation.is_by_mode() => {
                        write!(f, ", {})", permutation.to_text().as_str())?
                    }
                    _ => f.write_str(")")?,
                }
            }
            Instruction::TiledCopy(copy) => {
                f.write_str("tiled_copy(")?;
                write_copy(f, copy.atom(), copy.bits())?;
                write!(f, ", {}, {})", copy.threads_values(), copy.tiler().to_text().as_str())?;
            }
        }
        Ok(())
    }
}

fn write_copy(f: &mut fmt::Formatter<'_>, atom: &CopyAtom, bits: i64) -> fmt::Result {
    match bits {
        1 => write!(f, "atom({})", atom.name),
        _ => write!(f, "atom({}, {bits})", atom.name),
    }
}

/// Up to three names of atoms with the same beginning as a text, the most similar first.
///
/// ```
/// let names = tilework_expr::nearest_atoms("SM80_16x8x17_F32F16F16F32_TN");
/// assert_eq!(names[0], "SM80_16x8x16_F32F16F16F32_TN");
/// ```
#[must_use]
pub fn nearest_atoms(name: &str) -> Vec<String> {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| rows().map(|row| row.name().to_string()).collect());
    // Only those with the same beginning: there are thousands of others.
    let head = name.get(..4).unwrap_or(name);
    let names = NAMES.iter().map(String::as_str);
    suggest::begun(name, names.filter(|other| other.starts_with(head)), 3)
}

/// Whether a word, with the text after it, may be the name of an atom: all begin with a capital letter, and have a `_`
/// or arguments.
pub(crate) fn may_be_name(word: &str, after: &str) -> bool {
    let long = word.len() >= 4 && word.starts_with(|c: char| c.is_ascii_uppercase());
    long && (word.contains('_') || after.starts_with('<') || after.starts_with("::"))
}

/// The length in bytes of the name at the beginning of a text: words with `::` between them, and arguments in `<...>`
/// after the last.
pub(crate) fn name_length(text: &str) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = text.as_bytes();
    let mut end = 0;
    loop {
        end += bytes[end..].iter().take_while(|byte| is_word(byte)).count();
        if !bytes[end..].starts_with(b"::") {
            break;
        }
        end += 2;
    }
    if bytes.get(end) != Some(&b'<') {
        return end;
    }
    // The arguments may have arguments.
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().skip(end) {
        match byte {
            b'<' => depth += 1,
            b'>' if depth == 1 => return at + 1,
            b'>' => depth -= 1,
            b',' | b':' | b' ' => {}
            _ if is_word(byte) => {}
            _ => break,
        }
    }
    end
}
