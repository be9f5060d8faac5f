//! Expressions that begin with a word: names, calls, and the constructors of C++ and the DSL.

use super::atoms::print_head;
use super::symbolic::NAMES;
use super::{Parsed, Parser, behind};
use crate::arithmetic::Operator;
use crate::error::ExprError;
use crate::fields::FIELDS;
use crate::functions::{self, Function, Indices};
use crate::instruction::{self, Instruction};
use crate::pointer::{element_type, first_word, integer_type};
use crate::program::{Apply, Push, StepKind};
use crate::value::Value;
use std::ops::Range;
use tilework::__private::{Reader, did_you_mean, nearest};
use tilework::{Error, Swizzle};
use tilework_hardware::atom::rows_of_instruction;
use tilework_symbolic::is_element;

/// Names of CuTe, CUDA, NumPy, PyTorch, Gluon and MLIR that correspond to other functions here, with spaces between those of
/// one row, and how to write them.
const ELSEWHERE: &[(&str, &str)] = &[
    ("transpose swapaxes T mT", "select<1,0>(L), which exchanges the modes of a matrix"),
    ("permute moveaxis rearrange", REORDERED),
    (
        "reshape view",
        "L o column_major((8,4)): all elements in a shape of the same size, the first mode fastest",
    ),
    ("arange range iota", "8:1, the numbers from 0 to 7"),
    ("len", "size(L) for the number of coordinates, rank(L) for that of the modes"),
    ("ndim", "rank(L)"),
    ("numel", "size(L)"),
    ("concat", "layout(4:1, 8:4) for layouts as modes"),
    ("repeat", "L * 2, or layout(L, 2:0) for the same elements twice"),
    ("offset", "L(2,3), the offset of a coordinate"),
    ("bank_conflicts", "is_injective(L) for offsets alone; `tilework banks` counts conflicts of an access"),
    ("tile", "zipped_divide(L, <8,8>) to divide L into tiles, tile_to_shape(L, S) to repeat it"),
    ("swizzle", "Sw<2,3,3> o 0 o L; `tilework swizzle` finds the smallest one without bank conflicts"),
    ("threadIdx", THREAD),
    (
        "blockIdx",
        "local_tile(L, <8,8>, (0,1)) for one tile, or names in place of 0 and 1: `assume i >= 0, j >= 0;` before",
    ),
    ("numpy", "shape:strides in elements, as (4,8):(8,1): those in bytes by the bytes of an element"),
    ("ThrMMA ThrCopy", "get_slice(X, t) with the TiledMMA or TiledCopy in it, and the index of a thread"),
    ("blockDim", "a number, or `assume n >= 1;` before and n"),
    ("print printf", "the value alone"),
    ("print_layout", "the layout alone; `tilework show` draws it"),
    ("print_latex", "the layout alone; `tilework draw` writes LaTeX, SVG and PNG"),
    ("ravel_multi_index", "crd2idx((1,2), (4,8), (8,1)); without strides along the first mode"),
    ("unravel_index", "idx2crd(9, (4,8)), which counts along the first mode"),
    ("flip", "{7} o 8:-1, from the last element backwards"),
    ("ravel", "coalesce(L), with as few modes as possible"),
    ("squeeze", "select<0,2>(L), the modes that remain"),
    ("unsqueeze expand_dims", "append(L, 1:0), with a mode of extent 1"),
    ("broadcast broadcast_to expand", "a stride of 0, as (4,8):(0,1)"),
    ("stack concatenate tuple_cat", "layout(A, B) of several modes, append(L, 2:32) for one more"),
    ("nbytes size_in_bytes", "footprint(L, 16), the bytes of its elements of 16 bits"),
    ("elem_less", "in_bounds((1,2), (4,8))"),
    ("domain_offset", "{7} o L, with the offset of the coordinate"),
    ("compact_col_major", "stride(column_major((4,8)))"),
    ("compact_row_major", "stride(row_major((4,8)))"),
    ("compact_order", "stride(ordered((4,8), (1,0)))"),
    ("max_alignment", "max_vector(L, 8), the elements that are accessed at a time"),
    ("weakly_compatible", "compatible(a, b), or weakly_congruent(a, b) for the nesting alone"),
    (
        "SwizzledSharedLayout NVMMASharedLayout",
        "Sw<3,3,3> o 0 o (8,64):(64,1), the swizzle before the layout",
    ),
    ("NVMMADistributedLayout", "atom(SM80_16x8x16_F32F16F16F32_TN).c, of an instruction and its operand"),
    ("affine_map", "the strides: (d0, d1) -> (d0 * 8 + d1) of 4 by 8 is (4,8):(8,1)"),
];

