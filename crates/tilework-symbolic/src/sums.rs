//! Complements where a stride is a sum of components: which component each mode is given.

use crate::answer::{Refusal, undecided};
use crate::guard::{Clause, Condition, Guard};
use crate::layout::SymbolicLeaf;
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::Tuple;
use crate::values::Values;
use alloc::vec::Vec;
use tilework::{__private::sort_by_key, Error, Unit};

pub(crate) const NAME: &str = "complement of symbolic layouts";

pub(crate) const INCONGRUENT: Error =
    Error::Incongruent { what: "the shape to cover and the layout's coordinates" };

impl Scope {
    /// The leaves that move, each along one component only, such that a complement of the result is one of theirs: the choice of
    /// the static complement, which makes `shape` longer where a step goes back.
    pub(crate) fn separated(
        &self,
        leaves: &[SymbolicLeaf],
        units: &[Unit],
        shape: &mut Option<Tuple<Number>>,
        strict: bool,
        values: &mut Values,
        guard: &mut Guard,
    ) -> Result<Vec<SymbolicLeaf>, Refusal> {
        let (sums, mut rest, mut separated) =
            (leaves.iter().filter(|leaf| !leaf.rest.is_empty()).count(), Vec::new(), Vec::new());
        if sums == 0 {
            return Ok(leaves.to_vec());
        }
        for leaf in leaves {
            let mut terms = Vec::new();
            for (count, unit) in leaf.terms() {
                let backwards = count.negated()?.plus(-1)?;
                if self.is_here(&count.plus(-1)?, values, guard)? {
                    terms.push((unit, count, true));
                } else if self.is_here(&backwards, values, guard)? {
                    terms.push((unit, count, false));
                }
            }
            // Without a single sum the other modes have no choice.
            if sums == 1 || leaf.rest.is_empty() || self.is_here(&leaf.extent.plus(-2)?, values, guard)? {
                rest.push((leaf, terms));
            }
        }
        let is_forward = rest.iter().all(|(_, terms)| terms.iter().all(|(.., is_forward)| *is_forward));
        loop {
            let (mut chosen, mut skewed, mut refused) = (None, None, None);
            for &unit in units.iter().rev() {
                let end = shape.as_ref().map(|shape| Ok::<_, Error>(&shape.leaves()[place_of(shape, unit)?]));
                let end = end.transpose()?;
                let (mut along, mut is_skewed) = (Vec::new(), false);
                for (leaf, terms) in &rest {
                    if let Some((_, count, is_forward)) = terms.iter().find(|(own, ..)| *own == unit) {
                        along.push((*leaf, *count, *is_forward));
                        let others = terms.iter().any(|(own, _, is_forward)| *own != unit && *is_forward);
                        is_skewed |= others && *is_forward && self.is_before(count, end, values, guard)?;
                    }
                }
                match self.collision(&along, values, guard)? {
                    _ if along.is_empty() => {}
                    Some(refusal) => refused = Some(refusal),
                    None if is_skewed => skewed = skewed.or(Some(unit)),
                    None => {
                        chosen = Some(unit);
                        break;
                    }
                }
            }
            if let (true, true, None, Some(unit)) = (strict, shape.is_some(), chosen, skewed) {
                let is_skewed = |(_, terms): &&(&SymbolicLeaf, Vec<(Unit, &Number, bool)>)| {
                    terms.len() > 1 && terms.iter().any(|(own, ..)| *own == unit)
                };
                // Steps back might make up for it.
                let Some((leaf, _)) = rest.iter().find(is_skewed).filter(|_| is_forward) else {
                    return Err(undecided("a divide by a skewed tile"));
                };
                let error = Error::Skew {
                    leaf: leaves.iter().position(|own| own == *leaf).unwrap_or_default(),
                    component: shape.as_ref().map_or(Ok(0), |shape| place_of(shape, unit))?,
                    at: self.integer_value(&leaf.coefficient(unit), values)?,
                };
                return Err(Refusal::NoLayout { error, needed: Vec::new() });
            }
            let unit = match (chosen.or(skewed), refused) {
                (Some(unit), _) => unit,
                (None, Some(refusal)) => return Err(refusal),
                (None, None) => return Ok(separated),
            };
            let along = |(_, terms): &mut (&SymbolicLeaf, Vec<(Unit, &Number, bool)>)| {
                terms.iter().any(|(own, ..)| *own == unit)
            };
            for (leaf, terms) in rest.extract_if(.., along) {
                let (extent, stride) = (leaf.extent.clone(), leaf.coefficient(unit));
                for (own, count, is_forward) in terms {
                    let Some(longer) = shape.as_mut().filter(|_| !is_forward) else { continue };
                    let end = longer.leaves()[place_of(longer, unit)?].clone();
                    if self.is_before(&stride, Some(&end), values, guard)? {
                        let more = extent.plus(-1)?.mul(count)?;
                        let place = place_of(longer, own)?;
                        longer.leaves_mut()[place] = longer.leaves()[place].sub(&more)?;
                    }
                }
                separated.push(SymbolicLeaf { extent, stride, unit, rest: Vec::new() });
            }
        }
    }

