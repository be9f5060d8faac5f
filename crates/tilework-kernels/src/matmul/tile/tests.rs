//! Packed panels are in the order that the instructions read: the registers of an atom, at the places of its
//! thread-value layouts.

use super::axis::Axis;
use super::element::{Element, Packer, Packers, Sum};
use super::packing::Packing;
use crate::cpu::isa::Isa;
use half::bf16;
use tilework::Layout;
use tilework_hardware::atom::{self, Atom, MmaAtom};

/// The positions of the registers of one operand in a step of its panel, in elements.
struct Registers {
    /// The thread-value layout of the atom: the offset `row + rows * k` of each thread and value.
    of: fn(&MmaAtom) -> &Layout,
    /// The distance between the values of neighbouring lanes; 0 if all threads have the same values.
    lane: usize,
    /// Contiguous values of a register, and the distance to the next ones.
    side_by_side: usize,
    pitch: usize,
    /// The distance to the next register, and the number of registers.
    next: usize,
    count: usize,
}

fn check<T: Element>(isa: Isa, name: &str, to: fn(usize) -> [T; 2], a: Registers, b: Registers) {
    let Some(Atom::Mma(atom)) = atom::find(name) else { panic!("{name}") };
    let Packers { a: pack_a, b: pack_b, step, .. } = T::packers(isa);
    let [m, n, k] = atom.shape.map(|size| size as usize);
    assert_eq!(k, step, "{name}");
    for (packer, registers, rows) in [(pack_a, a, n), (pack_b, b, m)] {
        compare(name, &atom, &packer, &registers, [rows, k], to);
    }
}

/// Packs three steps of elements that encode their position, half of the steps at a time.
fn compare<T: Element>(
    name: &str,
    atom: &MmaAtom,
    packer: &Packer<T>,
    registers: &Registers,
    [rows, k]: [usize; 2],
    to: fn(usize) -> [T; 2],
) {
    let steps = 3;
    let (height, length) = (packer.rows, steps * k);
    assert_eq!(registers.count * rows, height, "{name}");
    let width = packer.width * size_of::<T::Sum>() / size_of::<T>();
    let (of_rows, of_steps) = (Axis::strided(height, length as isize), Axis::strided(length, 1));
    for half in 0..2 {
        let source: Vec<T> = (0..height * length).map(|at| to(at)[half]).collect();
        let mut panel = vec![T::Sum::ZERO; packer.width * steps + 64];
        // SAFETY: the tables are those of the source, there is room, and the processor has the instructions.
        unsafe {
            let (rows, steps) = (of_rows.part(0..height), of_steps.part(0..length));
            (packer.strided)(
                packer,
                source.as_ptr(),
                rows,
                steps,
                Packing::Steps,
                packer.unit,
                panel.as_mut_ptr(),
            );
        }
        let layout = (registers.of)(atom);
        let (threads, values) = (layout.mode(0).unwrap().size(), layout.mode(1).unwrap().size());
        for (step, register, thread, value) in (0..steps).flat_map(|step| {
            (0..registers.count).flat_map(move |register| {
                (0..threads)
                    .flat_map(move |thread| (0..values).map(move |value| (step, register, thread, value)))
            })
        }) {
            let within = thread as usize * registers.lane + value as usize;
            let at = step * width
                + register * registers.next
                + within / registers.side_by_side * registers.pitch
                + within % registers.side_by_side;
            let offset = layout.at(thread + threads * value) as usize;
            let (row, column) = (register * rows + offset % rows, step * k + offset / rows);
            // SAFETY: the place is in the panel, and every bit pattern is an element.
            let found = unsafe { *panel.as_ptr().cast::<T>().add(at) };
            let right = source[row * length + column];
            assert!(
                bits(found) == bits(right),
                "{name}: step {step}, register {register}, thread {thread}, value {value}"
            );
        }
    }
}

fn bits<T: Copy>(value: T) -> u16 {
    // SAFETY: the elements of these tests have one or two bytes.
    unsafe {
        match size_of::<T>() {
            1 => u16::from(std::mem::transmute_copy::<T, u8>(&value)),
            _ => std::mem::transmute_copy::<T, u16>(&value),
        }
    }
}

fn bytes(at: usize) -> [i8; 2] {
    (at as u16).to_le_bytes().map(|byte| byte as i8)
}

fn halves(at: usize) -> [bf16; 2] {
    [bf16::from_bits(at as u16), bf16::from_bits(!at as u16)]
}

/// Vectors along the rows of `A`, whose lanes have `step` elements each, by the same elements of `B` for all lanes.
#[cfg(target_arch = "x86_64")]
fn lanes(step: usize, lanes: usize, [mr, nr]: [usize; 2]) -> [Registers; 2] {
    let register = step * lanes;
    [
        Registers {
            of: |atom| &atom.b,
            lane: step,
            side_by_side: register,
            pitch: register,
            next: register,
            count: mr / lanes,
        },
        Registers { of: |atom| &atom.a, lane: 0, side_by_side: step, pitch: step, next: step, count: nr },
    ]
}

#[cfg(target_arch = "x86_64")]
#[test]
fn panels_are_the_registers_of_atoms() {
    for isa in Isa::available() {
        match isa {
            Isa::Avx512Vnni => {
                let [a, b] = lanes(4, 16, [48, 8]);
                check(isa, "AVX512_1x16x4_S32U8S8S32", bytes, a, b);
            }
            Isa::Avx512Bf16 => {
                let [a, b] = lanes(2, 16, [48, 8]);
                check(isa, "AVX512_1x16x2_F32BF16BF16F32", halves, a, b);
            }
            _ => {}
        }
    }
}

#[cfg(target_arch = "aarch64")]
#[test]
fn panels_are_the_registers_of_atoms() {
    let [registers_16, registers_8] = [16, 8].map(|size| {
        let of = |of: fn(&MmaAtom) -> &Layout| Registers {
            of,
            lane: 0,
            side_by_side: size,
            pitch: size,
            next: size,
            count: 4,
        };
        [of(|atom| &atom.b), of(|atom| &atom.a)]
    });
    if Isa::available().contains(&Isa::NeonMmla) {
        let [a, b] = registers_16;
        check(Isa::NeonMmla, "NEON_2x2x8_S32S8S8S32", bytes, a, b);
        let [a, b] = registers_8;
        check(Isa::NeonMmla, "NEON_2x2x4_F32BF16BF16F32", halves, a, b);
    }
}
