//! Shardings and plans against plain enumeration of devices and elements.

use crate::random;
use std::collections::{BTreeMap, BTreeSet};

use crate::random::{Random, Shardings, cases};
use tilework_sharding::{Collective, Links, Mesh, Redistribution, Sharding};

/// A mesh and a shape that it mostly divides.
fn even(random: &mut Random) -> (Mesh, Vec<i64>) {
    let mesh = random.choose(&["x=2,y=4", "x=4,y=4", "x=2,y=2,z=2", "x=8,y=2", "x=3,y=4", "x=2,y=3,z=2"]);
    let shape = (0..1 + random.below(2)).map(|_| random.choose(&[12, 16, 24, 48])).collect();
    (Mesh::parse(mesh).unwrap(), shape)
}

/// Every index below the extents, the first changing fastest.
fn indices(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in shape {
        all = (0..extent).flat_map(|i| all.iter().map(move |index| [&index[..], &[i]].concat())).collect();
    }
    all
}

/// What a device holds: from coordinate to local index.
fn held(sharding: &Sharding, device: i64) -> BTreeMap<Vec<i64>, Vec<i64>> {
    let local = indices(&sharding.local_shape());
    local.into_iter().filter_map(|index| Some((sharding.coordinate(device, &index)?, index))).collect()
}

/// The layout of a sharding, evaluated: device and local index to coordinate, where there is one.
fn by_layout(sharding: &Sharding, device: i64, local: &[i64]) -> Option<Vec<i64>> {
    let layout = sharding.layout().unwrap();
    let at = sharding.mesh().coordinate(device)?;
    let mut coordinate = vec![0; sharding.shape().len()];
    for (half, indices) in [(0, &at[..]), (1, local)] {
        for (i, &index) in indices.iter().enumerate() {
            let mut index = index;
            for leaf in layout.get(&[half, i]).unwrap().leaves() {
                let (path, depth) = leaf.stride.unit().path();
                if depth == 1 {
                    coordinate[path[0]] += index % leaf.extent * leaf.stride.count().numerator();
                }
                index /= leaf.extent;
            }
        }
    }
    coordinate.iter().zip(sharding.shape()).all(|(at, extent)| at < extent).then_some(coordinate)
}

#[test]
fn every_coordinate_is_held_where_the_layout_says() {
    let mut random = random::random(1);
    let mut uneven = 0;
    for _ in 0..cases() {
        let (mesh, shape) = (random.mesh(), random.shape());
        let Some(sharding) = random.sharding(&mesh, &shape) else { continue };
        let mut holders: BTreeMap<Vec<i64>, BTreeSet<i64>> = BTreeMap::new();
        let mut counts = BTreeSet::new();
        for device in 0..mesh.size() {
            let held = held(&sharding, device);
            assert_eq!(
                sharding.count(device),
                Some(held.len() as i64),
                "{sharding} {shape:?} device {device}"
            );
            counts.insert(held.len());
            for (coordinate, local) in held {
                assert_eq!(by_layout(&sharding, device, &local).as_ref(), Some(&coordinate), "{sharding}");
                holders.entry(coordinate).or_default().insert(device);
            }
        }
        assert_eq!(sharding.is_even(), counts.len() == 1, "{sharding} {shape:?} {counts:?}");
        uneven += usize::from(counts.len() > 1);
        for coordinate in indices(&shape) {
            let own = sharding.holders(&coordinate).unwrap();
            let devices: BTreeSet<i64> = own.numbers().collect();
            assert_eq!(
                (own.numbers().count(), &devices),
                (devices.len(), &holders[&coordinate]),
                "{sharding} {coordinate:?}"
            );
        }
        assert_eq!(Sharding::new(&mesh, &shape, &sharding.layout().unwrap()).unwrap(), sharding);
    }
    assert!(uneven > cases() / 20, "{uneven} of the shardings are uneven");
}

