//! The folders that calls may lead to whose `source` is an expression.
//!
//! In: a root module in its original form. Out: the folders of the modules that its values choose; where those aren't known, or a
//! folder may have come or gone, the folders above, by the text with which the source begins. So too many folders may count, and never
//! too few of those whose beginning is written in the module. Absent on purpose: sources that begin with a value that isn't known.

use crate::addr::ModulePath;
use crate::config::module_source::is_local;
use crate::config::{Call, Config, Module, paths};
use crate::host::Host;
use crate::pipeline::Session;
use crate::syntax::{Expr, ExprKind, TemplatePart};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many locals may lie within one another.
const MOST_LOCALS: usize = 16;

/// So many texts are told apart; of more, what stands before the next part.
const MOST_TEXTS: usize = 64;

/// Functions whose result is one of their arguments, or lies in one.
const GIVE_AN_ARGUMENT: [&str; 7] =
    ["coalesce", "element", "lookup", "nonsensitive", "one", "tostring", "try"];

/// The folders behind sources that are expressions, from the root module.
#[derive(Default)]
pub(super) struct ChosenFolders {
    /// The folders of all modules, those that are chosen among them.
    pub modules: BTreeSet<PathBuf>,
    /// Folders that hold what may be chosen, whatever the values are.
    pub above: BTreeSet<PathBuf>,
    /// Those of them whose calls have no known values: everything within may be called.
    pub unknown: BTreeSet<PathBuf>,
}

impl ChosenFolders {
    /// Finds the folders of a root module, whether it is specialised or not.
    pub fn of<H: Host + Clone>(mut session: Session<H>) -> ChosenFolders {
        let mut out = ChosenFolders::default();
        if session.is_blocked() {
            return out;
        }
        session.load_original(true);
        let config = &session.config;
        for (path, id) in &config.paths {
            let Some(module) = config.module(*id) else { continue };
            out.modules.insert(module.dir.clone());
            for call in module.calls.values().filter(|call| call.source_text().is_none()) {
                out.add(config, path, module, call);
            }
        }
        out
    }

    fn add(&mut self, config: &Config, path: &ModulePath, module: &Module, call: &Call) {
        let Some(source) = &call.source else { return };
        let mut beginnings = BTreeSet::new();
        add_beginnings(module, &source.expr, 0, &mut beginnings);
        let is_known = config.chosen.get(&path.child(call.name.clone())).is_some_and(|all| !all.is_empty());
        for folder in beginnings.iter().filter_map(|text| folder_of(&module.dir, text)) {
            if !is_known {
                self.unknown.insert(folder.clone());
            }
            self.above.insert(folder);
        }
    }
}

/// The text with which a source begins, and whether that is all of it.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Beginning {
    text: String,
    is_whole: bool,
}

impl Beginning {
    /// Returns what stands before the first verb of `format`, as the rest isn't known.
    fn cut_before_verb(self) -> Beginning {
        let text = self.text.split('%').next().unwrap_or_default().to_owned();
        Beginning { text, is_whole: false }
    }
}

/// Returns the folder that holds all folders whose paths begin so; the folder itself where its path is written out.
fn folder_of(dir: &Path, beginning: &Beginning) -> Option<PathBuf> {
    let text = beginning.text.replace('\\', "/");
    if !is_local(&text) {
        return None;
    }
    let folder = if beginning.is_whole { text.as_str() } else { text.rsplit_once('/')?.0 };
    Some(paths::join(dir, folder))
}

