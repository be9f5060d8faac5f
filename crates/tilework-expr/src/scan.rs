//! The layouts in a text, such as the output of `print(tiled_mma)` or `print_layout`, or a program's log.

use crate::parse::{begins_formulas, may_name_tiler, names_tiler, print_head};
use crate::pointer::integer_type;
use crate::session::Session;
use crate::symbolic::SymbolicKind;
use crate::value::Value;
use tilework::__private::Reader;

/// The words with which a printed layout, or one in a kernel, may begin.
const WORDS: &str = "ptr Sw S Swizzle Layout ComposedLayout ArithTuple counting_iter tensor Tensor raw_ptr cute \
    make_layout make_ordered_layout make_identity_layout make_identity_tensor make_composed_layout \
    make_tile Tile TiledMMA TiledCopy MMA_Atom Copy_Atom tmem_ GMMA UMMA memref gl ttgl gluon \
    BlockedLayout DistributedLinearLayout T TileLayout SwizzleLayout ComposeLayout Fragment \
    cuda_device cuda_oxide";

/// The longest JSON object that is read, in bytes; in a longer one, layouts are found as inner objects.
const MAX_OBJECT: usize = 4096;

/// The longest layout with a `?` that is read, in bytes: its end is sought after each bracket.
const MAX_NAMED: usize = 512;

/// How many times its length a text is read for parts that are not layouts; after that, each attempt is followed by as
/// much text as pays for it.
const MAX_READ: usize = 64;

/// The longest comment within a layout.
const MAX_COMMENT: usize = 256;

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
    /// A layout of any kind, a tensor, a tiler or an instruction.
    pub value: Value,
}

/// Every layout in a text, including swizzled layouts, tensors and tilers, and every instruction as CuTe prints it, before its
/// layouts or as a type of C++, in order; prose, grids and numbers are skipped.
///
/// A printed value has to be in one line, except for instructions and JSON objects. A layout `n:d` without parentheses is recognized in
/// CuTe's form, `_32:_1`, and if it is the only text after a label.
///
/// ```
/// let found = tilework_expr::scan("sA: smem_ptr[16b](0x400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1) (swizzled)");
/// assert_eq!(found[0].value.to_string(), "smem_ptr[16b] o Sw<3,3,3> o 0 o (8,64):(64,1)");
/// assert_eq!((found.len(), found[0].label.as_str()), (1, "sA"));
/// ```
#[must_use]
pub fn scan(text: &str) -> Vec<Found> {
    let mut scan = Scan { session: Session::new(), found: Vec::new(), paid: MAX_READ * MAX_OBJECT, work: 0 };
    scan.text(text);
    scan.found
}

/// The layouts so far.
struct Scan {
    session: Session,
    found: Vec<Found>,
    /// The work that is paid for by text, and that which is done, in bytes.
    paid: usize,
    work: usize,
}