#[test]
fn forms_that_say_a_sharding_are_read_as_the_same() {
    let mut random = random::random(2);
    let mut said = [0; 3];
    for _ in 0..cases() {
        let (mesh, shape) = (random.mesh(), random.shape());
        let Some(sharding) = random.sharding(&mesh, &shape) else { continue };
        let placements = sharding.to_placements().unwrap();
        assert_eq!(Sharding::from_placements(&mesh, &shape, &placements).unwrap(), sharding, "{placements}");
        let forms = [sharding.to_partition_spec(), sharding.to_hlo(), sharding.to_shardy()];
        let read = [Sharding::from_partition_spec, Sharding::from_hlo, Sharding::from_shardy];
        for (i, form) in forms.iter().enumerate() {
            let Ok(form) = form else { continue };
            said[i] += 1;
            assert_eq!(read[i](&mesh, &shape, form).unwrap(), sharding, "{form} on {mesh}, {shape:?}");
        }
    }
    assert!(said.iter().all(|&said| said > cases() / 4), "{said:?} of {}", cases());
    for _ in 0..cases() {
        let (mesh, shape) = (random.mesh(), random.shape());
        let sharding = random.going_round(&mesh, &shape);
        let Ok(placements) = sharding.to_placements() else { continue };
        let read = Sharding::from_placements(&mesh, &shape, &placements);
        assert_eq!(read.as_ref(), Ok(&sharding), "{placements} of {shape:?} on {mesh}: {sharding}");
    }
}

/// All orders of the devices `0 .. devices`.
fn orders(devices: i64) -> Vec<Vec<i64>> {
    let longer = |orders: Vec<Vec<i64>>, device| {
        let with = |order: Vec<i64>| {
            (0..=order.len()).map(move |at| [&order[..at], &[device], &order[at..]].concat())
        };
        orders.into_iter().flat_map(with).collect()
    };
    (0..devices).fold(vec![Vec::new()], longer)
}

/// Reads a list of the devices that hold the blocks of a tensor, the last of `tiles` counting copies; whether the mesh is the given one.
fn check_list(mesh: &Mesh, tiles: &[i64], order: &[i64]) -> bool {
    let list = |numbers: &[i64]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let text = format!("{{devices=[{}]{} last_tile_dim_replicate}}", list(tiles), list(order));
    let (blocks, copies) = (&tiles[..tiles.len() - 1], tiles[tiles.len() - 1] as usize);
    let shape: Vec<i64> = blocks.iter().map(|tile| 2 * tile).collect();
    let sharding = Sharding::from_hlo(mesh, &shape, &text).unwrap();
    let printed = sharding.to_hlo().unwrap();
    let again = Sharding::from_hlo(mesh, &shape, &printed).unwrap();
    assert_eq!(
        Sharding::from_hlo(sharding.mesh(), &shape, &printed).as_ref(),
        Ok(&sharding),
        "{text}: {printed}"
    );
    for coordinate in indices(&shape) {
        let block =
            coordinate.iter().zip(blocks).fold(0, |number, (at, tile)| number * tile + at / 2) as usize;
        let wanted: BTreeSet<i64> = order[block * copies..][..copies].iter().copied().collect();
        for read in [&sharding, &again] {
            let holders: BTreeSet<i64> = read.holders(&coordinate).unwrap().numbers().collect();
            assert_eq!(holders, wanted, "{text} on {mesh}, read on {}: {coordinate:?}", read.mesh());
        }
    }
    sharding.mesh() == mesh
}

#[test]
fn every_list_of_devices_is_read() {
    let (mut same, mut other) = (0, 0);
    let mut check = |mesh: &str, tiles: &[i64], order: &[i64]| {
        let of_mesh = check_list(&Mesh::parse(mesh).unwrap(), tiles, order);
        *(if of_mesh { &mut same } else { &mut other }) += 1;
    };
    for devices in 1..=6 {
        for order in orders(devices) {
            check(&format!("x={devices}"), &[devices, 1], &order);
        }
    }
    for order in orders(4) {
        for mesh in ["x=2,y=2", "x=4,y=1", "x=2,y=2:(1,2)", "x=4:[0,1,3,2]"] {
            for tiles in [&[2, 2, 1][..], &[2, 2], &[1, 4], &[4, 1, 1]] {
                check(mesh, tiles, &order);
            }
        }
    }
    for order in orders(6) {
        check("x=2,y=3", &[3, 2, 1], &order);
        check("x=2,y=3", &[2, 3], &order);
    }
    let mut random = random::random(41);
    for _ in 0..cases() / 10 {
        let order = random.order(16);
        check("x=2,y=8", random.choose(&[&[4, 4, 1][..], &[16, 1], &[2, 4, 2], &[8, 2]]), &order);
        check("x=6,y=6", random.choose(&[&[4, 9, 1][..], &[9, 4]]), &random.order(36));
    }
    assert!(same > 50 && other > 1000, "{same} on the mesh, {other} in another order of it");
}

