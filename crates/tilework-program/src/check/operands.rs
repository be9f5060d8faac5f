//! Whether a sum of products is stored where its operands say.
//!
//! The names of extents are those of an Einstein sum: if `A(M,K)` and `B(N,K)` are multiplied and their sum is stored to
//! `C(M,N)`, the element `C(m,n)` is a sum of `A(m,k) * B(n,k)`. Each shared element and each register of each thread has
//! the coordinate, in the tile, of the global element that it was copied from. What is no such sum is not asked.

use super::report::{Certainty, Report};
use super::site::Site;
use crate::access::Access;
use crate::error::Error;
use crate::form::Form;
use crate::program::{Expr, Function, Program, Space, Storage, View};
use crate::sizes::Addresses;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Where an element is from.
#[derive(Clone, PartialEq)]
enum From {
    /// One of a global tensor.
    Element(usize, Rc<[i64]>),
    /// A sum of products of two, of which those are kept that differ by more than a step along what is summed.
    Products(Vec<Product>),
}

type Product = [(usize, Rc<[i64]>); 2];

/// The most products that are kept of a sum.
const MAX_PRODUCTS: usize = 4;

/// A view with all its elements: the addresses in memory, and the coordinates in the tile.
struct Reached {
    addresses: Vec<usize>,
    coordinates: Vec<Rc<[i64]>>,
}

struct Operands<'a> {
    program: &'a Program,
    /// The names of the extents by tensor and mode, if each has one of its own.
    names: Vec<Option<Vec<String>>>,
    addresses: Vec<Option<Addresses>>,
    /// By tensor and address; registers are those of one thread behind the other.
    held: Vec<Vec<Option<From>>>,
}

