//! Output of CuTe that is not an expression: tensors, and the types of the DSL.
//!
//! ```text
//! pointer  := [memory '_'] ['sparse<' int '>_'] ['trans_'] ['sub'] 'ptr[' bits 'b]' ['(' address ')'] | 'tmem_[' bits 'b](' address ')'
//!           | (memory | 'raw') '_ptr_' bits 'b(' address ')' (CUTLASS 3.0 and 3.1)
//!           | 'make_' memory '_ptr' ['<' type '>'] '(' what tells the type ')'
//! tensor   := pointer 'o' layout [elements] | swizzle 'o' pointer 'o' layout | swizzle '_' pointer 'o' layout
//!           | 'smem_ptr_' swizzle '_' bits 'b(' address ')' 'o' layout (CUTLASS 3.0 and 3.1)
//!           | ('ArithTuple' coord | 'counting_iter(' int ')' | 'counting_iter_' int) 'o' layout [elements]
//!           | ('GMMA' | 'UMMA') '::DescriptorIterator' 'o' layout
//!           | 'tensor<' place 'o' layout '>' | raw ['=' '(' numbers ')'] | 'tensor(' raw ',' 'data=' '[' numbers ']' ')'
//!           | 'Tensor<' address '@' memory 'o' layout '>' | 'Tensor<' engine ',' layout '>' (a type of C++) | coord 'o' layout, where the coordinate is not a shape
//! raw      := 'raw_ptr(' address ':' type ')' 'o' layout
//! elements := ':' and lines of numbers or coordinates, which are passed over
//! picture  := lines of a table, or a document of LaTeX, which are passed over
//! place    := 'ptr<' type '>' | coord
//! type     := element {',' (memory | 'align<' int '>' | swizzle)}
//! mlir     := '!cute.' word '<' (type ',' quoted | quoted {',' quoted}) '>'
//! ```

use super::{Parsed, Parser};
use crate::error::ExprError;
use crate::pointer::{Memory, Pointer, element_type};
use crate::program::{Apply, Push, StepKind};
use crate::symbolic::words_at;
use crate::value::Value;
use std::ops::Range;
use tilework::Swizzle;

/// The beginning of what `print_latex` prints, after comments.
const DOCUMENT: &str = "\\documentclass";

/// The text after `GMMA` and `UMMA` if the elements of a tensor are descriptors, 16 bytes apart.
const DESCRIPTORS: &str = "::DescriptorIterator";

/// The text between `<` and `>` of a pointer in the DSL.
struct Pointee {
    pointer: Pointer,
    swizzle: Option<Swizzle>,
}

impl Parser<'_, '_> {
    /// A swizzle, and a tensor whose pointer swizzles: `Sw<3,4,3>_smem_ptr[16b](0x0) o L`.
    #[inline(never)]
    pub(super) fn swizzle(&mut self) -> Parsed {
        let start = self.position();
        let swizzle = self.read(|reader| reader.swizzle())?;
        self.push_value(Value::Swizzle(swizzle), start..self.position())?;
        if self.reader.peek() != b'_' {
            return Ok(());
        }
        self.pass(1);
        let Some((pointer, address)) = self.pointer_and_circle()? else {
            return Err(self.expected("a pointer, as smem_ptr[16b](0x0)"));
        };
        self.operand()?;
        self.apply(Apply::SwizzledTensor(pointer, address), start..self.position())
    }

