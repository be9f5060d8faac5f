// What stands before the constants of the corpus.
#![allow(long_running_const_eval)]
// The notation is read as it is written.
#![allow(unused_parens)]

use std::fmt::Display;
use tilework::*;

/// The text in a notation that has no macro.
macro_rules! parse {
    ($type:ty, $($text:tt)*) => {
        unwrap(<$type>::parse(stringify!($($text)*)))
    };
}

/// `by_mode!((4,8))` is `<4:1,8:1>`: a tuple of integers as a tiler.
macro_rules! by_mode {
    ($($text:tt)*) => {
        unwrap(Tiler::const_of_shape(&parse!(Shape, $($text)*)))
    };
}

/// The value of a `Result`, or the error at once: `?` for a constant.
macro_rules! then {
    ($result:expr, |$value:ident| $next:expr) => {
        match $result {
            Ok($value) => $next,
            Err(error) => Err(error),
        }
    };
}

fn print<T: Display>(result: &Result<T, Error>) {
    match result {
        Ok(value) => println!("ok {value}"),
        Err(error) => println!("error {}: {error}", error.code()),
    }
}
