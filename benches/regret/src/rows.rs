//! The rows: copies of all kinds, products of all sizes, contractions and convolutions.

use std::cell::RefCell;
use std::rc::Rc;
use tilework::Layout;
use tilework_kernels::candidates::{copies, pretended, products};
use tilework_kernels::{ContractPlan, ConvPlan, Convolution, Destination, Element, Execution};

/// What runs each candidate, and its name; the first is chosen.
pub type Candidates = Vec<(String, Box<dyn FnMut()>)>;

pub struct Row {
    pub name: String,
    pub candidates: Box<dyn Fn() -> Candidates>,
}

pub fn all() -> Vec<Row> {
    let mut rows = Vec::new();
    // Transposes: in the first-level and in the second-level cache, past the caches, of whole lines or not, with aliasing columns.
    for (m, n) in [(48, 64), (200, 240), (256, 256), (500, 501), (1000, 1003), (2048, 2048), (4080, 4112)] {
        copy::<f32>(&mut rows, "f32", &[m, n], [&[1, m], &[n, 1]]);
    }
    for (m, n) in [(200, 240), (1000, 1003), (2032, 2064)] {
        copy::<u8>(&mut rows, "u8", &[m, n], [&[1, m], &[n, 1]]);
        copy::<u16>(&mut rows, "u16", &[m, n], [&[1, m], &[n, 1]]);
        copy::<f64>(&mut rows, "f64", &[m, n], [&[1, m], &[n, 1]]);
    }
    // Permutations.
    copy::<f32>(&mut rows, "f32", &[64, 48, 40], [&[1, 64, 3072], &[1920, 40, 1]]);
    copy::<f32>(&mut rows, "f32", &[232, 296, 232], [&[1, 232, 68672], &[296, 1, 68672]]);
    copy::<f32>(&mut rows, "f32", &[64, 96, 300], [&[1, 64, 6144], &[1, 19200, 64]]);
    copy::<f64>(
        &mut rows,
        "f64",
        &[24, 20, 18, 22, 16],
        [&[1, 24, 480, 8640, 190080], &[126720, 6336, 352, 16, 1]],
    );
    // Pieces: whole lines, and not.
    copy::<f32>(&mut rows, "f32", &[32, 200, 300], [&[1, 32, 6400], &[1, 9600, 32]]);
    copy::<f32>(&mut rows, "f32", &[20, 200, 300], [&[1, 20, 4000], &[1, 6000, 20]]);
    copy::<f32>(&mut rows, "f32", &[1000, 1000], [&[1, 1024], &[1, 1000]]);
    // Gathers and scatters, arrays and structures.
    copy::<f32>(&mut rows, "f32", &[2_000_000], [&[2], &[1]]);
    copy::<f32>(&mut rows, "f32", &[20_000], [&[3], &[1]]);
    copy::<u8>(&mut rows, "u8", &[2_000_000], [&[1], &[3]]);
    copy::<f32>(&mut rows, "f32", &[500_000, 3], [&[3, 1], &[1, 500_000]]);
    copy::<f32>(&mut rows, "f32", &[500_001, 4], [&[1, 500_001], &[4, 1]]);
    copy::<u8>(&mut rows, "u8", &[30_000, 6], [&[6, 1], &[1, 30_000]]);
    // Products, square: rows and columns contiguous in turn.
    for n in [8, 16, 32, 48, 64, 96, 128, 160, 192, 256, 320, 384, 512, 768, 1024, 2048] {
        product::<f32>(&mut rows, "f32", [n, n, n], "column-major", [[1, n], [n, 1], [1, n]]);
    }
    for n in [64, 128, 256, 512, 1024] {
        product::<f64>(&mut rows, "f64", [n, n, n], "row-major", [[n, 1], [1, n], [n, 1]]);
        product::<f32>(&mut rows, "f32", [n, n, n], "A by rows", [[n, 1], [n, 1], [1, n]]);
    }
    // Thin: few rows, columns or steps.
    for [m, n, k] in [
        [2000, 16, 2000],
        [16, 2000, 2000],
        [2000, 2000, 16],
        [4000, 100, 300],
        [100, 4000, 300],
        [64, 64, 8000],
        [2000, 40, 2000],
        [3136, 64, 576],
        [3136, 20, 576],
    ] {
        product::<f32>(&mut rows, "f32", [m, n, k], "column-major", [[1, m], [k, 1], [1, m]]);
    }
    contraction(&mut rows, "ijk,kl->ijl", &[&[60, 70, 80], &[80, 90]], &[60, 70, 90]);
    contraction(&mut rows, "kij,kl->lij", &[&[80, 60, 70], &[80, 90]], &[90, 60, 70]);
    contraction(&mut rows, "aibj,bk->aikj", &[&[24, 24, 24, 24], &[24, 24]], &[24, 24, 24, 24]);
    contraction(&mut rows, "bij,bjk->bik", &[&[2000, 8, 8], &[2000, 8, 8]], &[2000, 8, 8]);
    convolution(&mut rows, [1, 56, 56, 64], 64, 3);
    convolution(&mut rows, [1, 28, 28, 128], 128, 3);
    convolution(&mut rows, [1, 28, 28, 256], 512, 1);
    convolution(&mut rows, [1, 112, 112, 3], 16, 5);
    rows
}

