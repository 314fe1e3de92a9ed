//! The contents of `phi.hcl` as data.

use super::{Connectivity, Environment, Posture};
use crate::addr::{FieldAddr, FieldPath, Mode, ResourceAddr, Target};
use crate::config::In;
use crate::config::nearest::question;
use crate::issue::{Code, Issue};
use crate::syntax::Block;
use crate::text::{Place, SourceId};
use crate::value::{Number, Value};
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A string of the file and where it stands.
pub type Placed<T> = (T, Place);

/// The contents of `phi.hcl`.
#[derive(Clone, Debug, Default)]
pub struct PhiConfig {
    /// The file; nothing where there is none.
    pub source: Option<SourceId>,
    /// `settings`
    pub settings: Settings,
    /// `environment` blocks in source order.
    pub environments: Vec<EnvironmentDecl>,
    /// `specialize` blocks in source order.
    pub specialize: Vec<Specialize>,
    /// `variable` blocks by name: a variable, `terraform.workspace`, or the attribute of a data source.
    pub variables: BTreeMap<Arc<str>, UniverseDecl>,
    /// `backend`: where the deployments of a Stack have their states.
    pub backend: Option<In<Block>>,
    /// `form_factor` blocks by name.
    pub form_factors: BTreeMap<Arc<str>, FormFactor>,
    /// `service` blocks by name.
    pub services: BTreeMap<Arc<str>, Service>,
}

/// `settings`
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of branches that a trace may have.
    pub branches: usize,
    /// The number of module boundaries that a trace may cross.
    pub depth: usize,
    /// Paths or patterns of variable files, relative to the root module; without these, those below the root count.
    pub environments: Option<Vec<Placed<String>>>,
    /// Paths or patterns of variable files that are laid below those of every environment.
    pub common: Vec<Placed<String>>,
    /// The binary, as a name or a path.
    pub terraform: Option<String>,
    /// True if what was written stays after the plan.
    pub keep: bool,
    /// True if driven fields become copies; else meta-arguments become this run's values for its time.
    pub copies: bool,
    /// The form factor that is on unless the command line or the environment names another.
    pub form_factor: Option<Placed<String>>,
    /// Patterns of folders, relative to the root module, whose modules are edited in place.
    pub edit: Vec<Placed<String>>,
    /// True if a file of a copy that another file equals is a symbolic link to that one.
    pub links: bool,
    /// True if what is only worth knowing blocks, too.
    pub strict: bool,
}

impl Settings {
    /// Returns true if what a run wrote stays.
    pub fn keeps(&self) -> bool {
        self.keep && self.copies
    }

    /// Returns true if the tree is one for OpenTofu, whatever the machine has.
    pub fn is_for_tofu(&self) -> bool {
        self.terraform.as_deref().is_some_and(|name| name.starts_with("tofu"))
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            branches: 16,
            depth: 20,
            environments: None,
            common: Vec::new(),
            terraform: None,
            keep: true,
            copies: true,
            form_factor: None,
            edit: Vec::new(),
            links: true,
            strict: false,
        }
    }
}

/// The label of a `specialize` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PinLabel {
    /// Every resource of a type.
    Type(Arc<str>),
    /// A resource of that type and name, in whatever module.
    Resource(ResourceAddr),
    /// A declaration at one place in the tree, without a field path: a resource, or a call for its arguments.
    Address(FieldAddr),
}

/// The place at which a driven field is split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitAt {
    /// At the module call whose scope holds the condition.
    Call,
    /// At the resource, or the call, that has the field; its module is copied once.
    Resource,
}

