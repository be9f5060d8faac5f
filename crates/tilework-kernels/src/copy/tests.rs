//! Copies of a certain kind, of elements of many sizes, by every instruction set of the processor, through the caches and past
//! them; random ones are those of the harness.

use super::plan::strategy::{Kind, Writing};
use super::*;
use crate::cpu::cache::Caches;
use testkit::Random;
use tilework::{Layout, Tensor, layout};

/// Copies with every plan, and compares with `dst(i) = src(i)`.
fn check<T: Copy + Send + Sync + PartialEq + std::fmt::Debug>(
    source: &Layout,
    destination: &Layout,
    element: impl Fn(usize) -> T,
    shift: usize,
) {
    let length = |layout: &Layout| (layout.max_offset().unwrap() - layout.min_offset().unwrap() + 1) as usize;
    let start = |layout: &Layout| -layout.min_offset().unwrap();
    let read: Vec<T> = (0..length(source)).map(&element).collect();
    // Nothing behind the destination changes either.
    let mut expected: Vec<T> = (0..length(destination) + shift + 64).map(|i| element(i + 100_000)).collect();
    let before = expected.clone();
    for i in 0..source.size() {
        let value = read[(start(source) + source.at(i)) as usize];
        expected[(start(destination) + destination.at(i)) as usize + shift] = value;
    }
    for isa in Isa::available().into_iter().filter(|isa| *isa == isa.registers()) {
        for (caches, way) in
            [(Caches::SERVER, Way::Past), (Caches::SERVER, Way::Through), (Caches::SMALL, Way::Cheapest)]
        {
            let from = OffsetLayout::new(SOURCE, source, start(source)).unwrap();
            let to = OffsetLayout::new(DESTINATION, destination, start(destination)).unwrap();
            let plan = caches.pretend(|| CopyPlan::<T>::with(from, to, isa, way)).unwrap();
            // One thread is enough under Miri.
            for &threads in if cfg!(miri) { &[1][..] } else { &[1, 3] } {
                let mut written = before.clone();
                plan.run(&read, &mut written[shift..], &Execution::threads(threads)).unwrap();
                if written != expected {
                    let at = (0..written.len()).find(|&i| written[i] != expected[i]).unwrap();
                    panic!("{source} to {destination}, {threads} threads, offset {at}\n{}", plan.explain());
                }
            }
        }
    }
}

fn check_all_elements(source: &Layout, destination: &Layout, shift: usize) {
    check(source, destination, |i| i as u32, shift);
    if cfg!(miri) {
        return;
    }
    check(source, destination, |i| (i % 251) as u8, shift);
    check(source, destination, |i| i as u16, shift);
    check(source, destination, |i| i as u64, shift);
    check(source, destination, |i| i as u128, shift);
    check(source, destination, |i| [i as u8, 1, (i >> 8) as u8], shift);
    check(source, destination, |i| [i as u32, 1, 2], shift);
    check(source, destination, |i| [i as u64; 5], shift);
}

#[test]
fn copies_the_applications_of_table_2() {
    for (source, destination) in [
        (layout!(8:1), layout!(8:1)),
        (layout!((8,2,3):(1,16,32)), layout!((8,2,3):(1,16,32))),
        (layout!((2,3,2):(42,1,128)), layout!(12:1)),
        (layout!(12:1), layout!((2,3,2):(42,1,128))),
        (layout!(7:0), layout!(7:1)),
        (layout!(7:0), layout!(7:0)),
        (layout!((8,3):(1,8)), layout!((8,3):(3,1))),
        (layout!((8,(3,5)):(1,(57,8))), layout!((8,15):(1,8))),
    ] {
        check_all_elements(&source, &destination, 0);
    }
}