fn layout(extents: &[i64], strides: &[i64]) -> Layout {
    let text = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    Layout::parse(&format!("({}):({})", text(extents), text(strides))).expect("a layout")
}

/// First mode contiguous.
fn compact(extents: &[i64]) -> Layout {
    Layout::parse(&format!("({})", extents.iter().map(i64::to_string).collect::<Vec<_>>().join(",")))
        .expect("a shape")
}

fn elements(layout: &Layout) -> usize {
    layout.max_offset().expect("an integer") as usize + 1
}

fn copy<T: Copy + Default + Send + Sync + 'static>(
    rows: &mut Vec<Row>,
    of: &str,
    extents: &[i64],
    strides: [&[i64]; 2],
) {
    let [from, to] = strides.map(|strides| layout(extents, strides));
    let candidates = move || {
        let source = vec![T::default(); elements(&from)];
        let shared = Rc::new(RefCell::new((source, vec![T::default(); elements(&to)])));
        named(copies::<T>(&from, &to).expect("a plan"), |plan| {
            let shared = shared.clone();
            Box::new(move || {
                let (source, destination) = &mut *shared.borrow_mut();
                plan.run(source, destination, &Execution::default()).expect("a copy");
            })
        })
    };
    rows.push(Row { name: format!("copy {of} `{from}` to `{to}`"), candidates: Box::new(candidates) });
}

fn product<T: Element<Sum = T> + Destination<T> + From<u8> + 'static>(
    rows: &mut Vec<Row>,
    of: &str,
    [m, n, k]: [i64; 3],
    order: &str,
    [a, b, c]: [[i64; 2]; 3],
) {
    let (a, b, c) = (layout(&[m, k], &a), layout(&[n, k], &b), layout(&[m, n], &c));
    let candidates = move || {
        let of = |layout: &Layout| vec![T::from(1u8); elements(layout)];
        let shared = Rc::new(RefCell::new([of(&a), of(&b), of(&c)]));
        named(products::<T>(&a, &b, &c).expect("a plan"), |plan| {
            let shared = shared.clone();
            Box::new(move || {
                let [a, b, c] = &mut *shared.borrow_mut();
                plan.run(T::from(1u8), a, b, T::from(0u8), c, &Execution::default()).expect("a product");
            })
        })
    };
    rows.push(Row { name: format!("gemm {of} {m} {n} {k} {order}"), candidates: Box::new(candidates) });
}

fn contraction(rows: &mut Vec<Row>, spec: &'static str, operands: &[&[i64]], output: &[i64]) {
    let operands: Vec<Layout> = operands.iter().map(|extents| compact(extents)).collect();
    let output = compact(output);
    let candidates = move || {
        let data: Vec<Vec<f32>> = operands.iter().map(|layout| vec![1.0; elements(layout)]).collect();
        let shared = Rc::new(RefCell::new((data, vec![0f32; elements(&output)])));
        named(
            pretended(|| ContractPlan::<f32>::new(spec, &operands, &output), ContractPlan::explain)
                .expect("a plan"),
            |plan| {
                let shared = shared.clone();
                Box::new(move || {
                    let (data, sums) = &mut *shared.borrow_mut();
                    let data: Vec<&[f32]> = data.iter().map(Vec::as_slice).collect();
                    plan.run(1.0, &data, 0.0, sums, &Execution::default()).expect("a contraction");
                })
            },
        )
    };
    rows.push(Row { name: format!("contract f32 {spec}"), candidates: Box::new(candidates) });
}

/// Channels last, `same` padding.
fn convolution(rows: &mut Vec<Row>, [n, h, w, c]: [i64; 4], out: i64, taps: i64) {
    let parse = |text: String| Layout::parse(&text).expect("a layout");
    let image = |c: i64| parse(format!("({n},({h},{w}),{c}):({},({},{c}),1)", h * w * c, w * c));
    let (input, output) = (image(c), image(out));
    let filter = parse(format!("({out},({taps},{taps}),{c}):({},({},{c}),1)", taps * taps * c, taps * c));
    let candidates = move || {
        let half = (taps / 2) as usize;
        let padding = [(half, half); 2];
        let same = Convolution { padding: &padding, ..Convolution::default() };
        let of = |layout: &Layout| vec![1f32; elements(layout)];
        let shared = Rc::new(RefCell::new([of(&input), of(&filter), of(&output)]));
        named(
            pretended(|| ConvPlan::<f32>::new(&same, &input, &filter, &output), ConvPlan::explain)
                .expect("a plan"),
            |plan| {
                let shared = shared.clone();
                Box::new(move || {
                    let [input, filter, sums] = &mut *shared.borrow_mut();
                    plan.run(1.0, input, filter, 0.0, sums, &Execution::default()).expect("a convolution");
                })
            },
        )
    };
    rows.push(Row {
        name: format!("conv f32 {h}x{w}x{c} to {out}, {taps}x{taps}"),
        candidates: Box::new(candidates),
    });
}

fn named<P>(plans: Vec<(String, P)>, run: impl Fn(P) -> Box<dyn FnMut()>) -> Candidates {
    plans.into_iter().map(|(name, plan)| (name, run(plan))).collect()
}
