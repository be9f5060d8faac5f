//! Instructions as layouts of threads and values.

use crate::classes;
use crate::error::Refusal;
use pyo3::prelude::*;
use tilework::Layout;
use tilework_hardware::atom::{self as rows, Atom, Element};

/// The names of the instructions whose layouts are known: those that have all words of the filter, whatever their case.
///
/// >>> from tilework import hardware
/// >>> hardware.atoms("sm80 16x8x16 f32bf16")
/// ['SM80_16x8x16_F32BF16BF16F32_TN']
#[pyfunction]
#[pyo3(signature = (filter = ""))]
pub fn atoms(filter: &str) -> Vec<String> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let has_all = |name: &str| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    rows::rows().map(|row| row.name().to_string()).filter(|name| has_all(name)).collect()
}

/// The instruction of this name, that of the struct in CUTLASS. The layouts of a copy count in elements of so many bits.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.atom("SM80_16x8x16_F32F16F16F32_TN")
/// >>> mma.shape, mma.elements
/// ((16, 8, 16), ('F32', 'F16', 'F16', 'F32'))
/// >>> print(mma.b, mma.c)
/// ((4,8),(2,2)):((16,1),(8,64)) ((4,8),(2,2)):((32,1),(16,8))
/// >>> print(hardware.atom("SM75_U32x1_LDSM_N", bits=16).dst)
/// (32,2):(2,1)
#[pyfunction]
#[pyo3(signature = (name, bits = 1))]
pub fn atom<'py>(py: Python<'py>, name: &str, bits: i64) -> PyResult<Bound<'py, PyAny>> {
    match rows::find(name) {
        Some(Atom::Mma(atom)) => Ok(Bound::new(py, MmaAtom(Box::new(atom)))?.into_any()),
        Some(Atom::Copy(atom)) => Ok(Bound::new(py, CopyAtom::new(atom, bits)?)?.into_any()),
        None => Err(no_atom(name).into()),
    }
}

fn no_atom(name: &str) -> Refusal {
    Refusal::new("atom", format!("there is no atom `{name}`; `hardware.atoms(\"WORD\")` lists names"))
}

/// An instruction that computes `D = A B^T + C`, with `A` of `(M,K)`, `B` of `(N,K)`, and `C` and `D` of `(M,N)`.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.atom("SM90_64x16x16_F32F16F16_SS")
/// >>> print(mma.threads, mma.sparsity, mma.c)
/// 128:1 1 ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
#[pyclass(frozen, module = "tilework.hardware")]
pub struct MmaAtom(pub Box<rows::MmaAtom>);

#[pymethods]
impl MmaAtom {
    /// The name.
    #[getter]
    fn name(&self) -> String {
        self.0.name.to_string()
    }

    /// The instruction, or what its variants have in common.
    #[getter]
    fn instruction(&self) -> &'static str {
        self.0.instruction
    }

    /// Where the manual states which register holds which element.
    #[getter]
    fn manual(&self) -> &'static str {
        self.0.section
    }

    /// `(M, N, K)`.
    #[getter]
    fn shape(&self) -> (i64, i64, i64) {
        self.0.shape.into()
    }

    /// The elements of `D`, `A`, `B` and `C`.
    #[getter]
    fn elements(&self) -> (&'static str, &'static str, &'static str, &'static str) {
        self.0.elements.map(Element::name).into()
    }

    /// How many elements `A` has for each that is stored: 1 where it is dense.
    #[getter]
    fn sparsity(&self) -> i64 {
        self.0.sparsity
    }

    /// From the index of a thread to its lane.
    #[getter]
    fn threads<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::new(py, self.0.threads)
    }

    /// `(thread,value) -> m + M k`.
    #[getter]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::new(py, self.0.a)
    }

    /// `(thread,value) -> n + N k`.
    #[getter]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::new(py, self.0.b)
    }

    /// `(thread,value) -> m + M n`, for `C` and `D`.
    #[getter]
    fn c<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::new(py, self.0.c)
    }

    fn __repr__(&self) -> String {
        format!("<MmaAtom {}>", self.0.name)
    }
}

/// An instruction that moves data: what thread and value the source has at an element, the destination has it at the same.
///
/// >>> from tilework import hardware
/// >>> ldmatrix = hardware.atom("SM75_U32x4_LDSM_N", bits=16)
/// >>> print(ldmatrix.threads, ldmatrix.src, ldmatrix.dst)
/// 32:1 (32,8):(8,1) (32,(2,4)):(2,(1,64))
#[pyclass(frozen, module = "tilework.hardware")]
pub struct CopyAtom {
    pub atom: Box<rows::CopyAtom>,
    pub bits: i64,
    src: Box<Layout>,
    dst: Box<Layout>,
    memory: Option<Box<Layout>>,
}

impl CopyAtom {
    fn new(atom: rows::CopyAtom, bits: i64) -> Result<CopyAtom, Refusal> {
        Ok(CopyAtom {
            bits,
            src: Box::new(atom.src.upcast(bits)?),
            dst: Box::new(atom.dst.upcast(bits)?),
            memory: atom.memory.map(|memory| memory.upcast(bits)).transpose()?.map(Box::new),
            atom: Box::new(atom),
        })
    }
}

#[pymethods]
impl CopyAtom {
    /// The name.
    #[getter]
    fn name(&self) -> String {
        self.atom.name.to_string()
    }

    /// The instruction, or what its variants have in common.
    #[getter]
    fn instruction(&self) -> &'static str {
        self.atom.instruction
    }

    /// Where the manual states which register holds what.
    #[getter]
    fn manual(&self) -> &'static str {
        self.atom.section
    }

    /// The bits of an element.
    #[getter]
    fn bits(&self) -> i64 {
        self.bits
    }

    /// From the index of a thread to its lane.
    #[getter]
    fn threads<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::new(py, self.atom.threads)
    }

    /// `(thread,value) -> element` of the source.
    #[getter]
    fn src<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::new(py, *self.src)
    }

    /// `(thread,value) -> element` of the destination.
    #[getter]
    fn dst<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::new(py, *self.dst)
    }

    /// Where the instruction prescribes addresses in tensor memory, from elements to them.
    #[getter]
    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.memory.as_deref().map(|memory| classes::new(py, *memory)).transpose()
    }

    fn __repr__(&self) -> String {
        format!("<CopyAtom {} of {} bits>", self.atom.name, self.bits)
    }
}
