//! Which module may import which: a crate is a list of floors, and a module imports only from floors below its own. And no
//! file imports one that, directly or not, imports it. Python's have a test of their own, `test_imports.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules at the root of each crate, the lowest floor first. Modules of one floor do not import each other.
const FLOORS: &[(&str, &[&[&str]])] = &[
    (
        "tilework",
        &[
            &["codomain"],
            &["error"],
            &["int", "list"],
            &["tuple"],
            &["shape", "stride"],
            &["layout"],
            &["swizzle", "tiler"],
            &["algebra", "analysis", "text"],
            &["einfold", "linear_layout", "static_layout", "strided"],
            &["serde", "tensor"],
            &["prelude", "tutorial"],
        ],
    ),
    (
        "tilework-kernels",
        &[
            &["dtype", "tuning"],
            &["error", "memory"],
            &["cpu", "execution", "offset_layout"],
            &["simd"],
            &["gathered", "located", "loops", "machine_limits"],
            &["cost", "disjoint"],
            &["copy", "matmul"],
            &["elementwise", "gemm", "contract", "conv"],
            &["candidates", "dynamic", "reference"],
        ],
    ),
    (
        "tilework-hardware",
        &[&["atom", "refused"], &["memory", "tiled"], &["access", "cover"], &["operand", "swizzle"]],
    ),
    (
        "tilework-sharding",
        &[
            &["error"],
            &["text"],
            &["mesh"],
            &["sharding"],
            &["block_cyclic", "blocks", "einsum", "holders", "placements", "view"],
            &["hlo", "links", "notation", "overlap", "partition_spec", "refine", "shardy", "steps"],
            &["search"],
            &["redistribution"],
            &["contraction", "exchange", "forms", "plan"],
        ],
    ),
    (
        "tilework-symbolic",
        &[
            &["int", "small", "tuple"],
            &["number"],
            &["declarations"],
            &["scope"],
            &["facts", "layout", "question", "quotient"],
            &["values"],
            &["guard"],
            &["bounds", "coalesce", "parse", "print", "tiler"],
            &["adopt", "answer"],
            &["placed", "sums"],
            &["by_mode", "cases", "complement", "composition", "emit", "inverse", "recast"],
            &["analysis"],
        ],
    ),
    (
        "tilework-formats",
        &[
            &["error"],
            &["sizes"],
            &["rule"],
            &["format"],
            &["place"],
            &["notation", "packed"],
            &["table"],
            &["regions"],
            &["emit", "identify", "proof", "repack"],
            &["check", "facts"],
        ],
    ),
    (
        "tilework-program",
        &[
            &["error"],
            &["prelude"],
            &["element", "form", "machine"],
            &["instruction"],
            &["program"],
            &["access", "declare", "sizes"],
            &["matrix"],
            &["verify"],
            &["arithmetic", "buffers", "kernel", "text"],
            &["library"],
            &["check"],
            &["run"],
            &["emit"],
            &["launch"],
        ],
    ),
    (
        "tilework-draw",
        &[
            &["scene"],
            &["error", "palette", "geometry", "sheet"],
            &["color_by"],
            &["grid"],
            &["svg", "terminal", "banks", "threads"],
            &["format", "html", "instruction", "png", "program", "sharding", "tex", "tiles"],
            &["pdf"],
            &["file"],
        ],
    ),
    (
        "tilework-expr",
        &[
            &["error"],
            &["axes", "pointer", "symbolic"],
            &["instruction"],
            &["value"],
            &["fields", "named", "names", "width"],
            &["arithmetic", "emit", "tensor"],
            &["explain", "export"],
            &["functions"],
            &["program"],
            &["parse", "steps"],
            &["operation"],
            &["trace"],
            &["session"],
            &["access", "instance", "memory", "picture", "scan"],
        ],
    ),
    (
        "tilework-cli",
        &[
            &["help", "report"],
            &["stream"],
            &["picture"],
            &["answer", "launch"],
            &["atoms", "evaluate", "format", "hardware", "kernel", "measure", "sharding"],
            &["reshard"],
            &["interactive", "explore"],
        ],
    ),
    (
        "tilework-python",
        &[
            &["description"],
            &["error"],
            &["prelude"],
            &["dtype"],
            &["dlpack"],
            &["array", "classes"],
            &["calls", "tuple"],
            &["members", "named"],
            &["arguments", "elements", "symbolic"],
            &["empty", "formats", "operation", "programs", "session"],
            &["einfold", "evaluate"],
            &["instruction", "layout", "stride", "swizzle", "tiler", "kernels"],
            &["algebra", "copies", "draw", "hardware", "pycute", "sharding"],
            &["bit_matrix", "plans", "reductions", "tensor"],
        ],
    ),
    ("tilework-c", &[&["boundary"], &["value"]]),
    ("testkit", &[&["setting"], &["corpus", "random"]]),
    (
        "tilework-web",
        &[
            &["question"],
            &["cell", "picture", "place", "wrong"],
            &["format", "memory", "names", "program", "sharding"],
            &["answer"],
            &["abi"],
        ],
    ),
];

