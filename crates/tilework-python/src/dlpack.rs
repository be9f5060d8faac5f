//! DLPack: how arrays of PyTorch, JAX and others describe their memory (`dlpack.h`, version 1.0).

use crate::description::{Description, DlTensor};
use crate::dtype::DType;
use crate::prelude::*;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use std::ffi::{CStr, c_void};

const NAME: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const READ_ONLY: u64 = 1;

/// Memory of the processor, and memory that it shares with a GPU.
const HOST: [i32; 2] = [1, 3];

#[repr(C)]
struct Managed {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

#[repr(C)]
struct ManagedVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: DlTensor,
}

/// The capsule of an array, which keeps its memory alive.
pub fn capsule_of<'py>(object: &Object<'py>) -> Result<Bound<'py, PyCapsule>> {
    let py = object.py();
    let (device, _): (i32, i32) = object.call_method0("__dlpack_device__")?.extract()?;
    if !HOST.contains(&device) {
        let message = "its memory is not the processor's; copy it there, as by `tensor.cpu()`";
        return refuse("array", message);
    }
    let options = PyDict::new(py);
    options.set_item("max_version", (1, 0))?;
    let capsule = match object.call_method("__dlpack__", (), Some(&options)) {
        // Older producers have no `max_version`.
        Err(error) if error.is_instance_of::<PyTypeError>(py) => object.call_method0("__dlpack__")?,
        capsule => capsule?,
    };
    Ok(capsule.cast_into::<PyCapsule>().map_err(PyErr::from)?)
}

/// The array in the capsule, and whether it may be written. The capsule is not consumed: it is kept, and frees the
/// memory in the end.
pub fn describe(object: &Object<'_>, capsule: &Bound<'_, PyCapsule>) -> Result<(Description, DType, bool)> {
    // JAX arrays are immutable, which DLPack before 1.0 cannot express.
    let constant = object.get_type().module()?.to_cow()?.starts_with("jax");
    let (tensor, writable) = if capsule.is_valid_checked(Some(VERSIONED)) {
        let managed = capsule.pointer_checked(Some(VERSIONED))?.cast::<ManagedVersioned>();
        // SAFETY: the capsule contains the structure that its name denotes, and keeps it alive.
        let managed = unsafe { managed.as_ref() };
        if managed.major != 1 {
            let message =
                format!("it is of DLPack's version {}.{}, and 1 is understood", managed.major, managed.minor);
            return refuse("array", message);
        }
        (&managed.tensor, managed.flags & READ_ONLY == 0)
    } else {
        let managed = capsule.pointer_checked(Some(NAME))?.cast::<Managed>();
        // SAFETY: as above.
        (unsafe { &(*managed.as_ptr()).tensor }, true)
    };
    let unknown = || {
        Refusal::new(
            "array",
            format!("elements of DLPack's type {} of {} bits are not known", tensor.code, tensor.bits),
        )
    };
    let dtype =
        DType::of_dlpack(tensor.code, tensor.bits).filter(|_| tensor.lanes == 1).ok_or_else(unknown)?;
    // SAFETY: DLPack has `ndim` numbers at `shape`, and at `strides`, if it is not null.
    let described = unsafe { tensor.describe(dtype.bytes()) }?;
    Ok((described, dtype, writable && !constant))
}

/// The data of our capsules beside the tensor.
struct Held {
    shape: Vec<i64>,
    strides: Vec<i64>,
    owner: Py<PyAny>,
}

/// A capsule for consumers.
pub fn capsule(
    py: Python<'_>,
    described: Description,
    dtype: DType,
    writable: bool,
    owner: Py<PyAny>,
    versioned: bool,
) -> Result<Bound<'_, PyCapsule>> {
    let Some((code, bits)) = dtype.dlpack() else {
        let message = format!("DLPack has no elements of {} bytes", dtype.bytes());
        return Err(PyBufferError::new_err(message).into());
    };
    if !versioned && !writable {
        return Err(PyBufferError::new_err(
            "the memory is read-only, and this version of DLPack cannot say so",
        )
        .into());
    }
    let mut held = Box::new(Held { shape: described.shape, strides: described.strides, owner });
    let tensor = DlTensor {
        data: described.data.cast(),
        device_type: HOST[0],
        device_id: 0,
        ndim: held.shape.len() as i32,
        code,
        bits,
        lanes: 1,
        shape: held.shape.as_mut_ptr(),
        strides: held.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let context = Box::into_raw(held).cast();
    let (pointer, name): (*mut c_void, _) = if versioned {
        let flags = if writable { 0 } else { READ_ONLY };
        let deleter = Some(delete_versioned as unsafe extern "C" fn(_));
        let managed = ManagedVersioned { major: 1, minor: 0, context, deleter, flags, tensor };
        (Box::into_raw(Box::new(managed)).cast(), VERSIONED)
    } else {
        let managed = Managed { tensor, context, deleter: Some(delete as unsafe extern "C" fn(_)) };
        (Box::into_raw(Box::new(managed)).cast(), NAME)
    };
    // SAFETY: the pointer is not null, the name is static, and the result is a capsule, or null with an error.
    unsafe {
        let capsule = ffi::PyCapsule_New(pointer, name.as_ptr(), Some(drop_capsule));
        Ok(Bound::from_owned_ptr_or_err(py, capsule)?.cast_into::<PyCapsule>().map_err(PyErr::from)?)
    }
}

/// Called when the capsule is destroyed. A consumer that has taken the tensor has renamed the capsule; otherwise the
/// tensor is freed.
unsafe extern "C" fn drop_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: this is called with the capsule that it was made for.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
        } else if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: it was made by `capsule`, and is freed once.
    unsafe { release(Box::from_raw(managed).context) }
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: it was made by `capsule`, and is deleted once.
    unsafe { release(Box::from_raw(managed).context) }
}

/// # Safety
/// The pointer is that of a `Held` in a box.
unsafe fn release(context: *mut c_void) {
    // SAFETY: the pointer is valid as this function demands.
    let held = unsafe { Box::from_raw(context.cast::<Held>()) };
    // This may be called from any thread.
    Python::attach(|py| held.owner.drop_ref(py));
}
