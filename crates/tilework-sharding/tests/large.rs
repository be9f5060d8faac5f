//! Large numbers, and many: nothing panics, wraps, or takes time for each device.

use crate::random;
use crate::random::Random;
use tilework_sharding::{Contraction, Links, Mesh, Messages, Plan, Redistribution, Reduction, Sharding};

const LARGE: [i64; 12] = [1, 2, 3, 7, 1 << 10, 1000, 1 << 20, 1_000_003, 1 << 31, 1 << 40, 1 << 62, i64::MAX];

/// A mesh of up to 20 axes.
fn mesh(random: &mut Random) -> Option<Mesh> {
    let names: Vec<String> =
        (0..1 + random.choose(&[0, 1, 1, 2, 3, 7, 19])).map(|i| format!("a{i}")).collect();
    let extents = if names.len() > 4 { &LARGE[..3] } else { &LARGE[..] };
    let axes: Vec<(&str, i64)> = names.iter().map(|name| (name.as_str(), random.choose(extents))).collect();
    Mesh::new(&axes).ok()
}

/// In a form of blocks or of placements, with any numbers.
fn sharding(random: &mut Random, mesh: &Mesh, shape: &[i64]) -> Option<Sharding> {
    let mut entries = vec![Vec::new(); shape.len()];
    let mut placements = Vec::new();
    for axis in mesh.axes() {
        let at = random.below(shape.len() + 1);
        if let Some(entry) = entries.get_mut(at) {
            entry.push(axis.name());
        }
        let factor = random.choose(&LARGE);
        placements.push(match random.below(6) {
            0 => "Replicate()".into(),
            1 => format!("_StridedShard({}, sf={factor})", random.below(shape.len())),
            2 => "Partial(sum)".into(),
            _ => format!("Shard({})", random.below(shape.len())),
        });
    }
    let entries: Vec<String> = entries.iter().map(|names| format!("({},)", names.join(","))).collect();
    let spec = format!("P({})", entries.join(", ")).replace("(,)", "None");
    let plain = match random.below(2) {
        0 => Sharding::from_partition_spec(mesh, shape, &spec),
        _ => Sharding::from_placements(mesh, shape, &format!("[{}]", placements.join(", "))),
    };
    let axis = random.choose(mesh.axes());
    let plain = plain.ok()?;
    let owing = plain.clone().with_owed(axis.name(), random.choose(&[Reduction::Sum, Reduction::Max]));
    Some(if random.below(3) == 0 { owing.unwrap_or(plain) } else { plain })
}

/// What a plan is asked, but for what is a list of all devices.
fn ask(plan: &Redistribution) {
    let _ = (plan.steps(), plan.collectives(), plan.traffic(), plan.most_received());
    let last = plan.to().mesh().size() - 1;
    for device in [0, last, last.wrapping_add(1), -1] {
        let _ = (plan.received(device), plan.sources(device));
        for other in [0, last / 3] {
            let message = plan.message(other, device);
            let _ = message.map(|message| (message.elements(), message.pieces().next()));
        }
    }
    let _ = (Plan::new(plan, 0, 1024, None, true), Messages::from_device(plan, 0, 1));
    if last < 1 << 10 {
        let exchanges = plan.exchanges().unwrap_or_default();
        let _: Vec<_> = exchanges.iter().map(|step| (step.groups(), step.pairs())).collect();
    }
}

#[test]
fn nothing_panics_or_wraps() {
    let mut random = random::random(12);
    let (mut made, mut planned, mut multiplied) = (0, 0, 0);
    for _ in 0..random::cases() / 2 {
        let Some(mesh) = mesh(&mut random) else { continue };
        let shape: Vec<i64> = (0..1 + random.below(3)).map(|_| random.choose(&LARGE)).collect();
        let Some(from) = sharding(&mut random, &mesh, &shape) else { continue };
        made += 1;
        let _ = (
            from.to_string(),
            from.to_partition_spec(),
            from.to_placements(),
            from.to_hlo(),
            from.to_shardy(),
        );
        let _ = (
            from.by_whole_axes(),
            from.is_even(),
            from.count(mesh.size() - 1),
            from.holders(&vec![0; shape.len()]),
        );
        let _ = (from.reshape(&[shape.iter().product::<i64>()]), from.slice(0, 1, shape[0]));
        let names: Vec<char> = "ijk".chars().take(shape.len()).collect();
        let transposed: Vec<char> = names.iter().rev().copied().collect();
        let Some(to) = sharding(&mut random, &mesh, &shape) else { continue };
        for plan in [Redistribution::new(&from, &to), Redistribution::new(&to, &from)].into_iter().flatten() {
            planned += 1;
            ask(&plan);
        }
        let speeds: Vec<String> = mesh
            .axes()
            .iter()
            .map(|axis| format!("{}={}", axis.name(), random.choose(&[1, 50, 1_000_000])))
            .collect();
        let links = Links::parse(&mesh, &speeds.join(",")).unwrap();
        if let Ok(plan) = Redistribution::over(&from, &to, &links) {
            ask(&plan);
        }
        if made % 8 == 0 && mesh.axes().len() < 4 {
            let plan = Contraction::new(&[(&names, &from), (&names, &to)], &transposed[1..], None);
            multiplied += usize::from(plan.is_ok_and(|plan| plan.received() >= 0 && plan.products() >= 1));
        }
    }
    assert!(made > 200 && planned > 160 && multiplied > 8, "{made} {planned} {multiplied}");
}

