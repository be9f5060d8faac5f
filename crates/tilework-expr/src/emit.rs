//! Layouts as source text of other languages.

use crate::error::Failure;
use crate::names::Names;
use crate::symbolic::{Content, Symbolic};
use crate::value::Value;
use tilework_symbolic::{Host, Language, Source};

/// The offset of a coordinate of a layout as source text, with its condition and checks of it; without names of the
/// coordinate, of an index.
pub(crate) fn emitted(
    language: Language,
    bits: Option<u32>,
    coordinate: &[String],
    value: &Value,
    names: &Names,
) -> Result<Value, Failure> {
    let mut scoped = names.scoped();
    let index = scoped.scope.unused_name("x");
    let mut coordinate: Vec<&str> = coordinate.iter().map(String::as_str).collect();
    if coordinate.is_empty() {
        coordinate.push(&index);
    }
    let mut source = Source::new(language, &coordinate);
    source.bits = bits;
    let wrong = || Failure::found(0, "layouts are written as source text", value.kind());
    if let Some(symbolic) = value.as_symbolic() {
        scoped.under(symbolic)?;
        let layout = match scoped.adopted(symbolic)? {
            Content::Layout(layout) => layout.into(),
            Content::Placed(placed) => placed,
            _ => return Err(wrong()),
        };
        let expression = scoped.scope.index_expression(&layout, &source)?;
        let function = scoped.scope.index_function(&layout, "offset", &source)?;
        // Assumed facts would prove themselves.
        let mut bare = names.scoped().scope;
        let guard = bare.adopt(&symbolic.declared).guard(&symbolic.guard)?;
        let guard = bare.reduced(&guard)?;
        let host = match language {
            Language::Rust => Host::Rust,
            Language::Python => Host::Python,
            _ => Host::C,
        };
        let (own, width) = (bare.checks(&guard, host)?, scoped.scope.checks(&function.guard, host)?);
        let mark = if language == Language::Python { "#" } else { "//" };
        let checks = own.lines().chain(width.lines()).map(|check| format!("{mark} on the host: {check}\n"));
        let content = Content::Source(expression.text, checks.collect::<String>() + &function.text);
        return Ok(Value::Symbolic(Box::new(scoped.symbolic(content, &function.guard))));
    }
    let (expression, function) = match scoped.content(value)? {
        Some(Content::Placed(placed)) if !placed.offset().is_leaf() => {
            let scope = &scoped.scope;
            (scope.index_expression(&placed, &source)?, scope.index_function(&placed, "offset", &source)?)
        }
        _ => {
            let layout = value.as_data().ok_or_else(wrong)??;
            let function = tilework_symbolic::index_function(&layout, "offset", &source)?;
            (tilework_symbolic::index_expression(&layout, &source)?, function)
        }
    };
    Ok(Value::Symbolic(Box::new(Symbolic::plain(Content::Source(expression.text, function.text)))))
}
