//! The words that may not be names in source text.

use tilework::Error;

/// Refuses a word that is reserved in one of the languages, or is not an identifier in all of them.
pub(super) fn check_word(word: &str) -> Result<(), Error> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if word.starts_with(|first: char| first.is_ascii_digit()) || !word.bytes().all(is_part) {
        return Err(Error::Fact { reason: "a name is a letter and then letters, digits and `_`" });
    }
    // C and WGSL reserve some words with a `_` in front, and `_0` is written for `?0`.
    if word.is_empty() || word.starts_with('_') {
        return Err(Error::Fact { reason: "a name of source text begins with a letter" });
    }
    if WORDS.contains(&word) {
        return Err(Error::Fact {
            reason: "a keyword of C, Rust, Python or WGSL cannot be a name in source text",
        });
    }
    Ok(())
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    // Names in the emitted text
    "Divisor", "cute", "div_by", "divisor_of", "i32", "mod_by", "range", "select", "tl", "torch", "u32",
    // C and C++
    "alignas", "alignof", "and", "and_eq", "asm", "assert", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "compl", "concept", "const", "consteval", "constexpr", "constinit", "const_cast", "continue", "co_await",
    "co_return", "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
    "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "int32_t", "int64_t", "long", "main",
    "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected",
    "public", "register", "reinterpret_cast", "requires", "restrict", "return", "short", "signed", "sizeof", "static",
    "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
    "typeid", "typename", "typeof_unqual", "uint32_t", "uint64_t", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
    "while", "xor", "xor_eq",
    // Rust
    "Self", "abstract", "as", "async", "await", "become", "box", "crate", "dyn", "final", "fn", "gen", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "self", "super", "trait", "type", "typeof",
    "unsafe", "unsized", "use", "where", "yield",
    // Python
    "False", "None", "True", "def", "del", "elif", "except", "finally", "from", "global", "import", "is", "lambda", "nonlocal",
    "pass", "raise", "with",
    // WGSL
    "NULL", "active", "alias", "asm_fragment", "attribute", "binding_array", "cast", "coherent", "column_major", "common",
    "compile", "compile_fragment", "const_assert", "continuing", "debugger", "demote", "demote_to_helper", "diagnostic",
    "discard", "enable", "extends", "external", "fallthrough", "filter", "fxgroup", "get", "groupshared", "handle", "highp",
    "implements", "instanceof", "interface", "invariant", "layout", "lowp", "macro_rules", "mediump", "meta", "module", "nil",
    "noinline", "nointerpolation", "non_coherent", "noncoherent", "noperspective", "null", "of", "package", "packoffset",
    "partition", "patch", "pixelfragment", "precise", "precision", "premerge", "readonly", "regardless", "require", "resource",
    "sampler", "set", "shared", "smooth", "snorm", "std", "subroutine", "target", "texture", "unless", "unorm", "var",
    "varying", "vec", "wgsl", "writeonly",
];