impl Scan {
    fn text(&mut self, text: &str) {
        let (mut before, mut begin, mut resume) = ("", 0, 0);
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let rest = &text[begin..];
            let length = line.len();
            let line = line.trim_end();
            // The last value found may end in this line.
            let first = usize::min(resume - usize::min(resume, begin), line.len());
            self.paid += MAX_READ * length;
            resume = begin + self.line(number + 1, line, first, rest, before);
            if !line.is_empty() {
                before = line;
            }
            begin += length;
        }
    }

    /// The position at which to continue, relative to the beginning of the line; `rest` is the text from there.
    fn line(&mut self, number: usize, line: &str, first: usize, rest: &str, before: &str) -> usize {
        let bytes = line.as_bytes();
        let (mut at, mut after_last, mut comment) = (first, first, 0);
        let with_signs = line.contains('?');
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let with_names = with_signs || words.into_iter().any(|word| integer_type(word).is_some());
        let with_tilers = may_name_tiler(line) || may_name_tiler(before);
        let first_word = line.len() - line.trim_start().len();
        while at < bytes.len() {
            let end = token_end(bytes, at);
            let head = rest.get(at..).and_then(print_head);
            if head.is_none() && !is_candidate(bytes, at, end) {
                at = end;
                continue;
            }
            if comment <= at {
                comment = comment_after(bytes, at);
            }
            let label = || match label(&line[after_last..at]) {
                // Its own line has no label.
                none if none.is_empty() && at <= first_word && before.ends_with(':') => label(before),
                label => label,
            };
            let is_tiler = with_tilers && names_tiler(&label());
            let end_of_source = if begins_formulas(&line[at..]) { line.len() } else { comment };
            let source = source(&line[..end_of_source], rest, at, with_signs, head.is_some());
            let (value, read, work) = self.session.printed(source, is_tiler, with_names);
            self.work += work;
            match value {
                // Its layouts are found as well.
                Ok(value) if head.is_some() => {
                    let text = rest[at..at + read].trim_end().to_string();
                    let own = label();
                    let label = if own.is_empty() { head.unwrap_or("").to_string() } else { own };
                    self.found.push(Found { line: number, label, text, value });
                    after_last = line.len();
                    at = line.len();
                }
                Ok(value)
                    if is_found(&value, &source[..read]) || is_tiler && matches!(value, Value::Tuple(_)) =>
                {
                    let text = rest[at..at + read].trim_end();
                    let stop = at + text.len();
                    if !bytes[at].is_ascii_digit()
                        || stands_alone(&line[..at], line.get(stop..).unwrap_or(""))
                    {
                        let (label, text) = (label(), text.to_string());
                        self.found.push(Found { line: number, label, text, value });
                        after_last = stop;
                    }
                    at = stop;
                }
                value => {
                    // Too deep or too long, and so are the values that begin within it.
                    let too_large = value.is_err_and(|error| matches!(error.code, "limit" | "capacity"));
                    at = match self.work > self.paid {
                        true => end.max(at + read.max(work / MAX_READ)),
                        false if too_large => end.max(at + read),
                        false => end,
                    };
                }
            }
        }
        at
    }
}

/// The beginning of the comment after this place of a line that no layout contains, or the end of the line.
fn comment_after(line: &[u8], at: usize) -> usize {
    let ends = |place: usize| line[place + 2..].windows(2).take(MAX_COMMENT).any(|pair| pair == b"*/");
    let begins = |place: &usize| match line[*place..] {
        [b'#', ..] => !is_attribute(&line[*place..]),
        [b'/', b'/', ..] => true,
        [b'/', b'*', ..] => !ends(*place),
        _ => false,
    };
    (at + 1..line.len()).find(begins).unwrap_or(line.len())
}

/// Whether an attribute of Triton is here.
fn is_attribute(text: &[u8]) -> bool {
    [&b"#ttg."[..], b"#triton_gpu."].iter().any(|name| text.starts_with(name))
}

/// The text in which a layout may begin at this place: the line, and of an object of JSON and of an instruction what follows the
/// line.
fn source<'a>(line: &'a str, rest: &'a str, at: usize, with_signs: bool, is_instruction: bool) -> &'a str {
    let is_object = is_instruction
        || rest[at..].strip_prefix('{').is_some_and(|behind| behind.trim_start().starts_with(['"', '\'']));
    let (behind, limit) = match (is_object, with_signs) {
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
        b'#' => is_attribute(&bytes[at..]),
        b'0'..=b'9' | b'_' => {
            let number = &bytes[at..end];
            let number = number.strip_prefix(b"_").unwrap_or(number);
            let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
            is_number && bytes.get(end) == Some(&b':') && !matches!(before, b':' | b'.' | b'-' | b'/')
        }
        _ => {
            let word = &bytes[at..end];
            if matches!(word, b"S" | b"R") && bytes.get(end) == Some(&b'[') {
                // A slice of an array has neither.
                let spec = bytes[end..].iter().take(MAX_NAMED).take_while(|byte| **byte != b']');
                return spec.into_iter().any(|byte| matches!(byte, b'(' | b'@'));
            }
            WORDS.split(' ').any(|known| known.as_bytes() == word)
                || word.ends_with(b"ptr")
                || word.ends_with(b"sparse")
                || word.starts_with(b"counting_iter_")
                || word.windows(5).any(|part| part == b"_ptr_")
        }
    }
}

