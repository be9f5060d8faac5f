//! Layouts of coordinates as source text: one expression, or one function, for each component.

use super::source::{Emitted, Source};
use crate::bounds::terms_of;
use crate::guard::Guard;
use crate::layout::units_of;
use crate::number::Number;
use crate::placed::Placed;
use crate::scope::Scope;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use tilework::{Error, Swizzle, Unit};

impl Scope {
    /// The expressions of the components, nested like the coordinates: `(i + j, (0, i*ld))`. None if the offsets are
    /// integers.
    pub(super) fn component_expressions(
        &self,
        placed: &Placed,
        source: &Source<'_>,
    ) -> Result<Option<Emitted>, Error> {
        let Some(parts) = self.each_component(placed, |layout, _| self.index_expression(layout, source))?
        else {
            return Ok(None);
        };
        let mut text = String::new();
        nest(&parts, &mut Vec::new(), &mut text);
        Ok(joined(parts, text))
    }

    /// The functions of the components: `offset_0`, `offset_1_0`, ...
    pub(super) fn component_functions(
        &self,
        placed: &Placed,
        name: &str,
        source: &Source<'_>,
    ) -> Result<Option<Emitted>, Error> {
        let functions = |source: Source<'_>| {
            self.each_component(placed, |layout, unit| {
                let (path, depth) = unit.path();
                let mut own = String::from(name);
                path[..depth].iter().try_for_each(|index| write!(own, "_{index}")).unwrap_or_default();
                self.index_function(layout, &own, &source)
            })
        };
        let Some(mut parts) = functions(*source)? else { return Ok(None) };
        // All are called with the same coordinate, whose integers have one width.
        let is_wide = |(_, part): &(Unit, Emitted)| part.integer.contains("64");
        if parts.iter().any(is_wide) && !parts.iter().all(is_wide) {
            parts = functions(Source { bits: Some(64), ..*source })?.unwrap_or(parts);
        }
        let texts: Vec<&str> = parts.iter().map(|(_, part)| part.text.as_str()).collect();
        let text = texts.join("\n");
        Ok(joined(parts, text))
    }

    fn each_component(
        &self,
        placed: &Placed,
        emit: impl Fn(Placed, Unit) -> Result<Emitted, Error>,
    ) -> Result<Option<Vec<(Unit, Emitted)>>, Error> {
        let starts = terms_of(placed.offset())?;
        let moved = starts.iter().filter(|(unit, start)| unit.depth() > 0 && !start.is_zero());
        let units = units_of(placed.layout().components().into_iter().chain(moved.map(|(unit, _)| *unit)));
        if units.is_empty() {
            return Ok(None);
        }
        let part = |unit| {
            let start = starts.iter().find(|(own, _)| *own == unit).map(|(_, start)| start.clone());
            let (start, along) = (start.unwrap_or_else(Number::zero), placed.layout().along(unit));
            Ok((unit, emit(self.placed_of(Swizzle::NONE, start, along)?, unit)?))
        };
        units.into_iter().map(part).collect::<Result<_, _>>().map(Some)
    }
}

/// Appends the components at a path; one that no stride addresses is 0. The recursion depth is that of a basis element.
fn nest(parts: &[(Unit, Emitted)], above: &mut Vec<usize>, text: &mut String) {
    let is_below = |unit: Unit| (0..above.len()).all(|level| unit.index(level) == above[level]);
    let mut below = parts.iter().filter(|(unit, _)| unit.depth() >= above.len() && is_below(*unit));
    match below.clone().next() {
        None => return text.push('0'),
        Some((unit, part)) if unit.depth() == above.len() => return text.push_str(&part.text),
        _ => {}
    }
    let last = below.next_back().map_or(0, |(unit, _)| unit.index(above.len()));
    for index in 0..=last {
        text.push_str(if index > 0 { ", " } else { "(" });
        above.push(index);
        nest(parts, above, text);
        above.pop();
    }
    text.push(')');
}

/// With the widest integer type of the parts, and the guards of all.
fn joined(parts: Vec<(Unit, Emitted)>, text: String) -> Option<Emitted> {
    let mut guard = Guard::ALWAYS;
    parts.iter().for_each(|(_, part)| guard.push_all(&part.guard));
    let integers = parts.iter().map(|(_, part)| part.integer);
    let integer = integers.max_by_key(|integer| (integer.contains("64"), integer.starts_with('i')))?;
    Some(Emitted { text, integer, guard })
}