/// Follows copies and products, and asks about each store.
pub fn check(program: &Program, sites: &[Site<'_>], report: &mut Report) -> Result<(), Error> {
    let names: Vec<_> = (0..program.tensors.len()).map(|tensor| names(program, tensor)).collect();
    let mut operands = Operands { program, names, addresses: Vec::new(), held: Vec::new() };
    for tensor in &program.tensors {
        let addresses = match &tensor.storage {
            Storage::Local(layout) => Some(Addresses::new(layout)?),
            Storage::Global(_) => None,
        };
        let threads = if tensor.space == Space::Registers { program.threads } else { 1 };
        operands.held.push(vec![None; addresses.as_ref().map_or(0, |own| (own.span * threads) as usize)]);
        operands.addresses.push(addresses);
    }
    for site in sites {
        if let Some(text) = operands.statement(site) {
            report.push(Some(site.line), Certainty::Wrong, text);
        }
    }
    Ok(())
}

/// The names of a global tensor's extents, if they are names and different ones.
fn names(program: &Program, tensor: usize) -> Option<Vec<String>> {
    let Storage::Global(layout) = &program.tensors[tensor].storage else { return None };
    let mut names: Vec<String> = Vec::new();
    for mode in 0..layout.rank() {
        let mode = layout.as_tuple().mode(mode).ok()?;
        let [leaf] = mode.leaves() else { return None };
        let name = program.scope.number_text(&leaf.extent).to_string();
        if program.scope.find(&name).is_none() || names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

impl Operands<'_> {
    /// What a statement does to what is held, or what is wrong with a store.
    fn statement(&mut self, site: &Site<'_>) -> Option<String> {
        let elements = (site.active * site.values) as usize;
        let to = self.reached(site, site.to);
        let mut views = Vec::new();
        site.value.visit(&mut |view, is_read| views.extend(is_read.then_some(view)));
        let is_copy = matches!(site.value, Expr::View(_));
        let from: Vec<Option<From>> = match product(site) {
            Some(sides) => {
                let sides = sides.map(|view| self.values(site, view, elements));
                let old = self.values(site, site.to, elements);
                let pair = |i: usize| match (&sides[0][i], &sides[1][i]) {
                    (Some(From::Element(a, x)), Some(From::Element(b, y))) if a != b => {
                        Some(self.added(old[i].clone(), [(*a, x.clone()), (*b, y.clone())]))
                    }
                    _ => None,
                };
                (0..elements).map(pair).collect()
            }
            // Another function of one element keeps a product, and makes an element a value of its own.
            None => {
                let all: Vec<_> = views.iter().map(|view| self.values(site, view, elements)).collect();
                let one = |i: usize| match is_copy {
                    true => all[0][i].clone(),
                    false => all
                        .iter()
                        .find_map(|own| own[i].clone().filter(|own| matches!(own, From::Products(_)))),
                };
                (0..elements).map(one).collect()
            }
        };
        let target = site.to.tensor;
        if self.program.tensors[target].space.is_global() {
            return from
                .iter()
                .zip(&to.coordinates)
                .find_map(|(from, at)| self.wrong(target, at, from.as_ref()?));
        }
        for (address, from) in to.addresses.into_iter().zip(from) {
            if let Some(own) = self.held[target].get_mut(address) {
                *own = from;
            }
        }
        None
    }

    /// Where each element that a view reads is from.
    fn values(&self, site: &Site<'_>, view: &View, elements: usize) -> Vec<Option<From>> {
        let tensor = &self.program.tensors[view.tensor];
        let reached = self.reached(site, view);
        match tensor.space {
            Space::Read if self.names[view.tensor].is_some() && view.gathers().next().is_none() => {
                reached.coordinates.into_iter().map(|at| Some(From::Element(view.tensor, at))).collect()
            }
            Space::Shared | Space::Registers => reached
                .addresses
                .iter()
                .map(|at| self.held[view.tensor].get(*at).cloned().flatten())
                .collect(),
            _ => vec![None; elements],
        }
    }

    /// At the first block and the first steps.
    fn reached(&self, site: &Site<'_>, view: &View) -> Reached {
        let tensor = &self.program.tensors[view.tensor];
        let access = Access::new(self.program, view, site.active, site.values);
        let start: Vec<i64> = view.forms(tensor.rank()).iter().map(|form: &Form| form.constant).collect();
        let (mut addresses, mut coordinates) = (Vec::new(), Vec::new());
        for element in 0..(site.active * site.values) as usize {
            let Some(own) = &self.addresses[view.tensor] else {
                coordinates.push(access.coordinate(&start, element).collect());
                continue;
            };
            let is_own = tensor.space == Space::Registers;
            let first = if is_own { element / site.values as usize * own.span as usize } else { 0 };
            let at = own.of_sum(&start, access.fixed(element));
            addresses.push(at.map_or(usize::MAX, |at| first + at));
        }
        Reached { addresses, coordinates }
    }

    /// A sum with one more product.
    fn added(&self, sum: Option<From>, product: Product) -> From {
        let mut products = match sum {
            Some(From::Products(products)) => products,
            _ => Vec::new(),
        };
        let is_known = products.iter().any(|known| self.moved(known) == self.moved(&product));
        if !is_known && products.len() < MAX_PRODUCTS {
            products.push(product);
        }
        From::Products(products)
    }

    /// The coordinates along the names of one operand, and the differences along those of both.
    fn moved(&self, product: &Product) -> Vec<i64> {
        let [(a, x), (b, y)] = product;
        let (Some(a), Some(b)) = (&self.names[*a], &self.names[*b]) else { return Vec::new() };
        let other = |name| b.iter().position(|own| own == name).map_or(0, |mode| y[mode]);
        let first = a.iter().zip(x.iter()).map(|(name, at)| at - other(name));
        let second = b.iter().zip(y.iter()).filter(|(name, _)| !a.contains(name)).map(|(_, at)| *at);
        first.chain(second).collect()
    }

    /// What is wrong with a sum that is stored at a coordinate.
    fn wrong(&self, target: usize, at: &Rc<[i64]>, from: &From) -> Option<String> {
        let From::Products(products) = from else { return None };
        let result = self.names[target].as_ref()?;
        products.iter().find_map(|[(one, x), (two, y)]| {
            let (a, b) = (self.names[*one].as_ref()?, self.names[*two].as_ref()?);
            // Each name is one of two of the three, and one is summed.
            let is_sum = result.iter().all(|name| a.contains(name) || b.contains(name))
                && a.iter().all(|name| result.contains(name) || b.contains(name))
                && b.iter().all(|name| result.contains(name) || a.contains(name))
                && a.iter().any(|name| !result.contains(name));
            let differs = |name: &&String| {
                let index = |names: &[String], at: &Rc<[i64]>| {
                    names.iter().position(|own| own == *name).map(|mode| at[mode])
                };
                let mut known = [index(a, x), index(b, y), index(result, at)].into_iter().flatten();
                let first = known.next();
                known.any(|own| Some(own) != first)
            };
            let name = a.iter().chain(b).find(differs).filter(|_| is_sum)?;
            let text = |tensor: usize, at: &[i64]| {
                let at: Vec<String> = at.iter().map(i64::to_string).collect();
                format!("{}({})", self.program.tensors[tensor].name, at.join(","))
            };
            Some(format!(
                "{} of the tile is a sum of products such as {} * {}: their coordinates along {name} differ",
                text(target, at),
                text(*one, x),
                text(*two, y)
            ))
        })
    }
}

/// The factors of `to = to + a * b`, with or without conversions.
fn product<'a>(site: &Site<'a>) -> Option<[&'a View; 2]> {
    let plain = |expr: &'a Expr| match expr {
        Expr::Call(Function::Cast(_), operands) => operands.first().unwrap_or(expr),
        _ => expr,
    };
    let Expr::Call(Function::Add, terms) = site.value else { return None };
    let [x, y] = &terms[..] else { return None };
    let is_old = |expr: &Expr| matches!(expr, Expr::View(view) if view.tensor == site.to.tensor);
    let product = if is_old(x) { y } else { Some(x).filter(|_| is_old(y))? };
    let Expr::Call(Function::Mul, factors) = product else { return None };
    match [plain(factors.first()?), plain(factors.get(1)?)] {
        [Expr::View(a), Expr::View(b)] => Some([a, b]),
        _ => None,
    }
}
