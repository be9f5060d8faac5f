//! `tilework.sharding`: tensors on a mesh of devices.

use crate::arguments;
use crate::members::{attributes, texts};
use crate::named::Named;
use crate::prelude::*;
use crate::tuple;
use pyo3::exceptions::PyMemoryError;
use tilework_expr::Value;
use tilework_kernels::Einsum;
use tilework_sharding as library;

/// The module, which has a private name.
#[pymodule]
pub mod _sharding {
    #[pymodule_export]
    use super::{Contraction, Exchange, Mesh, Message, Redistribution, Sharding, Step, einsum};
}

fn extents(shape: &Object<'_>) -> Result<Vec<i64>> {
    Ok(arguments::shape(shape)?.leaves().to_vec())
}

fn indices(coordinate: &Object<'_>) -> Result<Vec<i64>> {
    let tuple = tuple::coordinate_of(coordinate)?.ok_or_else(|| Refusal::kind("a coordinate", coordinate))?;
    Ok(tuple.leaves().to_vec())
}

fn is_within(index: &[i64], extents: &[i64]) -> bool {
    index.len() == extents.len() && index.iter().zip(extents).all(|(at, &extent)| (0..extent).contains(at))
}

/// Devices `0 .. n`, arranged along named axes, the last axis fastest: `Mesh("x=2,y=4")` or `Mesh(x=2, y=4)`. With a
/// layout from the coordinates along the axes to the numbers of devices, `Mesh("x=2,y=4:(1,2)")`, or a list of these
/// numbers, `Mesh("x=4:[0,1,3,2]")`, in another order.
///
/// >>> from tilework.sharding import Mesh
/// >>> mesh = Mesh(x=2, y=4)
/// >>> mesh, mesh.size, mesh.axes
/// (Mesh('x=2,y=4'), 8, {'x': 2, 'y': 4})
/// >>> mesh.coordinate(6), mesh.device((1, 2)), print(mesh.devices)
/// (2,4):(4,1)
/// ((1, 2), 6, None)
#[pyclass(frozen, eq, module = "tilework.sharding")]
#[derive(Clone, PartialEq)]
pub struct Mesh(library::Mesh);

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (text = None, /, **axes))]
    fn new(text: Option<&str>, axes: Option<&Bound<'_, PyDict>>) -> Result<Mesh> {
        let axes = Named::new("the extent of an axis", axes)?;
        Ok(Mesh(match text {
            Some(text) if axes.0.is_empty() => library::Mesh::parse(text)?,
            Some(_) => {
                return refuse("argument", "a mesh is given by a text or by its axes, not by both");
            }
            None => library::Mesh::new(&axes.pairs())?,
        }))
    }

    /// The coordinate of a device along each axis.
    fn coordinate<'py>(&self, py: Python<'py>, device: i64) -> Result<Bound<'py, PyTuple>> {
        let coordinate = self.0.coordinate(device).ok_or_else(|| no_device(device, &self.0))?;
        Ok(PyTuple::new(py, coordinate)?)
    }

    /// The number of the device at a coordinate.
    fn device(&self, coordinate: &Object<'_>) -> Result<i64> {
        let at = indices(coordinate)?;
        let extents: Vec<i64> = self.0.axes().iter().map(|axis| axis.extent()).collect();
        if !is_within(&at, &extents) {
            return refuse("outside", format!("the mesh {} has no coordinate {at:?}", self.0));
        }
        Ok(self.0.device(&at))
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.0.to_string())
    }
}

texts!(Mesh: |mesh| mesh.0, "Mesh('{}')");

attributes! {
    Mesh:
    /// The axes with their extents.
    axes: PyResult<Bound<'py, PyDict>> =
        |mesh, py| mesh.0.axes().iter().map(|axis| (axis.name(), axis.extent())).into_py_dict(py);
    /// The number of devices.
    size: i64 = |mesh| mesh.0.size();
    /// The devices in row-major order of their coordinates, if that is not a layout; otherwise None.
    ///
    /// >>> from tilework.sharding import Mesh
    /// >>> Mesh("x=4:[0,1,3,2]").order, Mesh("x=2,y=2:[0,2,1,3]")
    /// ([0, 1, 3, 2], Mesh('x=2,y=2:(1,2)'))
    order: Option<Vec<i64>> = |mesh| mesh.0.order().map(<[i64]>::to_vec);
    /// The layout from the coordinates along the axes to the numbers of devices, or to their positions in `order`.
    devices: Made<'py> = |mesh, py| tuple::object(py, Value::from(*mesh.0.devices()));
}