/// Pieces with every gap between them, in the source and in the destination: the steps are whole multiples of the
/// piece, and all values between. `(2,2):(1,4)` to `(2,2):(1,3)` is the smallest that was wrong.
#[test]
fn copies_pieces_with_every_gap() {
    check_all_elements(&layout!((2,2):(1,4)), &layout!((2,2):(1,3)), 0);
    let (pieces, counts): (i64, &[i64]) = if cfg!(miri) { (2, &[2]) } else { (4, &[2, 5]) };
    for piece in 1..=pieces {
        let most = if cfg!(miri) { 2 } else { 4 } * piece + 1;
        for (from, to, count) in (1..=most).flat_map(|from| {
            (piece..=most).flat_map(move |to| counts.iter().map(move |&count| (from, to, count)))
        }) {
            let parse = |step| Layout::parse(&format!("({piece},{count}):(1,{step})")).unwrap();
            check_all_elements(&parse(from), &parse(to), 1);
        }
    }
}

/// Pieces of whole lines: more than a block holds, with gaps of lines, backwards, repeated;
/// one place of sixteen begins at a line.
#[test]
#[cfg_attr(miri, ignore)]
fn copies_pieces_of_lines() {
    let cases = [
        ("(32,24,9,6):(1,32,768,6912)", "(32,24,9,6):(1,1728,32,288)"),
        ("(32,24,9,6):(1,32,800,7200)", "(32,24,9,6):(1,2688,-48,448)"),
        ("(48,5,3,2):(1,50,-250,0)", "(48,5,3,2):(1,48,480,240)"),
        ("(496,3,2):(1,500,0)", "(496,3,2):(1,992,496)"),
    ];
    for (source, destination) in cases.map(|(from, to)| (Layout::parse(from), Layout::parse(to))) {
        let (source, destination) = (source.unwrap(), destination.unwrap());
        (0..16).for_each(|shift| check(&source, &destination, |i| i as u32, shift));
    }
}

/// Contiguous elements to every step up to more than a line, forwards and backwards, of any number and from any place of a line
/// on.
#[test]
#[cfg_attr(miri, ignore)]
fn scatters_elements_by_every_step() {
    let mut random = Random::congruential(4);
    for step in (1..=24).chain([31, 32, 33, 63, 64, 65, 100, 300, 2100]) {
        for _ in 0..4 {
            let count = 1 + random.below(2 * 2048 / step.min(40) as usize);
            let step = random.choose(&[step, step, -step]);
            let parse = |step| Layout::parse(&format!("{count}:{step}")).unwrap();
            check_all_elements(&parse(1), &parse(step), random.below(64));
        }
    }
}

/// A plan says by which method elements with a constant step are moved.
#[test]
fn plans_name_the_method() {
    for (source, destination, portable, avx2, avx512) in [
        (layout!(99:3), layout!(99:1), "one by one", "gathered in registers", "gathered in registers"),
        (layout!(99:1), layout!(99:3), "one by one", "one by one", "scattered in registers"),
        (layout!(99:1), layout!(99:30), "one by one", "one by one", "one by one"),
        (
            layout!((99,3):(1,99)),
            layout!((99,3):(3,1)),
            "one by one",
            "interleaved in registers",
            "interleaved in registers",
        ),
        (
            layout!((99,6):(6,1)),
            layout!((99,6):(1,100)),
            "one by one",
            "split in registers",
            "split in registers",
        ),
    ] {
        let place = |name, layout| OffsetLayout::new(name, layout, 0).unwrap();
        for isa in Isa::available() {
            let expected = match isa.registers().name() {
                "avx2" => avx2,
                "avx512" => avx512,
                _ => portable,
            };
            let (from, to) = (place(SOURCE, &source), place(DESTINATION, &destination));
            let text = CopyPlan::<u32>::with(from, to, isa, Way::Cheapest).unwrap().explain();
            assert!(text.contains(expected), "{source} to {destination}\n{text}");
        }
    }
}

/// `(4,6)` and `(6,4)` have no common refinement, XOR strides are not linear in any loop.
#[test]
fn copies_where_there_are_no_loops_in_common() {
    for (source, destination) in [
        (layout!((4,6):(7,1)), layout!((6,4):(5,31))),
        (layout!((8,8):(^1,^9)), layout!((8,8):(8,1))),
        (layout!((8,8):(8,1)), layout!((8,8):(^1,^9))),
    ] {
        check_all_elements(&source, &destination, 0);
    }
}

