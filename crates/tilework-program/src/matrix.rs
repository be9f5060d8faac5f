//! Statements by instructions of a warp, `ldmatrix` and `mma.sync`: which lane has which element, by the atoms' layouts.
//!
//! `ldmatrix` copies what the statement says; each lane has the address of a row. Of a matrix instruction, an element of a
//! view is a fragment: the elements of mode 0 of the registers, which the atom's layout spreads over the lanes.

use crate::access::{Access, list};
use crate::element::Element;
use crate::form::{Index, Indices};
use crate::instruction::{Instruction, element};
use crate::prelude::*;
use crate::program::{Expr, Kind, Place, Program, Space, Statement, Storage, View};
use crate::sizes::Addresses;
use tilework::Layout;
use tilework_hardware::atom::{self, CopyAtom, MmaAtom};

/// The bytes of a register, and of a row of a matrix that `ldmatrix` reads.
const WORD: usize = 4;
const ROW: usize = 16;

/// By tensor, how many elements are in one register of 4 bytes: several in the fragments of instructions, else one.
pub(crate) fn packing(program: &Program) -> Vec<usize> {
    fn visit(program: &Program, body: &[Statement], packing: &mut [usize]) {
        for statement in body {
            match &statement.kind {
                Kind::Each { to, value, by: Some(Instruction::LoadMatrix(_) | Instruction::Multiply(_)) } => {
                    let mut see = |view: &View| {
                        let tensor = program.tensor(view);
                        if tensor.space == Space::Registers {
                            packing[view.tensor] = WORD / tensor.element.bytes() as usize;
                        }
                    };
                    see(to);
                    value.visit(&mut |view, _| see(view));
                }
                Kind::For { body, .. } | Kind::When { body, .. } => visit(program, body, packing),
                _ => {}
            }
        }
    }
    let mut packing = vec![1; program.tensors.len()];
    visit(program, &program.body, &mut packing);
    packing
}

/// One operand of a matrix instruction in a statement.
pub(crate) struct Fragments {
    pub tensor: usize,
    /// For each value of the statement, the first register of its fragment.
    pub first: Vec<Option<usize>>,
    /// By lane and then by register of the fragment, the index in the matrix: `m + M k` of A, `n + N k` of B, `m + M n` of C.
    places: Vec<usize>,
    /// The registers of a fragment.
    pub size: usize,
}

impl Fragments {
    /// The registers of the fragment of a value in a warp: thread, register, and index in the matrix.
    pub fn registers(&self, warp: usize, value: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let first = self.first[value].unwrap_or(0);
        let lanes = self.places.len() / self.size;
        let own = self.places.iter().enumerate();
        own.map(move |(i, place)| (warp * lanes + i / self.size, first + i % self.size, *place))
    }
}

/// A statement by a matrix instruction: the fragments of A, B and C.
pub(crate) struct Multiply<'a> {
    pub atom: &'a MmaAtom,
    pub operands: [Fragments; 3],
}

