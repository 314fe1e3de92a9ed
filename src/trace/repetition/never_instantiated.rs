//! Declarations of which there is never an instance: `count = 0`, `for_each = {}`, or a call of that kind around them.
//!
//! Terraform doesn't evaluate their arguments, so that what would be an error there is none.

use crate::addr::{FieldAddr, FieldPath, ModulePath, Target};
use crate::cond::FormulaId;
use crate::config::In;
use crate::eval::EvalError;
use crate::issue::Code;
use crate::syntax::{Attribute, traversal};
use crate::text::Place;
use crate::trace::{
    Guarded, InstanceId, Part, Reason, Repetition, Tracer, repetition::dynamic::Axes, site::FieldSite,
};
use crate::value::{Data, Value};

/// Returns true if Terraform reads a field where there is no instance, too: it has to be constant before anything is
/// evaluated.
pub(in crate::trace) fn is_static(field: &FieldAddr) -> bool {
    let name = field.path.0.first().map(|name| &**name);
    match &field.target {
        Target::Call(_) => matches!(name, Some("source" | "version" | "providers")),
        _ => matches!(name, Some("lifecycle" | "provider")),
    }
}

/// Returns true if a field says how often its declaration is repeated: Terraform reads it where that is never, too.
pub(in crate::trace) fn repeats(field: &FieldAddr) -> bool {
    field.path.says_how_often()
}

/// The calls that lead to a module, from the root inwards, each with the module in which it stands.
pub(in crate::trace) fn calls_to(path: &ModulePath) -> impl Iterator<Item = (ModulePath, Target)> {
    let mut outer = ModulePath::ROOT;
    path.0.iter().map(move |name| {
        let at = outer.clone();
        outer = outer.child(name.clone());
        (at, Target::Call(name.clone()))
    })
}

/// The calls that lead to a field, and then its own declaration.
pub(in crate::trace) fn declarations(field: &FieldAddr) -> impl Iterator<Item = (ModulePath, Target)> {
    calls_to(&field.module).chain([(field.module.clone(), field.target.clone())])
}

/// Returns the declarations that decide if a field exists: those around it, without its own if the field is what
/// repeats that.
fn deciding(field: &FieldAddr) -> impl Iterator<Item = (ModulePath, Target)> {
    let all = field.module.depth() + usize::from(!repeats(field));
    declarations(field).take(all)
}

