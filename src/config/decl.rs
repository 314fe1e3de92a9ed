//! The declarations of a module.
//!
//! Each holds its block, and the nodes that other stages ask for by name. A node may come from an override file, so
//! each one carries its file.

use super::{In, MergedBody};
use crate::addr::{Key, ResourceAddr};
use crate::config::types::Defaults;
use crate::syntax::{Attribute, Block, Expr, ExprKind, traversal};
use crate::text::Place;
use crate::value::Type;
use std::sync::Arc;

/// The place and form of a declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    /// The block. Of a JSON file, a block made up from the object, whose spans point into the JSON text.
    pub block: In<Block>,
    /// True if it stands in a JSON file; then it can't be rewritten.
    pub json: bool,
    /// The blocks of override files that were merged into it, in the order of merging.
    pub overrides: Vec<In<Block>>,
}

impl Decl {
    /// Returns the place of the block's type and labels.
    pub fn place(&self) -> Place {
        self.block.header()
    }

    /// The address that an argument of its block is, as in `from` and `to`.
    pub fn read_address(&self, argument: &str) -> Option<String> {
        let mut text = String::new();
        write_address(&self.block.body.attribute(argument)?.expr, &mut text)?;
        Some(text)
    }

    /// The same without a key that is an expression, and what follows it.
    pub fn read_known_address(&self, argument: &str) -> Option<String> {
        let mut expr = &self.block.body.attribute(argument)?.expr;
        loop {
            let mut text = String::new();
            match (write_address(expr, &mut text), &expr.kind) {
                (Some(()), _) => return Some(text),
                (None, ExprKind::Index(base, _) | ExprKind::GetAttr(base, _)) => expr = base,
                (None, _) => return None,
            }
        }
    }

    /// Its block, then those of override files.
    pub fn blocks(&self) -> impl Iterator<Item = &In<Block>> {
        std::iter::once(&self.block).chain(&self.overrides)
    }
}

fn write_address(expr: &Expr, out: &mut String) -> Option<()> {
    match &expr.kind {
        ExprKind::Variable(name) => out.push_str(name),
        ExprKind::GetAttr(base, name) => {
            write_address(base, out)?;
            out.push('.');
            out.push_str(&name.text);
        }
        ExprKind::Index(base, key) => {
            write_address(base, out)?;
            let key = match &key.kind {
                ExprKind::Number(n) => Key::Index(n.as_i64()?),
                ExprKind::String(s) => Key::Name(s.clone()),
                _ => return None,
            };
            out.push_str(&key.to_string());
        }
        _ => return None,
    }
    Some(())
}

/// `condition` and `error_message`: a `validation`, `precondition`, `postcondition` or `assert` block.
#[derive(Clone, Debug)]
pub struct CheckRule {
    /// The block.
    pub block: In<Block>,
    /// The condition that has to hold.
    pub condition: In<Expr>,
    /// The message if it doesn't hold.
    pub error_message: Option<In<Expr>>,
}

/// `variable`
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name.
    pub name: Arc<str>,
    /// The block that declares it.
    pub decl: Decl,
    /// `type = …` as it is written.
    pub type_attr: Option<In<Attribute>>,
    /// The type constraint, optional attributes included; [`Type::Dynamic`] where none is given.
    pub ty: Type,
    /// The defaults of optional attributes, where there are any.
    pub defaults: Option<Arc<Defaults>>,
    /// `default = …`
    pub default: Option<In<Attribute>>,
    /// True if null may be passed (true unless said otherwise); with false, null gives the default.
    pub nullable: bool,
    /// True if it is declared sensitive.
    pub sensitive: bool,
    /// True if it is declared ephemeral.
    pub ephemeral: bool,
    /// True if what it holds stands in an argument that is secret by its name, once that was found.
    pub holds_secret: bool,
    /// Its `validation` blocks. Those of override files are not used, as in Terraform.
    pub validations: Vec<CheckRule>,
}

impl Variable {
    /// Returns true if its value isn't to be shown.
    pub fn is_hidden(&self) -> bool {
        self.sensitive || self.ephemeral || self.holds_secret
    }
}

/// An entry of a `locals` block.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name.
    pub name: Arc<str>,
    /// The `locals` block.
    pub decl: Decl,
    /// The entry.
    pub attr: In<Attribute>,
}

/// `output`
#[derive(Clone, Debug)]
pub struct Output {
    /// The name.
    pub name: Arc<str>,
    /// The block that declares it.
    pub decl: Decl,
    /// `value = …`; absent only where the block is in error.
    pub value: Option<In<Attribute>>,
    /// True if it is declared sensitive.
    pub sensitive: bool,
    /// True if it is declared ephemeral.
    pub ephemeral: bool,
    /// `depends_on = …`
    pub depends_on: Option<In<Attribute>>,
    /// Its preconditions.
    pub preconditions: Vec<CheckRule>,
}

