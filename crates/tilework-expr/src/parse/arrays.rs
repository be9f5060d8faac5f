//! Shapes and strides in the output of other programs: torch, NumPy, JSON, MLIR's memref.
//!
//! ```text
//! fields  := ('shape' | 'size') (':' | '=') tuple [[','] ('stride' | 'strides') (':' | '=') tuple]
//! torch   := 'torch.Size(' tuple ')' [[','] tuple] | 'torch.empty_strided(' tuple ',' tuple {',' ...} ')'
//! json    := '{' key ':' value {',' key ':' value} '}', of which shape, stride, swizzle, offset and layout count
//! memref  := 'memref<' {int 'x'} element [',' 'strided<' '[' ints ']' [',' 'offset' ':' int] '>'] {',' ...} '>'
//! ```

use super::{Parsed, Statement};
use crate::error::ExprError;
use crate::pointer::{Memory, Pointer};
use crate::program::Apply;
use crate::value::Value;
use std::ops::Range;
use tilework::__private::Atom;
use tilework::{Composed, HTuple, Layout, Swizzle};

/// The largest nesting of skipped JSON.
const MAX_JSON: usize = 64;

impl Statement<'_, '_> {
    /// `shape=(4, 8), stride=(8, 1)`, `Shape: (4,8) Stride: (8,1)`; `false` if there is no shape in this form.
    pub(super) fn fields(&mut self) -> Result<bool, Box<ExprError>> {
        let mark = self.parser.reader;
        self.parser.reader.skip_space();
        let start = self.position();
        let Some(shape) = self.told(&["shape", "size"])?.map(|(tuple, _)| tuple) else {
            self.parser.reader = mark;
            return Ok(false);
        };
        let end = self.position();
        let _ = self.parser.reader.eat(b',');
        self.parser.reader.skip_space();
        let at = self.position();
        let Some((strides, in_bytes)) = self.told(&["stride", "strides"])? else {
            self.parser.reader.seek(end);
            self.push_value(Value::from(shape), start..end)?;
            return Ok(true);
        };
        if in_bytes {
            let error = ExprError::new(at..self.position(), "syntax", "NumPy's `strides` are in bytes");
            return Err(Box::new(
                error.with_help("divide them by itemsize and write stride=(...) or shape:stride"),
            ));
        }
        self.pair(shape, strides, start..self.position())?;
        Ok(true)
    }

    /// The tuple after one of these keys, and whether the key is NumPy's `strides=`.
    fn told(&mut self, keys: &[&str]) -> Result<Option<(HTuple<Atom>, bool)>, Box<ExprError>> {
        let word = self.parser.word();
        if !keys.contains(&word.to_ascii_lowercase().as_str()) {
            return Ok(None);
        }
        self.parser.reader.seek(self.position() + word.len());
        let numpy = word == "strides";
        let sign = self.parser.reader.eat(b'=');
        if !sign && !self.parser.reader.eat(b':') {
            return Ok(None);
        }
        let tuple = self.parser.reader.atoms("a tuple").ok();
        Ok(tuple.map(|tuple| (tuple, sign && numpy)))
    }

    /// `shape:strides` of two tuples.
    fn pair(&mut self, shape: HTuple<Atom>, strides: HTuple<Atom>, span: Range<usize>) -> Parsed {
        self.push_value(Value::from(shape), span.clone())?;
        self.push_value(Value::from(strides), span.clone())?;
        self.apply(Apply::Pair, span)
    }

    fn tuple(&mut self, what: &'static str) -> Result<HTuple<Atom>, Box<ExprError>> {
        let at = self.position();
        self.parser.reader.atoms(what).map_err(|error| self.parser.notation(error, at))
    }

    /// `torch.Size([4, 8])` with strides after it, and `torch.empty_strided((4, 8), (8, 1))`.
    pub(super) fn torch(&mut self, start: usize) -> Parsed {
        let name = self.parser.word();
        let end = self.position() + name.len();
        self.parser.reader.seek(end);
        if !matches!(name, "Size" | "empty_strided") {
            let message = format!("of torch, only Size and empty_strided are understood; found `{name}`");
            let error = ExprError::new(start..end, "name", message);
            return Err(Box::new(error.with_help("print x.shape and x.stride(), and write shape:stride")));
        }
        self.expect(b'(', "`(`")?;
        let shape = self.tuple("a tuple of extents")?;
        if name == "empty_strided" {
            self.expect(b',', "`,`")?;
            let strides = self.tuple("a tuple of strides")?;
            let rest = self.parser.text[self.position()..].find(')').map(|at| self.position() + at);
            let Some(close) = rest else { return Err(self.parser.expected("`)`")) };
            self.parser.reader.seek(close + 1);
            return self.pair(shape, strides, start..close + 1);
        }
        self.expect(b')', "`)`")?;
        let end = self.position();
        let _ = self.parser.reader.eat(b',');
        self.parser.reader.skip_space();
        if self.parser.reader.peek() == b'(' {
            let strides = self.tuple("a tuple of strides")?;
            return self.pair(shape, strides, start..self.position());
        }
        self.parser.reader.seek(end);
        self.push_value(Value::from(shape), start..end)
    }

