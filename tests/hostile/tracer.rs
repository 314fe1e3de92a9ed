//! Configurations that are meant to break loading and tracing.

use super::{MAIN, on, sampled};
use std::fmt::Write as _;
use std::path::Path;
use tf_phi::addr::{FieldAddr, FieldPath, ModulePath, Target};
use tf_phi::config::{self, Config};
use tf_phi::func::NoSurroundings;
use tf_phi::host::memory::MemoryHost;
use tf_phi::issue::{Code, Issue};
use tf_phi::trace::site::locate;
use tf_phi::trace::{self, Assumptions, Driven, Driver, Limits, Traced, Tracer, Universes};

/// A configuration of one file.
fn loaded(text: &str) -> (Config, Vec<Issue>) {
    config::load(&MemoryHost::new([("main.tf", text)]), Path::new(""))
}

/// Traces the value of the root's output `o`, as the program would.
pub(crate) fn traced(files: &[(&str, &str)]) -> Result<Traced, Vec<Issue>> {
    let owned: Vec<(String, String)> = files.iter().map(|(p, t)| (p.to_string(), t.to_string())).collect();
    on(MAIN, files[0].1, move || {
        let host = MemoryHost::new(owned.iter().map(|(p, t)| (p.as_str(), t.as_str())));
        let (config, issues) = config::load(&host, Path::new(""));
        if !issues.is_empty() {
            return Err(issues);
        }
        let phi = Default::default();
        let (universes, _) = trace::universes(&config, &phi, &[], Limits::default(), &NoSurroundings);
        Ok(trace_output(&config, &universes))
    })
}

fn trace_output(config: &Config, universes: &Universes) -> Traced {
    let mut tracer =
        Tracer::new(config, Limits::default(), universes, Assumptions::default(), &NoSurroundings);
    let target = Target::Output("o".into());
    let site = locate(config.root().unwrap(), &target, &["value".into()]).unwrap();
    let field = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath::from_text("value") };
    tracer.trace(&field, &site, None).0.result
}

/// What is spent on the value of the root's output `o`, and on what may fail around it.
pub(crate) fn spent_on(text: &str) -> u64 {
    let owned = text.to_owned();
    on(MAIN, text, move || {
        let (config, issues) = loaded(&owned);
        assert!(issues.is_empty(), "{issues:?}");
        let (universes, _) =
            trace::universes(&config, &Default::default(), &[], Limits::default(), &NoSurroundings);
        let mut tracer =
            Tracer::new(&config, Limits::default(), &universes, Assumptions::default(), &NoSurroundings);
        let target = Target::Output("o".into());
        let site = locate(config.root().unwrap(), &target, &["value".into()]).unwrap();
        let field = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath::from_text("value") };
        let _ = tracer.trace(&field, &site, None);
        tracer.spent()
    })
}

pub(crate) fn code(traced: &Traced) -> &'static str {
    match traced {
        Traced::Resolved(_) => "resolved",
        Traced::Bounded(_) => "bounded",
        Traced::Unbounded(reason) => reason.code.name(),
        Traced::Rejected(e) if e.limit => "declined",
        Traced::Rejected(_) => "rejected",
    }
}

/// `local.a0 = first`, then each the next by `step`, in which `@` is the one before.
fn chain(length: usize, first: &str, step: &str) -> String {
    let mut out = format!("locals {{\n  a0 = {first}\n");
    for i in 1..length {
        let _ = writeln!(out, "  a{i} = {}", step.replace('@', &format!("local.a{}", i - 1)));
    }
    let _ = writeln!(out, "}}\noutput \"o\" {{ value = local.a{} }}", length - 1);
    out
}

