//! What is printed parses back to the same value, for every kind of value.

use crate::oracle::{Axis, Nest, Step};
use crate::random::{self, Case, Random, check, check_layout, check_seeded};
use std::fmt::{Debug, Display};
use std::str::FromStr;
use tilework::{
    Composed, Error, HTuple, Layout, MAX_LEAVES, Pattern, PatternLeaf, Shape, Strides, Swizzle, Tiler, View,
    layout,
};

/// A layout with strides of any codomain.
pub fn any_layout(rng: &mut Random) -> Nest {
    let nest = random::layout(rng, 6, 5000);
    let kind = rng.range(0, 4);
    let paths = random::addresses(rng, &nest);
    let mut leaves = nest.leaves().into_iter();
    nest.replace_leaves(&mut || {
        let (extent, step) = leaves.next().unwrap();
        let count = step.count.0;
        let path: Vec<usize> = rng.pick(&paths).clone();
        let step = match kind {
            0 => Step { count: reduced(count, rng.range(1, 12)), unit: Axis::One },
            1 => Step::xor(count.abs()),
            2 if !paths.contains(&vec![]) => Step::basis(count, &path),
            3 if !paths.contains(&vec![]) && count != 0 => {
                Step { count: reduced(count, rng.range(1, 6)), unit: Axis::Basis(path) }
            }
            _ => step,
        };
        Nest::Leaf(extent, step)
    })
}

fn reduced(numerator: i128, denominator: i128) -> (i128, i128) {
    let divisor = crate::oracle::gcd(numerator, denominator);
    (numerator / divisor, denominator / divisor)
}

fn round_trip<T>(value: &T) -> Result<(), String>
where
    T: FromStr<Err = Error> + Display + Debug + PartialEq,
{
    let text = value.to_string();
    match text.parse::<T>() {
        Ok(again) if again == *value && again.to_string() == text => Ok(()),
        other => Err(format!("`{text}` parses to {other:?}")),
    }
}

#[test]
fn layouts_and_their_parts() {
    let mut seen = std::collections::HashSet::new();
    let generate = |rng: &mut Random| any_layout(rng);
    check_layout("layout text", 40_000, generate, |l, layout| {
        seen.insert(layout.codomain());
        if layout.to_string() != l.text() {
            return Err(format!("printed as {layout}"));
        }
        if layout.to_text().as_str() != l.text() || format!("{layout:?}") != l.text() {
            return Err("to_text and Debug print otherwise".into());
        }
        if Nest::of(&l.text().parse::<Layout>().map_err(|error| error.to_string())?) != *l {
            return Err("parsed to something else".into());
        }
        round_trip(&layout)?;
        round_trip::<Shape>(&layout.shape())?;
        round_trip::<Strides>(&layout.stride())?;
        for stride in layout.stride().leaves() {
            let one: Strides = stride.to_string().parse().map_err(|error: Error| error.to_string())?;
            if one.leaves() != [*stride] {
                return Err(format!("{stride}"));
            }
        }
        Ok(())
    });
    assert_eq!(seen.len(), 4, "{seen:?}");
}

/// White space, static integers, the other spellings of a layout: the same value.
#[test]
fn other_spellings_of_a_layout() {
    check_seeded("spellings", 20_000, any_layout, |l, layout, mut rng| {
        let text = l.text();
        let (shape, stride) = text.split_once(':').unwrap();
        let mut spaced = String::new();
        for character in text.chars() {
            let separates = "(),:".contains(character);
            for around in [true, false] {
                if separates && rng.once_in(3) {
                    spaced.push(*rng.pick(&[' ', '\n', '\t']));
                }
                if around {
                    spaced.push(character);
                }
            }
        }
        let mut underscored = String::new();
        let mut before = '(';
        for character in text.chars() {
            let starts = character.is_ascii_digit() && "(,:".contains(before);
            underscored.push_str(if starts && rng.once_in(2) { "_" } else { "" });
            underscored.push(character);
            before = character;
        }
        let mut spellings = vec![
            spaced,
            underscored,
            format!("Layout({shape},{stride})"),
            format!("Layout({shape}, {stride})"),
            format!("!cute.layout<\"{text}\">"),
            text.replace('^', "F"),
            text.replace('^', "f"),
        ];
        if let Nest::Tuple(modes) = l
            && modes.len() > 1
        {
            // A tuple of layouts is their concatenation.
            let modes: Vec<String> = modes.iter().map(Nest::text).collect();
            spellings.push(format!("({})", modes.join(",")));
        }
        for spelling in spellings {
            match spelling.parse::<Layout>() {
                Ok(same) if same == layout => {}
                other => return Err(format!("`{spelling}` parses to {other:?}")),
            }
        }
        Ok(())
    });
}

