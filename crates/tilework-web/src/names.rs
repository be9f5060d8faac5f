//! A value with names, at numbers that the reader chooses: the result of its guard, and the offsets at which the value
//! without its guard differs from the text evaluated with these numbers.

use crate::picture::scene;
use crate::question::{Source, View};
use serde::Serialize;
use tilework::HTuple;
use tilework_draw::Scene;
use tilework_expr::{Instance, Session, Trace, Value};

/// The most coordinates that are compared at every key.
const MAX_COMPARED: i64 = 1 << 14;

/// The answer about a value with names.
#[derive(Serialize)]
pub struct Names {
    sliders: Vec<Slider>,
    clauses: Vec<Clause>,
    /// The facts that do not hold for these numbers.
    broken: Vec<String>,
    /// The value without its guard.
    value: Option<String>,
    /// The text evaluated with numbers instead of names, if that is another layout.
    right: Option<String>,
    /// Whether the value is correct at these numbers; none if unknown.
    agrees: Option<bool>,
    sentence: String,
}

#[derive(Serialize)]
struct Slider {
    name: String,
    value: i64,
}

#[derive(Serialize)]
struct Clause {
    text: String,
    holds: bool,
}

/// The value of a text at values of its names, with its picture.
fn at(source: &Source, view: &View, session: &Session, trace: &Trace) -> Option<(Names, Option<Scene>)> {
    let (value, _) = trace.outcome.as_ref().ok()?;
    let given: Vec<(String, i64)> = view.names.iter().map(|(name, value)| (name.clone(), *value)).collect();
    let instance = session.instance(value, &given)?;
    let right = source.with_numbers(&instance.values);
    Some(compared(instance, &right, view))
}

/// Compares the value with the text evaluated with numbers.
fn compared(instance: Instance, right: &Trace, view: &View) -> (Names, Option<Scene>) {
    let Instance { values, own, broken, clauses, value, .. } = instance;
    let admitted = broken.is_empty() && clauses.iter().all(|(_, holds)| *holds);
    let sliders = values.into_iter().take(own).map(|(name, value)| Slider { name, value });
    let mut names = Names {
        sliders: sliders.collect(),
        clauses: clauses.into_iter().map(|(text, holds)| Clause { text, holds }).collect(),
        broken,
        value: value.as_ref().ok().map(Value::to_string),
        right: None,
        agrees: None,
        sentence: String::new(),
    };
    let here = match (names.broken.is_empty(), admitted) {
        (false, _) => "A fact fails here",
        (true, false) => "The guard fails here",
        (true, true) => "The guard holds here",
    };
    let value = match value {
        Ok(value) => value,
        Err(failure) => {
            names.sentence = format!("{here}, and the value is not a layout: {failure}.");
            return (names, None);
        }
    };
    let other = match &right.outcome {
        Ok((other, _)) => other,
        Err(error) => {
            names.sentence = format!("{here}. With these numbers the text is refused: {}.", error.message);
            names.agrees = Some(false);
            return (names, offsets(&value, view));
        }
    };
    let comparison = Comparison::of(&value, other);
    names.agrees = comparison.agrees();
    let says_more = names.agrees.is_some() && other.to_string() != value.to_string();
    names.right = says_more.then(|| other.to_string());
    names.sentence = match &comparison {
        Comparison::Open => format!("{here}."),
        Comparison::Values(true) => format!("{here}: the same value."),
        Comparison::Values(false) => format!("{here}: the text comes to another value with these numbers."),
        Comparison::Sizes(own, size) => {
            format!("{here}: the value has {own} elements, and the text comes to {size} with these numbers.")
        }
        Comparison::Offsets { wrong, compared } => match wrong.len() {
            0 => format!("{here}: the same offsets at all {compared} coordinates."),
            count => format!("{here}: {count} of {compared} offsets differ."),
        },
    };
    let scene = match &comparison {
        // The same function: the only thing to see of an operation on numbers.
        Comparison::Offsets { wrong, .. } if wrong.is_empty() => scene(right, view),
        Comparison::Offsets { wrong, .. } => offsets(&value, view)
            .map(|scene| scene.highlight(|cell| wrong.binary_search(&cell.index).is_ok())),
        _ => offsets(&value, view),
    };
    (names, scene)
}

fn offsets(value: &Value, view: &View) -> Option<Scene> {
    value.picture(&view.options()).ok()
}

/// A value at these numbers, compared with the text evaluated with them.
enum Comparison {
    /// Unknown: a `?` of the text has no name, or there are too many offsets to enumerate.
    Open,
    /// Whether they are equal, if at most one of them has offsets.
    Values(bool),
    /// The two sizes, which differ.
    Sizes(i64, i64),
    /// The indices whose offsets differ, in order.
    Offsets { wrong: Vec<i64>, compared: i64 },
}

