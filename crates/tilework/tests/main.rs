//! What has to be right of the whole crate; the properties are `properties/`.

mod assembly;
mod compile_errors;
mod const_corpus;
mod conversions;
mod paper;
mod rustc;
mod serde;
mod strided;
mod tensor;
