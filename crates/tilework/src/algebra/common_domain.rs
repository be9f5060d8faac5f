//! The loops that run over two layouts at once.

use crate::error::{Error, tri};
use crate::layout::Layout;
use crate::shape::Shape;
use crate::tuple::HTuple;

impl Layout {
    /// The coarsest flat shape in which both layouts have one stride per mode: the domain of the loops over both.
    ///
    /// ```
    /// use tilework::layout;
    /// let domain = layout!((4,8):(1,4)).greatest_common_domain(&layout!((4,8):(8,1)))?;
    /// assert_eq!(domain.to_string(), "(4,8)");
    /// let domain = layout!((2,16):(1,2)).greatest_common_domain(&layout!((8,4):(4,1)))?;
    /// assert_eq!(domain.to_string(), "(8,4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for different sizes, [`Error::Divisibility`] if the modes of the two do not divide each other,
    /// [`Error::NotXorLinear`] if a mode of one ends inside an XOR mode of the other, after a number of steps that is
    /// not a power of two: `6:^1` is `(2,3):(^1,^2)`, but not a `(3,2)`.
    pub const fn greatest_common_domain(&self, other: &Layout) -> Result<Shape, Error> {
        let mut domain = tri!(common_domain("greatest_common_domain", &self.coalesce(), &other.coalesce()));
        tri!(domain.close_leaves(0));
        Ok(if domain.leaves().is_empty() { HTuple::leaf(1) } else { domain })
    }
}

/// The extents between all ends of modes of the two, as leaves without a node yet.
const fn common_domain(operation: &'static str, left: &Layout, right: &Layout) -> Result<Shape, Error> {
    if left.size() != right.size() {
        return Err(Error::Size { operation, expected: left.size(), found: right.size() });
    }
    let mut domain = HTuple::builder(1);
    let (mut a, mut b, mut i, mut j) = (1, 1, 0, 0);
    let (mut a_xor, mut b_xor) = (false, false);
    // If the left side ends, so does the right one.
    while i < left.leaves().len() || a > 1 {
        if a == 1 {
            a = left.leaves()[i].extent;
            a_xor = left.leaves()[i].stride.unit().is_xor();
            i += 1;
        } else if b == 1 {
            b = right.leaves()[j].extent;
            b_xor = right.leaves()[j].stride.unit().is_xor();
            j += 1;
        } else {
            let (small, large) = if a < b { (a, b) } else { (b, a) };
            if large % small != 0 {
                return Err(Error::Divisibility { operation, value: large, divisor: small });
            }
            // Carry-less multiples of a stride continue as a mode of their own only after a power of two (theorem 6).
            if (a > small && a_xor || b > small && b_xor) && !(small as u64).is_power_of_two() {
                let reason =
                    "an XOR mode of one comes apart only at powers of two, and the other ends elsewhere";
                return Err(Error::NotXorLinear { reason });
            }
            tri!(domain.push_value(small));
            a /= small;
            b /= small;
        }
    }
    Ok(domain)
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, layout};

    #[test]
    fn the_domain_of_both() {
        let domain = |a: Layout, b: Layout| a.greatest_common_domain(&b).map(|shape| std::format!("{shape}"));
        for (a, b, expected) in [
            (layout!(24:1), layout!((2,3,4):(1,7,50)), "(2,3,4)"),
            (layout!((2,3,4):(1,7,50)), layout!(24:1), "(2,3,4)"),
            (layout!((2,12):(1,7)), layout!((6,4):(1,7)), "(2,3,4)"),
            (layout!((1,1):(0,0)), layout!(1:0), "1"),
        ] {
            assert_eq!(domain(a, b).as_deref(), Ok(expected));
        }
        assert!(matches!(
            domain(layout!((4,6):(1,7)), layout!((6,4):(1,7))),
            Err(Error::Divisibility { value: 6, divisor: 4, .. })
        ));
        // XOR modes neither merge nor split like integer modes.
        let (a, b) = (layout!((2,3):(^3,^6)), layout!((3,2):(0,1@0)));
        assert!(matches!(domain(a, b), Err(Error::NotXorLinear { .. })));
        assert_eq!(domain(layout!((3,2):(^1,^3)), layout!(6:0)).as_deref(), Ok("(3,2)"));
        assert_eq!(domain(layout!(12:^1), layout!((2,6):(1,7))).as_deref(), Ok("(2,6)"));
    }
}
