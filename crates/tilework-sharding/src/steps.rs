//! The collectives of a redistribution.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::sharding::{Reduction, Sharding};

/// The kind of a [`Step`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Collective {
    /// Each device keeps its part of its array.
    Slice {
        /// The dimension that is divided.
        dimension: usize,
    },
    /// Devices along an axis add (or otherwise reduce) their arrays, and each keeps a part.
    ReduceScatter {
        /// The operation.
        reduction: Reduction,
        /// The dimension that is divided.
        dimension: usize,
    },
    /// Devices along an axis reduce their arrays, and each keeps all.
    AllReduce {
        /// The operation.
        reduction: Reduction,
    },
    /// Each device sends its whole array to one other, and receives one.
    Permute,
    /// Devices along axes exchange parts: dimensions are divided, and others are joined.
    AllToAll {
        /// The dimensions that are divided.
        divided: Vec<usize>,
        /// The dimensions that are joined.
        joined: Vec<usize>,
    },
    /// Devices along an axis receive the arrays of the others.
    AllGather {
        /// The dimension that is joined.
        dimension: usize,
    },
    /// The array of a device is reordered locally.
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

    /// The same, ending in another order on each device.
    pub(crate) fn ending_in(self, after: &Sharding) -> Step {
        Step { after: after.clone(), ..self }
    }

    /// Its kind.
    #[must_use]
    pub fn collective(&self) -> &Collective {
        &self.collective
    }

    /// Its axes; a part of an axis as `y[2:4]`, the extent after the step.
    #[must_use]
    pub fn along(&self) -> &[String] {
        &self.along
    }

    /// The most elements that a device receives. A reduction counts the traffic of a ring.
    #[must_use]
    pub fn received(&self) -> i64 {
        self.traffic.iter().map(|(_, elements)| elements).sum()
    }

    /// The same by the axes of the mesh over whose links they come: from a device that differs in several coordinates,
    /// over the slowest.
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
