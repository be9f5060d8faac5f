//! The cases that differ in what a block does: the numbers of steps of loops and the right sides of conditions, as far as the
//! sizes or the block determine them, and the sizes and blocks at which a case occurs.
//!
//! **Why some cases suffice.** Repeating the same accesses, barriers and waits `w` leads after two times to the state after
//! one: what `w` writes is written, who touched an element since the last barrier is what `w` did behind its last one, and a
//! thread that touches an element again changes nothing. So `w` may stand for `ww`. With asynchronous copies that is so once
//! the groups that came before `w` are behind those that a `wait` leaves, at most `W` and the one that is not ended: after
//! `ceil((W+1)/q)` times more, where `w` ends `q` groups. A step of a loop depends on its index by digits of a period `P` and
//! by conditions, which change where a multiple of the index reaches a bound. Where no condition changes for `2P` steps, and
//! as many more as the copies need, `P` of them may be left out, and the bounds behind them made smaller: an equal case. So
//! it is enough that there are fewer between two changes.
//!
//! Bounds that differ by constants change conditions at places as far apart as the constants, and as the values of what else is
//! in the condition: its `width`. Of a component of unknowns and loops that are compared with each other, each unknown and
//! multiple has one such place, and a condition that adds two indices three: where the inner loop begins to be shorter than
//! its bound, where it is past it, where the outer one is. So many times the gap and the width is the farthest place. An
//! unknown that is compared with different multiples moves its places by different amounts: if they are farther apart than the
//! ratio times that, there are gaps before and between them, and all shrink. What a condition compares with a form of bounded
//! values has those values, one below and one above. Unknowns are taken as independent: what is right in all cases is right
//! in those that occur.

use super::site::{is_at_least, range};
use crate::access::coordinates;
use crate::form::{Digit, Form, Index, Indices};
use crate::prelude::*;
use crate::program::Program;
use crate::sizes::MAX_BLOCKS;
use alloc::collections::BTreeSet;
use tilework::__private::gcd;
use tilework_symbolic::{Guard, Number, Scope};

/// The most steps of a loop that are followed.
pub const MAX_STEPS: i64 = 1 << 12;

/// The most values of a size, and the most sizes and blocks, that are searched for a case.
const MAX_VALUES: i64 = 1 << 12;
const MAX_WITNESSES: usize = 1 << 13;

/// A number that a loop or a condition asks for, and that the sizes or the block determine.
pub struct Unknown {
    /// The number, less what the block adds to the other side.
    number: Number,
    blocks: Form,
    pub text: String,
    /// The values that differ: less than `low` is as `low`, more than `high` as `high` or as one of the period before.
    pub low: i64,
    pub high: i64,
    /// Whether the facts leave nothing below.
    is_least: bool,
    is_repeated: bool,
    /// From here on a value stands for larger ones too.
    repeats: i64,
    /// Whether what is above is as `high`, or the facts leave nothing there.
    is_bounded: bool,
}

impl Unknown {
    /// Whether it depends on this name alone.
    fn is_of(&self, scope: &Scope, name: &str) -> bool {
        self.blocks.terms.is_empty() && scope.names_in([&self.number]).eq([name])
    }
}

/// An unknown and an addend, or a constant.
#[derive(Clone, Copy)]
pub struct Bound {
    unknown: Option<usize>,
    add: i64,
}

impl Bound {
    pub fn at(self, case: &[i64]) -> i64 {
        self.unknown.map_or(0, |unknown| case[unknown]).saturating_add(self.add)
    }
}

/// A loop of an unknown number of steps, with the multiple and the divisor of its index.
type Term = (usize, i64, i64);

/// A bound with what is compared with it.
struct Use {
    bound: Bound,
    loops: Vec<Term>,
    /// The smallest and the largest value of the rest.
    low: i64,
    high: i64,
}

/// Loops and unknowns that are compared with each other.
struct Component {
    period: i64,
    places: i64,
    width: i64,
    multiple: i64,
    divisor: i64,
    /// How often bounds are compared with different multiples.
    mixed: u32,
}

/// Sizes and a block, and the case that they are.
pub struct Witness {
    pub text: String,
    sum: i64,
    pub case: Vec<i64>,
}

