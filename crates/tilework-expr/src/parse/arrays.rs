//! Shapes and strides in the output of other programs: torch, NumPy, JSON, MLIR's memref.
//!
//! ```text
//! fields  := ('shape' | 'size') (':' | '=') (tuple | 'torch.Size(' tuple ')') [[','] ('stride' | 'strides') (':' | '=') tuple [bytes]]
//! bytes   := [','] ('itemsize' | 'dtype') (':' | '=') (int | element)
//! torch   := 'torch.Size(' tuple ')' [[','] tuple] | 'torch.empty_strided(' tuple ',' tuple {',' ...} ')'
//! json    := '{' key ':' value {',' key ':' value} '}', of which shape, stride, swizzle, offset and layout count
//! memref  := 'memref<' {int 'x'} element [',' 'strided<' '[' ints ']' [',' 'offset' ':' int] '>'] [',' space] '>'
//! space   := int [':' word] | string | '#' word '.' word ['<' word '>']
//! ```

use super::{Parsed, Parser};
use crate::error::ExprError;
use crate::pointer::{Memory, Pointer};
use crate::program::Apply;
use crate::symbolic::word_length;
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Composed, HTuple, Layout, Swizzle};

/// The largest nesting of skipped JSON.
const MAX_JSON: usize = 64;

impl Parser<'_, '_> {
    /// `shape=(4, 8), stride=(8, 1)`, `Shape: (4,8) Stride: (8,1)`; `false` if there is no shape in this form.
    pub(super) fn fields(&mut self) -> Parsed<bool> {
        let mark = self.reader;
        self.reader.skip_space();
        let start = self.position();
        let Some((shape, _)) = self.told(&["shape", "size"]) else {
            self.reader = mark;
            return Ok(false);
        };
        let behind = self.reader;
        let _ = self.reader.eat(b',');
        self.reader.skip_space();
        let at = self.position();
        let strides = match self.told(&["stride", "strides"]) {
            Some((strides, true)) => Some(self.in_elements(&strides, at)?),
            Some((strides, false)) => Some(strides),
            None => {
                self.reader = behind;
                None
            }
        };
        self.shaped(shape, strides, start)?;
        Ok(true)
    }

    /// NumPy's `strides=`, which are in bytes, in the elements that `itemsize=4` or `dtype=float32` behind them says.
    fn in_elements(&mut self, strides: &HTuple<Atom>, at: usize) -> Parsed<HTuple<Atom>> {
        let end = self.position();
        let _ = self.reader.eat(b',');
        self.reader.skip_space();
        let word = self.next_word();
        let named = matches!(word, "itemsize" | "dtype") && (self.reader.eat(b'=') || self.reader.eat(b':'));
        let bits = match word {
            "dtype" if named => self.element_type().map(i64::from),
            _ if named => self.integer("the bytes of an element")?.checked_mul(8),
            _ => None,
        };
        let of_leaf = |leaf: &Atom| match (leaf, bits) {
            (Atom::Integer(bytes), Some(bits)) if bits > 0 && bytes.checked_mul(8)? % bits == 0 => {
                Some(Atom::Integer(bytes * 8 / bits))
            }
            _ => None,
        };
        let elements: Option<Vec<Atom>> = strides.leaves().iter().map(of_leaf).collect();
        match elements {
            Some(elements) => HTuple::with_profile(strides.profile(), &elements, Atom::All)
                .map_err(|error| self.notation(error, at)),
            None => {
                let error = ExprError::new(at..end, "syntax", "NumPy's `strides` are in bytes");
                let help = "write itemsize=4 or dtype=float32 behind them, or divide them by itemsize: stride=(...) or shape:stride";
                Err(error.with_help(help).into())
            }
        }
    }

    /// The tuple after one of these keys, and whether the key is NumPy's `strides=`.
    fn told(&mut self, keys: &[&str]) -> Option<(HTuple<Atom>, bool)> {
        let word = self.word();
        if !keys.contains(&word.to_ascii_lowercase().as_str()) {
            return None;
        }
        self.pass(word.len());
        let sign = self.reader.eat(b'=');
        if !sign && !self.reader.eat(b':') {
            return None;
        }
        self.reader.skip_space();
        let of_torch = self.reader.eat_word("torch.Size(");
        let tuple = self.reader.atoms("a tuple").ok()?;
        (!of_torch || self.reader.eat(b')')).then_some((tuple, sign && word == "strides"))
    }

    /// A shape, or `shape:strides` of two tuples.
    fn shaped(&mut self, shape: HTuple<Atom>, strides: Option<HTuple<Atom>>, start: usize) -> Parsed {
        let span = start..self.position();
        self.push_value(Value::from(shape), span.clone())?;
        let Some(strides) = strides else { return Ok(()) };
        self.push_value(Value::from(strides), span.clone())?;
        self.apply(Apply::Pair, span)
    }