impl<'a> Multiply<'a> {
    pub fn new(program: &Program, atom: &'a MmaAtom, to: &View, value: &Expr) -> Result<Multiply<'a>, Error> {
        let wrong = || {
            let fragment = |layout: &Layout, of: atom::Element| {
                let (of, values) =
                    (element(of).map_or("", |of| of.name()), layout.mode(1).map_or(1, |own| own.size()));
                format!("{of} {values}:1")
            };
            let [d, a, b, _] = atom.elements;
            let [c, a, b] =
                [(&atom.c, d), (&atom.a, a), (&atom.b, b)].map(|(layout, of)| fragment(layout, of));
            error!(
                "{} computes `c = c + a * b`, with or without conversions, of registers whose mode 0 is a fragment: c {c}, a {a}, b {b}",
                atom.name
            )
        };
        let [a, b] = value.factors(to).ok_or_else(wrong)?;
        let is_old = |expr: &Expr| matches!(expr, Expr::View(view) if view == to);
        if !matches!(value, Expr::Call(_, terms) if terms.first().is_some_and(is_old)) {
            return Err(wrong());
        }
        let values = program.values(to, value);
        let fragments = |view: &View, layout: &Layout, of: atom::Element| -> Result<Fragments, Error> {
            let tensor = program.tensor(view);
            let (Space::Registers, Storage::Local(storage)) = (tensor.space, &tensor.storage) else {
                return Err(wrong());
            };
            if element(of) != Some(tensor.element) {
                let (name, element, of) = (&tensor.name, tensor.element, of.name());
                return Err(error!("{} is of {of}, and {name} of {element}", atom.name));
            }
            let size = layout.mode(1)?.size();
            let addresses = Addresses::new(storage)?;
            let is_apart = |leaf: &(i64, i64)| leaf.1 % size == 0;
            let is_fragment = matches!(addresses.modes[0][..], [leaf] if leaf == (size, 1) || size == 1 && leaf.0 == 1)
                && addresses.modes[1..].iter().flatten().all(is_apart);
            let first_mode = program.form(view, 0);
            if !is_fragment || !first_mode.terms.is_empty() || first_mode.constant != 0 {
                return Err(error!(
                    "{}: a fragment of {} is mode 0 of its registers as a whole: {size}:1, with the strides of other modes \
                     multiples of {size}",
                    program.view_text(view),
                    atom.name
                ));
            }
            let access = Access::new(program, view, 1, values);
            let start = access.start(&Indices::default());
            let first =
                (0..values as usize).map(|value| addresses.of(access.coordinate(&start, value))).collect();
            let (lanes, size) = (atom.threads.size() as usize, size as usize);
            let place = |i: usize| layout.try_at((i / size + i % size * lanes) as i64).map(|at| at as usize);
            let places = (0..lanes * size).map(place).collect::<Result<_, _>>()?;
            Ok(Fragments { tensor: view.tensor, first, places, size })
        };
        let [_, of_a, of_b, of_c] = atom.elements;
        let operands =
            [fragments(a, &atom.a, of_a)?, fragments(b, &atom.b, of_b)?, fragments(to, &atom.c, of_c)?];
        Ok(Multiply { atom, operands })
    }
}

/// How the lanes of a warp share what `ldmatrix` copies.
pub(crate) struct Rows {
    /// The values of a lane in one instruction.
    pub values: usize,
    /// The elements of a row, which one lane names by its address.
    pub width: usize,
    /// By lane and value, the lane that has the address of the row, and the element in the row.
    readers: Vec<(usize, usize)>,
    /// By lane that has an address: the lane and the value that the row's first element goes to.
    first: Box<Layout>,
}

impl Rows {
    /// Of elements of `bytes` bytes.
    pub fn new(atom: &CopyAtom, bytes: i64) -> Result<Rows, Error> {
        let [source, target] = atom.elements(8 * bytes)?;
        let (lanes, values) = (target.mode(0)?.size() as usize, target.mode(1)?.size() as usize);
        let width = source.mode(1)?.size() as usize;
        let mut owners = vec![(0, 0); lanes * values];
        for lane in (0..lanes).rev() {
            for i in 0..width {
                let at = source.try_at((lane + lanes * i) as i64)?;
                owners[at as usize] = (lane, i);
            }
        }
        let reader = |i: usize| -> Result<(usize, usize), Error> {
            Ok(owners[target.try_at((i / values + i % values * lanes) as i64)? as usize])
        };
        let readers = (0..lanes * values).map(reader).collect::<Result<_, _>>()?;
        let first = target.right_inverse()?.composition(&source.mode(0)?)?;
        Ok(Rows { values, width, readers, first: Box::new(first) })
    }

    /// Of a statement's instruction, if it is one.
    pub fn of(by: &Instruction, element: Element) -> Option<Rows> {
        match by {
            Instruction::LoadMatrix(atom) => Rows::new(atom, element.bytes()).ok(),
            _ => None,
        }
    }

    /// The thread whose address is used for an element, counted by value and then by thread, and the element in its row.
    pub fn reader(&self, element: usize, values: usize) -> (usize, usize) {
        let (thread, value) = (element / values, element % values);
        let lanes = self.readers.len() / self.values;
        let (lane, i) = self.readers[thread % lanes * self.values + value % self.values];
        (thread / lanes * lanes + lane, i)
    }

