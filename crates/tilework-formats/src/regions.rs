//! Whether several layouts, each for some elements, or offsets that are polynomials, keep all elements apart.
//!
//! A region has the elements of one text. Its coordinates are written in digits, those of the modes of its layout, so that
//! conditions and offsets are polynomials in them. Two elements of a region differ in a first digit, in some order of the digits; of two
//! regions, a digit of one is at most a digit of the other and a shift, or beyond it. In each case the facts have to
//! prove that the offsets differ by 1 or more. What is no fact about one name is left out, so that less is proved.

use crate::error::Error;
use crate::format::Format;
use crate::place::{COORDINATES, Offsets, Places};
use crate::rule::Kind;
use crate::sizes::renamed;
use std::cell::Cell;
use tilework::{__private::sort_by_key, Swizzle, Unit};
use tilework_symbolic::{Number, Scope, Verdict};

/// The elements of a text, or one of them; numbers are texts in its digits and in sizes.
struct Region {
    digits: Vec<String>,
    /// In the order in which they are assumed: bounds of all digits but the last of a mode, the conditions, other bounds.
    facts: [Vec<String>; 3],
    offset: String,
}

/// A size in digits, so that its quotients are their sums.
struct Radices {
    name: String,
    text: String,
    /// Bounds of its digits.
    facts: Vec<(String, String)>,
}

/// The most pairs of elements that are compared.
const MAX_COMPARED: usize = 1 << 9;

/// The facts about sizes, and how many pairs may still be compared.
struct Asked<'a> {
    scope: &'a Scope,
    left: &'a Cell<usize>,
}

/// How far a digit is from another one, and from an equal one of the other element.
const STEP: &str = "t_";

