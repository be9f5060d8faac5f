//! Conversions between swizzled layouts and XOR layouts, two notations for some of the same functions.

use super::bits::reach;
use super::composition::Linear;
use super::pieces::{Pieces, Rule};
use super::table::Table;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, View};
use crate::stride::{Rational, Unit};
use crate::swizzle::{Composed, Swizzle};
use crate::tuple::HTuple;

impl Composed {
    /// The layout with XOR strides that is the same function, each leaf refined if necessary: column `k` of it is the
    /// swizzled column `k` (paper, sections 2.3.1 and 2.4.4).
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(2, 0, 2)?, 0, layout!((4,4):(1,4)))?;
    /// assert_eq!(swizzled.to_xor()?, layout!((4,4):(^1,^5)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// A swizzle is linear and invertible, so the result exists if and only if the inner layout is linear.
    ///
    /// # Errors
    /// [`Error::NotXorLinear`] for an offset other than 0, because an XOR layout maps 0 to 0, and for integer strides
    /// that carry (`(2,2):(1,1)`); [`Error::CarrylessScale`] for a stride that carries within its mode (`3:3` does not,
    /// `4:3` does); [`Error::ShapeDivisibility`] if the swizzle changes the stride within a mode at a place that does
    /// not divide its extent (`3:8` under `Sw<1,0,4>`); [`Error::Overflow`], [`Error::Capacity`].
    pub const fn to_xor(&self) -> Result<Layout, Error> {
        if self.offset() != 0 {
            let reason = "the offset before the swizzle is not 0, and XOR strides give 0 at 0";
            return Err(Error::NotXorLinear { reason });
        }
        let unit = if self.layout().codomain().same(Codomain::Xor) {
            Unit::XOR
        } else {
            tri!(self.layout().sums_are_xors());
            Unit::ONE
        };
        let mut pieces = Pieces::new();
        tri!(Linear::Swizzle(self.swizzle()).follow_all(self.layout(), unit, &mut pieces));
        self.layout().rebuild(&pieces, Rule::Xor)
    }
}

impl Composed {
    /// The layout that is the same function of integral coordinates: with integer strides if possible, otherwise with
    /// XOR strides.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzle = Swizzle::new(2, 0, 2)?;
    /// assert_eq!(Composed::new(swizzle, 0, layout!((3,2):(1,1)))?.to_layout()?, layout!((3,2):(1,1)));
    /// assert_eq!(Composed::new(swizzle, 0, layout!((4,4):(1,4)))?.to_layout()?, layout!((4,4):(^1,^5)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotXorLinear`] for an offset other than 0, because a layout maps 0 to 0; those of
    /// [`to_xor`](Self::to_xor) if no layout is this function, or if more than 2,048 coordinates would have to be
    /// examined.
    pub const fn to_layout(&self) -> Result<Layout, Error> {
        if self.offset() == 0 && self.changes_nothing() && self.layout().codomain().same(Codomain::Integer) {
            return Ok(*self.layout());
        }
        let error = match self.to_xor() {
            Ok(xor) if !xor.codomain().same(Codomain::Xor) => return Ok(xor),
            Ok(xor) => match xor.xor_to_integer() {
                Ok(layout) => return Ok(layout),
                Err(_) => return Ok(xor),
            },
            Err(error) if self.offset() == 0 => error,
            Err(error) => return Err(error),
        };
        let Some(mut table) = Table::new(self.layout().size()) else { return Err(error) };
        let mut c = 0;
        while c < table.len {
            table.offsets[c] = tri!(self.swizzle().apply(tri!(self.layout().const_try_at(c as i64))));
            c += 1;
        }
        let shape = HTuple::leaf(Leaf::new(table.len as i64, 0));
        match (table.refine_in(&shape, Codomain::Integer), table.refine_in(&shape, Codomain::Xor)) {
            (Ok(Some(layout)), _) | (_, Ok(Some(layout))) => Ok(layout),
            _ => Err(error),
        }
    }

