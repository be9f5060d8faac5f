//! Vector widths and the offsets of instructions, against enumeration.

use std::collections::HashMap;
use testkit::Random;
use tilework::{AnyLayout, Codomain, Composed, HTuple, Layout, Leaf, Swizzle, layout};
use tilework_hardware::Refused;
use tilework_hardware::access::{Limit, Side, admits, vector_width};

/// Random layouts.
trait Layouts {
    /// Strides of a shape: compact in some order, with some padding.
    fn strides(&mut self, extents: &[i64]) -> Layout;
}

impl Layouts for Random {
    fn strides(&mut self, extents: &[i64]) -> Layout {
        let mut order: Vec<usize> = (0..extents.len()).collect();
        if self.below(3) > 0 {
            self.shuffle(&mut order);
        }
        let (mut strides, mut next) = (vec![0; extents.len()], 1);
        for mode in order {
            strides[mode] = next;
            next = next * extents[mode] + [0, 0, 0, 1, 2, 4, 8][self.below(7) as usize];
        }
        let modes: Vec<_> = extents
            .iter()
            .zip(&strides)
            .map(|(&extent, &stride)| HTuple::leaf(Leaf::new(extent, stride)))
            .collect();
        Layout::new(HTuple::tuple(&modes).unwrap()).unwrap()
    }
}

fn at(side: &AnyLayout, index: i64) -> i64 {
    match side {
        AnyLayout::Plain(layout) => layout.at(index),
        AnyLayout::Swizzled(composed) => {
            let (swizzle, x) = (composed.swizzle(), composed.offset() + composed.layout().at(index));
            let (source, shift) = (x & swizzle.source_mask(), swizzle.shift());
            x ^ if shift < 0 { source << -shift } else { source >> shift }
        }
    }
}

/// Whether every element of both can be copied in vectors: the vectors of one side, by their places, are those of the
/// other.
fn is_possible(one: &AnyLayout, two: &AnyLayout, elements: i64) -> bool {
    let mut vectors: HashMap<i64, Vec<(i64, i64)>> = HashMap::new();
    for index in 0..one.layout().size() {
        let offset = at(one, index);
        vectors
            .entry(offset.div_euclid(elements))
            .or_default()
            .push((offset.rem_euclid(elements), at(two, index)));
    }
    vectors.values_mut().all(|vector| {
        vector.sort_unstable();
        let start = vector[0].1;
        vector.len() as i64 == elements
            && start % elements == 0
            && (0..).zip(vector).all(|(i, &mut (place, other))| place == i && other == start + i)
    })
}

#[test]
fn vectors_are_as_wide_as_they_can_be() {
    let mut random = Random::congruential(3);
    let rounds = if cfg!(debug_assertions) { 3000 } else { 50_000 };
    let (mut wide, mut strides, mut addresses) = (0, 0, 0);
    for _ in 0..rounds {
        let extents: Vec<i64> = (0..1 + random.below(3)).map(|_| 1 + random.below(9)).collect();
        let (one, two) = (random.strides(&extents), random.strides(&extents));
        let bits = [8, 16, 32, 64][random.below(4) as usize];
        let aligns = [1, 2, 4, 8, 16].map(|align| align.max(bits / 8));
        let (a, b) = (aligns[random.below(5) as usize], aligns[random.below(5) as usize]);
        let side = |layout, align| Side { layout, align };
        let (one, two) = (one.into(), two.into());
        let found = vector_width(side(&one, a), side(&two, b), bits, 128).unwrap();
        let fits = |elements: i64| {
            let bytes = elements * i64::from(bits) / 8;
            bytes <= 16
                && i64::from(a) % bytes == 0
                && i64::from(b) % bytes == 0
                && is_possible(&one, &two, elements)
        };
        let widest = [16, 8, 4, 2].into_iter().find(|&elements| fits(elements)).unwrap_or(1);
        assert_eq!(found.elements, widest, "{one} {two} of {bits} bits at {a} and {b}: {found}");
        for k in 0..found.elements {
            let index = found.coordinates.at(k);
            assert_eq!((at(&one, index), at(&two, index)), (k, k), "{one} {two}: {found}");
        }
        wide += u32::from(found.elements > 1);
        strides += u32::from(matches!(found.limit, Limit::Stride { .. }));
        addresses += u32::from(matches!(found.limit, Limit::Address { .. }));
    }
    println!("{rounds}: {wide} wider than one, {strides} for a stride, {addresses} for an address");
    assert!([wide, strides, addresses].iter().all(|&count| count * 100 > rounds as u32));
}

