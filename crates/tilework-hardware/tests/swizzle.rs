//! What the searches find, what they prove not to exist, and that each certificate holds by counting.

use std::collections::{BTreeMap, BTreeSet};
use testkit::Random;
use tilework::{Composed, HTuple, Layout, Leaf, Stride, Swizzle, layout};
use tilework_hardware::access::Access;
use tilework_hardware::memory::{Banks, Phases};
use tilework_hardware::swizzle::{Certificate, Explanation, Flaw, Form, Impossible, Reason, explain, search};

fn tile(rows: i64, columns: i64) -> Layout {
    Layout::of((rows, columns), (columns, 1)).unwrap()
}

fn nvidia(accesses: &[Access]) -> Vec<(Banks, Access)> {
    accesses.iter().map(|&access| (Banks::NVIDIA, access)).collect()
}

/// Loads by ldmatrix and stores of rows.
fn operand(tile: &Layout) -> Vec<(Banks, Access)> {
    nvidia(&[Access::ldmatrix(tile, 16).unwrap(), Access::rows(tile, 16).unwrap()])
}

fn found(tile: &Layout, accesses: &[(Banks, Access)], form: Form) -> Composed {
    let certificate =
        search(tile, accesses, form).unwrap_or_else(|reason| panic!("{form:?} {tile}: {reason}"));
    assert_eq!(certificate.check(), Ok(()));
    for (banks, access) in accesses {
        assert!(is_free(certificate.data(), banks, access));
    }
    let data = certificate.data();
    let offset = |index| data.at(index);
    let largest = (0..data.layout().size()).map(offset).max().unwrap();
    let (elements, cosize) = (certificate.elements().unwrap(), data.layout().cosize().unwrap());
    assert!(largest < elements && elements >= cosize && elements < 2 * cosize, "{data}: {elements}");
    *certificate.data()
}

/// Counting: words are sets, layouts are evaluated at each coordinate. Phases of all lanes, or of the manual.
fn is_free(data: &Composed, banks: &Banks, access: &Access) -> bool {
    let (threads, values) = (access.threads(), access.values());
    let offset = |thread: i64, value: i64| {
        let index = access.layout().at(thread + threads * value);
        (index < data.layout().size()).then(|| data.at(index))
    };
    let lanes = banks.phases.of_width(access.width()).unwrap();
    let vector = i64::from(access.vector_len());
    let mut phases: BTreeMap<_, BTreeMap<i64, BTreeSet<i64>>> = BTreeMap::new();
    for thread in 0..threads {
        for first in (0..values).step_by(vector as usize) {
            if (0..vector).all(|v| offset(thread, first + v).is_none()) {
                continue;
            }
            let Some(start) = offset(thread, first) else { return false };
            if (0..vector).any(|v| offset(thread, first + v) != Some(start + v)) || start % vector != 0 {
                return false;
            }
            let phase = (thread / lanes.size(), first, lanes.at(thread % lanes.size()));
            let banked = phases.entry(phase).or_default();
            for bit in start * i64::from(access.bits())..(start + vector) * i64::from(access.bits()) {
                let word = bit / (8 * i64::from(banks.bytes));
                banked.entry(word % i64::from(banks.count)).or_default().insert(word);
            }
        }
    }
    !phases.is_empty()
        && phases.values().all(|banked| {
            let words: usize = banked.values().map(BTreeSet::len).sum();
            banked.values().all(|bank| bank.len() <= words.div_ceil(banks.count as usize))
        })
}

#[test]
fn the_known_modes() {
    for (columns, swizzle) in [(16, "1,3,3"), (32, "2,3,3"), (64, "3,3,3"), (128, "3,3,4")] {
        let rows = tile(128, columns);
        let data = found(&rows, &operand(&rows), Form::Sw);
        assert_eq!(data.to_string(), format!("Sw<{swizzle}> o 0 o {rows}"));
    }
}

#[test]
fn a_transposition() {
    let square = tile(32, 32);
    let (row, column) = (layout!((32,32):(32,1)), layout!((32,32):(1,32)));
    let accesses = nvidia(&[row, column].map(|tv| Access::new(tv, 32).unwrap()));
    assert_eq!(found(&square, &accesses, Form::Sw).swizzle(), Swizzle::new(5, 0, 5).unwrap());
    assert_eq!(*found(&square, &accesses, Form::Pad).layout(), layout!((32,32):(33,1)));
    let xor = found(&square, &accesses, Form::Xor);
    assert_eq!(*xor.layout(), layout!((32,32):(^33,^1)));
}