type Module = Vec<String>;

/// The files of a crate by their modules, and what each imports.
#[derive(Default)]
struct Sources {
    files: BTreeMap<Module, PathBuf>,
    /// What a module offers under a name of its own: where the name comes from.
    exports: BTreeMap<(Module, String), Module>,
    /// The paths that a module names, without the item.
    imports: BTreeMap<Module, Vec<Module>>,
}

impl Sources {
    fn of(source: &Path) -> Sources {
        let mut sources = Sources::default();
        sources.find(source, &Vec::new());
        let modules: Vec<Module> = sources.files.keys().cloned().collect();
        for module in modules {
            let text = std::fs::read_to_string(&sources.files[&module]).unwrap();
            sources.read(&module, &tokens(&text));
        }
        sources
    }

    fn find(&mut self, folder: &Path, module: &Module) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let child = [module.as_slice(), std::slice::from_ref(&name)].concat();
            if path.is_dir() {
                self.find(&path, &child);
            } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
                let own = ["lib", "main", "mod"].contains(&name.as_str());
                self.files.insert(if own { module.clone() } else { child }, path);
            }
        }
    }

    /// Collects the paths in the text of a module.
    fn read(&mut self, module: &Module, tokens: &[String]) {
        let (mut i, mut depth) = (0, 0);
        // The modules that are written within this file, and the depth of the braces around each.
        let (mut within, mut depths) = (module.clone(), Vec::new());
        while i < tokens.len() {
            match tokens[i].as_str() {
                "{" => {
                    depth += 1;
                    if let [.., word, name] = &tokens[..i]
                        && word == "mod"
                    {
                        within.push(name.clone());
                        depths.push(depth);
                    }
                }
                "}" => {
                    if depths.last() == Some(&depth) {
                        within.pop();
                        depths.pop();
                    }
                    depth -= 1;
                }
                _ => {}
            }
            let starts = i == 0 || tokens[i - 1] != "::";
            if starts && tokens.get(i + 1).is_some_and(|next| next == "::") {
                let base = match tokens[i].as_str() {
                    "crate" => Some(Vec::new()),
                    "self" => Some(within.clone()),
                    "super" => Some(within[..within.len().saturating_sub(1)].to_vec()),
                    child => {
                        let child = [module.as_slice(), &[child.to_owned()]].concat();
                        self.files.contains_key(&child).then_some(child)
                    }
                };
                if let Some(base) = base {
                    let exported = exported(&tokens[..i]);
                    i = self.path(module, base, tokens, i + 2, exported);
                    continue;
                }
            }
            i += 1;
        }
    }

    /// Follows a path from token `i` on, and returns the token behind it.
    fn path(
        &mut self,
        module: &Module,
        mut base: Module,
        tokens: &[String],
        mut i: usize,
        exported: bool,
    ) -> usize {
        loop {
            match tokens[i].as_str() {
                "{" => {
                    i += 1;
                    while tokens[i] != "}" {
                        i = self.path(module, base.clone(), tokens, i, exported);
                        if tokens[i] == "," {
                            i += 1;
                        }
                    }
                    return i + 1;
                }
                "super" => {
                    base.pop();
                }
                "self" => {}
                name => base.push(name.to_owned()),
            }
            i += 1;
            if tokens.get(i).is_some_and(|token| token == "::")
                && tokens.get(i + 1).is_some_and(|token| token != "<")
            {
                i += 1;
                continue;
            }
            let renamed = tokens.get(i).is_some_and(|token| token == "as");
            let name = if renamed { tokens[i + 1].clone() } else { base.last().cloned().unwrap_or_default() };
            if renamed {
                i += 2;
            }
            if exported {
                self.exports.insert((module.clone(), name), base);
            } else {
                self.imports.entry(module.clone()).or_default().push(base);
            }
            return i;
        }
    }

    /// The file that a path leads to: through re-exports, to the innermost module that it names.
    fn resolve(&self, path: &Module) -> Module {
        let mut path = path.clone();
        for _ in 0..8 {
            let depth =
                (0..=path.len()).rev().find(|&depth| self.files.contains_key(&path[..depth])).unwrap();
            let module = path[..depth].to_vec();
            let Some(name) = path.get(depth) else { return module };
            let Some(target) = self.exports.get(&(module.clone(), name.clone())) else { return module };
            path = [target.as_slice(), &path[depth + 1..]].concat();
        }
        panic!("{path:?} is exported in a circle");
    }

    /// The files that each file imports, itself aside.
    fn graph(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let own = |module: &Module| {
            let paths = self.imports.get(module).into_iter().flatten();
            paths.map(|path| self.resolve(path)).filter(|to| to != module).collect()
        };
        self.files.keys().map(|module| (module.clone(), own(module))).collect()
    }
}

