//! Plans for element types that are known at run time, for front ends.
//!
//! A [`GemmPlan`] is compiled in the crate that names its types. A [`Plan`] is for any types, and the plans of all
//! types are compiled here, once, so a crate that needs many types builds in a fraction of the time.

use crate::contract::ContractPlan;
use crate::conv::{ConvPlan, Convolution};
pub use crate::dtype::Dtype;
use crate::error::Error;
use crate::execution::Execution;
use crate::gemm::GemmPlan;
pub use crate::located::Located;
use crate::matmul::tile::element::{Destination, Element, Sum};
use std::fmt;
use tilework::Layout;

/// The types of operands and output for which there are kernels.
///
/// ```
/// use tilework_kernels::dynamic::{Dtype, Types};
/// assert!(Types::new(Dtype::Bf16, Dtype::F32).is_ok());
/// let refusal = Types::new(Dtype::F32, Dtype::F16).unwrap_err();
/// assert_eq!(refusal.to_string(), "products of f32 are summed in f32; the output can be f32, not f16");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Types {
    operands: Dtype,
    output: Dtype,
}

impl Types {
    /// The pairs in the table of [`Element`].
    ///
    /// # Errors
    /// [`Error::Dtype`] for others.
    pub fn new(operands: Dtype, output: Dtype) -> Result<Types, Error> {
        let halves = matches!(operands, Dtype::Bf16 | Dtype::F16) && output == operands;
        if operands == Dtype::I32 || !(output == operands.sum() || halves) {
            return Err(Error::Dtype { operands, output });
        }
        Ok(Types { operands, output })
    }

    /// The type of the operands.
    #[must_use]
    pub fn operands(self) -> Dtype {
        self.operands
    }

    /// The type of the output.
    #[must_use]
    pub fn output(self) -> Dtype {
        self.output
    }
}

/// Calls a generic function with the Rust types of [`Types`](crate::dynamic::Types).
#[doc(hidden)]
#[macro_export]
macro_rules! __with_types {
    ($types:expr, $function:ident $arguments:tt) => {{
        use $crate::dynamic::Dtype;
        use half::{bf16, f16};
        match ($types.operands(), $types.output()) {
            (Dtype::F32, _) => $function::<f32, f32> $arguments,
            (Dtype::F64, _) => $function::<f64, f64> $arguments,
            (Dtype::Bf16, Dtype::Bf16) => $function::<bf16, bf16> $arguments,
            (Dtype::Bf16, _) => $function::<bf16, f32> $arguments,
            (Dtype::F16, Dtype::F16) => $function::<f16, f16> $arguments,
            (Dtype::F16, _) => $function::<f16, f32> $arguments,
            // There are kernels for no other types.
            (_, _) => $function::<i8, i32> $arguments,
        }
    }};
}
use __with_types as with_types;

/// Memory by pointer and length.
#[derive(Clone, Copy, Debug)]
pub struct Data {
    /// The first element.
    pub first: *mut u8,
    /// How many there are.
    pub len: usize,
}

// SAFETY: only unsafe functions with their own contracts dereference the address.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

impl Data {
    /// # Safety
    /// The elements are of this type and aligned, and nothing writes to them.
    unsafe fn slice<'a, T>(self) -> &'a [T] {
        // SAFETY: the contract of this function.
        unsafe { std::slice::from_raw_parts(self.first.cast(), self.len) }
    }

    /// # Safety
    /// The elements are of this type and aligned, and nothing else reads or writes them.
    unsafe fn slice_mut<'a, T>(self) -> &'a mut [T] {
        // SAFETY: the same is asked for.
        unsafe { std::slice::from_raw_parts_mut(self.first.cast(), self.len) }
    }
}

/// How to multiply, contract or convolve tensors of given layouts and types; made once, run many times.
///
/// ```
/// use tilework::{Counting, Tensor, layout};
/// use tilework_kernels::Execution;
/// use tilework_kernels::dynamic::{Dtype, Plan, Types};
/// let matrix = |layout| Tensor::new(Counting, layout);
/// let (a, b, c) = (matrix(layout!((2,3):(3,1)))?, matrix(layout!((1,3):(0,1)))?, matrix(layout!((2,1):(1,0)))?);
/// let plan = Plan::gemm(Types::new(Dtype::I8, Dtype::I32)?, &a, &b, &c)?;
/// let mut sums = [0i32; 2];
/// plan.run(1.0, &[&[1i8, 2, 3, 4, 5, 6], &[1, 1, 1]], 0.0, &mut sums, &Execution::default())?;
/// assert_eq!(sums, [6, 15]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
pub struct Plan {
    plan: Box<dyn Typed>,
    types: Types,
    operands: usize,
    flops: u128,
}

