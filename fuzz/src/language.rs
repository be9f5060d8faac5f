//! Text, and expressions.

use tilework::{Composed, HTuple, Layout, Pattern, Strides, Swizzle, Tiler, View};
use tilework_expr::Session;

/// Text that is read as a value prints as text that is read as the same value.
pub fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    macro_rules! parse {
        ($($type:ty)*) => {$(
            match text.parse::<$type>() {
                Ok(value) => assert_eq!(value.to_string().parse(), Ok(value), "{text}"),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        )*};
    }
    parse!(Layout Tiler HTuple<i64> Strides Pattern Swizzle Composed View);
}

/// Any text has a value or an error within it, and a value prints as text that evaluates to it.
pub fn session(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut session = Session::new();
    match session.evaluate(text).cloned() {
        Ok(value) => {
            let printed = value.to_string();
            if value.is_symbolic() {
                // Text with names is that of its session, where a fresh name of the DSL, `_0`, is no static 0.
                let _ = session.evaluate(&printed);
            } else {
                assert_eq!(Session::new().evaluate(&printed), Ok(&value), "{text} is {printed}");
            }
        }
        Err(error) => assert!(text.get(error.span.clone()).is_some(), "{text}: {error}"),
    }
    let _ = session.explain(text);
    // What is picked out of the text evaluates to what was found.
    for found in tilework_expr::scan(text) {
        if found.value.is_symbolic() {
            continue;
        }
        let printed = found.value.to_string();
        assert_eq!(Session::new().evaluate(&printed), Ok(&found.value), "{} is {printed}", found.text);
    }
}
