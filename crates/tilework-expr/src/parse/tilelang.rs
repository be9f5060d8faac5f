//! Layouts and fragments as TileLang prints them: formulas of the dimensions `_i`, `_j`, .. and of the replica `_rep`.
//!
//! A formula is a sum of multiples of quotients and remainders. `x // d` and `x % d` are compositions with the layouts
//! `(d,n):(0,1)` and `(d,n):(1,0)`, so that a formula is a layout or is refused by the condition of the composition. TileLang writes a
//! swizzle bit by bit: the XOR of two bits is the remainder of their sum by 2. Where the extents are powers of two, each formula is
//! also read as the XOR of what it is at each bit of its dimensions, which makes a layout of one offset with a swizzle.

use super::{OPERAND, Parsed, Parser};
use crate::axes::{MEMORY, with_strides};
use crate::error::ExprError;
use crate::named::{MAX_DIMENSIONS, REGISTER, THREAD, listed, named, variable};
use crate::value::Value;
use tilework::{Error, Layout, MAX_LEAVES, Stride};

/// The largest nesting of parentheses in a formula.
const MAX_DEPTH: usize = 16;

/// A formula as layouts, or why it is none, and as bits.
#[derive(Clone)]
struct Formula {
    sum: Parsed<Sum>,
    bits: Option<Bits>,
}

/// A layout of each dimension, the last one that of the replicas, and a number that is added.
#[derive(Clone)]
struct Sum {
    modes: Vec<Layout>,
    constant: i64,
}

/// The XOR of the columns of the bits that are set in the coordinates, in the bits that `known` has.
#[derive(Clone)]
struct Bits {
    columns: Vec<i64>,
    known: i64,
}

/// All bits of a value.
const ALL: i64 = i64::MAX;

/// The longest list of extents before `->`, in bytes.
const MAX_EXTENTS: usize = 256;

/// Whether the text begins a layout or a fragment of TileLang. Its `//` divide.
pub(crate) fn begins_formulas(text: &str) -> bool {
    let behind = ["Fragment([", "Layout(["].iter().find_map(|head| text.strip_prefix(head));
    behind.is_some_and(|rest| {
        let end = rest.bytes().take(MAX_EXTENTS).position(|byte| byte == b']');
        end.is_some_and(|end| rest[end + 1..].trim_start_matches(' ').starts_with("->"))
    })
}

impl Parser<'_, '_> {
    /// `Layout([16, 64] -> [1024], transform: [_i, _j] -> [_i * 64 + _j])`, or a fragment, if one begins here.
    #[inline(never)]
    pub(super) fn tilelang(&mut self, start: usize) -> Parsed<bool> {
        if !begins_formulas(&self.text[start..]) {
            return Ok(false);
        }
        let is_fragment = self.word() == "Fragment";
        self.pass(self.word().len() + 1);
        let mut extents = self.extents()?;
        let rank = extents.len();
        self.symbol("->")?;
        let claimed = self.extents()?;
        if rank.max(claimed.len()) > MAX_DIMENSIONS {
            let message = format!("a layout of TileLang has at most {MAX_DIMENSIONS} dimensions");
            return Err(ExprError::new(start..self.position(), "capacity", message).into());
        }
        extents.push(1);
        let mut threads = 1;
        if is_fragment {
            extents[rank] = self.number_after(", replicate:")?;
            threads = self.number_after(", thread:")?;
        } else {
            self.symbol(", transform:")?;
            self.symbol(&format!("{} -> [", listed((0..rank).map(variable))))?;
        }
        let variables = (0..=rank).map(|own| {
            let modes =
                extents.iter().enumerate().map(|(mode, &extent)| Layout::of(extent, i64::from(mode == own)));
            let sum = Sum { modes: modes.collect::<Result<_, Error>>()?, constant: 0 };
            Ok::<_, Error>(Formula { sum: Ok(sum), bits: Bits::of(&extents, own) })
        });
        let variables =
            variables.collect::<Result<Vec<_>, _>>().map_err(|error| self.notation(error, start))?;
        let (mut names, mut formulas) = (Vec::new(), Vec::new());
        if is_fragment {
            self.symbol(", forward_thread:")?;
            formulas.push(self.claimed_formula(&variables, threads)?);
            names.push(THREAD.to_owned());
            self.symbol(", forward_index: [")?;
        }
        for (index, &extent) in claimed.iter().enumerate() {
            if index > 0 {
                self.symbol(",")?;
            }
            formulas.push(self.claimed_formula(&variables, extent)?);
            names.push(match index {
                0 if !is_fragment && claimed.len() == 1 => MEMORY.to_owned(),
                0 => REGISTER.to_owned(),
                _ => format!("{REGISTER}{index}"),
            });
        }
        self.symbol("]")?;
        if is_fragment && !self.eats(")") {
            // The threads of the kernel are not the layout's.
            self.number_after(", thread_range: I.Range(")?;
            self.number_after(",")?;
            self.symbol("))")?;
        } else if !is_fragment {
            self.symbol(")")?;
        }
        let offset = if is_fragment { None } else { offset_of(&formulas, &claimed) };
        let sums = formulas.into_iter().map(|formula| formula.sum).collect::<Parsed<Vec<_>>>();
        let value = match (sums, offset) {
            (Err(_), Some(offset)) => swizzled(&extents[..rank], &offset),
            (sums, _) => placed(&names, &sums?, extents[rank] > 1),
        };
        let value = value.map_err(|error| ExprError::of(start..self.position(), error))?;
        self.push_value(value, start..self.position())?;
        Ok(true)
    }

