//! Layouts of TIRx, as Python writes and prints them: `S[shape:strides] + R[shape:strides] + offset`, also in `TileLayout(..)`,
//! `SwizzleLayout(..)` and `ComposeLayout(..)`; and swizzles of cuda-oxide.

use super::{Parsed, Parser};
use crate::axes::{MEMORY, with_strides};
use crate::error::ExprError;
use crate::named::named;
use crate::value::Value;
use tilework::{Composed, Error, HTuple, Layout, Shape, Stride, Swizzle};

/// The names of cuda-oxide's swizzle.
const OXIDE: [&str; 3] = ["cuda_device::swizzle::Swizzle", "cuda_device::Swizzle", "cuda_oxide::Swizzle"];

/// The axes of a layout, in the order in which they are named, and the offset along each.
#[derive(Default)]
struct Named {
    names: Vec<String>,
    offset: Vec<i64>,
}

impl Named {
    /// The number of an axis, which is new if no stride or offset was along it.
    fn axis(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|own| own == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.offset.push(0);
            self.names.len() - 1
        })
    }
}

impl Parser<'_, '_> {
    /// A layout of TIRx or a swizzle of cuda-oxide, if one begins here.
    #[inline(never)]
    pub(super) fn tirx(&mut self, start: usize) -> Parsed<bool> {
        let mark = self.reader;
        self.pass_module();
        let value = if matches!((self.reader.peek(), self.reader.peek_at(1)), (b'S' | b'R', b'[')) {
            self.tile(start)?
        } else if self.reader.eat_word("TileLayout(") {
            self.tile_layout(start)?
        } else if self.reader.eat_word("SwizzleLayout(") {
            Value::Swizzle(self.swizzle_layout(start)?)
        } else if self.reader.eat_word("ComposeLayout(") {
            self.compose_layout(start)?
        } else if OXIDE.iter().any(|name| self.reader.eat_word(name)) {
            let _ = self.reader.eat_word("::");
            self.expect(b'<', "`<`")?;
            let [bits, base, source] = self.swizzle_numbers()?;
            self.expect(b'>', "`>`")?;
            Value::Swizzle(self.swizzle_of(bits, base, source.saturating_sub(base), start)?)
        } else {
            self.reader = mark;
            return Ok(false);
        };
        self.push_value(value, start..self.position())?;
        Ok(true)
    }

    /// The names under which Python imports the language.
    fn pass_module(&mut self) {
        let _ = self.reader.eat_word("T.") || self.reader.eat_word("Tx.");
        self.reader.skip_space();
    }

    fn swizzle_of(&self, bits: i64, base: i64, shift: i64, start: usize) -> Parsed<Swizzle> {
        Swizzle::new(bits, base, shift).map_err(|error| self.notation(error, start))
    }

    /// Three numbers, with or without TIRx's names.
    fn swizzle_numbers(&mut self) -> Parsed<[i64; 3]> {
        let mut numbers = [0; 3];
        for (index, name) in ["per_element", "swizzle_len", "atom_len"].iter().enumerate() {
            if index > 0 {
                self.expect(b',', "`,`")?;
            }
            if self.reader.eat_word(name) {
                self.expect(b'=', "`=`")?;
            }
            numbers[index] = self.integer("an integer")?;
        }
        Ok(numbers)
    }

    /// The numbers after `SwizzleLayout(`: the bits that stay, those that change, and the distance of those that they are
    /// combined with, which are the lower ones if `swizzle_inner` is `False`.
    fn swizzle_layout(&mut self, start: usize) -> Parsed<Swizzle> {
        let [base, bits, mut shift] = self.swizzle_numbers()?;
        if self.reader.eat(b',') {
            let _ = self.reader.eat_word("swizzle_inner=");
            if self.reader.eat_word("False") {
                shift = shift.saturating_neg();
            } else {
                self.expect_word("True", "`True` or `False`")?;
            }
        }
        self.expect(b')', "`,` or `)`")?;
        self.swizzle_of(bits, base, shift, start)
    }

    /// What is after `TileLayout(`.
    fn tile_layout(&mut self, start: usize) -> Parsed<Value> {
        let tile = self.tile(start)?;
        self.expect(b')', "`+` or `)`").map(|()| tile)
    }

    /// What is after `ComposeLayout(`: a swizzle or its numbers, and a layout.
    fn compose_layout(&mut self, start: usize) -> Parsed<Value> {
        self.pass_module();
        let swizzle = if self.reader.eat_word("SwizzleLayout(") {
            self.swizzle_layout(start)?
        } else {
            let [base, bits, shift] = self.swizzle_numbers()?;
            self.swizzle_of(bits, base, shift, start)?
        };
        self.expect(b',', "`,`")?;
        self.pass_module();
        let at = self.position();
        self.expect_word("TileLayout(", "`TileLayout(`")?;
        let tile = self.tile_layout(at)?;
        let span = at..self.position();
        self.expect(b')', "`)`")?;
        let (offset, layout) = match &tile {
            Value::Layout(layout) => (0, layout.as_ref()),
            Value::View(view) => (view.offset().leaves()[0].numerator(), view.layout()),
            _ => {
                let message = format!("a swizzle permutes memory, and {tile} has other axes");
                return Err(ExprError::new(span, "kind", message).into());
            }
        };
        let composed = Composed::new(swizzle, offset, *layout);
        composed.map(Value::from).map_err(|error| self.notation(error, start))
    }

