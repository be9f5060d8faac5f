//! Loops over the coordinates of a layout, with the offset advanced by additions.
//!
//! A step of the loop over mode `k` advances by `d_k`: the inner loops advance by `s_(k-1) d_(k-1)`, and the rest is
//! `e_k = d_k - s_(k-1) d_(k-1)`. If that is 0, as between the modes of a compact layout, nothing is written.

use super::plan::{Plan, advance};
use super::source::{Emitted, Language, Source};
use super::write::Writer;
use crate::layout::SymbolicLeaf;
use crate::number::{Number, Variable};
use crate::placed::Placed;
use crate::scope::Scope;
use tilework::Error;

/// The name of the variable with the offset.
const OFFSET: &str = "offset";

impl Scope {
    /// Loops over the coordinates, the first mode innermost, around a line that uses the variable `offset`. There is a
    /// name for each leaf, and no division.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope, Source};
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,K):(1,ld)")?;
    /// scope.assume("ld >= M")?;
    /// let emitted = scope.loop_nest(&layout, "y[offset] += 1;", &Source::new(Language::C, &["i", "j"]))?;
    /// assert_eq!(emitted.text.as_str(), "\
    /// // (M,K):(1,ld) where ld >= M
    /// uint64_t offset = 0;
    /// for (uint64_t j = 0; j < K; ++j) {
    ///     for (uint64_t i = 0; i < M; ++i) {
    ///         y[offset] += 1;
    ///         offset += 1;
    ///     }
    ///     offset += ld - M;
    /// }
    /// ");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides that are not integers, [`Error::Rank`] for a wrong count of names,
    /// [`Error::Fact`] for a text that is not a single line, and for a swizzle; those of
    /// [`index_expression`](Self::index_expression).
    pub fn loop_nest(
        &self,
        layout: impl Into<Placed>,
        line: &str,
        source: &Source<'_>,
    ) -> Result<Emitted, Error> {
        if line.contains(['\n', '\r']) {
            return Err(Error::Fact { reason: "the body of a loop is one line" });
        }
        if line.trim_matches(' ').is_empty() {
            return Err(Error::Fact { reason: "the body of the loop is empty" });
        }
        let placed = layout.into();
        if placed.swizzle().bits() > 0 {
            return Err(Error::Fact { reason: "a swizzled offset does not advance by additions" });
        }
        if source.coordinate.contains(&OFFSET) || self.find(OFFSET).is_some() {
            return Err(Error::Fact { reason: "`offset` is the name of the offset" });
        }
        let plan = self.plan_of_loops(&placed, source)?;
        let facts =
            self.facts_about(plan.variables.iter().filter_map(|variable: &Variable| variable.as_name()))?;
        let mut writer = Writer::new(self, source, &plan);
        writer.push_comment(&placed, &facts, &plan.guard);
        writer.push_loops(placed.layout().leaves(), line, &plan);
        writer.emitted(&plan)
    }
}

impl Writer<'_> {
    fn push_loops(&mut self, leaves: &[SymbolicLeaf], line: &str, plan: &Plan) {
        let (language, integer) = (self.language, plan.integer);
        match language {
            Language::C | Language::Cuda => self.text.push(integer).push(" offset = "),
            Language::Rust => self.text.push("let mut offset: ").push(integer).push(" = "),
            Language::Python => self.text.push("offset = "),
            Language::Wgsl => self.text.push("var offset: ").push(integer).push(" = "),
        };
        self.push_number_of(&plan.offset);
        self.push_end();
        for (depth, (k, leaf)) in leaves.iter().enumerate().rev().enumerate() {
            self.push_indent(depth);
            self.push_loop(self.coordinate[k], &leaf.extent, integer);
        }
        self.push_indent(leaves.len());
        self.text.push(line).push("\n");
        for k in 0..leaves.len() {
            let depth = leaves.len() - k;
            // An overflow was refused when the plan was made.
            if let Ok(step) = advance(leaves, k) {
                self.push_step(&step, depth);
            }
            if language != Language::Python {
                self.push_indent(depth - 1);
                self.text.push("}\n");
            }
        }
    }

    fn push_loop(&mut self, name: &str, extent: &Number, integer: &str) {
        match self.language {
            Language::C | Language::Cuda => {
                self.text.push("for (").push(integer).push(" ").push(name).push(" = 0; ");
                self.text.push(name).push(" < ");
                self.push_number_of(extent);
                self.text.push("; ++").push(name).push(") {\n");
            }
            Language::Rust => {
                self.text.push("for ").push(name).push(" in 0..");
                self.push_operand(extent);
                self.text.push(" {\n");
            }
            Language::Python => {
                self.text.push("for ").push(name).push(" in range(");
                self.push_number_of(extent);
                self.text.push("):\n");
            }
            Language::Wgsl => {
                self.text.push("for (var ").push(name).push(": ").push(integer).push(" = 0; ");
                self.text.push(name).push(" < ");
                self.push_number_of(extent);
                self.text.push("; ").push(name).push("++) {\n");
            }
        }
    }

    fn push_step(&mut self, step: &Number, depth: usize) {
        if step.is_zero() {
            return;
        }
        let negative = step.side(false).is_zero();
        self.push_indent(depth);
        self.text.push(if negative { "offset -= " } else { "offset += " });
        match negative {
            true => self.push_number_of(&step.side(true)),
            false => self.push_number_of(step),
        }
        self.push_end();
    }

    fn push_indent(&mut self, depth: usize) {
        (0..depth).for_each(|_| {
            self.text.push("    ");
        });
    }
}
