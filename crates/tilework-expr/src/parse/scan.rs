//! One printed value within a line of other text.

use super::{Parsed, Parser};
use crate::names::Names;
use crate::program::{Apply, Program};
use crate::value::Value;

impl<'a> Parser<'_, 'a> {
    /// Reads a printed layout, tensor or tiler at the beginning of a text, without operators after it. With `is_tiler`
    /// a tuple is a tiler. Each `?` is a new name, if there are `names`. The numbers are the position after the value, or
    /// of the error, and the work, in bytes.
    pub fn printed(
        text: &'a str,
        is_tiler: bool,
        program: &mut Program,
        names: Option<&mut Names>,
    ) -> (Parsed, usize, usize) {
        let mut parser = Parser::new(text, 0, program, &[], names);
        (parser.tiler_at, parser.brief) = (is_tiler.then_some(0), true);
        let read = parser.printed_value();
        let end = parser.position();
        let end = read.as_ref().err().map_or(end, |error| end.max(error.span.end));
        (read, end, parser.work + end)
    }

    fn printed_value(&mut self) -> Parsed {
        let start = self.position();
        if let Some(literal) = self.literal_with_names(start) {
            return self.push_value(Value::from(literal?), start..self.position());
        }
        if !matches!(self.word(), "Sw" | "S" | "Swizzle") || self.reader.peek_at(1) == b'[' {
            self.base(start)?;
            // In printed text, a tuple before a layout is a coordinate, whatever its numbers.
            if self.is_behind_tuple() && self.reader.eat_circle() {
                self.printed_layout()?;
                return self.apply(Apply::Counted, start..self.position());
            }
            return Ok(());
        }
        // `Sw<..> o 0 o L`, or with a pointer instead of the offset.
        let mark = self.reader;
        if self.reader.composed().is_ok() {
            self.reader = mark;
            return self.printed_layout();
        }
        self.reader = mark;
        self.swizzle()?;
        if !self.reader.eat_circle() {
            return Ok(());
        }
        let Some((pointer, address)) = self.pointer_and_circle()? else {
            return Err(self.expected("an offset or a pointer"));
        };
        self.printed_layout()?;
        self.apply(Apply::SwizzledTensor(pointer, address), start..self.position())
    }
}