const REORDERED: &str = "select<2,0,1>(L), with the modes in their new order, or einfold(\"abc -> cab\", L)";
const THREAD: &str = "a number, as in L(5,_), or a name: `assume t >= 0, t < 128;` before, and local_partition(L, T, t) or L(t,_)";

/// Advice for the first argument of `make_tensor`, if it is a variable of a kernel.
const POINTER: &str = "write ptr[32b] or make_gmem_ptr<float>(A); only the width of its elements matters";

/// How to write a name of another library.
fn elsewhere(word: &str) -> Option<&'static str> {
    let row = ELSEWHERE.iter().find(|(names, _)| names.split(' ').any(|name| name == word));
    row.map(|(_, form)| *form)
}

/// The form of a function, as advice.
fn written(function: &Function) -> String {
    format!("write {}", function.forms().join(" or "))
}

/// The words with which the label of a tiler begins.
const TILERS: [&str; 2] = ["tiler", "permutation"];

/// Whether a tuple after this label is a tiler, by mode.
pub(crate) fn names_tiler(label: &str) -> bool {
    let label = label.to_ascii_lowercase();
    TILERS.iter().any(|word| label.starts_with(word))
}

/// Whether such a label may be in a text.
pub(crate) fn may_name_tiler(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    TILERS.iter().any(|word| text.contains(word))
}

/// The contents of the brackets and parentheses of a call.
struct Arguments {
    count: usize,
    /// The call's own indices, by their places in the program; those of its arguments are beside them.
    indices: Range<usize>,
    /// The function that makes a compact layout, if its order is given by name.
    order: Option<&'static Function>,
}

