//! The layouts in a text, such as the output of `print(tiled_mma)` or `print_layout`, or a program's log.

use crate::parse::names_tiler;
use crate::session::Session;
use crate::symbolic::SymbolicKind;
use crate::value::Value;
use tilework::__private::Reader;

/// The words with which a printed layout, or one in a kernel, may begin.
const WORDS: [&str; 28] = [
    "ptr",
    "Sw",
    "S",
    "Swizzle",
    "Layout",
    "ComposedLayout",
    "ArithTuple",
    "counting_iter",
    "tensor",
    "Tensor",
    "raw_ptr",
    "cute",
    "make_layout",
    "make_ordered_layout",
    "make_identity_layout",
    "make_identity_tensor",
    "make_composed_layout",
    "make_tile",
    "Tile",
    "tmem_",
    "GMMA",
    "UMMA",
    "memref",
    "gl",
    "ttgl",
    "gluon",
    "BlockedLayout",
    "DistributedLinearLayout",
];

/// The longest JSON object that is read, in bytes; in a longer one, layouts are found as inner objects.
const MAX_OBJECT: usize = 4096;

/// The longest layout with a `?` that is read, in bytes: its end is sought after each bracket.
const MAX_NAMED: usize = 512;

/// How many times its length a line is read for parts that are not layouts; after that, no part is read twice.
const MAX_READ: usize = 16;

/// The longest label that is kept, in characters.
const MAX_LABEL: usize = 60;

/// Whether a text has nothing in it but white space and comments.
///
/// ```
/// assert!(tilework_expr::is_blank("  # row major"));
/// assert!(!tilework_expr::is_blank("4:1 # one row"));
/// ```
#[must_use]
pub fn is_blank(text: &str) -> bool {
    Reader::new(text).at_end()
}

/// A layout in a text.
///
/// ```
/// let text = "MMA_Atom\n  ThrID:      _32:_1\n  Shape_MNK:  (_16,_8,_16)\n  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n";
/// let found = tilework_expr::scan(text);
/// assert_eq!(found.len(), 2);
/// assert_eq!((found[1].line, found[1].label.as_str()), (4, "LayoutC_TV"));
/// assert_eq!(found[1].value.to_string(), "((4,8),(2,2)):((32,1),(16,8))");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// The number of its line, from 1.
    pub line: usize,
    /// The text before it in its line, or in the line before; may be empty.
    pub label: String,
    /// Its source text.
    pub text: String,
    /// A layout of any kind, a tensor or a tiler.
    pub value: Value,
}

/// Every layout in a text, including swizzled layouts, tensors and tilers, in order; prose, grids and numbers are
/// skipped.
///
/// A printed value has to be in one line, except for JSON objects. A layout `n:d` without parentheses is recognized in
/// CuTe's form, `_32:_1`, and if it is the only text after a label.
///
/// ```
/// let found = tilework_expr::scan("sA: smem_ptr[16b](0x400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1) (swizzled)");
/// assert_eq!(found[0].value.to_string(), "smem_ptr[16b] o Sw<3,3,3> o 0 o (8,64):(64,1)");
/// assert_eq!((found.len(), found[0].label.as_str()), (1, "sA"));
/// ```
#[must_use]
pub fn scan(text: &str) -> Vec<Found> {
    let mut session = Session::new();
    let (mut found, mut before, mut begin, mut resume) = (Vec::new(), "", 0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let rest = &text[begin..];
        let line = line.trim_end_matches(['\n', '\r']);
        // The last value found may end in this line.
        let first = usize::min(resume - usize::min(resume, begin), line.len());
        resume = begin + scan_line(&mut session, number + 1, line, first, rest, before, &mut found);
        if !line.trim().is_empty() {
            before = line;
        }
        begin = text.len() - rest.len() + rest.find('\n').map_or(rest.len(), |at| at + 1);
    }
    found
}

