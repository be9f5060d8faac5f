//! The sentences that a check ends with.

use crate::prelude::*;
use core::fmt;
use tilework_symbolic::{Scope, Verdict};

/// How much is known of a sentence of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It is right for all sizes that the program assumes.
    Proved,
    /// It is right for all sizes, and takes more time than it needs: a bank conflict.
    Slow,
    /// Nothing wrong was found at the sizes that were tried.
    Tried,
    /// It is wrong.
    Wrong,
}

impl Certainty {
    /// The word that it is reported with.
    ///
    /// ```
    /// assert_eq!(tilework_program::Certainty::Slow.word(), "slow");
    /// ```
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Certainty::Proved => "proved",
            Certainty::Slow => "slow",
            Certainty::Tried => "tried",
            Certainty::Wrong => "wrong",
        }
    }
}

/// One sentence of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line of the text, none where it is of the whole program.
    pub line: Option<usize>,
    /// How much is known of it.
    pub certainty: Certainty,
    /// The sentence.
    pub text: String,
}

/// What [`Program::check`](crate::Program::check) found.
///
/// ```
/// use tilework_program::Program;
/// let text = "\
/// kernel copy 32 threads, grid (floor(M/32))
/// read A f32 M:1
/// write B f32 M:1
/// B[b0 32@0, t 32:1@0] = A[b0 32@0, t 32:1@0] else 0
/// ";
/// let program: Program = text.parse()?;
/// let report = program.check()?;
/// assert!(!report.is_right());
/// let wrong: Vec<String> = report.faults().map(ToString::to_string).collect();
/// assert_eq!(
///     wrong,
///     ["line 4: B mode 0: (32,floor(M/32)):(1,32): elements are never written unless M <= 32*floor(M/32); at M=1: \
///       B(0) is never written"],
/// );
/// let whole: Program = text.replace("floor", "ceil").parse()?;
/// assert!(whole.check()?.is_proved());
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    /// The sentences, in the order of the lines.
    pub findings: Vec<Finding>,
    conditions: String,
}

impl Report {
    /// Whether nothing wrong was found.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.faults().next().is_none()
    }

    /// Whether everything that was asked is proved for all sizes.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.findings.iter().all(|finding| matches!(finding.certainty, Certainty::Proved | Certainty::Slow))
    }

    /// What is slow.
    pub fn conflicts(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.certainty == Certainty::Slow)
    }

    /// What is wrong.
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.certainty == Certainty::Wrong)
    }

    /// The condition under which the program may be launched, as text.
    #[must_use]
    pub fn conditions(&self) -> &str {
        &self.conditions
    }

    pub(super) fn new(conditions: String) -> Report {
        Report { findings: Vec::new(), conditions }
    }

    pub(super) fn push(&mut self, line: Option<usize>, certainty: Certainty, text: impl Into<String>) {
        self.findings.push(Finding { line, certainty, text: text.into() });
    }
}

/// ` unless M <= 64`: where a condition would make it right.
pub(super) fn unless(scope: &Scope, verdict: &Verdict) -> String {
    let Verdict::When(guard) = verdict else { return String::new() };
    format!(" unless {}", scope.guard_text(guard))
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            let mark = if finding.certainty == Certainty::Wrong { "WRONG" } else { finding.certainty.word() };
            writeln!(f, "{mark:6} {finding}")?;
        }
        write!(f, "launch if {}", self.conditions)
    }
}
