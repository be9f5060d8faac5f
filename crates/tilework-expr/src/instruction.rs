//! Instructions as values: atoms, and atoms over tiles.

use crate::pointer::element_type;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;
use tilework::__private::{Reader, begun};
use tilework::{Error, HTuple, Layout, PatternLeaf};
use tilework_hardware::atom::{Atom, CopyAtom, Element, MmaAtom, Name, Row, Side, bare_name, find_in, rows};
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
    /// One thread of a tiled MMA, CuTe's `ThrMMA`.
    ThreadMma(TiledMma, i64),
    /// One thread of a tiled copy, CuTe's `ThrCopy`.
    ThreadCopy(TiledCopy, i64),
}

impl Instruction {
    /// The instruction of this name, as [`find`](tilework_hardware::atom::find) reads it, or under another name; a copy counted
    /// in elements of its matrices, or in bits.
    pub(crate) fn named(name: &str) -> Option<Instruction> {
        // There are thousands, and each name is made from its row.
        static ROWS: LazyLock<HashMap<String, Vec<Row>>> = LazyLock::new(|| {
            let mut found = HashMap::<String, Vec<Row>>::new();
            rows().for_each(|row| found.entry(bare_name(row.name()).to_string()).or_default().push(row));
            found
        });
        let of = |name: &str| find_in(ROWS.get(bare_name(name))?.iter().copied(), name);
        Some(match of(name).or_else(|| of(&other_name(name)?))? {
            Atom::Mma(atom) => Instruction::Mma(atom),
            Atom::Copy(atom) => Instruction::Copy(atom, matrix_bits(&atom).unwrap_or(1)),
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
            Instruction::ThreadMma(..) => "a thread of a tiled MMA",
            Instruction::ThreadCopy(..) => "a thread of a tiled copy",
        }
    }

    /// The instruction and the section of its manual.
    pub(crate) fn manual(&self) -> (&'static str, &'static str) {
        match self {
            Instruction::Mma(atom) => (atom.instruction, atom.section),
            Instruction::Copy(atom, _) => (atom.instruction, atom.section),
            Instruction::TiledMma(mma) | Instruction::ThreadMma(mma, _) => {
                (mma.atom().instruction, mma.atom().section)
            }
            Instruction::TiledCopy(copy) | Instruction::ThreadCopy(copy, _) => {
                (copy.atom().instruction, copy.atom().section)
            }
        }
    }
}

impl fmt::Display for Instruction {
    /// The call that creates it; an atom that no table has as CuTe prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instruction::Mma(atom) => write_mma(f, atom),
            Instruction::Copy(atom, bits) => write_copy(f, atom, *bits),
            Instruction::TiledMma(mma) => {
                f.write_str("tiled_mma(")?;
                write_mma(f, mma.atom())?;
                write!(f, ", {}", mma.atoms())?;
                match mma.permutation() {
                    permutation if permutation.is_by_mode() => {
                        write!(f, ", {})", permutation.to_text().as_str())
                    }
                    _ => f.write_str(")"),
                }
            }
            Instruction::TiledCopy(copy) => {
                f.write_str("tiled_copy(")?;
                write_copy(f, copy.atom(), copy.bits())?;
                write!(f, ", {}, {})", copy.threads_values(), copy.tiler().to_text().as_str())
            }
            Instruction::ThreadMma(mma, thread) => {
                write!(f, "get_slice({}, {thread})", Instruction::TiledMma(*mma))
            }
            Instruction::ThreadCopy(copy, thread) => {
                write!(f, "get_slice({}, {thread})", Instruction::TiledCopy(*copy))
            }
        }
    }
}

/// The bits of an element of the matrices that `ldmatrix` and `stmatrix` move; other copies have elements of any width.
pub(crate) fn matrix_bits(atom: &CopyAtom) -> Option<i64> {
    let bits = if atom.name.contains("U8") { 8 } else { 16 };
    matches!(atom.instruction, "ldmatrix" | "stmatrix").then_some(bits)
}