#[test]
fn lists_that_lack_a_device_or_have_one_twice_are_refused() {
    let mesh = Mesh::parse("x=2,y=3").unwrap();
    let refused = |text: &str| Sharding::from_hlo(&mesh, &[6], text).unwrap_err().to_string();
    for order in orders(6) {
        let text = |numbers: &[i64]| {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            format!("{{devices=[6]{}}}", numbers.join(","))
        };
        let [first, .., last] = order[..] else { panic!("six devices") };
        let needs = "and needs each of 0 to 5 exactly once";
        let short = refused(&text(&order[1..]));
        assert_eq!(short, format!("the list of devices lacks device {first}, {needs}"));
        let twice = refused(&text(&[&order[..5], &[first]].concat()));
        assert_eq!(twice, format!("the list of devices has device {first} twice, {needs}"));
        let more = refused(&text(&[&order[..], &[last]].concat()));
        assert_eq!(more, format!("the list of devices has device {last} twice, {needs}"));
        let outside = refused(&text(&[&order[..5], &[6 + first]].concat()));
        assert_eq!(outside, format!("there is no device {}; the mesh has the devices 0 to 5", 6 + first));
    }
    for text in ["x=4:[0,1,3,3]", "x=4:[0,1,3]", "x=4:[0,1,2,4]", "x=4:[]", "x=4:[0,1", "x=4:[0,-1,2,3]"] {
        assert!(matches!(Mesh::parse(text).unwrap_err().code(), "devices" | "outside" | "text"), "{text}");
    }
    let huge = Mesh::parse("x=4611686018427387904,y=1").unwrap();
    for text in
        ["{devices=[2]0,0}", "{devices=[4611686018427387904]0,1}", "{devices=[4611686018427387904,1]<=[3]}"]
    {
        assert!(Sharding::from_hlo(&huge, &[8], text).is_err());
    }
}

#[test]
fn one_device_along_an_axis_divides_nothing() {
    let mut random = random::random(42);
    for _ in 0..cases() {
        let (mesh, shape) = (random.mesh(), random.shape());
        let Some(sharding) = random.sharding(&mesh, &shape) else { continue };
        let text = sharding.to_placements().unwrap();
        let placements =
            text[1..text.len() - 1].split("), ").map(|own| own.trim_end_matches(')').to_owned() + ")");
        let mut placements: Vec<String> = placements.collect();
        let mut axes: Vec<(&str, i64)> =
            mesh.axes().iter().map(|axis| (axis.name(), axis.extent())).collect();
        let at = random.below(axes.len() + 1);
        axes.insert(at, ("one", 1));
        let dimension = random.below(shape.len());
        placements.insert(
            at,
            random.choose(&[format!("Shard({dimension})"), format!("_StridedShard({dimension}, sf=3)")]),
        );
        let wider = Mesh::new(&axes).unwrap();
        let wider =
            Sharding::from_placements(&wider, &shape, &format!("[{}]", placements.join(", "))).unwrap();
        assert_eq!(
            wider.digits().iter().map(Vec::len).sum::<usize>(),
            sharding.digits().iter().map(Vec::len).sum::<usize>()
        );
        for coordinate in indices(&shape) {
            assert_eq!(wider.local_index(&coordinate), sharding.local_index(&coordinate), "{placements:?}");
        }
    }
    let spec = |text| Sharding::parse(&Mesh::parse("a=4,b=1").unwrap(), &[4], text).unwrap();
    assert_eq!(spec("[Shard(0), Shard(0)]"), spec("P((a, b))"));
}

#[test]
fn blocks_go_round_the_grid() {
    let mut random = random::random(8);
    for _ in 0..cases() {
        let grid =
            Mesh::new(&[("row", random.choose(&[1, 2, 3])), ("col", random.choose(&[1, 2, 4]))]).unwrap();
        let [rows, columns, row_block, column_block] = [12, 8, 4, 5].map(|end| 1 + random.below(end) as i64);
        let sharding =
            Sharding::from_scalapack(&grid, &[1, 0, rows, columns, row_block, column_block, 0, 0, rows])
                .unwrap();
        let [row_devices, column_devices] = [0, 1].map(|axis: usize| grid.axes()[axis].extent());
        for coordinate in indices(&[rows, columns]) {
            let device =
                [coordinate[0] / row_block % row_devices, coordinate[1] / column_block % column_devices];
            let holders = sharding.holders(&coordinate).unwrap();
            assert_eq!(
                holders.numbers().collect::<Vec<_>>(),
                [grid.device(&device)],
                "{sharding} {coordinate:?}"
            );
        }
        let descriptor = sharding.to_scalapack(0).unwrap();
        assert_eq!(Sharding::from_scalapack(&grid, &descriptor).unwrap(), sharding, "{descriptor:?}");
    }
}

