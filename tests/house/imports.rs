//! The imports between the files of a crate, from their `use` declarations and the paths in the code. (Those between
//! crates are in their manifests, and Cargo permits no circle of them.)

use std::collections::{BTreeMap, BTreeSet};

/// A module's path, its crate first: `["wire", "framing", "sse"]`; those of the package itself begin with `wasm`.
pub(crate) type ModulePath = Vec<String>;

/// The sources, and where each name of a `pub use` leads.
pub(crate) struct Imports {
    texts: BTreeMap<ModulePath, String>,
    /// The `mod.rs` files, which have docs and re-exports only.
    folders: BTreeSet<ModulePath>,
    exports: BTreeMap<ModulePath, BTreeMap<String, Vec<String>>>,
}

impl Imports {
    /// Reads sources, given as `(name of the crate, path below its src/; text)`.
    pub(crate) fn of(sources: &[(String, String)]) -> Imports {
        let (mut texts, mut folders) = (BTreeMap::new(), BTreeSet::new());
        for (name, text) in sources {
            let stem = name.trim_end_matches(".rs");
            let mut path: ModulePath = stem.split('/').map(str::to_owned).collect();
            match path.last().map(String::as_str) {
                Some("lib" | "mod") => {
                    path.pop();
                }
                _ => {
                    texts.insert(path, without_comments(text));
                    continue;
                }
            }
            folders.insert(path.clone());
            texts.insert(path, without_comments(text));
        }
        let mut imports = Imports { texts, folders, exports: BTreeMap::new() };
        let mut exports = BTreeMap::new();
        for (module, text) in &imports.texts {
            let own: &mut BTreeMap<_, _> = exports.entry(module.clone()).or_default();
            for (is_public, tree) in uses(text) {
                if !is_public {
                    continue;
                }
                for (path, name) in leaves(&tree) {
                    if let Some(path) = imports.absolute(&path, module) {
                        own.insert(name, path);
                    }
                }
            }
        }
        imports.exports = exports;
        imports
    }

    /// The files that each file uses; re-exports of `mod.rs` files are resolved.
    pub(crate) fn edges(&self) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
        let mut edges: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (module, text) in self.texts.iter().filter(|(m, _)| !self.folders.contains(*m)) {
            let mut used: Vec<Vec<String>> = Vec::new();
            for (_, tree) in uses(text) {
                used.extend(leaves(&tree).into_iter().map(|(path, _)| path));
            }
            used.extend(paths(text));
            let to = edges.entry(module.clone()).or_default();
            for path in used {
                let Some(path) = self.absolute(&path, module) else { continue };
                if let Some(target) = self.target(path, 0)
                    && target != *module
                    && !self.folders.contains(&target)
                {
                    to.insert(target);
                }
            }
        }
        edges
    }

    /// A path in a module as one from the crate's root; `None` for paths into other crates.
    fn absolute(&self, path: &[String], module: &ModulePath) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => {
                let own = module.first().filter(|name| *name != "wasm");
                Some(own.cloned().into_iter().chain(rest.iter().cloned()).collect())
            }
            "self" => Some([module.as_slice(), rest].concat()),
            "super" => {
                let (mut from, mut rest) = (module.clone(), path);
                while let Some((_, after)) = rest.split_first().filter(|(f, _)| *f == "super") {
                    from.pop()?;
                    rest = after;
                }
                Some([from.as_slice(), rest].concat())
            }
            _ => {
                let child = [module.as_slice(), std::slice::from_ref(first)].concat();
                let is_child = self.texts.contains_key(&child);
                is_child.then(|| [module.as_slice(), path].concat())
            }
        }
    }

    /// The file that defines what a path names.
    fn target(&self, path: Vec<String>, depth: usize) -> Option<ModulePath> {
        for length in (0..=path.len()).rev() {
            let (module, rest) = path.split_at(length);
            if !self.texts.contains_key(module) {
                continue;
            }
            let exported = rest.first().and_then(|name| self.exports.get(module)?.get(name));
            return match exported {
                Some(leads) if depth < 8 => {
                    let rest = rest.get(1..).unwrap_or_default();
                    self.target([leads.as_slice(), rest].concat(), depth + 1)
                }
                _ => Some(module.to_vec()),
            };
        }
        None
    }
}

