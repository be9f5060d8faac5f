//! Whole products, thread by thread: tensors are partitioned by a tiled MMA and tiled copies, and each instruction is carried out on the
//! registers that its threads hold. What a thread has is never looked at but through its partition.

use crate::isa::{Registers, cpu, gpu};
use tilework::{Error, Layout, Tensor, Tiler, layout, tiler};
use tilework_hardware::atom::{Atom, CopyAtom, Element, MmaAtom, Source, find, nvidia};
use tilework_hardware::tiled::TiledMma;
use tilework_hardware::tiled::{TiledCopy, layout_tv};

/// What one atom does with the registers of its lanes.
type Instruction<'a> = &'a dyn Fn([&Registers<i64>; 3]) -> Registers<i64>;

fn number(index: i64) -> i64 {
    (index * 7919 + index / 13 * 104729) % 7 - 3
}

/// `C = A B^T` for `A` of `m x k` and so on by rows, one tile of the tiled MMA after the other along `K`.
fn product(mma: &TiledMma, [m, n, k]: [i64; 3], instruction: Instruction) -> Result<(), Error> {
    let by_rows = |rows: i64, columns: i64| Layout::of((rows, columns), (columns, 1));
    let a = Tensor::from_fn(by_rows(m, k)?, number)?;
    let b = Tensor::from_fn(by_rows(n, k)?, |index| number(index + 5))?;
    let mut c = Tensor::from_fn(by_rows(m, n)?, |index| number(index + 11))?;
    let expected =
        |i: i64, j: i64, start: i64| (0..k).fold(start, |sum, l| sum + a.at([i, l]) * b.at([j, l]));
    let mut whole = Vec::new();
    for i in 0..m {
        for j in 0..n {
            whole.push(expected(i, j, c.at([i, j])));
        }
    }
    // Which threads are the lanes of one atom: those of the same coordinates in M, N and K.
    let threads = *mma.thread_layout();
    let lanes = threads.mode(0)?.size();
    let groups = threads.size() / lanes;
    let lane_of = |index: i64| mma.atom().threads.at(index) as usize;
    let count = (0..lanes).map(lane_of).max().unwrap() + 1;
    for group in 0..groups {
        let members: Vec<i64> = (0..lanes).map(|lane| threads.at(lane + lanes * group)).collect();
        let rest = mma.thread(members[0])?.partition_c(c.view())?;
        let steps = mma.thread(members[0])?.partition_a(a.view())?;
        let (rest_m, rest_n, rest_k) = (rest.mode_size(1), rest.mode_size(2), steps.mode_size(2));
        for block in 0..rest_m * rest_n * rest_k {
            let (bm, bn, bk) = (block % rest_m, block / rest_m % rest_n, block / (rest_m * rest_n));
            let mut registers: [Registers<i64>; 3] = std::array::from_fn(|_| vec![Vec::new(); count]);
            for (index, &thread) in members.iter().enumerate() {
                let own = mma.thread(thread)?;
                let parts = [
                    (own.partition_a(a.view())?, (bm, bk)),
                    (own.partition_b(b.view())?, (bn, bk)),
                    (own.partition_c(c.view())?, (bm, bn)),
                ];
                for (operand, (part, at)) in parts.iter().enumerate() {
                    let values = 0..part.mode_size(0);
                    registers[operand][lane_of(index as i64)] =
                        values.map(|value| part.at([value, at.0, at.1])).collect();
                }
            }
            let result = instruction([&registers[0], &registers[1], &registers[2]]);
            for (index, &thread) in members.iter().enumerate() {
                let mut part = mma.thread(thread)?.partition_c(c.view_mut())?;
                for (value, &element) in result[lane_of(index as i64)].iter().enumerate() {
                    part.set([value as i64, bm, bn], element);
                }
            }
        }
    }
    for i in 0..m {
        for j in 0..n {
            assert_eq!(c.at([i, j]), whole[(i * n + j) as usize], "C({i},{j})");
        }
    }
    Ok(())
}

fn places(instruction: gpu::Instruction, atom: &MmaAtom) -> impl Fn([&Registers<i64>; 3]) -> Registers<i64> {
    let [m, n, k] = atom.shape.map(|extent| extent as usize);
    let shape = gpu::Shape { m, n, k, bits: atom.elements[1].bits() as usize };
    move |registers| gpu::execute(&instruction, shape, |a, b| a * b, registers)
}

#[test]
fn ampere() -> Result<(), Error> {
    let atom = nvidia::SM80_16x8x16_F32F16F16F32_TN;
    let instruction = places(gpu::WARP, &atom);
    let mma = TiledMma::new(atom, &layout!((2,2,1):(1,2,4)), &tiler!(<_,_,_>))?;
    product(&mma, [32, 32, 32], &instruction)?;
    // 32x32x16, and 16 columns of B by which a thread's two atoms are side by side.
    let mma = TiledMma::new(atom, &layout!((2,2,1):(1,2,4)), &tiler!(<_,(8,2,2):(1,16,8),_>))?;
    assert_eq!(mma.tile(), [32, 32, 16]);
    product(&mma, [32, 64, 32], &instruction)
}

