//! An array as the protocols describe it, in numbers, and the extent of its memory. This file does not depend on
//! Python: tests and the fuzzer compile it without an interpreter.

use std::ffi::{c_char, c_int, c_void};
use tilework::{Error, HTuple, Layout, MAX_LEAVES, Stride};

/// Why a description is invalid.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// Shape and strides are not a layout.
    Layout(Error),
    /// The numbers contradict each other.
    Description(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Layout(error)
    }
}

/// An array; strides in elements.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// The element of the coordinate 0.
    pub data: *mut u8,
    /// Bytes of an element: one or more.
    pub element: usize,
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
}

/// The memory from the lowest to the highest element.
#[derive(Clone, PartialEq, Debug)]
pub struct Extent {
    pub first: *mut u8,
    /// How many elements there are.
    pub len: usize,
    /// The offset of the coordinate 0; not 0 if strides are negative.
    pub start: i64,
    pub layout: Layout,
}

impl Description {
    /// The extent of the elements in memory.
    ///
    /// # Errors
    /// [`Fault::Layout`] for an extent of 0, and for more modes or larger offsets than a layout can have.
    /// [`Fault::Description`] for a missing stride, and for elements outside the address space.
    pub fn extent(&self) -> Result<Extent, Fault> {
        let Description { data, element, shape, strides } = self;
        if shape.len() != strides.len() {
            let message = format!("it has {} extents and {} strides", shape.len(), strides.len());
            return Err(Fault::Description(message));
        }
        let layout = layout(shape, strides)?;
        let (low, high) = (layout.min_offset()?, layout.max_offset()?);
        // 128 bits cannot overflow: offsets have 64 bits, and the size of an element fits an address.
        let bytes_before = i128::from(low) * *element as i128;
        let bytes_to_end = (i128::from(high) + 1) * *element as i128;
        let address = data.addr() as i128;
        let is_somewhere = address != 0
            && address + bytes_before >= 0
            && address + bytes_to_end <= 1 << usize::BITS
            && bytes_to_end - bytes_before <= isize::MAX as i128;
        if !is_somewhere {
            let message =
                format!("its elements would be {} bytes from {data:?}", bytes_to_end - bytes_before);
            return Err(Fault::Description(message));
        }
        Ok(Extent {
            first: data.wrapping_offset(bytes_before as isize),
            len: (high - low + 1) as usize,
            start: -low,
            layout,
        })
    }
}

/// The layout of the shape and strides of an array.
fn layout(shape: &[i64], strides: &[i64]) -> Result<Layout, Error> {
    let extents: Vec<_> = shape.iter().map(|&extent| HTuple::leaf(extent)).collect();
    let strides: Vec<_> = strides.iter().map(|&stride| HTuple::leaf(Stride::integer(stride))).collect();
    if extents.is_empty() {
        return Layout::of(&HTuple::empty(1), &HTuple::empty(Stride::ZERO));
    }
    Layout::of(&HTuple::tuple(&extents)?, &HTuple::tuple(&strides)?)
}

/// The strides of an array whose last mode is contiguous.
pub fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for i in (1..shape.len()).rev() {
        strides[i - 1] = strides[i].saturating_mul(shape[i].max(1));
    }
    strides
}

/// NumPy's `PyArrayInterface`, the content of the capsule `__array_struct__` (the array interface, version 3).
#[repr(C)]
pub struct ArrayStruct {
    /// 2, by which a reader recognizes the structure.
    pub two: c_int,
    pub ndim: c_int,
    pub kind: c_char,
    pub item_bytes: c_int,
    pub flags: c_int,
    pub shape: *const isize,
    /// In bytes.
    pub strides: *const isize,
    pub data: *mut c_void,
    pub descr: *mut c_void,
}

/// Flags of an array of NumPy (`NPY_ARRAY_...`).
#[derive(Clone, Copy, Debug)]
pub enum ArrayFlag {
    /// The last mode is contiguous.
    Contiguous = 0x1,
    /// The elements are in the byte order of this machine.
    NotSwapped = 0x200,
    /// The memory may be written.
    Writeable = 0x400,
}