fn no_device(device: i64, mesh: &library::Mesh) -> Refusal {
    Refusal::new(
        "outside",
        format!("there is no device {device}; the mesh {mesh} has the devices 0 to {}", mesh.size() - 1),
    )
}

/// Which device holds which elements of a tensor: the layout from device and local index to coordinate. `spec` is JAX's
/// `P(x, None)`, PyTorch's `[Shard(0), Replicate()]`, HLO's or Shardy's text, or a layout.
///
/// >>> from tilework.sharding import Mesh, Sharding
/// >>> sharding = Sharding(Mesh(x=2, y=4), (16, 8), "P(y, None)")
/// >>> print(sharding)
/// ((2,4),(4,8)):((0,4@0),(1@0,1@1))
/// >>> sharding.local_shape, sharding.is_even, sharding.count(3), sharding.holders((5, 0))
/// ((4, 8), True, 32, [1, 5])
/// >>> sharding.to("jax"), sharding.to("pytorch"), sharding.to("hlo")
/// ("PartitionSpec('y', None)", '[Replicate(), Shard(0)]', '{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}')
/// >>> sharding.reshape((4, 4, 8)).to("jax")
/// "PartitionSpec('y', None, None)"
#[pyclass(frozen, eq, module = "tilework.sharding")]
#[derive(Clone, PartialEq)]
pub struct Sharding(library::Sharding);

#[pymethods]
impl Sharding {
    #[new]
    fn new(mesh: &Mesh, shape: &Object<'_>, spec: &Object<'_>) -> Result<Sharding> {
        let shape = extents(shape)?;
        if let Ok(text) = spec.extract::<&str>() {
            return Ok(Sharding(library::Sharding::parse(&mesh.0, &shape, text)?));
        }
        let layout = arguments::layout(spec)?;
        Ok(Sharding(library::Sharding::new(&mesh.0, &shape, &layout)?))
    }

    /// How many elements a device holds.
    fn count(&self, device: i64) -> Result<i64> {
        self.0.count(device).ok_or_else(|| no_device(device, self.0.mesh()))
    }

    /// The devices that hold a coordinate.
    fn holders(&self, coordinate: &Object<'_>) -> Result<Vec<i64>> {
        let mut devices: Vec<i64> = self.0.holders(&indices(coordinate)?)?.numbers().collect();
        devices.sort_unstable();
        Ok(devices)
    }

