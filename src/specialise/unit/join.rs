//! Joins: what takes the place of a reference to a unit that has become several.

use crate::graph::Use;
use crate::issue::{Code, Issue};
use crate::specialise::unit::UnitName;
use crate::syntax::{IndexKey, TraversalStep};
use crate::text::Edit;
use crate::trace::Repetition;

/// The type of a unit in expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A single object.
    Single,
    /// A list of objects: it has `count`.
    List,
    /// A map of objects: it has `for_each`.
    Map,
}

impl Shape {
    /// The shape under a repetition.
    pub fn of(repetition: &Repetition) -> Shape {
        match (&repetition.for_each, &repetition.count) {
            (Some(_), _) => Shape::Map,
            (None, Some(_)) => Shape::List,
            (None, None) => Shape::Single,
        }
    }
}

/// Returns the edit for a use of one output of a call whose copies have these names, by the outputs of the single copies: they wait for
/// less than a whole module does ([`super::waits`]). Each part has an element where its copy's gate is true.
///
/// # Errors
/// A use in a form that can't be rewritten so.
pub fn edit_by_outputs(
    used: &Use,
    unit: &UnitName,
    copies: &[(String, String)],
    shape: Shape,
) -> Result<Edit, Box<Issue>> {
    let Some(TraversalStep::Attr(attr)) = used.traversal.steps.get(1).filter(|_| shape == Shape::Single)
    else {
        return Err(waits_for_itself(used, unit));
    };
    let part = |(name, gate): &(String, String)| {
        format!("[for _ in [0] : {}[0].{} if {gate}]", unit.called(name), attr.text)
    };
    Ok(Edit { span: used.span_through(2), text: one(&copies.iter().map(part).collect::<Vec<_>>()) })
}

/// Returns the issue for a use of a call that waits for what the use stands in.
pub fn waits_for_itself(used: &Use, unit: &UnitName) -> Box<Issue> {
    let summary = format!("{unit} can't be split");
    let why = format!(
        "Here one of its outputs is used, in what it waits for itself. Terraform allows that of one module, and calls it a cycle \
         where several copies of {unit} stand together."
    );
    let issue = Issue::error(Code::Unsupported, summary, why).at(used.place());
    Box::new(issue.fix(
        "Take the value from what the module is given, or move what is used here into a module of its own.",
        "",
    ))
}

/// The edit for one use of a unit whose copies have these names.
///
/// # Errors
/// A use in a form that can't be rewritten safely.
pub fn edit(used: &Use, unit: &UnitName, names: &[String], shape: Shape) -> Result<Edit, Box<Issue>> {
    let copies: Vec<String> = names.iter().map(|n| unit.called(n).to_string()).collect();
    // `module.x` and `aws_x.y` have one step behind the root, `resource.aws_x.y` and `data.aws_x.y` two.
    let steps = if matches!(&*used.traversal.root.text, "resource" | "data" | "ephemeral") { 2 } else { 1 };
    if used.is_static() {
        let attribute = &*used.context.attribute;
        // Dependencies are between whole blocks, whatever instance or attribute is named.
        if attribute == "depends_on" && used.is_element {
            return Ok(Edit { span: used.traversal.span, text: copies.join(", ") });
        }
        return Err(if attribute == "replace_triggered_by" {
            no_trigger(used, unit, steps)
        } else {
            unsupported(used, unit)
        });
    }
    let whole =
        |join: &str| Edit { span: used.span_through(steps), text: format!("{join}({})", copies.join(", ")) };
    match shape {
        Shape::List => return Ok(whole("concat")),
        Shape::Map => return Ok(whole("merge")),
        Shape::Single => {}
    }
    match used.traversal.steps.get(steps) {
        Some(TraversalStep::Attr(attr)) => {
            let parts: Vec<String> = copies.iter().map(|c| format!("{c}[*].{}", attr.text)).collect();
            Ok(Edit { span: used.span_through(steps + 1), text: one(&parts) })
        }
        None => Ok(Edit { span: used.span_through(steps), text: one(&copies) }),
        Some(TraversalStep::Index(IndexKey::String(name), _)) => {
            let name = crate::syntax::emit::string_literal(name);
            let parts: Vec<String> = copies.iter().map(|c| format!("{c}[*][{name}]")).collect();
            Ok(Edit { span: used.span_through(steps + 1), text: one(&parts) })
        }
        Some(TraversalStep::Index(..)) => Err(unsupported(used, unit)),
    }
}

/// Returns the issue for a triggered resource that can't be split as well ([`crate::specialise::unit::follow`]).
fn no_trigger(used: &Use, unit: &UnitName, steps: usize) -> Box<Issue> {
    let name = unit.to_string();
    let summary = format!("a trigger on {name} can't be rewritten");
    let why = "Every address in `replace_triggered_by` must have an instance, and which copy has one differs from run to \
               run. What is triggered can be split along where it is not split already, has no override, is triggered by no \
               other split resource, and the choice doesn't differ from instance to instance.";
    let own = name.rsplit('.').next().unwrap_or(&name);
    let step = |step: &TraversalStep| match step {
        TraversalStep::Attr(attr) => format!(".{}", attr.text),
        TraversalStep::Index(IndexKey::Number(n), _) => format!("[{n}]"),
        TraversalStep::Index(IndexKey::String(key), _) => {
            format!("[{}]", crate::syntax::emit::string_literal(key))
        }
    };
    let rest: String = used.traversal.steps.iter().skip(steps).map(step).collect();
    let trigger = format!("resource \"terraform_data\" \"{own}_trigger\" {{\n  input = {name}{rest}\n}}");
    Box::new(
        Issue::error(Code::Unsupported, summary, why)
            .at(used.place())
            .fix(
                "Trigger by a resource that carries a value, which then replaces whenever that value differs from the last run's:",
                format!("{trigger}\n\nreplace_triggered_by = [terraform_data.{own}_trigger]"),
            ),
    )
}

fn one(parts: &[String]) -> String {
    match parts {
        [only] => format!("one({only})"),
        _ => format!("one(concat({}))", parts.join(", ")),
    }
}

fn unsupported(used: &Use, unit: &UnitName) -> Box<Issue> {
    let summary = format!("a use of {unit} can't be rewritten");
    let why = format!(
        "`{}` names it in a form for which there is no equal form over several copies.",
        used.context.attribute
    );
    Box::new(
        Issue::error(Code::Unsupported, summary, why)
            .at(used.place())
            .fix("Refer to one of its attributes in an expression, or list it in `depends_on`.", ""),
    )
}
