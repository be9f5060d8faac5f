//! The choices of a product against all that blocks allow.

use std::collections::BTreeMap;

use tilework_sharding::{Contraction, Mesh, Redistribution, Sharding, Step};

const EXTENT: i64 = 8;

/// All shardings of a matrix by blocks along the axes `x` and `y`.
fn matrices(mesh: &Mesh) -> Vec<Sharding> {
    let entries = ["None", "x", "y", "(x, y)", "(y, x)"];
    let both = |rows: &&str, columns: &&str| {
        ["x", "y"].iter().all(|axis| !(rows.contains(axis) && columns.contains(axis)))
    };
    let mut all = Vec::new();
    for rows in &entries {
        for columns in entries.iter().filter(|columns| both(rows, columns)) {
            let text = format!("P({rows}, {columns})");
            all.push(Sharding::from_partition_spec(mesh, &[EXTENT, EXTENT], &text).unwrap());
        }
    }
    all
}

fn received(plan: &Redistribution) -> i64 {
    match plan.steps() {
        Some(steps) => steps.iter().map(Step::received).sum(),
        None => plan.most_received().unwrap(),
    }
}

/// What plans between shardings cost, each made once.
#[derive(Default)]
struct Costs(BTreeMap<(String, String), Option<i64>>);

impl Costs {
    fn of(&mut self, from: &Sharding, to: &Sharding) -> Option<i64> {
        let plan = || Redistribution::new(from, to).ok().map(|plan| received(&plan));
        *self.0.entry((from.to_string(), to.to_string())).or_insert_with(plan)
    }
}

#[test]
fn no_way_by_blocks_moves_less_than_the_one_that_is_chosen() {
    let mut costs = Costs::default();
    let (ij, jk, ik) = (['i', 'j'], ['j', 'k'], ['i', 'k']);
    let (mut plans, mut sums) = (0, 0);
    for axes in ["x=2,y=2", "x=2,y=4"] {
        let mesh = Mesh::parse(axes).unwrap();
        let all = matrices(&mesh);
        for (number, result) in all.iter().enumerate() {
            // Ways to hold the operands such that devices can multiply them, with what the product costs afterwards.
            let mut ways = Vec::new();
            for a in &all {
                for b in &all {
                    let Ok(product) = Sharding::einsum(&[(&ij, a), (&jk, b)], &ik) else { continue };
                    ways.extend(costs.of(&product, result).map(|cost| (a, b, cost)));
                }
            }
            // All operands for one result, and some for each other one.
            for (i, a) in all.iter().enumerate() {
                for b in all.iter().skip(i % 5).step_by(5) {
                    let plan = Contraction::new(&[(&ij, a), (&jk, b)], &ik, Some(result)).unwrap();
                    let least = ways.iter().filter_map(|(to_a, to_b, cost)| {
                        Some(costs.of(a, to_a)? + costs.of(b, to_b)? + cost)
                    });
                    let least = least.min().unwrap();
                    assert!(plan.received() <= least, "{a} by {b} to {result}: {least}\n{plan}");
                    plans += 1;
                    sums += usize::from(plan.result().from().owed().iter().any(Option::is_some));
                    follows(&plan, [a, b], Some(result));
                    if number == 0 {
                        let free = Contraction::new(&[(&ij, a), (&jk, b)], &ik, None).unwrap();
                        assert!(free.received() <= plan.received(), "{a} by {b}: {free}");
                        follows(&free, [a, b], None);
                    }
                }
            }
        }
    }
    assert!(plans > 500 && sums > 50, "{plans} plans, {sums} with sums");
}

/// What is multiplied is what the operands become, and the costs are those of the plans.
fn follows(plan: &Contraction, operands: [&Sharding; 2], result: Option<&Sharding>) {
    let [a, b] = plan.operands() else { panic!("two operands") };
    assert_eq!([a.from(), b.from()], operands);
    let product = Sharding::einsum(&[(&['i', 'j'], a.to()), (&['j', 'k'], b.to())], &['i', 'k']).unwrap();
    assert_eq!(plan.result().from(), &product, "{plan}");
    assert!(result.is_none_or(|result| result == plan.result().to()));
    assert!(plan.result().to().owed().iter().all(Option::is_none));
    assert_eq!(plan.received(), received(a) + received(b) + received(plan.result()), "{plan}");
    let [rows, columns] = product.local_shape()[..] else { panic!("a matrix") };
    assert_eq!(plan.products(), rows * columns * a.to().local_shape()[1], "{plan}");
}