/// The unknowns of a program, and what is compared with them.
#[derive(Default)]
pub struct Cases {
    pub unknowns: Vec<Unknown>,
    uses: Vec<Use>,
    /// The period of each loop.
    periods: Vec<i64>,
    /// By name, the place of the loop that has it here, and the number of its steps where it is known.
    open: Vec<Option<(usize, Option<i64>)>>,
    /// Why larger cases do not repeat, unless the facts bound all of them.
    pub aperiodic: Option<String>,
}

fn lcm(a: i64, b: i64) -> i64 {
    (a / gcd(a.unsigned_abs(), b.unsigned_abs()).max(1) as i64).saturating_mul(b).min(MAX_STEPS)
}

impl Cases {
    pub fn new(program: &Program) -> Cases {
        Cases { open: vec![None; program.loops.len()], ..Cases::default() }
    }

    /// Enters a loop; what it returns is for [`leave`](Cases::leave).
    pub fn enter(&mut self, name: usize, count: &Number) -> Option<(usize, Option<i64>)> {
        self.periods.push(1);
        self.open[name].replace((self.periods.len() - 1, count.as_integer()))
    }

    /// Leaves a loop, with the bound of its steps if it does something.
    pub fn leave(
        &mut self,
        program: &Program,
        name: usize,
        outer: Option<(usize, Option<i64>)>,
        count: Option<&Number>,
    ) -> Result<Option<Bound>, Error> {
        let own = core::mem::replace(&mut self.open[name], outer);
        let Some(count) = count else { return Ok(None) };
        let bound = self.bound(program, count, Form::default())?;
        let loops = own.filter(|own| own.1.is_none()).map(|(place, _)| (place, 1, 1)).into_iter().collect();
        self.uses.push(Use { bound, loops, low: 0, high: 0 });
        Ok(Some(bound))
    }

    /// A condition: the form without blocks, and its bound.
    pub fn condition(
        &mut self,
        program: &Program,
        form: &Form,
        below: &Number,
    ) -> Result<(Form, Bound), Error> {
        let terms = form.terms.iter().copied().filter(|(step, _)| *step != 0);
        let is_block = |(_, digit): &(i64, Digit)| matches!(digit.index, Index::Block(_));
        let (blocks, terms): (Vec<_>, Vec<_>) = terms.partition(is_block);
        let bound = self.bound(program, below, Form { constant: 0, terms: blocks })?;
        let (mut low, mut high, mut loops) = (form.constant, form.constant, Vec::new());
        for (step, digit) in &terms {
            let Index::Loop(name) = digit.index else { continue };
            let Some((place, count)) = self.open[name] else { continue };
            let first = Digit { modulus: None, ..*digit }.value(0);
            let (first, last) = match (digit.modulus, count) {
                (Some(modulus), _) => (0, modulus - 1),
                (None, Some(count)) => (first, digit.value(count.max(1) - 1)),
                (None, None) => (first.min(0), first.max(0)),
            };
            low = low.saturating_add(step.saturating_mul(first));
            high = high.saturating_add(step.saturating_mul(last));
            if count.is_none() {
                self.see(digit);
                if digit.modulus.is_none() {
                    let known =
                        loops.iter_mut().find(|(own, _, divisor)| (*own, *divisor) == (place, digit.divisor));
                    match known {
                        Some((_, multiple, _)) => *multiple += *step,
                        None => loops.push((place, *step, digit.divisor)),
                    }
                }
            }
        }
        self.uses.push(Use { bound, loops, low, high });
        Ok((Form { constant: form.constant, terms }, bound))
    }

    /// Whether a digit goes on and on: it is one of a loop whose number of steps is unknown, without a modulus.
    pub fn is_endless(&self, digit: &Digit) -> bool {
        matches!(digit.index, Index::Loop(name) if digit.modulus.is_none() && matches!(self.open[name], Some((_, None))))
    }

    /// Takes the period of a digit of a loop's index into account.
    pub fn see(&mut self, digit: &Digit) {
        let Index::Loop(name) = digit.index else { return };
        if let Some((place, None)) = self.open[name] {
            let own = digit.divisor.saturating_mul(digit.modulus.unwrap_or(1));
            self.periods[place] = lcm(self.periods[place], own.min(MAX_STEPS));
        }
    }

