//! The plans that are not chosen, beside the one that is: for `benches/regret`.

use crate::copy::{CopyPlan, Way};
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::gemm::GemmPlan;
use crate::matmul::run::matrices::Matrices;
use crate::matmul::tile::element::{Destination, Element};
use crate::offset_layout::OffsetLayout;
use tilework::Layout;

/// A plan with the name of its method; of several, the first is chosen.
pub type Candidates<P> = Vec<(String, P)>;

/// Keeps of the plans those that differ from all before, by their explanations.
fn distinct<P>(
    plans: impl IntoIterator<Item = (String, P)>,
    explain: impl Fn(&P) -> String,
) -> Candidates<P> {
    let mut texts = Vec::new();
    let mut kept = Vec::new();
    for (name, plan) in plans {
        // What a plan costs depends on the caches, and is no difference.
        let text: Vec<String> =
            explain(&plan).lines().filter(|line| !line.contains(" costs ")).map(str::to_owned).collect();
        if !texts.contains(&text) {
            texts.push(text);
            kept.push((name, plan));
        }
    }
    kept
}

/// The second-level caches for which plans differ.
fn caches() -> impl Iterator<Item = Caches> {
    let own = Caches::get();
    [own.second / 4, own.second / 2, own.second, 2 * own.second, 8 * own.second]
        .into_iter()
        .map(move |second| Caches { second, ..own })
}

/// The plans that `plan` makes for this machine, and for others.
///
/// # Errors
/// Those of `plan`.
pub fn pretended<P>(
    plan: impl Fn() -> Result<P, Error>,
    explain: impl Fn(&P) -> String,
) -> Result<Candidates<P>, Error> {
    let mut plans = vec![("chosen".to_owned(), plan()?)];
    for caches in caches() {
        plans.push((format!("as for {} KiB", caches.second >> 10), caches.pretend(&plan)?));
    }
    Ok(distinct(plans, explain))
}

/// A copy through the caches and past them, in the orders for small and for large caches.
///
/// # Errors
/// Those of [`CopyPlan::new`].
pub fn copies<T: Copy + Send + Sync>(from: &Layout, to: &Layout) -> Result<Candidates<CopyPlan<T>>, Error> {
    let mut plans = vec![("chosen".to_owned(), CopyPlan::new(from, to)?)];
    for caches in caches() {
        for (way, name) in [(Way::Through, "through"), (Way::Past, "past")] {
            let operands = [("the source", from), ("the destination", to)];
            let [from, to] = operands.map(|(name, layout)| OffsetLayout::new(name, layout, 0));
            let plan = caches.pretend(|| CopyPlan::with(from?, to?, Isa::current()?, way))?;
            plans.push((format!("{name} the caches, as for {} KiB", caches.second >> 10), plan));
        }
    }
    Ok(distinct(plans, CopyPlan::explain))
}

/// A product in place, and by blocks with each operand packed or in place.
///
/// # Errors
/// Those of [`GemmPlan::new`].
pub fn products<T: Element<Sum = T> + Destination<T>>(
    a: &Layout,
    b: &Layout,
    c: &Layout,
) -> Result<Candidates<GemmPlan<T>>, Error> {
    let chosen = GemmPlan::<T>::new(a, b, c)?;
    let Matrices { plan, a, b, c } = &chosen.product;
    let others = plan.candidates(Caches::get(), [a, b, c]).into_iter();
    let others = others.map(|(name, plan)| (name.to_owned(), chosen.with_plan(plan))).collect::<Vec<_>>();
    Ok(distinct([("chosen".to_owned(), chosen)].into_iter().chain(others), |plan| {
        format!("{:?}", plan.product.plan)
    }))
}