#[test]
fn messages_bring_each_element_once_and_no_more_than_is_missing() {
    let mut random = random::random(3);
    for _ in 0..cases() {
        let (mesh, shape) = (random.mesh(), random.shape());
        let mut some = || match random.below(3) {
            0 => Some(random.going_round(&mesh, &shape)),
            _ => random.sharding(&mesh, &shape),
        };
        let (Some(from), Some(to)) = (some(), some()) else { continue };
        let plan = Redistribution::new(&from, &to).unwrap();
        check_messages(&plan);
        for (source, device) in (0..mesh.size()).flat_map(|i| (0..mesh.size()).map(move |j| (i, j))) {
            let sends = plan.sources(device).unwrap().numbers().any(|other| other == source);
            assert!(sends || plan.message(source, device).is_none(), "{from} to {to}: {source} to {device}");
        }
    }
}

#[test]
fn blocks_that_do_not_divide_each_other_are_exact_up_to_512_devices() {
    let mut random = random::random(8);
    for _ in 0..cases() / 200 {
        let mesh = random.choose(&["x=512", "x=8,y=64", "x=3,y=4", "x=16,y=31", "x=7,y=8,z=9", "x=5,y=100"]);
        let mesh = Mesh::parse(mesh).unwrap();
        let shape = random.choose(&[vec![600], vec![1001], vec![24, 35], vec![129, 3]]);
        let (from, to) = (random.going_round(&mesh, &shape), random.going_round(&mesh, &shape));
        check_messages(&Redistribution::new(&from, &to).unwrap());
    }
    let mut pieces = 0;
    for (blocks, devices) in
        [([3, 5], "x=3,y=4"), ([64, 48], "x=4,y=6"), ([7, 7], "x=5,y=3"), ([1, 10], "x=8,y=2")]
    {
        let mesh = Mesh::parse(devices).unwrap();
        let spec = |axis: usize, block: i64| {
            let devices = mesh.axes()[axis].extent();
            let rest = (1000 - 1) / (block * devices) + 1;
            let axes = if axis == 0 { format!("{block}@0,0") } else { format!("0,{block}@0") };
            let extents: Vec<String> = mesh.axes().iter().map(|axis| axis.extent().to_string()).collect();
            let text = format!(
                "(({}),(({block},{rest}))):(({axes}),((1@0,{}@0)))",
                extents.join(","),
                block * devices
            );
            Sharding::new(&mesh, &[1000], &tilework::Layout::parse(&text).unwrap()).unwrap()
        };
        let plan = Redistribution::new(&spec(0, blocks[0]), &spec(1, blocks[1])).unwrap();
        pieces = pieces.max(check_messages(&plan));
    }
    assert!(pieces >= 7, "{pieces}");
}

/// Each element that a device needs arrives there once, from where it is to where it belongs, and its own ones are not sent. The
/// most pieces of a message.
fn check_messages(plan: &Redistribution) -> usize {
    let (from, to) = (plan.from(), plan.to());
    let mesh = from.mesh();
    let before: Vec<_> = (0..mesh.size()).map(|device| held(from, device)).collect();
    let (mut pieces, mut most) = (0, 0);
    for device in 0..mesh.size() {
        let needed = held(to, device);
        let mut arrived = BTreeSet::new();
        let sources: Vec<i64> = plan.sources(device).unwrap().numbers().collect();
        assert!(
            sources.iter().collect::<BTreeSet<_>>().len() == sources.len()
                && sources.iter().all(|source| (0..mesh.size()).contains(source)),
            "{from} to {to}: {sources:?}"
        );
        for source in sources {
            let Some(message) = plan.message(source, device) else { continue };
            let mut elements = 0;
            pieces = pieces.max(message.pieces().len());
            for piece in message.pieces() {
                let places = [piece.coordinate(), piece.from(), piece.to()];
                let layouts = places.map(|place| place.layout().unwrap());
                for i in 0..layouts[0].size() {
                    let [coordinate, sent, kept] = [0, 1, 2].map(|k| at(&layouts[k], i, places[k].first()));
                    if coordinate.iter().zip(from.shape()).any(|(at, extent)| at >= extent) {
                        continue;
                    }
                    elements += 1;
                    let (is, belongs) = (before[source as usize].get(&coordinate), needed.get(&coordinate));
                    assert_eq!(
                        (is, belongs),
                        (Some(&sent), Some(&kept)),
                        "{from} to {to}, {source} to {device}"
                    );
                    assert!(arrived.insert(coordinate), "{from} to {to}: twice on {device}");
                }
            }
            assert_eq!(elements, message.elements(), "{from} to {to}, {source} to {device}");
        }
        assert_eq!(arrived.len(), needed.len(), "{from} to {to} on {device}");
        let missing =
            needed.keys().filter(|coordinate| !before[device as usize].contains_key(*coordinate)).count();
        assert_eq!(plan.received(device), Some(missing as i64), "{from} to {to} on {device}");
        most = most.max(missing as i64);
    }
    assert_eq!(plan.most_received(), Some(most), "{from} to {to}");
    pieces
}

