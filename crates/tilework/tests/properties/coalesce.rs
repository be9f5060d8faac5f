//! `coalesce`, `coalesce_extended`, `coalesce_by_mode`, `filter_zeros`, `filter`, `filter_by_mode`, `sort`, `equivalent`.

use crate::oracle::{self, Axes, Axis, Nest, Step, at, reconstruct, values};
use crate::random::{self, Case, KINDS, Random, check, check_layout, check_seeded};
use std::collections::HashMap;
use tilework::{Layout, Pattern, PatternLeaf};

/// Same size, same function, and the one form that the function has: minimal rank, flat, canonical (equations 13-15).
fn postcondition_coalesce(l: &Nest, r: &Nest) -> Result<(), String> {
    let expected = reconstruct(&values(&l.flat())).ok_or("no layout has the values of a layout")?;
    let expected = Nest::of_flat(&expected);
    if *r != expected {
        return Err(format!(
            "coalesce({}) = {}, the canonical form is {}",
            l.text(),
            r.text(),
            expected.text()
        ));
    }
    Ok(())
}

/// The form of a layout is as the postcondition says, and its own form.
fn check_form(
    name: &str,
    count: usize,
    limit: i128,
    form: fn(&Layout) -> Layout,
    postcondition: fn(&Nest, &Nest) -> Result<(), String>,
) {
    check_layout(name, count, random::layouts(5, limit), |l, layout| {
        let r = form(&layout);
        postcondition(l, &Nest::of(&r))?;
        if form(&r) == r { Ok(()) } else { Err("not idempotent".into()) }
    });
}

#[test]
fn coalesce_gives_the_canonical_form() {
    check_form("coalesce", 40_000, 2000, Layout::coalesce, postcondition_coalesce);
}

#[test]
fn equal_functions_have_equal_forms() {
    // Small enough that functions repeat: the form decides, in both directions.
    let mut forms: HashMap<Vec<i128>, Layout> = HashMap::new();
    let mut functions: HashMap<Layout, Vec<i128>> = HashMap::new();
    let generate = |rng: &mut Random| {
        let modes: Vec<_> =
            random::extents(rng, 3, 4, 16).into_iter().map(|s| (s, rng.range(-2, 4))).collect();
        Case::layouts([random::nest_flat(rng, &modes)])
    };
    check("forms", 40_000, generate, |case| {
        let all = values(&case.layouts[0].flat());
        let form = case.layouts[0].layout().unwrap().coalesce();
        if *forms.entry(all.clone()).or_insert(form) != form {
            return Err(format!("two forms of one function, {form} and {}", forms[&all]));
        }
        if *functions.entry(form).or_insert(all.clone()) != all {
            return Err(format!("one form of two functions, {form}"));
        }
        Ok(())
    });
    assert!(forms.len() > 30);
}

#[test]
fn equivalent_is_equality_of_functions() {
    let mut equal = 0;
    let generate = |rng: &mut Random| {
        let modes: Vec<_> =
            random::extents(rng, 3, 4, 16).into_iter().map(|s| (s, rng.range(0, 2))).collect();
        let other: Vec<_> =
            random::extents(rng, 3, 4, 16).into_iter().map(|s| (s, rng.range(0, 2))).collect();
        Case::layouts([random::nest_flat(rng, &modes), random::nest_flat(rng, &other)])
    };
    check("equivalent", 30_000, generate, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        let truth = values(&a.flat()) == values(&b.flat());
        equal += truth as usize;
        let (a, b) = (a.layout().unwrap(), b.layout().unwrap());
        if a.equivalent(&b) != truth || b.equivalent(&a) != truth {
            return Err(format!("equivalent should be {truth}"));
        }
        Ok(())
    });
    assert!(equal > 0);
}

