//! Statements: `moved` blocks, and the moves that Terraform implies.

use super::{Named, Subject};
use crate::addr::{self, AddrError, Key, ModuleInstance, ModulePath, ResourceAddr};
use std::fmt;
use std::str::FromStr;

/// An address as a `moved` block writes it, seen from the module that holds the block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Endpoint {
    /// The module steps.
    pub module: ModuleInstance,
    /// The resource with its key; nothing where a module is meant.
    pub resource: Option<(ResourceAddr, Option<Key>)>,
}

impl FromStr for Endpoint {
    type Err = AddrError;

    fn from_str(text: &str) -> Result<Endpoint, AddrError> {
        let (module, resource) = addr::read(text)?;
        Ok(Endpoint { module, resource })
    }
}

/// The kind of address that an endpoint is by itself. The more exact one of two endpoints counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Call,
    Module,
    Resource,
    Instance,
}

impl Endpoint {
    fn kind(&self) -> Kind {
        match (&self.resource, self.module.0.last()) {
            (Some((_, Some(_))), _) => Kind::Instance,
            (Some((_, None)), _) => Kind::Resource,
            (None, Some((_, None))) => Kind::Call,
            (None, _) => Kind::Module,
        }
    }

    /// Returns the endpoint as a subject of that kind, if it can be one.
    fn subject(self, kind: Kind) -> Option<Subject> {
        let mut module = self.module;
        let named = match (self.resource, kind) {
            (None, Kind::Call) => Named::Call(module.0.pop()?.0),
            (None, Kind::Module) => Named::Module,
            (Some((resource, _)), Kind::Resource) => Named::Resource(resource),
            (Some((resource, key)), Kind::Instance) => Named::Instance(resource, key),
            _ => return None,
        };
        Some(Subject { named, module })
    }
}

/// A move from one address to another, in every instance of the module that declares it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Statement {
    /// The module that declares it.
    pub scope: ModulePath,
    /// The origin of the move.
    pub from: Subject,
    /// The destination of the move. Like `from` it is a module or a resource, and equally exact, except that a call
    /// may become an instance.
    pub to: Subject,
    /// True if Terraform adds the statement by itself, for a resource whose `count` came or went.
    pub implied: bool,
}

impl Statement {
    /// Returns the meaning of a `moved` block (`internal/addrs`, Terraform 1.11). A key at either end makes both ends
    /// single instances; otherwise all instances move with their keys. `None` if one end is a module and the other a
    /// resource.
    pub fn new(scope: ModulePath, from: Endpoint, to: Endpoint) -> Option<Statement> {
        let kind = from.kind().max(to.kind());
        Some(Statement { scope, from: from.subject(kind)?, to: to.subject(kind)?, implied: false })
    }

    /// Returns true if a module keeps its names on the whole path and changes keys alone.
    pub(super) fn only_rekeys(&self) -> bool {
        let ends = [&self.from, &self.to];
        ends.iter().all(|end| end.named == Named::Module) && self.from.module.path() == self.to.module.path()
    }
}

/// Both ends with `[*]` where any key fits, as Terraform names them in its message on cycles.
impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |f: &mut fmt::Formatter<'_>, subject: &Subject| {
            self.scope.0.iter().try_for_each(|name| write!(f, "module.{name}[*]."))?;
            let all = matches!(subject.named, Named::Call(_) | Named::Resource(_));
            write!(f, "{subject}{}", if all { "[*]" } else { "" })
        };
        end(f, &self.from)?;
        f.write_str(" → ")?;
        end(f, &self.to)
    }
}
