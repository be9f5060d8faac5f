//! Index formulas, as kernels in C and Python have them, and the layouts with their offsets.
//!
//! A formula is read to a list of operations in postfix order, which is evaluated at all coordinates. The layout of this list,
//! if there is one, is divided into modes by the extents.

use super::call::{Answer, Call};
use crate::error::Failure;
use crate::value::Value;
use std::ops::Range;
use tilework::{Composed, Error, HTuple, Layout, Swizzle, View};

/// The most coordinates, and the most operations at all of them.
const MAX_COORDINATES: i64 = 1 << 22;
const MAX_WORK: i64 = 1 << 26;
/// The most coordinates at which swizzles are tried, and their most bits, base and shift.
const MAX_SEARCHED: i64 = 1 << 16;
const MAX_SWIZZLE: (i64, i64, i64) = (4, 6, 6);
/// The most operations, which bounds the text of messages too.
const MAX_OPERATIONS: usize = 256;
/// The largest nesting of parentheses and signs.
const MAX_DEPTH: usize = 32;

/// The binary operators of C and Python with their precedences; what begins with another one comes first.
const BINARY: [(&str, Operation, u8); 11] = [
    ("<<", Operation::ShiftLeft, 4),
    (">>", Operation::ShiftRight, 4),
    ("//", Operation::Divide, 6),
    ("|", Operation::Or, 1),
    ("^", Operation::Xor, 2),
    ("&", Operation::And, 3),
    ("+", Operation::Add, 5),
    ("-", Operation::Subtract, 5),
    ("*", Operation::Multiply, 6),
    ("/", Operation::Divide, 6),
    ("%", Operation::Remainder, 6),
];

#[derive(Clone, Copy, PartialEq)]
enum Operation {
    Number(i64),
    /// A name, by its place.
    Name(usize),
    Negate,
    Or,
    Xor,
    And,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The bytes, the condition and the sentence of what is wrong.
type Wrong = (Range<usize>, &'static str, String);

struct Name<'a> {
    text: &'a str,
    span: Range<usize>,
    /// Its number of values, or its only value.
    bound: Option<(bool, i64)>,
}

struct Formula<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// With the byte of each.
    operations: Vec<(Operation, usize)>,
    names: Vec<Name<'a>>,
    /// The names that have extents, by their places: the modes.
    modes: Vec<usize>,
}

/// `from_formula(i*8 + j%8, i < 16, j < 8)`.
pub(super) fn from_formula(call: &Call) -> Answer {
    let Value::Text(text) = &call.arguments[0] else {
        return Err(call.wrong(0, "a formula with the extents of its names, as i*8 + j, i < 16, j < 8"));
    };
    let placed = |(at, code, message)| Failure::Text { index: 0, length: text.len(), at, code, message };
    let mut formula = Formula::new(text);
    formula.read().map_err(placed)?;
    formula.layout().map_err(placed)
}

/// How a formula is written that was written without its call.
pub(crate) fn advice(text: &str) -> Option<String> {
    let mut formula = Formula::new(text.trim());
    formula.expression(1).ok().filter(|()| formula.rest().is_empty())?;
    let has_operator = formula.operations.len() > formula.names.len().max(1);
    let names: Vec<String> = formula.names.iter().map(|name| format!("{} < 8", name.text)).collect();
    let written =
        || format!("from_formula({}, {}) is the layout of a formula", text.trim(), names.join(", "));
    (has_operator && !names.is_empty()).then(written)
}

impl<'a> Formula<'a> {
    fn new(text: &'a str) -> Self {
        Formula { text, at: 0, depth: 0, operations: Vec::new(), names: Vec::new(), modes: Vec::new() }
    }

