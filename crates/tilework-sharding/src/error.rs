//! The errors, each with the sentence that explains it.

use alloc::string::String;
use core::fmt;

/// Why a mesh, a sharding or a plan cannot be made, with the numbers involved.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The algebra refuses.
    Layout(tilework::Error),
    /// A text is not of its form.
    Text {
        /// The form, such as `PartitionSpec`.
        form: &'static str,
        /// The expected text.
        expected: &'static str,
        /// The text found instead.
        found: String,
    },
    /// A text is of no form.
    NoForm {
        /// The text.
        text: String,
    },
    /// A name that is not an axis of the mesh.
    UnknownAxis {
        /// The name.
        name: String,
        /// The axes of the mesh.
        mesh: String,
    },
    /// An axis that would divide the tensor twice.
    AxisTwice {
        /// The axis.
        name: String,
    },
    /// Two axes of a mesh have the same name, or the name of an axis is not a letter or `_` with letters, digits and `_` behind it.
    AxisName {
        /// The name.
        name: String,
    },
    /// An extent below 1.
    Extent {
        /// The thing that has it.
        what: &'static str,
        /// The extent.
        extent: i64,
    },
    /// A number exceeds 64 bits.
    Overflow {
        /// The things that are too many.
        what: String,
    },
    /// The devices of a mesh have to be the numbers from 0 on, each once.
    Devices {
        /// The layout of the devices.
        devices: String,
    },
    /// A list of the devices of a mesh does not have each of them exactly once.
    Order {
        /// The device.
        device: i64,
        /// How many devices there are.
        devices: i64,
        /// Whether the list lacks the device, rather than has it twice.
        missing: bool,
    },
    /// A placement is needed for each axis of the mesh.
    Placements {
        /// How many are given.
        given: usize,
        /// How many axes the mesh has.
        axes: usize,
        /// The mesh.
        mesh: String,
    },
    /// The number of dimensions is wrong.
    Rank {
        /// The thing that has the dimensions.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The required number.
        expected: usize,
    },
    /// Devices and local indices together do not reach each coordinate of a dimension exactly once.
    NotOnce {
        /// The dimension.
        dimension: usize,
        /// The step at which coordinates are skipped or reached twice.
        step: i64,
        /// The step that would continue those below it.
        expected: i64,
    },
    /// Devices and local indices together reach fewer coordinates than the dimension has.
    NotAll {
        /// The dimension.
        dimension: usize,
        /// How many are reached.
        reached: i64,
        /// How many there are.
        extent: i64,
    },
    /// A coordinate outside the tensor.
    Outside {
        /// The dimension.
        dimension: usize,
        /// The index along it.
        index: i64,
        /// Its extent.
        extent: i64,
    },
    /// A device outside the mesh.
    NoDevice {
        /// Its number.
        device: i64,
        /// How many devices there are.
        devices: i64,
    },
    /// A placement of a dimension that the tensor lacks.
    NoDimension {
        /// The dimension; negative ones are counted from the end.
        dimension: i64,
        /// The number of dimensions of the tensor.
        rank: usize,
    },
    /// A form cannot express this.
    Inexpressible {
        /// The form, such as `PartitionSpec`.
        form: &'static str,
        /// The dimension of the tensor, or the axis of the mesh.
        mode: String,
        /// The part that the form cannot express.
        why: String,
    },
    /// Blocks of a sharding and a view do not divide each other; or those of two shardings do not, and have too many
    /// pieces in common.
    Refinement {
        /// The dimension.
        dimension: usize,
        /// The steps at which one of them changes the device or the local index.
        from: i64,
        /// Those of the other.
        to: i64,
    },
    /// Two shardings of one plan have different tensors or meshes.
    Different {
        /// The property that differs.
        what: &'static str,
        /// In the first.
        from: String,
        /// In the second.
        to: String,
    },
    /// A plan would have to create partial values.
    Partial {
        /// An axis of the mesh.
        axis: String,
        /// The reduction that is pending along it before; none if the values are complete.
        from: Option<&'static str>,
        /// The one that is pending after.
        to: &'static str,
    },
    /// There is no picture of a sharding of this rank, or with this many devices.
    Picture {
        /// The most devices.
        devices: i64,
    },
    /// Different reductions are pending along two axes. They do not commute, so that the array has no values.
    Reductions {
        /// An axis, and the name of its reduction.
        first: (String, &'static str),
        /// Another axis, and the name of its reduction.
        second: (String, &'static str),
    },
    /// Two operands divide a label differently.
    Label {
        /// The label.
        label: char,
        /// The possible remedies.
        why: String,
    },
}

impl Error {
    /// A stable name of the condition.
    ///
    /// ```
    /// use tilework_sharding::Mesh;
    /// assert_eq!(Mesh::parse("x=2,x=4").unwrap_err().code(), "axis-name");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Layout(error) => error.code(),
            Error::Text { .. } | Error::NoForm { .. } => "text",
            Error::UnknownAxis { .. } => "name",
            Error::AxisTwice { .. } => "axis-twice",
            Error::AxisName { .. } => "axis-name",
            Error::Extent { .. } => "extent",
            Error::Overflow { .. } => "overflow",
            Error::Devices { .. } | Error::Order { .. } => "devices",
            Error::Rank { .. } | Error::Placements { .. } => "rank",
            Error::NotOnce { .. } => "not-once",
            Error::NotAll { .. } => "not-all",
            Error::Outside { .. } | Error::NoDevice { .. } | Error::NoDimension { .. } => "outside",
            Error::Inexpressible { .. } => "inexpressible",
            Error::Refinement { .. } => "refinement",
            Error::Different { .. } | Error::Partial { .. } => "different",
            Error::Picture { .. } => "picture",
            Error::Reductions { .. } => "reductions",
            Error::Label { .. } => "label",
        }
    }
}

