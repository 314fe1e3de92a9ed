//! The guard of a data source's attribute: a `postcondition`, which Terraform asks as soon as the source is read.

use super::said;
use super::text::{appended, condition, message, rule, written};
use crate::addr::{FieldAddr, Target};
use crate::config::{Config, Module};
use crate::issue::{Code, Issue};
use crate::syntax::trivia;
use crate::text::{Edit, SourceId};
use crate::trace::Guard;
use crate::value::Type;

/// The edit that adds the guards of one data source: into the block's `lifecycle`, or with one of its own. Nothing where
/// all of it is said there.
///
/// # Errors
/// Returns an error if no text can be added to the block: it is declared in JSON, or an override file changes it.
pub(super) fn edit(
    config: &Config,
    module: &Module,
    target: &Target,
    guards: &[(&FieldAddr, &Guard)],
) -> Result<Option<(SourceId, Edit)>, Box<Issue>> {
    let unsupported = |why: &str| {
        let summary = format!("no postcondition can be added to {target}");
        Box::new(Issue::error(Code::Unsupported, summary, why).about(target.to_string()))
    };
    let resource = match target {
        Target::Resource(name) => module.resources.get(name),
        _ => None,
    };
    let resource = resource.ok_or_else(|| unsupported("It is not declared."))?;
    if resource.decl.json || !resource.decl.overrides.is_empty() {
        return Err(unsupported("Files in JSON are not rewritten, nor is what an override file changes."));
    }
    let block = &resource.decl.block;
    let source = config.sources.get(block.file).ok_or_else(|| unsupported("Its file is not loaded."))?;
    let text = &source.text;
    let newline = trivia::line_ending(text);
    let own = block.body.blocks_of("lifecycle").next();
    let around = own.unwrap_or(&block.node);
    let indent = trivia::inner_indent(text, around.span.start);
    let deeper = if own.is_some() { indent.clone() } else { format!("{indent}  ") };
    let mut rules = Vec::new();
    for (attribute, guard) in guards {
        let subject = format!("self.{}", attribute.path);
        let said = own.into_iter().flat_map(|l| l.body.blocks_of("postcondition"));
        let said = said.filter_map(|rule| rule.body.attribute("condition"));
        if said.into_iter().any(|a| said::says(&a.expr, text, &subject, &guard.values)) {
            continue;
        }
        let values = written(guard)
            .ok_or_else(|| unsupported("A value of its universe can't be written as a literal."))?;
        let condition = condition(&subject, true, guard, &Type::Dynamic, &values);
        let message = message(&attribute.local().to_string(), guard, &Type::Dynamic, &values);
        rules.push(rule(&deeper, "postcondition", &condition, &message, newline));
    }
    if rules.is_empty() {
        return Ok(None);
    }
    let rules = rules.join(newline);
    let added = match own {
        Some(_) => rules,
        None => format!("{indent}lifecycle {{{newline}{rules}{indent}}}{newline}"),
    };
    Ok(Some((block.file, appended(text, around, &added))))
}