    /// A formula whose values are below `extent`, which the print says.
    fn claimed_formula(&mut self, variables: &[Formula], extent: i64) -> Parsed<Formula> {
        self.skip_blanks();
        let start = self.position();
        let formula = self.sum(variables, 0)?;
        let last = match (&formula.sum, &formula.bits) {
            (Err(_), Some(bits)) if bits.known == ALL => bits.set(),
            (sum, _) => {
                sum.as_ref().map_err(Box::clone)?.last().map_err(|error| self.notation(error, start))?
            }
        };
        if last >= extent {
            let message = format!("the formula reaches {last}, and the print says that there are {extent}");
            return Err(ExprError::new(start..self.position(), "size", message).into());
        }
        Ok(formula)
    }

    fn sum(&mut self, variables: &[Formula], depth: usize) -> Parsed<Formula> {
        self.skip_blanks();
        let start = self.position();
        let mut sum = self.product(variables, depth)?;
        loop {
            let factor = if self.eats("+") {
                1
            } else if self.eats("-") {
                -1
            } else {
                return Ok(sum);
            };
            let term = self.product(variables, depth)?;
            let bits = match (&sum.bits, &term.bits) {
                (Some(left), Some(right)) if factor == 1 => Some(left.plus(right)),
                _ => None,
            };
            let whole = sum.sum.and_then(|sum| {
                let term = term.sum?.times(factor);
                self.placed_at(start, term.and_then(|term| sum.plus(&term)))
            });
            sum = Formula::new(whole, bits)?;
        }
    }

    fn product(&mut self, variables: &[Formula], depth: usize) -> Parsed<Formula> {
        self.skip_blanks();
        let start = self.position();
        let mut left = self.factor(variables, depth)?;
        loop {
            let operator = ["*", "//", "%"].into_iter().find(|operator| self.eats(operator));
            let Some(operator) = operator else { return Ok(left) };
            self.skip_blanks();
            let at = self.position();
            let right = self.factor(variables, depth)?;
            let (formula, number) = match (operator, left.as_constant(), right.as_constant()) {
                ("*", _, Some(count)) => (left, count),
                ("*", Some(count), None) => (right, count),
                (_, _, Some(divisor)) if divisor > 0 => (left, divisor),
                _ => return Err(self.expected_at(at, "a positive number")),
            };
            let whole = formula.sum.and_then(|sum| {
                let result =
                    if operator == "*" { sum.times(number) } else { sum.divided(number, operator == "%") };
                self.placed_at(start, result)
            });
            left = Formula::new(whole, formula.bits.and_then(|bits| bits.changed(operator, number)))?;
        }
    }

    fn placed_at<T>(&self, start: usize, result: Result<T, Error>) -> Parsed<T> {
        Ok(result.map_err(|error| ExprError::of(start..self.position(), error))?)
    }

    fn factor(&mut self, variables: &[Formula], depth: usize) -> Parsed<Formula> {
        self.work += OPERAND;
        if depth < MAX_DEPTH && self.eats("(") {
            let inner = self.sum(variables, depth + 1)?;
            self.symbol(")")?;
            return Ok(inner);
        }
        let rest = &self.text[self.position()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let zeros = variables[0]
                .sum
                .as_ref()
                .map_err(Box::clone)?
                .times(0)
                .map_err(|error| self.notation(error, 0))?;
            let constant = self.number_after("")?;
            let bits = variables[0]
                .bits
                .as_ref()
                .filter(|_| constant == 0)
                .and_then(|bits| bits.clone().changed("%", 1));
            return Formula::new(Ok(Sum { constant, ..zeros }), bits);
        }
        let end = rest.len() - rest.trim_start_matches(|c: char| c == '_' || c.is_ascii_alphanumeric()).len();
        let mode = match &rest.as_bytes()[..end] {
            b"_rep" => Some(variables.len() - 1),
            [b'_', letter @ b'i'..=b'z'] => {
                Some(usize::from(letter - b'i')).filter(|mode| mode + 1 < variables.len())
            }
            _ => None,
        };
        let Some(mode) = mode else {
            return Err(self.expected("a number, `_rep` or a dimension, as _i"));
        };
        self.pass(end);
        Ok(variables[mode].clone())
    }

