//! A name stands for its number: a text means the same with numbers, with names that `let` defines for numbers and
//! tuples, and with names that are known only at launch, once these have values. `TILEWORK_CASES` scales the number of
//! texts (1 in release, 0.05 in debug), and `TILEWORK_SEED` changes the seed.

use testkit::{Random, scaled, setting};
use tilework_expr::Session;

/// The numbers that have names.
const NAMED: [i64; 4] = [2, 3, 4, 6];

/// One text with numbers, with the names of `let`, and with those of `assume`.
#[derive(Clone, Default)]
struct Text([String; 3]);

impl Text {
    fn plain(text: &str) -> Text {
        Text([text.into(), text.into(), text.into()])
    }

    fn push(&mut self, other: &Text) {
        for (text, other) in self.0.iter_mut().zip(&other.0) {
            text.push_str(other);
        }
    }
}

struct Writer {
    rng: Random,
    /// The definitions of the names of tuples.
    lets: String,
    tuples: usize,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        (self.rng.next() % bound as u64) as usize
    }

    fn leaf(&mut self, in_tuple: bool) -> Text {
        let number = NAMED[self.below(NAMED.len())];
        let name = Text([number.to_string(), format!("n{number}"), format!("s{number}")]);
        match self.below(10) {
            0 | 1 => Text::plain(["2", "3", "5", "6"][self.below(4)]),
            // A calculation, by itself and in parentheses.
            2 => Text(name.0.map(|name| format!("{name}*2"))),
            3 => Text(name.0.map(|name| format!("({name}*2)"))),
            // Beside `:` this would be a product with the layout, as `4:3 * 2` is.
            4 if in_tuple => Text(name.0.map(|name| format!("({name}+1)*2"))),
            _ => name,
        }
    }

    /// Two tuples of one nesting, mostly.
    fn pair(&mut self, depth: usize, in_tuple: bool) -> [Text; 2] {
        if self.below(60) == 0 {
            return [self.pair(depth, in_tuple)[0].clone(), self.leaf(in_tuple)];
        }
        if depth == 0 || self.below(4) == 0 {
            return [self.leaf(in_tuple), self.leaf(in_tuple)];
        }
        let mut pair = [Text::plain("("), Text::plain("(")];
        let rank = [1, 1, 2, 2, 3][self.below(5)];
        for index in 0..rank {
            for (text, mode) in pair.iter_mut().zip(self.pair(depth - 1, true)) {
                text.push(&Text::plain(if index > 0 { "," } else { "" }));
                text.push(&mode);
            }
        }
        pair.map(|mut text| {
            text.push(&Text::plain(")"));
            // By itself `(n2*2)` is a number.
            if rank > 1 && self.below(6) == 0 {
                self.lets.push_str(&format!("let t{} = {}; ", self.tuples, text.0[0]));
                text.0[1] = format!("t{}", self.tuples);
                self.tuples += 1;
            }
            text
        })
    }

    /// A form with its `S` and `D`, of one nesting, `T`, and `c`, a number or a coordinate, written out.
    fn written(&mut self, form: &str) -> Text {
        let depth = 1 + self.below(3);
        let [shape, stride] = self.pair(depth, false);
        let depth = self.below(3);
        let [tile, coordinate] = self.pair(depth, false);
        let mut text = Text::default();
        for letter in form.chars() {
            text.push(match letter {
                'S' => &shape,
                'D' => &stride,
                'T' => &tile,
                'C' => &coordinate,
                _ => {
                    text.push(&Text::plain(&letter.to_string()));
                    continue;
                }
            });
        }
        text
    }
}

/// The places of tuples and numbers. Those up to `[S, T]` have an answer with unknown names too, and those from `(S:D) o T`
/// on one in another form, chosen for other numbers.
const FORMS: [&str; 36] = [
    "S:D",
    "layout(S, D)",
    "(S:D)",
    "get((S:D, S:D), 0)",
    "rank(S:D)",
    "depth(S:D)",
    "size(S:D)",
    "rank(S)",
    "depth(S)",
    "shape(S:D)",
    "stride(S:D)",
    "congruent(S, D)",
    "congruent(S, T)",
    "S",
    "(S,T)",
    "[S, T]",
    "weakly_congruent(T, S)",
    "compatible(T, S)",
    "flatten(S:D)",
    "row_major(S)",
    "(S:D)(C)",
    "(S:D)(C,T)",
    "crd2idx(C, S)",
    "idx2crd(C, S)",
    "<S,T>",
    "{C} o S:D",
    "unflatten(24:1, S)",
    "T*2",
    "2*T + 1",
    "make_shape(S, T)",
    "(S:D) o T",
    "S:D o T:C",
    "(S:D) / T",
    "zipped_divide(S:D, T)",
    "(S:D) o <T>",
    "upcast(S:D, T)",
];