impl Parser<'_, '_> {
    /// Skips `label:` before a printed value, as in `TV Layout A: (4,8):(8,1)`.
    pub(super) fn skip_label(&mut self) {
        self.reader.skip_space();
        let start = self.position();
        let rest = &self.text[start..];
        if print_head(rest).is_some() {
            return;
        }
        let Some((label, behind)) = rest.split_once(':') else { return };
        // `sA.layout(): `, as a log has it.
        let name = label.trim_end().trim_end_matches("()");
        let is_name =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' ' | b'.'));
        let begins = label.starts_with(|c: char| c.is_ascii_alphabetic());
        let spaced = behind.starts_with(char::is_whitespace) && !behind.trim_start().is_empty();
        if begins
            && is_name
            && spaced
            && !is_element(label.trim_end())
            && self.variable(name.split('.').next().unwrap_or(name)).is_none()
        {
            self.reader.seek(start + label.len() + 1);
            self.reader.skip_space();
            self.tiler_at = names_tiler(label).then_some(self.position());
        }
    }

    /// An expression that begins with a word.
    pub(super) fn worded(&mut self) -> Parsed {
        let start = self.position();
        self.reader.skip_namespace();
        let word = self.word();
        let end = self.position() + word.len();
        let after = self.text.as_bytes().get(end).copied().unwrap_or(0);
        let is_static = match word {
            "Int" | "C" | "constant" | "integral_constant" | "ScaledBasis" => after == b'<',
            "E" => matches!(after, b'<' | b'('),
            _ => false,
        };
        // `Int<M>` of a declared number is that number.
        let of_static = match is_static && word != "E" {
            true => self.word_at(end + 1),
            false => "",
        };
        let (word, end) = match self.variable(of_static) {
            Some(_) if self.text[end + 1 + of_static.len()..].starts_with('>') => {
                (of_static, end + 2 + of_static.len())
            }
            _ if is_element(word) || is_static || (word.is_empty() && self.position() > start) => {
                self.reader.seek(start);
                return self.literal();
            }
            _ => (word, end),
        };
        if let Some(index) = self.variable(word) {
            self.reader.seek(end);
            // A value of a type, `Tile{}`.
            if self.text[end..].starts_with("{}") {
                self.pass("{}".len());
            }
            self.push(StepKind::Push(Push::Variable(index)), start..end)?;
            if !self.variables[index].1.is_number() {
                return Ok(());
            }
            return match self.element_of(start)? {
                true => Ok(()),
                false => self.tight(self.least, start),
            };
        }
        if self.name_at(start).is_some() {
            return self.number_of_names(start);
        }
        let constant = match (word, after) {
            ("true" | "false", _) => Some(Value::Bool(word == "true")),
            // The direction in which shape_div rounds.
            ("ceil" | "floor", b',' | b')' | 0) => Some(Value::integer(if word == "ceil" { 1 } else { -1 })),
            _ => None,
        };
        if let Some(value) = constant {
            self.reader.seek(end);
            return self.push_value(value, start..end);
        }
        if self.reader.eat_tuple().is_some() {
            self.reader.seek(start);
            return self.parenthesised();
        }
        if self.tilelang(start)?
            || self.tirx(start)?
            || self.written_out(word, after, start)?
            || self.printed_instruction()?
            || self.named_instruction(word, start)?
            || self.shared_layout(start)?
            || self.printed_tensor(word, after)?
        {
            return Ok(());
        }
        self.reader.seek(end);
        if let "X" | "None" | "Underscore" = word {
            self.reader.skip_braces();
            return self.hole(start);
        }
        if let Some(function) = functions::find(word) {
            return self.function_call(function, word == "Layout" && after == b'<', start);
        }
        self.reader.seek(start);
        if let Some(bits) = self.element_type() {
            if self.reader.peek() == b':' {
                self.reader.seek(start);
                return self.integer_at_launch().map(drop);
            }
            return self.push_value(Value::integer(bits.into()), start..self.position());
        }
        self.instruction(word, start..end)
    }

    /// The basis element of which the number that begins at `start` is a multiple, as in `ld@1`; returns whether one is here.
    pub(super) fn element_of(&mut self, start: usize) -> Parsed<bool> {
        let at = self.position();
        let rest = &self.text[at..];
        let length = rest.bytes().take_while(|byte| *byte == b'@' || byte.is_ascii_digit()).count();
        if !rest.starts_with('@') {
            return Ok(false);
        }
        let text = format!("1{}", &rest[..length]);
        let unit = Reader::new(&text).atoms("a basis element").map_err(|error| match error {
            Error::Syntax { at: within, expected } => self.expected_at(at + within - 1, expected),
            error => Box::new(ExprError::of(start..at + length, error)),
        })?;
        self.pass(length);
        self.push_value(Value::from(unit), at..at + length)?;
        self.apply(Apply::Element, start..at + length).map(|()| true)
    }

    /// A word and a bracket that are not a call of a function in the table; returns whether it is such a construct.
    fn written_out(&mut self, word: &str, after: u8, start: usize) -> Parsed<bool> {
        let begin = self.position();
        let close = if after == b'<' { b'>' } else { b')' };
        self.pass(word.len() + 1);
        let apply = match (word, after) {
            ("Sw" | "S" | "Swizzle", b'<') => {
                self.reader.seek(begin);
                self.swizzle()?;
                return Ok(true);
            }
            ("make_swizzle" | "Swizzle", b'(') => {
                let swizzle = self.swizzle_of_numbers(start)?;
                self.push_value(Value::Swizzle(swizzle), start..self.position())?;
                return Ok(true);
            }
            ("decltype", b'(') => {
                self.in_brackets(close)?;
                self.reader.skip_braces();
                return Ok(true);
            }
            ("floor", b'(') => {
                self.in_brackets(close)?;
                Apply::Arithmetic(Operator::Floor)
            }
            ("ceil", b'(') => {
                self.in_brackets(close)?;
                Apply::Arithmetic(Operator::Ceil)
            }
            // The function without `_v`.
            ("size_v" | "rank_v" | "depth_v" | "cosize_v", b'<')
                if let Some(function) = functions::find(&word[..word.len() - 2]) =>
            {
                self.in_brackets(close)?;
                Apply::Call { function, arguments: 1, first_index: 0, end_index: 0 }
            }
            ("make_tile", b'(') | ("Tile", b'<') => {
                let count = self.list(close, false)?;
                self.reader.skip_braces();
                Apply::Tile(count)
            }
            ("ComposedLayout", b'<') | ("make_composed_layout", b'(') => self.composed_layout(close)?,
            _ => {
                self.reader.seek(begin);
                return Ok(false);
            }
        };
        self.apply(apply, start..self.position())?;
        Ok(true)
    }

    /// An expression and the bracket after it.
    pub(super) fn in_brackets(&mut self, close: u8) -> Parsed {
        self.within(close, Self::expression)?;
        self.expect(close, if close == b'>' { "`>`" } else { "`)`" })
    }

    /// A call, after the name of the function; or a type `Layout<`.
    fn function_call(&mut self, function: &'static Function, is_type: bool, start: usize) -> Parsed {
        if is_type {
            self.pass(1);
            let arguments = self.arguments(function, b'>', 0..0, 0)?;
            self.reader.skip_braces();
            return self.made(function, arguments, start);
        }
        let indices = if self.reader.eat(b'<') {
            if matches!(self.reader.peek(), b'_' | b'*') {
                let error = self.expected("the index of a mode");
                let help = format!(
                    "modes that are taken one by one are the last argument, {}(L, <_,_>)",
                    function.name()
                );
                return Err(error.with_help(help).into());
            }
            self.indices(b'>')?
        } else if self.reader.eat(b'[') {
            self.indices(b']')?
        } else {
            0..0
        };
        if !self.reader.eat(b'(') {
            return Err(self.expected("`(`").with_help(written(function)).into());
        }
        let mut arguments = self.arguments(function, b')', indices, 0)?;
        if let Some(last) = function.last_in_cute.filter(|_| self.text[start..].starts_with("cute"))
            && arguments.count + 1 == function.arguments().1
        {
            self.push_value(Value::integer(last), start..self.position())?;
            arguments.count += 1;
        }
        self.made(function, arguments, start)
    }

    /// The name after a `.`.
    pub(super) fn field(&mut self, start: usize) -> Parsed {
        self.reader.skip_space();
        let (at, word) = (self.position(), self.word());
        if word.is_empty() {
            return Err(self.expected("the name of a field"));
        }
        let end = at + word.len();
        let called = self.text.as_bytes().get(end) == Some(&b'(');
        let names = || FIELDS.iter().map(|(name, _)| *name);
        let Some(name) = names().find(|name| *name == word) else {
            // A method of a layout is the function of that name.
            if let (true, Some(function)) = (called, functions::find(word)) {
                self.reader.seek(end + 1);
                let mut arguments = self.nested(|inner| inner.arguments(function, b')', 0..0, 1))?;
                arguments.count += 1;
                return self.made(function, arguments, start);
            }
            let error = ExprError::new(at..end, "name", format!("nothing has a field `{word}`"));
            let fields = || match elsewhere(word) {
                Some(form) => format!("write {form}"),
                None => format!("fields are .{}", names().collect::<Vec<_>>().join(" .")),
            };
            return Err(error.with_help(nearest(word, names()).unwrap_or_else(fields)).into());
        };
        self.reader.seek(end);
        self.reader.skip_braces();
        self.apply(Apply::Field(name), start..self.position())
    }

    /// `.c` alone: the name of a field.
    pub(super) fn operand_name(&mut self) -> Parsed {
        let start = self.position();
        self.reader.eat(b'.');
        let word = self.word();
        let Some((name, _)) = FIELDS.iter().find(|(name, _)| *name == word) else {
            return Err(self.expected("the name of an operand, as .c"));
        };
        self.pass(word.len());
        self.push_value(Value::Field(name), start..self.position())
    }

    /// The call of a function with the parsed arguments.
    fn made(&mut self, function: &'static Function, arguments: Arguments, start: usize) -> Parsed {
        let Arguments { count, indices, order } = arguments;
        let function = order.unwrap_or(function);
        let span = start..self.position();
        if let Some(message) = function.refuses(count, indices.len()) {
            let error = ExprError::new(span, "arguments", message);
            return Err(error.with_help(written(function)).into());
        }
        self.call(function, count, indices, span)
    }

    /// Arguments after the `given` ones, up to `close`, with the keywords of Python and the orders of C++.
    fn arguments(
        &mut self,
        function: &'static Function,
        close: u8,
        indices: Range<usize>,
        given: usize,
    ) -> Parsed<Arguments> {
        let outside = std::mem::replace(&mut self.angle, close == b'>');
        let indexed = !indices.is_empty();
        let mut arguments = Arguments { count: 0, indices, order: None };
        let mut any = false;
        while !self.reader.eat(close) {
            if any {
                self.expect(b',', behind(close))?;
            }
            any = true;
            if function.signature().starts_with("formula") {
                self.formula()?;
                arguments.count += 1;
                continue;
            }
            self.reader.skip_space();
            let keyword = self.position();
            if function.signature().contains("**")
                && (self.text_of_pattern(arguments.count)? || self.size_by_name()?)
            {
                arguments.count += 1;
                continue;
            }
            if self.keyword(function, given + arguments.count)? {
                self.expect(b'[', "`[`")?;
                let indices = self.indices(b']')?;
                if !arguments.indices.is_empty() {
                    let message = format!("the indices of {} are written twice", function.name());
                    return Err(ExprError::new(keyword..self.position(), "arguments", message).into());
                }
                arguments.indices = indices;
                continue;
            }
            let shape = match function.name() {
                "layout" => Some(1),
                "make_tensor" => Some(if indexed { 1 } else { 2 }),
                _ => None,
            };
            if shape == Some(arguments.count) && self.order(function, &mut arguments)? {
                self.expect(close, behind(close))?;
                break;
            }
            let is_pointer = function.name() == "make_tensor" && arguments.count == 0 && !indexed;
            if close == b'>' && function.name() == "layout" && self.integer_at_launch()? {
                arguments.count += 1;
                continue;
            }
            self.expression().map_err(|error| {
                let unknown = error.code == "name" && error.message.starts_with("there is no");
                if is_pointer && unknown { error.with_help(POINTER).into() } else { error }
            })?;
            arguments.count += 1;
        }
        self.angle = outside;
        Ok(arguments)
    }

    /// The pattern, which comes first, if it is here.
    fn text_of_pattern(&mut self, count: usize) -> Parsed<bool> {
        let is_pattern = count == 0 && self.reader.peek() == b'"';
        if is_pattern {
            self.pattern(self.position())?;
        }
        Ok(is_pattern)
    }

    /// A formula and the extents of its names, up to the parenthesis that closes the call: their `//` is no comment.
    fn formula(&mut self) -> Parsed {
        let start = self.position() + self.text[self.position()..].len()
            - self.text[self.position()..].trim_start().len();
        self.reader.seek(start);
        if self.reader.peek() == b'"' {
            return self.pattern(start);
        }
        let mut open = 0;
        let closes = |byte: u8| {
            open += i32::from(byte == b'(') - i32::from(byte == b')');
            open < 0
        };
        let Some(length) = self.text.bytes().skip(start).position(closes) else {
            return Err(self.expected_at(self.text.len(), "`)`"));
        };
        let text = self.text[start..start + length].trim_end();
        self.pass(text.len());
        self.push_value(Value::Text(text.into()), start..self.position())
    }

    /// `name=size` as a text, if it is here.
    fn size_by_name(&mut self) -> Parsed<bool> {
        let (mark, start) = (self.reader, self.position());
        let word = self.next_word();
        if word.is_empty() || !self.reader.eat(b'=') {
            self.reader = mark;
            return Ok(false);
        }
        let size = self.integer("a size")?;
        self.push_value(Value::Text(format!("{word}={size}").into()), start..self.position())?;
        Ok(true)
    }

    /// The order of a compact layout after its shape, if there is one here.
    #[inline(never)]
    fn order(&mut self, function: &Function, arguments: &mut Arguments) -> Parsed<bool> {
        self.reader.skip_space();
        let mark = self.reader;
        self.reader.skip_namespace();
        let Some(order) = functions::of_order(self.next_word()) else {
            self.reader = mark;
            return Ok(false);
        };
        self.reader.skip_braces();
        if function.name() == "make_tensor" {
            // The shape is the last argument so far.
            let at = self.position();
            self.call(order, 1, 0..0, at..at)?;
        } else {
            arguments.order = Some(order);
        }
        Ok(true)
    }

    /// Skips `name=` before an argument; returns whether it is `mode=`, before indices.
    fn keyword(&mut self, function: &Function, count: usize) -> Parsed<bool> {
        self.reader.skip_space();
        let (mark, start) = (self.reader, self.position());
        let word = self.next_word();
        if word.is_empty() || !self.reader.eat(b'=') {
            self.reader = mark;
            return Ok(false);
        }
        let span = start..start + word.len();
        if word == "mode" && function.indices() != Indices::None {
            return Ok(true);
        }
        let message = match function.parameter(word) {
            Some(place) if place == count => return Ok(false),
            Some(_) => format!(
                "`{word}` is not argument {} of {}; arguments are written in their order",
                count + 1,
                function.name()
            ),
            None if function.name() == "layout" && word == "order" => {
                let error = ExprError::new(span, "arguments", "layout has no parameter `order`");
                return Err(error.with_help("write make_ordered_layout(S, order=...)").into());
            }
            None => format!("{} has no parameter `{word}`", function.name()),
        };
        Err(ExprError::new(span, "arguments", message).with_help(written(function)).into())
    }

    /// `3,4,3)` of `make_swizzle(`.
    #[inline(never)]
    fn swizzle_of_numbers(&mut self, start: usize) -> Parsed<Swizzle> {
        let bits = self.integer("a number of bits")?;
        self.expect(b',', "`,`")?;
        let base = self.integer("a number of bits")?;
        self.expect(b',', "`,`")?;
        let shift = self.integer("a number of bits")?;
        self.expect(b')', "`)`")?;
        Swizzle::new(bits, base, shift).map_err(|error| self.notation(error, start))
    }

    /// The arguments of `ComposedLayout<swizzle, offset, layout>`, `make_composed_layout(swizzle, offset, layout)`; C++ may
    /// have the flag of an unset pointer instead of the offset.
    #[inline(never)]
    fn composed_layout(&mut self, close: u8) -> Parsed<Apply> {
        let flag = self.within(close, |inner| {
            inner.expression()?;
            inner.expect(b',', "`,`")?;
            let flag = inner.pointer_flag()?;
            if flag.is_none() {
                inner.expression()?;
            }
            inner.expect(b',', "`,`")?;
            inner.expression()?;
            Ok(flag)
        })?;
        self.expect(close, behind(close))?;
        self.reader.skip_braces();
        Ok(flag.map_or(Apply::Swizzled, |pointer| Apply::SwizzledTensor(pointer, 0)))
    }

    /// The integers of `name<0,1>`, by their places in the program.
    fn indices(&mut self, close: u8) -> Parsed<Range<usize>> {
        let first = self.program.indices.len();
        loop {
            self.reader.skip_space();
            let start = self.position();
            let index = match self.element_type() {
                Some(bits) => bits as usize,
                None => usize::try_from(self.integer("the index of a mode")?)
                    .map_err(|_| self.expected_at(start, "an index of 0 or more"))?,
            };
            self.program.indices.push(index);
            if self.reader.eat(close) {
                return Ok(first..self.program.indices.len());
            }
            self.expect(b',', behind(close))?;
        }
    }

    /// Skips the type of an element, if there is one here, and returns its bits.
    pub(super) fn element_type(&mut self) -> Option<u32> {
        let mark = self.reader;
        self.reader.skip_namespace();
        let found = element_type(&self.text[self.position()..]);
        self.reader.seek(found.map_or(mark.position(), |(length, _)| self.position() + length));
        found.map(|(_, bits)| bits)
    }

    /// An integer type of C++ as an extent or a stride, which is known only when the kernel runs. `false` if something else is here.
    pub(super) fn integer_at_launch(&mut self) -> Parsed<bool> {
        self.reader.skip_space();
        let (mark, start) = (self.reader, self.position());
        self.reader.skip_namespace();
        let rest = &self.text[self.position()..];
        let Some((length, _)) = integer_type(rest).filter(|_| self.variable(self.word()).is_none()) else {
            self.reader = mark;
            return Ok(false);
        };
        self.pass(length);
        let end = self.position();
        let Some(names) = self.names.as_deref_mut() else {
            return Err(ExprError::new(
                start..end,
                "syntax",
                "an integer that is known only when the kernel runs",
            )
            .into());
        };
        self.work += NAMES;
        let number = names.unnamed().map_err(|error| Box::new(ExprError::of(start..end, error)))?;
        self.push_value(Value::from(number), start..end)?;
        Ok(true)
    }

    /// The name of an instruction, with namespaces before it and arguments after it; otherwise the word at `span` is unknown.
    #[inline(never)]
    fn instruction(&mut self, word: &str, span: Range<usize>) -> Parsed {
        self.reader.skip_namespace();
        let (text, start, first) = (self.text, self.position(), self.word());
        if !instruction::may_be_name(first, &text[start + first.len()..]) {
            return Err(self.unknown(word, span).into());
        }
        let end = start + instruction::name_length(&text[start..]);
        let name = &text[start..end];
        let Some(instruction) = Instruction::named(name) else {
            let unknown = self.unknown(word, span);
            // A misspelt function name should not start the search among all instructions.
            let is_slip = unknown.help.as_ref().is_some_and(|help| help.starts_with("did you mean"));
            let near = match is_slip || self.brief {
                true => Vec::new(),
                false => instruction::nearest_atoms(name),
            };
            if near.is_empty() {
                return Err(unknown.into());
            }
            let error = ExprError::new(start..end, "name", format!("there is no instruction `{name}`"));
            return Err(error.with_help(did_you_mean(&near)).into());
        };
        self.reader.seek(end);
        self.reader.skip_braces();
        self.push_value(instruction.into(), start..self.position())
    }

    fn unknown(&self, word: &str, span: Range<usize>) -> ExprError {
        if let Some(order) = functions::of_order(word) {
            let error =
                ExprError::new(span, "name", format!("`{word}` is an order of strides, not a layout"));
            return error.with_help(format!("write make_layout(S, {word}{{}}) or {}(S)", order.name()));
        }
        // A member of a module, as np.transpose.
        let member = self.text[span.end..].strip_prefix('.').map(first_word);
        // The T of TileLang is no array's.
        let own = || elsewhere(word).filter(|_| word != "T" || member.is_none());
        if let Some(form) = member.and_then(elsewhere).or_else(own) {
            let error = ExprError::new(span, "name", format!("there is no function or variable `{word}`"));
            return error.with_help(format!("write {form}"));
        }
        // A variable of a program, whose type is unknown here.
        if self.text[span.end..].starts_with('.') {
            let partition = self.text[span.end..].starts_with(".partition");
            let error = ExprError::new(span, "name", format!("there is no variable `{word}`"));
            if partition {
                return error.with_help("write local_partition(L, threads, i), or the layout of all threads, as tiled_copy(X, L, M).src");
            }
            return error.with_help(format!(
                "write `let {word} = (4,8):(8,1);` before, with its own shape and strides"
            ));
        }
        let end = span.end;
        let error = ExprError::new(span, "name", format!("there is no function or variable `{word}`"));
        if self.brief {
            return error;
        }
        let names = self.variables.iter().map(|(name, _)| name.as_str());
        let near = nearest(word, functions::names().chain(names).chain(self.declared_names()));
        let called = self.text[end..].trim_start().starts_with('(');
        let operand = FIELDS.iter().any(|(name, _)| *name == word);
        let operand = operand.then(|| format!("the operand of an instruction is written `.{word}`;"));
        let atoms = || rows_of_instruction(word);
        let atom = atoms().next().filter(|_| near.is_none() && word.len() >= 4);
        let atom =
            atom.map(|row| format!("{} instructions are about it, such as {}", atoms().count(), row.name()));
        // Text copied from a kernel contains its names.
        let is_type = self.text[end..].starts_with('<');
        let own = word.len() <= 16 && !is_type && !instruction::may_be_name(word, "");
        let define = own && atom.is_none() && !(called && near.is_some());
        let define = define.then(|| match called {
            true => format!("`let {word} = (4,8):(8,1);` before names a layout"),
            false => format!("`let {word} = 128;` before names a value, `assume {word} >= 1;` one that is known only at launch"),
        });
        match [near, operand, atom, define].into_iter().flatten().collect::<Vec<_>>() {
            help if help.is_empty() => error,
            help => error.with_help(help.join(" ")),
        }
    }
}
