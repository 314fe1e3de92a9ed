//! One text in both domains: evaluated for one assignment of variables, and traced for all of them.

use crate::folder::Folder;
use std::collections::BTreeMap;
use std::path::Path;
use tf_phi::addr::{Reference, Referent, Step as NameStep};
use tf_phi::cond::Formulas;
use tf_phi::config::{self, Config};
use tf_phi::eval::concrete::{Concrete, Resolve};
use tf_phi::eval::{At, Bindings, EvalError, Outcome, Step, eval};
use tf_phi::func::{Context, Surroundings, Work};
use tf_phi::host::memory::MemoryHost;
use tf_phi::syntax::{Expr, parse_expr};
use tf_phi::text::{SourceFile, SourceId};
use tf_phi::trace::{self, Guarded, Limits, Part, Tracer, Universes};
use tf_phi::value::{Data, Type, Value};

/// The newest Terraform that the rows were compared with.
pub const FOLDER: Folder = Folder(Some((1, 15)));

/// The values of variables.
pub type Values = BTreeMap<String, Value>;

/// What references lead to: variables that have values, and locals that are expressions.
struct Names<'a> {
    values: &'a Values,
    locals: &'a BTreeMap<String, Expr>,
    work: &'a Work,
}

impl Resolve for Names<'_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], _: At) -> (Outcome, usize) {
        let names: Vec<NameStep<'_>> = steps
            .iter()
            .map(|step| match step {
                Step::Attr(name) => NameStep::Attr(&name.text),
                Step::Index(_) | Step::Legacy(_) => NameStep::Other,
            })
            .collect();
        let unresolved = || EvalError::declined("a name that nothing here has");
        let Ok(reference) = Reference::parse(root, &names) else { return (Err(unresolved()), steps.len()) };
        let outcome = match &reference.referent {
            Referent::Variable(name) => self.values.get(&**name).cloned().ok_or_else(unresolved),
            Referent::Local(name) => match self.locals.get(&**name) {
                Some(expr) => evaluate(expr, self.locals, self.values, self.work),
                None => Err(unresolved()),
            },
            _ => Err(unresolved()),
        };
        (outcome, reference.consumed)
    }
}

/// The value of an expression for one assignment.
pub fn evaluate(expr: &Expr, locals: &BTreeMap<String, Expr>, values: &Values, work: &Work) -> Outcome {
    let outside = Rendered;
    let context = Context { outside: &outside, work };
    let mut domain = Concrete { resolver: Names { values, locals, work }, context };
    eval(&mut domain, SourceId(0), expr, &Bindings::default())
}

/// The value of a text for one assignment.
pub fn evaluate_text(text: &str, values: &Values) -> Outcome {
    let expr = parse_expr(text).map_err(|e| EvalError::new(e.to_string()))?;
    evaluate(&expr, &BTreeMap::new(), values, &Work::default())
}

/// [`FOLDER`] as the evaluator sees it.
pub struct Rendered;

impl Surroundings for Rendered {
    fn around(&self) -> &dyn Surroundings {
        &FOLDER
    }

    fn render(
        &self,
        template: &str,
        files: bool,
        vars: &Value,
        work: &Work,
    ) -> Result<Value, tf_phi::func::FuncError> {
        tf_phi::eval::template::render(template, vars, files, self, work)
    }
}

/// A traced expression.
pub struct Traced<'a> {
    guarded: Guarded,
    tracer: Tracer<'a>,
}

/// The configuration of one file, and its universes.
pub fn load(text: &str) -> (Config, Universes) {
    let host = MemoryHost::new([("main.tf", text)]);
    let (config, issues) = config::load(&host, Path::new(""));
    assert!(issues.is_empty(), "{issues:?}\n{text}");
    let (universes, _) = trace::universes(&config, &Default::default(), &[], Limits::default(), &Rendered);
    (config, universes)
}

impl<'a> Traced<'a> {
    /// Traces an expression in the root module of a configuration.
    pub fn new(config: &'a mut Config, universes: &'a Universes, text: &str) -> Traced<'a> {
        config.sources.add(SourceFile::new("expr", text));
        let file = SourceId(u32::try_from(config.sources.iter().count()).unwrap() - 1);
        let mut tracer = Tracer::new(config, Limits::default(), universes, Default::default(), &Rendered);
        let guarded = tracer.trace_expr(&parse_expr(text).unwrap(), file);
        Traced { guarded, tracer }
    }

    /// What it is under an assignment; an unknown where that can't be told.
    pub fn under(&mut self, values: &Values) -> Outcome {
        under(&self.guarded, self.tracer.formulas(), values)
    }
}

