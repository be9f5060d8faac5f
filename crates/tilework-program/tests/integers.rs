//! Integers that are divided, compared and shifted.

use tilework_program::{Buffers, Program};

/// A division of integers by 0 is wrong, and said where it is not excluded.
#[test]
fn divisors_are_not_0() {
    for (divisor, wanted) in [
        ("2", ""),
        ("M", ""),
        ("(coordinate(y[b0 4@0, t 4:1@0], 0) + 1)", ""),
        ("0", "WRONG  line 3: a division of u32 by 0"),
        ("(M - 1)", "tried  line 3: a division of u32 by M - 1 unless M >= 2"),
        ("coordinate(y[b0 4@0, t 4:1@0], 0)", "tried  line 3: a division of u32 by 0"),
    ] {
        for operation in ["/", "%"] {
            let text = format!(
                "kernel g 4 threads, grid (ceil(M/4))\nwrite y u32 M:1\ny[b0 4@0, t 4:1@0] = 7 {operation} {divisor}\n"
            );
            let report = text.parse::<Program>().unwrap().check().unwrap();
            // What is tried has no value at 1.
            assert_eq!(report.is_right(), wanted.is_empty(), "{text}{report}");
            assert!(report.to_string().contains(wanted), "{text}{report}");
        }
    }
}

/// A sum that is compared does not wrap where a program is launched, and `run` is within what may be launched.
#[test]
fn compared_sums_do_not_wrap() {
    for (added, largest) in [(1u32, 4u64), (3, 8), (2_147_483_648, 300), (u32::MAX - 9, 8), (u32::MAX - 5, 5)]
    {
        let place = "A[b0 1@0, k 4@1, v 4:1@1]";
        let text = format!(
            "kernel g 1 threads, grid (M)\nread A f32 (M,K):(lda,1)\nwrite y f32 M:1\nregisters e f32 1:1\ne = 0\n\
             for k in ceil(K/4) {{\ne = e + select(coordinate({place}, 1) + {added} < K, {place} else 1, 0)\n}}\n\
             y[b0 1@0, t 1:1@0] = e\n"
        );
        let program: Program = text.parse().unwrap();
        assert!(program.check().unwrap().is_proved(), "{text}");
        for k in 1..=largest as i64 {
            let sizes = program.sizes(&[("M", 1), ("K", k), ("lda", k)]).unwrap();
            let mut buffers = Buffers::new(&program, &sizes).unwrap();
            buffers.fill("A", |_| 1.0).unwrap();
            let wanted = (0..k).filter(|own| own + i64::from(added) < k).count() as f64;
            match program.run(&sizes, &mut buffers) {
                Ok(_) => assert_eq!(buffers.at("y", &[0]), Some(wanted), "{text} {k}"),
                Err(error) => {
                    assert!(
                        4 * ((k + 3) / 4) - 1 + i64::from(added) > u32::MAX.into(),
                        "{error}\n{text} {k}"
                    );
                }
            }
        }
    }
    let loops = "kernel g 1 threads, grid (M)\nwrite y f32 M:1\nread x f32 K:1\nregisters e f32 1:1\ne = 0\n\
                 for k in K - 3 {\ne = e + 1\n}\ny[b0 1@0, t 1:1@0] = e\n";
    let program: Program = loops.parse().unwrap();
    let sizes = program.sizes(&[("M", 2), ("K", 2)]).unwrap();
    let error = program.run(&sizes, &mut Buffers::new(&program, &sizes).unwrap()).unwrap_err().to_string();
    assert!(error.contains("K - 3 = -1"), "{error}");
}

/// A shift by as many bits as there are, and a source that is read in part.
#[test]
fn shifts_and_unread_elements() {
    let text = |count: &str| {
        format!(
            "kernel k 64 threads, grid (ceil(M/64))\nread x u32 M:1\nread w u8 M:1\nwrite y u32 M:1\n\
             y[b0 64@0, t 64:1@0] = x[b0 64@0, t 64:1@0] else 1 >> {count}\n"
        )
    };
    let at = "coordinate(x[t 64:1@0], 0)";
    for (count, wanted) in [
        ("31".to_string(), ""),
        (format!("({at} & 31)"), ""),
        (format!("({at} % 32)"), ""),
        (format!("min({at}, 31)"), ""),
        (format!("({at} / 1)"), "at M=1: ShiftRight of [1.0, 32.0] has no value"),
        ("(x[b0 64@0, t 64:1@0] else 0 % 32)".into(), ""),
        ("(u32(w[b0 64@0, t 64:1@0] else 0) & 7) * 4".into(), ""),
        ("32".into(), "WRONG  line 5: a shift by 32 of 32 bits"),
        (format!("({at} & 63)"), "tried  line 5: a shift by 63 of 32 bits"),
        ("M".into(), "WRONG  line 5: a shift by M of 32 bits unless M <= 31"),
        ("(x[b0 64@0, t 64:1@0] else 0)".into(), "tried  line 5: it is not proved that a shift of u32"),
    ] {
        let program: Program = text(&count).parse().unwrap();
        let report = program.check().unwrap();
        let is_right = wanted.is_empty();
        assert_eq!(
            (report.is_proved(), report.is_right() || !is_right),
            (is_right, true),
            "{count}\n{report}"
        );
        assert!(report.to_string().contains(wanted), "{count}\n{report}");
    }
    let bounded = text("M").replace("\ny[", "\nassume M <= 31\ny[").parse::<Program>().unwrap();
    assert!(bounded.check().unwrap().is_proved());
    let half = "kernel k 32 threads, grid (ceil(M/32))\nread A f32 (M,K):(K,1)\nwrite y f32 M:1\n\
                registers s f32 1:1\ns = 0\nfor k in floor(K/2) {\n\
                s = s + A[b0 32@0, t 32:1@0, k 1@1] else 0\n}\ny[b0 32@0, t 32:1@0] = s\n";
    let report = |text: &str| text.parse::<Program>().unwrap().check().unwrap().to_string();
    assert!(report(half).contains("A mode 1: only [0,floor(K/2)) of [0,K) is read"), "{}", report(half));
    assert!(!report(&half.replace("floor(K/2)", "K")).contains("of [0,K) is read"));
}
