//! Sizes, bounds, offsets of coordinates, access widths, questions about numbers, and pieces.

use crate::random::{Counts, Nest, Problem, cases, offset, rng};
use tilework::Error;
use tilework_symbolic::{Number, Scope, Tuple, Verdict};

/// Whether the verdict says yes at these values; `None` where it says nothing.
fn says(scope: &Scope, verdict: &Verdict, values: &tilework_symbolic::Values) -> Option<bool> {
    match verdict {
        Verdict::Always => Some(true),
        Verdict::When(guard) => Some(scope.holds(guard, values).unwrap()),
        Verdict::Never => Some(false),
        Verdict::Open => None,
    }
}

#[test]
fn bounds_and_widths_are_those_of_the_instances() {
    let (mut rng, mut counts) = (rng("bounds"), Counts::default());
    for _ in 0..cases(12_000) {
        let Some((mut problem, nest, layout)) = Problem::with_layout(&mut rng) else { continue };
        let width = *rng.pick(&[2i64, 3, 4, 8]);
        let bits = *rng.pick(&[4u32, 8, 12]);
        let scope = &mut problem.scope;
        let (size, cosize, min) = (scope.size(&layout), scope.cosize(&layout), scope.min_offset(&layout));
        let (vector, fits) = (scope.is_vector(&layout, width), scope.fits(&layout, bits));
        let most = scope.max_vector(&layout, 8);
        for _ in 0..10 {
            let small = rng.chance(80);
            let numbers = problem.values(&mut rng, small);
            let values = problem.given(&numbers);
            let Ok(instance) = layout.instance(&values) else { continue };
            let case = || format!("{} at {numbers:?}", nest.text());
            let value = |number: &Number| problem.scope.value(number, &values).unwrap().unwrap();
            if let Ok(size) = &size {
                counts.judge(true, value(size) == instance.size(), true, case);
            }
            if let (Ok(cosize), Ok(min)) = (&cosize, &min) {
                counts.add("bounds");
                assert_eq!(Ok(value(cosize)), instance.cosize(), "{}", case());
                assert_eq!(Ok(value(min)), instance.min_offset(), "{}", case());
                let fit = value(cosize) <= 1 << bits && value(min) >= -(1 << bits);
                let said = says(&problem.scope, fits.as_ref().unwrap(), &values);
                assert_eq!(said, Some(fit), "{}", case());
            }
            // A vector has consecutive offsets and begins at a multiple of its width.
            let is_vector = |width: i64| {
                instance.size() % width == 0
                    && (0..instance.size() as i128 / width as i128).all(|block| {
                        let first = offset(&instance, block * width as i128);
                        first % width as i128 == 0
                            && (0..width as i128)
                                .all(|k| offset(&instance, block * width as i128 + k) == first + k)
                    })
            };
            let contiguous = instance.coalesce().leaves()[0].stride.as_integer() == Some(1);
            if let (Ok(vector), Ok(most)) = (&vector, most)
                && instance.size() <= 500
                && contiguous
            {
                counts.add("widths");
                if says(&problem.scope, vector, &values) == Some(true) {
                    assert!(is_vector(width), "width {width}: {}", case());
                }
                if matches!(vector, Verdict::Never) {
                    assert!(!is_vector(width), "width {width}: {}", case());
                }
                assert!(is_vector(most), "width {most}: {}", case());
            }
        }
    }
    counts.finish("bounds", 0.0);
}

#[test]
fn offsets_of_coordinates_are_those_of_the_instances() {
    let (mut rng, mut counts) = (rng("offset"), Counts::default());
    for _ in 0..cases(12_000) {
        let Some((mut problem, nest, layout)) = Problem::with_layout(&mut rng) else { continue };
        let x = problem.scope.declare("x").unwrap();
        problem.scope.assume("x >= 0").unwrap();
        let below = rng.chance(50);
        let size = problem.scope.size(&layout);
        if let (true, Ok(size)) = (below, size) {
            let one = Number::integer(1);
            let last = size.sub(&one).unwrap();
            let _ = problem.scope.assume_at_least(&last, &x);
        }
        let found = problem.scope.offset(&layout, &Tuple::leaf(x));
        let Ok(found) = found else {
            counts.add("= error");
            continue;
        };
        for _ in 0..6 {
            let mut given = problem.values(&mut rng, true);
            let (names, scope) = (problem.names.clone(), &problem.scope);
            let mut named: Vec<(&str, i64)> =
                names.iter().zip(&given).map(|(known, &value)| (known.name, value)).collect();
            named.push(("x", 0));
            let Ok(values) = scope.values(&named) else { continue };
            let Ok(instance) = layout.instance(&values) else { continue };
            let index = rng.range(0, instance.size().min(1 << 30) - 1);
            named.last_mut().unwrap().1 = index;
            given.push(index);
            let Ok(values) = scope.values(&named) else { continue };
            let value = scope.value(&found, &values).unwrap().unwrap();
            counts.judge(true, value as i128 == offset(&instance, index as i128), true, || {
                format!("({})({index}) at {given:?}: {}", nest.text(), scope.number_text(&found))
            });
        }
    }
    counts.finish("offset", 0.0);
}

