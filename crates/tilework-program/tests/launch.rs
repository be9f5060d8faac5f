//! What a host gives to a device: refusals with both numbers, and bytes.

use testkit::Random;
use tilework_program::{Buffers, Program};

const TEXT: &str = "\
kernel add 64 threads, grid (ceil(M/64),N)
read A f32 (M,N):(1,lda)
write B f32 (M,N):(1,ldb)
scalar step i8
B[b0 64@0, b1 1@1, t 64:1@0] = (A[b0 64@0, b1 1@1, t 64:1@0] else 0) + f32(step)
";

#[test]
fn what_cannot_be_launched_is_refused() {
    let program: Program = TEXT.parse().unwrap();
    let refused = |given: &[(&str, i64)], scalars: &[(&str, f64)]| {
        program.launch(&program.sizes(given).unwrap(), scalars).unwrap_err().to_string()
    };
    let step = [("step", 1.0)];
    let aliased = refused(&[("M", 9), ("N", 2), ("ldb", 8)], &step);
    assert_eq!(aliased, "B = (9,2):(1,8) has two elements at one place: give other strides");
    let long = refused(&[("M", 1), ("N", 65_536)], &step);
    assert!(
        long.starts_with("axis 1 of the grid has N = 65536 blocks, and a device has at most 65535"),
        "{long}"
    );
    let far = refused(&[("M", 1), ("N", 3), ("lda", 1 << 31)], &step);
    assert_eq!(far, "A = (1,3):(1,2147483648) has addresses that do not fit 32 bits");
    assert_eq!(refused(&[("M", 1), ("N", 1)], &[]), "the scalar step has no value");
    assert_eq!(refused(&[("M", 1), ("N", 1)], &[("step", 128.0)]), "step = 128 is no i8");
    let sizes = program.sizes(&[("M", 2), ("N", 1), ("ldb", 1)]).unwrap();
    let launch = program.launch(&sizes, &step).unwrap();
    assert_eq!((launch.blocks, launch.arguments.len()), ([1, 1, 1], 20));
}

/// Bytes are those of each type, and set what they were read from.
#[test]
fn bytes_of_every_type() {
    let mut random = Random::named("bytes_of_every_type");
    for of in ["f32", "f16", "bf16", "i32", "u32", "i8", "u8"] {
        let program: Program = format!("kernel k 32 threads, grid (1)\nread A {of} M:2\n").parse().unwrap();
        let mut buffers = Buffers::new(&program, &program.sizes(&[("M", 40)]).unwrap()).unwrap();
        buffers.fill("A", |_| random.below(1 << 20) as f64 / 8.0 - 65_536.0).unwrap();
        let (bytes, elements) = (buffers.bytes("A").unwrap(), buffers.elements("A").unwrap().to_vec());
        let width = bytes.len() / elements.len();
        let values = bytes.chunks(width).map(|own| match (of, own) {
            ("f32", &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).into(),
            ("f16", &[a, b]) => half::f16::from_le_bytes([a, b]).into(),
            ("bf16", &[a, b]) => half::bf16::from_le_bytes([a, b]).into(),
            ("i32", &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]).into(),
            ("u32", &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]).into(),
            ("i8", &[a]) => (a as i8).into(),
            (_, &[a]) => a.into(),
            _ => panic!("{of} has {width} bytes"),
        });
        assert_eq!(values.collect::<Vec<f64>>(), elements, "{of}");
        buffers.fill("A", |_| 0.0).unwrap();
        buffers.set_bytes("A", &bytes).unwrap();
        assert_eq!(buffers.elements("A").unwrap(), elements, "{of}");
    }
}

/// The conditions of what is updated admit either order of its strides, and nothing that has two elements at one place.
#[test]
fn either_order_of_two_strides() {
    let mut random = Random::named("either_order_of_two_strides");
    for layout in ["(M,N):(ldy,by)", "(M,N,2):(1,ldy,by)", "(2,N,M):(ldy,1,by)", "(M,2,N):(by,ldy,3)"] {
        let text = format!("kernel k 32 threads, grid (1)\nupdate y f32 {layout}\n");
        let program: Program = text.parse().unwrap();
        let guard = program.conditions().unwrap();
        let mut orders = [0; 3];
        for _ in 0..2000 {
            let mut pick = |most: u64| 1 + random.below(most) as i64;
            let (ldy, by) = (pick(24), pick(24));
            let given = [("M", pick(4)), ("N", pick(4)), ("ldy", ldy), ("by", by)];
            let is_right = program.sizes(&given).unwrap();
            let is_right = program.launch(&is_right, &[]).is_ok();
            let holds = program.scope().holds(&guard, &program.scope().values(&given).unwrap()).unwrap();
            assert!(is_right || !holds, "{layout} {given:?}");
            orders[if holds { usize::from(ldy < by) } else { 2 }] += 1;
        }
        assert!(
            orders.iter().all(|count| *count > 100),
            "{layout} {orders:?} {}",
            program.scope().guard_text(&guard)
        );
    }
    let text = "kernel g 32 threads, grid (1)\nupdate y f32 (2,2,2):(1,ldy,by)\n";
    let program: Program = text.parse().unwrap();
    let named = program.scope().values(&[("ldy", 4), ("by", 2)]).unwrap();
    assert!(program.scope().holds(&program.conditions().unwrap(), &named).unwrap());
}

/// The conditions have the limit of each axis of the grid: they hold exactly where a launch has at most 65,535 blocks along it.
#[test]
fn blocks_of_an_axis_are_a_condition() {
    const MOST: i64 = 65_535;
    for (grid, of_name) in [("N", 1), ("ceil(N/64)", 64), ("floor((N+7)/8)", 8), ("2*N", 0), ("ceil(N/4)", 4)]
    {
        for axis in 0..3 {
            let mut axes = ["1"; 3];
            axes[axis] = grid;
            let text = format!(
                "kernel k 32 threads, grid ({})\nread A f32 N:1\nassume N <= 9000000\n",
                axes.join(",")
            );
            let program: Program = text.parse().unwrap();
            let guard = program.conditions().unwrap();
            let mut seen = [0; 2];
            for size in (1..40)
                .map(|size| 1000 * size)
                .chain((-70..70).map(|far| (MOST * of_name.max(1) + far).max(1)))
            {
                let sizes = program.sizes(&[("N", size)]).unwrap();
                let can = program.launch(&sizes, &[]).is_ok();
                let values = program.scope().values(&[("N", size)]).unwrap();
                assert_eq!(can, program.scope().holds(&guard, &values).unwrap(), "{text}N={size}");
                seen[usize::from(can)] += 1;
            }
            assert!(seen.iter().all(|count| *count > 20), "{text}{seen:?}");
            let said = program.scope().guard_text(&guard).to_string();
            assert!(program.check().unwrap().conditions().ends_with(&said), "{said}");
        }
    }
    let constant: Program = "kernel k 32 threads, grid (1,65536)\nread A f32 N:1\n".parse().unwrap();
    assert_eq!(
        constant.check().unwrap_err().to_string(),
        "axis 1 of the grid has more than 65535 blocks: take larger tiles, or another axis"
    );
}
