// From expressions of the corpus to constants in Rust.

/// The operation that an expression is about: the name of a call, or what its text begins with.
pub fn operation(expression: &str) -> &str {
    match call(expression) {
        Some((name, _)) => name,
        None if expression.starts_with("Sw<") => "swizzle(x)",
        None => "layout(x)",
    }
}

/// Type and value of the constant, `Result<Layout, Error> = ...`; `None` for what has no translation.
pub fn constant(expression: &str) -> Option<String> {
    let (kind, value) = value(expression)?;
    Some(format!("Result<{kind}, Error> = {value}"))
}

/// The type of what an expression comes to, and the Rust expression of a `Result` of it.
fn value(expression: &str) -> Option<(&'static str, String)> {
    let Some((name, arguments)) = call(expression).or_else(|| infix(expression)) else {
        return application(expression);
    };
    let (first, rest) = arguments.split_first()?;
    if name == "idx2crd" {
        return match rest {
            [shape] => Some(("Coord", format!("parse!(Shape, {shape}).idx2crd(&parse!(Coord, {first}))"))),
            _ => None,
        };
    }
    let layout = if call(first).is_some() { value(first)?.1 } else { format!("Ok(layout!({first}))") };
    let (kind, fallible, operation) = method(name, rest)?;
    let operation = if fallible { operation } else { format!("Ok({operation})") };
    Some((kind, format!("then!({layout}, |layout| {operation})")))
}

/// The type of the result of a method of `layout`, whether it may fail, and the call of it.
fn method(name: &str, arguments: &[&str]) -> Option<(&'static str, bool, String)> {
    let layout =
        |fallible: bool, arguments: &str| Some(("Layout", fallible, format!("layout.{name}({arguments})")));
    match (name, arguments) {
        ("size", []) => Some(("i64", false, String::from("layout.size()"))),
        ("rank" | "depth", []) => Some(("usize", false, format!("layout.{name}()"))),
        ("cosize", []) => Some(("i64", true, String::from("layout.cosize()"))),
        ("coalesce" | "flatten" | "filter" | "filter_zeros" | "sort", []) => layout(false, ""),
        ("complement" | "right_inverse" | "left_inverse" | "inverse" | "nullspace", []) => layout(true, ""),
        ("coalesce", [profile]) => {
            Some(("Layout", true, format!("layout.const_coalesce_by_mode(&parse!(Pattern, {profile}))")))
        }
        ("complement", [shape]) => {
            Some(("Layout", true, format!("layout.const_complement_within(&parse!(Shape, {shape}))")))
        }
        ("composition", [right]) if is_layout(right) => layout(true, &format!("&layout!({right})")),
        ("composition", [right]) => {
            Some(("Layout", true, format!("layout.composition_by_mode(&{})", tiler(right))))
        }
        (
            "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide" | "logical_product"
            | "zipped_product" | "tiled_product" | "flat_product",
            [right],
        ) => layout(true, &format!("&{}", tiler(right))),
        ("blocked_product" | "raked_product" | "common_layout" | "layout_add", [right]) => {
            layout(true, &format!("&layout!({right})"))
        }
        ("common_vector", [right]) => Some(("i64", true, format!("layout.common_vector(&layout!({right}))"))),
        ("tile_to_shape", [shape, order @ ..]) => {
            let order = order.first().unwrap_or(&"0");
            let arguments = format!("&parse!(Shape, {shape}), &parse!(Coord, {order})");
            Some(("Layout", true, format!("layout.const_tile_to_shape({arguments})")))
        }
        ("is_injective" | "is_surjective" | "is_bijective" | "is_compact" | "is_increasing", []) => {
            Some(("bool", true, format!("layout.{name}()")))
        }
        ("greatest_common_domain", [right]) => {
            Some(("Shape", true, format!("layout.greatest_common_domain(&layout!({right}))")))
        }
        ("upcast" | "downcast", [count]) => layout(true, count),
        ("recast", [old, new]) => layout(true, &format!("{old}, {new}")),
        ("slice", [pattern]) => {
            Some(("View", true, format!("layout.const_slice(&parse!(Pattern, {pattern}))")))
        }
        _ => None,
    }
}

/// `(L)(2,5)`, `(A)((B)(3))` and `Sw<3,4,3>(8)`.
fn application(expression: &str) -> Option<(&'static str, String)> {
    let (function, argument) = applied(expression)?;
    if function.starts_with("Sw<") || applied(argument).is_some() {
        return Some(("i64", index(expression)?));
    }
    let argument = if split(argument)?.len() == 1 { argument } else { &format!("({argument})") };
    Some(("Offset", format!("{}.const_evaluate(&parse!(Coord, {argument}))", function_layout(function)?)))
}

/// The `Result` of an integer that functions are applied to, and that they give.
fn index(text: &str) -> Option<String> {
    let Some((function, argument)) = applied(text) else {
        return text.parse::<i64>().is_ok().then(|| format!("Ok({text})"));
    };
    let argument = index(argument)?;
    if function.starts_with("Sw<") {
        return Some(format!("then!({argument}, |index| parse!(Swizzle, {function}).apply(index))"));
    }
    Some(format!("then!({argument}, |index| {}.const_try_at(index))", function_layout(function)?))
}

/// Function and argument of an application.
fn applied(text: &str) -> Option<(&str, &str)> {
    let (function, argument) = text.strip_suffix(')')?.split_at(opening(text)?);
    let is_function = function.starts_with("Sw<") || function_layout(function).is_some();
    is_function.then_some((function, &argument[1..]))
}

fn function_layout(function: &str) -> Option<String> {
    let layout = function.strip_prefix('(')?.strip_suffix(')').filter(|text| is_layout(text))?;
    Some(format!("layout!({layout})"))
}

/// Where the last parenthesis of a text opens.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' if depth == 1 => return Some(at),
            b'(' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn tiler(text: &str) -> String {
    let notation = if is_layout(text) || !text.starts_with('(') { "tiler" } else { "by_mode" };
    format!("{notation}!({text})")
}

/// Whether a text that is no call is a layout with strides.
fn is_layout(text: &str) -> bool {
    text.contains(':') && !text.starts_with('<')
}

/// Name and arguments of a call; the indices of `name<2>(L)` come behind the arguments.
fn call(expression: &str) -> Option<(&str, Vec<&str>)> {
    let (name, arguments) = expression.trim().strip_suffix(')')?.split_once('(')?;
    let (name, indices) = name.strip_suffix('>').and_then(|name| name.split_once('<')).unwrap_or((name, ""));
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut arguments = split(arguments).filter(|_| is_name)?;
    arguments.extend(indices.split(',').filter(|index| !index.is_empty()));
    Some((name, arguments))
}

/// `A o B` as a call.
fn infix(expression: &str) -> Option<(&str, Vec<&str>)> {
    let (left, right) = expression.split_once(" o ").filter(|(left, _)| is_layout(left))?;
    Some(("composition", vec![left.trim(), right.trim()]))
}

/// The parts between the commas that stand in no bracket; `None` where the brackets do not match.
fn split(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    parts.push(text[start..].trim());
    (depth == 0).then_some(parts)
}