    /// A JSON object, after its `{`: fields `shape` and `stride`, lists or texts, or a field `layout` with them;
    /// `swizzle` and `offset` before them. Other fields are skipped.
    pub(super) fn json(&mut self, start: usize) -> Parsed {
        let (mut shape, mut stride, mut swizzle, mut offset, mut has_layout) = (None, None, None, 0, false);
        while !self.parser.reader.eat(b'}') {
            self.parser.reader.skip_space();
            let key = self.json_text()?;
            self.expect(b':', "`:`")?;
            self.parser.reader.skip_space();
            let null = self.parser.word() == "null";
            match key.as_str() {
                _ if null => self.json_skip()?,
                "shape" => shape = Some(self.json_tuple()?),
                "stride" | "strides" => stride = Some(self.json_tuple()?),
                "swizzle" => swizzle = Some(self.json_swizzle()?),
                "offset" => {
                    offset = self.integer("an offset")?;
                }
                "layout" if !has_layout && shape.is_none() => {
                    self.base(self.position())?;
                    has_layout = true;
                }
                _ => self.json_skip()?,
            }
            if !self.parser.reader.eat(b',') {
                self.expect(b'}', "`,` or `}`")?;
                break;
            }
        }
        let span = start..self.position();
        let Some(shape) = shape else {
            return if has_layout {
                Ok(())
            } else {
                Err(self.parser.expected_at(start, "an object with `\"shape\"`"))
            };
        };
        if has_layout {
            return Err(self.parser.expected_at(start, "an object with one layout"));
        }
        if swizzle.is_none() && offset == 0 {
            return match stride {
                Some(stride) => self.pair(shape, stride, span),
                None => self.push_value(Value::from(shape), span),
            };
        }
        let whole = |error| self.parser.notation(error, start);
        let layout = match stride {
            Some(stride) => shape.layout_with(&stride, start),
            None => shape.integers(start).and_then(|shape| Layout::column_major(&shape)),
        };
        let swizzle = swizzle.unwrap_or(Swizzle::NONE);
        let composed = layout.and_then(|layout| Composed::new(swizzle, offset, layout)).map_err(whole)?;
        self.push_value(Value::from(composed), span)
    }

    /// The name of a field in quotation marks, in lower case.
    fn json_text(&mut self) -> Result<String, Box<ExprError>> {
        let quote = self.parser.reader.peek();
        if !matches!(quote, b'"' | b'\'') {
            return Err(self.parser.expected("a name in quotation marks"));
        }
        let begin = self.position() + 1;
        let Some(length) = self.parser.text[begin..].find(char::from(quote)) else {
            return Err(self.parser.expected_at(self.parser.text.len(), "`\"`"));
        };
        self.parser.reader.seek(begin + length + 1);
        Ok(self.parser.text[begin..begin + length].to_ascii_lowercase())
    }

    /// A list of lists and numbers, or the text of a tuple.
    fn json_tuple(&mut self) -> Result<HTuple<Atom>, Box<ExprError>> {
        let quote = self.parser.reader.peek();
        let quoted = matches!(quote, b'"' | b'\'') && self.parser.reader.eat(quote);
        let tuple = self.tuple("a tuple")?;
        if quoted {
            self.expect(quote, "the quotation mark behind it")?;
        }
        Ok(tuple)
    }

    /// `[3, 4, 3]` or `"Sw<3,4,3>"`.
    fn json_swizzle(&mut self) -> Result<Swizzle, Box<ExprError>> {
        let at = self.position();
        if self.parser.reader.eat(b'"') {
            let swizzle = self.parser.reader.swizzle().map_err(|error| self.parser.notation(error, at))?;
            self.expect(b'"', "`\"`")?;
            return Ok(swizzle);
        }
        match self.tuple("a swizzle")?.leaves() {
            [Atom::Integer(bits), Atom::Integer(base), Atom::Integer(shift)] => {
                Swizzle::new(*bits, *base, *shift).map_err(|error| self.parser.notation(error, at))
            }
            _ => Err(self.parser.expected_at(at, "a swizzle, [3, 4, 3]")),
        }
    }