    /// The coordinate of a local index on a device; None past the end.
    fn coordinate<'py>(
        &self,
        py: Python<'py>,
        device: i64,
        index: &Object<'_>,
    ) -> Result<Option<Bound<'py, PyTuple>>> {
        let index = indices(index)?;
        let local = self.0.local_shape();
        if !is_within(&index, &local) {
            return refuse("outside", format!("the local index {index:?} is not within {local:?}"));
        }
        if self.0.mesh().coordinate(device).is_none() {
            return Err(no_device(device, self.0.mesh()));
        }
        Ok(self.0.coordinate(device, &index).map(|coordinate| PyTuple::new(py, coordinate)).transpose()?)
    }

    /// The numbers of the elements of a device in the row-major tensor, in the row-major order of its part; -1 past the
    /// end.
    fn elements(&self, device: i64) -> Result<Vec<i64>> {
        if self.0.mesh().coordinate(device).is_none() {
            return Err(no_device(device, self.0.mesh()));
        }
        let size = self.0.local_shape().iter().product::<i64>() as usize;
        let mut numbers: Vec<i64> = Vec::new();
        numbers.try_reserve_exact(size).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        numbers.push(0);
        // From the slowest dimension on, each number is expanded by the indices of the next dimension.
        for (dimension, &extent) in self.0.shape().iter().enumerate() {
            let own: Vec<i64> = self.0.along_dimension(dimension, device).into_iter().flatten().collect();
            let longer = Vec::with_capacity(numbers.len() * own.len());
            let slower = std::mem::replace(&mut numbers, longer);
            numbers.extend(slower.iter().flat_map(|&number: &i64| {
                own.iter().map(move |&at| if number < 0 || at >= extent { -1 } else { number * extent + at })
            }));
        }
        Ok(numbers)
    }

    /// The text of a form: "jax", "pytorch", "hlo" or "shardy".
    fn to(&self, form: &str) -> Result<String> {
        Ok(match form {
            "jax" => self.0.to_partition_spec()?,
            "pytorch" => self.0.to_placements()?,
            "hlo" => self.0.to_hlo()?,
            "shardy" => self.0.to_shardy()?,
            _ => {
                return refuse("argument", format!("the form is jax, pytorch, hlo or shardy, not {form}"));
            }
        })
    }

    /// The same sharding on a mesh where whole axes divide the tensor: an axis `y` that divides in parts becomes `y_0`,
    /// `y_1` and so on.
    ///
    /// >>> from tilework.sharding import Mesh, Sharding
    /// >>> half = Sharding(Mesh(x=2, y=4), (8, 8), "{devices=[2,2,2]<=[8] last_tile_dim_replicate}").by_whole_axes()
    /// >>> half.mesh, half.to("jax")
    /// (Mesh('x=2,y_0=2,y_1=2'), "PartitionSpec('x', 'y_0')")
    fn by_whole_axes(&self) -> Result<Sharding> {
        Ok(Sharding(self.0.by_whole_axes()?))
    }

    /// The sharding of a row-major reshape that each device can do locally.
    fn reshape(&self, shape: &Object<'_>) -> Result<Sharding> {
        Ok(Sharding(self.0.reshape(&extents(shape)?)?))
    }

    /// The sharding with the dimensions in another order.
    fn transpose(&self, order: Vec<usize>) -> Result<Sharding> {
        Ok(Sharding(self.0.transpose(&order)?))
    }

    /// The sharding of `begin` to `end` of a dimension that no axis divides.
    fn slice(&self, dimension: usize, begin: i64, end: i64) -> Result<Sharding> {
        Ok(Sharding(self.0.slice(dimension, begin, end)?))
    }

    fn __repr__(&self) -> String {
        format!("<Sharding {:?} {} on {}>", self.0.shape(), self.0, self.0.mesh())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.__repr__())
    }
}

attributes! {
    Sharding:
    /// The pending reductions, by axis: each device along it holds a partial value of every element.
    owed: PyResult<Bound<'py, PyDict>> = |sharding, py| {
        let axes = sharding.0.mesh().axes().iter().zip(sharding.0.owed());
        axes.filter_map(|(axis, owed)| Some((axis.name(), owed.as_ref()?.name()))).into_py_dict(py)
    };
    /// The devices.
    mesh: Mesh = |sharding| Mesh(sharding.0.mesh().clone());
    /// The extents of the tensor.
    shape: PyResult<Bound<'py, PyTuple>> = |sharding, py| PyTuple::new(py, sharding.0.shape());
    /// The extents of the part of a device, at most.
    local_shape: PyResult<Bound<'py, PyTuple>> = |sharding, py| PyTuple::new(py, sharding.0.local_shape());
    /// The layout from device and local index to coordinate.
    layout: Result<Object<'py>> =
        |sharding, py| Ok(tuple::object(py, Value::from(sharding.0.layout()?))?);
    /// Whether every device holds the same number of elements.
    is_even: bool = |sharding| sharding.0.is_even();
}

/// The sharding of `einsum` if each device multiplies its own parts; sums may be pending along axes.
///
/// >>> from tilework.sharding import Mesh, Sharding, einsum
/// >>> mesh = Mesh(x=2, y=4)
/// >>> a, b = Sharding(mesh, (16, 32), "P(x, y)"), Sharding(mesh, (32, 8), "P(y, None)")
/// >>> c = einsum("ij,jk->ik", a, b)
/// >>> print(c.to("pytorch"), c.owed)
/// [Shard(0), Partial(sum)] {'y': 'sum'}
#[pyfunction]
#[pyo3(signature = (spec, *operands))]
fn einsum(spec: &str, operands: Vec<PyRef<'_, Sharding>>) -> Result<Sharding> {
    let spec = Einsum::parse(spec)?;
    Ok(Sharding(library::Sharding::einsum(&labelled(&spec, &operands)?, spec.output())?))
}