    /// Why modes are not segregated at the witness, and for the values of the guard.
    fn collision(
        &self,
        along: &[(&SymbolicLeaf, &Number, bool)],
        values: &mut Values,
        guard: &mut Guard,
    ) -> Result<Option<Refusal>, Refusal> {
        let mut modes = Vec::new();
        for &(leaf, stride, is_forward) in along {
            let at = (self.integer_value(stride, values)?, self.integer_value(&leaf.extent, values)?);
            let twice = leaf.extent.plus(-2)?;
            if !is_forward && (!leaf.rest.is_empty() || self.is_here(&twice, values, guard)?) {
                return Ok(Some(overlap([at; 2], stride.clone())));
            }
            modes.push((at, leaf, stride));
        }
        sort_by_key(&mut modes, |(at, ..)| *at);
        for (j, (next_at, next, begin)) in modes.iter().enumerate() {
            'pairs: for (at, leaf, stride) in &modes[..j] {
                let room = begin.sub(&leaf.extent.mul(stride)?)?;
                if self.fraction(&room, values)?.0 >= 0 {
                    continue;
                }
                for leaf in [leaf, next] {
                    if leaf.rest.is_empty() && !self.is_here(&leaf.extent.plus(-2)?, values, guard)? {
                        continue 'pairs;
                    }
                }
                // Nor in the other order.
                let end = next.extent.mul(begin)?;
                if self.is_here(&end.sub(stride)?.plus(-1)?, values, guard)?
                    && !self.is_here(&room, values, guard)?
                {
                    return Ok(Some(overlap([*at, *next_at], room)));
                }
            }
        }
        Ok(None)
    }

    /// Whether a number is 0 or more at the witness, and for the values of the guard.
    fn is_here(&self, number: &Number, values: &mut Values, guard: &mut Guard) -> Result<bool, Refusal> {
        let is_here = self.fraction(number, values)?.0 >= 0;
        let number = if is_here { number.clone() } else { number.negated()?.plus(-1)? };
        let required = Clause::new().nonnegative(self, &number)?.require(guard);
        required.map_err(|_| undecided(NAME))?;
        Ok(is_here)
    }

    /// The same of a stride that is below the end of its component.
    fn is_before(
        &self,
        stride: &Number,
        end: Option<&Number>,
        values: &mut Values,
        guard: &mut Guard,
    ) -> Result<bool, Refusal> {
        end.map_or(Ok(true), |end| self.is_here(&end.sub(stride)?.plus(-1)?, values, guard))
    }
}

/// The leaf of a shape of coordinates that a unit addresses.
fn place_of(shape: &Tuple<Number>, unit: Unit) -> Result<usize, Error> {
    let part = (0..unit.depth()).try_fold(shape.part(), |part, level| part.mode(unit.index(level)));
    part.ok().filter(|part| part.is_leaf()).map(|part| part.leaf).ok_or(INCONGRUENT)
}

/// A mode begins before the one before it ends.
pub(crate) fn overlap([(stride, extent), (next, _)]: [(i64, i64); 2], room: Number) -> Refusal {
    let error = match next < 0 {
        true => Error::NegativeStride { operation: "complement", stride: next },
        false => Error::Overlap { extent, stride, next },
    };
    Refusal::NoLayout { error, needed: [Condition::Nonnegative(room)].into() }
}
