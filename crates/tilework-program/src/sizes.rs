//! A program's names at numbers, and its tensors there.

use crate::prelude::*;
use crate::program::{Program, Storage, Tensor};
use tilework::{AnyLayout, Layout, Swizzle};
use tilework_symbolic::{Number, Values};

/// How far a stride is raised to meet the facts.
const MAX_PADDING: i64 = 1 << 8;

/// The most blocks along an axis: of WebGPU, and of CUDA along its second and third.
pub(crate) const MAX_BLOCKS: i64 = 65_535;

/// The values of all names of a program.
#[derive(Clone, Debug)]
pub struct Sizes {
    values: Values,
    named: Vec<(String, i64)>,
}

impl Sizes {
    /// Each name with its value.
    pub fn named(&self) -> impl Iterator<Item = (&str, i64)> {
        self.named.iter().map(|(name, value)| (&**name, *value))
    }

    pub(crate) fn values(&self) -> &Values {
        &self.values
    }

    pub(crate) fn get(&self, name: &str) -> Option<i64> {
        self.named.iter().find(|(own, _)| own == name).map(|(_, value)| *value)
    }
}

impl Program {
    /// The values of all names, of which some are given. A stride that is not given is the least that the facts admit and
    /// that leaves no two elements at one place.
    ///
    /// ```
    /// use tilework_program::Program;
    /// let text = "kernel k 32 threads, grid (1)\nread A f32 (M,N):(lda,1)\nassume lda % 4 == 0\n";
    /// let program: Program = text.parse()?;
    /// let sizes = program.sizes(&[("M", 3), ("N", 5)])?;
    /// assert_eq!(sizes.named().collect::<Vec<_>>(), [("M", 3), ("N", 5), ("lda", 8)]);
    /// assert_eq!(program.sizes(&[("M", 3)]).unwrap_err().to_string(), "N is not given: write N=..");
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of a name that is not one of the program, an extent without a value, and values that the facts exclude.
    pub fn sizes(&self, given: &[(&str, i64)]) -> Result<Sizes, Error> {
        if let Some((name, _)) = given.iter().find(|(name, _)| self.scope.find(name).is_none()) {
            let names: Vec<&str> = self.scope.names().collect();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(error!("{name} is no size: the program has {names}"));
        }
        let mut named: Vec<(&str, i64)> = given.to_vec();
        for tensor in &self.tensors {
            self.complete(tensor, &mut named)?;
        }
        let values = self.scope.values(&named);
        let values = values.ok().filter(|values| self.scope.admits(values).unwrap_or(false));
        let values = values.ok_or_else(|| {
            let given: Vec<String> = named.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let facts = self.facts.join(", ");
            let facts =
                if facts.is_empty() { "sizes are 1 or more".into() } else { format!("assumed: {facts}") };
            error!("the program is not made for {}: {facts}", given.join(", "))
        })?;
        let named = self.scope.names().map(|name| {
            let value = named.iter().find(|(own, _)| *own == name);
            let value = value.ok_or_else(|| error!("{name} is not given: write {name}=.."))?;
            Ok((name.to_string(), value.1))
        });
        let named = named.collect::<Result<_, Error>>()?;
        Ok(Sizes { values, named })
    }

    /// The names in the extents of tensors, which have to be given.
    ///
    /// ```
    /// use tilework_program::Program;
    /// let program: Program = "kernel k 32 threads, grid (1)\nread A f32 (M,2*N):(lda,1)\nread x f32 N:1\n".parse()?;
    /// assert_eq!(program.extents(), ["M", "N"]);
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    #[must_use]
    pub fn extents(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for tensor in &self.tensors {
            let Storage::Global(layout) = &tensor.storage else { continue };
            for leaf in layout.leaves() {
                let own = self.scope.names_in([&leaf.extent]).filter(|name| !names.contains(name));
                names.extend(own.collect::<Vec<_>>());
            }
        }
        names
    }

    /// Gives each unknown stride of a layout the number of elements that those before it take.
    fn complete<'a>(&'a self, tensor: &Tensor, named: &mut Vec<(&'a str, i64)>) -> Result<(), Error> {
        let (scope, Storage::Global(layout)) = (&self.scope, &tensor.storage) else { return Ok(()) };
        let own = |number: &Number| scope.names_in([number]).next().map(str::to_string);
        let known = |named: &[(&str, i64)], number: &Number| {
            let is_given = |name: &str| named.iter().any(|(own, _)| *own == name);
            let value = || scope.value(number, &scope.any_values(named));
            let named = |error| error!("{}: {error}", scope.number_text(number)).at(tensor.line);
            scope.names_in([number]).all(is_given).then(|| value().map_err(named))
        };
        let (mut reach, mut unknown) = (1i64, Vec::new());
        for leaf in layout.leaves() {
            let Some(extent) = known(named, &leaf.extent) else {
                let name = own(&leaf.extent).unwrap_or_default();
                return Err(error!("{name} is not given: write {name}=.."));
            };
            let extent = extent?.unwrap_or(1);
            match known(named, &leaf.stride) {
                Some(stride) => {
                    let stride = stride?.unwrap_or(0).saturating_abs();
                    reach = reach.saturating_add(stride.saturating_mul(extent.saturating_sub(1)));
                }
                None => unknown.push((leaf, extent)),
            }
        }
        // From the right, where the faster modes of a row-major layout are.
        for (leaf, extent) in unknown.into_iter().rev() {
            let name = own(&leaf.stride).unwrap_or_default();
            let Some(name) = scope.names().find(|own| *own == name) else { continue };
            if named.iter().any(|(own, _)| *own == name) {
                continue;
            }
            let admitted = (reach..reach.saturating_add(MAX_PADDING)).find(|value| {
                named.push((name, *value));
                let good = scope.values(named).and_then(|values| scope.admits(&values)).unwrap_or(false);
                named.pop();
                good
            });
            let value = admitted.unwrap_or(reach);
            named.push((name, value));
            reach = value.saturating_mul(extent);
        }
        Ok(())
    }

