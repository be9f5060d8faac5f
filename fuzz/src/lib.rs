//! What the fuzz targets try. Inputs that were found stay in `regressions/TARGET/`, and a test runs them.

mod descriptions;
#[cfg(feature = "kernels")]
mod kernels;

pub use descriptions::descriptions;
#[cfg(feature = "kernels")]
pub use kernels::{einsum, plans};

use tilework::{Composed, HTuple, Layout, Pattern, Strides, Swizzle, Tiler, View};
use tilework_expr::Session;

/// Text that is read as a value prints as text that is read as the same value.
pub fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    macro_rules! parse {
        ($($type:ty)*) => {$(
            match text.parse::<$type>() {
                Ok(value) => assert_eq!(value.to_string().parse(), Ok(value), "{text}"),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        )*};
    }
    parse!(Layout Tiler HTuple<i64> Strides Pattern Swizzle Composed View);
}

/// Any text has a value or an error within it, and a value prints as text that evaluates to it.
pub fn session(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut session = Session::new();
    match session.evaluate(text).cloned() {
        Ok(value) => {
            let printed = value.to_string();
            if value.is_symbolic() {
                // Text with names is that of its session, where a fresh name of the DSL, `_0`, is no static 0.
                let _ = session.evaluate(&printed);
            } else {
                assert_eq!(Session::new().evaluate(&printed), Ok(&value), "{text} is {printed}");
            }
        }
        Err(error) => assert!(text.get(error.span.clone()).is_some(), "{text}: {error}"),
    }
    let _ = session.explain(text);
    // What is picked out of the text evaluates to what was found.
    for found in tilework_expr::scan(text) {
        if found.value.is_symbolic() {
            continue;
        }
        let printed = found.value.to_string();
        assert_eq!(Session::new().evaluate(&printed), Ok(&found.value), "{} is {printed}", found.text);
    }
}

#[cfg(all(test, feature = "kernels"))]
mod tests {
    use std::path::Path;

    /// Inputs that once failed.
    #[test]
    fn regressions() {
        let targets: [(&str, fn(&[u8])); 5] = [
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
