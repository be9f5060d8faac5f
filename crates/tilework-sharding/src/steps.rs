//! The collectives of a redistribution.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::refine::Atom;
use crate::sharding::{Digit, Owner, Reduction, Sharding};

/// What happens in a [`Step`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Collective {
    /// Each device keeps its part of what it holds.
    Slice {
        /// The dimension that is divided.
        dimension: usize,
    },
    /// Devices along an axis add up (or otherwise reduce) what they hold, and each keeps a part.
    ReduceScatter {
        /// How.
        reduction: Reduction,
        /// The dimension that is divided.
        dimension: usize,
    },
    /// Devices along an axis reduce what they hold, and each keeps all.
    AllReduce {
        /// How.
        reduction: Reduction,
    },
    /// Each device sends all it holds to one other, and takes all from one.
    Permute,
    /// Devices along an axis exchange parts: one dimension is divided, another is joined.
    AllToAll {
        /// The dimension that is divided.
        divided: usize,
        /// The dimension that is joined.
        joined: usize,
    },
    /// Devices along an axis take what the others hold.
    AllGather {
        /// The dimension that is joined.
        dimension: usize,
    },
    /// What a device holds is put into another order there.
    Reorder,
}

/// One step of a redistribution, and the sharding after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    collective: Collective,
    along: Vec<String>,
    received: i64,
    after: Sharding,
}

impl Step {
    /// What happens.
    #[must_use]
    pub fn collective(&self) -> &Collective {
        &self.collective
    }

    /// The axes along which it happens; a part of an axis as `y[2:4]`, the extent after the step.
    #[must_use]
    pub fn along(&self) -> &[String] {
        &self.along
    }

    /// The most elements that a device takes from others. A reduction counts what passes in a ring.
    #[must_use]
    pub fn received(&self) -> i64 {
        self.received
    }

    /// The sharding after it.
    #[must_use]
    pub fn after(&self) -> &Sharding {
        &self.after
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let along = self.along.join(", ");
        match &self.collective {
            Collective::Slice { dimension } => {
                write!(f, "slice along {along}: divides dimension {dimension}")
            }
            Collective::ReduceScatter { reduction, dimension } => {
                write!(
                    f,
                    "reduce-scatter ({}) along {along}: divides dimension {dimension}",
                    reduction.name()
                )
            }
            Collective::AllReduce { reduction } => {
                write!(f, "all-reduce ({}) along {along}", reduction.name())
            }
            Collective::Permute => write!(f, "permute along {along}"),
            Collective::AllToAll { divided, joined } => {
                write!(f, "all-to-all along {along}: divides dimension {divided}, joins dimension {joined}")
            }
            Collective::AllGather { dimension } => {
                write!(f, "all-gather along {along}: joins dimension {dimension}")
            }
            Collective::Reorder => write!(f, "reorder on each device"),
        }
    }
}

/// What counts an atom: a part of an axis, by its index, or the local index.
type Count = Option<usize>;

/// An atom with who counts it now, and who afterwards.
struct Placed {
    dimension: usize,
    atom: Atom,
    now: Count,
    then: Count,
}

struct Planner<'p> {
    to: &'p Sharding,
    parts: &'p [SubAxis],
    owed: Vec<Option<Reduction>>,
    placed: Vec<Placed>,
    steps: Vec<Step>,
}

/// The collectives from one sharding to another, both even. What makes pieces smaller comes first, and what joins them last.
pub(crate) fn steps(
    from: &Sharding,
    to: &Sharding,
    atoms: &[Vec<Atom>],
    parts: &[SubAxis],
) -> Result<Vec<Step>, Error> {
    let count = |digit: &Digit| match digit.owner {
        Owner::Axis { axis, weight } => {
            parts.iter().position(|part| part.axis == axis && part.weight == weight)
        }
        Owner::Local { .. } => None,
    };
    let mut placed = Vec::new();
    for (dimension, atoms) in atoms.iter().enumerate() {
        placed.extend(atoms.iter().map(|&atom| Placed {
            dimension,
            atom,
            now: count(&atom.from),
            then: count(&atom.to),
        }));
    }
    let mut planner = Planner { to, parts, owed: from.owed().to_vec(), placed, steps: Vec::new() };
    planner.divide()?;
    planner.permute()?;
    planner.divide()?;
    planner.exchange()?;
    planner.reduce()?;
    planner.divide()?;
    planner.join()?;
    if planner.steps.last().map_or(from, Step::after) != to {
        // A collective may leave its result in any order, so that only a plan without one needs a step of its own.
        let (collective, after) = (Collective::Reorder, to.clone());
        match planner.steps.last_mut() {
            Some(step) => step.after = after,
            None => planner.steps.push(Step { collective, along: Vec::new(), received: 0, after }),
        }
    }
    Ok(planner.steps)
}

