//! `right_inverse`, `left_inverse`, `inverse`, `nullspace`, `common_layout`, `common_vector`.

use crate::inverse_sweep::{is_image, sweep};
use crate::oracle::{self, Axes, Flat, Nest, Step, at, mex, preimages, values};
use crate::random::{self, Case, Kind, Random, check, check_layout, check_pair};
use std::collections::BTreeSet;
use tilework::{Error, Layout};

/// `L(R(k)) = k` for all `k < |R|` (section 3.4.1), with every index inside `L`; canonical.
fn postcondition_right_inverse(all: &[i128], r: &Nest) -> Result<(), String> {
    let flat = r.flat();
    for (k, index) in values(&flat).into_iter().enumerate() {
        if index < 0 || index >= all.len() as i128 || all[index as usize] != k as i128 {
            return Err(format!("{} is no right inverse at {k}", r.text()));
        }
    }
    let form = Nest::of_flat(&oracle::reconstruct(&values(&flat)).unwrap());
    if form != *r { Err(format!("{} is not coalesced", r.text())) } else { Ok(()) }
}

#[test]
fn right_inverse_is_the_largest() {
    let (mut decided, mut undecided, mut beyond_chain, mut skipped) = (0, 0, 0, 0);
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&random::KINDS);
        if kind == Kind::Mixed || kind == Kind::Signed {
            // Small strides, so that images overlap and have few gaps.
            let low = if kind == Kind::Signed { -3 } else { 0 };
            let modes: Vec<_> =
                random::extents(rng, 4, 6, 60).into_iter().map(|s| (s, rng.range(low, 9))).collect();
            return random::nest_flat(rng, &modes);
        }
        random::layout_of(rng, kind, 4, 60)
    };
    check_layout("right_inverse", 30_000, generate, |l, layout| {
        let all = values(&l.flat());
        let r = match layout.right_inverse() {
            Ok(r) => Nest::of(&r),
            Err(Error::Undecided { .. }) => {
                undecided += 1;
                return Ok(());
            }
            Err(error) => return Err(format!("refused: {error}; 1:0 is always one")),
        };
        postcondition_right_inverse(&all, &r)?;
        match oracle::largest_right_inverse(&all, 20_000) {
            Some(best) if r.size() != best => {
                return Err(format!("{} has size {}, the largest {best}", r.text(), r.size()));
            }
            Some(best) => {
                decided += 1;
                beyond_chain += (best < mex(&all)) as usize;
            }
            None => skipped += 1,
        }
        Ok(())
    });
    println!(
        "right_inverse: {decided} largest, {undecided} undecided, {beyond_chain} below mex, {skipped} too many to try"
    );
    assert!(skipped * 100 <= decided && undecided * 1000 <= decided);
}

#[test]
fn right_inverse_of_injective_layouts_reaches_the_first_gap() {
    // EXACT.md, theorem 3; sizes to 10^4.
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&[Kind::Compact, Kind::Gapped]);
        random::layout_of(rng, kind, 7, 10_000)
    };
    check_layout("right_inverse injective", 3_000, generate, |l, layout| {
        let all = values(&l.flat());
        if preimages(&all).len() != all.len() || all.iter().any(|&value| value < 0) {
            return Ok(());
        }
        let r = Nest::of(&layout.right_inverse().map_err(|error| error.to_string())?);
        postcondition_right_inverse(&all, &r)?;
        if r.size() == mex(&all) { Ok(()) } else { Err(format!("{} of {}", r.size(), mex(&all))) }
    });
}