    /// The layout with an offset that is the same function of integral coordinates. `Sw(e + L(c)) = Sw(e) ^ Sw(L(c))`
    /// if `e` shares no bit with the offsets of `L`, and for XOR strides always; other offsets are examined one by one.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzle = Swizzle::new(2, 0, 2)?;
    /// let tile = Composed::new(swizzle, 20, layout!((4,4):(1,4)))?;
    /// assert!(tile.to_view().is_err()); // 20 + 4 is not an XOR
    /// let tile = Composed::new(swizzle, 20, layout!(4:1))?;
    /// assert_eq!(tile.to_view()?.to_string(), "{21} o 4:^1");
    /// assert_eq!(Composed::new(Swizzle::NONE, 20, layout!((4,4):(1,4)))?.to_view()?.to_string(), "{20} o (4,4):(1,4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotXorLinear`] if no layout with an offset is this function, or if the offset and the layout share a
    /// bit and more than 2,048 coordinates would have to be examined; those of [`to_xor`](Self::to_xor), and
    /// [`Error::Argument`] for a negative offset.
    pub const fn to_view(&self) -> Result<View, Error> {
        if self.offset() == 0 {
            return View::new(HTuple::leaf(Rational::ZERO), tri!(self.to_layout()));
        }
        if self.changes_nothing() {
            return View::new(HTuple::leaf(Rational::integer(self.offset())), *self.layout());
        }
        let error = match self.xor_view() {
            Ok(view) => return Ok(view),
            Err(error) => error,
        };
        let Some(mut table) = Table::new(self.layout().size()) else { return Err(error) };
        let (first, shape) = (tri!(self.const_try_at(0)), HTuple::leaf(Leaf::new(table.len as i64, 0)));
        let codomains = [Codomain::Integer, Codomain::Xor];
        let mut i = 0;
        while i < codomains.len() {
            let mut c = 0;
            while c < table.len {
                let offset = tri!(self.const_try_at(c as i64));
                table.offsets[c] = if i == 0 { tri!(int::sub(offset, first)) } else { offset ^ first };
                c += 1;
            }
            if let Ok(Some(layout)) = table.refine_in(&shape, codomains[i]) {
                return View::new(HTuple::leaf(Rational::integer(first)), layout);
            }
            i += 1;
        }
        Err(error)
    }

    /// [`to_view`](Self::to_view) with XOR strides in the shape of the inner layout, for an offset that shares no bit
    /// with it.
    const fn xor_view(&self) -> Result<View, Error> {
        let layout = tri!(tri!(Composed::new(self.swizzle(), 0, *self.layout())).to_xor());
        if !self.layout().codomain().same(Codomain::Xor)
            && tri!(self.layout().sums_are_xors()) & self.offset() as u64 != 0
        {
            let reason =
                "the offset before the swizzle shares a bit with those of the layout, and sums carry";
            return Err(Error::NotXorLinear { reason });
        }
        View::new(HTuple::leaf(Rational::integer(tri!(self.swizzle().apply(self.offset())))), layout)
    }

    /// Whether all offsets lack the bits that the swizzle reads.
    pub(crate) const fn changes_nothing(&self) -> bool {
        let swizzle = self.swizzle();
        let first_read = swizzle.source_mask() & -swizzle.source_mask();
        match View::new(HTuple::leaf(Rational::integer(self.offset())), *self.layout()) {
            Ok(view) => {
                matches!(view.bounds(), Ok((low, high)) if low >= 0 && (swizzle.bits() == 0 || high < first_read))
            }
            Err(_) => false,
        }
    }
}

