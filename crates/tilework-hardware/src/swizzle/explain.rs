//! The reasons of a search's answer, access by access and candidate by candidate.

use super::certificate::Certificate;
use super::impossible::Impossible;
use super::ruled_out::RuledOut;
use super::search::{Form, answer, search};
use super::trial::Trial;
use crate::access::{Access, PhaseReport};
use crate::memory::Banks;
use crate::refused::Refused;
use alloc::vec::Vec;
use tilework::{Composed, Layout, Swizzle};

/// The reasons of an answer of [`search`](super::search).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The first phase of each access: with the answer, or, if there is none, in the tile as it is.
    pub phases: Vec<Result<PhaseReport, Refused>>,
    /// The candidates that were ruled out, in the order of the search. Empty for [`Form::Xor`], which rules out many
    /// choices at once.
    pub ruled_out: Vec<RuledOut>,
    /// If there is no answer: a smallest set of accesses that has none, although it would without any one of them.
    /// Empty if there is an answer, or the budget ended.
    pub core: Vec<usize>,
}

/// The answer of [`search`](super::search), and its reasons.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::access::Access;
/// use tilework_hardware::memory::Banks;
/// use tilework_hardware::swizzle::{Form, explain};
/// const TILE: tilework::Layout = layout!((64,32):(32,1));
/// let accesses = [(Banks::NVIDIA, Access::ldmatrix(&TILE, 16)?)];
/// let (certificate, explanation) = explain(&TILE, &accesses, Form::Sw);
/// assert_eq!(certificate?.data().swizzle().to_string(), "Sw<2,3,3>");
/// // The words of eight lanes, and their banks, have equal ranks: each bank gives one word.
/// let [words, banks] = explanation.phases[0].as_ref().unwrap().bases.as_ref().unwrap();
/// assert_eq!((&words[..], &banks[..]), (&[1, 2, 16, 36, 72][..], &[1, 2, 4, 8, 16][..]));
/// // Without a swizzle four lanes meet.
/// let first = explanation.ruled_out[0];
/// assert_eq!(first.data.swizzle().bits(), 0);
/// assert_eq!(
///     first.reason.to_string(),
///     "128 wavefronts instead of 32; lanes 0,2,4,6 access 4 words of bank 0",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain<'a>(
    tile: &Layout,
    accesses: &'a [(Banks, Access)],
    form: Form,
) -> (Result<Certificate<'a>, Impossible>, Explanation) {
    let mut trial = Trial::new(tile, accesses);
    trial.ruled_out = Some(Vec::new());
    let found = answer(&mut trial, form);
    let plain = || Composed::new(Swizzle::NONE, 0, *tile);
    let data = found.as_ref().map_or_else(|_| plain(), |certificate| Ok(*certificate.data()));
    let phases = accesses.iter().map(|(banks, access)| banks.first_phase(&data?, access)).collect();
    let core = if is_proof(&found) { core(tile, accesses, form) } else { Vec::new() };
    (found, Explanation { phases, ruled_out: trial.ruled_out.unwrap_or_default(), core })
}

fn is_proof(answer: &Result<Certificate, Impossible>) -> bool {
    !matches!(answer, Ok(_) | Err(Impossible::Undecided { .. }))
}

/// Removes accesses, one by one, as long as there is no answer.
fn core(tile: &Layout, accesses: &[(Banks, Access)], form: Form) -> Vec<usize> {
    let mut core: Vec<usize> = (0..accesses.len()).collect();
    for access in 0..accesses.len() {
        let rest: Vec<usize> = core.iter().copied().filter(|&other| other != access).collect();
        let without: Vec<_> = rest.iter().map(|&other| accesses[other]).collect();
        if !rest.is_empty() && is_proof(&search(tile, &without, form)) {
            core = rest;
        }
    }
    core
}