    /// A number as one of the unknowns and an addend.
    fn bound(&mut self, program: &Program, number: &Number, blocks: Form) -> Result<Bound, Error> {
        if let (Some(add), true) = (number.as_integer(), blocks.terms.is_empty()) {
            return Ok(Bound { unknown: None, add });
        }
        for (place, known) in self.unknowns.iter().enumerate() {
            if known.blocks == blocks
                && let Some(add) = number.sub(&known.number)?.as_integer()
            {
                return Ok(Bound { unknown: Some(place), add });
            }
        }
        let mut text = program.scope.number_text(number);
        if !blocks.terms.is_empty() {
            text = format!("{text} - ({})", program.form_text(&blocks));
        }
        let number = number.clone();
        let (low, high, repeats, is_least, is_repeated, is_bounded) = Default::default();
        let own = Unknown { number, blocks, text, low, high, is_least, is_repeated, repeats, is_bounded };
        self.unknowns.push(own);
        Ok(Bound { unknown: Some(self.unknowns.len() - 1), add: 0 })
    }

    /// Finds the values of each unknown that differ, where as many groups of asynchronous copies have to be ended before what
    /// was before them does not matter, and where each step of a loop that ends one ends one, or only some steps.
    pub fn close(&mut self, program: &Program, groups: i64, is_sparse: bool) -> Result<(), Error> {
        let components = self.components();
        if self.uses.iter().any(|own| own.loops.len() > 2) {
            self.aperiodic = Some("a condition adds the indices of more than two loops".into());
        }
        for (place, component) in components.iter().enumerate() {
            let Component { period, places, width, multiple, divisor, mixed } = component;
            let (mut low, mut high, mut is_repeated) = (i64::MAX, i64::MIN, false);
            for own in self.uses.iter().filter(|own| own.bound.unknown == Some(place)) {
                low = low.min(own.low.saturating_sub(own.bound.add));
                high = high.max(own.high.saturating_add(1).saturating_sub(own.bound.add));
                is_repeated |= !own.loops.is_empty();
            }
            let mut repeats = high;
            if is_repeated {
                let more = if is_sparse { groups } else { groups.saturating_add(period - 1) / period };
                let gap = period.saturating_mul(more.saturating_add(2));
                let factor = multiple.saturating_mul(*divisor).saturating_pow(*mixed).saturating_mul(*places);
                let last = gap.saturating_add(width.saturating_mul(*divisor)).saturating_mul(factor);
                repeats = (gap - period) / divisor;
                high = high.max(last.saturating_mul(*multiple));
                if high > MAX_STEPS {
                    self.aperiodic = Some(format!("more than {MAX_STEPS} steps of a loop differ"));
                    high = MAX_STEPS;
                }
            }
            let own = &mut self.unknowns[place];
            let (scope, leasts, most) = own.range(program)?;
            let is_above = |value: i64| leasts.iter().any(|least| is_at_least(&scope, least, &value.into()));
            while low < high && is_above(low + 1) {
                low += 1;
            }
            (own.low, own.high, own.is_repeated) = (low, low, is_repeated);
            own.is_least = is_above(low);
            while own.high < high && !is_at_least(&scope, &own.high.into(), &most) {
                own.high += 1;
            }
            let is_last = is_at_least(&scope, &own.high.into(), &most);
            own.repeats = if is_last { i64::MAX } else { repeats };
            own.is_bounded = is_last || !is_repeated;
        }
        Ok(())
    }

    pub fn are_bounded(&self) -> bool {
        self.unknowns.iter().all(|own| own.is_bounded)
    }