#[test]
fn doubling_through_locals() {
    let all = [
        ("\"ab\"", "\"${@}${@}\""),
        ("[1]", "tolist([@, @])"),
        ("{ a = 1 }", "tomap({ x = @, y = @ })"),
        ("[1]", "toset([@, [@]])"),
        ("[var.b ? 1 : 2]", "[@, @]"),
        ("var.b ? 1 : 2", "{ x = @, y = @ }"),
        ("var.b ? 1 : 2", "@ == 1 ? @ : @ + 1"),
        ("[1]", "[@, @]"),
        ("{ a = 1 }", "{ x = @, y = @ }"),
        ("[1]", "concat(@, @)"),
        ("[1]", "[for x in [1, 2] : @]"),
        ("{ a = 1 }", "merge({ b = @ }, { c = @ })"),
        ("\"a\"", "join(\",\", [@, @])"),
        ("\"a\"", "format(\"%s%s\", @, @)"),
        ("\"a\"", "jsonencode(@)"),
        ("\"a\"", "replace(@, \"a\", \"aa\")"),
        ("3", "@ * @"),
        ("[1]", "@ == @ ? [@] : [@, @]"),
        ("\"a\"", "<<E\n${@}${@}\nE\n"),
        ("\"a\"", "\"%{ for x in [1, 2] }${@}%{ endfor }\""),
    ];
    for (first, step) in sampled(all, 3, "doubling") {
        let text = chain(60, first, step) + "variable \"b\" { type = bool }\n";
        let answer = traced(&[("main.tf", &text)]).unwrap();
        let fine = ["too-large", "too-deep", "declined", "resolved", "rejected", "no-universe", "bounded"];
        assert!(fine.contains(&code(&answer)), "{step}: {}", code(&answer));
    }
}

#[test]
fn long_chains_of_locals() {
    for length in [200, 5_000] {
        for step in ["@", "@ + 1", "\"${@}\"", "@ > 0 ? @ : 0"] {
            let answer = traced(&[("main.tf", &chain(length, "1", step))]).unwrap();
            let want: &[&str] = if length == 200 { &["resolved"] } else { &["resolved", "too-deep"] };
            assert!(want.contains(&code(&answer)), "{length} {step}: {}", code(&answer));
        }
    }
    let open = chain(5_000, "var.x ? 1 : 2", "@ + 1") + "variable \"x\" { type = bool }\n";
    assert!(matches!(code(&traced(&[("main.tf", &open)]).unwrap()), "bounded" | "too-deep"));
    let cycle = traced(&[(
        "main.tf",
        "locals {\n  a = local.b\n  b = local.a\n}\noutput \"o\" { value = local.a }\n",
    )]);
    assert_eq!(code(&cycle.unwrap()), "cycle");
}

#[test]
fn many_independent_choices_in_one_field() {
    let mut text = String::new();
    let mut parts = String::new();
    for i in 0..40 {
        let _ = writeln!(text, "variable \"b{i}\" {{\n  type = bool\n  nullable = false\n}}");
        let _ = write!(parts, "${{var.b{i} ? \"1\" : \"0\"}}");
    }
    for (value, want) in [
        (format!("\"{parts}\""), "too-large"),
        ((0..40).map(|i| format!("var.b{i}")).collect::<Vec<_>>().join(" && "), "bounded"),
        (
            (0..40)
                .map(|i| format!("(var.b{i} == var.b{})", (i * 7 + 3) % 40))
                .collect::<Vec<_>>()
                .join(" || "),
            "",
        ),
        (
            format!("[{}]", (0..40).map(|i| format!("var.b{i} ? 1 : 0")).collect::<Vec<_>>().join(", ")),
            "too-large",
        ),
    ] {
        let answer =
            traced(&[("main.tf", &format!("{text}output \"o\" {{\n  value = {value}\n}}\n"))]).unwrap();
        assert!(want.is_empty() || code(&answer) == want, "{want}: {}", code(&answer));
    }
    let picked = format!(
        "{text}output \"o\" {{\n  value = [{}][3]\n}}\n",
        parts.replace("}$", "},$").replace("${", "").replace('}', "")
    );
    assert_eq!(code(&traced(&[("main.tf", &picked)]).unwrap()), "bounded");
}

