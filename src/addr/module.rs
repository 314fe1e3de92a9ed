//! Modules in the tree of calls, without and with instance keys.

use super::{Key, in_a_row};
use std::fmt;
use std::sync::Arc;

/// The names of the calls from the root to a module; empty for the root.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ModulePath(pub Vec<Arc<str>>);

impl ModulePath {
    /// The root module.
    pub const ROOT: ModulePath = ModulePath(Vec::new());

    /// Returns true for the root module.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The module behind the call `name` in this one.
    #[must_use]
    pub fn child(&self, name: impl Into<Arc<str>>) -> ModulePath {
        let mut names = self.0.clone();
        names.push(name.into());
        ModulePath(names)
    }

    /// The calling module and the call's name; nothing for the root.
    pub fn parent(&self) -> Option<(ModulePath, Arc<str>)> {
        let (last, rest) = self.0.split_last()?;
        Some((ModulePath(rest.to_vec()), last.clone()))
    }

    /// Returns the name of a call with one of its sources, where an expression chooses among several. No user can
    /// type such a name.
    pub fn by_source(call: &str, source: &str) -> Arc<str> {
        format!("{call} ({source})").into()
    }

    /// Returns the call's own name, without the source.
    pub fn call_name(name: &str) -> &str {
        // Most are the call's name alone.
        let found = name.bytes().any(|b| b == b'(').then(|| name.split_once(" (")).flatten();
        found.map_or(name, |(call, _)| call)
    }

    /// Returns the source in a name that [`ModulePath::by_source`] made; `None` for other names.
    pub fn source_in(name: &str) -> Option<&str> {
        name.split_once(" (")?.1.strip_suffix(')')
    }

    /// Returns true if a name on the path is one that [`ModulePath::by_source`] made.
    pub fn is_by_source(&self) -> bool {
        self.0.iter().any(|name| ModulePath::source_in(name).is_some())
    }

    /// Returns the calls on the path whose names [`ModulePath::by_source`] made: the calling module, and the name on
    /// the path.
    pub fn by_sources(&self) -> impl Iterator<Item = (ModulePath, &Arc<str>)> {
        let above = |at: usize| ModulePath(self.0.iter().take(at).cloned().collect());
        let found = self.0.iter().enumerate().filter(|(_, name)| ModulePath::source_in(name).is_some());
        found.map(move |(at, name)| (above(at), name))
    }

    /// Returns the address of what a module declares under an address of its own.
    pub fn address_of(&self, own: impl fmt::Display) -> String {
        if self.is_root() { own.to_string() } else { format!("{self}.{own}") }
    }

    /// Returns Terraform's own path, without the sources that were chosen.
    #[must_use]
    pub fn plain(&self) -> ModulePath {
        ModulePath(self.0.iter().map(|n| Arc::from(ModulePath::call_name(n))).collect())
    }

    /// Returns the number of calls between the root and this module.
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// Returns true if `other` is this module or lies inside it.
    pub fn contains(&self, other: &ModulePath) -> bool {
        other.0.starts_with(&self.0)
    }
}

impl fmt::Display for ModulePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            let dot = if i == 0 { "" } else { "." };
            in_a_row(f, [dot, call_prefix(name), name])?;
        }
        Ok(())
    }
}

/// The words of a Stack that stand where `module` stands elsewhere.
pub const STACK_CALLS: [&str; 2] = ["component", "stack"];

/// Returns the prefix of a call's name in an address. The name of a component or of an embedded stack holds its own word, as in
/// `component.net`, which no name that is declared can.
pub fn call_prefix(name: &str) -> &'static str {
    let word = name.split_once('.').map(|(word, _)| word);
    if word.is_some_and(|word| STACK_CALLS.contains(&word)) { "" } else { "module." }
}

/// An instance of a module: the name of each call on the way, with its key if the call is repeated.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ModuleInstance(pub Vec<(Arc<str>, Option<Key>)>);

impl ModuleInstance {
    /// The instance inside this one behind the call `name`.
    #[must_use]
    pub fn child(&self, name: impl Into<Arc<str>>, key: Option<Key>) -> ModuleInstance {
        let mut steps = self.0.clone();
        steps.push((name.into(), key));
        ModuleInstance(steps)
    }

    /// The module without the keys.
    pub fn path(&self) -> ModulePath {
        ModulePath(self.0.iter().map(|(name, _)| name.clone()).collect())
    }
}

impl fmt::Display for ModuleInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, key)) in self.0.iter().enumerate() {
            let dot = if i == 0 { "" } else { "." };
            in_a_row(f, [dot, call_prefix(name), name])?;
            if let Some(key) = key {
                write!(f, "{key}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_print_and_nest() {
        let path = ModulePath::ROOT.child("a").child("b");
        assert_eq!(path.to_string(), "module.a.module.b");
        assert_eq!(ModulePath::ROOT.to_string(), "");
        assert_eq!(path.parent().map(|(p, n)| (p.to_string(), n)), Some(("module.a".into(), "b".into())));
        assert!(ModulePath::ROOT.child("a").contains(&path));
        assert_eq!(ModulePath::ROOT.child("stack.s").child("component.c").to_string(), "stack.s.component.c");
        assert_eq!(ModulePath::ROOT.child("a (./stack.x)").to_string(), "module.a (./stack.x)");
        let instance = ModuleInstance::default().child("a", Some(Key::Index(0))).child("b", None);
        assert_eq!(instance.to_string(), "module.a[0].module.b");
        assert_eq!(instance.path(), path);
    }
}
