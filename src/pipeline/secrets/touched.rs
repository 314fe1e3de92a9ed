//! What a secret has a part in without being its value: fields whose conditions may hold it, as a key that something is picked by or compared with.
//!
//! In: a configuration and its [`Secrets`]. Out: whether a constant in what is told of a field may be shown. From a secret on everything counts here that an
//! expression names, also what only decides: conditions, comparisons, counts, and keys. Of a field that a secret has a part in, only constants are shown that
//! stand in the tree beside something plain. Absent on purpose: whether a value itself is shown.

use super::super::every_field;
use super::call::marked;
use super::flow::Flow;
use super::found::{Secrets, without_source};
use super::plain::PlainTexts;
use super::roots::Roots;
use super::route::Route;
use super::shape::{Finder, Names};
use super::source_texts::texts_of_sources;
use crate::addr::{FieldAddr, Mode, ModulePath, Target};
use crate::config::Config;
use crate::host::threads;
use crate::pipeline::field::Field;
use crate::syntax::traversal::variables;
use crate::syntax::{Expr, parse_expr};
use crate::text::{Place, SourceId, Span};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Names that expressions of a module have in common. Others stand for what repeats something.
pub(super) const NAMED: [&str; 6] = ["var", "local", "module", "path", "terraform", "count"];

/// What is said of a field in which a secret has a part, where more would quote it.
pub const PART_OF_SECRET: &str = "a secret has a part in it, so that no more is said.";

/// What secrets have a part in.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// The flow of secrets through all that they decide.
    flow: Secrets,
    /// Declarations of which a secret decides how many there are.
    counted: FxHashSet<(ModulePath, Target)>,
    plain: PlainTexts,
    /// The constants of the sources but the values of secrets.
    in_sources: PlainTexts,
}

impl Touched {
    /// Finds it. `given`: the values of root variables in environments, by name.
    pub fn of(config: &Config, secrets: &Secrets, given: &[(&str, Value)]) -> Touched {
        if secrets.is_empty() && !has_marks(config) {
            return Touched::default();
        }
        let known = known_secrets(config, secrets);
        threads::inside(|| {
            let all = every_field::all(config);
            let mut flow = Flow::of(config, &all, true);
            flow.start_from(known);
            flow.go_on();
            let counted = flow.counted_by_secrets();
            let mut found = flow.found();
            found.all |= secrets.all;
            found.iterated.extend(secrets.iterated.iter().cloned());
            let in_sources = texts_of_sources(config, secrets, &all);
            let mut touched = Touched { flow: found, counted, plain: PlainTexts::default(), in_sources };
            touched.plain = touched.plain_texts(config, secrets, &all);
            for (name, value) in given {
                let target = Target::Variable((*name).into());
                let is_hidden =
                    config.root().and_then(|m| m.variables.get(*name)).is_none_or(|v| v.is_hidden());
                if !is_hidden && !touched.flow.holds(&ModulePath::ROOT, &target, &Route::new()) {
                    touched.plain.add_value(value);
                }
            }
            touched
        })
    }

    /// Returns true if a secret has no part in anything.
    pub fn is_empty(&self) -> bool {
        self.flow.is_empty() && self.counted.is_empty()
    }

    /// Returns true if a secret has a part in what is told of a field.
    pub fn has(&self, field: &FieldAddr) -> bool {
        let is_named = matches!(field.target, Target::Local(_) | Target::Variable(_))
            && self.flow.holds(&field.module, &field.target, &Route::new());
        is_named
            || self.flow.has_field(field)
            || self.flow.hides_keys(field)
            || self.is_counted(&field.module, &field.target)
    }

    /// Returns true if a secret has a part in an expression of the root module.
    pub fn has_expr(&self, config: &Config, expr: &Expr) -> bool {
        if self.is_empty() {
            return false;
        }
        let mut roots = Roots::of(config);
        let Some(module) = roots.modules.iter().position(|(path, _)| path.is_root()) else { return true };
        let shape = Finder { roots: &mut roots, module, names: Names::new(), deciding: true }.shape(expr);
        shape.iter().any(|edge| {
            let target = roots.all.get(edge.root).map(|(_, target)| target);
            target.is_none_or(|target| self.flow.holds(&ModulePath::ROOT, target, &edge.from))
        })
    }

    /// Returns true if an expression names what a secret has a part in.
    pub fn is_named(&self, module: &ModulePath, expr: &Expr) -> bool {
        self.flow.are_named(module, expr)
    }

    /// Returns true if a text of a condition names such a thing and holds something that it may be.
    pub fn is_told(&self, module: &ModulePath, text: &str) -> bool {
        self.flow.are_told(module, text)
    }

    /// Returns true if anything is repeated by a secret.
    pub fn has_keys(&self) -> bool {
        self.flow.has_secret_keys()
    }

    /// Returns true if a constant stands in the tree where everybody may see it.
    pub fn is_plain(&self, value: &Value) -> bool {
        self.plain.has(value)
    }

    /// Returns true if words quote what doesn't. The names of functions are Terraform's own.
    pub fn is_quoted_in(&self, words: &str) -> bool {
        let parts: Vec<&str> = words.split('"').collect();
        parts.chunks(2).any(|pair| match pair {
            [before, text] => !before.ends_with("function ") && !self.plain.has_text(text),
            _ => false,
        })
    }

    /// Returns true if the words of an error tell what doesn't, in quotes or without: what a function says of its arguments, and numbers,
    /// addresses and their like.
    pub fn is_told_in_error(&self, words: &str) -> bool {
        const OF_FUNCTIONS: [&str; 2] = ["Call to function \"", "Invalid function argument"];
        let outside = || words.split('"').step_by(2).flat_map(str::split_whitespace);
        OF_FUNCTIONS.iter().any(|begin| words.contains(begin))
            || self.is_quoted_in(words)
            || outside().any(|word| self.is_told_by(word))
    }

