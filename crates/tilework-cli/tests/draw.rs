//! `draw` and its files: a PNG is one, and a file is replaced as a whole or left as it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn draw(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilework"));
    command.current_dir(folder).arg("draw").args(arguments).output().expect("the program runs")
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("draw").join(name);
    // There is none the first time.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into()).collect();
    names.sort();
    names
}

#[test]
fn a_png_has_twice_the_size_of_the_svg() {
    let folder = folder("png");
    assert!(draw(&folder, &["(4,8):(8,1)", "-o", "a.svg"]).status.success());
    let output = draw(&folder, &["(4,8):(8,1)", "-o", "a.png"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let png = fs::read(folder.join("a.png")).expect("the picture");
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    let svg = fs::read_to_string(folder.join("a.svg")).expect("the picture");
    let size = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\"",
        number(16) / 2,
        number(20) / 2
    );
    assert!(svg.starts_with(&size), "{size} {svg}");
}

#[test]
fn a_pdf_is_one() {
    let folder = folder("pdf");
    assert!(draw(&folder, &["(4,8):(8,1) ∘ 4:2", "--aspect", "operation", "-o", "a.pdf"]).status.success());
    let pdf = fs::read(folder.join("a.pdf")).expect("the picture");
    assert!(pdf.starts_with(b"%PDF-1.4\n") && pdf.ends_with(b"%%EOF\n"));
}

#[test]
fn a_file_is_replaced_as_a_whole_or_left_as_it_was() {
    let folder = folder("replace");
    fs::write(folder.join("a.html"), "old").expect("a file");
    for wrong in ["(4,8):(1", "Sw<3,4,3>", "4:1 o 3:5 o"] {
        assert_eq!(draw(&folder, &[wrong, "-o", "a.html"]).status.code(), Some(1), "{wrong}");
        assert_eq!(fs::read_to_string(folder.join("a.html")).expect("the file"), "old");
    }
    assert!(draw(&folder, &["4:1", "-o", "a.html"]).status.success());
    assert!(fs::read_to_string(folder.join("a.html")).expect("the file").ends_with("</html>\n"));
    fs::create_dir(folder.join("b.svg")).expect("a folder");
    let output = draw(&folder, &["4:1", "-o", "b.svg"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: b.svg cannot be written: "));
    assert_eq!(files(&folder), ["a.html", "b.svg"]);
}
