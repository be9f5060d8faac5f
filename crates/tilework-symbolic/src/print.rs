//! From symbolic values to text; what is printed parses back to the same value in the same scope.

use crate::declarations::{Declarations, Quotient};
use crate::guard::{Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::number::{Monomial, Number, Variable};
use crate::tuple::Part;
use alloc::string::{String, ToString};
use core::fmt::{self, Display, Write};

/// What a function writes.
pub(crate) struct Written<F>(pub F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for Written<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

impl Display for SymbolicLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.declared().write_layout(self.as_tuple().part(), f)
    }
}

impl Declarations {
    /// A number as text: `M*K`, `ceil(M/128)`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let number = scope.number("2*(M + 3)*K - ld/4")?;
    /// assert_eq!(scope.number_text(&number), "2*M*K + 6*K - ld/4");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn number_text(&self, number: &Number) -> String {
        Written(|f: &mut fmt::Formatter<'_>| self.write_number(number, " ", f)).to_string()
    }

    /// The stride of a leaf as text: `ld@1`, `(1@0+ld@1)`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let strides = scope.strides("((ld + 1)@0,ld/2@1)")?;
    /// assert_eq!(scope.stride_text(&strides.leaves()[0]), "(ld+1)@0");
    /// assert_eq!(scope.stride_text(&strides.leaves()[1]), "(ld/2)@1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn stride_text(&self, leaf: &SymbolicLeaf) -> String {
        Written(|f: &mut fmt::Formatter<'_>| self.write_stride(leaf, f)).to_string()
    }

    pub(crate) fn write_layout(&self, part: Part<'_, SymbolicLeaf>, f: &mut impl Write) -> fmt::Result {
        self.write_part(part, &|leaf, f| self.write_number(&leaf.extent, "", f), f)?;
        f.write_char(':')?;
        self.write_part(part, &|leaf, f| self.write_stride(leaf, f), f)
    }

    /// The recursion depth is that of the tuple.
    fn write_part<T: Clone, W: Write>(
        &self,
        part: Part<'_, T>,
        leaf: &impl Fn(&T, &mut W) -> fmt::Result,
        f: &mut W,
    ) -> fmt::Result {
        if part.is_leaf() {
            return leaf(&part.leaves()[0], f);
        }
        f.write_char('(')?;
        for (index, mode) in part.modes().enumerate() {
            f.write_str(if index > 0 { "," } else { "" })?;
            self.write_part(mode, leaf, f)?;
        }
        f.write_char(')')
    }

    fn write_stride(&self, leaf: &SymbolicLeaf, f: &mut impl Write) -> fmt::Result {
        let [open, close] = if leaf.rest.is_empty() { ["", ""] } else { ["(", ")"] };
        f.write_str(open)?;
        for (place, (count, unit)) in leaf.terms().enumerate() {
            let several = unit.depth() > 0 && (count.terms().len() > 1 || count.denominator > 1);
            let minus = !several && count.terms().first().is_some_and(|first| first.coefficient < 0);
            f.write_str(if place > 0 && !minus { "+" } else { "" })?;
            f.write_str(if unit.is_xor() { "^" } else { "" })?;
            let [open, close] = if several { ["(", ")"] } else { ["", ""] };
            f.write_str(open)?;
            self.write_number(count, "", f)?;
            f.write_str(close)?;
            let levels = if count.is_zero() { 0 } else { unit.depth() };
            (0..levels).rev().try_for_each(|level| write!(f, "@{}", unit.index(level)))?;
        }
        f.write_str(close)
    }

    /// A guard as text, `always` for none.
    ///
    /// ```
    /// use tilework_symbolic::{Guard, Scope};
    /// assert_eq!(Scope::new().guard_text(&Guard::ALWAYS), "always");
    /// ```
    #[must_use]
    pub fn guard_text(&self, guard: &Guard) -> String {
        let mut text = String::new();
        if guard.is_always() {
            text.push_str("always");
        }
        for (place, clause) in guard.clauses().iter().enumerate() {
            text.push_str(if place > 0 { " and " } else { "" });
            let several = clause.len() > 1 && guard.clauses().len() > 1;
            text.push_str(if several { "(" } else { "" });
            self.push_clause(clause, &mut text);
            text.push_str(if several { ")" } else { "" });
        }
        text
    }

    fn push_clause(&self, clause: &[alloc::vec::Vec<Condition>], text: &mut String) {
        for (place, alternative) in clause.iter().enumerate() {
            text.push_str(if place > 0 { " or " } else { "" });
            let several = alternative.len() > 1;
            text.push_str(if several { "(" } else { "" });
            for (place, condition) in alternative.iter().enumerate() {
                text.push_str(if place > 0 { " & " } else { "" });
                let _ = self.write_condition(condition, text);
            }
            text.push_str(if several { ")" } else { "" });
        }
    }