/// The paper, section 2.3.1.
#[test]
fn the_layout_of_the_paper() {
    let banks = Banks { count: 8, bytes: 4, phases: Phases::all(layout!(8:0)).unwrap() };
    let accesses =
        [layout!((8,8):(1,8)), layout!((8,8):(8,1))].map(|tv| (banks, Access::new(tv, 32).unwrap()));
    assert_eq!(*found(&layout!((8,8):(1,8)), &accesses, Form::Xor).layout(), layout!((8,8):(^1,^9)));
}

#[test]
fn the_modes_of_the_tensor_memory_accelerator() {
    for (columns, bits) in [(16, 1), (32, 2), (64, 3)] {
        let rows = tile(64, columns);
        let data = found(&rows, &operand(&rows), Form::Tma);
        assert_eq!(data.swizzle(), Swizzle::new(bits, 3, 3).unwrap());
    }
    let wide = tile(64, 128);
    assert_eq!(search(&wide, &operand(&wide), Form::Tma), Err(Impossible::Row { bytes: 256 }));
    // In panels of 128 bytes there is one.
    let panels = layout!((64,(64,2)):(64,(1,4096)));
    assert_eq!(found(&panels, &operand(&panels), Form::Tma).swizzle(), Swizzle::new(3, 3, 3).unwrap());
}

/// The paddings of each row of a tile up to `most` elements, from the definition: a row ends at a stride that every mode
/// stays below or steps by multiples of.
fn paddings(tile: &Layout, most: i64) -> Vec<(i64, Layout)> {
    let strides: Vec<(i64, i64)> =
        tile.leaves().iter().map(|leaf| (leaf.extent, leaf.stride.count().numerator())).collect();
    let is_row = |row: i64| {
        row > 1 && strides.iter().all(|&(extent, stride)| stride % row == 0 || (extent - 1) * stride < row)
    };
    let rows: BTreeSet<i64> = strides
        .iter()
        .filter(|(extent, _)| *extent > 1)
        .map(|mode| mode.1)
        .filter(|&row| is_row(row))
        .collect();
    let mut all = vec![(tile.cosize().unwrap(), *tile)];
    for row in rows {
        for free in 1..=most {
            let padded = strides.iter().map(|&(extent, stride)| {
                let more = if stride % row == 0 { stride / row * free } else { 0 };
                HTuple::leaf(Leaf::new(extent, stride + more))
            });
            let padded = Layout::new(HTuple::tuple(&padded.collect::<Vec<_>>()).unwrap()).unwrap();
            all.push((padded.cosize().unwrap(), padded));
        }
    }
    all
}

