//! Instructions as CuTe prints them and as C++ names them, and the smallest shared layouts of their descriptors.
//!
//! ```text
//! thread := ['ThrMMA' ('Thr VMNK:' | 'ThrVMNK:') coord] tiled | ['ThrCopy' 'ThrIdx:' int] tiled
//! tiled  := ['TiledMMA' ('ThrLayoutVMNK:' | 'ThrVMNK:') layout 'PermutationMNK:' tiler] mma
//!         | ['TiledCopy' 'Tiler_MN:' tiler 'TiledLayout_TV:' layout] copy
//! mma    := 'MMA_Atom' 'ThrID:' layout ['Shape_MNK:' shape] 'LayoutA_TV:' layout 'LayoutB_TV:' layout 'LayoutC_TV:' layout
//! copy   := 'Copy_Atom' 'ThrID:' layout 'ValLayoutSrc:' layout 'ValLayoutDst:' layout ['ValLayoutRef:' layout] 'ValueType:' type
//! named  := ('MMA_Atom' | 'MMA_Traits' | 'Copy_Traits') '<' instruction '>' | 'Copy_Atom' '<' instruction ',' type '>'
//!         | 'Copy_Traits' '<' instruction ',' bits {',' ..} '>' (of a tensor map)
//!         | 'TiledMMA' '<' arguments of tiled_mma '>' | 'TiledCopy' '<' arguments of tiled_copy '>'
//! shared := ['GMMA::' | 'UMMA::'] 'Layout_' ('K' | 'MN') '_' swizzle '_Atom' ('<' type '>' | '_Bits')
//! ```
//!
//! The DSL has other words for the same: `Tiled MMA`, `Thr Layout VMNK:`, `TV Layout A:`, `Value type: f16`.

use super::{Parsed, Parser};
use crate::error::ExprError;
use crate::instruction::{Instruction, Print, name_length};
use crate::pointer::{Memory, Pointer};
use crate::program::Apply;
use crate::value::Value;
use tilework::{Layout, Swizzle};

/// The first words of what is printed, of C++ and of the DSL.
const HEADS: [[&str; 2]; 6] = [
    ["TiledMMA", "Tiled MMA"],
    ["MMA_Atom", "MMA Atom"],
    ["TiledCopy", "Tiled Copy"],
    ["Copy_Atom", "Copy Atom"],
    ["ThrMMA", "Thr MMA"],
    ["ThrCopy", "Thr Copy"],
];

/// The first words of what CuTe prints of an instruction, if it may begin here.
pub(crate) fn print_head(text: &str) -> Option<&'static str> {
    let mut heads = text.starts_with(['T', 'M', 'C']).then(|| HEADS.as_flattened().iter().copied())?;
    let begins = |head: &str| {
        text.strip_prefix(head).is_some_and(|behind| behind.trim_start().starts_with(['T', 'P']))
    };
    heads.find(|head| begins(head))
}

/// The swizzles of the layouts `Layout_K_SW128_Atom`, of bytes.
const SHARED: [(&str, [i64; 3]); 5] = [
    ("INTER", [0, 4, 3]),
    ("SW32", [1, 4, 3]),
    ("SW64", [2, 4, 3]),
    ("SW128", [3, 4, 3]),
    ("SW128_32B", [2, 5, 2]),
];

