//! Descriptions of arrays, without an interpreter: each by the addresses of all of its elements.

#[path = "../src/description.rs"]
mod description;

use description::{ArrayFlag, ArrayStruct, Description, DlTensor, Extent, Fault, row_major};
use std::ptr::{null, null_mut, without_provenance_mut};
use tilework::Error;

const DATA: usize = 0x10_0000;

fn tensor(shape: &mut [i64], strides: Option<&mut [i64]>, byte_offset: u64) -> DlTensor {
    DlTensor {
        data: without_provenance_mut(DATA),
        device_type: 1,
        device_id: 0,
        ndim: shape.len() as i32,
        code: 0,
        bits: 32,
        lanes: 1,
        shape: if shape.is_empty() { null_mut() } else { shape.as_mut_ptr() },
        strides: strides.map_or(null_mut(), |strides| strides.as_mut_ptr()),
        byte_offset,
    }
}

fn extent(tensor: &DlTensor, element: usize) -> Result<Extent, Fault> {
    // SAFETY: the lists of the tensors of these tests have `ndim` numbers or are null.
    unsafe { tensor.describe(element) }?.extent()
}

/// The addresses of all elements, the first mode fastest.
fn addresses(first: i64, element: i64, shape: &[i64], strides: &[i64]) -> Vec<i64> {
    let mut all = vec![first];
    for (extent, stride) in shape.iter().zip(strides) {
        all = (0..*extent)
            .flat_map(|index| all.iter().map(move |address| address + index * stride * element))
            .collect();
    }
    all
}

#[test]
fn the_memory_is_that_of_all_elements() {
    for element in [1usize, 2, 4, 16] {
        for offset in [0, 6] {
            for number in 0..(5i64 * 9).pow(2) {
                let mut rest = number;
                let mut digit = |base| (rest % base, rest /= base).0;
                let mut shape = [digit(5), digit(5)];
                let mut strides = [digit(9) - 3, digit(9) - 3];
                let found = extent(&tensor(&mut shape, Some(&mut strides), offset), element);
                if shape.contains(&0) {
                    assert!(matches!(found, Err(Fault::Layout(Error::Extent { .. }))), "{shape:?} {found:?}");
                    continue;
                }
                let Extent { first, len, start, layout } = found.unwrap();
                let all = addresses((DATA as u64 + offset) as i64, element as i64, &shape, &strides);
                let (low, high) = (*all.iter().min().unwrap(), *all.iter().max().unwrap());
                assert_eq!(first.addr() as i64, low, "{shape:?} {strides:?}");
                assert_eq!(len as i64 * element as i64, high - low + element as i64, "{shape:?} {strides:?}");
                let placed =
                    (0..layout.size()).map(|index| low + (start + layout.at(index)) * element as i64);
                assert!(placed.eq(all), "{shape:?} {strides:?} {layout}");
            }
        }
    }
}

#[test]
fn without_strides_the_last_mode_is_contiguous() {
    assert_eq!(row_major(&[2, 3, 4]), [12, 4, 1]);
    assert_eq!(row_major(&[]), [0; 0]);
    let layout = |shape: &mut [i64]| extent(&tensor(shape, None, 0), 4).unwrap().layout.to_string();
    assert_eq!(layout(&mut [2, 3, 4]), "(2,3,4):(12,4,1)");
    assert_eq!(layout(&mut [2, 1, 4]), "(2,1,4):(4,0,1)");
    assert_eq!(layout(&mut []), "():()");
}

#[test]
fn a_stride_along_one_element_is_any() {
    let mut strides = [i64::MAX, 1];
    let found = extent(&tensor(&mut [1, 8], Some(&mut strides), 0), 4).unwrap();
    assert_eq!((found.layout.to_string().as_str(), found.len), ("(1,8):(0,1)", 8));
}

