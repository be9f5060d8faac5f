//! Plans done by devices that are vectors: every small mesh, tensor and pair of shardings, sums owed or not; and which
//! reductions may be pending together.

use crate::random;
use std::collections::BTreeMap;

use crate::random::{Random, Shardings, cases};
use tilework_sharding::{Arrangement, Exchange, Mesh, Redistribution, Reduction, Sharding, Step};

/// An element: its coordinate, and of which devices along the axes that owe it is the sum, one bit each. None past the end.
type Element = Option<(Vec<i64>, u64)>;

/// Every row-major index below the extents.
fn indices(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in shape {
        all = all.iter().flat_map(|index| (0..extent).map(move |i| [&index[..], &[i]].concat())).collect();
    }
    all
}

fn number(index: &[i64], shape: &[i64]) -> usize {
    index.iter().zip(shape).fold(0, |number, (at, extent)| number * *extent as usize + *at as usize)
}

/// The number of a device among those along the axes of `owing` along which something is owed.
fn summand(owing: &Sharding, device: i64) -> u64 {
    let at = owing.mesh().coordinate(device).unwrap();
    let along = owing.mesh().axes().iter().zip(owing.owed()).zip(at).filter(|((_, owed), _)| owed.is_some());
    along.fold(0, |number, ((axis, _), at)| number * axis.extent() as u64 + at as u64)
}

/// What each device holds of a tensor of which it has the sums of all devices that `sums` says.
fn scatter(sharding: &Sharding, sums: impl Fn(i64) -> u64) -> Vec<Vec<Element>> {
    let local = indices(&sharding.local_shape());
    let held = |device| {
        let element = |index: &Vec<i64>| Some((sharding.coordinate(device, index)?, sums(device)));
        local.iter().map(element).collect()
    };
    (0..sharding.mesh().size()).map(held).collect()
}

/// A row-major array in another shape, filled up or cut at the end of each mode.
fn resized(array: &[Element], from: &[i64], to: &[i64]) -> Vec<Element> {
    let within = |index: &Vec<i64>| index.iter().zip(from).all(|(at, extent)| at < extent);
    let element = |index: Vec<i64>| if within(&index) { array[number(&index, from)].clone() } else { None };
    indices(to).into_iter().map(element).collect()
}

fn transposed(array: &[Element], arrangement: &Arrangement) -> Vec<Element> {
    let (shape, order) = (arrangement.shape(), arrangement.order());
    assert_eq!(array.len() as i64, shape.iter().product::<i64>());
    let permuted: Vec<i64> = order.iter().map(|&mode| shape[mode]).collect();
    let element = |index: Vec<i64>| {
        let mut at = vec![0; shape.len()];
        order.iter().zip(index).for_each(|(&mode, own)| at[mode] = own);
        array[number(&at, shape)].clone()
    };
    indices(&permuted).into_iter().map(element).collect()
}

fn sum(a: &Element, b: &Element) -> Element {
    match (a, b) {
        (Some((at, own)), Some((other, more))) => {
            assert_eq!((at, own & more), (other, 0), "sums of one coordinate, each summand once");
            Some((at.clone(), own | more))
        }
        (None, None) => None,
        _ => panic!("{a:?} and {b:?} are added"),
    }
}

/// A collective, and how many elements a device takes in it.
fn exchange(devices: &[Vec<Element>], exchange: &Exchange) -> (Vec<Vec<Element>>, i64) {
    let before = |array: &Vec<Element>| match exchange.before().filled() {
        Some((held, filled)) => transposed(&resized(array, held, filled), exchange.before()),
        None => transposed(array, exchange.before()),
    };
    let sent: Vec<Vec<Element>> = devices.iter().map(before).collect();
    let size = sent[0].len() / exchange.parts() as usize;
    let part = |device: i64, number: usize| &sent[device as usize][number * size..(number + 1) * size];
    let (mut kept, mut received) = (sent.clone(), 0);
    for (source, target) in exchange.pairs() {
        kept[target as usize] = sent[source as usize].clone();
        received = if source == target { received } else { size as i64 };
    }
    for group in exchange.groups() {
        let others = group.len() as i64 - 1;
        for (member, &device) in group.iter().enumerate() {
            let own = if exchange.parts() == 1 { 0 } else { member };
            let arrived = group.iter().map(|&other| part(other, own));
            kept[device as usize] = if exchange.reduction().is_some() {
                let whole = arrived.map(<[Element]>::to_vec);
                whole.reduce(|all, other| all.iter().zip(&other).map(|(a, b)| sum(a, b)).collect()).unwrap()
            } else if exchange.joins() {
                arrived.flatten().cloned().collect()
            } else {
                part(device, member).to_vec()
            };
        }
        received = match (exchange.reduction(), exchange.joins()) {
            (Some(_), _) if exchange.parts() == 1 => (2 * size as i64 * others + others) / (others + 1),
            (None, false) => 0,
            _ => size as i64 * others,
        };
    }
    let after = |array: &Vec<Element>| {
        let array = transposed(array, exchange.after());
        match exchange.after().filled() {
            Some((held, filled)) => resized(&array, filled, held),
            None => array,
        }
    };
    (kept.iter().map(after).collect(), received)
}