#[test]
fn the_smallest_padding_of_random_accesses() {
    let mut seed = 36u64;
    let mut below = |bound: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) % bound) as usize
    };
    let rounds = if cfg!(debug_assertions) { 60 } else { 3000 };
    let (mut padded, mut uneven, mut none, mut guarded) = (0, 0, 0, 0);
    while padded < rounds {
        let [rows, columns, planes] = [0; 3].map(|_| [1, 2, 3, 4, 6, 8, 16][below(7)]);
        let extents = [rows, columns, planes];
        let strides = if below(2) == 0 { [columns, 1, rows * columns] } else { [1, rows * planes, rows] };
        let modes = [0, 1, 2].map(|i| HTuple::leaf(Leaf::new(extents[i], strides[i])));
        let tile = Layout::new(HTuple::tuple(&modes).unwrap()).unwrap();
        let bits = [8, 16, 24, 32, 64][below(5)];
        let vector = [1, 2, 4][below(3)];
        let (threads, values) = ([4, 8, 16, 32][below(4)], [1, 2][below(2)]);
        let step = |below: &mut dyn FnMut(u64) -> usize| {
            [1, 2, 4, 8, rows, 2 * rows, 4 * rows, rows * columns][below(8)]
        };
        let of_vector = if columns % i64::from(vector) == 0 { [1, rows][below(2)] } else { 1 };
        let half = [threads / 2, 2][below(2)];
        let tv =
            [(half, step(&mut below)), (threads / half, step(&mut below)), (i64::from(vector), of_vector)];
        let tv = [tv[0], tv[1], tv[2], (values, step(&mut below))];
        let [t0, t1, v0, v1] = tv.map(|(extent, stride)| HTuple::leaf(Leaf::new(extent, stride)));
        let tv = HTuple::tuple(&[HTuple::tuple(&[t0, t1]).unwrap(), HTuple::tuple(&[v0, v1]).unwrap()]);
        let tv = Layout::new(tv.unwrap()).unwrap();
        let outside = tv.max_offset().unwrap() >= tile.size();
        if outside && below(4) > 0 || bits * vector > 128 {
            continue;
        }
        let accesses = nvidia(&[Access::new(tv, bits).unwrap().vector(vector).unwrap()]);
        let (banks, access) = &accesses[0];
        let is_free =
            |layout: &Layout| is_free(&Composed::new(Swizzle::NONE, 0, *layout).unwrap(), banks, access);
        // The banks repeat after this many elements.
        let period = (1..).find(|count| count * i64::from(bits) % 1024 == 0).unwrap();
        let mut candidates = paddings(&tile, 3 * period);
        match search(&tile, &accesses, Form::Pad) {
            Ok(certificate) => {
                let found = certificate.data().layout();
                let size = found.cosize().unwrap();
                assert!(is_free(found), "{tile} {access}: {found}");
                assert_eq!(certificate.check(), Ok(()), "{tile} {access}: {found}");
                guarded += i32::from(outside);
                candidates.retain(|candidate| candidate.0 < size);
                let smaller = candidates.iter().find(|(_, layout)| is_free(layout));
                assert_eq!(smaller, None, "{tile}, {access}: {found} is free as well");
                padded += i32::from(found != &tile);
                let row =
                    found.leaves().iter().zip(tile.leaves()).find(|(new, old)| new.stride != old.stride);
                uneven +=
                    row.map_or(0, |(new, _)| (new.stride.count().numerator() % i64::from(vector)).signum());
            }
            Err(reason) => {
                none += 1;
                assert!(!matches!(reason, Impossible::Undecided { .. }), "{tile}, {access}");
                let free = candidates.iter().find(|(_, layout)| is_free(layout));
                assert_eq!(free, None, "{tile}, {access}: {reason}");
            }
        }
    }
    println!(
        "{padded} padded, {uneven} with rows that are not multiples of a vector, {none} without padding, {guarded} guarded"
    );
    assert!(uneven > 0 && none > 0 && guarded > 10);
}

/// Rows of 18 elements: only even ones are accessed, and their vectors of 4 are aligned.
#[test]
fn a_padding_that_is_not_a_multiple_of_a_vector() {
    let tile = layout!((16,32):(1,16));
    let access = Access::new(layout!(((2,8,2),4):((0,32,4),1)), 32).unwrap().vector(4).unwrap();
    assert_eq!(*found(&tile, &nvidia(&[access]), Form::Pad).layout(), layout!((16,32):(1,18)));
}

#[test]
fn padding_of_rows() {
    for (columns, padded) in [(64, 72), (128, 136)] {
        let rows = tile(64, columns);
        let expected = Layout::of((64, columns), (padded, 1)).unwrap();
        assert_eq!(*found(&rows, &operand(&rows), Form::Pad).layout(), expected);
    }
    // With rows of 32 bytes, 8 more serve the loads, and four rows of 48 bytes are stored into 128 bytes.
    let narrow = tile(64, 16);
    assert_eq!(*found(&narrow, &operand(&narrow)[..1], Form::Pad).layout(), layout!((64,16):(24,1)));
    assert!(matches!(
        search(&narrow, &operand(&narrow), Form::Pad),
        Err(Impossible::Exhausted { candidates: 128, .. })
    ));
    // Rows of 96 halves, three stages: not a power of two.
    let stages = layout!((64,96,3):(96,1,6144));
    let rows = Access::ldmatrix(&tile(64, 96), 16).unwrap();
    assert_eq!(*found(&stages, &nvidia(&[rows]), Form::Pad).layout(), layout!((64,96,3):(104,1,6656)));
}

/// Rows of 96 halves, 192 bytes, have a swizzle although nothing else about them is linear.
#[test]
fn a_tile_of_no_power_of_two() {
    let rows = tile(64, 96);
    let data = found(&rows, &operand(&rows), Form::Sw);
    assert!(is_free(&data, &Banks::NVIDIA, &Access::rows(&rows, 16).unwrap()));
}

