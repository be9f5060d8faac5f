//! Recast: the same bytes as elements of another width.
//!
//! Strides that are multiples of the wider elements for the values of the guard are divided; modes of numbers, which are not, are
//! those of the static operation, because multiples only repeat what these touch.

use crate::answer::{Answer, Refusal, undecided};
use crate::bounds::need_integral;
use crate::guard::{Clause, Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::Tuple;
use alloc::vec::Vec;
use tilework::{Error, HTuple, Layout, Leaf, Rational, layout};

const NAME: &str = "recast with names";

impl Scope {
    /// The layout for elements of `new_bits`, given this one for elements of `old_bits`: that of
    /// [`Layout::recast`](tilework::Layout::recast).
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// assert_eq!(scope.recast(&matrix, 8, 32).unwrap().to_string(), "(ceil(M/4),K):(1,ld/4) if ld % 4 == 0");
    /// assert_eq!(scope.recast(&matrix, 32, 8).unwrap().to_string(), "(4*M,K):(1,4*ld) if ld >= 2 or K <= 1 or M >= 2");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] for a stride that is no multiple of the wider elements for any values; [`Error::Divisibility`] for a number
    /// that is none, beside a mode whose extent has a name; [`Error::Argument`] if no mode has stride 1 for all values and elements
    /// become narrower, and for widths below 1; [`Error::Codomain`] for strides of coordinates and XOR strides; those of
    /// [`Layout::recast`](tilework::Layout::recast).
    pub fn recast(
        &mut self,
        layout: &SymbolicLayout,
        old_bits: i64,
        new_bits: i64,
    ) -> Result<Answer, Refusal> {
        self.check(layout)?;
        if let Some(layout) = layout.as_constant() {
            return self.constant_answer(layout.recast(old_bits, new_bits));
        }
        need_integral(layout.leaves())?;
        // Refuses the same widths.
        layout!(1:0).recast(old_bits, new_bits)?;
        let ratio = Rational::new(old_bits, new_bits)?;
        let (mut leaves, mut guard) = (layout.leaves().to_vec(), Guard::ALWAYS);
        if ratio.numerator() > 1 {
            self.downcast(&mut leaves, ratio.numerator(), &mut guard)?;
        }
        if ratio.denominator() > 1 {
            self.upcast(&mut leaves, ratio.denominator(), &mut guard)?;
        }
        let layout = self.own(Tuple::with_profile(layout.profile(), leaves)?);
        Ok(Answer { layout, guard: self.tidy(&guard) })
    }

    /// Splits the mode of stride 1, which for the values of the guard is the one that the static operation splits.
    fn downcast(&self, leaves: &mut [SymbolicLeaf], count: i64, guard: &mut Guard) -> Result<(), Refusal> {
        let is_one =
            |leaf: &SymbolicLeaf| leaf.stride.plus(-1).map(|less| self.is_zero(&less)) == Ok(Some(true));
        let expected = "a mode of stride 1 for all values to split";
        let split = leaves.iter().position(is_one);
        let split = split.ok_or(Error::Argument { operation: NAME, expected, found: 0 })?;
        let moves = leaves[split].extent.plus(-2)?;
        for (index, SymbolicLeaf { extent, stride, .. }) in leaves.iter_mut().enumerate() {
            if index == split {
                *extent = extent.scale(count, 1)?;
                continue;
            }
            let (mut clause, still) = (Clause::new(), extent.negated()?.plus(1)?);
            clause.nonnegative(self, &stride.plus(-2)?)?.or().nonnegative(self, &stride.negated()?)?;
            clause.or().nonnegative(self, &still)?;
            if index > split {
                clause.or();
            }
            clause.nonnegative(self, &moves)?.require(guard).map_err(|_| undecided(NAME))?;
            *stride = stride.scale(count, 1)?;
        }
        Ok(())
    }

    fn upcast(&mut self, leaves: &mut [SymbolicLeaf], count: i64, guard: &mut Guard) -> Result<(), Refusal> {
        let mut uneven: Vec<&mut SymbolicLeaf> = Vec::new();
        for leaf in leaves {
            let quotient = leaf.stride.scale(1, count)?;
            if leaf.stride.is_constant() && quotient.as_integer().is_none() {
                uneven.push(leaf);
                continue;
            }
            Clause::new().integer(self, &quotient)?.require(guard).map_err(|_| Refusal::NoLayout {
                error: Error::Divisibility { operation: NAME, value: 1, divisor: count },
                needed: [Condition::Integer(quotient.clone())].into(),
            })?;
            leaf.stride = quotient;
        }
        let number = |number: &Number| number.as_integer();
        let numbers: Option<Vec<Leaf>> =
            uneven.iter().map(|leaf| Some(Leaf::new(number(&leaf.extent)?, number(&leaf.stride)?))).collect();
        match (numbers, &mut uneven[..]) {
            (_, []) => {}
            (Some(numbers), _) => {
                let mut flat = HTuple::builder(Leaf::UNUSED);
                flat.open(numbers.len())?;
                numbers.into_iter().try_for_each(|leaf| flat.push(leaf))?;
                for (leaf, wide) in uneven.into_iter().zip(Layout::new(flat)?.upcast(count)?.leaves()) {
                    *leaf = SymbolicLeaf::new(wide.extent, wide.stride.count().numerator());
                }
            }
            (None, [leaf]) if number(&leaf.stride).is_some_and(|stride| 0 < stride && stride < count) => {
                let reach = leaf.extent.plus(-1)?.mul(&leaf.stride)?;
                let extent = self.floor(&reach.plus(count)?, &count.into())?;
                **leaf = SymbolicLeaf::new(extent, 1);
            }
            (None, [.., leaf]) => {
                let value = number(&leaf.stride).unwrap_or_default();
                return Err(Error::Divisibility { operation: NAME, value, divisor: count }.into());
            }
        }
        Ok(())
    }
}
