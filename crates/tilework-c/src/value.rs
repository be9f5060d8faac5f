//! Values as arrays.

use crate::boundary::{Refusal, misuse};
use core::ffi::c_int;
use tilework::{Error, HTuple, Layout, Profile, Rational, Shape, Stride, View};
use tilework_expr::{ExprError, Value};

/// The most numbers of a tuple.
pub const TW_LEAVES: usize = 32;
/// The most numbers and tuples together.
pub const TW_NODES: usize = 63;
/// In a profile: a number.
pub const TW_LEAF: i8 = -1;

/// A kind: a number or a tuple of numbers, `extents`.
pub const TW_TUPLE: c_int = 0;
/// A kind: a layout, `extents:strides`, whose offsets begin at `offset`.
pub const TW_LAYOUT: c_int = 1;

const _: () = assert!(TW_LEAVES == tilework::MAX_LEAVES && TW_NODES == tilework::MAX_NODES);

/// A tuple of integers, or a layout.
///
/// Its numbers are in `extents`, from left to right, and the nesting is in `profile`, in preorder: TW_LEAF for a
/// number, and for a tuple the number of its modes, before them. ((4,8),2):((16,1),8) has the extents 4, 8, 2, the
/// strides 16, 1, 8, and the 5 nodes 2, 2, TW_LEAF, TW_LEAF, TW_LEAF; the number 4 has the node TW_LEAF.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct tw_value {
    /// TW_TUPLE or TW_LAYOUT.
    pub kind: c_int,
    /// The nodes of the profile.
    pub nodes: c_int,
    /// Of a layout: what is added to each offset, as of a slice.
    pub offset: i64,
    /// The numbers of a tuple, or the extents of a layout.
    pub extents: [i64; TW_LEAVES],
    /// Of a layout: its strides.
    pub strides: [i64; TW_LEAVES],
    /// The nesting.
    pub profile: [i8; TW_NODES],
}

impl tw_value {
    /// What the language says, as arrays.
    pub(crate) fn of(value: &Value) -> Result<tw_value, Refusal> {
        let refused = || {
            let message =
                format!("expected integers or a layout of integers, found {}: {value}", value.kind());
            ExprError::new(0..0, "kind", message).with_help("tw_eval gives its text")
        };
        let integers = |layout: &Layout| -> Option<tw_value> {
            let mut own = tw_value::tuple(&layout.shape());
            own.kind = TW_LAYOUT;
            for (own, leaf) in own.strides.iter_mut().zip(layout.leaves()) {
                *own = leaf.stride.as_integer()?;
            }
            Some(own)
        };
        let own = match value {
            Value::Bool(truth) => Some(tw_value::tuple(&HTuple::leaf(i64::from(*truth)))),
            Value::Tuple(_) => value.as_shape().map(|tuple| tw_value::tuple(&tuple)),
            Value::Layout(layout) => integers(layout),
            Value::View(view) => match view.offset().leaves() {
                [offset] if offset.is_integer() => {
                    integers(view.layout()).map(|own| tw_value { offset: offset.numerator(), ..own })
                }
                _ => None,
            },
            _ => None,
        };
        Ok(own.ok_or_else(refused)?)
    }

    fn tuple(tuple: &Shape) -> tw_value {
        let mut own = tw_value {
            kind: TW_TUPLE,
            nodes: tuple.profile().nodes().len() as c_int,
            offset: 0,
            extents: [0; TW_LEAVES],
            strides: [0; TW_LEAVES],
            profile: [0; TW_NODES],
        };
        own.extents[..tuple.leaves().len()].copy_from_slice(tuple.leaves());
        for (own, rank) in own.profile.iter_mut().zip(tuple.profile().nodes()) {
            *own = rank.map_or(TW_LEAF, |rank| rank as i8);
        }
        own
    }

    /// The operand at a place of an array.
    ///
    /// # Safety
    /// `operands` is null or valid for reads up to this place.
    pub(crate) unsafe fn at(operands: *const tw_value, index: usize) -> Result<tw_value, Refusal> {
        if operands.is_null() {
            return Err(misuse("the operands are null"));
        }
        // SAFETY: it is valid up to this place; no alignment is relied on.
        Ok(unsafe { operands.add(index).read_unaligned() })
    }

    /// The value that the language has for it.
    pub(crate) fn value(&self) -> Result<Value, Refusal> {
        let (profile, extents) = self.extents()?;
        if self.kind == TW_TUPLE {
            return Ok(Value::integers(&extents)?);
        }
        let layout = self.layout(&profile, &extents)?;
        match self.offset {
            0 => Ok(layout.into()),
            offset => Ok(View::new(HTuple::leaf(Rational::integer(offset)), layout)?.into()),
        }
    }

    /// The offsets of the layout that it is.
    pub(crate) fn offsets(self) -> Result<impl Fn(i64) -> Result<i64, Refusal>, Refusal> {
        let (profile, extents) = self.extents()?;
        let (layout, offset) = (self.layout(&profile, &extents)?, self.offset);
        Ok(move |index: i64| {
            let own = layout.try_at(index)?;
            Ok(own.checked_add(offset).ok_or(Error::Overflow { left: own, operator: '+', right: offset })?)
        })
    }

    fn extents(&self) -> Result<(Profile, Shape), Refusal> {
        let Some(nodes) = usize::try_from(self.nodes).ok().and_then(|nodes| self.profile.get(..nodes)) else {
            return Err(misuse(format!("a value has 1 to {TW_NODES} nodes, and this one {}", self.nodes)));
        };
        let nodes = nodes.iter().map(|&node| match node {
            TW_LEAF => Ok(None),
            rank => u8::try_from(rank).map(Some).map_err(|_| misuse(format!("there is no node {rank}"))),
        });
        let profile = Profile::of(&nodes.collect::<Result<Vec<_>, Refusal>>()?)?;
        let leaves = profile.nodes().filter(Option::is_none).count();
        Ok((profile, HTuple::with_profile(&profile, &self.extents[..leaves], 1)?))
    }

    fn layout(&self, profile: &Profile, extents: &Shape) -> Result<Layout, Refusal> {
        if self.kind != TW_LAYOUT {
            return Err(misuse(format!("expected the kind TW_LAYOUT, found {}", self.kind)));
        }
        let strides: Vec<Stride> =
            self.strides[..extents.leaves().len()].iter().map(|&stride| Stride::integer(stride)).collect();
        Ok(Layout::const_of(extents, &HTuple::with_profile(profile, &strides, Stride::integer(0))?)?)
    }
}
