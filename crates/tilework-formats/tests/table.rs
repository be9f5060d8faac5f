//! `docs/formats/table.md` is what the table has. `TABLE=overwrite` writes it again.

use std::fmt::Write;
use std::path::Path;
use tilework_formats::{Format, absent, formats};

#[test]
fn the_page_is_the_table() {
    let mut page = String::from(
        "# All storage formats\n\nWritten by `TABLE=overwrite cargo test -p tilework-formats --test table`. `M to 8`: padded to a multiple; \
         `K by 16`: has to be one.\n\n| name | what | bits | sizes | rules | injective |\n|---|---|---|---|---|---|\n",
    );
    for format in formats() {
        let sizes: Vec<&str> = format.axes().iter().map(|axis| axis.name.as_str()).collect();
        let rules: Vec<String> = format.rules().iter().map(ToString::to_string).collect();
        let proof = format.proof().unwrap().injective;
        let (name, what, bits) = (format.name(), format.purpose(), format.element_bits());
        let (sizes, rules) = (sizes.join(", "), rules.join(", "));
        writeln!(page, "| `{name}` | {what} | {bits} | {sizes} | {rules} | {proof} |").unwrap();
    }
    page += "\n## What has no layout\n\n| name | why |\n|---|---|\n";
    for (names, reason) in absent() {
        writeln!(page, "| {names} | {reason} |").unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/table.md");
    if std::env::var_os("TABLE").is_some_and(|value| value == "overwrite") {
        std::fs::write(&file, &page).unwrap();
    }
    assert!(std::fs::read_to_string(file).unwrap() == page, "write it again, as it says");
}

/// A word of a description is looked for, and not read as a tag of axes, as which `page` was the order of four; `nchw` means one.
#[test]
fn words_of_descriptions_are_no_tags() {
    let is_word = |word: &&str| word.len() > 3 && word.chars().all(|letter| letter.is_ascii_alphabetic());
    let texts = formats().iter().flat_map(|format| {
        let named = std::iter::once(format.name()).chain(format.aliases());
        named.chain([format.purpose()]).chain(format.sources().iter().map(String::as_str)).collect::<Vec<_>>()
    });
    let mut words = 0;
    for word in
        texts.flat_map(|text| text.split(|letter: char| !letter.is_ascii_alphabetic())).filter(is_word)
    {
        words += 1;
        if let Ok(format) = Format::named(word) {
            let is_named = formats().iter().any(|own| own.name() == format.name());
            assert!(is_named || word == "nchw", "{word} is {:?}", format.layouts());
        }
    }
    assert!(words > 500, "{words}");
}
