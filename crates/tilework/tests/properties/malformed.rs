//! Malformed text: an error with a position inside the text, never a panic.

use crate::random::{self, Random, cases, check};
use crate::text::{any_layout, any_tiler};
use tilework::__private::Reader;
use tilework::{Composed, Error, HTuple, Layout, Pattern, Strides, Swizzle, Tiler, View};

/// What text is put together of, between bars.
const PIECES: &str = "(|)|,|:|<|>|{|}|@|/|^|_|-|o|∘|⟨|⟩|F|f|e|S<|Sw<|Layout(|!cute.layout<\"|\">|\"| |\n|\t|\0|é|日|0|1|7|\
32|0x|0xff|-1|_4|_-4|9223372036854775807|9223372036854775808|-9223372036854775808|\
18446744073709551615|99999999999999999999999|1/2|1/0|-1/2|1@0|1@0@1|e1|2e31|2e32|^9|()|(())|4:1|\
(4,8):(1,4)|Sw<3,4,3> o ";

fn piece(rng: &mut Random) -> &'static str {
    let pieces: Vec<&str> = PIECES.split('|').collect();
    pieces[rng.range(0, pieces.len() as i128 - 1) as usize]
}

fn mutated(rng: &mut Random) -> String {
    let mut text = match rng.range(0, 4) {
        0 => any_layout(rng).text(),
        1 => any_tiler(rng, 2).to_string(),
        2 => format!(
            "Sw<{},{},{}> o {} o {}",
            rng.range(-1, 70),
            rng.range(-1, 70),
            rng.range(-70, 70),
            rng.range(-9, 9),
            any_layout(rng).text()
        ),
        3 => format!("{{{}}} o {}", rng.range(-9, 9), any_layout(rng).text()),
        _ => String::new(),
    };
    for _ in 0..rng.range(0, 5) {
        let places: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        let at = *rng.pick(&places);
        match rng.range(0, 5) {
            0 => text.truncate(at),
            1 if at < text.len() => {
                text.remove(at);
            }
            2 => {
                let end = *rng.pick(&places);
                let part = text[at.min(end)..at.max(end)].to_string();
                text.insert_str(at, &part);
            }
            3 => text.insert_str(at, &piece(rng).repeat(rng.range(1, 70) as usize)),
            _ => {
                let piece = piece(rng);
                text.insert_str(at, piece);
            }
        }
    }
    text
}

fn position(text: &str, error: Error) -> Result<(), String> {
    if error.message().as_str().is_empty() || error.code().is_empty() {
        return Err(format!("an error without words: {error:?}"));
    }
    match error {
        Error::Syntax { at, expected }
            if at > text.len() || expected.is_empty() || !text.is_char_boundary(at) =>
        {
            Err(format!("`{text}`: position {at} of {}", text.len()))
        }
        _ => Ok(()),
    }
}

/// Parses the text as everything; what it accepts prints and parses again.
fn as_everything(text: &str) -> Result<usize, String> {
    let mut accepted = 0;
    macro_rules! parse {
        ($($type:ty)*) => {$(
            match text.parse::<$type>() {
                Ok(value) => {
                    accepted += 1;
                    let again = value.to_string();
                    if again.parse::<$type>() != Ok(value) {
                        return Err(format!("`{text}` as {}: `{again}`", stringify!($type)));
                    }
                }
                Err(error) => position(text, error)?,
            }
        )*};
    }
    parse!(Layout Tiler HTuple<i64> Strides Pattern Swizzle Composed View);
    Ok(accepted)
}

#[test]
fn mutated_text_never_panics() {
    let (mut accepted, mut all) = (0, 0);
    check("mutations", 100_000, random::seed, |case| {
        let text = mutated(&mut Random::new(case.numbers[0] as u64));
        all += 1;
        accepted += (as_everything(&text).map_err(|message| format!("{message} ({text})"))? > 0) as usize;
        Ok(())
    });
    println!("{all} texts, {accepted} of them accepted as something");
    assert!(accepted > 0 && accepted < all);
}

#[test]
fn text_of_pieces_never_panics() {
    let mut rng = Random::new(11);
    for _ in 0..cases(50_000) {
        let text: String = (0..rng.range(0, 14)).map(|_| piece(&mut rng)).collect();
        if let Err(message) = as_everything(&text) {
            panic!("{message} ({text})");
        }
    }
}

#[test]
fn deep_and_long_text_is_refused() {
    for count in [31, 32, 33, 62, 63, 64, 65, 1000, 100_000] {
        for text in [
            "(".repeat(count),
            "((".repeat(count) + "4:1",
            "(".repeat(count) + "4" + &")".repeat(count),
            "(".repeat(count) + "4:1" + &")".repeat(count),
            "<".repeat(count),
            "<".repeat(count) + "4" + &">".repeat(count),
            "!cute.layout<\"".repeat(count),
            "1,".repeat(count),
            format!("({}1)", "1,".repeat(count)),
            format!("({}1):({}0)", "1,".repeat(count), "0,".repeat(count)),
            format!("({}4:1)", "4:1,".repeat(count)),
            format!("4:1{}", "@0".repeat(count)),
            "9".repeat(count),
            "-".repeat(count),
            " ".repeat(count),
            format!("4:{}", "_".repeat(count)),
        ] {
            if let Err(message) = as_everything(&text) {
                panic!("{message}");
            }
        }
    }
    let full = format!("({}1):({}0)", "1,".repeat(31), "0,".repeat(31));
    assert!(full.parse::<Layout>().is_ok());
    let more = format!("({}1):({}0)", "1,".repeat(32), "0,".repeat(32));
    assert_eq!(more.parse::<Layout>().unwrap_err().code(), "capacity");
}

#[test]
fn every_position_is_where_it_went_wrong() {
    for (text, at) in [
        ("(4,8):(1,4", 10),
        ("4:1 x", 4),
        ("(4,,8)", 3),
        ("4:", 2),
        ("(4;8):(1,4)", 2),
        ("4:1/0", 4),
        ("", 0),
        ("4:@1", 2),
        ("4:∘", 2),
        ("∘4:1", 0),
    ] {
        match text.parse::<Layout>() {
            Err(Error::Syntax { at: found, .. }) => assert_eq!(found, at, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    // The sentence counts as the field does: the bytes of a text, of which a sign may be several.
    let message = |error: Error| error.to_string();
    let swizzled = "S<3,4,3> ∘ 8 ∘ (8,64):(64;1)".parse::<Composed>();
    assert_eq!(swizzled.map_err(message), Err("expected `,` or `)` at byte 29".into()));
    assert_eq!("⟨4:1,é⟩".parse::<Tiler>().map_err(message), Err("expected an extent at byte 7".into()));
    // The reader itself stays inside whatever it is asked.
    let mut reader = Reader::new("4");
    assert!(reader.integer("an integer").is_ok() && reader.at_end() && reader.peek_at(100) == 0);
}