/// The same, with all vectors at the same coordinates, relative to their first.
fn is_divided(one: &AnyLayout, two: &AnyLayout, elements: i64) -> bool {
    let places: HashMap<i64, i64> = (0..one.layout().size()).map(|index| (at(one, index), index)).collect();
    let relative =
        |start: i64| (0..elements).map(|i| places[&(start + i)] - places[&start]).collect::<Vec<i64>>();
    let starts = (0..one.layout().size()).map(|index| at(one, index)).filter(|offset| offset % elements == 0);
    let relative: Vec<Vec<i64>> = match is_possible(one, two, elements) {
        true => starts.map(relative).collect(),
        false => return false,
    };
    relative.iter().all(|own| *own == relative[0])
}

#[test]
fn vectors_of_swizzled_layouts_are_as_wide_as_they_can_be() {
    let mut random = Random::congruential(36);
    let rounds = if cfg!(debug_assertions) { 3000 } else { 50_000 };
    let (mut wide, mut swizzles, mut narrower) = (0, 0, 0);
    for _ in 0..rounds {
        let linear = random.below(3) > 0;
        let extents: Vec<i64> = (0..1 + random.below(3))
            .map(|_| if linear { 1 << random.below(4) } else { 1 + random.below(9) })
            .collect();
        let mut swizzled = || {
            let layout = random.strides(&extents);
            let bits = random.below(4);
            let shift = (bits + random.below(2)) * [1, 1, -1][random.below(3) as usize];
            let swizzle = Swizzle::new(bits, random.below(5), shift).unwrap();
            let offset = if random.below(4) == 0 { random.below(40) } else { 0 };
            match random.below(3) {
                0 => AnyLayout::Plain(layout),
                _ => Composed::new(swizzle, offset, layout).unwrap().into(),
            }
        };
        let (one, mut two) = (swizzled(), swizzled());
        if random.below(4) == 0 {
            two = one;
        }
        let side = |layout| Side { layout, align: 16 };
        let found = vector_width(side(&one), side(&two), 8, 128).unwrap();
        assert!(is_possible(&one, &two, found.elements), "{one} {two}: {found}");
        let widest = [16, 8, 4, 2, 1].into_iter().find(|&elements| is_divided(&one, &two, elements)).unwrap();
        // Exactly the widest, unless a swizzle is not linear over F2, or the coordinates of a vector are XORs.
        let has_strides = |side: &AnyLayout| side.to_layout().is_ok();
        if found.elements < widest {
            let common = one.common_layout(&two).map(|common| common.codomain());
            let exact = has_strides(&one) && has_strides(&two) && common == Ok(Codomain::Integer);
            let exact = exact && !matches!(found.limit, Limit::Division { .. });
            assert!(!exact, "{one} {two}: {found}, and {widest} are possible");
            narrower += 1;
        }
        wide += u32::from(found.elements > 1);
        swizzles += u32::from(matches!(found.limit, Limit::Swizzle { .. }));
    }
    println!("{rounds}: {wide} wider than one, {swizzles} for a swizzle, {narrower} narrower than possible");
    assert!([wide, swizzles].iter().all(|&count| count * 50 > rounds) && narrower * 50 < rounds);
}

/// The paper, figure 8b: four elements at coordinates 0, 2, 8 and 10.
#[test]
fn coordinates_of_the_paper() {
    let one = layout!(((2,2),(2,4)):((8,1),(2,16))).into();
    let two = layout!(((2,2),(2,4)):((4,1),(16,2))).into();
    let found =
        vector_width(Side { layout: &one, align: 16 }, Side { layout: &two, align: 16 }, 32, 128).unwrap();
    assert_eq!((found.elements, found.coordinates), (2, layout!(2:2)));
    let (one, two) = (layout!((2,2,2,2):(16,1,4,2)).into(), layout!((2,2,2,2):(4,1,16,2)).into());
    let found =
        vector_width(Side { layout: &one, align: 16 }, Side { layout: &two, align: 16 }, 32, 128).unwrap();
    assert_eq!((found.elements, found.coordinates), (4, layout!((2,2):(2,8))));
}

