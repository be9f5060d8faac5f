//! The header for C that is in the tree. Here, so that no test of the C interface builds cbindgen, as under the address sanitizer and Miri.

use std::path::Path;

/// `include/tilework.h` is what cbindgen makes of the crate; `HEADER=overwrite` writes it again.
#[test]
fn the_header_is_that_of_the_crate() {
    let folder = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../tilework-c");
    let mut made = Vec::new();
    cbindgen::generate(folder).expect("the crate has a header").write(&mut made);
    // A section for those who call from Rust.
    let made = String::from_utf8(made).expect("it is text");
    let path = folder.join("include/tilework.h");
    if std::env::var_os("HEADER").is_some_and(|how| how == "overwrite") {
        std::fs::write(&path, &made).expect("it can be written");
    }
    let own = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        own.replace('\r', "") == made,
        "run HEADER=overwrite cargo test -p tilework-cli --test main header"
    );
}
