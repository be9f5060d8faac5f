//! Modes by names: the pattern is made of a side that fits the value, and read again as the grammar says.

use crate::cases::Source;
use crate::model::*;
use crate::oracle::*;
use crate::text::*;
use std::collections::BTreeMap;

pub const ROWS: &[Row] = &[row("einfold", arguments, |case, answer| {
    let Value::Instruction(text) = &case.arguments[0] else { unreachable!() };
    let Some((left, right, sizes)) = parse(text.trim_matches('"')) else { return must_refuse(answer) };
    let fold = Fold { left, right, sizes };
    let expected = match &case.arguments[1] {
        Value::Tuple(tree) => fold.of(tree, &|atom, sizes| {
            let extent = atom.as_ref()?.integer()?;
            Some(fitting(extent, sizes)?.into_iter().map(|size| Some(Step::int(size))).collect())
        }),
        value => {
            let split = |own: &Leaf, sizes: &[i128]| {
                let (sizes, mut before) = (fitting(own.extent, sizes)?, 1);
                let part = |size: &i128| {
                    let step = Offset::steps(&own.step, before)?.as_step()?;
                    before *= size;
                    Some(Leaf { extent: *size, step })
                };
                sizes.iter().map(part).collect()
            };
            let layout = fold.of(value.domain().unwrap(), &split).map(|layout| value.with_domain(layout));
            return exactly(answer, layout.filter(is_value));
        }
    };
    exactly(answer, expected.map(Value::Tuple))
})];

type Side = Tree<String>;

/// An atom in parts of the given sizes, if it has them.
type Split<'a, T> = &'a dyn Fn(&T, &[i128]) -> Option<Vec<T>>;

struct Fold {
    left: Side,
    right: Side,
    sizes: BTreeMap<String, i128>,
}

/// The sizes of parts of an extent; 0 is the one that follows from the others.
fn fitting(extent: i128, sizes: &[i128]) -> Option<Vec<i128>> {
    let known: i128 = sizes.iter().filter(|size| **size > 0).product();
    let open = sizes.len() - sizes.iter().filter(|size| **size > 0).count();
    let fits = open == 1 && extent % known == 0 || open == 0 && extent == known;
    fits.then(|| sizes.iter().map(|size| if *size > 0 { *size } else { extent / known }).collect())
}

impl Fold {
    fn of<T: Clone + Size>(&self, source: &Tree<T>, split: Split<T>) -> Option<Tree<T>> {
        let mut bound = BTreeMap::new();
        let (mut left, mut right, mut source) = (self.left.clone(), self.right.clone(), source.clone());
        if let (Tree::Leaf(_), Tree::Node(modes)) = (&source, &left)
            && let [Tree::Node(_)] = &modes[..]
        {
            source = Tree::Node(vec![source]);
        }
        if let Tree::Node(names) = &mut left {
            let Tree::Node(modes) = &source else { return None };
            let rest = names.iter().position(|name| *name == Tree::Leaf("...".into()));
            let at = rest.unwrap_or(names.len());
            let count = (modes.len() + usize::from(rest.is_some())).checked_sub(names.len())?;
            let more: Vec<Side> = (0..count).map(|index| Tree::Leaf(format!(".{index}"))).collect();
            names.splice(at..at + usize::from(rest.is_some()), more.clone());
            right = match rest {
                Some(_) => spliced(&right, &more),
                None if more.is_empty() => right,
                None => match right {
                    Tree::Leaf(_) => Tree::Node([vec![right], more].concat()),
                    Tree::Node(modes) => Tree::Node([modes, more].concat()),
                },
            };
        }
        self.bind(&left, &source, split, &mut bound)?;
        if right == Tree::Node(vec![]) {
            return None;
        }
        self.build(&right, &bound)
    }

    fn bind<T: Clone + Size>(
        &self,
        side: &Side,
        source: &Tree<T>,
        split: Split<T>,
        bound: &mut BTreeMap<String, Tree<T>>,
    ) -> Option<()> {
        match (side, source) {
            (Tree::Leaf(name), _) => {
                let found: i128 = source.leaves().into_iter().map(Size::size).product();
                if self.sizes.get(name).is_some_and(|size| *size != found) {
                    return None;
                }
                bound.entry(name.clone()).or_insert_with(|| source.clone());
            }
            (Tree::Node(names), Tree::Node(modes)) => {
                if names.len() != modes.len() {
                    return None;
                }
                names.iter().zip(modes).try_for_each(|(name, mode)| self.bind(name, mode, split, bound))?;
            }
            (Tree::Node(_), Tree::Leaf(own)) => {
                let names = side.leaves();
                let sizes: Vec<i128> =
                    names.iter().map(|name| self.sizes.get(*name).copied().unwrap_or(0)).collect();
                for (name, part) in names.into_iter().zip(split(own, &sizes)?) {
                    bound.entry(name.clone()).or_insert(Tree::Leaf(part));
                }
            }
        }
        Some(())
    }

