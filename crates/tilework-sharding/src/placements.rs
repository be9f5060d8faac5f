//! PyTorch's placements: one per axis of the mesh.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::error::Error;
use crate::mesh::Mesh;
use crate::sharding::{Digit, Owner, Reduction, Sharding};
use crate::text::Cursor;

/// The short names, of which none begins another.
const LETTERS: [&str; 4] = ["_S", "S", "R", "P"];

const FORM: &str = "PyTorch's placements";

/// PyTorch's placement of one axis.
enum Placement {
    Shard { dimension: i64, split: i64 },
    Replicate,
    Partial(Reduction),
}

/// The local part of one dimension while placements are applied from left to right: extents with their steps, the
/// slowest first.
type Remaining = Vec<(i64, i64)>;

/// Whether a text begins like `S(0)R`. `P(x)` alone is JAX's.
pub(crate) fn is_compact(text: &str) -> bool {
    let behind_partial = text.strip_prefix('P').map(|rest| match rest.strip_prefix('(') {
        Some(inside) => inside.split_once(')').map_or("", |(_, rest)| rest).trim_start(),
        None => rest,
    });
    let rest = behind_partial.unwrap_or(text);
    ["S(", "_S("].iter().any(|shard| rest.starts_with(shard))
        || rest
            .strip_prefix(['R', 'P'])
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['S', '_', 'R', 'P', '(']))
}