impl Planner<'_> {
    /// How many elements a device holds now.
    fn held(&self) -> i64 {
        self.placed.iter().filter(|placed| placed.now.is_none()).map(|placed| placed.atom.extent).product()
    }

    fn counted_by(&self, part: usize) -> Option<usize> {
        self.placed.iter().position(|placed| placed.now == Some(part))
    }

    /// The atom that an axis part is to count, if no device counts it now.
    fn wanted(&self, part: usize) -> Option<usize> {
        self.placed.iter().position(|placed| placed.then == Some(part) && placed.now.is_none())
    }

    /// Axes that hold copies or parts of sums take what they are to count.
    fn divide(&mut self) -> Result<(), Error> {
        for part in 0..self.parts.len() {
            let (None, Some(wanted)) = (self.counted_by(part), self.wanted(part)) else { continue };
            let dimension = self.placed[wanted].dimension;
            let SubAxis { axis, extent, .. } = self.parts[part];
            match self.owed[axis] {
                None => {
                    self.placed[wanted].now = Some(part);
                    self.step(Collective::Slice { dimension }, &[part], 0)?;
                }
                // What is owed along a whole axis is not settled along a part: then all is reduced first, and divided afterwards.
                Some(reduction) if extent == self.to.mesh().axes()[axis].extent() => {
                    self.placed[wanted].now = Some(part);
                    self.owed[axis] = None;
                    let received = self.held() * (extent - 1);
                    self.step(Collective::ReduceScatter { reduction, dimension }, &[part], received)?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Atoms that other parts of axes are to count than now move there all at once.
    fn permute(&mut self) -> Result<(), Error> {
        let moving =
            |placed: &Placed| placed.now.is_some() && placed.then.is_some() && placed.now != placed.then;
        let moved: Vec<usize> = (0..self.placed.len()).filter(|&i| moving(&self.placed[i])).collect();
        if moved.is_empty() {
            return Ok(());
        }
        // An axis along which a sum is owed counts nothing before that is settled.
        for &i in &moved {
            if let Some(target) = self.placed[i].then {
                self.settle(self.parts[target].axis)?;
            }
        }
        let mut along: Vec<usize> = Vec::new();
        let mut after: Vec<(usize, Count)> = moved.iter().map(|&i| (i, self.placed[i].then)).collect();
        for &i in &moved {
            along.extend([self.placed[i].now, self.placed[i].then].into_iter().flatten());
            let Some(target) = self.placed[i].then else { continue };
            let Some(displaced) = self.counted_by(target).filter(|other| !moved.contains(other)) else {
                continue;
            };
            // Back along the parts that move on to this one, to the part that nothing moves to.
            let mut free = target;
            while let Some(&before) = moved.iter().find(|&&other| self.placed[other].then == Some(free)) {
                let Some(part) = self.placed[before].now else { break };
                free = part;
            }
            after.push((displaced, Some(free)));
        }
        for (i, count) in after {
            self.placed[i].now = count;
        }
        along.sort_unstable();
        along.dedup();
        let held = self.held();
        self.step(Collective::Permute, &along, held)
    }

    /// Axes whose atoms are to be local, and that are to count others.
    fn exchange(&mut self) -> Result<(), Error> {
        for part in 0..self.parts.len() {
            let (Some(joined), Some(wanted)) = (self.counted_by(part), self.wanted(part)) else { continue };
            let received = self.held() / self.parts[part].extent * (self.parts[part].extent - 1);
            self.placed[joined].now = None;
            self.placed[wanted].now = Some(part);
            let (divided, joined) = (self.placed[wanted].dimension, self.placed[joined].dimension);
            self.step(Collective::AllToAll { divided, joined }, &[part], received)?;
        }
        Ok(())
    }

    fn reduce(&mut self) -> Result<(), Error> {
        for axis in 0..self.owed.len() {
            if self.to.owed()[axis].is_none() {
                self.settle(axis)?;
            }
        }
        Ok(())
    }

    /// Reduces what is owed along an axis, where anything is.
    fn settle(&mut self, axis: usize) -> Result<(), Error> {
        let Some(reduction) = self.owed[axis].take() else { return Ok(()) };
        let along: Vec<usize> = (0..self.parts.len()).filter(|&part| self.parts[part].axis == axis).collect();
        let devices: i64 = along.iter().map(|&part| self.parts[part].extent).product();
        let received = (2 * self.held() * (devices - 1) + devices - 1) / devices;
        self.step(Collective::AllReduce { reduction }, &along, received)
    }

    fn join(&mut self) -> Result<(), Error> {
        for part in 0..self.parts.len() {
            let Some(joined) = self.counted_by(part).filter(|&atom| self.placed[atom].then.is_none()) else {
                continue;
            };
            let received = self.held() * (self.parts[part].extent - 1);
            self.placed[joined].now = None;
            let dimension = self.placed[joined].dimension;
            self.step(Collective::AllGather { dimension }, &[part], received)?;
        }
        Ok(())
    }

    /// Adds a step to the sharding that there is now. Local elements stand in the order of their coordinates.
    fn step(&mut self, collective: Collective, along: &[usize], received: i64) -> Result<(), Error> {
        let mesh = self.to.mesh();
        let mut digits = Vec::new();
        for dimension in 0..self.to.shape().len() {
            let mut weight = 1;
            let mut own = Vec::new();
            for placed in self.placed.iter().filter(|placed| placed.dimension == dimension) {
                let Atom { extent, from: Digit { stride, .. }, .. } = placed.atom;
                let owner = match placed.now {
                    Some(part) => {
                        Owner::Axis { axis: self.parts[part].axis, weight: self.parts[part].weight }
                    }
                    None => Owner::Local { weight },
                };
                if placed.now.is_none() {
                    weight *= extent;
                }
                own.push(Digit { extent, stride, owner });
            }
            digits.push(own);
        }
        let after = Sharding::from_digits(mesh, self.to.shape(), digits)?.owing(&self.owed)?;
        let name = |&part: &usize| {
            let SubAxis { axis, weight, extent } = self.parts[part];
            let axis = &mesh.axes()[axis];
            if extent == axis.extent() {
                axis.name().into()
            } else {
                format!("{}[{weight}:{}]", axis.name(), weight * extent)
            }
        };
        let along = along.iter().map(name).collect();
        self.steps.push(Step { collective, along, received, after });
        Ok(())
    }
}