/// The name of a copy without CuTe's aliases, and with the type of its elements by its width: `UniversalCopy<uint32_t>` of
/// `UniversalCopy<unsigned int>`.
fn other_name(name: &str) -> Option<String> {
    let bits = match name {
        "AutoVectorizingCopy" => 128,
        "DefaultCopy" => 8,
        _ => {
            let (operation, arguments) = name.split_once('<')?;
            let mut reader = Reader::new(arguments);
            reader.skip_namespace();
            let (_, bits) = element_type(&arguments[reader.position()..])?;
            return Some(format!("{operation}<uint{bits}_t>"));
        }
    };
    Some(format!("AutoVectorizingCopyWithAssumedAlignment<{bits}>"))
}

fn write_mma(f: &mut fmt::Formatter<'_>, atom: &MmaAtom) -> fmt::Result {
    let MmaAtom { name, threads, shape: [m, n, k], a, b, c, .. } = atom;
    if !name.is_empty() {
        return write!(f, "atom({name})");
    }
    write!(f, "MMA_Atom ThrID: {threads} Shape_MNK: ({m},{n},{k}) ")?;
    write!(f, "LayoutA_TV: {a} LayoutB_TV: {b} LayoutC_TV: {c}")
}

fn write_copy(f: &mut fmt::Formatter<'_>, atom: &CopyAtom, bits: i64) -> fmt::Result {
    match (atom.name.as_str(), bits) {
        ("", _) => {
            let reference = if atom.reference == Side::Source { &atom.src } else { &atom.dst };
            let all = HTuple::tuple(&[HTuple::leaf(PatternLeaf::All); 2]).map_err(|_| fmt::Error)?;
            let of = |side: &Layout| {
                side.upcast(bits).and_then(|side| side.coalesce_by_mode(all)).map_err(|_| fmt::Error)
            };
            let sides = [&atom.src, &atom.dst, reference].map(of);
            let [source, destination, reference] = sides;
            write!(f, "Copy_Atom ThrID: {} ValLayoutSrc: {} ", atom.threads, source?)?;
            write!(f, "ValLayoutDst: {} ValLayoutRef: {} ValueType: {bits}b", destination?, reference?)
        }
        (name, 1) if matrix_bits(atom).is_none() => write!(f, "atom({name})"),
        (name, _) => write!(f, "atom({name}, {bits})"),
    }
}

/// What CuTe prints of an instruction.
#[derive(Clone, Copy)]
pub(crate) struct Print {
    /// `Copy_Atom`, not `MMA_Atom`.
    pub is_copy: bool,
    /// `TiledMMA` or `TiledCopy`: with two values before those of the atom.
    pub tiled: bool,
    /// `ThrMMA` or `ThrCopy`: with a thread before all others.
    pub of_thread: bool,
}

impl Print {
    /// The word at the beginning of the atom or of what is tiled.
    pub const fn name(self) -> &'static str {
        match (self.tiled, self.is_copy) {
            (true, true) => "TiledCopy",
            (true, false) => "TiledMMA",
            (false, true) => "Copy_Atom",
            (false, false) => "MMA_Atom",
        }
    }
}

/// The MMA atoms with these layouts, which may differ in their elements.
pub(crate) fn mmas_of<'a>(
    threads: &'a Layout,
    shape: [i64; 3],
    matrices: &'a [Layout; 3],
) -> impl Iterator<Item = MmaAtom> + 'a {
    let [m, n, k] = shape;
    let written = [format!("{m}x{n}x{k}"), format!("{m},{n}")];
    // An atom takes much longer to make than its name.
    let may_be =
        move |name: &str| written.iter().any(|shape| name.contains(shape)) || !name.contains(['x', ',']);
    rows().filter(move |row| may_be(row.name())).filter_map(move |row| match row.atom()? {
        Atom::Mma(atom) if atom.shape == shape => {
            let own = [&atom.threads, &atom.a, &atom.b, &atom.c];
            own.into_iter()
                .zip([threads].into_iter().chain(matrices))
                .all(|(own, other)| is_same(own, other))
                .then_some(atom)
        }
        _ => None,
    })
}