    /// A tensor that begins with this word, if one does.
    #[inline(never)]
    pub(super) fn printed_tensor(&mut self, word: &str, after: u8) -> Parsed<bool> {
        let start = self.position();
        if let Some((pointer, _)) = self.pointer()? {
            if self.reader.eat_circle() {
                self.printed_layout()?;
                self.apply(Apply::Tensor(pointer), start..self.position())?;
                self.pass_elements();
            } else {
                self.push_value(Value::Pointer(pointer), start..self.position())?;
            }
            return Ok(true);
        }
        let end = start + word.len();
        let count = word.strip_prefix("counting_iter_");
        self.reader.seek(end + 1);
        match (word, after) {
            ("smem_ptr_S", b'<') => {
                self.reader.seek(end - 1);
                self.swizzled_pointer(start)?;
            }
            ("ArithTuple" | "counting_iter", b'(') => {
                self.reader.seek(end);
                self.counted(start)?;
            }
            _ if count.is_some_and(|count| count.parse::<u64>().is_ok()) => {
                self.reader.seek(start + "counting_iter_".len());
                self.counted(start)?;
            }
            ("GMMA" | "UMMA", b':') if self.text[end..].starts_with(DESCRIPTORS) => {
                self.reader.seek(end + DESCRIPTORS.len());
                self.circle_and_layout()?;
            }
            (
                "make_gmem_ptr" | "make_smem_ptr" | "make_rmem_ptr" | "make_tmem_ptr" | "make_ptr",
                b'<' | b'(',
            ) => self.made_pointer(word, start)?,
            ("memref", b'<') => {
                self.memref(start).map_err(|error| match self.text[error.span.start..].starts_with('?') {
                    true => error
                        .with_help(
                            "write a number for each `?`, or the layout with names, as {off} o (M,4):(ld,1)",
                        )
                        .into(),
                    false => error,
                })?
            }
            ("torch", b'.') => self.torch(start)?,
            ("tensor_value", b'<') => {
                let help = "write the layout of its fragment, or row_major((2,3))";
                return Err(without_layout("tensor_value of the DSL", help, start..end));
            }
            ("Tensor", b'<') => self.tensor_type(start)?,
            ("ptr", b'<') => {
                let pointee = self.pointee(b'>')?;
                match pointee.swizzle {
                    // The swizzle is one of its addresses.
                    Some(_) => self.typed(&pointee, start, Self::circle_and_layout)?,
                    None => self.push_value(Value::Pointer(pointee.pointer), start..self.position())?,
                }
            }
            ("tensor" | "vector", b'<') if self.reader.peek().is_ascii_digit() => {
                let help = "write memref<4x8xf16>, or row_major((4,8))";
                return Err(without_layout(&format!("{word} of MLIR"), help, start..end));
            }
            ("tensor", b'<') => {
                self.tensor(start)?;
                self.expect(b'>', "`>`")?;
            }
            ("tensor", b'(') if self.text[end + 1..].trim_start().starts_with("raw_ptr(") => {
                self.tensor_with_data(start)?
            }
            ("raw_ptr", b'(') => {
                self.raw(start)?;
                if self.reader.eat(b'=') && !self.text[self.position()..].trim_start().is_empty() {
                    self.pass_brackets(b'(', "`(`")?;
                }
            }
            _ => {
                self.reader.seek(start);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `raw_ptr(...) o L, data=[...])`, after `tensor(`.
    fn tensor_with_data(&mut self, start: usize) -> Parsed {
        self.reader.skip_space();
        self.pass("raw_ptr(".len());
        self.raw(start)?;
        self.expect(b',', "`,`")?;
        self.expect_word("data", "`data=`")?;
        self.expect(b'=', "`=`")?;
        self.pass_brackets(b'[', "`[`")?;
        self.expect(b')', "`)`")
    }

    /// The start coordinate of a counting tensor, `o`, and its layout.
    fn counted(&mut self, start: usize) -> Parsed {
        let at = self.position();
        let offset = self.tuple("a coordinate")?;
        // `counting_iter(5)` has parentheses around a number.
        let offset = if offset.rank() == 1 { offset.mode(0).unwrap_or(offset) } else { offset };
        self.push_value(Value::from(offset), at..self.position())?;
        self.circle_and_layout()?;
        self.apply(Apply::Counted, start..self.position())?;
        self.pass_elements();
        Ok(())
    }

    /// Whether the last operand is a tuple with parentheses, which may be a coordinate before `o`.
    pub(super) fn is_behind_tuple(&self) -> bool {
        let Some(StepKind::Push(Push::Literal(index))) = self.last_step() else { return false };
        matches!(&self.program.literals[index], Value::Tuple(tuple) if !tuple.is_leaf())
    }

    /// Whether the last operand is a swizzle.
    pub(super) fn is_behind_swizzle(&self) -> bool {
        let Some(StepKind::Push(Push::Literal(index))) = self.last_step() else { return false };
        matches!(self.program.literals[index], Value::Swizzle(_))
    }

    /// `ptr<f16, gmem> o layout` or `(0,0) o layout`, within `tensor<...>`.
    fn tensor(&mut self, start: usize) -> Parsed {
        self.reader.skip_space();
        if self.word() != "ptr" {
            return self.counted(start);
        }
        self.pass(3);
        self.expect(b'<', "`<`")?;
        let pointee = self.pointee(b'>')?;
        self.typed(&pointee, start, Self::circle_and_layout)
    }

    /// `0x7f00: f32, gmem) o layout` after `raw_ptr(`, as the DSL prints a tensor at run time.
    fn raw(&mut self, start: usize) -> Parsed {
        self.integer("an address")?;
        self.expect(b':', "`:`")?;
        let pointee = self.pointee(b')')?;
        self.typed(&pointee, start, Self::circle_and_layout)
    }

    /// Skips the elements of a tensor, as `print_tensor` of C++ prints them in the lines after `:`.
    fn pass_elements(&mut self) {
        let rest = &self.text[self.position()..];
        let Some(behind) = rest.trim_start_matches([' ', '\t']).strip_prefix(':') else { return };
        let after = behind.trim_start_matches([' ', '\t', '\r']);
        if !after.is_empty() && !after.starts_with('\n') {
            return;
        }
        let mut lines = behind.split_inclusive('\n');
        let first = lines.next().unwrap_or("");
        // The matrices of a tensor with more modes are separated by lines of `-` and `=`.
        let has_only = |word: &str, signs: &[u8]| word.bytes().all(|byte| signs.contains(&byte));
        let is_element = |word: &str| {
            has_only(word, b"0123456789.+-e=")
                || matches!(word.trim_start_matches('-'), "nan" | "inf")
                || word.starts_with('(') && has_only(word, b"(0123456789,-)")
        };
        let elements = lines.take_while(|line| line.split_whitespace().all(is_element));
        let length = first.len() + elements.map(str::len).sum::<usize>();
        self.pass(rest.len() - behind.len() + length);
    }

    /// Skips the picture of a layout, as `print_layout` and `print_latex` of C++ print it in the lines after the layout.
    pub(super) fn pass_picture(&mut self) {
        self.reader.skip_space();
        let rest = &self.text[self.position()..];
        let mut lines = rest.split_inclusive('\n');
        let length = match (lines.next().unwrap_or(""), lines.next().unwrap_or("").trim_start()) {
            (first, _) if first.starts_with(DOCUMENT) => rest.len(),
            (columns, rule)
                if rule.starts_with("+--")
                    && columns.bytes().all(|byte| b" 0123456789\r\n".contains(&byte)) =>
            {
                let rows =
                    lines.take_while(|line| line.contains('|') || line.trim_start().starts_with("+--"));
                rest.find(rule).unwrap_or(0) + rule.len() + rows.map(str::len).sum::<usize>()
            }
            _ => 0,
        };
        self.pass(length);
    }

    /// Whether the `%` here begins one of the comments in which `print_latex` says what it draws.
    pub(super) fn begins_comment(&self) -> bool {
        (self.begins_line() || self.position() == 0) && self.text.contains(DOCUMENT)
    }

    /// Skips numbers in brackets, including nested ones.
    fn pass_brackets(&mut self, open: u8, name: &str) -> Parsed {
        self.reader.skip_space();
        if self.reader.peek() != open {
            return Err(self.expected(name));
        }
        let rest = &self.text.as_bytes()[self.position()..];
        let mut depth = 0usize;
        for (at, byte) in rest.iter().enumerate() {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth -= 1,
                b',' | b'.' | b'+' | b'-' => {}
                byte if byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() => {}
                _ => return Err(self.expected_at(self.position() + at, "a number")),
            }
            if depth == 0 {
                self.pass(at + 1);
                return Ok(());
            }
        }
        Err(self.expected_at(self.text.len(), "the bracket that closes the elements"))
    }

    /// `S<3,4,3>_16b(0x7f00) o layout`, after `smem_ptr_`.
    fn swizzled_pointer(&mut self, start: usize) -> Parsed {
        let at = self.position();
        let swizzle = self.read(|reader| reader.swizzle())?;
        self.push_value(Value::Swizzle(swizzle), at..self.position())?;
        self.expect(b'_', "`_16b(0x0)`")?;
        let bits = self.bits()?;
        self.expect_word("b", "`b(`")?;
        let address = self.address()?;
        self.circle_and_layout()?;
        self.apply(Apply::SwizzledTensor(Pointer::new(Memory::Shared, bits), address), start..self.position())
    }

    /// `ViewEngine<gmem_ptr<half_t*>>, Layout<..>>` after `Tensor<`: a type of C++, which tells of a pointer only what it points to.
    #[inline(never)]
    fn tensor_type(&mut self, start: usize) -> Parsed {
        let mark = self.reader;
        self.reader.skip_space();
        self.reader.skip_namespace();
        let (at, word) = (self.position(), self.word());
        if !matches!(word, "ViewEngine" | "ConstViewEngine" | "ArrayEngine") {
            self.reader = mark;
            return self.runtime_tensor();
        }
        let end = self.closing(at + word.len(), b'>')?;
        let engine = &self.text[at..end];
        let layout = |inner: &mut Self| {
            inner.reader.seek(end + 1);
            inner.expect(b',', "`,` and the layout of the tensor")?;
            inner.in_brackets(b'>')
        };
        if let Some(place) = engine.find("ArithmeticTuple<") {
            self.reader.seek(at + place);
            let offset = self.tuple("a coordinate")?;
            self.push_value(Value::from(offset), at..end)?;
            layout(self)?;
            return self.apply(Apply::Counted, start..self.position());
        }
        if engine.ends_with("DescriptorIterator") {
            return layout(self);
        }
        // Of a sparse pointer an element is a part.
        let Some(pointer) = pointer_in(engine).filter(|_| !engine.contains("sparse")) else {
            let wanted = "an engine with the type of its elements, as ViewEngine<gmem_ptr<half_t*>>";
            return Err(self.expected_at(at, wanted));
        };
        let swizzle = engine.find("Swizzle<").map(|place| {
            self.reader.seek(at + place);
            self.read(|reader| reader.swizzle())
        });
        self.typed(&Pointee { pointer, swizzle: swizzle.transpose()? }, start, layout)
    }

    /// `0x7f00@gmem o layout>` after `Tensor<`: an argument of a kernel, without the type of its elements.
    fn runtime_tensor(&mut self) -> Parsed {
        self.reader.skip_space();
        let rest = &self.text[self.position()..];
        let digits = rest
            .strip_prefix("0x")
            .map_or(0, |digits| 2 + digits.bytes().take_while(u8::is_ascii_hexdigit).count());
        self.pass(digits);
        self.expect(b'@', "an address and `@`")?;
        let memory = self.word();
        if memory.is_empty() || Memory::find(memory).is_none() {
            return Err(self.expected("a memory, as gmem"));
        }
        self.pass(memory.len());
        self.circle_and_layout()?;
        self.expect(b'>', "`>`")
    }

    /// The tensor of a pointer's elements, with the layout that is read here.
    fn typed(&mut self, pointee: &Pointee, start: usize, layout: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        let mut apply = Apply::Tensor(pointee.pointer);
        if let Some(swizzle) = pointee.swizzle {
            self.push_value(Value::Swizzle(swizzle), start..self.position())?;
            apply = Apply::SwizzledTensor(pointee.pointer, 0);
        }
        layout(self)?;
        self.apply(apply, start..self.position())
    }

    /// A layout, or a swizzled one, which is not a composition here.
    pub(super) fn printed_layout(&mut self) -> Parsed {
        self.reader.skip_space();
        let start = self.position();
        if let Some(literal) = self.literal_with_names(start) {
            return self.push_value(Value::from(literal?), start..self.position());
        }
        if !matches!(self.word(), "Sw" | "S" | "Swizzle") {
            self.base(start)?;
            // A calculation in the strides.
            let is_tuple = match self.last_step() {
                Some(StepKind::Push(Push::Literal(index))) => self.program.literals[index].is_tuple(),
                last => !matches!(last, Some(StepKind::Push(_))),
            };
            return match is_tuple {
                true => self.behind_operand(start, false),
                false => Ok(()),
            };
        }
        let (place, mut reader) = (self.place(), self.reader);
        if let Ok(composed) = reader.composed() {
            self.reader = reader;
            return self.push_value(Value::from(composed), start..self.position());
        }
        // With names.
        let swizzle = self.read(|reader| reader.swizzle())?;
        self.push_value(Value::Swizzle(swizzle), start..self.position())?;
        self.circle()?;
        self.reader.skip_space();
        let at = self.position();
        if self.reader.eat(b'{') {
            self.declare_offset()?;
            self.nested(|inner| inner.expression())?;
            self.expect(b'}', "`}`")?;
            self.circle()?;
        } else if !self.swizzle_offset()? {
            self.push_value(Value::integer(0), at..at)?;
        }
        self.reader.skip_space();
        let at = self.position();
        let Some(literal) = self.literal_with_names(at) else {
            self.back_to(place);
            return self.read(|reader| reader.composed()).map(drop);
        };
        self.push_value(Value::from(literal?), at..self.position())?;
        self.apply(Apply::Swizzled, start..self.position())
    }

    pub(super) fn circle(&mut self) -> Parsed {
        if self.reader.eat_circle() { Ok(()) } else { Err(self.expected("`o`")) }
    }

    fn circle_and_layout(&mut self) -> Parsed {
        self.circle()?;
        self.printed_layout()
    }

    /// `make_gmem_ptr<half_t>(A)`, `make_smem_ptr((half_t*) smem)`, `make_ptr(Float16, A, AddressSpace.gmem)`: only the
    /// memory and the type of the elements matter.
    fn made_pointer(&mut self, word: &str, start: usize) -> Parsed {
        let end = self.closing(start + word.len(), b')')? + 1;
        let text = &self.text[start..end];
        let Some(pointer) = pointer_in(text) else {
            let message = format!("`{text}` does not tell the type of the elements");
            let memory = &word["make_".len()..word.len() - "ptr".len()];
            let help = format!("write {word}<half_t>(A), or {memory}ptr[16b] by its bits");
            return Err(ExprError::new(start..end, "name", message).with_help(help).into());
        };
        self.reader.seek(end);
        self.push_value(Value::Pointer(pointer), start..end)
    }

    /// The position of the byte that closes the bracket at a position, and those within it.
    pub(super) fn closing(&mut self, from: usize, close: u8) -> Parsed<usize> {
        let mut depth = 0usize;
        let closes = |byte: u8| {
            match byte {
                b'(' | b'<' => depth += 1,
                b')' | b'>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && byte == close
        };
        let length = self.text.bytes().skip(from).position(closes);
        self.work += length.unwrap_or(self.text.len() - from);
        length
            .map(|length| from + length)
            .ok_or_else(|| self.expected_at(self.text.len(), "a closing bracket"))
    }

    /// A pointer as C++ prints it and the `o` after it, with its address; none if there is none here.
    pub(super) fn pointer_and_circle(&mut self) -> Parsed<Option<(Pointer, u64)>> {
        let pointer = self.pointer()?;
        if pointer.is_some() {
            self.circle()?;
        }
        Ok(pointer)
    }

    /// A pointer as C++ prints it, with its address; none if there is none here.
    fn pointer(&mut self) -> Parsed<Option<(Pointer, u64)>> {
        self.reader.skip_space();
        let start = self.position();
        let word = self.next_word();
        if let (Some(pointer), b'(') = (early_pointer(word), self.reader.peek()) {
            return Ok(Some((pointer, self.address()?)));
        }
        let (memory, sparsity) = match word.strip_suffix("sparse") {
            Some(memory) if self.reader.peek() == b'<' => {
                (Memory::find(memory.trim_end_matches('_')), self.sparsity()?)
            }
            _ => (pointer_word(word), 1),
        };
        let Some(memory) = memory.filter(|_| self.reader.peek() == b'[') else {
            self.reader.seek(start);
            return Ok(None);
        };
        self.reader.eat(b'[');
        // For a sparse element, `_4b` is the width of one logical element, and `8b` that of all.
        let divisor = if self.reader.peek() == b'_' { 1 } else { sparsity };
        let bits_at = self.position();
        let bits = self.bits()?;
        if bits % divisor != 0 {
            return Err(self.expected_at(bits_at, "a multiple of the sparsity"));
        }
        self.expect_word("b]", "`b]`")?;
        let address = if self.reader.peek() == b'(' { self.address()? } else { 0 };
        Ok(Some((Pointer::new(memory, bits / divisor), address)))
    }

    /// `<2>_ptr` after `sparse`: the number of logical elements per stored element.
    fn sparsity(&mut self) -> Parsed<u32> {
        let sparsity = self.angled(Self::bits)?;
        self.expect(b'_', "`_ptr[`")?;
        let word = self.word();
        if pointer_word(word) != Some(Memory::Any) {
            return Err(self.expected("`ptr[`"));
        }
        self.pass(word.len());
        Ok(sparsity)
    }

    /// The number of bits of an element.
    pub(super) fn bits(&mut self) -> Parsed<u32> {
        let at = self.position();
        let bits = self.integer("the bits of an element")?;
        match u32::try_from(bits) {
            Ok(bits @ 1..=65536) => Ok(bits),
            _ => Err(self.expected_at(at, "the bits of an element, 1 to 65536")),
        }
    }

    /// The address in parentheses: `0x7f00`, or 0 for `unset`, `(nil)` and an address of tensor memory, `0x0000.0000`.
    fn address(&mut self) -> Parsed<u64> {
        let rest = &self.text[self.position()..];
        for unset in ["(unset)", "((nil))", "(nil)"] {
            if rest.starts_with(unset) {
                self.pass(unset.len());
                return Ok(0);
            }
        }
        let Some(end) = rest.find(')') else {
            return Err(self.expected_at(self.text.len(), "`)`"));
        };
        self.work += end;
        let text = &rest[1..end];
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let (address, part) = digits.split_once('.').map_or((digits, ""), |(_, part)| ("0", part));
        match (u64::from_str_radix(address, 16), part.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            (Ok(address), true) => {
                self.pass(end + 1);
                Ok(address)
            }
            _ => Err(self.expected_at(self.position() + 1, "an address")),
        }
    }

    /// `smem_ptr_flag` and `smem_ptr_flag_bits<16>` of a type of C++.
    pub(super) fn pointer_flag(&mut self) -> Parsed<Option<Pointer>> {
        self.reader.skip_space();
        let mark = self.reader;
        self.reader.skip_namespace();
        let bits = match self.next_word() {
            "smem_ptr_flag" => 1,
            "smem_ptr_flag_bits" => self.angled(Self::bits)?,
            _ => {
                self.reader = mark;
                return Ok(None);
            }
        };
        self.reader.skip_braces();
        Ok(Some(Pointer::new(Memory::Shared, bits)))
    }

    /// What is between `<` and `>`.
    fn angled<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect(b'<', "`<`")?;
        let inner = read(self)?;
        self.expect(b'>', "`>`")?;
        Ok(inner)
    }

    /// The bits of an element by its type.
    pub(super) fn element(&mut self, wanted: &str) -> Parsed<u32> {
        let Some(bits) = element_bits(self.word()) else { return Err(self.expected(wanted)) };
        self.next_word();
        Ok(bits)
    }

    /// `f16, gmem, align<16>, S<3,4,3>` up to `close`, or up to a quoted text.
    fn pointee(&mut self, close: u8) -> Parsed<Pointee> {
        self.reader.skip_space();
        let bits = self.element("the type of an element, as f16")?;
        let mut pointee = Pointee { pointer: Pointer::new(Memory::Any, bits), swizzle: None };
        while !self.reader.eat(close) {
            self.expect(b',', "`,` or the end of the type")?;
            self.reader.skip_space();
            let at = self.position();
            match self.word() {
                "align" => {
                    self.reader.seek(at + "align".len());
                    self.angled(|inner| inner.integer("an alignment"))?;
                }
                "S" | "Sw" => pointee.swizzle = Some(self.read(|reader| reader.swizzle())?),
                "" if self.reader.peek() == b'"' => return Ok(pointee),
                word => {
                    let Some(memory) = Memory::find(word) else {
                        return Err(self.expected("a memory, align<...> or a swizzle"));
                    };
                    pointee.pointer = Pointer::new(memory, bits);
                    self.reader.seek(at + word.len());
                }
            }
        }
        Ok(pointee)
    }

    /// A type of the DSL: `!cute.layout<"...">`, `!cute.memref<f16, gmem, "...">`, `!cute.tile<"[4:1;8:1]">`.
    #[inline(never)]
    pub(super) fn mlir(&mut self) -> Parsed {
        let start = self.position();
        if !self.reader.eat_word("!cute.") {
            return Err(self.expected_at(start, "`!cute.layout<`"));
        }
        let name = self.next_word();
        self.angled(|inner| match name {
            "memref" => {
                let pointee = inner.pointee(b'>')?;
                inner.typed(&pointee, start, |inner| inner.quoted(Self::expression))
            }
            "coord_tensor" => {
                inner.quoted(Self::expression)?;
                inner.expect(b',', "`,`")?;
                inner.quoted(Self::expression)?;
                inner.apply(Apply::Counted, start..inner.position())
            }
            "tile" => inner.quoted(|inner| {
                let at = inner.position();
                inner.expect(b'[', "`[`")?;
                let count = inner.separated(b';', "]", "`;` or `]`")?;
                inner.apply(Apply::Tile(count), at..inner.position())
            }),
            _ => inner.quoted(Self::expression),
        })
    }

    /// What is in quotation marks.
    pub(super) fn quoted(&mut self, read: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        self.expect(b'"', "`\"`")?;
        read(self)?;
        self.expect(b'"', "`\"`")
    }
}

/// The pointer that a text of C++ or the DSL is about: the first memory, and the first type of elements, among its words.
pub(crate) fn pointer_in(text: &str) -> Option<Pointer> {
    let memory = |word: &str| match word {
        "" => None,
        "ArrayEngine" => Some(Memory::Register),
        _ => Memory::find(word.trim_start_matches("make_").trim_end_matches("_ptr")),
    };
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (_, bits) = words_at(text).find_map(|(place, _)| element_type(&text[place..]))?;
    Some(Pointer::new(words.find_map(memory).unwrap_or(Memory::Any), bits))
}

/// The memory of a pointer that CuTe prints as this word.
fn pointer_word(word: &str) -> Option<Memory> {
    if word == "tmem_" {
        return Some(Memory::Tensor);
    }
    let word = word.strip_prefix("trans_").unwrap_or(word);
    let memory = word.strip_suffix("subptr").or_else(|| word.strip_suffix("ptr"))?;
    match memory.strip_suffix('_') {
        Some(name) => Memory::find(name).filter(|memory| *memory != Memory::Any),
        None => memory.is_empty().then_some(Memory::Any),
    }
}

/// The pointer that CUTLASS 3.0 and 3.1 print with this word: `gmem_ptr_16b`, `raw_ptr_32b`.
fn early_pointer(word: &str) -> Option<Pointer> {
    let (memory, bits) = word.strip_suffix('b')?.split_once("_ptr_")?;
    let bits = bits.parse().ok().filter(|bits| (1..=65536).contains(bits))?;
    let memory = if memory == "raw" { Memory::Any } else { Memory::find(memory)? };
    Some(Pointer::new(memory, bits))
}

/// The bits of an element type of the DSL: the first number in its name, as in `bf16` and `f8E4M3FN`.
fn element_bits(name: &str) -> Option<u32> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    digits[..count].parse().ok().filter(|bits| (1..=65536).contains(bits) && digits.len() < name.len())
}

/// The error for a type with a shape but no layout.
fn without_layout(what: &str, help: &str, span: Range<usize>) -> Box<ExprError> {
    Box::new(ExprError::new(span, "syntax", format!("a {what} has a shape and no layout")).with_help(help))
}