/// Collectives in turn, each of which moves what its step says.
fn collectives(mut devices: Vec<Vec<Element>>, plan: &Redistribution) -> Vec<Vec<Element>> {
    let exchanges = plan.exchanges();
    let exchanges =
        exchanges.unwrap_or_else(|| panic!("{} to {}: {:?}", plan.from(), plan.to(), plan.steps()));
    for (own, step) in exchanges.iter().zip(plan.steps().unwrap()) {
        let received;
        (devices, received) = exchange(&devices, own);
        assert_eq!(received, step.received(), "{} to {}: {step}", plan.from(), plan.to());
    }
    devices
}

/// Messages, after what settles a reduction.
fn messages(devices: Vec<Vec<Element>>, plan: &Redistribution) -> Vec<Vec<Element>> {
    let devices = plan.settling().map_or(devices.clone(), |plan| collectives(devices, plan));
    let (from, to) = (plan.settling().map_or(plan.from(), Redistribution::to), plan.to());
    let (sent, held) = (from.local_shape(), to.local_shape());
    let mut kept = vec![vec![None; held.iter().product::<i64>() as usize]; devices.len()];
    for target in 0..to.mesh().size() {
        for source in plan.sources(target).unwrap().numbers() {
            let Some(message) = plan.message(source, target) else { continue };
            for piece in message.pieces() {
                let places = piece.from().indices().zip(piece.to().indices());
                for (coordinate, (index, at)) in piece.coordinate().indices().zip(places) {
                    if coordinate.iter().zip(to.shape()).any(|(at, extent)| at >= extent) {
                        continue;
                    }
                    let element = devices[source as usize][number(&index, &sent)].clone();
                    let place = &mut kept[target as usize][number(&at, &held)];
                    assert!(place.is_none() && element.as_ref().is_some_and(|(own, _)| *own == coordinate));
                    *place = element;
                }
            }
        }
    }
    kept
}

/// Each element is afterwards where it belongs, and sums have all their summands; by collectives where they do it, and by messages.
/// What plans there are.
fn check(from: &Sharding, to: &Sharding) -> &'static str {
    let plan = Redistribution::new(from, to).unwrap();
    let case = || format!("{from} to {to} of {:?} on {}", from.shape(), from.mesh());
    let before = scatter(from, |device| 1 << summand(from, device));
    let all = |device: i64| {
        let own = from.mesh().coordinate(device).unwrap();
        let others = (0..from.mesh().size()).filter(|&other| {
            let at = from.mesh().coordinate(other).unwrap();
            (0..at.len()).all(|axis| to.owed()[axis].is_none() || at[axis] == own[axis])
        });
        others.fold(0, |sum, other| sum | 1 << summand(from, other))
    };
    let after = scatter(to, all);
    let owes = from.owed() != to.owed();
    if plan.steps().is_some() {
        assert!(collectives(before.clone(), &plan) == after, "{}: {:?}", case(), plan.steps());
    }
    assert!(plan.steps().is_some() || !owes || plan.settling().is_some(), "{}", case());
    if !owes || plan.settling().is_some() {
        assert!(messages(before.clone(), &plan) == after, "{}", case());
    }
    let (from, to) = (plan.settling().map_or(from, Redistribution::to), plan.to());
    if !owes || plan.settling().is_some() {
        check_received(&plan, &scatter(from, |_| 0), &scatter(to, |_| 0), &case());
    }
    match (plan.steps(), plan.settling()) {
        (Some([]), _) => "nothing",
        (Some(_), _) if from.is_even() && to.is_even() => "collectives",
        (Some(_), _) => "collectives of blocks that are filled up",
        (None, None) => "messages",
        (None, Some(_)) => "messages after a reduction",
    }
}