pub(crate) fn are_apart(format: &Format, places: &Places) -> Result<bool, Error> {
    // These are the names of coordinates, and of digits.
    if format.axes().iter().any(|axis| axis.name.contains('_') || COORDINATES.contains(&axis.name.as_str())) {
        return Ok(false);
    }
    let quotients = quotients(format);
    let mut shifts: Vec<String> = (-4..=4).map(|shift: i64| shift.to_string()).collect();
    let floors = quotients.iter().filter(|(is_ceil, ..)| !is_ceil);
    shifts.extend(floors.map(|(_, name, divisor)| format!("floor({name}/{divisor})")));
    let left = Cell::new(MAX_COMPARED);
    for sizes in [Vec::new(), radices(format, &quotients)?] {
        let mut scope = Scope::new();
        for axis in format.axes().iter().filter(|axis| sizes.iter().all(|own| own.name != axis.name)) {
            scope.declare(&axis.name)?;
        }
        for own in &sizes {
            for (digit, fact) in &own.facts {
                scope.declare(digit)?;
                if scope.assume(&format!("{digit} {fact}")).is_err() {
                    return Ok(false);
                }
            }
        }
        scope.declare(STEP)?;
        scope.assume(&format!("{STEP} >= 0"))?;
        let scope = format.with_facts(scope);
        let size = |name: &str| sizes.iter().find(|own| own.name == name).map(|own| own.text.clone());
        let Some(regions) = regions(format, places, &size)? else { return Ok(false) };
        let shifts: Vec<String> = shifts.iter().map(|shift| renamed(shift, size)).collect();
        let asked = &Asked { scope: &scope, left: &left };
        let of_two = |(index, one): (usize, &Region)| {
            regions[..index].iter().all(|other| are_disjoint(asked, other, one, &shifts))
        };
        if regions.iter().all(|own| is_injective(asked, own)) && regions.iter().enumerate().all(of_two) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The quotients of sizes in the texts, each once: whether it is rounded up, the size, and the divisor.
fn quotients(format: &Format) -> Vec<(bool, &str, &str)> {
    let mut all = Vec::new();
    for (text, word) in format.layouts().iter().flat_map(|text| [(text, "floor("), (text, "ceil(")]) {
        for (at, _) in text.match_indices(word) {
            let (inner, mut open) = (&text[at + word.len()..], 0);
            let end = inner.find(|letter| {
                open += i32::from(letter == '(') - i32::from(letter == ')');
                open < 0
            });
            if let Some((name, divisor)) = inner[..end.unwrap_or(0)].split_once('/')
                && format.axes().iter().any(|axis| axis.name == name)
                && !all.contains(&(word == "ceil(", name, divisor))
            {
                all.push((word == "ceil(", name, divisor));
            }
        }
    }
    sort_by_key(&mut all, |(.., divisor)| divisor.len());
    all
}

/// The sizes all of whose divisors divide one another.
fn radices(format: &Format, quotients: &[(bool, &str, &str)]) -> Result<Vec<Radices>, Error> {
    let (mut all, mut scope) = (Vec::new(), format.scope()?);
    for axis in format.axes() {
        let name = axis.name.as_str();
        let own: Vec<_> = quotients.iter().filter(|(_, own, _)| *own == name).collect();
        let ceil = own.iter().filter(|(is_ceil, ..)| *is_ceil).count();
        let may_be_0 = format.rules().iter().any(|rule| rule.kind == Kind::From && rule.axis == name);
        if own.is_empty() || ceil > 0 && own.len() > 1 || may_be_0 {
            continue;
        }
        let digit = |index: usize| format!("r{index}_{name}");
        // What is rounded up has a remainder from 1 on.
        let (mut text, mut is_chain) = (digit(0), true);
        let mut facts =
            vec![(digit(0), format!(">= {ceil}")), (digit(0), format!("<= {} - 1 + {ceil}", own[0].2))];
        for (index, (.., divisor)) in own.iter().enumerate() {
            let next = digit(index + 1);
            text += &format!(" + {divisor}*{next}");
            facts.push((next.clone(), ">= 0".to_owned()));
            if let Some((.., large)) = own.get(index + 1) {
                let whole = scope.number(large).and_then(|large| {
                    let small = scope.number(divisor)?;
                    scope.is_multiple(&large, &small)
                });
                is_chain &= matches!(whole, Ok(Verdict::Always));
                facts.push((next, format!("<= {large}/{divisor} - 1")));
            }
        }
        if is_chain {
            all.push(Radices { name: name.to_owned(), text: format!("({text})"), facts });
        }
    }
    Ok(all)
}

/// The regions of all texts; none where an offset is no sum of steps or polynomial.
fn regions(
    format: &Format,
    places: &Places,
    size: &impl Fn(&str) -> Option<String>,
) -> Result<Option<Vec<Region>>, Error> {
    let text = |number: &Number| places.scope.number_text(number);
    let mut all = Vec::new();
    for place in &places.places {
        let (mut modes, mut offset) = (Vec::new(), String::new());
        match &place.offsets {
            Offsets::Polynomial(number) => {
                modes.extend(places.shape.iter().map(|extent| vec![(text(extent), "0".to_owned())]));
                offset += &text(number);
            }
            Offsets::Layouts(layouts) => {
                let [whole] = &layouts[..] else { return Ok(None) };
                let (tuple, start) = (whole.layout().as_tuple(), whole.start()?);
                if whole.swizzle() != Swizzle::NONE
                    || tuple.leaves().iter().any(|leaf| leaf.unit != Unit::ONE)
                {
                    return Ok(None);
                }
                for (index, extent) in places.shape.iter().enumerate() {
                    let mode = places.scope.layout_of(tuple.mode(index)?)?;
                    if !matches!(
                        places.scope.is_at_least(&places.scope.size(&mode)?, extent)?,
                        Verdict::Always
                    ) {
                        return Ok(None);
                    }
                    let leaves = mode.leaves().iter();
                    modes.push(leaves.map(|leaf| (text(&leaf.extent), text(&leaf.stride))).collect());
                }
                offset += &text(start);
            }
        }
        let (mut digits, mut facts, mut coordinates) = (Vec::new(), [const { Vec::new() }; 3], Vec::new());
        for (index, mode) in modes.iter().enumerate() {
            let (mut sum, mut step) = ("0".to_owned(), "1".to_owned());
            for (place, (extent, stride)) in mode.iter().enumerate() {
                let digit = format!("d{index}_{place}");
                sum += &format!(" + {step}*{digit}");
                step += &format!("*({extent})");
                offset += &format!(" + ({stride})*{digit}");
                facts[0].push(format!("{digit} >= 0"));
                facts[if place + 1 < mode.len() { 0 } else { 2 }].push(format!("{digit} <= {extent} - 1"));
                digits.push(digit);
            }
            // A size that is padded to may be larger, and a number is the bound of a digit.
            let extent = text(&places.shape[index]);
            let is_padded = format.rules().iter().any(|rule| rule.kind == Kind::To && rule.axis == extent);
            if !is_padded && !places.shape[index].is_constant() {
                facts[1].push(format!("{sum} <= {extent} - 1"));
            }
            coordinates.push(format!("({sum})"));
        }
        let conditions = place.domain.iter().flat_map(|domain| domain.each());
        facts[1].extend(conditions.map(|clause| places.scope.guard_text(&clause)));
        let new = |name: &str| {
            let own = COORDINATES.iter().zip(&coordinates).find(|(own, _)| **own == name);
            own.map_or_else(|| size(name), |(_, text)| Some(text.clone()))
        };
        let facts = facts.map(|facts| facts.iter().map(|fact| renamed(fact, new)).collect());
        all.push(Region { digits, facts, offset: renamed(&offset, new) });
    }
    Ok(Some(all))
}

impl Region {
    /// One of two elements, with texts in place of some digits.
    fn element(&self, which: usize, given: &[(&str, String)]) -> Region {
        let own = |digit: &str| format!("{digit}_{which}");
        let new = |name: &str| match given.iter().find(|(digit, _)| *digit == name) {
            Some((_, text)) => Some(text.clone()),
            None => self.digits.iter().any(|digit| digit == name).then(|| own(name)),
        };
        let is_own = |digit: &&String| given.iter().all(|(other, _)| other != digit);
        Region {
            digits: self.digits.iter().filter(is_own).map(|digit| own(digit)).collect(),
            facts: self.facts.each_ref().map(|facts| facts.iter().map(|fact| renamed(fact, new)).collect()),
            offset: renamed(&self.offset, new),
        }
    }
}

/// Whether the offset of an element is proved to be above that of another one.
fn is_above(asked: &Asked, other: &Region, own: &Region) -> bool {
    let Some(left) = asked.left.get().checked_sub(1) else { return false };
    asked.left.set(left);
    // Of two conditions that would bound names by each other, the first is assumed.
    [[false, false], [false, true], [true, false], [true, true]].into_iter().any(|backwards| {
        let mut scope = asked.scope.clone();
        for digit in other.digits.iter().chain(&own.digits) {
            let _ = scope.declare(digit).and_then(|_| scope.assume(&format!("{digit} >= 0")));
        }
        for (region, backwards) in [other, own].into_iter().zip(backwards) {
            let mut facts = region.facts.clone();
            if backwards {
                facts[1].reverse();
            }
            for fact in facts.iter().flatten() {
                let before = scope.clone();
                if scope.assume(fact).is_ok() {
                    continue;
                }
                scope = before;
                if let Ok(condition) = scope.conditions(fact)
                    && let Err(tilework::Error::Fact { .. }) = scope.reduced(&condition)
                {
                    // There are no such elements.
                    return true;
                }
            }
        }
        let difference = scope.number(&format!("{} - ({})", own.offset, other.offset));
        difference.is_ok_and(|own| matches!(scope.is_at_least(&own, &1.into()), Ok(Verdict::Always)))
    })
}

fn is_injective(asked: &Asked, region: &Region) -> bool {
    let (mut equal, one) = (Vec::new(), region.element(0, &[]));
    while equal.len() < region.digits.len() {
        let is_first = |digit: &&String| {
            let mut given = equal.clone();
            given.push((digit.as_str(), format!("({digit}_0 + {STEP} + 1)")));
            equal.iter().all(|(other, _)| other != digit) && is_above(asked, &one, &region.element(1, &given))
        };
        let Some(digit) = region.digits.iter().find(is_first) else { return false };
        equal.push((digit, format!("{digit}_0")));
    }
    true
}

fn are_disjoint(asked: &Asked, one: &Region, two: &Region, shifts: &[String]) -> bool {
    let own = one.element(0, &[]);
    // Whether all elements with digit `b` up to `a + low` are on one side, and those from `a + high` on, on the other.
    let is_beside = |equal: &[(&str, String)], a: &str, b: &str, low: &str, high: &str| {
        let at =
            |distance: String| two.element(1, &[equal, &[(b, format!("({a}_0 + {distance})"))]].concat());
        is_above(asked, &at(format!("{low} - {STEP}")), &own)
            && is_above(asked, &own, &at(format!("{high} + {STEP}")))
    };
    let is_aside = |equal: &[(&str, String)]| {
        let all = two.element(1, equal);
        is_above(asked, &own, &all) || is_above(asked, &all, &own)
    };
    let mut equal = Vec::new();
    while !is_aside(&equal) {
        let is_new = |digit: &&String| {
            two.digits.contains(digit)
                && equal.iter().all(|(other, _)| other != digit)
                && is_beside(&equal, digit, digit, "-1", "1")
        };
        match one.digits.iter().find(is_new) {
            Some(digit) => equal.push((digit.as_str(), format!("{digit}_0"))),
            None => {
                let pairs = one.digits.iter().flat_map(|a| two.digits.iter().map(move |b| (a, b)));
                return pairs.into_iter().any(|(a, b)| {
                    shifts.iter().any(|shift| is_beside(&equal, a, b, shift, &format!("{shift} + 1")))
                });
            }
        }
    }
    true
}
