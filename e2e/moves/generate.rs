//! Random cases: a tree of modules, a state, and statements, mostly such as Terraform takes.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use tf_phi::addr::{Held, Key, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use tf_phi::moves::{self, Declared, Endpoint, Repetition, Statement};

#[path = "../soundness/rng.rs"]
mod rng;
use rng::Rng;

const CALLS: &[&str] = &["m", "n"];
const NAMES: &[&str] = &["a", "b", "c"];
const ODD: &[&str] =
    &["a.b", "x\"y", "${z}", "%{w}", "p\\q", "ä", "[0]", "\u{200b}z", "\u{a0}", "$", "a\nb", "\u{1f600}"];
const KIND: &str = "terraform_data";

/// How a block is repeated, with its keys.
type Repeated = (Repetition, Vec<Option<Key>>);

/// What one module declares.
#[derive(Clone, Debug, Default)]
struct Module {
    resources: BTreeMap<&'static str, Repeated>,
    calls: BTreeMap<&'static str, Repeated>,
}

/// One case.
pub struct Case {
    modules: BTreeMap<ModulePath, Module>,
    pub state: Held,
    blocks: Vec<(ModulePath, Endpoint, Endpoint)>,
}

impl Case {
    pub fn new(seed: u64) -> Case {
        let mut rng = Rng::new(seed);
        // Few keys, so that addresses meet.
        let names = [Key::Name("k".into()), Key::Name((*rng.pick(ODD)).into())];
        let mut case = Case { modules: BTreeMap::new(), state: Held::default(), blocks: Vec::new() };
        case.module(&mut rng, &names, ModulePath::ROOT);
        case.fill(&mut rng, &names);
        let wanted = [1, 2, 2, 3, 3, 4, 5, 6, 8][rng.below(9)];
        // Most cases are to be planned; the others show what is refused.
        let careful = rng.chance(85);
        for _ in 0..wanted * 8 {
            if case.blocks.len() < wanted {
                case.block(&mut rng, &names, careful);
            }
        }
        case
    }

    fn module(&mut self, rng: &mut Rng, names: &[Key], path: ModulePath) {
        let mut module = Module::default();
        for name in NAMES {
            if rng.chance(55) {
                module.resources.insert(name, repeated(rng, names));
            }
        }
        for name in CALLS {
            if path.depth() < 3 && rng.chance([70, 35, 15][path.depth()]) {
                module.calls.insert(name, repeated(rng, names));
                self.module(rng, names, path.child(*name));
            }
        }
        self.modules.insert(path, module);
    }

    fn resource(&self, module: &ModulePath, resource: &ResourceAddr) -> Option<&Repeated> {
        let declared = &self.modules.get(module)?.resources;
        declared.get(&*resource.name).filter(|_| *resource == ResourceAddr::managed(KIND, &*resource.name))
    }

    pub fn statements(&self) -> Vec<Statement> {
        let new = |(scope, from, to): &(ModulePath, Endpoint, Endpoint)| {
            Statement::new(scope.clone(), from.clone(), to.clone()).unwrap()
        };
        self.blocks.iter().map(new).collect()
    }

    /// Objects in state: some that are declared, and some others.
    fn fill(&mut self, rng: &mut Rng, names: &[Key]) {
        let mut state = std::collections::BTreeSet::new();
        let share = rng.below(60);
        for path in self.modules.keys() {
            for module in self.module_instances(path) {
                for (name, (_, keys)) in &self.modules[path].resources {
                    for key in keys {
                        if rng.chance(share) {
                            let resource = ResourceAddr::managed(KIND, *name);
                            state.insert(ObjectAddr { module: module.clone(), resource, key: key.clone() });
                        }
                    }
                }
            }
        }
        for _ in 0..rng.below(8) {
            let module = some_module(rng, names);
            for _ in 0..=rng.below(3) {
                let resource = ResourceAddr::managed(KIND, *rng.pick(NAMES));
                state.insert(ObjectAddr { module: module.clone(), resource, key: some_key(rng, names) });
            }
        }
        // What an apply that failed leaves behind: declared or not, in a module of its own or not.
        let full = |module: &ModuleInstance, resource: &ResourceAddr| {
            state.iter().any(|o| o.module == *module && o.resource == *resource)
        };
        let mut husks = std::collections::BTreeSet::new();
        for _ in 0..[0, 0, 1, 2, 4][rng.below(5)] {
            let module = some_module(rng, names);
            let resource = ResourceAddr::managed(KIND, *rng.pick(NAMES));
            if !full(&module, &resource) {
                husks.insert((module, resource));
            }
        }
        self.state = Held { objects: state.into_iter().collect(), husks: husks.into_iter().collect() };
    }

