//! The text form of programs, in both directions.
//!
//! ```text
//! program := 'kernel' NAME N 'threads, grid (' num {',' num} ')' {line}
//! line    := ('read'|'write'|'update'|'shared'|'registers') NAME TYPE layout | 'scalar' NAME TYPE | 'assume' facts
//!          | view '=' expr ['by' ATOM] | 'for' INDEX 'in' num '{' {line} '}' | 'when' form '<' num '{' {line} '}'
//!          | 'barrier' | 'commit' | 'wait' N
//! view    := NAME ['[' place {',' place} ']'] ['else' literal]
//! place   := index N'@'mode | index shape ':' strides | N'@'mode
//!          | '(' index ['+' N] ')' ['/' N] ['%' N] N'@'mode | view '@'mode
//! index   := 'b0' | 'b1' | 'b2' | 't' | 'v' | INDEX
//! form    := term {'+' term}       term := N | [N '*'] (index | '(' index ['+' N] ')' ['/' N] ['%' N])
//! expr    := view | 'coordinate(' view ',' mode ')' | literal | NAME | function '(' expr {',' expr} ')' | expr op expr
//! ```
//!
//! `#` begins a comment. Operators bind as in Rust: `* / %`, `+ -`, `<< >>`, `&`, `|`, then comparisons.

mod cursor;
mod parse;
mod print;
