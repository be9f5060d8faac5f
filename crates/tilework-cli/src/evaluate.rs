//! The commands that take their expressions from the command line.

use crate::{report, stream};
use std::io::{self, Write};
use tilework_expr::{FUNCTIONS, Function, Session};

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
        if family != Some(function.family()) {
            let gap = if family.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{}", function.family().title())?;
            family = Some(function.family());
        }
        writeln!(out, "  {:<40} {}", function.forms()[0], function.summary())?;
    }
    Ok(())
}

/// One function with all its forms.
pub fn write_function(out: &mut impl Write, function: &Function) -> io::Result<()> {
    writeln!(out, "{}: {}", function.name(), function.summary())?;
    for form in function.forms() {
        writeln!(out, "  {form}")?;
    }
    Ok(())
}
