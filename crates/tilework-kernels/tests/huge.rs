//! Plans for layouts as large as 64 bits allow: a plan or an error, never an overflow.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use tilework::{Composed, Counting, Layout, Swizzle, Tensor};
use tilework_kernels::{
    ContractPlan, ConvPlan, Convolution, CopyPlan, Error, Execution, GemmPlan, axpby, map, sum, zip_map,
};

const MAX: i64 = i64::MAX;

/// Layouts of one, two and three modes whose extents and strides lie beside powers of two and the largest number.
fn layouts(size: i64) -> Vec<Layout> {
    let mut found = BTreeSet::new();
    for extent in [1, 2, 3, 8, 64, size / 8, size / 2, size].into_iter().filter(|&e| e > 0 && size % e == 0) {
        let rest = size / extent;
        for [d, e] in [
            [1, extent],
            [rest, 1],
            [2, 0],
            [0, 1],
            [0, 0],
            [-1, -extent],
            [8, extent.saturating_mul(8)],
            [3, MAX / 4],
        ] {
            found.insert(format!("({extent},{rest}):({d},{e})"));
            if rest % 2 == 0 {
                found.insert(format!("({extent},2,{}):({d},{e},{})", rest / 2, e.saturating_mul(2)));
            }
        }
    }
    found.iter().filter_map(|text| text.parse().ok()).collect()
}

/// How many plans were made, and how many refused.
#[derive(Debug, Default)]
struct Outcomes {
    planned: usize,
    refused: usize,
}

impl Outcomes {
    /// Counts a plan or an error, which says what does not fit and not only that nothing does.
    fn count<T>(&mut self, plan: Result<T, Error>) {
        match plan {
            Ok(_) => self.planned += 1,
            Err(error) => {
                assert!(!error.to_string().contains(&u128::MAX.to_string()), "{error}");
                self.refused += 1;
            }
        }
    }
}

#[test]
fn copies_of_any_size_are_planned_or_refused() {
    let mut outcomes = Outcomes::default();
    for size in [1 << 62, 1 << 61, 1 << 60, 1 << 59, 1 << 40, MAX, MAX / 7, 3 << 60] {
        let layouts = layouts(size);
        for source in &layouts {
            for destination in &layouts {
                outcomes.count(CopyPlan::<u8>::new(source, destination));
                outcomes.count(CopyPlan::<u16>::new(source, destination));
                outcomes.count(CopyPlan::<[u8; 3]>::new(source, destination));
                outcomes.count(CopyPlan::<f64>::new(source, destination));
                outcomes.count(CopyPlan::<[f64; 9]>::new(source, destination));
            }
        }
    }
    assert!(outcomes.planned > 1000 && outcomes.refused > 1000, "{outcomes:?}");
}

#[test]
fn products_of_any_size_are_planned_or_refused() {
    let (mut outcomes, mut free) = (Outcomes::default(), Outcomes::default());
    let extents = [2, 3, 1 << 20, 1 << 58, 1 << 61, 1 << 62, MAX];
    for m in extents {
        for n in extents {
            for k in extents {
                if [m, n, k].into_iter().max().unwrap() < 1 << 58 {
                    continue;
                }
                let text = |rows: i64, columns: i64| {
                    [
                        format!("({rows},{columns}):(1,{rows})"),
                        format!("({rows},{columns}):(0,0)"),
                        format!("({rows},{columns}):(0,1)"),
                    ]
                };
                let parse = |texts: [String; 3]| {
                    texts.into_iter().filter_map(|text| text.parse::<Layout>().ok()).collect::<Vec<_>>()
                };
                for a in parse(text(m, k)) {
                    for b in parse(text(n, k)) {
                        for c in parse(text(m, n)) {
                            outcomes.count(GemmPlan::<f64>::new(&a, &b, &c));
                            outcomes.count(ContractPlan::<f64>::new("mk,nk->mn", &[a, b], &c));
                        }
                        let operands = [a, b].map(|layout| Tensor::new(Counting, layout).unwrap());
                        free.count(ContractPlan::<f32>::with_free_output("mk,nk->mn", &operands));
                    }
                }
            }
        }
    }
    assert!(outcomes.refused > 100 && free.refused > 100, "{outcomes:?}, {free:?}");
}

#[test]
fn swizzled_copies_of_any_size_are_planned_or_refused() {
    let mut outcomes = Outcomes::default();
    for size in [1 << 62, 1 << 60, 1 << 40, 3 << 60] {
        let layouts = layouts(size);
        for (bits, base, shift) in [(3, 4, 3), (1, 0, 1), (2, 30, 30), (2, 1, -2), (3, 57, -3)] {
            let swizzle = Swizzle::new(bits, base, shift).unwrap();
            let swizzled =
                layouts.iter().filter_map(|layout| Composed::new(swizzle, 0, *layout).ok()).step_by(5);
            for swizzled in swizzled {
                for layout in layouts.iter().step_by(7) {
                    outcomes.count(CopyPlan::<f64>::new(&swizzled, layout));
                    outcomes.count(CopyPlan::<u8>::new(layout, &swizzled));
                    outcomes.count(CopyPlan::<u16>::new(&swizzled, &swizzled));
                }
            }
        }
    }
    assert!(outcomes.planned > 100, "{outcomes:?}");
}

