//! What the text writers write, compared with the files in `snapshots`.
//!
//! `SNAPSHOTS=overwrite cargo test -p tilework-draw` writes them anew.

mod common;

use common::{PICTURES, scene};
use std::path::Path;
use tilework_draw::{Options, Scene, html, svg, terminal, tex};

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
        let options = Options { path: name == "swizzled", ..Options::default() };
        compare(&format!("{name}.{suffix}"), &write(&scene(text, &options)));
    }
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
fn html_pages() {
    let frame = include_str!("../src/page.html").split_once("<!--title-->");
    let (head, rest) = frame.expect("a place for the title");
    let (middle, foot) = rest.split_once("<!--picture-->").expect("a place for the picture");
    compare_all("page.txt", |scene| {
        let page = html::write(scene);
        let own = page.strip_prefix(head).and_then(|page| page.strip_suffix(foot));
        let (title, picture) = own.and_then(|own| own.split_once(middle)).expect("the frame is around both");
        format!("{title}\n{picture}\n")
    });
}
