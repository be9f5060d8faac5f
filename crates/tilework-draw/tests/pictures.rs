//! The SVG read back: no text meets another or leaves its cell. The LaTeX compiled where there is a compiler.

use crate::common::{PICTURES, scene};
use roxmltree::{Document, Node};
use std::collections::BTreeSet;
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

/// A cell of a group, by its row and column.
fn cell(group: &Node, (row, column): (usize, usize)) -> Rect {
    let first = group.attribute("data-cell").expect("the first cell");
    let numbers: Vec<f64> = first.split(' ').map(|number| number.parse().expect("a number")).collect();
    let [x, y, width, height] = numbers[..] else { panic!("{first}") };
    let (left, top) = (x + column as f64 * width, y + row as f64 * height);
    Rect { left, top, right: left + width, bottom: top + height }
}

/// A title, or the words of a line of labels with the middle of each character, and their places.
fn words_of<'a>(node: Node<'a, 'a>) -> Vec<(&'a str, Rect)> {
    let text = node.text().unwrap_or_default();
    let [baseline, size] = ["y", "font-size"].map(|name| number(&node, name));
    // Half of the height of a digit is above the middle.
    let (centre, half) = (baseline - 0.36 * size, size * HEIGHT / 2.0);
    let place = |left: f64, right: f64| Rect { left, top: centre - half, right, bottom: centre + half };
    let x = node.attribute("x").expect("places").split(' ').map(|x| x.parse().expect("a number"));
    let x: Vec<f64> = x.collect();
    let width = ADVANCE * size;
    if node.attribute("class") == Some("title") {
        return vec![(text, place(x[0], x[0] + text.chars().count() as f64 * width))];
    }
    assert_eq!(x.len(), text.chars().count(), "{text}");
    let mut at = 0;
    let word = |word: &'a str| {
        let of_word = &x[at..at + word.chars().count()];
        at += of_word.len() + 1;
        (word, place(of_word[0] - width / 2.0, of_word[of_word.len() - 1] + width / 2.0))
    };
    text.split(' ').map(word).collect()
}

fn groups<'a>(document: &'a Document, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

/// The labels of a group.
fn labels_of<'a>(group: Node<'a, 'a>) -> Vec<(&'a str, Rect)> {
    group.descendants().filter(|node| node.has_tag_name("text")).flat_map(words_of).collect()
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
            let cell = |at| cell(&cells, panel.place(at));
            let mut wanted: Vec<(usize, &str)> = (0..panel.cells.len())
                .flat_map(|at| {
                    panel.cells[at]
                        .lines
                        .iter()
                        .flat_map(move |line| line.split(' ').map(move |word| (at, word)))
                })
                .collect();
            for (word, place) in labels_of(writing) {
                let owner = wanted.iter().position(|&(at, line)| line == word && cell(at).contains(&place));
                let owner =
                    owner.unwrap_or_else(|| panic!("{text}: {word} at {place:?} is in no cell with it"));
                wanted.swap_remove(owner);
                texts.push(place);
            }
            assert!(wanted.is_empty(), "{text}: {wanted:?} are not written");
        }
        for labels in groups(&document, "labels") {
            texts.extend(labels_of(labels).into_iter().map(|(_, place)| place));
        }
        for (at, one) in texts.iter().enumerate() {
            assert!(page.contains(one), "{text}: {one:?} leaves the page {page:?}");
            for other in &texts[..at] {
                assert!(!one.meets(other), "{text}: {one:?} meets {other:?}");
            }
        }
    }
}

/// Cells of a colour are a path of its class; each cell is in one of them, and cells of one class have one colour.
#[test]
fn every_cell_has_its_colour() {
    let plain = PICTURES.iter().map(|&(_, text)| (text, scene(text, &Options::default())));
    for (text, scene) in plain.chain(of_kinds()) {
        let picture = svg::write(&scene);
        let document = Document::parse(&picture).expect("well-formed XML");
        let mut grounds: Vec<(&str, String)> = Vec::new();
        for (panel, group) in scene.panels.iter().zip(groups(&document, "cells")) {
            let mut drawn = vec![0; panel.cells.len()];
            let colours = group.children().filter(|node| node.has_tag_name("path"));
            for path in colours.filter(|path| path.attribute("class") != Some("rules")) {
                let class = path.attribute("class").expect("a colour");
                for run in path.attribute("d").expect("runs").split('M').skip(1) {
                    let numbers: Vec<f64> =
                        run.split([' ', 'h']).map(|number| number.parse().expect("a number")).collect();
                    let [left, middle, width] = numbers[..] else { panic!("{run}") };
                    for (at, ground) in panel.cells.iter().map(|cell| cell.ground).enumerate() {
                        let cell = cell(&group, panel.place(at));
                        if cell.top < middle
                            && middle < cell.bottom
                            && left <= cell.left
                            && cell.right <= left + width
                        {
                            drawn[at] += 1;
                            grounds.push((class, format!("{ground:?}")));
                        }
                    }
                }
            }
            assert!(drawn.iter().all(|&times| times == 1), "{text}: {drawn:?}");
        }
        let grounds: BTreeSet<_> = grounds.into_iter().collect();
        let classes: BTreeSet<_> = grounds.iter().map(|(class, _)| class).collect();
        let most = grounds.iter().map(|(_, ground)| ground).collect::<BTreeSet<_>>().len();
        assert!(classes.len() <= most && (classes.len() > 1) == (most > 1), "{text}: {grounds:?}");
    }
}

/// Pictures of other kinds than a layout's offsets.
fn of_kinds() -> Vec<(&'static str, Scene)> {
    let layout: Layout = "((4,8),2):((16,1),8)".parse().expect("a layout");
    let offset = |index| layout.evaluate(&HTuple::leaf(index));
    let (title, options) = ("((4,8),2):((16,1),8)", Options::default());
    let tile = "(8,8)".parse().expect("a shape");
    let threads = tilework_draw::threads(title, &layout, &offset, &tile, &options).expect("a scene");
    let values = tilework_draw::thread_values(title, &layout, &offset, &options).expect("a scene");
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
            let texts: Vec<Rect> =
                labels_of(document.root_element()).into_iter().map(|(_, place)| place).collect();
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

#[test]
fn a_large_picture_is_whole() {
    let options = Options::default().with_max_cells(1 << 16).with_path(true);
    let picture = svg::write(&scene("((16,16),(16,16)):((256,1),(4096,16))", &options));
    let document = Document::parse(&picture).expect("well-formed XML");
    let mut labels = groups(&document, "texts").flat_map(labels_of);
    assert!(labels.any(|(label, _)| label == "65535"));
}
