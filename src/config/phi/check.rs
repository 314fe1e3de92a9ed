//! Checks the names in `phi.hcl` against the configuration.

use super::{FieldDecl, PhiConfig, PinLabel, Specialize, UniverseDecl};
use crate::addr::{FieldAddr, Mode, ResourceAddr, Target};
use crate::config::nearest::question;
use crate::config::{Config, Module, Variable};
use crate::issue::{Code, Issue};
use crate::text::Place;
use crate::value::Type;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Names that nothing in the configuration answers to.
///
/// If a call can't be followed, because its source is an expression or it isn't installed, the module behind it is unknown, and
/// labels of resources aren't checked.
pub fn check(phi: &PhiConfig, config: &Config) -> Vec<Issue> {
    let mut issues = Vec::new();
    if let Some(backend) = phi.backend.as_ref().filter(|_| !config.is_stack() && config.root().is_some()) {
        let why = "It says where the deployments of a Stack have their states. A root module has its backend in a terraform block.";
        issues.push(Issue::error(Code::Config, "A backend for no Stack", why).at(backend.header()));
    }
    if let Some(root) = config.root() {
        for decl in phi.variables.values() {
            if let Some((variable, _)) =
                decl.name.split_once('.').and_then(|(v, rest)| Some((root.variables.get(v)?, rest)))
            {
                issues.extend(attribute(decl, variable));
            } else if decl.name.contains('.') {
                issues.extend(data(decl, config));
            } else if !root.variables.contains_key(&decl.name) {
                let why = format!("The root module declares no variable \"{}\".", decl.name);
                let names = root.variables.keys().take(looked_at(issues.len() < MOST_NEAR));
                issues.push(unknown("variable", &decl.name, why, decl.place, names));
            }
        }
    }
    if let Some(root) = config.root() {
        for (name, (_, place)) in phi.environments.iter().flat_map(|e| &e.variables) {
            if !root.variables.contains_key(name) {
                let why = format!("The root module declares no variable \"{name}\".");
                let names = root.variables.keys().take(looked_at(issues.len() < MOST_NEAR));
                issues.push(unknown("variable", name, why, *place, names));
            }
        }
    }
    let whole = is_whole(config);
    let declared = Declared::of(config);
    // What a deployment's folder has of a Stack's file was checked there, and the deployment may have less.
    let text = phi.source.and_then(|id| config.sources.get(id)).map_or("", |file| &file.text);
    let all = if text.starts_with(OF_DEPLOYMENT) { &[][..] } else { phi.specialize.as_slice() };
    for pin in all {
        // What is said of many is said of each, but the nearest name is looked for among all.
        let near = issues.len() < MOST_NEAR;
        issues.extend(label(pin, config, &declared, whole, near));
    }
    issues
}

/// The beginning of a file that tf-phi writes into the folder of a Stack's deployment.
pub const OF_DEPLOYMENT: &str = "# Written by tf-phi for the deployment ";

/// So many findings tell the nearest name.
const MOST_NEAR: usize = 64;

/// The number of names among which the nearest is looked for.
fn looked_at(near: bool) -> usize {
    if near { usize::MAX } else { 0 }
}

/// What resources there are in any module.
struct Declared<'c> {
    addresses: FxHashSet<&'c ResourceAddr>,
    kinds: BTreeSet<&'c str>,
}

impl Declared<'_> {
    fn of(config: &Config) -> Declared<'_> {
        let resources = || config.modules.iter().flat_map(|m| m.resources.keys());
        Declared { addresses: resources().collect(), kinds: resources().map(|r| &*r.kind).collect() }
    }
}

/// A label of a universe that names an attribute of a root variable, where its type has no such attribute.
fn attribute(decl: &UniverseDecl, variable: &Variable) -> Option<Issue> {
    let mut ty = &variable.ty;
    for step in decl.name.split('.').skip(1) {
        ty = match ty {
            Type::Object(attrs) => match attrs.attrs.get(step) {
                Some(found) => found,
                None => {
                    let why = format!("The type of var.{} has no attribute \"{step}\" there.", variable.name);
                    return Some(unknown("attribute", &decl.name, why, decl.place, attrs.attrs.keys()));
                }
            },
            Type::Map(of) => of,
            Type::Dynamic => return None,
            _ => {
                let why = format!("var.{} is no object there.", variable.name);
                return Some(unknown("attribute", &decl.name, why, decl.place, [""; 0]));
            }
        };
    }
    None
}

