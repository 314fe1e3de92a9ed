//! One module: a folder and what it declares.

use super::{Call, CheckBlock, Decl, In, Local, Output, Provider, Resource, Role, Variable};
use crate::addr::{CallName, Mode, ResourceAddr};
use crate::config::literal::key_text;
use crate::syntax::{Attribute, Block, Body, Expr, ExprKind};
use crate::text::{Place, SourceId};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// Index of a module in [`super::Config::modules`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ModuleId(pub u32);

/// The way in which a module was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// The root module.
    #[default]
    Root,
    /// A path within the same package (`./`, `../`).
    Local,
    /// An entry of `.terraform/modules`: the source as it was asked for, and the version of a registry module.
    Installed {
        /// The `source` of the call.
        source: String,
        /// The version that was installed.
        version: Option<String>,
    },
}

/// A file of a module.
#[derive(Clone, Debug)]
pub struct FileEntry {
    /// The file.
    pub source: SourceId,
    /// Its parsed body; empty where the file is in error.
    pub body: Arc<Body>,
    /// True if it is JSON.
    pub json: bool,
    /// True if it is an override file.
    pub is_override: bool,
}

/// A module source: loaded once, however often it is called.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Its index.
    pub id: ModuleId,
    /// Its folder, relative to the working directory, without `.` and inner `..`; empty for the working directory.
    pub dir: PathBuf,
    /// The way in which it was found.
    pub origin: Origin,
    /// True if it lies in a repository of its own below the working directory, as a submodule does: what is added there isn't committed here.
    pub is_in_other_repository: bool,
    /// The role in which its folder was read.
    pub role: Role,
    /// Its files: primary ones by name, then override files by name.
    pub files: Vec<FileEntry>,
    /// Variables by name.
    pub variables: BTreeMap<Arc<str>, Variable>,
    /// Locals by name.
    pub locals: BTreeMap<Arc<str>, Local>,
    /// Outputs by name.
    pub outputs: BTreeMap<Arc<str>, Output>,
    /// Managed, data and ephemeral resources by address.
    pub resources: BTreeMap<ResourceAddr, Resource>,
    /// Module calls by name.
    pub calls: BTreeMap<Arc<str>, Call>,
    /// Provider configurations in source order.
    pub providers: Vec<Provider>,
    /// `check` blocks in source order.
    pub checks: Vec<CheckBlock>,
    /// Indices of the `check` blocks that have a data source, by its address.
    pub(super) scoped: BTreeMap<ResourceAddr, usize>,
    /// `moved` blocks in source order.
    pub moved: Vec<Decl>,
    /// `removed` blocks in source order.
    pub removed: Vec<Decl>,
    /// `import` blocks in source order.
    pub imports: Vec<Decl>,
    /// `terraform` blocks in source order, those of override files included.
    pub terraform: Vec<Decl>,
    /// Blocks of other types that Terraform knows (`action`, …), in source order.
    pub others: Vec<Decl>,
    /// What [`Module::named_blocks`] gives, once it was asked for.
    pub(in crate::config) named_blocks: OnceLock<BTreeMap<String, In<Block>>>,
}

impl Module {
    /// The blocks without an address of Terraform's own that are evaluated, each by the name under which reports tell of it:
    /// `import.aws_vpc.main`, `action.aws_lambda_invoke.warm`. Of several with one name the first has it.
    pub fn named_blocks(&self) -> &BTreeMap<String, In<Block>> {
        self.named_blocks.get_or_init(|| {
            let mut all = BTreeMap::new();
            for decl in &self.imports {
                if let Some(to) = decl.read_known_address("to") {
                    all.entry(format!("import.{to}")).or_insert_with(|| decl.block.clone());
                }
            }
            for decl in self.others.iter().filter(|decl| &*decl.block.kind.text == "action") {
                let labels: Vec<&str> = decl.block.labels.iter().map(|label| &*label.text).collect();
                all.entry(format!("action.{}", labels.join("."))).or_insert_with(|| decl.block.clone());
            }
            all
        })
    }

    /// The entries of `required_providers`, each with the `terraform` block that holds it.
    pub fn required_providers(&self) -> impl Iterator<Item = (&Decl, &Arc<Attribute>)> {
        self.terraform.iter().flat_map(|decl| {
            let blocks = decl.block.body.blocks_of("required_providers");
            blocks.flat_map(move |block| block.body.attributes().map(move |attr| (decl, attr)))
        })
    }