#[test]
fn offsets_that_are_coordinates_are_those_of_the_instances() {
    let (mut rng, mut counts) = (rng("coordinates"), Counts::default());
    for _ in 0..cases(6_000) {
        let mut problem = Problem::random(&mut rng);
        let mut modes = problem.modes(&mut rng);
        let [one, two] = *rng.pick(&[["0", "1"], ["1", "0"], ["0@1", "1@1"], ["0", "2@1"], ["0@0@1", "2"]]);
        for (_, stride) in &mut modes {
            let other = problem.number(&mut rng, &[0, 1, 2, -1]);
            *stride = match rng.chance(50) {
                true => format!("(({stride})@{one}+({other})@{two})"),
                false => format!("({stride})@{}", rng.pick(&[one, two])),
            };
        }
        let nest = Nest::random(&mut rng, modes);
        let Some(layout) = problem.layout(&nest) else { continue };
        let x = problem.scope.declare("x").unwrap();
        problem.scope.assume("x >= 0").unwrap();
        let Ok(found) = problem.scope.element(&layout, &Tuple::leaf(x)) else {
            counts.add("= error");
            continue;
        };
        for _ in 0..6 {
            let given = problem.values(&mut rng, true);
            let mut named: Vec<(&str, i64)> =
                problem.names.iter().zip(&given).map(|(known, &value)| (known.name, value)).collect();
            named.push(("x", 0));
            let Ok(values) = problem.scope.values(&named) else { continue };
            let Ok(instance) = layout.instance(&values) else { continue };
            let index = rng.range(0, instance.size().min(1 << 20) - 1);
            named.last_mut().unwrap().1 = index;
            let Ok(values) = problem.scope.values(&named) else { continue };
            let value = |number: &Number| problem.scope.value(number, &values).unwrap().unwrap();
            let offset = instance.evaluate(index).unwrap();
            let same =
                found.profile() == offset.profile()
                    && found.leaves().iter().zip(offset.leaves()).all(|(own, expected)| {
                        expected.denominator() == 1 && value(own) == expected.numerator()
                    });
            counts.judge(true, same, true, || format!("({})({index}) at {named:?}: {offset}", nest.text()));
        }
    }
    counts.finish("coordinates", 0.0);
}

#[test]
fn questions_are_answered_for_all_values() {
    let (mut rng, mut counts) = (rng("questions"), Counts::default());
    for _ in 0..cases(24_000) {
        let mut problem = Problem::random(&mut rng);
        let numbers = [1, 2, 3, 5, 7, 12];
        let text =
            |rng: &mut _| format!("{} - {}", problem.number(rng, &numbers), problem.number(rng, &numbers));
        let (left, right) = (text(&mut rng), problem.number(&mut rng, &numbers));
        let divisor = rng.range(1, 12);
        let scope = &mut problem.scope;
        let left_number = if rng.chance(30) {
            scope.number(&format!("floor(({left})/{divisor})*{divisor} + {right}")).unwrap()
        } else {
            scope.number(&left).unwrap()
        };
        let right_number = scope.number(&right).unwrap();
        let divisor_number = Number::integer(divisor);
        let verdicts = [
            scope.is_at_least(&left_number, &right_number).unwrap(),
            scope.is_equal(&left_number, &right_number).unwrap(),
            scope.is_multiple(&left_number, &divisor_number).unwrap(),
        ];
        for _ in 0..10 {
            let small = rng.chance(80);
            let numbers = problem.values(&mut rng, small);
            let values = problem.given(&numbers);
            let value = |number: &Number| problem.scope.value(number, &values).unwrap().unwrap();
            let (a, b) = (value(&left_number), value(&right_number));
            for (verdict, truth) in verdicts.iter().zip([a >= b, a == b, a % divisor == 0]) {
                counts.judge(true, says(&problem.scope, verdict, &values) == Some(truth), true, || {
                    format!("{left}, {right}, {divisor} at {numbers:?}: {verdict:?}")
                });
            }
        }
    }
    counts.finish("questions", 0.0);
}

#[test]
fn what_is_printed_is_read_again() {
    let mut rng = rng("text");
    for _ in 0..cases(12_000) {
        let Some((mut problem, _, layout)) = Problem::with_layout(&mut rng) else { continue };
        let text = layout.to_string();
        assert_eq!(problem.scope.layout(text.as_str()), Ok(layout), "{text}");
        let number = format!("ceil(({})/{})", problem.number(&mut rng, &[1, 5]), rng.range(1, 9));
        let number = problem.scope.number(&number).unwrap();
        let text = problem.scope.number_text(&number);
        assert_eq!(problem.scope.number(text.as_str()), Ok(number), "{text}");
    }
}