/// What devices take is what they need and do not have; and collectives are taken where they move no more.
fn check_received(plan: &Redistribution, before: &[Vec<Element>], after: &[Vec<Element>], case: &str) {
    let settled: i64 =
        plan.settling().map_or(0, |plan| plan.steps().unwrap().iter().map(Step::received).sum());
    let missing = before.iter().zip(after).map(|(held, needed)| {
        settled + needed.iter().filter(|element| element.is_some() && !held.contains(element)).count() as i64
    });
    let missing: Vec<i64> = missing.collect();
    for (device, &missing) in missing.iter().enumerate() {
        assert_eq!(plan.received(device as i64), Some(missing), "{case}, device {device}");
    }
    let most = missing.into_iter().max();
    assert_eq!(plan.most_received(), most, "{case}");
    let Some(steps) = plan.collectives() else { return };
    let moved: i64 = steps.iter().map(Step::received).sum();
    assert!(Some(moved) >= most, "{case}");
    assert_eq!(plan.steps().is_some(), Some(moved) == most, "{case}: {moved}, {most:?}");
}

/// All shardings by blocks: each axis at some dimension or at none, in every order.
fn by_blocks(mesh: &Mesh, shape: &[i64]) -> Vec<Sharding> {
    let mut all = vec![vec![Vec::<&str>::new(); shape.len()]];
    for axis in mesh.axes() {
        let mut more = all.clone();
        for entries in &all {
            for (dimension, entry) in entries.iter().enumerate() {
                for at in 0..=entry.len() {
                    let mut entries = entries.clone();
                    entries[dimension].insert(at, axis.name());
                    more.push(entries);
                }
            }
        }
        all = more;
    }
    let spec = |entries: &Vec<Vec<&str>>| {
        let entries: Vec<String> = entries.iter().map(|names| format!("({},)", names.join(","))).collect();
        let text = format!("P({})", entries.join(", ")).replace("(,)", "None");
        Sharding::from_partition_spec(mesh, shape, &text).unwrap()
    };
    all.iter().map(spec).collect()
}

/// The sharding with sums owed along any of the axes that hold copies.
fn owing(sharding: &Sharding) -> Vec<Sharding> {
    let mut all = vec![sharding.clone()];
    for axis in sharding.mesh().axes().iter().filter(|axis| axis.extent() > 1) {
        let more = all.iter().filter_map(|own| own.clone().with_owed(axis.name(), Reduction::Sum).ok());
        all = more.chain(all.iter().cloned()).collect();
    }
    all
}

/// All pairs of shardings by blocks of each shape, of which each `step`th is taken.
fn sweep(meshes: &[&str], shapes: &[Vec<i64>], step: usize) -> BTreeMap<&'static str, usize> {
    let mut seen = BTreeMap::new();
    for mesh in meshes {
        let mesh = Mesh::parse(mesh).unwrap();
        let mut number = 0;
        for shape in shapes {
            let plain = by_blocks(&mesh, shape);
            let owing: Vec<Sharding> = plain.iter().flat_map(owing).collect();
            for from in &owing {
                for to in &owing {
                    let kept = |axis: usize| to.owed()[axis].is_none() || from.owed()[axis].is_some();
                    if (0..mesh.axes().len()).all(kept) {
                        number += 1;
                        if number % step == 0 {
                            *seen.entry(check(from, to)).or_insert(0) += 1;
                        }
                    }
                }
            }
        }
    }
    seen
}

#[test]
fn lines_of_up_to_nine_elements() {
    let shapes: Vec<Vec<i64>> = (1..10).map(|extent| vec![extent]).collect();
    let seen = sweep(&["x=1", "x=2", "x=3", "x=4", "x=2,y=2", "x=2,y=3", "x=1,y=5"], &shapes, 1);
    assert!(seen.len() == 5 && seen.values().all(|&times| times > 50), "{seen:?}");
    let seen = sweep(&["x=2,y=2,z=2", "x=2,y=3,z=2"], &shapes, 11);
    assert!(seen.len() == 5 && seen.values().all(|&times| times > 50), "{seen:?}");
}