    /// `torch.Size([4, 8])` with strides after it, and `torch.empty_strided((4, 8), (8, 1))`.
    pub(super) fn torch(&mut self, start: usize) -> Parsed {
        let name = self.next_word();
        if !matches!(name, "Size" | "empty_strided") {
            let message = format!("of torch, only Size and empty_strided are understood; found `{name}`");
            let error = ExprError::new(start..self.position(), "name", message);
            return Err(error.with_help("print x.shape and x.stride(), and write shape:stride").into());
        }
        self.expect(b'(', "`(`")?;
        let shape = self.tuple("a tuple of extents")?;
        if name == "empty_strided" {
            self.expect(b',', "`,`")?;
            let strides = self.tuple("a tuple of strides")?;
            let Some(rest) = self.text[self.position()..].find(')') else { return Err(self.expected("`)`")) };
            self.pass(rest + 1);
            return self.shaped(shape, Some(strides), start);
        }
        self.expect(b')', "`)`")?;
        let behind = self.reader;
        let _ = self.reader.eat(b',');
        self.reader.skip_space();
        if self.reader.peek() == b'(' {
            let strides = self.tuple("a tuple of strides")?;
            return self.shaped(shape, Some(strides), start);
        }
        self.reader = behind;
        self.shaped(shape, None, start)
    }

    /// A JSON object, after its `{`: fields `shape` and `stride`, lists or texts, or a field `layout` with them;
    /// `swizzle` and `offset` before them. Other fields are skipped.
    #[inline(never)]
    pub(super) fn json(&mut self, start: usize) -> Parsed {
        let (mut shape, mut stride, mut swizzle, mut offset, mut has_layout) = (None, None, None, 0, false);
        while !self.reader.eat(b'}') {
            self.reader.skip_space();
            let key = self.json_text()?;
            self.expect(b':', "`:`")?;
            self.reader.skip_space();
            let null = self.word() == "null";
            match key.as_str() {
                _ if null => self.json_skip()?,
                "shape" => shape = Some(self.json_tuple()?),
                "stride" | "strides" => stride = Some(self.json_tuple()?),
                "swizzle" => swizzle = Some(self.json_swizzle()?),
                "offset" => offset = self.integer("an offset")?,
                "layout" if !has_layout && shape.is_none() => {
                    self.base(self.position())?;
                    has_layout = true;
                }
                _ => self.json_skip()?,
            }
            if !self.reader.eat(b',') {
                self.expect(b'}', "`,` or `}`")?;
                break;
            }
        }
        let shape = match (shape, has_layout) {
            (Some(shape), false) => shape,
            (Some(_), true) => return Err(self.expected_at(start, "an object with one layout")),
            (None, true) => return Ok(()),
            (None, false) => return Err(self.expected_at(start, "an object with `\"shape\"`")),
        };
        if swizzle.is_none() && offset == 0 {
            return self.shaped(shape, stride, start);
        }
        let whole = |error| self.notation(error, start);
        let layout = match stride {
            Some(stride) => shape.layout_with(&stride, start),
            None => shape.integers(start).and_then(|shape| Layout::column_major(&shape)),
        };
        let swizzle = swizzle.unwrap_or(Swizzle::NONE);
        let composed = layout.and_then(|layout| Composed::new(swizzle, offset, layout)).map_err(whole)?;
        self.push_value(Value::from(composed), start..self.position())
    }

    /// The name of a field in quotation marks, in lower case.
    fn json_text(&mut self) -> Parsed<String> {
        let quote = self.reader.peek();
        if !matches!(quote, b'"' | b'\'') {
            return Err(self.expected("a name in quotation marks"));
        }
        let begin = self.position() + 1;
        let Some(length) = self.text[begin..].find(char::from(quote)) else {
            return Err(self.expected_at(self.text.len(), "`\"`"));
        };
        self.reader.seek(begin + length + 1);
        Ok(self.text[begin..begin + length].to_ascii_lowercase())
    }

    /// A list of lists and numbers, or the text of a tuple.
    fn json_tuple(&mut self) -> Parsed<HTuple<Atom>> {
        let quote = self.reader.peek();
        let quoted = matches!(quote, b'"' | b'\'') && self.reader.eat(quote);
        let tuple = self.tuple("a tuple")?;
        if quoted {
            self.expect(quote, "the quotation mark behind it")?;
        }
        Ok(tuple)
    }

