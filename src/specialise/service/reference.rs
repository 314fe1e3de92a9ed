//! Rewrites references to a replaced resource or call: its attributes or outputs become outputs of the template's call.

use super::looped::{self, Taken};
use super::replacing::{Candidate, Replacing};
use crate::addr::Referent;
use crate::config::Module;
use crate::config::nearest::nearest;
use crate::graph::Use;
use crate::issue::Issue;
use crate::specialise::unit::UnitName;
use crate::syntax::{Attribute, Expr, ExprKind, SplatStep, walk};
use crate::text::{Edit, Place, SourceId, Span};
use crate::trace::Repetition;
use std::sync::Arc;

/// The steps that follow the name of a resource or call in an expression.
enum Behind {
    /// An attribute, or those that a `for` takes of each instance.
    Attributes(Vec<Taken>),
    /// Attributes of each instance, taken from a `merge` or `concat` of collections of instances.
    Gathered(Vec<Arc<str>>, Gather),
    /// No attribute: the expression only uses the collection of instances, as in `length` or `keys`.
    Instances,
    /// Anything else. Its attributes may be used in a way that can't be followed.
    Whole,
}

impl Behind {
    fn of(all: Vec<Taken>, gather: Option<Gather>) -> Behind {
        match gather {
            Some(gather) => Behind::Gathered(looped::names(&all), gather),
            None => Behind::Attributes(all),
        }
    }
}

/// The function that merges collections of instances.
#[derive(Clone, Copy)]
enum Gather {
    /// `merge`, with `for_each`.
    Map,
    /// `concat`, with `count`.
    List,
}

impl Gather {
    fn of(function: &str) -> Option<Gather> {
        match function {
            "merge" => Some(Gather::Map),
            "concat" => Some(Gather::List),
            _ => None,
        }
    }
}

/// Returns the edits for one use of a replaced resource or call.
///
/// # Errors
/// Returns an error if the template has no output for the attribute, or if the attributes in use can't be determined.
pub(super) fn edits(
    r: &Replacing<'_>,
    module: &Module,
    candidate: &Candidate<'_>,
    used: &Use,
) -> Result<Vec<Edit>, Box<Issue>> {
    let call = format!("module.{}", candidate.replaced.call);
    let steps = if &*used.traversal.root.text == "resource" { 2 } else { 1 };
    let name = used.span_through(steps);
    let attribute = &*used.context.attribute;
    if used.is_address() {
        return match used.context.blocks.last() {
            Some(block) if **block == *"import" => Err(Box::new(imported(candidate, used.place()))),
            _ => Ok(Vec::new()),
        };
    }
    if used.is_static() {
        return match attribute {
            "depends_on" => Ok(vec![Edit { span: used.traversal.span, text: call }]),
            _ => Err(Box::new(no_trigger(candidate, used.place(), attribute))),
        };
    }
    let rename = Edit { span: name, text: call.clone() };
    let output = |attr: &str| output(r, candidate, attr, used.place());
    Ok(match behind(module, used.file, name, &candidate.replaced.unit) {
        Behind::Instances => vec![rename],
        Behind::Attributes(all) => {
            let one = |taken: &Taken| {
                let text = output(&taken.name)?;
                let text = if taken.quoted { format!(".{text}") } else { text };
                Ok((taken.quoted || text != *taken.name).then_some(Edit { span: taken.span, text }))
            };
            let found = all.iter().map(one).collect::<Result<Vec<Option<Edit>>, Box<Issue>>>()?;
            std::iter::once(rename).chain(found.into_iter().flatten()).collect()
        }
        Behind::Gathered(attributes, gather) => {
            let one = |attr: &Arc<str>| Ok(format!("{attr} = value.{}", output(attr)?));
            let members = attributes.iter().map(one).collect::<Result<Vec<String>, Box<Issue>>>()?;
            let member = format!("{{ {} }}", members.join(", "));
            let text = match gather {
                Gather::Map => format!("{{ for key, value in {call} : key => {member} }}"),
                Gather::List => format!("[for value in {call} : {member}]"),
            };
            vec![Edit { span: name, text }]
        }
        Behind::Whole => return Err(Box::new(whole(candidate, used.place()))),
    })
}

/// Returns true if a use lies within one of these places.
pub(super) fn is_within(used: &Use, places: &[Place]) -> bool {
    places.iter().any(|place| used.lies_in(*place))
}

/// Returns the output that a use of a call names. Returns `None` if it names none, or if that can't be determined.
pub(super) fn attribute_of(module: &Module, used: &Use) -> Option<Arc<str>> {
    let Referent::Call(name, _) = &used.referent else { return None };
    match behind(module, used.file, used.span_through(1), &UnitName::Call(name.clone())) {
        Behind::Gathered(attributes, _) => only(attributes),
        Behind::Attributes(all) => only(looped::names(&all)),
        Behind::Instances | Behind::Whole => None,
    }
}

fn only(mut names: Vec<Arc<str>>) -> Option<Arc<str>> {
    let name = names.pop();
    name.filter(|_| names.is_empty())
}