/// The circles among edges: every set of files that can all be reached from each other.
pub(crate) fn circles(
    edges: &BTreeMap<ModulePath, BTreeSet<ModulePath>>,
) -> Vec<BTreeSet<ModulePath>> {
    let reached = |from: &ModulePath| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(next) = left.pop() {
            for to in edges.get(&next).into_iter().flatten() {
                if seen.insert(to.clone()) {
                    left.push(to.clone());
                }
            }
        }
        seen
    };
    let all: BTreeMap<_, _> = edges.keys().map(|from| (from.clone(), reached(from))).collect();
    let mut found: Vec<BTreeSet<ModulePath>> = Vec::new();
    for (from, to) in &all {
        let circle: BTreeSet<_> = to
            .iter()
            .filter(|other| all.get(*other).is_some_and(|o| o.contains(from)))
            .cloned()
            .collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

fn without_comments(text: &str) -> String {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|l| format!("{l}\n"))
        .collect()
}

/// The `use` declarations: whether each is public, and its tree.
fn uses(text: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for statement in text.split_inclusive(';') {
        let Some(start) = statement
            .match_indices("use ")
            .map(|(at, _)| at)
            .find(|at| is_line_start(statement.get(..*at).unwrap_or_default()))
        else {
            continue;
        };
        let (before, tree) = statement.split_at(start);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let tree = tree.trim_start_matches("use ").trim_end_matches(';');
        found.push((
            line.trim_start().starts_with("pub"),
            tree.split_whitespace().collect::<Vec<_>>().join(" "),
        ));
    }
    found
}

/// Does a declaration begin here? Only its visibility may come before it on its line.
fn is_line_start(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    line.is_empty() || line == "pub" || (line.starts_with("pub(") && line.ends_with(')'))
}

/// Every path of a `use` tree, with the name that it gets in this module.
fn leaves(tree: &str) -> Vec<(Vec<String>, String)> {
    fn walk(prefix: &[String], tree: &str, out: &mut Vec<(Vec<String>, String)>) {
        let tree = tree.trim();
        if let Some(open) = tree.find('{') {
            let (head, inner) = tree.split_at(open);
            let head = head.split("::").map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned);
            let prefix: Vec<String> = prefix.iter().cloned().chain(head).collect();
            let inner = inner.trim_start_matches('{').trim_end().strip_suffix('}').unwrap_or(inner);
            let (mut depth, mut from) = (0, 0);
            for (at, c) in inner.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        walk(&prefix, &inner[from..at], out);
                        from = at + 1;
                    }
                    _ => {}
                }
            }
            walk(&prefix, &inner[from..], out);
        } else if !tree.is_empty() {
            let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
            let own = path.split("::").map(|s| s.trim().to_owned());
            let mut path: Vec<String> = prefix.iter().cloned().chain(own).collect();
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let name = if name.is_empty() {
                path.last().cloned().unwrap_or_default()
            } else {
                name.to_owned()
            };
            out.push((path, name));
        }
    }
    let mut out = Vec::new();
    walk(&[], tree, &mut out);
    out
}

/// The paths in the code that begin with `crate` or `super`.
fn paths(text: &str) -> Vec<Vec<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    text.split(|c: char| !is_name(c))
        .filter(|word| word.starts_with("crate::") || word.starts_with("super::"))
        .map(|word| word.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect())
        .collect()
}

#[test]
fn a_circle_is_found_through_a_re_export() {
    let source = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let sources = [
        source("a/lib.rs", "mod one;\nmod two;\npub use one::{One, other};\n"),
        source("a/one.rs", "use super::two::Two;\n"),
        source("a/two.rs", "use crate::{\n    One as First,\n};\n"),
        source("a/three.rs", "use super::One;\n// use super::three;\nfn f() { super::two::g() }\n"),
    ];
    let edges = Imports::of(&sources).edges();
    let path = |name: &str| vec!["a".to_owned(), name.to_owned()];
    assert_eq!(circles(&edges), [BTreeSet::from([path("one"), path("two")])]);
    assert_eq!(edges[&path("three")], BTreeSet::from([path("one"), path("two")]));
}