/// Shardings of a matrix by blocks along two axes.
const SPECS: [&str; 11] = [
    "P()",
    "P(a)",
    "P(b)",
    "P((a, b))",
    "P((b, a))",
    "P(None, a)",
    "P(None, b)",
    "P(None, (a, b))",
    "P(None, (b, a))",
    "P(a, b)",
    "P(b, a)",
];

#[test]
fn a_plan_for_a_thousand_million_devices_is_that_for_sixteen() {
    let meshes = ["a=4,b=4", "a=32768,b=32768"].map(|text| Mesh::parse(text).unwrap());
    for shapes in [[[64, 64], [1 << 30, 1 << 31]], [[65, 64], [(1 << 30) + 1, 1 << 31]]] {
        let plans = |from: &str, to: &str, owed: bool| {
            [0, 1].map(|size| {
                let [from, to] =
                    [from, to].map(|text| Sharding::from_partition_spec(&meshes[size], &shapes[size], text));
                let (from, to) = (from.unwrap(), to.unwrap());
                let owing = from.clone().with_owed("a", Reduction::Sum).unwrap_or(from.clone());
                Redistribution::new(if owed { &owing } else { &from }, &to).unwrap()
            })
        };
        for (from, to, owed) in SPECS
            .iter()
            .flat_map(|from| SPECS.iter().flat_map(move |to| [false, true].map(|owed| (from, to, owed))))
        {
            let [small, large] = plans(from, to, owed);
            let kinds = |plan: &Redistribution| {
                plan.collectives()
                    .map(|steps| steps.iter().map(|step| step.collective().clone()).collect::<Vec<_>>())
            };
            ask(&large);
            // Parts of axes are those of their extents, and sums are rounded up.
            let whole = |plan: &Redistribution| {
                plan.collectives().is_none_or(|steps| {
                    steps.iter().all(|step| step.along().iter().all(|axis| !axis.contains('[')))
                })
            };
            if !owed && whole(&small) && whole(&large) {
                assert_eq!(kinds(&small), kinds(&large), "{from} to {to} of {:?}", shapes[0]);
            }
            assert_eq!(small.settling().is_some(), large.settling().is_some(), "{from} to {to}");
        }
    }
}

#[test]
fn what_is_no_tensor_or_mesh_is_refused() {
    let code = |result: Result<Mesh, tilework_sharding::Error>| result.unwrap_err().code();
    assert_eq!(code(Mesh::parse("x=0")), "extent");
    assert_eq!(code(Mesh::parse("x=-4")), "extent");
    assert_eq!(code(Mesh::parse("x=2,x=2")), "axis-name");
    assert_eq!(code(Mesh::parse("x=4611686018427387904,y=2")), "overflow");
    let mesh = Mesh::parse("x=2,y=4").unwrap();
    let refused = |shape: &[i64], text: &str| Sharding::parse(&mesh, shape, text).unwrap_err().code();
    assert_eq!(refused(&[0], "P()"), "extent");
    assert_eq!(refused(&[-1, 4], "P()"), "extent");
    assert_eq!(refused(&[8, 8], "P(x, x)"), "axis-twice");
    assert_eq!(refused(&[8, 8], "P((x, x))"), "axis-twice");
    assert_eq!(refused(&[i64::MAX, 2], "P()"), "overflow");
    assert_eq!(refused(&[i64::MAX], "P((x, y))"), "overflow");
}
