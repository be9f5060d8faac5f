//! Banks and sectors against counting, and against counts that others have published.

mod oracle;
mod published;
mod random;

use oracle::Oracle;
use random::{Cases, Random};
use testkit::setting;
use tilework_hardware::Refused;
use tilework_hardware::access::Method;
use tilework_hardware::memory::{Banks, Phases, Sectors};

/// How many cases of so many at full size: `TILEWORK_CASES` scales, and a build without optimisation runs a part.
fn cases(all: usize) -> usize {
    let part = if cfg!(debug_assertions) { 0.01 } else { 1.0 };
    (all as f64 * setting("TILEWORK_CASES", 1.0) * part) as usize
}

fn seed() -> u64 {
    setting("TILEWORK_SEED", 1)
}

#[test]
fn reports_are_what_counting_says() {
    let mut random = Random::congruential(seed().wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut ranks, mut counted, mut refused, mut conflicts) = (0, 0, 0, 0);
    let (mut guarded, mut partial) = (0, 0);
    let all = cases(100_000);
    for _ in 0..all {
        let case = random.case();
        let oracle = Oracle::new(&case);
        let name = case.to_string();
        let Some(expected) = oracle.banks() else {
            refused += 1;
            let error = case.report().expect_err(&name);
            assert!(oracle.confirms(&error), "{name}: {error:?}");
            continue;
        };
        let report = case.report().unwrap_or_else(|error| panic!("{name}: {error}"));
        match report.method {
            Method::Rank { .. } => ranks += 1,
            Method::Counted => counted += 1,
        }
        assert_eq!(
            (report.wavefronts, report.ideal, report.degree, report.phases),
            expected.numbers,
            "{name}"
        );
        assert_eq!(report.conflict.map(|conflict| u64::from(conflict.words)), expected.worst, "{name}");
        let reach = report.reach;
        let values = case.access.threads() * case.access.values();
        assert_eq!((reach.elements, reach.outside), oracle.reach(), "{name}");
        assert_eq!((reach.size, reach.values), (case.layout.size(), values), "{name}");
        guarded += usize::from(reach.outside > 0);
        partial += usize::from(reach.elements < reach.size);
        if let Some(conflict) = report.conflict {
            conflicts += 1;
            let meeting = (conflict.warp, conflict.instruction, conflict.phase, conflict.bank);
            assert_eq!(expected.meetings.get(&meeting), Some(&(conflict.words, conflict.lanes)), "{name}");
        }
        if random.below(16) == 0 {
            let listed = case.conflicts().unwrap();
            let mut all: Vec<_> = listed
                .iter()
                .map(|found| {
                    ((found.warp, found.instruction, found.phase, found.bank), (found.words, found.lanes))
                })
                .collect();
            all.sort_unstable();
            let expected: Vec<_> =
                expected.meetings.into_iter().filter(|(_, (words, _))| *words > 1).collect();
            assert_eq!(all, expected, "{name}");
        }
        let sectors = case.sectors(&Sectors::NVIDIA).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            (sectors.requests, sectors.sectors, sectors.ideal, sectors.lines, sectors.bits),
            oracle.sectors(),
            "{name}"
        );
        assert_eq!(sectors.reach, reach, "{name}");
    }
    println!(
        "{all} cases: {ranks} by rank, {counted} counted, {refused} refused, {conflicts} with conflicts, \
         {guarded} guarded, {partial} of a part"
    );
    for part in [ranks, counted, refused, conflicts, guarded, partial] {
        assert!(part * 20 > all, "the cases do not reach everything");
    }
}

/// A tile of 32 threads and their values by rows and columns, of which some are behind the end of the matrix.
#[test]
fn a_guard_is_for_each_mode_of_a_matrix() {
    let mut random = Random::congruential(seed());
    let (mut guarded, mut conflicts) = (0, 0);
    for _ in 0..cases(20_000).max(200) {
        let down = random.choose(&[1, 2, 4, 8, 16, 32]);
        let across = 32 / down;
        let values = 1 + random.below(4) as i64;
        let below = random.below(2) == 0;
        let step = if below { "@0" } else { "@1" };
        let tv =
            format!("(({down},{across}),{values}):((1@0,1@1),{}{step})", if below { down } else { across });
        let [rows, columns] = [0; 2].map(|_| 1 + random.below(40) as i64);
        let strides = [0; 2].map(|_| random.below(70) as i64);
        let data = tilework::Layout::of((rows, columns), (strides[0], strides[1])).unwrap();
        let (mut numbers, mut outside) = ([0; 3], 0);
        for value in 0..values {
            let (mut words, mut seen) = (std::collections::BTreeSet::new(), 0);
            for thread in 0..32 {
                let (mut row, mut column) = (thread % down, thread / down);
                if below {
                    row += down * value
                } else {
                    column += across * value
                }
                if row < rows && column < columns {
                    seen += 1;
                    words.insert(row * strides[0] + column * strides[1]);
                }
            }
            outside += 32 - seen;
            let most = (0..32).map(|bank| words.iter().filter(|word| *word % 32 == bank).count()).max();
            numbers[0] += most.unwrap_or(0) as u64;
            numbers[1] += words.len().div_ceil(32) as u64;
            numbers[2] += u64::from(seen > 0);
        }
        let access = tilework_hardware::access::Access::new(tv.parse().unwrap(), 32).unwrap();
        let report = Banks::NVIDIA.report(&data, &access).unwrap();
        let name = format!("{data} by {tv}");
        assert_eq!([report.wavefronts, report.ideal, report.phases], numbers, "{name}");
        let elements = 32 * values - outside;
        assert_eq!((report.reach.outside, report.reach.elements), (outside, elements), "{name}");
        let sectors = Sectors::NVIDIA.report(&data, &access).unwrap();
        assert_eq!((sectors.requests, sectors.reach), (numbers[2], report.reach), "{name}");
        guarded += u32::from(outside > 0);
        conflicts += u32::from(!report.is_ideal());
    }
    assert!(guarded > 50 && conflicts > 50, "{guarded} guarded, {conflicts} with conflicts");
}

#[test]
fn what_is_not_published_is_refused() {
    assert_eq!(Phases::AMD_READ.of_width(64), Err(Refused::Phases { bits: 64 }));
    assert_eq!(Phases::NVIDIA.of_width(129), Err(Refused::Width { bits: 129, most: 128 }));
    let wide = tilework::layout!(65:1);
    assert_eq!(Phases::all(wide), Err(Refused::Lanes { lanes: 65, most: 64 }));
    assert!(Phases::all(tilework::layout!(32:1@0)).is_err());
}

#[test]
fn no_numbers_panic() {
    let access = tilework_hardware::access::Access::new(tilework::layout!(32:1), 128).unwrap();
    let far = tilework::layout!(32:288230376151711744);
    for (count, bytes) in [(0, 0), (1, 1), (u32::MAX, u32::MAX), (1 << 31, 1 << 31), (32, 4)] {
        let banks = Banks { count, bytes, phases: Phases::NVIDIA };
        let _ = banks.report(&far, &access);
        let _ = banks.report(&tilework::layout!(32:-7), &access);
        let _ = banks.bank(i64::MIN, u32::MAX);
    }
    for (sector, line, lanes) in [(0, 0, 0), (1, 1, 1), (u32::MAX, u32::MAX, u32::MAX)] {
        let sectors = Sectors { sector, line, lanes };
        let _ = sectors.report(&far, &access);
    }
}
