//! The text of shardings in XLA's HLO.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tilework::{__private::sort_by_key, Leaf};

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::mesh::{Mesh, positions, row_major, step};
use crate::sharding::Sharding;
use crate::text::Cursor;

const FORM: &str = "HLO sharding";

impl Sharding {
    /// Reads `{devices=[4,2]<=[2,4]T(1,0)}`, with `last_tile_dim_replicate` if the last entry counts copies; a list of
    /// devices instead of `<=`; and `{replicated}`. Devices are those of the mesh, whose axes need not be those of the
    /// text. If parts of its axes do not count the devices in the order of the text, the mesh of the sharding has the
    /// same axes, and its devices in [that order](Mesh::with_order).
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let sharding = Sharding::from_hlo(&mesh, &[16, 8], "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}")?;
    /// assert_eq!(sharding.to_partition_spec()?, "PartitionSpec('y', None)");
    /// assert_eq!(sharding.to_hlo()?, "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
    /// let ring = Sharding::from_hlo(&mesh, &[16], "{devices=[8]0,1,2,3,7,6,5,4}")?;
    /// assert_eq!(ring.mesh().to_string(), "x=2,y=4:[0,1,2,3,7,6,5,4]");
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Text`]; [`Error::Different`] for a different number of devices; [`Error::NoDevice`] and [`Error::Order`]
    /// for a list that does not have each device once; [`Error::Inexpressible`] if parts of the axes do not count more
    /// than 2^16 devices of `<=`; [`Error::Rank`] for more entries than dimensions.
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
        let devices = Assigned::read(&mut cursor)?;
        let copies = cursor.take("last_tile_dim_replicate") || cursor.take("last_tile_dims={replicated}");
        cursor.expect("}")?;
        cursor.end()?;
        same_number(tiles.iter().try_fold(1i64, |all, &tile| all.checked_mul(tile)).unwrap_or(0), mesh)?;
        devices.check(mesh)?;
        let (mesh, mut parts) = devices.on(mesh, &tiles, copies)?;
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
        Sharding::of_blocks(&mesh, shape, &parts)
    }

    /// The text in HLO, with the devices as a transposed iota, or as a list if the mesh has an [order](Mesh::order).
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
        let mut order: Vec<Leaf> = Vec::new();
        for part in parts.iter().flatten().chain(&copies) {
            let faster = digit(self.mesh(), part);
            match order.last_mut() {
                Some(slower) if step(slower) == step(&faster) * faster.extent => {
                    *slower = Leaf::new(slower.extent * faster.extent, step(&faster));
                }
                _ => order.push(faster),
            }
        }
        let copies = if copies.is_empty() { "" } else { " last_tile_dim_replicate" };
        if self.mesh().order().is_some() {
            let number = |position| self.mesh().number(position).to_string();
            let numbers: Vec<String> = counted(&order).into_iter().map(number).collect();
            return Ok(format!("{{devices=[{}]{}{copies}}}", tiles.join(","), numbers.join(",")));
        }
        let mut dimensions = order.clone();
        sort_by_key(&mut dimensions, |leaf| -step(leaf));
        let place = |leaf| dimensions.iter().position(|other| other == leaf).unwrap_or(0).to_string();
        let places: Vec<String> = order.iter().map(place).collect();
        let dimensions: Vec<String> = dimensions.iter().map(|leaf| leaf.extent.to_string()).collect();
        let permutation = if order.len() > 1 { format!("T({})", places.join(",")) } else { String::new() };
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

/// The most devices that are listed where axes of the mesh do not count them.
const LISTED: i64 = 1 << 16;

/// The devices in the order of a text.
enum Assigned {
    /// Digits of their numbers, the slowest first.
    Counted(Vec<Leaf>),
    Listed(Vec<i64>),
}

impl Assigned {
    fn read(cursor: &mut Cursor<'_>) -> Result<Assigned, Error> {
        if cursor.take("<=[") {
            return Ok(Assigned::Counted(iota(cursor)?));
        }
        let mut devices = Vec::from([cursor.number()?]);
        while cursor.take(",") {
            devices.push(cursor.number()?);
        }
        Ok(Assigned::Listed(devices))
    }

    /// Checks that it has each device of a mesh once.
    fn check(&self, mesh: &Mesh) -> Result<(), Error> {
        match self {
            Assigned::Counted(digits) => same_number(digits.iter().map(|leaf| leaf.extent).product(), mesh),
            Assigned::Listed(devices) => positions(devices, mesh.size()).map(|_| ()),
        }
    }

    /// The mesh, or the same axes with the devices in another order, and the parts of axes that count each entry of the
    /// tile assignment.
    fn on(self, mesh: &Mesh, tiles: &[i64], copies: bool) -> Result<(Mesh, Vec<Vec<SubAxis>>), Error> {
        let mut numbers = match self {
            Assigned::Counted(digits) if mesh.order().is_none() => {
                match divide(mesh, tiles, digits.clone()) {
                    Ok(parts) => return Ok((mesh.clone(), parts)),
                    Err(refused) if mesh.size() > LISTED => return Err(refused),
                    Err(_) => counted(&digits),
                }
            }
            Assigned::Counted(digits) => counted(&digits),
            Assigned::Listed(devices) => devices,
        };
        let counted_on = |numbers: &[i64]| {
            let positions: Vec<i64> = numbers.iter().filter_map(|&device| mesh.position(device)).collect();
            divide(mesh, tiles, digits(&positions)?).ok()
        };
        let mut parts = counted_on(&numbers);
        if let (None, true, Some(&copied)) = (&parts, copies, tiles.last()) {
            // The order of the devices that hold one block does not matter.
            numbers.chunks_mut(copied as usize).for_each(<[i64]>::sort_unstable);
            parts = counted_on(&numbers);
        }
        if let Some(parts) = parts {
            return Ok((mesh.clone(), parts));
        }
        let axes: Vec<(&str, i64)> = mesh.axes().iter().map(|axis| (axis.name(), axis.extent())).collect();
        let (regular, parts) = (Mesh::new(&axes)?, any_parts(mesh, tiles));
        let digits: Vec<Leaf> = parts.iter().flatten().map(|part| digit(&regular, part)).collect();
        let mut order = vec![0; numbers.len()];
        for (position, device) in counted(&digits).into_iter().zip(numbers) {
            order[position as usize] = device;
        }
        Ok((Mesh::with_order(&axes, &order)?, parts))
    }
}

fn same_number(devices: i64, mesh: &Mesh) -> Result<(), Error> {
    if devices == mesh.size() {
        return Ok(());
    }
    let (from, to) = (devices.to_string(), mesh.size().to_string());
    Err(Error::Different { what: "the numbers of devices, of the text and of the mesh,", from, to })
}

/// The digit of the positions that a part of an axis counts.
fn digit(mesh: &Mesh, part: &SubAxis) -> Leaf {
    Leaf::new(part.extent, step(&mesh.devices().leaves()[part.axis]) * part.weight)
}

/// The numbers that digits count, given the slowest first.
fn counted(digits: &[Leaf]) -> Vec<i64> {
    digits.iter().fold(Vec::from([0]), |numbers, leaf| {
        let next = |first: &i64| {
            let first = *first;
            (0..leaf.extent).map(move |i| first + i * step(leaf))
        };
        numbers.iter().flat_map(next).collect()
    })
}

/// The digits that count the numbers, the slowest first, if some do.
fn digits(numbers: &[i64]) -> Option<Vec<Leaf>> {
    let (mut digits, mut below) = (Vec::new(), 1);
    while below < numbers.len() {
        let step = numbers[below];
        let steps = (0..).zip(numbers.iter().step_by(below));
        let extent = steps.take_while(|&(i, &number)| number == i * step).count();
        if extent < 2 {
            return None;
        }
        digits.push(Leaf::new(extent as i64, step));
        below *= extent;
    }
    digits.reverse();
    (counted(&digits) == numbers).then_some(digits)
}

/// Parts of axes that have as many devices as each entry, in any order: the slowest that are left.
fn any_parts(mesh: &Mesh, tiles: &[i64]) -> Vec<Vec<SubAxis>> {
    let mut left: Vec<i64> = mesh.axes().iter().map(|axis| axis.extent()).collect();
    let mut parts = Vec::new();
    for &tile in tiles {
        let (mut rest, mut own) = (tile, Vec::new());
        for (axis, left) in left.iter_mut().enumerate() {
            let extent = common_divisor(rest, *left);
            (rest, *left) = (rest / extent, *left / extent);
            if extent > 1 {
                own.push(SubAxis { axis, weight: *left, extent });
            }
        }
        parts.push(own);
    }
    parts
}

fn common_divisor(mut a: i64, mut b: i64) -> i64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
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
