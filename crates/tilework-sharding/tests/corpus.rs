//! The cases of `corpus/sharding`, which every front end runs: what a specification is as a layout, what a plan takes, and the
//! sentence of what is refused.

use serde_json::{Value, json};
use tilework::Shape;
use tilework_sharding::{Error, Forms, Links, Mesh, Plan, Redistribution, Sharding};

fn answer(case: &Value) -> Result<Value, Error> {
    let text = |key: &str| case[key].as_str();
    let shape: Shape = text("shape").expect("a shape").parse()?;
    let mesh = Mesh::parse(text("mesh").expect("a mesh"))?;
    let sharding = |key| Sharding::parse(&mesh, shape.leaves(), text(key).expect("a specification"));
    let from = sharding("spec")?;
    if text("to").is_none() {
        let layout = from.layout()?.to_string();
        assert!(Forms::of(&from)?.to_string().contains(&layout));
        return Ok(json!({ "layout": layout, "local": from.local_shape(), "even": from.is_even() }));
    }
    let to = sharding("to")?;
    let links = text("links").map(|links| Links::parse(&mesh, links)).transpose()?;
    let plan = match &links {
        Some(links) => Redistribution::over(&from, &to, links)?,
        None => Redistribution::new(&from, &to)?,
    };
    let bits = case["bits"].as_i64().expect("the bits of an element");
    assert!(!Plan::new(&plan, mesh.size() - 1, bits, links.as_ref(), true)?.to_string().is_empty());
    let steps = plan.collectives().map(|steps| steps.iter().map(ToString::to_string).collect::<Vec<_>>());
    let bytes = plan.most_received().map(|most| (most * bits + 7) / 8);
    Ok(json!({ "steps": steps, "by_messages": plan.steps().is_none(), "bytes": bytes }))
}

#[test]
fn every_case_of_the_corpus() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/sharding/shardings.jsonl");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let mut kinds = [0; 3];
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a case is a JSON object");
        let wanted = match &case["result"] {
            Value::Null => Err((case["code"].as_str(), case["says"].as_str().map(str::to_owned))),
            result => Ok(result.clone()),
        };
        let got = answer(&case);
        let got = got.as_ref().map_err(|error| (Some(error.code()), Some(error.to_string())));
        assert_eq!(got.cloned(), wanted, "{line}");
        kinds[if wanted.is_err() { 0 } else { 1 + usize::from(case["to"].is_string()) }] += 1;
    }
    assert!(kinds.iter().all(|&kind| kind >= 10), "refused, layouts and plans: {kinds:?}");
}

/// DTensor's compact print and JAX's `NamedSharding` are what they contain.
#[test]
fn prints_of_shardings() {
    let mesh = Mesh::parse("x=2,y=2,z=2").unwrap();
    let read = |text: &str| Sharding::parse(&mesh, &[8, 8], text);
    let letters = ["S(0)", "S(1)", "R", "P", "P(sum)", "P(max)", "_S(0, 2)"];
    let mut known = 0;
    for number in 0..letters.len().pow(3) {
        let [first, second, third] = [1, 7, 49].map(|place| letters[number / place % letters.len()]);
        let (compact, list) = (format!("{first}{second}{third}"), format!("[{first}, {second}, {third}]"));
        assert_eq!(read(&compact), read(&list), "{compact}");
        known += usize::from(read(&compact).is_ok());
    }
    assert!(known > 100, "{known}");
    let printed = "Mesh('x': 2, 'y': 2, 'z': 2";
    for spec in ["PartitionSpec('x', None)", "P(('z', 'x'), 'y')", "PartitionSpec()"] {
        for text in [
            format!("NamedSharding(mesh={printed}), spec={spec})"),
            format!(
                "NamedSharding(mesh={printed}, axis_types=(Auto, Explicit, Auto)), spec={spec}, memory_kind=device)"
            ),
            format!("NamedSharding(mesh, {spec})"),
        ] {
            assert_eq!(read(&text), read(spec), "{text}");
            assert!(read(spec).is_ok());
            for other in [text.replacen("2", "4", 1), text.replacen("'y': 2", "'w': 2", 1)] {
                assert!(other == text || read(&other).is_err(), "{other}");
            }
        }
    }
}
