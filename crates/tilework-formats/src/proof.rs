//! What holds for all sizes: whether elements have places of their own, and whether two formats are the same.

use crate::error::Error;
use crate::format::{Format, choices};
use crate::packed::{Packed, coordinates};
use crate::place::Places;
use crate::regions;
use crate::rule::{Kind, Rule};
use std::fmt;
use tilework_symbolic::{Guard, Number, Placed, Scope, SymbolicLeaf, Tuple, Verdict};

/// For which sizes something holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Holds {
    /// For all that the format admits.
    Always,
    /// For those that fulfil a condition.
    When(String),
    /// For none.
    Never,
    /// It is not decided, for a reason.
    Undecided(String),
}

impl Holds {
    fn of(scope: &Scope, verdict: Verdict) -> Holds {
        match verdict {
            Verdict::Always => Holds::Always,
            Verdict::When(guard) => Holds::When(scope.guard_text(&guard)),
            Verdict::Never => Holds::Never,
            Verdict::Open => Holds::Undecided("neither is proved".to_owned()),
        }
    }
}

impl fmt::Display for Holds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holds::Always => f.write_str("for all sizes"),
            Holds::When(condition) => write!(f, "if {condition}"),
            Holds::Never => f.write_str("for no sizes"),
            Holds::Undecided(reason) => write!(f, "undecided: {reason}"),
        }
    }
}

/// What is proved of a format, without its sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Different elements of the padded array have different offsets.
    pub injective: Holds,
    /// The elements of the padded array fill the storage from its start, without gaps.
    pub compact: Holds,
}

/// Whether two formats have every element at the same offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The sizes for which that is proved.
    pub equal: Holds,
    /// An element of which it is not so; none if all are proved to be, or none was found.
    pub difference: Option<Difference>,
    /// What there is to say of the sizes of both storages; nothing where they are equal.
    pub storage: String,
}

/// An element that two formats have at different offsets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Sizes of the first format.
    pub sizes: Vec<(String, i64)>,
    /// The element.
    pub coordinate: Vec<i64>,
    /// Its offsets; none where it is not stored.
    pub offsets: [Option<i64>; 2],
}