/// `L(R(k)) = k` for the coordinates `k` of `R` (equation 24): `k` runs over the coordinates that `L` gives.
#[test]
fn right_inverse_of_coordinate_layouts() {
    let (mut found, mut refused, mut whole) = (0, 0, 0);
    let generate = |rng: &mut Random| {
        // A split of the identity on (n0,n1): bijective; or anything.
        let flat_axes = [vec![0], vec![1]];
        if rng.once_in(2) {
            return Case {
                layouts: vec![random::coordinate_layout(rng, &flat_axes, 4, 60, 3)],
                numbers: vec![0],
            };
        }
        let mut leaves = Vec::new();
        for axis in &flat_axes {
            let mut stride = 1;
            for s in random::extents(rng, 2, 4, 12) {
                leaves.push(Nest::Leaf(s, Step::basis(stride, axis)));
                stride *= s;
            }
        }
        rng.shuffle(&mut leaves);
        Case { layouts: vec![random::nest(rng, &leaves)], numbers: vec![1] }
    };
    check("right_inverse coordinates", 10_000, generate, |case| {
        let l = &case.layouts[0];
        let Some(layout) = l.layout() else { return Ok(()) };
        let mut axes = Axes::of(&[l]);
        if axes.0.is_empty() {
            return Ok(());
        }
        axes.0.sort();
        let all = values(&axes.flat(l));
        let rank = axes.0.iter().map(|path| path[0] + 1).max().unwrap();
        let r = match layout.right_inverse() {
            Ok(r) => Nest::of(&r),
            Err(Error::Undecided { .. } | Error::NoInverse { .. }) => {
                refused += 1;
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        };
        found += 1;
        if r.rank() != rank {
            return Err(format!("{} is not congruent with coordinates of rank {rank}", r.text()));
        }
        let sizes: Vec<i128> = (0..rank).map(|i| r.mode(i).size()).collect();
        for (k, index) in values(&r.flat()).into_iter().enumerate() {
            let (mut rest, mut expected) = (k as i128, [0; oracle::AXES]);
            for (i, extent) in sizes.iter().enumerate() {
                let component = rest % extent;
                rest /= extent;
                if let Some(axis) = axes.0.iter().position(|path| path[0] == i) {
                    expected[axis] = component;
                } else if component != 0 {
                    return Err(format!("{}: component {i} is none", r.text()));
                }
            }
            if index < 0 || index >= all.len() as i128 || all[index as usize] != expected {
                return Err(format!("{} at {k}: index {index} does not give it back", r.text()));
            }
        }
        if case.numbers == [1] && rank == 2 && l.leaves().iter().all(|(s, step)| *s == 1 || step.count.0 != 0)
        {
            whole += 1;
            let unique: BTreeSet<_> = all.iter().collect();
            if unique.len() == all.len() && r.size() != l.size() && is_box(&all) {
                return Err(format!("{} has size {} of {}", r.text(), r.size(), l.size()));
            }
        }
        Ok(())
    });
    println!("right_inverse of coordinates: {found} found, {refused} refused, {whole} bijections");
    assert!(whole > 0 && refused * 4 < found);
}

/// What has one component is inverted as integers are, also through modes of stride 0.
#[test]
fn inverses_of_one_component_are_those_of_integers() {
    let text = |flat: &Flat, unit: &str| {
        let extents: Vec<String> = flat.iter().map(|(s, _)| s.to_string()).collect();
        let strides: Vec<String> =
            flat.iter().map(|(_, d)| if *d == 0 { "0".to_string() } else { format!("{d}{unit}") }).collect();
        format!("({}):({})", extents.join(","), strides.join(",")).parse::<Layout>().unwrap()
    };
    let same = |integer: Result<Layout, Error>, other: Result<Layout, Error>, what: &str| {
        let tables = [integer, other]
            .map(|found| found.map(|layout| (0..layout.size()).map(|k| layout.at(k)).collect::<Vec<i64>>()));
        if tables[0] == tables[1] { Ok(()) } else { Err(format!("{what}: {tables:?}")) }
    };
    let (mut before, mut pairs) = (vec![(5, 1), (3, 2)], 0);
    for modes in 2..=3 {
        sweep(modes, &[2, 3, 4], &[-1, 0, 1, 2, 3, 4], |flat| {
            if flat.iter().all(|(_, d)| *d == 0) {
                return Ok(());
            }
            let [a, b] = ["", "@0"].map(|unit| text(&flat, unit));
            same(a.right_inverse(), b.right_inverse(), "right_inverse")?;
            let [c, d] = ["", "@0"].map(|unit| text(&before, unit));
            same(a.common_layout(&c), b.common_layout(&d), "common_layout")?;
            (before, pairs) = (flat, pairs + 1);
            Ok(())
        });
    }
    assert!(pairs > 50);
}

/// Whether the coordinates fill a box from the origin.
fn is_box(all: &[[i128; oracle::AXES]]) -> bool {
    let reach: i128 =
        (0..oracle::AXES).map(|i| all.iter().map(|value| value[i]).max().unwrap() + 1).product();
    reach == all.len() as i128
}

#[test]
fn right_and_left_inverse_of_xor_layouts() {
    let (mut right, mut left) = (0, 0);
    let generate = |rng: &mut Random| {
        let mut leaves = Vec::new();
        let mut top = 1;
        for _ in 0..rng.range(1, 4) {
            let s = *rng.pick(&[2, 2, 4, 8, 3]);
            let own = if rng.once_in(3) {
                rng.range(1, 40)
            } else {
                top | (rng.range(0, top - 1) * rng.range(0, 1))
            };
            leaves.push(Nest::Leaf(s, Step::xor(own)));
            top *= s;
        }
        if rng.once_in(2) {
            rng.shuffle(&mut leaves);
        }
        random::nest(rng, &leaves)
    };
    check_layout("inverse xor", 10_000, generate, |l, layout| {
        let flat = oracle::xor_flat(l);
        let all: Vec<i128> = (0..oracle::size(&flat)).map(|x| oracle::xor_at(&flat, x)).collect();
        if let Ok(r) = layout.right_inverse() {
            right += (r.size() > 1) as usize;
            let own = Nest::of(&r);
            for k in 0..own.size() {
                let index = oracle::number_at(&own, k);
                if all.get(index as usize) != Some(&k) {
                    return Err(format!("right inverse {r} fails at {k}"));
                }
            }
        }
        if let Ok(g) = layout.left_inverse() {
            left += 1;
            let own = Nest::of(&g);
            for &value in &all {
                let index = oracle::number_at(&own, value);
                if all.get(index as usize) != Some(&value) {
                    return Err(format!("left inverse {g} fails at {value}"));
                }
            }
        }
        Ok(())
    });
    println!("xor: {right} right inverses, {left} left inverses");
    assert!(right > 0 && left > 0);
}

#[test]
fn left_inverse_of_coordinate_layouts() {
    let mut found = 0;
    let generate = |rng: &mut Random| random::coordinate_layout(rng, &[vec![0], vec![1]], 4, 60, 4);
    check_layout("left_inverse coordinates", 10_000, generate, |l, layout| {
        let axes = Axes::of(&[l]);
        let Ok(g) = layout.left_inverse() else { return Ok(()) };
        found += 1;
        let g = Nest::of(&g);
        let all = values(&axes.flat(l));
        for value in &all {
            let index: i128 = if axes.0.is_empty() {
                at(&g.flat(), 0)
            } else {
                axes.0.iter().zip(value).map(|(path, &x)| at(&g.mode(path[0]).flat(), x)).sum()
            };
            if index < 0 || index >= all.len() as i128 || all[index as usize] != *value {
                return Err(format!("{} sends {value:?} to {index}", g.text()));
            }
        }
        Ok(())
    });
    println!("left_inverse of coordinates: {found} found");
    assert!(found > 0);
}

#[test]
fn inverse_exists_exactly_for_bijections() {
    let (mut bijections, mut others) = (0, 0);
    let generate = |rng: &mut Random| {
        let kind =
            *rng.pick(&[Kind::Compact, Kind::Compact, Kind::Gapped, Kind::Chain, Kind::Powers, Kind::Signed]);
        random::layout_of(rng, kind, 5, 1000)
    };
    check_layout("inverse", 20_000, generate, |l, layout| {
        let all = values(&l.flat());
        let bijective = mex(&all) == all.len() as i128;
        match layout.inverse() {
            Ok(r) => {
                bijections += 1;
                let back = values(&Nest::of(&r).flat());
                let both = bijective
                    && back.len() == all.len()
                    && all.iter().enumerate().all(|(k, &value)| back[value as usize] == k as i128);
                if both { Ok(()) } else { Err(format!("{r} is no inverse")) }
            }
            Err(error) if bijective => Err(format!("refused: {error}")),
            Err(error) => {
                others += 1;
                let holds = match error {
                    Error::NotInjective { first, second } => {
                        first != second && all[first as usize] == all[second as usize]
                    }
                    Error::NotSurjective { offset, component: None } => {
                        (0..all.len() as i64).contains(&offset) && !all.contains(&offset.into())
                    }
                    _ => false,
                };
                if holds { Ok(()) } else { Err(format!("it is not so that {error}")) }
            }
        }
    });
    assert!(bijections > 0 && others > 0);
}

/// The indices of offset 0 are the image of the nullspace, each once; where it is refused, they are that of no layout, or
/// too many to list.
fn postcondition_nullspace(kernel: &[i128], answer: &Result<Layout, Error>) -> Result<(), String> {
    match answer {
        Ok(n) => {
            let nest = Nest::of(n);
            let mut own: Vec<i128> = (0..nest.size()).map(|c| oracle::number_at(&nest, c)).collect();
            own.sort();
            if own == kernel { Ok(()) } else { Err(format!("{n} is not the kernel {kernel:?}")) }
        }
        Err(Error::NoInverse { .. }) if !is_image(kernel, &mut Vec::new()) => Ok(()),
        Err(Error::Undecided { .. }) if kernel.len() > 64 => Ok(()),
        Err(error) => Err(format!("the kernel is {kernel:?}, refused: {error}")),
    }
}

fn zeros<V: oracle::Module>(all: &[V]) -> Vec<i128> {
    (0..all.len()).filter(|&c| all[c] == V::ZERO).map(|c| c as i128).collect()
}

#[test]
fn nullspace_is_the_kernel() {
    let (mut found, mut cancel, mut refused) = (0, 0, 0);
    let generate = |rng: &mut Random| {
        if rng.once_in(2) {
            return random::layout(rng, 4, 300);
        }
        let modes: Vec<_> =
            random::extents(rng, 4, 5, 100).into_iter().map(|s| (s, rng.range(-4, 4))).collect();
        random::nest_flat(rng, &modes)
    };
    check_layout("nullspace", 30_000, generate, |l, layout| {
        let (kernel, answer) = (zeros(&values(&l.flat())), layout.nullspace());
        let still: i128 = l.flat().iter().map(|&(s, d)| if d == 0 { s } else { 1 }).product();
        found += answer.is_ok() as usize;
        cancel += (answer.is_ok() && kernel.len() as i128 > still) as usize;
        refused += answer.is_err() as usize;
        if answer.is_err() && kernel.len() as i128 == still {
            return Err(format!("the kernel is the modes of stride 0, refused: {answer:?}"));
        }
        postcondition_nullspace(&kernel, &answer)
    });
    println!("nullspace: {found} found, {cancel} of them of steps that cancel, {refused} refused");
    assert!(cancel > 0 && refused > 0 && refused < found);
}

/// The modes of stride 0 with the strides that `compact_major` of CUTLASS gives them, 0 for extents of 1; `1:0` for none.
fn nullspace_of_cute(modes: &[(i128, i128)]) -> String {
    let (mut extents, mut strides, mut index) = (Vec::new(), Vec::new(), 1);
    for &(extent, stride) in modes {
        if stride == 0 {
            extents.push(extent.to_string());
            strides.push(if extent == 1 { 0 } else { index }.to_string());
        }
        index *= extent;
    }
    match extents.len() {
        0 => String::from("1:0"),
        1 => format!("{}:{}", extents[0], strides[0]),
        _ => format!("({}):({})", extents.join(","), strides.join(",")),
    }
}

/// Where it is the kernel, CUTLASS's nullspace is the answer in its form as well: of every layout of up to three modes.
#[test]
fn nullspace_has_the_form_of_cute() {
    let modes: Vec<(i128, i128)> = (1..=3).flat_map(|s| (-1..=3).map(move |d| (s, d))).collect();
    let (mut lists, mut compared) = (vec![vec![]], 0);
    for _ in 0..3 {
        let longer =
            |list: &Vec<_>| modes.iter().map(|mode| [&list[..], &[*mode]].concat()).collect::<Vec<_>>();
        lists = lists.iter().flat_map(longer).collect();
        for list in &lists {
            let text = |part: fn(&(i128, i128)) -> i128| {
                let parts: Vec<String> = list.iter().map(|mode| part(mode).to_string()).collect();
                format!("({})", parts.join(","))
            };
            let layout: Layout = format!("{}:{}", text(|mode| mode.0), text(|mode| mode.1)).parse().unwrap();
            let still: i128 = list.iter().map(|&(s, d)| if d == 0 { s } else { 1 }).product();
            if zeros(&values(list)).len() as i128 == still {
                let found = layout.nullspace().map(|kernel| kernel.to_string());
                assert_eq!(found, Ok(nullspace_of_cute(list)), "{layout}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn nullspace_of_coordinate_and_xor_layouts() {
    let (mut found, mut cancel, mut refused) = (0, 0, 0);
    let generate = |rng: &mut Random| {
        let xor = rng.once_in(2);
        let leaves: Vec<_> = random::extents(rng, 5, 4, 150)
            .into_iter()
            .map(|s| {
                let axis = rng.range(0, 1) as usize;
                let step =
                    if xor { Step::xor(rng.range(0, 9)) } else { Step::basis(rng.range(-3, 3), &[axis]) };
                Nest::Leaf(s, step)
            })
            .collect();
        random::nest(rng, &leaves)
    };
    check_layout("nullspace coordinates", 10_000, generate, |l, layout| {
        let kernel = if l.leaves().iter().any(|(_, step)| step.unit == oracle::Axis::Xor) {
            let flat = oracle::xor_flat(l);
            zeros(&(0..oracle::size(&flat)).map(|x| oracle::xor_at(&flat, x)).collect::<Vec<_>>())
        } else {
            zeros(&values(&Axes::of(&[l]).flat(l)))
        };
        let answer = layout.nullspace();
        found += answer.is_ok() as usize;
        cancel += (answer.is_ok() && kernel.len() > 1) as usize;
        refused += answer.is_err() as usize;
        postcondition_nullspace(&kernel, &answer)
    });
    println!("nullspace of coordinates and XORs: {found} found, {cancel} larger than 1:0, {refused} refused");
    assert!(cancel > 0 && refused > 0);
}

/// Section 3.4.2: the largest `K` with `A^{-1}(k) = B^{-1}(k)` for all `k < K`.
fn postcondition_common(a: &[i128], b: &[i128], r: &Nest) -> Result<(), String> {
    let index = |all: &[i128], k: i128| all.iter().position(|&value| value == k);
    let mut width = 0;
    while let Some(c) = index(a, width) {
        if index(b, width) != Some(c) {
            break;
        }
        width += 1;
    }
    let own = values(&r.flat());
    if own.len() as i128 != width {
        return Err(format!("{} has size {}, the common one is {width}", r.text(), own.len()));
    }
    for (k, &c) in own.iter().enumerate() {
        if index(a, k as i128) != Some(c as usize) {
            return Err(format!("{} gives {c} at {k}", r.text()));
        }
    }
    Ok(())
}

#[test]
fn common_layout_of_injective_pairs() {
    let mut wide = 0;
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&[Kind::Compact, Kind::Gapped, Kind::Powers]);
        let a = random::layout_of(rng, kind, 4, 200);
        let kind = *rng.pick(&[Kind::Compact, Kind::Gapped, Kind::Chain]);
        let mut b = random::layout_of(rng, kind, 4, 200);
        if rng.once_in(2) {
            // The same layout in another nesting, or with its slowest modes exchanged.
            let mut modes = a.flat();
            if modes.len() > 2 && rng.once_in(2) {
                let last = modes.len() - 1;
                modes.swap(last, last - 1);
            }
            b = random::nest_flat(rng, &modes);
        }
        Case::layouts([a, b])
    };
    check_pair("common_layout", 20_000, generate, |[a, b], [left, right]| {
        let (all, other) = (values(&a.flat()), values(&b.flat()));
        let plain = |all: &[i128]| preimages(all).len() == all.len() && all.iter().all(|&value| value >= 0);
        if !plain(&all) || !plain(&other) {
            return Ok(());
        }
        let r = left.common_layout(&right).map_err(|error| error.to_string())?;
        wide += (r.size() > 1) as usize;
        if left.common_vector(&right) != Ok(r.size()) {
            return Err("common_vector is not its size".into());
        }
        postcondition_common(&all, &other, &Nest::of(&r))
    });
    assert!(wide > 0);
}

#[test]
fn the_searches_themselves() {
    let size = |text: &str| {
        let layout: Layout = text.parse().unwrap();
        oracle::largest_right_inverse(&values(&Nest::of(&layout).flat()), 1 << 20)
    };
    // EXACT.md, section 4.
    assert_eq!(size("(6,4):(1,4)"), Some(16));
    assert_eq!(size("(5,3):(1,2)"), Some(9));
    assert_eq!((size("(4,2):(1,1)"), size("(2,2):(-1,2)")), (Some(4), Some(2)));
    let mut rng = Random::new(3);
    assert!(mex(&values(&random::flat(&mut rng, Kind::Compact, 1, 50))) > 0);
}