/// The position at which to continue, relative to the beginning of the line; `rest` is the text from there.
fn scan_line(
    session: &mut Session,
    number: usize,
    line: &str,
    first: usize,
    rest: &str,
    before: &str,
    found: &mut Vec<Found>,
) -> usize {
    let bytes = line.as_bytes();
    let (mut at, mut after_last) = (first, first);
    let mut budget = MAX_READ * line.len().max(MAX_OBJECT);
    let with_names = line.contains('?');
    let first_word = line.len() - line.trim_start().len();
    while at < bytes.len() {
        let end = token_end(bytes, at);
        if !is_candidate(bytes, at, end) {
            at = end;
            continue;
        }
        let mut label = label(&line[after_last..at]);
        // Its own line has no label.
        if label.is_empty() && at <= first_word && before.trim_end().ends_with(':') {
            label = self::label(before);
        }
        let (value, read) =
            session.printed(source(line, rest, at, with_names), names_tiler(&label), with_names);
        match value {
            Ok(value) if is_layout(&value) || names_tiler(&label) && matches!(value, Value::Tuple(_)) => {
                let text = rest[at..at + read].trim_end();
                let stop = at + text.len();
                if !bytes[at].is_ascii_digit() || stands_alone(&line[..at], &line[stop..]) {
                    found.push(Found { line: number, label, text: text.to_string(), value });
                    after_last = stop;
                }
                at = stop;
            }
            value => {
                budget = budget.saturating_sub(read);
                // Too deep or too long, and so are the values that begin within it.
                let too_large = value.is_err_and(|error| matches!(error.code, "limit" | "capacity"));
                at = if too_large || budget == 0 { end.max(at + read) } else { end };
            }
        }
    }
    at
}

/// The text in which a layout may begin at this place: the line, and of an object of JSON what follows the line.
fn source<'a>(line: &'a str, rest: &'a str, at: usize, with_names: bool) -> &'a str {
    let is_object =
        rest[at..].strip_prefix('{').is_some_and(|behind| behind.trim_start().starts_with(['"', '\'']));
    let (behind, limit) = match (is_object, with_names) {
        (true, _) => (&rest[at..], MAX_OBJECT),
        (false, true) => (&line[at..], MAX_NAMED),
        (false, false) => return &line[at..],
    };
    let end = usize::min(behind.len(), limit);
    let end = (0..=end).rev().find(|end| behind.is_char_boundary(*end)).unwrap_or(0);
    &behind[..end]
}

/// The end of a word or a number, or of one character.
fn token_end(bytes: &[u8], at: usize) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    at + bytes[at..].iter().take_while(|byte| is_word(byte)).count().max(1)
}

/// Whether a layout may begin with this token.
fn is_candidate(bytes: &[u8], at: usize, end: usize) -> bool {
    let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
    match bytes[at] {
        b'(' | b'{' => true,
        b'<' => !before.is_ascii_alphanumeric(),
        b'!' => bytes[at..].starts_with(b"!cute."),
        b'#' => [&b"#ttg."[..], b"#triton_gpu."].iter().any(|name| bytes[at..].starts_with(name)),
        b'0'..=b'9' | b'_' => {
            let number = &bytes[at..end];
            let number = number.strip_prefix(b"_").unwrap_or(number);
            let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
            is_number && bytes.get(end) == Some(&b':') && !matches!(before, b':' | b'.' | b'-' | b'/')
        }
        _ => {
            let word = &bytes[at..end];
            WORDS.iter().any(|known| known.as_bytes() == word)
                || word.ends_with(b"ptr")
                || word.ends_with(b"sparse")
                || word.starts_with(b"counting_iter_")
                || word.windows(5).any(|part| part == b"_ptr_")
        }
    }
}

fn is_layout(value: &Value) -> bool {
    match value {
        Value::Symbolic(symbolic) => {
            matches!(symbolic.kind(), SymbolicKind::Layout | SymbolicKind::View | SymbolicKind::Tiler)
        }
        value => value.domain().is_some() || matches!(value, Value::Tiler(_)),
    }
}

/// Whether `32:1` is the only text after a label or a sign, not a time or a position in a file.
fn stands_alone(before: &str, behind: &str) -> bool {
    let before = before.trim_end();
    (before.is_empty() || before.ends_with([':', '='])) && behind.trim().is_empty()
}

/// The label of the layout after this text: `LayoutA_TV` of `  LayoutA_TV: `, `sA` of `kernel.cu:12: sA = `.
fn label(before: &str) -> String {
    // A label is short, but a line may be long.
    let last = before.len().saturating_sub(8 * MAX_LABEL);
    let last = (last..=before.len()).find(|&at| before.is_char_boundary(at)).unwrap_or(before.len());
    let before = &before[last..];
    let trimmed = before.trim_end_matches(|c: char| c.is_whitespace() || ":=([{<>\"'`-|".contains(c));
    let start = trimmed.rfind([')', ']', ',', ';', '|', '}']).map_or(0, |at| at + 1);
    let start = trimmed.rfind(": ").map_or(start, |at| start.max(at + 2));
    let label = trimmed[start..].trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let skipped = label.chars().count().saturating_sub(MAX_LABEL);
    label.chars().skip(skipped).collect()
}
