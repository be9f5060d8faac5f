//! Modes by names: PyCuTe's `einfold`, with the sizes of einops.
//!
//! ```text
//! pattern := side '->' side {',' name '=' size}
//! side    := {name | size | '...' | '(' side ')'}
//! ```
//!
//! A side of one name is that mode itself, and otherwise a tuple. Where blanks stand within a side, they separate names of several letters,
//! as in einops; elsewhere each letter is a name, as in PyCuTe. A size is a name with that size.
//!
//! Names on the left bind the modes of the source, whose profile theirs coarsens, and the right side is built of what they bind. Modes that
//! the left side does not reach stay at the end, or in the place of `...`. So repeating and omitting a name copies and drops a mode. What
//! only sizes allow: a group over a single extent splits it, and a name that only the right side has is a new mode of stride 0.

use crate::{Error, HTuple, Layout, Leaf, MAX_LEAVES};
use alloc::vec::Vec;

/// A pattern that names modes, as `(ab)cde -> c(ade)b`.
///
/// | pattern | of `((12,4),42,5,7)` |
/// |---|---|
/// | `(ab)cde -> c(ade)b` | `(42,(12,5,7),4)` |
/// | `ij -> ji` | `(42,(12,4),5,7)`: modes without a name stay |
/// | `ijk -> ik` | `((12,4),5,7)`: the omitted mode is at 0 |
/// | `i (j k) ... -> (i j) k ..., j=6` | `(((12,4),6),7,5,7)`: 42 is split, the first name fastest |
/// | `i ... -> i 3 ...` | `((12,4),3,42,5,7)`: a mode of stride 0 |
///
/// ```
/// use tilework::{Einfold, layout};
/// let pattern = Einfold::parse("(ab)cde -> c(ade)b")?;
/// let tensor = layout!(((12,4),42,5,7):((1,12),48,2016,10080));
/// assert_eq!(pattern.layout(&tensor)?, layout!((42,(12,5,7),4):(48,(1,2016,10080),12)));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Einfold<'a> {
    left: Node<'a>,
    right: Node<'a>,
    /// Names with their sizes; a size is its own name.
    sizes: Vec<(&'a str, i64)>,
}

/// A name, or a group of nodes, which has none, with its first byte.
#[derive(Clone, Debug)]
struct Node<'a> {
    at: usize,
    name: &'a str,
    modes: Vec<Node<'a>>,
}

const REST: &str = "...";

impl<'a> Node<'a> {
    fn names(&self) -> Vec<&Node<'a>> {
        match self.name {
            "" => self.modes.iter().flat_map(Node::names).collect(),
            _ => Vec::from([self]),
        }
    }
}

/// The modes that names bind.
type Bound<'a, T> = Vec<(&'a str, Vec<HTuple<T>>)>;

/// How a group splits a leaf in a part for each of its names.
type Split<'s, T> = &'s dyn Fn(&HTuple<T>, &Node) -> Result<Vec<HTuple<T>>, Error>;

/// The modes of a tuple; none of a leaf.
fn modes<T: Copy>(tuple: &HTuple<T>) -> Result<Option<Vec<HTuple<T>>>, Error> {
    let modes = (!tuple.is_leaf()).then(|| (0..tuple.rank()).map(|index| tuple.mode(index)).collect());
    modes.transpose()
}

/// The error for two numbers that have to be equal.
fn misfit(at: usize, what: &'static str, found: i64, beside: &'static str, expected: i64) -> Error {
    Error::Pattern { at, what, found, beside, expected }
}

