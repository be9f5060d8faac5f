//! Whether a sum of products is stored where its operands say.
//!
//! The names of extents are those of an Einstein sum: if `A(M,K)` and `B(N,K)` are multiplied and their sum is stored to
//! `C(M,N)`, the element `C(m,n)` is a sum of `A(m,k) * B(n,k)`. Each shared element and each register of each thread has
//! the coordinate of the global element that it was copied from, in one block and the first two steps of a loop. What is no
//! such sum is not asked.

use super::report::{Certainty, Report};
use super::site::{Site, in_two_steps, is_at_least};
use crate::access::list;
use crate::form::Indices;
use crate::instruction::Instruction;
use crate::matrix::Multiply;
use crate::prelude::*;
use crate::program::{Expr, Program, Space, Storage, View};
use crate::sizes::Addresses;
use alloc::rc::Rc;
use tilework_hardware::atom::MmaAtom;

/// Where an element is from.
#[derive(Clone, PartialEq)]
enum From {
    /// One of a global tensor.
    Element(usize, Rc<[i64]>),
    /// A sum of products of two, of which those are kept that differ by more than a step along what is summed.
    Products(Vec<Product>),
}

/// An element of a global tensor.
type Source = (usize, Rc<[i64]>);

type Product = [Source; 2];

/// The most products that are kept of a sum.
const MAX_PRODUCTS: usize = 4;

/// Blocks are followed that are so far from the first one that what they add to a coordinate is not in the tile.
const FAR: i64 = 1 << 40;

/// A view with all its elements: the addresses in memory, and the coordinates in the tile.
struct Reached {
    addresses: Vec<usize>,
    coordinates: Vec<Rc<[i64]>>,
}

struct Operands<'a> {
    program: &'a Program,
    /// The names of the extents by tensor and mode, by their places in the scope, if each has one of its own.
    names: Vec<Option<Vec<usize>>>,
    addresses: Vec<Option<Addresses>>,
    /// By tensor and address; registers are those of one thread behind the other.
    held: Vec<Vec<Option<From>>>,
    /// The block, and the steps of the loops.
    indices: Indices,
}