    /// The text from the next token on.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn eats(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expected<T>(&mut self, what: &str) -> Result<T, Wrong> {
        let found = self.rest().chars().next();
        let end = self.at + found.map_or(1, char::len_utf8);
        let found = found.map_or("the end".into(), |found| format!("`{found}`"));
        Err((self.at..end, "syntax", format!("expected {what}, found {found}")))
    }

    fn push(&mut self, operation: Operation, at: usize) -> Result<(), Wrong> {
        if self.operations.len() == MAX_OPERATIONS {
            let message = format!("a formula has at most {MAX_OPERATIONS} operations and operands");
            return Err((at..at + 1, "limit", message));
        }
        self.operations.push((operation, at));
        Ok(())
    }

    /// The formula, and behind it `name < extent` or `name = value` for each of its names.
    fn read(&mut self) -> Result<(), Wrong> {
        self.expression(1)?;
        let end = self.operations.len();
        while self.eats(",") {
            let span = self.word();
            let place = match self
                .names
                .iter()
                .position(|name| !span.is_empty() && name.text == &self.text[span.clone()])
            {
                Some(place) => place,
                None if span.is_empty() => return self.expected("a name and its extent, as i < 16"),
                None => self.name(span.clone()),
            };
            let is_extent = self.eats("<");
            if !is_extent && !self.eats("=") {
                return self.expected("`<` and the extent of the name");
            }
            let at = self.at;
            self.expression(1)?;
            let bound = self.constant(end)?;
            let name = &mut self.names[place];
            let wrong = match (name.bound, is_extent && bound < 1) {
                (Some(_), _) => Some(format!("`{}` is bounded twice", name.text)),
                (None, true) => Some(format!("an extent is at least 1; {bound} was given")),
                (None, false) => None,
            };
            if let Some(message) = wrong {
                return Err((at..self.at, "extent", message));
            }
            name.bound = Some((is_extent, bound));
            self.modes.extend(is_extent.then_some(place));
        }
        if !self.rest().is_empty() {
            return self.expected("an operator, or `,` and the extents of the names");
        }
        match self.names.iter().find(|name| name.bound.is_none()) {
            Some(name) => {
                let message =
                    format!("`{0}` has no extent; write `, {0} < 16` behind the formula", name.text);
                Err((name.span.clone(), "name", message))
            }
            None if self.modes.is_empty() => self.expected("`,` and a name with its extent, as i < 16"),
            None => Ok(()),
        }
    }

    /// The value of the operations from this one on, which are taken away.
    fn constant(&mut self, first: usize) -> Result<i64, Wrong> {
        let unknown = |place: usize| self.names[place].bound.is_none_or(|(is_extent, _)| is_extent);
        for &(operation, at) in &self.operations[first..] {
            if let Operation::Name(place) = operation
                && unknown(place)
            {
                let text = self.names[place].text;
                return Err((at..at + text.len(), "name", format!("`{text}` is no number here")));
            }
        }
        let value = self.value(first..self.operations.len(), &mut self.start());
        self.operations.truncate(first);
        value
    }

    /// Operands with operators of at least this precedence.
    fn expression(&mut self, least: u8) -> Result<(), Wrong> {
        self.operand()?;
        loop {
            let rest = self.rest();
            let found = BINARY.iter().find(|(token, ..)| rest.starts_with(token));
            let Some(&(token, operation, precedence)) = found.filter(|found| found.2 >= least) else {
                return Ok(());
            };
            let at = self.at;
            self.at += token.len();
            self.expression(precedence + 1)?;
            self.push(operation, at)?;
        }
    }

    fn operand(&mut self) -> Result<(), Wrong> {
        let rest = self.rest();
        let at = self.at;
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            let number = self.number()?;
            return self.push(Operation::Number(number), at);
        }
        if rest.starts_with(['(', '-', '+']) {
            self.at += 1;
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err((at..at + 1, "limit", format!("a formula is nested at most {MAX_DEPTH} deep")));
            }
            match &rest[..1] {
                "(" => self.expression(1)?,
                _ => self.operand()?,
            }
            self.depth -= 1;
            return match &rest[..1] {
                "-" => self.push(Operation::Negate, at),
                "(" if !self.eats(")") => self.expected("an operator or `)`"),
                _ => Ok(()),
            };
        }
        let span = self.word();
        if span.is_empty() {
            return self.expected("a number or a name");
        }
        let known = self.names.iter().position(|name| name.text == &self.text[span.clone()]);
        let place = known.unwrap_or_else(|| self.name(span));
        self.push(Operation::Name(place), at)
    }

    /// A new name.
    fn name(&mut self, span: Range<usize>) -> usize {
        self.names.push(Name { text: &self.text[span.clone()], span, bound: None });
        self.names.len() - 1
    }

    /// A word, with fields as in `threadIdx.x`; empty if something else is here.
    fn word(&mut self) -> Range<usize> {
        let rest = self.rest();
        let begins = rest.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
        let is_part = |c: char| c == '_' || c == '.' || c.is_ascii_alphanumeric();
        let length = if begins { rest.find(|c| !is_part(c)).unwrap_or(rest.len()) } else { 0 };
        self.at += length;
        self.at - length..self.at
    }

    /// A number in decimal or `0x` hexadecimal, with the suffixes of C.
    fn number(&mut self) -> Result<i64, Wrong> {
        let (rest, start) = (self.rest(), self.at);
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let digits = rest[..length].trim_end_matches(['u', 'U', 'l', 'L']);
        let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            // Octal in C.
            None if digits.len() > 1 && digits.starts_with('0') => None,
            None => digits.parse().ok(),
        };
        self.at += length;
        let message = || format!("`{}` is no number of 64 bits, decimal or hexadecimal", &rest[..length]);
        number.ok_or_else(|| (start..self.at, "syntax", message()))
    }

    /// Where all names are 0, except those that have one value.
    fn start(&self) -> Point {
        let value =
            |name: &Name| name.bound.map_or(0, |(is_extent, bound)| if is_extent { 0 } else { bound });
        Point { values: self.names.iter().map(value).collect(), stack: Vec::new() }
    }

    /// The value of some operations at a point.
    fn value(&self, operations: Range<usize>, point: &mut Point) -> Result<i64, Wrong> {
        let Point { values, stack } = point;
        stack.clear();
        for &(operation, at) in &self.operations[operations] {
            let value = match operation {
                Operation::Number(number) => number,
                Operation::Name(place) => values[place],
                _ => {
                    let right = stack.pop().unwrap_or(0);
                    let left = if operation == Operation::Negate { 0 } else { stack.pop().unwrap_or(0) };
                    let refused = || {
                        let (code, why) = operation.refuses(left, right);
                        (at..at + 1, code, format!("{why}{}", self.coordinate(" at ", values)))
                    };
                    operation.of(left, right).ok_or_else(refused)?
                }
            };
            stack.push(value);
        }
        Ok(stack[0])
    }

    /// `i = 2, j = 3`.
    fn coordinate(&self, before: &str, values: &[i64]) -> String {
        let written = |place: &usize| format!("{} = {}", self.names[*place].text, values[*place]);
        let written: Vec<String> = self.modes.iter().map(written).collect();
        if written.is_empty() { String::new() } else { format!("{before}{}", written.join(", ")) }
    }

    fn extent(&self, place: usize) -> i64 {
        self.names[place].bound.map_or(1, |(_, bound)| bound)
    }

    /// The layout with a mode for each extent.
    fn layout(&self) -> Result<Value, Wrong> {
        let size = self.modes.iter().fold(1i64, |size, place| size.saturating_mul(self.extent(*place)));
        let most = MAX_COORDINATES.min(MAX_WORK / self.operations.len() as i64);
        let refused = |code, message: String| Err((0..self.text.len(), code, message));
        if size > most {
            let message =
                format!("from_formula evaluates at each coordinate, of {most} at most; here are {size}");
            return refused("limit", message);
        }
        let (mut point, mut values) = (self.start(), Vec::new());
        for index in 0..size {
            self.place(&mut point, index);
            values.push(self.value(0..self.operations.len(), &mut point)?);
        }
        let flat = match View::from_image(&values) {
            Ok(view) => self.by_mode(&view).map_err(|error| (error, Some(view))),
            Err(error) => Err((error, None)),
        };
        let view = match flat {
            Ok(value) => return Ok(value),
            Err((error @ (Error::Undecided { .. } | Error::Overflow { .. } | Error::TooLarge { .. }), _)) => {
                return refused(error.code(), error.message().as_str().into());
            }
            Err((_, view)) => view,
        };
        let is_searched = values[0] == 0 && size <= MAX_SEARCHED;
        if let Some(value) = is_searched.then(|| self.swizzled(&values)).flatten() {
            return Ok(value);
        }
        if let Some(view) = view {
            let message =
                "no layout has a mode for each name: all coordinates in turn, the first name fastest, are";
            return refused("not-xor-linear", format!("{message} {view}"));
        }
        let mut at = |index: usize| {
            self.place(&mut point, index as i64);
            self.coordinate("", &point.values)
        };
        let mut message = String::from("no layout has these offsets");
        if let Some((index, predicted)) = first_difference(&values) {
            let (place, found) = (at(index), values[index]);
            message += &format!(
                ": {place} has {found}, and integer strides that are right before it give {predicted}"
            );
        }
        // Of XOR strides the offset of an index is that of its bits.
        let follows = |index: usize| {
            let last = index & index.wrapping_neg();
            values[index] == values[index ^ last] ^ values[last] ^ values[0]
        };
        match (1..values.len()).find(|&index| values.len().is_power_of_two() && !follows(index)) {
            Some(index) => message += &format!("; XOR strides are right before {}", at(index)),
            None => message += "; XOR strides have not these offsets either",
        }
        refused("not-xor-linear", message)
    }

    /// Moves a point to the coordinate with this index, the first mode fastest.
    fn place(&self, point: &mut Point, mut index: i64) {
        for &place in &self.modes {
            point.values[place] = index % self.extent(place);
            index /= self.extent(place);
        }
    }

    /// The layout of all coordinates in turn with a mode for each extent.
    fn modes(&self, flat: &Layout) -> Result<Layout, Error> {
        let extents: Vec<HTuple<i64>> =
            self.modes.iter().map(|place| HTuple::leaf(self.extent(*place))).collect();
        let layout = flat.composition(&Layout::column_major(&HTuple::tuple(&extents)?)?)?;
        let modes = (0..extents.len()).map(|mode| Ok(layout.mode(mode)?.coalesce()));
        match &modes.collect::<Result<Vec<_>, Error>>()?[..] {
            [only] => Ok(*only),
            modes => Layout::concatenate(modes),
        }
    }

    /// The same with what stands before it, and with a swizzle for XOR strides if there is one.
    fn by_mode(&self, view: &View) -> Result<Value, Error> {
        if view.offset().leaves()[0].numerator() != 0 {
            return Ok(View::new(*view.offset(), self.modes(view.layout())?)?.into());
        }
        match view.layout().to_swizzle() {
            Ok(own) if own.swizzle().bits() > 0 => {
                Ok(Composed::new(own.swizzle(), own.offset(), self.modes(own.layout())?)?.into())
            }
            _ => Ok(self.modes(view.layout())?.into()),
        }
    }

    /// A swizzle of integer strides that no XOR strides are: an extent is no power of two.
    fn swizzled(&self, values: &[i64]) -> Option<Value> {
        let sizes = (1..=MAX_SWIZZLE.0).flat_map(|bits| (0..=MAX_SWIZZLE.1).map(move |base| (bits, base)));
        let mut all = sizes.flat_map(|(bits, base)| {
            (bits..=MAX_SWIZZLE.2).filter_map(move |shift| Swizzle::new(bits, base, shift).ok())
        });
        all.find_map(|swizzle| {
            let plain =
                values.iter().map(|value| swizzle.apply(*value)).collect::<Result<Vec<_>, _>>().ok()?;
            first_difference(&plain).is_none().then_some(())?;
            let layout = self.modes(View::from_image(&plain).ok()?.layout()).ok()?;
            Some(Composed::new(swizzle, 0, layout).ok()?.into())
        })
    }
}