impl Plan {
    /// A [`GemmPlan`] for the layouts of tensors.
    ///
    /// # Errors
    /// Those of [`GemmPlan::for_tensors`].
    pub fn gemm(types: Types, a: &dyn Located, b: &dyn Located, c: &dyn Located) -> Result<Plan, Error> {
        fn make<T: Element, C: Destination<T::Sum>>(
            [a, b, c]: [&dyn Located; 3],
        ) -> Result<Box<dyn Typed>, Error> {
            Ok(Box::new(GemmPlan::<T, C>::for_tensors(a, b, c)?))
        }
        let plan = with_types!(types, make([a, b, c]))?;
        let (a, c) = (a.layout(), c.layout());
        let steps = a.layout().mode(1)?.size();
        Ok(Plan { plan, types, operands: 2, flops: multiply_adds(c.layout().size(), steps) })
    }

    /// A [`ContractPlan`] for the layouts of tensors.
    ///
    /// # Errors
    /// Those of [`ContractPlan::for_tensors`].
    pub fn contract(
        types: Types,
        spec: &str,
        operands: &[&dyn Located],
        output: &dyn Located,
    ) -> Result<Plan, Error> {
        fn make<T: Element, C: Destination<T::Sum>>(
            spec: &str,
            operands: &[&dyn Located],
            output: &dyn Located,
        ) -> Result<(Box<dyn Typed>, u128), Error> {
            let plan = ContractPlan::<T, C>::for_tensors(spec, operands, output)?;
            let flops = plan.flops();
            Ok((Box::new(plan), flops))
        }
        let (plan, flops) = with_types!(types, make(spec, operands, output))?;
        Ok(Plan { plan, types, operands: operands.len(), flops })
    }