#[test]
fn volta() -> Result<(), Error> {
    let atom = nvidia::SM70_8x8x4_F32F16F16F32_NT;
    // Four quadpairs make a warp.
    let mma = TiledMma::new(atom, &layout!((2,2,1):(1,2,0)), &tiler!(<_,_,_>))?;
    assert!(mma.threads() == 32 && (0..32).all(|lane| mma.thread(lane).is_ok()));
    product(&mma, [32, 16, 8], &places(gpu::quad_pair("NT", true), &atom))
}

#[test]
fn hopper() -> Result<(), Error> {
    let atom = nvidia::wgmma(32, [Element::F32, Element::F16, Element::F16], Source::Shared).unwrap();
    let mma = TiledMma::new(atom, &layout!((2,1,1):(1,0,0)), &tiler!(<_,_,_>))?;
    assert_eq!((mma.threads(), mma.tile()), (256, [128, 32, 16]));
    product(&mma, [128, 32, 32], &places(gpu::WARPGROUP_SHARED, &atom))?;
    let atom = nvidia::wgmma(16, [Element::F32, Element::F16, Element::F16], Source::Registers).unwrap();
    let mma = TiledMma::new(atom, &layout!((1,1,1):(0,0,0)), &tiler!(<_,_,_>))?;
    product(&mma, [64, 32, 32], &places(gpu::WARPGROUP, &atom))
}

fn named(name: &str) -> MmaAtom {
    match find(name) {
        Some(Atom::Mma(atom)) => atom,
        _ => panic!("{name}"),
    }
}

fn copy_named(name: &str) -> CopyAtom {
    match find(name) {
        Some(Atom::Copy(atom)) => atom,
        _ => panic!("{name}"),
    }
}

#[test]
fn gfx942() -> Result<(), Error> {
    let instruction =
        |tile| move |abc: [&Registers<i64>; 3]| gpu::execute_by_element(tile, gpu::mfma(tile, 1, false), abc);
    let mma =
        TiledMma::new(named("CDNA_32x32x8_F32F16F16_MFMA"), &layout!((2,2,1):(1,2,0)), &tiler!(<_,_,_>))?;
    assert_eq!((mma.threads(), mma.tile()), (256, [64, 64, 8]));
    product(&mma, [64, 64, 16], &instruction([32, 32, 8]))?;
    let mma =
        TiledMma::new(named("CDNA3_16x16x32_F32F8BF8_MFMA"), &layout!((1,2,1):(0,1,0)), &tiler!(<_,_,_>))?;
    product(&mma, [32, 64, 64], &instruction([16, 16, 32]))
}

#[test]
fn avx512() -> Result<(), Error> {
    let tile = tiler!(<14,32,_>);
    let mma = TiledMma::new(named("AVX512_1x16x1_F32F32F32F32"), &layout!((1,1,1):(0,0,0)), &tile)?;
    product(&mma, [28, 64, 9], &cpu::vector)?;
    let mma = TiledMma::new(named("AVX512_1x16x4_S32U8S8S32"), &layout!((1,1,1):(0,0,0)), &tiler!(<6,32,_>))?;
    product(&mma, [12, 32, 16], &cpu::vector)?;
    let mma =
        TiledMma::new(named("AMX_16x16x32_F32BF16BF16F32"), &layout!((1,1,1):(0,0,0)), &tiler!(<32,32,_>))?;
    product(&mma, [32, 32, 64], &|abc| cpu::amx(2, abc))
}

/// A copy brings each element of a matrix to its place once, whatever the layouts of both sides are.
#[test]
fn copies_by_threads_and_values() -> Result<(), Error> {
    let cases = [
        ("UniversalCopy<uint128_t>", 16, layout!((16,8):(8,1)), layout!((1,8):(0,1))),
        ("UniversalCopy<uint64_t>", 16, layout!((8,16):(1,8)), layout!((4,1):(1,0))),
        ("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", 32, layout!((4,8):(8,1)), layout!((2,4):(4,1))),
        ("UniversalCopy<uint32_t>", 32, layout!((32,4):(4,1)), layout!((1,1):(0,0))),
    ];
    for (name, bits, threads, values) in cases {
        let copy = TiledCopy::of(&copy_named(name), bits, &threads, &values)?;
        let source = Tensor::from_fn(layout!((64,64):(64,1)), |index| index)?;
        let mut target = Tensor::filled(layout!((64,64):(1,64)), -1)?;
        for index in 0..copy.threads() {
            let read = copy.thread(index)?.partition_s(source.view())?;
            let mut write = copy.thread(index)?.partition_d(target.view_mut())?;
            assert_eq!(read.shape().to_string(), write.shape().to_string());
            for element in 0..read.size() {
                assert_eq!(write.at(element), -1, "{name}: written twice");
                write.set(element, read.at(element));
            }
        }
        for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
            assert_eq!(target.at([row, column]), source.at([row, column]), "{name}");
        }
    }
    Ok(())
}