impl Tracer<'_> {
    /// Returns the reason why a field never has a value, if its declaration never has an instance.
    pub(in crate::trace) fn never_there(&mut self, field: &FieldAddr, site: &FieldSite) -> Option<Reason> {
        for (path, target) in deciding(field) {
            let at = self.instance_at(&path)?;
            if let Some((name, by)) = self.none_of(at, &target) {
                let what = if name == "count" { "`count` is 0" } else { "`for_each` is empty" };
                let whole = path.address_of(target);
                let why = format!("{whole} never has an instance, because {what} whatever happens");
                return Some(nothing_there(&why, Some(by.value_place())));
            }
        }
        let at = self.instance_at(&field.module)?;
        self.no_entry(at, field, site).or_else(|| self.contradicted(field))
    }

    /// The error by which Terraform rejects a declaration whatever is in it: its `count` or `for_each` is one whatever
    /// happens, or that of a call around it.
    pub(in crate::trace) fn repeated_by_error(&mut self, field: &FieldAddr) -> Option<EvalError> {
        for (path, target) in deciding(field) {
            let at = self.instance_at(&path)?;
            let repetition = Repetition::of(self.inputs.config.at(&path)?, &target);
            if let Some(by) = repetition.attribute() {
                let mut frame = self.frame(at);
                let value = frame.argument(by);
                // Of what has no instance nothing inside is looked at.
                if is_nothing(&value) {
                    return None;
                }
                if crate::trace::repetition::axis::fails(&value) {
                    return value.alts().iter().find_map(|alt| match &alt.part {
                        Part::Failed(e) => Some(e.clone()),
                        _ => None,
                    });
                }
                // The same where some values of it are errors, and the others are empty.
                let exists = self.axis(at, &target).exists;
                if exists.is_some_and(|exists| self.formulas.is_false(exists).unwrap_or(false)) {
                    return None;
                }
            }
        }
        None
    }

    /// Returns true if Terraform may have nothing to evaluate a field for: no instance, or no entry of a `dynamic`
    /// block around it. If the error belongs to another declaration of the module (`elsewhere`), only the module
    /// itself counts.
    pub(in crate::trace) fn may_be_absent(
        &mut self,
        field: &FieldAddr,
        site: &FieldSite,
        elsewhere: bool,
    ) -> bool {
        if is_static(field) || self.repeated_by_error(field).is_some() {
            return false;
        }
        // What names nothing is looked at before anything is expanded.
        if traversal::variables(&site.attr.expr).is_empty() {
            return false;
        }
        let exists = match elsewhere {
            true => self.existence_within(&field.module),
            false => self.existence_around(field),
        };
        if exists != FormulaId::TRUE {
            return true;
        }
        let counted = if elsewhere { field.module.depth() } else { usize::MAX };
        for (path, target) in deciding(field).take(counted) {
            let repeated =
                self.inputs.config.at(&path).is_some_and(|m| !Repetition::of(m, &target).is_none());
            let open = self.instance_at(&path).is_none_or(|at| self.axis(at, &target).exists.is_none());
            if repeated && open {
                return true;
            }
        }
        let Some(instance) = self.instance_at(&field.module).filter(|_| !elsewhere) else { return false };
        let mut frame = self.frame_in(instance, &field.target);
        let axes = frame.within(&site.dynamics, &field.target);
        axes.entries.iter().any(|e| e.exists != Some(FormulaId::TRUE))
    }

    /// Returns the reason why there is no instance although the collection isn't empty in itself: no case leaves
    /// anything of it.
    fn contradicted(&mut self, field: &FieldAddr) -> Option<Reason> {
        if is_static(field)
            || self.existence_around(field) != FormulaId::FALSE
            || self.repeated_by_error(field).is_some()
        {
            return None;
        }
        let instance = self.instance_at(&field.module)?;
        let repetition = Repetition::of(self.module_of(instance)?, &field.target);
        let place = repetition.for_each.or(repetition.count).map(|by| by.value_place());
        let what = FieldAddr { path: FieldPath::default(), ..field.clone() };
        Some(nothing_there(&format!("{what} never has an instance, whatever happens"), place))
    }

    /// Returns the reason why a field never has a value, if one of the `dynamic` blocks around it never has an entry.
    fn no_entry(&mut self, instance: InstanceId, field: &FieldAddr, site: &FieldSite) -> Option<Reason> {
        let mut axes = Axes::default();
        for block in &site.dynamics {
            let for_each = block.body.attribute("for_each")?;
            let value =
                self.frame_in(instance, &field.target).enter_block(block, &field.target, &mut axes)?;
            if is_nothing(&value) {
                let kind = block.label(0).unwrap_or_default();
                let why = format!(
                    "`dynamic \"{kind}\"` never has an entry, because its `for_each` is empty whatever happens"
                );
                return Some(nothing_there(&why, Some(block.at(for_each.expr.span))));
            }
        }
        None
    }

    /// The argument by which a declaration has no instance.
    fn none_of(&mut self, instance: InstanceId, target: &Target) -> Option<(&'static str, In<Attribute>)> {
        let repetition = Repetition::of(self.module_of(instance)?, target);
        [("for_each", repetition.for_each), ("count", repetition.count)].into_iter().find_map(|(name, by)| {
            let by = by?;
            let mut frame = self.frame(instance);
            let value = frame.argument(&by);
            self.always_nothing(&value).then_some((name, by))
        })
    }

    /// Returns true if it is zero or empty wherever the values are those that are listed.
    fn always_nothing(&mut self, value: &Guarded) -> bool {
        let formulas = &mut self.formulas;
        let meant = value.alts().iter().filter(|alt| !formulas.is_false(alt.when).unwrap_or(false));
        is_nothing(&Guarded::new(meant.cloned().collect()))
    }
}

/// Why a field has no value where there is no instance and no entry.
fn nothing_there(why: &str, place: Option<Place>) -> Reason {
    Reason::new(Code::IterationDependent, format!("{why}: nothing has a value there."), place)
        .fix("Leave it as it is: there is nothing to specialise, and a pin on it is passed over.", "")
}

/// Returns true if it is zero or empty in every alternative.
fn is_nothing(value: &Guarded) -> bool {
    !value.alts().is_empty()
        && value.alts().iter().all(|alt| match &alt.part {
            Part::Value(v) => is_none(v),
            Part::Object(attrs) => attrs.is_empty(),
            Part::Tuple(items) => items.is_empty(),
            Part::Failed(_) => false,
        })
}

fn is_none(value: &Value) -> bool {
    match &value.data {
        Data::Map(m) => m.is_empty(),
        Data::Seq(s) => s.is_empty(),
        _ => value.as_number().and_then(|n| n.as_usize()) == Some(0),
    }
}