/// Whether a value of this text is a layout or a type of instructions, not the name of one alone.
fn is_found(value: &Value, text: &str) -> bool {
    match value.untyped() {
        Value::Instruction(_) => text.contains("_Atom<"),
        Value::Symbolic(symbolic) => {
            matches!(symbolic.kind(), SymbolicKind::Layout | SymbolicKind::View | SymbolicKind::Tiler)
        }
        value => value.domain().is_some() || matches!(value, Value::Tiler(_)),
    }
}

/// Whether `32:1` is the only text after a label or a sign, not a time or a position in a file.
fn stands_alone(before: &str, behind: &str) -> bool {
    let before = before.trim_end();
    (before.is_empty() || before.ends_with([':', '='])) && behind.trim_start().is_empty()
}

/// The label of the layout after this text: `LayoutA_TV` of `  LayoutA_TV: `, `sA` of `kernel.cu:12: sA = `.
fn label(before: &str) -> String {
    // A label is short, but a line may be long.
    let last = before.len().saturating_sub(8 * MAX_LABEL);
    let last = (last..=before.len()).find(|&at| before.is_char_boundary(at)).unwrap_or(before.len());
    let before = &before[last..];
    let before = before.trim_end().trim_end_matches("const");
    let trimmed = before.trim_end_matches(|c: char| c.is_whitespace() || ":=([{<>\"'`-|".contains(c));
    // `sA.layout()`, and not the operation of `%1 = memref.alloc()`.
    let called = trimmed.strip_suffix("()").filter(|name| !name.contains('='));
    let trimmed = called.unwrap_or(trimmed);
    let start = trimmed.rfind([')', ']', ',', ';', '|', '}']).map_or(0, |at| at + 1);
    let start = trimmed.rfind(": ").map_or(start, |at| start.max(at + 2));
    let label = trimmed[start..].trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let skipped = label.chars().count().saturating_sub(MAX_LABEL);
    label.chars().skip(skipped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::FIELDS;
    use crate::functions;

    #[test]
    fn a_label_may_be_a_call() {
        let found = scan("[0] tCsA.layout() : smem_ptr[16b](0x400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1)\n");
        assert_eq!((found.len(), found[0].label.as_str()), (1, "tCsA.layout"));
    }

    /// The brackets and signs with which something may begin.
    const OPENERS: [&str; 70] = [
        "(",
        "[",
        "{",
        "<",
        "\"",
        "'",
        "⟨",
        "∘",
        "(∘",
        "é",
        "_",
        "(_",
        "^",
        "(^",
        "-",
        "(-",
        "(+",
        "0",
        "_1:",
        "=1:1 ",
        "(1 + ",
        "(1*(",
        "(2^",
        "1<<",
        "(1/",
        "(1@",
        "//",
        "(4 // ",
        "(#",
        "(/*",
        "_4:_1 # ",
        "_4:_1 /* ",
        "{(",
        "[{(<",
        "{\"",
        "{'",
        "{\"a\":",
        "{\"a\": [",
        "{\"a\":{",
        "{\"a\":1,\n",
        "{\"shape\": ",
        "{\"layout\": ",
        "(?",
        "(?,",
        "(a)?",
        "?{div=8}",
        "(a,b):(c,d)? ",
        "(4,8):",
        "(4,8):(8,1)",
        "(4,8):(8,1) o ",
        "{4} o ",
        "4:1.",
        "(4:1)(",
        "4:1[",
        "<>",
        "()",
        "():()",
        "ptr[8b](",
        "ptr[8b] o 4:1:",
        "raw_ptr(0x1: f32, gmem) o ",
        "memref<4x8xf32, strided<",
        "#ttg.linear<{",
        "#ttg.blocked<{order=",
        "!cute.layout<\"",
        "!cute.memref<f16, gmem, \"",
        "GMMA::DescriptorIterator o ",
        "Tensor<ViewEngine<",
        "Tensor<ViewEngine<gmem_ptr<float*>>, ",
        "TiledCopy<Copy_Atom<UniversalCopy<float>, float>, ",
        "Copy_Atom<Copy_Traits<SM90_TMA_LOAD, C<4096>, ",
    ];

    /// What is read besides names of functions and fields.
    const OTHER: [&str; 42] = [
        "Shape",
        "Stride",
        "Coord",
        "Step",
        "tuple",
        "make_shape",
        "make_stride",
        "make_coord",
        "Int",
        "C",
        "E",
        "F9",
        "ScaledBasis",
        "LayoutLeft",
        "GenRowMajor",
        "floor",
        "ceil",
        "decltype",
        "size_v",
        "make_swizzle",
        "make_gmem_ptr",
        "make_ptr",
        "smem_ptr_flag_bits",
        "gmem_ptr_16b",
        "smem_ptr_S",
        "sparse",
        "tmem_",
        "torch.Size",
        "torch.empty_strided",
        "true",
        "None",
        "X",
        "let",
        "assume",
        "emit",
        "at",
        "if",
        "else",
        "half_t",
        "int",
        "unsigned int",
        "SM80_16x8x16_F32F16F16F32_TN",
    ];

    /// The work for a text, which contains no layouts of many steps.
    fn work(text: &str) -> usize {
        let mut scan =
            Scan { session: Session::new(), found: Vec::new(), paid: MAX_READ * MAX_OBJECT, work: 0 };
        scan.text(text);
        scan.work
    }

    /// The meter of work does not see what a call takes, so that only those are made that take little.
    #[test]
    fn calls_that_no_print_has_are_not_made() {
        let mut made = 0;
        for function in functions::FUNCTIONS {
            for (example, _) in function.examples() {
                let mut session = Session::new();
                let Ok(value) = session.evaluate(example) else { continue };
                let whole =
                    is_found(value, example) && example.starts_with(|c: char| c.is_ascii_alphabetic());
                let found =
                    scan(&format!("({example})")).iter().any(|found| found.text == format!("({example})"));
                assert!(!found || function.is_printed(), "{example}");
                made += usize::from(found && whole);
            }
        }
        assert!(made > 5, "{made} calls are made");
    }

    #[test]
    fn the_work_for_a_text_is_linear() {
        let length = 6 * MAX_OBJECT;
        let check = |piece: &str| {
            let text = piece.repeat(length / piece.len() + 1);
            // What is paid for, as much again once that is spent, and the last attempt, which reads the text up to its end
            // at each level.
            let most = 2 * MAX_READ * (MAX_OBJECT + text.len()) + 64 * text.len();
            let work = work(&text);
            assert!(work <= most, "{piece:?}: {work} of {most}");
        };
        OPENERS.iter().for_each(|piece| check(piece));
        let words: Vec<&str> = (WORDS.split(' ').chain(OTHER).chain(functions::names()))
            .chain(FIELDS.iter().map(|(name, _)| *name))
            .collect();
        let forms = ["W ", "W(", "(W ", "(W(", "(W_(", "(W<", "(W<0>(", "(W[", "(W(4:1, ", "(W=", "(4:1.W("];
        let step = if cfg!(debug_assertions) { 17 } else { 1 };
        for (number, word) in words.iter().enumerate() {
            for form in forms.iter().skip(number % step).step_by(step) {
                check(&form.replace('W', word));
            }
        }
        // Mixtures, each of a few pieces.
        let mut seed = 1u64;
        let mut pick = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % bound
        };
        for _ in 0..600 / step {
            let pieces: Vec<String> = (0..2 + pick(12))
                .map(|_| match pick(2) {
                    0 => OPENERS[pick(OPENERS.len())].to_string(),
                    _ => forms[pick(forms.len())].replace('W', words[pick(words.len())]),
                })
                .collect();
            check(&pieces.concat());
        }
    }
}
