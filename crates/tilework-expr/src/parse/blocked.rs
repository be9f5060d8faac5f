//! Triton's `#ttg.blocked`, the numbers of values, lanes and warps along each dimension, as the layout from threads and
//! values into one tile of them.

use super::{Parsed, Parser};
use crate::error::ExprError;
use crate::value::Value;
use tilework::{Error, HTuple, Layout};

/// The lists of a blocked layout, in Triton's and in Gluon's words.
const LISTS: [[&str; 2]; 4] = [
    ["sizePerThread", "size_per_thread"],
    ["threadsPerWarp", "threads_per_warp"],
    ["warpsPerCTA", "warps_per_cta"],
    ["order", "order"],
];

/// The CTAs of a cluster, and their order.
const CTAS: [&str; 4] = ["CTAsPerCGA", "CTASplitNum", "ctas_per_cga", "cta_split_num"];
const ORDERS: [&str; 2] = ["CTAOrder", "cta_order"];

impl Parser<'_, '_> {
    /// Whether a blocked layout of Triton or Gluon begins here; skips its name.
    pub(super) fn at_blocked(&mut self) -> bool {
        let reader = &mut self.reader;
        let mark = *reader;
        let close = [
            "#ttg.blocked<{",
            "#triton_gpu.blocked<{",
            "ttgl.BlockedLayout(",
            "gl.BlockedLayout(",
            "BlockedLayout(",
        ];
        if close.iter().any(|name| reader.eat_word(name)) {
            return true;
        }
        *reader = mark;
        false
    }

    /// The lists after the name, by name or in order.
    #[inline(never)]
    pub(super) fn blocked(&mut self, start: usize) -> Parsed {
        let mut lists: [Option<Vec<i64>>; 4] = Default::default();
        let mut count = 0;
        while !self.reader.eat(b'}') && !self.reader.eat(b')') {
            self.reader.skip_space();
            let (at, word) = (self.position(), self.word());
            let place =
                LISTS.iter().position(|names| names.contains(&word)).or(word.is_empty().then_some(count));
            if !word.is_empty() {
                self.reader.seek(at + word.len());
                self.expect(b'=', "`=`")?;
            }
            let tuple = self.tuple("a list")?;
            let list = tuple.integers(at).map_err(|error| self.notation(error, at))?;
            match place.and_then(|place| lists.get_mut(place)) {
                Some(slot) => *slot = Some(list.leaves().to_vec()),
                // Of one CTA.
                None if CTAS.contains(&word) && list.leaves().iter().all(|&count| count == 1) => {}
                None if ORDERS.contains(&word) => {}
                None => {
                    let message = format!("`{word}` of a blocked layout is read for one CTA only");
                    return Err(ExprError::new(at..self.position(), "syntax", message).into());
                }
            }
            count += 1;
            let _ = self.reader.eat(b',');
        }
        let _ = self.reader.eat(b'>');
        let span = start..self.position();
        let [Some(values), Some(lanes), Some(warps), Some(order)] = lists else {
            let message = "a blocked layout has sizePerThread, threadsPerWarp, warpsPerCTA and order";
            return Err(ExprError::new(span, "syntax", message).into());
        };
        let layout = tile(&values, &lanes, &warps, &order).map_err(|error| self.notation(error, start))?;
        let Some(layout) = layout else {
            let message =
                "the lists of a blocked layout have an entry for each dimension, and `order` names each once";
            return Err(ExprError::new(span, "syntax", message).into());
        };
        self.push_value(Value::from(layout), span)
    }
}

/// The layout from (thread,value) to the place in one tile, column-major, in which the values of a thread, the lanes
/// and then the warps run over the dimensions in their order. `None` for lists of different length.
fn tile(values: &[i64], lanes: &[i64], warps: &[i64], order: &[i64]) -> Result<Option<Layout>, Error> {
    let rank = order.len();
    let fits = [values, lanes, warps].iter().all(|list| list.len() == rank);
    let names = (0..rank as i64).all(|dimension| order.contains(&dimension));
    if !fits || !names || rank == 0 {
        return Ok(None);
    }
    let sizes = |dimension| HTuple::tuple(&[values, lanes, warps].map(|list| HTuple::leaf(list[dimension])));
    let dimensions = (0..rank).map(sizes).collect::<Result<Vec<_>, Error>>()?;
    let tile = Layout::column_major(&HTuple::tuple(&dimensions)?)?;
    let along = |part: usize| order.iter().map(move |&dimension| tile.get(&[dimension as usize, part]));
    let threads = Layout::concatenate(&along(1).chain(along(2)).collect::<Result<Vec<_>, _>>()?)?.coalesce();
    let values = Layout::concatenate(&along(0).collect::<Result<Vec<_>, _>>()?)?.coalesce();
    Ok(Some(Layout::concatenate(&[threads, values])?))
}
