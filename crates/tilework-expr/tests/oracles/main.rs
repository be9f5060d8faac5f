//! Every function of the language against plain enumeration.
//!
//! The table of functions is the list: a row without an oracle fails. An oracle is a contract, for answers and for
//! refusals: it knows the definitions of the paper (`model`), and what no definition gives at once it decides by trying
//! (`search`). Nothing is shared with the algebra but the text of the expressions and of what they come to.
//!
//! Each oracle is asked about all small layouts of each codomain in turn, and about random ones. `TILEWORK_CASES` scales
//! how many (1 in release, 0.02 in debug), `TILEWORK_SEED` changes them. A case that fails is shrunk, and printed as it would be
//! typed.

mod cases;
mod model;
mod oracle;
mod search;
mod text;

mod algebra;
mod coordinates;
mod divides;
mod einfold;
mod forms;
mod instructions;
mod inverses;
mod parts;
mod questions;
mod tensors;
mod vectors;

mod modes;
mod run;
mod whole;