impl ArrayStruct {
    /// Whether it has this flag of NumPy.
    pub const fn has(&self, flag: ArrayFlag) -> bool {
        self.flags & flag as c_int != 0
    }

    /// The shape, and the strides in bytes; none if the last mode is contiguous.
    ///
    /// # Errors
    /// [`Fault::Layout`] for more modes than a layout can have; [`Fault::Description`] for a negative number of modes,
    /// and for a shape or strides that are missing.
    ///
    /// # Safety
    /// `shape` and `strides` are null or have `ndim` numbers.
    pub unsafe fn modes(&self) -> Result<(&[isize], Option<&[isize]>), Fault> {
        let count = modes(self.ndim)?;
        // SAFETY: the lists have `ndim` numbers.
        let lists = unsafe { (list(self.shape, count), list(self.strides, count)) };
        let (Some(shape), Some(strides)) = lists else {
            return Err(Fault::Description(format!("it has {count} modes and no shape or no strides")));
        };
        Ok((shape, (!self.has(ArrayFlag::Contiguous)).then_some(strides)))
    }
}

/// A number of modes, as many as a layout may have.
fn modes(ndim: i32) -> Result<usize, Fault> {
    let count = usize::try_from(ndim).map_err(|_| Fault::Description(format!("it has {ndim} modes")))?;
    if count > MAX_LEAVES {
        return Err(Fault::Layout(Error::Capacity { what: "leaves in a tuple", limit: MAX_LEAVES }));
    }
    Ok(count)
}

/// The numbers of a list; none if it is null and not empty.
///
/// # Safety
/// `first` is null or has `count` numbers, for as long as they are used.
unsafe fn list<'a, T>(first: *const T, count: usize) -> Option<&'a [T]> {
    match count {
        0 => Some(&[]),
        _ if first.is_null() => None,
        // SAFETY: the list has `count` numbers.
        _ => Some(unsafe { std::slice::from_raw_parts(first, count) }),
    }
}

/// The tensor of DLPack (`dlpack.h`, version 1.0).
#[repr(C)]
pub struct DlTensor {
    pub data: *mut c_void,
    pub device_type: i32,
    pub device_id: i32,
    pub ndim: i32,
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
    pub shape: *mut i64,
    pub strides: *mut i64,
    pub byte_offset: u64,
}

impl DlTensor {
    /// The array that it describes; `element` is the bytes of an element.
    ///
    /// # Errors
    /// [`Fault::Layout`] for more modes than a layout can have; [`Fault::Description`] for a negative number of modes,
    /// a shape that is missing, and a first element outside the address space.
    ///
    /// # Safety
    /// `shape` and `strides` are null or have `ndim` numbers.
    pub unsafe fn describe(&self, element: usize) -> Result<Description, Fault> {
        let count = modes(self.ndim)?;
        // SAFETY: there are `ndim` numbers.
        let (shape, strides) = unsafe { (list(self.shape, count), list(self.strides, count)) };
        let no_shape = || Fault::Description(format!("it has {count} modes and no shape"));
        let shape = shape.ok_or_else(no_shape)?.to_vec();
        let mut strides = strides.map_or_else(|| row_major(&shape), <[i64]>::to_vec);
        // A stride of a mode of extent 1 is never used.
        for (stride, _) in strides.iter_mut().zip(&shape).filter(|(_, extent)| **extent < 2) {
            *stride = 0;
        }
        let past = || Fault::Description(format!("its first element is {} bytes away", self.byte_offset));
        let bytes = usize::try_from(self.byte_offset).map_err(|_| past())?;
        self.data.addr().checked_add(bytes).ok_or_else(past)?;
        Ok(Description { data: self.data.cast::<u8>().wrapping_add(bytes), element, shape, strides })
    }
}