    /// What the entries of one provider there say under a key.
    pub fn required_provider<'m>(&'m self, name: &'m str, key: &'m str) -> impl Iterator<Item = &'m Expr> {
        let own = self.required_providers().filter(move |(_, attr)| *attr.name.text == *name);
        let items = own.filter_map(|(_, attr)| match &attr.expr.kind {
            ExprKind::Object(items) => Some(items),
            _ => None,
        });
        let said = items.flatten().filter(move |item| key_text(&item.key).is_some_and(|k| *k == *key));
        said.map(|item| &item.value)
    }

    /// The source of a provider by its local name, as `required_providers` says it, or as Terraform takes it otherwise.
    pub fn provider_source(&self, name: &str) -> String {
        let said = self.required_provider(name, "source").find_map(|expr| match &expr.kind {
            ExprKind::String(text) => Some(text.to_string()),
            _ => None,
        });
        said.unwrap_or_else(|| format!("hashicorp/{name}"))
    }

    /// Returns true if a file of the module is JSON.
    pub fn has_json(&self, file: SourceId) -> bool {
        self.files.iter().any(|entry| entry.json && entry.source == file)
    }

    /// Returns true if the module has a provider's configuration of an alias, or is handed one.
    pub fn has_configuration(&self, provider: &str, alias: &str) -> bool {
        if self.providers.iter().any(|p| *p.name == *provider && p.alias.as_deref() == Some(alias)) {
            return true;
        }
        let named = |expr: &Expr| match &expr.kind {
            ExprKind::GetAttr(base, name) => {
                *name.text == *alias && matches!(&base.kind, ExprKind::Variable(root) if **root == *provider)
            }
            // In JSON it is text.
            ExprKind::String(text) => text.split_once('.') == Some((provider, alias)),
            _ => false,
        };
        self.required_provider(provider, "configuration_aliases").any(|expr| match &expr.kind {
            ExprKind::Tuple(all) => all.iter().any(named),
            _ => false,
        })
    }

    /// A module that declares nothing.
    pub fn empty(id: ModuleId, dir: PathBuf, origin: Origin) -> Module {
        Module { id, dir, origin, ..Module::default() }
    }

    /// Takes the folder as what calls it does. To a component null is no value: a variable that has a default has that then.
    pub(super) fn taken_as(&mut self, role: Role) {
        self.role = role;
        if role == Role::Component {
            self.variables.values_mut().filter(|v| v.default.is_some()).for_each(|v| v.nullable = false);
        }
    }

    /// Returns the call with a name, whichever of its sources is taken.
    pub fn call(&self, name: &CallName) -> Option<&Call> {
        self.calls.get(&name.name)
    }

    /// The managed resources, in order of their addresses.
    pub fn managed(&self) -> impl Iterator<Item = &Resource> {
        self.resources.values().filter(|r| r.addr.mode == Mode::Managed)
    }

    /// Returns the resource of an address: one that the whole module may refer to, or the data source of a `check` block.
    pub fn resource_named(&self, addr: &ResourceAddr) -> Option<&Resource> {
        self.resources.get(addr).or_else(|| self.check_around(addr)?.data.as_deref())
    }

    /// Returns the resource that an expression at a place may refer to: the data source of a `check` block in its assertions alone.
    pub fn resource_seen(&self, addr: &ResourceAddr, at: Place) -> Option<&Resource> {
        self.resources.get(addr).or_else(|| {
            let check = self.check_around(addr)?;
            let is_in = |decl: &Decl| decl.block.file == at.file && decl.block.span.contains(at.span);
            check.data.as_deref().filter(|data| is_in(&check.decl) && !is_in(&data.decl))
        })
    }

    /// All resources: those that the whole module may refer to, then the data sources of `check` blocks.
    pub fn every_resource(&self) -> impl Iterator<Item = &Resource> {
        self.resources.values().chain(self.checks.iter().filter_map(|check| check.data.as_deref()))
    }

    /// The `check` block that has a data source.
    fn check_around(&self, data: &ResourceAddr) -> Option<&CheckBlock> {
        self.checks.get(*self.scoped.get(data)?)
    }

    /// The data source of a `check` block.
    pub(super) fn scoped_mut(&mut self, data: &ResourceAddr) -> Option<&mut Resource> {
        self.checks.get_mut(*self.scoped.get(data)?)?.data.as_deref_mut()
    }

    /// Returns true if the module itself configures a provider, so that Terraform accepts no `count`, `for_each` or
    /// `depends_on` on a call of it or of a module around it. A `provider` block without arguments (the old proxy
    /// form) doesn't count, one with a `version` does. For the modules below see
    /// [`super::Config::configures_providers`].
    pub fn configures_providers(&self) -> bool {
        self.providers.iter().any(|p| {
            let versioned = p.decl.block.body.attribute("version").is_some();
            versioned || !p.body.attributes.is_empty() || !p.body.blocks.is_empty()
        })
    }

    /// The entry of a file of this module.
    pub fn file(&self, source: SourceId) -> Option<&FileEntry> {
        self.files.iter().find(|f| f.source == source)
    }
}
