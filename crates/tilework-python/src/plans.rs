//! Plans for given layouts and types, which run on any memory that contains their offsets.

use crate::arguments;
use crate::dtype::{self, DType};
use crate::elements::PyTensor;
use crate::kernels::{self, Operands, Padding, PerDirection, Windows};
use crate::members::attributes;
use crate::prelude::*;
use tilework::AnyLayout;
use tilework_kernels::Error;
use tilework_kernels::dynamic::{Located, Plan, Types};

/// A plan with the layouts of its operands, the output last, and the types of their elements.
struct Planned {
    layouts: Vec<AnyLayout>,
    operand: DType,
    output: DType,
    plan: Plan,
}

/// The type of the operands, and that of the output if it is not the usual one.
type Elements<'a, 'py> = (&'a Object<'py>, Option<&'a Object<'py>>);

impl Planned {
    fn new<'py>(
        operation: &str,
        layouts: &[&Object<'py>],
        (operand, output): Elements<'_, 'py>,
        read: fn(&Object<'py>) -> Result<AnyLayout>,
        make: impl FnOnce(Types, &[AnyLayout], &[&dyn Located]) -> Result<Plan, Error>,
    ) -> Result<Planned> {
        let operand = DType::of(operand)?;
        let output = output.map_or(Ok(dtype::result_type(operand)), DType::of)?;
        let layouts = layouts.iter().map(|layout| read(layout)).collect::<Result<Vec<_>, _>>()?;
        let types = dtype::types(operation, (operand, output))?;
        let tensors =
            layouts.iter().map(|layout| kernels::from_lowest(*layout)).collect::<Result<Vec<_>, _>>()?;
        let located: Vec<&dyn Located> = tensors.iter().map(|tensor| tensor as &dyn Located).collect();
        let plan = make(types, &layouts, &located)?;
        Ok(Planned { layouts, operand, output, plan })
    }

    /// Runs the plan on arrays; the layouts index the elements from the first.
    fn run(&self, py: Python<'_>, arrays: &[Object<'_>], factors: (f64, f64), threads: usize) -> Result<()> {
        let last = self.layouts.len() - 1;
        if arrays.len() != self.layouts.len() {
            let message =
                format!("the plan has {last} operands and an output, and was given {} arrays", arrays.len());
            return refuse("arguments", message);
        }
        let mut tensors = Vec::new();
        for (i, (array, layout)) in arrays.iter().zip(&self.layouts).enumerate() {
            tensors.push(PyTensor::over(array, *layout, if i == last { self.output } else { self.operand })?);
        }
        let read: Vec<_> = tensors[..last].iter().map(|tensor| ("an operand", tensor)).collect();
        let operands = Operands::new(&read, ("the output", &tensors[last]))?;
        kernels::run_plan(py, &operands, factors, threads, |_| Ok(&self.plan))?;
        Ok(())
    }
}

