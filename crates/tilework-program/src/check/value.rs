//! What is known of a value: inside, at samples, and where an element that it was computed from is outside of an extent.

use super::along::Along;
use super::interval::whole;
use crate::element::Element;
use crate::prelude::*;
use alloc::collections::{BTreeMap, BTreeSet};

pub type Samples = [f64; 5];

/// 2^127, a large number of f32 and bf16.
pub const MANY: f64 = (1u128 << 127) as f64;

/// What an element may be that statements have left different values in.
pub const UNKNOWN: Samples = [MANY, -MANY, -7.0, 11.0, 0.5];

/// Inside, and where an element is outside of one extent.
#[derive(Clone, Debug)]
pub struct Cases {
    pub inside: Samples,
    pub outside: BTreeMap<String, Samples>,
    /// Where others are outside of an extent, and it has no element along it: a constant is itself.
    pub other: Samples,
}

impl Cases {
    pub fn at(&self, extent: &str) -> &Samples {
        self.outside.get(extent).unwrap_or(&self.other)
    }
}

/// What is said of a value outside of an extent, where another coordinate is inside: what is stored outside of that is masked.
#[derive(Clone, Debug, PartialEq)]
pub struct Unless<P> {
    /// The extent of which it is said.
    pub of: String,
    /// The extent of the other coordinate.
    pub extent: String,
    pub at: P,
    /// The line and the sentence of a fold that relies on it.
    pub used: Option<(usize, String)>,
}

impl<P> Unless<P> {
    pub fn new(of: &str, extent: String, at: P) -> Unless<P> {
        Unless { of: of.into(), extent, at, used: None }
    }

    fn at<Q>(&self, at: Q) -> Unless<Q> {
        Unless { of: self.of.clone(), extent: self.extent.clone(), at, used: self.used.clone() }
    }
}

/// What is known of a value, with coordinates as `P`: those here, or those by which memory holds it.
#[derive(Clone, Debug)]
pub struct Value<P = Along> {
    pub cases: Cases,
    /// By extent, the coordinates along it.
    pub along: BTreeMap<String, Vec<P>>,
    pub unless: Vec<Unless<P>>,
    /// The shared tensors and registers that it was computed from, with the loops whose steps before may have written them.
    pub from: BTreeMap<usize, (Cases, Vec<usize>)>,
    /// The extents along which elements were exchangeable operands of a function.
    pub exchanged: BTreeSet<String>,
    /// Whether it is the result of a function, and no element itself.
    pub is_computed: bool,
    /// Where an element is outside of an extent, and those at smaller coordinates are inside.
    pub between: Vec<(String, Along, Samples)>,
    /// By extent, sets of coordinates: a condition is false where all of one set are outside.
    pub masks: BTreeMap<String, Vec<Vec<Along>>>,
}

impl<P: Clone + PartialEq> Value<P> {
    pub fn inside(samples: Samples) -> Value<P> {
        let cases = Cases { inside: samples, outside: BTreeMap::new(), other: samples };
        let (along, unless, from) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        let (exchanged, between, masks) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
        Value { cases, along, unless, from, exchanged, is_computed: false, between, masks }
    }

    /// What is known of it at other coordinates.
    pub fn at<Q: Clone + PartialEq>(&self, at: impl Fn(&P) -> Q) -> Value<Q> {
        let along = self.along.iter().map(|(extent, all)| (extent.clone(), all.iter().map(&at).collect()));
        Value {
            cases: self.cases.clone(),
            along: along.collect(),
            unless: self.unless.iter().map(|own| own.at(at(&own.at))).collect(),
            from: self.from.clone(),
            exchanged: self.exchanged.clone(),
            is_computed: self.is_computed,
            ..Value::inside(self.cases.inside)
        }
    }

    /// Adds where another value is, and what it was computed from.
    pub fn join(&mut self, other: &Value<P>) {
        for (extent, all) in &other.along {
            join(self.along.entry(extent.clone()).or_default(), all);
        }
        join(&mut self.unless, &other.unless);
        self.from.extend(other.from.clone());
        self.exchanged.extend(other.exchanged.iter().cloned());
        self.is_computed |= other.is_computed;
    }
}

impl Value {
    pub fn along(&self, extent: &str) -> &[Along] {
        self.along.get(extent).map_or(&[], |own| own)
    }

    /// What it is where the elements from a coordinate on are outside.
    pub fn from(&self, extent: &String, first: &Along, elements: [i64; 2]) -> &Samples {
        if let Some((.., own)) = self.between.iter().find(|(own, at, _)| own == extent && at == first) {
            return own;
        }
        let is_before = |own: &Along| {
            !own.is_inside
                && own.origin == first.origin
                && own.distance(first, elements).is_some_and(|far| far > 0)
        };
        let is_outside = |own: &Along| first.distance(own, elements).is_some_and(|far| far >= 0);
        if self.along(extent).contains(first) && self.along(extent).iter().any(is_before) {
            return &UNKNOWN;
        }
        let mut masks = self.masks.get(extent).into_iter().flatten();
        match self.along(extent).iter().any(is_outside) || masks.any(|own| own.iter().all(is_outside)) {
            true => self.cases.at(extent),
            false => &self.cases.inside,
        }
    }
}

/// Adds what is not there.
pub fn join<T: Clone + PartialEq>(all: &mut Vec<T>, others: &[T]) {
    for other in others {
        if !all.contains(other) {
            all.push(other.clone());
        }
    }
}

/// What is inside: small values that differ between tensors, and the extreme ones.
pub fn samples(element: Element, place: usize) -> Samples {
    let scale = (place + 1) as f64;
    let most = if element == Element::F16 { 65504.0 } else { MANY };
    let [low, high] = whole(element).map(|end| end.clamp(-most, most));
    // Of two that are compared, one is the smaller of third samples, and the other one of last samples.
    [low, high, scale, 3.0 * scale, if low < 0.0 { -2.0 * scale } else { high - 2.0 * scale }]
        .map(|sample| element.round(sample))
}
