//! What the fuzz targets try. Inputs that were found stay in `regressions/TARGET/`, and a test runs them.

mod descriptions;
#[cfg(feature = "kernels")]
mod kernels;
#[cfg(feature = "language")]
mod language;

pub use descriptions::descriptions;
#[cfg(feature = "kernels")]
pub use kernels::{einsum, plans};
#[cfg(feature = "language")]
pub use language::{session, text};

#[cfg(all(test, feature = "kernels", feature = "language"))]
mod tests {
    use std::path::Path;

    type Target = fn(&[u8]);

    /// Inputs that once failed.
    #[test]
    fn regressions() {
        let targets: [(&str, Target); 5] = [
            ("descriptions", super::descriptions),
            ("text", super::text),
            ("session", super::session),
            ("einsum", super::einsum),
            ("plans", super::plans),
        ];
        for (name, target) in targets {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(name);
            for entry in std::fs::read_dir(folder).expect("a folder for each target") {
                target(&std::fs::read(entry.expect("an entry").path()).expect("it can be read"));
            }
        }
    }

    /// What the targets that take numbers are given where there is no fuzzer: bytes by chance.
    #[test]
    fn random_bytes() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = |bound: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % bound
        };
        let specs = [
            "ab,bc->ac",
            "ab,cb->ca",
            "a,a->",
            "ab->ba",
            "aab->b",
            "abc,cd,de->abe",
            "abx,bcx->acx",
            "a,b->ab",
            ",",
        ];
        for round in 0..20_000 {
            let bytes: Vec<u8> = (0..48).map(|_| random(256) as u8).collect();
            super::descriptions(&bytes);
            super::plans(&bytes);
            let mut spec: Vec<u8> = specs[round % specs.len()].into();
            if round % 3 == 0 {
                let at = random(spec.len() as u64) as usize;
                spec[at] = b"abc,->x\xc3"[random(8) as usize];
            }
            spec.push(0);
            spec.extend(&bytes);
            super::einsum(&spec);
        }
    }
}
