//! Whatever numbers are given: an answer or a refusal, and soon.

use std::time::Instant;
use testkit::Random;
use tilework::{Composed, HTuple, Layout, Leaf, Stride, Swizzle, layout};
use tilework_hardware::access::{Access, Side, admits, vector_width};
use tilework_hardware::cover::{cover, cover_first, cover_map};
use tilework_hardware::memory::{Banks, Phases, Sectors};
use tilework_hardware::operand::{Matrix, ldmatrix, tma};
use tilework_hardware::swizzle::{Form, search};

/// Random numbers and layouts, as large as they can be.
trait Extremes {
    fn number(&mut self) -> i64;

    fn layout(&mut self) -> Layout;
}

impl Extremes for Random {
    fn number(&mut self) -> i64 {
        match self.below(6) {
            0 => 1 << self.below(62),
            1 => (1 << self.below(62)) - 1,
            2 => -(1 << self.below(62)),
            3 => self.below(5) as i64,
            _ => 1 << self.below(8),
        }
    }

    fn layout(&mut self) -> Layout {
        loop {
            let kind = self.below(6);
            let modes: Vec<_> = (0..1 + self.below(3))
                .map(|_| {
                    let (extent, value) = (self.number().max(1), self.number());
                    let stride = match kind {
                        0 => Stride::xor(value.max(0)).unwrap(),
                        1 => Stride::basis(value, &[self.below(3) as usize]).unwrap(),
                        _ => Stride::integer(value),
                    };
                    HTuple::leaf(Leaf { extent, stride })
                })
                .collect();
            let tuple = if modes.len() == 1 { modes[0] } else { HTuple::tuple(&modes).unwrap() };
            if let Ok(layout) = Layout::new(tuple) {
                return layout;
            }
        }
    }
}

#[test]
fn nothing_panics_or_goes_on() {
    let mut random = Random::congruential(7);
    let rounds = if cfg!(debug_assertions) { 20 } else { 2000 };
    for _ in 0..rounds {
        let (one, two, three) = (random.layout(), random.layout(), random.layout());
        let name = format!("{one} {two} {three}");
        let start = Instant::now();
        let bits = [0, 1, 3, 8, 16, 32, 128, u32::MAX][random.below(8) as usize];
        let vector = [0, 1, 3, 8, u32::MAX][random.below(5) as usize];
        let swizzle =
            Swizzle::new(random.below(5) as i64, random.below(50) as i64, random.below(13) as i64 - 6);
        let swizzle = swizzle.unwrap_or(Swizzle::NONE);
        let composed = Composed::new(swizzle, random.number(), one);
        let banks = Banks {
            count: [0, 1, 5, 32, u32::MAX, 1 << 31][random.below(6) as usize],
            bytes: [0, 1, 4, 6, u32::MAX, 1 << 31][random.below(6) as usize],
            phases: Phases::all(three).unwrap_or(Phases::NVIDIA),
        };
        let access = Access::new(two, bits).and_then(|access| access.vector(vector).or(Ok(access)));
        if let Ok(access) = access {
            let _ = banks.report(&one, &access);
            let _ = banks.conflicts(&one, &access);
            let _ = Sectors::NVIDIA.report(&one, &access);
            if let Ok(composed) = &composed {
                let _ = banks.report(composed, &access);
            }
            let accesses = [(banks, access), (Banks::NVIDIA, access)];
            for form in [Form::Sw, Form::Xor, Form::Pad, Form::Tma] {
                if let Ok(certificate) = search(&one, &accesses[random.below(2) as usize..], form) {
                    let _ = (certificate.check(), certificate.elements());
                }
            }
        }
        let side = |layout| Side { layout, align: bits };
        let (one_any, two_any) = (one.into(), two.into());
        let _ = vector_width(side(&one_any), side(&two_any), bits, vector);
        if let Ok(composed) = composed {
            let _ = vector_width(side(&composed.into()), side(&two_any), bits, vector);
        }
        let _ = admits(&one, &two);
        let onto = if random.below(2) == 0 { three.shape() } else { HTuple::leaf(random.number()) };
        let _ = cover(&one, &onto);
        let _ = cover_first(&one, random.number(), &onto);
        let _ = cover_map(random.number().min(1000), &onto, |_| Ok(HTuple::leaf(0)));
        for matrix in Matrix::ALL {
            let _ = matrix.operand(&one, bits);
            let _ = matrix.part(&one, 16, random.number()..random.number());
            let _ = matrix.nearest(random.number(), random.number(), bits);
        }
        let _ = (ldmatrix(&one, bits), tma(&one, &two, bits));
        let seconds = start.elapsed().as_secs();
        assert!(seconds < if cfg!(debug_assertions) { 300 } else { 20 }, "{seconds} s: {name}");
    }
    assert!(cover(&layout!(4:-1), &HTuple::leaf(-5)).is_err());
}