#[test]
fn wide_maps() {
    let entries: String = (0..1_000).map(|i| format!("k{i} = {i}\n")).collect();
    let keys: Vec<String> = (0..1_000).map(|i| format!("\"k{i}\"")).collect();
    let keys = keys.join(", ");
    let rule = format!(
        "  validation {{\n    condition = contains([{keys}], var.k)\n    error_message = \"no\"\n  }}\n"
    );
    let all = [
        ("", "local.m[var.k]"),
        (rule.as_str(), "local.m[var.k]"),
        (rule.as_str(), "lookup(local.m, var.k, 0)"),
        (rule.as_str(), "\"${var.k}-${local.m[var.k]}\""),
        (rule.as_str(), "[for k, v in local.m : v if k == var.k][0]"),
        (rule.as_str(), "{ for k, v in local.m : k => v if k != var.k }"),
        (rule.as_str(), "[for a in local.m : [for b in local.m : var.k == \"k${b}\" ? a : b]][0][0]"),
        (rule.as_str(), "var.k == \"k5\" ? 1 : var.k == \"k6\" ? 2 : 3"),
    ];
    for (variable, value) in sampled(all, 2, "maps") {
        let text = format!(
            "variable \"k\" {{\n  type = string\n{variable}}}\nlocals {{\n  m = {{\n{entries}  }}\n}}\noutput \"o\" {{ value = {value} }}\n"
        );
        let answer = traced(&[("main.tf", &text)]).unwrap();
        assert!(
            matches!(code(&answer), "bounded" | "too-large" | "resolved" | "no-universe"),
            "{value}: {}",
            code(&answer)
        );
    }
}

#[test]
fn modules_that_call_themselves_or_too_many() {
    let call =
        |name: &str, source: &str| format!("module \"{name}\" {{\n  source = \"{source}\"\n  x = 1\n}}\n");
    let own = call("a", "./") + &call("b", "./../") + &call("c", ".//x/../");
    let issues = loaded(&own).1;
    assert!(issues.iter().any(|i| i.code == Code::Cycle && i.place.is_some()), "{issues:?}");

    // Thirty levels, each of which calls the next one twice: a milliard of paths.
    let mut files = Vec::new();
    for i in 0..30 {
        let text = format!(
            "variable \"x\" {{}}\n{}{}",
            call("a", &format!("../m{}", i + 1)),
            call("b", &format!("../m{}", i + 1))
        );
        files.push((format!("m{i}/main.tf"), text));
    }
    files.push(("m30/main.tf".into(), "variable \"x\" {}\noutput \"o\" { value = var.x }\n".into()));
    files.push(("main.tf".into(), call("a", "./m0") + "output \"o\" { value = 1 }\n"));
    let issues = on(MAIN, "a diamond", move || {
        let host = MemoryHost::new(files.iter().map(|(p, t)| (p.as_str(), t.as_str())));
        config::load(&host, Path::new("")).1
    });
    let limit: Vec<&Issue> = issues.iter().filter(|i| i.code == Code::TooLarge).collect();
    assert!(limit.len() == 1 && limit[0].why.contains("20000"), "{} issues", issues.len());

    let mut main: String = (0..500).map(|i| call(&format!("m{i}"), "./m")).collect();
    let all: Vec<String> = (0..500).map(|i| format!("module.m{i}.o")).collect();
    let _ = writeln!(main, "output \"o\" {{ value = [{}] }}", all.join(", "));
    let module = "variable \"x\" {}\noutput \"o\" { value = var.x + 1 }\n";
    let answer = traced(&[("main.tf", &main), ("m/main.tf", module)]).unwrap();
    assert_eq!(code(&answer), "resolved");
}