#[test]
fn what_amd_reads_and_writes() {
    let rows = tile(64, 64);
    let access = Access::rows(&rows, 16).unwrap();
    let columns = Access::new(layout!((64,8,8):(1,64,512)), 16).unwrap().vector(8).unwrap();
    let accesses = [(Banks::AMD_WRITE, access), (Banks::AMD_READ, columns)];
    found(&rows, &accesses, Form::Sw);
    found(&rows, &accesses, Form::Xor);
}

#[test]
fn what_no_form_repairs_is_refused() {
    // Vectors down a column are not contiguous, whatever is XORed above them.
    let rows = tile(32, 32);
    let down = nvidia(&[Access::new(layout!((32,8):(32,1)), 16).unwrap().vector(8).unwrap()]);
    for form in [Form::Sw, Form::Xor, Form::Pad, Form::Tma] {
        let reason = search(&rows, &down, form).unwrap_err();
        assert!(matches!(reason, Impossible::Refused { access: 0, .. }), "{form:?}: {reason}");
    }
}

/// Three sets of two words over two banks: every pair of words of a line of F2^2 meets in one of them.
#[test]
fn three_accesses_that_exclude_each_other() {
    let banks = Banks { count: 2, bytes: 4, phases: Phases::all(layout!(2:0)).unwrap() };
    let access = |tv: Layout| (banks, Access::new(tv, 32).unwrap());
    let accesses = [access(layout!(2:1)), access(layout!(2:2)), access(layout!(2:3))];
    let square = layout!((2,2):(1,2));
    assert_eq!(search(&square, &accesses, Form::Xor), Err(Impossible::Dependent { candidates: 2 }));
    assert!(matches!(search(&square, &accesses, Form::Sw), Err(Impossible::Exhausted { candidates: 3, .. })));
}

#[test]
fn a_certificate_of_what_is_not_so_is_refused() {
    let rows = tile(64, 32);
    let accesses = operand(&rows);
    let claim =
        |bits, layout| Certificate::new(Swizzle::new(bits, 3, 3).unwrap(), layout, &accesses).unwrap();
    assert_eq!(claim(2, rows).check(), Ok(()));
    assert!(matches!(claim(1, rows).check(), Err(Flaw::Conflict { access: 0, words: 2, .. })));
    assert!(matches!(claim(0, rows).check(), Err(Flaw::Conflict { access: 0, words: 4, .. })));
    assert_eq!(claim(2, layout!((64,32):(16,1))).check(), Err(Flaw::Injective));
    assert!(matches!(claim(2, layout!((64,32):(1,64))).check(), Err(Flaw::Refused { access: 0, .. })));
    assert!(matches!(claim(2, tile(32, 32)).check(), Err(Flaw::Refused { access: 0, .. })));
}

/// Random orders.
trait Shuffled {
    /// Modes of extent 2 with these strides in some order.
    fn shuffled(&mut self, strides: &[i64]) -> Vec<i64>;
}

impl Shuffled for Random {
    fn shuffled(&mut self, strides: &[i64]) -> Vec<i64> {
        let mut strides = strides.to_vec();
        for i in (1..strides.len()).rev() {
            strides.swap(i, self.below(i as u64 + 1) as usize);
        }
        strides
    }
}

fn of_bits(strides: &[i64]) -> Layout {
    let modes: Vec<_> = strides.iter().map(|&stride| HTuple::leaf(Leaf::new(2, stride))).collect();
    Layout::new(HTuple::tuple(&modes).unwrap()).unwrap()
}

