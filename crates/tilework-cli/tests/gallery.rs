//! Every picture of the gallery is what its command draws.
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

#[test]
fn every_picture_is_what_its_command_draws() {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/gallery");
    let text = fs::read_to_string(gallery.join("README.md")).expect("the gallery");
    let overwrite = env::var_os("GALLERY").is_some_and(|value| value == "overwrite");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut drawn = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with("tilework draw ")) {
        let words = words(line);
        let name = words.last().expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_tilework"))
            .current_dir(&folder)
            .args(&words[1..])
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let picture = fs::read_to_string(folder.join(name)).expect("the picture");
        if overwrite {
            fs::write(gallery.join(name), &picture).expect("the picture is written");
        }
        let expected = fs::read_to_string(gallery.join(name)).unwrap_or_default().replace("\r\n", "\n");
        assert!(expected == picture, "{name} is another; GALLERY=overwrite draws it anew, to be looked at");
        assert!(text.contains(&format!("]({name})")), "{name} is not shown");
        drawn.insert(name.clone());
    }
    let files = fs::read_dir(&gallery).expect("the gallery").map(|entry| entry.expect("a file").file_name());
    let pictures: BTreeSet<String> =
        files.map(|name| name.to_string_lossy().into_owned()).filter(|name| name != "README.md").collect();
    assert_eq!(pictures, drawn);
}