pub fn any_tiler(rng: &mut Random, depth: usize) -> Tiler {
    if depth > 0 && rng.once_in(2) {
        let tiles: Vec<Tiler> = (0..rng.range(1, 3)).map(|_| any_tiler(rng, depth - 1)).collect();
        return Tiler::by_mode(&tiles).unwrap_or(Tiler::HOLE);
    }
    match any_layout(rng).layout() {
        Some(layout) if !rng.once_in(5) => layout.as_tiler(),
        _ => Tiler::HOLE,
    }
}

#[test]
fn tilers_have_as_many_tiles_as_a_layout_has_leaves() {
    for count in 1..=MAX_LEAVES {
        let tiler = Tiler::by_mode(&vec![layout!(4:2).as_tiler(); count]).unwrap();
        round_trip(&tiler).unwrap();
        let shape = HTuple::tuple(&vec![HTuple::leaf(4i64); count]).unwrap();
        let within = Tiler::by_mode(&[Tiler::of_shape(shape).unwrap()]).unwrap();
        round_trip(&within).unwrap();
    }
    let text = format!("<{}4>", "4,".repeat(MAX_LEAVES));
    assert!(matches!(text.parse::<Tiler>(), Err(Error::Capacity { limit: MAX_LEAVES, .. })));
}

fn any_pattern(rng: &mut Random, depth: usize) -> Pattern {
    if depth > 0 && rng.once_in(2) {
        let modes: Vec<Pattern> = (0..rng.range(1, 3)).map(|_| any_pattern(rng, depth - 1)).collect();
        return Pattern::tuple(&modes).unwrap();
    }
    Pattern::leaf(if rng.once_in(2) { PatternLeaf::All } else { PatternLeaf::At(rng.range(-3, 99) as i64) })
}

fn any_tuple(rng: &mut Random, depth: usize) -> HTuple<i64> {
    if depth > 0 && rng.once_in(2) {
        let modes: Vec<HTuple<i64>> = (0..rng.range(0, 3)).map(|_| any_tuple(rng, depth - 1)).collect();
        return if modes.is_empty() { HTuple::empty(0) } else { HTuple::tuple(&modes).unwrap() };
    }
    HTuple::leaf(*rng.pick(&[0, 1, -1, 7, i64::MAX, i64::MIN]))
}

#[test]
fn tilers_patterns_tuples_views_and_swizzled_layouts() {
    let (mut views, mut swizzled) = (0, 0);
    check("text of the rest", 30_000, random::seed, |case| {
        let mut rng = Random::new(case.numbers[0] as u64);
        round_trip(&any_tiler(&mut rng, 3))?;
        round_trip(&any_pattern(&mut rng, 4))?;
        round_trip(&any_tuple(&mut rng, 4))?;
        let Some(layout) = any_layout(&mut rng).layout() else { return Ok(()) };
        let fixed = Pattern::leaf(PatternLeaf::At(rng.range(-5, 5) as i64));
        let of = Nest::of(&layout);
        if let Nest::Tuple(modes) = &of {
            let places: Vec<Pattern> = modes
                .iter()
                .map(|_| if rng.once_in(2) { fixed } else { Pattern::leaf(PatternLeaf::All) })
                .collect();
            if !places.is_empty()
                && let Ok(view) = layout.slice(&Pattern::tuple(&places).unwrap())
            {
                views += 1;
                round_trip::<View>(&view)?;
            }
        }
        let (bits, base) = (rng.range(0, 4) as i64, rng.range(0, 8) as i64);
        let shift = bits + rng.range(0, 4) as i64;
        let shift = if rng.once_in(2) { -shift } else { shift };
        let swizzle = Swizzle::new(bits, base, shift).map_err(|error| error.to_string())?;
        if swizzle.to_string().parse() != Ok(swizzle)
            || swizzle.to_string().replace("Sw", "S").parse() != Ok(swizzle)
        {
            return Err(swizzle.to_string());
        }
        if let Ok(composed) = Composed::new(swizzle, rng.range(-9, 99) as i64, layout) {
            swizzled += 1;
            round_trip::<Composed>(&composed)?;
        }
        Ok(())
    });
    assert!(views > 0 && swizzled > 0);
}

