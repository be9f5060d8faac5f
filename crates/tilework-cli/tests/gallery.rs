//! Every picture of a page of the documentation is what its command there draws.
//!
//! `GALLERY=overwrite cargo test -p tilework-cli --test gallery` draws them anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The words of a command line of the gallery; a quotation mark is always `'`.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            1 => vec![part.to_string()],
            _ => part.split_whitespace().map(String::from).collect(),
        })
        .collect()
}

/// Draws all pictures of a page, which are beside it.
fn check(folder: &str, page: &str) {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(folder);
    let text = fs::read_to_string(gallery.join(page)).expect("the page");
    let overwrite = env::var_os("GALLERY").is_some_and(|value| value == "overwrite");
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut drawn = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with("tilework ") && line.contains(" -o ")) {
        let words = words(line);
        let name = words.last().expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_tilework"))
            .current_dir(&target)
            .args(&words[1..])
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let picture = fs::read_to_string(target.join(name)).expect("the picture");
        if overwrite {
            fs::write(gallery.join(name), &picture).expect("the picture is written");
        }
        let expected = fs::read_to_string(gallery.join(name)).unwrap_or_default().replace("\r\n", "\n");
        assert!(expected == picture, "{name} is another; GALLERY=overwrite draws it anew, to be looked at");
        assert!(text.contains(&format!("]({name})")), "{name} is not shown");
        drawn.insert(name.clone());
    }
    let files = fs::read_dir(&gallery).expect("the folder").map(|entry| entry.expect("a file").file_name());
    let pictures: BTreeSet<String> =
        files.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.ends_with(".svg")).collect();
    assert_eq!(pictures, drawn);
}

#[test]
fn the_gallery() {
    check("gallery", "README.md");
}

#[test]
fn a_complete_gemm() {
    check("hardware", "gemm.md");
}
