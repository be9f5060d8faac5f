//! `min_offset`, `max_offset`, `cosize`, `span`, and the predicates on the image, against the image itself.

use crate::oracle::{Nest, mex, values};
use crate::random::{self, Case, Kind, Random, check};
use std::collections::BTreeSet;
use tilework::{Composed, Error, Layout, Swizzle};

fn generate(rng: &mut Random) -> Case {
    if rng.once_in(3) {
        let low = *rng.pick(&[0, 0, -6]);
        let modes: Vec<_> =
            random::extents(rng, 4, 5, 100).into_iter().map(|s| (s, rng.range(low, 9))).collect();
        return Case::layouts([random::nest_flat(rng, &modes)]);
    }
    Case::layouts([random::layout(rng, 5, 2000)])
}

#[test]
fn bounds_of_the_image() {
    check("bounds", 30_000, generate, |case| {
        let l = &case.layouts[0];
        let Some(layout) = l.layout() else { return Ok(()) };
        let all = values(&l.flat());
        let (low, high) = (*all.iter().min().unwrap(), *all.iter().max().unwrap());
        for (name, found, truth) in [
            ("min_offset", layout.min_offset(), low),
            ("max_offset", layout.max_offset(), high),
            ("cosize", layout.cosize(), high + 1),
            ("span", layout.span(), high - low + 1),
        ] {
            if found.map(i128::from) != Ok(truth) {
                return Err(format!("{name} is {truth}, not {found:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn predicates_of_the_image() {
    let mut counts = [[0usize; 2]; 5];
    let mut undecided = 0;
    check("predicates", 40_000, generate, |case| {
        let l = &case.layouts[0];
        let Some(layout) = l.layout() else { return Ok(()) };
        let all = values(&l.flat());
        let image: BTreeSet<i128> = all.iter().copied().collect();
        let (low, high) = (*image.first().unwrap(), *image.last().unwrap());
        let onto = low == 0 && image.len() as i128 == high + 1;
        let injective = image.len() == all.len();
        let bijective = mex(&all) == all.len() as i128;
        let increasing = all.windows(2).all(|pair| pair[0] < pair[1]);
        for (i, (name, found, truth)) in [
            ("is_injective", layout.is_injective(), injective),
            ("is_surjective", layout.is_surjective(), onto),
            ("is_bijective", layout.is_bijective(), bijective),
            ("is_compact", layout.is_compact(), bijective),
            ("is_increasing", layout.is_increasing(), increasing),
        ]
        .into_iter()
        .enumerate()
        {
            match found {
                Ok(found) if found == truth => counts[i][truth as usize] += 1,
                Err(Error::Undecided { .. }) => undecided += 1,
                other => return Err(format!("{name} is {truth}, not {other:?}")),
            }
        }
        Ok(())
    });
    println!("predicates (false, true): {counts:?}, {undecided} undecided");
    assert!(counts.iter().flatten().all(|&count| count > 0) && undecided * 1000 <= counts[0][0]);
}

/// The distributions in which injectivity is hard: subset sums.
#[test]
fn injective_against_subset_sums() {
    let mut counts = [0usize; 2];
    let generate = |rng: &mut Random| {
        let rank = rng.range(3, 8);
        let most = *rng.pick(&[20, 60, 300]);
        let modes: Vec<_> = (0..rank).map(|_| (rng.range(2, 3), rng.range(-most, most))).collect();
        Case::layouts([random::nest_flat(rng, &modes)])
    };
    check("injective", 10_000, generate, |case| {
        let l = &case.layouts[0];
        let all = values(&l.flat());
        let truth = all.iter().collect::<BTreeSet<_>>().len() == all.len();
        match l.layout().unwrap().is_injective() {
            Ok(found) if found == truth => counts[truth as usize] += 1,
            other => return Err(format!("injective is {truth}, not {other:?}")),
        }
        Ok(())
    });
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
    // The generator of compact layouts makes compact layouts.
    let mut rng = Random::new(5);
    let compact = random::layout_of(&mut rng, Kind::Compact, 4, 100);
    assert_eq!(Nest::of(&compact.layout().unwrap()), compact);
}

/// A swizzle takes no offset below 0: where a swizzled layout has one, it is not a function, and no question of its offsets is
/// answered.
#[test]
fn swizzled_layouts_are_asked_where_they_have_values() {
    let (mut asked, mut refused) = (0, 0);
    let swizzles = [(0, 0, 0), (1, 0, 1), (1, 0, -1), (1, 1, 2), (2, 0, 2)];
    let strides = || (-2..=2).flat_map(|d0| (-2..=3).map(move |d1| format!("({d0},{d1})")));
    let xor = || (0..=2).flat_map(|d0| (0..=3).map(move |d1| format!("(^{d0},^{d1})")));
    for stride in strides().chain(xor()) {
        for shape in ["(1,1)", "(3,1)", "(2,2)", "(3,2)", "(4,2)"] {
            let layout: Layout = format!("{shape}:{stride}").parse().unwrap();
            for ((bits, base, shift), offset) in
                swizzles.iter().flat_map(|&swizzle| (-2..=3).map(move |offset| (swizzle, offset)))
            {
                let swizzle = Swizzle::new(bits, base, shift).unwrap();
                let composed = Composed::new(swizzle, offset, layout).unwrap();
                let offsets: Result<BTreeSet<i64>, Error> =
                    (0..layout.size()).map(|c| composed.try_at(c)).collect();
                let Ok(offsets) = offsets else {
                    assert!(composed.bounds().is_err(), "{composed}");
                    assert!(composed.is_injective().is_err(), "{composed}");
                    assert!(composed.is_surjective().is_err(), "{composed}");
                    assert!(composed.is_compact().is_err(), "{composed}");
                    assert!(composed.is_increasing().is_err(), "{composed}");
                    assert!(composed.footprint().is_err(), "{composed}");
                    assert!(composed.contiguity().is_err(), "{composed}");
                    refused += 1;
                    continue;
                };
                let (low, high) = (*offsets.first().unwrap(), *offsets.last().unwrap());
                let surjective = offsets.len() as i64 == high + 1;
                let increasing = (1..layout.size()).all(|c| composed.at(c) > composed.at(c - 1));
                assert_eq!(composed.bounds(), Ok((low, high)), "{composed}");
                assert_eq!(composed.footprint(), Ok(offsets.len() as i64), "{composed}");
                assert_eq!(composed.is_injective(), Ok(offsets.len() as i64 == layout.size()), "{composed}");
                assert_eq!(composed.is_surjective(), Ok(surjective), "{composed}");
                assert_eq!(composed.is_compact(), Ok(surjective && high + 1 == layout.size()), "{composed}");
                assert_eq!(composed.is_increasing(), Ok(increasing), "{composed}");
                asked += 1;
            }
        }
    }
    assert!(asked > 2000 && refused > 1000, "{asked} {refused}");
}
