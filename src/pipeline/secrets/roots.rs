//! What expressions can name: variables, locals, outputs, calls and resources, each with a number.

use super::route::{EACH, Route};
use crate::addr::{Mode, ModulePath, ResourceAddr, Target};
use crate::config::{Config, Module};
use crate::value::Type;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Something that has a name in a module.
pub(super) type Root = (usize, Target);

/// The roots that were named or defined so far.
pub(super) struct Roots<'c> {
    /// The modules by number, with their paths.
    pub modules: Vec<(&'c ModulePath, &'c Module)>,
    /// The modules behind a call.
    children: FxHashMap<(usize, Arc<str>), Vec<usize>>,
    numbers: FxHashMap<Root, usize>,
    pub all: Vec<Root>,
    /// The edges that were looked at.
    pub work: usize,
}

/// The root that stands for what is written out in the `for_each` of a declaration. No local has such a name.
pub(super) fn written_out(target: &Target) -> Target {
    Target::Local(format!("(for_each of {target})").into())
}

/// More edges are not looked at.
const MOST_WORK: usize = 1 << 24;

impl<'c> Roots<'c> {
    pub fn of(config: &'c Config) -> Roots<'c> {
        let modules = config.paths.iter().filter_map(|(path, id)| Some((path, config.module(*id)?)));
        let modules: Vec<(&ModulePath, &Module)> = modules.collect();
        let at: BTreeMap<&ModulePath, usize> =
            modules.iter().enumerate().map(|(at, (path, _))| (*path, at)).collect();
        let mut children: FxHashMap<(usize, Arc<str>), Vec<usize>> = FxHashMap::default();
        for (own, (path, _)) in modules.iter().enumerate() {
            if let Some((parent, call)) = path.parent()
                && let Some(parent) = at.get(&parent)
            {
                children.entry((*parent, call.name.clone())).or_default().push(own);
            }
        }
        Roots { modules, children, numbers: FxHashMap::default(), all: Vec::new(), work: 0 }
    }

    /// The modules behind a call: one, or one for each source that the call chooses among.
    pub fn behind(&self, module: usize, call: &Arc<str>) -> &[usize] {
        self.children.get(&(module, call.clone())).map_or(&[], Vec::as_slice)
    }

    /// The number of a root.
    pub fn number(&mut self, module: usize, target: Target) -> usize {
        let root = (module, target);
        if let Some(number) = self.numbers.get(&root) {
            return *number;
        }
        let number = self.all.len();
        self.all.push(root.clone());
        self.numbers.insert(root, number);
        number
    }

    /// What a name with attributes stands for, where these are all of a declaration's name.
    pub fn named(&mut self, module: usize, first: &str, names: &[&Arc<str>]) -> Option<usize> {
        let resource = |mode, kind: &Arc<str>, name: &Arc<str>| {
            Target::Resource(ResourceAddr { mode, kind: kind.clone(), name: name.clone() })
        };
        let target = match (first, names) {
            ("var", [name]) => Target::Variable(Arc::clone(name)),
            ("local", [name]) => Target::Local(Arc::clone(name)),
            ("module", [name]) => Target::Call(Arc::clone(name).into()),
            ("data", [kind, name]) => resource(Mode::Data, kind, name),
            ("ephemeral", [kind, name]) => resource(Mode::Ephemeral, kind, name),
            (
                "var" | "local" | "module" | "data" | "ephemeral" | "each" | "count" | "path" | "terraform",
                _,
            ) => {
                return None;
            }
            (kind, [name]) => resource(Mode::Managed, &kind.into(), name),
            _ => return None,
        };
        Some(self.number(module, target))
    }

    /// Returns true if a part of a variable is declared to be a set.
    pub fn is_set(&self, root: usize, route: &[Arc<str>]) -> bool {
        let Some((module, Target::Variable(name))) = self.all.get(root) else { return false };
        let Some((_, module)) = self.modules.get(*module) else { return false };
        let Some(variable) = module.variables.get(name) else { return false };
        let mut ty = &variable.ty;
        for step in route {
            ty = match ty {
                Type::List(of) | Type::Set(of) | Type::Map(of) => of,
                Type::Object(object) => match object.attrs.get(step) {
                    Some(of) => of,
                    None => return false,
                },
                _ => return false,
            };
        }
        matches!(ty, Type::Set(_))
    }

    /// The first steps of what a call or a resource gives: one more where it is repeated.
    pub fn instances(&self, module: usize, target: &Target) -> Route {
        let repeated = self
            .modules
            .get(module)
            .is_some_and(|(_, module)| !crate::trace::Repetition::of(module, target).is_none());
        if repeated { vec![EACH.into()] } else { Route::new() }
    }

    /// Returns true if too much was looked at to go on.
    pub fn is_spent(&self) -> bool {
        self.work > MOST_WORK
    }
}