/// Coordinate `i` of a layout of basis strides, after `first`.
fn at(layout: &tilework::Layout, mut i: i64, first: &[i64]) -> Vec<i64> {
    let mut index = first.to_vec();
    for leaf in layout.leaves() {
        index[leaf.stride.unit().path().0[0]] += i % leaf.extent * leaf.stride.count().numerator();
        i /= leaf.extent;
    }
    index
}

#[test]
fn steps_lead_there_and_each_is_its_collective() {
    let mut random = random::random(4);
    let mut seen = BTreeMap::new();
    for _ in 0..cases() {
        let (mesh, shape) =
            if random.below(2) == 0 { even(&mut random) } else { (random.mesh(), random.shape()) };
        let (Some(from), Some(to)) = (random.sharding(&mesh, &shape), random.sharding(&mesh, &shape)) else {
            continue;
        };
        let Ok(plan) = Redistribution::new(&from, &to) else { continue };
        let Some(steps) = plan.collectives() else { continue };
        let mut now = from.clone();
        for step in steps {
            *seen.entry(step.to_string().split(' ').next().unwrap().to_string()).or_insert(0) += 1;
            check_step(&now, step.after(), step.collective(), step.along(), step.received());
            now = step.after().clone();
        }
        assert_eq!(now, to, "{from} to {to}: {steps:?}");
        // Messages move the least that can be, and collectives are taken where they move no more.
        let moved: i64 = steps.iter().map(|step| step.received()).sum();
        let least = plan.most_received().unwrap();
        assert!(moved >= least, "{from} to {to}: {steps:?}");
        assert_eq!(plan.steps(), (moved == least).then_some(steps), "{from} to {to}");
        *seen.entry(String::from(if moved == least { "collectives" } else { "messages" })).or_insert(0) += 1;
    }
    for collective in ["slice", "permute", "all-to-all", "all-gather"] {
        assert!(seen.get(collective).is_some_and(|&times| times >= cases() / 200), "{seen:?}");
    }
}

#[test]
fn links_of_two_speeds_are_used_as_the_plan_says_and_no_plan_is_slower_than_one_for_equal_links() {
    let mut random = random::random(9);
    let mut faster = 0;
    for _ in 0..cases() {
        let (mesh, shape) =
            if random.below(2) == 0 { even(&mut random) } else { (random.mesh(), random.shape()) };
        let (Some(from), Some(to)) = (random.sharding(&mesh, &shape), random.sharding(&mesh, &shape)) else {
            continue;
        };
        let speeds: Vec<i64> = mesh.axes().iter().map(|_| random.choose(&[25, 50, 900])).collect();
        let named: Vec<String> =
            mesh.axes().iter().zip(&speeds).map(|(axis, speed)| format!("{}={speed}", axis.name())).collect();
        let links = Links::parse(&mesh, &named.join(",")).unwrap();
        let plan = Redistribution::over(&from, &to, &links).unwrap();
        let (Some(steps), Some(traffic)) = (plan.collectives(), plan.traffic()) else { continue };
        let mut most = 0.0f64;
        for device in 0..mesh.size() {
            let own = mesh.coordinate(device).unwrap();
            let mut time = 0.0;
            for source in (0..mesh.size()).filter(|&source| source != device) {
                let Some(message) = plan.message(source, device) else { continue };
                let at = mesh.coordinate(source).unwrap();
                let slowest =
                    (0..at.len()).filter(|&axis| at[axis] != own[axis]).map(|axis| speeds[axis]).min();
                time += 4.0 * message.elements() as f64 / slowest.unwrap() as f64;
            }
            most = most.max(time);
        }
        let time = |steps: &[tilework_sharding::Step]| {
            steps.iter().map(|step| links.nanoseconds(step.traffic(), 32)).sum::<f64>()
        };
        let messages = links.nanoseconds(&traffic, 32);
        assert!(
            (messages - most).abs() < 1e-6,
            "{from} to {to} over {}: {messages}, {most}",
            named.join(",")
        );
        let equal = Redistribution::new(&from, &to).unwrap();
        let other = equal.collectives().unwrap();
        // Over equal links it does not matter which axis a step along several is counted for.
        let alone = other.iter().all(|step| step.along().len() == 1);
        let (own, other) = (time(steps), if alone { time(other) } else { f64::MAX });
        assert!(own < other + 1e-6, "{from} to {to} over {}: {own}, {other}", named.join(","));
        assert_eq!(plan.steps().is_some(), own < messages + 1e-6, "{from} to {to} over {}", named.join(","));
        faster += usize::from(own < messages - 1e-6);
        let mut now = from.clone();
        for step in steps {
            check_step(&now, step.after(), step.collective(), step.along(), step.received());
            now = step.after().clone();
        }
        assert_eq!(now, to);
    }
    assert!(faster > cases() / 100, "{faster}");
}

