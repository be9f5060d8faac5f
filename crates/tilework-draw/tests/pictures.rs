//! The SVG read back: no text meets another or leaves its cell. The LaTeX compiled where there is a compiler, and the time
//! that a large picture takes.

mod common;

use common::{PICTURES, scene};
use roxmltree::{Document, Node};
use tilework::{HTuple, Layout};
use tilework_draw::{Arrow, Banks, Options, Panel, Scene, svg, terminal, tex};

/// No usual fixed-width font is wider or higher, in sizes of the font.
const ADVANCE: f64 = 0.62;
const HEIGHT: f64 = 1.0;

#[derive(Clone, Copy, Debug)]
struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    fn contains(&self, other: &Rect) -> bool {
        let sides = self.left <= other.left && other.right <= self.right;
        sides && self.top <= other.top && other.bottom <= self.bottom
    }

    fn meets(&self, other: &Rect) -> bool {
        let beside = self.right <= other.left || other.right <= self.left;
        !beside && self.top < other.bottom && other.top < self.bottom
    }
}

/// An attribute of the element, or of the group that it is in.
fn number(node: &Node, name: &str) -> f64 {
    let mut nodes = node.ancestors().filter_map(|node| node.attribute(name));
    nodes.next().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name} of {node:?}"))
}

fn of_rect(node: &Node) -> Rect {
    let [left, top, width, height] = ["x", "y", "width", "height"].map(|name| number(node, name));
    Rect { left, top, right: left + width, bottom: top + height }
}

fn of_text(node: &Node) -> Rect {
    let [x, baseline, size] = ["x", "y", "font-size"].map(|name| number(node, name));
    let width = node.text().unwrap_or_default().chars().count() as f64 * ADVANCE * size;
    let middle = node.ancestors().find_map(|node| node.attribute("text-anchor")) == Some("middle");
    let left = if middle { x - width / 2.0 } else { x };
    // Half of the height of a digit is above the middle.
    let centre = baseline - 0.36 * size;
    let half = size * HEIGHT / 2.0;
    Rect { left, top: centre - half, right: left + width, bottom: centre + half }
}

fn groups<'a>(document: &'a Document, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

fn named<'a>(group: Node<'a, 'a>, name: &'a str) -> Vec<Node<'a, 'a>> {
    group.children().filter(|node| node.has_tag_name(name)).collect()
}

#[test]
fn no_text_meets_another_or_leaves_its_cell() {
    let long = "((2,(2,3)),(11,2),2):((-1000000007,(1,1/2)),(5,7/3),123456789)";
    let coordinates = "((2,2),3):((1@0,1@1@1),1@0@1)";
    let others =
        [long, coordinates, "1:0", "130:1", "((2,5,13))", "((2,3),5):((^1,^64),^7)", "(1,12):(0,7)", "()"];
    let plain = PICTURES.iter().map(|picture| picture.1).chain(others).flat_map(|text| {
        [false, true].map(|path| {
            let mut scene = scene(text, &Options::default().with_max_cells(200).with_path(path));
            scene.panels[0].cells[0].lines.push("two lines".into());
            (text, scene)
        })
    });
    for (text, scene) in plain.chain(of_kinds()) {
        let picture = svg::write(&scene);
        let document = Document::parse(&picture).expect("well-formed XML");
        let page = document.root_element();
        let [right, bottom] = ["width", "height"].map(|name| number(&page, name));
        let page = Rect { left: 0.0, top: 0.0, right, bottom };
        let mut texts: Vec<Rect> = Vec::new();
        for ((panel, cells), writing) in
            scene.panels.iter().zip(groups(&document, "cells")).zip(groups(&document, "texts"))
        {
            let cells: Vec<Rect> = named(cells, "rect").iter().map(of_rect).collect();
            let written: Vec<Rect> = named(writing, "text").iter().map(of_text).collect();
            let owners: Vec<usize> =
                (0..cells.len()).flat_map(|cell| vec![cell; panel.cells[cell].lines.len()]).collect();
            assert_eq!(written.len(), owners.len(), "{text}");
            for (text, owner) in written.iter().zip(owners) {
                assert!(cells[owner].contains(text), "{text:?} leaves cell {owner}, {:?}", cells[owner]);
            }
            texts.extend(written);
        }
        for labels in groups(&document, "labels") {
            texts.extend(named(labels, "text").iter().map(of_text));
        }
        for (at, one) in texts.iter().enumerate() {
            assert!(page.contains(one), "{text}: {one:?} leaves the page {page:?}");
            for other in &texts[..at] {
                assert!(!one.meets(other), "{text}: {one:?} meets {other:?}");
            }
        }
    }
}

/// Pictures of other kinds than a layout's offsets.
fn of_kinds() -> Vec<(&'static str, Scene)> {
    let layout: Layout = "((4,8),2):((16,1),8)".parse().expect("a layout");
    let offset = |index| layout.evaluate(&HTuple::leaf(index));
    let (title, options) = ("((4,8),2):((16,1),8)", Options::default());
    let tile = "(8,8)".parse().expect("a shape");
    let threads = tilework_draw::threads(title, &layout, offset, &tile, &options).expect("a scene");
    let values = tilework_draw::thread_values(title, &layout, offset, &options).expect("a scene");
    let banks = tilework_draw::banks(title, &layout.into(), &Banks::new(32), &options).expect("a scene");
    let mut row = Scene::row("three pictures", vec![threads.clone(), values.clone(), banks.clone()]);
    row.arrows = vec![
        Arrow { from: (0, 9), to: (1, 30) },
        Arrow { from: (1, 63), to: (0, 0) },
        Arrow { from: (2, 3), to: (2, 3) },
        Arrow { from: (2, 1_000), to: (7, 0) },
    ];
    vec![("threads", threads), ("values", values), ("banks", banks), ("row", row)]
}