#[test]
fn copies_swizzled_layouts() {
    let count = if cfg!(miri) { 2 } else { 8 };
    let (rows, size) = (Layout::of((count, 64), (64, 1)).unwrap(), 64 * count);
    let swizzle = tilework::Swizzle::new(3, 3, 3).unwrap();
    let swizzled = tilework::Composed::new(swizzle, 0, rows).unwrap();
    let data: Vec<u16> = (0..size as u16).collect();
    let mut there = Tensor::new(vec![0u16; size as usize], swizzled).unwrap();
    copy(&Tensor::new(&data[..], rows).unwrap(), &mut there, &Execution::threads(2)).unwrap();
    assert!((0..size).all(|i| there.at(i) == data[rows.at(i) as usize]));
    let mut back = Tensor::new(vec![0u16; size as usize], rows).unwrap();
    copy(&there, &mut back, &Execution::default()).unwrap();
    assert_eq!(*back.accessor(), data);
}

#[test]
fn refuses_what_cannot_be() {
    let plan = |source: &Layout, destination: &Layout| CopyPlan::<f32>::new(source, destination).map(|_| ());
    assert!(matches!(plan(&layout!(8:1), &layout!(9:1)), Err(Error::Size { first: 8, second: 9, .. })));
    assert!(matches!(plan(&layout!(8:1@0), &layout!(8:1)), Err(Error::Codomain { .. })));
    assert!(matches!(plan(&layout!(2:1), &layout!(2:0)), Err(Error::Aliasing { .. })));
    assert!(matches!(plan(&layout!((4,4):(1,4)), &layout!((4,4):(1,3))), Err(Error::Aliasing { .. })));
    // Interleaved strides in which all offsets are distinct.
    plan(&layout!((2,3):(1,2)), &layout!((2,3):(3,2))).unwrap();
    let plan = CopyPlan::<u8>::new(&layout!(8:2), &layout!(8:1)).unwrap();
    let mut to = [0; 8];
    assert_eq!(
        plan.run(&[0; 14], &mut to, &Execution::default()),
        Err(Error::Image { operand: SOURCE, min: 0, max: 14, len: 14 })
    );
    let mut bytes = [0u8; 32];
    let (from, to) = (bytes.as_ptr(), bytes.as_mut_ptr().wrapping_add(14));
    // SAFETY: all offsets are within the array.
    assert_eq!(unsafe { plan.run_raw(from, to, &Execution::default()) }, Err(Error::Overlap));
    // Two bytes of every three; the last is the first of another element.
    let pairs = CopyPlan::<[u8; 2]>::new(&layout!(4:2), &layout!(4:2)).unwrap();
    let (from, to) = (bytes.as_ptr(), bytes.as_mut_ptr().wrapping_add(1));
    // SAFETY: as above.
    assert_eq!(unsafe { pairs.run_raw(from.cast(), to.cast(), &Execution::default()) }, Err(Error::Overlap));
}

