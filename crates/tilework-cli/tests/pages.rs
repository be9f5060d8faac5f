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