impl Layout {
    /// A swizzle over a layout with integer strides that is the same function as this one.
    ///
    /// ```
    /// use tilework::{Swizzle, layout};
    /// let swizzled = layout!((4,4):(^1,^5)).to_swizzle()?;
    /// assert_eq!(swizzled.to_string(), "Sw<2,0,2> o 0 o (4,4):(1,4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// Applied to this layout, the swizzle has to give columns that share no bit. It changes only the bits of its
    /// target, so the target contains all shared bits: the smallest such field is used, a larger one only if a mode
    /// would carry otherwise (`(2,3):(^1,^5)`). Among the valid shifts, the smallest one to the right is used, then the
    /// smallest to the left. A layout with integer strides gets the trivial swizzle.
    ///
    /// # Errors
    /// [`Error::Swizzle`] if there is no such swizzle (`(2,2):(^1,^1)`, which is not injective); [`Error::Argument`]
    /// for offsets below 0 (`2:-1`); [`Error::Codomain`] for rational and coordinate strides.
    pub const fn to_swizzle(&self) -> Result<Composed, Error> {
        match self.codomain() {
            Codomain::Integer => {
                tri!(Swizzle::NONE.apply(tri!(self.min_offset())));
                return Composed::new(Swizzle::NONE, 0, *self);
            }
            Codomain::Xor => {}
            found => return Err(Error::Codomain { operation: "a swizzle", found }),
        }
        let pieces = tri!(Pieces::of(self));
        let (mut once, mut shared, mut i) = (0, 0, 0);
        while i < pieces.list.len() {
            let mask = reach(pieces.as_slice()[i].extent, pieces.as_slice()[i].stride);
            shared |= once & mask;
            once |= mask;
            i += 1;
        }
        if shared == 0
            && let Ok(layout) = unswizzled(self, Swizzle::NONE)
        {
            return Composed::new(Swizzle::NONE, 0, layout);
        }
        let used = 64 - once.leading_zeros() as i64;
        // Without shared bits, a mode whose extent is not a power of two has to become linear, for any field.
        let (lowest, highest) = match shared {
            0 => (used - 1, 0),
            _ => (shared.trailing_zeros() as i64, 63 - shared.leading_zeros() as i64),
        };
        let mut bits = if shared == 0 { 1 } else { highest - lowest + 1 };
        while bits <= used {
            let mut low = lowest;
            while low >= 0 && low + bits > highest {
                if let Some(found) = tri!(self.swizzle_of_field(low, bits, used)) {
                    return Ok(found);
                }
                low -= 1;
            }
            bits += 1;
        }
        Err(Error::Swizzle { reason: "no one field XORed into another leaves strides that share no bit" })
    }

    /// The swizzled layout with this target of the swizzle, if there is one.
    const fn swizzle_of_field(&self, low: i64, bits: i64, used: i64) -> Result<Option<Composed>, Error> {
        let mut distance = bits;
        // A source beyond the highest used bit, or below bit 0, reads nothing.
        while low + distance < used {
            if let Ok(swizzle) = Swizzle::new(bits, low, distance)
                && let Ok(layout) = unswizzled(self, swizzle)
            {
                return Ok(Some(tri!(Composed::new(swizzle, 0, layout))));
            }
            distance += 1;
        }
        distance = bits;
        while distance <= low {
            if let Ok(swizzle) = Swizzle::new(bits, low - distance, -distance)
                && let Ok(layout) = unswizzled(self, swizzle)
            {
                return Ok(Some(tri!(Composed::new(swizzle, 0, layout))));
            }
            distance += 1;
        }
        Ok(None)
    }
}