#[test]
fn arrows_end_at_the_edges_of_their_cells() {
    let (_, row) = of_kinds().pop().expect("a row");
    let picture = svg::write(&row);
    assert_eq!(picture.matches("class=\"head\"").count(), 3);
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
}

/// The numbers of a path, two by two.
fn corners(node: &Node) -> Vec<(f64, f64)> {
    let path = node.attribute("d").expect("a path");
    let numbers: Vec<f64> =
        path.split(|c: char| "ML z".contains(c)).filter_map(|word| word.parse().ok()).collect();
    numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

#[test]
fn arrows_cross_no_text() {
    let (_, row) = of_kinds().pop().expect("a row");
    let slices = scene("((2,3),(2,2,2),4)", &Options::default());
    let mut beside = 0;
    for mut scene in [row, slices] {
        let ends: Vec<(usize, usize)> =
            (0..scene.panels.len()).flat_map(|panel| [(panel, 9), (panel, 31)]).collect();
        for arrow in ends.iter().flat_map(|&from| ends.iter().map(move |&to| Arrow { from, to })) {
            // The third of them takes another way than the first.
            scene.arrows =
                vec![Arrow { from: (0, 0), to: (1, 0) }, Arrow { from: (0, 1), to: (2, 5) }, arrow];
            let picture = svg::write(&scene);
            let document = Document::parse(&picture).expect("well-formed XML");
            let texts = document.descendants().filter(|node| node.has_tag_name("text"));
            let texts: Vec<Rect> = texts.map(|node| of_text(&node)).collect();
            // Half of the width of the line with its edge.
            for (line, reach) in groups(&document, "path")
                .map(|line| (line, 2.5))
                .chain(groups(&document, "head").map(|head| (head, 0.0)))
            {
                let corners = corners(&line);
                beside += usize::from(corners.iter().any(|corner| corner.0 < 16.0));
                for (x, y) in corners.windows(2).flat_map(|pair| between(pair[0], pair[1])) {
                    let around =
                        Rect { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
                    let crossed = texts.iter().find(|text| text.meets(&around));
                    assert!(crossed.is_none(), "{arrow:?} at {x},{y} crosses {crossed:?}");
                }
            }
        }
    }
    assert!(beside > 0, "no arrow leads to another line of panels");
}

/// Points from one to another, a pixel apart.
fn between(from: (f64, f64), to: (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steps = dx.hypot(dy).ceil().max(1.0);
    (0..=steps as usize)
        .map(move |step| step as f64 / steps)
        .map(move |share| (from.0 + share * dx, from.1 + share * dy))
}

#[test]
fn what_is_written_is_escaped() {
    let mut scene = scene("4:1", &Options::default());
    scene.title = "a<b & \"c\" \u{1}".into();
    let picture = svg::write(&scene);
    let document = Document::parse(&picture).expect("well-formed XML");
    assert_eq!(document.root_element().attribute("aria-label"), Some("a<b & \"c\" "));
}

#[test]
fn highlights_are_drawn() {
    let mut scene = scene("(2,3):(3,1)", &Options::default());
    scene.panels[0].highlights = vec![0, 4];
    assert_eq!(svg::write(&scene).matches("class=\"highlight\"").count(), 2);
    assert_eq!(tex::write(&scene).matches("draw=accent").count(), 2);
}

#[test]
fn an_empty_scene_is_a_picture() {
    let scene = Scene { panels: vec![Panel::default()], ..Scene::default() };
    assert!(Document::parse(&svg::write(&scene)).is_ok());
    assert!(terminal::write(&scene, &terminal::Terminal::default()).contains('+'));
}

#[test]
fn pdflatex_compiles_the_documents() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tex");
    std::fs::create_dir_all(&folder).expect("a folder");
    let plain = PICTURES.map(|(name, text)| (name, scene(text, &Options::default().with_path(true))));
    for (name, mut scene) in plain.into_iter().chain(of_kinds()) {
        scene.caption = r"\_{}%$#&^~<>".into();
        let file = format!("{name}.tex");
        std::fs::write(folder.join(&file), tex::write(&scene)).expect("the document is written");
        let mut command = std::process::Command::new("pdflatex");
        let run = command.current_dir(&folder).args(["-interaction=nonstopmode", "-halt-on-error", &file]);
        // It is not everywhere.
        let Ok(output) = run.output() else { return };
        let log = String::from_utf8_lossy(&output.stdout);
        if log.contains("standalone.cls' not found") || log.contains("tikz.sty' not found") {
            return;
        }
        assert!(output.status.success(), "{log}");
        assert!(!log.contains("Overfull"), "{log}");
    }
}

/// For an optimised build: `cargo test --release -p tilework-draw`.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes longer without optimisation")]
fn a_large_picture_takes_less_than_a_second() {
    let start = std::time::Instant::now();
    let options = Options::default().with_max_cells(1 << 16).with_path(true);
    let picture = svg::write(&scene("((16,16),(16,16)):((256,1),(4096,16))", &options));
    assert!(picture.contains(">65535<"));
    assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
}