    /// Returns true if a word that isn't in quotes holds a digit, and doesn't stand in the tree where everybody may see it.
    pub(super) fn is_told_by(&self, word: &str) -> bool {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.contains(|c: char| c.is_ascii_digit()) && !self.plain.has_text(word)
    }

    /// Returns true if all constants of an expression do.
    pub fn is_plain_text(&self, text: &str) -> bool {
        parse_expr(text).is_ok_and(|expr| self.plain.hold_all_of(&expr))
    }

    /// Returns true if a constant stands in the sources, or where everybody may see it.
    pub(super) fn is_in_sources(&self, value: &Value) -> bool {
        self.in_sources.has(value) || self.plain.has(value)
    }

    /// Returns true if all constants of an expression do, or are among others.
    pub(super) fn are_in_sources(&self, expr: &Expr, others: &PlainTexts) -> bool {
        PlainTexts::hold_all(&[&self.in_sources, &self.plain, others], expr)
    }

    fn is_counted(&self, module: &ModulePath, target: &Target) -> bool {
        if self.counted.is_empty() {
            return false;
        }
        let has = |module: &ModulePath, target: Target| self.counted.contains(&(module.clone(), target));
        let mut found = has(module, without_source(target));
        let mut around = module.clone();
        while let Some((parent, call)) = around.parent() {
            found = found || has(&parent, Target::Call(call.plain()));
            around = parent;
        }
        found
    }

    /// The constants that stand where no secret has a part, and those that are compared with something plain.
    fn plain_texts(&self, config: &Config, secrets: &Secrets, all: &[Field]) -> PlainTexts {
        let mut plain = PlainTexts::default();
        for (path, id) in &config.paths {
            let Some(module) = config.module(*id) else { continue };
            let is_plain = |expr: &Expr| {
                variables(expr).iter().all(|named| NAMED.contains(&&*named.root.text))
                    && !self.is_named(path, expr)
            };
            let mut add = |file: SourceId, expr: &Expr, is_touched: bool| {
                let is_written = |span: Span| secrets.is_written_at(Place { file, span });
                match is_touched {
                    false if !is_written(expr.span) => plain.add_all(expr),
                    _ => plain.add_compared(expr, &is_plain, &is_written),
                }
            };
            for local in module.locals.values() {
                let is_touched = self.flow.holds(path, &Target::Local(local.name.clone()), &Route::new());
                add(local.attr.file, &local.attr.expr, is_touched);
            }
            for variable in module.variables.values() {
                for rule in &variable.validations {
                    add(rule.condition.file, &rule.condition, true);
                }
                let target = Target::Variable(variable.name.clone());
                if let Some(default) = &variable.default
                    && !variable.is_hidden()
                    && !self.flow.holds(path, &target, &Route::new())
                {
                    add(default.file, &default.expr, false);
                }
            }
        }
        for field in all.iter().filter(|field| !secrets.hides(config, &field.addr)) {
            let attr = &field.site.attr;
            let is_plain = |expr: &Expr| {
                variables(expr).iter().all(|named| NAMED.contains(&&*named.root.text))
                    && !self.is_named(&field.addr.module, expr)
            };
            let is_written = |span: Span| secrets.is_written_at(Place { file: attr.file, span });
            match self.has(&field.addr) || is_written(attr.expr.span) {
                true => plain.add_compared(&attr.expr, &is_plain, &is_written),
                false => plain.add_all(&attr.expr),
            }
        }
        plain
    }
}

/// Returns true if anything carries a mark, whatever it is.
pub(super) fn has_marks(config: &Config) -> bool {
    let mut modules = config.paths.values().filter_map(|id| config.module(*id));
    modules.any(|module| {
        module.variables.values().any(|v| v.sensitive || v.ephemeral)
            || module.outputs.values().any(|o| o.sensitive || o.ephemeral)
            || module.resources.keys().any(|r| r.mode == Mode::Ephemeral)
    }) || config.sources.iter().any(|(_, file)| file.text.contains("sensitive("))
}

/// What holds a secret from the beginning: by its name, or by a mark.
pub(super) fn known_secrets<'a>(
    config: &'a Config,
    secrets: &'a Secrets,
) -> impl Iterator<Item = (ModulePath, Target, Vec<Route>)> + 'a {
    let named =
        secrets.held.iter().map(|((path, target), parts)| (path.clone(), target.clone(), parts.clone()));
    named.chain(marked_secrets(config))
}

/// What holds a secret by a mark.
pub(super) fn marked_secrets(config: &Config) -> impl Iterator<Item = (ModulePath, Target, Vec<Route>)> + '_ {
    let whole = || vec![Route::new()];
    config.paths.iter().flat_map(move |(path, id)| {
        let module = config.module(*id);
        let variables = module.into_iter().flat_map(|module| module.variables.values());
        let variables =
            variables.filter(|v| v.sensitive || v.ephemeral).map(|v| Target::Variable(v.name.clone()));
        let outputs = module.into_iter().flat_map(|module| module.outputs.values());
        let outputs = outputs.filter(|o| o.sensitive || o.ephemeral).map(|o| Target::Output(o.name.clone()));
        let resources = module.into_iter().flat_map(|module| module.resources.keys());
        let resources = resources.filter(|r| r.mode == Mode::Ephemeral).cloned().map(Target::Resource);
        let all = variables.chain(outputs).chain(resources).chain([marked()]);
        all.map(move |target| (path.clone(), target, whole()))
    })
}