    /// Skips a value, up to the `,` or the bracket after it.
    fn json_skip(&mut self) -> Parsed {
        let (start, bytes) = (self.position(), self.parser.text.as_bytes());
        let (mut at, mut depth) = (start, 0);
        loop {
            match bytes.get(at) {
                None => return Err(self.parser.expected_at(bytes.len(), "`}`")),
                Some(quote @ (b'"' | b'\'')) => {
                    at += 1;
                    while bytes.get(at).is_some_and(|byte| byte != quote) {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                    }
                }
                Some(b'[' | b'{') if depth < MAX_JSON => depth += 1,
                Some(b'[' | b'{') => return Err(self.parser.expected_at(at, "JSON that is less nested")),
                Some(b']' | b'}' | b',') if depth == 0 => break,
                Some(b']' | b'}') => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        self.parser.reader.seek(at);
        if self.parser.text[start..at].trim().is_empty() {
            return Err(self.parser.expected_at(start, "a value"));
        }
        Ok(())
    }

    /// `memref<4x8xf16, strided<[8, 1], offset: 2>>`, row-major without strides.
    pub(super) fn memref(&mut self, start: usize) -> Parsed {
        let mut extents = Vec::new();
        while self.parser.reader.peek().is_ascii_digit() {
            let at = self.position();
            let digits = self.parser.text[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
            let extent = self.parser.text[at..at + digits].parse().ok().filter(|extent| *extent > 0);
            let Some(extent) = extent else { return Err(self.parser.expected("an extent of 1 or more")) };
            self.parser.reader.seek(at + digits);
            if self.parser.reader.peek() != b'x' {
                return Err(self.parser.expected("`x`"));
            }
            self.parser.reader.seek(at + digits + 1);
            extents.push(HTuple::leaf(extent));
        }
        let element = self.parser.word();
        let Some(bits) = super::cute::element_bits(element) else {
            return Err(self.parser.expected("an extent, or the type of an element, as f16"));
        };
        self.parser.reader.seek(self.position() + element.len());
        let shape = HTuple::tuple(&extents).map_err(|error| self.parser.notation(error, start))?;
        let (mut strides, mut offset) = (None, None);
        while self.parser.reader.eat(b',') {
            self.parser.reader.skip_space();
            if !self.parser.reader.eat_word("strided<") {
                // The memory space.
                self.attribute()?;
                continue;
            }
            strides = Some(self.tuple("the strides")?);
            if self.parser.reader.eat(b',') {
                if !self.parser.reader.eat_word("offset") {
                    return Err(self.parser.expected("`offset:`"));
                }
                self.expect(b':', "`:`")?;
                offset = Some(self.integer("an offset")?);
            }
            self.expect(b'>', "`>`")?;
        }
        self.expect(b'>', "`,` or `>`")?;
        let layout = match strides {
            Some(strides) => strides.strides(start).and_then(|strides| Layout::of(&shape, &strides)),
            None => Layout::row_major(&shape),
        };
        let layout = layout.map_err(|error| self.parser.notation(error, start))?;
        let span = start..self.position();
        match offset.unwrap_or(0) {
            0 => self.push_value(Value::from(layout), span.clone())?,
            offset => {
                self.push_value(Value::integer(offset), span.clone())?;
                self.push_value(Value::from(layout), span.clone())?;
                self.apply(Apply::View, span.clone())?;
            }
        }
        self.apply(Apply::Tensor(Pointer::new(Memory::Any, bits)), span)
    }

    /// Skips a word, a number or an attribute of MLIR, up to the `,` or the `>` after it.
    fn attribute(&mut self) -> Parsed {
        let rest = &self.parser.text[self.position()..];
        let length = rest.find([',', '>']);
        self.parser.work += length.unwrap_or(rest.len());
        match length {
            Some(length) if !rest[..length].contains('<') => {
                self.parser.reader.seek(self.position() + length);
                Ok(())
            }
            _ => {
                let error = *self.parser.expected("strided<[...]>");
                Err(Box::new(
                    error.with_help("a memref may have strides but no affine map; write shape:stride"),
                ))
            }
        }
    }
}