    /// Tries to add one `moved` block.
    fn block(&mut self, rng: &mut Rng, names: &[Key], careful: bool) {
        let scopes: Vec<&ModulePath> = self.modules.keys().collect();
        let scope = if rng.chance(60) { ModulePath::ROOT } else { (*rng.pick(&scopes)).clone() };
        let of_module = rng.chance(40);
        let from = self.end(rng, names, &scope, of_module, true);
        let to = match rng.chance(35) {
            true => varied(rng, names, &from),
            false => self.end(rng, names, &scope, of_module, false),
        };
        if Statement::new(scope.clone(), from.clone(), to.clone()).is_none() {
            return;
        }
        self.blocks.push((scope, from, to));
        let also_cycles = rng.chance(90);
        if careful {
            let mut statements = self.statements();
            statements.extend(moves::implied(&self.state, &statements, &*self));
            let cycle = |r: &moves::Refusal| matches!(r, moves::Refusal::Cycle { .. });
            if moves::refusals(&statements, &*self).iter().any(|r| also_cycles || !cycle(r)) {
                self.blocks.pop();
            }
        }
    }

    /// An address seen from a module: of an object in state or of a declared one, of another statement, or any.
    fn end(
        &self,
        rng: &mut Rng,
        names: &[Key],
        scope: &ModulePath,
        of_module: bool,
        is_from: bool,
    ) -> Endpoint {
        let others: Vec<&Endpoint> =
            self.blocks.iter().filter(|b| b.0 == *scope).map(|b| if is_from { &b.2 } else { &b.1 }).collect();
        if !others.is_empty() && rng.chance(30) {
            return (*rng.pick(&others)).clone();
        }
        let inside = |object: &&ObjectAddr| scope.contains(&object.module.path());
        let mut known: Vec<ObjectAddr> = Vec::new();
        if is_from {
            known.extend(self.state.objects.iter().filter(inside).cloned());
        } else {
            for path in self.modules.keys().filter(|path| scope.contains(path)) {
                for module in self.module_instances(path) {
                    for (name, (_, keys)) in &self.modules[path].resources {
                        let resource = ResourceAddr::managed(KIND, *name);
                        known.extend(keys.iter().map(|key| ObjectAddr {
                            module: module.clone(),
                            resource: resource.clone(),
                            key: key.clone(),
                        }));
                    }
                }
            }
        }
        let object = match known.is_empty() || rng.chance(20) {
            true => ObjectAddr {
                module: ModuleInstance(
                    scope
                        .0
                        .iter()
                        .map(|call| (call.name.clone(), None))
                        .chain(some_module(rng, names).0)
                        .collect(),
                ),
                resource: ResourceAddr::managed(KIND, *rng.pick(NAMES)),
                key: some_key(rng, names),
            },
            false => rng.pick(&known).clone(),
        };
        let mut module = ModuleInstance(object.module.0.into_iter().skip(scope.depth()).collect());
        let whole = rng.chance(50);
        if !of_module {
            let key = if whole { None } else { object.key };
            return Endpoint { module, resource: Some((object.resource, key)) };
        }
        if module.0.is_empty() {
            module = module.child(*rng.pick(CALLS), some_key(rng, names));
        }
        module.0.truncate(1 + rng.below(module.0.len()));
        if whole && let Some((_, key)) = module.0.last_mut() {
            *key = None;
        }
        Endpoint { module, resource: None }
    }

    /// The text of each module.
    pub fn files(&self) -> BTreeMap<ModulePath, String> {
        let mut out = BTreeMap::new();
        for (path, module) in &self.modules {
            let mut text = String::new();
            for (name, how) in &module.resources {
                writeln!(text, "resource \"{KIND}\" \"{name}\" {{\n{}}}", repetition(how)).unwrap();
            }
            for (name, how) in &module.calls {
                let up = if path.is_root() { "./" } else { "../" };
                let dir = path.child(*name).dotted().replace('.', "_");
                writeln!(text, "module \"{name}\" {{\n  source = \"{up}{dir}\"\n{}}}", repetition(how))
                    .unwrap();
            }
            for (_, from, to) in self.blocks.iter().filter(|(scope, ..)| scope == path) {
                writeln!(text, "moved {{\n  from = {}\n  to = {}\n}}", shown(from), shown(to)).unwrap();
            }
            out.insert(path.clone(), text);
        }
        out
    }
}

