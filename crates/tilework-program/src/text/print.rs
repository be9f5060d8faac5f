//! Writing a program.

use crate::form::{Digit, Form, Index};
use crate::prelude::*;
use crate::program::{Expr, Kind, Place, Program, Statement, Storage, View, Written};
use core::fmt::{self, Display, Formatter};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let axes: Vec<String> = self.grid.iter().map(|axis| self.scope.number_text(axis)).collect();
        writeln!(f, "kernel {} {} threads, grid ({})", self.name, self.threads, axes.join(","))?;
        for tensor in &self.tensors {
            write!(f, "{} {} {} ", tensor.space.name(), tensor.name, tensor.element)?;
            match &tensor.storage {
                Storage::Global(layout) => writeln!(f, "{layout}")?,
                Storage::Local(layout) => writeln!(f, "{layout}")?,
            }
        }
        for scalar in &self.scalars {
            writeln!(f, "scalar {} {}", scalar.name, scalar.element)?;
        }
        for fact in &self.facts {
            writeln!(f, "assume {fact}")?;
        }
        self.write_body(f, &self.body, 0)
    }
}

impl Program {
    fn write_body(&self, f: &mut Formatter<'_>, body: &[Statement], depth: usize) -> fmt::Result {
        for statement in body {
            writeln!(f, "{:2$}{}", "", self.statement_text(&statement.kind), 2 * depth)?;
            if let Kind::For { body, .. } | Kind::When { body, .. } = &statement.kind {
                self.write_body(f, body, depth + 1)?;
                writeln!(f, "{:1$}}}", "", 2 * depth)?;
            }
        }
        Ok(())
    }

    /// The line on which a statement begins.
    pub(crate) fn statement_text(&self, kind: &Kind) -> String {
        match kind {
            Kind::Each { to, value, by } => {
                let by = by.as_ref().map_or(String::new(), |by| format!(" by {}", by.name()));
                format!("{} = {}{by}", self.view_text(to), self.expr_text(value, 0))
            }
            Kind::For { index, count, until, .. } => {
                let steps = until.as_ref().map(|own| self.form_text(&own.blocks));
                let steps = steps.unwrap_or_else(|| self.scope.number_text(count));
                format!("for {} in {steps} {{", self.loops[*index])
            }
            Kind::When { form, below, .. } => {
                format!("when {} < {} {{", self.form_text(form), self.scope.number_text(below))
            }
            Kind::Barrier => "barrier".to_string(),
            Kind::Commit => "commit".to_string(),
            Kind::Wait(groups) => format!("wait {groups}"),
        }
    }

    /// A view as it is written.
    pub(crate) fn view_text(&self, view: &View) -> String {
        let place_text = |place: &Place| match place {
            Place::Step { digit, step, mode } => format!("{} {step}@{mode}", self.digit_text(digit)),
            Place::Split { index, layout } => format!("{} {layout}", self.index_text(*index)),
            Place::Constant { step, mode } => format!("{step}@{mode}"),
            Place::Gather { view, mode } => format!("{}@{mode}", self.view_text(view)),
        };
        let name = &self.tensor(view).name;
        let places: Vec<String> = view.places.iter().map(place_text).collect();
        let places = if places.is_empty() { String::new() } else { format!("[{}]", places.join(", ")) };
        let outside = view.outside.map_or(String::new(), |outside| format!(" else {outside}"));
        format!("{name}{places}{outside}")
    }

    pub(crate) fn index_text(&self, index: Index) -> String {
        match index {
            Index::Block(axis) => format!("b{axis}"),
            Index::Thread => "t".to_string(),
            Index::Value => "v".to_string(),
            Index::Loop(name) => self.loops[name].clone(),
        }
    }

    fn digit_text(&self, digit: &Digit) -> String {
        let index = self.index_text(digit.index);
        if *digit == Digit::of(digit.index) {
            return index;
        }
        let add = if digit.add == 0 { String::new() } else { format!("+{}", digit.add) };
        let divisor = if digit.divisor == 1 { String::new() } else { format!("/{}", digit.divisor) };
        let modulus = digit.modulus.map_or(String::new(), |modulus| format!("%{modulus}"));
        format!("({index}{add}){divisor}{modulus}")
    }

    pub(crate) fn form_text(&self, form: &Form) -> String {
        let term = |(step, digit): &(i64, Digit)| match step {
            1 => self.digit_text(digit),
            _ => format!("{step}*{}", self.digit_text(digit)),
        };
        let mut terms: Vec<String> = form.terms.iter().map(term).collect();
        if form.constant != 0 || terms.is_empty() {
            terms.push(form.constant.to_string());
        }
        terms.join(" + ")
    }

    /// An expression, in brackets if an operator around it that binds as tightly as `above` needs them.
    fn expr_text(&self, expr: &Expr, above: u8) -> String {
        match expr {
            Expr::View(view) => self.view_text(view),
            Expr::Coordinate(view, mode) => format!("coordinate({}, {mode})", self.view_text(view)),
            Expr::Literal(value) => value.to_string(),
            Expr::Size(name) => name.clone(),
            Expr::Scalar(scalar) => self.scalars[*scalar].name.clone(),
            Expr::Call(function, arguments) => {
                let texts = |binding: &[u8]| -> Vec<String> {
                    arguments.iter().zip(binding).map(|(own, above)| self.expr_text(own, *above)).collect()
                };
                match function.written() {
                    Written::Infix(sign, strength) => {
                        let text = texts(&[strength - 1, strength]).join(&format!(" {sign} "));
                        if strength <= above { format!("({text})") } else { text }
                    }
                    Written::Prefix(sign) => format!("{sign}{}", texts(&[u8::MAX]).join("")),
                    Written::Call(name, count) => format!("{name}({})", texts(&vec![0; count]).join(", ")),
                }
            }
        }
    }
}
