//! Names that a statement defines: by `let`, or as declared in C++, Python and Triton.

use super::{Parsed, Parser};
use crate::error::ExprError;
use crate::functions;
use crate::instruction::{self, Instruction};
use crate::pointer::{Memory, Pointer, first_word, vector_type};
use crate::program::Apply;
use tilework_symbolic::is_element;

impl<'a> Parser<'_, 'a> {
    /// `let name =`, if it is here.
    pub(super) fn binding(&mut self) -> Parsed<Option<&'a str>> {
        let start = self.position();
        if let Some(name) = self.declared() {
            if name.is_empty() || functions::find(name).is_some() {
                // In C++ and Python a variable hides a function.
                return Ok(Some(name).filter(|name| !name.is_empty()));
            }
            let at = start + self.text[start..self.position()].rfind(name).unwrap_or(0);
            self.check_name(name, at)?;
            return Ok(Some(name));
        }
        if !self.reader.eat_word("let") {
            self.skip_label();
            return Ok(None);
        }
        self.reader.skip_space();
        let (start, name) = (self.reader.position(), self.word());
        if name.is_empty() {
            return Err(self.expected("a name"));
        }
        self.check_name(name, start)?;
        self.reader.seek(start + name.len());
        self.expect(b'=', "`=`")?;
        Ok(Some(name))
    }

    /// `__shared__ half As[64][40]`, if it is here: the tensor of an array of C, whose last index is the fastest, and its name.
    #[inline(never)]
    pub(super) fn array(&mut self) -> Parsed<Option<&'a str>> {
        let mark = self.reader;
        self.reader.skip_space();
        let (start, mut memory) = (self.position(), Memory::Any);
        loop {
            let rest = &self.text[self.position()..];
            let word = first_word(rest);
            let length = match word {
                "extern" | "static" | "const" | "volatile" | "__device__" | "__shared__" => word.len(),
                "alignas" | "__align__" => rest.find(')').map_or(word.len(), |end| end + 1),
                _ => break,
            };
            memory = if word == "__shared__" { Memory::Shared } else { memory };
            self.pass(length);
            self.reader.skip_space();
        }
        let word = first_word(&self.text[self.position()..]);
        let bits = match vector_type(word) {
            Some(bits) => {
                self.pass(word.len());
                Some(bits)
            }
            None => self.element_type(),
        };
        self.reader.skip_space();
        let name = first_word(&self.text[self.position()..]);
        let behind = self.position() + name.len();
        let Some(bits) = bits.filter(|_| !name.is_empty() && self.text[behind..].starts_with('[')) else {
            self.reader = mark;
            return Ok(None);
        };
        self.reader.seek(behind);
        let mut count = 0;
        while self.reader.eat(b'[') {
            self.nested(Self::expression)?;
            self.expect(b']', "`]`")?;
            count += 1;
        }
        if count > 1 {
            self.apply(Apply::Tuple(count), behind..self.position())?;
        }
        let span = start..self.position();
        if let Some(function) = functions::find("row_major") {
            self.call(function, 1, 0..0, span.clone())?;
        }
        self.apply(Apply::Tensor(Pointer::new(memory, bits)), span)?;
        Ok(Some(name))
    }

    fn check_name(&self, name: &str, start: usize) -> Parsed {
        let Some(reason) = self.reserved(name) else { return Ok(()) };
        let error = ExprError::new(start..start + name.len(), "name", format!("`{name}` is {reason}"));
        Err(error.with_help("choose another name").into())
    }

    /// Why a value cannot have this name.
    pub(super) fn reserved(&self, name: &str) -> Option<&'static str> {
        match name {
            "" | "let" | "o" | "true" | "false" | "floor" | "ceil" | "assume" | "hint" | "cases" | "at"
            | "if" | "else" | "emit" => Some("a word of the language"),
            _ if is_element(name) => Some("a stride in the notation"),
            _ if functions::find(name).is_some() => Some("the name of a function"),
            _ if instruction::may_be_name(name, "") && Instruction::named(name).is_some() => {
                Some("the name of an instruction")
            }
            _ => None,
        }
    }

    /// `auto sA =`, `constexpr int M =`, `using Atom =`, `gA =`, `#blocked =` before a value: the name, empty if there
    /// are several or it is that of an attribute.
    fn declared(&mut self) -> Option<&'a str> {
        let mark = self.reader;
        let rest = &self.text[self.position()..];
        if let Some((name, value)) = rest.trim_start().strip_prefix('#').and_then(|rest| rest.split_once('='))
            && name.trim_end().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && value.trim_start().starts_with('#')
        {
            self.reader.seek(self.text.len() - value.len());
            return Some("");
        }
        let mut several = false;
        loop {
            self.reader.skip_space();
            let name = self.word();
            if name.is_empty() {
                break;
            }
            self.pass(name.len());
            while self.reader.eat(b'&') {}
            self.reader.skip_space();
            match (self.reader.peek(), name) {
                (b'=', _) if self.reader.peek_at(1) != b'=' => {
                    self.reader.eat(b'=');
                    return Some(if several { "" } else { name });
                }
                (b',', _) => {
                    self.reader.eat(b',');
                    several = true;
                }
                (
                    _,
                    "auto" | "const" | "constexpr" | "static" | "inline" | "using" | "int" | "unsigned"
                    | "int32_t" | "uint32_t" | "int64_t" | "size_t" | "Layout" | "ComposedLayout" | "Swizzle"
                    | "TiledMMA" | "TiledCopy" | "Tensor" | "Shape" | "Stride" | "Tile",
                ) => {}
                _ => break,
            }
        }
        self.reader = mark;
        None
    }
}