/// The MMA atom with these layouts, of several that of halves which are added in single precision; of another instruction one
/// that has no name.
pub(crate) fn mma_of(threads: Layout, shape: [i64; 3], matrices: [Layout; 3]) -> MmaAtom {
    use Element::{F16, F32};
    let named = mmas_of(&threads, shape, &matrices).min_by_key(|atom| atom.elements != [F32, F16, F16, F32]);
    let [a, b, c] = matrices;
    named.unwrap_or(MmaAtom {
        name: Name::new(""),
        instruction: "an instruction that is not in the tables",
        section: "its layouts are those that were printed",
        shape,
        elements: [F32; 4],
        sparsity: 1,
        threads,
        a,
        b,
        c,
        e: None,
        sfa: None,
        sfb: None,
    })
}

/// The copy atom with these layouts of elements of some bits, by the first of its names, one of no architecture before others;
/// of another instruction one that has no name. Without a reference it is the destination.
pub(crate) fn copy_of(
    threads: Layout,
    [source, destination]: [Layout; 2],
    reference: Option<Layout>,
    bits: i64,
) -> Result<CopyAtom, Error> {
    static COPIES: LazyLock<Vec<CopyAtom>> = LazyLock::new(|| {
        let atoms = rows().filter(|row| !row.name().contains("MMA")).filter_map(|row| match row.atom()? {
            Atom::Copy(atom) => Some(atom),
            Atom::Mma(_) => None,
        });
        atoms.collect()
    });
    let fits = |atom: &&CopyAtom| {
        let Ok([own_source, own_destination]) = atom.elements(bits) else { return false };
        let own = if atom.reference == Side::Source { &own_source } else { &own_destination };
        is_same(&atom.threads, &threads)
            && is_same(&own_source, &source)
            && is_same(&own_destination, &destination)
            && reference.as_ref().is_none_or(|reference| is_same(own, reference))
    };
    if let Some(atom) = COPIES.iter().filter(fits).min_by_key(|atom| atom.name.starts_with("SM")) {
        return Ok(*atom);
    }
    let of_source = reference.is_some_and(|reference| !is_same(&reference, &destination));
    if of_source && !reference.is_some_and(|reference| is_same(&reference, &source)) {
        let expected = "a reference that is the source or the destination";
        return Err(Error::Argument { operation: "a copy atom", expected, found: bits });
    }
    Ok(CopyAtom {
        name: Name::new(""),
        instruction: "an instruction that is not in the tables",
        section: "its layouts are those that were printed",
        threads,
        src: in_bits(&source, bits)?,
        dst: in_bits(&destination, bits)?,
        reference: if of_source { Side::Source } else { Side::Destination },
        memory: None,
    })
}

/// Whether two layouts of threads and values are one function.
fn is_same(left: &Layout, right: &Layout) -> bool {
    let modes = |layout: &Layout| [0, 1].map(|index| layout.mode(index).map(|mode| mode.coalesce()).ok());
    modes(left) == modes(right)
}

/// `(thread,value) -> element` as `(thread,(bit,value)) -> bit`.
fn in_bits(elements: &Layout, bits: i64) -> Result<Layout, Error> {
    let scale = Layout::of(elements.cosize()?, bits)?;
    let mode = |index: usize| scale.composition(&elements.mode(index)?);
    let value = Layout::concatenate(&[Layout::of(bits, 1)?, mode(1)?])?.coalesce();
    Layout::concatenate(&[mode(0)?, value])
}

/// Up to three names of atoms with the same beginning as a text, the most similar first.
///
/// ```
/// let names = tilework_expr::nearest_atoms("SM80_16x8x17_F32F16F16F32_TN");
/// assert_eq!(names[0], "SM80_16x8x16_F32F16F16F32_TN");
/// ```
#[must_use]
pub fn nearest_atoms(name: &str) -> Vec<&'static str> {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| rows().map(|row| row.name().to_string()).collect());
    // Only those with the same beginning: there are thousands of others.
    let head = name.get(..4).unwrap_or(name);
    let names = NAMES.iter().map(String::as_str);
    begun(name, names.filter(|other| other.starts_with(head)), 3)
}

/// Whether a word, with the text after it, may be the name of an atom: all begin with a capital letter, and have a `_`
/// or arguments, or are copies.
pub(crate) fn may_be_name(word: &str, after: &str) -> bool {
    let long = word.len() >= 4 && word.starts_with(|c: char| c.is_ascii_uppercase());
    long && (word.contains('_')
        || word.ends_with("Copy")
        || after.starts_with('<')
        || after.starts_with("::"))
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
