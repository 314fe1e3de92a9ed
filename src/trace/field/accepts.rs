//! The expressions that a Terraform or an OpenTofu evaluates in arguments that others take only as literals.
//!
//! Measured on Terraform 1.11 and 1.15; OpenTofu's as its documentation says (early evaluation since 1.8, an expression in
//! `prevent_destroy` since 1.12). An expression that is accepted needs no specialising.

use crate::addr::{FieldAddr, Referent};
use crate::config::{Config, In, Module, Provider};
use crate::graph::uses_of;
use crate::syntax::{Attribute, Expr, ExprKind};
use crate::text::SourceId;
use crate::trace::reading::Reading;
use serde::{Deserialize, Serialize};

/// The expressions that the Terraform in use accepts; by default as few as any version.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Accepts {
    /// In the `source` and `version` of a module call.
    pub sources: Sources,
    /// True if `prevent_destroy` may be an expression.
    pub prevent_destroy: bool,
}

/// The expressions that a source may contain.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sources {
    /// Literals alone.
    #[default]
    Literals,
    /// Variables declared `const`, and locals of such.
    Constants,
    /// All variables, the workspace, and locals of such.
    Variables,
}

/// Returns true if an argument names provider configurations with `for_each` by their keys: what takes such a configuration (OpenTofu since
/// 1.9) evaluates the keys as well.
fn is_among_keyed(module: &Module, expr: &Expr) -> bool {
    let is_keyed = |name: &str, alias: &str| {
        let is_it = |p: &Provider| *p.name == *name && p.alias.as_deref() == Some(alias);
        module
            .providers
            .iter()
            .any(|p| is_it(p) && p.decl.blocks().any(|block| block.body.attribute("for_each").is_some()))
    };
    let is_one = |expr: &Expr| match &expr.kind {
        ExprKind::Index(base, _) => match &base.kind {
            ExprKind::GetAttr(root, alias) => {
                matches!(&root.kind, ExprKind::Variable(name) if is_keyed(name, &alias.text))
            }
            _ => false,
        },
        _ => false,
    };
    match &expr.kind {
        ExprKind::Object(items) => {
            items.iter().all(|item| is_one(&item.value) || Reading::References.is_plain(&item.value))
        }
        _ => is_one(expr),
    }
}

impl Accepts {
    /// Returns true if a meta-argument is accepted as it is written.
    pub fn takes(self, config: &Config, field: &FieldAddr, attr: &In<Attribute>) -> bool {
        match field.path.0.last().map(|name| &**name) {
            Some("prevent_destroy") => self.prevent_destroy,
            Some("source" | "version") if self.sources != Sources::Literals => {
                let module = config.at(&field.module);
                module.is_some_and(|m| self.is_early(m, attr.file, &attr.expr, &mut Vec::new()))
            }
            Some("provider" | "providers") => {
                config.at(&field.module).is_some_and(|module| is_among_keyed(module, &attr.expr))
            }
            _ => false,
        }
    }

    fn is_early(
        self,
        module: &Module,
        file: SourceId,
        expr: &Expr,
        within: &mut Vec<std::sync::Arc<str>>,
    ) -> bool {
        uses_of(expr, file).iter().all(|used| match &used.referent {
            Referent::Path(_) => true,
            Referent::Workspace => self.sources == Sources::Variables,
            Referent::Variable(name) => module.variables.get(name).is_some_and(|v| {
                let constant = v.decl.block.body.attribute("const");
                self.sources == Sources::Variables
                    || constant.is_some_and(|c| matches!(c.expr.kind, ExprKind::Bool(true)))
            }),
            // A cycle is an error of Terraform's, and no reason to walk it twice.
            Referent::Local(name) if within.contains(name) => true,
            Referent::Local(name) => module.locals.get(name).is_some_and(|local| {
                within.push(name.clone());
                self.is_early(module, local.attr.file, &local.attr.expr, within)
            }),
            _ => false,
        })
    }
}