#[test]
fn sums_that_are_owed_are_settled_for_no_more_than_all_of_them_first() {
    let mut random = random::random(10);
    let (mut scattered, mut done) = (0, 0);
    for _ in 0..2 * cases() {
        let (mesh, shape) =
            if random.below(2) == 0 { even(&mut random) } else { (random.mesh(), random.shape()) };
        let (Some(mut from), Some(to)) = (random.sharding(&mesh, &shape), random.sharding(&mesh, &shape))
        else {
            continue;
        };
        let plain = from.clone();
        for axis in mesh.axes() {
            if axis.extent() > 1 && random.below(2) == 0 {
                from = from.clone().with_owed(axis.name(), tilework_sharding::Reduction::Sum).unwrap_or(from);
            }
        }
        let plan = Redistribution::new(&from, &to).unwrap();
        let Some(steps) = plan.steps().filter(|_| from != plain) else { continue };
        done += 1;
        let held: i64 = from.local_shape().iter().product();
        let mut first = Redistribution::new(&plain, &to)
            .unwrap()
            .collectives()
            .unwrap()
            .iter()
            .map(|step| step.received())
            .sum::<i64>();
        for (axis, _) in mesh.axes().iter().zip(from.owed()).filter(|(_, owed)| owed.is_some()) {
            first += (2 * held * (axis.extent() - 1) + axis.extent() - 1) / axis.extent();
        }
        let moved: i64 = steps.iter().map(|step| step.received()).sum();
        assert!(moved <= first, "{from} to {to}: {moved}, {first}");
        scattered += usize::from(moved < first);
        let mut owed: Vec<_> = from.owed().to_vec();
        for step in steps {
            let (after, along) = (step.after().owed().to_vec(), step.along());
            let settled: Vec<&str> =
                (0..owed.len()).filter(|&i| owed[i] != after[i]).map(|i| mesh.axes()[i].name()).collect();
            let reduces =
                matches!(step.collective(), Collective::ReduceScatter { .. } | Collective::AllReduce { .. });
            assert_eq!(settled.len(), usize::from(reduces), "{from} to {to}: {step}");
            assert!(settled.iter().all(|name| along.iter().all(|own| own.split('[').next() == Some(name))));
            owed = after;
        }
        assert_eq!(steps.last().map_or(&from, |step| step.after()), &to);
    }
    assert!(scattered > done / 10 && done > cases() / 10, "{scattered} of {done}");
}

/// Who may send to whom in a collective, and how much arrives.
fn check_step(from: &Sharding, to: &Sharding, collective: &Collective, along: &[String], received: i64) {
    let mesh = from.mesh();
    let before: Vec<_> = (0..mesh.size()).map(|device| held(from, device)).collect();
    let varies =
        |axis: usize| along.iter().any(|name| name.split('[').next() == Some(mesh.axes()[axis].name()));
    let mut most = 0;
    let mut senders = BTreeSet::new();
    for device in 0..mesh.size() {
        let needed = held(to, device);
        let own = mesh.coordinate(device).unwrap();
        let missing: Vec<_> =
            needed.keys().filter(|coordinate| !before[device as usize].contains_key(*coordinate)).collect();
        most = most.max(missing.len() as i64);
        let group: Vec<usize> = (0..mesh.size() as usize)
            .filter(|&other| {
                mesh.coordinate(other as i64)
                    .unwrap()
                    .iter()
                    .enumerate()
                    .all(|(axis, at)| varies(axis) || *at == own[axis])
            })
            .collect();
        match collective {
            Collective::Slice { .. } | Collective::Reorder => assert!(missing.is_empty(), "{from} to {to}"),
            Collective::Permute => {
                let same = |&other: &usize| before[other].keys().eq(needed.keys());
                assert!(group.iter().any(same), "{from} to {to}");
                senders.insert(needed.keys().next().cloned());
            }
            _ => assert!(
                missing
                    .iter()
                    .all(|coordinate| group.iter().any(|&other| before[other].contains_key(*coordinate))),
                "{from} to {to}"
            ),
        }
    }
    // Where blocks are not even they are filled up, and `collectives.rs` counts what moves.
    let even = from.is_even() && to.is_even();
    assert!(if even { received == most } else { received >= most }, "{from} to {to} by {collective:?}");
}

