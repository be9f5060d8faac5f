//! What the text writers write, compared with the files in `snapshots`.
//!
//! `SNAPSHOTS=overwrite cargo test -p tilework-draw` writes them anew.

use crate::common::{PICTURES, scene};
use std::path::Path;
use tilework::layout;
use tilework_draw::{ColorBy, Options, Scene, bank_access, copy, html, mma, svg, terminal, tex};
use tilework_hardware::access::Access;
use tilework_hardware::memory::Banks;

fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, text).expect("the snapshot is written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let differs = expected.lines().zip(text.lines()).position(|(expected, found)| expected != found);
    assert!(expected == text, "{name} is another, first in line {:?}:\n{text}", differs.map(|line| line + 1));
}

fn compare_all(suffix: &str, write: impl Fn(&Scene) -> String) {
    for (name, text) in PICTURES {
        let color_by = (name == "tiles").then_some(ColorBy::Tile);
        let options = Options::default().with_path(name == "swizzled").colored_by(color_by);
        compare(&format!("{name}.{suffix}"), &write(&scene(text, &options)));
    }
    for (name, scene) in of_hardware() {
        compare(&format!("{name}.{suffix}"), &write(&scene));
    }
}

/// An instruction, a copy, and an access to memory banks.
fn of_hardware() -> [(&'static str, Scene); 3] {
    let options = Options::default();
    let (ab, c) = (layout!(((4,8),1):((8,1),0)), layout!(((4,8),2):((16,1),8)));
    let dmma = mma("SM80_8x8x4_F64F64F64F64_TN", [8, 8, 4], [8, 8, 4], [&ab, &ab, &c], &options);
    let (source, destination) = (layout!((8,4):(4,1)), layout!((32,1):(1,0)));
    let copied = copy("ldmatrix, elements of 32 bits", [4, 8], true, [&source, &destination], &options);
    let every_other = Access::new(layout!((8,2):(2,1)), 32).expect("an access");
    let four = Banks { count: 4, ..Banks::NVIDIA };
    let banks = bank_access(&layout!(16:1).into(), &every_other, &four, [0, 0], &options);
    [("mma", dmma.expect("a scene")), ("copy", copied.expect("a scene")), ("banks", banks.expect("a scene"))]
}

#[test]
fn terminal_tables() {
    compare_all("txt", |scene| terminal::write(scene, &terminal::Terminal::default()));
}

#[test]
fn svg_pictures() {
    compare_all("svg", svg::write);
}

#[test]
fn tex_documents() {
    compare_all("tex", tex::write);
}

/// Of a page its title and its picture, which stand in the two places of `page.html`.
#[test]
fn an_html_page() {
    let frame = include_str!("../src/page.html").split_once("<!--title-->");
    let (head, rest) = frame.expect("a place for the title");
    let (middle, foot) = rest.split_once("<!--picture-->").expect("a place for the picture");
    let page = html::write(&scene("((2,2),3):((1,6),2)", &Options::default()));
    let own = page.strip_prefix(head).and_then(|page| page.strip_suffix(foot));
    let (title, picture) = own.and_then(|own| own.split_once(middle)).expect("the frame is around both");
    compare("small.page.txt", &format!("{title}\n{picture}\n"));
}