    fn build<T: Clone + Size>(&self, side: &Side, bound: &BTreeMap<String, Tree<T>>) -> Option<Tree<T>> {
        match side {
            Tree::Leaf(name) => match bound.get(name) {
                Some(mode) => Some(mode.clone()),
                None => Some(Tree::Leaf(T::new(*self.sizes.get(name)?))),
            },
            // A layout of no modes is one of extent 1.
            Tree::Node(modes) if modes.is_empty() => {
                (T::IS_LAYOUT || !self.sizes.is_empty()).then(|| Tree::Leaf(T::new(1)))
            }
            Tree::Node(modes) => {
                Some(Tree::Node(modes.iter().map(|mode| self.build(mode, bound)).collect::<Option<_>>()?))
            }
        }
    }
}

trait Size {
    const IS_LAYOUT: bool;
    fn size(&self) -> i128;
    fn new(size: i128) -> Self;
}

impl Size for Leaf {
    const IS_LAYOUT: bool = true;

    fn size(&self) -> i128 {
        self.extent
    }

    fn new(extent: i128) -> Leaf {
        Leaf { extent, step: Step::int(0) }
    }
}

impl Size for Atom {
    const IS_LAYOUT: bool = false;

    fn size(&self) -> i128 {
        self.as_ref().and_then(Step::integer).unwrap_or(0)
    }

    fn new(size: i128) -> Atom {
        Some(Step::int(size))
    }
}

/// A side with other names in the place of `...`.
fn spliced(side: &Side, more: &[Side]) -> Side {
    let Tree::Node(modes) = side else { return side.clone() };
    Tree::Node(
        modes
            .iter()
            .flat_map(|mode| match mode {
                Tree::Leaf(name) if name == "..." => more.to_vec(),
                mode => vec![spliced(mode, more)],
            })
            .collect(),
    )
}

fn parse(text: &str) -> Option<(Side, Side, BTreeMap<String, i128>)> {
    let (left, rest) = text.split_once("->")?;
    let (right, given) = rest.split_once(',').unwrap_or((rest, ""));
    let words = [left, right].iter().any(|side| side.trim().contains(' '));
    let [left, right] = [left, right].map(|side| read_side(&tokens(side, words)?));
    let (left, right) = (left?, right?);
    let mut sizes = BTreeMap::new();
    for size in given.split(',').filter(|size| !size.is_empty()) {
        let (name, size) = size.split_once('=')?;
        sizes.insert(name.trim().to_string(), size.trim().parse().ok()?);
    }
    let names: Vec<&String> = [left.leaves(), right.leaves()].concat();
    let unknown = sizes.iter().any(|(name, size)| *size < 1 || !names.contains(&name));
    for name in names {
        if let Ok(size) = name.parse() {
            sizes.insert(name.clone(), size);
        }
    }
    let own = left.leaves();
    let twice = (0..own.len()).any(|i| own[..i].contains(&own[i]) && sizes.get(own[i]) != Some(&1));
    let new = right.leaves().iter().any(|name| !own.contains(name) && !sizes.contains_key(*name));
    (!unknown && !twice && !new).then_some((left, right, sizes))
}

fn tokens(side: &str, words: bool) -> Option<Vec<String>> {
    let mut tokens: Vec<String> = Vec::new();
    let mut joins = false;
    for character in side.trim().chars() {
        let digit = |token: &String| token.chars().all(|c| c.is_ascii_digit());
        match (character, tokens.last_mut()) {
            (' ', _) => {}
            ('.', Some(last)) if joins && last.starts_with('.') && last.len() < 3 => last.push('.'),
            (c, Some(last))
                if joins && c.is_ascii_digit() && (words || digit(last)) && last != "(" && last != ")" =>
            {
                last.push(c)
            }
            (c, Some(last)) if joins && words && c.is_ascii_alphabetic() && last != "(" && last != ")" => {
                last.push(c)
            }
            (c, _) if c.is_ascii_alphanumeric() || "().".contains(c) => tokens.push(c.into()),
            _ => return None,
        }
        joins = character != ' ';
    }
    Some(tokens)
}