    /// The component of each unknown.
    fn components(&self) -> Vec<Component> {
        // Loops are numbered before unknowns.
        let loops = self.periods.len();
        let mut labels: Vec<usize> = (0..loops + self.unknowns.len()).collect();
        for own in &self.uses {
            let nodes: Vec<usize> = own.nodes(loops).map(|node| labels[node]).collect();
            labels.iter_mut().filter(|label| nodes.contains(label)).for_each(|label| *label = nodes[0]);
        }
        let component = |unknown: usize| {
            let own = |node: usize| labels[node] == labels[loops + unknown];
            let mut all = Component { period: 1, places: 0, width: 0, multiple: 1, divisor: 1, mixed: 0 };
            all.period =
                (0..loops).filter(|node| own(*node)).fold(1, |all, node| lcm(all, self.periods[node]));
            let mut known: Vec<(Option<usize>, Vec<Term>)> = Vec::new();
            for Use { bound, loops: terms, low, high } in
                self.uses.iter().filter(|use_| use_.nodes(loops).next().is_some_and(own))
            {
                let constants = bound.add.saturating_abs().saturating_add(low.saturating_abs());
                all.width = all.width.max(high.saturating_sub(*low).saturating_add(constants));
                let Some(first) = terms.first() else { continue };
                all.multiple = terms.iter().fold(all.multiple, |most, own| most.max(own.1));
                all.divisor = terms.iter().fold(all.divisor, |most, own| most.max(own.2));
                let ratio = |term: &Term| (term.1, term.2);
                // Which loop it is does not matter where it is alone.
                let key = if terms.len() == 1 { vec![(0, first.1, first.2)] } else { terms.clone() };
                let key = (bound.unknown, key);
                let is_other = |(own, terms): &(Option<usize>, Vec<Term>)| {
                    own.is_some() && *own == bound.unknown && ratio(&terms[0]) != ratio(first)
                };
                if !known.contains(&key) {
                    let is_mixed = terms.iter().any(|term| ratio(term) != ratio(first));
                    all.mixed += u32::from(is_mixed || known.iter().any(is_other));
                    all.places += if terms.len() > 1 { 3 } else { i64::from(bound.unknown.is_some()) };
                    known.push(key);
                }
            }
            all
        };
        (0..self.unknowns.len()).map(component).collect()
    }

    /// Sizes and blocks that are not large, and the case of each, the smallest first.
    pub fn witnesses(&self, program: &Program, conditions: &Guard) -> Result<Vec<Witness>, Error> {
        let scope = &program.scope;
        let digits =
            || self.unknowns.iter().flat_map(|own| own.blocks.terms.iter().map(|(_, digit)| digit.index));
        let is_used = |axis: &usize| digits().any(|index| index == Index::Block(*axis));
        let axes: Vec<usize> = (0..program.grid.len()).filter(is_used).collect();
        let counts = axes.iter().map(|axis| &program.grid[*axis]);
        let numbers: Vec<&Number> = self.unknowns.iter().map(|own| &own.number).chain(counts).collect();
        let names: Vec<&str> = scope.names_in(numbers.iter().copied()).collect();
        // Of each name the values at which a number changes.
        let most = (1..).take_while(|most: &usize| {
            most.saturating_pow((names.len() + axes.len()) as u32) <= MAX_WITNESSES
        });
        let most = most.take(MAX_WITNESSES).last().unwrap_or(1);
        let mut values: Vec<Vec<i64>> = Vec::new();
        for name in &names {
            let own = |number: &&&Number| scope.names_in([**number]).any(|own| own == *name);
            let own: Vec<&Number> = numbers.iter().filter(own).copied().collect();
            let (mut kept, mut last) = (Vec::new(), Vec::new());
            for value in 1..=MAX_VALUES {
                let given = scope.any_values(&[(name, value)]);
                let now: Vec<_> = own.iter().map(|number| scope.value(number, &given)).collect();
                if now != last && (names.len() > 1 || scope.values(&[(name, value)]).is_ok()) {
                    kept.push(value);
                    last = now;
                }
                if kept.len() == most {
                    break;
                }
            }
            values.push(kept);
        }
        let extents: Vec<i64> =
            values.iter().map(|own| own.len() as i64).chain(axes.iter().map(|_| most as i64)).collect();
        let (mut found, mut known) = (Vec::new(), BTreeSet::new());
        if extents.contains(&0) {
            return Ok(found);
        }
        // What a launch asks of these names alone.
        let mut guard = Guard::ALWAYS;
        let is_own = |clause: &Guard| scope.names_in(clause.numbers()).all(|name| names.contains(&name));
        conditions.each().filter(is_own).for_each(|clause| guard.push_all(&clause));
        for at in coordinates(&extents) {
            let mut indices = Indices::default();
            axes.iter().zip(&at[names.len()..]).for_each(|(axis, index)| indices.blocks[*axis] = *index);
            let given = names.iter().zip(&values).zip(&at);
            let given: Vec<(&str, i64)> = given.map(|((name, own), at)| (*name, own[*at as usize])).collect();
            let sizes = scope.any_values(&given);
            let mut is_there = scope.holds(&guard, &sizes)?;
            for axis in &axes {
                // A number that does not fit 64 bits is one of no launch.
                let count = scope.value(&program.grid[*axis], &sizes).ok().flatten();
                is_there &= count.is_some_and(|own| indices.blocks[*axis] < own);
            }
            let own = |own: &Unknown| {
                let high = if own.is_repeated { i64::MAX } else { own.high };
                let number = scope.value(&own.number, &sizes).ok().flatten()?;
                Some((number - own.blocks.at(&indices)).min(high).max(own.low))
            };
            let case: Option<Vec<i64>> = self.unknowns.iter().map(own).collect();
            let Some(case) = case.filter(|_| is_there) else { continue };
            if known.contains(&case) || scope.values(&given).is_err() {
                continue;
            }
            known.insert(case.clone());
            let blocks = axes.iter().map(|axis| format!("b{axis}={}", indices.blocks[*axis]));
            let text: Vec<String> =
                given.iter().map(|(name, value)| format!("{name}={value}")).chain(blocks).collect();
            let sum = given.iter().map(|(_, value)| value).chain(&indices.blocks).sum();
            found.push(Witness { text: text.join(", "), sum, case });
        }
        found.sort_by_key(|own| own.sum);
        Ok(found)
    }