impl Parser<'_, '_> {
    /// What CuTe prints of an instruction, if it begins here.
    #[inline(never)]
    pub(super) fn printed_instruction(&mut self) -> Parsed<bool> {
        let start = self.position();
        if print_head(&self.text[start..]).is_none() {
            return Ok(false);
        }
        let steps = self.program.steps.len();
        let thread_of_copy = self.head(&HEADS[5]);
        let of_thread = thread_of_copy || self.head(&HEADS[4]);
        if of_thread {
            self.label(if thread_of_copy { &["ThrIdx"] } else { &["Thr VMNK", "ThrVMNK"] })?;
            self.expression()?;
        }
        let tiled_copy = self.head(&HEADS[2]);
        let tiled = tiled_copy || self.head(&HEADS[0]);
        if tiled_copy {
            self.printed_tiler(&["Tiler_MN", "Tiler MN"])?;
            self.layout_after(&["TiledLayout_TV", "TV Layout tiled"])?;
        } else if tiled {
            self.layout_after(&["ThrLayoutVMNK", "Thr Layout VMNK", "ThrVMNK"])?;
            self.printed_tiler(&["PermutationMNK", "Permutation MNK"])?;
        }
        let is_copy = self.head(&HEADS[3]);
        if !is_copy && !self.head(&HEADS[1]) {
            return Err(self.expected("MMA_Atom or Copy_Atom"));
        }
        self.layout_after(&["ThrID"])?;
        if is_copy {
            self.layout_after(&["ValLayoutSrc", "TV Layout Src"])?;
            self.layout_after(&["ValLayoutDst", "TV Layout Dst"])?;
            if self.has_label(&["ValLayoutRef"]) {
                self.printed_layout()?;
            }
            self.label(&["ValueType", "Value type"])?;
            self.value_type()?;
        } else {
            if self.has_label(&["Shape_MNK", "Shape MNK"]) {
                self.expression()?;
            }
            self.layout_after(&["LayoutA_TV", "TV Layout A"])?;
            self.layout_after(&["LayoutB_TV", "TV Layout B"])?;
            self.layout_after(&["LayoutC_TV", "TV Layout C"])?;
        }
        let print = Print { is_copy, tiled, of_thread };
        let values =
            self.program.steps[steps..].iter().map(|step| 1 - step.kind.operands() as isize).sum::<isize>();
        self.apply(Apply::Printed(print, values as usize), start..self.position())?;
        Ok(true)
    }

