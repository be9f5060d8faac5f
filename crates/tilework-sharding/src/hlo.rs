//! The text of shardings in XLA's HLO.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tilework::{Layout, Leaf};

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::mesh::{Mesh, row_major, step};
use crate::sharding::Sharding;
use crate::text::Cursor;

const FORM: &str = "HLO sharding";

impl Sharding {
    /// Reads `{devices=[4,2]<=[2,4]T(1,0)}`, with `last_tile_dim_replicate` if the last entry counts copies; a list of
    /// devices instead of `<=`; and `{replicated}`. Devices are those of the mesh, whose axes need not be those of the
    /// text.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let sharding = Sharding::from_hlo(&mesh, &[16, 8], "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}")?;
    /// assert_eq!(sharding.to_partition_spec()?, "PartitionSpec('y', None)");
    /// assert_eq!(sharding.to_hlo()?, "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Text`]; [`Error::Different`] for a different number of devices; [`Error::Inexpressible`] for devices
    /// that are not a layout of the mesh, as in `maximal` and `manual`; [`Error::Rank`] for more entries than
    /// dimensions.
    pub fn from_hlo(mesh: &Mesh, shape: &[i64], text: &str) -> Result<Sharding, Error> {
        let mut cursor = Cursor::new(FORM, text);
        cursor.expect("{")?;
        if cursor.take("replicated") {
            cursor.expect("}")?;
            cursor.end()?;
            return Sharding::of_blocks(mesh, shape, &[]);
        }
        cursor.expect("devices=[")?;
        let mut tiles = numbers(&mut cursor, "]")?;
        let devices = if cursor.take("<=[") { iota(&mut cursor)? } else { listed(&mut cursor)? };
        let copies = cursor.take("last_tile_dim_replicate") || cursor.take("last_tile_dims={replicated}");
        cursor.expect("}")?;
        cursor.end()?;
        let sizes =
            (tiles.iter().try_fold(1i64, |all, &tile| all.checked_mul(tile)).unwrap_or(0), mesh.size());
        if sizes.0 != sizes.1 || devices.iter().map(|leaf| leaf.extent).product::<i64>() != sizes.1 {
            let (from, to) = (sizes.0.to_string(), sizes.1.to_string());
            return Err(Error::Different {
                what: "the numbers of devices, of the text and of the mesh,",
                from,
                to,
            });
        }
        let mut parts = divide(mesh, &tiles, devices)?;
        if copies {
            tiles.pop();
            parts.pop();
        }
        if tiles.len() != shape.len() {
            return Err(Error::Rank {
                what: "the tile assignment",
                found: tiles.len(),
                expected: shape.len(),
            });
        }
        Sharding::of_blocks(mesh, shape, &parts)
    }

    /// The text in HLO, with the devices as a transposed iota.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if a device does not hold one block of each dimension, and if a reduction is pending.
    pub fn to_hlo(&self) -> Result<String, Error> {
        let parts = self.blocks(FORM)?;
        let copies = self.copies();
        if parts.iter().all(Vec::is_empty) {
            return Ok(String::from("{replicated}"));
        }
        let mut tiles: Vec<String> = Vec::new();
        for axes in &parts {
            tiles.push(axes.iter().map(|part| part.extent).product::<i64>().to_string());
        }
        if !copies.is_empty() {
            tiles.push(copies.iter().map(|part| part.extent).product::<i64>().to_string());
        }
        let devices = self.mesh().devices().leaves();
        let mut order: Vec<(i64, i64)> = Vec::new();
        for part in parts.iter().flatten().chain(&copies) {
            let (stride, extent) = (step(&devices[part.axis]) * part.weight, part.extent);
            match order.last_mut() {
                Some(slower) if slower.0 == stride * extent => *slower = (stride, slower.1 * extent),
                _ => order.push((stride, extent)),
            }
        }
        let mut dimensions: Vec<(i64, i64)> = order.clone();
        dimensions.sort_by_key(|&(stride, _)| -stride);
        let place = |digit| dimensions.iter().position(|other| other == digit).unwrap_or(0).to_string();
        let places: Vec<String> = order.iter().map(place).collect();
        let dimensions: Vec<String> = dimensions.iter().map(|(_, extent)| extent.to_string()).collect();
        let permutation = if order.len() > 1 { format!("T({})", places.join(",")) } else { String::new() };
        let copies = if copies.is_empty() { "" } else { " last_tile_dim_replicate" };
        Ok(format!("{{devices=[{}]<=[{}]{permutation}{copies}}}", tiles.join(","), dimensions.join(",")))
    }
}

