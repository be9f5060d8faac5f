//! What a host gives to a device: numbers of blocks, and memory as bytes.

use crate::check::Narrow;
use crate::element::Element;
use crate::emit::identifier;
use crate::prelude::*;
use crate::program::{Program, Space, Storage, Tensor};
use crate::sizes::{MAX_BLOCKS, Sizes};

/// The most elements that addresses of 32 bits reach.
const MAX_SPAN: i64 = 1 << 32;

/// A size or a scalar, as a member of the `struct` that emitted text takes.
///
/// ```
/// use tilework_program::{Element, Program};
/// let text = "kernel k 32 threads, grid (1)\nread A f32 M:1\nscalar low f16\nscalar high f32\n";
/// let members = text.parse::<Program>()?.members();
/// let places: Vec<_> = members.iter().map(|own| (&*own.name, own.element, own.offset)).collect();
/// assert_eq!(places, [("M", Element::U32, 0), ("low", Element::F16, 4), ("high", Element::F32, 8)]);
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type; a size is a `u32`.
    pub element: Element,
    /// Its place in the struct, in bytes.
    pub offset: usize,
}

/// A program at sizes, as a device starts it.
///
/// ```
/// use tilework_program::Program;
/// let text = "\
/// kernel scale 32 threads, grid (ceil(M/32))
/// read A f32 M:1
/// write B f32 M:1
/// scalar factor f32
/// B[b0 32@0, t 32:1@0] = (A[b0 32@0, t 32:1@0] else 0) * factor
/// ";
/// let program: Program = text.parse()?;
/// let sizes = program.sizes(&[("M", 70)])?;
/// let launch = program.launch(&sizes, &[("factor", 0.5)])?;
/// assert_eq!((launch.blocks, launch.threads), ([3, 1, 1], 32));
/// assert_eq!(launch.arguments, [[70, 0, 0, 0], 0.5f32.to_le_bytes()].concat());
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The blocks along each axis.
    pub blocks: [u32; 3],
    /// The threads of a block.
    pub threads: u32,
    /// The sizes and scalars, as the `struct` of the text has them.
    pub arguments: Vec<u8>,
}

impl Program {
    /// The name of the kernel in emitted text: its own, unless that is a word of a language.
    ///
    /// ```
    /// use tilework_program::Program;
    /// assert_eq!("kernel double 32 threads, grid (1)\n".parse::<Program>()?.entry(), "double_");
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    #[must_use]
    pub fn entry(&self) -> String {
        identifier(&self.name)
    }

    /// The sizes and scalars that emitted text takes, each at its place.
    #[must_use]
    pub fn members(&self) -> Vec<Member> {
        let sizes = self.scope.names().map(|name| (name.to_string(), Element::U32));
        let scalars = self.scalars.iter().map(|scalar| (scalar.name.clone(), scalar.element));
        let mut offset = 0usize;
        sizes
            .chain(scalars)
            .map(|(name, element)| {
                let bytes = element.bytes() as usize;
                let own = offset.next_multiple_of(bytes);
                offset = own + bytes;
                Member { name, element, offset: own }
            })
            .collect()
    }

    /// What a device starts at sizes, with the values of the scalars.
    ///
    /// # Errors
    /// Where two elements of a result are at one place, an address, a size or another number that the kernel computes does not fit 32
    /// bits, an axis has more than
    /// 65,535 blocks, a scalar has no value, or one that its type cannot represent.
    pub fn launch(&self, sizes: &Sizes, scalars: &[(&str, f64)]) -> Result<Launch, Error> {
        let blocks = self.blocks(sizes, &self.narrow()?)?;
        let (mut arguments, mut alignment) = (Vec::new(), 1);
        for Member { name, element, offset } in self.members() {
            let scalar = || scalars.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
            let value = sizes.get(&name).map(|value| value as f64).or_else(scalar);
            let value = value.ok_or_else(|| error!("the scalar {name} has no value"))?;
            if !value.is_nan() && !element.is_float() && element.round(value) != value {
                return Err(error!("{name} = {value} is no {element}"));
            }
            alignment = alignment.max(element.bytes() as usize);
            arguments.resize(offset, 0);
            element.append_bytes(value, &mut arguments);
        }
        arguments.resize(arguments.len().next_multiple_of(alignment), 0);
        Ok(Launch { blocks, threads: self.threads as u32, arguments })
    }

    /// The blocks along each axis, at sizes at which it may be launched; with what [`narrow`](Self::narrow) lists.
    pub(crate) fn blocks(&self, sizes: &Sizes, narrow: &[Narrow]) -> Result<[u32; 3], Error> {
        for tensor in &self.tensors {
            self.check_places(tensor, sizes)?;
        }
        let mut blocks = [1; 3];
        for (axis, number) in self.grid.iter().enumerate() {
            let count = self.axis(axis, sizes)?;
            if !(0..=MAX_BLOCKS).contains(&count) {
                let text = self.scope.number_text(number);
                return Err(error!(
                    "axis {axis} of the grid has {text} = {count} blocks, and a device has at most {MAX_BLOCKS}: \
                     take larger tiles, or another axis"
                ));
            }
            blocks[axis] = count as u32;
        }
        self.check_narrow(sizes, narrow)?;
        Ok(blocks)
    }

    /// Refuses sizes at which emitted text would wrap.
    pub(crate) fn check_narrow(&self, sizes: &Sizes, narrow: &[Narrow]) -> Result<(), Error> {
        for Narrow { number, is_signed, line } in narrow {
            let value = self.count(number, sizes).map_err(|error| error.at(*line))?;
            if value > u32::MAX.into() || value < 0 && !is_signed {
                let text = self.scope.number_text(number);
                let text = format!(
                    "{text} = {value} is no number of 32 bits without a sign, and the kernel computes it"
                );
                return Err(Error::new(text).at(*line));
            }
        }
        Ok(())
    }

    /// Refuses a global tensor at sizes at which emitted text has wrong addresses, or a result depends on the order of
    /// threads. The conditions for all sizes admit one order of strides; numbers are decided exactly.
    fn check_places(&self, tensor: &Tensor, sizes: &Sizes) -> Result<(), Error> {
        let Storage::Global(layout) = &tensor.storage else { return Ok(()) };
        let (name, layout) = (&tensor.name, layout.instance(sizes.values())?);
        if self.addresses(tensor, sizes)?.span > MAX_SPAN {
            return Err(error!("{name} = {layout} has addresses that do not fit 32 bits"));
        }
        if tensor.space != Space::Read && !layout.is_injective()? {
            return Err(error!("{name} = {layout} has two elements at one place: give other strides"));
        }
        Ok(())
    }
}