    fn head(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.reader.eat_word(word))
    }

    /// Whether a label and `:` are here, which are skipped.
    fn has_label(&mut self, words: &[&str]) -> bool {
        self.head(words) && self.reader.eat(b':')
    }

    fn label(&mut self, words: &[&str]) -> Parsed {
        match self.has_label(words) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{}:`", words[0]))),
        }
    }

    fn layout_after(&mut self, words: &[&str]) -> Parsed {
        self.label(words)?;
        self.printed_layout()
    }

    fn printed_tiler(&mut self, words: &[&str]) -> Parsed {
        self.label(words)?;
        self.reader.skip_space();
        self.tiler_at = Some(self.position());
        self.expression()
    }

    /// `16b` of C++, `f16` of the DSL.
    fn value_type(&mut self) -> Parsed {
        self.reader.skip_space();
        let start = self.position();
        let bits = match self.word() {
            "" => {
                let bits = self.bits()?;
                self.expect_word("b", "`b`")?;
                bits
            }
            _ => self.element("the type of an element, as f16")?,
        };
        self.push_value(Value::integer(bits.into()), start..self.position())
    }

    /// `MMA_Atom<..>` and its like, if one begins with this word.
    #[inline(never)]
    pub(super) fn named_instruction(&mut self, word: &str, start: usize) -> Parsed<bool> {
        let end = self.position() + word.len();
        let (least, most) = match word {
            _ if !self.text[end..].starts_with('<') => return Ok(false),
            "MMA_Atom" | "MMA_Traits" | "Copy_Traits" => (1, 1),
            "Copy_Atom" => (2, 2),
            "TiledMMA" => (1, 3),
            "TiledCopy" => (3, 3),
            _ => return Ok(false),
        };
        self.reader.seek(end + 1);
        if word == "Copy_Traits" && self.traits_of_tma()? {
            return Ok(true);
        }
        let mut count = 0;
        self.within(b'>', |inner| {
            while count == 0 || inner.reader.eat(b',') {
                inner.reader.skip_space();
                // The last argument of a tiled type is a tiler.
                inner.tiler_at = (count == 2).then_some(inner.position());
                inner.expression()?;
                count += 1;
            }
            inner.expect(b'>', "`,` or `>`")
        })?;
        self.reader.skip_braces();
        if !(least..=most).contains(&count) {
            let message = format!("{word} has {most} arguments, and here are {count}");
            return Err(ExprError::new(start..self.position(), "arguments", message).into());
        }
        let print =
            Print { is_copy: word.contains("Copy"), tiled: word.starts_with("Tiled"), of_thread: false };
        self.apply(Apply::Printed(print, count), start..self.position()).map(|()| true)
    }

    /// `SM90_TMA_LOAD, C<65536>, ..>` after `Copy_Traits<`, if it is here: the bits of the box are an argument of the traits.
    fn traits_of_tma(&mut self) -> Parsed<bool> {
        let (mark, open) = (self.reader, self.position() - 1);
        self.reader.skip_namespace();
        let (at, name) = (self.position(), &self.text[self.position()..]);
        let name = &name[..name_length(name)];
        self.pass(name.len());
        let bits = if self.reader.eat(b',') { self.reader.integer("a number of bits").ok() } else { None };
        let Some(copy) = bits.and_then(|bits| Instruction::named(&format!("{name}<{bits}>"))) else {
            self.reader = mark;
            return Ok(false);
        };
        let end = self.closing(open, b'>')? + 1;
        self.reader.seek(end);
        self.push_value(copy.into(), at..end).map(|()| true)
    }

    /// `GMMA::Layout_K_SW128_Atom<half_t>{}`, if it is here: a swizzled tensor in shared memory.
    #[inline(never)]
    pub(super) fn shared_layout(&mut self, start: usize) -> Parsed<bool> {
        let rest = &self.text[self.position()..];
        let name = rest.strip_prefix("GMMA::").or(rest.strip_prefix("UMMA::")).unwrap_or(rest);
        let word =
            &name[..name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()];
        let Some((major, named)) = word.strip_prefix("Layout_").and_then(|word| word.split_once('_')) else {
            return Ok(false);
        };
        let (kind, of_bits) = match (named.strip_suffix("_Atom"), named.strip_suffix("_Atom_Bits")) {
            (Some(kind), _) => (kind, false),
            (_, Some(kind)) => (kind, true),
            _ => return Ok(false),
        };
        let Some((_, [bits, base, shift])) = SHARED.into_iter().find(|(name, _)| *name == kind) else {
            return Ok(false);
        };
        self.reader.seek(self.position() + rest.len() - name.len() + word.len());
        let mut width = 1;
        if !of_bits {
            self.expect(b'<', "`<` and the type of an element")?;
            let Some(found) = self.element_type() else {
                return Err(self.expected("the type of an element, as half_t"));
            };
            width = found;
            self.expect(b'>', "`>`")?;
        }
        self.reader.skip_braces();
        let span = start..self.position();
        let wrong = |error: tilework::Error| {
            Box::new(ExprError::new(span.clone(), error.code(), error.message().as_str()))
        };
        let rows = if base == 5 { 4 } else { 8 };
        let row = (128 << if base == 5 { 3 } else { bits }) / i64::from(width);
        let layout = match major {
            "K" => Layout::of((rows, row), (row, 1)),
            "MN" => Layout::of((row, rows), (1, row)),
            _ => return Err(self.expected_at(start, "Layout_K or Layout_MN")),
        };
        let (swizzle, layout) = (Swizzle::new(bits, base, shift).map_err(wrong)?, layout.map_err(wrong)?);
        self.push_value(Value::Swizzle(swizzle), span.clone())?;
        self.push_value(Value::from(layout), span.clone())?;
        self.apply(Apply::SwizzledTensor(Pointer::new(Memory::Shared, width), 0), span)?;
        Ok(true)
    }
}
