//! An expression in both domains: one value per assignment, and all values at once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tf_phi::addr::{Key, Reference, Referent, Step as NameStep};
use tf_phi::cond::Formulas;
use tf_phi::config::{self, Config};
use tf_phi::eval::concrete::{Concrete, Resolve};
use tf_phi::eval::{At, Bindings, EvalError, Outcome, Step, eval};
use tf_phi::func::{self, Context, NoSurroundings, Purity, Work};
use tf_phi::host::memory::MemoryHost;
use tf_phi::syntax::{self, Expr, ExprKind, walk};
use tf_phi::text::{SourceFile, SourceId};
use tf_phi::trace::{self, Guarded, Limits, Part, Tracer, Universes};
use tf_phi::value::{Mark, Value, json};

const CONFIG: &str = r#"
variable "flag" { type = bool }
variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "prod"], var.env) && (var.env == "dev" || var.env == "prod")
    error_message = "dev or prod"
  }
}
variable "secret" {
  type      = bool
  sensitive = true
}
locals {
  on    = var.flag ? 1 : 0
  size  = var.env == "prod" ? "large" : "small"
  list  = [1, "b", local.size, null]
  map   = { a = 1, b = local.on, dev = "x", prod = "y" }
  deep  = { one = [{ two = local.map }], flag = var.flag }
  key   = local.map[var.env]
  names = [for k, v in local.map : k if v != 1]
}
"#;

/// The check.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(expr) = syntax::parse_expr(text) else { return };
    let config = config_with(text);
    let file = SourceId(config.sources.iter().count() as u32 - 1);
    // One count for all assignments: what one of them uses up is limits in the others.
    let work = Work::default();
    let context = Context { outside: &NoSurroundings, work: &work };
    let mut concrete = Vec::new();
    let mut outside = false;
    for assignment in assignments() {
        let known = Locals::default();
        let resolver =
            Assigned { config: &config, values: &assignment, known: &known, outside: &mut outside, depth: 0 };
        let mut domain = Concrete { resolver, context };
        let outcome = eval(&mut domain, file, &expr, &Bindings::default());
        if let Ok(value) = &outcome {
            let _ = json::to_json(value).map(|j| j.to_string());
            // What depends on where the program runs is not known here.
            outside |= !value.is_wholly_known();
        }
        concrete.push((assignment, outcome));
    }
    let universes = universes(&config);
    let mut tracer = Tracer::new(&config, Limits::default(), &universes, Default::default(), &NoSurroundings);
    let guarded = tracer.trace_expr(&expr, file);
    if outside || unstable(&expr) {
        return;
    }
    for (assignment, outcome) in concrete {
        if matches!(&outcome, Err(e) if e.limit) {
            continue;
        }
        let mut budget = 10_000;
        let Some(traced) = under(&guarded, tracer.formulas(), &assignment, &mut budget) else { continue };
        match (&traced, &outcome) {
            // A sensitive selector leaves its branches plain on purpose: gates may name it.
            (Ok(a), Ok(b)) if bare(a) == bare(b) => {}
            (Ok(a), _) if !a.is_wholly_known() => {}
            (Err(a), _) if a.limit => {}
            // What Terraform rejects needs no answer: the tracer looks only into what a value needs.
            (Ok(_), Err(_)) => {}
            (Err(_), Err(_)) => {}
            _ => panic!("{assignment:?}: traced {traced:?}, evaluated {outcome:?}"),
        }
    }
}

fn bare(value: &Value) -> Value {
    value.clone().unmark_deep().0
}

/// The configuration with the expression's text as one more file, for messages.
fn config_with(text: &str) -> Config {
    static CONFIG_OF: OnceLock<Config> = OnceLock::new();
    let config = CONFIG_OF.get_or_init(|| {
        let host = MemoryHost::new([("main.tf", CONFIG)]);
        let (config, issues) = config::load(&host, Path::new(""));
        assert!(issues.is_empty(), "{issues:?}");
        config
    });
    let mut config = config.clone();
    config.sources.add(SourceFile::new("expr", text));
    config
}

fn universes(config: &Config) -> Universes {
    trace::universes(config, &Default::default(), &[], Limits::default(), &NoSurroundings).0
}

type Values = BTreeMap<&'static str, Value>;
/// Locals that were evaluated before.
type Locals = RefCell<BTreeMap<Arc<str>, Outcome>>;

fn assignments() -> Vec<Values> {
    let mut all = Vec::new();
    for flag in [true, false] {
        for env in ["dev", "prod"] {
            for secret in [true, false] {
                let secret = Value::bool(secret).with_mark(Mark::Sensitive);
                all.push(BTreeMap::from([
                    ("flag", Value::bool(flag)),
                    ("env", Value::string(env)),
                    ("secret", secret),
                ]));
            }
        }
    }
    all
}