/// The integer layout `Sw o L`, for a layout with XOR strides.
const fn unswizzled(layout: &Layout, swizzle: Swizzle) -> Result<Layout, Error> {
    let mut pieces = Pieces::new();
    tri!(Linear::Swizzle(swizzle).follow_all(layout, Unit::XOR, &mut pieces));
    tri!(pieces.check_sums());
    layout.rebuild(&pieces, Rule::Integer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::xor::random::{Layouts, random};
    use crate::layout;
    use testkit::Random;

    fn swizzles(random: &mut Random) -> Swizzle {
        loop {
            let (bits, base) = (random.below(4) as i64, random.below(4) as i64);
            if let Ok(swizzle) = Swizzle::new(bits, base, random.below(11) as i64 - 5) {
                return swizzle;
            }
        }
    }

    #[test]
    fn a_swizzled_layout_is_an_xor_layout_exactly_where_it_is_linear() {
        let mut random = random(8);
        let (mut found, mut none) = (0, 0);
        for round in 0..8000 {
            let layout = random.layout(4, &[1, 2, 4, 8], 100, round % 4 == 0);
            let composed = Composed::new(swizzles(&mut random), 0, layout).unwrap();
            let f: std::vec::Vec<i64> = (0..layout.size()).map(|c| composed.at(c)).collect();
            match composed.to_xor() {
                Ok(xor) => {
                    found += 1;
                    assert!(xor.refines(&layout.shape()));
                    assert!((0..layout.size()).all(|c| xor.at(c) == f[c as usize]), "{composed} {xor}");
                    if layout.codomain() == Codomain::Xor {
                        continue;
                    }
                    let back = xor.to_swizzle().unwrap();
                    assert!(back.layout().refines(&xor.shape()));
                    assert_eq!(back.layout().codomain(), Codomain::Integer);
                    assert!((0..layout.size()).all(|c| back.at(c) == f[c as usize]), "{composed} {back}");
                }
                Err(_) => {
                    none += 1;
                    let linear = (0..f.len()).all(|a| (0..a).all(|b| f[a ^ b] == f[a] ^ f[b]));
                    assert!(!linear, "{composed}");
                }
            }
        }
        assert!(found > 1000 && none > 500, "{found} {none}");
    }

    #[test]
    fn other_extents() {
        let mut random = random(9);
        let (mut there, mut back, mut bent) = (0, 0, 0);
        for _ in 0..8000 {
            let layout = random.layout(3, &[2, 3, 4, 5, 6, 12], 60, false);
            let composed = Composed::new(swizzles(&mut random), 0, layout).unwrap();
            let xor = match composed.to_xor() {
                Ok(xor) => xor,
                Err(Error::ShapeDivisibility { steps, stride, .. }) => {
                    let of = |steps| Composed::new(composed.swizzle(), 0, Layout::of(steps, stride).unwrap());
                    assert!(of(steps).unwrap().to_xor().is_ok(), "{composed}: {steps}");
                    assert!(of(steps + 1).unwrap().to_xor().is_err(), "{composed}: {steps}");
                    bent += 1;
                    continue;
                }
                Err(_) => continue,
            };
            there += 1;
            assert!((0..layout.size()).all(|c| xor.at(c) == composed.at(c)), "{composed} {xor}");
            let Ok(again) = xor.to_swizzle() else { continue };
            back += 1;
            assert!((0..layout.size()).all(|c| again.at(c) == composed.at(c)), "{composed} {xor} {again}");
        }
        assert!(there > 300 && back > 300 && bent > 20, "{there} {back} {bent}");
    }

    /// Every swizzle below a bound is tried.
    #[test]
    fn a_swizzle_is_found_wherever_there_is_one() {
        let mut random = random(10);
        let (mut found, mut none) = (0, 0);
        for _ in 0..400 {
            let layout = random.layout(3, &[1, 2, 4], 32, true);
            let truth = (0..5).any(|bits| {
                (0..8).any(|base| {
                    (-7..8).any(|shift| {
                        Swizzle::new(bits, base, shift)
                            .is_ok_and(|swizzle| unswizzled(&layout, swizzle).is_ok())
                    })
                })
            });
            match layout.to_swizzle() {
                Ok(swizzled) => {
                    found += 1;
                    assert!(
                        (0..layout.size()).all(|c| swizzled.at(c) == layout.at(c)),
                        "{layout} {swizzled}"
                    );
                }
                Err(_) => {
                    none += 1;
                    assert!(!truth, "{layout}");
                }
            }
        }
        assert!(found > 50 && none > 50, "{found} {none}");
    }

    #[test]
    fn swizzles_merge() {
        let mut random = random(11);
        let mut merged = 0;
        for _ in 0..3000 {
            let (outer, inner) = (swizzles(&mut random), swizzles(&mut random));
            if let Ok(one) = outer.compose(inner) {
                merged += 1;
                for x in 0..4096 {
                    assert_eq!(one.apply(x), outer.apply(inner.apply(x).unwrap()), "{outer} {inner} {one}");
                }
            }
        }
        assert!(merged > 300);
    }

    #[test]
    fn refusals() {
        const BACK: Result<Composed, Error> = layout!((2, 8, 8):(^1, ^18, ^146)).to_swizzle();
        assert_eq!(BACK.unwrap_err().code(), "swizzle");
        let sw = Swizzle::new(1, 0, 4).unwrap();
        let code = |offset, layout| Composed::new(sw, offset, layout).unwrap().to_xor().unwrap_err().code();
        assert_eq!(code(1, layout!(4:2)), "not-xor-linear");
        assert_eq!(code(0, layout!((2,2):(1,1))), "not-xor-linear");
        assert_eq!(code(0, layout!(4:3)), "carryless-scale");
        assert_eq!(code(0, layout!(3:8)), "shape-divisibility");
        assert_eq!(layout!((2,2):(^1,^1)).to_swizzle().unwrap_err().code(), "swizzle");
        assert_eq!(
            layout!((8,8):(^1,^9)).to_swizzle().unwrap().to_text().as_str(),
            "Sw<3,0,3> o 0 o (8,8):(1,8)"
        );
    }

    #[test]
    fn composition_below_the_swizzle() {
        let data = Composed::new(Swizzle::new(3, 0, 3).unwrap(), 8, layout!((8,8):(1,8))).unwrap();
        let b = layout!(((4,8),2):((16,1),8));
        let r = data.composition(&b).unwrap();
        assert!((0..64).all(|c| r.at(c) == data.at(b.at(c))));
    }
}