fn told(session: &mut Session, text: &str) -> Result<String, &'static str> {
    session.evaluate(text).map(|value| format!("{value}, {}", value.kind())).map_err(|error| error.code)
}

#[test]
fn names_and_numbers_mean_the_same() {
    let count = scaled(2000, 0.05);
    let mut writer = Writer { rng: Random::new(setting("TILEWORK_SEED", 1)), lets: String::new(), tuples: 0 };
    let facts = NAMED.map(|number| format!("s{number} >= 1")).join(", ");
    let values = NAMED.map(|number| format!("s{number} = {number}")).join(", ");
    for (place, form) in FORMS.iter().enumerate() {
        let (mut answered, mut known_at_launch) = (0, 0);
        for _ in 0..count {
            writer.lets = NAMED.map(|number| format!("let n{number} = {number}; ")).concat();
            writer.tuples = 0;
            let Text([numbers, names, unknown]) = writer.written(form);
            let expected = told(&mut Session::new(), &numbers);
            let steps = writer.lets.clone() + &names;
            assert_eq!(told(&mut Session::new(), &steps), expected, "{steps}\n{numbers}");
            answered += usize::from(expected.is_ok());

            if place > 29 {
                continue;
            }
            let unknown = format!("assume {facts}; {unknown} at {values}");
            match (told(&mut Session::new(), &unknown), &expected) {
                (Ok(found), expected) => {
                    assert_eq!(Ok(&found), expected.as_ref(), "{unknown}\n{numbers}");
                    known_at_launch += 1;
                }
                (Err(code), Ok(_)) => assert!(place > 15, "{unknown}: {code}\n{numbers}"),
                (Err(_), Err(_)) => {}
            }
        }
        assert!(answered * 50 > count, "{form}: {answered} of {count} answered");
        assert!(known_at_launch * 3 > count || place > 15, "{form}: {known_at_launch} of {count} at launch");
    }
}

/// Strides of basis elements, written in all ways, beside a name are read as beside its value.
#[test]
fn strides_of_elements_are_read_alike_with_a_name_and_with_its_value() {
    let mut random = Random::named("strides of elements");
    let mut counts = [0; 3];
    for _ in 0..scaled(20_000, 0.1) {
        let element = |random: &mut Random, index: usize| {
            let (count, other) = (random.range(1, 4), random.range(1, 3));
            match random.range(0, 5) {
                0 => format!("e{index}"),
                1 => format!("{count}@{index}"),
                2 => format!("{count}*e{index}"),
                3 => format!("({count}*e{index})"),
                4 => format!("({count}+{other})*e{index}"),
                _ => format!("{count}*{other}*e{index}"),
            }
        };
        let stride = |random: &mut Random| {
            let (first, second) = (element(random, 0), element(random, 1));
            let (first, second) = if random.range(0, 1) == 0 { (second, first) } else { (first, second) };
            match random.range(0, 4) {
                0 => format!("({first}+{second})"),
                1 => format!("({first} - {second})"),
                2 => format!("{first}+{second}"),
                _ => first,
            }
        };
        let (one, two) = (stride(&mut random), stride(&mut random));
        let text = match random.range(0, 3) {
            0 => format!("M:{one}"),
            1 => format!("(M):({one})"),
            2 => format!("(M,3):({one},{two})"),
            _ => format!("((M,2),3):(({two},{one}),{two})"),
        };
        let told = |text: &str| Session::new().evaluate(text).map(|value| value.to_string());
        match (told(&format!("({text})[M=4]")), told(&text.replace('M', "4"))) {
            (Ok(named), Ok(given)) => {
                assert_eq!(named, given, "{text}");
                let printed = told(&text).unwrap();
                assert_eq!(told(&printed), Ok(printed), "{text}");
                counts[0] += 1;
            }
            (Err(_), Err(_)) => counts[1] += 1,
            (named, given) => panic!("{text}: {named:?} with a name, {given:?} with its value"),
        }
    }
    println!("strides of elements: {counts:?}");
    assert!(counts[0] > counts[1]);
}