impl<'a> Einfold<'a> {
    /// Reads a pattern.
    ///
    /// ```
    /// use tilework::{Einfold, Error};
    /// assert_eq!(Einfold::parse("ij -> jk").unwrap_err(), Error::Syntax { at: 7, expected: "a name of the left side, or a size" });
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`] with the byte at which it is wrong.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        let syntax = |at, expected| Error::Syntax { at, expected };
        let arrow = text.find("->").ok_or(syntax(text.len(), "`->` between two sides"))?;
        let end = text[arrow..].find(',').map_or(text.len(), |comma| arrow + comma);
        let sides = [(0, &text[..arrow]), (arrow + 2, &text[arrow + 2..end])];
        let words = sides.iter().any(|(_, side)| side.trim().contains(char::is_whitespace));
        let [left, right] = sides.map(|(start, side)| read_side(side, start, words));
        let (left, right, mut sizes) = (left?, right?, Vec::new());
        let own = left.names();
        for item in text[end..].split(',').skip(1) {
            let at = |part: &str| part.trim_start().as_ptr().addr() - text.as_ptr().addr();
            let (name, size) = item.split_once('=').ok_or(syntax(at(item), "a size, as in `, h=2`"))?;
            let number = size.trim().parse().ok().filter(|number| *number > 0);
            let number = number.ok_or(syntax(at(size), "a size of 1 or more"))?;
            if !own.iter().chain(&right.names()).any(|own| own.name == name.trim()) {
                return Err(syntax(at(name), "a name of the pattern"));
            }
            sizes.push((name.trim(), number));
        }
        for node in own
            .iter()
            .chain(&right.names())
            .filter(|node| node.name.starts_with(|c: char| c.is_ascii_digit()))
        {
            let size = node.name.parse().ok().filter(|size| *size > 0);
            sizes.push((node.name, size.ok_or(syntax(node.at, "a size of 1 or more"))?));
        }
        // Modes of one coordinate are all alike.
        let twice = |(index, node): &(usize, &&Node)| {
            node.name != "1" && own[..*index].iter().any(|n| n.name == node.name)
        };
        if let Some((_, node)) = own.iter().enumerate().find(twice) {
            return Err(syntax(node.at, "another name, since this one has a mode already"));
        }
        let is_known = |node: &&Node| {
            own.iter().map(|n| n.name).chain(sizes.iter().map(|s| s.0)).any(|name| name == node.name)
        };
        if let Some(node) = right.names().into_iter().find(|node| !is_known(node)) {
            return Err(syntax(node.at, "a name of the left side, or a size"));
        }
        let rest = |node: &&&Node| node.name == REST && !left.modes.iter().any(|mode| mode.at == node.at);
        if let Some(node) = own.iter().find(rest) {
            return Err(syntax(node.at, "`...` outside of groups"));
        }
        Ok(Einfold { left, right, sizes })
    }

    fn size(&self, name: &str) -> Option<i64> {
        self.sizes.iter().find(|(own, _)| *own == name).map(|(_, size)| *size)
    }

    /// Whether a name has a size, which only layouts have.
    #[doc(hidden)]
    #[must_use]
    pub fn has_sizes(&self) -> bool {
        !self.sizes.is_empty()
    }

    /// A tuple of anything by the pattern, which has no sizes.
    ///
    /// ```
    /// use tilework::{Einfold, HTuple};
    /// let shape: HTuple<i64> = "((12,4),42,5,7)".parse()?;
    /// assert_eq!(Einfold::parse("ij -> ji")?.tuple(&shape)?.to_string(), "(42,(12,4),5,7)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Pattern`] for a group over a mode of other modes, as of `(ab) -> ab` for `(2,3)`; [`Error::Syntax`] for a size.
    pub fn tuple<T: Copy>(&self, tuple: &HTuple<T>) -> Result<HTuple<T>, Error> {
        let names = [self.left.names(), self.right.names()].concat();
        if let Some(node) = names.iter().find(|node| self.size(node.name).is_some()) {
            let expected = "a name without a size: only layouts of numbers have sizes";
            return Err(Error::Syntax { at: node.at, expected });
        }
        let leaf = |_: &HTuple<T>, node: &Node| {
            let names = node.modes.len() as i64;
            Err(misfit(node.at, "names in the group: ", names, "; the mode there is a leaf, of depth ", 0))
        };
        self.build(self.bound(tuple, &leaf)?)
    }

