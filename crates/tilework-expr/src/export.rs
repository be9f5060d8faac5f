//! Layouts in the syntax of other programs.

use crate::error::Failure;
use crate::named;
use crate::value::Value;
use crate::width::width;
use std::str::FromStr;
use tilework::{AnyLayout, Error, LinearLayout, Shape};

/// The syntax of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// An expression of CuTe C++.
    Cpp,
    /// A type of CuTe C++.
    CppType,
    /// An expression of the CuTe DSL.
    Dsl,
    /// A type of the DSL's MLIR.
    Mlir,
    /// An attribute of Triton's MLIR.
    Triton,
    /// An expression of Gluon.
    Gluon,
    /// A mapping of `std::mdspan`.
    Mdspan,
    /// NumPy's shape and strides in bytes.
    Numpy,
    /// A layout of TIRx.
    Tirx,
    /// A layout or a fragment as TileLang prints it.
    Tilelang,
    /// A swizzle of cuda-oxide, whose third number is the first bit that is read.
    CudaOxide,
}

impl Form {
    /// The names in the order of the variants.
    const NAMES: [&'static str; 11] = [
        "cpp",
        "cpp-type",
        "dsl",
        "mlir",
        "triton",
        "gluon",
        "mdspan",
        "numpy",
        "tirx",
        "tilelang",
        "cuda-oxide",
    ];

    /// All forms.
    pub const ALL: [Form; 11] = {
        use Form::{Cpp, CppType, CudaOxide, Dsl, Gluon, Mdspan, Mlir, Numpy, Tilelang, Tirx, Triton};
        [Cpp, CppType, Dsl, Mlir, Triton, Gluon, Mdspan, Numpy, Tirx, Tilelang, CudaOxide]
    };

    /// Its name: `cpp`, `cpp-type`, `dsl`, `mlir`, `triton`, `gluon`, `mdspan`, `numpy`, `tirx`, `tilelang`, `cuda-oxide`.
    ///
    /// ```
    /// use tilework_expr::Form;
    /// assert!(Form::ALL.iter().all(|form| form.name().parse() == Ok(*form)));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        Form::NAMES[self as usize]
    }
}

impl FromStr for Form {
    type Err = String;
    fn from_str(name: &str) -> Result<Form, String> {
        Form::ALL.into_iter().find(|form| form.name() == name).ok_or_else(|| {
            let names = Form::ALL.map(Form::name).join(", ");
            format!("there is no form `{name}`; the forms are {names}")
        })
    }
}

/// A form with its parameters.
///
/// ```
/// use tilework_expr::{Export, Form, Session};
/// let mut session = Session::new();
/// let layout = session.evaluate("(4,8):(8,1)")?;
/// assert_eq!(Export::new(Form::CppType).write(layout).unwrap(), "Layout<Shape<_4,_8>,Stride<_8,_1>>");
/// let mut numpy = Export::new(Form::Numpy);
/// numpy.bits = Some(16);
/// assert_eq!(numpy.write(layout).unwrap(), "shape=(4, 8), strides=(16, 2)");
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Export {
    /// The form.
    pub form: Form,
    /// For Triton and Gluon, the threads of a warp.
    pub lanes: i64,
    /// For Triton and Gluon, the extents of the tensor, whose elements the layout counts in column-major order.
    pub shape: Option<Shape>,
    /// For NumPy, the bits of an element; a tensor has its own.
    pub bits: Option<u32>,
}

impl Export {
    /// A form with warps of 32 threads and the smallest tensor.
    ///
    /// ```
    /// use tilework_expr::{Export, Form};
    /// assert_eq!(Export::new(Form::Triton).lanes, 32);
    /// ```
    #[must_use]
    pub fn new(form: Form) -> Export {
        Export { form, lanes: 32, shape: None, bits: None }
    }

    /// The layout in this form.
    ///
    /// ```
    /// use tilework_expr::{Export, Form, Value};
    /// assert!(Export::new(Form::Cpp).write(&Value::Bool(true)).is_err());
    /// ```
    ///
    /// # Errors
    /// [`Failure::Argument`] for values other than layouts, plain or swizzled, and [`Failure::Core`] if the form cannot
    /// express the layout, with the mode or the extent.
    pub fn write(&self, value: &Value) -> Result<String, Failure> {
        match self.form {
            Form::Tirx => return named::to_tirx(value),
            Form::Tilelang => return named::to_tilelang(value),
            Form::CudaOxide => return to_cuda_oxide(value),
            _ => {}
        }
        let Some(layout) = value.as_any_layout() else {
            return Err(wrong_kind("expected a layout, plain or swizzled", value.untyped()));
        };
        let layout = layout?;
        let text = match self.form {
            Form::Cpp => layout.to_cpp(),
            Form::CppType => layout.to_cpp_type(),
            Form::Dsl => layout.to_dsl(),
            Form::Mlir => layout.to_mlir(),
            Form::Triton => Ok(self.linear(&layout)?.to_triton()),
            Form::Gluon => Ok(self.linear(&layout)?.to_gluon()),
            _ => match layout {
                AnyLayout::Plain(layout) if self.form == Form::Mdspan => layout.to_mdspan(),
                AnyLayout::Plain(layout) => layout.to_numpy(bytes(width(self.bits, [value])?)?),
                AnyLayout::Swizzled(_) => {
                    return Err(wrong_kind("expected a layout without swizzle", value));
                }
            },
        };
        Ok(text?.as_str().to_owned())
    }

    fn linear(&self, layout: &AnyLayout) -> Result<LinearLayout, Error> {
        match &self.shape {
            Some(shape) => LinearLayout::onto(layout, shape, self.lanes),
            None => LinearLayout::of(layout, self.lanes),
        }
    }
}

fn to_cuda_oxide(value: &Value) -> Result<String, Failure> {
    let Value::Swizzle(swizzle) = value else { return Err(wrong_kind("expected a swizzle", value)) };
    let (bits, base, shift) = (swizzle.bits(), swizzle.base(), i64::from(swizzle.shift()));
    if shift < 0 {
        let (operation, expected) = ("a swizzle of cuda-oxide", "a shift to lower bits");
        return Err(Error::Argument { operation, expected, found: shift }.into());
    }
    Ok(format!("cuda_device::swizzle::Swizzle<{bits}, {base}, {}>", i64::from(base) + shift))
}

fn bytes(bits: u32) -> Result<i64, Error> {
    let bits = i64::from(bits);
    match bits % 8 {
        0 => Ok(bits / 8),
        _ => Err(Error::Divisibility { operation: "bits to bytes", value: bits, divisor: 8 }),
    }
}

fn wrong_kind(wanted: &str, value: &Value) -> Failure {
    Failure::argument(0, format!("{wanted}, found {}", value.kind()))
}