fn numbers(cursor: &mut Cursor<'_>, close: &'static str) -> Result<Vec<i64>, Error> {
    let mut numbers = Vec::new();
    cursor.list(close, |cursor| {
        let number = cursor.number()?;
        if number < 1 && close == "]" {
            return Err(cursor.wrong("numbers of 1 or more"));
        }
        numbers.push(number);
        Ok(())
    })?;
    Ok(numbers)
}

/// `[2,4]T(1,0)` after `<=[`: the leaves of the devices in the order of the text, the slowest first.
fn iota(cursor: &mut Cursor<'_>) -> Result<Vec<Leaf>, Error> {
    let counted = row_major(&numbers(cursor, "]")?)?;
    let leaves = counted.leaves();
    if !cursor.take("T(") {
        return Ok(leaves.to_vec());
    }
    let order = numbers(cursor, ")")?;
    let is_permutation =
        (0..leaves.len() as i64).all(|mode| order.contains(&mode)) && order.len() == leaves.len();
    if is_permutation {
        Ok(order.iter().map(|&mode| leaves[mode as usize]).collect())
    } else {
        Err(cursor.wrong("a permutation of the dimensions"))
    }
}

/// A list of devices: the leaves of the layout that gives them.
fn listed(cursor: &mut Cursor<'_>) -> Result<Vec<Leaf>, Error> {
    let mut devices = Vec::from([cursor.number()?]);
    while cursor.take(",") {
        devices.push(cursor.number()?);
    }
    let leaves = Layout::from_image(&devices)?.leaves().to_vec();
    Ok(leaves.into_iter().rev().collect())
}

/// The parts of the mesh's axes that count each entry of the tile assignment, the slowest first.
fn divide(mesh: &Mesh, tiles: &[i64], mut devices: Vec<Leaf>) -> Result<Vec<Vec<SubAxis>>, Error> {
    let mut parts = Vec::new();
    for (entry, &tile) in tiles.iter().enumerate().rev() {
        let refused = |why| Error::Inexpressible {
            form: "a layout of the mesh",
            mode: format!("entry {entry} of the tile assignment"),
            why,
        };
        let mut rest = tile;
        let mut axes = Vec::new();
        while rest > 1 {
            let Some(leaf) = devices.pop() else {
                return Err(refused(String::from("there are too few devices")));
            };
            let extent = if leaf.extent <= rest { leaf.extent } else { rest };
            if rest % extent != 0 || leaf.extent % extent != 0 {
                return Err(refused(format!(
                    "{tile} devices are not whole runs of those before, which go by {}",
                    leaf.extent
                )));
            }
            if extent < leaf.extent {
                devices.push(Leaf::new(leaf.extent / extent, step(&leaf) * extent));
            }
            rest /= extent;
            axes.extend(along(mesh, extent, step(&leaf)).ok_or_else(|| {
                refused(format!("devices {} apart are {extent} steps of no axis of {mesh}", step(&leaf)))
            })?);
        }
        axes.reverse();
        parts.push(axes);
    }
    parts.reverse();
    Ok(parts)
}

/// `extent` devices that are `stride` apart, as parts of axes, the fastest first.
fn along(mesh: &Mesh, mut extent: i64, mut stride: i64) -> Option<Vec<SubAxis>> {
    let mut parts = Vec::new();
    while extent > 1 {
        let holds =
            |leaf: &Leaf| leaf.extent > 1 && stride % step(leaf) == 0 && stride / step(leaf) < leaf.extent;
        let axis = mesh.devices().leaves().iter().position(holds)?;
        let leaf = mesh.devices().leaves()[axis];
        let weight = stride / step(&leaf);
        let whole = leaf.extent / weight;
        let own = if whole <= extent { whole } else { extent };
        if leaf.extent % weight != 0 || whole % own != 0 || extent % own != 0 {
            return None;
        }
        parts.push(SubAxis { axis, weight, extent: own });
        extent /= own;
        stride *= own;
    }
    Some(parts)
}