/// The first index at which integer strides that are right before it give another offset, and that offset.
fn first_difference(offsets: &[i64]) -> Option<(usize, i128)> {
    let behind = |index: usize| i128::from(offsets[index]) - i128::from(offsets[0]);
    let (mut leaves, mut step) = (Vec::new(), 1);
    while step < offsets.len() {
        let mut end = step;
        while end < offsets.len() && behind(end) == (end / step) as i128 * behind(step) {
            end += step;
        }
        // If the extent does not divide the size, the offset at `end` differs.
        leaves.push((step, behind(step)));
        step = if offsets.len().is_multiple_of(end) { end } else { offsets.len() };
    }
    let predicted = |index: usize| {
        let sums = leaves.iter().enumerate().map(|(place, (step, stride))| {
            let rest = leaves.get(place + 1).map_or(index, |(next, _)| index % next);
            (rest / step) as i128 * stride
        });
        sums.sum::<i128>() + i128::from(offsets[0])
    };
    (0..offsets.len())
        .map(|index| (index, predicted(index)))
        .find(|(index, own)| *own != i128::from(offsets[*index]))
}
/// The values of the names, and the operands of an evaluation.
struct Point {
    values: Vec<i64>,
    stack: Vec<i64>,
}

impl Operation {
    /// The result of two numbers, of which a sign has 0 as the first; none if it is refused.
    fn of(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Operation::Number(_) | Operation::Name(_) => None,
            Operation::Negate => left.checked_sub(right),
            Operation::Or => Some(left | right),
            Operation::Xor => Some(left ^ right),
            Operation::And => Some(left & right),
            Operation::ShiftLeft => {
                let factor = 1i64.checked_shl(u32::try_from(right).ok()?).filter(|factor| *factor > 0)?;
                left.checked_mul(factor)
            }
            Operation::ShiftRight => u32::try_from(right).ok().and_then(|count| left.checked_shr(count)),
            Operation::Add => left.checked_add(right),
            Operation::Subtract => left.checked_sub(right),
            Operation::Multiply => left.checked_mul(right),
            Operation::Divide if left >= 0 && right > 0 => Some(left / right),
            Operation::Remainder if left >= 0 && right > 0 => Some(left % right),
            Operation::Divide | Operation::Remainder => None,
        }
    }

    /// Why there is no result.
    fn refuses(self, left: i64, right: i64) -> (&'static str, String) {
        match self {
            Operation::Divide | Operation::Remainder if right == 0 => ("argument", "division by 0".into()),
            Operation::Divide | Operation::Remainder => {
                let message =
                    format!("{left} and {right} are divided, which C rounds towards 0 and Python down");
                ("argument", message)
            }
            Operation::ShiftLeft | Operation::ShiftRight if !(0..64).contains(&right) => {
                ("argument", format!("{right} is no number of bits to shift by"))
            }
            _ => ("overflow", "the value does not fit in 64 bits".into()),
        }
    }
}
