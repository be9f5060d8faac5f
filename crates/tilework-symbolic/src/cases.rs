//! A piecewise answer: an operation at several witnesses.

use crate::answer::{Answer, Refusal};
use crate::scope::Scope;
use crate::values::Values;

impl Scope {
    /// Runs an operation at each of the witnesses that no earlier guard admits; returns the number of answers. Together
    /// they are one function of the names by cases, in the order of the witnesses. Witnesses without a layout are
    /// skipped.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (matrix, tile) = (scope.layout("(M,K):(1,ld)")?, scope.layout("128:1")?);
    /// scope.assume("ld >= M")?;
    /// let witnesses = [scope.values(&[])?, scope.values(&[("M", 256)])?, scope.values(&[("M", 64)])?];
    /// let mut pieces = [None; 3];
    /// let count = scope.cases(&witnesses, &mut pieces, |scope| scope.composition(&matrix, &tile));
    /// let texts: Vec<_> = pieces[..count].iter().flatten().map(|piece| scope.answer_text(piece).to_string()).collect();
    /// assert_eq!(texts, ["128:1 if ld == M or M >= 128", "(M,floor(128/M)):(1,ld) if 128 % M == 0"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn cases(
        &mut self,
        witnesses: &[Values],
        pieces: &mut [Option<Answer>],
        mut operation: impl FnMut(&mut Scope) -> Result<Answer, Refusal>,
    ) -> usize {
        let (hints, mut count) = (self.hints, 0);
        for witness in witnesses {
            let admitted = |piece: &Option<Answer>| {
                piece.is_some_and(|piece| matches!(self.holds(&piece.guard, witness), Ok(true)))
            };
            if count == pieces.len() || pieces[..count].iter().any(admitted) {
                continue;
            }
            self.hint_all(witness);
            if let Ok(answer) = operation(self) {
                pieces[count] = Some(answer);
                count += 1;
            }
        }
        self.hints = hints;
        count
    }
}