/// Over four banks: tiles of 32 elements, one to four accesses, and all swizzles, XORs and paddings gone through here.
#[test]
fn what_is_found_and_what_is_not_is_so_by_enumeration() {
    let mut random = Random::congruential(1);
    let banks = Banks { count: 4, bytes: 4, phases: Phases::all(layout!(4:0)).unwrap() };
    let rounds = if cfg!(debug_assertions) { 20 } else { 2000 };
    let mut counts = [[0; 2]; 3];
    for _ in 0..rounds {
        let strides = random.shuffled(&[1, 2, 4, 8, 16]);
        let tile = of_bits(&strides);
        let mut accesses = Vec::new();
        for _ in 0..1 + random.below(4) {
            // Four lanes, and instructions for all that they leave.
            let mut order = random.shuffled(&[1, 2, 4, 8, 16]);
            let xor = random.below(3) == 0;
            if xor {
                order[0] ^= order[2];
                order[1] ^= order[3 + random.below(2) as usize];
            }
            let mode = |strides: &[i64]| {
                let mode = of_bits(strides);
                if !xor {
                    return mode;
                }
                let leaves: Vec<_> = mode
                    .leaves()
                    .iter()
                    .map(|leaf| Leaf {
                        stride: Stride::xor(leaf.stride.count().numerator()).unwrap(),
                        ..*leaf
                    })
                    .collect();
                Layout::new(HTuple::with_profile(mode.profile(), &leaves, Leaf::new(1, 0)).unwrap()).unwrap()
            };
            let tv = Layout::concatenate(&[mode(&order[..2]), mode(&order[2..])]).unwrap();
            accesses.push((banks, Access::new(tv, 32).unwrap()));
        }
        let free = |data: &Composed| accesses.iter().all(|(banks, access)| is_free(data, banks, access));
        let plain = |layout: Layout| Composed::new(Swizzle::NONE, 0, layout).unwrap();

        // All swizzles of five bits, with the smallest first.
        let mut smallest = None;
        for bits in 0..5i64 {
            for base in 0..5i64 {
                for shift in -4..5i64 {
                    if let Ok(swizzle) = Swizzle::new(bits, base, shift)
                        && bits + base + shift.abs() <= 5
                        && free(&Composed::new(swizzle, 0, tile).unwrap())
                    {
                        smallest = Some(smallest.unwrap_or(bits).min(bits));
                    }
                }
            }
        }
        let answer = explained(&tile, &accesses, Form::Sw);
        assert_eq!(answer.map(|found| i64::from(found.data().swizzle().bits())).ok(), smallest, "{tile}");
        counts[0][usize::from(answer.is_ok())] += 1;
        check(&answer);

        // All X of two rows and three columns.
        let mut exists = false;
        for x in 0..64i64 {
            let column = |offset: i64| match offset {
                4 => 4 | (x & 3),
                8 => 8 | (x >> 2 & 3),
                16 => 16 | (x >> 4 & 3),
                _ => offset,
            };
            let leaves: Vec<_> = strides
                .iter()
                .map(|&offset| HTuple::leaf(Leaf { extent: 2, stride: Stride::xor(column(offset)).unwrap() }))
                .collect();
            exists |= free(&plain(Layout::new(HTuple::tuple(&leaves).unwrap()).unwrap()));
        }
        let answer = explained(&tile, &accesses, Form::Xor);
        assert_eq!(answer.is_ok(), exists, "{tile}");
        counts[1][usize::from(answer.is_ok())] += 1;
        check(&answer);

        // All paddings of two lines behind each of the rows.
        let mut least = free(&plain(tile)).then_some(32);
        for row in [2, 4, 8, 16] {
            for pad in 1..8 {
                let padded =
                    |stride: &i64| if stride % row == 0 { stride / row * (row + pad) } else { *stride };
                let layout = of_bits(&strides.iter().map(padded).collect::<Vec<_>>());
                if free(&plain(layout)) {
                    let size = layout.cosize().unwrap();
                    least = Some(least.unwrap_or(size).min(size));
                }
            }
        }
        let answer = explained(&tile, &accesses, Form::Pad);
        assert_eq!(answer.map(|found| found.data().layout().cosize().unwrap()).ok(), least, "{tile}");
        counts[2][usize::from(answer.is_ok())] += 1;
        check(&answer);
    }
    println!("none and found, of Sw, XOR and padding: {counts:?}");
    assert!(cfg!(debug_assertions) || counts.iter().flatten().all(|&count| count > 0), "{counts:?}");
}

fn check(answer: &Result<Certificate, Impossible>) {
    if let Ok(certificate) = answer {
        assert_eq!(certificate.check(), Ok(()));
    }
}