impl From<tilework::Error> for Error {
    fn from(error: tilework::Error) -> Error {
        Error::Layout(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Layout(error) => write!(f, "{error}"),
            Error::Text { form, expected, found } if found.is_empty() => {
                write!(f, "{form}: expected {expected} at the end")
            }
            Error::Text { form, expected, found } => write!(f, "{form}: expected {expected} at `{found}`"),
            Error::NoForm { text } => {
                write!(f, "cannot read `{text}`; write P(x), [Shard(0)], {{devices=..}}, #sdy.. or a layout")
            }
            Error::UnknownAxis { name, mesh } => write!(f, "the mesh {mesh} has no axis `{name}`"),
            Error::AxisTwice { name } => {
                write!(f, "the axis `{name}` divides the tensor twice; an axis divides one dimension")
            }
            Error::AxisName { name } => {
                write!(
                    f,
                    "each axis of a mesh needs a name of its own, of letters, digits and `_` and without a digit first; `{name}` is not one"
                )
            }
            Error::Extent { what, extent } => write!(f, "{what} is {extent}, and has to be 1 or more"),
            Error::Overflow { what } => write!(f, "{what} do not fit in 64 bits"),
            Error::Devices { devices } => {
                write!(f, "the devices {devices} have to be the numbers from 0 on, each exactly once")
            }
            Error::Order { device, devices, missing } => {
                let (verb, times) = if *missing { ("lacks", "") } else { ("has", " twice") };
                let last = devices - 1;
                write!(
                    f,
                    "the list of devices {verb} device {device}{times}, and needs each of 0 to {last} exactly once"
                )
            }
            Error::Placements { given, axes, mesh } => {
                let others = ", Replicate()".repeat(axes.saturating_sub(1));
                write!(
                    f,
                    "each axis of the mesh {mesh} needs a placement, such as [Shard(0){others}]; {given} given for {axes}"
                )
            }
            Error::Rank { what, found, expected } => {
                write!(f, "{what} has {found} dimensions, and {expected} are needed")
            }
            Error::NotOnce { dimension, step, expected } => write!(
                f,
                "dimension {dimension}: a step of {step} does not continue the steps below it, which reach {expected} coordinates; \
                 with {expected} each coordinate is held at one place"
            ),
            Error::NotAll { dimension, reached, extent } => {
                write!(
                    f,
                    "dimension {dimension}: devices and local indices reach {reached} of {extent} coordinates"
                )
            }
            Error::Outside { dimension, index, extent } => {
                write!(f, "dimension {dimension} has the indices 0 to {}; found {index}", extent - 1)
            }
            Error::NoDevice { device, devices } => {
                write!(f, "there is no device {device}; the mesh has the devices 0 to {}", devices - 1)
            }
            Error::NoDimension { dimension, rank } => {
                write!(f, "there is no dimension {dimension}; the tensor has {rank} dimensions")
            }
            Error::Inexpressible { form, mode, why } => {
                write!(f, "{form} cannot say how {mode} is sharded: {why}")
            }
            Error::Refinement { dimension, from, to } => write!(
                f,
                "dimension {dimension}: blocks of {from} and blocks of {to} do not divide each other; go by way of a sharding whose \
                 blocks divide both"
            ),
            Error::Different { what, from, to } => write!(f, "{what} differ: {from} and {to}"),
            Error::Partial { axis, from, to } => {
                write!(f, "along `{axis}` FROM holds ")?;
                match from {
                    Some(from) => write!(f, "partial values of a {from}")?,
                    None => f.write_str("complete values")?,
                }
                write!(f, " and TO partial values of a {to}; a plan cannot create partial values")
            }
            Error::Picture { devices } => {
                write!(f, "pictures show vectors and matrices on at most {devices} devices")
            }
            Error::Reductions { first: (first, one), second: (second, other) } => write!(
                f,
                "a {one} is owed along `{first}` and a {other} along `{second}`, and their order would change the values, so the array \
                 is not defined; reduce along one of the two first"
            ),
            Error::Label { label, why } => write!(f, "label `{label}`: {why}"),
        }
    }
}

impl core::error::Error for Error {}