    /// A condition as text: `M % 128 == 0`.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(2,N):(1,4)")?, scope.layout("2*N:1")?);
    /// let Verdict::When(guard) = scope.equivalent(&a, &b)? else { panic!() };
    /// assert_eq!(scope.condition_text(&guard.clauses()[0][0][0]), "N <= 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn condition_text(&self, condition: &Condition) -> String {
        let mut text = String::new();
        let _ = self.write_condition(condition, &mut text);
        text
    }

    fn write_condition(&self, condition: &Condition, f: &mut impl Write) -> fmt::Result {
        match condition {
            Condition::Nonnegative(p) => self.write_comparison(p, [" >= ", " <= "], f),
            Condition::Zero(p) => self.write_comparison(p, [" == ", " == "], f),
            Condition::Integer(p) => {
                self.write_operand(&p.numerator(), f)?;
                write!(f, " % {} == 0", p.denominator)
            }
            Condition::Divides(divisor, p) => {
                self.write_operand(p, f)?;
                f.write_str(" % ")?;
                self.write_operand(divisor, f)?;
                f.write_str(" == 0")
            }
        }
    }

    fn write_comparison(&self, p: &Number, signs: [&str; 2], f: &mut impl Write) -> fmt::Result {
        let ([left, right], swapped) = compared(p);
        self.write_number(&left, " ", f)?;
        f.write_str(signs[swapped as usize])?;
        self.write_number(&right, " ", f)
    }

    /// A number as an operand: without parentheses if it is one number or name.
    fn write_operand(&self, p: &Number, f: &mut impl Write) -> fmt::Result {
        let bare = p.alone().is_some() || p.as_integer().is_some_and(|value| value >= 0);
        if bare {
            return self.write_number(p, "", f);
        }
        f.write_char('(')?;
        self.write_number(p, "", f)?;
        f.write_char(')')
    }

    /// The terms, with `space` around the signs between them.
    pub(crate) fn write_number(&self, p: &Number, space: &str, f: &mut impl Write) -> fmt::Result {
        if p.is_zero() {
            return f.write_char('0');
        }
        for (place, term) in p.each().enumerate() {
            let (first, denominator) = (&term.terms()[0], term.denominator);
            let negative = first.coefficient < 0;
            match place {
                0 if negative => f.write_char('-')?,
                0 => {}
                _ => write!(f, "{space}{}{space}", if negative { '-' } else { '+' })?,
            }
            self.write_term(first.coefficient.unsigned_abs(), &first.monomial, f)?;
            if denominator != 1 {
                write!(f, "/{denominator}")?;
            }
        }
        Ok(())
    }

    fn write_term(&self, count: u64, monomial: &Monomial, f: &mut impl Write) -> fmt::Result {
        let counted = count != 1 || monomial.is_one();
        if counted {
            write!(f, "{count}")?;
        }
        for (place, &variable) in monomial.factors().iter().enumerate() {
            f.write_str(if counted || place > 0 { "*" } else { "" })?;
            self.write_variable(variable, f)?;
        }
        Ok(())
    }

    fn write_variable(&self, variable: Variable, f: &mut impl Write) -> fmt::Result {
        if let Some(name) = variable.as_name().and_then(|name| self.names.get(name)) {
            return f.write_str(name);
        }
        let quotient = variable.as_quotient().and_then(|index| self.quotients.get(index));
        let Some(Quotient { numerator, denominator }) = quotient else { return f.write_char('?') };
        // ceil(p/q) is floor((p + q - 1)/q), and used if that is shorter.
        let ceil = numerator.sub(denominator).and_then(|less| less.plus(1));
        let ceil = ceil.ok().filter(|ceil| ceil.terms().len() < numerator.terms().len());
        f.write_str(if ceil.is_some() { "ceil(" } else { "floor(" })?;
        self.write_operand(ceil.as_ref().unwrap_or(numerator), f)?;
        f.write_char('/')?;
        self.write_operand(denominator, f)?;
        f.write_char(')')
    }
}

/// The two sides of a comparison with 0, the positive terms and the negative ones, and whether they changed sides: a
/// single name is on the left (of two, the later one), otherwise the side with the first term.
pub(crate) fn compared(p: &Number) -> ([Number; 2], bool) {
    let [above, below] = [p.side(false), p.side(true)];
    let swapped = match (above.alone(), below.alone()) {
        (Some(a), Some(b)) => b > a,
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (None, None) => p.terms().first().is_some_and(|first| first.coefficient < 0),
    };
    (if swapped { [below, above] } else { [above, below] }, swapped)
}
