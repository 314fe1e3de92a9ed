//! Arguments of resources as a plan shows them: what the configuration sets, unless a provider makes something else of it.
//!
//! In: an attribute of an instance of a resource. Out: the argument of that name, marked, for reports. Absent on purpose: gates, which
//! never follow it; arguments that are null or that `ignore_changes` names, of which a plan may show something else; nested blocks.

use crate::addr::Target;
use crate::config::{In, Resource};
use crate::eval::{At, Op};
use crate::syntax::{Attribute, Expr, ExprKind, traversal};
use crate::trace::guarded::alt::Attrs;
use crate::trace::{Alt, Decl, Frame, Guarded, InstanceId, Iteration, Part, ResourceInstance, Tracer};
use crate::value::{Mark, Marks, Value};
use std::sync::Arc;

/// Arguments that are Terraform's own.
const META: [&str; 4] = ["count", "for_each", "depends_on", "provider"];

impl Frame<'_, '_> {
    /// An attribute of what is an instance of a resource under some conditions.
    pub fn follow_argument(&mut self, op: &Op<'_>, args: &[Guarded], at: At) -> Option<Guarded> {
        let (Op::GetAttr(name), [of]) = (op, args) else { return None };
        if !self.tracer.inputs.follows_configured {
            return None;
        }
        let object = |frame: &Self, alt: &Alt| {
            alt.part.value().and_then(|value| frame.tracer.origins.object_of(value)).cloned()
        };
        of.alts().iter().any(|alt| object(self, alt).is_some()).then_some(())?;
        Some(self.by_alternative(of, at, &mut |frame, alt| {
            let found = object(frame, alt).filter(|object| frame.tracer.sets(object, name));
            Ok(match found {
                Some(object) => frame.follow_argument_in(&object, name, alt, at),
                None => frame.as_it_is(name, alt, at),
            })
        }))
    }

    fn follow_argument_in(
        &mut self,
        object: &Arc<ResourceInstance>,
        name: &str,
        alt: &Alt,
        at: At,
    ) -> Guarded {
        let decl = Decl::Argument(object.clone(), name.into());
        let value = self.with_own_notes(|frame| frame.tracer.declared(InstanceId(object.module), decl, at));
        let value = value.behind_a_reference();
        let mark = Marks::one(Mark::Configured);
        self.by_alternative(&value, at, &mut |frame, one| {
            let is_null = one.part.value().is_some_and(|value| value.is_known() && value.is_null());
            Ok(match is_null {
                true => frame.as_it_is(name, alt, at),
                false => marked(&one.alone(), &mark),
            })
        })
    }

    /// The attribute of which nothing is known.
    fn as_it_is(&mut self, name: &str, alt: &Alt, at: At) -> Guarded {
        let made = self.each_combination(&Op::GetAttr(name), &[alt.alone()], at);
        self.tracer.or_unknown(made.map(Guarded::new))
    }
}

impl<'a> Tracer<'a> {
    /// Returns true if the configuration sets an attribute of an instance, and a plan shows that.
    pub(in crate::trace) fn sets(&self, of: &ResourceInstance, name: &str) -> bool {
        let resource =
            self.module_of(InstanceId(of.module)).and_then(|module| module.resources.get(&of.addr));
        resource.is_some_and(|resource| set_by(resource, name).is_some())
    }

    /// The argument of an instance.
    pub(in crate::trace) fn argument_of(&mut self, of: &ResourceInstance, name: &str) -> Guarded {
        match self.place_of_argument(of, name) {
            Some((mut frame, attr)) => frame.argument(&attr),
            None => Guarded::of(Value::dynamic()),
        }
    }

    /// An argument of an instance, and where it stands.
    pub(in crate::trace) fn place_of_argument(
        &mut self,
        of: &ResourceInstance,
        name: &str,
    ) -> Option<(Frame<'_, 'a>, In<Attribute>)> {
        let resource =
            self.module_of(InstanceId(of.module)).and_then(|module| module.resources.get(&of.addr));
        let attr = resource.and_then(|resource| set_by(resource, name)).cloned()?;
        let iteration = match &of.key {
            Some(key) => self.iteration(InstanceId(of.module), &Target::Resource(of.addr.clone()), Some(key)),
            None => Iteration::default(),
        };
        Some((Frame { tracer: self, instance: InstanceId(of.module), iteration }, attr))
    }
}

/// The argument that a resource sets, where a plan shows what it says.
fn set_by<'r>(resource: &'r Resource, name: &str) -> Option<&'r In<Attribute>> {
    let ignored = resource.lifecycle.ignore_changes.as_ref().is_some_and(|attr| ignores(&attr.expr, name));
    let is_always_there = resource.lifecycle.enabled.is_none();
    resource.body.attribute(name).filter(|_| is_always_there && !ignored && !META.contains(&name))
}

/// Returns true if `ignore_changes` names an attribute, or all of them.
fn ignores(expr: &Expr, name: &str) -> bool {
    let is_all = matches!(&expr.kind, ExprKind::Variable(all) if &**all == "all");
    is_all || traversal::variables(expr).iter().any(|found| &*found.root.text == name)
}

/// Every plain value in it with marks.
fn marked(value: &Guarded, marks: &Marks) -> Guarded {
    let part = |part: &Part| match part {
        Part::Value(value) => Part::Value(value.clone().with_marks(marks)),
        Part::Object(attrs) => {
            let attrs: Attrs = attrs.iter().map(|(name, one)| (name.clone(), marked(one, marks))).collect();
            Part::Object(Arc::new(attrs))
        }
        Part::Tuple(items) => Part::Tuple(items.iter().map(|one| marked(one, marks)).collect()),
        Part::Failed(error) => Part::Failed(error.clone()),
    };
    Guarded::new(value.alts().iter().map(|alt| Alt { part: part(&alt.part), ..alt.clone() }).collect())
}