/// A label of a universe that is no variable's: the workspace, or the attribute of a data source.
fn data(decl: &UniverseDecl, config: &Config) -> Option<Issue> {
    if &*decl.name == "terraform.workspace" {
        return None;
    }
    let label = &decl.name;
    let fail = |why: String| {
        let summary = format!("\"{label}\" can't have a universe");
        Some(Issue::error(Code::Config, summary, why).at(decl.place))
    };
    let parsed: Option<FieldAddr> = label.parse().ok();
    let named = parsed.as_ref().and_then(|addr| match &addr.target {
        Target::Resource(r) if r.mode == Mode::Data && !addr.path.is_empty() => Some((addr, r)),
        _ => None,
    });
    let Some((addr, resource)) = named else {
        let why = "A universe is for a root variable, `terraform.workspace`, or an attribute of a data source: \
                   `data.TYPE.NAME.ATTRIBUTE`, behind the `module.NAME` of the calls that lead to it.";
        return fail(why.to_owned());
    };
    let Some(module) = config.at(&addr.module) else {
        return fail(format!("There is no module at \"{}\", or it can't be read.", addr.module));
    };
    match module.resources.get(resource) {
        None => {
            let why = format!("{} declares no {resource}.", shown(module));
            let sources = module.resources.keys().filter(|r| r.mode == Mode::Data);
            let names = sources.map(ToString::to_string);
            Some(unknown("data source", &resource.to_string(), why, decl.place, names))
        }
        Some(found) if found.count.is_some() || found.for_each.is_some() => {
            fail(format!("{resource} is repeated; each instance of it may give another value."))
        }
        Some(_) => None,
    }
}

pub(super) fn unknown(
    what: &str,
    name: &str,
    why: String,
    place: Place,
    names: impl IntoIterator<Item: AsRef<str>>,
) -> Issue {
    let names: Vec<_> = names.into_iter().collect();
    let why = why + &question(name, names.iter().map(AsRef::as_ref));
    Issue::error(Code::Config, format!("Unknown {what} \"{name}\""), why).at(place)
}

/// Returns true if every call was followed. Whether every call has its module.
pub(super) fn is_whole(config: &Config) -> bool {
    config.paths.iter().all(|(path, id)| {
        let calls = config.module(*id).into_iter().flat_map(|m| m.calls.keys());
        calls.into_iter().all(|name| config.child(path, name).is_some())
    })
}

fn label(pin: &Specialize, config: &Config, all: &Declared<'_>, whole: bool, near: bool) -> Vec<Issue> {
    match &pin.label {
        PinLabel::Type(kind) => {
            if !whole || all.kinds.contains(&**kind) {
                return Vec::new();
            }
            let why = format!("There is no resource of the type \"{kind}\" in this configuration.");
            let kinds = all.kinds.iter().copied().take(looked_at(near));
            vec![unknown("resource type", kind, why, pin.place, kinds)]
        }
        PinLabel::Resource(addr) => {
            if !whole || all.addresses.contains(addr) {
                return Vec::new();
            }
            let why = format!("No module of this configuration declares {addr}.");
            let names: BTreeSet<String> =
                all.addresses.iter().take(looked_at(near)).map(ToString::to_string).collect();
            vec![unknown("resource", &addr.to_string(), why, pin.place, names)]
        }
        PinLabel::Address(addr) => address(pin, addr, config, whole),
    }
}

fn address(pin: &Specialize, addr: &FieldAddr, config: &Config, whole: bool) -> Vec<Issue> {
    let Some(module) = config.at(&addr.module) else {
        if !whole {
            return Vec::new();
        }
        let why = format!("There is no module at \"{}\".", addr.module);
        let names = config.paths.keys().map(ToString::to_string);
        return vec![unknown("module", &addr.module.to_string(), why, pin.place, names)];
    };
    match &addr.target {
        Target::Resource(r) if module.resources.contains_key(r) => Vec::new(),
        Target::Call(name) if module.call(name).is_some() => arguments(pin, addr, &name.name, config),
        _ => {
            let why = format!("{} declares no such thing.", shown(module));
            vec![unknown("address", &addr.to_string(), why, pin.place, declared(module, addr))]
        }
    }
}

/// Returns an issue for each field of a call that isn't a variable of its module.
fn arguments(pin: &Specialize, addr: &FieldAddr, call: &str, config: &Config) -> Vec<Issue> {
    const META: [&str; 2] = ["source", "version"];
    let Some(module) = config.child(&addr.module, call) else { return Vec::new() };
    let mut issues = Vec::new();
    for FieldDecl { field, place, .. } in &pin.fields {
        let Some(name) = field.0.first() else { continue };
        if !module.variables.contains_key(name) && !META.contains(&&**name) {
            let why = format!("The module behind \"{addr}\" declares no variable \"{name}\".");
            issues.push(unknown("argument", name, why, *place, module.variables.keys()));
        }
    }
    issues
}

fn shown(module: &Module) -> String {
    format!("The module in {}", crate::config::paths::shown(&module.dir))
}

/// Whole addresses of what could have been meant.
fn declared(module: &Module, addr: &FieldAddr) -> Vec<String> {
    let prefix = addr.module.to_string();
    let whole = |rest: String| if prefix.is_empty() { rest } else { format!("{prefix}.{rest}") };
    let calls = module.calls.keys().map(|n| whole(format!("module.{n}")));
    calls.chain(module.resources.keys().map(|r| whole(r.to_string()))).collect()
}
