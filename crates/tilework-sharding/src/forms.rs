//! A sharding in every form, and the part of a device.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::error::Error;
use crate::holders::BlockHolders;
use crate::sharding::Sharding;

/// The output of `tilework shard`: the mesh if its last axis is not the fastest, the layout, the part of a device, the text of each form or why there is none, and
/// the holders of each block.
///
/// ```
/// use tilework_sharding::{Forms, Mesh, Sharding};
/// let mesh = Mesh::parse("x=2")?;
/// let forms = Forms::of(&Sharding::parse(&mesh, &[8], "P(x)")?)?;
/// assert!(forms.to_string().contains("JAX      PartitionSpec('x')\nPyTorch  [Shard(0)]"));
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Forms {
    /// If the last axis of the mesh is not the fastest.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    mesh: Option<String>,
    layout: String,
    local: Vec<i64>,
    even: bool,
    jax: Form,
    pytorch: Form,
    hlo: Form,
    shardy: Form,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    blocks: Option<BlockHolders>,
    devices: i64,
}

/// The text of a form, or why there is none.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
enum Form {
    Text(String),
    Refused { refused: String },
}

impl Form {
    fn of(text: Result<String, Error>) -> Form {
        match text {
            Ok(text) => Form::Text(text),
            Err(error) => Form::Refused { refused: error.to_string() },
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Text(text) => f.write_str(text),
            Form::Refused { refused } => write!(f, "none: {refused}"),
        }
    }
}

impl Forms {
    /// The forms of a sharding.
    ///
    /// # Errors
    /// [`Error::Layout`] beyond the capacity of a layout.
    pub fn of(sharding: &Sharding) -> Result<Forms, Error> {
        let blocks = match sharding.block_holders() {
            Err(Error::Picture { .. }) => None,
            blocks => Some(blocks?).filter(|blocks| !blocks.is_cut()),
        };
        let mesh = sharding.mesh();
        Ok(Forms {
            mesh: (!mesh.is_row_major()).then(|| mesh.to_string()),
            layout: sharding.layout()?.to_string(),
            local: sharding.local_shape(),
            even: sharding.is_even(),
            jax: Form::of(sharding.to_partition_spec()),
            pytorch: Form::of(sharding.to_placements()),
            hlo: Form::of(sharding.to_hlo()),
            shardy: Form::of(sharding.to_shardy()),
            blocks,
            devices: mesh.size(),
        })
    }
}

impl fmt::Display for Forms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local: Vec<String> = self.local.iter().map(ToString::to_string).collect();
        let most = if self.even { "" } else { " at most" };
        if let Some(mesh) = &self.mesh {
            writeln!(f, "mesh     {mesh}")?;
        }
        writeln!(f, "layout   {}", self.layout)?;
        writeln!(f, "local    ({}){most}, on each of {} devices", local.join(","), self.devices)?;
        writeln!(f, "JAX      {}", self.jax)?;
        writeln!(f, "PyTorch  {}", self.pytorch)?;
        writeln!(f, "HLO      {}", self.hlo)?;
        write!(f, "Shardy   {}", self.shardy)?;
        match &self.blocks {
            Some(blocks) => write!(f, "\n\n{blocks}"),
            None => Ok(()),
        }
    }
}