    /// A number of the program at sizes.
    pub(crate) fn count(&self, number: &Number, sizes: &Sizes) -> Result<i64, Error> {
        let (value, text) = (self.scope.value(number, &sizes.values), self.scope.number_text(number));
        let value = value.map_err(|error| error!("{text}: {error}"))?;
        value.ok_or_else(|| error!("{text} is no integer at these sizes"))
    }

    /// The blocks along an axis at sizes.
    pub(crate) fn axis(&self, axis: usize, sizes: &Sizes) -> Result<i64, Error> {
        self.count(&self.grid[axis], sizes).map_err(|error| error!("axis {axis} of the grid: {error}"))
    }

    /// By tensor, where the elements are of those that are not global.
    pub(crate) fn local_addresses(&self) -> Result<Vec<Option<Addresses>>, Error> {
        self.tensors.iter().map(Tensor::local_addresses).collect()
    }

    /// Where the elements of a tensor are at sizes.
    pub(crate) fn addresses(&self, tensor: &Tensor, sizes: &Sizes) -> Result<Addresses, Error> {
        match &tensor.storage {
            Storage::Global(layout) => Addresses::new(&AnyLayout::Plain(layout.instance(&sizes.values)?)),
            Storage::Local(layout) => Addresses::new(layout),
        }
        .map_err(|error| error!("{}: {error}", tensor.name))
    }
}

impl Tensor {
    /// Where its elements are in shared memory or registers; none of a global one.
    pub(crate) fn local_addresses(&self) -> Result<Option<Addresses>, Error> {
        match &self.storage {
            Storage::Global(_) => Ok(None),
            Storage::Local(layout) => Addresses::new(layout).map(Some),
        }
    }
}

/// A layout with numbers, ready to find many elements.
#[derive(Clone, Debug)]
pub(crate) struct Addresses {
    /// The leaves of each mode, by extent and stride.
    pub modes: Vec<Vec<(i64, i64)>>,
    /// The size of each mode.
    pub extents: Vec<i64>,
    swizzle: Swizzle,
    start: i64,
    /// One more than the last address.
    pub span: i64,
}

impl Addresses {
    pub fn new(layout: &AnyLayout) -> Result<Addresses, Error> {
        let inner = layout.layout();
        let (swizzle, start) = match layout {
            AnyLayout::Plain(_) => (Swizzle::NONE, 0),
            AnyLayout::Swizzled(composed) => (composed.swizzle(), composed.offset()),
        };
        let modes: Vec<Layout> = (0..inner.rank()).map(|mode| inner.mode(mode)).collect::<Result<_, _>>()?;
        let leaves = |mode: &Layout| {
            mode.leaves().iter().map(|leaf| (leaf.extent, leaf.stride.count().numerator())).collect()
        };
        let modes: Vec<Vec<(i64, i64)>> = modes.iter().map(leaves).collect();
        let size = |mode: &Vec<(i64, i64)>| mode.iter().try_fold(1i64, |size, leaf| size.checked_mul(leaf.0));
        let too_large = || error!("the elements of {layout} do not fit 64 bits");
        let extents: Option<Vec<i64>> = modes.iter().map(size).collect();
        let last = modes.iter().flatten().try_fold(start, |sum, (extent, stride)| {
            if *stride < 0 {
                return None;
            }
            sum.checked_add(stride.checked_mul(extent - 1)?)
        });
        let last = last.ok_or_else(too_large)?;
        let mut addresses =
            Addresses { modes, extents: extents.ok_or_else(too_large)?, swizzle, start, span: 0 };
        // A swizzle moves elements within its period.
        let period = addresses.period();
        addresses.span = (last / period + 1).checked_mul(period).ok_or_else(too_large)?;
        Ok(addresses)
    }

    /// Multiples of it are added in front of the swizzle or behind it.
    pub fn period(&self) -> i64 {
        let bits = (self.swizzle.target_mask() | self.swizzle.source_mask()) as u64;
        1 << (64 - bits.leading_zeros()).min(62)
    }

    /// The address of a coordinate, or none outside of the tensor.
    pub fn of(&self, coordinate: impl IntoIterator<Item = i64>) -> Option<usize> {
        let mut sum = self.start;
        for (index, (leaves, extent)) in coordinate.into_iter().zip(self.modes.iter().zip(&self.extents)) {
            if !(0..*extent).contains(&index) {
                return None;
            }
            sum += offset(leaves, index);
        }
        // Most tensors have no swizzle.
        let is_plain = self.swizzle == Swizzle::NONE;
        Some(if is_plain { sum } else { self.swizzle.apply(sum).unwrap_or(sum) } as usize)
    }
}

/// The offset of an index of a mode.
fn offset(leaves: &[(i64, i64)], mut index: i64) -> i64 {
    if let [(_, stride)] = leaves {
        return index * stride;
    }
    // An index inside is below the product of the extents: the last digit is what is left.
    let Some((last, before)) = leaves.split_last() else { return 0 };
    let mut sum = 0;
    for (extent, stride) in before {
        sum += index % extent * stride;
        index /= extent;
    }
    sum + index * last.1
}