impl Sharding {
    /// Reads `[Shard(0), Replicate(), Partial(sum)]`, `(S(0), R, P(sum))` or `S(0)RP(sum)`, one placement per axis of the mesh.
    ///
    /// They are applied from left to right, each to the local part that the earlier axes leave. `_StridedShard(dim,
    /// sf)` first divides that into `sf` parts, which later axes may divide, and then each part among the devices of
    /// its own axis. In a layout, `_StridedShard` is a digit that is not the slowest.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("dp=4,tp=2")?;
    /// let sharding = Sharding::from_placements(&mesh, &[16], "[_StridedShard(0, sf=2), Shard(0)]")?;
    /// assert_eq!(sharding.to_string(), "((4,2),(2)):((2@0,8@0),(1@0))");
    /// assert_eq!(sharding.to_partition_spec()?, "PartitionSpec(('tp', 'dp'))");
    /// assert_eq!(sharding.to_placements()?, "[_StridedShard(0, sf=2), Shard(0)]");
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Text`]; [`Error::Placements`] for a wrong number of placements; [`Error::Inexpressible`] if pieces of
    /// different sizes are divided again, which a layout cannot express; [`Error::Reductions`] for partial results of
    /// two kinds.
    pub fn from_placements(mesh: &Mesh, shape: &[i64], text: &str) -> Result<Sharding, Error> {
        let placements = read(text)?;
        if placements.len() != mesh.axes().len() {
            let (given, axes) = (placements.len(), mesh.axes().len());
            return Err(Error::Placements { given, axes, mesh: mesh.to_string() });
        }
        let mut remaining: Vec<Remaining> = shape.iter().map(|&extent| vec![(extent, 1)]).collect();
        let mut digits: Vec<Vec<Digit>> = vec![Vec::new(); shape.len()];
        let mut owed = vec![None; mesh.axes().len()];
        for (axis, placement) in placements.iter().enumerate() {
            let devices = mesh.axes()[axis].extent();
            match *placement {
                Placement::Replicate => {}
                Placement::Partial(reduction) => owed[axis] = Some(reduction),
                Placement::Shard { dimension, split } => {
                    let rank = shape.len() as i64;
                    let at = if dimension < 0 { dimension + rank } else { dimension };
                    if !(0..rank).contains(&at) {
                        return Err(Error::NoDimension { dimension, rank: shape.len() });
                    }
                    // One device divides nothing, however little the other axes leave.
                    if devices == 1 {
                        continue;
                    }
                    let at = at as usize;
                    let whole = digits[at].is_empty();
                    let (stride, rest) =
                        take(&remaining[at], split, devices, whole.then_some(shape[at])).map_err(|why| {
                            Error::Inexpressible { form: "one layout", mode: format!("dimension {at}"), why }
                        })?;
                    remaining[at] = rest;
                    digits[at].push(Digit {
                        extent: devices,
                        stride,
                        owner: Owner::Axis { axis, weight: 1 },
                    });
                    even(&digits[at], shape[at], &remaining[at], at)?;
                }
            }
        }
        for (digits, remaining) in digits.iter_mut().zip(&remaining) {
            let mut weight = 1;
            for &(extent, stride) in remaining.iter().rev() {
                digits.push(Digit { extent, stride, owner: Owner::Local { weight } });
                weight *= extent;
            }
        }
        Sharding::from_digits(mesh, shape, digits)?.owing(&owed)
    }

    /// The equivalent placements; `Replicate()` along an axis of one device.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if an axis divides two dimensions, if part of an axis divides, if the elements on a
    /// device are not in the order of the tensor, and if pieces are larger than necessary.
    pub fn to_placements(&self) -> Result<String, Error> {
        let mut placements = Vec::new();
        for (axis, named) in self.mesh().axes().iter().enumerate() {
            let own = self.along(axis);
            let refused =
                |why| Err(Error::Inexpressible { form: FORM, mode: format!("axis `{}`", named.name()), why });
            placements.push(match (own.as_slice(), self.owed()[axis]) {
                ([], Some(reduction)) => format!("Partial({})", reduction.name()),
                ([], None) => String::from("Replicate()"),
                ([digit], _) if digit.extent == named.extent() => self.placement(axis, digit),
                ([digit], _) => {
                    return refused(format!(
                        "{} of its {} devices divide the tensor",
                        digit.extent,
                        named.extent()
                    ));
                }
                _ => return refused(String::from("it divides more than one piece of the tensor")),
            });
        }
        for dimension in 0..self.shape().len() {
            let local = self.local_digits(dimension);
            if local.windows(2).any(|pair| pair[0].stride > pair[1].stride) {
                let why = String::from("elements of a device are held in another order");
                return Err(Error::Inexpressible { form: FORM, mode: format!("dimension {dimension}"), why });
            }
        }
        let text = format!("[{}]", placements.join(", "));
        let read = Sharding::from_placements(self.mesh(), self.shape(), &text)?;
        match (0..self.shape().len()).find(|&dimension| read.digits()[dimension] != self.digits()[dimension])
        {
            None => Ok(text),
            Some(dimension) => Err(Error::Inexpressible {
                form: FORM,
                mode: format!("dimension {dimension}"),
                why: String::from("its pieces are not the smallest that suffice"),
            }),
        }
    }

    /// The placement of an axis for its digit, after the earlier axes have taken theirs.
    fn placement(&self, axis: usize, digit: &Digit) -> String {
        let slower = |other: &&Digit| other.stride > digit.stride;
        let later = |other: &&Digit| !matches!(other.owner, Owner::Axis { axis: own, .. } if own < axis);
        let dimension = self.digits().iter().position(|digits| digits.contains(digit)).unwrap_or(0);
        let split: i64 =
            self.digits()[dimension].iter().filter(slower).filter(later).map(|other| other.extent).product();
        if split == 1 {
            format!("Shard({dimension})")
        } else {
            format!("_StridedShard({dimension}, sf={split})")
        }
    }
}

/// The step of a digit of `devices` below `split` parts of the remaining extents, and the extents that remain after it.
fn take(
    remaining: &Remaining,
    split: i64,
    devices: i64,
    whole: Option<i64>,
) -> Result<(i64, Remaining), String> {
    let mut left = Vec::new();
    let (mut above, mut at) = (split, 0);
    while above > 1 {
        let Some(&(extent, stride)) = remaining.get(at) else {
            return Err(format!("there are no {split} parts to divide"));
        };
        if above % extent == 0 {
            left.push((extent, stride));
            (above, at) = (above / extent, at + 1);
        } else if extent % above == 0 {
            left.push((above, stride * (extent / above)));
            return cut((extent / above, stride), devices, None, left, &remaining[at + 1..]);
        } else {
            return Err(format!("{split} parts do not divide a piece of {extent}"));
        }
    }
    let Some(&piece) = remaining.get(at) else {
        return Err(format!("nothing is left for {devices} devices"));
    };
    cut(piece, devices, whole.filter(|_| left.is_empty()), left, &remaining[at + 1..])
}

/// Divides one piece among devices. A whole dimension need not be divisible: the last devices have less.
fn cut(
    piece: (i64, i64),
    devices: i64,
    whole: Option<i64>,
    mut left: Remaining,
    after: &[(i64, i64)],
) -> Result<(i64, Remaining), String> {
    let (extent, stride) = piece;
    if extent % devices != 0 && whole.is_none() {
        return Err(format!("{devices} devices do not divide a piece of {extent}"));
    }
    let block = (extent - 1) / devices + 1;
    if block > 1 {
        left.push((block, stride));
    }
    left.extend(after);
    Ok((stride * block, left))
}

/// Refuses a second division of pieces if the last is smaller, because PyTorch would divide that one differently.
fn even(digits: &[Digit], extent: i64, remaining: &Remaining, dimension: usize) -> Result<(), Error> {
    let pieces = digits.iter().map(|digit| digit.extent).chain(remaining.iter().map(|piece| piece.0));
    let reached = pieces.fold(1, i64::saturating_mul);
    let [first, .., last] = digits else { return Ok(()) };
    let (short, block) = (extent % first.stride, last.stride);
    if reached == extent || short == 0 || (short - 1) / last.extent + 1 == block {
        return Ok(());
    }
    let why = format!(
        "the last piece has {short} of {} elements, and is divided into other pieces than those before",
        first.stride
    );
    Err(Error::Inexpressible { form: "one layout", mode: format!("dimension {dimension}"), why })
}

fn read(text: &str) -> Result<Vec<Placement>, Error> {
    let mut cursor = Cursor::new(FORM, text);
    let close = if cursor.take("[") {
        "]"
    } else if cursor.take("(") {
        ")"
    } else {
        return compact(cursor);
    };
    let mut placements = Vec::new();
    cursor.list(close, |cursor| {
        let name = cursor.name().ok_or_else(|| cursor.wrong("a placement such as `Shard(0)`"))?;
        placements.push(placement(cursor, name)?);
        Ok(())
    })?;
    cursor.end()?;
    Ok(placements)
}

/// `S(0)R`, without commas.
fn compact(mut cursor: Cursor<'_>) -> Result<Vec<Placement>, Error> {
    let mut placements = Vec::new();
    while let Some(name) = LETTERS.into_iter().find(|name| cursor.take(name)) {
        placements.push(placement(&mut cursor, name)?);
    }
    cursor.end()?;
    Ok(placements)
}

/// A placement, after its name.
fn placement(cursor: &mut Cursor<'_>, name: &str) -> Result<Placement, Error> {
    Ok(match name {
        "Replicate" | "R" => {
            if cursor.take("(") {
                cursor.expect(")")?;
            }
            Placement::Replicate
        }
        "Shard" | "S" => {
            let (dimension, _) = arguments(cursor, false)?;
            Placement::Shard { dimension, split: 1 }
        }
        "_StridedShard" | "_S" => {
            let (dimension, split) = arguments(cursor, true)?;
            Placement::Shard { dimension, split }
        }
        "Partial" | "P" => Placement::Partial(reduction(cursor)?),
        _ => return Err(cursor.wrong("Shard, _StridedShard, Replicate or Partial before")),
    })
}

/// `(0)`, `(dim=0)`, and with a split factor `(0, sf=2)` or `(dim=0, split_factor=2)`.
fn arguments(cursor: &mut Cursor<'_>, split: bool) -> Result<(i64, i64), Error> {
    cursor.expect("(")?;
    if cursor.take("dim") {
        cursor.expect("=")?;
    }
    let sign = if cursor.take("-") { -1 } else { 1 };
    let dimension = sign * cursor.number()?;
    let mut factor = 1;
    if split {
        cursor.expect(",")?;
        if cursor.take("split_factor") || cursor.take("sf") {
            cursor.expect("=")?;
        }
        factor = cursor.number()?;
        if factor < 1 {
            return Err(cursor.wrong("a split factor of 1 or more before"));
        }
    }
    cursor.expect(")")?;
    Ok((dimension, factor))
}

fn reduction(cursor: &mut Cursor<'_>) -> Result<Reduction, Error> {
    if !cursor.take("(") || cursor.take(")") {
        return Ok(Reduction::Sum);
    }
    let name = cursor.quoted();
    let all = [Reduction::Sum, Reduction::Min, Reduction::Max, Reduction::Product];
    let reduction = all.into_iter().find(|reduction| name.as_deref() == Some(reduction.name()));
    let known = "sum, min, max or product (an average is the sum of parts that are divided by the number of devices) before";
    let reduction = reduction.ok_or_else(|| cursor.wrong(known))?;
    cursor.expect(")")?;
    Ok(reduction)
}
