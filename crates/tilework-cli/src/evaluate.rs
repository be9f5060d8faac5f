//! The commands that take their expressions from the command line.

use crate::{picture, report, stream};
use std::io::{self, Write};
use tilework_draw::{Options, terminal};
use tilework_expr::{FUNCTIONS, Function, Session, Value};

/// `eval`: whether every expression had a value.
pub fn run(expressions: &[String], json: bool) -> io::Result<bool> {
    let mut session = Session::new();
    let mut all_good = true;
    for expression in expressions {
        if expression == "-" {
            all_good &= stream::run(&mut session, json)?;
            continue;
        }
        let mut line = Vec::new();
        match session.evaluate(expression) {
            Ok(value) if json => report::json_result(&mut line, expression, &value.to_string()),
            Ok(value) => writeln!(line, "{value}")?,
            Err(error) => {
                all_good = false;
                if json {
                    report::json_error(&mut line, expression, &error);
                } else {
                    report::error(expression, &error);
                }
            }
        }
        io::stdout().lock().write_all(&line)?;
    }
    Ok(all_good)
}

/// `show`: whether there was a layout to draw.
pub fn show(expression: &str, max_cells: usize) -> io::Result<bool> {
    match Session::new().evaluate(expression) {
        Ok(value) => draw(value, max_cells),
        Err(error) => {
            report::error(expression, &error);
            Ok(false)
        }
    }
}

/// Draws what can be drawn and prints the rest.
pub fn draw(value: &Value, max_cells: usize) -> io::Result<bool> {
    match picture::scene(value, &Options { max_cells, ..Options::default() }) {
        Ok(mut scene) => {
            if !scene.caption.is_empty() {
                scene.caption += picture::MORE;
            }
            write!(anstream::stdout().lock(), "{}", terminal::write(&scene))?;
            Ok(true)
        }
        Err(message) => {
            anstream::eprintln!("error: {message}");
            Ok(false)
        }
    }
}

/// `explain`: whether the expression had a value.
pub fn explain(expression: &str) -> io::Result<bool> {
    match Session::new().explain(expression) {
        Ok(explanation) => {
            let good = explanation.outcome.is_ok();
            write!(io::stdout().lock(), "{explanation}")?;
            Ok(good)
        }
        Err(error) => {
            report::error(expression, &error);
            Ok(false)
        }
    }
}

/// `functions`: the table, or one row of it.
pub fn functions(name: Option<&str>) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    let Some(name) = name else {
        write_table(&mut out)?;
        return Ok(true);
    };
    match tilework_expr::find(name) {
        Some(function) => {
            write_function(&mut out, function)?;
            Ok(true)
        }
        None => {
            anstream::eprintln!("error: there is no function `{name}`");
            Ok(false)
        }
    }
}

/// All functions, a family after the other.
pub fn write_table(out: &mut impl Write) -> io::Result<()> {
    let mut family = None;
    for function in FUNCTIONS {
        if family != Some(function.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{}", function.family.title())?;
            family = Some(function.family);
        }
        writeln!(out, "  {:<40} {}", function.forms[0], function.summary)?;
    }
    Ok(())
}

/// One function with all its forms.
pub fn write_function(out: &mut impl Write, function: &Function) -> io::Result<()> {
    writeln!(out, "{}: {}", function.name, function.summary)?;
    for form in function.forms {
        writeln!(out, "  {form}")?;
    }
    Ok(())
}
