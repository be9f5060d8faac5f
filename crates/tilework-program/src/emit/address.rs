//! Coordinates and addresses as text.

use super::names::Names;
use crate::access::Access;
use crate::form::{Digit, Form, Index};
use crate::prelude::*;
use crate::program::Program;
use crate::sizes::Addresses;
use tilework::{__private::sort_by_key, AnyLayout};

/// The sum of terms with signs; `0u` if there is none.
fn sum(terms: &[(bool, String)]) -> String {
    let mut out = String::new();
    for (i, (negative, text)) in terms.iter().enumerate() {
        out += match (i, negative) {
            (0, false) => "",
            (0, true) => "0u - ",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        out += text;
    }
    if out.is_empty() { "0u".to_string() } else { out }
}

/// A term `step * digit`.
fn term(index: &str, step: i64, digit: &Digit) -> (bool, String) {
    let mut text = index.to_string();
    if digit.add != 0 {
        text = format!("({text} + {}u)", digit.add);
    }
    if digit.divisor != 1 {
        text = format!("{text} / {}u", digit.divisor);
    }
    if let Some(modulus) = digit.modulus {
        text = format!("{text} % {modulus}u");
    }
    if step.abs() != 1 {
        let is_alone = digit.divisor == 1 && digit.modulus.is_none();
        text = if is_alone {
            format!("{text} * {}u", step.abs())
        } else {
            format!("({text}) * {}u", step.abs())
        };
    } else if digit.divisor != 1 || digit.modulus.is_some() {
        text = format!("({text})");
    }
    (step < 0, text)
}

/// Digits of one index that are digits of a larger one together: `(t/16)*64 + (t%16)*4` is `t*4`.
fn coalesced(mut terms: Vec<(i64, Digit)>, threads: i64) -> Vec<(i64, Digit)> {
    sort_by_key(&mut terms, |(_, digit)| (digit.index, digit.add, digit.divisor));
    let mut out: Vec<(i64, Digit)> = Vec::new();
    for (step, mut digit) in terms {
        // Above the last thread there is nothing to cut off.
        let is_whole = digit.modulus.is_some_and(|modulus| digit.divisor.saturating_mul(modulus) >= threads);
        if digit.index == Index::Thread && digit.add == 0 && is_whole {
            digit.modulus = None;
        }
        if let Some((low, before)) = out.last_mut()
            && let Some(modulus) = before.modulus
            && (before.index, before.add) == (digit.index, digit.add)
            && before.divisor.checked_mul(modulus) == Some(digit.divisor)
            && low.checked_mul(modulus) == Some(step)
        {
            before.modulus = digit.modulus.map(|own| own.saturating_mul(modulus));
            continue;
        }
        out.push((step, digit));
    }
    out
}

/// A form without its constant and values: its name, at the depth where it is known.
pub fn base(program: &Program, names: &mut Names, loops: &[(usize, String)], form: &Form) -> (usize, String) {
    let text_of = |index: Index| match index {
        Index::Loop(name) => {
            loops.iter().find(|(own, _)| *own == name).map_or("0u".to_string(), |(_, text)| text.clone())
        }
        _ => program.index_text(index),
    };
    let terms: Vec<_> = form.terms.iter().copied().filter(|(_, digit)| digit.index != Index::Value).collect();
    let mut terms = coalesced(terms, program.threads);
    let level = |digit: &Digit| match digit.index {
        Index::Loop(name) => loops.iter().position(|(own, _)| *own == name).map_or(0, |place| place + 1),
        _ => 0,
    };
    let depth = terms.iter().map(|(_, digit)| level(digit)).max().unwrap_or(0);
    // A remainder of a loop's index is a counter that begins again, unless the remainder is a mask.
    let texts: Vec<String> = terms
        .iter_mut()
        .map(|(_, digit)| match digit.modulus {
            Some(count) if level(digit) > 0 && digit.divisor == 1 && count.count_ones() > 1 => {
                let ring = names.ring(level(digit), digit.add, count);
                *digit = Digit::of(digit.index);
                ring
            }
            _ => text_of(digit.index),
        })
        .collect();
    let at = |wanted: usize| -> Vec<(bool, String)> {
        let own = terms.iter().zip(&texts).filter(|((_, digit), _)| level(digit) == wanted);
        own.map(|((step, digit), text)| term(text, *step, digit)).collect()
    };
    let mut all = at(0);
    for outer in 1..=depth {
        // The part of the scopes around has a name there.
        if !all.is_empty() {
            all = [(false, names.number(outer - 1, sum(&all)))].into();
        }
        all.extend(at(outer));
    }
    (depth, names.number(depth, sum(&all)))
}

/// `base` with a constant.
pub fn plus(base: &str, constant: i64) -> String {
    match (base, constant) {
        (_, 0) => base.to_string(),
        ("0u", _) if constant > 0 => format!("{constant}u"),
        (_, 1..) => format!("{base} + {constant}u"),
        _ => format!("{base} - {}u", -constant),
    }
}

/// How the address of a value differs from that of the thread: some bits are flipped, and then a constant is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub flipped: i64,
    pub add: i64,
}

/// For each value the change of a swizzled address from that of the thread, without constants, by test of all threads and
/// all digits of loops; none where no constants are right.
pub fn changes(
    program: &Program,
    addresses: &Addresses,
    access: &Access<'_>,
    active: i64,
    values: i64,
) -> Option<Vec<Change>> {
    let constants: Vec<i64> = program.forms(access.view).iter().map(|form| -form.of_value(0)).collect();
    let bits = addresses.period() - 1;
    // Without flipped bits, and with those that the swizzle reads or writes.
    let mut known: Vec<[Option<Change>; 2]> = Vec::new();
    for start in access.starts(program)? {
        let bare: Vec<i64> = start.iter().zip(&constants).map(|(own, less)| own + less).collect();
        for thread in 0..active as usize {
            let at = |start, value| addresses.of(access.coordinate(start, thread * values as usize + value));
            let first = at(&bare, 0)? as i64;
            for value in 0..values as usize {
                let at = at(&start, value)? as i64;
                let found = [0, (at ^ first) & bits]
                    .map(|flipped| Some(Change { flipped, add: at - (first ^ flipped) }));
                match known.get_mut(value) {
                    None => known.push(found),
                    Some(own) => own
                        .iter_mut()
                        .zip(found)
                        .for_each(|(own, found)| *own = own.filter(|_| *own == found)),
                }
            }
        }
    }
    known.into_iter().map(|[add, flip]| add.or(flip)).collect()
}

/// The swizzle of an address, as text.
pub fn swizzled(layout: &AnyLayout, text: &str) -> String {
    let AnyLayout::Swizzled(composed) = layout else { return text.to_string() };
    let (swizzle, start) = (composed.swizzle(), composed.offset());
    let text = if start == 0 { text.to_string() } else { format!("({})", plus(text, start)) };
    let (mask, shift) = (swizzle.source_mask(), swizzle.shift());
    match (mask, shift) {
        (0, _) => text,
        (_, 0..) => format!("{text} ^ (({text} & {mask}u) >> {shift}u)"),
        _ => format!("{text} ^ (({text} & {mask}u) << {}u)", -shift),
    }
}