/// The operands with their labels.
fn labelled<'a>(
    spec: &'a Einsum,
    operands: &'a [PyRef<'_, Sharding>],
) -> Result<Vec<(&'a [char], &'a library::Sharding)>> {
    let labels = spec.operands();
    if labels.len() != operands.len() {
        let (expected, found) = (labels.len(), operands.len());
        return refuse(
            "specification",
            format!("the specification has {expected} operands, and here are {found}"),
        );
    }
    Ok(labels.iter().map(|labels| &labels[..]).zip(operands.iter().map(|operand| &operand.0)).collect())
}

/// A plan for an einsum of tensors on one mesh: the communication before it, the local products, and the communication
/// after it, which minimizes the elements that the most loaded device receives. The result has the sharding `out`, or
/// its text in any form; without it, the cheapest one, which whole axes divide into even blocks if they divide all
/// operands so. `bits` are the widths of the elements of each operand and of the
/// result, if they differ.
///
/// >>> from tilework.sharding import Contraction, Mesh, Sharding
/// >>> mesh = Mesh(x=2, y=4)
/// >>> a, b = Sharding(mesh, (64, 32), "P(x, y)"), Sharding(mesh, (32, 16), "P(y, x)")
/// >>> plan = Contraction("ij,jk->ik", a, b, out="P(x, y)")
/// >>> print(*plan.explain().splitlines()[:4], sep="\n")
/// operand 0 stays
/// operand 1: all-gather along x: joins dimension 1; 64 elements to a device
/// a device multiplies 32 of 64 of i, 8 of 32 of j, 16 of k: 4096 products
/// result: reduce-scatter (sum) along y: divides dimension 1; 384 elements to a device
/// >>> plan.received, plan.products, len(plan.operands), plan.result.target.to("jax")
/// (448, 4096, 2, "PartitionSpec('x', 'y')")
#[pyclass(frozen, module = "tilework.sharding")]
pub struct Contraction {
    plan: library::Contraction,
    spec: String,
}

/// The sharding of a result: a sharding, or a text in any form.
fn result(
    operands: &[(&[char], &library::Sharding)],
    output: &[char],
    out: &Object<'_>,
) -> Result<library::Sharding> {
    let Ok(text) = out.extract::<&str>() else {
        return Ok(out.cast::<Sharding>().map_err(PyErr::from)?.get().0.clone());
    };
    let extent = |label: &char| {
        let has = |(names, own): &(&[char], &library::Sharding)| {
            names.iter().zip(own.shape()).find(|(name, _)| *name == label).map(|(_, &extent)| extent)
        };
        operands.iter().find_map(has)
    };
    let shape: Vec<i64> = output.iter().filter_map(extent).collect();
    let Some((_, first)) = operands.first() else { return Err(Refusal::kind("operands", out)) };
    Ok(library::Sharding::parse(first.mesh(), &shape, text)?)
}

#[pymethods]
impl Contraction {
    #[new]
    #[pyo3(signature = (spec, *operands, out = None, bits = None))]
    fn new(
        spec: &str,
        operands: Vec<PyRef<'_, Sharding>>,
        out: Option<&Object<'_>>,
        bits: Option<Vec<i64>>,
    ) -> Result<Contraction> {
        let parsed = Einsum::parse(spec)?;
        let labelled = labelled(&parsed, &operands)?;
        let out = out.map(|out| result(&labelled, parsed.output(), out)).transpose()?;
        let plan = match bits {
            None => library::Contraction::new(&labelled, parsed.output(), out.as_ref())?,
            Some(bits) => library::Contraction::with_bits(&labelled, parsed.output(), out.as_ref(), &bits)?,
        };
        Ok(Contraction { plan, spec: spec.to_owned() })
    }

    /// The steps, and the cost of the next best choices.
    fn explain(&self) -> String {
        self.plan.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Contraction {}, {} elements to a device>", self.spec, self.plan.received())
    }
}