    /// `[16, 64]`.
    fn extents(&mut self) -> Parsed<Vec<i64>> {
        self.symbol("[")?;
        let mut extents = vec![self.number_after("")?];
        while self.eats(",") {
            extents.push(self.number_after("")?);
        }
        self.symbol("]")?;
        Ok(extents)
    }

    fn number_after(&mut self, text: &str) -> Parsed<i64> {
        self.symbol(text)?;
        self.skip_blanks();
        self.integer("a number")
    }

    fn symbol(&mut self, text: &str) -> Parsed {
        if self.eats(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    /// White space alone: `//` is no comment here.
    fn skip_blanks(&mut self) {
        let rest = &self.text[self.position()..];
        self.pass(rest.len() - rest.trim_start().len());
    }

    fn eats(&mut self, text: &str) -> bool {
        self.skip_blanks();
        let found = self.text[self.position()..].starts_with(text);
        self.pass(if found { text.len() } else { 0 });
        found
    }
}

/// The value of formulas along these axes, the last mode of which is that of the replicas.
fn placed(names: &[String], formulas: &[Sum], replicated: bool) -> Result<Value, Error> {
    let mut modes = Vec::new();
    for mode in 0..formulas[0].modes.len() {
        let mut sum = with_strides(&formulas[0].modes[mode], |_| Ok(Stride::ZERO))?;
        for (axis, formula) in formulas.iter().enumerate() {
            let along = |stride: Stride| Stride::basis(stride.count().numerator(), &[axis]);
            sum = sum.layout_add(&with_strides(&formula.modes[mode], along)?)?.coalesce();
        }
        modes.push(sum);
    }
    let replicas = modes.pop().filter(|_| replicated);
    let layout = whole(&modes)?;
    let offset: Vec<i64> = formulas.iter().map(|formula| formula.constant).collect();
    named(names, &layout, replicas, &offset)
}

/// The layout of all dimensions.
fn whole(modes: &[Layout]) -> Result<Layout, Error> {
    match modes {
        [only] if only.as_tuple().is_leaf() => Ok(*only),
        modes => Layout::concatenate(modes),
    }
}

/// The offset in memory of formulas that are XORs of bits, the last of which is contiguous.
fn offset_of(formulas: &[Formula], extents: &[i64]) -> Option<Bits> {
    let mut outputs = formulas.iter().map(|formula| formula.bits.clone().filter(|bits| bits.known == ALL));
    let first = outputs.next()??;
    outputs
        .zip(&extents[1..])
        .try_fold(first, |offset, (bits, extent)| Some(offset.changed("*", *extent)?.plus(&bits?)))
}

/// A layout of these extents, with the swizzle that makes its strides integers if there is one.
fn swizzled(extents: &[i64], offset: &Bits) -> Result<Value, Error> {
    let mut columns = offset.columns.iter();
    let mut modes = Vec::new();
    for extent in extents {
        let mut bits = vec![Layout::of(1, 0)?];
        for column in columns.by_ref().take(extent.ilog2() as usize) {
            bits.push(with_strides(&Layout::of(2, 1)?, |_| Stride::xor(*column))?);
        }
        modes.push(Layout::concatenate(&bits)?.coalesce());
    }
    let layout = whole(&modes)?;
    Ok(layout.to_swizzle().map_or_else(|_| Value::from(layout), Value::from))
}

impl Bits {
    /// Of a dimension; none if an extent is no power of two.
    fn of(extents: &[i64], own: usize) -> Option<Bits> {
        let mut columns = Vec::new();
        for (mode, extent) in extents.iter().enumerate() {
            let extent = u64::try_from(*extent).ok().filter(|extent| extent.is_power_of_two())?;
            columns.extend((0..extent.ilog2()).map(|bit| i64::from(mode == own) << bit));
        }
        (columns.len() < MAX_LEAVES).then_some(Bits { columns, known: ALL })
    }

    /// The bits that are set at some coordinate.
    fn set(&self) -> i64 {
        self.columns.iter().fold(0, |all, column| all | column)
    }

    /// The lowest bit that both have is their XOR, and carries into those above it.
    fn plus(&self, other: &Bits) -> Bits {
        let both = self.set() & other.set();
        let below = if both == 0 { ALL } else { both ^ (both - 1) };
        let columns = self.columns.iter().zip(&other.columns).map(|(left, right)| left ^ right).collect();
        Bits { columns, known: self.known & other.known & below }
    }

    /// The product, the quotient or the remainder with a number that is a power of two.
    fn changed(self, operator: &str, number: i64) -> Option<Bits> {
        let log = u64::try_from(number).ok().filter(|number| number.is_power_of_two())?.ilog2();
        let (below, known) = (number - 1, self.known);
        let change = |of: i64| match operator {
            "*" => of << log,
            "//" => of >> log,
            _ => of & below,
        };
        let fits = operator != "*" || self.set() <= ALL >> log;
        let known = match operator {
            _ if known == ALL || operator == "%" && below & !known == 0 => ALL,
            "*" => change(known) | below,
            "//" => change(known),
            _ => known,
        };
        fits.then(|| Bits { columns: self.columns.into_iter().map(change).collect(), known })
    }
}

impl Formula {
    /// Of a formula that is no sum of layouts, the bits remain.
    fn new(sum: Parsed<Sum>, bits: Option<Bits>) -> Parsed<Formula> {
        match (sum, bits) {
            (Err(error), None) => Err(error),
            (sum, bits) => Ok(Formula { sum, bits }),
        }
    }

    fn as_constant(&self) -> Option<i64> {
        self.sum.as_ref().ok()?.as_constant()
    }
}

impl Sum {
    /// The number, if no dimension has a part in it.
    fn as_constant(&self) -> Option<i64> {
        let moves = self.modes.iter().flat_map(|mode| mode.leaves()).any(|leaf| !leaf.stride.is_zero());
        (!moves).then_some(self.constant)
    }

    fn plus(&self, other: &Sum) -> Result<Sum, Error> {
        let (left, right) = (self.constant, other.constant);
        let constant = left.checked_add(right).ok_or(Error::Overflow { left, operator: '+', right })?;
        let sums = self.modes.iter().zip(&other.modes);
        let modes = sums.map(|(own, other)| Ok(own.layout_add(other)?.coalesce()));
        Ok(Sum { modes: modes.collect::<Result<_, Error>>()?, constant })
    }

    fn times(&self, count: i64) -> Result<Sum, Error> {
        let (left, right) = (self.constant, count);
        let constant = left.checked_mul(right).ok_or(Error::Overflow { left, operator: '*', right })?;
        let scaled = self.modes.iter().map(|mode| with_strides(mode, |stride| stride.scale(count)));
        Ok(Sum { modes: scaled.collect::<Result<_, _>>()?, constant })
    }

    /// `x // divisor` or the remainder: the composition with `(divisor,n):(0,1)` or `(divisor,n):(1,0)`. A number that is
    /// added has to be a multiple of the divisor.
    fn divided(&self, divisor: i64, is_remainder: bool) -> Result<Sum, Error> {
        let last = self.last()?;
        let constant = if is_remainder { self.constant % divisor } else { self.constant / divisor };
        if self.as_constant().is_some() {
            return Ok(Sum { constant, ..self.clone() });
        }
        if self.constant % divisor != 0 {
            return Err(Error::Divisibility { operation: "a formula", value: self.constant, divisor });
        }
        let strides = if is_remainder { (1, 0) } else { (0, 1) };
        let count = ((last - self.constant) / divisor).saturating_add(1);
        let digits = Layout::of((divisor, count), strides)?;
        let divided = digits.composition(&Layout::concatenate(&self.modes)?)?;
        let modes = (0..self.modes.len()).map(|mode| Ok(divided.mode(mode)?.coalesce()));
        Ok(Sum { modes: modes.collect::<Result<_, Error>>()?, constant })
    }

    /// The largest value; one below 0 is refused.
    fn last(&self) -> Result<i64, Error> {
        let mut last = i128::from(self.constant);
        let mut least = self.constant;
        for leaf in self.modes.iter().flat_map(|mode| mode.leaves()).filter(|leaf| leaf.extent > 1) {
            let step = leaf.stride.count().numerator();
            least = least.min(step);
            last = last.saturating_add(i128::from(leaf.extent - 1) * i128::from(step));
        }
        if least < 0 {
            let (operation, expected) = ("a formula", "values of 0 or more");
            return Err(Error::Argument { operation, expected, found: least });
        }
        i64::try_from(last).map_err(|_| Error::TooLarge { what: "a value of a formula" })
    }
}