/// The arguments of `lifecycle`. Overrides are merged argument by argument.
#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    /// The blocks, the declaration's own first; at most one per file.
    pub blocks: Vec<In<Block>>,
    /// `create_before_destroy`
    pub create_before_destroy: Option<In<Attribute>>,
    /// `prevent_destroy`
    pub prevent_destroy: Option<In<Attribute>>,
    /// `ignore_changes`
    pub ignore_changes: Option<In<Attribute>>,
    /// `replace_triggered_by`
    pub replace_triggered_by: Option<In<Attribute>>,
    /// `enabled`, where OpenTofu is to read it.
    pub enabled: Option<In<Attribute>>,
    /// `precondition` blocks.
    pub preconditions: Vec<CheckRule>,
    /// `postcondition` blocks.
    pub postconditions: Vec<CheckRule>,
}

/// `resource`, `data` or `ephemeral`
#[derive(Clone, Debug)]
pub struct Resource {
    /// Mode, type and name.
    pub addr: ResourceAddr,
    /// The block that declares it.
    pub decl: Decl,
    /// `count = …`
    pub count: Option<In<Attribute>>,
    /// `for_each = …`
    pub for_each: Option<In<Attribute>>,
    /// `provider = …`
    pub provider: Option<In<Attribute>>,
    /// `depends_on = …`
    pub depends_on: Option<In<Attribute>>,
    /// The arguments of `lifecycle`.
    pub lifecycle: Lifecycle,
    /// `provisioner` blocks.
    pub provisioners: Vec<In<Block>>,
    /// The `connection` block.
    pub connection: Option<In<Block>>,
    /// The provider's own arguments and blocks.
    pub body: MergedBody,
}

/// `module`
#[derive(Clone, Debug)]
pub struct Call {
    /// The name.
    pub name: Arc<str>,
    /// The block that declares it.
    pub decl: Decl,
    /// `source = …`; it may be any expression here.
    pub source: Option<In<Attribute>>,
    /// `version = …`; it may be any expression here.
    pub version: Option<In<Attribute>>,
    /// `count = …`
    pub count: Option<In<Attribute>>,
    /// `for_each = …`
    pub for_each: Option<In<Attribute>>,
    /// `enabled = …` in its `lifecycle` block, where OpenTofu is to read it.
    pub enabled: Option<In<Attribute>>,
    /// `providers = …`
    pub providers: Option<In<Attribute>>,
    /// `depends_on = …`
    pub depends_on: Option<In<Attribute>>,
    /// The arguments for the module's variables.
    pub args: Vec<In<Attribute>>,
    /// `inputs = …` of a Stack's component, where an expression computes it: the arguments are made of it then.
    pub computed: Option<In<Attribute>>,
}

impl Call {
    /// The argument of that name.
    pub fn arg(&self, name: &str) -> Option<&In<Attribute>> {
        self.args.iter().find(|a| &*a.name.text == name)
    }

    /// The argument that says how many instances there are.
    pub fn repeated_by(&self) -> Option<&In<Attribute>> {
        self.count.as_ref().or(self.for_each.as_ref()).or(self.enabled.as_ref())
    }

    /// Returns true if an expression chooses the version.
    pub fn is_version_chosen(&self) -> bool {
        self.version.as_ref().is_some_and(|v| !matches!(v.expr.kind, crate::syntax::ExprKind::String(_)))
    }

    /// The source, where it is a literal string.
    pub fn source_text(&self) -> Option<&str> {
        match &self.source.as_ref()?.expr.kind {
            crate::syntax::ExprKind::String(s) => Some(s),
            _ => None,
        }
    }
}

/// `provider`
#[derive(Clone, Debug)]
pub struct Provider {
    /// The local name, as `aws`.
    pub name: Arc<str>,
    /// `alias = …`, decoded.
    pub alias: Option<Arc<str>>,
    /// The block that declares it.
    pub decl: Decl,
    /// `for_each = …`, which a Stack's have.
    pub for_each: Option<In<Attribute>>,
    /// Its arguments (`alias` and `version` excluded) and blocks.
    pub body: MergedBody,
}

/// `check`
#[derive(Clone, Debug)]
pub struct CheckBlock {
    /// The name.
    pub name: Arc<str>,
    /// The block that declares it.
    pub decl: Decl,
    /// The data source in its scope, which the rest of the module can't name.
    pub data: Option<Box<Resource>>,
    /// Its assertions.
    pub asserts: Vec<CheckRule>,
}

impl Resource {
    /// The local name of its provider.
    pub fn provider_name(&self) -> Arc<str> {
        let named = self.provider.as_ref().and_then(|p| traversal::variables(&p.expr).into_iter().next());
        match named {
            Some(traversal) => traversal.root.text,
            None => self.addr.kind.split('_').next().unwrap_or_default().into(),
        }
    }
}