/// The same offset at every integer, and no mode that could go: interior extents above 1, no two neighbours that merge.
fn postcondition_coalesce_extended(l: &Nest, r: &Nest) -> Result<(), String> {
    let (flat, result) = (l.flat(), r.flat());
    let size = oracle::size(&flat);
    if oracle::size(&result) != size {
        return Err(format!("the size changes to {}", oracle::size(&result)));
    }
    for x in -2 * size - 3..=3 * size + 3 {
        if at(&flat, x) != at(&result, x) {
            return Err(format!("{} differs at {x}: {} and {}", r.text(), at(&flat, x), at(&result, x)));
        }
    }
    let merges = result.windows(2).any(|pair| pair[0].0 * pair[0].1 == pair[1].1);
    let ones = result[..result.len() - 1].iter().any(|&(s, _)| s == 1);
    if merges || ones || matches!(r, Nest::Tuple(modes) if modes.len() < 2) {
        return Err(format!("{} is not minimal", r.text()));
    }
    Ok(())
}

#[test]
fn coalesce_extended_keeps_the_function_on_all_integers() {
    let form = Layout::coalesce_extended;
    check_form("coalesce_extended", 20_000, 300, form, postcondition_coalesce_extended);
}

/// A pattern whose leaves choose parts of the nest.
fn pattern(rng: &mut Random, of: &Nest) -> Pattern {
    match of {
        Nest::Tuple(modes) if !modes.is_empty() && !rng.once_in(3) => {
            let count = if rng.once_in(4) { rng.range(1, modes.len() as i128) as usize } else { modes.len() };
            Pattern::tuple(&modes[..count].iter().map(|mode| pattern(rng, mode)).collect::<Vec<_>>()).unwrap()
        }
        _ => Pattern::leaf(PatternLeaf::All),
    }
}

fn by_mode(l: &Nest, pattern: &Pattern, filter: bool) -> Nest {
    if pattern.is_leaf() {
        let mut flat = l.flat();
        flat.retain(|mode| !filter || mode.1 != 0);
        return Nest::of_flat(&reconstruct(&values(&flat)).unwrap());
    }
    let modes = (0..l.rank()).map(|i| match pattern.mode(i) {
        Ok(part) => by_mode(l.mode(i), &part, filter),
        Err(_) => l.mode(i).clone(),
    });
    Nest::Tuple(modes.collect())
}

#[test]
fn each_chosen_mode_is_coalesced_or_filtered() {
    check_seeded("coalesce_by_mode", 20_000, random::layouts(6, 500), |l, layout, mut rng| {
        let pattern = pattern(&mut rng, l);
        for (filter, result) in
            [(false, layout.coalesce_by_mode(&pattern)), (true, layout.filter_by_mode(&pattern))]
        {
            let r = result.map_err(|error| format!("{pattern}: {error}"))?;
            let expected = by_mode(l, &pattern, filter);
            if Nest::of(&r) != expected {
                return Err(format!("by {pattern}: {r}, expected {}", expected.text()));
            }
        }
        Ok(())
    });
    let layout: Layout = "(4,8):(1,4)".parse().unwrap();
    assert_eq!(layout.coalesce_by_mode((.., .., ..)).unwrap_err().code(), "rank");
    assert_eq!(layout.filter_by_mode((.., .., ..)).unwrap_err().code(), "rank");
}

#[test]
fn filter_zeros_and_filter() {
    check_layout("filter", 20_000, random::layouts(5, 500), |l, layout| {
        let mut leaves = l.leaves().into_iter();
        let expected = l.replace_leaves(&mut || {
            let (extent, step) = leaves.next().unwrap();
            if step.count.0 == 0 { Nest::Leaf(1, step) } else { Nest::Leaf(extent, step) }
        });
        let r = layout.filter_zeros();
        if Nest::of(&r) != expected {
            return Err(format!("filter_zeros gives {r}, expected {}", expected.text()));
        }
        postcondition_coalesce(&expected, &Nest::of(&layout.filter()))
    });
}

#[test]
fn sort_orders_the_leaves() {
    check_layout("sort", 20_000, random::layouts(5, 500), |l, layout| {
        let sorted = layout.sort();
        if sorted.depth() > 1 || (sorted.depth() == 0) != (layout.depth() == 0) {
            return Err(format!("{sorted} is not flat"));
        }
        let (mut before, after) = (l.flat(), Nest::of(&sorted).flat());
        if !after.windows(2).all(|pair| (pair[0].1.abs(), pair[0].0) <= (pair[1].1.abs(), pair[1].0)) {
            return Err(format!("{sorted} is not in order"));
        }
        let mut leaves = after.clone();
        before.sort();
        leaves.sort();
        if before != leaves {
            return Err(format!("{sorted} has other leaves"));
        }
        Ok(())
    });
}

