//! Why a search answers as it does, access by access and candidate by candidate.

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

/// What an answer of [`search`](super::search) rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The first phase of each access: under the answer, or where there is none in the tile as it is.
    pub phases: Vec<Result<PhaseReport, Refused>>,
    /// The candidates that are no answer, in the order of the search. None for [`Form::Xor`], whose choices are ruled out
    /// many at once.
    pub ruled_out: Vec<RuledOut>,
    /// Where there is no answer: accesses for which there is none either, and would be without any one of them. Empty
    /// where there is one, and where the budget ended.
    pub core: Vec<usize>,
}

/// The answer of [`search`](super::search), and what it rests on.
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
///     "128 wavefronts instead of 32; phase 0: lanes 0,2,4,6 meet in bank 0 with 4 words",
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

/// Leaves out one access after another while there is still no answer.
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