fn read_side(tokens: &[String]) -> Option<Side> {
    let mut open: Vec<Vec<Side>> = vec![vec![]];
    for token in tokens {
        match token.as_str() {
            "(" => open.push(vec![]),
            ")" => {
                let group = open.pop().filter(|group| !group.is_empty())?;
                open.last_mut()?.push(Tree::Node(group));
            }
            name => open.last_mut()?.push(Tree::Leaf(name.into())),
        }
    }
    let modes = open.pop().filter(|_| open.is_empty())?;
    let whole = Tree::Node(modes.clone());
    match whole.leaves()[..] {
        [] => None,
        [name] if name != "..." => modes.into_iter().next(),
        _ => Some(whole),
    }
}

fn arguments(source: &mut Source) -> Arguments {
    let value = match source.rng.once_in(4) {
        true => Value::ints(&source.shape(1000)),
        false => source.function(),
    };
    let (shape, xor) = match value.domain() {
        Some(layout) => (shape(layout), codomain(layout) == Codomain::Xor),
        None => (value.as_ints().unwrap(), false),
    };
    let words = source.rng.once_in(2);
    let mut pattern = Pattern { words, names: vec![], sizes: vec![], splits: !xor };
    let modes: Vec<String> = match &shape {
        // One name is the whole.
        Tree::Leaf(_) => vec![pattern.side(source, &shape)],
        Tree::Node(modes) if source.rng.once_in(12) && !modes.is_empty() => vec![pattern.name()],
        Tree::Node(modes) => modes.iter().map(|mode| pattern.side(source, mode)).collect(),
    };
    let kept = if source.rng.once_in(4) { source.rng.range(1, modes.len().max(1)) } else { modes.len() };
    let blank = if words { " " } else { "" };
    let mut left = modes[..kept.min(modes.len())].join(blank);
    let mut names: Vec<String> = pattern.names.clone();
    names.retain(|name| left.contains(name.as_str()));
    if source.rng.once_in(6) {
        left.push_str(&format!("{blank}..."));
        names.push("...".into());
    }
    source.rng.shuffle(&mut names);
    if names.len() > 1 && source.rng.once_in(4) {
        names.pop();
    }
    if source.rng.once_in(4) && !names.is_empty() {
        names.push(names[0].clone());
    }
    if source.rng.once_in(6) {
        let new = source.rng.choose(&["1", "3", "z"]);
        names.insert(0, new.into());
    }
    let mut right = String::new();
    let mut depth = 0;
    for (index, name) in names.iter().enumerate() {
        if source.rng.once_in(4) {
            right.push('(');
            depth += 1;
        }
        right.push_str(name);
        if depth > 0 && source.rng.once_in(2) {
            right.push(')');
            depth -= 1;
        }
        right.push_str(if index + 1 < names.len() { blank } else { "" });
    }
    right.push_str(&")".repeat(depth));
    let sizes: String = pattern
        .sizes
        .iter()
        .filter(|(name, _)| left.contains(name))
        .map(|(name, size)| format!(", {name}={size}"))
        .collect();
    (vec![Value::Instruction(format!("\"{left} -> {right}{sizes}\"")), value], vec![], false)
}

struct Pattern {
    words: bool,
    names: Vec<String>,
    sizes: Vec<(String, i128)>,
    splits: bool,
}

impl Pattern {
    fn name(&mut self) -> String {
        let letter = char::from(b'a' + self.names.len() as u8);
        self.names.push(if self.words { format!("{letter}x") } else { letter.into() });
        self.names.last().unwrap().clone()
    }

    fn side(&mut self, source: &mut Source, mode: &Shape) -> String {
        let parts: Vec<String> = match mode {
            Tree::Node(modes) if source.rng.once_in(2) && !modes.is_empty() => {
                modes.iter().map(|mode| self.side(source, mode)).collect()
            }
            Tree::Leaf(extent) if self.splits && source.rng.once_in(4) => {
                let size = (2..9).find(|size| extent % size == 0).unwrap_or(source.rng.range(1, 3));
                let parts = [self.name(), self.name()];
                self.sizes.push((source.rng.choose(&parts), size));
                parts.to_vec()
            }
            _ => return self.name(),
        };
        format!("({})", parts.join(if self.words { " " } else { "" }))
    }
}