impl SplitAt {
    /// The names in `phi.hcl`.
    pub const NAMES: [(&'static str, SplitAt); 2] =
        [("call", SplitAt::Call), ("resource", SplitAt::Resource)];
}

/// `specialize`: a pin.
#[derive(Clone, Debug)]
pub struct Specialize {
    /// Its label.
    pub label: PinLabel,
    /// The place of the label.
    pub place: Place,
    /// The fields, in source order: the names in `fields`, then the `field` blocks.
    pub fields: Vec<FieldDecl>,
    /// The place at which it is split, if that is given.
    pub at: Option<SplitAt>,
    /// True if the fields become copies where others don't.
    pub copies: bool,
}

/// `environment`: a named assignment of the root variables.
#[derive(Clone, Debug)]
pub struct EnvironmentDecl {
    /// The name.
    pub name: Arc<str>,
    /// The place of its block.
    pub place: Place,
    /// The workspace.
    pub workspace: Option<Placed<String>>,
    /// Variable files, relative to the root module, from weak to strong.
    pub var_files: Vec<Placed<String>>,
    /// Values that go before those of the files.
    pub variables: BTreeMap<Arc<str>, Placed<Value>>,
}

/// `variable`: the values that a root variable may take, or the bins for its numbers; at least one of the two.
#[derive(Clone, Debug)]
pub struct UniverseDecl {
    /// The variable, or what else is listed under that label.
    pub name: Arc<str>,
    /// The place of its name.
    pub place: Place,
    /// The values with their places, each once, in source order; never empty.
    pub universe: Option<Vec<Placed<Value>>>,
    /// Upper bounds that a number is rounded up to, ascending.
    pub bins: Option<Vec<Placed<Number>>>,
}

/// `form_factor`
#[derive(Clone, Debug)]
pub struct FormFactor {
    /// The name.
    pub name: Arc<str>,
    /// `environment`: where it is.
    pub environment: Option<Environment>,
    /// `connectivity`: whether there is a way out.
    pub connectivity: Option<Connectivity>,
    /// `posture`: what pods have to be content with.
    pub posture: Option<(Posture, Place)>,
    /// `providers`: those that are reached there, in place of the environment's.
    pub providers: Option<Vec<Placed<String>>>,
    /// `drops`: types of resources and data sources that go without anything in their place; or `module:` and the source of calls.
    pub drops: Vec<Placed<Arc<str>>>,
    /// `mirror`: the registry that everything comes from; as an input of that name.
    pub mirror: Option<(Arc<str>, Placed<Value>)>,
    /// Names of services, all of them declared or coming with the program.
    pub services: Vec<Placed<Arc<str>>>,
    /// `inputs` blocks: what a service's template gets besides, by the name in `services`.
    pub inputs: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Placed<Value>>>,
}

impl FormFactor {
    /// Returns the further arguments that the form factor passes to a service's template.
    pub fn inputs_of(&self, service: &Service) -> impl Iterator<Item = (&Arc<str>, &Placed<Value>)> {
        let own = self.inputs.get(&service.group);
        let said = move |name: &Arc<str>| own.is_some_and(|all| all.contains_key(name));
        let mirror =
            self.mirror.iter().map(|(name, value)| (name, value)).filter(move |(name, _)| !said(name));
        own.into_iter().flatten().chain(mirror)
    }
}

/// `service`: a template that stands in for a resource type of the origin stack.
#[derive(Clone, Debug)]
pub struct Service {
    /// The name.
    pub name: Arc<str>,
    /// The place of its block.
    pub place: Place,
    /// The resource type it replaces; or `module:` and the source of the calls that it replaces.
    pub replaces: Placed<Arc<str>>,
    /// Arguments that a resource must have for the service to apply.
    pub when: BTreeMap<Arc<str>, Placed<Value>>,
    /// The template's folder, relative to the root module.
    pub module: Placed<String>,
    /// The fields that are driven.
    pub fields: Vec<FieldDecl>,
    /// The outputs of the template, by attribute of the replaced resource.
    pub outputs: BTreeMap<Arc<str>, Placed<Arc<str>>>,
    /// Arguments and blocks of the resource that the template is known to do without, and why where that is said.
    pub ignores: BTreeMap<Arc<str>, Option<Arc<str>>>,
    /// Arguments and blocks that a resource must not have, and why.
    pub refuses: BTreeMap<Arc<str>, Arc<str>>,
    /// Resource types that go with what is replaced, unless something that stays uses them; and why. Or `module:` and the source of
    /// calls.
    pub drops: BTreeMap<Arc<str>, Arc<str>>,
    /// Resource types that become an argument of the call, by how they name what is replaced.
    pub merges: BTreeMap<Arc<str>, Merge>,
    /// Charts that its modules install, as `REPOSITORY/CHART:VERSION`.
    pub charts: Vec<String>,
    /// Images that its modules run.
    pub images: Vec<String>,
    /// A module that the root module calls once, before any call of the template.
    pub operator: Option<Placed<String>>,
    /// The strictest posture under which its pods run; `None` if that isn't known.
    pub posture: Option<Posture>,
    /// The name in a form factor's `services` that switches it on.
    pub group: Arc<str>,
    /// The folder that it comes in with the program.
    pub embedded: Option<&'static str>,
}

/// `merge` in a `service`: a resource that becomes an argument of its owner's call.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The argument by which one of the two names the other.
    pub by: Arc<str>,
    /// True if it is an argument of the owner, which names the resource.
    pub named: bool,
    /// The variable of the template.
    pub into: Arc<str>,
    /// The place of its block.
    pub place: Place,
}

/// `field` in a `service` or a `specialize` block; there, a name in `fields` is one that says no more.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// The field of the resource.
    pub field: FieldPath,
    /// The place of its block.
    pub place: Place,
    /// The values it may take.
    pub universe: Option<Vec<Placed<Value>>>,
    /// Upper bounds that a number is rounded up to, ascending.
    pub bins: Option<Vec<Placed<Number>>>,
    /// A pattern of further values that a template can do, which a variable without values of its own doesn't take.
    pub accepts: Option<Regex>,
    /// Why a template can do no other value, and what to do.
    pub otherwise: Option<Arc<str>>,
}