impl Format {
    /// What is proved for all sizes that it admits.
    ///
    /// ```
    /// use tilework_formats::{Format, Holds};
    /// let proof = Format::named("scale_128x4")?.proof()?;
    /// assert_eq!((proof.injective, proof.compact), (Holds::Always, Holds::Always));
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Layout`] where a number is too large.
    pub fn proof(&self) -> Result<Proof, Error> {
        let mut proof = self.proof_at(&[])?;
        let cases = self.cases();
        let proofs = cases.iter().map(|sizes| self.proof_at(sizes)).collect::<Result<Vec<_>, _>>()?;
        let all = |of: fn(&Proof) -> &Holds| {
            !proofs.is_empty() && proofs.iter().all(|own| *of(own) == Holds::Always)
        };
        if all(|own| &own.injective) {
            proof.injective = Holds::Always;
        }
        if all(|own| &own.compact) {
            proof.compact = Holds::Always;
        }
        // Other pieces have the rest of the storage.
        if self.pieces().nth(1).is_some() {
            proof.compact = Holds::Never;
        }
        Ok(proof)
    }

    /// The same at some sizes.
    fn proof_at(&self, sizes: &[(&str, i64)]) -> Result<Proof, Error> {
        let undecided = |reason: &str| Holds::Undecided(reason.to_owned());
        // What is not proved has the first reason, and why it is not compact the second.
        let only = |is_injective: bool, [open, reason]: [&str; 2]| {
            let injective = if is_injective { Holds::Always } else { undecided(open) };
            Ok(Proof { injective, compact: undecided(reason) })
        };
        if self.is_expanded() && sizes.is_empty() {
            return only(false, ["the number of modes grows with the sizes"; 2]);
        }
        if self.is_open_below()? {
            return only(false, ["facts do not say how small a size may be"; 2]);
        }
        let places = Places::of(self, sizes)?;
        let scope = &places.scope;
        let layouts = match places.layouts() {
            Ok(layouts) => layouts,
            Err(reason) => {
                let is_proved = sizes.is_empty() && regions::are_apart(self, &places)?;
                let open = "no proof was found that the elements of its layouts are apart";
                return only(is_proved, [open, reason]);
            }
        };
        let [whole] = layouts else {
            let reason = "it is a composition of two layouts that is no layout";
            return only(are_injective(scope, layouts)?, [reason; 2]);
        };
        let injective = Holds::of(scope, whole.is_injective(scope)?);
        let mut compact = whole.is_compact(scope)?;
        if let Some(storage) = &places.storage {
            compact = compact.and(scope.is_equal(&scope.size(whole.layout())?, storage)?);
        }
        Ok(Proof { injective, compact: Holds::of(scope, compact) })
    }

    /// All values of the sizes that have only some; a format whose modes grow with its size has at most the modes of a layout.
    fn cases(&self) -> Vec<Vec<(&str, i64)>> {
        if let ([axis], true) = (self.axes(), self.is_expanded()) {
            let sizes = (1..=MAX_CASES).map(|size| vec![(axis.name.as_str(), size)]);
            return sizes.take_while(|sizes| self.at(sizes).is_ok()).collect();
        }
        let values = |Rule { axis, kind, bounds }: &'_ Rule| {
            let numbers: Vec<i64> = bounds.iter().filter_map(|bound| bound.parse().ok()).collect();
            let divides = |bound: i64| (1..=bound).filter(|value| bound % value == 0).collect();
            let values = match (kind, &numbers[..]) {
                (Kind::Divides, [bound @ 1..=MAX_CASES]) => divides(*bound),
                (Kind::In, numbers) if numbers.len() == bounds.len() => numbers.to_vec(),
                _ => return None,
            };
            Some((self.names().find(|name| name == axis)?, values))
        };
        let known: Vec<(&str, Vec<i64>)> = self.rules().iter().filter_map(values).collect();
        let of_name =
            |name: &str| known.iter().find(|(own, _)| *own == name).map_or(Vec::new(), |own| own.1.clone());
        let all = choices(known.iter().map(|(name, _)| *name), of_name, |_| true, MAX_CASES as usize + 1);
        if known.is_empty() || all.len() > MAX_CASES as usize { Vec::new() } else { all }
    }

    /// Compares two formats whose sizes mean the same: by name, or in order where they have other names. With sizes, those of
    /// the first, only at these; with some of them, for all others.
    ///
    /// ```
    /// use tilework_formats::{Format, Holds};
    /// let (blocked, torchao) = (Format::named("scale_128x4")?, Format::named("scale_128x4_torchao")?);
    /// assert_eq!(blocked.compare(&torchao, &[])?.equal, Holds::Always);
    /// let other = blocked.compare(&Format::named("scale_128x4_pad8")?, &[])?;
    /// assert_eq!(other.difference.map(|difference| difference.coordinate), Some(vec![128, 0]));
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Record`] for formats of unlike elements or numbers of sizes; those of [`at`](Self::at).
    pub fn compare(&self, other: &Format, sizes: &[(&str, i64)]) -> Result<Comparison, Error> {
        let is_count = !sizes.is_empty() || self.axes().len() == other.axes().len();
        let is_width = self.element_bits() == other.element_bits();
        if !is_count || !is_width {
            let [one, two] = [self, other].map(|format| {
                let (count, bits) = (format.axes().len(), format.element_bits());
                let all =
                    [(is_count, format!("{count} sizes")), (is_width, format!("elements of {bits} bits"))];
                let unlike: Vec<String> = all.into_iter().filter(|own| !own.0).map(|own| own.1).collect();
                format!("{} has {}", format.name(), unlike.join(" and "))
            });
            let of_8 = |format: &Format| Format::named(&format!("{}:8", format.name())).ok();
            let hint = match [self, other].into_iter().find_map(of_8).filter(|_| !is_width) {
                Some(rule) => format!("`{}` has elements of 8 bits", rule.name()),
                None if is_width => "a size that only one has may be given".to_owned(),
                None => "a private format that is `like` one of them may have other `bits`".to_owned(),
            };
            return Err(Error::Record(format!("cannot be compared: {one}, {two}; {hint}")));
        }
        let (own, its) = (self.own_sizes(sizes), self.sizes_of(other, sizes));
        if own.len() < sizes.len() && its.len() < sizes.len() {
            self.check_sizes(sizes)?;
        }
        if self.missing(&own).is_none() && other.missing(&its).is_none() {
            let (one, two) = (self.at(&own)?, other.at(&its)?);
            let (difference, storages) = (difference(&one, &two)?, [one.storage(), two.storage()]);
            let equal = if difference.is_none() { Holds::Always } else { Holds::Never };
            let [one, two] = storages;
            let is_same = one == two || equal == Holds::Never;
            let storage =
                if is_same { String::new() } else { format!(", in storages of {one} and {two} elements") };
            return Ok(Comparison { equal, difference, storage });
        }
        if !sizes.is_empty() {
            return self.fixed(&own)?.compare(&other.fixed(&its)?, &[]);
        }
        let unknown = || (Holds::Undecided("no condition is known".to_owned()), String::new());
        let (equal, storage) = self.equal(other)?.unwrap_or_else(unknown);
        if equal == Holds::Always {
            return Ok(Comparison { equal, difference: None, storage });
        }
        for sizes in self.tried() {
            let (Ok(one), Ok(two)) = (self.at(&sizes), other.at(&self.sizes_of(other, &sizes))) else {
                continue;
            };
            if one.count().is_ok_and(|count| count <= MAX_TRIED)
                && let Some(difference) = difference(&one, &two)?
            {
                return Ok(Comparison { equal, difference: Some(difference), storage });
            }
        }
        Ok(Comparison { equal, difference: None, storage })
    }

    /// The condition under which the layouts have the same offsets mode by mode, if that is proved, and what is to say of the storages.
    fn equal(&self, other: &Format) -> Result<Option<(Holds, String)>, Error> {
        if self.is_expanded() || other.is_expanded() {
            return Ok(None);
        }
        let names = self.names_of(other);
        let name = |name: &str| Some(names[other.names().position(|own| own == name)?].to_owned());
        let (one, renamed) = (Places::of(self, &[])?, other.renamed(name)?);
        let (two, axes) = (Places::of(&renamed, &[])?, self.axes_of(&renamed));
        let (left, right) = match (one.whole(), two.whole()) {
            (Ok(left), Ok(right)) => (left, right),
            (Err(reason), _) | (_, Err(reason)) => {
                let is_same = self.layouts() == other.layouts() && self.shape_text() == other.shape_text();
                let holds = if is_same { Holds::Always } else { Holds::Undecided(reason.to_owned()) };
                return Ok(Some((holds, String::new())));
            }
        };
        if one.shape.len() != two.shape.len() {
            return Ok(None);
        }
        let mut scope = renamed.with_facts(one.scope.clone());
        let mut number = |own: &Number| scope.adopt(two.scope.declared()).number(own);
        let shape = two.shape.iter().map(&mut number).collect::<Result<Vec<_>, _>>()?;
        let sizes = [one.storage.clone(), two.storage.as_ref().map(number).transpose()?];
        let whole = [left, &scope.adopt(two.scope.declared()).placed(right)?];
        let size = |at: usize| sizes[at].clone().map_or_else(|| scope.size(whole[at].layout()), Ok);
        let storage = match Holds::of(&scope, scope.is_equal(&size(0)?, &size(1)?)?) {
            Holds::Always => String::new(),
            holds => format!(", in storages that are equal {holds}"),
        };
        let mut all = Guard::ALWAYS;
        for (own, other) in axes.into_iter().enumerate() {
            let mode = |of: usize, mode| whole[of].layout().as_tuple().mode(mode);
            let (mine, mut its) = (mode(0, own)?, mode(1, other)?);
            let mut extents = mine.leaves().iter().map(|leaf| leaf.extent.clone());
            let outer = mine.leaves().len() - 1;
            let is_same = |its: &Tuple<SymbolicLeaf>| {
                let pairs = mine.leaves().iter().zip(its.leaves());
                its.leaves().len() == outer + 1
                    && pairs.take(outer).all(|(one, two)| one.extent == two.extent)
            };
            // Elements take as many steps of the last leaf in both.
            if is_same(&its) && one.shape[own] == shape[other] {
                its = its.map(|leaf| SymbolicLeaf {
                    extent: extents.next().unwrap_or_else(|| 1.into()),
                    ..leaf.clone()
                });
            }
            let (mine, its) =
                (whole[0].with_layout(scope.layout_of(mine)?), whole[1].with_layout(scope.layout_of(its)?));
            match mine.equivalent(&its, &scope)? {
                Verdict::Always => {}
                Verdict::When(guard) => all.push_all(&guard),
                _ => return Ok(None),
            }
        }
        let verdict = if all.is_always() { Verdict::Always } else { Verdict::When(all) };
        Ok(Some((Holds::of(&scope, verdict), storage)))
    }

    /// Whether a size may be smaller than the facts of the rules say.
    fn is_open_below(&self) -> Result<bool, Error> {
        let mut scope = self.scope()?;
        Ok(self.rules().iter().any(|rule| match rule.kind {
            Kind::From => {
                let own = |other: &&Rule| other.kind == Kind::From && other.axis == rule.axis;
                let is_number = rule.bounds[0].parse::<i64>().is_ok();
                let fact = format!("{} >= {}", rule.axis, rule.bounds[0]);
                !is_number || self.rules().iter().filter(own).count() > 1 || scope.assume(&fact).is_err()
            }
            Kind::In => rule.bounds.iter().any(|bound| bound.parse().is_ok_and(|bound: i64| bound < 1)),
            _ => false,
        }))
    }

    /// The facts of the rules for the names of a scope.
    pub(crate) fn with_facts(&self, mut scope: Scope) -> Scope {
        let rules = self.rules().iter().filter(|rule| scope.find(&rule.axis).is_some());
        // A first bound replaces the default one.
        let (first, others): (Vec<_>, Vec<_>) = rules.partition(|rule| rule.kind == Kind::From);
        for rule in first.into_iter().chain(others) {
            let (axis, bound) = (&rule.axis, &rule.bounds[0]);
            let fact = match rule.kind {
                Kind::By => format!("{axis} % ({bound}) == 0"),
                Kind::From => format!("{axis} >= {bound}"),
                Kind::AtMost => format!("{bound} >= {axis}"),
                Kind::In
                    if rule
                        .bounds
                        .iter()
                        .all(|bound| bound.parse().is_ok_and(|bound: i64| bound % 2 == 0)) =>
                {
                    format!("{axis} % 2 == 0")
                }
                _ => continue,
            };
            // A fact that is no number is left out: less is proved.
            let before = scope.clone();
            scope.assume(&fact).unwrap_or_else(|_| scope = before);
        }
        scope
    }

    /// Sizes that are tried in a search of a difference, small ones first.
    fn tried(&self) -> Vec<Vec<(&str, i64)>> {
        const SIZES: [i64; 12] = [1, 3, 8, 16, 33, 64, 96, 128, 129, 160, 192, 256];
        let mut all = choices(self.names(), |_| SIZES.to_vec(), |_| true, 20_000);
        all.sort_by_key(|sizes| sizes.iter().map(|(_, size)| size).sum::<i64>());
        all
    }
}

/// Whether each layout is injective, and its offsets are indices of the next one.
fn are_injective(scope: &Scope, layouts: &[Placed]) -> Result<bool, Error> {
    let always = |verdict| matches!(verdict, Verdict::Always);
    for (index, own) in layouts.iter().enumerate() {
        let mut holds = always(own.is_injective(scope)?);
        if let Some(next) = layouts.get(index + 1) {
            let ([low, high], guard) = own.bounds(scope)?;
            holds &= guard.is_always()
                && always(scope.is_at_least(&low, &0.into())?)
                && always(scope.is_at_least(&scope.size(next.layout())?, &high.plus(1)?)?);
        }
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The most values of sizes that are tried one by one in a proof.
const MAX_CASES: i64 = 64;

/// The most elements that are compared at one choice of sizes.
const MAX_TRIED: i64 = 1 << 16;

/// The first element with unlike offsets.
fn difference(one: &Packed, two: &Packed) -> Result<Option<Difference>, Error> {
    let axes = one.format().axes_of(two.format());
    let shape: Option<Vec<i64>> = axes.iter().map(|axis| two.shape().get(*axis).copied()).collect();
    if shape.as_deref() != Some(one.shape()) || axes.len() != two.shape().len() {
        let text = format!("the arrays have the shapes {:?} and {:?}", one.shape(), two.shape());
        return Err(Error::Record(text));
    }
    let mut of_two = vec![0; axes.len()];
    one.count()?;
    for coordinate in coordinates(one.shape()) {
        axes.iter().zip(&coordinate).for_each(|(axis, index)| of_two[*axis] = *index);
        let offsets = [one.offset(&coordinate)?, two.offset(&of_two)?];
        if offsets[0] != offsets[1] {
            let sizes = one.sizes().map(|(name, size)| (name.to_owned(), size)).collect();
            return Ok(Some(Difference { sizes, coordinate, offsets }));
        }
    }
    Ok(None)
}
