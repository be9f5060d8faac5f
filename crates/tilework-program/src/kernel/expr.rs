//! What a statement computes, traced by a closure over the values of its sources.

use super::view::{Tensor, View};
use crate::element::ElementType;
use crate::prelude::*;
use crate::program::{self, Function, Program};
use crate::verify::check_mode;
use core::marker::PhantomData;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Rem, Shl, Shr, Sub};

/// A value of type `T` in the closure of a statement; `bool` is that of a comparison. Operators take values, references
/// and numbers.
#[derive(Debug)]
pub struct Expr<T> {
    node: program::Expr,
    of: PhantomData<T>,
}

impl<T> Clone for Expr<T> {
    fn clone(&self) -> Self {
        Expr::new(self.node.clone())
    }
}

/// A value of type `T`, a reference to one, or a number.
pub trait Operand<T> {
    #[doc(hidden)]
    fn node(self) -> program::Expr;
}

impl<T> Operand<T> for Expr<T> {
    fn node(self) -> program::Expr {
        self.node
    }
}

impl<T> Operand<T> for &Expr<T> {
    fn node(self) -> program::Expr {
        self.node.clone()
    }
}

impl<T: ElementType> Operand<T> for T {
    fn node(self) -> program::Expr {
        program::Expr::Literal(self.value())
    }
}

impl<T> Expr<T> {
    pub(super) fn new(node: program::Expr) -> Expr<T> {
        Expr { node, of: PhantomData }
    }

    pub(super) fn call<U>(
        &self,
        function: Function,
        others: impl IntoIterator<Item = program::Expr>,
    ) -> Expr<U> {
        let arguments = core::iter::once(self.node.clone()).chain(others).collect();
        Expr::new(program::Expr::Call(function, arguments))
    }
}

macro_rules! unary {
    ($($name:ident $function:ident $what:literal)*) => {
        $(
            #[doc = $what]
            #[must_use]
            pub fn $name(&self) -> Expr<T> {
                self.call(Function::$function, [])
            }
        )*
    };
}

macro_rules! binary {
    ($($name:ident $function:ident $result:ty, $what:literal;)*) => {
        $(
            #[doc = $what]
            #[must_use]
            pub fn $name(&self, other: impl Operand<T>) -> Expr<$result> {
                self.call(Function::$function, [other.node()])
            }
        )*
    };
}

impl<T: ElementType> Expr<T> {
    unary! {
        abs Abs "The absolute value."
        exp Exp "e to the power of it."
        log Log "The natural logarithm."
        sqrt Sqrt "The square root."
        rsqrt Rsqrt "One over the square root."
        tanh Tanh "The hyperbolic tangent."
    }

    binary! {
        min Min T, "The smaller of two.";
        max Max T, "The larger of two.";
        less Less bool, "Whether it is smaller.";
        at_most LessEqual bool, "Whether it is smaller or equal.";
        equals Equal bool, "Whether they are equal.";
    }

    /// A conversion.
    #[must_use]
    pub fn cast<U: ElementType>(&self) -> Expr<U> {
        self.call(Function::Cast(U::ELEMENT), [])
    }
}

impl Expr<bool> {
    /// `yes` where it holds, and else `no`.
    #[must_use]
    pub fn select<T: ElementType>(&self, yes: impl Operand<T>, no: impl Operand<T>) -> Expr<T> {
        self.call(Function::Select, [yes.node(), no.node()])
    }
}

impl BitAnd for Expr<bool> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.call(Function::And, [other.node])
    }
}

impl BitOr for Expr<bool> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.call(Function::Or, [other.node])
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $function:ident),*) => {
        $(
            impl<T: ElementType, R: Operand<T>> $operator<R> for Expr<T> {
                type Output = Expr<T>;

                fn $method(self, other: R) -> Expr<T> {
                    self.call(Function::$function, [other.node()])
                }
            }

            impl<T: ElementType, R: Operand<T>> $operator<R> for &Expr<T> {
                type Output = Expr<T>;

                fn $method(self, other: R) -> Expr<T> {
                    self.call(Function::$function, [other.node()])
                }
            }
        )*
    };
}

