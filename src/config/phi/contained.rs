//! Templates that read files of others.
//!
//! A template is handed from place to place, so what it reads at plan time is its own or the tree's. In: a template. Out: an issue for
//! each function that reads a path written out in the template which leads out of the working directory.

use super::Service;
use crate::config::{Config, Module, paths};
use crate::func::looks_at_files;
use crate::issue::{Code, Issue};
use crate::syntax::{Expr, ExprKind, TemplatePart, TraversalStep, traversal, walk};
use crate::text::Place;
use std::path::{Path, PathBuf};

/// The reads that lead out.
pub(super) fn outside(service: &Service, config: &Config, module: &Module) -> Vec<Issue> {
    let mut issues = Vec::new();
    for entry in &module.files {
        walk::walk_body(&entry.body, &mut |_, attr| {
            walk::walk(&attr.expr, &mut |expr| {
                if let ExprKind::Call(call) = &expr.kind
                    && looks_at_files(&call.name.text)
                    && let Some(path) = call.args.first().and_then(|arg| written(&module.dir, arg))
                    && (path.is_absolute() || path.starts_with(".."))
                {
                    let place = Place { file: entry.source, span: expr.span };
                    issues.push(issue(service, &path, config.sources.span_text(place)));
                }
                true
            });
        });
    }
    issues
}

/// A path that is written out, from the working directory.
fn written(dir: &Path, expr: &Expr) -> Option<PathBuf> {
    let text = match &expr.kind {
        ExprKind::String(text) => text.to_string(),
        ExprKind::Template(template) => {
            let parts = template.parts.iter().map(|part| match part {
                TemplatePart::Literal(text, _) => Some(text.to_string()),
                TemplatePart::Interpolation(inner, _) => folder(dir, inner),
                _ => None,
            });
            parts.collect::<Option<String>>()?
        }
        _ => return None,
    };
    Some(paths::clean(Path::new(&text)))
}

/// The folder that `path.…` names, from the working directory.
fn folder(dir: &Path, expr: &Expr) -> Option<String> {
    let named = traversal::variables(expr).into_iter().next()?;
    let step = match named.steps.first() {
        Some(TraversalStep::Attr(name)) if *named.root.text == *"path" => &*name.text,
        _ => return None,
    };
    match step {
        "module" => Some(paths::shown(dir)),
        "root" | "cwd" => Some(".".to_owned()),
        _ => None,
    }
}

fn issue(service: &Service, path: &Path, place: String) -> Issue {
    let why = format!(
        "It reads {} while Terraform plans, which is not below the working directory.",
        path.display()
    );
    let summary = format!("the template of \"{}\" reads files of others", service.name);
    let issue = Issue::error(Code::Config, summary, why).in_path(place);
    issue.fix("Put the file into the template's folder, and name it by `path.module`:", "${path.module}/FILE")
}