    /// A layout by the pattern.
    ///
    /// ```
    /// use tilework::{Einfold, layout};
    /// let pattern = Einfold::parse("(h h2) w -> h2 (h w), h2=2")?;
    /// assert_eq!(pattern.layout(&layout!((8,4):(4,1)))?, layout!((2,(4,4)):(16,(4,1))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Pattern`] for a group over a mode of other modes, or sizes that are not those of the layout, as of `(ab) -> ab, a=3` for
    /// `4:1`. Those of [`Layout::composition`] for a mode that cannot be split, and of [`Layout::new`].
    pub fn layout(&self, layout: &Layout) -> Result<Layout, Error> {
        self.of_layout(layout, Layout::const_column_major)
    }

    fn of_layout(
        &self,
        layout: &Layout,
        compact: fn(&HTuple<i64>) -> Result<Layout, Error>,
    ) -> Result<Layout, Error> {
        let split = |mode: &HTuple<Leaf>, node: &Node| {
            let shape = self.shape_of(node, mode.leaves()[0].extent)?;
            let parts = Layout::new(*mode)?.composition(&compact(&HTuple::tuple(&shape)?)?)?;
            Ok(modes(parts.as_tuple())?.unwrap_or_default())
        };
        let mut bound = self.bound(layout.as_tuple(), &split)?;
        for (name, own) in &bound {
            let found = own.iter().flat_map(HTuple::leaves).map(|leaf| leaf.extent).product();
            let size = self.size(name).unwrap_or(found);
            if size != found {
                let at = self.left.names().iter().find(|node| node.name == *name).map_or(0, |node| node.at);
                return Err(misfit(at, "the size is ", size, ", and the extent ", found));
            }
        }
        // Behind the names of the left side are the new modes; one of extent 1 is also what a group of no modes is.
        let new = self.sizes.iter().copied().chain([("1", 1)]);
        bound.extend(new.map(|(name, size)| (name, Vec::from([HTuple::leaf(Leaf::new(size, 0))]))));
        Layout::new(self.build(bound)?)
    }

    /// The sizes of a group's names, one of which may follow from the extent that they split.
    fn shape_of(&self, node: &Node, extent: i64) -> Result<Vec<HTuple<i64>>, Error> {
        let sizes: Vec<_> = node.names().iter().map(|node| self.size(node.name)).collect();
        let known = sizes.iter().flatten().try_fold(1i64, |product, size| product.checked_mul(*size));
        let known = known.ok_or(Error::TooLarge { what: "the product of the sizes" })?;
        let open = sizes.iter().filter(|size| size.is_none()).count();
        if open > 1 {
            let (what, beside) =
                ("names without a size in the group: ", "; one of them follows from the extent ");
            return Err(misfit(node.at, what, open as i64, beside, extent));
        }
        if extent % known != 0 || open == 0 && extent != known {
            let what = "the sizes of the group multiply to ";
            let beside =
                if open == 0 { ", and the extent is " } else { ", which does not divide the extent " };
            return Err(misfit(node.at, what, known, beside, extent));
        }
        Ok(sizes.iter().map(|size| HTuple::leaf(size.unwrap_or(extent / known))).collect())
    }

