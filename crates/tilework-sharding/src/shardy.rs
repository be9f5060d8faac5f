//! Shardy's text, as MLIR prints it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::sharding::{Reduction, Sharding};
use crate::text::Cursor;

const FORM: &str = "Shardy";

impl Mesh {
    /// Reads Shardy's `sdy.mesh @mesh = <["x"=2, "y"=4]>`, or the part between `<` and `>`.
    ///
    /// ```
    /// use tilework_sharding::Mesh;
    /// assert_eq!(Mesh::from_shardy(r#"sdy.mesh @mesh = <["x"=2, "y"=4]>"#)?, Mesh::parse("x=2,y=4")?);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Text`], and those of [`new`](Self::new).
    pub fn from_shardy(text: &str) -> Result<Mesh, Error> {
        let text = text.split_once('<').map_or(text, |(_, mesh)| mesh);
        let mut cursor = Cursor::new("Shardy's mesh", text.strip_suffix('>').unwrap_or(text));
        cursor.expect("[")?;
        let mut axes = Vec::new();
        cursor.list("]", |cursor| {
            let name = cursor.quoted().ok_or_else(|| cursor.wrong("the name of an axis"))?;
            cursor.expect("=")?;
            axes.push((name, cursor.number()?));
            Ok(())
        })?;
        cursor.end()?;
        Mesh::new(&axes.iter().map(|(name, extent)| (name.as_str(), *extent)).collect::<Vec<_>>())
    }
}

impl Sharding {
    /// Reads `#sdy.sharding<@mesh, [{"x", "y":(1)2}, {}], unreduced={"z"}>`. `"y":(m)k` is the part of `y` with `k`
    /// devices, above a part of `m`. The mark `?` of an open dimension is for XLA's propagation, and is ignored.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let text = r#"#sdy.sharding<@mesh, [{"y":(2)2}, {"x", "y":(1)2}]>"#;
    /// let sharding = Sharding::from_shardy(&mesh, &[8, 8], text)?;
    /// assert_eq!(sharding.to_string(), "((2,(2,2)),(4,2)):((4@1,(4@0,2@1)),(1@0,1@1))");
    /// assert_eq!(sharding.to_shardy()?, text);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Text`], [`Error::UnknownAxis`], [`Error::AxisTwice`], [`Error::Rank`], and [`Error::Inexpressible`] for a part of an
    /// axis that does not divide it.
    pub fn from_shardy(mesh: &Mesh, shape: &[i64], text: &str) -> Result<Sharding, Error> {
        let mut cursor = Cursor::new(FORM, text);
        if cursor.take("#sdy.sharding") {
            cursor.expect("<")?;
        } else {
            cursor.take("<");
        }
        if cursor.take("@") {
            cursor.name().ok_or_else(|| cursor.wrong("the name of the mesh"))?;
            cursor.expect(",")?;
        }
        cursor.expect("[")?;
        let mut parts = Vec::new();
        cursor.list("]", |cursor| {
            parts.push(axes(mesh, cursor)?);
            Ok(())
        })?;
        let mut sharding = Sharding::of_blocks(mesh, shape, &parts)?;
        while cursor.take(",") {
            if cursor.take("unreduced=") {
                for part in axes(mesh, &mut cursor)? {
                    sharding = sharding.with_owed(mesh.axes()[part.axis].name(), Reduction::Sum)?;
                }
            } else {
                cursor.expect("replicated=")?;
                for part in axes(mesh, &mut cursor)? {
                    if !sharding.along(part.axis).is_empty() && part == SubAxis::whole(mesh, part.axis) {
                        return Err(Error::AxisTwice { name: String::from(mesh.axes()[part.axis].name()) });
                    }
                }
            }
        }
        cursor.take(">");
        cursor.end()?;
        Ok(sharding)
    }

    /// The equivalent text in Shardy, for a mesh named `mesh`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if a device does not hold one block of each dimension, and if a reduction other than a
    /// sum is pending.
    pub fn to_shardy(&self) -> Result<String, Error> {
        let mut unreduced = Vec::new();
        let mut reduced = self.clone();
        for (axis, owed) in self.owed().iter().enumerate() {
            if *owed == Some(Reduction::Sum) {
                unreduced.push(format!("\"{}\"", self.mesh().axes()[axis].name()));
                reduced.settle(axis);
            }
        }
        let mut entries = Vec::new();
        for axes in reduced.blocks(FORM)? {
            let names: Vec<String> = axes.iter().map(|part| part_text(self.mesh(), *part)).collect();
            entries.push(format!("{{{}}}", names.join(", ")));
        }
        let unreduced = if unreduced.is_empty() {
            String::new()
        } else {
            format!(", unreduced={{{}}}", unreduced.join(", "))
        };
        Ok(format!("#sdy.sharding<@mesh, [{}]{unreduced}>", entries.join(", ")))
    }
}

/// `{"x", "y":(1)2, ?}`.
fn axes(mesh: &Mesh, cursor: &mut Cursor<'_>) -> Result<Vec<SubAxis>, Error> {
    let mut axes = Vec::new();
    cursor.expect("{")?;
    cursor.list("}", |cursor| {
        if cursor.take("?") {
            return Ok(());
        }
        let name = cursor.quoted().ok_or_else(|| cursor.wrong("the name of an axis"))?;
        let mut part = SubAxis::whole(mesh, mesh.axis(&name)?);
        if cursor.take(":(") {
            let above = cursor.number()?;
            cursor.expect(")")?;
            let extent = cursor.number()?;
            let whole = above.checked_mul(extent).filter(|&whole| whole > 0 && part.extent % whole == 0);
            let Some(whole) = whole else {
                let why = format!("{above} times {extent} does not divide its {} devices", part.extent);
                return Err(Error::Inexpressible { form: FORM, mode: format!("axis `{name}`"), why });
            };
            part = SubAxis { weight: part.extent / whole, extent, ..part };
        }
        axes.push(part);
        Ok(())
    })?;
    Ok(axes)
}

fn part_text(mesh: &Mesh, part: SubAxis) -> String {
    let axis = &mesh.axes()[part.axis];
    if part.extent == axis.extent() {
        return format!("\"{}\"", axis.name());
    }
    format!("\"{}\":({}){}", axis.name(), axis.extent() / (part.weight * part.extent), part.extent)
}