attributes! {
    Contraction:
    /// The specification, as it was given.
    spec: String = |contraction| contraction.spec.clone();
    /// The plan of each operand before the product.
    operands: Vec<Redistribution> =
        |contraction| contraction.plan.operands().iter().cloned().map(Redistribution).collect();
    /// From the local products to the result.
    result: Redistribution = |contraction| Redistribution(contraction.plan.result().clone());
    /// The most elements that a device receives, in total.
    received: i64 = |contraction| contraction.plan.received();
    /// How many products each device computes.
    products: i64 = |contraction| contraction.plan.products();
}

/// The exact plan from one sharding of a tensor to another: collectives, and the messages between devices. `links` has
/// the speed along each axis in GB/s, `"node=50,gpu=900"`; the plan then takes the least time, otherwise it moves the
/// fewest elements.
///
/// >>> from tilework.sharding import Mesh, Redistribution, Sharding
/// >>> mesh = Mesh(x=2, y=4)
/// >>> plan = Redistribution(Sharding(mesh, (16, 8), "P(y, None)"), Sharding(mesh, (16, 8), "P(None, y)"))
/// >>> print(*plan.steps)
/// all-to-all along y: divides dimension 1, joins dimension 0
/// >>> plan.sources(2), plan.received(2), plan.message(1, 2)
/// ([0, 1, 2, 3], 24, <Message of 8 elements>)
#[pyclass(frozen, module = "tilework.sharding")]
pub struct Redistribution(library::Redistribution);

#[pymethods]
impl Redistribution {
    #[new]
    #[pyo3(signature = (source, target, /, *, links = None))]
    fn new(source: &Sharding, target: &Sharding, links: Option<&str>) -> Result<Redistribution> {
        let Some(links) = links else {
            return Ok(Redistribution(library::Redistribution::new(&source.0, &target.0)?));
        };
        let links = library::Links::parse(source.0.mesh(), links)?;
        Ok(Redistribution(library::Redistribution::over(&source.0, &target.0, &links)?))
    }

    /// The elements that device `source` sends to `target`, and their places; None if there are none.
    fn message(&self, source: i64, target: i64) -> Option<Message> {
        let from = self.0.settling().map_or(self.0.from(), library::Redistribution::to);
        let shapes = [from.shape().to_vec(), from.local_shape(), self.0.to().local_shape()];
        self.0.message(source, target).map(|message| Message { message, shapes })
    }

    /// The elements that a device receives by messages, and for the reduction before; None if collectives reduce.
    fn received(&self, device: i64) -> Option<i64> {
        self.0.received(device)
    }

    /// The devices from which one receives anything, including itself.
    fn sources(&self, device: i64) -> Result<Vec<i64>> {
        let mut devices: Vec<i64> = self.0.sources(device)?.numbers().collect();
        devices.sort_unstable();
        Ok(devices)
    }
}

attributes! {
    Redistribution:
    /// The collectives as an engine runs them; None if only messages can do it.
    exchanges: Option<Vec<Exchange>> = |plan| {
        let steps = plan.0.steps().into_iter().flatten();
        let shapes = steps.map(|step| step.after().local_shape());
        let exchanges = plan.0.exchanges().map(|own| own.into_iter().zip(shapes));
        exchanges.map(|own| own.map(|(exchange, shape)| Exchange { exchange, shape }).collect())
    };
    /// The sharding before.
    source: Sharding = |plan| Sharding(plan.0.from().clone());
    /// The sharding after.
    target: Sharding = |plan| Sharding(plan.0.to().clone());
    /// The collectives of the plan, in order; None if messages move less, or take less time over the links, or if there
    /// are no collectives.
    steps: Option<Vec<Step>> =
        |plan| plan.0.steps().map(|steps| steps.iter().cloned().map(Step).collect());
    /// The cheapest collectives, even if slower than messages; None if only messages can do it.
    collectives: Option<Vec<Step>> =
        |plan| plan.0.collectives().map(|steps| steps.iter().cloned().map(Step).collect());
    /// The most elements that a device receives by messages, by the axes over whose links they come; None if a
    /// reduction is pending, or devices hold different numbers of elements.
    traffic: PyResult<Option<Bound<'py, PyDict>>> =
        |plan, py| plan.0.traffic().map(|traffic| by_axis(py, plan.0.to().mesh(), &traffic)).transpose();
    /// The plan before the messages, if a reduction is pending and no collectives do everything: a plan by collectives,
    /// from whose target the messages start.
    ///
    /// >>> from tilework.sharding import Mesh, Redistribution, Sharding
    /// >>> mesh = Mesh(x=2, y=3)
    /// >>> plan = Redistribution(Sharding(mesh, (10, 4), "[Partial(sum), Shard(0)]"), Sharding(mesh, (10, 4), "P(x)"))
    /// >>> plan.steps, plan.settling.steps
    /// (None, [<Step reduce-scatter (sum) along x: divides dimension 0>])
    settling: Option<Redistribution> =
        |plan| plan.0.settling().cloned().map(Redistribution);
    /// The most elements that a device receives by messages, and for the reduction before; None if collectives reduce.
    most_received: Option<i64> = |plan| plan.0.most_received();
}