    /// The layout of an array by the pattern, as a flat one: each group of the right side is one axis, its last name the fastest.
    ///
    /// ```
    /// use tilework::{Einfold, layout};
    /// let image = layout!((4,6,3):(18,3,1));
    /// assert_eq!(Einfold::parse("h (w w2) c -> (h w) w2 c, w2=2")?.array(&image)?, layout!((12,2,3):(6,3,1)));
    /// assert!(Einfold::parse("h w c -> (w h) c")?.array(&image).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout); [`Error::Syntax`] for a name that is twice on the right, and [`Error::Pattern`] for a group whose
    /// axes are not one in memory.
    pub fn array(&self, layout: &Layout) -> Result<Layout, Error> {
        let own = self.right.names();
        let is_new = |node: &Node| own.iter().all(|own| own.name != node.name || own.at >= node.at);
        if let Some(node) = own.iter().find(|node| self.size(node.name).is_none() && !is_new(node)) {
            let expected = "another name, since a second axis of this one leaves the memory";
            return Err(Error::Syntax { at: node.at, expected });
        }
        let folded = *self.of_layout(layout, Layout::const_row_major)?.as_tuple();
        let axes = modes(&folded)?.unwrap_or(Vec::from([folded]));
        let axis = |(index, mode): (usize, &HTuple<Leaf>)| {
            let leaves: Vec<_> = mode.leaves().iter().rev().map(|leaf| HTuple::leaf(*leaf)).collect();
            let axis = Layout::new(HTuple::tuple(&leaves)?)?.coalesce();
            let [inner, outer, ..] = axis.leaves() else { return Ok(HTuple::leaf(axis.leaves()[0])) };
            // Groups have several leaves, and the modes of `...` and behind the pattern one.
            let groups =
                self.right.modes.iter().filter(|node| node.name.is_empty() && node.names().len() > 1);
            let before = axes[..index].iter().filter(|mode| mode.leaves().len() > 1).count();
            let at = groups.clone().nth(before).map_or(self.right.at, |node| node.at);
            let (stride, next) = (inner.stride.count().numerator(), outer.stride.count().numerator());
            let what = "the axes of the group are not one in memory: the outer one steps by ";
            Err(misfit(at, what, next, " and not by ", inner.extent.saturating_mul(stride)))
        };
        let axes: Result<Vec<_>, Error> = axes.iter().enumerate().map(axis).collect();
        Layout::new(HTuple::tuple(&axes?)?)
    }

    /// What the names of the left side bind; what is not named is bound by `...`, written or not.
    fn bound<T: Copy>(&self, source: &HTuple<T>, split: Split<'_, T>) -> Result<Bound<'a, T>, Error> {
        let (left, mut bound) = (&self.left, Bound::new());
        if !left.name.is_empty() {
            return Ok(Vec::from([(left.name, Vec::from([*source])), (REST, Vec::new())]));
        }
        let named = left.modes.iter().filter(|node| node.name != REST).count();
        let wanted = |beside, found: usize| {
            misfit(left.at, "modes in the pattern: ", named as i64, beside, found as i64)
        };
        let modes = match modes(source)? {
            Some(modes) => modes,
            // A single extent is its own mode 0, which a group splits.
            None if matches!(&left.modes[..], [group] if group.name.is_empty()) => Vec::from([*source]),
            None => return Err(wanted(", as a tuple; this has no modes, and depth ", 0)),
        };
        let more = modes.len().checked_sub(named).ok_or(wanted("; modes here: ", modes.len()))?;
        let rest = left.modes.iter().position(|node| node.name == REST).unwrap_or(named);
        bound.push((REST, modes[rest..rest + more].to_vec()));
        let others = modes[..rest].iter().chain(&modes[rest + more..]);
        let nodes = left.modes.iter().filter(|node| node.name != REST);
        nodes.zip(others).try_for_each(|(node, mode)| bind(node, mode, split, &mut bound))?;
        Ok(bound)
    }

    /// The right side of what the names bind.
    fn build<T: Copy>(&self, bound: Bound<'_, T>) -> Result<HTuple<T>, Error> {
        let is_written = self.left.modes.iter().any(|node| node.name == REST);
        let rest =
            bound.iter().find(|(name, _)| *name == REST && !is_written).map(|(_, modes)| modes.as_slice());
        let rest = rest.unwrap_or_default();
        let mut modes = match self.right.name {
            "" => built_all(&self.right.modes, &bound)?,
            _ if rest.is_empty() => {
                let whole = built(&self.right, &bound)?;
                return whole.first().copied().ok_or(Error::Rank {
                    operation: "a pattern",
                    expected: 1,
                    found: 0,
                });
            }
            _ => built(&self.right, &bound)?,
        };
        modes.extend_from_slice(rest);
        HTuple::tuple(&modes)
    }
}

fn built_all<T: Copy>(nodes: &[Node], bound: &Bound<'_, T>) -> Result<Vec<HTuple<T>>, Error> {
    Ok(nodes.iter().map(|node| built(node, bound)).collect::<Result<Vec<_>, _>>()?.concat())
}

/// The modes that a node is, several for `...`; the recursion depth is that of the pattern, which parsing bounds.
fn built<T: Copy>(node: &Node, bound: &Bound<'_, T>) -> Result<Vec<HTuple<T>>, Error> {
    let modes = built_all(&node.modes, bound)?;
    if !modes.is_empty() {
        return Ok(Vec::from([HTuple::tuple(&modes)?]));
    }
    let name = if node.name.is_empty() { "1" } else { node.name };
    let found = bound.iter().find(|(own, _)| *own == name).map(|(_, modes)| modes.clone());
    found.ok_or(Error::Rank { operation: "a group", expected: 1, found: 0 })
}

fn bind<'a, T: Copy>(
    node: &Node<'a>,
    mode: &HTuple<T>,
    split: Split<'_, T>,
    bound: &mut Bound<'a, T>,
) -> Result<(), Error> {
    match modes(mode)? {
        _ if !node.name.is_empty() => bound.push((node.name, Vec::from([*mode]))),
        Some(modes) if modes.len() != node.modes.len() => {
            let (names, there) = (node.modes.len() as i64, modes.len() as i64);
            return Err(misfit(node.at, "names in the group: ", names, "; modes there: ", there));
        }
        Some(modes) => {
            node.modes.iter().zip(&modes).try_for_each(|(node, mode)| bind(node, mode, split, bound))?;
        }
        None => {
            let parts = split(mode, node)?;
            bound.extend(node.names().iter().zip(parts).map(|(node, part)| (node.name, Vec::from([part]))));
        }
    }
    Ok(())
}

