//! A name stands for its number: a text means the same with numbers, with names that `let` defines for numbers and
//! tuples, and with names that are known only at launch, once these have values. `TILEWORK_CASES` scales the number of
//! texts (1 in release, 0.05 in debug), and `TILEWORK_SEED` changes the seed.

use testkit::{Random, scaled, setting};
use tilework::HTuple;
use tilework_expr::{Session, Value};

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

/// Strides of basis elements, written in all ways, beside a name are read as beside its value, and with the name of a number as with
/// that number.
#[test]
fn strides_of_elements_are_read_alike_with_a_name_and_with_its_value() {
    let mut random = Random::named("strides of elements");
    let mut counts = [0; 3];
    for _ in 0..scaled(20_000, 0.1) {
        let element = |random: &mut Random, index: usize| {
            let mut number = |most| match random.range(0, 3) {
                0 => String::from("ld"),
                _ => random.range(1, most).to_string(),
            };
            let (count, other) = (number(4), number(3));
            match random.range(0, 7) {
                0 => format!("e{index}"),
                1 => format!("{count}@{index}"),
                2 => format!("{count}*e{index}"),
                3 => format!("({count}*e{index})"),
                4 => format!("({count}+{other})*e{index}"),
                5 => format!("{count}*{other}@{index}"),
                6 => format!("{count}*{other}*{other}@{index}"),
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
        let number = text.replace("ld", "3");
        let told = |text: &str| Session::new().evaluate(text).map(|value| value.to_string());
        let defined = |text: &str| told(&format!("let ld = 3; {text}")).map_err(|_| ());
        for text in [&text, &text.replace('M', "4")] {
            assert_eq!(defined(text), told(&text.replace("ld", "3")).map_err(|_| ()), "{text}");
        }
        let text = number;
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

/// The names of a text, each with a value of its own.
struct Names {
    values: Vec<(&'static str, i64)>,
    random: Random,
}

/// A text with names, and the same with their values.
#[derive(Clone, Debug)]
struct Both([String; 2]);

impl Both {
    fn of(text: impl ToString) -> Both {
        Both([text.to_string(), text.to_string()])
    }

    /// A text with these in the places of its `$`.
    fn written(form: &str, parts: &[&Both]) -> Both {
        let mut all = ["", ""].map(String::from);
        for (index, piece) in form.split('$').enumerate() {
            for (side, text) in all.iter_mut().enumerate() {
                *text += if index > 0 { &parts[index - 1].0[side] } else { "" };
                *text += piece;
            }
        }
        Both(all)
    }

    fn tuple(parts: &[Both]) -> Both {
        let form = format!("({})", vec!["$"; parts.len()].join(","));
        Both::written(&form, &parts.iter().collect::<Vec<_>>())
    }
}

impl Names {
    fn new(mut random: Random) -> Names {
        let values =
            ["M", "K", "H", "ld"].map(|name| (name, [1, 2, 2, 3, 4, 4, 6, 8][random.range(0, 7) as usize]));
        Names { values: values.to_vec(), random }
    }

    fn below(&mut self, bound: i64) -> i64 {
        self.random.range(0, bound - 1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as i64) as usize]
    }

    fn name(&mut self) -> Both {
        let values = self.values.clone();
        let (name, value) = self.pick(&values);
        Both([name.into(), value.to_string()])
    }

    fn extent(&mut self) -> Both {
        match self.below(10) {
            0..4 => Both::of(self.pick(&[1, 2, 2, 3, 4, 4, 6, 8])),
            4..9 => self.name(),
            _ => Both::written("2*$", &[&self.name()]),
        }
    }

    fn number(&mut self) -> Both {
        match self.below(10) {
            0..5 => Both::of(self.pick(&[0, 1, 1, 2, 3, 4, 8])),
            5..8 => self.name(),
            8 => Both::written("$*$", &[&self.name(), &self.name()]),
            _ => Both::written("$+$", &[&self.name(), &Both::of(1)]),
        }
    }

    /// A stride: a number, or with `components` a multiple of a basis element or a sum of them.
    fn stride(&mut self, components: bool) -> Both {
        if !components {
            return self.number();
        }
        let term = |names: &mut Names| {
            let count = match names.below(3) {
                0 => names.name(),
                _ => Both::of(names.pick(&[1, 1, 2, 3, 4])),
            };
            let index = names.below(2);
            Both::written(&format!("$@{index}"), &[&count])
        };
        match self.below(4) {
            0 => Both::written("($+$)", &[&term(self), &term(self)]),
            _ => term(self),
        }
    }

    /// A layout; of numbers at times compact, in any order.
    fn plain(&mut self, components: bool) -> Both {
        let rank = self.pick(&[1, 1, 2, 2, 2, 3]);
        let extents: Vec<Both> = (0..rank).map(|_| self.extent()).collect();
        let strides: Vec<Both> = match !components && self.below(2) == 0 {
            false => (0..rank).map(|_| self.stride(components)).collect(),
            true => {
                let (mut order, mut strides, mut size) =
                    ((0..rank).collect::<Vec<_>>(), vec![Both::of(1); rank], Both::of(1));
                for place in (1..rank).rev() {
                    let other = self.below(place as i64 + 1) as usize;
                    order.swap(place, other);
                }
                for place in order {
                    strides[place] = size.clone();
                    size = Both::written("$*$", &[&size, &extents[place]]);
                }
                strides
            }
        };
        match rank {
            1 => Both::written("$:$", &[&extents[0], &strides[0]]),
            3 if self.below(2) == 0 => {
                let nested = |all: &[Both]| Both::tuple(&[all[0].clone(), Both::tuple(&all[1..])]);
                Both::written("$:$", &[&nested(&extents), &nested(&strides)])
            }
            _ => Both::written("$:$", &[&Both::tuple(&extents), &Both::tuple(&strides)]),
        }
    }

    /// A layout, behind an offset or a swizzle, or a tensor.
    fn layout(&mut self) -> Both {
        let components = self.below(3) == 0;
        let layout = self.plain(components);
        match self.below(10) {
            0 if components => Both::written("{($,$)} o $", &[&self.number(), &self.number(), &layout]),
            0 => Both::written("{$} o $", &[&self.number(), &layout]),
            1 => Both::written("smem_ptr[16b] o $", &[&layout]),
            2 if !components => Both::written("gmem_ptr[32b] o {$} o $", &[&self.number(), &layout]),
            3 if !components => Both::written("Sw<1,0,1> o $", &[&layout]),
            4 if !components => Both::written("make_tensor(ptr[8b], $)", &[&layout]),
            _ => layout,
        }
    }

    fn tiler(&mut self) -> Both {
        match self.below(4) {
            0 => self.extent(),
            1 => Both::tuple(&[self.extent(), self.extent()]),
            2 => Both::written("<$,$>", &[&self.plain(false), &self.plain(false)]),
            _ => {
                let components = self.below(4) == 0;
                self.plain(components)
            }
        }
    }

    fn coordinate(&mut self) -> Both {
        match self.below(4) {
            0 => self.number(),
            1 => Both::tuple(&[self.number(), self.number()]),
            2 => Both::tuple(&[self.number(), Both::of("_")]),
            _ => Both::tuple(&[Both::of("_"), self.number()]),
        }
    }

    fn shape(&mut self) -> Both {
        match self.below(3) {
            0 => self.extent(),
            1 => Both::tuple(&[self.extent(), self.extent()]),
            _ => self.plain(false),
        }
    }

    /// The operand for which a letter of a form stands.
    fn operand(&mut self, letter: char) -> Option<Both> {
        Some(match letter {
            'L' => self.layout(),
            'T' => self.tiler(),
            'C' => self.coordinate(),
            'S' => self.shape(),
            'P' => Both::of(self.pick(&["4:1", "(2,2):(2,1)", "(2,4):(4,1)", "(2,2)", "(2,2):(1,0)"])),
            'N' => self.number(),
            _ => return None,
        })
    }

    /// A form with its operands written out.
    fn filled(&mut self, form: &str) -> Both {
        let mut text = Both::of("");
        for letter in form.chars() {
            let part = self.operand(letter).unwrap_or_else(|| Both::of(letter));
            text = Both::written("$$", &[&text, &part]);
        }
        text
    }
}

/// Every operation that has names, with its operands: a layout, a tiler, a coordinate, a shape, a number.
const OPERATIONS: [&str; 80] = [
    "size(L)",
    "rank(L)",
    "depth(L)",
    "shape(L)",
    "stride(L)",
    "cosize(L)",
    "min(L)",
    "max(L)",
    "span(L)",
    "image(L)",
    "size<0>(L)",
    "layout(L)",
    "layout(L, L)",
    "column_major(S)",
    "row_major(S)",
    "identity(S)",
    "make_tensor(ptr[8b], L)",
    "make_tensor(C, L)",
    "make_tensor<16>(L)",
    "make_fragment(L, 8)",
    "from_image((N,N))",
    "evaluate(L, C)",
    "(L)(C)",
    "crd2idx(C, S)",
    "crd2idx(C, L)",
    "idx2crd(N, S)",
    "in_bounds(C, S)",
    "slice(L, C)",
    "ceil_div(N, N)",
    "mode_sizes(S)",
    "get<0>(L)",
    "flatten(L)",
    "unflatten(L, S)",
    "group<0,2>(L)",
    "take<0,1>(L)",
    "select<1,0>(L)",
    "append(L, L)",
    "prepend<3>(L)",
    "replace(L, 0, L)",
    "einfold(\"a b -> b a\", L)",
    "coalesce(L)",
    "coalesce(L, <_,_>)",
    "coalesce_extended(L)",
    "filter(L)",
    "filter(L, <_,_>)",
    "composition(L, T)",
    "(L) o (T)",
    "complement(L)",
    "complement(L, S)",
    "complement(L, <_,_>)",
    "right_inverse(L)",
    "right_inverse(L, <_,_>)",
    "left_inverse(L)",
    "left_inverse(L, <_,_>)",
    "inverse(L)",
    "logical_divide(L, T)",
    "zipped_divide(L, T)",
    "tiled_divide(L, T)",
    "flat_divide(L, T)",
    "local_tile(L, T, C)",
    "local_partition(L, P, N)",
    "logical_product(L, T)",
    "blocked_product(L, L)",
    "raked_product(L, L)",
    "common_layout(L, L)",
    "common_vector(L, L)",
    "max_vector(L, 8)",
    "compatible(S, S)",
    "congruent(S, S)",
    "weakly_congruent(S, S)",
    "equivalent(L, L)",
    "is_disjoint(L, L)",
    "is_injective(L)",
    "is_surjective(L)",
    "is_compact(L)",
    "is_increasing(L)",
    "is_composable(L, T)",
    "is_complementable(L, S)",
    "fits(L, 4)",
    "is_vector(L, 2)",
];

/// Operations that take names only where they get values.
const OF_NUMBERS: &[&str] = &[
    "linear_form(L)",
    "shape_div(S, N)",
    "tile_to_shape(L, S)",
    "sort(L)",
    "compact_like(L)",
    "contiguity(L)",
    "size(sort(L)) + N",
    "nullspace(L)",
];

/// The offset at an index, without what is 0 at its end: the components that no mode has.
fn offset(value: &Value, index: i64) -> Vec<i64> {
    let offset = value.evaluate(&HTuple::leaf(index)).unwrap().unwrap();
    let mut numbers: Vec<i64> = offset.leaves().iter().map(|own| own.numerator()).collect();
    numbers.truncate(numbers.iter().rposition(|own| *own != 0).map_or(0, |last| last + 1));
    numbers
}

/// Whether two values are one function, of the same elements; a complement also beyond its extents, mode by mode.
fn same_function(form: &str, found: &Value, expected: &Value) -> bool {
    let (Some(own), Some(other)) = (found.domain(), expected.domain()) else { return false };
    if form.starts_with("complement") && !form.contains('S') {
        let modes = |layout: &tilework::Layout| -> Vec<Value> {
            (0..layout.rank()).map(|mode| layout.mode(mode).unwrap().into()).collect()
        };
        let (own, other) = if form.contains('_') || own.codomain() == tilework::Codomain::Coordinate {
            (modes(own), modes(other))
        } else {
            (vec![found.clone()], vec![expected.clone()])
        };
        return own.len() == other.len()
            && own
                .iter()
                .zip(&other)
                .all(|(own, other)| (0..50).all(|index| offset(own, index) == offset(other, index)));
    }
    found.element_bits() == expected.element_bits()
        && own.size() == other.size()
        && (0..own.size()).all(|index| offset(found, index) == offset(expected, index))
}

/// Whether an answer for all values is right for these, where that to numbers is larger or another one.
fn is_right(form: &str, numbers: &str, found: &Value, expected: &Value) -> bool {
    let function = form.split('(').next().unwrap();
    let inside = numbers.strip_prefix(function).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
    if let ("common_layout" | "common_vector", Some(inside)) = (function, inside) {
        // Both have the same offsets there: of a number, as long as those of the layout that it is the size of.
        let (mut depth, mut at) = (0, 0);
        for (place, byte) in inside.bytes().enumerate() {
            depth += i32::from(b"(<{[".contains(&byte)) - i32::from(b")>}]".contains(&byte));
            at = if depth == 0 && byte == b',' { place } else { at };
        }
        let value = |text: &str| Session::new().evaluate(text).unwrap().clone();
        let (left, right) = (value(&inside[..at]), value(&inside[at + 1..]));
        let Some(common) = found.domain() else {
            return found.as_integer() <= expected.as_integer() || inside.contains('+');
        };
        return (0..common.size()).all(|index| {
            let index = common.evaluate(&HTuple::leaf(index)).unwrap().leaves()[0].numerator();
            offset(&left, index) == offset(&right, index)
        });
    }
    let operand = inside;
    let operand = operand.map(|operand| operand.trim_end_matches(", <_,_>"));
    let operand = operand.and_then(|operand| Session::new().evaluate(operand).cloned().ok());
    if let (true, Some(operand)) = (form.contains("<_") && function.ends_with("inverse"), &operand) {
        let modes = |value: &Value| {
            let domain = value.domain().unwrap();
            (0..domain.rank()).map(|mode| Value::from(domain.mode(mode).unwrap())).collect::<Vec<_>>()
        };
        let all = [operand, found, expected].map(modes);
        let of = |mode: usize| {
            let [own, found, expected] = [0, 1, 2].map(|side| &all[side][mode]);
            same_function(form, found, expected) || is_right_of(function, Some(own.clone()), found, expected)
        };
        return all.iter().all(|modes| modes.len() == all[0].len()) && (0..all[0].len()).all(of);
    }
    is_right_of(function, operand, found, expected)
}

fn is_right_of(function: &str, operand: Option<Value>, found: &Value, expected: &Value) -> bool {
    if function == "max_vector" {
        return found.as_integer() <= expected.as_integer();
    }
    let (Some(own), Some(other)) = (found.domain(), expected.domain()) else { return false };
    let at = |value: &Value, coord: &Value| {
        let offset = value.evaluate(&coord.as_coord()?)?.ok()?;
        Value::offset(&offset).ok()
    };
    let index = |index: i64| Value::integer(index);
    match (function, operand) {
        ("right_inverse", Some(operand)) => {
            let sizes = own.shape().mode_sizes().unwrap();
            let natural = |index: i64| match operand.domain().unwrap().codomain() {
                tilework::Codomain::Coordinate => {
                    sizes.idx2crd(&HTuple::leaf(index)).unwrap().leaves().to_vec()
                }
                _ => vec![index],
            };
            let through =
                |place| Some(at(&operand, &at(found, &index(place))?)?.as_coord()?.leaves().to_vec());
            let trimmed = |mut all: Vec<i64>| {
                all.truncate(all.iter().rposition(|own| *own != 0).map_or(0, |last| last + 1));
                all
            };
            own.size() <= other.size()
                && (0..own.size()).all(|place| through(place).map(trimmed) == Some(trimmed(natural(place))))
        }
        ("left_inverse", Some(operand)) => (0..operand.domain().unwrap().size()).all(|place| {
            let there = at(&operand, &index(place));
            there.as_ref().and_then(|there| at(&operand, &at(found, there)?)) == there
        }),
        _ => false,
    }
}

/// Whether names have an answer where numbers are refused with this code: questions about layouts with offsets, and
/// inverses.
fn is_more(form: &str, numbers: &str, found: &Value, code: &str) -> bool {
    match code {
        "kind" => matches!(form, "equivalent(L, L)" | "is_compact(L)"),
        "codomain" => numbers.contains("inverse({("),
        "mixed-codomain" | "not-xor-linear" => form.contains("<_") || is_right(form, numbers, found, found),
        _ => false,
    }
}

/// The answer to a text with names, at their values, is that to the text with these values: in every operation, of layouts
/// with integer strides, coordinates and sums, with offsets, swizzles and pointers.
#[test]
fn operations_with_names_are_those_with_their_values() {
    let (count, seed): (_, u64) = (scaled(260, 0.05), setting("TILEWORK_SEED", 1));
    let mut counts = [0; 5];
    for (place, form) in OPERATIONS.iter().chain(OF_NUMBERS).enumerate() {
        let mut equal = 0;
        for case in 0..count {
            let case = case as u64;
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(place as u64 * 100_003 + case);
            let mut names = Names::new(Random::new(seed));
            let Both([text, numbers]) = names.filled(form);
            let at: Vec<String> =
                names.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            // The witness of half of the answers is where they are compared.
            let hints = at.iter().map(|value| format!("hint {value}; ")).filter(|_| case.is_multiple_of(2));
            let assumed = "assume M >= 1, K >= 1, H >= 1, ld >= 1; ";
            let assumed = format!("{assumed}{}", hints.collect::<String>());
            let direct = format!("{assumed}({text}) at {}", at.join(", "));
            let text = format!("{assumed}let R = {text}; R at {}", at.join(", "));
            let (mut session, mut other) = (Session::new(), Session::new());
            let (found, expected) = (session.evaluate(&text), other.evaluate(&numbers));
            let told = |value: &Value| format!("{value} [{}]", value.kind());
            // What is written with names, at their values, is what is written with the values.
            let again = Session::new().evaluate(&direct).map(told).ok();
            if let Ok(expected) = &expected {
                assert_eq!(again, Some(told(expected)), "{direct}\n{numbers}");
                equal += usize::from(OF_NUMBERS.contains(form));
            }
            match (found, expected) {
                _ if OF_NUMBERS.contains(form) => {}
                (Ok(found), Ok(expected)) if told(found) == told(expected) => equal += 1,
                (Ok(found), Ok(expected))
                    if same_function(form, found, expected) || is_right(form, &numbers, found, expected) =>
                {
                    counts[0] += 1;
                }
                (Ok(found), Err(error)) if is_more(form, &numbers, found, error.code) => counts[1] += 1,
                (Ok(found), expected) => {
                    panic!("{text}\n{numbers}\n{}, but {:?}", told(found), expected.map(told))
                }
                (Err(error), Ok(_)) => counts[if error.code == "guard" { 2 } else { 3 }] += 1,
                (Err(_), Err(_)) => counts[4] += 1,
            }
        }
        assert!(equal * 30 > count || count < 200, "{form}: {equal} of {count}");
    }
    println!("the same function or a smaller one, more, guard, no answer, neither: {counts:?}");
}

/// Operators, between operands that need no parentheses.
const OPERATORS: &[&str] = &["S o S", "C o S", "P o P", "P / P", "P * P", "S:C", "P(N)", "P(C)", "S(N)"];

/// A name for an operand is the operand: no operation reads its text.
#[test]
fn a_name_for_an_operand_is_the_operand() {
    let (count, seed): (_, u64) = (scaled(300, 0.05), setting("TILEWORK_SEED", 1));
    let told = |text: &str| match Session::new().evaluate(text) {
        Ok(value) => format!("{value} [{}]", value.kind()),
        Err(_) => "refused".to_string(),
    };
    for (place, form) in OPERATIONS.iter().chain(OF_NUMBERS).chain(OPERATORS).enumerate() {
        let mut answers = 0;
        for case in 0..count {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(place as u64 * 100_003 + case as u64);
            let mut names = Names::new(Random::new(seed));
            let (mut written, mut lets, mut named) = (String::new(), String::new(), String::new());
            for (index, letter) in form.chars().enumerate() {
                let part = names.operand(letter).map_or(letter.to_string(), |Both([_, number])| number);
                written.push_str(&part);
                // A calculation is grouped by parentheses, which make a tuple of a name.
                if part.len() > 1 && part.contains([':', ',', '<']) {
                    lets.push_str(&format!("let a{index} = {part}; "));
                    named.push_str(&format!("a{index}"));
                } else {
                    named.push_str(&part);
                }
            }
            let expected = told(&written);
            answers += usize::from(expected.contains('['));
            assert_eq!(told(&format!("{lets}{named}")), expected, "{written}\n{lets}{named}");
        }
        assert!(answers * 30 > count || count < 200, "{form}: {answers} of {count}");
    }
}

/// A number that a name has is a multiple of a basis element, as it is without the name.
#[test]
fn numbers_with_names_are_multiples_of_basis_elements() {
    let told =
        |text: &str| Session::new().evaluate(text).map(ToString::to_string).map_err(|error| error.code);
    for form in
        ["(4,4):(1@0, $@1)", "(M,4):(1@0,$@1)", "4:(1@0+$@1)", "4:$@1@0", "$@1", "layout((4,4),(1@0,$@1))"]
    {
        for number in ["7", "1", "-2"] {
            let named = format!("let ld = {number}; {}", form.replace('$', "ld"));
            assert_eq!(told(&named), told(&form.replace('$', number)), "{named}");
        }
    }
    assert_eq!(told("let ld = 7; 4:ld@"), Err("syntax"));
}

/// A number with names that becomes an extent is 1 or more under the condition of the answer, wherever it becomes one.
#[test]
fn extents_with_names_are_one_or_more() {
    for form in [
        "($,4):(1,8)",
        "row_major(($,4))",
        "column_major(($,4))",
        "identity(($,4))",
        "layout(($,4), (1,8))",
        "size(($,4):(1,8))",
        "fits($, 3)",
        "(8,4):(1,8) o ($)",
        "(M,4):(1,M) / ($)",
        "complement(4:2, $)",
        "idx2crd(5, ($,4))",
        "crd2idx((0,1), ($,4))",
        "in_bounds(0, $)",
        "make_tensor(ptr[8b], ($,4))",
        "<$,4>",
        "append(4:1, $)",
        "({0} o (8,4):(1,8)) o ($)",
        "is_composable(8:1, $)",
    ] {
        // 0 at 4, and 2 at 6.
        let text = format!("assume M >= 1; ({}) at M = ", form.replace('$', "M-4"));
        let told =
            |text: &str| Session::new().evaluate(text).map(ToString::to_string).map_err(|error| error.code);
        // A question is asked again at the value.
        let is_question = ["fits", "in_bounds", "is_composable"].iter().any(|own| form.starts_with(own));
        let wanted = if is_question { told(&form.replace('$', "0")) } else { Err("guard") };
        assert_eq!(told(&format!("{text}4")), wanted, "{text}");
        let told = |value: i64| told(&format!("{text}{value}"));
        assert!(told(6).is_ok(), "{text}6: {:?}", told(6));
    }
}