/// Source and destination in one array, whose elements interleave: elements that are not in the destination do not
/// change.
#[test]
fn columns_to_columns_of_one_array() {
    fn check<T: Copy + Send + Sync + PartialEq + std::fmt::Debug>(value: impl Fn(usize) -> T) {
        let sizes = [(4, 8), (37, 22), (64, 128), (100, 300)];
        // Miri takes minutes for the others.
        for &(rows, columns) in &sizes[..if cfg!(miri) { 1 } else { sizes.len() }] {
            let view =
                |layout: Layout, start| Tensor::with_offset(tilework::Counting, start, layout).unwrap();
            let by_rows = Layout::of((rows, columns / 2), (columns, 2)).unwrap();
            let by_columns = Layout::of((columns / 2, rows), (2, columns)).unwrap();
            for (source, destination) in [
                (view(by_rows, 0), view(by_rows, 1)),
                (view(by_rows, 1), view(by_rows, 0)),
                (view(by_columns, 0), view(by_columns, 1)),
            ] {
                for threads in [1, 2] {
                    let before: Vec<T> = (0..(rows * columns) as usize).map(&value).collect();
                    let mut expected = before.clone();
                    (0..source.size()).for_each(|i| {
                        expected[destination.at(i) as usize] = before[source.at(i) as usize];
                    });
                    let mut array = before;
                    let first = array.as_mut_ptr();
                    let plan = CopyPlan::<T>::for_tensors(&source, &destination).unwrap();
                    // SAFETY: all offsets lie within the array.
                    unsafe { plan.run_raw(first, first, &Execution::threads(threads)) }.unwrap();
                    assert!(array == expected, "{rows} by {columns}, {} bytes", size_of::<T>());
                }
            }
        }
    }
    check(|i| i as u8);
    check(|i| i as u16);
    check(|i| i as f32);
    check(|i| i as u64);
    check(|i| [i as u8, 1, 2]);
}

#[test]
#[cfg_attr(miri, ignore = "the tables of its blocks take minutes")]
fn layouts_of_more_elements_than_memory_are_planned() {
    let plan =
        CopyPlan::<u8>::new(&layout!((1048576,1048576):(1,1048576)), &layout!((1048576,1048576):(1048576,1)));
    assert!(plan.unwrap().explain().contains("1099511627776 elements"));
}

#[test]
#[cfg_attr(miri, ignore = "a copy of several blocks takes minutes")]
fn a_copy_can_be_stopped_and_reports_progress() {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};
    // By blocks, several through the caches and past them, and by runs for layouts that have no loops in common.
    for (source, destination) in [
        (layout!((2048,2048):(1,2048)), layout!((2048,2048):(2048,1))),
        (layout!((2048,2048):(^1,^2049)), layout!((2048,2048):(2048,1))),
    ] {
        let plan = CopyPlan::<u32>::new(&source, &destination).unwrap();
        let (from, mut to) = (vec![1; 1 << 22], vec![0; 1 << 22]);
        let (stop, reported) = (AtomicBool::new(true), Mutex::new(Vec::new()));
        let progress = |done: f64| reported.lock().unwrap().push(done);
        let execution = Execution::default().reporting_to(&progress);
        let stopped = execution.cancelled_by(&stop);
        assert_eq!(plan.run(&from, &mut to, &stopped), Err(Error::Cancelled));
        let first = std::mem::take(&mut *reported.lock().unwrap());
        assert!(first.len() == 1 && first[0] > 0.0 && to.contains(&0), "{first:?}");
        stop.store(false, Ordering::Relaxed);
        plan.run(&from, &mut to, &stopped).unwrap();
        let reported = reported.into_inner().unwrap();
        assert!(reported.is_sorted() && reported[0] == first[0] && reported.ends_with(&[1.0]) && from == to);
    }
}

#[test]
fn elements_without_bytes() {
    let plan = CopyPlan::<()>::new(&layout!((2,3):(4,1)), &layout!((2,3):(1,2))).unwrap();
    plan.run(&[(); 7], &mut [(); 6], &Execution::default()).unwrap();
    assert!(plan.run(&[(); 6], &mut [(); 6], &Execution::default()).is_err());
    assert!(CopyPlan::<()>::new(&layout!(2:1), &layout!(2:0)).is_err());
}

