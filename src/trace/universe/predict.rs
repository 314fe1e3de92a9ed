//! Predicts the defaults that a field will need, before it is traced.
//!
//! A field that carries a variable of which only a default is known is traced with that default as its only value. Most
//! such fields only carry the variable on: in a text, an argument, an attribute. There the first trace, without the
//! default, would end in asking for it, and is spared. In: a field's expression. Out: the variables that are in its value
//! under every condition. Invariant: wherever a variable might decide something, or anything else is in doubt, nothing is
//! predicted. Absent on purpose: any value.

use crate::addr::{FieldAddr, Target};
use crate::func;
use crate::syntax::{Expr, ExprKind, For, ObjectKey, Template, TemplatePart};
use crate::trace::{
    Assumptions, Decl, InstanceId, Tracer, reading::Reading, site::FieldSite, tracer::instance::Instances,
    tracer::prediction::Prediction,
};
use crate::value::Type;
use std::sync::Arc;

impl Tracer<'_> {
    /// Returns the defaults that a field is certain to need, if only its value's expression decides that.
    pub fn predicted_defaults(&mut self, field: &FieldAddr, site: &FieldSite) -> Option<Assumptions> {
        let plain = site.dynamics.is_empty() && site.rest.is_empty() && site.reading == Reading::Value;
        if !plain || field.module.depth() > self.inputs.limits.depth {
            return None;
        }
        let instance = self.instance_at(&field.module)?;
        if !self.is_called_once(instance) || self.repeats(instance, &field.target) {
            return None;
        }
        match (Predictor { tracer: self, instance, bound: Vec::new(), depth: 0 }).sight(&site.attr.expr) {
            Prediction::Open { names, .. } => Some(Assumptions::defaults((*names).clone())),
            Prediction::Fixed | Prediction::Unclear => None,
        }
    }

    /// Returns true if the module is instantiated once and its source is fixed.
    fn is_called_once(&mut self, instance: InstanceId) -> bool {
        if let Some((_, once)) = self.memo.once.filter(|(of, _)| *of == instance) {
            return once;
        }
        let mut at = instance;
        let mut once = true;
        while let Some((caller, name)) = self.instances.get(at).and_then(|i| i.caller.clone()) {
            once &= !self.repeats(caller, &Target::Call(name));
            at = caller;
        }
        self.memo.once = Some((instance, once));
        once
    }
}

/// Looks at expressions of an instance, under names that stand for what is fixed.
struct Predictor<'t, 'a> {
    tracer: &'t mut Tracer<'a>,
    instance: InstanceId,
    bound: Vec<Arc<str>>,
    depth: usize,
}