operators!(Add add Add, Sub sub Sub, Mul mul Mul, Div div Div, Rem rem Rem, BitAnd bitand And, BitOr bitor Or,
    Shl shl ShiftLeft, Shr shr ShiftRight);

impl<T: ElementType> Neg for Expr<T> {
    type Output = Expr<T>;

    fn neg(self) -> Expr<T> {
        self.call(Function::Neg, [])
    }
}

/// A size by its name, as a source.
#[derive(Clone, Debug)]
pub struct Size(pub(super) String);

/// A scalar argument, as a source.
#[derive(Clone, Copy, Debug)]
pub struct Argument<T> {
    pub(super) place: usize,
    pub(super) of: PhantomData<T>,
}

/// The coordinate of the element that a view has, as a source; memory is not touched.
#[derive(Clone, Debug)]
pub struct Coordinate<T> {
    view: View<T>,
    mode: usize,
}

impl<T: ElementType> View<T> {
    /// The coordinate along a mode, as a source.
    #[must_use]
    pub fn coordinate(&self, mode: usize) -> Coordinate<T> {
        Coordinate { view: self.clone(), mode }
    }
}

/// What a statement reads: a view, a tensor, a coordinate, a size, an argument, or a tuple of them.
pub trait Sources {
    /// Their values in the closure.
    type Values;
    #[doc(hidden)]
    fn trace(&self, program: &Program) -> Result<Self::Values, Error>;
}

impl<T: ElementType> Sources for View<T> {
    type Values = Expr<T>;

    fn trace(&self, program: &Program) -> Result<Expr<T>, Error> {
        Ok(Expr::new(program::Expr::View(self.place_in(program, true)?)))
    }
}

impl<S: Sources> Sources for &S {
    type Values = S::Values;

    fn trace(&self, program: &Program) -> Result<S::Values, Error> {
        (*self).trace(program)
    }
}

impl<T: ElementType> Sources for Tensor<T> {
    type Values = Expr<T>;

    fn trace(&self, program: &Program) -> Result<Expr<T>, Error> {
        View::from(*self).trace(program)
    }
}

impl<T: ElementType> Sources for Coordinate<T> {
    type Values = Expr<u32>;

    fn trace(&self, program: &Program) -> Result<Expr<u32>, Error> {
        let view = self.view.place_in(program, false)?;
        check_mode(self.mode, program.tensor(&view).rank())?;
        Ok(Expr::new(program::Expr::Coordinate(view, self.mode)))
    }
}

impl Sources for Size {
    type Values = Expr<u32>;

    fn trace(&self, _: &Program) -> Result<Expr<u32>, Error> {
        Ok(Expr::new(program::Expr::Size(self.0.clone())))
    }
}

impl<T: ElementType> Sources for Argument<T> {
    type Values = Expr<T>;

    fn trace(&self, program: &Program) -> Result<Expr<T>, Error> {
        let known = program.scalars.get(self.place).map(|_| Expr::new(program::Expr::Scalar(self.place)));
        known.ok_or_else(|| Error::new("the argument is one of another kernel"))
    }
}

macro_rules! tuples {
    ($($($name:ident $place:tt)+;)*) => {
        $(
            impl<$($name: Sources),+> Sources for ($($name,)+) {
                type Values = ($($name::Values,)+);

                fn trace(&self, program: &Program) -> Result<Self::Values, Error> {
                    Ok(($(self.$place.trace(program)?,)+))
                }
            }
        )*
    };
}

tuples!(A 0; A 0 B 1; A 0 B 1 C 2; A 0 B 1 C 2 D 3; A 0 B 1 C 2 D 3 E 4; A 0 B 1 C 2 D 3 E 4 F 5;);
