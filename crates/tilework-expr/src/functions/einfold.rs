//! Modes by names.

use super::call::{Answer, Call};
use crate::error::Failure;
use crate::value::Value;
use tilework::{Einfold, Error, HTuple, Layout, Tiler};

/// The pattern, and behind it the sizes that are arguments.
pub(super) fn pattern(call: &Call) -> Result<String, Failure> {
    let mut texts = Vec::new();
    for index in (0..call.count()).filter(|index| *index != 1) {
        match &call.arguments[index] {
            Value::Text(text) => texts.push(&**text),
            _ if index > 1 => return Err(call.wrong(index, "a size, as h=2")),
            _ => return Err(call.wrong(index, "a pattern in quotation marks, as \"(ab)c -> cab\"")),
        }
    }
    Ok(texts.join(", "))
}

pub(super) fn einfold(call: &Call) -> Answer {
    let text = pattern(call)?;
    let failed = |error| placed(call, &text, Failure::Core(error));
    let pattern = Einfold::parse(&text).map_err(failed)?;
    match &call.arguments[1] {
        Value::Tiler(tiler) => Ok(Value::tiler(of_tiler(tiler, &pattern).map_err(failed)?)?),
        Value::Tuple(tuple) if pattern.has_sizes() => {
            let layout = Layout::column_major(&tuple.integers(0).map_err(|_| call.wrong(1, "a shape"))?)?;
            Ok(Value::integers(&pattern.layout(&layout).map_err(failed)?.shape())?)
        }
        Value::Tuple(tuple) => Ok(pattern.tuple(tuple).map_err(failed)?.into()),
        value => Ok(value.with_domain(pattern.layout(&*call.domain(1)?).map_err(failed)?)?),
    }
}

/// A tiler is a tuple of its tiles.
fn of_tiler(tiler: &Tiler, pattern: &Einfold) -> Result<Tiler, Error> {
    fn tree(tiler: &Tiler, tiles: &mut Vec<Tiler>) -> Result<HTuple<usize>, Error> {
        if !tiler.is_by_mode() {
            tiles.push(*tiler);
            return Ok(HTuple::leaf(tiles.len() - 1));
        }
        let modes = (0..tiler.rank()).map(|index| tree(&tiler.mode(index)?, tiles));
        HTuple::tuple(&modes.collect::<Result<Vec<_>, _>>()?)
    }
    fn made(tree: &HTuple<usize>, tiles: &[Tiler]) -> Result<Tiler, Error> {
        if tree.is_leaf() {
            return Ok(tiles[tree.leaves()[0]]);
        }
        let modes = (0..tree.rank()).map(|index| made(&tree.mode(index)?, tiles));
        Tiler::by_mode(&modes.collect::<Result<Vec<_>, _>>()?)
    }
    let mut tiles = Vec::new();
    made(&pattern.tuple(&tree(tiler, &mut tiles)?)?, &tiles)
}

/// The same failure at its place in the pattern, which is the first argument.
pub(super) fn placed(call: &Call, text: &str, failure: Failure) -> Failure {
    match (failure, &call.arguments[0]) {
        (Failure::Core(error), Value::Text(own)) => refused(own.len(), text, error),
        (failure, _) => failure,
    }
}

/// Why a pattern is refused, at its place.
///
/// ```
/// let error = tilework::Einfold::parse("ij -> jk").unwrap_err();
/// let error = tilework_expr::ExprError::from(tilework_expr::einfold_refused("ij -> jk", error));
/// assert_eq!((error.span, error.code), (7..8, "syntax"));
/// ```
#[must_use]
pub fn einfold_refused(pattern: &str, error: Error) -> Failure {
    refused(pattern.len(), pattern, error)
}

/// An error of a text, whose first `length` bytes are the pattern.
fn refused(length: usize, text: &str, error: Error) -> Failure {
    let (at, message) = match error {
        Error::Syntax { at, expected } => {
            let found = text.get(at..).and_then(|rest| rest.chars().next());
            let found = found.map_or("the end".into(), |found| format!("`{found}`"));
            (at, format!("expected {expected}, found {found} at byte {at} of the pattern"))
        }
        Error::Pattern { at, .. } => (at, error.message().as_str().into()),
        error => return Failure::Core(error),
    };
    match at <= length {
        true => {
            let marked = text.get(at..length).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            Failure::Text { index: 0, length, at: at..at + marked, code: error.code(), message }
        }
        false => Failure::other(error.code(), message),
    }
}
