//! JAX's `PartitionSpec`.

use alloc::string::String;
use alloc::vec::Vec;

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::sharding::Sharding;
use crate::text::Cursor;

const FORM: &str = "PartitionSpec";

impl Sharding {
    /// Reads JAX's `PartitionSpec('x', ('y', 'z'), None)`, or shorter `P(x,(y,z),None)`, also in
    /// `NamedSharding(mesh=Mesh('x': 2, 'y': 4), spec=..)`, whose mesh has to be the given one: the axes that divide each dimension, the
    /// slowest first. Missing dimensions are not divided.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let sharding = Sharding::from_partition_spec(&mesh, &[16, 8], "PartitionSpec(('y', 'x'), None)")?;
    /// assert_eq!(sharding.to_string(), "((2,4),(2,8)):((2@0,4@0),(1@0,1@1))");
    /// assert_eq!(sharding.to_partition_spec()?, "PartitionSpec(('y', 'x'), None)");
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Text`], [`Error::UnknownAxis`], [`Error::AxisTwice`], and [`Error::Rank`] for more entries than dimensions.
    pub fn from_partition_spec(mesh: &Mesh, shape: &[i64], text: &str) -> Result<Sharding, Error> {
        let mut cursor = Cursor::new(FORM, text);
        let named = cursor.take("NamedSharding");
        if named {
            cursor.expect("(")?;
            is_of_mesh(&mut cursor, mesh)?;
        }
        if !cursor.take("PartitionSpec") {
            cursor.expect("P")?;
        }
        cursor.expect("(")?;
        let mut parts = Vec::new();
        cursor.list(")", |cursor| {
            let mut axes = Vec::new();
            let mut axis = |cursor: &mut Cursor<'_>| {
                let name =
                    cursor.quoted().ok_or_else(|| cursor.wrong("an axis, a tuple of axes, or None"))?;
                axes.push(SubAxis::whole(mesh, mesh.axis(&name)?));
                Ok(())
            };
            if cursor.take("(") {
                cursor.list(")", axis)?;
            } else if !cursor.take("None") {
                axis(cursor)?;
            }
            parts.push(axes);
            Ok(())
        })?;
        if named {
            if cursor.take(",") {
                cursor.expect("memory_kind")?;
                cursor.expect("=")?;
                cursor.quoted().ok_or_else(|| cursor.wrong("a kind of memory"))?;
            }
            cursor.expect(")")?;
        }
        cursor.end()?;
        Sharding::of_blocks(mesh, shape, &parts)
    }

    /// The equivalent `PartitionSpec`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if a device does not hold one block of each dimension, if part of an axis divides a
    /// dimension, and if a reduction is pending.
    pub fn to_partition_spec(&self) -> Result<String, Error> {
        let mut entries = Vec::new();
        for (dimension, axes) in self.blocks(FORM)?.iter().enumerate() {
            let mut names = Vec::new();
            for part in axes {
                let axis = &self.mesh().axes()[part.axis];
                if part.extent != axis.extent() {
                    let why = format!(
                        "{} of the {} devices along `{}` divide it",
                        part.extent,
                        axis.extent(),
                        axis.name()
                    );
                    return Err(Error::Inexpressible {
                        form: FORM,
                        mode: format!("dimension {dimension}"),
                        why,
                    });
                }
                names.push(format!("'{}'", axis.name()));
            }
            entries.push(match names.as_slice() {
                [] => String::from("None"),
                [name] => name.clone(),
                names => format!("({})", names.join(", ")),
            });
        }
        Ok(format!("PartitionSpec({})", entries.join(", ")))
    }
}

/// Skips `mesh=Mesh('x': 2, 'y': 4), spec=`, or `mesh, ` of source text; the printed mesh has to be the given one.
fn is_of_mesh(cursor: &mut Cursor<'_>, mesh: &Mesh) -> Result<(), Error> {
    const PRINTED: &str =
        "the extents of the given mesh, as in mesh=Mesh('x': 2), or the PartitionSpec alone";
    cursor.name();
    if cursor.take("=") {
        cursor.expect("Mesh")?;
        cursor.expect("(")?;
        for (number, axis) in mesh.axes().iter().enumerate() {
            let same = (number == 0 || cursor.take(","))
                && cursor.quoted().as_deref() == Some(axis.name())
                && cursor.take(":")
                && cursor.number()? == axis.extent();
            if !same {
                return Err(cursor.wrong(PRINTED));
            }
        }
        if cursor.take(",") {
            cursor.expect("axis_types")?;
            cursor.expect("=")?;
            cursor.expect("(")?;
            cursor.list(")", |cursor| {
                cursor.name().map(drop).ok_or_else(|| cursor.wrong("a type of an axis"))
            })?;
        }
        if !cursor.take(")") {
            return Err(cursor.wrong(PRINTED));
        }
    }
    cursor.expect(",")?;
    if cursor.take("spec") {
        cursor.expect("=")?;
    }
    Ok(())
}
