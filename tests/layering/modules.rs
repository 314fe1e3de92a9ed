//! The modules of the product, read with `syn`: which module names which other one.
//!
//! A name is followed through re-exports to the module that defines it, so a folder's `mod.rs` that only hands names on
//! is no part of a circle. Unit tests don't count. Calls of methods don't count either, since they name no module.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{File, Item, UseTree, Visibility};

/// A module's path below the crate: `["trace", "apply"]` for `src/trace/walk/apply.rs`.
pub type Path = Vec<String>;

/// What one file says.
#[derive(Default)]
struct Module {
    /// The modules that it declares.
    children: BTreeSet<String>,
    /// Names that it hands on, and where they come from.
    exports: BTreeMap<String, Path>,
    /// Modules of which it hands on everything.
    globs: Vec<Path>,
    /// What it defines.
    items: BTreeSet<String>,
    /// The paths that it names, as they are written.
    named: Vec<Path>,
}

/// All modules of the crate, by path.
pub struct Modules(BTreeMap<Path, Module>);

/// The path of the module that a file below `src` holds.
pub fn path_of(file: &str) -> Path {
    let file = file.trim_end_matches(".rs");
    let file = if file == "lib" { "" } else { file.trim_end_matches("/mod") };
    file.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Every identifier of a text. Comments and literals hold none.
pub fn words(text: &str) -> BTreeSet<String> {
    fn gather(tokens: TokenStream, all: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => drop(all.insert(ident.to_string())),
                TokenTree::Group(group) => gather(group.stream(), all),
                _ => {}
            }
        }
    }
    let mut all = BTreeSet::new();
    gather(text.parse().unwrap(), &mut all);
    all
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("cfg") && quoted(a).contains("test"))
}

fn quoted(attr: &syn::Attribute) -> String {
    attr.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default()
}

impl Modules {
    /// Reads (path below `src`, text) of every file.
    pub fn read(files: &[(String, String)]) -> Modules {
        let mut all = BTreeMap::new();
        for (file, text) in files {
            let path = path_of(file);
            if path.iter().any(|part| part == "tests" || part == "main") {
                continue;
            }
            let parsed: File = syn::parse_file(text).unwrap_or_else(|e| panic!("src/{file}: {e}"));
            let mut module = Module::default();
            for item in &parsed.items {
                module.declare(item);
            }
            module.visit_file(&parsed);
            all.insert(path, module);
        }
        Modules(all)
    }

    /// Every module with the others whose names it uses.
    pub fn edges(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let edges = self.0.iter().map(|(path, module)| {
            let targets = module.named.iter().filter_map(|named| self.resolve(path, named, 0));
            (path, targets.filter(|target| *target != path && !target.is_empty()).collect())
        });
        edges.collect()
    }

    /// Every module with the layers that it imports, also those of which it only hands names on.
    pub fn layers(&self) -> BTreeMap<&Path, BTreeSet<&str>> {
        let layers = self.0.iter().map(|(path, module)| {
            let named = module.named.iter().chain(module.exports.values()).chain(&module.globs);
            let absolute = named.filter_map(|named| match named.as_slice() {
                [root, layer, ..] if root == "crate" => Some(layer.as_str()),
                _ => self.resolve(path, named, 0)?.first().map(String::as_str),
            });
            (path, absolute.filter(|layer| path.first().is_some_and(|own| own != layer)).collect())
        });
        layers.collect()
    }