fn under(guarded: &Guarded, formulas: &Formulas, values: &Values) -> Outcome {
    let known = |term| values.get(formulas.key(term).strip_prefix("var.")?).cloned();
    let mut taken = None;
    for alt in guarded.alts() {
        match formulas.evaluate(alt.when, &known) {
            None => return Ok(Value::dynamic()),
            Some(false) => {}
            Some(true) => {
                assert!(taken.is_none(), "two alternatives under {values:?}: {guarded:?}");
                taken = Some(&alt.part);
            }
        }
    }
    match taken.unwrap_or_else(|| panic!("no alternative under {values:?}: {guarded:?}")) {
        Part::Value(value) => Ok(value.clone().normalised()),
        Part::Failed(e) => Err(e.clone()),
        Part::Object(attrs) => {
            let part = |(name, part): (_, &Guarded)| Ok((name, under(part, formulas, values)?));
            Ok(Value::object(attrs.iter().map(part).collect::<Result<Vec<_>, EvalError>>()?))
        }
        Part::Tuple(items) => {
            Ok(Value::tuple(items.iter().map(|i| under(i, formulas, values)).collect::<Result<_, _>>()?))
        }
    }
}

/// Whether what is known of a value is true of another: each known part is equal, each unknown one may be it.
pub fn covers(partial: &Value, whole: &Value) -> bool {
    if !partial.is_known() {
        // Of what is declined nothing is known that could differ.
        return fits(&partial.ty, &whole.ty) && (!whole.is_known() || admits(partial, whole));
    }
    if partial.is_null() || whole.is_null() {
        return partial.is_null() && whole.is_null() && fits(&partial.ty, &whole.ty);
    }
    match (&partial.data, &whole.data) {
        (Data::Seq(a), Data::Seq(b)) if matches!(partial.ty, Type::Set(_)) => {
            let covered = |b: &Value| a.iter().any(|a| covers(a, b));
            fits(&partial.ty, &whole.ty) && a.len() >= b.len() && b.iter().all(covered)
        }
        (Data::Seq(a), Data::Seq(b)) => {
            a.len() == b.len()
                && fits(&partial.ty, &whole.ty)
                && a.iter().zip(b.iter()).all(|(a, b)| covers(a, b))
        }
        (Data::Map(a), Data::Map(b)) => {
            fits(&partial.ty, &whole.ty)
                && a.len() == b.len()
                && a.iter().all(|(k, a)| b.get(k).is_some_and(|b| covers(a, b)))
        }
        (a, b) => partial.ty == whole.ty && a == b,
    }
}

/// Whether a type that may not be known in all parts can be another.
fn fits(partial: &Type, whole: &Type) -> bool {
    match (partial, whole) {
        (Type::Dynamic, _) => true,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            fits(a, b)
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| fits(a, b))
        }
        (Type::Object(a), Type::Object(b)) => {
            a.attrs.len() == b.attrs.len()
                && a.attrs.iter().all(|(k, a)| b.attrs.get(k).is_some_and(|b| fits(a, b)))
        }
        _ => partial == whole,
    }
}

/// Whether the refinements of an unknown let a value through.
pub fn admits(unknown: &Value, value: &Value) -> bool {
    let Some(known) = unknown.refinements() else { return true };
    if value.is_null() {
        return !known.not_null;
    }
    let text = known.prefix.as_ref().is_none_or(|p| value.as_str().is_some_and(|s| s.starts_with(&**p)));
    let length = value.length().map(|n| n as u64);
    // Of a number, bounds are what a comparison with it says.
    let number = value.as_number();
    let below = known.min.as_ref().is_none_or(|(n, own)| number.is_some_and(|v| n < v || (*own && n == v)));
    let above = known.max.as_ref().is_none_or(|(n, own)| number.is_some_and(|v| n > v || (*own && n == v)));
    let long = known.min_len.is_none_or(|n| length.is_some_and(|l| l >= n));
    let short = known.max_len.is_none_or(|n| length.is_some_and(|l| l <= n));
    text && below && above && long && short
}

/// An outcome in few words.
pub fn shown(outcome: &Outcome) -> String {
    match outcome {
        Err(e) => format!("error ({})", e.message),
        Ok(value) => format!("{} of {}", data(value), value.ty),
    }
}

fn data(value: &Value) -> String {
    let all = |parts: Vec<String>| parts.join(", ");
    let text = match &value.data {
        Data::Null => "null".to_owned(),
        Data::Unknown(None) => "?".to_owned(),
        Data::Unknown(Some(r)) => format!("?{r:?}").replace("Refinements ", ""),
        Data::Bool(b) => b.to_string(),
        Data::Number(n) => n.to_string(),
        Data::String(s) => format!("{s:?}"),
        Data::Seq(items) => format!("[{}]", all(items.iter().map(data).collect())),
        Data::Map(items) => {
            format!("{{{}}}", all(items.iter().map(|(k, v)| format!("{k} = {}", data(v))).collect()))
        }
    };
    let marks: String = value.marks.iter().map(|m| format!("<{m:?}>")).collect();
    text + &marks
}