    /// The sum of `S[..]`, `R[..]` and offsets, in any order.
    fn tile(&mut self, start: usize) -> Parsed<Value> {
        let mut axes = Named::default();
        let (mut layout, mut replicas) = (None, None);
        loop {
            self.reader.skip_space();
            let at = self.position();
            self.pass_module();
            let place = match self.word() {
                "S" => &mut layout,
                "R" => &mut replicas,
                _ => {
                    self.offset(&mut axes)?;
                    if !self.reader.eat(b'+') {
                        break;
                    }
                    continue;
                }
            };
            if place.is_some() {
                let message = format!("`{}` is written twice", self.word());
                return Err(ExprError::new(at..at + 1, "syntax", message).into());
            }
            self.pass(1);
            self.expect(b'[', "`[`")?;
            *place = Some(self.spec(&mut axes)?);
            self.expect(b']', "`]`")?;
            if !self.reader.eat(b'+') {
                break;
            }
        }
        let layout = match layout {
            Some(layout) => Ok(layout),
            None => Layout::of(1, 0),
        };
        layout
            .and_then(|layout| named(&axes.names, &layout, replicas, &axes.offset))
            .map_err(|error| self.notation(error, start))
    }

    /// A term of the offset, or several in parentheses.
    fn offset(&mut self, axes: &mut Named) -> Parsed {
        let in_parentheses = self.reader.eat(b'(');
        loop {
            self.reader.skip_space();
            let at = self.position();
            let (right, axis) = self.term(axes, "`S[`, `R[` or an offset")?;
            let left = axes.offset[axis];
            axes.offset[axis] = left
                .checked_add(right)
                .ok_or_else(|| self.notation(Error::Overflow { left, operator: '+', right }, at))?;
            if !in_parentheses || !self.reader.eat(b'+') {
                break;
            }
        }
        if in_parentheses { self.expect(b')', "`+` or `)`") } else { Ok(()) }
    }

    /// `shape:strides`, or extents alone, which are row-major in memory.
    fn spec(&mut self, axes: &mut Named) -> Parsed<Layout> {
        self.reader.skip_space();
        let start = self.position();
        let extents = |inner: &mut Self| -> Parsed<Shape> {
            let tuple = inner.tuple("an extent")?;
            tuple.integers(start).map_err(|error| inner.notation(error, start))
        };
        let shape = extents(self)?;
        let layout = if self.reader.eat(b':') {
            let (mut nodes, mut leaves) = (shape.profile().nodes(), Vec::new());
            self.named_strides(&mut nodes, axes, &mut leaves)?;
            HTuple::with_profile(shape.profile(), &leaves, Stride::ZERO)
                .and_then(|strides| Layout::const_of(&shape, &strides))
        } else {
            let mut modes = vec![shape];
            while self.reader.eat(b',') {
                modes.push(extents(self)?);
            }
            let shape = if modes.len() > 1 { HTuple::tuple(&modes) } else { Ok(shape) };
            let memory = axes.axis(MEMORY);
            shape.and_then(|shape| Layout::const_row_major(&shape)).and_then(|layout| {
                with_strides(&layout, |stride| Stride::basis(stride.count().numerator(), &[memory]))
            })
        };
        layout.map_err(|error| self.notation(error, start))
    }

    /// Strides of a shape with these nodes, as multiples of basis elements.
    fn named_strides(
        &mut self,
        nodes: &mut dyn Iterator<Item = Option<usize>>,
        axes: &mut Named,
        leaves: &mut Vec<Stride>,
    ) -> Parsed {
        let Some(Some(rank)) = nodes.next() else {
            let sums = self.reader.eat(b'(');
            self.reader.skip_space();
            let (at, mut stride) = (self.position(), Stride::ZERO);
            loop {
                let (count, axis) = self.term(axes, "a stride, as 4@laneid")?;
                let sum = Stride::basis(count, &[axis]).and_then(|term| stride.add(term));
                stride = sum.map_err(|error| self.notation(error, at))?;
                if !sums || !self.reader.eat(b'+') {
                    break;
                }
            }
            if sums {
                self.expect(b')', "`+` or `)`")?;
            }
            leaves.push(stride);
            return Ok(());
        };
        self.expect(b'(', "`(` before as many strides as extents")?;
        for index in 0..rank {
            if index > 0 {
                self.expect(b',', "`,` before as many strides as extents")?;
            }
            self.named_strides(nodes, axes, leaves)?;
        }
        let _ = self.reader.eat(b',');
        self.expect(b')', "`)` after as many strides as extents")
    }

    /// `4@laneid`, whose module may be written, `4` along `m`, or `"laneid"`, which is once along it: the number and the axis.
    fn term(&mut self, axes: &mut Named, what: &'static str) -> Parsed<(i64, usize)> {
        self.reader.skip_space();
        if self.reader.eat(b'"') {
            let axis = axes.axis(self.next_word());
            self.expect(b'"', "`\"` after the name of an axis")?;
            return Ok((1, axis));
        }
        let count = self.integer(what)?;
        let mut name = MEMORY;
        if self.reader.eat(b'@') {
            loop {
                self.reader.skip_space();
                name = self.next_word();
                if name.is_empty() {
                    return Err(self.expected("the name of an axis"));
                }
                if !self.reader.eat(b'.') {
                    break;
                }
            }
        }
        Ok((count, axes.axis(name)))
    }
}
