//! The parts of declarations that are no values: references, conditions, statements, blocks without arguments.
//!
//! In: a configuration. Out: for each declaration what stands there, so that two revisions can be compared. Invariant: what isn't a
//! field of [`crate::pipeline::fields::all`] and can change a plan is here. Deliberately absent: what it means; only `plan` tells that.

use super::Cell;
use super::behind::Mention;
use super::review::Values;
use super::skeleton::skeleton;
use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::{CheckRule, Config, Decl, In, Lifecycle, Module, Role};
use crate::syntax::{Attribute, Block, Body, ExprKind, Item, ObjectKey};
use crate::text::{Place, SourceId, Sources, Span};
use crate::trace::Term;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Stands for what may hold more than names.
const AS_WRITTEN: &str = "(as it is written)";

/// Stands for the same in a head where it differs, so that no row reads alike on both sides.
const OTHERWISE: &str = "(written otherwise)";

/// The arguments of a `lifecycle` block that are compared by themselves.
const LIFECYCLE: [&str; 4] =
    ["create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"];

/// What is written of each declaration, part by part.
#[derive(Clone, Debug, Default)]
pub struct Written {
    parts: BTreeMap<String, BTreeMap<String, Arc<Term>>>,
    mentions: Vec<Mention>,
}

impl Written {
    /// Reads a configuration.
    pub fn of(config: &Config) -> Written {
        let mut out = Written::default();
        for (path, id) in &config.paths {
            if let Some(module) = config.module(*id) {
                Reading { sources: &config.sources, path, out: &mut out }.module(module);
            }
        }
        let path = &ModulePath::ROOT;
        Reading { sources: &config.sources, path, out: &mut out }.deployments(&config.deployment_blocks);
        out
    }

    /// The parts that differ of declarations which both sides have.
    pub fn differences(&self, head: &Written) -> Values {
        let mut out = Values::new();
        let cell = |part: Option<&Arc<Term>>| {
            Arc::new(part.map_or(Cell::Absent, |term| Cell::Written(term.clone())))
        };
        for (owner, after) in &head.parts {
            let Some(before) = self.parts.get(owner) else { continue };
            let gone = before.keys().filter(|part| !after.contains_key(*part));
            for part in after.keys().chain(gone) {
                let (old, new) = (before.get(part), after.get(part));
                if old != new {
                    let is_alike =
                        [old, new].iter().all(|part| part.is_some_and(|term| &*term.text == AS_WRITTEN));
                    let reworded = new.filter(|_| is_alike).map(|new| Arc::new(new.with_words(OTHERWISE)));
                    out.push((joined(owner, part), cell(old), cell(reworded.as_ref().or(new))));
                }
            }
        }
        out
    }

    /// The arguments of which only the text is compared.
    pub fn mentions(&self) -> &[Mention] {
        &self.mentions
    }
}

fn joined(owner: &str, part: &str) -> String {
    let dot = if owner.is_empty() || owner.ends_with('.') { "" } else { "." };
    format!("{owner}{dot}{part}")
}

/// The blocks of a Stack's component files that a module has as well, or that are compared by what they give.
const OF_STACK: [&str; 7] =
    ["component", "stack", "provider", "required_providers", "variable", "output", "locals"];

/// Reads the declarations of one module.
struct Reading<'r> {
    sources: &'r Sources,
    path: &'r ModulePath,
    out: &'r mut Written,
}

