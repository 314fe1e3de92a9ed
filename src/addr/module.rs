//! Modules in the tree of calls, without and with instance keys.

use super::{Key, in_a_row};
use std::fmt;
use std::sync::Arc;

/// The name of a call in the tree of modules. Where an expression chooses the call's `source`, each source is a module of its
/// own, and stands there under the call's name with this source.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CallName {
    /// The name in the configuration.
    pub name: Arc<str>,
    /// The source, if an expression chooses among several and this is one of them.
    pub source: Option<Arc<str>>,
}

impl CallName {
    /// Returns the name of the call `name` with one of the sources that its expression chooses among.
    pub fn by_source(name: impl Into<Arc<str>>, source: impl Into<Arc<str>>) -> CallName {
        CallName { name: name.into(), source: Some(source.into()) }
    }

    /// Returns the name without the source.
    #[must_use]
    pub fn plain(&self) -> CallName {
        CallName { name: self.name.clone(), source: None }
    }
}

impl<T: Into<Arc<str>>> From<T> for CallName {
    fn from(name: T) -> CallName {
        CallName { name: name.into(), source: None }
    }
}

impl fmt::Display for CallName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.source.as_ref().map_or(Ok(()), |source| in_a_row(f, [" (", source, ")"]))
    }
}

/// The names of the calls from the root to a module; empty for the root.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ModulePath(pub Vec<CallName>);

impl ModulePath {
    /// The root module.
    pub const ROOT: ModulePath = ModulePath(Vec::new());

    /// Returns true for the root module.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The module behind the call `name` in this one.
    #[must_use]
    pub fn child(&self, name: impl Into<CallName>) -> ModulePath {
        let mut names = self.0.clone();
        names.push(name.into());
        ModulePath(names)
    }

    /// The calling module and the call's name; nothing for the root.
    pub fn parent(&self) -> Option<(ModulePath, CallName)> {
        let (last, rest) = self.0.split_last()?;
        Some((ModulePath(rest.to_vec()), last.clone()))
    }

    /// Returns the path to each module on the way, from the outside in, this one included; not the root.
    pub fn list_prefixes(&self) -> Vec<ModulePath> {
        (1..=self.0.len()).map(|depth| ModulePath(self.0.iter().take(depth).cloned().collect())).collect()
    }

    /// Returns true if a source was chosen for a call on the path.
    pub fn is_by_source(&self) -> bool {
        self.0.iter().any(|call| call.source.is_some())
    }

    /// Returns the calls on the path for which a source was chosen: the calling module, and the name on the path.
    pub fn by_sources(&self) -> impl Iterator<Item = (ModulePath, &CallName)> {
        let above = |at: usize| ModulePath(self.0.iter().take(at).cloned().collect());
        let found = self.0.iter().enumerate().filter(|(_, call)| call.source.is_some());
        found.map(move |(at, call)| (above(at), call))
    }

    /// Returns the address of what a module declares under an address of its own.
    pub fn address_of(&self, own: impl fmt::Display) -> String {
        if self.is_root() { own.to_string() } else { format!("{self}.{own}") }
    }

    /// Returns Terraform's own path, without the sources that were chosen.
    #[must_use]
    pub fn plain(&self) -> ModulePath {
        ModulePath(self.0.iter().map(CallName::plain).collect())
    }

    /// Returns the names with dots between them, as `.terraform/modules/modules.json` has them.
    pub fn dotted(&self) -> String {
        let names: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        names.join(".")
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
        for (i, call) in self.0.iter().enumerate() {
            let dot = if i == 0 { "" } else { "." };
            in_a_row(f, [dot, call_prefix(&call.name)])?;
            fmt::Display::fmt(call, f)?;
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
        ModulePath(self.0.iter().map(|(name, _)| name.clone().into()).collect())
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
        assert_eq!(
            ModulePath::ROOT.child(CallName::by_source("a", "./stack.x")).to_string(),
            "module.a (./stack.x)"
        );
        let instance = ModuleInstance::default().child("a", Some(Key::Index(0))).child("b", None);
        assert_eq!(instance.to_string(), "module.a[0].module.b");
        assert_eq!(instance.path(), path);
    }
}