impl Declared for Case {
    fn repetition(&self, module: &ModulePath, resource: &ResourceAddr) -> Option<Repetition> {
        Some(self.resource(module, resource)?.0)
    }

    fn has_module_instance(&self, module: &ModuleInstance) -> bool {
        self.module_instances(&module.path()).contains(module)
    }

    fn has_call(&self, module: &ModuleInstance, name: &str) -> bool {
        self.has_module_instance(module) && self.modules[&module.path()].calls.contains_key(name)
    }

    fn has_resource(&self, module: &ModuleInstance, resource: &ResourceAddr) -> bool {
        self.has_module_instance(module) && self.resource(&module.path(), resource).is_some()
    }

    fn has_instance(&self, object: &ObjectAddr) -> bool {
        let keys = self.resource(&object.module.path(), &object.resource).map(|(_, keys)| keys);
        self.has_module_instance(&object.module) && keys.is_some_and(|keys| keys.contains(&object.key))
    }

    fn module_instances(&self, module: &ModulePath) -> Vec<ModuleInstance> {
        let Some((above, call)) = module.parent() else { return vec![ModuleInstance::default()] };
        let calls = self.modules.get(&above).map(|above| &above.calls);
        let Some((_, keys)) = calls.and_then(|calls| calls.get(&*call.name)) else { return Vec::new() };
        let name = &call.name;
        let of = |above: ModuleInstance| keys.iter().map(move |key| above.child(name.clone(), key.clone()));
        self.module_instances(&above).into_iter().flat_map(of).collect()
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for object in &self.state.objects {
            writeln!(f, "in state: {object}")?;
        }
        for (module, resource) in &self.state.husks {
            writeln!(f, "a husk in state: {module} {resource}")?;
        }
        for (path, text) in self.files() {
            writeln!(f, "--- {path}\n{text}")?;
        }
        Ok(())
    }
}

fn repeated(rng: &mut Rng, names: &[Key]) -> Repeated {
    match rng.below(5) {
        0 | 1 => (Repetition::Single, vec![None]),
        2 | 3 => (Repetition::Count, (0..[0, 1, 1, 2][rng.below(4)]).map(|n| Some(Key::Index(n))).collect()),
        _ => {
            let keys = names.iter().filter(|_| rng.chance(65)).cloned().map(Some);
            (Repetition::ForEach, keys.collect())
        }
    }
}

fn some_key(rng: &mut Rng, names: &[Key]) -> Option<Key> {
    match rng.below(6) {
        0..=2 => None,
        3 => Some(Key::Index(0)),
        4 => Some(Key::Index(1)),
        _ => Some(rng.pick(names).clone()),
    }
}

fn some_module(rng: &mut Rng, names: &[Key]) -> ModuleInstance {
    let mut module = ModuleInstance::default();
    for _ in 0..[0, 0, 1, 1, 1, 2, 2, 3][rng.below(8)] {
        module = module.child(*rng.pick(CALLS), some_key(rng, names));
    }
    module
}

/// The address with another key or another name.
fn varied(rng: &mut Rng, names: &[Key], end: &Endpoint) -> Endpoint {
    let mut out = end.clone();
    let rename = rng.chance(40);
    if let Some((resource, key)) = &mut out.resource {
        if rename {
            *resource = ResourceAddr::managed(KIND, *rng.pick(NAMES));
        } else {
            *key = some_key(rng, names);
        }
    } else if let Some((name, key)) = out.module.0.last_mut() {
        if rename {
            *name = (*rng.pick(CALLS)).into();
        } else {
            *key = some_key(rng, names);
        }
    }
    out
}

fn repetition((repetition, keys): &Repeated) -> String {
    match repetition {
        Repetition::Single => String::new(),
        Repetition::Count => format!("  count = {}\n", keys.len()),
        Repetition::ForEach => {
            let quoted: Vec<String> = keys
                .iter()
                .flatten()
                .map(|key| key.to_string().trim_start_matches('[').trim_end_matches(']').to_owned())
                .collect();
            format!("  for_each = toset([{}])\n", quoted.join(", "))
        }
    }
}

fn shown(end: &Endpoint) -> String {
    let dot = if end.module.0.is_empty() || end.resource.is_none() { "" } else { "." };
    let resource = end.resource.as_ref().map(|(resource, key)| {
        format!("{resource}{}", key.as_ref().map(ToString::to_string).unwrap_or_default())
    });
    format!("{}{dot}{}", end.module, resource.unwrap_or_default())
}