impl Comparison {
    fn of(value: &Value, other: &Value) -> Comparison {
        if other.is_symbolic() {
            return Comparison::Open;
        }
        let (Some(own), Some(right)) = (value.domain(), other.domain()) else {
            return Comparison::Values(value.to_string() == other.to_string());
        };
        let (own, right) = (own.size(), right.size());
        if own != right {
            return Comparison::Sizes(own, right);
        }
        if own > MAX_COMPARED {
            return Comparison::Open;
        }
        let offset = |value: &Value, index| value.evaluate(&HTuple::leaf(index)).and_then(Result::ok);
        let wrong = (0..own).filter(|&index| offset(value, index) != offset(other, index)).collect();
        Comparison::Offsets { wrong, compared: own }
    }

    fn agrees(&self) -> Option<bool> {
        match self {
            Comparison::Open => None,
            Comparison::Values(same) => Some(*same),
            Comparison::Sizes(..) => Some(false),
            Comparison::Offsets { wrong, .. } => Some(wrong.is_empty()),
        }
    }
}

/// The scene of a text: for a value with names, of the value at numbers.
pub fn scene_of(
    source: &Source,
    view: &View,
    session: &Session,
    trace: &Trace,
) -> (Option<Names>, Option<Scene>) {
    match at(source, view, session, trace) {
        Some((names, scene)) => (Some(names), scene),
        None => (None, scene(trace, view)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    fn pane(text: &str, names: &str) -> Value {
        let text = serde_json::to_string(text).unwrap();
        let question = format!(r#"{{"ask":"pane","text":{text},"view":{{"names":{names}}}}}"#);
        serde_json::from_str(&crate::answer(&question)).unwrap()
    }

    #[test]
    fn where_the_guard_holds_all_offsets_are_right() {
        let pane = pane("(M,K):(1,ld) o 64:3", r#"{"M":100,"K":4,"ld":100}"#);
        let names = &pane["names"];
        assert_eq!(names["clauses"][0]["text"], "ld == M or M >= 190");
        assert_eq!(names["clauses"][0]["holds"], true);
        assert_eq!(names["agrees"], true);
        assert_eq!(names["sentence"], "The guard holds here: the same offsets at all 64 coordinates.");
        assert_eq!(names["right"], Value::Null);
        assert!(pane["picture"]["svg"].is_string());
    }

    #[test]
    fn where_the_guard_fails_cells_are_marked() {
        // Two steps of 3 reach the next column, which begins at 9, but the value continues in the same column.
        let pane = pane("(M,K):(1,ld) o 8:3", r#"{"M":6,"K":4,"ld":9}"#);
        let names = &pane["names"];
        assert_eq!(names["clauses"][0]["holds"], false);
        assert_eq!((&names["agrees"], &names["right"]), (&false.into(), &"(2,4):(3,9)".into()), "{names}");
        assert_eq!(names["sentence"], "The guard fails here: 6 of 8 offsets differ.");
        let svg = pane["picture"]["svg"].as_str().unwrap();
        assert_eq!(svg.matches(r#"class="highlight""#).count(), 6);
    }

    #[test]
    fn facts_that_fail_are_named() {
        let pane = pane("assume M % 128 == 0; (M,K):(1,M) / 128", r#"{"M":100}"#);
        let names = &pane["names"];
        assert_eq!(names["broken"][0], "M % 128 == 0");
        assert!(names["sentence"].as_str().unwrap().starts_with("A fact fails here"));
    }

    #[test]
    fn small_values_that_are_admitted_are_found() {
        for text in [
            "(M,K):(1,ld)",
            "assume M % 128 == 0; (M,K):(1,M) / 128",
            "(M,K):(1,ld) o 64:3",
            "(M,K):(K,1) / <64,32>",
            "assume ld >= M, ld % 8 == 0; coalesce((M,4):(1,ld))",
            "(192,?):(1,192)",
            "(M,K):(1,ld)(_,2)",
        ] {
            let pane = pane(text, "{}");
            let names = &pane["names"];
            assert_eq!(names["broken"].as_array().map(Vec::len), Some(0), "{text}: {pane}");
            let clauses = names["clauses"].as_array().unwrap();
            assert!(clauses.iter().all(|clause| clause["holds"] == true), "{text}: {names}");
        }
    }

    #[test]
    fn what_is_not_known_or_has_no_offsets_is_not_counted() {
        // A `?` has no name that could get a number, so there is nothing to compare with.
        let open = pane("(192,?):(1,192)", "{}");
        assert_eq!((&open["names"]["agrees"], &open["names"]["right"]), (&Value::Null, &Value::Null));
        assert_eq!(open["names"]["sentence"], "The guard holds here.");
        assert!(open["picture"]["svg"].is_string());
        let number = pane("size((M,8):(8,1))", r#"{"M":3}"#);
        assert_eq!(number["names"]["agrees"], true);
        assert_eq!(number["names"]["sentence"], "The guard holds here: the same value.");
    }

    #[test]
    fn odd_values_are_answered_with_a_sentence() {
        for value in ["0", "-1", "9223372036854775807", "4611686018427387904"] {
            for text in ["(M,K):(1,ld) o 64:3", "(M,M):(M,1)", "size((M,M,M):(1,M,M))", "(M,4):(1,M) / 4"] {
                let pane = pane(text, &format!(r#"{{"M":{value}}}"#));
                assert!(!pane["names"]["sentence"].as_str().unwrap().is_empty(), "{text} at {value}: {pane}");
            }
        }
    }
}
