//! A piecewise answer: an operation at several witnesses.

use crate::answer::{Answer, Refusal};
use crate::scope::Scope;
use crate::values::Values;
use alloc::vec::Vec;

impl Scope {
    /// Runs an operation at each of the witnesses that no earlier guard admits; returns the answers. Together they
    /// are one function of the names by cases, in the order of the witnesses. Witnesses without a layout are
    /// skipped.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (matrix, tile) = (scope.layout("(M,K):(1,ld)")?, scope.layout("128:1")?);
    /// scope.assume("ld >= M")?;
    /// let witnesses = [scope.values(&[])?, scope.values(&[("M", 256)])?, scope.values(&[("M", 64)])?];
    /// let pieces = scope.cases(&witnesses, |scope| scope.composition(&matrix, &tile));
    /// let texts: Vec<_> = pieces.iter().map(ToString::to_string).collect();
    /// assert_eq!(texts, ["128:1 if ld == M or M >= 128", "(M,floor(128/M)):(1,ld) if 128 % M == 0"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn cases(
        &mut self,
        witnesses: &[Values],
        mut operation: impl FnMut(&mut Scope) -> Result<Answer, Refusal>,
    ) -> Vec<Answer> {
        let (hints, mut pieces) = (self.hints.clone(), Vec::<Answer>::new());
        for witness in witnesses {
            if pieces.iter().any(|piece| self.holds(&piece.guard, witness) == Ok(true)) {
                continue;
            }
            self.hint_all(witness);
            pieces.extend(operation(self));
        }
        self.hints = hints;
        pieces
    }
}
