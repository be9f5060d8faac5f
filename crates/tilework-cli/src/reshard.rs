//! `reshard`: the communication from one sharding of a tensor to another, by collectives or messages.

use crate::answer::{Refusal, answer, evaluated};
use crate::sharding::extents_of;
use clap::Args;
use std::io;
use tilework_expr::width;
use tilework_sharding::{Links, Mesh, Plan, Redistribution, Sharding};

#[derive(Args)]
#[command(after_help = "FROM and TO are written as SPEC of `tilework shard --help`.")]
pub struct Arguments {
    /// The extents of the tensor
    #[arg(value_name = "SHAPE")]
    shape: String,
    /// How it is divided before
    #[arg(value_name = "FROM")]
    from: String,
    /// How it is divided afterwards
    #[arg(value_name = "TO")]
    to: String,
    /// The devices, by the names and extents of their axes
    #[arg(long, value_name = "x=2,y=4")]
    mesh: String,
    /// The bits of an element; a tensor has its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    bits: Option<u32>,
    /// The speed of the links along each axis in GB/s: the plan takes the least time
    #[arg(long, value_name = "x=50,y=900")]
    links: Option<String>,
    /// The device whose messages are listed; the last one by default
    #[arg(long, value_name = "N")]
    device: Option<i64>,
    /// Tell why each step is there
    #[arg(long)]
    explain: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `reshard`: the plan from one sharding to another.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    let Arguments { shape, from, to, mesh, bits, links, device, explain, json } = arguments;
    let planned = || {
        let value = evaluated(shape)?;
        let (mesh, shape) = (Mesh::parse(mesh)?, extents_of(shape, &value)?);
        let bits = width(*bits, [&value])?;
        let [from, to] = [from, to].map(|text| Sharding::parse(&mesh, &shape, text));
        let (from, to) = (from?, to?);
        let links = links.as_ref().map(|links| Links::parse(&mesh, links)).transpose()?;
        let plan = match &links {
            Some(links) => Redistribution::over(&from, &to, links)?,
            None => Redistribution::new(&from, &to)?,
        };
        let device = device.unwrap_or(plan.to().mesh().size() - 1);
        Ok::<_, Refusal>((true, Plan::new(&plan, device, bits.into(), links.as_ref(), *explain)?))
    };
    answer(*json, planned())
}
