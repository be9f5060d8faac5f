//! Arrays as DLPack and NumPy describe them.

// Some flags are for those who write descriptions.
#[allow(dead_code)]
#[path = "../../crates/tilework-python/src/description.rs"]
mod description;

use description::{ArrayFlag, ArrayStruct, DlTensor, Extent};
use std::ptr::{null_mut, without_provenance_mut};

/// What a description says, in numbers wide enough for whatever it says.
struct Described {
    address: i128,
    element: i128,
    /// Nothing where there is no list.
    modes: Option<Vec<(i128, i128)>>,
}

/// Any description is refused or leads to the memory of its elements.
pub fn descriptions(data: &[u8]) {
    let mut words = Words(data);
    let flags = words.byte();
    let element = 1 + usize::from(words.byte() % 16);
    let ndim = match words.byte() {
        count @ 0..=40 => count.into(),
        41 => i32::MIN,
        42 => i32::MAX,
        other => i32::from(other) - 100,
    };
    let (address, byte_offset) = (words.word() as usize, words.word() as u64);
    let length = ndim.clamp(0, 64) as usize;
    let mut shape: Vec<i64> = (0..length).map(|_| words.word()).collect();
    let mut strides: Vec<i64> = (0..length).map(|_| words.word()).collect();
    let pointer = |list: &mut Vec<i64>, is_there: bool| match is_there {
        // What is said to have more modes than these has no list of as many.
        true if ndim <= 64 => list.as_mut_ptr(),
        _ => null_mut(),
    };
    let (has_shape, has_strides) = (flags & 3 != 3, flags & 4 == 0);
    let tensor = DlTensor {
        data: without_provenance_mut(address),
        device_type: 1,
        device_id: 0,
        ndim,
        code: 0,
        bits: 8,
        lanes: 1,
        shape: pointer(&mut shape, has_shape),
        strides: pointer(&mut strides, has_strides),
        byte_offset,
    };
    let modes = || {
        let mut modes: Vec<(i128, i128)> =
            shape.iter().zip(&strides).map(|(&extent, &stride)| (extent.into(), stride.into())).collect();
        if !has_strides {
            let mut stride = 1i128;
            for mode in modes.iter_mut().rev() {
                mode.1 = stride;
                stride = stride.saturating_mul(mode.0.max(1));
            }
        }
        modes
    };
    let described = Described {
        address: address as i128 + i128::from(byte_offset),
        element: element as i128,
        modes: (0..=32).contains(&ndim).then(modes).filter(|modes| has_shape || modes.is_empty()),
    };
    let array = ArrayStruct {
        two: 2,
        ndim,
        kind: 0,
        item_bytes: 1,
        flags: i32::from(flags >> 3),
        shape: pointer(&mut shape, has_shape).cast(),
        strides: pointer(&mut strides, has_strides).cast(),
        data: null_mut(),
        descr: null_mut(),
    };
    // SAFETY: both lists are null or have `ndim` numbers.
    let modes = unsafe { array.modes() }.ok();
    let is_whole = (0..=32).contains(&ndim) && (ndim == 0 || has_shape && has_strides);
    let numbers = |list: &[i64]| list.iter().map(|&number| number as isize).collect::<Vec<_>>();
    let (told_shape, told_strides) = (numbers(&shape), numbers(&strides));
    let told = (&told_shape[..], (!array.has(ArrayFlag::Contiguous)).then_some(&told_strides[..]));
    assert_eq!(modes, is_whole.then_some(told));
    // SAFETY: both lists are null or have `ndim` numbers.
    let found = unsafe { tensor.describe(element) }.and_then(|description| description.extent());
    match (found, described.bytes()) {
        (Ok(extent), Some(bytes)) => described.check(&extent, bytes),
        (Err(_), None) => {}
        (found, bytes) => panic!("{found:?} for the bytes {bytes:?} of {shape:?}:{strides:?}"),
    }
}

impl Described {
    /// The bytes of all elements, where they are memory and their offsets are those of a layout.
    fn bytes(&self) -> Option<(i128, i128)> {
        let modes = self.modes.as_ref()?;
        let (mut size, mut low, mut high) = (1i128, 0i128, 0i128);
        for &(extent, stride) in modes {
            size = Some(size.saturating_mul(extent)).filter(|size| extent > 0 && *size <= i64::MAX.into())?;
            let reach = (extent - 1).checked_mul(if extent == 1 { 0 } else { stride })?;
            (low, high) = (low + reach.min(0), high + reach.max(0));
            if low < i64::MIN.into() || high > i64::MAX.into() {
                return None;
            }
        }
        let first = self.address + low * self.element;
        let end = self.address + (high + 1) * self.element;
        let is_memory = self.address < 1 << usize::BITS
            && self.address > 0
            && first >= 0
            && end <= 1 << usize::BITS
            && end - first <= isize::MAX as i128;
        is_memory.then_some((first, end))
    }

    /// The bytes are found, and the layout leads to the addresses of the elements: all corners, and some between.
    fn check(&self, extent: &Extent, (first, end): (i128, i128)) {
        let found = extent.first.addr() as i128;
        assert_eq!((found, found + extent.len as i128 * self.element), (first, end), "{extent:?}");
        let modes = self.modes.as_ref().expect("what has bytes has modes");
        assert_eq!(i128::from(extent.layout.size()), modes.iter().map(|mode| mode.0).product::<i128>());
        for sample in 0..64u64 {
            let mut bits = sample.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (mut index, mut stride, mut address) = (0i128, 1i128, self.address);
            for &(extent, step) in modes {
                bits = bits.rotate_left(7);
                let digit = match sample % 2 {
                    0 => i128::from(bits) % extent,
                    _ => (extent - 1) * i128::from(bits % 2),
                };
                index += digit * stride;
                stride *= extent;
                address += digit * step * self.element;
            }
            let place = i128::from(extent.start) + i128::from(extent.layout.at(index as i64));
            assert_eq!(found + place * self.element, address, "{extent:?} at {index}");
        }
    }
}

/// Numbers from bytes: small ones and those at which something overflows; 0 where there are no more bytes.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn word(&mut self) -> i64 {
        let (kind, low) = (self.byte(), self.byte());
        match kind {
            0..128 => low.into(),
            128..192 => i64::from(low) << (kind % 64),
            192..208 => i64::MAX - i64::from(low),
            208..224 => i64::MIN + i64::from(low),
            224..240 => -i64::from(low),
            _ => (i64::from(low) << 32) / i64::from(kind - 239),
        }
    }
}