/// A shape alone is the compact layout, first mode fastest, where a layout is wanted.
#[test]
fn a_shape_is_a_compact_layout() {
    let generate = |rng: &mut Random| Case::layouts([random::layout(rng, 5, 500)]);
    check("shape as layout", 5_000, generate, |case| {
        let l = &case.layouts[0];
        let mut stride = 1;
        let mut leaves = l.leaves().into_iter();
        let expected = l.replace_leaves(&mut || {
            let (extent, _) = leaves.next().unwrap();
            let own = if extent == 1 { 0 } else { stride };
            stride *= extent;
            Nest::leaf(extent, own)
        });
        let text = l.text();
        let found: Layout =
            text.split(':').next().unwrap().parse().map_err(|error: Error| error.to_string())?;
        if Nest::of(&found) == expected {
            Ok(())
        } else {
            Err(format!("{found}, expected {}", expected.text()))
        }
    });
}

#[test]
fn spellings_of_cute_and_of_the_paper() {
    for (text, value) in [
        ("(_4,_8):(_1,_4)", "(4,8):(1,4)"),
        ("(2,2):(F1,F9)", "(2,2):(^1,^9)"),
        ("(2,2):(f1,f9)", "(2,2):(^1,^9)"),
        ("(2,2):(e0,2e1)", "(2,2):(1@0,2@1)"),
        ("Layout((4,8),(1,4))", "(4,8):(1,4)"),
        ("Layout((4,8))", "(4,8):(1,4)"),
        ("((4:1))", "4:1"),
        ("(4,):(1,)", "(4):(1)"),
        ("4:0x10", "4:16"),
        ("4:2/4", "4:1/2"),
        ("(4:1,(2,3):(4,8))", "(4,(2,3)):(1,(4,8))"),
        ("(2,2):(1@0@1,1@1@1)", "(2,2):(1@0@1,1@1@1)"),
        ("!cute.layout<\"(4,8):(1,4)\">", "(4,8):(1,4)"),
    ] {
        assert_eq!(text.parse::<Layout>().map(|layout| layout.to_string()), Ok(value.to_string()), "{text}");
    }
    for (text, value) in [
        ("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        ("Sw<3,4,3> o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        ("S<3,4,3> ∘ 8 ∘ (8,64):(64,1)", "Sw<3,4,3> o 8 o (8,64):(64,1)"),
    ] {
        assert_eq!(
            text.parse::<Composed>().map(|composed| composed.to_string()),
            Ok(value.to_string()),
            "{text}"
        );
    }
    assert_eq!("⟨4:1,8:2⟩".parse::<Tiler>(), "<4:1,8:2>".parse());
    assert_eq!("<4,8>".parse::<Tiler>(), "<4:1,8:1>".parse());
    for text in [
        "(2,2):(1,^1)",
        "4:1/0",
        "0:1",
        "-4:1",
        "(4,8):(1)",
        "(2,2):(1@0,1@0@0)",
        "4:^-1",
        "",
        "(",
        "4:",
        ":1",
    ] {
        assert!(text.parse::<Layout>().is_err(), "{text}");
    }
}