/// The elements of a device in row-major order of its local indices, as row-major numbers in the tensor.
fn line(sharding: &Sharding, device: i64) -> Vec<i64> {
    let number = |coordinate: Vec<i64>| {
        coordinate.iter().zip(sharding.shape()).fold(0, |number, (at, extent)| number * extent + at)
    };
    let reversed: Vec<i64> = sharding.local_shape().into_iter().rev().collect();
    let local = indices(&reversed).into_iter().map(|index| index.into_iter().rev().collect::<Vec<_>>());
    local.filter_map(|index| sharding.coordinate(device, &index)).map(number).collect()
}

/// Whether devices that hold the same number of elements of a reshaped tensor may hold what a layout says: each all combinations of
/// some indices along each dimension, the first of which is a sum over the axes of the mesh.
fn may_be_a_layout(sharding: &Sharding, shape: &[i64]) -> bool {
    let mesh = sharding.mesh();
    let first = |at: &[i64]| {
        let mut rest = *line(sharding, mesh.device(at)).iter().min().unwrap();
        let along = |&extent: &i64| {
            let index = rest % extent;
            rest /= extent;
            index
        };
        shape.iter().rev().map(along).collect::<Vec<_>>()
    };
    (0..mesh.size()).all(|device| {
        let at = mesh.coordinate(device).unwrap();
        let mut sum = vec![0; shape.len()];
        for axis in 0..at.len() {
            let mut alone = vec![0; at.len()];
            alone[axis] = at[axis];
            sum = sum.iter().zip(first(&alone)).map(|(sum, own)| sum + own).collect();
        }
        sum == first(&at) && is_grid(&line(sharding, device), shape)
    })
}

/// Whether some elements, by their row-major numbers, are all combinations of some indices along each dimension.
fn is_grid(line: &[i64], shape: &[i64]) -> bool {
    let mut along = vec![BTreeSet::new(); shape.len()];
    for &number in line {
        let mut rest = number;
        for (dimension, &extent) in shape.iter().enumerate().rev() {
            along[dimension].insert(rest % extent);
            rest /= extent;
        }
    }
    along.iter().map(BTreeSet::len).product::<usize>() == line.len()
}

#[test]
fn reshapes_are_those_of_the_elements_of_each_device() {
    let mut random = random::random(5);
    let (mut done, mut refused) = (0, 0);
    for _ in 0..cases() {
        let mesh = random.mesh();
        let shapes = [
            vec![24],
            vec![4, 6],
            vec![6, 4],
            vec![2, 12],
            vec![2, 3, 4],
            vec![1, 24],
            vec![8, 3],
            vec![4, 1, 6],
        ];
        let (shape, other) = (random.choose(&shapes), random.choose(&shapes));
        let Some(sharding) = random.sharding(&mesh, &shape) else { continue };
        let view = match sharding.reshape(&other) {
            Ok(view) => view,
            Err(error) => {
                refused += 1;
                assert!(
                    !sharding.is_even() || !may_be_a_layout(&sharding, &other),
                    "{sharding} as {other:?}: {error}"
                );
                continue;
            }
        };
        done += 1;
        for device in 0..mesh.size() {
            assert_eq!(line(&sharding, device), line(&view, device), "{sharding} as {other:?}: {view}");
            let back = view.reshape(&shape).unwrap();
            assert_eq!(line(&back, device), line(&view, device), "{sharding} as {other:?}: {view}");
        }
    }
    assert!(done > refused && refused > 0, "{done} reshaped, {refused} refused");
}

