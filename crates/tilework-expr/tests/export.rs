//! Every layout that the corpus comes to, as other programs write it: what can be read again is the same function.

use tilework::{AnyLayout, Codomain, LinearLayout};
use tilework_expr::{Export, Form, Session, Value};

/// The plain and swizzled layouts among the values of the corpus.
fn layouts() -> Vec<Value> {
    let values = testkit::cases()
        .into_iter()
        .chain(testkit::language())
        .filter_map(|case| Session::new().evaluate(&case.expression).ok().cloned());
    values.filter(|value| matches!(value, Value::Layout(_) | Value::Composed(_))).collect()
}

fn any(value: &Value) -> AnyLayout {
    match value {
        Value::Composed(composed) => (**composed).into(),
        value => value.as_layout().unwrap().unwrap().into(),
    }
}

/// What is written for CuTe is an expression here as well.
#[test]
fn what_is_written_for_cute_is_the_layout() {
    for form in [Form::Cpp, Form::CppType, Form::Dsl, Form::Mlir] {
        let (mut same, mut refused) = (0, 0);
        for value in layouts() {
            let Ok(text) = Export::new(form).write(&value) else {
                refused += 1;
                continue;
            };
            same += 1;
            let again =
                Session::new().evaluate(&text).unwrap_or_else(|error| panic!("{text}: {error}")).clone();
            if any(&value).layout().codomain() != Codomain::Xor {
                assert_eq!(again, value, "{text}");
                continue;
            }
            // XOR strides have become a swizzle.
            let (layout, other) = (any(&value), any(&again));
            for index in 0..layout.layout().size().min(4096) {
                assert_eq!(other.evaluate(index).unwrap(), layout.evaluate(index).unwrap(), "{text}");
            }
        }
        assert!(same > 1000 && refused < 50, "{same} {refused}");
    }
}

#[test]
fn linear_layouts_are_read_again() {
    let mut found = 0;
    for value in layouts() {
        let layout = any(&value);
        if layout.layout().rank() > 3 {
            continue;
        }
        let Ok(text) = Export::new(Form::Triton).write(&value) else { continue };
        found += 1;
        let linear: LinearLayout = text.parse().unwrap();
        assert_eq!(Session::new().evaluate(&text).unwrap(), &Value::from(linear.layout().unwrap()), "{text}");
        let (again, extents) = (linear.layout().unwrap(), linear.shape().leaves());
        for index in 0..layout.layout().size().min(4096) {
            let offset = layout.evaluate(index).unwrap();
            let components = offset.leaves().iter().map(|component| component.numerator());
            let number = components.zip(extents).rev().fold(0, |sum, (x, extent)| sum * extent + x);
            assert_eq!(again.evaluate(index).unwrap().leaves()[0].numerator(), number, "{value} {text}");
        }
    }
    assert!(found > 200, "{found}");
}

#[test]
fn every_form_writes_or_refuses_with_a_sentence() {
    for value in layouts() {
        for form in Form::ALL {
            match Export::new(form).write(&value) {
                Ok(text) => assert!(!text.is_empty() && !text.contains("..."), "{value} {text}"),
                Err(failure) => assert!(!failure.to_string().is_empty()),
            }
        }
    }
    for text in ["3", "<4:1>", "Sw<3,4,3>", "{8} o 4:1", "true"] {
        let Ok(value) = Session::new().evaluate(text).cloned() else { continue };
        let written = Export::new(Form::Cpp).write(&value);
        assert_eq!(written.is_ok(), matches!(value, Value::Tuple(_)), "{text}");
    }
    assert!("c++".parse::<Form>().unwrap_err().contains("cpp-type"));
    let mut numpy = Export::new(Form::Numpy);
    numpy.bits = Some(12);
    assert_eq!(
        numpy.write(&Value::integer(4)).unwrap_err().to_string(),
        "bits to bytes: 8 does not divide 12"
    );
}