    /// The smallest sizes of a case, as text, if each of its unknowns grows with one name.
    pub fn smallest(&self, program: &Program, conditions: &Guard, case: &[i64]) -> Option<String> {
        let scope = &program.scope;
        let mut given: Vec<(&str, i64)> = Vec::new();
        for name in scope.names_in(self.unknowns.iter().map(|own| &own.number)) {
            let at = |value: i64| {
                let sizes = scope.any_values(&[(name, value)]);
                let mut own = self.unknowns.iter().zip(case).filter(|(own, _)| own.is_of(scope, name));
                own.all(|(own, wanted)| {
                    scope.value(&own.number, &sizes).ok().flatten().is_some_and(|value| value >= *wanted)
                })
            };
            let (mut low, mut high) = (0, i64::from(i32::MAX));
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                *(if at(middle) { &mut high } else { &mut low }) = middle;
            }
            given.push((name, high));
        }
        let sizes = scope.any_values(&given);
        let is_case = self.unknowns.iter().zip(case).all(|(own, wanted)| {
            own.blocks.terms.is_empty() && scope.value(&own.number, &sizes).ok().flatten() == Some(*wanted)
        });
        let text: Vec<String> = given.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let is_there = is_case && scope.values(&given).is_ok() && scope.holds(conditions, &sizes) == Ok(true);
        is_there.then(|| text.join(", "))
    }

    /// Whether no sizes and no block have a case, nor one that it stands for.
    pub fn is_excluded(&self, program: &Program, case: &[i64]) -> Result<bool, Error> {
        let scope = &program.scope;
        let most = |place: usize| (case[place] < self.unknowns[place].repeats).then_some(case[place]);
        for (i, high) in (0..case.len()).filter_map(|i| Some((i, most(i)?))) {
            for j in
                (0..case.len()).filter(|j| *j != i && self.unknowns[i].blocks == self.unknowns[*j].blocks)
            {
                if case[j] == self.unknowns[j].low && !self.unknowns[j].is_least {
                    continue;
                }
                let difference = self.unknowns[i].number.sub(&self.unknowns[j].number)?;
                if is_at_least(scope, &difference, &(high - case[j] + 1).into()) {
                    return Ok(true);
                }
            }
        }
        for name in scope.names() {
            if self.is_excluded_by_name(program, case, name)? {
                return Ok(true);
            }
        }
        Ok((0..program.grid.len()).any(|axis| self.is_excluded_by_block(program, case, axis)))
    }

    /// Whether a value of the unknown stands for this one, or is it.
    fn stands(&self, place: usize, case: &[i64], value: i64) -> bool {
        let own = &self.unknowns[place];
        value == case[place]
            || (value > case[place] && case[place] >= own.repeats)
            || (value < case[place] && case[place] == own.low)
    }

    /// The same, by the unknowns of one name.
    fn is_excluded_by_name(&self, program: &Program, case: &[i64], name: &str) -> Result<bool, Error> {
        let scope = &program.scope;
        let own: Vec<usize> =
            (0..case.len()).filter(|place| self.unknowns[*place].is_of(scope, name)).collect();
        let mut last = 0;
        for value in 1..=MAX_VALUES {
            let given = scope.any_values(&[(name, value)]);
            let (mut stands, mut is_beyond) = (true, own.is_empty());
            for place in &own {
                let value = scope.value(&self.unknowns[*place].number, &given)?;
                stands &= value.is_some_and(|value| self.stands(*place, case, value));
                is_beyond |= value > Some(case[*place]) && case[*place] < self.unknowns[*place].repeats;
            }
            if stands && scope.values(&[(name, value)]).is_ok() {
                return Ok(false);
            }
            if is_beyond {
                last = value;
                break;
            }
        }
        // Larger ones are larger.
        let (Some(number), mut larger) = (scope.find(name), scope.clone()) else { return Ok(false) };
        if last == 0 || larger.assume_at_least(&number, &last.into()).is_err() {
            return Ok(false);
        }
        for place in own.iter().filter(|place| case[**place] < self.unknowns[**place].repeats) {
            if is_at_least(&larger, &self.unknowns[*place].number, &(case[*place] + 1).into()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same, by the unknowns of one axis of blocks alone.
    fn is_excluded_by_block(&self, program: &Program, case: &[i64], axis: usize) -> bool {
        let is_own = |place: &usize| {
            let own = &self.unknowns[*place];
            let mut terms = own.blocks.terms.iter();
            own.number.as_integer().is_some()
                && !own.blocks.terms.is_empty()
                && terms.all(|(_, digit)| digit.index == Index::Block(axis))
        };
        let own: Vec<usize> = (0..case.len()).filter(is_own).collect();
        let mut steps = own.iter().flat_map(|place| &self.unknowns[*place].blocks.terms);
        // Only what falls with the block is past all values at some block.
        let is_falling = steps.all(|(step, _)| *step > 0);
        let (mut period, mut end) = (1, 0i64);
        for place in &own {
            let Unknown { number, blocks, low, .. } = &self.unknowns[*place];
            let room = number.as_integer().unwrap_or(0).saturating_sub(*low).max(0);
            for (_, digit) in &blocks.terms {
                let own = digit.divisor.saturating_mul(digit.modulus.unwrap_or(1));
                period = lcm(period, own);
                // Behind it the form is larger than all that matters.
                end = end.max(if digit.modulus.is_none() {
                    room.saturating_add(1).saturating_mul(own)
                } else {
                    0
                });
            }
        }
        let end = program.grid[axis].as_integer().unwrap_or(i64::MAX).min(end.saturating_add(period));
        !own.is_empty()
            && is_falling
            && period < MAX_STEPS
            && end < MAX_VALUES
            && !(0..end).any(|index| {
                let mut indices = Indices::default();
                indices.blocks[axis] = index;
                own.iter().all(|place| {
                    let Unknown { number, blocks, .. } = &self.unknowns[*place];
                    self.stands(*place, case, number.as_integer().unwrap_or(0) - blocks.at(&indices))
                })
            })
    }
}

impl Unknown {
    /// Its smallest and its largest value, as numbers of a scope: the smallest by the grid, and by the blocks of a launch.
    fn range(&self, program: &Program) -> Result<(Scope, [Number; 2], Number), Error> {
        let mut scope = program.scope.clone();
        let mut of = |most: Option<i64>| {
            range(&mut scope, &self.blocks, |index| match (index, most) {
                (Index::Block(axis), None) => Ok(program.grid[axis].clone()),
                (_, most) => Ok(most.unwrap_or(1).into()),
            })
        };
        let ((low, reach), (_, other)) = (of(None)?, of(Some(MAX_BLOCKS))?);
        let least = |reach: Number| self.number.sub(&reach.plus(-1)?);
        let (leasts, most) = ([least(reach)?, least(other)?], self.number.sub(&low)?);
        Ok((scope, leasts, most))
    }
}

impl Use {
    /// Its loops, and then its unknown, which are numbered behind all loops.
    fn nodes(&self, loops: usize) -> impl Iterator<Item = usize> {
        self.loops.iter().map(|(place, ..)| *place).chain(self.bound.unknown.map(|unknown| loops + unknown))
    }
}