    /// The module that defines what a path names, seen from a module.
    fn resolve<'a>(&'a self, from: &Path, named: &[String], depth: usize) -> Option<&'a Path> {
        let (mut at, mut rest): (Path, &[String]) = (from.clone(), named);
        while let [first, others @ ..] = rest {
            match first.as_str() {
                "crate" => at = Path::new(),
                "super" => drop(at.pop()),
                "self" => {}
                _ => break,
            }
            rest = others;
        }
        while let [first, others @ ..] = rest {
            let module = self.0.get(&at)?;
            if module.children.contains(first) {
                at.push(first.clone());
                rest = others;
                continue;
            }
            if depth < 8 && !module.items.contains(first) {
                if let Some(origin) = module.exports.get(first) {
                    let whole: Path = origin.iter().chain(others).cloned().collect();
                    return self.resolve(&at, &whole, depth + 1);
                }
                for glob in &module.globs {
                    let whole: Path = glob.iter().chain(rest).cloned().collect();
                    if let Some(found) = self.resolve(&at, &whole, depth + 1)
                        && self.0.get(found).is_some_and(|m| m.items.contains(first))
                    {
                        return Some(found);
                    }
                }
            }
            break;
        }
        self.0.get_key_value(&at).map(|(path, _)| path)
    }
}

impl Module {
    fn declare(&mut self, item: &Item) {
        let name = match item {
            Item::Mod(m) if m.content.is_none() && !is_test(&m.attrs) => {
                self.children.insert(m.ident.to_string());
                return;
            }
            Item::Use(u) if !matches!(u.vis, Visibility::Inherited) => {
                leaves(&u.tree, &mut Path::new(), &mut |path, name| match name {
                    Some(name) => drop(self.exports.insert(name, path)),
                    None => self.globs.push(path),
                });
                return;
            }
            Item::Struct(i) => &i.ident,
            Item::Enum(i) => &i.ident,
            Item::Trait(i) => &i.ident,
            Item::Type(i) => &i.ident,
            Item::Const(i) => &i.ident,
            Item::Static(i) => &i.ident,
            Item::Fn(i) => &i.sig.ident,
            _ => return,
        };
        self.items.insert(name.to_string());
    }

    fn name(&mut self, path: Path) {
        let relative = path.first().is_some_and(|f| matches!(f.as_str(), "crate" | "super" | "self"));
        if path.len() > 1 && (relative || path.first().is_some_and(|f| self.children.contains(f))) {
            self.named.push(path);
        }
    }

    /// Paths inside a macro's call, whose grammar nobody knows.
    fn name_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Path::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Punct(p) if p.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.name(std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.name(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.name_tokens(group.stream());
                    }
                }
            }
        }
        self.name(path);
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(m) if is_test(&m.attrs) => {}
            Item::Fn(f) if is_test(&f.attrs) => {}
            // What is handed on is an edge of whoever uses it.
            Item::Use(u) if !matches!(u.vis, Visibility::Inherited) => {}
            Item::Use(u) => {
                let mut all = Vec::new();
                leaves(&u.tree, &mut Path::new(), &mut |path, _| all.push(path));
                all.into_iter().for_each(|path| self.name(path));
            }
            item => visit::visit_item(self, item),
        }
    }

    /// `pub(in …)` says who may use a name, and uses none.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.name(path.segments.iter().map(|s| s.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.name_tokens(mac.tokens.clone());
    }
}

/// The ends of a `use`: whole path and the name it gets, `None` for a glob.
fn leaves(tree: &UseTree, at: &mut Path, each: &mut dyn FnMut(Path, Option<String>)) {
    let with = |at: &Path, name: &syn::Ident| {
        let mut whole = at.clone();
        if name != "self" || at.is_empty() {
            whole.push(name.to_string());
        }
        whole
    };
    match tree {
        UseTree::Path(p) => {
            at.push(p.ident.to_string());
            leaves(&p.tree, at, each);
            at.pop();
        }
        UseTree::Name(n) => {
            let whole = with(at, &n.ident);
            let name = whole.last().cloned();
            each(whole, name);
        }
        UseTree::Rename(r) => each(with(at, &r.ident), Some(r.rename.to_string())),
        UseTree::Glob(_) => each(at.clone(), None),
        UseTree::Group(g) => g.items.iter().for_each(|tree| leaves(tree, at, each)),
    }
}