#[test]
fn contractions_of_any_size_are_planned_or_refused() {
    let specs = [
        "ab->a",
        "ab->b",
        "ab->",
        "ab->ba",
        "ab,b->a",
        "ab,ab->ab",
        "ab,ab->",
        "a,b->ab",
        "ab,a->b",
        "aa->a",
        "aab->ab",
        "ab,bc,ca->",
        "ab,cb,cd->ad",
    ];
    let (mut outcomes, mut free) = (Outcomes::default(), Outcomes::default());
    let extents = [1, 2, 1 << 58, 1 << 61, 1 << 62, MAX];
    for spec in specs {
        let (operands, output) = spec.split_once("->").unwrap();
        for a in extents {
            for b in extents {
                for broadcast in [false, true] {
                    let layout = |labels: &str| {
                        let mut stride = 1i64;
                        let modes = labels.chars().map(|label| {
                            let extent = if label == 'b' { b } else { a };
                            let own = if broadcast { 0 } else { stride };
                            stride = stride.saturating_mul(extent);
                            Layout::of(extent, own).ok()
                        });
                        Layout::concatenate(&modes.collect::<Option<Vec<_>>>()?).ok()
                    };
                    let Some(inputs) = operands.split(',').map(layout).collect::<Option<Vec<_>>>() else {
                        continue;
                    };
                    let tensors: Vec<_> =
                        inputs.iter().map(|layout| Tensor::new(Counting, *layout).unwrap()).collect();
                    free.count(ContractPlan::<f32>::with_free_output(spec, &tensors));
                    let Some(output) = layout(output) else { continue };
                    outcomes.count(ContractPlan::<f64>::new(spec, &inputs, &output));
                }
            }
        }
    }
    assert!(outcomes.planned > 10 && outcomes.refused > 10, "{outcomes:?}");
    assert!(free.planned > 0 && free.refused > 0, "{free:?}");
}

#[test]
fn convolutions_of_any_size_are_planned_or_refused() {
    let mut outcomes = Outcomes::default();
    let text = |sizes: [i64; 3], dense: bool| -> Option<Layout> {
        let [a, b, c] = sizes;
        let strides = if dense { format!("({},{c},1)", b.checked_mul(c)?) } else { "(0,0,0)".into() };
        format!("({a},{b},{c}):{strides}").parse().ok()
    };
    for images in [1, 1 << 58, 1 << 62] {
        for channels in [1, 1 << 58, MAX] {
            for taps in [1, 3, 1 << 60] {
                for size in [3, 1 << 58, 1 << 61, MAX] {
                    for padding in [0, 1 << 62, MAX as usize] {
                        for dense in [false, true] {
                            let padding = [(padding, padding)];
                            let convolution = Convolution { padding: &padding, ..Convolution::default() };
                            let length = (size as usize)
                                .saturating_add(2usize.saturating_mul(padding[0].0))
                                .saturating_sub(taps as usize)
                                + 1;
                            let (Some(input), Some(filter), Some(output)) = (
                                text([images, size, channels], dense),
                                text([2, taps, channels], dense),
                                text([images, i64::try_from(length).unwrap_or(MAX), 2], true),
                            ) else {
                                continue;
                            };
                            outcomes.count(ConvPlan::<f32>::new(&convolution, &input, &filter, &output));
                        }
                    }
                }
            }
        }
    }
    assert!(outcomes.planned > 3 && outcomes.refused > 10, "{outcomes:?}");
}

/// One element in memory that is read as many times as a layout can: cancelled at once.
#[test]
fn endless_loops_over_one_element_can_be_cancelled() {
    let stop = AtomicBool::new(true);
    for text in [
        "4611686018427387904:0",
        "9223372036854775807:0",
        "(3037000499,3037000499):(0,0)",
        "(4294967296,1073741824):(0,0)",
    ] {
        let layout: Layout = text.parse().unwrap();
        let one = || Tensor::new(vec![1.0f32], layout).unwrap();
        for execution in [Execution::default(), Execution::threads(2)] {
            let execution = execution.cancelled_by(&stop);
            let mut to = one();
            let cancelled = Err(Error::Cancelled);
            assert_eq!(sum(&one(), &mut to, &execution), cancelled, "{text}");
            // All others refuse to write one element twice.
            assert!(map(&one(), &mut to, |x| x, &execution).is_err());
            assert!(zip_map(&one(), &one(), &mut to, |x, y| x + y, &execution).is_err());
            assert!(axpby(1.0, &one(), 1.0, &mut to, &execution).is_err());
        }
    }
}