/// What a guarded value is under an assignment; `None` where that can't be told or costs too much.
fn under(value: &Guarded, formulas: &Formulas, values: &Values, budget: &mut usize) -> Option<Outcome> {
    let known = |term| {
        let name = formulas.key(term).strip_prefix("var.")?;
        values.get(name).map(bare)
    };
    let mut taken = None;
    for alt in value.alts() {
        *budget = budget.checked_sub(1)?;
        if formulas.evaluate(alt.when, &known)? {
            assert!(taken.is_none(), "two alternatives under {values:?}: {value:?}");
            taken = Some(&alt.part);
        }
    }
    Some(match taken.unwrap_or_else(|| panic!("no alternative under {values:?}: {value:?}")) {
        Part::Value(v) => Ok(v.clone()),
        Part::Failed(e) => Err(e.clone()),
        Part::Object(attrs) => {
            let mut out = Vec::new();
            for (name, part) in attrs.iter() {
                match under(part, formulas, values, budget)? {
                    Ok(v) => out.push((name.clone(), v)),
                    Err(e) => return Some(Err(e)),
                }
            }
            Ok(Value::object(out))
        }
        Part::Tuple(items) => {
            let mut out = Vec::new();
            for part in items.iter() {
                match under(part, formulas, values, budget)? {
                    Ok(v) => out.push(v),
                    Err(e) => return Some(Err(e)),
                }
            }
            Ok(Value::tuple(out))
        }
    })
}

/// Whether a function is called whose results depend on more than its arguments, or one that nobody knows.
fn unstable(expr: &Expr) -> bool {
    let mut found = false;
    walk::walk(expr, &mut |e| {
        if let ExprKind::Call(call) = &e.kind {
            found |= func::lookup(&call.name.text).is_none_or(|f| f.purity != Purity::Pure);
        }
        true
    });
    found
}

/// References under one assignment.
struct Assigned<'a> {
    config: &'a Config,
    values: &'a Values,
    known: &'a Locals,
    /// Set where a reference leads to something that is not modelled here.
    outside: &'a mut bool,
    depth: usize,
}

impl Resolve for Assigned<'_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], _: At) -> (Outcome, usize) {
        let names: Vec<NameStep<'_>> = steps.iter().map(name_step).collect();
        let reference = match Reference::parse(root, &names) {
            Ok(reference) => reference,
            Err(e) => return (Err(EvalError::new(e.to_string())), steps.len()),
        };
        let outcome = match &reference.referent {
            Referent::Variable(name) => match self.values.get(&**name) {
                Some(value) => Ok(value.clone()),
                None => self.undeclared(),
            },
            Referent::Local(name) => self.local(name),
            _ => {
                *self.outside = true;
                Err(EvalError::new("not modelled"))
            }
        };
        (outcome, reference.consumed)
    }
}

impl Assigned<'_> {
    /// Terraform rejects a configuration that names it, wherever it stands and whatever else is evaluated.
    fn undeclared(&mut self) -> Outcome {
        *self.outside = true;
        Err(EvalError::new("not declared"))
    }

    fn local(&mut self, name: &Arc<str>) -> Outcome {
        let local = self.config.root().and_then(|m| m.locals.get(name));
        let Some(local) = local else { return self.undeclared() };
        assert!(self.depth < 10, "locals of the fixed configuration have no cycle");
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let resolver = Assigned {
            config: self.config,
            values: self.values,
            known: self.known,
            outside: self.outside,
            depth: self.depth + 1,
        };
        let work = Work::default();
        let mut domain = Concrete { resolver, context: Context { outside: &NoSurroundings, work: &work } };
        let outcome = eval(&mut domain, local.attr.file, &local.attr.expr, &Bindings::default());
        self.known.borrow_mut().insert(name.clone(), outcome.clone());
        outcome
    }
}

fn name_step<'a>(step: &Step<'a>) -> NameStep<'a> {
    match step {
        Step::Attr(name) => NameStep::Attr(&name.text),
        Step::Legacy(n) => n.as_i64().map_or(NameStep::Other, |n| NameStep::Index(Key::Index(n))),
        Step::Index(key) => match &key.kind {
            ExprKind::String(s) => NameStep::Index(Key::Name(s.clone())),
            ExprKind::Number(n) => n.as_i64().map_or(NameStep::Other, |n| NameStep::Index(Key::Index(n))),
            _ => NameStep::Other,
        },
    }
}