impl Predictor<'_, '_> {
    fn sight(&mut self, expr: &Expr) -> Prediction {
        match &expr.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => {
                Prediction::Fixed
            }
            ExprKind::Paren(inner) => self.sight(inner),
            ExprKind::Template(template) => self.template(template),
            ExprKind::Tuple(items) => {
                let sights: Vec<Prediction> = items.iter().map(|e| self.sight(e)).collect();
                let each = sights.iter().all(|s| matches!(s, Prediction::Open { .. }));
                sights.into_iter().fold(Prediction::Fixed, Prediction::with).of_each(each)
            }
            ExprKind::Object(items) => items
                .iter()
                .fold(Prediction::Fixed, |all, item| {
                    let key = match &item.key {
                        ObjectKey::Name(_) => Prediction::Fixed,
                        ObjectKey::Expr(key) => self.sight(key).only_fixed(),
                    };
                    all.with(key).with(self.sight(&item.value))
                })
                .of_each(false),
            ExprKind::Variable(name) if self.bound.contains(name) => Prediction::Fixed,
            ExprKind::Variable(_) | ExprKind::Splat(_) => Prediction::Unclear,
            ExprKind::GetAttr(of, name) => match &of.kind {
                ExprKind::Variable(root) if !self.bound.contains(root) => self.named(root, &name.text),
                _ => self.sight(of).only_fixed(),
            },
            ExprKind::LegacyIndex(of, _) => self.element(of, Prediction::Fixed),
            ExprKind::Index(of, key) => {
                let key = self.sight(key);
                self.element(of, key)
            }
            ExprKind::Unary(_, inner) => self.sight(inner).only_fixed(),
            ExprKind::Binary(_, a, b) => self.sight(a).with(self.sight(b)).only_fixed(),
            ExprKind::Conditional(condition, then, otherwise) => {
                let Prediction::Fixed = self.sight(condition) else { return Prediction::Unclear };
                match (self.sight(then), self.sight(otherwise)) {
                    (Prediction::Fixed, Prediction::Fixed) => Prediction::Fixed,
                    (Prediction::Open { names: a, each: x }, Prediction::Open { names: b, each: y })
                        if a == b =>
                    {
                        Prediction::Open { names: a, each: x && y }
                    }
                    _ => Prediction::Unclear,
                }
            }
            ExprKind::Call(call) => {
                let args = call.args.iter().fold(Prediction::Fixed, |all, arg| all.with(self.sight(arg)));
                let text = !call.expand_final && func::lookup(&call.name.text).is_some_and(|f| f.keeps_text);
                if text { args.of_each(false) } else { args.only_fixed() }
            }
            ExprKind::For(each) => self.iterated(each),
        }
    }

    fn element(&mut self, of: &Expr, key: Prediction) -> Prediction {
        match (self.sight(of), key) {
            (Prediction::Fixed, Prediction::Fixed) => Prediction::Fixed,
            (Prediction::Open { names, each: true }, Prediction::Fixed) => {
                Prediction::Open { names, each: false }
            }
            _ => Prediction::Unclear,
        }
    }

    fn template(&mut self, template: &Template) -> Prediction {
        match template.parts.as_slice() {
            [TemplatePart::Interpolation(inner, _)] if !template.heredoc => self.sight(inner),
            parts => self.parts(parts).of_each(false),
        }
    }

    fn parts(&mut self, parts: &[TemplatePart]) -> Prediction {
        parts.iter().fold(Prediction::Fixed, |all, part| {
            all.with(match part {
                TemplatePart::Literal(..) => Prediction::Fixed,
                TemplatePart::Interpolation(inner, _) => self.sight(inner),
                TemplatePart::If { condition, then, otherwise, .. } => {
                    self.sight(condition).with(self.parts(then)).with(self.parts(otherwise)).only_fixed()
                }
                TemplatePart::For { .. } => Prediction::Unclear,
            })
        })
    }

    fn iterated(&mut self, each: &For) -> Prediction {
        let Prediction::Fixed = self.sight(&each.collection) else { return Prediction::Unclear };
        let before = self.bound.len();
        self.bound.extend(each.key.iter().chain([&each.value]).map(|name| name.text.clone()));
        let clauses = [&each.condition, &each.result_key].into_iter().flatten();
        let clauses = clauses.fold(Prediction::Fixed, |all, clause| all.with(self.sight(clause)));
        let result = self.sight(&each.result);
        self.bound.truncate(before);
        // Where there is no element there is no variable.
        let always = matches!(&each.collection.kind, ExprKind::Tuple(items) if !items.is_empty());
        match (clauses, result) {
            (Prediction::Fixed, Prediction::Fixed) => Prediction::Fixed,
            (Prediction::Fixed, Prediction::Open { names, .. })
                if always && each.condition.is_none() && each.result_key.is_none() =>
            {
                Prediction::Open { names, each: true }
            }
            _ => Prediction::Unclear,
        }
    }

    fn named(&mut self, root: &str, name: &Arc<str>) -> Prediction {
        let decl = match root {
            "var" => Decl::Variable(name.clone()),
            "local" => Decl::Local(name.clone()),
            _ => return Prediction::Unclear,
        };
        let key = (self.instance, decl);
        if let Some(known) = self.tracer.memo.predictions.get(&key) {
            return known.clone();
        }
        if self.depth > self.tracer.inputs.limits.nesting {
            return Prediction::Unclear;
        }
        // Until it is known: what depends on itself is an error.
        self.tracer.memo.predictions.insert(key.clone(), Prediction::Unclear);
        let found = match &key.1 {
            Decl::Local(name) => self.local(name),
            Decl::Variable(name) => self.variable(name),
            Decl::Held(_)
            | Decl::Output(_)
            | Decl::Repetition(_)
            | Decl::Instances(_)
            | Decl::Argument(..) => None,
        };
        let found = found.unwrap_or(Prediction::Unclear);
        self.tracer.memo.predictions.insert(key, found.clone());
        found
    }

    fn of_declaration(&mut self, instance: InstanceId, expr: &Expr) -> Prediction {
        let depth = self.depth + 1;
        Predictor { tracer: self.tracer, instance, bound: Vec::new(), depth }.sight(expr)
    }

    fn local(&mut self, name: &Arc<str>) -> Option<Prediction> {
        let module = self.tracer.module_of(self.instance)?;
        Some(self.of_declaration(self.instance, &module.locals.get(name)?.attr.expr))
    }

    fn variable(&mut self, name: &Arc<str>) -> Option<Prediction> {
        let config = self.tracer.inputs.config;
        let caller = self.tracer.instances.get(self.instance)?.caller.clone();
        let variable = self.tracer.module_of(self.instance)?.variables.get(name)?;
        let text = matches!(variable.ty, Type::String | Type::Number);
        let carries = text && !variable.sensitive && !variable.ephemeral;
        let sight = match caller {
            None if self.instance != Instances::ROOT => return None,
            None => {
                let binned = self.tracer.inputs.universes.get(name).is_some_and(|u| !u.bins.is_empty());
                if self.tracer.universe_of(name).is_some() {
                    return (!binned).then_some(Prediction::Fixed);
                }
                variable.default.as_ref().filter(|_| !binned && !config.is_from_outside(name))?;
                Prediction::Open { names: Arc::new([name.clone()].into()), each: false }
            }
            Some((caller, call)) => {
                let call = self.tracer.module_of(caller)?.call(&call)?;
                let single = call.count.is_none() && call.for_each.is_none();
                match call.arg(name).filter(|_| single) {
                    Some(passed) => self.of_declaration(caller, &passed.expr),
                    None => self.of_declaration(self.instance, &variable.default.as_ref()?.expr),
                }
            }
        };
        Some(match sight {
            // What a conversion makes of anything else isn't looked at.
            Prediction::Open { .. } if !carries => Prediction::Unclear,
            other => other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, Universes, universes};
    use super::*;
    use crate::addr::{FieldPath, ModulePath};
    use crate::config::phi::PhiConfig;
    use crate::func::NoSurroundings;
    use crate::host::memory::MemoryHost;
    use crate::trace::site::locate;
    use std::path::Path;

    const ROOT: &str = r#"
variable "region" {
  type    = string
  default = "eu"
}
variable "size" {
  type    = number
  default = 3
}
variable "env" {
  type = string
  validation {
    condition     = contains(["prod", "dev"], var.env)
    error_message = "no"
  }
}
variable "none" { type = string }
variable "secret" {
  default   = "s"
  type      = string
  sensitive = true
}
locals {
  name  = "${var.region}-${var.env}"
  zones = [for s in ["a", "b"] : "${var.region}${s}"]
  loop  = local.loop
  picks = { prod = 1, dev = 2 }
}
resource "terraform_data" "other" {}
module "m" {
  source = "./m"
  region = "x-${var.region}"
}
"#;

    /// The defaults predicted for an expression, and those that tracing it without any default asks for.
    fn both(expr: &str) -> (Option<Assumptions>, Assumptions) {
        let main = format!("{ROOT}output \"o\" {{\n  value = {expr}\n}}\n");
        let module = "variable \"region\" {}\noutput \"o\" { value = var.region }\n";
        let host = MemoryHost::new([("main.tf", main.as_str()), ("m/main.tf", module)]);
        let (config, issues) = crate::config::load(&host, Path::new("."));
        assert!(issues.is_empty(), "{expr}: {issues:?}");
        let limits = Limits::default();
        let (universes, _): (Universes, _) =
            universes(&config, &PhiConfig::default(), &[], limits, &NoSurroundings);
        let target = Target::Output("o".into());
        let site = locate(config.root().unwrap(), &target, &["value".into()]).unwrap();
        let field = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath::from_text("value") };
        let new = || Tracer::new(&config, limits, &universes, Assumptions::default(), &NoSurroundings);
        (new().predicted_defaults(&field, &site), new().trace(&field, &site, None).1)
    }

    #[test]
    fn what_is_foreseen_would_be_asked_for() {
        for expr in [
            "var.region",
            "\"${var.region}\"",
            "local.name",
            "local.zones",
            "local.zones[0]",
            "{ a = local.name, b = var.size, c = local.picks[var.env] }",
            "[var.env, { b = upper(local.name) }]",
            "var.env == \"prod\" ? var.region : \"${var.region}!\"",
            "format(\"%s %d\", var.env, var.size)",
        ] {
            let (foreseen, asked) = both(expr);
            assert_eq!(foreseen, Some(asked), "{expr}");
        }
    }

    #[test]
    fn in_doubt_nothing_is_foreseen() {
        for expr in [
            "var.env",
            "var.none",
            "var.secret",
            "local.loop",
            "\"${terraform_data.other.id}-${var.region}\"",
            "var.region == \"eu\" ? 1 : 2",
            "var.env == \"prod\" ? var.region : \"none\"",
            "[for s in [] : \"${var.region}${s}\"]",
            "[for s in [\"a\"] : var.region if s == \"b\"]",
            "length(var.region)",
            "[var.region, 1][1]",
            "module.m.o",
            "try(var.region, 1)",
        ] {
            assert_eq!(both(expr).0, None, "{expr}");
        }
    }
}
