//! `docs/formats/table.md` is what the table has. `TABLE=overwrite` writes it again.

use std::fmt::Write;
use std::path::Path;
use tilework_formats::{Format, absent, formats};

#[test]
fn the_page_is_the_table() {
    let mut page = String::from(
        "# All storage formats\n\nWritten by `TABLE=overwrite cargo test -p tilework-formats --test main table`. `M to 8`: padded to a multiple; \
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

/// The text at sizes is a format of its own with the same offsets, in which no size is a name.
#[test]
fn conditions_have_the_sizes_in_them() {
    let mut conditional = 0;
    let others = [
        ("fbgemm_fp16", vec![("K", 600), ("N", 20)]),
        ("scalapack_cyclic", vec![("N", 8), ("B", 2), ("P", 2)]),
    ];
    let small = formats().iter().map(|format| (format.name(), format.small().unwrap()));
    for (name, sizes) in small.chain(others).filter(|(name, _)| !Format::named(name).unwrap().is_expanded()) {
        let packed = Format::named(name).unwrap().at(&sizes).unwrap();
        let text = packed.to_string();
        if packed.format().layouts().iter().any(|layout| layout.contains(" where ")) {
            conditional += 1;
            let axes: Vec<String> = sizes.iter().map(|(name, _)| format!("{name} elements")).collect();
            let shape: Vec<String> = packed.shape().iter().map(i64::to_string).collect();
            let record = format!(
                "name own\naxes {}\nbits 8\nshape {}\nstorage {}\nlayout {}",
                axes.join(", "),
                shape.join(", "),
                packed.storage(),
                text.replace(", otherwise ", "\nlayout "),
            );
            let own = Format::parse(&record).unwrap_or_else(|error| panic!("{record}: {error}")).remove(0);
            assert_eq!(own.at(&sizes).unwrap().offsets(), packed.offsets(), "{text}");
            let conditions =
                text.split(" where ").skip(1).map(|rest| rest.split(", otherwise ").next().unwrap());
            assert!(conditions.clone().all(|rest| !rest.contains(char::is_uppercase)), "{text}");
        }
    }
    assert!(conditional >= 10, "{conditional}");
    let packed = Format::named("fbgemm_fp16").unwrap().at(&[("K", 2), ("N", 2)]).unwrap();
    assert_eq!(format!("{packed:?}"), "fbgemm_fp16 K=2 N=2: ((512,1),(16,1)):((16,8192),(1,32))");
}
