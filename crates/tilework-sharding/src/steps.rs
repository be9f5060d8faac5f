//! The collectives of a redistribution.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::sharding::{Reduction, Sharding};

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
    /// Devices along axes exchange parts: dimensions are divided, and others are joined.
    AllToAll {
        /// The dimensions that are divided.
        divided: Vec<usize>,
        /// The dimensions that are joined.
        joined: Vec<usize>,
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
    traffic: Vec<(usize, i64)>,
    after: Sharding,
}

impl Step {
    pub(crate) fn new(
        collective: Collective,
        along: Vec<String>,
        traffic: Vec<(usize, i64)>,
        after: Sharding,
    ) -> Step {
        Step { collective, along, traffic, after }
    }

    /// The same, with what it leaves in another order on each device.
    pub(crate) fn ending_in(self, after: &Sharding) -> Step {
        Step { after: after.clone(), ..self }
    }

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
        self.traffic.iter().map(|(_, elements)| elements).sum()
    }

    /// The same by the axes of the mesh over whose links they come: those of a device that differs in several coordinates over the
    /// slowest.
    #[must_use]
    pub fn traffic(&self) -> &[(usize, i64)] {
        &self.traffic
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
                write!(
                    f,
                    "all-to-all along {along}: divides {}, joins {}",
                    dimensions(divided),
                    dimensions(joined)
                )
            }
            Collective::AllGather { dimension } => {
                write!(f, "all-gather along {along}: joins dimension {dimension}")
            }
            Collective::Reorder => write!(f, "reorder on each device"),
        }
    }
}

/// `dimension 1`, or `dimensions 0 and 1`.
fn dimensions(dimensions: &[usize]) -> String {
    let names: Vec<String> = dimensions.iter().map(ToString::to_string).collect();
    format!("dimension{} {}", if names.len() == 1 { "" } else { "s" }, names.join(" and "))
}