#[test]
fn what_cannot_be_copied_is_refused() {
    let side = |layout| Side { layout, align: 16 };
    let (four, eight) = (layout!(4:1).into(), layout!(8:1).into());
    assert!(vector_width(side(&four), side(&eight), 16, 128).is_err());
    assert_eq!(
        vector_width(side(&four), side(&four), 256, 128),
        Err(Refused::Width { bits: 256, most: 128 })
    );
    let error = vector_width(side(&four), side(&four), 0, 128);
    assert_eq!(error, Err(Refused::Width { bits: 0, most: 128 }));
}

/// The paper, section 3.4.4 and figure 9: instructions on tensor memory, with its illustrative lane stride of 16384.
#[test]
fn instructions_on_tensor_memory() {
    let one = layout!((1,128):(1,16384));
    let two = layout!((2,128):(1,16384));
    let wide = layout!((8,(16,4)):(1,(16384,524288)));
    // An accumulator of 128x64, and one of 64x128 that is folded into 64 lanes of 32-lane parts.
    let plain = layout!((128,64):(16384,1));
    let folded = layout!(((16,4),128):((16384,524288),1));
    assert_eq!(admits(&plain, &one), Ok(layout!((1,128):(0,1))));
    assert_eq!(admits(&plain, &two), Ok(layout!((2,128):(128,1))));
    assert_eq!(admits(&plain, &wide), Ok(layout!((8,(16,4)):(128,(1,32)))));
    assert_eq!(admits(&folded, &wide), Ok(layout!((8,(16,4)):(64,(1,16)))));
    assert_eq!(admits(&folded, &two), Err(Refused::Absent { index: 32, offset: 16 * 16384 }));
}

#[test]
fn offsets_are_where_they_are_said_to_be() {
    let mut random = Random::congruential(9);
    let rounds = if cfg!(debug_assertions) { 3000 } else { 50_000 };
    let (mut there, mut absent, mut other) = (0, 0, 0);
    for _ in 0..rounds {
        let extents: Vec<i64> = (0..1 + random.below(3)).map(|_| 1 + random.below(5)).collect();
        let data = random.strides(&extents);
        let of: Vec<i64> = (0..1 + random.below(2)).map(|_| 1 + random.below(4)).collect();
        let mut instruction = random.strides(&of);
        if random.below(2) == 0 {
            let leaves: Vec<_> = instruction
                .leaves()
                .iter()
                .map(|leaf| HTuple::leaf(Leaf::new(leaf.extent, data.leaves()[0].stride.count().numerator())))
                .collect();
            instruction = Layout::new(HTuple::tuple(&leaves).unwrap()).unwrap();
        }
        let offsets: Vec<i64> = (0..data.size()).map(|index| data.at(index)).collect();
        match admits(&data, &instruction) {
            Ok(coordinates) => {
                there += 1;
                for index in 0..instruction.size() {
                    assert_eq!(data.at(coordinates.at(index)), instruction.at(index), "{data} {instruction}");
                }
            }
            Err(Refused::Absent { index, offset }) => {
                absent += 1;
                assert_eq!(instruction.at(index), offset);
                assert!(!offsets.contains(&offset), "{data} {instruction}");
                assert!(
                    (0..index).all(|before| offsets.contains(&instruction.at(before))),
                    "{data} {instruction}"
                );
            }
            Err(error) => {
                other += 1;
                assert!(matches!(error, Refused::Algebra(_)), "{data} {instruction}: {error}");
            }
        }
    }
    println!("{rounds}: {there} there, {absent} absent, {other} without a layout of coordinates");
    assert!(there * 10 > rounds && absent * 10 > rounds && other * 20 < rounds);
}
