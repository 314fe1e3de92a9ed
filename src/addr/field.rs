//! Fields: a declaration and a path into it.

use super::{CallName, ModulePath, ResourceAddr, call_prefix, in_a_row};
use std::fmt;
use std::sync::Arc;

/// A declaration within a module.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A resource or data source.
    Resource(ResourceAddr),
    /// A module call.
    Call(CallName),
    /// `output`
    Output(Arc<str>),
    /// `local`
    Local(Arc<str>),
    /// `variable`
    Variable(Arc<str>),
    /// A provider's configuration: its local name, with `.` and the alias where it has one.
    Provider(Arc<str>),
    /// A block that has no address of Terraform's own, by the name under which reports tell of it: `check.health`, `import.aws_vpc.main`.
    Block(Arc<str>),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Resource(r) => fmt::Display::fmt(r, f),
            Target::Call(call) => {
                f.write_str(call_prefix(&call.name)).and_then(|()| fmt::Display::fmt(call, f))
            }
            Target::Output(name) => in_a_row(f, ["output.", name]),
            Target::Local(name) => in_a_row(f, ["local.", name]),
            Target::Variable(name) => in_a_row(f, ["var.", name]),
            Target::Provider(name) => in_a_row(f, ["provider.", name]),
            Target::Block(name) => f.write_str(name),
        }
    }
}

/// Names from an outer to an inner attribute or nested block: `storage.size`. Empty for the whole declaration.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FieldPath(pub Vec<Arc<str>>);

impl FieldPath {
    /// A path from `a.b.c`; empty parts are dropped.
    pub fn from_text(text: &str) -> FieldPath {
        FieldPath(text.split('.').filter(|p| !p.is_empty()).map(Arc::from).collect())
    }

    /// Returns true if the path is empty: it names the whole declaration.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if it is what says how many objects a declaration has: `count`, `for_each`, or OpenTofu's `enabled`.
    pub fn says_how_often(&self) -> bool {
        match self.0.as_slice() {
            [name] => matches!(&**name, "count" | "for_each"),
            [block, name] => (&**block, &**name) == ("lifecycle", "enabled"),
            _ => false,
        }
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

/// A field of a declaration in a module of the tree.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FieldAddr {
    /// The module in which the declaration stands.
    pub module: ModulePath,
    /// The declaration.
    pub target: Target,
    /// The path into it.
    pub path: FieldPath,
}

impl fmt::Display for FieldAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.module.is_root() {
            fmt::Display::fmt(&self.module, f)?;
            f.write_str(".")?;
        }
        fmt::Display::fmt(&self.local(), f)
    }
}

impl FieldAddr {
    /// Returns the field with Terraform's own module path, without the sources that were chosen.
    #[must_use]
    pub fn plain(&self) -> FieldAddr {
        FieldAddr { module: self.module.plain(), ..self.clone() }
    }

    /// Returns the field as the module that holds it would name it.
    pub fn local(&self) -> impl fmt::Display + '_ {
        fmt::from_fn(|f| {
            fmt::Display::fmt(&self.target, f)?;
            self.path.0.iter().try_for_each(|name| in_a_row(f, [".", name]))
        })
    }
}