/// The answer, with all that explains it looked at by counting.
fn explained<'a>(
    tile: &Layout,
    accesses: &'a [(Banks, Access)],
    form: Form,
) -> Result<Certificate<'a>, Impossible> {
    let (answer, Explanation { phases, ruled_out, core, .. }) = explain(tile, accesses, form);
    assert_eq!(answer, search(tile, accesses, form));
    let data = match &answer {
        Ok(certificate) => *certificate.data(),
        Err(_) => Composed::new(Swizzle::NONE, 0, *tile).unwrap(),
    };
    for ((banks, access), phase) in accesses.iter().zip(&phases) {
        let phase = phase.as_ref().unwrap();
        let banked = words(&data, banks, access, 0, phase.lanes);
        assert_eq!(phase.words, banked.values().map(BTreeSet::len).sum::<usize>() as u64);
        assert_eq!(phase.wavefronts, banked.values().map(BTreeSet::len).max().unwrap() as u64);
        let Some([of_words, of_banks]) = &phase.bases else {
            assert_eq!(form, Form::Pad);
            continue;
        };
        let sums = |basis: &[u64], mask: u64| -> BTreeSet<u64> {
            let choices = 0..1u32 << basis.len();
            let sum = |choice: u32| {
                (0..basis.len()).filter(|i| choice >> i & 1 == 1).fold(0, |sum, i| sum ^ basis[i])
            };
            choices.map(|choice| sum(choice) & mask).collect()
        };
        let all: BTreeSet<u64> = banked.values().flatten().map(|&word| word as u64).collect();
        let first = *all.first().unwrap();
        assert_eq!(sums(of_words, u64::MAX), all.iter().map(|word| word ^ first).collect());
        let mask = u64::from(banks.count) - 1;
        assert_eq!(sums(of_banks, u64::MAX), sums(of_words, mask));
        assert_eq!((1 << of_words.len(), 1 << of_banks.len()), (all.len(), sums(of_banks, mask).len()));
    }
    for candidate in &ruled_out {
        let (banks, access) = &accesses[candidate.access];
        let Reason::Conflict { conflict, .. } = candidate.reason else { panic!("{:?}", candidate.reason) };
        let first = i64::from(conflict.instruction) * i64::from(access.vector_len());
        let lanes = banks.phases.of_width(access.width()).unwrap();
        let all = (0..lanes.size()).filter(|&lane| lanes.at(lane) == conflict.phase);
        let all = words(&candidate.data, banks, access, first, all.fold(0, |all, lane| all | 1 << lane));
        let met = words(&candidate.data, banks, access, first, conflict.lanes);
        let count: usize = all.values().map(BTreeSet::len).sum();
        let in_bank = &met[&i64::from(conflict.bank)];
        assert_eq!((conflict.warp, in_bank.len()), (0, conflict.words as usize));
        assert!(in_bank.len() > count.div_ceil(banks.count as usize), "{}: no conflict", candidate.data);
    }
    if form == Form::Sw {
        let bits = answer.as_ref().map_or(5, |found| i64::from(found.data().swizzle().bits()));
        let ruled_out: BTreeSet<String> =
            ruled_out.iter().map(|candidate| candidate.data.swizzle().to_string()).collect();
        for bits in 1..bits {
            for (base, shift) in (0..5i64).flat_map(|base| (-4..5i64).map(move |shift| (base, shift))) {
                let Ok(swizzle) = Swizzle::new(bits, base, shift) else { continue };
                if shift.abs() >= bits && bits + base + shift.abs() <= 5 {
                    assert!(ruled_out.contains(&swizzle.to_string()), "{swizzle}");
                }
            }
        }
    }
    let of = |core: &[usize]| core.iter().map(|&access| accesses[access]).collect::<Vec<_>>();
    assert_eq!(core.is_empty(), answer.is_ok());
    assert!(core.is_empty() || search(tile, &of(&core), form).is_err());
    for left_out in 0..core.len() {
        let mut rest = core.clone();
        rest.remove(left_out);
        assert!(rest.is_empty() || search(tile, &of(&rest), form).is_ok(), "{core:?} is not the least");
    }
    answer
}

/// The words in each bank that some lanes of the first warp access.
fn words(
    data: &Composed,
    banks: &Banks,
    access: &Access,
    first: i64,
    lanes: u64,
) -> BTreeMap<i64, BTreeSet<i64>> {
    let mut banked: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for thread in (0..access.threads()).filter(|&lane| lanes >> lane & 1 == 1) {
        let start = data.at(access.layout().at(thread + access.threads() * first));
        for bit in 0..i64::from(access.width()) {
            let word = (start * i64::from(access.bits()) + bit) / (8 * i64::from(banks.bytes));
            banked.entry(word % i64::from(banks.count)).or_default().insert(word);
        }
    }
    banked
}

/// What excludes what, of loads and stores of known tiles.
#[test]
fn accesses_that_exclude_each_other() {
    let narrow = tile(64, 16);
    let accesses = operand(&narrow);
    let (answer, explanation) = explain(&narrow, &accesses, Form::Pad);
    assert!(answer.is_err());
    assert_eq!((explanation.core, explanation.ruled_out.len()), (vec![0, 1], 128));
    let wide = tile(64, 128);
    assert_eq!(explain(&wide, &operand(&wide), Form::Tma).1.core, [0]);
}