/// Numbers of elements by the names of the axes.
fn by_axis<'py>(
    py: Python<'py>,
    mesh: &library::Mesh,
    traffic: &[(usize, i64)],
) -> PyResult<Bound<'py, PyDict>> {
    traffic.iter().map(|&(axis, number)| (mesh.axes()[axis].name(), number)).into_py_dict(py)
}

/// One collective of a plan.
#[pyclass(frozen, module = "tilework.sharding")]
pub struct Step(library::Step);

texts!(Step: |step| step.0, "<Step {}>");

attributes! {
    Step:
    /// The kind: "slice", "reduce-scatter", "all-reduce", "permute", "all-to-all", "all-gather" or "reorder".
    collective: String = |step| step.0.to_string().split(' ').next().unwrap_or_default().to_owned();
    /// Its axes; a part of an axis is `y[2:4]`: the extent below the part, and that including it.
    along: Vec<String> = |step| step.0.along().to_vec();
    /// The most elements that a device receives.
    received: i64 = |step| step.0.received();
    /// The same by the axes over whose links they come.
    traffic: PyResult<Bound<'py, PyDict>> = |step, py| by_axis(py, step.0.after().mesh(), step.0.traffic());
    /// The sharding after it.
    after: Sharding = |step| Sharding(step.0.after().clone());
}

/// One collective as an engine runs it. A device pads its array by `filled`, if that is not None, reshapes it to
/// `before[0]`, transposes it by `before[1]` and divides it into `parts` parts; the devices of each group exchange
/// these, or each device of `pairs` sends everything to another; then a device reshapes its array to `after[0]`,
/// transposes it by `after[1]`, and reshapes it to `shape`.
///
/// >>> from tilework.sharding import Mesh, Redistribution, Sharding
/// >>> mesh = Mesh(x=2, y=2)
/// >>> plan = Redistribution(Sharding(mesh, (4, 8), "P(x, y)"), Sharding(mesh, (4, 8), "P((x, y), None)"))
/// >>> exchange = plan.exchanges[0]
/// >>> exchange.parts, exchange.groups, exchange.joins, exchange.pairs, exchange.reduction
/// (2, [[0, 1], [2, 3]], True, [], None)
/// >>> exchange.before, exchange.after, exchange.shape
/// (([2, 4], [0, 1]), ([2, 4], [0, 1]), (1, 8))
#[pyclass(frozen, module = "tilework.sharding")]
pub struct Exchange {
    exchange: library::Exchange,
    shape: Vec<i64>,
}