/// Follows copies and products, and asks about each store.
pub fn check(program: &Program, sites: &[Site<'_>], report: &mut Report) -> Result<(), Error> {
    let names: Vec<_> = (0..program.tensors.len()).map(|tensor| names(program, tensor)).collect();
    let mut indices = Indices { loops: vec![0; program.loops.len()], ..Indices::default() };
    for (axis, count) in program.grid.iter().enumerate() {
        // A block that there is at some sizes.
        let far = (1 + axis as i64) * FAR;
        let least = [(1, 0), (far, 1)].into_iter();
        let mut least = least.filter(|(most, _)| is_at_least(&program.scope, &(*most).into(), count));
        indices.blocks[axis] = least.next().map_or(far, |(_, block)| block);
    }
    let addresses = program.local_addresses()?;
    let mut operands = Operands { program, names, addresses, held: Vec::new(), indices };
    for (tensor, addresses) in program.tensors.iter().zip(&operands.addresses) {
        let threads = if tensor.space == Space::Registers { program.threads } else { 1 };
        operands.held.push(vec![None; addresses.as_ref().map_or(0, |own| (own.span * threads) as usize)]);
    }
    for (site, step) in in_two_steps(sites) {
        if let Some((name, step)) = step {
            operands.indices.loops[name] = step;
        }
        if let Some(text) = operands.statement(site) {
            report.push(Some(site.line), Certainty::Wrong, text);
            break;
        }
    }
    Ok(())
}

/// The names of a global tensor's extents, if they are names and different ones.
fn names(program: &Program, tensor: usize) -> Option<Vec<usize>> {
    let Storage::Global(layout) = &program.tensors[tensor].storage else { return None };
    let mut names: Vec<usize> = Vec::new();
    for mode in 0..layout.rank() {
        let mode = layout.as_tuple().mode(mode).ok()?;
        let [leaf] = mode.leaves() else { return None };
        let name = program.scope.number_text(&leaf.extent);
        let name = program.scope.names().position(|own| *own == name)?;
        if names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

impl Operands<'_> {
    /// What a statement does to what is held, or what is wrong with a store.
    fn statement(&mut self, site: &Site<'_>) -> Option<String> {
        if let Some(Instruction::Multiply(atom)) = site.by {
            return self.multiply(site, atom);
        }
        let elements = (site.active * site.values) as usize;
        let to = self.reached(site, site.to);
        let mut views = Vec::new();
        site.value.visit(&mut |view, is_read| views.extend(is_read.then_some(view)));
        let is_copy = matches!(site.value, Expr::View(_));
        let from: Vec<Option<From>> = match site.value.factors(site.to) {
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
            let mut stored = from.iter().zip(&to.coordinates);
            return stored.find_map(|(from, at)| self.wrong(target, at, from.as_ref()?));
        }
        for (address, from) in to.addresses.into_iter().zip(from) {
            if let Some(own) = self.held[target].get_mut(address) {
                *own = from;
            }
        }
        None
    }

    /// Fragments of a matrix instruction: each has one row or column of its tensor for all k, and A and B have the same k.
    fn multiply(&mut self, site: &Site<'_>, atom: &MmaAtom) -> Option<String> {
        let multiply = Multiply::new(self.program, atom, site.to, site.value).ok()?;
        let (sides, [m, n, depth]) = (&multiply.operands[..2], atom.shape.map(|extent| extent as usize));
        let place = |tensor: usize, thread: usize, at: usize| {
            thread * self.addresses[tensor].as_ref().map_or(0, |own| own.span as usize) + at
        };
        let mut sums = Vec::new();
        for (warp, value) in (0..self.program.threads as usize / atom.threads.size() as usize)
            .flat_map(|warp| (0..site.values as usize).map(move |value| (warp, value)))
        {
            let mut held: [Vec<Option<Source>>; 2] = [m, n].map(|rows| vec![None; rows * depth]);
            for (own, held) in sides.iter().zip(&mut held) {
                for (thread, at, index) in own.registers(warp, value) {
                    if let Some(From::Element(tensor, at)) =
                        &self.held[own.tensor][place(own.tensor, thread, at)]
                    {
                        held[index] = Some((*tensor, at.clone()));
                    }
                }
            }
            let summed = self.summed(&held, [m, n]);
            for (side, rows) in [(0, m), (1, n)] {
                for (index, own) in held[side].iter().enumerate() {
                    let others = [(&held[0][index / rows * m], true), (&held[side][index % rows], false)];
                    for (other, is_summed) in others {
                        let (Some(own), Some(other)) = (own, other) else { continue };
                        let Some(name) = self.differ(own, other, is_summed, &summed, &held) else { continue };
                        let what = if is_summed { "for one k" } else { "in one row" };
                        return Some(format!(
                            "{} has {} and {} {what}, which differ along {}: fragments of other coordinates than the \
                             instruction's",
                            atom.name,
                            self.text(other.0, &other.1),
                            self.text(own.0, &own.1),
                            self.name(name)
                        ));
                    }
                }
            }
            // All k are the same sum.
            for (thread, at, index) in multiply.operands[2].registers(warp, value) {
                if let (Some(a), Some(b)) = (&held[0][index % m], &held[1][index / m])
                    && a.0 != b.0
                {
                    sums.push((place(site.to.tensor, thread, at), [a.clone(), b.clone()]));
                }
            }
        }
        for (at, product) in sums {
            let old = self.held[site.to.tensor][at].take();
            self.held[site.to.tensor][at] = Some(self.added(old, product));
        }
        None
    }

    /// The names of both factors along which the first row of one differs.
    fn summed(&self, held: &[Vec<Option<Source>>; 2], rows: [usize; 2]) -> Vec<usize> {
        let tensors = held.each_ref().map(|own| own.iter().flatten().next().map(|own| own.0));
        let [Some(a), Some(b)] = tensors.map(|own| self.names[own?].as_ref()) else { return Vec::new() };
        let differs = |side: usize, names: &[usize], name: &usize| {
            let mode = names.iter().position(|own| own == name);
            let row = held[side].iter().step_by(rows[side]).flatten();
            let mut along = row.filter_map(|own| own.1.get(mode?));
            let first = along.next();
            along.any(|own| Some(own) != first)
        };
        let is_summed = |name: &usize| b.contains(name) && (differs(0, a, name) || differs(1, b, name));
        a.iter().copied().filter(is_summed).collect()
    }

    /// The name along which two elements differ, of those that are summed or of those that one factor has.
    fn differ(
        &self,
        own: &Source,
        other: &Source,
        is_summed: bool,
        summed: &[usize],
        held: &[Vec<Option<Source>>; 2],
    ) -> Option<usize> {
        let names = |held: &[Option<Source>]| self.names[held.iter().flatten().next()?.0].as_ref();
        let (a, b) = (names(&held[0])?, names(&held[1])?);
        let known = self.names[other.0].as_ref()?;
        self.names[own.0].as_ref()?.iter().zip(own.1.iter()).find_map(|(name, at)| {
            let mode = known.iter().position(|own| own == name)?;
            let is_asked =
                if is_summed { summed.contains(name) } else { !a.contains(name) || !b.contains(name) };
            (is_asked && other.1[mode] != *at).then_some(*name)
        })
    }

    fn name(&self, place: usize) -> &str {
        self.program.scope.names().nth(place).unwrap_or_default()
    }

    fn text(&self, tensor: usize, at: &[i64]) -> String {
        let at = list(at.iter().map(|at| at.rem_euclid(FAR)));
        format!("{}({at})", self.program.tensors[tensor].name)
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

    fn reached(&self, site: &Site<'_>, view: &View) -> Reached {
        let tensor = &self.program.tensors[view.tensor];
        let access = site.access(view);
        let start = access.start(&self.indices);
        let (mut addresses, mut coordinates) = (Vec::new(), Vec::new());
        for element in 0..(site.active * site.values) as usize {
            let Some(own) = &self.addresses[view.tensor] else {
                coordinates.push(access.coordinate(&start, element).collect());
                continue;
            };
            let is_own = tensor.space == Space::Registers;
            let first = if is_own { element / site.values as usize * own.span as usize } else { 0 };
            let at = own.of(access.coordinate(&start, element));
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
        let is_known = products.iter().any(|known| self.moved(known).eq(self.moved(&product)));
        if !is_known && products.len() < MAX_PRODUCTS {
            products.push(product);
        }
        From::Products(products)
    }

    /// The coordinates along the names of one operand, and the differences along those of both.
    fn moved<'b>(&'b self, [(a, x), (b, y)]: &'b Product) -> impl Iterator<Item = i64> + 'b {
        let [a, b] = [a, b].map(|own| self.names[*own].as_deref().unwrap_or(&[]));
        let other = move |name| b.iter().position(|own| own == name).map_or(0, |mode| y[mode]);
        let first = a.iter().zip(x.iter()).map(move |(name, at)| at - other(name));
        let second = b.iter().zip(y.iter()).filter(|(name, _)| !a.contains(name)).map(|(_, at)| *at);
        first.chain(second)
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
            let known = |name: &usize| {
                let index = |names: &[usize], at: &Rc<[i64]>| {
                    names.iter().position(|own| own == name).map(|mode| at[mode])
                };
                [index(a, x), index(b, y), index(result, at)].into_iter().flatten()
            };
            let differs = |name: &&usize| known(name).any(|own| known(name).next() != Some(own));
            let name = a.iter().chain(b).find(differs).filter(|_| is_sum)?;
            let in_tile = |at: i64| at.rem_euclid(FAR);
            let is_block = known(name).map(in_tile).all(|own| known(name).next().map(in_tile) == Some(own));
            Some(format!(
                "{} of the tile is a sum of products such as {} * {}: their coordinates along {} differ{}",
                self.text(target, at),
                self.text(*one, x),
                self.text(*two, y),
                self.name(*name),
                if is_block { " by the block" } else { "" }
            ))
        })
    }
}