impl Reading<'_> {
    fn module(&mut self, module: &Module) {
        for resource in module.resources.values() {
            let owner = self.address(Target::Resource(resource.addr.clone()));
            let lifecycle = &resource.lifecycle;
            let named = [
                ("provider", &resource.provider),
                ("depends_on", &resource.depends_on),
                ("lifecycle.ignore_changes", &lifecycle.ignore_changes),
                ("lifecycle.replace_triggered_by", &lifecycle.replace_triggered_by),
            ];
            self.names(&owner, &named);
            self.lifecycle(&owner, lifecycle);
            self.rules(&owner, "lifecycle.precondition", &lifecycle.preconditions);
            self.rules(&owner, "lifecycle.postcondition", &lifecycle.postconditions);
            let others = lifecycle.blocks.iter().flat_map(|block| {
                let own = block.body.blocks().filter(|inner| !is_condition(inner));
                own.map(|inner| In::new(block.file, Block::clone(inner)))
            });
            let others: Vec<In<Block>> = others.collect();
            self.blocks(&owner, "lifecycle.blocks", &others.iter().collect::<Vec<_>>());
            let provisioners: Vec<&In<Block>> =
                resource.provisioners.iter().chain(&resource.connection).collect();
            self.blocks(&owner, "provisioner", &provisioners);
            let bare = skeleton(&mut resource.body.blocks.iter().map(|block| &*block.node));
            self.add(&owner, "blocks", bare, AS_WRITTEN.to_owned());
        }
        for call in module.calls.values() {
            let owner = self.address(Target::Call(call.name.clone().into()));
            self.names(&owner, &[("providers", &call.providers), ("depends_on", &call.depends_on)]);
        }
        for output in module.outputs.values() {
            let owner = self.address(Target::Output(output.name.clone()));
            self.names(&owner, &[("depends_on", &output.depends_on)]);
            self.rules(&owner, "precondition", &output.preconditions);
            let flags = [(output.sensitive, "sensitive"), (output.ephemeral, "ephemeral")];
            let flags: Vec<&str> = flags.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
            self.add(&owner, "flags", flags.join(" "), flags.join(" "));
        }
        for variable in module.variables.values() {
            let owner = self.address(Target::Variable(variable.name.clone()));
            let flags = [(variable.sensitive, "sensitive"), (variable.ephemeral, "ephemeral")];
            let flags: Vec<&str> = flags.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
            self.add(&owner, "flags", flags.join(" "), flags.join(" "));
        }
        // They have no address of their own, so that what is new or gone of them is the module's.
        let owner = self.path.plain().address_of("");
        for check in &module.checks {
            self.blocks(&owner, &format!("check.{}", check.name), &check.decl.blocks().collect::<Vec<_>>());
        }
        for provider in &module.providers {
            let name = provider
                .alias
                .iter()
                .fold(provider.name.to_string(), |name, alias| format!("{name}.{alias}"));
            // That it is there says that the provider is installed.
            self.add(&owner, &format!("provider.{name}"), "{}".to_owned(), "{}".to_owned());
            let bare = skeleton(&mut provider.body.blocks.iter().map(|block| &*block.node));
            self.add(&owner, &format!("provider.{name}.blocks"), bare, AS_WRITTEN.to_owned());
            self.names(&owner, &[(&*format!("provider.{name}.for_each"), &provider.for_each)]);
        }
        self.statements_of_stack(&owner, module);
        let statements = [
            ("moved", &module.moved),
            ("removed", &module.removed),
            ("import", &module.imports),
            ("terraform", &module.terraform),
            ("others", &module.others),
        ];
        for (part, decls) in statements {
            let all: Vec<&In<Block>> = decls.iter().flat_map(Decl::blocks).collect();
            self.blocks(&owner, part, &all);
            if matches!(part, "terraform" | "removed") {
                all.iter().for_each(|block| self.mention_all(&owner, part, block.file, &block.body));
            }
        }
    }

    /// What a Stack's component files declare besides what a module has.
    fn statements_of_stack(&mut self, owner: &str, module: &Module) {
        let mut all: BTreeMap<&str, Vec<In<Block>>> = BTreeMap::new();
        for file in module.files.iter().filter(|_| module.role == Role::Stack) {
            for block in file.body.blocks().filter(|block| !OF_STACK.contains(&&*block.kind.text)) {
                all.entry(&block.kind.text).or_default().push(In::new(file.source, block.clone()));
            }
        }
        for (part, blocks) in all {
            self.blocks(owner, part, &blocks.iter().collect::<Vec<_>>());
            for block in &blocks {
                self.mention_all(owner, part, block.file, &block.body);
            }
        }
    }

    /// What a Stack's deployments are besides their inputs, and what stands beside them.
    fn deployments(&mut self, all: &[In<Block>]) {
        let (locals, others): (Vec<&In<Block>>, Vec<&In<Block>>) =
            all.iter().partition(|block| &*block.kind.text == "locals");
        let locals: String = locals.iter().map(|block| self.block(block.file, block)).collect();
        for block in others {
            let labels = block.labels.iter().map(|label| &*label.text);
            let part: Vec<&str> = std::iter::once(&*block.kind.text).chain(labels).collect();
            let is_evaluated = |item: &Item| match item {
                Item::Attribute(attr) => &*block.kind.text == "deployment" && &*attr.name.text == "inputs",
                Item::Block(_) => false,
            };
            let items = block.body.items.iter().filter(|item| !is_evaluated(item)).cloned().collect();
            let mut text = self.body(block.file, &Body { span: block.body.span, items });
            if text.contains("local.") {
                text.push_str(&locals);
            }
            self.add("", &part.join("."), format!("{text};"), AS_WRITTEN.to_owned());
        }
    }

    fn address(&self, target: Target) -> String {
        FieldAddr { module: self.path.plain(), target, path: Default::default() }.to_string()
    }

    /// Arguments that hold names alone, which are shown.
    fn names(&mut self, owner: &str, all: &[(&str, &Option<In<Attribute>>)]) {
        self.out.parts.entry(owner.to_owned()).or_default();
        for (part, attr) in all {
            if let Some(attr) = attr {
                let text = self.references(attr);
                // In an index there is room for more than names.
                let is_more = ["#", "//", "/*"].iter().any(|begin| text.contains(begin));
                let shown = if is_more { AS_WRITTEN.to_owned() } else { text.clone() };
                self.add(owner, part, text, shown);
                if !matches!(*part, "depends_on" | "lifecycle.ignore_changes") {
                    self.mention(owner, part, attr.clone());
                }
            }
        }
    }

    fn mention(&mut self, owner: &str, part: &str, attr: In<Attribute>) {
        let part = joined(owner, part);
        self.out.mentions.push(Mention { part, module: self.path.clone(), attr });
    }

    /// All arguments of a block, and of those in it.
    fn mention_all(&mut self, owner: &str, part: &str, file: SourceId, body: &Body) {
        body.attributes().for_each(|attr| self.mention(owner, part, In::new(file, attr.clone())));
        body.blocks().for_each(|block| self.mention_all(owner, part, file, &block.body));
    }

    /// The arguments of `lifecycle` that are no fields: those that OpenTofu has besides.
    fn lifecycle(&mut self, owner: &str, lifecycle: &Lifecycle) {
        for block in &lifecycle.blocks {
            // What OpenTofu alone has is no field where Terraform reads the tree.
            let is_field = |name: &str| name == "enabled" && lifecycle.enabled.is_some();
            let is_told = |name: &str| LIFECYCLE.contains(&name) || is_field(name);
            let others = block.body.attributes().filter(|attr| !is_told(&attr.name.text));
            for attr in others {
                let attr: In<Attribute> = In::new(block.file, attr.clone());
                self.names(owner, &[(&*format!("lifecycle.{}", attr.name.text), &Some(attr.clone()))]);
            }
        }
    }

    /// What an argument refers to, without comments and layout.
    fn references(&self, attr: &In<Attribute>) -> String {
        let is_json =
            |file| self.sources.get(file).is_some_and(|f| f.path.extension() == Some("json".as_ref()));
        let text = |span: Span| {
            let text = self.sources.slice(Place { file: attr.file, span });
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        match &attr.expr.kind {
            // There are no comments in it.
            _ if is_json(attr.file) => text(attr.value_place().span),
            ExprKind::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| text(item.span)).collect();
                format!("[{}]", items.join(", "))
            }
            ExprKind::Object(items) => {
                let key = |key: &ObjectKey| match key {
                    ObjectKey::Name(name) => name.text.to_string(),
                    ObjectKey::Expr(expr) => text(expr.span),
                };
                let items =
                    items.iter().map(|item| format!("{} = {}", key(&item.key), text(item.value.span)));
                format!("{{ {} }}", items.collect::<Vec<_>>().join(", "))
            }
            _ => text(attr.expr.span),
        }
    }

    fn rules(&mut self, owner: &str, part: &str, rules: &[CheckRule]) {
        let all: Vec<&In<Block>> = rules.iter().map(|rule| &rule.block).collect();
        self.blocks(owner, part, &all);
    }

    fn blocks(&mut self, owner: &str, part: &str, blocks: &[&In<Block>]) {
        let text: String = blocks.iter().map(|block| self.block(block.file, block)).collect();
        self.add(owner, part, text, AS_WRITTEN.to_owned());
    }

    /// A block's parts, whatever the layout.
    fn block(&self, file: SourceId, block: &Block) -> String {
        let labels: Vec<&str> = block.labels.iter().map(|label| &*label.text).collect();
        format!("{} {labels:?} {{ {} }} ", block.kind.text, self.body(file, &block.body))
    }

    fn body(&self, file: SourceId, body: &Body) -> String {
        let attribute = |attr: &Arc<Attribute>| {
            let place = In::new(file, Attribute::clone(attr)).value_place();
            format!("{} = {}\n", attr.name.text, self.sources.slice(place).replace("\r\n", "\n"))
        };
        let mut attributes: Vec<String> = body.attributes().map(attribute).collect();
        attributes.sort();
        attributes.extend(body.blocks().map(|block| self.block(file, block)));
        attributes.concat()
    }

    fn add(&mut self, owner: &str, part: &str, text: String, shown: String) {
        let parts = self.out.parts.entry(owner.to_owned()).or_default();
        if !text.is_empty() {
            parts.insert(part.to_owned(), Arc::new(Term::written(&text, shown)));
        }
    }
}

fn is_condition(block: &Block) -> bool {
    matches!(&*block.kind.text, "precondition" | "postcondition")
}