/// What runs is what the plan says, and nothing else decides: a strategy that is changed runs, and is explained.
#[test]
fn a_plan_that_is_changed_runs_and_is_explained_so() {
    fn loops<T>(plan: &mut CopyPlan<T>) -> &mut Nest {
        match &mut plan.plan.loops {
            Loops::Nested(loops) => loops,
            _ => panic!("no loops"),
        }
    }
    let place = |layout| OffsetLayout::new(SOURCE, layout, 0).unwrap();
    let plan = |source, destination| {
        CopyPlan::<u32>::with(place(source), place(destination), Isa::Portable, Way::Through).unwrap()
    };
    let source: Vec<u32> = (0..10_000).collect();
    let copied = |plan: &CopyPlan<u32>| {
        let mut destination = vec![0; 32 * 33];
        plan.run(&source, &mut destination, &Execution::default()).unwrap();
        (destination, plan.explain())
    };
    // Other ways to write the same.
    let (rows, columns) = if cfg!(miri) { (9, 8) } else { (33, 32) };
    let by = |strides| Layout::of((rows, columns), strides).unwrap();
    let (from, to) = (by((columns, 1)), by((1, rows)));
    let mut staged = plan(&from, &to);
    let (before, text) = copied(&staged);
    loops(&mut staged).strategies.iter_mut().for_each(|(_, strategy)| strategy.rows = Writing::Staged(1));
    let (after, changed) = copied(&staged);
    assert!(text.contains("through the caches") && changed.contains("by a stage of 1 row"), "{changed}");
    assert_eq!(after, before);
    // Of the others Miri makes each loop in other tests, in a small part of the time.
    if cfg!(miri) {
        return;
    }
    // Every third element, and with the walk of a plan for every second one.
    let (mut third, mut second) =
        (plan(&layout!(99:3), &layout!(99:1)), plan(&layout!(99:2), &layout!(99:1)));
    let before = copied(&third);
    for ((_, strategy), (_, other)) in
        loops(&mut third).strategies.iter_mut().zip(&loops(&mut second).strategies)
    {
        strategy.tile = other.tile;
    }
    assert_ne!(copied(&third).0, before.0);
    assert_eq!(copied(&third).0, copied(&second).0);
    // Pieces, and with elements that are repeated.
    let mut pieces = plan(&layout!((32,32):(1,32)), &layout!((32,32):(1,33)));
    let (before, text) = copied(&pieces);
    assert_eq!(before[..35], [(0..32).collect(), vec![0, 32, 33]].concat());
    loops(&mut pieces).strategies.iter_mut().for_each(|(_, strategy)| strategy.tile = Kind::Repeated);
    let (after, changed) = copied(&pieces);
    assert!(text.contains("contiguous in both") && changed.contains("each one element repeated"));
    assert_eq!(after[..35], [vec![0; 33], vec![32; 2]].concat());
}

/// Transposes of `f32` in memory that begins 16 bytes behind a line, with the caches of Zen 4 and of Emerald Rapids: whether they are
/// written past the caches, and that a core keeps the addresses of the pages of a block.
#[test]
#[cfg(target_arch = "x86_64")]
fn plans_for_two_processors() {
    let zen = Caches { first: 32 << 10, second: 1 << 20, third: 32 << 20 };
    let emerald = Caches { first: 48 << 10, second: 2 << 20, third: 260 << 20 };
    for (n, past) in
        [(1003, [false, false]), (1500, [true, false]), (2064, [true, false]), (5000, [true, true])]
    {
        let [from, to] = [format!("({n},{n}):(1,{n})"), format!("({n},{n}):({n},1)")]
            .map(|text| OffsetLayout::new(SOURCE, &Layout::parse(&text).unwrap(), 0).unwrap());
        for (caches, past) in [zen, emerald].into_iter().zip(past) {
            let plan = |way| caches.pretend(|| CopyPlan::<f32>::with(from, to, Isa::Avx2, way)).unwrap();
            for (way, past) in [(Way::Cheapest, past), (Way::Through, false), (Way::Past, true)] {
                let plan = plan(way);
                let Loops::Nested(nest) = &plan.plan.loops else { panic!("the layouts are linear") };
                let (loops, strategy) = nest.at(std::ptr::without_provenance(16));
                assert_eq!(strategy.stages().is_some(), past, "{n} {caches:?}\n{}", plan.explain());
                assert!(loops.columns.len() <= 640, "{n} {caches:?}\n{}", plan.explain());
            }
        }
    }
}