#[test]
fn transpositions_and_slices_are_those_of_the_elements_of_each_device() {
    let mut random = random::random(6);
    for _ in 0..cases() {
        let (mesh, shape) = (random.mesh(), random.shape());
        let Some(sharding) = random.sharding(&mesh, &shape) else { continue };
        let order: Vec<usize> =
            random.choose(&[(0..shape.len()).collect::<Vec<_>>(), (0..shape.len()).rev().collect()]);
        let transposed = sharding.transpose(&order).unwrap();
        let (dimension, begin) = (random.below(shape.len()), random.below(3) as i64);
        let sliced = sharding.slice(dimension, begin, shape[dimension]);
        for device in 0..mesh.size() {
            let turn = |index: &Vec<i64>| order.iter().map(|&i| index[i]).collect::<Vec<_>>();
            let expected: BTreeMap<_, _> =
                held(&sharding, device).iter().map(|(at, local)| (turn(at), turn(local))).collect();
            assert_eq!(held(&transposed, device), expected, "{sharding} transposed by {order:?}");
            let Ok(sliced) = &sliced else { continue };
            let shift = |index: &Vec<i64>| {
                index
                    .iter()
                    .enumerate()
                    .map(|(i, at)| at - if i == dimension { begin } else { 0 })
                    .collect::<Vec<_>>()
            };
            let expected: BTreeMap<_, _> = held(&sharding, device)
                .iter()
                .filter(|(at, _)| at[dimension] >= begin)
                .map(|(at, local)| (shift(at), shift(local)))
                .collect();
            assert_eq!(held(sliced, device), expected, "{sharding} from {begin} of {dimension}");
        }
    }
}

#[test]
fn products_have_each_term_on_one_device_of_those_that_add_up() {
    let mut random = random::random(7);
    let specs = [
        ("ij", "jk", "ik"),
        ("bij", "bjk", "bik"),
        ("ij", "ij", ""),
        ("i", "j", "ij"),
        ("ij", "j", "i"),
        ("ij", "jk", "k"),
    ];
    let (mut done, mut sums) = (0, 0);
    for _ in 0..4 * cases() {
        let mesh = random.mesh();
        let (a, b, c) = random.choose(&specs);
        let [a, b, c] = [a, b, c].map(|labels| labels.chars().collect::<Vec<char>>());
        let mut labels = [&a[..], &b].concat();
        labels.sort_unstable();
        labels.dedup();
        let extents: Vec<i64> = labels.iter().map(|_| random.choose(&[2, 4, 6, 5])).collect();
        let of = |names: &[char]| {
            names
                .iter()
                .map(|name| extents[labels.iter().position(|label| label == name).unwrap()])
                .collect::<Vec<_>>()
        };
        let (Some(left), Some(right)) = (random.sharding(&mesh, &of(&a)), random.sharding(&mesh, &of(&b)))
        else {
            continue;
        };
        let Ok(product) = Sharding::einsum(&[(&a, &left), (&b, &right)], &c) else { continue };
        done += 1;
        sums += usize::from(product.owed().iter().any(Option::is_some));
        let part = |names: &[char], at: &[i64]| {
            names
                .iter()
                .map(|name| at[labels.iter().position(|label| label == name).unwrap()])
                .collect::<Vec<_>>()
        };
        let holds: Vec<_> = (0..mesh.size())
            .map(|device| [&left, &right, &product].map(|tensor| held(tensor, device)))
            .collect();
        for term in indices(&extents) {
            for device in
                (0..mesh.size()).filter(|&device| holds[device as usize][2].contains_key(&part(&c, &term)))
            {
                let own = mesh.coordinate(device).unwrap();
                let adds = |other: &i64| {
                    let at = mesh.coordinate(*other).unwrap();
                    (0..at.len()).all(|axis| at[axis] == own[axis] || product.owed()[axis].is_some())
                };
                let has = |other: &i64| {
                    let holds = &holds[*other as usize];
                    holds[0].contains_key(&part(&a, &term)) && holds[1].contains_key(&part(&b, &term))
                };
                let terms = (0..mesh.size()).filter(adds).filter(has).count();
                assert_eq!(terms, 1, "{left} by {right} is {product}: {term:?} on {device}");
            }
        }
    }
    assert!(done > cases() / 4 && sums > done / 20, "{done} products, {sums} with sums");
}

#[test]
fn thousands_of_devices_are_planned_by_the_algebra() {
    let mesh = Mesh::parse("a=256,b=256").unwrap();
    let spec = |text| Sharding::from_partition_spec(&mesh, &[65_536, 65_536], text).unwrap();
    let plan = Redistribution::new(&spec("P(a,b)"), &spec("P(b,a)")).unwrap();
    assert_eq!(plan.steps().unwrap()[0].to_string(), "permute along a, b");
    assert_eq!(plan.received(1), Some(65_536));
    assert_eq!(plan.sources(1).unwrap().to_string(), "256");
}