#[test]
fn matrices_of_up_to_six_rows_and_columns() {
    let shapes = indices(&[6, 6]).into_iter().map(|index| index.iter().map(|at| at + 1).collect());
    let shapes: Vec<Vec<i64>> = shapes.collect();
    let seen = sweep(&["x=2", "x=3", "x=4"], &shapes, 1);
    assert!(seen.values().all(|&times| times > 10), "{seen:?}");
    let seen = sweep(&["x=2,y=2", "x=2,y=3"], &shapes, 7);
    assert!(seen.len() == 5 && seen.values().all(|&times| times > 50), "{seen:?}");
    let seen = sweep(&["x=2,y=2,z=2"], &shapes, 97);
    assert!(seen.len() == 5 && seen.values().all(|&times| times > 20), "{seen:?}");
}

#[test]
fn layouts_of_any_kind() {
    let (mut random, mut seen) = (random::random(11), BTreeMap::new());
    for _ in 0..cases() {
        let (mesh, shape) = (random.mesh(), random.shape());
        let some = |random: &mut Random| match random.below(3) {
            0 => Some(random.going_round(&mesh, &shape)),
            _ => random.sharding(&mesh, &shape),
        };
        let (Some(from), Some(to)) = (some(&mut random), some(&mut random)) else { continue };
        *seen.entry(check(&random.choose(&owing(&from)), &to)).or_insert(0) += 1;
    }
    assert!(seen.len() == 5 && seen.values().all(|&times| times > cases() / 200), "{seen:?}");
}

const ALL: [Reduction; 4] = [Reduction::Sum, Reduction::Min, Reduction::Max, Reduction::Product];

fn reduce(kind: Reduction, parts: impl Iterator<Item = i64>) -> i64 {
    let two = match kind {
        Reduction::Sum => |a: i64, b: i64| a + b,
        Reduction::Product => |a, b| a * b,
        Reduction::Min => i64::min,
        Reduction::Max => i64::max,
        other => panic!("{other:?} is not evaluated"),
    };
    parts.reduce(two).unwrap()
}

/// The value of an element of which each device has a part, reduced along some axes in turn; `parts` by number of device.
fn reduced(mesh: &Mesh, parts: &[i64], order: &[(usize, Reduction)]) -> i64 {
    let mut now = parts.to_vec();
    for &(axis, kind) in order {
        let along = |device: i64| {
            let mut at = mesh.coordinate(device).unwrap();
            let line = (0..mesh.axes()[axis].extent()).map(|own| {
                at[axis] = own;
                now[mesh.device(&at) as usize]
            });
            reduce(kind, line)
        };
        now = (0..mesh.size()).map(along).collect();
    }
    now[0]
}

fn orders(of: &[(usize, Reduction)]) -> Vec<Vec<(usize, Reduction)>> {
    let [first, rest @ ..] = of else { return vec![Vec::new()] };
    let with =
        |order: Vec<_>| (0..=order.len()).map(move |at| [&order[..at], &[*first], &order[at..]].concat());
    orders(rest).into_iter().flat_map(with).collect()
}

#[test]
fn an_array_is_taken_where_every_order_of_its_reductions_gives_the_same() {
    let mut random = random::random(31);
    let mut kinds = [0; 3];
    for _ in 0..cases() {
        let mesh = random.mesh();
        let owed: Vec<Option<Reduction>> =
            mesh.axes().iter().map(|_| ALL.get(random.below(5)).copied()).collect();
        let along: Vec<(usize, Reduction)> =
            owed.iter().enumerate().filter_map(|(axis, kind)| Some((axis, (*kind)?))).collect();
        let orders = orders(&along);
        let mut agree = || {
            let parts: Vec<i64> = (0..mesh.size()).map(|_| random.below(7) as i64 - 3).collect();
            orders.iter().all(|order| reduced(&mesh, &parts, order) == reduced(&mesh, &parts, &along))
        };
        let defined = (0..60).all(|_| agree());
        let placements: Vec<String> = owed
            .iter()
            .map(|kind| kind.map_or("Replicate()".into(), |kind| format!("Partial({})", kind.name())))
            .collect();
        let text = format!("[{}]", placements.join(", "));
        let read = Sharding::from_placements(&mesh, &[4], &text);
        assert_eq!(read.is_ok(), defined, "{text} on {mesh}: {read:?}");
        if let Err(error) = read {
            assert_eq!(error.code(), "reductions", "{text} on {mesh}: {error}");
        }
        kinds[if defined { usize::from(along.len() > 1) } else { 2 }] += 1;
    }
    assert!(
        kinds.iter().all(|&kind| kind > cases() / 20),
        "few, several of one kind, and several kinds: {kinds:?}"
    );
}