impl Service {
    /// The prefix of a module call's source in `replaces`.
    pub const MODULE: &'static str = "module:";

    /// The source of the module calls that it replaces.
    pub fn replaced_module(&self) -> Option<&str> {
        self.replaces.0.strip_prefix(Service::MODULE)
    }
}

impl PhiConfig {
    /// Returns true if a form factor or one of its services replaces or drops calls of modules.
    pub fn names_modules(&self, factor: &FormFactor) -> bool {
        let is_module = |name: &Arc<str>| name.starts_with(Service::MODULE);
        let mut services = factor.services.iter().filter_map(|(name, _)| self.services.get(name));
        factor.drops.iter().any(|(name, _)| is_module(name))
            || services.any(|s| is_module(&s.replaces.0) || s.drops.keys().any(is_module))
    }

    /// The `variable` blocks whose label is the attribute of a data source.
    pub fn data(&self) -> impl Iterator<Item = (&UniverseDecl, FieldAddr)> {
        self.variables.values().filter_map(|decl| {
            let addr: FieldAddr = decl.name.parse().ok()?;
            let data = matches!(&addr.target, Target::Resource(r) if r.mode == Mode::Data);
            (data && !addr.path.is_empty()).then_some((decl, addr))
        })
    }

    /// The form factor that is on: the one that is asked for by name, else that of `settings`. An empty name asks for none.
    ///
    /// # Errors
    /// A name that no `form_factor` block has.
    pub fn chosen(&self, asked: Option<&str>) -> Result<Option<&FormFactor>, Box<Issue>> {
        let setting = self.settings.form_factor.as_ref();
        let (name, place) = match (asked, setting) {
            (Some(name), _) => (name, None),
            (None, Some((name, place))) => (name.as_str(), Some(*place)),
            (None, None) => return Ok(None),
        };
        if name.is_empty() {
            return Ok(None);
        }
        if let Some(factor) = self.form_factors.get(name) {
            return Ok(Some(factor));
        }
        let names = || self.form_factors.keys().map(|n| &**n);
        let more = match question(name, names()) {
            none if none.is_empty() && !self.form_factors.is_empty() => {
                format!(" There is {}.", names().collect::<Vec<_>>().join(", "))
            }
            question => question,
        };
        let why = format!("No form_factor block of `phi.hcl` is named \"{name}\".{more}");
        let issue = Issue::error(Code::Config, format!("Unknown form factor \"{name}\""), why);
        Err(Box::new(match place {
            Some(place) => issue.at(place),
            None => issue,
        }))
    }
}
