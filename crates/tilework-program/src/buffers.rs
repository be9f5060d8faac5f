//! What a program is run on: its global tensors and scalar arguments.

use crate::access::coordinates;
use crate::element::Element;
use crate::prelude::*;
use crate::program::Program;
use crate::sizes::{Addresses, Sizes};

/// The most elements of all buffers.
const MAX_ELEMENTS: i64 = 1 << 26;

/// The memory of one global tensor.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    name: String,
    element: Element,
    pub addresses: Addresses,
    pub elements: Vec<f64>,
}

/// The elements of a program's global tensors at sizes, and its scalar arguments; all are 0 at first.
///
/// ```
/// use tilework_program::{Buffers, Program};
/// let text = "kernel k 32 threads, grid (1)\nread A f16 (M,N):(lda,1)\nscalar alpha f32\n";
/// let program: Program = text.parse()?;
/// let sizes = program.sizes(&[("M", 2), ("N", 3)])?;
/// let mut buffers = Buffers::new(&program, &sizes)?;
/// buffers.fill("A", |at| (10 * at[0] + at[1]) as f64)?;
/// buffers.set_scalar("alpha", 0.5)?;
/// assert_eq!((buffers.at("A", &[1, 2]), buffers.at("A", &[2, 0])), (Some(12.0), None));
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Buffers {
    pub(crate) tensors: Vec<Option<Buffer>>,
    pub(crate) scalars: Vec<f64>,
    names: Vec<(String, Element)>,
}

impl Buffers {
    /// Buffers of zeros.
    ///
    /// # Errors
    /// Of layouts with a negative stride, and of more than 2^26 elements.
    pub fn new(program: &Program, sizes: &Sizes) -> Result<Buffers, Error> {
        Buffers::total(program, sizes)?;
        let mut tensors = Vec::new();
        for tensor in &program.tensors {
            if !tensor.space.is_global() {
                tensors.push(None);
                continue;
            }
            let addresses = program.addresses(tensor, sizes)?;
            let elements = vec![0.0; addresses.span as usize];
            let (name, element) = (tensor.name.clone(), tensor.element);
            tensors.push(Some(Buffer { name, element, addresses, elements }));
        }
        let names: Vec<_> = program.scalars.iter().map(|own| (own.name.clone(), own.element)).collect();
        Ok(Buffers { tensors, scalars: vec![0.0; names.len()], names })
    }

    /// How many elements the global tensors have, gaps included: at most 2^26.
    pub(crate) fn total(program: &Program, sizes: &Sizes) -> Result<i64, Error> {
        let mut total = 0i64;
        for tensor in program.tensors.iter().filter(|tensor| tensor.space.is_global()) {
            total = total.saturating_add(program.addresses(tensor, sizes)?.span);
        }
        if total > MAX_ELEMENTS {
            return Err(error!("the tensors have more than {MAX_ELEMENTS} elements"));
        }
        Ok(total)
    }

    fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.tensors.iter().flatten().find(|buffer| buffer.name == name)
    }

    fn buffer_mut(&mut self, name: &str) -> Result<&mut Buffer, Error> {
        let buffer = self.tensors.iter_mut().flatten().find(|buffer| buffer.name == name);
        buffer.ok_or_else(|| error!("there is no global tensor {name}"))
    }

    /// Gives every element of a tensor the value of its coordinate, rounded to the tensor's type.
    ///
    /// # Errors
    /// Of a name that no global tensor has.
    pub fn fill(&mut self, name: &str, mut value: impl FnMut(&[i64]) -> f64) -> Result<(), Error> {
        let buffer = self.buffer_mut(name)?;
        for at in coordinates(&buffer.addresses.extents) {
            let value = buffer.element.round(value(&at));
            buffer.addresses.of(at).into_iter().for_each(|address| buffer.elements[address] = value);
        }
        Ok(())
    }

    /// Gives a scalar argument its value.
    ///
    /// # Errors
    /// Of a name that no scalar has.
    pub fn set_scalar(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let place = self.names.iter().position(|(own, _)| own == name);
        let place = place.ok_or_else(|| error!("there is no scalar {name}"))?;
        self.scalars[place] = self.names[place].1.round(value);
        Ok(())
    }

    /// The scalar arguments, each with its value.
    pub fn scalars(&self) -> impl Iterator<Item = (&str, f64)> {
        self.names.iter().zip(&self.scalars).map(|((name, _), value)| (&**name, *value))
    }

    /// The element of a tensor at a coordinate; none outside.
    #[must_use]
    pub fn at(&self, name: &str, coordinate: &[i64]) -> Option<f64> {
        let buffer = self.buffer(name)?;
        let address = buffer.addresses.of(coordinate.iter().copied());
        Some(buffer.elements[address.filter(|_| coordinate.len() == buffer.addresses.extents.len())?])
    }

    /// The memory of a tensor, as a device has it: its elements in the order of their addresses, the lowest byte first.
    ///
    /// ```
    /// use tilework_program::{Buffers, Program};
    /// let program: Program = "kernel k 32 threads, grid (1)\nread A f16 M:1\n".parse()?;
    /// let mut buffers = Buffers::new(&program, &program.sizes(&[("M", 2)])?)?;
    /// buffers.fill("A", |at| 1.5 * at[0] as f64)?;
    /// assert_eq!(buffers.bytes("A"), Some(vec![0, 0, 0, 0x3e]));
    /// buffers.set_bytes("A", &[0, 0x3c, 0, 0])?;
    /// assert_eq!(buffers.at("A", &[0]), Some(1.0));
    /// assert_eq!(buffers.set_bytes("A", &[0]).unwrap_err().to_string(), "A has 4 bytes, not 1");
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let Buffer { element, elements, .. } = self.buffer(name)?;
        let mut bytes = Vec::with_capacity(elements.len() * element.bytes() as usize);
        elements.iter().for_each(|value| element.append_bytes(*value, &mut bytes));
        Some(bytes)
    }

    /// Gives a tensor its memory.
    ///
    /// # Errors
    /// Of a name that no global tensor has, and of another number of bytes than the tensor has.
    pub fn set_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let buffer = self.buffer_mut(name)?;
        let size = buffer.element.bytes() as usize;
        let wanted = buffer.elements.len() * size;
        if bytes.len() != wanted {
            return Err(error!("{name} has {wanted} bytes, not {}", bytes.len()));
        }
        let values = bytes.chunks_exact(size).map(|own| buffer.element.of_bytes(own));
        buffer.elements.iter_mut().zip(values).for_each(|(element, value)| *element = value);
        Ok(())
    }

    /// All elements of a tensor in the order of their addresses, as a device has them.
    #[must_use]
    pub fn elements(&self, name: &str) -> Option<&[f64]> {
        Some(&self.buffer(name)?.elements)
    }

    /// The extents of a tensor's modes.
    #[must_use]
    pub fn extents(&self, name: &str) -> Option<&[i64]> {
        Some(&self.buffer(name)?.addresses.extents)
    }
}