attributes! {
    Exchange:
    /// If blocks are not even: the extents of a device's array, and those to which it is padded with zeros first; None
    /// if they are equal.
    ///
    /// >>> from tilework.sharding import Mesh, Redistribution, Sharding
    /// >>> mesh = Mesh(x=4)
    /// >>> plan = Redistribution(Sharding(mesh, (10,), "P(x)"), Sharding(mesh, (10,), "P()"))
    /// >>> plan.exchanges[0].filled, plan.exchanges[0].cut
    /// (None, ([12], [10]))
    filled: Option<(Vec<i64>, Vec<i64>)> =
        |exchange| exchange.exchange.before().filled().map(|(held, filled)| (held.to_vec(), filled.to_vec()));
    /// If blocks are not even: the extents of a device's array after the collective, and those to which it is cut; None
    /// if they are equal.
    cut: Option<(Vec<i64>, Vec<i64>)> =
        |exchange| exchange.exchange.after().filled().map(|(held, filled)| (filled.to_vec(), held.to_vec()));
    /// The shape to which a device reshapes its array before the exchange, and the order of the modes.
    before: (Vec<i64>, Vec<usize>) = |exchange| arrangement(exchange.exchange.before());
    /// The shape to which a device reshapes its array after the exchange, and the order of the modes.
    after: (Vec<i64>, Vec<usize>) = |exchange| arrangement(exchange.exchange.after());
    /// The final shape of a device's array.
    shape: PyResult<Bound<'py, PyTuple>> = |exchange, py| PyTuple::new(py, &exchange.shape);
    /// The number of parts of a device's array; part `k` belongs to member `k` of a group.
    parts: i64 = |exchange| exchange.exchange.parts();
    /// Whether members receive parts from all others; if not, each keeps its own part, or a sum of that part.
    joins: bool = |exchange| exchange.exchange.joins();
    /// The reduction over the members of a group: "sum", "min", "max", "product" or None.
    reduction: Option<&'static str> = |exchange| exchange.exchange.reduction().map(library::Reduction::name);
    /// The devices of each group, in the order of its members.
    groups: Vec<Vec<i64>> = |exchange| exchange.exchange.groups();
    /// In a permutation, the pairs of sender and receiver; a device that keeps its array is paired with itself.
    pairs: Vec<(i64, i64)> = |exchange| exchange.exchange.pairs();
}

fn arrangement(arrangement: &library::Arrangement) -> (Vec<i64>, Vec<usize>) {
    (arrangement.shape().to_vec(), arrangement.order().to_vec())
}

/// Elements that one device receives from another.
#[pyclass(frozen, module = "tilework.sharding")]
pub struct Message {
    message: library::Message,
    /// The shapes of the tensor, and of the arrays of the two devices.
    shapes: [Vec<i64>; 3],
}

type Place<'py> = (Bound<'py, PyTuple>, Object<'py>);

fn place<'py>(py: Python<'py>, place: &library::Place) -> Result<Place<'py>> {
    Ok((PyTuple::new(py, place.first())?, tuple::object(py, Value::from(place.layout()?))?))
}

#[pymethods]
impl Message {
    /// Their offsets in the row-major arrays of the two devices, as two lists.
    fn offsets(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut source, mut target) = (Vec::new(), Vec::new());
        for piece in self.message.pieces() {
            let places = piece.coordinate().indices().zip(piece.from().indices()).zip(piece.to().indices());
            for ((coordinate, from), to) in places {
                if coordinate.iter().zip(&self.shapes[0]).all(|(at, extent)| at < extent) {
                    source.push(row_major(&from, &self.shapes[1]));
                    target.push(row_major(&to, &self.shapes[2]));
                }
            }
        }
        (source, target)
    }

    fn __repr__(&self) -> String {
        format!("<Message of {} elements>", self.message.elements())
    }
}

attributes! {
    Message:
    /// The number of elements.
    elements: i64 = |message| message.message.elements();
    /// Their pieces; only one if the blocks of the two shardings divide each other. Each has the coordinates in the
    /// tensor, the local indices at the source, and those at the target, as the first one and a layout of the distances
    /// of the others from it.
    ///
    /// >>> from tilework.sharding import Mesh, Redistribution, Sharding
    /// >>> mesh = Mesh(x=3, y=4)
    /// >>> plan = Redistribution(Sharding(mesh, (1000,), "P(x)"), Sharding(mesh, (1000,), "P(y)"))
    /// >>> plan.message(5, 1).pieces
    /// [(((334,), Layout('(166):(1@0)')), ((0,), Layout('(166):(1@0)')), ((84,), Layout('(166):(1@0)')))]
    pieces: Result<Vec<(Place<'py>, Place<'py>, Place<'py>)>> = |message, py| {
        let places = |piece: library::Piece| {
            Ok((place(py, piece.coordinate())?, place(py, piece.from())?, place(py, piece.to())?))
        };
        message.message.pieces().map(places).collect()
    };
}

fn row_major(index: &[i64], shape: &[i64]) -> usize {
    index.iter().zip(shape).fold(0, |number, (at, extent)| number * *extent as usize + *at as usize)
}