#[test]
fn coalesce_coordinate_layouts() {
    let axes = [vec![0], vec![1, 0], vec![1, 1]];
    let generate = |rng: &mut Random| {
        if rng.once_in(2) {
            return random::coordinate_layout(rng, &axes, 5, 300, 6);
        }
        // Columns that do merge: one axis at a time, compact.
        let (mut leaves, mut stride) = (Vec::new(), 1);
        let axis = rng.pick(&axes).clone();
        for s in random::extents(rng, 4, 4, 100) {
            leaves.push(Nest::Leaf(s, Step::basis(stride, &axis)));
            stride *= s;
        }
        random::nest(rng, &leaves)
    };
    check_layout("coalesce coordinates", 10_000, generate, |l, layout| {
        let axes = Axes::of(&[l]);
        let form = reconstruct(&values(&axes.flat(l))).unwrap();
        let leaves: Vec<Nest> = form.iter().map(|(s, d)| Nest::Leaf(*s, axes.step(d).unwrap())).collect();
        let expected = if leaves.len() == 1 { leaves[0].clone() } else { Nest::Tuple(leaves) };
        let r = Nest::of(&layout.coalesce());
        if r != expected {
            return Err(format!("{}, expected {}", r.text(), expected.text()));
        }
        Ok(())
    });
}

#[test]
fn coalesce_rational_layouts() {
    let generate = |rng: &mut Random| {
        let denominators = [1, 2, 3, 4, 6];
        let mut stride = (1, *rng.pick(&denominators));
        let mut leaves = Vec::new();
        for s in random::extents(rng, 4, 4, 200) {
            if rng.once_in(3) {
                stride = (rng.range(-3, 6), *rng.pick(&denominators));
            }
            let divisor = oracle::gcd(stride.0, stride.1).max(1);
            let count = (stride.0 / divisor, stride.1 / divisor);
            leaves.push(Nest::Leaf(s, Step { count, unit: Axis::One }));
            stride.0 *= s;
        }
        random::nest(rng, &leaves)
    };
    check_layout("coalesce rationals", 10_000, generate, |l, layout| {
        let denominator = l.denominator();
        let form = reconstruct(&values(&l.scaled(denominator))).unwrap();
        let r = Nest::of(&layout.coalesce());
        if r.scaled(denominator) != form
            || r.leaves().iter().any(|(_, d)| oracle::gcd(d.count.0, d.count.1) != 1)
        {
            return Err(r.text().to_string());
        }
        Ok(())
    });
}

#[test]
fn coalesce_xor_layouts_keeps_the_function() {
    let generate = |rng: &mut Random| {
        let mut stride = 1 << rng.range(0, 3);
        let mut leaves = Vec::new();
        for _ in 0..rng.range(1, 4) {
            let s = *rng.pick(&[1, 2, 2, 3, 4, 8]);
            if rng.once_in(3) {
                stride = rng.range(0, 40);
            }
            leaves.push(Nest::Leaf(s, Step::xor(stride)));
            stride = oracle::carryless(s, stride);
        }
        random::nest(rng, &leaves)
    };
    check_layout("coalesce xor", 10_000, generate, |l, layout| {
        let r = Nest::of(&layout.coalesce());
        let (before, after) = (oracle::xor_flat(l), oracle::xor_flat(&r));
        if oracle::size(&before) != oracle::size(&after) {
            return Err(format!("{} has another size", r.text()));
        }
        for x in 0..oracle::size(&before) {
            let (old, new) = (oracle::xor_at(&before, x), oracle::xor_at(&after, x));
            if old != new {
                return Err(format!("{} gives {new} at {x}, not {old}", r.text()));
            }
        }
        Ok(())
    });
}

#[test]
fn every_kind_is_drawn() {
    // The generators reach what they are for.
    let mut rng = Random::new(7);
    for kind in KINDS {
        let drawn: Vec<_> = (0..300).map(|_| random::flat(&mut rng, kind, 4, 200)).collect();
        assert!(drawn.iter().any(|flat| flat.iter().any(|mode| mode.0 == 1)));
        assert!(drawn.iter().any(|flat| flat.len() > 2));
    }
}