/// Adds the texts with which a source may begin, as far as they are written in its module.
fn add_beginnings(module: &Module, expr: &Expr, depth: usize, out: &mut BTreeSet<Beginning>) {
    match &expr.kind {
        ExprKind::String(text) => {
            out.insert(Beginning { text: text.to_string(), is_whole: true });
        }
        ExprKind::Paren(inner) => add_beginnings(module, inner, depth, out),
        ExprKind::Conditional(_, yes, no) => {
            add_beginnings(module, yes, depth, out);
            add_beginnings(module, no, depth, out);
        }
        // Whichever key is taken.
        ExprKind::Index(base, _) | ExprKind::LegacyIndex(base, _) => {
            add_beginnings(module, base, depth, out);
        }
        ExprKind::Object(items) => {
            items.iter().for_each(|item| add_beginnings(module, &item.value, depth, out));
        }
        ExprKind::Tuple(items) => items.iter().for_each(|item| add_beginnings(module, item, depth, out)),
        ExprKind::Call(call) => {
            let mut found = BTreeSet::new();
            call.args.iter().for_each(|arg| add_beginnings(module, arg, depth, &mut found));
            let gives_argument = GIVE_AN_ARGUMENT.contains(&&*call.name.text);
            out.extend(found.into_iter().map(|b| if gives_argument { b } else { b.cut_before_verb() }));
        }
        ExprKind::GetAttr(base, name) => match (&base.kind, depth < MOST_LOCALS) {
            (ExprKind::Variable(root), true) if &**root == "local" => {
                if let Some(local) = module.locals.get(&name.text) {
                    add_beginnings(module, &local.attr.expr, depth + 1, out);
                }
            }
            (ExprKind::Variable(root), _) if &**root == "path" => {
                out.insert(Beginning { text: ".".to_owned(), is_whole: true });
            }
            _ => add_beginnings(module, base, depth, out),
        },
        ExprKind::Template(template) => {
            let mut found = BTreeSet::from([Beginning { text: String::new(), is_whole: true }]);
            for part in &template.parts {
                found = extend(module, found, part, depth);
            }
            out.extend(found);
        }
        _ => {}
    }
}

/// Returns texts with a template's next part behind those that are whole.
fn extend(
    module: &Module,
    found: BTreeSet<Beginning>,
    part: &TemplatePart,
    depth: usize,
) -> BTreeSet<Beginning> {
    let mut next = BTreeSet::new();
    match part {
        TemplatePart::Literal(text, _) => {
            next.insert(Beginning { text: text.to_string(), is_whole: true });
        }
        TemplatePart::Interpolation(inner, _) => add_beginnings(module, inner, depth, &mut next),
        _ => {}
    }
    let is_full = found.len() * next.len() > MOST_TEXTS;
    let joined = |first: Beginning| -> Vec<Beginning> {
        if !first.is_whole {
            return vec![first];
        }
        if next.is_empty() || is_full {
            return vec![Beginning { is_whole: false, ..first }];
        }
        let join = |second: &Beginning| Beginning {
            text: format!("{}{}", first.text, second.text),
            is_whole: second.is_whole,
        };
        next.iter().map(join).collect()
    };
    found.into_iter().flat_map(joined).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::syntax::parse_expr;

    #[test]
    fn the_folders_that_a_source_begins_with() {
        for (source, want) in [
            ("\"./modules/${var.kind}\"", "m/modules"),
            ("\"../net-${var.kind}/v1\"", ""),
            ("var.on ? \"./a\" : (var.off ? \"../b\" : \"hashicorp/x\")", "b m/a"),
            ("{ a = \"./a\", b = \"./b\" }[var.x]", "m/a m/b"),
            ("lookup({ a = \"./a\" }, var.x, \"./c\")", "m/a m/c"),
            ("format(\"./modules/%s/v%d\", var.x, 1)", "m/modules"),
            ("\"${path.module}/x/${var.a}\"", "m/x"),
            ("var.source", ""),
            ("\"${var.source}/a\"", ""),
        ] {
            let mut found = BTreeSet::new();
            add_beginnings(&Module::default(), &parse_expr(source).unwrap(), 0, &mut found);
            let folders: BTreeSet<_> = found.iter().filter_map(|b| folder_of(Path::new("m"), b)).collect();
            let shown: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
            assert_eq!(shown.join(" "), want, "{source}");
        }
    }

    #[test]
    fn many_choices_are_cut() {
        let source = format!("\"{}\"", "${var.x ? \"./a\" : \"./b\"}".repeat(20));
        let mut found = BTreeSet::new();
        add_beginnings(&Module::default(), &parse_expr(&source).unwrap(), 0, &mut found);
        assert!(found.len() <= MOST_TEXTS && found.iter().all(|b| !b.is_whole), "{found:?}");
    }
}