/// Whether the path behind these tokens is a re-export.
fn exported(before: &[String]) -> bool {
    match before {
        [.., public, word] if word == "use" => public == "pub" || public == ")",
        _ => false,
    }
}

/// Identifiers and punctuation, without comments, literals, and the tests at the foot of a file.
fn tokens(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let bytes: Vec<char> = text.chars().collect();
    let (mut tokens, mut i) = (Vec::new(), 0);
    while i < bytes.len() {
        let rest = &bytes[i..];
        match rest {
            ['/', '/', ..] => i += rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
            ['"', ..] => {
                i += 1;
                while bytes[i] != '"' {
                    i += if bytes[i] == '\\' { 2 } else { 1 };
                }
                i += 1;
            }
            ['\'', '\\', _, '\'', ..] => i += 4,
            ['\'', _, '\'', ..] => i += 3,
            [':', ':', ..] => {
                tokens.push("::".to_owned());
                i += 2;
            }
            [first, ..] if first.is_alphanumeric() || *first == '_' => {
                let end = rest.iter().position(|c| !c.is_alphanumeric() && *c != '_').unwrap_or(rest.len());
                tokens.push(rest[..end].iter().collect());
                i += end;
            }
            [first, ..] => {
                if !first.is_whitespace() {
                    tokens.push(first.to_string());
                }
                i += 1;
            }
            [] => {}
        }
    }
    tokens
}

fn name(module: &Module) -> String {
    if module.is_empty() { "the root".into() } else { module.join("::") }
}

/// A circle of imports, if there is one.
fn circle(graph: &BTreeMap<Module, BTreeSet<Module>>) -> Option<Vec<Module>> {
    fn visit<'a>(
        at: &'a Module,
        graph: &'a BTreeMap<Module, BTreeSet<Module>>,
        path: &mut Vec<&'a Module>,
        done: &mut BTreeSet<&'a Module>,
    ) -> Option<Vec<Module>> {
        if let Some(start) = path.iter().position(|&module| module == at) {
            return Some(path[start..].iter().map(|&module| module.clone()).collect());
        }
        if done.contains(at) {
            return None;
        }
        path.push(at);
        let found = graph[at].iter().find_map(|next| visit(next, graph, path, done));
        path.pop();
        done.insert(at);
        found
    }
    let (mut path, mut done) = (Vec::new(), BTreeSet::new());
    graph.keys().find_map(|module| visit(module, graph, &mut path, &mut done))
}

fn sources() -> impl Iterator<Item = (&'static str, &'static [&'static [&'static str]], Sources)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    FLOORS.iter().map(move |&(name, floors)| (name, floors, Sources::of(&crates.join(name).join("src"))))
}

#[test]
fn modules_import_from_lower_floors() {
    for (package, floors, sources) in sources() {
        let floor = |module: &Module| {
            let root = module.first()?;
            let floor = floors.iter().position(|floor| floor.contains(&root.as_str()));
            Some(floor.unwrap_or_else(|| panic!("{package}: on which floor is {root}?")))
        };
        for (from, imported) in sources.graph() {
            for to in imported {
                let within = from.first() == to.first();
                // What is at the root, `lib.rs` or `main.rs`, is above all floors.
                let (own, other) = (floor(&from).unwrap_or(usize::MAX), floor(&to).unwrap_or(usize::MAX));
                assert!(
                    within || other < own,
                    "{package}: {} imports {}, which is not below",
                    name(&from),
                    name(&to)
                );
            }
        }
    }
}

#[test]
fn no_imports_in_a_circle() {
    for (package, _, sources) in sources() {
        if let Some(modules) = circle(&sources.graph()) {
            let names: Vec<String> = modules.iter().map(name).collect();
            panic!("{package}: imports in a circle: {}", names.join(" -> "));
        }
    }
}

/// The explorer's files: each imports the others by `from "./name"`.
#[test]
fn no_imports_in_a_circle_in_the_explorer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src");
    let mut graph = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension == "ts") {
            let text = std::fs::read_to_string(&file).unwrap();
            let imported = text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next());
            // The wasm module is no source.
            let imported = imported.filter(|name| !name.contains('/'));
            let module = vec![file.file_stem().unwrap().to_str().unwrap().to_owned()];
            graph.insert(module, imported.map(|name| vec![name.to_owned()]).collect());
        }
    }
    assert!(graph.values().map(BTreeSet::len).sum::<usize>() > 30, "imports are found");
    assert_eq!(circle(&graph), None);
}
