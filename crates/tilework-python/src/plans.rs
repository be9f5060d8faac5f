//! Plans for given layouts and types, which run on any memory that contains their offsets.

use crate::arguments;
use crate::dtype::{self, DType};
use crate::elements::PyTensor;
use crate::error::Refusal;
use crate::kernels::{self, Operands, Padding, PerDirection, Windows};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tilework::AnyLayout;
use tilework_kernels::dynamic::{Located, Plan, Types};

/// The layouts of a plan's operands, the output last, and the types of their elements.
struct Planned {
    layouts: Vec<AnyLayout>,
    operand: DType,
    output: DType,
}

impl Planned {
    fn new(
        operation: &str,
        layouts: &[&Bound<'_, PyAny>],
        operand: &Bound<'_, PyAny>,
        output: Option<&Bound<'_, PyAny>>,
    ) -> Result<(Planned, Types), Refusal> {
        let operand = DType::of(operand)?;
        let output = output.map_or(Ok(dtype::result_type(operand)), DType::of)?;
        let layouts = layouts.iter().map(|layout| arguments::any_layout(layout)).collect::<Result<_, _>>()?;
        let types = dtype::types(operation, (operand, output))?;
        Ok((Planned { layouts, operand, output }, types))
    }

    fn plan(
        &self,
        make: impl FnOnce(&[&dyn Located]) -> Result<Plan, tilework_kernels::Error>,
    ) -> Result<Plan, Refusal> {
        let tensors =
            self.layouts.iter().map(|layout| kernels::from_lowest(*layout)).collect::<Result<Vec<_>, _>>()?;
        let located: Vec<&dyn Located> = tensors.iter().map(|tensor| tensor as &dyn Located).collect();
        Ok(make(&located)?)
    }

    /// Runs the plan on arrays; the layouts index the elements from the first.
    fn run(
        &self,
        py: Python<'_>,
        plan: &Plan,
        arrays: &[Bound<'_, PyAny>],
        (alpha, beta): (f64, f64),
        threads: usize,
    ) -> Result<(), Refusal> {
        if arrays.len() != self.layouts.len() {
            let message = format!(
                "the plan has {} operands and an output, and was given {} arrays",
                self.layouts.len() - 1,
                arrays.len()
            );
            return Err(Refusal::new("arguments", message));
        }
        let last = arrays.len() - 1;
        let mut tensors = Vec::new();
        for (i, (array, layout)) in arrays.iter().zip(&self.layouts).enumerate() {
            tensors.push(PyTensor::over(array, *layout, if i == last { self.output } else { self.operand })?);
        }
        let read: Vec<_> = tensors[..last].iter().map(|tensor| ("an operand", tensor)).collect();
        let operands = Operands::new(&read, ("the output", &tensors[last]))?;
        kernels::run_plan(py, &operands, (alpha, beta), threads, |_| Ok(plan))?;
        Ok(())
    }
}

macro_rules! plan_class {
    ($(#[$doc:meta])* $class:ident, $name:literal) => {
        $(#[$doc])*
        #[pyclass(frozen, name = $name, module = "tilework")]
        pub struct $class {
            planned: Planned,
            plan: Plan,
        }
    };
}

plan_class! {
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

plan_class! {
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

plan_class! {
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

#[pymethods]
impl PyGemmPlan {
    #[new]
    #[pyo3(signature = (a, b, c, dtype, out_dtype=None))]
    fn new(
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        c: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
        out_dtype: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyGemmPlan, Refusal> {
        let (planned, types) = Planned::new("gemm", &[a, b, c], dtype, out_dtype)?;
        let plan = planned.plan(|places| Plan::gemm(types, places[0], places[1], places[2]))?;
        Ok(PyGemmPlan { planned, plan })
    }

    /// Multiplies arrays of the plan's types, whose elements the layouts index from the first.
    #[pyo3(signature = (a, b, c, *, alpha=1.0, beta=0.0, threads=1))]
    fn run(
        &self,
        a: Bound<'_, PyAny>,
        b: Bound<'_, PyAny>,
        c: Bound<'_, PyAny>,
        alpha: f64,
        beta: f64,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> Result<(), Refusal> {
        let py = a.py();
        self.planned.run(py, &self.plan, &[a, b, c], (alpha, beta), threads)
    }
}

#[pymethods]
impl PyContractPlan {
    #[new]
    #[pyo3(signature = (spec, operands, out, dtype, out_dtype=None))]
    fn new(
        spec: &str,
        operands: Vec<Bound<'_, PyAny>>,
        out: Option<&Bound<'_, PyAny>>,
        dtype: &Bound<'_, PyAny>,
        out_dtype: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyContractPlan, Refusal> {
        let layouts: Vec<_> = operands.iter().chain(out).collect();
        let (mut planned, types) = Planned::new("a contraction", &layouts, dtype, out_dtype)?;
        if out.is_none() {
            let mut chosen = None;
            let plan = planned.plan(|places| {
                let (plan, layout) = Plan::contract_with_free_output(types, spec, places)?;
                chosen = Some(layout);
                Ok(plan)
            })?;
            planned.layouts.extend(chosen.map(AnyLayout::from));
            return Ok(PyContractPlan { planned, plan });
        }
        let plan = planned.plan(|places| {
            let (output, operands) = (places[places.len() - 1], &places[..places.len() - 1]);
            Plan::contract(types, spec, operands, output)
        })?;
        Ok(PyContractPlan { planned, plan })
    }

    /// The layout of the output.
    #[getter]
    fn out<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let output = self.planned.layouts.last().copied().unwrap_or(tilework::Layout::UNIT.into());
        crate::classes::object(py, output.into())
    }

    /// Contracts arrays of the plan's types, the output last, whose elements the layouts index from the first.
    #[pyo3(signature = (*arrays, alpha=1.0, beta=0.0, threads=1))]
    fn run(
        &self,
        arrays: &Bound<'_, PyTuple>,
        alpha: f64,
        beta: f64,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> Result<(), Refusal> {
        let given: Vec<_> = arrays.iter().collect();
        self.planned.run(arrays.py(), &self.plan, &given, (alpha, beta), threads)
    }
}

#[pymethods]
impl PyConvPlan {
    #[new]
    #[pyo3(signature = (input, filter, output, dtype, out_dtype=None, *, stride=None, dilation=None, padding=None, groups=1))]
    #[allow(clippy::too_many_arguments)] // That many things can be said about a convolution.
    fn new(
        input: &Bound<'_, PyAny>,
        filter: &Bound<'_, PyAny>,
        output: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
        out_dtype: Option<&Bound<'_, PyAny>>,
        stride: Option<PerDirection<usize>>,
        dilation: Option<PerDirection<usize>>,
        padding: Option<PerDirection<Padding>>,
        #[pyo3(from_py_with = arguments::groups)] groups: usize,
    ) -> Result<PyConvPlan, Refusal> {
        let (mut planned, types) = Planned::new("a convolution", &[input, filter, output], dtype, out_dtype)?;
        for layout in &mut planned.layouts {
            *layout = match layout {
                AnyLayout::Plain(layout) => kernels::with_one_spatial_mode(layout)?.into(),
                AnyLayout::Swizzled(composed) => {
                    composed.with_layout(kernels::with_one_spatial_mode(composed.layout())?)?.into()
                }
            };
        }
        let windows = Windows::new(planned.layouts[0].layout(), stride, dilation, padding, groups)?;
        let plan = planned
            .plan(|places| Plan::conv(types, &windows.convolution(), places[0], places[1], places[2]))?;
        Ok(PyConvPlan { planned, plan })
    }

    /// Convolves arrays of the plan's types, whose elements the layouts index from the first.
    #[pyo3(signature = (input, filter, output, *, alpha=1.0, beta=0.0, threads=1))]
    fn run(
        &self,
        input: Bound<'_, PyAny>,
        filter: Bound<'_, PyAny>,
        output: Bound<'_, PyAny>,
        alpha: f64,
        beta: f64,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> Result<(), Refusal> {
        let py = input.py();
        self.planned.run(py, &self.plan, &[input, filter, output], (alpha, beta), threads)
    }
}

macro_rules! explained {
    ($($class:ident)*) => {$(
        #[pymethods]
        impl $class {
            /// How many operations a run takes: two for each multiply-add.
            #[getter]
            fn flops(&self) -> u128 {
                self.plan.flops()
            }

            /// What the plan does, and why, in a few lines.
            fn explain(&self) -> String {
                self.plan.explain()
            }
        }
    )*};
}
explained!(PyGemmPlan PyContractPlan PyConvPlan);