/// A side whose first byte has this place.
fn read_side(text: &str, start: usize, words: bool) -> Result<Node<'_>, Error> {
    let blank = text.len() - text.trim_start().len();
    let (mut open, mut at) = (Vec::from([Node { at: start + blank, name: "", modes: Vec::new() }]), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let depth = open.len();
        let length = match first {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '(' if depth <= MAX_LEAVES => {
                open.push(Node { at: start + at, name: "", modes: Vec::new() });
                at += 1;
                continue;
            }
            '.' if rest.starts_with(REST) => REST.len(),
            c if c.is_ascii_digit() => run(|c| c.is_ascii_digit()),
            c if c.is_ascii_alphabetic() && words => run(|c| c.is_ascii_alphanumeric() || c == '_'),
            c if c.is_ascii_alphabetic() => 1,
            ')' if depth > 1 && !open[depth - 1].modes.is_empty() => 1,
            c => {
                let expected = match c {
                    ')' if depth > 1 => "a name in the group",
                    ')' => "`(` before this `)`",
                    '(' => return Err(Error::Capacity { what: "levels of a pattern", limit: MAX_LEAVES }),
                    _ => "a name, a size, `(`, `)` or `...`",
                };
                return Err(Error::Syntax { at: start + at, expected });
            }
        };
        let node = match first {
            ')' => open.pop(),
            _ => Some(Node { at: start + at, name: &rest[..length], modes: Vec::new() }),
        };
        if let (Some(node), Some(group)) = (node, open.last_mut()) {
            group.modes.push(node);
        }
        at += length;
    }
    let mut side = open.swap_remove(0);
    if let Some(group) = open.last() {
        return Err(Error::Syntax { at: group.at, expected: "a `)` for each `(`" });
    }
    match &side.names()[..] {
        [] => Err(Error::Syntax { at: start + text.len(), expected: "a name" }),
        // One name is the mode itself.
        [node] if node.name != REST => Ok(side.modes.remove(0)),
        _ => Ok(side),
    }
}
