//! Every link from one page of the documentation to another leads somewhere, and every page is in the book, `docs/SUMMARY.md`.
//!
//! `docs/build` makes the book, and follows the links of the finished site, to what it makes itself as well.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with this ending, as paths from the root.
fn files(folder: &str, ending: &str) -> BTreeSet<PathBuf> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![PathBuf::from(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if entry.path().extension().is_some_and(|extension| extension == ending) {
                found.insert(path);
            }
        }
    }
    found
}

/// The text of a page without its code.
fn prose(page: &Path) -> String {
    let text = fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page:?}: {error}"));
    let outside = text.split("```").step_by(2).collect::<Vec<_>>().join("\n");
    outside.split('`').step_by(2).collect()
}

/// What the links of a page that are no addresses of the web say.
fn links(page: &Path) -> Vec<String> {
    let text = prose(page);
    let ends = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    ends.map(|(link, _)| link.to_string()).filter(|link| !link.contains("://")).collect()
}

/// The path that a link means, from the root.
fn place(page: &Path, path: &str) -> PathBuf {
    let mut place = PathBuf::new();
    for part in page.parent().expect("a folder").join(path).components() {
        match part {
            Component::ParentDir => assert!(place.pop(), "{page:?}: {path} leaves the repository"),
            part => place.push(part),
        }
    }
    place
}

/// The names under which the headings of a page can be linked.
fn headings(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(page)).expect("a page");
    let outside = text.split("```").step_by(2);
    let headings = outside.flat_map(str::lines).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            title.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages = files("docs", "md");
    pages.extend(["crates", "benches", "conformance"].into_iter().flat_map(|folder| files(folder, "md")));
    pages.retain(|page| page != Path::new("docs/SUMMARY.md"));
    pages.extend(
        ["README", "ARCHITECTURE", "CHANGELOG", "COMPARE", "CONTRIBUTING", "PERFORMANCE"]
            .map(|name| format!("{name}.md").into()),
    );
    let (mut count, mut broken) = (0, Vec::new());
    for page in &pages {
        for link in links(page) {
            let (path, part) = link.split_once('#').unwrap_or((&link, ""));
            let place = if path.is_empty() { page.clone() } else { place(page, path) };
            let found = root().join(&place).exists() && (part.is_empty() || headings(&place).contains(part));
            count += 1;
            if !found {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(count > 60, "only {count} links were found");
    assert!(broken.is_empty(), "these links lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_page_is_in_the_book() {
    let summary = Path::new("docs/SUMMARY.md");
    let listed: BTreeSet<PathBuf> = links(summary).iter().map(|link| place(summary, link)).collect();
    let mut made: BTreeSet<PathBuf> = ["functions", "api", "explorer", "tutorial/README"]
        .map(|name| PathBuf::from(format!("docs/{name}.md")))
        .into();
    for chapter in files("crates/tilework/src/tutorial", "rs") {
        let name = chapter.file_stem().expect("a name").to_string_lossy().into_owned();
        if name != "mod" {
            made.insert(format!("docs/tutorial/{name}.md").into());
        }
    }
    let mut pages = files("docs", "md");
    pages.remove(summary);
    pages.append(&mut made.clone());
    assert_eq!(pages.difference(&listed).collect::<Vec<_>>(), [] as [&PathBuf; 0], "not in the book");
    for page in listed.difference(&made) {
        assert!(root().join(page).is_file(), "{} is in the book, and no page", page.display());
    }
}

#[test]
fn the_paper_is_complete() {
    let pages: String = files("docs/paper", "md")
        .iter()
        .map(|page| fs::read_to_string(root().join(page)).expect("a page"))
        .collect();
    for figure in 1..=12 {
        let shown = ["", "a"].iter().any(|part| pages.contains(&format!("![Figure {figure}{part}]")));
        assert!(shown, "no picture of figure {figure}");
    }
    for table in 1..=7 {
        assert!(pages.contains(&format!("\n## Table {table}: ")), "no table {table}");
    }
}

/// The numbers in a cell, those of a range too: `2.10 to 2.12`, `(13) to (15)`.
fn numbers(cell: &str) -> Vec<String> {
    let words: Vec<&str> = cell.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let parts = |word: &str| -> Option<(String, usize, String)> {
        let (open, close) = if word.starts_with('(') { ("(", ")") } else { ("", "") };
        let inner = word.strip_prefix(open)?.strip_suffix(close)?;
        let (before, number) =
            inner.rsplit_once('.').map_or(("", inner), |(section, number)| (section, number));
        let dot = if before.is_empty() { "" } else { "." };
        Some((format!("{open}{before}{dot}"), number.parse().ok()?, close.to_owned()))
    };
    let mut all = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let Some((before, number, after)) = parts(word) else { continue };
        let first = match place.checked_sub(2).and_then(|start| parts(words[start])) {
            Some((_, first, _)) if words[place - 1] == "to" => first,
            _ => number,
        };
        all.extend((first..=number).map(|number| format!("{before}{number}{after}")));
    }
    all
}

/// Each definition and equation of the paper has a row, whose functions and tests there are.
#[test]
fn each_definition_has_a_test() {
    let page = fs::read_to_string(root().join("docs/paper/README.md")).expect("a page");
    let table = page.split_once("| definition | in tilework | test |").expect("the table").1;
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let named =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let held: Vec<String> = rows.iter().flat_map(|row| numbers(row[0])).collect();
    let definitions = (1..=19).map(|number| format!("2.{number}")).chain(["3.1".to_owned()]);
    let sections =
        ["3.2", "3.3", "3.4.1", "3.4.2", "3.4.3", "3.4.4", "3.5", "3.5.1", "3.5.2"].map(str::to_owned);
    for wanted in definitions.chain((1..=31).map(|number| format!("({number})"))).chain(sections) {
        assert!(held.contains(&wanted), "no row for {wanted}");
    }
    for row in rows {
        let [definition, functions, tests] = row[..] else { panic!("three cells: {row:?}") };
        let functions = named(functions);
        let is_word = |name: &&String| {
            name.len() > 1 && name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == '2')
        };
        for function in functions.iter().filter(is_word) {
            assert!(tilework_expr::find(function).is_some(), "{definition}: no function {function}");
        }
        assert!(!named(tests).is_empty(), "{definition}: no test");
        for test in named(tests) {
            let (file, name) = test.split_once("::").expect("a file and a test");
            let texts = ["tilework", "tilework-expr"]
                .map(|krate| fs::read_to_string(root().join(format!("crates/{krate}/tests/{file}.rs"))));
            let is_there = |text: &String| text.contains(&format!("#[test]\nfn {name}()"));
            assert!(texts.iter().flatten().any(is_there), "{definition}: no test {test}");
        }
    }
}
