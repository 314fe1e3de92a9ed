//! Modules that call nothing themselves, which most are: several of them are put together at once.
//!
//! Input: calls in their order. Invariant: files and modules are numbered, and issues told, as if one call had been
//! followed after the other. Deliberately absent: whatever takes a decision. A call that isn't plain is left to the walk.

use super::folder;
use super::walk::Walk;
use crate::addr::ModulePath;
use crate::config::module_source::is_local;
use crate::config::{Call, Module, ModuleId, Origin, Role, build, paths};
use crate::host::threads;
use std::path::PathBuf;
use std::sync::Arc;

impl Walk<'_> {
    /// Follows as many of the first calls of the module at `parent` as lead to folders that were read ahead without
    /// any fault, and from which nothing is called. Gives how many these were.
    pub(super) fn leaves(&mut self, parent: &ModulePath, calls: &[(Arc<str>, Call)]) -> usize {
        let mut made: Vec<(ModulePath, Module)> = Vec::new();
        for (name, call) in calls {
            let Some(dir) = self.leaf(parent, name, call) else { break };
            let Some(Ok(parsed)) = self.ahead.remove(&dir) else { break };
            let (files, issues) = folder::enter(parsed, &mut self.config.sources);
            self.issues.extend(issues);
            let at = self.config.modules.len() + made.len();
            let id = ModuleId(u32::try_from(at).unwrap_or(u32::MAX));
            let module = Module { files, ..Module::empty(id, dir, Origin::Local) };
            made.push((parent.child(name.clone()), module));
        }
        let (sources, tofu) = (&self.config.sources, self.config.tofu);
        let built = threads::map(made, |(path, mut module)| {
            let issues = build::build(&mut module, sources, tofu);
            (path, module, issues)
        });
        let mut entered = Vec::with_capacity(built.len());
        for (path, module, issues) in built {
            self.issues.extend(issues);
            self.by_dir.insert((module.dir.clone(), Role::Module), Some(module.id));
            entered.push((path, module.id));
            self.config.modules.push(module);
        }
        let done = entered.len();
        entered.into_iter().for_each(|(path, id)| self.enter(path, id));
        done
    }

    /// The folder of a call that can be followed so.
    fn leaf(&self, parent: &ModulePath, name: &Arc<str>, call: &Call) -> Option<PathBuf> {
        let source = call.source_text().filter(|s| is_local(s))?;
        let dir = paths::join(&self.config.at(parent)?.dir, source.replace('\\', "/"));
        if self.find_other_folder(parent, &parent.child(name.clone()), source, &dir).is_some() {
            return None;
        }
        let files = self.ahead.get(&dir)?.as_ref().ok().filter(|files| !files.is_empty())?;
        let plain =
            files.iter().all(|f| f.body().is_some_and(|b| b.blocks().all(|b| &*b.kind.text != "module")));
        if Role::of_call(&call.name) != Role::Module || !plain || self.is_above(parent, &dir, Role::Module) {
            return None;
        }
        let at = (dir, Role::Module);
        (!self.by_dir.contains_key(&at)).then_some(at.0)
    }
}
