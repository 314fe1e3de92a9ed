//! What `replace_triggered_by` names while a plan is made: one object that has a change, or a whole resource that has some.
//!
//! In: an element of the list, where the resource around it has an instance. Out: faults as Terraform says them (measured, 1.11). Absent on
//! purpose: what it refuses whether there is an instance or not, which is a rule of [`super::refused`]; data sources.

use super::checks::Check;
use super::faults::Faults;
use crate::addr::{Mode, Referent, ResourceAddr, Target};
use crate::cond::FormulaId;
use crate::eval::{Bindings, eval};
use crate::graph::uses_of;
use crate::syntax::{Expr, ExprKind};
use crate::text::{Place, SourceId};
use crate::trace::{Alt, Frame, Part};

const UNEXPECTED: &str =
    "Invalid replace_triggered_by expression: Unexpected expression found in replace_triggered_by.";
const NOT_STATIC: &str = "Invalid expression: A single static variable reference is required: only attribute access and indexing with constant \
                          keys. No calculations, function calls, template expressions, etc are allowed here.";

/// What an element of the list names.
struct Named<'e> {
    resource: ResourceAddr,
    /// The expression of the object, or of all of them.
    object: &'e Expr,
    key: Option<&'e Expr>,
    /// True if an attribute of it is named.
    has_path: bool,
}

/// Returns what an element names; nothing where that is refused in any case.
///
/// # Errors
/// Terraform's words for an element that is no reference.
fn read<'e>(expr: &'e Expr, file: SourceId) -> Result<Option<Named<'e>>, &'static str> {
    let uses = uses_of(expr, file);
    let mut resources = uses.iter().filter_map(|used| match &used.referent {
        Referent::Resource(addr) => Some(addr),
        _ => None,
    });
    let (Some(resource), None) = (resources.next(), resources.next()) else { return Ok(None) };
    let taken = |referent: &Referent| {
        matches!(referent, Referent::Resource(_) | Referent::CountIndex | Referent::EachKey)
    };
    if !uses.iter().all(|used| taken(&used.referent)) || resource.mode == Mode::Data {
        return Ok(None);
    }
    // From the end to the root.
    let mut nodes = vec![expr];
    let mut at = expr;
    loop {
        at = match &at.kind {
            ExprKind::GetAttr(inner, _) | ExprKind::Index(inner, _) | ExprKind::LegacyIndex(inner, _) => {
                inner
            }
            ExprKind::Variable(_) => break,
            _ => return Err(UNEXPECTED),
        };
        nodes.push(at);
    }
    nodes.reverse();
    let Some(whole) = nodes.get(1).copied() else { return Ok(None) };
    let behind = nodes.get(2).copied();
    let key = behind.and_then(|node| match &node.kind {
        ExprKind::Index(_, key) => Some(&**key),
        _ => None,
    });
    if key.is_some_and(|key| !is_key(key)) {
        return Err(NOT_STATIC);
    }
    let is_keyed = key.is_some() || behind.is_some_and(|node| matches!(node.kind, ExprKind::LegacyIndex(..)));
    let object = behind.filter(|_| is_keyed).unwrap_or(whole);
    let has_path = nodes.len() > if is_keyed { 3 } else { 2 };
    // A number behind a dot is read as it always was, and not judged.
    let is_judged = key.is_some() == is_keyed;
    Ok(is_judged.then(|| Named { resource: resource.clone(), object, key, has_path }))
}

/// Returns true if Terraform takes an expression for a key there.
fn is_key(key: &Expr) -> bool {
    match &key.kind {
        ExprKind::String(_) | ExprKind::Number(_) => true,
        ExprKind::GetAttr(of, name) => {
            let ExprKind::Variable(root) = &of.kind else { return false };
            matches!((&**root, &*name.text), ("count", "index") | ("each", "key"))
        }
        _ => false,
    }
}

impl Frame<'_, '_> {
    /// Adds the faults of an element of `replace_triggered_by`.
    pub(super) fn trigger_faults(
        &mut self,
        check: &Check<'_>,
        (file, expr): (SourceId, &Expr),
        found: &mut Faults,
    ) {
        let place = Place { file, span: expr.span };
        let named = match read(expr, file) {
            Ok(Some(named)) => named,
            Ok(None) => return,
            Err(error) => return found.add(FormulaId::TRUE, error, place),
        };
        let config = self.tracer.inputs.config;
        let Some(resource) = config.at(check.path).and_then(|module| module.resources.get(&named.resource))
        else {
            return;
        };
        let shown = config.sources.slice(Place { file, span: named.object.span });
        let at = if check.path.is_root() { "the root module".to_owned() } else { check.path.to_string() };
        let error = format!("no change found for {shown}: A plan has no such object in {at}.");
        let is_itself = matches!(&check.of, Some(Target::Resource(own)) if *own == named.resource);
        let suits = match (named.key.map(|key| &key.kind), &resource.count, &resource.for_each) {
            (None, None, None) => true,
            (None, ..) => !named.has_path,
            (Some(_), None, None) => false,
            (Some(kind), Some(_), _) => !matches!(kind, ExprKind::String(_)),
            (Some(kind), None, Some(_)) => !matches!(kind, ExprKind::Number(_)),
        };
        if is_itself || !suits {
            return found.add(FormulaId::TRUE, error, place);
        }
        if resource.count.is_none() && resource.for_each.is_none() {
            return;
        }
        let value = eval(self, file, named.object, &Bindings::default());
        let mut missing = Faults::default();
        let is_whole = named.key.is_none();
        let empty: Vec<FormulaId> = missing
            .errors(self, &value, place)
            .into_iter()
            .filter(|alt| is_whole && is_empty(alt))
            .map(|alt| alt.when)
            .collect();
        found.undecided |= missing.undecided;
        for when in missing.list.iter().map(|fault| fault.when).chain(empty) {
            found.add(when, error.clone(), place);
        }
    }
}

/// Returns true if a value holds no object.
fn is_empty(alt: &Alt) -> bool {
    match &alt.part {
        Part::Value(value) => value.is_known() && value.length() == Some(0),
        Part::Object(attrs) => attrs.is_empty(),
        Part::Tuple(items) => items.is_empty(),
        Part::Failed(_) => false,
    }
}