/// The class of a plan, and what the plans of all operations have.
macro_rules! plan {
    ($(#[$doc:meta])* $class:ident, $name:literal) => {
        $(#[$doc])*
        #[pyclass(frozen, name = $name, module = "tilework")]
        pub struct $class(Planned);

        attributes! {
            $class:
            /// How many operations a run takes: two for each multiply-add.
            flops: u128 = |plan| plan.0.plan.flops();
        }

        #[pymethods]
        impl $class {
            /// What the plan does, and why, in a few lines.
            fn explain(&self) -> String {
                self.0.plan.explain()
            }
        }
    };
}

/// How a plan runs on arrays of these names.
macro_rules! run {
    ($class:ident: $(#[$doc:meta])* $($array:ident),*) => {
        #[pymethods]
        impl $class {
            $(#[$doc])*
            #[pyo3(signature = ($($array,)* *, alpha=1.0, beta=0.0, threads=1))]
            fn run(
                &self,
                $($array: Object<'_>,)*
                alpha: f64,
                beta: f64,
                #[pyo3(from_py_with = arguments::threads)] threads: usize,
            ) -> Result<()> {
                let arrays = [$($array),*];
                self.0.run(arrays[0].py(), &arrays, (alpha, beta), threads)
            }
        }
    };
}

plan! {
    /// How to multiply matrices of given layouts and types, `C = alpha A B + beta C` for `A` of `(M,K)`, `B` of `(N,K)` and `C` of
    /// `(M,N)`; made once, run many times.
    ///
    /// >>> import numpy as np
    /// >>> from tilework import GemmPlan
    /// >>> plan = GemmPlan("(2,3):(3,1)", "(4,3):(3,1)", "(2,4):(4,1)", "float64")
    /// >>> c = np.empty((2, 4))
    /// >>> plan.run(np.arange(6.0).reshape(2, 3), np.ones((4, 3)), c)
    /// >>> c
    /// array([[ 3.,  3.,  3.,  3.],
    ///        [12., 12., 12., 12.]])
    /// >>> plan.flops, plan.explain().splitlines()[0]
    /// (48, '2 by 4 by 3')
    PyGemmPlan, "GemmPlan"
}

plan! {
    /// How to contract tensors of given layouts and types, by Einstein's notation; made once, run many times.
    ///
    /// >>> import numpy as np
    /// >>> from tilework import ContractPlan
    /// >>> plan = ContractPlan("mk,k->m", ["(2,3):(3,1)", "3:1"], "2:1", "float64")
    /// >>> out = np.empty(2)
    /// >>> plan.run(np.arange(6.0), np.ones(3), out)
    /// >>> out
    /// array([ 3., 12.])
    /// >>> plan.flops
    /// 12
    ///
    /// With `None` for the output the plan chooses the layout that is written fastest, `plan.out`:
    ///
    /// >>> print(ContractPlan("pkm,nk->pnm", ["(4,2,3):(3,12,1)", "(5,2):(2,1)"], None, "float32").out)
    /// (4,5,3):(3,12,1)
    PyContractPlan, "ContractPlan"
}

plan! {
    /// How to convolve tensors of given layouts and types, as `conv` does; made once, run many times.
    ///
    /// >>> import numpy as np
    /// >>> from tilework import ConvPlan
    /// >>> plan = ConvPlan("(1,5,1):(5,1,1)", "(1,2,1):(2,1,1)", "(1,4,1):(4,1,1)", "float64")
    /// >>> out = np.empty(4)
    /// >>> plan.run(np.arange(5.0), np.ones(2), out)
    /// >>> out
    /// array([1., 3., 5., 7.])
    /// >>> plan.flops
    /// 16
    PyConvPlan, "ConvPlan"
}

run! {
    PyGemmPlan:
    /// Multiplies arrays of the plan's types, whose elements the layouts index from the first.
    a, b, c
}

run! {
    PyConvPlan:
    /// Convolves arrays of the plan's types, whose elements the layouts index from the first.
    input, filter, output
}

#[pymethods]
impl PyGemmPlan {
    #[new]
    #[pyo3(signature = (a, b, c, dtype, out_dtype=None))]
    fn new<'py>(
        a: &Object<'py>,
        b: &Object<'py>,
        c: &Object<'py>,
        dtype: &Object<'py>,
        out_dtype: Option<&Object<'py>>,
    ) -> Result<PyGemmPlan> {
        let (read, elements) = (arguments::any_layout, (dtype, out_dtype));
        let make = |types, _: &[AnyLayout], places: &[&dyn Located]| {
            Plan::gemm(types, places[0], places[1], places[2])
        };
        Planned::new("gemm", &[a, b, c], elements, read, make).map(PyGemmPlan)
    }
}

#[pymethods]
impl PyContractPlan {
    #[new]
    #[pyo3(signature = (spec, operands, out, dtype, out_dtype=None))]
    fn new<'py>(
        spec: &str,
        operands: Vec<Object<'py>>,
        out: Option<&Object<'py>>,
        dtype: &Object<'py>,
        out_dtype: Option<&Object<'py>>,
    ) -> Result<PyContractPlan> {
        let (layouts, mut chosen): (Vec<_>, _) = (operands.iter().chain(out).collect(), None);
        let (read, elements) = (arguments::any_layout, (dtype, out_dtype));
        let mut planned =
            Planned::new("a contraction", &layouts, elements, read, |types, _, places| match out {
                None => {
                    let (plan, layout) = Plan::contract_with_free_output(types, spec, places)?;
                    chosen = Some(layout);
                    Ok(plan)
                }
                Some(_) => {
                    let (output, operands) = (places[places.len() - 1], &places[..places.len() - 1]);
                    Plan::contract(types, spec, operands, output)
                }
            })?;
        planned.layouts.extend(chosen.map(AnyLayout::from));
        Ok(PyContractPlan(planned))
    }

    /// Contracts arrays of the plan's types, the output last, whose elements the layouts index from the first.
    #[pyo3(signature = (*arrays, alpha=1.0, beta=0.0, threads=1))]
    fn run(
        &self,
        arrays: &Bound<'_, PyTuple>,
        alpha: f64,
        beta: f64,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> Result<()> {
        self.0.run(arrays.py(), &arrays.iter().collect::<Vec<_>>(), (alpha, beta), threads)
    }
}

attributes! {
    PyContractPlan:
    /// The layout of the output.
    out: Made<'py> = |plan, py| {
        let output = plan.0.layouts.last().copied().unwrap_or(tilework::Layout::UNIT.into());
        crate::classes::object(py, output.into())
    };
}

#[pymethods]
impl PyConvPlan {
    #[new]
    #[pyo3(signature = (input, filter, output, dtype, out_dtype=None, *, stride=None, dilation=None, padding=None, groups=1))]
    #[allow(clippy::too_many_arguments)] // That many things can be said about a convolution.
    fn new<'py>(
        input: &Object<'py>,
        filter: &Object<'py>,
        output: &Object<'py>,
        dtype: &Object<'py>,
        out_dtype: Option<&Object<'py>>,
        stride: Option<PerDirection<usize>>,
        dilation: Option<PerDirection<usize>>,
        padding: Option<PerDirection<Padding>>,
        #[pyo3(from_py_with = arguments::groups)] groups: usize,
    ) -> Result<PyConvPlan> {
        let read = |layout: &Object<'_>| match arguments::any_layout(layout)? {
            AnyLayout::Plain(layout) => Ok(kernels::with_one_spatial_mode(&layout)?.into()),
            AnyLayout::Swizzled(own) => {
                Ok(own.with_layout(kernels::with_one_spatial_mode(own.layout())?)?.into())
            }
        };
        let (layouts, elements) = ([input, filter, output], (dtype, out_dtype));
        Planned::new("a convolution", &layouts, elements, read, |types, layouts, places| {
            let windows = Windows::new(layouts[0].layout(), stride, dilation, padding, groups)?;
            Plan::conv(types, &windows.convolution(), places[0], places[1], places[2])
        })
        .map(PyConvPlan)
    }
}