#[test]
fn pieces_cover_most_values() {
    let (mut rng, mut counts) = (rng("pieces"), Counts::default());
    let (mut covered, mut all) = (0, 0);
    for _ in 0..cases(2_400) {
        let mut problem = Problem::random(&mut rng);
        let modes = problem.modes(&mut rng);
        let right = problem.right(&mut rng, &modes, 3);
        let (a, b) = (Nest::random(&mut rng, modes), Nest::random(&mut rng, right));
        let (Some(left), Some(right)) = (problem.layout(&a), problem.layout(&b)) else { continue };
        let numbers: Vec<_> = (0..24).map(|i| problem.values(&mut rng, i % 2 == 0)).collect();
        let mut witnesses = vec![problem.scope.values(&[]).unwrap()];
        witnesses.extend(numbers.iter().map(|numbers| problem.given(numbers)));
        let pieces = problem.scope.cases(&witnesses, |scope| scope.composition(&left, &right));
        counts
            .add(["no piece", "one piece", "two pieces", "three pieces", "more pieces"][pieces.len().min(4)]);
        for values in &witnesses {
            let instances = (left.instance(values), right.instance(values));
            let (Ok(la), Ok(lb)) = instances else { continue };
            let Ok(truth) = la.composition(&lb) else { continue };
            all += 1;
            let piece = pieces.iter().find(|piece| problem.scope.holds(&piece.guard, values).unwrap());
            covered += usize::from(piece.is_some());
            if let Some(piece) = piece {
                let got = piece.layout.instance(values).unwrap();
                counts.judge(true, got.equivalent(&truth), true, || format!("{} o {}", a.text(), b.text()));
            }
        }
    }
    counts.finish("pieces", 0.0);
    println!("pieces: {covered} of {all} values with a composition are covered");
    assert!(covered * 1000 >= all * 995);
}

#[test]
fn offsets_that_cannot_be_said() {
    let mut scope = Scope::new();
    let layout = scope.layout("(M,K):(a - b,1)").unwrap();
    assert!(matches!(scope.cosize(&layout), Err(Error::Fact { .. })));
    scope.assume("a >= b").unwrap();
    assert!(scope.cosize(&layout).is_ok());
    let coordinates = scope.layout("(M,K):(1@0,1@1)").unwrap();
    assert!(matches!(scope.cosize(&coordinates), Err(Error::Codomain { .. })));
    assert!(scope.is_vector(&layout, 0).is_err() && scope.fits(&layout, 63).is_err());
    let x = scope.declare("x").unwrap();
    let coordinate = Tuple::of(&[0; 3].map(|_| Tuple::leaf(x.clone()))).unwrap();
    assert!(matches!(scope.offset(&layout, &coordinate), Err(Error::Incongruent { .. })));
}

/// Conditions that no value fulfils are a no, which is that of every instance; the others hold for some value.
#[test]
fn contradictory_conditions_of_a_vector_are_a_no() {
    let mut never = 0;
    for (a, b, width) in
        (1..6).flat_map(|a| (0..9).flat_map(move |b| [2, 3, 4, 6, 8].map(|width| (a, b, width))))
    {
        for text in
            [format!("(M,4):(1,{a}*M+{b})"), format!("(M+{b},4):(1,M+{a})"), format!("(4,M):(1,{a}*M+{b})")]
        {
            let mut scope = Scope::new();
            let layout = scope.layout(&text).unwrap();
            let verdict = scope.is_vector(&layout, width).unwrap();
            let at = |m: i64| scope.values(&[("M", m)]).unwrap();
            let is_vector = |m: i64| {
                let instance = layout.instance(&at(m)).unwrap();
                let starts = (0..instance.size()).step_by(width as usize);
                instance.size() % width == 0
                    && starts.into_iter().all(|start| {
                        let first = offset(&instance, start.into());
                        first % i128::from(width) == 0
                            && (1..width)
                                .all(|k| offset(&instance, (start + k).into()) == first + i128::from(k))
                    })
            };
            match verdict {
                Verdict::Never => {
                    never += 1;
                    assert!(!(1..50).any(is_vector), "{text} {width}");
                }
                Verdict::When(guard) => {
                    let holds = |m: i64| scope.holds(&guard, &at(m)).unwrap();
                    assert!((1..50).any(holds), "{text} {width}: {}", scope.guard_text(&guard));
                    assert!((1..50).all(|m| !holds(m) || is_vector(m)), "{text} {width}");
                }
                Verdict::Always => assert!((1..50).all(is_vector), "{text} {width}"),
                Verdict::Open => {}
            }
        }
    }
    assert!(never > 200, "{never}");
}