#[test]
fn an_array_of_numpy_tells_its_modes() {
    use ArrayFlag::{Contiguous, NotSwapped, Writeable};
    let array = |flags, ndim, shape: &[isize], strides: &[isize]| {
        let pointer = |list: &[isize]| if list.is_empty() { null() } else { list.as_ptr() };
        let (shape, strides, data, descr) = (pointer(shape), pointer(strides), null_mut(), null_mut());
        let array = ArrayStruct { two: 2, ndim, kind: 0, item_bytes: 4, flags, shape, strides, data, descr };
        // SAFETY: the lists of this test have `ndim` numbers or are null.
        let modes = unsafe { array.modes() };
        let modes = modes.map(|(shape, strides)| (shape.to_vec(), strides.map(<[isize]>::to_vec)));
        (modes, [Contiguous, NotSwapped, Writeable].map(|flag| array.has(flag)))
    };
    let told = (Ok((vec![3, 4], Some(vec![16, -4]))), [false, true, false]);
    assert_eq!(array(0x200, 2, &[3, 4], &[16, -4]), told);
    assert_eq!(array(0x401, 2, &[3, 4], &[16, 4]), (Ok((vec![3, 4], None)), [true, false, true]));
    assert_eq!(array(0, 0, &[], &[]).0, Ok((vec![], Some(vec![]))));
    assert_eq!(array(0, 32, &[1; 32], &[0; 32]).0, Ok((vec![1; 32], Some(vec![0; 32]))));
    for (ndim, shape, strides) in [(-1, &[2isize][..], &[4isize][..]), (1, &[], &[4]), (1, &[2], &[])] {
        assert!(matches!(array(0, ndim, shape, strides).0, Err(Fault::Description(_))));
    }
    assert!(matches!(array(0, 33, &[1; 33], &[0; 33]).0, Err(Fault::Layout(Error::Capacity { .. }))));
}

#[test]
fn what_is_no_memory_is_refused() {
    let description = |found: Result<Extent, Fault>| matches!(found, Err(Fault::Description(_)));
    let plain = |shape: &mut [i64], strides: &mut [i64]| extent(&tensor(shape, Some(strides), 0), 4);
    // Counts of modes.
    let ndim = |ndim| extent(&DlTensor { ndim, ..tensor(&mut [2; 64], None, 0) }, 1);
    assert!(description(ndim(-1)) && description(ndim(i32::MIN)));
    assert!(matches!(ndim(33), Err(Fault::Layout(Error::Capacity { .. }))));
    assert!(matches!(ndim(i32::MAX), Err(Fault::Layout(Error::Capacity { .. }))));
    assert_eq!(ndim(32).unwrap().len, 1 << 32);
    assert!(description(extent(&DlTensor { ndim: 1, ..tensor(&mut [], None, 0) }, 1)));
    let missing =
        Description { data: without_provenance_mut(DATA), element: 4, shape: vec![2, 2], strides: vec![1] };
    assert!(description(missing.extent()));
    // Offsets of more than 64 bits.
    assert!(matches!(plain(&mut [3], &mut [i64::MAX]), Err(Fault::Layout(Error::Overflow { .. }))));
    assert!(matches!(plain(&mut [3, -1], &mut [1, 1]), Err(Fault::Layout(Error::Extent { .. }))));
    assert!(matches!(plain(&mut [i64::MAX, 2], &mut [0, 0]), Err(Fault::Layout(_))));
    // Addresses that there are not: before the first, behind the last, and more bytes than an object has.
    assert!(plain(&mut [2], &mut [-(DATA as i64) / 4]).is_ok());
    assert!(description(plain(&mut [2], &mut [-(DATA as i64) / 4 - 1])));
    assert!(description(plain(&mut [2], &mut [i64::MAX])));
    assert!(description(plain(&mut [2], &mut [i64::MIN + 1])));
    assert!(description(plain(&mut [2, 2], &mut [i64::MAX / 2, i64::MIN / 2])));
    let most = isize::MAX as i64 / 4;
    assert!(plain(&mut [2], &mut [most - 1]).is_ok() && description(plain(&mut [2], &mut [most])));
    let at = |offset| extent(&tensor(&mut [1], None, offset), 1);
    let last = u64::MAX - DATA as u64;
    assert!(at(last).is_ok() && description(at(last + 1)) && description(at(u64::MAX)));
    assert!(description(extent(&tensor(&mut [2], None, last), 1)));
    assert!(description(extent(&DlTensor { data: null_mut(), ..tensor(&mut [1], None, 0) }, 1)));
}
