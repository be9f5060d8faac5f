//! What the threads of a block touch: each view of a statement in memory, element by element, for pictures.

use super::banks;
use super::site::{Seen, Site};
use super::widths::sites;
use crate::form::Indices;
use crate::prelude::*;
use crate::program::{Program, Space};
use alloc::collections::BTreeMap;

/// One element that one value of a thread touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The thread in the block.
    pub thread: i64,
    /// The value of the thread.
    pub value: i64,
    /// The element, counted along the modes of [`Touched::extents`], the first fastest.
    pub element: i64,
    /// In shared memory: how many words of the same bank are served before this one in its access. All are 0 where there is
    /// no conflict.
    pub wavefront: usize,
}

/// What a view of a statement touches in memory, in the first block and at the first step of the loops around it.
#[derive(Clone, Debug)]
pub struct Touched {
    /// The line of the statement.
    pub line: usize,
    /// The view, as it is written.
    pub view: String,
    /// Global or shared memory.
    pub space: Space,
    /// Whether it is the destination.
    pub is_written: bool,
    /// By mode: those of a shared tensor, and of a global one what the block reaches.
    pub extents: Vec<i64>,
    /// In the order of threads, and then of values.
    pub touches: Vec<Touch>,
}

impl Program {
    /// What a block touches in global and shared memory, by statement and view.
    ///
    /// ```
    /// use tilework_program::{Program, Touch};
    /// let text = "\
    /// kernel k 32 threads, grid (1)
    /// shared s f32 (32,32):(32,1)
    /// s[t 32:1@0, 5@1] = 0
    /// ";
    /// let touched = text.parse::<Program>()?.touched()?;
    /// let own = &touched[0];
    /// assert_eq!((own.line, &*own.view, &own.extents[..]), (3, "s[t 32:1@0, 5@1]", &[32, 32][..]));
    /// // All 32 threads meet in bank 5, and thread 7 is served after seven others.
    /// assert_eq!(own.touches[7], Touch { thread: 7, value: 0, element: 167, wavefront: 7 });
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where a view reaches further than can be counted.
    pub fn touched(&self) -> Result<Vec<Touched>, Error> {
        let mut found = Vec::new();
        for site in &sites(self)? {
            for seen in site.views.iter().filter(|seen| seen.tensor.space != Space::Registers) {
                found.push(touched(site, seen).map_err(|error| error.at(site.line))?);
            }
        }
        Ok(found)
    }
}

fn touched(site: &Site<'_>, seen: &Seen<'_>) -> Result<Touched, Error> {
    let (program, Seen { view, tensor, is_written, .. }) = (site.program, seen);
    let (access, addresses) = (site.access(view), tensor.local_addresses()?);
    let start = access.start(&Indices { loops: vec![0; program.loops.len()], ..Indices::default() });
    let elements = (site.active * site.values) as usize;
    let mut extents = addresses.as_ref().map_or_else(|| vec![1; access.rank()], |own| own.extents.clone());
    if addresses.is_none() {
        for element in 0..elements {
            for (extent, at) in extents.iter_mut().zip(access.coordinate(&start, element)) {
                *extent = (*extent).max(at.saturating_add(1));
            }
        }
    }
    let too_far = || error!("{}: a block reaches too far", tensor.name);
    let index = |element: usize| -> Option<i64> {
        let coordinate: Vec<i64> = access.coordinate(&start, element).collect();
        let pairs = coordinate.iter().zip(&extents).rev();
        pairs.into_iter().try_fold(0i64, |sum, (at, extent)| sum.checked_mul(*extent)?.checked_add(*at))
    };
    let mut touches = Vec::with_capacity(elements);
    for element in 0..elements {
        let (thread, value) = (element as i64 / site.values, element as i64 % site.values);
        let element = index(element).ok_or_else(too_far)?;
        touches.push(Touch { thread, value, element, wavefront: 0 });
    }
    if let Some(addresses) = &addresses {
        let bytes = tensor.element.bytes() as usize;
        for own in banks::accesses(site, bytes, banks::together(site, seen)) {
            let mut served: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for element in own {
                let at = addresses.of(access.coordinate(&start, element));
                let Some(word) = at.map(|at| at * bytes / banks::WORD) else { continue };
                let words = served.entry(word % banks::BANKS).or_default();
                touches[element].wavefront = words.iter().position(|own| *own == word).unwrap_or_else(|| {
                    words.push(word);
                    words.len() - 1
                });
            }
        }
    }
    let (line, view, space) = (site.line, program.view_text(view), tensor.space);
    Ok(Touched { line, view, space, is_written: *is_written, extents, touches })
}