    /// A [`ContractPlan`] that chooses the layout of its output, and that layout.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// use tilework_kernels::Execution;
    /// use tilework_kernels::dynamic::{Dtype, Located, Plan, Types};
    /// let (a, b) = (Tensor::new(Counting, layout!((3,2):(2,1)))?, Tensor::new(Counting, layout!(2:1))?);
    /// let operands: [&dyn Located; 2] = [&a, &b];
    /// let types = Types::new(Dtype::F64, Dtype::F64)?;
    /// let (plan, layout) = Plan::contract_with_free_output(types, "mk,k->mk", &operands)?;
    /// assert_eq!(layout, layout!((3,2):(2,1)));
    /// let mut products = [0.0; 6];
    /// plan.run(1.0, &[&[1.0f64; 6], &[2.0, 3.0]], 0.0, &mut products, &Execution::default())?;
    /// assert_eq!(products, [2.0, 3.0, 2.0, 3.0, 2.0, 3.0]);
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ContractPlan::with_free_output`].
    pub fn contract_with_free_output(
        types: Types,
        spec: &str,
        operands: &[&dyn Located],
    ) -> Result<(Plan, Layout), Error> {
        fn make<T: Element, C: Destination<T::Sum>>(
            spec: &str,
            operands: &[&dyn Located],
        ) -> Result<(Box<dyn Typed>, u128, Layout), Error> {
            let plan = ContractPlan::<T, C>::with_free_output(spec, operands)?;
            let (flops, layout) = (plan.flops(), *plan.output().layout());
            Ok((Box::new(plan), flops, layout))
        }
        let (plan, flops, layout) = with_types!(types, make(spec, operands))?;
        Ok((Plan { plan, types, operands: operands.len(), flops }, layout))
    }

    /// A [`ConvPlan`] for the layouts of tensors.
    ///
    /// # Errors
    /// Those of [`ConvPlan::for_tensors`].
    pub fn conv(
        types: Types,
        convolution: &Convolution,
        input: &dyn Located,
        filter: &dyn Located,
        output: &dyn Located,
    ) -> Result<Plan, Error> {
        fn make<T: Element, C: Destination<T::Sum>>(
            convolution: &Convolution,
            [input, filter, output]: [&dyn Located; 3],
        ) -> Result<Box<dyn Typed>, Error> {
            Ok(Box::new(ConvPlan::<T, C>::for_tensors(convolution, input, filter, output)?))
        }
        let plan = with_types!(types, make(convolution, [input, filter, output]))?;
        let (filter, output) = (filter.layout(), output.layout());
        let steps = filter.layout().size() / filter.layout().mode(0)?.size();
        Ok(Plan { plan, types, operands: 2, flops: multiply_adds(output.layout().size(), steps) })
    }

    /// How many operations a run takes: two for each multiply-add.
    #[must_use]
    pub fn flops(&self) -> u128 {
        self.flops
    }

    /// What the plan does, and why, in a few lines.
    #[must_use]
    pub fn explain(&self) -> String {
        self.plan.explain()
    }

    /// `output = alpha product(operands) + beta output`, with the elements in slices that the layouts index from 0.
    ///
    /// # Errors
    /// Those of `run` of the plan in question; [`Error::Specification`] for elements of other types, or another number of
    /// operands, than it was made for, and for a factor that an output of `i32` cannot be multiplied by: 0.5.
    pub fn run<T: 'static, C: 'static>(
        &self,
        alpha: f64,
        operands: &[&[T]],
        beta: f64,
        output: &mut [C],
        execution: &Execution,
    ) -> Result<(), Error> {
        let Types { operands: from, output: to } = self.types;
        if (Dtype::of::<T>(), Dtype::of::<C>()) != (Some(from), Some(to)) {
            let reason = format!("the plan is for operands of {from} and an output of {to}");
            return Err(Error::Specification { reason });
        }
        let data = |slice: &&[T]| Data { first: slice.as_ptr().cast_mut().cast(), len: slice.len() };
        let operands: Vec<Data> = operands.iter().map(data).collect();
        let output = Data { first: output.as_mut_ptr().cast(), len: output.len() };
        // SAFETY: slices fulfil the contract, and their types were compared.
        unsafe { self.run_raw(alpha, &operands, beta, output, execution) }
    }

    /// [`run`](Self::run) without slices.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// # Safety
    /// The elements of operands and output are of the types that the plan was made for, aligned and initialized. Until
    /// it returns, nothing writes to the operands, and nothing else reads or writes the output.
    pub unsafe fn run_raw(
        &self,
        alpha: f64,
        operands: &[Data],
        beta: f64,
        output: Data,
        execution: &Execution,
    ) -> Result<(), Error> {
        if operands.len() != self.operands {
            let planned = crate::error::count(self.operands, "operand");
            let reason = format!("the plan has {planned}, and was given {}", operands.len());
            return Err(Error::Specification { reason });
        }
        let is_lost = |&(_, factor): &(&str, f64)| {
            self.types.output == Dtype::I32 && f64::from(factor as i32) != factor
        };
        if let Some((name, factor)) = [("alpha", alpha), ("beta", beta)].into_iter().find(is_lost) {
            let reason =
                format!("{name} is {factor}, and the output is of i32; it has to be an integer of 32 bits");
            return Err(Error::Specification { reason });
        }
        // SAFETY: the contract of this function.
        unsafe { self.plan.run(alpha, operands, beta, output, execution) }
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Plan").field("types", &self.types).finish_non_exhaustive()
    }
}

fn multiply_adds(outputs: i64, steps: i64) -> u128 {
    2 * (outputs as u128).saturating_mul(steps as u128)
}

/// A plan whose types are erased.
trait Typed: Send + Sync {
    fn explain(&self) -> String;

    /// # Safety
    /// That of [`Plan::run_raw`], and there are as many operands as the plan has.
    unsafe fn run(
        &self,
        alpha: f64,
        operands: &[Data],
        beta: f64,
        output: Data,
        execution: &Execution,
    ) -> Result<(), Error>;
}

macro_rules! typed {
    ($($plan:ident, $self:ident, |$operands:ident| $($slices:expr),+;)*) => {$(
        impl<T: Element, C: Destination<T::Sum>> Typed for $plan<T, C> {
            fn explain(&self) -> String {
                $plan::explain(self)
            }

            unsafe fn run(
                &$self,
                alpha: f64,
                $operands: &[Data],
                beta: f64,
                output: Data,
                execution: &Execution,
            ) -> Result<(), Error> {
                let (alpha, beta) = (T::Sum::from_f64(alpha), T::Sum::from_f64(beta));
                // SAFETY: the contract of `run` covers the slices and the plan.
                unsafe { $plan::run($self, alpha, $($slices),+, beta, output.slice_mut(), execution) }
            }
        }
    )*};
}
typed! {
    GemmPlan, self, |operands| operands[0].slice(), operands[1].slice();
    ContractPlan, self, |operands| &operands.iter().map(|operand| operand.slice()).collect::<Vec<_>>();
    ConvPlan, self, |operands| operands[0].slice(), operands[1].slice();
}
