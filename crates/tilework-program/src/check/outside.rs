//! Values from outside of a tensor: what `else` gives may be stored, but may be folded only where it changes nothing.
//!
//! Every expression is evaluated at samples of what is inside, and once more for each extent that an element of it may be
//! outside of, with the value of `else` there. A result that the samples share is known whatever is inside. A value carries
//! the digits that decide whether it is outside, through registers and shared memory, and the tensors that it was computed
//! from: a statement folds where it computes an element from what it replaces, while a digit runs that the destination does
//! not have.

use super::report::{Certainty, Report};
use super::site::{Site, in_two_steps};
use crate::arithmetic::apply;
use crate::element::Element;
use crate::error::Error;
use crate::form::{Digit, Form, Index, Indices};
use crate::instruction::Instruction;
use crate::program::{Expr, Function, Program, View};
use crate::verify::{Type, type_of};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use tilework_symbolic::Verdict;

type Samples = [f64; 5];

/// 2^127, a large number of f32 and bf16.
const MANY: f64 = (1u128 << 127) as f64;

/// Inside, and where an element is outside of one extent.
#[derive(Clone, Debug)]
struct Cases {
    inside: Samples,
    outside: BTreeMap<String, Samples>,
}

impl Cases {
    fn at(&self, extent: &str) -> &Samples {
        self.outside.get(extent).unwrap_or(&self.inside)
    }
}

/// What is known of a value.
#[derive(Clone, Debug)]
struct Value {
    cases: Cases,
    /// By extent, the digits of the coordinates along it.
    digits: BTreeMap<String, Vec<Digit>>,
    /// By extent, the coordinates of this statement along it.
    coordinates: BTreeMap<String, Vec<Form>>,
    /// By extent, sets of such coordinates: a condition is false where all of one set are outside.
    masks: BTreeMap<String, Vec<Vec<Form>>>,
    /// The shared tensors and registers that it was computed from, with the loops whose steps before may have written them.
    from: BTreeMap<usize, (Cases, Vec<usize>)>,
}

impl Value {
    fn inside(samples: Samples) -> Value {
        let cases = Cases { inside: samples, outside: BTreeMap::new() };
        let (digits, from) = (BTreeMap::new(), BTreeMap::new());
        Value { cases, digits, coordinates: BTreeMap::new(), masks: BTreeMap::new(), from }
    }
}

/// What a shared tensor or a register holds.
#[derive(Default)]
struct Held {
    /// None where only what is inside was seen.
    value: Option<Value>,
    /// By extent, the modes along which it changes from inside to outside.
    modes: BTreeMap<String, Vec<usize>>,
    /// The loops in which it was last written without what it had.
    loops: Vec<usize>,
}

impl Held {
    /// The loops around a statement that do not write it anew in each step before.
    fn carried(&self, site: &Site<'_>) -> Vec<usize> {
        site.loops.iter().map(|(name, _)| *name).filter(|name| !self.loops.contains(name)).collect()
    }
}

