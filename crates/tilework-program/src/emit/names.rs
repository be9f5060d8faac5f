//! Names of common expressions, each in the outermost scope where it is known.

use crate::prelude::*;

/// The lines of a scope: first its names, then its statements.
#[derive(Default)]
struct Scope {
    names: Vec<(String, String)>,
    /// Counters of a loop that begin again: the name, the first value and how many there are.
    rings: Vec<(String, i64, i64)>,
    declared: Vec<String>,
    body: Vec<String>,
}

/// The kernel and the loops around the place that is written.
pub struct Names {
    scopes: Vec<Scope>,
    count: [usize; 4],
    /// What is before the name of a number, of a condition and of a counter where it is declared.
    declarations: [&'static str; 3],
    taken: Vec<String>,
    indent: usize,
}

impl Names {
    pub fn new(declarations: [&'static str; 3], taken: Vec<String>) -> Names {
        Names { scopes: vec![Scope::default()], count: [0; 4], declarations, taken, indent: 1 }
    }

    /// The number of loops around this place.
    pub fn depth(&self) -> usize {
        self.scopes.len() - 1
    }

    /// The name of a number that is known at a depth; a name or a literal is its own.
    pub fn number(&mut self, depth: usize, text: String) -> String {
        self.named(depth, text, 0)
    }

    /// The name of a condition.
    pub fn condition(&mut self, depth: usize, text: String) -> String {
        self.named(depth, text, 1)
    }

    fn named(&mut self, depth: usize, text: String, kind: usize) -> String {
        if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')) {
            return text;
        }
        let known = self.scopes[..=depth].iter().flat_map(|scope| &scope.names).find(|(_, own)| *own == text);
        if let Some((name, _)) = known {
            return name.clone();
        }
        let name = self.unused(kind);
        let indent = depth + 1;
        let declaration = self.declarations[kind];
        let line = format!("{:1$}{declaration} {name} = {text};", "", 4 * indent);
        let scope = &mut self.scopes[depth];
        scope.declared.push(line);
        scope.names.push((name.clone(), text));
        name
    }

    /// A name for the elements of one access.
    pub fn vector(&mut self) -> String {
        self.unused(3)
    }

    fn unused(&mut self, kind: usize) -> String {
        loop {
            let name = format!("{}{}", ["i", "p", "r", "q"][kind], self.count[kind]);
            self.count[kind] += 1;
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }

    /// A counter of the loop at a depth that has the value `(index + first) % count`.
    pub fn ring(&mut self, depth: usize, first: i64, count: i64) -> String {
        let first = first.rem_euclid(count);
        let known = self.scopes[depth].rings.iter().find(|own| (own.1, own.2) == (first, count));
        if let Some((name, ..)) = known {
            return name.clone();
        }
        let name = self.unused(2);
        self.scopes[depth].rings.push((name.clone(), first, count));
        name
    }

    pub fn line(&mut self, text: &str) {
        let line = format!("{:1$}{text}", "", 4 * self.indent);
        if let Some(scope) = self.scopes.last_mut() {
            scope.body.push(line);
        }
    }

    /// A line that begins a block without names of its own.
    pub fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    pub fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// The inside of a loop.
    pub fn open_loop(&mut self) {
        self.scopes.push(Scope::default());
        self.indent += 1;
    }

    /// The end of a loop that begins with `text`; `next` is a counter's next value.
    pub fn close_loop(&mut self, text: &str, next: impl Fn(&str, i64) -> String) {
        let Some(scope) = self.scopes.pop() else { return };
        self.indent -= 1;
        for (name, first, _) in &scope.rings {
            self.line(&format!("{} {name} = {first}u;", self.declarations[2]));
        }
        self.open(text);
        if let Some(outer) = self.scopes.last_mut() {
            outer.body.extend(scope.declared);
            outer.body.extend(scope.body);
        }
        for (name, _, count) in &scope.rings {
            self.line(&format!("{name} = {};", next(name, count - 1)));
        }
        self.close();
    }

    /// All lines.
    pub fn finish(self) -> String {
        let lines = self.scopes.into_iter().flat_map(|scope| scope.declared.into_iter().chain(scope.body));
        lines.map(|line| line + "\n").collect::<Vec<String>>().concat().to_string()
    }
}
