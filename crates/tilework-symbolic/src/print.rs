//! From symbolic values to text; what is printed parses back to the same value in the same scope.

use crate::guard::{Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::polynomial::{MAX_NAMES, Monomial, Polynomial};
use crate::pool::Number;
use crate::scope::Scope;
use tilework::__private::Part;
use tilework::Text;

impl Scope {
    /// A number as text: `M*K`, `ceil(M/128)`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let number = scope.number("2*(M + 3)*K - ld/4")?;
    /// assert_eq!(scope.number_text(number).as_str(), "2*M*K + 6*K - ld/4");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn number_text(&self, number: Number) -> Text {
        let mut text = Text::new();
        self.push_polynomial(&self.polynomial(number), " ", &mut text);
        text
    }

    /// A layout as text, `(M,K):(1,ld)`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("((M,4),K):((1@0,M@0),(K + 8)@1)")?;
    /// assert_eq!(scope.layout_text(&layout).as_str(), "((M,4),K):((1@0,M@0),(K+8)@1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn layout_text(&self, layout: &SymbolicLayout) -> Text {
        let mut text = Text::new();
        self.push_layout(layout, &mut text);
        text
    }

    pub(crate) const fn push_layout(&self, layout: &SymbolicLayout, text: &mut Text) {
        self.push_layout_part(Part::whole(layout.as_tuple()), text);
    }

    pub(crate) const fn push_layout_part(&self, part: Part<'_, SymbolicLeaf>, text: &mut Text) {
        self.push_part(part, false, text);
        text.push_ascii(b':');
        self.push_part(part, true, text);
    }

    /// The extents or the strides; the recursion depth is that of the tuple.
    const fn push_part(&self, part: Part<'_, SymbolicLeaf>, strides: bool, text: &mut Text) {
        if part.is_leaf() {
            let SymbolicLeaf { extent, stride, unit } = part.leaves()[0];
            if !strides {
                return self.push_polynomial(&self.polynomial(extent), "", text);
            }
            if unit.is_xor() {
                text.push_ascii(b'^');
            }
            let stride = self.polynomial(stride);
            let depth = unit.depth();
            if depth > 0 && stride.terms().len() > 1 {
                text.push_ascii(b'(');
                self.push_polynomial(&stride, "", text);
                text.push_ascii(b')');
            } else {
                self.push_polynomial(&stride, "", text);
            }
            let mut level = depth;
            while level > 0 && !stride.is_zero() {
                level -= 1;
                text.push_ascii(b'@').push_int(unit.index(level) as i64);
            }
            return;
        }
        text.push_ascii(b'(');
        let mut i = 0;
        while i < part.rank() {
            if i > 0 {
                text.push_ascii(b',');
            }
            if let Ok(mode) = part.mode(i) {
                self.push_part(mode, strides, text);
            }
            i += 1;
        }
        text.push_ascii(b')');
    }

    /// A guard as text, `always` for none.
    ///
    /// ```
    /// use tilework_symbolic::{Guard, Scope};
    /// assert_eq!(Scope::new().guard_text(&Guard::ALWAYS).as_str(), "always");
    /// ```
    #[must_use]
    pub const fn guard_text(&self, guard: &Guard) -> Text {
        let mut text = Text::new();
        self.push_guard(guard, &mut text);
        text
    }

    pub(crate) const fn push_guard(&self, guard: &Guard, text: &mut Text) {
        if guard.is_always() {
            text.push("always");
        }
        let mut first = 0;
        while first < guard.len() {
            let end = guard.clause_end(first);
            if first > 0 {
                text.push(" and ");
            }
            let alternatives = guard.get(end - 1).2 != guard.get(first).2;
            let several = alternatives && (first > 0 || end < guard.len());
            if several {
                text.push_ascii(b'(');
            }
            self.push_clause(guard, first, end, text);
            if several {
                text.push_ascii(b')');
            }
            first = end;
        }
    }

    const fn push_clause(&self, guard: &Guard, first: usize, end: usize, text: &mut Text) {
        let mut i = first;
        while i < end {
            let (_, _, alternative) = guard.get(i);
            let (begin, mut last) = (i, i + 1);
            while last < end && guard.get(last).2 == alternative {
                last += 1;
            }
            if begin > first {
                text.push(" or ");
            }
            if last > begin + 1 {
                text.push_ascii(b'(');
            }
            while i < last {
                if i > begin {
                    text.push(" & ");
                }
                self.push_condition(guard.get(i).0, text);
                i += 1;
            }
            if last > begin + 1 {
                text.push_ascii(b')');
            }
        }
    }

    /// A condition as text: `M % 128 == 0`.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(2,N):(1,4)")?, scope.layout("2*N:1")?);
    /// let Verdict::When(guard) = scope.equivalent(&a, &b)? else { panic!() };
    /// let (condition, clause, alternative) = guard.conditions().next().unwrap();
    /// assert_eq!((scope.condition_text(condition).as_str(), clause, alternative), ("N <= 1", 0, 0));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn condition_text(&self, condition: Condition) -> Text {
        let mut text = Text::new();
        self.push_condition(condition, &mut text);
        text
    }

    const fn push_condition(&self, condition: Condition, text: &mut Text) {
        match condition {
            Condition::Nonnegative(number) => {
                self.push_comparison(&self.polynomial(number), [" >= ", " <= "], text)
            }
            Condition::Zero(number) => self.push_comparison(&self.polynomial(number), [" == ", " == "], text),
            Condition::Integer(number) => {
                let p = self.polynomial(number);
                self.push_operand(&Polynomial::of(1, p.terms()), text);
                text.push(" % ").push_int(p.denominator).push(" == 0");
            }
            Condition::Divides(divisor, number) => {
                self.push_operand(&self.polynomial(number), text);
                text.push(" % ");
                self.push_operand(&self.polynomial(divisor), text);
                text.push(" == 0");
            }
        }
    }

    const fn push_comparison(&self, p: &Polynomial, signs: [&str; 2], text: &mut Text) {
        let ([left, right], swapped) = compared(p);
        self.push_polynomial(&left, " ", text);
        text.push(signs[swapped as usize]);
        self.push_polynomial(&right, " ", text);
    }

    /// A polynomial as an operand: without parentheses if it is one number or name.
    const fn push_operand(&self, p: &Polynomial, text: &mut Text) {
        let terms = p.terms();
        let bare = p.denominator == 1
            && (terms.is_empty()
                || terms.len() == 1
                    && (terms[0].monomial.is_one() && terms[0].coefficient > 0
                        || terms[0].coefficient == 1 && terms[0].monomial.degree() == 1));
        if !bare {
            text.push_ascii(b'(');
        }
        self.push_polynomial(p, "", text);
        if !bare {
            text.push_ascii(b')');
        }
    }

    /// The terms, with `space` around the signs between them.
    pub(crate) const fn push_polynomial(&self, p: &Polynomial, space: &str, text: &mut Text) {
        if p.is_zero() {
            text.push_ascii(b'0');
        }
        let mut i = 0;
        while i < p.terms().len() {
            let term = p.term(i);
            let coefficient = term.terms()[0].coefficient;
            if i > 0 {
                text.push(space).push(if coefficient < 0 { "-" } else { "+" }).push(space);
            } else if coefficient < 0 {
                text.push_ascii(b'-');
            }
            self.push_term(coefficient.unsigned_abs(), term.terms()[0].monomial, text);
            if term.denominator != 1 {
                text.push_ascii(b'/').push_int(term.denominator);
            }
            i += 1;
        }
    }

    const fn push_term(&self, count: u64, monomial: Monomial, text: &mut Text) {
        let mut product = false;
        if count != 1 || monomial.is_one() {
            // Its sign has been written.
            if count > i64::MAX as u64 {
                text.push("9223372036854775808");
            } else {
                text.push_int(count as i64);
            }
            product = true;
        }
        let mut rest = monomial;
        while let Some(v) = rest.first() {
            let mut k = rest.exponent(v);
            while k > 0 {
                if product {
                    text.push_ascii(b'*');
                }
                self.push_variable(v, text);
                product = true;
                k -= 1;
            }
            rest = rest.without(v);
        }
    }

    const fn push_variable(&self, v: usize, text: &mut Text) {
        if v < MAX_NAMES {
            if let Ok(name) = core::str::from_utf8(self.name_bytes(v)) {
                text.push(name);
            }
            return;
        }
        let quotient = self.quotients.as_slice()[v - MAX_NAMES];
        let (numerator, denominator) =
            (self.polynomial(quotient.numerator), self.polynomial(quotient.denominator));
        // ceil(p/q) is floor((p + q - 1)/q), and used if that is shorter.
        let (mut top, mut word) = (numerator, "floor(");
        if let Ok(less) = numerator.sub(&denominator)
            && let Ok(ceil) = less.plus(1)
            && ceil.terms().len() < top.terms().len()
        {
            (top, word) = (ceil, "ceil(");
        }
        text.push(word);
        self.push_operand(&top, text);
        text.push_ascii(b'/');
        self.push_operand(&denominator, text);
        text.push_ascii(b')');
    }
}