/// Checks every fold, with what each shared tensor and register may hold.
pub fn check(program: &Program, sites: &[Site<'_>], report: &mut Report) -> Result<(), Error> {
    let mut held: Vec<Held> = program.tensors.iter().map(|_| Held::default()).collect();
    in_two_steps(program, sites).try_for_each(|(site, _)| check_site(program, site, &mut held, report))
}

fn check_site(
    program: &Program,
    site: &Site<'_>,
    held: &mut [Held],
    report: &mut Report,
) -> Result<(), Error> {
    let mut value = evaluate(program, site, site.value, held)?;
    let (place, tensor) = (site.to.tensor, program.tensor(site.to));
    let forms = site.to.forms(tensor.rank());
    if let Some((old, carried)) = value.from.get(&place)
        && is_fold(&forms, site, carried)
    {
        // The largest numbers may have no product with 0.
        let differ = |(new, old): (&f64, &f64)| new != old && !new.is_nan();
        // Lanes of a matrix instruction share what both factors are outside of.
        let factors = match site.by {
            Some(Instruction::Multiply(_)) => site.value.factors(site.to),
            _ => None,
        };
        let is_outside = |view: &View, extent: &String| {
            held[view.tensor].value.as_ref().is_some_and(|own| own.digits.contains_key(extent))
        };
        let is_shared = |extent: &String| {
            factors.is_some_and(|factors| factors.iter().all(|view| is_outside(view, extent)))
        };
        let is_wrong = |(extent, new): &(&String, &Samples)| {
            (new.iter().zip(old.at(extent)).any(differ) || new.iter().all(|sample| sample.is_nan()))
                && (is_shared(extent)
                    || value.digits[*extent].iter().any(|digit| runs(digit, &forms, carried)))
        };
        if let Some((extent, new)) = value.cases.outside.iter().find(is_wrong) {
            let is_known = new.iter().all(|sample| *sample == new[0]);
            let what = if is_known { format!("turns it into {}", new[0] + 0.0) } else { "changes it".into() };
            let text = format!(
                "{} folds what is outside of [0,{extent}), which {what}: give an `else` that changes nothing, or \
                 select by coordinate(.., ..) < {extent}",
                tensor.name
            );
            report.push(Some(site.line), Certainty::Wrong, text);
        }
        // A fold has seen something inside.
        held[place].value = None;
        return Ok(());
    }
    let along = |digits: &[Digit]| -> Vec<usize> {
        let meets =
            |form: &Form| form.terms.iter().any(|(_, own)| digits.iter().any(|other| overlap(own, other)));
        (0..forms.len()).filter(|mode| meets(&forms[*mode])).collect()
    };
    let modes = value.digits.iter().map(|(extent, digits)| (extent.clone(), along(digits))).collect();
    value.cases.inside = samples(Some(tensor.element), place);
    (value.coordinates, value.masks) = (BTreeMap::new(), BTreeMap::new());
    let loops = site.loops.iter().map(|(name, _)| *name).collect();
    held[place] = Held { value: Some(value), modes, loops };
    Ok(())
}

/// Whether two digits of an index have values of it in common.
fn overlap(a: &Digit, b: &Digit) -> bool {
    let end = |own: &Digit| own.modulus.map_or(i64::MAX, |modulus| own.divisor.saturating_mul(modulus));
    a.index == b.index && a.divisor < end(b) && b.divisor < end(a)
}

/// Whether a condition is false where another value is outside: of coordinates of this statement, its own are never smaller;
/// of what comes through memory, it has the digits.
fn covers(site: &Site<'_>, condition: &Value, other: &Value, extent: &String) -> bool {
    let of = |value: &Value| value.digits.get(extent).cloned().unwrap_or_default();
    let (own, asked) = (of(condition), of(other));
    let masks = condition.masks.get(extent);
    let reaches = |form: &Form| {
        let is_above = |mask: &Form| is_above(site, mask, form);
        masks.is_some_and(|masks| masks.iter().any(|mask| mask.iter().all(is_above)))
    };
    asked.iter().all(|digit| own.iter().any(|own| overlap(own, digit)))
        && (masks.is_none() || other.coordinates.get(extent).into_iter().flatten().all(reaches))
}

/// Whether a coordinate is at least another one for all threads and values, and what the block and the loops add is the same.
fn is_above(site: &Site<'_>, one: &Form, other: &Form) -> bool {
    // What the block and the loops add, in an order that depends on nothing else, and the rest.
    let split = |form: &Form| {
        let mut still = form.clone();
        let is_moving =
            |(_, digit): &mut (i64, Digit)| matches!(digit.index, Index::Block(_) | Index::Loop(_));
        let mut moving: Vec<_> = still.terms.extract_if(.., is_moving).collect();
        moving.sort_unstable();
        (moving, still)
    };
    let ((moving, one), (others, other)) = (split(one), split(other));
    let at = |thread| (0..site.values).map(move |value| Indices { thread, value, ..Indices::default() });
    moving == others && (0..site.active).flat_map(at).all(|own| one.at(&own) >= other.at(&own))
}

/// Adds to the list of each extent.
fn join<T: Clone>(lists: &mut BTreeMap<String, Vec<T>>, others: &BTreeMap<String, Vec<T>>) {
    for (extent, others) in others {
        lists.entry(extent.clone()).or_default().extend(others.iter().cloned());
    }
}

/// Whether a digit takes several values while one element of the destination is computed.
fn runs(digit: &Digit, forms: &[Form], carried: &[usize]) -> bool {
    let is_free = || !forms.iter().flat_map(|form| &form.terms).any(|(_, own)| overlap(own, digit));
    match digit.index {
        Index::Loop(name) => carried.contains(&name) && is_free(),
        Index::Value => is_free(),
        Index::Block(_) | Index::Thread => false,
    }
}

/// Whether an element is computed from what it was: in one statement or instruction, or in steps of loops.
fn is_fold(forms: &[Form], site: &Site<'_>, carried: &[usize]) -> bool {
    let digits = forms.iter().flat_map(|form| &form.terms).map(|(_, digit)| digit);
    let of_values = digits.filter(|digit| digit.index == Index::Value);
    let reached = of_values
        .map(|digit| digit.modulus.unwrap_or(site.values / digit.divisor))
        .fold(1, i64::saturating_mul);
    !carried.is_empty() || reached < site.values || matches!(site.by, Some(Instruction::Multiply(_)))
}

/// What is inside: small values that differ between tensors, and the extreme ones.
fn samples(element: Option<Element>, place: usize) -> Samples {
    let scale = (place + 1) as f64;
    let (low, high) = match element {
        Some(Element::U32) => (0.0, f64::from(u32::MAX)),
        Some(Element::U8) => (0.0, 255.0),
        Some(Element::I32) => (f64::from(i32::MIN), f64::from(i32::MAX)),
        Some(Element::I8) => (-128.0, 127.0),
        Some(Element::F16) => (-65504.0, 65504.0),
        Some(Element::F32 | Element::Bf16) | None => (-MANY, MANY),
    };
    // Of two that are compared, one is the smaller of third samples, and the other one of last samples.
    [low, high, scale, 3.0 * scale, if low < 0.0 { -2.0 * scale } else { high - 2.0 * scale }]
        .map(|sample| element.map_or(sample, |element| element.round(sample)))
}

/// The value of an expression.
fn evaluate(program: &Program, site: &Site<'_>, expr: &Expr, held: &[Held]) -> Result<Value, Error> {
    match expr {
        Expr::View(view) => {
            let tensor = program.tensor(view);
            let mut value = Value::inside(samples(Some(tensor.element), view.tensor));
            if tensor.space.is_global() {
                let Some(fill) = view.outside else { return Ok(value) };
                for (extent, form) in outside(program, site, view)? {
                    value.cases.outside.insert(extent.clone(), [fill; 5]);
                    value.digits.entry(extent.clone()).or_default().extend(digits(&form));
                    value.coordinates.entry(extent).or_default().push(form);
                }
                return Ok(value);
            }
            let (own, forms) = (&held[view.tensor], site.to.forms(program.tensor(site.to).rank()));
            let carried = own.carried(site);
            // What a fold replaces has seen something inside, or will.
            let is_folded = view.tensor == site.to.tensor && is_fold(&forms, site, &carried);
            if let (false, Some(known)) = (is_folded, &own.value) {
                value = read(known, &own.modes, &view.forms(tensor.rank()));
            }
            value.from.insert(view.tensor, (value.cases.clone(), carried));
            Ok(value)
        }
        Expr::Coordinate(view, mode) => {
            let place = view.tensor + (1 + mode) * program.tensors.len();
            Ok(Value::inside(samples(Some(Element::U32), place)))
        }
        Expr::Size(name) => {
            let place = program.scope.names().position(|own| own == name).unwrap_or(0);
            Ok(Value::inside(samples(Some(Element::U32), 9 * program.tensors.len() + place)))
        }
        Expr::Scalar(scalar) => Ok(Value::inside(samples(Some(program.scalars[*scalar].element), *scalar))),
        Expr::Literal(literal) => Ok(Value::inside([*literal; 5])),
        Expr::Call(function, arguments) => {
            let values = arguments.iter().map(|argument| evaluate(program, site, argument, held));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            let mut of = Type::Condition;
            for argument in arguments {
                of = type_of(program, argument)?.unwrap_or(of);
            }
            call(program, site, *function, of, arguments, &values)
        }
    }
}

fn call(
    program: &Program,
    site: &Site<'_>,
    function: Function,
    of: Type,
    arguments: &[Expr],
    values: &[Value],
) -> Result<Value, Error> {
    let apply = |samples: &[&Samples]| -> Samples {
        core::array::from_fn(|i| {
            let operands: Vec<f64> = samples.iter().map(|own| own[i]).collect();
            apply(function, of, &operands).unwrap_or(f64::NAN)
        })
    };
    let inside: Vec<&Samples> = values.iter().map(|value| &value.cases.inside).collect();
    let mut result = Value::inside(apply(&inside));
    for value in values {
        join(&mut result.digits, &value.digits);
        join(&mut result.coordinates, &value.coordinates);
        result.from.extend(value.from.clone());
    }
    if let (Function::And | Function::Or, [one, other]) = (function, values) {
        let decides = if function == Function::And { 0.0 } else { 1.0 };
        for extent in one.masks.keys().chain(other.masks.keys()) {
            let of = |value: &Value| value.masks.get(extent).cloned().unwrap_or_default();
            let alone = |value: &Value| value.cases.at(extent)[0] == decides;
            let mut all: Vec<Vec<Form>> = Vec::new();
            [one, other].into_iter().filter(|value| alone(value)).for_each(|value| all.extend(of(value)));
            for mask in of(one) {
                all.extend(of(other).iter().map(|other| [&mask[..], &other[..]].concat()));
            }
            result.masks.insert(extent.clone(), all);
        }
    }
    for extent in result.digits.keys() {
        // A condition of another coordinate is not known where this one is outside.
        let is_asked = |value: &Value| match (function, values) {
            (Function::Select, [condition, others @ ..]) if core::ptr::eq(value, condition) => {
                others.iter().all(|other| covers(site, condition, other, extent))
            }
            _ => true,
        };
        let case = |value| if is_asked(value) { value.cases.at(extent) } else { &value.cases.inside };
        let at: Vec<&Samples> = values.iter().map(case).collect();
        result.cases.outside.insert(extent.clone(), apply(&at));
    }
    // A comparison of a coordinate with its extent is known outside.
    let compared = match (function, arguments) {
        (Function::Less, [Expr::Coordinate(view, mode), Expr::Size(size)]) => Some((view, *mode, size, 0.0)),
        (Function::LessEqual, [Expr::Size(size), Expr::Coordinate(view, mode)]) => {
            Some((view, *mode, size, 1.0))
        }
        _ => None,
    };
    if let Some((view, mode, size, outside)) = compared
        && site.bounds(program, view)?[mode].extent == *size
    {
        let form = view.forms(program.tensor(view).rank()).swap_remove(mode);
        result.digits.insert(size.clone(), digits(&form).collect());
        result.masks.insert(size.clone(), vec![vec![form]]);
        result.cases.outside.insert(size.clone(), [outside; 5]);
    }
    Ok(result)
}

/// An element of what a tensor holds: along the modes where it may be outside, the digits are those of the view.
fn read(held: &Value, modes: &BTreeMap<String, Vec<usize>>, forms: &[Form]) -> Value {
    let mut value = held.clone();
    for (extent, digits) in &mut value.digits {
        digits.retain(|digit| matches!(digit.index, Index::Loop(_)));
        let modes = modes.get(extent).into_iter().flatten();
        digits.extend(modes.flat_map(|mode| &forms[*mode].terms).map(|(_, digit)| *digit));
    }
    value
}

fn digits(form: &Form) -> impl Iterator<Item = Digit> {
    form.terms.iter().map(|(_, digit)| *digit)
}

/// The extents that a view of a global tensor is outside of, with the coordinate there.
fn outside(program: &Program, site: &Site<'_>, view: &View) -> Result<Vec<(String, Form)>, Error> {
    let forms = view.forms(program.tensor(view).rank());
    let bounds = site.bounds(program, view)?.into_iter().zip(forms);
    let needed = bounds.filter(|(bound, _)| !matches!(bound.verdict, Verdict::Always));
    Ok(needed.map(|(bound, form)| (bound.extent, form)).collect())
}
