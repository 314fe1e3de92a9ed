//! Fixes as they can be pasted where they belong: a source names a folder that is there, and what goes into a JSON file is JSON.

use crate::addr::{FieldAddr, Target};
use crate::config::json_members;
use crate::eval::{Bindings, eval};
use crate::host::EntryKind;
use crate::issue::{Code, Fix};
use crate::syntax::emit::string_literal;
use crate::syntax::traversal::variables;
use crate::syntax::{Expr, ExprKind, TemplatePart, parse_expr};
use crate::text::SourceId;
use crate::trace::{Guarded, InstanceId, NOWHERE, Part, Reason, Traced, Tracer};
use crate::value::Mark;
use std::ops::Range;
use std::sync::Arc;

/// How many folders below the one that a source begins with are looked at, in each of two levels.
const FOLDERS: usize = 64;

/// The texts that stand for values of the user's own.
const SAMPLES: [&str; 2] = ["\"first\"", "\"second\""];

impl Tracer<'_> {
    /// Returns a result whose fixes can be pasted into the files that they name.
    pub(in crate::trace) fn with_pastable(
        &mut self,
        result: Traced,
        field: &FieldAddr,
        file: SourceId,
    ) -> Traced {
        let Traced::Unbounded(reason) = result else { return result };
        let mut fixes = reason.fixes.clone();
        if let (Target::Call(call), [name]) = (&field.target, field.path.0.as_slice())
            && &**name == "source"
        {
            let module = self.inputs.config.at(&field.module);
            let own =
                module.and_then(|module| Some((module, module.calls.get(&call.name)?.source.as_ref()?)));
            if let Some((module, source)) = own {
                fixes = self.with_folders(fixes, &module.dir.display().to_string(), &source.expr);
            }
        }
        if reason.code == Code::Sensitive {
            fixes = fixes.into_iter().map(|fix| self.unmarked_at_names(fix, field)).collect();
        }
        for fix in &mut fixes {
            let native = &fix.paste;
            if self.goes_into_json(fix, field, file)
                && let Some(members) = json_members(native)
            {
                fix.paste = members;
            }
        }
        match fixes == reason.fixes {
            true => Traced::Unbounded(reason),
            false => Traced::Unbounded(Arc::new(Reason { fixes, ..Reason::clone(&reason) })),
        }
    }

    /// Returns the fix that takes a mark off. `nonsensitive` takes it off a whole and not off parts, which are made of names: there
    /// it is put around these.
    fn unmarked_at_names(&mut self, fix: Fix, field: &FieldAddr) -> Fix {
        let Some((name, text)) = fix.paste.split_once(" = nonsensitive(") else { return fix };
        let Some(text) = text.strip_suffix(')') else { return fix };
        let (Some(instance), Ok(whole)) = (self.instance_at(&field.module), parse_expr(text)) else {
            return fix;
        };
        if !self.has_marked_part(instance, &format!("nonsensitive({text})")) {
            return fix;
        }
        let mut put = text.to_owned();
        let mut spans: Vec<Range<usize>> = variables(&whole).iter().map(|found| found.span.range()).collect();
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        for span in spans {
            let named = text.get(span.clone()).unwrap_or_default();
            if self.has_marked_part(instance, named) {
                put.replace_range(span, &format!("nonsensitive({named})"));
            }
        }
        match put != text && !self.has_marked_part(instance, &put) {
            true => Fix { paste: format!("{name} = {put}"), ..fix },
            false => {
                let title = "If they are no secrets, put `nonsensitive(...)` around what is sensitive, where it comes from.";
                Fix { title: title.to_owned(), paste: String::new() }
            }
        }
    }

    /// Returns true if an expression of a module has a value that is sensitive, or that has a sensitive part.
    fn has_marked_part(&mut self, instance: InstanceId, text: &str) -> bool {
        let Ok(expr) = parse_expr(text) else { return false };
        let mut frame = self.frame(instance);
        let given = eval(&mut frame, NOWHERE, &expr, &Bindings::default());
        is_marked(&given)
    }

    /// Returns true if what is to be pasted takes the place of something in a JSON file: a root variable's members, or the field.
    fn goes_into_json(&self, fix: &Fix, field: &FieldAddr, file: SourceId) -> bool {
        if let Some((_, rest)) = fix.title.split_once("(in `variable \"") {
            let root = self.inputs.config.root();
            let variable = root.and_then(|root| root.variables.get(rest.split('"').next()?));
            return variable.is_some_and(|variable| variable.decl.json);
        }
        let last = field.path.0.last().map_or("", |name| name);
        fix.paste.starts_with(&format!("{last} = ")) && self.inputs.config.is_json(file)
    }

    /// Names folders that are there in place of made-up ones; a source that would be hardcoded goes if there is none.
    fn with_folders(&self, fixes: Vec<Fix>, dir: &str, source: &Expr) -> Vec<Fix> {
        let form = Form::of(source);
        let names: Vec<String> = form.as_ref().map(|form| self.folders(form, dir)).unwrap_or_default();
        let mut out = Vec::new();
        for mut fix in fixes {
            if fix.paste.starts_with("source = ") {
                let (Some(name), Some(form)) = (names.first(), &form) else { continue };
                fix.paste = format!("source = {}", string_literal(&form.whole(name)));
            } else if form.as_ref().is_some_and(|form| form.is_one) && !names.is_empty() {
                let listed = format!("[{}]", SAMPLES.join(", "));
                let all: Vec<String> = names.iter().take(2).map(|name| string_literal(name)).collect();
                fix.paste = fix.paste.replace(&listed, &format!("[{}]", all.join(", ")));
                let [first, _] = SAMPLES;
                fix.paste = fix.paste.replace(first, all.first().map_or("", |name| name));
            }
            out.push(fix);
        }
        out
    }

    /// Returns what may stand in the place of a source's expressions, so that it names a folder with a module.
    fn folders(&self, form: &Form, dir: &str) -> Vec<String> {
        let (base, start) = form.front.rsplit_once('/').map_or((".", ""), |(base, start)| (base, start));
        let base = base.trim_end_matches('/');
        let at = |below: &str| {
            let parts = [dir, base, below].into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("/")
        };
        let mut found = Vec::new();
        for first in self.below(&at("")) {
            found.push(first.clone());
            found.extend(self.below(&at(&first)).into_iter().map(|second| format!("{first}/{second}")));
        }
        let fits = |path: &String| {
            let inner = path.strip_prefix(start)?.strip_suffix(form.back.as_str())?;
            let is_module = self.is_module(&at(path)) && !inner.is_empty();
            let prefix = if form.front.is_empty() { "./" } else { "" };
            is_module.then(|| format!("{prefix}{inner}"))
        };
        found.iter().filter_map(fits).collect()
    }

    /// Returns the folders in a folder, those of programs left out.
    fn below(&self, dir: &str) -> Vec<String> {
        let all = self.inputs.outside.list(dir).unwrap_or_default();
        let is_folder = |name: &String| {
            let kind = self.inputs.outside.kind(&format!("{dir}/{name}"));
            !name.starts_with('.') && matches!(kind, Ok(Some(EntryKind::Dir)))
        };
        all.into_iter().filter(is_folder).take(FOLDERS).collect()
    }

    fn is_module(&self, dir: &str) -> bool {
        let all = self.inputs.outside.list(dir).unwrap_or_default();
        all.iter().any(|name| name.ends_with(".tf") || name.ends_with(".tf.json"))
    }
}