/// The two sides of a comparison with 0, the positive terms and the negative ones, and whether they changed sides: a
/// single name is on the left (of two, the later one), otherwise the side with the first term.
pub(crate) const fn compared(p: &Polynomial) -> ([Polynomial; 2], bool) {
    let [above, below] = [side_of(p, 1), side_of(p, -1)];
    let swapped = match (name_alone(&above), name_alone(&below)) {
        (Some(a), Some(b)) => b > a,
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (None, None) => !p.is_zero() && p.terms()[0].coefficient < 0,
    };
    (if swapped { [below, above] } else { [above, below] }, swapped)
}

/// The terms with this sign, made positive.
pub(crate) const fn side_of(p: &Polynomial, sign: i64) -> Polynomial {
    let (mut side, mut i) = (Polynomial::ZERO, 0);
    while i < p.terms().len() {
        if (p.terms()[i].coefficient < 0) == (sign < 0)
            && let Ok(term) = p.term(i).scale(sign, 1)
            && let Ok(sum) = side.add(&term)
        {
            side = sum;
        }
        i += 1;
    }
    side
}

/// The name, if this is one.
pub(crate) const fn name_alone(p: &Polynomial) -> Option<usize> {
    let terms = p.terms();
    if p.denominator == 1 && terms.len() == 1 && terms[0].coefficient == 1 && terms[0].monomial.degree() == 1
    {
        terms[0].monomial.first()
    } else {
        None
    }
}
