//! The types of elements of arrays.

use crate::prelude::*;
use half::{bf16, f16};
use tilework_kernels::dynamic::{Dtype, Types};

/// The type of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
    C64,
    C128,
    /// Opaque bytes (structures, dates), by their number.
    Bytes(usize),
}

type Row = (DType, &'static str, char, u8, usize, Option<Dtype>);

/// Name, letter of NumPy, code of DLPack, bytes, and the type in the kernels, if they support it.
const TABLE: [Row; 15] = [
    (DType::Bool, "bool", 'b', 6, 1, None),
    (DType::I8, "int8", 'i', 0, 1, Some(Dtype::I8)),
    (DType::I16, "int16", 'i', 0, 2, None),
    (DType::I32, "int32", 'i', 0, 4, Some(Dtype::I32)),
    (DType::I64, "int64", 'i', 0, 8, None),
    (DType::U8, "uint8", 'u', 1, 1, None),
    (DType::U16, "uint16", 'u', 1, 2, None),
    (DType::U32, "uint32", 'u', 1, 4, None),
    (DType::U64, "uint64", 'u', 1, 8, None),
    (DType::F16, "float16", 'f', 2, 2, Some(Dtype::F16)),
    (DType::BF16, "bfloat16", 'V', 4, 2, Some(Dtype::Bf16)),
    (DType::F32, "float32", 'f', 2, 4, Some(Dtype::F32)),
    (DType::F64, "float64", 'f', 2, 8, Some(Dtype::F64)),
    (DType::C64, "complex64", 'c', 5, 8, None),
    (DType::C128, "complex128", 'c', 5, 16, None),
];

/// Matches a type of elements: a macro for the integers, and arms for the others.
macro_rules! match_dtype {
    ($dtype:expr, $integer:ident; $($others:tt)*) => {
        match $dtype {
            DType::I8 => $integer!(i8),
            DType::I16 => $integer!(i16),
            DType::I32 => $integer!(i32),
            DType::I64 => $integer!(i64),
            DType::U8 => $integer!(u8),
            DType::U16 => $integer!(u16),
            DType::U32 => $integer!(u32),
            DType::U64 => $integer!(u64),
            $($others)*
        }
    };
}

impl DType {
    fn row(self) -> Option<&'static Row> {
        TABLE.iter().find(|row| row.0 == self)
    }

    /// Its name in NumPy and PyTorch.
    pub fn name(self) -> String {
        match self {
            DType::Bytes(bytes) => format!("V{bytes}"),
            _ => self.row().map_or("", |row| row.1).to_owned(),
        }
    }

    pub fn bytes(self) -> usize {
        match self {
            DType::Bytes(bytes) => bytes,
            _ => self.row().map_or(1, |row| row.4),
        }
    }

    /// Its alignment in bytes.
    pub fn alignment(self) -> usize {
        match self {
            DType::Bytes(_) => 1,
            DType::C64 | DType::C128 => self.bytes() / 2,
            _ => self.bytes(),
        }
    }

    /// The type by a name, as `float32`.
    pub fn of_name(name: &str) -> Option<DType> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The type given by a name, or by a NumPy type.
    pub fn of(object: &Object<'_>) -> Result<DType> {
        let name = match object.extract::<String>() {
            Ok(name) => name,
            // `numpy.float32` is a class, and `array.dtype` an object with a name.
            Err(_) => match object.getattr_opt("__name__")?.or(object.getattr_opt("name")?) {
                Some(name) => name.extract()?,
                None => return Err(Refusal::kind("a type of elements, as \"float32\"", object)),
            },
        };
        DType::of_name(&name).ok_or_else(|| {
            let names: Vec<&str> = TABLE.iter().map(|row| row.1).collect();
            Refusal::new(
                "array",
                format!("{name:?} is not a type of elements; there are {}", names.join(", ")),
            )
        })
    }

    /// The type by NumPy's letter, `f` of `<f4`, for elements that are not structures.
    pub fn of_numpy(letter: char, bytes: usize) -> DType {
        let found = TABLE.iter().find(|row| row.2 == letter && row.2 != 'V' && row.4 == bytes);
        found.map_or(DType::Bytes(bytes), |row| row.0)
    }

    /// NumPy's letters; none for types that NumPy lacks.
    pub fn numpy(self) -> Option<String> {
        match self {
            DType::BF16 => None,
            DType::Bytes(bytes) => Some(format!("|V{bytes}")),
            _ => self.row().map(|row| {
                let order = if cfg!(target_endian = "little") { '<' } else { '>' };
                format!("{}{}{}", if row.4 == 1 { '|' } else { order }, row.2, row.4)
            }),
        }
    }

    pub fn of_dlpack(code: u8, bits: u8) -> Option<DType> {
        TABLE.iter().find(|row| row.3 == code && row.4 * 8 == bits as usize).map(|row| row.0)
    }

    pub fn dlpack(self) -> Option<(u8, u8)> {
        self.row().map(|row| (row.3, (row.4 * 8) as u8))
    }

    /// The element at an address as a Python object.
    ///
    /// # Safety
    /// `at` is valid for reads of an element of this type. It need not be aligned.
    pub unsafe fn read(self, py: Python<'_>, at: *const u8) -> Made<'_> {
        macro_rules! number {
            ($type:ty) => {
                at.cast::<$type>().read_unaligned().into_pyobject(py)?.into_any()
            };
        }
        // SAFETY: the pointer is valid as this function demands.
        unsafe {
            Ok(match_dtype!(self, number;
                DType::Bool => (*at != 0).into_pyobject(py)?.to_owned().into_any(),
                DType::F16 => at.cast::<f16>().read_unaligned().to_f64().into_pyobject(py)?.into_any(),
                DType::BF16 => at.cast::<bf16>().read_unaligned().to_f64().into_pyobject(py)?.into_any(),
                DType::F32 => number!(f32),
                DType::F64 => number!(f64),
                DType::C64 => {
                    let [re, im] = at.cast::<[f32; 2]>().read_unaligned();
                    PyComplex::from_doubles(py, re.into(), im.into()).into_any()
                }
                DType::C128 => {
                    let [re, im] = at.cast::<[f64; 2]>().read_unaligned();
                    PyComplex::from_doubles(py, re, im).into_any()
                }
                DType::Bytes(bytes) => PyBytes::new(py, std::slice::from_raw_parts(at, bytes)).into_any(),
            ))
        }
    }

    /// The same, with a float printed by the fewest digits that distinguish it, as NumPy prints it.
    ///
    /// # Safety
    /// That of [`read`](Self::read).
    pub unsafe fn read_short(self, py: Python<'_>, at: *const u8) -> Made<'_> {
        // SAFETY: the pointer is valid as this function demands.
        let element = unsafe { self.read(py, at)? };
        let rounded: fn(f64) -> f64 = match self {
            DType::F16 => |value| f16::from_f64(value).to_f64(),
            DType::BF16 => |value| bf16::from_f64(value).to_f64(),
            DType::F32 | DType::C64 => |value| f64::from(value as f32),
            _ => return Ok(element),
        };
        let short = |value: f64| {
            let digits = (0..9).filter_map(|digits| format!("{value:.digits$e}").parse().ok());
            digits.into_iter().find(|&short| rounded(short) == value).unwrap_or(value)
        };
        match self {
            DType::C64 => {
                let [re, im] = ["real", "imag"].map(|part| element.getattr(part)?.extract().map(short));
                Ok(PyComplex::from_doubles(py, re?, im?).into_any())
            }
            _ => Ok(short(element.extract()?).into_pyobject(py)?.into_any()),
        }
    }

    /// The bytes of a Python object as an element.
    pub fn encode(self, value: &Object<'_>) -> Result<Vec<u8>> {
        macro_rules! number {
            ($type:ty) => {
                value.extract::<$type>()?.to_ne_bytes().to_vec()
            };
        }
        Ok(match_dtype!(self, number;
            DType::Bool => vec![value.is_truthy()? as u8],
            DType::F16 => f16::from_f64(value.extract()?).to_ne_bytes().to_vec(),
            DType::BF16 => bf16::from_f64(value.extract()?).to_ne_bytes().to_vec(),
            DType::F32 => (value.extract::<f64>()? as f32).to_ne_bytes().to_vec(),
            DType::F64 => number!(f64),
            DType::C64 | DType::C128 => {
                let complex = value.py().get_type::<PyComplex>().call1((value,))?;
                let parts = [complex.getattr("real")?.extract::<f64>()?, complex.getattr("imag")?.extract()?];
                match self {
                    DType::C64 => parts.iter().flat_map(|&part| (part as f32).to_ne_bytes()).collect(),
                    _ => parts.iter().flat_map(|part| part.to_ne_bytes()).collect(),
                }
            }
            DType::Bytes(bytes) => {
                let given = value.extract::<Vec<u8>>()?;
                if given.len() != bytes {
                    let message = format!("an element has {bytes} bytes, and these are {}", given.len());
                    return refuse("array", message);
                }
                given
            }
        ))
    }
}

/// The types of operands and result, by those of the arrays.
pub fn types(operation: &str, (operand, output): (DType, DType)) -> Result<Types> {
    let of_kernels = |dtype: DType| dtype.row()?.5;
    let types = of_kernels(operand).zip(of_kernels(output));
    types.and_then(|(operands, output)| Types::new(operands, output).ok()).ok_or_else(|| {
        let message = format!(
            "{operation} from {} to {} is not supported; there are float32, float64, float16 and bfloat16 to themselves, the last two to float32, and int8 to int32",
            operand.name(),
            output.name()
        );
        Refusal::new("array", message)
    })
}

/// The element type of a new result.
pub fn result_type(operand: DType) -> DType {
    match operand {
        DType::I8 => DType::I32,
        DType::BF16 => DType::F32,
        other => other,
    }
}

/// (operand type, output type); all operands share one type.
pub fn same_types(types: &[DType]) -> Result<(DType, DType)> {
    let (output, operands) = (types[types.len() - 1], &types[..types.len() - 1]);
    let first = operands.first().copied().unwrap_or(output);
    match operands.iter().find(|other| **other != first) {
        Some(other) => refuse(
            "array",
            format!(
                "the operands are of {} and of {}; they have to be of one type",
                first.name(),
                other.name()
            ),
        ),
        None => Ok((first, output)),
    }
}
