//! `shard`: the device that holds each element of a tensor on a mesh, in every form and as a picture.

use crate::answer::{Refusal, answer, evaluated, wrong_kind};
use crate::picture;
use clap::Args;
use std::io;
use tilework_draw::Scene;
use tilework_expr::Value;
use tilework_sharding::{Forms, Mesh, Sharding};

const HELP: &str = "SPEC in any form:
  P(x, (y, z), None)                          JAX
  [Shard(0), Replicate(), Partial(sum)]       PyTorch
  {devices=[2,1,4]<=[8] last_tile_dim_replicate}   HLO
  #sdy.sharding<@mesh, [{\"x\"}, {}]>           Shardy
  ((2,4),(512,128)):((512@0,128@1),(1@0,1@1))      a layout from device and local index to coordinate";

#[derive(Args)]
#[command(after_help = HELP)]
pub struct ShardArguments {
    /// The extents of the tensor
    #[arg(value_name = "SHAPE")]
    shape: String,
    /// The devices, by the names and extents of their axes
    #[arg(long, value_name = "x=2,y=4")]
    mesh: String,
    /// How the tensor is divided
    #[arg(long, value_name = "SPEC")]
    spec: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    picture: picture::Output,
}

/// `shard`: one sharding in every form.
pub fn shard(arguments: &ShardArguments) -> io::Result<bool> {
    let ShardArguments { shape, mesh, spec, json, picture } = arguments;
    let sharding = || Ok::<_, Refusal>(Sharding::parse(&Mesh::parse(mesh)?, &extents(shape)?, spec)?);
    if picture.wanted() {
        return match sharding().and_then(|sharding| drawn(&sharding, spec)) {
            Ok(scene) => picture.write(scene),
            Err(refusal) => answer::<Forms>(false, Err(refusal)),
        };
    }
    answer(*json, sharding().and_then(|sharding| Ok((true, Forms::of(&sharding)?))))
}

fn extents(text: &str) -> Result<Vec<i64>, Refusal> {
    extents_of(text, &evaluated(text)?)
}

pub fn extents_of(text: &str, value: &Value) -> Result<Vec<i64>, Refusal> {
    let shape = value.as_shape().ok_or_else(|| wrong_kind(text, "a shape", value))?;
    Ok(shape.leaves().to_vec())
}

fn drawn(sharding: &Sharding, spec: &str) -> Result<Scene, Refusal> {
    Ok(tilework_draw::sharding(sharding, &format!("{spec} on {}", sharding.mesh()))?)
}