    /// `[3, 4, 3]` or `"Sw<3,4,3>"`.
    fn json_swizzle(&mut self) -> Parsed<Swizzle> {
        let at = self.position();
        if self.reader.eat(b'"') {
            let swizzle = self.read(|reader| reader.swizzle())?;
            self.expect(b'"', "`\"`")?;
            return Ok(swizzle);
        }
        match self.tuple("a swizzle")?.leaves() {
            [Atom::Integer(bits), Atom::Integer(base), Atom::Integer(shift)] => {
                Swizzle::new(*bits, *base, *shift).map_err(|error| self.notation(error, at))
            }
            _ => Err(self.expected_at(at, "a swizzle, [3, 4, 3]")),
        }
    }

    /// Skips a value, up to the `,` or the bracket after it.
    fn json_skip(&mut self) -> Parsed {
        let (start, bytes) = (self.position(), self.text.as_bytes());
        let (mut at, mut depth) = (start, 0);
        loop {
            match bytes.get(at) {
                None => return Err(self.expected_at(bytes.len(), "`}`")),
                Some(quote @ (b'"' | b'\'')) => {
                    at += 1;
                    while bytes.get(at).is_some_and(|byte| byte != quote) {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                    }
                }
                Some(b'[' | b'{') if depth < MAX_JSON => depth += 1,
                Some(b'[' | b'{') => return Err(self.expected_at(at, "JSON that is less nested")),
                Some(b']' | b'}' | b',') if depth == 0 => break,
                Some(b']' | b'}') => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        self.reader.seek(at);
        if self.text[start..at].trim().is_empty() {
            return Err(self.expected_at(start, "a value"));
        }
        Ok(())
    }

    /// `memref<4x8xf16, strided<[8, 1], offset: 2>>`, row-major without strides.
    pub(super) fn memref(&mut self, start: usize) -> Parsed {
        let mut extents = Vec::new();
        while self.reader.peek().is_ascii_digit() {
            let rest = &self.text[self.position()..];
            let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(0)];
            let Some(extent) = digits.parse().ok().filter(|extent| *extent > 0) else {
                return Err(self.expected("an extent of 1 or more"));
            };
            self.pass(digits.len());
            self.expect(b'x', "`x`")?;
            extents.push(HTuple::leaf(extent));
        }
        let bits = self.element("an extent, or the type of an element, as f16")?;
        let shape = HTuple::tuple(&extents).map_err(|error| self.notation(error, start))?;
        let (mut strides, mut offset) = (None, None);
        let mut more = self.reader.eat(b',');
        // Before white space is skipped: `#` of a memory space would begin a comment.
        let is_strided = self.text[self.position()..].trim_start().starts_with("strided<");
        if more && is_strided && self.reader.eat_word("strided<") {
            strides = Some(self.tuple("the strides")?);
            if self.reader.eat(b',') {
                self.expect_word("offset", "`offset:`")?;
                self.expect(b':', "`:`")?;
                offset = Some(self.integer("an offset")?);
            }
            self.expect(b'>', "`>`")?;
            more = self.reader.eat(b',');
        }
        if more {
            self.memory_space()?;
        }
        self.expect(b'>', "`>`")?;
        let layout = match strides {
            Some(strides) => strides.strides(start).and_then(|strides| Layout::of(&shape, &strides)),
            None => Layout::row_major(&shape),
        };
        let layout = layout.map_err(|error| self.notation(error, start))?;
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

    /// Skips the memory space of MLIR: `3`, `3 : i32`, `"gpu"`, `#gpu.address_space<workgroup>`.
    fn memory_space(&mut self) -> Parsed {
        let rest = self.text[self.position()..].trim_start();
        let length = rest.find('>').unwrap_or(rest.len());
        self.work += length;
        let is_word = |text: &str| !text.is_empty() && word_length(text) == text.len();
        let (text, length) = match rest[..length].split_once('<') {
            Some((_, name)) if !is_word(name) => ("", 0),
            Some((text, _)) => (text, length + 1),
            None => (rest[..length].trim_end(), length),
        };
        let (first, second) = text.split_once(':').unwrap_or((text, "i64"));
        let is_space = match text.strip_prefix('#').map(|name| name.split_once('.')) {
            Some(name) => name.is_some_and(|(dialect, name)| is_word(dialect) && is_word(name)),
            None if text.starts_with('"') => text.len() > 1 && text[1..].find('"') == Some(text.len() - 2),
            None => first.trim().parse::<u64>().is_ok() && is_word(second.trim()),
        };
        if !is_space {
            let error = *self.expected_at(self.text.len() - rest.len(), "strided<[...]>");
            return Err(error
                .with_help("a memref may have strides but no affine map; write shape:stride")
                .into());
        }
        self.reader.seek(self.text.len() - rest.len() + length);
        Ok(())
    }
}