#[test]
fn deep_calls() {
    let mut files = vec![(
        "main.tf".to_owned(),
        "module \"m\" {\n  source = \"./m0\"\n}\noutput \"o\" { value = module.m.o }\n".to_owned(),
    )];
    for i in 0..300 {
        let text = format!(
            "module \"m\" {{\n  source = \"../m{}\"\n}}\noutput \"o\" {{ value = module.m.o }}\n",
            i + 1
        );
        files.push((format!("m{i}/main.tf"), text));
    }
    files.push(("m300/main.tf".into(), "output \"o\" { value = 1 }\n".into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
    match traced(&files) {
        Ok(answer) => assert_eq!(code(&answer), "too-deep"),
        Err(issues) => assert!(issues.iter().all(|i| i.code == Code::TooDeep), "{issues:?}"),
    }
}

/// Found by fuzzing: an error inside of a list or an argument was lost where only another part was asked for.
#[test]
fn errors_are_not_hidden_from_try_and_can() {
    let b = "variable \"b\" {\n  type = bool\n  nullable = false\n}\n";
    for (value, want) in [
        ("try([var.b, [][0], 3][2], 5)", "5"),
        ("try({ a = var.b, b = {}.x }.a, 5)", "5"),
        ("try([for x in [1, 2] : x == 1 ? {}.x : var.b][1], 5)", "5"),
        ("can(lookup([[1], [var.b]], false, false)) ? 1 : 5", "5"),
        ("try([var.b, 4][1], 5)", "4"),
        ("jsonencode(true ? 1 : ([][0] ? 1 : \"x\"))", "\"\\\"1\\\"\""),
        ("try(keys(true ? [1] : ([1] ? [1] : [1, 2]).*.a), \"no map\")", "\"no map\""),
        ("jsonencode(true ? 1 : \"a${null}\")", "\"\\\"1\\\"\""),
        ("jsonencode(true ? [1] : [\"a\" + 1])", "\"[1]\""),
        ("jsonencode(true ? [1, \"b\"] : [for x in [1, \"b\"] : x.y])", "\"[1,\\\"b\\\"]\""),
    ] {
        let answer = traced(&[("main.tf", &format!("{b}output \"o\" {{\n  value = {value}\n}}\n"))]).unwrap();
        let Traced::Resolved(branch) = &answer else { panic!("{value}: {answer:?}") };
        assert_eq!(tf_phi::value::json::encode(&branch.value).unwrap(), want, "{value}");
    }
}

/// What isn't known may be of any type, and may make an operation fail that gives no error yet.
#[test]
fn what_is_not_known_decides_no_type_and_hides_no_error() {
    let variables = "variable \"x\" {}\nvariable \"n\" {\n  type = number\n  nullable = false\n}\n";
    for (value, want) in [
        ("tolist([1, var.x])[0]", "no-universe"),
        ("jsonencode(coalesce(0, var.x))", "no-universe"),
        ("lookup(tomap({ a = var.x, b = 2 }), \"b\", 3)", "no-universe"),
        ("jsonencode((true ? { a = var.x, b = 2 } : { a = 1 }).b)", "no-universe"),
        ("try([1, var.x + 1][0], 5)", "no-universe"),
        ("try(length([var.x + 1]), 5)", "no-universe"),
        ("can(var.x || true) ? 1 : 2", "plan-stability"),
        ("try([for x in [1, var.x.y] : 1][0], 5)", "no-universe"),
        ("length([for x in toset([var.n, 1]) : x])", "no-universe"),
        ("tolist([\"a\", var.x])[0]", "resolved"),
        ("try([1, var.n + 1][0], 5)", "resolved"),
        ("try(var.n > 3 ? 1 : 2, 5)", "bounded"),
        ("can(var.n > 3) ? 1 : 2", "resolved"),
        ("[var.x, 2][1]", "resolved"),
    ] {
        let text = format!("{variables}output \"o\" {{\n  value = {value}\n}}\n");
        let answer = traced(&[("main.tf", &text)]).unwrap();
        assert_eq!(code(&answer), want, "{value}: {answer:?}");
    }
}

/// Data sources that lead to themselves, each to the next, or twice to each other.
#[test]
fn data_sources_that_need_data_sources() {
    let data = |name: String, needs: &str| format!("data \"d\" \"{name}\" {{\n  a = {needs}\n}}\n");
    let output = |of: &str| format!("output \"o\" {{ value = data.d.{of}.x == \"a\" ? 1 : 2 }}\n");
    let one = data("a".into(), "data.d.a.x") + &output("a");
    let two = data("a".into(), "[data.d.b.x]") + &data("b".into(), "data.d.a") + &output("b");
    let chain = |length: usize, needs: &dyn Fn(String) -> String| {
        let next = |i: usize| data(format!("n{i}"), &needs(format!("data.d.n{}", i + 1)));
        (0..length).map(next).collect::<String>() + &data(format!("n{length}"), "1") + &output("n0")
    };
    let long = chain(20_000, &|next| format!("{next}.x"));
    let twice = chain(60, &|next| format!("[{next}.x, {next}.y]"));
    for (text, want) in [(one, "cycle"), (two, "cycle"), (long, "too-deep"), (twice, "bounded")] {
        assert_eq!(code(&traced(&[("main.tf", &text)]).unwrap()), want, "{}", &text[..60]);
    }
}

/// Operands count, not only operations, and an iteration that has become too much goes on no further.
#[test]
fn iterations_that_are_too_much_end() {
    let parts = "${i}-${local.size}".repeat(100);
    let all = [
        format!("[for i in range(1000) : [for j in range(200) : \"{parts}\"]]"),
        format!("[for i in range(1000) : [for j in range(200) : [{}]]]", "local.size, ".repeat(1000)),
        format!("[for i in range(1000) : [for j in range(200) : [{}]]]", "local.size, ".repeat(200)),
        "[for i in range(200) : [for j in range(200) : [for k in range(200) : local.size]]]".to_owned(),
        "[for i in range(200) : [for j in range(200) : [for k in range(1000) : [for l in range(1000) : k]]]]"
            .to_owned(),
    ];
    for value in sampled(all, 2, "iterations") {
        let text = format!(
            "variable \"b\" {{\n  type = bool\n}}\nlocals {{\n  size = var.b ? 1 : 2\n}}\noutput \"o\" {{\n  value = {value}\n}}\n"
        );
        assert_eq!(code(&traced(&[("main.tf", &text)]).unwrap()), "too-large", "{}", &value[..70]);
    }
}

/// All driven fields together have a bound, over all rounds: those that it leaves out say so.
#[test]
fn driven_fields_have_a_bound_together() {
    let one =
        |n: usize| format!("output \"o{n}\" {{\n  value = length([for i in range(1000) : i + {n}])\n}}\n");
    let (config, issues) = loaded(&(0..8).map(one).collect::<String>());
    assert!(issues.is_empty());
    let driven = |n: usize| {
        let target = Target::Output(format!("o{n}").into());
        let site = locate(config.root().unwrap(), &target, &["value".into()]).unwrap();
        let field = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath::from_text("value") };
        Driven { field, site, driver: Driver::Pin, said: None, at: None, copies: false }
    };
    let driven: Vec<Driven> = (0..8).map(driven).collect();
    let universes = Universes::default();
    let traced = |most: u64| {
        let from =
            (&config, Limits::default(), &universes, &NoSurroundings as &dyn tf_phi::func::Surroundings);
        let (tracer, traces, _) = trace::trace_driven_within(most, from, &driven);
        (tracer.spent(), traces.iter().map(|trace| code(&trace.result)).collect::<Vec<_>>())
    };
    let (all, codes) = traced(u64::MAX);
    assert_eq!(codes, ["resolved"; 8]);
    let (spent, codes) = traced(all / 2);
    assert!(codes.first() == Some(&"resolved") && codes.last() == Some(&"too-large"), "{codes:?}");
    assert!(codes.iter().filter(|code| **code == "too-large").count() >= 4, "{codes:?}");
    assert!(spent < all, "{spent} of {all}");
}

/// What `dynamic` blocks within blocks cost is counted, and grows as they do, also where a field has no value.
#[test]
fn blocks_within_blocks_cost_what_they_are() {
    for value in ["b0.value", "nosuch.thing", "parseint(b0.value, 10)"] {
        let spent = |depth: usize| {
            let open = |n: usize| format!("dynamic \"b{n}\" {{\nfor_each = [\"a\", \"b\"]\ncontent {{\n");
            let open: String = (0..depth).map(open).collect();
            let text =
                format!("resource \"aws_x\" \"r\" {{\n{open}v = {value}\n{}}}\n", "}\n}\n".repeat(depth));
            let (config, _) = loaded(&text);
            let target: Target = "aws_x.r".parse::<FieldAddr>().unwrap().target;
            let path: Vec<std::sync::Arc<str>> =
                (0..depth).map(|n| format!("b{n}").into()).chain(["v".into()]).collect();
            let found = trace::site::locate_all(config.root().unwrap(), &target, &path).unwrap();
            let universes = Universes::default();
            let mut tracer =
                Tracer::new(&config, Limits::default(), &universes, Assumptions::default(), &NoSurroundings);
            let field = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath(path) };
            tracer.trace(&field, &found[0].1, None);
            tracer.spent()
        };
        let counts = [8, 16, 32].map(spent);
        assert!(counts[0] > 8 * 3 * (1 << 10), "{value}: {counts:?}");
        assert!(counts.windows(2).all(|pair| 2 * pair[1] < 5 * pair[0]), "{value}: {counts:?}");
    }
}