/// Returns true if a value is sensitive, or a part of it is.
fn is_marked(given: &Guarded) -> bool {
    given.alts().iter().any(|alt| match &alt.part {
        Part::Value(value) => value.marks_deep().has(Mark::Sensitive),
        Part::Object(attrs) => attrs.values().any(is_marked),
        Part::Tuple(items) => items.iter().any(is_marked),
        Part::Failed(_) => false,
    })
}

/// A source with one expression in it, beside text.
struct Form {
    front: String,
    back: String,
    /// True if the expression is a name.
    is_one: bool,
}

impl Form {
    fn of(source: &Expr) -> Option<Form> {
        let parts = match &source.kind {
            ExprKind::Template(template) => template.parts.as_slice(),
            _ => {
                let is_one = matches!(source.kind, ExprKind::GetAttr(..));
                return Some(Form { front: String::new(), back: String::new(), is_one });
            }
        };
        let (mut front, mut back, mut inner) = (String::new(), String::new(), None);
        for part in parts {
            match (part, inner) {
                (TemplatePart::Literal(text, _), None) => front.push_str(text),
                (TemplatePart::Literal(text, _), Some(_)) => back.push_str(text),
                (TemplatePart::Interpolation(expr, _), None) => inner = Some(expr),
                _ => return None,
            }
        }
        let is_local = front.is_empty() || front.starts_with("./") || front.starts_with("../");
        let is_one = matches!(inner?.kind, ExprKind::GetAttr(..));
        is_local.then_some(Form { front, back, is_one })
    }

    /// Returns the source with a text in the place of the expression.
    fn whole(&self, name: &str) -> String {
        format!("{}{name}{}", self.front, self.back)
    }
}
