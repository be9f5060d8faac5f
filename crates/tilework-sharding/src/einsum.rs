//! Products of sharded tensors without communication.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::Error;
use crate::mesh::Mesh;
use crate::sharding::{Digit, Owner, Reduction, Sharding};

impl Sharding {
    /// The sharding of `einsum` if each device multiplies its own parts, without communication. `operands` are labels,
    /// one per dimension, with their shardings. A sum is pending along the axes that divide labels that the output
    /// lacks.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let a = Sharding::from_partition_spec(&mesh, &[16, 32], "P(x, y)")?;
    /// let b = Sharding::from_partition_spec(&mesh, &[32, 8], "P(y, None)")?;
    /// let c = Sharding::einsum(&[(&['i', 'j'], &a), (&['j', 'k'], &b)], &['i', 'k'])?;
    /// assert_eq!(c.to_string(), "((2,4),(8,8)):((8@0,0),(1@0,1@1)), sum owed along y");
    /// let b = Sharding::from_partition_spec(&mesh, &[32, 8], "P(None, y)")?;
    /// assert_eq!(
    ///     Sharding::einsum(&[(&['i', 'j'], &a), (&['j', 'k'], &b)], &['i', 'k']).unwrap_err().to_string(),
    ///     "label `j`: operand 0 divides it by y, and operand 1 by nothing; move one of them first"
    /// );
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Label`] if operands divide a label differently, if one axis divides two labels, and for an output label
    /// that no operand has; [`Error::Rank`] for a wrong number of labels; [`Error::Different`] for different meshes.
    pub fn einsum(operands: &[(&[char], &Sharding)], output: &[char]) -> Result<Sharding, Error> {
        let first = checked(operands, output)?;
        let mut labels: Vec<Label> = Vec::new();
        let mut owed: Vec<Option<Reduction>> = Vec::from_iter(first.owed().iter().map(|_| None));
        for (number, (names, sharding)) in operands.iter().enumerate() {
            for (dimension, &name) in names.iter().enumerate() {
                let own = Label {
                    name,
                    operand: number,
                    extent: sharding.shape()[dimension],
                    digits: sharding.digits()[dimension].clone(),
                };
                match labels.iter().find(|label| label.name == name) {
                    None => labels.push(own),
                    Some(label) => label.same(&own, first.mesh())?,
                }
            }
            sum_up(&mut owed, sharding)?;
        }
        one_label_per_axis(&labels, first.mesh())?;
        for (axis, owed) in owed.iter_mut().enumerate() {
            let Some(label) = labels.iter().find(|label| label.divided_by(axis)) else { continue };
            if owed.is_some() {
                let name = first.mesh().axes()[axis].name();
                let why = format!(
                    "`{name}` divides it, and another operand owes a sum along `{name}`; settle that first"
                );
                return Err(Error::Label { label: label.name, why });
            }
            *owed = (!output.contains(&label.name)).then_some(Reduction::Sum);
        }
        let mut shape = Vec::new();
        let mut digits = Vec::new();
        for label in output.iter().filter_map(|&name| labels.iter().find(|label| label.name == name)) {
            shape.push(label.extent);
            digits.push(label.digits.clone());
        }
        Sharding::from_digits(first.mesh(), &shape, digits)?.owing(&owed)
    }
}

/// The first operand, if all operands have the same mesh, a label for each dimension, and equal extents of a label, and
/// the output has only their labels.
pub(crate) fn checked<'s>(
    operands: &[(&[char], &'s Sharding)],
    output: &[char],
) -> Result<&'s Sharding, Error> {
    let Some(&(_, first)) = operands.first() else {
        return Err(Error::Rank { what: "the product, of operands,", found: 0, expected: 1 });
    };
    let mut labels: Vec<(char, usize, i64)> = Vec::new();
    for (number, (names, sharding)) in operands.iter().enumerate() {
        if sharding.mesh() != first.mesh() {
            let (from, to) = (format!("{}", first.mesh()), format!("{}", sharding.mesh()));
            return Err(Error::Different { what: "the meshes of the operands", from, to });
        }
        if names.len() != sharding.shape().len() {
            let (found, expected) = (names.len(), sharding.shape().len());
            return Err(Error::Rank { what: "an operand of the product, by its labels,", found, expected });
        }
        for (&name, &extent) in names.iter().zip(sharding.shape()) {
            match labels.iter().find(|label| label.0 == name) {
                None => labels.push((name, number, extent)),
                Some(&(_, _, own)) if own == extent => {}
                Some((_, operand, own)) => {
                    let why = format!("operand {operand} has {own} of it, and operand {number} {extent}");
                    return Err(Error::Label { label: name, why });
                }
            }
        }
    }
    match output.iter().find(|&&name| labels.iter().all(|label| label.0 != name)) {
        Some(&label) => Err(Error::Label { label, why: String::from("no operand has it") }),
        None => Ok(first),
    }
}

/// A label as divided in the first operand that has it.
struct Label {
    name: char,
    operand: usize,
    extent: i64,
    digits: Vec<Digit>,
}

impl Label {
    fn divided_by(&self, axis: usize) -> bool {
        self.digits.iter().any(|digit| matches!(digit.owner, Owner::Axis { axis: own, .. } if own == axis))
    }

    /// The axes that divide it, the slowest first.
    fn axes(&self, mesh: &Mesh) -> String {
        let mut names = Vec::new();
        for digit in self.digits.iter().rev() {
            if let Owner::Axis { axis, .. } = digit.owner {
                names.push(mesh.axes()[axis].name());
            }
        }
        if names.is_empty() { String::from("nothing") } else { names.join(", ") }
    }

    fn same(&self, other: &Label, mesh: &Mesh) -> Result<(), Error> {
        let (from, to) = (self.operand, other.operand);
        let why = if self.digits == other.digits {
            return Ok(());
        } else if self.axes(mesh) == other.axes(mesh) {
            format!(
                "operands {from} and {to} both divide it by {}, into other pieces; move one of them first",
                self.axes(mesh)
            )
        } else {
            let (by, other) = (self.axes(mesh), other.axes(mesh));
            format!("operand {from} divides it by {by}, and operand {to} by {other}; move one of them first")
        };
        Err(Error::Label { label: self.name, why })
    }
}

/// A product of sums along one axis is not a sum of products.
fn sum_up(owed: &mut [Option<Reduction>], sharding: &Sharding) -> Result<(), Error> {
    for (axis, reduction) in sharding.owed().iter().enumerate() {
        let Some(reduction) = reduction else { continue };
        let name = sharding.mesh().axes()[axis].name();
        if owed[axis].is_some() || *reduction != Reduction::Sum {
            let (mode, why) = (
                format!("axis `{name}`"),
                format!("a {} is owed along it before the product", reduction.name()),
            );
            return Err(Error::Inexpressible { form: "a product", mode, why });
        }
        owed[axis] = Some(Reduction::Sum);
    }
    Ok(())
}

fn one_label_per_axis(labels: &[Label], mesh: &Mesh) -> Result<(), Error> {
    for (i, label) in labels.iter().enumerate() {
        for axis in 0..mesh.axes().len() {
            let Some(other) =
                labels[..i].iter().find(|other| other.divided_by(axis) && label.divided_by(axis))
            else {
                continue;
            };
            let name = mesh.axes()[axis].name();
            let why = format!(
                "`{name}` divides it and `{}`, so that no device has the two together; move one operand first",
                other.name
            );
            return Err(Error::Label { label: label.name, why });
        }
    }
    Ok(())
}