/// Returns the template's output that replaces an attribute, or an error if there is none.
fn output(
    r: &Replacing<'_>,
    candidate: &Candidate<'_>,
    attr: &str,
    place: Place,
) -> Result<String, Box<Issue>> {
    if let Some((output, _)) = candidate.service.outputs.get(attr) {
        return Ok(output.to_string());
    }
    let template = r.templates.get(&candidate.service.name);
    let outputs = template.map(|t| &t.module.outputs);
    if outputs.is_some_and(|o| o.contains_key(attr)) {
        return Ok(attr.to_owned());
    }
    let own = &candidate.replaced.unit;
    let service = &candidate.service.name;
    let mut why = format!(
        "Neither `outputs` of the service \"{service}\" nor an output of its template stands for it."
    );
    let known = outputs.into_iter().flat_map(|o| o.keys()).chain(candidate.service.outputs.keys());
    if let Some(near) = nearest(attr, known.map(|n| &**n)) {
        why.push_str(&format!(" The nearest name that is known is \"{near}\"."));
    }
    let issue = candidate.issue(format!("{own}.{attr} has no equal under the form factor"), why, place);
    if let Some((title, command)) = candidate.service.takeover() {
        return Err(Box::new(
            issue
                .fix("Do without it where it is used, under this form factor.", "")
                .fix(format!("{title}, and add an output \"{attr}\" to its template:"), command),
        ));
    }
    Err(Box::new(
        issue
            .fix(
                format!("Add an output to the template in {}:", candidate.service.module.0),
                format!("output \"{attr}\" {{\n  value = ...\n}}"),
            )
            .fix(
                format!("Or name the output that stands for it in the service \"{service}\" in `phi.hcl`:"),
                format!("outputs = {{ {attr} = \"OUTPUT\" }}"),
            ),
    ))
}

/// Returns the steps that follow the resource or call whose name lies at `name`.
fn behind(module: &Module, file: SourceId, name: Span, unit: &UnitName) -> Behind {
    let repeated = !Repetition::of(module, &unit.target()).is_none();
    let Some(entry) = module.file(file) else { return Behind::Whole };
    let mut chain: Vec<&Expr> = Vec::new();
    walk::walk_body(&entry.body, &mut |_, attr: &Attribute| {
        if chain.is_empty() && attr.expr.span.contains(name) {
            descend(&attr.expr, name, &mut chain);
        }
    });
    let Some(mut inner) = chain.pop() else { return Behind::Whole };
    let mut indexed = false;
    let mut listed = false;
    let mut gather = None;
    while let Some(outer) = chain.pop() {
        match &outer.kind {
            ExprKind::GetAttr(_, attr) => return Behind::of(vec![Taken::of(attr)], gather),
            ExprKind::Paren(_) => {}
            ExprKind::Index(base, key) if std::ptr::eq(&**base, inner) => match &key.kind {
                ExprKind::String(text) if (!repeated || indexed) && gather.is_none() => {
                    let span = Span { start: inner.span.end, end: outer.span.end };
                    return Behind::Attributes(vec![Taken { name: text.clone(), span, quoted: true }]);
                }
                _ if repeated && !indexed => indexed = true,
                _ => return Behind::Whole,
            },
            ExprKind::LegacyIndex(..) if repeated && !indexed => indexed = true,
            ExprKind::Splat(splat) if std::ptr::eq(&splat.source, inner) => {
                return match splat.each.first() {
                    Some(SplatStep::Attr(attr)) => Behind::of(vec![Taken::of(attr)], gather),
                    _ => Behind::Whole,
                };
            }
            ExprKind::For(_) | ExprKind::Template(_) if repeated && !indexed => {
                return looped::taken(outer, inner).map_or(Behind::Whole, |all| Behind::of(all, gather));
            }
            ExprKind::Call(call) if repeated && !indexed && matches!(&*call.name.text, "length" | "keys") => {
                return Behind::Instances;
            }
            // The instances as a list, whose attributes are taken as those of a list.
            ExprKind::Call(call)
                if repeated && !indexed && !listed && gather.is_none() && *call.name.text == *"values" =>
            {
                listed = true;
            }
            ExprKind::Call(call) if repeated && !indexed && !listed && gather.is_none() => {
                gather = Gather::of(&call.name.text);
                if gather.is_none() {
                    return Behind::Whole;
                }
            }
            _ => return Behind::Whole,
        }
        inner = outer;
    }
    Behind::Whole
}

/// Collects the expressions around a name from the outermost to the name itself. Returns true if the name was found.
fn descend<'e>(expr: &'e Expr, name: Span, chain: &mut Vec<&'e Expr>) -> bool {
    if !expr.span.contains(name) {
        return false;
    }
    chain.push(expr);
    if expr.span == name && matches!(expr.kind, ExprKind::GetAttr(..)) {
        return true;
    }
    if expr.children().into_iter().any(|child| descend(child, name, chain)) {
        return true;
    }
    chain.pop();
    false
}

fn whole(candidate: &Candidate<'_>, place: Place) -> Issue {
    let own = &candidate.replaced.unit;
    let why = "It becomes a module call, whose outputs have other names, and which of its attributes are used here can't be \
               told.";
    candidate
        .issue(format!("{own} is used as a whole"), why, place)
        .fix("Name the attributes that are meant:", format!("{own}.ATTRIBUTE"))
        .fix("Of several instances, take the attribute of each:", format!("{own}[*].ATTRIBUTE"))
}

fn no_trigger(candidate: &Candidate<'_>, place: Place, attribute: &str) -> Issue {
    let own = &candidate.replaced.unit;
    let why = format!("`{attribute}` takes resources, and {own} becomes a module call.");
    let paste =
        format!("resource \"terraform_data\" \"{}_trigger\" {{\n  input = {own}.ATTRIBUTE\n}}", own.name());
    candidate
        .issue(format!("{own} can't be named in `{attribute}`"), why, place)
        .fix("Carry the value in a resource of its own, and name that one:", paste)
}

fn imported(candidate: &Candidate<'_>, place: Place) -> Issue {
    let own = &candidate.replaced.unit;
    let why = format!("{own} becomes a module call, and what is imported would have no configuration.");
    candidate
        .issue(format!("{own} is imported"), why, place)
        .fix("Import where no form factor is on, and take the `import` block out after it was applied.", "")
}