/// `ldmatrix` for the operands of `mma.sync`: what thread `t` gets by the copy, retiled, is what the MMA wants of it.
#[test]
fn ldmatrix_brings_what_the_mma_wants() -> Result<(), Error> {
    let mma = TiledMma::new(
        nvidia::SM80_16x8x16_F32F16F16F32_TN,
        &layout!((2,2,1):(1,2,4)),
        &tiler!(<_,(8,2,2):(1,16,8),_>),
    )?;
    let data = layout!((64,64):(1,64));
    for (transposed, of) in [(false, 'a'), (false, 'b'), (true, 'a'), (true, 'b')] {
        let atom = if transposed { nvidia::SM75_U16x8_LDSM_T } else { nvidia::SM75_U32x4_LDSM_N };
        let copy =
            if of == 'a' { TiledCopy::of_a(&atom, 16, &mma)? } else { TiledCopy::of_b(&atom, 16, &mma)? };
        for index in 0..mma.threads() {
            let thread = mma.thread(index)?;
            let wanted = if of == 'a' { thread.partition_a(&data)? } else { thread.partition_b(&data)? };
            let brought = copy.thread(index)?.partition_d(&data)?;
            // The registers of the fragment, compact, in the order of the copy.
            let fragment = Layout::column_major(&wanted.layout().shape())?;
            let retiled = copy.retile(&fragment)?;
            assert_eq!(retiled.size(), brought.layout().size());
            for element in 0..retiled.size() {
                let register = retiled.at(element);
                assert_eq!(
                    offset(&brought, element),
                    offset(&wanted, register),
                    "{of}, thread {index}, {element}"
                );
            }
        }
    }
    Ok(())
}

fn offset(view: &tilework::View, element: i64) -> i64 {
    view.offset().leaves()[0].numerator() + view.layout().at(element)
}

/// Every element of a tile belongs to as many threads as there are atoms in the direction that an operand does not have.
#[test]
fn layouts_of_threads_and_values_cover_the_tile() -> Result<(), Error> {
    for atoms in [
        layout!((1,1,1):(0,0,0)),
        layout!((2,2,1):(1,2,4)),
        layout!((4,2,1):(2,1,8)),
        layout!((1,4,2):(0,1,4)),
    ] {
        let mma = TiledMma::new(nvidia::SM80_16x8x8_F32F16F16F32_TN, &atoms, &tiler!(<_,_,_>))?;
        let [m, n, k] = mma.tile();
        let [am, an, ak] = [atoms.mode(0)?.size(), atoms.mode(1)?.size(), atoms.mode(2)?.size()];
        for (layout, size, shared) in [
            (mma.layout_a_tv()?, m * k, an),
            (mma.layout_b_tv()?, n * k, am),
            (mma.layout_c_tv()?, m * n, ak),
        ] {
            assert_eq!(layout.mode(0)?.size(), mma.threads());
            let mut held = vec![0; size as usize];
            (0..layout.size()).for_each(|index| held[layout.at(index) as usize] += 1);
            assert!(held.iter().all(|&count| count == shared), "{layout}");
        }
    }
    Ok(())
}

#[test]
fn refusals() {
    let atom = nvidia::SM80_16x8x16_F32F16F16F32_TN;
    let one = layout!((1,1,1):(0,0,0));
    assert!(matches!(
        TiledMma::new(atom, &layout!((1,1,1,1):(0,0,0,0)), &Tiler::HOLE),
        Err(Error::Rank { .. })
    ));
    let mma = TiledMma::new(atom, &one, &Tiler::HOLE).unwrap();
    assert!(matches!(mma.thread(32), Err(Error::Argument { found: 32, .. })));
    assert!(matches!(mma.thread(-1), Err(Error::Argument { .. })));
    assert!(matches!(mma.thrfrg_a(&layout!(16:1)), Err(Error::Rank { .. })));
    let quad = TiledMma::new(nvidia::SM70_8x8x4_F32F16F16F32_TN, &one, &Tiler::HOLE).unwrap();
    // Lanes 4 to 15 belong to other quadpairs.
    assert!(quad.thread(3).is_ok() && quad.thread(16).is_ok() && quad.thread(4).is_err());
    let (tiler, threads_values) = layout_tv(&layout!((4,8):(8,1)), &layout!((1,4):(0,1))).unwrap();
    let copy = |bits| TiledCopy::new(&nvidia::SM75_U32x4_LDSM_N, bits, &threads_values, &tiler);
    assert!(matches!(copy(16), Err(Error::Argument { .. })));
}