    /// The view of the addresses: of each thread's row, for each instruction.
    pub fn addresses(&self, program: &Program, view: &View) -> Result<View, Error> {
        let lanes = (self.readers.len() / self.values) as i64;
        let values = self.values as i64;
        let pick = |text: String| -> Result<Layout, Error> {
            let of: Layout = text.parse()?;
            Ok(of.composition(&self.first)?)
        };
        let (lane, value) =
            (pick(format!("({lanes},{values}):(1,0)"))?, pick(format!("({lanes},{values}):(0,1)"))?);
        let threads = view.split(Index::Thread).unwrap_or(program.threads);
        let warps = threads / lanes;
        let part = |layout: &Layout, own: &Layout, step: i64| -> Result<Layout, Error> {
            let warp: Layout = format!("{warps}:{step}").parse()?;
            Ok(Layout::concatenate(&[layout.composition(own)?, layout.composition(&warp)?])?)
        };
        let mut places = Vec::new();
        for place in &view.places {
            let Place::Split { index, layout } = place else {
                places.push(place.clone());
                continue;
            };
            let split = |index, layout| Place::Split { index, layout: Box::new(layout) };
            if *index == Index::Thread {
                places.push(split(*index, part(layout, &lane, lanes)?));
                continue;
            }
            places.push(split(Index::Thread, part(layout, &value, 0)?));
            let groups: Layout = format!("{}:{values}", layout.size() / values).parse()?;
            places.push(split(Index::Value, layout.composition(&groups)?));
        }
        Ok(View { tensor: view.tensor, places, outside: None })
    }

    /// Refuses rows whose elements are not contiguous and aligned to 16 bytes, and registers that are no words.
    pub fn check(&self, program: &Program, to: &View, view: &View, values: i64) -> Result<(), Error> {
        let tensor = program.tensor(view);
        let (Storage::Local(layout), Storage::Local(target)) = (&tensor.storage, &program.tensor(to).storage)
        else {
            return Ok(());
        };
        let (word, own) = (WORD / tensor.element.bytes() as usize, Addresses::new(target)?);
        let access = Access::new(program, to, 1, values);
        let start = access.start(&Indices::default());
        let register = |value: usize| own.of(access.coordinate(&start, value));
        let is_wrong = |value: &usize| {
            register(*value).is_some_and(|at| at % word != value % word)
                || register(*value).map(|at| at / word) != register(value - value % word).map(|at| at / word)
        };
        if let Some(value) = (0..values as usize).find(is_wrong) {
            return Err(error!(
                "{}: value {value} is not in the register of 4 bytes with the values before it",
                program.view_text(to)
            ));
        }
        let addresses = Addresses::new(layout)?;
        let threads = view.split(Index::Thread).unwrap_or(program.threads);
        let access = Access::new(program, view, threads, values);
        let refused = |what: String| {
            Err(error!("{}: a row is {ROW} contiguous bytes: {what}", program.view_text(view)))
        };
        let Some(starts) = access.starts(program) else {
            return refused("they are not the same for all blocks and steps".into());
        };
        let lanes = self.readers.len() / self.values;
        for start in starts {
            // By warp, instruction and lane with the address, the address of the row.
            let mut rows = vec![None; (threads * values) as usize];
            for element in 0..(threads * values) as usize {
                let Some(at) = addresses.of(access.coordinate(&start, element)) else { continue };
                let (reader, i) = self.reader(element, values as usize);
                let group = element % values as usize / self.values;
                let row = &mut rows[reader * values as usize + group];
                let first = at.wrapping_sub(i);
                if first % self.width != 0 || *row.get_or_insert(first) != first {
                    return refused(format!(
                        "{}({}), element {i} of the row of lane {}, is not {i} elements behind a multiple of {}",
                        tensor.name,
                        list(access.coordinate(&start, element)),
                        reader % lanes,
                        self.width
                    ));
                }
            }
        }
        Ok(())
    }
}
