//! How the tracer takes a function through alternatives, against the function itself: every function, with each of its
//! arguments chosen by variables, and each combination of choices compared with a call on plain values.

use crate::harness::{Traced, Values, covers, evaluate, evaluate_text, load};
use crate::rows;
use std::collections::{BTreeMap, BTreeSet};
use tf_phi::eval::Outcome;
use tf_phi::func::{self, Purity, Work};
use tf_phi::syntax::{ExprKind, on_big_stack, parse_expr, walk};
use tf_phi::value::{Data, Value};

/// How many variables choose; further arguments share them.
const SELECTORS: usize = 3;
/// How many values each has.
const CHOICES: usize = 3;
/// How many groups of calls are tried of each function and number of arguments.
const TRIALS: usize = 8;

/// Calls that stand in no row by themselves, since they need a name around them.
const MORE: &[&str] = &[
    r#"templatestring("Hello, $${name}!", {name = "Jo"})"#,
    r#"templatestring("%%{ if name == \"Jo\" }a%%{ endif }", {name = "Mo", other = 1})"#,
    r#"templatestring("$${n + 1}", tomap({n = 1}))"#,
    r#"templatestring("$${name}", {name = [1]})"#,
];

/// They exist to say that they are gone.
const GONE: &[&str] = &["list", "map"];

/// A call: the texts of its arguments.
#[derive(Clone, PartialEq)]
struct Call {
    args: Vec<String>,
    expand: bool,
}

/// The calls of every function in the rows whose arguments refer to nothing.
fn calls() -> BTreeMap<&'static str, Vec<Call>> {
    let mut calls: BTreeMap<&'static str, Vec<Call>> = func::all().map(|f| (f.name, Vec::new())).collect();
    let rows = rows::all().into_iter().map(|row| row.text);
    for text in rows.chain(MORE.iter().map(|t| t.to_string())) {
        // Long rows are about limits.
        let Ok(expr) = parse_expr(&text) else { continue };
        if text.len() > 3000 {
            continue;
        }
        walk::walk(&expr, &mut |inner| {
            let ExprKind::Call(call) = &inner.kind else { return true };
            let Some(function) = func::lookup(&call.name.text) else { return true };
            let mut free = true;
            let args =
                if function.name == "convert" { &call.args[..call.args.len().min(1)] } else { &call.args };
            for arg in args {
                walk::walk(arg, &mut |e| {
                    free &= !matches!(e.kind, ExprKind::Variable(_));
                    true
                });
            }
            let slice = |arg: &tf_phi::syntax::Expr| text[arg.span.range()].to_owned();
            let made = Call { args: call.args.iter().map(slice).collect(), expand: call.expand_final };
            let of = calls.get_mut(function.name).unwrap();
            if free && !of.contains(&made) {
                of.push(made);
            }
            true
        });
    }
    calls
}

/// How a variable chooses among texts.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    /// `[a, b, c][var.n]`: each as it is.
    Index,
    /// Conditionals: converted to one type, failing ones too.
    Conditional,
}

impl Choice {
    fn text(self, among: &[String], variable: usize) -> String {
        match (self, among) {
            (_, [only]) => only.clone(),
            (Choice::Conditional, [a, b]) => format!("var.n{variable} == 0 ? {a} : ({b})"),
            (Choice::Conditional, [a, b, c]) => {
                format!("var.n{variable} == 0 ? {a} : (var.n{variable} == 1 ? {b} : {c})")
            }
            _ => format!("[{}][var.n{variable}]", among.join(", ")),
        }
    }
}

fn all_values() -> Vec<Values> {
    let mut all = vec![Values::new()];
    for selector in 0..SELECTORS {
        all = all
            .into_iter()
            .flat_map(|values| {
                (0..CHOICES).map(move |n| {
                    let n = i64::try_from(n).unwrap();
                    values.clone().into_iter().chain([(format!("n{selector}"), Value::number(n))]).collect()
                })
            })
            .collect();
    }
    all
}

fn variables() -> String {
    let one = |i| {
        format!(
            "variable \"n{i}\" {{\n  type = number\n  nullable = false\n  validation {{\n    condition = \
             contains([0, 1, 2], var.n{i})\n    error_message = \"no\"\n  }}\n}}\n"
        )
    };
    (0..SELECTORS).map(one).collect()
}

/// What was seen of one function.
#[derive(Default, Debug)]
struct Seen {
    /// Combinations of which the tracer knew the value or the error.
    exact: usize,
    /// Trials in which it knew different outcomes.
    varied: usize,
    /// Combinations of which it knew nothing.
    open: usize,
    wrong: Vec<String>,
}