#[test]
fn what_is_narrow_moves_rather_than_what_is_wide() {
    let mesh = Mesh::parse("x=2,y=2").unwrap();
    let (ij, jk, ik) = (['i', 'j'], ['j', 'k'], ['i', 'k']);
    let all = matrices(&mesh);
    let mut fewer = 0;
    let result = &all[0];
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        let operands: [(&[char], &Sharding); 2] = [(&ij, a), (&jk, b)];
        let bytes = |plan: &Contraction, bits: [i64; 3]| -> i64 {
            let plans = plan.operands().iter().chain([plan.result()]);
            plans.zip(bits).map(|(plan, bits)| received(plan) * bits).sum()
        };
        let equal = Contraction::new(&operands, &ik, Some(result)).unwrap();
        for bits in [[8, 8, 32], [32, 4, 32], [4, 64, 64], [32, 32, 8]] {
            let plan = Contraction::with_bits(&operands, &ik, Some(result), &bits).unwrap();
            assert!(bytes(&plan, bits) <= bytes(&equal, bits), "{a} by {b}: {plan}");
            fewer += usize::from(bytes(&plan, bits) < bytes(&equal, bits));
            let said = plan.to_string().lines().find_map(|line| {
                line.split_once(" bytes to a device, the least").map(|(bytes, _)| bytes.parse())
            });
            assert_eq!(said, Some(Ok((bytes(&plan, bits) + 7) / 8)), "{plan}");
        }
        let same = Contraction::with_bits(&operands, &ik, Some(result), &[16, 16, 16]).unwrap();
        assert_eq!(same, equal);
    }
    assert!(fewer > 10, "{fewer}");
}

#[test]
fn sums_that_operands_owe_are_settled_where_that_is_cheap() {
    let mesh = Mesh::parse("x=4").unwrap();
    let placed = |shape: &[i64], text| Sharding::from_placements(&mesh, shape, text).unwrap();
    let (whole, small, large) = (placed(&[8, 8], "[Replicate()]"), [8, 64], [64, 8]);
    // A product that is larger than the operand: the operand is reduced. One that is smaller: the sums are multiplied.
    let owed = placed(&large, "[Partial(sum)]");
    let plan = |labels: [&[char]; 2], other: &Sharding| {
        Contraction::new(&[(labels[0], &owed), (labels[1], other)], &[labels[0][0], labels[1][1]], None)
            .unwrap()
    };
    let before = plan([&['i', 'j'], &['j', 'k']], &placed(&small, "[Replicate()]"));
    assert!(before.result().from().owed()[0].is_none() && before.received() == 64 * 8 / 4 * 3, "{before}");
    let after = Contraction::new(&[(&['j', 'i'], &owed), (&['j', 'k'], &owed)], &['i', 'k'], None);
    assert!(after.unwrap().result().from().owed()[0].is_some());
    let max = placed(&[8, 8], "[Partial(max)]");
    let settled = Contraction::new(&[(&['i', 'j'], &max), (&['j', 'k'], &whole)], &['i', 'k'], None).unwrap();
    assert!(settled.operands()[0].to().owed()[0].is_none());
}

#[test]
fn the_result_of_operands_that_jax_holds_is_one_that_it_holds() {
    let mesh = Mesh::parse("x=2,y=2").unwrap();
    let labels = ['i', 'j'];
    let entries = ["None", "x", "y", "(x, y)", "(y, x)"];
    let (mut held, mut uneven) = (0, 0);
    for rows in [3, 4, 6, 8] {
        for columns in [2, 3, 4, 9] {
            let specs = entries.iter().flat_map(|row| entries.iter().map(move |column| (row, column)));
            for text in specs.map(|(row, column)| format!("P({row}, {column})")) {
                let Ok(own) = Sharding::from_partition_spec(&mesh, &[rows, columns], &text) else { continue };
                for output in [&labels[..], &['j', 'i'], &['i'], &['j'], &[]] {
                    let plan = Contraction::new(&[(&labels, &own)], output, None).unwrap();
                    let target = plan.result().to();
                    if own.is_even() {
                        assert!(
                            target.is_even() && target.to_partition_spec().is_ok(),
                            "{text} of {rows}, {columns}: {plan}"
                        );
                        held += 1;
                    } else {
                        uneven += usize::from(!target.is_even());
                    }
                }
            }
        }
    }
    assert!(held > 100 && uneven > 100, "{held} {uneven}");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let mesh = Mesh::parse("x=4").unwrap();
    let of = |shape: &[i64], text| Sharding::from_partition_spec(&mesh, shape, text).unwrap();
    let (a, b) = (of(&[8, 4], "P(x)"), of(&[6, 8], "P()"));
    let code = |plan: Result<Contraction, tilework_sharding::Error>| plan.unwrap_err().to_string();
    let (ij, jk) = (['i', 'j'], ['j', 'k']);
    assert_eq!(
        code(Contraction::new(&[(&ij, &a), (&jk, &b)], &['i', 'k'], None)),
        "label `j`: operand 0 has 4 of it, and operand 1 6"
    );
    assert_eq!(code(Contraction::new(&[(&ij, &a)], &['z'], None)), "label `z`: no operand has it");
    assert_eq!(
        code(Contraction::new(&[(&ij, &a)], &['i'], Some(&of(&[4], "P()")))),
        "label `i`: operand 0 has 8 of it, and operand 1 4"
    );
    let uneven = of(&[6, 6], "P(None, x)");
    let summed = Contraction::new(&[(&ij, &uneven)], &['i'], None).unwrap();
    assert_eq!(summed.operands()[0].from(), summed.operands()[0].to());
}