/// The calls of one function and one number of arguments, three at a time.
fn trial(name: &str, group: &[&Call], choice: Choice, seen: &mut Seen) {
    let empty = Values::new();
    let mut file = variables() + "locals {\n";
    let mut args = Vec::new();
    let mut locals = BTreeMap::new();
    for i in 0..group[0].args.len() {
        let mut among: Vec<String> = Vec::new();
        for call in group {
            let text = &call.args[i];
            let fine = || evaluate_text(text, &empty).is_ok_and(|v| v.is_wholly_known());
            if (choice == Choice::Conditional || fine()) && !among.contains(text) {
                among.push(text.clone());
            }
        }
        // A type is no value.
        if among.is_empty() || (name == "convert" && i == 1) {
            args.push(group[0].args[i].clone());
            continue;
        }
        while choice == Choice::Index && among.len() < CHOICES {
            among.push(among[0].clone());
        }
        let text = choice.text(&among, i % SELECTORS);
        // An error behind a reference ends the run; those in the argument itself are caught.
        if matches!(name, "try" | "can") {
            args.push(format!("({text})"));
            continue;
        }
        file += &format!("  a{i} = {text}\n");
        locals.insert(format!("a{i}"), parse_expr(&text).unwrap());
        args.push(format!("local.a{i}"));
    }
    file += "}\n";
    let text = format!("{name}({}{})", args.join(", "), if group[0].expand { "..." } else { "" });
    let expr = parse_expr(&text).unwrap();
    let (mut config, universes) = load(&file);
    let mut traced = Traced::new(&mut config, &universes, &text);
    let mut known: Vec<Option<Data>> = Vec::new();
    for values in all_values() {
        let plain = evaluate(&expr, &locals, &values, &Work::default());
        if matches!(&plain, Err(e) if e.limit) {
            continue;
        }
        let ours = traced.under(&values);
        match &ours {
            Ok(v) if !v.is_wholly_known() => seen.open += 1,
            _ => seen.exact += 1,
        }
        if agree(&ours, &plain, choice == Choice::Index) {
            let data = ours.ok().filter(Value::is_wholly_known).map(|v| v.data);
            if !known.contains(&data) {
                known.push(data);
            }
        } else if seen.wrong.len() < 3 {
            let at: Vec<String> =
                values.iter().map(|(n, v)| format!("{n} = {}", v.as_number().unwrap())).collect();
            let shown: Vec<&str> = file.lines().filter(|l| l.starts_with("  a")).collect();
            seen.wrong.push(format!(
                "{text}\n{}\n  under {}\n  traced    {ours:?}\n  evaluated {plain:?}\n",
                shown.join("\n"),
                at.join(", ")
            ));
        }
    }
    seen.varied += usize::from(known.len() > 1);
}

fn bare(value: &Value) -> Value {
    value.clone().unmark_deep().0
}

/// Whether the tracer's outcome says nothing else than the evaluator's.
fn agree(traced: &Outcome, plain: &Outcome, marks: bool) -> bool {
    match (traced, plain) {
        (Ok(a), Ok(b)) if a.is_wholly_known() => a == b || (!marks && bare(a) == bare(b)),
        (Ok(a), Ok(b)) => covers(a, b),
        (Ok(a), Err(_)) => !a.is_known(),
        (Err(_), Err(_)) => true,
        (Err(_), Ok(_)) => false,
    }
}

/// What is null in one arm of a conditional has the type of the other arm, though that isn't known here.
#[test]
fn nulls_beside_what_is_not_known_keep_the_type_open() {
    let (mut config, universes) = load(&variables());
    let texts = [
        r#"length(var.n0 == 0 ? regexall("a", "a") : (var.n1 == 1 ? bcrypt("a", -1) : null))"#,
        r#"[var.n0 == 0 ? 1 : (var.n1 == 1 ? uuid() : null)]"#,
        r#"var.n0 == 0 ? [1] : (var.n1 == 1 ? [timestamp()] : null)"#,
        r#"var.n0 == 0 ? "a" : (var.n1 == 1 ? uuid() : null)"#,
    ];
    for text in texts {
        let mut traced = Traced::new(&mut config, &universes, text);
        for values in all_values() {
            let plain = evaluate(&parse_expr(text).unwrap(), &BTreeMap::new(), &values, &Work::default());
            let ours = traced.under(&values);
            let open = matches!((&ours, &plain), (Ok(a), Ok(b)) if covers(&bare(a), &bare(b)));
            assert!(open || agree(&ours, &plain, false), "{text} under {values:?}: {ours:?}, {plain:?}");
        }
    }
}

/// The `if` clause of a `for` is looked at before there is an element.
#[test]
fn clauses_are_looked_at_early_as_they_are_evaluated() {
    let (mut config, universes) = load(&variables());
    let empty = Values::new();
    for text in [
        r#"[for x in toset([]) : x if x == null ? "b" : "b"]"#,
        r#"[for x in [] : x if [x == null ? "b" : "b"][0]]"#,
        r#"[for x in [] : x if x ? [] : []]"#,
        r#"[for x in [] : x if !format("%s", x)]"#,
        r#"[for x in [] : x if keys(formatlist("%s", x)) == []]"#,
    ] {
        let mut traced = Traced::new(&mut config, &universes, text);
        let plain = evaluate_text(text, &empty);
        let ours = traced.under(&all_values()[0]);
        assert!(agree(&ours, &plain, false), "{text}: {ours:?}, {plain:?}");
    }
}

#[test]
fn every_function_is_traced_as_it_is_evaluated() {
    let mut report = String::new();
    let mut poor = BTreeSet::new();
    for (name, calls) in calls() {
        let seen = on_big_stack(|| {
            let mut seen = Seen::default();
            let mut groups: BTreeMap<(usize, bool), Vec<&Call>> = BTreeMap::new();
            for call in &calls {
                groups.entry((call.args.len(), call.expand)).or_default().push(call);
            }
            for ((arity, _), group) in groups {
                let step = group.len().div_ceil(TRIALS).max(1);
                for start in (0..group.len()).step_by(step).filter(|_| arity > 0) {
                    let picked: Vec<&Call> =
                        (0..CHOICES).map(|i| group[(start + i * (i + step)) % group.len()]).collect();
                    for choice in [Choice::Index, Choice::Conditional] {
                        trial(name, &picked, choice, &mut seen);
                    }
                }
            }
            seen
        });
        for wrong in &seen.wrong {
            report += &format!("{name}: {wrong}");
        }
        let function = func::lookup(name).unwrap();
        // Those that are gone are an error, whatever the arguments.
        let alike = function.purity == Purity::Unstable || GONE.contains(&name);
        if !alike && (seen.varied < 2 || seen.exact < 20) {
            poor.insert(format!("{name}: {} exact, {} open, {} varied", seen.exact, seen.open, seen.varied));
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(poor.is_empty(), "too little was compared of: {poor:#?}");
}
