//! What is meant to break parser, evaluator and tracer: an answer or an error with its place, in bounded time and memory.
//!
//! Each case runs on a thread of its own with the stack that its caller would give it, and counts as hanging after
//! [`PATIENCE`]. The fuzz targets (`docs/testing.md`) look for more of the kind; what they find is kept here.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr
)]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;
use tf_phi::addr::{FieldAddr, FieldPath, ModulePath, Target};
use tf_phi::config::{self, Config};
use tf_phi::eval::standalone::eval_text;
use tf_phi::eval::{EvalError, Outcome};
use tf_phi::func::NoSurroundings;
use tf_phi::host::memory::MemoryHost;
use tf_phi::issue::{Code, Issue};
use tf_phi::syntax;
use tf_phi::trace::site::locate;
use tf_phi::trace::{self, Limits, Meant, Traced, Tracer, Universes};

/// Seconds; a debug build on a busy machine has to fit.
const PATIENCE: u64 = 60;
/// What a test's thread has.
const SMALL: usize = 2 << 20;
/// What the program gives its main thread.
const MAIN: usize = 256 << 20;
/// Peak memory of the whole test process, in KiB.
const MEMORY: u64 = 2 << 20;

/// Runs work on a stack of that many bytes.
fn on<T: Send + 'static>(stack: usize, what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    // One case at a time: memory is the process's.
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // The peak counts from here on; where the system can't do that, from the first case.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let start = std::time::Instant::now();
    let thread = std::thread::Builder::new().stack_size(stack);
    thread.spawn(move || drop(send.send(work()))).unwrap();
    let short: String = what.chars().take(60).collect();
    let done = match receive.recv_timeout(Duration::from_secs(PATIENCE)) {
        Ok(done) => done,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{short}: no answer after {PATIENCE} s"),
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("{short}: panicked"),
    };
    if std::env::var_os("HOSTILE_TIMES").is_some() {
        eprintln!(
            "{:>6} ms {:>6} MiB {}",
            start.elapsed().as_millis(),
            peak() >> 10,
            short.replace('\n', " ")
        );
    }
    assert!(peak() < MEMORY, "{short}: {} MiB", peak() >> 10);
    done
}

/// Peak memory in KiB, where the system says.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Evaluates on a small stack.
fn value(text: &str) -> Outcome {
    let owned = text.to_owned();
    on(SMALL, text, move || eval_text(&owned))
}

/// What is refused although Terraform might answer.
fn declined(text: &str) -> EvalError {
    let short: String = text.chars().take(60).collect();
    let error = value(text).map(|v| v.length()).expect_err(&short);
    assert!(error.limit, "{short}: {error}");
    error
}

#[test]
fn deep_texts_are_errors_with_a_place() {
    let n = 10_000;
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(n), close.repeat(n));
    let shapes = [
        ("(", ")"),
        ("[", "]"),
        ("{ a = ", " }"),
        ("\"${", "}\""),
        ("!", ""),
        ("-", ""),
        ("true ? ", " : 0"),
        ("true ? 0 : ", ""),
        ("tostring(", ")"),
        ("[for x in [1] : ", "]"),
        ("\"%{ if true }", "%{ endif }\""),
        ("[0][", "]"),
        ("<<E\n${", "}\nE\n"),
    ];
    for (open, close) in shapes {
        for text in [deep(open, close), open.repeat(n)] {
            let as_file = format!("x = {text}\n");
            let places = on(SMALL, &text.clone(), move || {
                let file = syntax::parse(&as_file).map(|_| ()).map_err(|e| e.span);
                let expr = syntax::parse_expr(&text).map(|_| ()).map_err(|e| e.span);
                let template = syntax::parse_template(&text).map(|_| ()).map_err(|e| e.span);
                assert!(file.is_err() && expr.is_err(), "{open}");
                (file, expr, template, as_file.len())
            });
            assert!(places.0.unwrap_err().start as usize <= places.3);
        }
    }
    for text in ["b {\n".repeat(n) + &"}\n".repeat(n), "b {\n".repeat(n), "b \"l\" ".repeat(n) + "{}\n"] {
        on(SMALL, "blocks", move || syntax::parse(&text).map(|p| p.exprs).unwrap_or(0));
    }
    for text in
        [format!("1{}", " + 1".repeat(n)), format!("a{}", ".b".repeat(n)), format!("a{}", "[*]".repeat(n))]
    {
        assert!(on(SMALL, "chains", move || syntax::parse_expr(&text).is_err()));
    }
}

#[test]
fn long_texts_are_read_or_refused() {
    let long = format!("x = \"{}\"\n", "a".repeat(10 << 20));
    let error = on(SMALL, "a string of 10 MiB", move || syntax::parse(&long).map(|p| p.exprs).unwrap_err());
    assert!(error.message.contains("8 MiB"), "{error}");
    let long = format!("\"{}\"", "a".repeat(7 << 20));
    assert!(value(&long).is_ok());
    let list = format!("[{}]", "1,".repeat(100_000));
    assert_eq!(value(&list).unwrap().length(), Some(100_000));
    let files = on(SMALL, "many items", || {
        let attributes: String = (0..50_000).map(|i| format!("a{i} = 1\n")).collect();
        let blocks = "b {}\n".repeat(50_000);
        [attributes, blocks].map(|t| syntax::parse(&t).map(|p| p.body.items.len()))
    });
    assert!(files.iter().all(|f| f.is_ok()), "{files:?}");
}

#[test]
fn bytes_that_are_no_text() {
    for bytes in [b"x = \"\xff\xfe\"\n".as_slice(), b"\xc3", b"x = 1\n\0", b"\0"] {
        let error = syntax::decode_bytes(bytes).unwrap_err();
        assert!(error.offset() as usize <= bytes.len());
        let host = MemoryHost { files: [("main.tf".into(), bytes.to_vec())].into(), ..MemoryHost::default() };
        let (_, issues) = config::load(&host, Path::new(""));
        assert!(issues.iter().any(|i| i.code == Code::Unparsable), "{issues:?}");
    }
}

#[test]
fn half_written_files() {
    let whole = "resource \"a_b\" \"c\" {\n  count = var.x[\"y\"] ? 1 : 0 # z\n  t = <<-E\n   a ${f(1)} %{ if x }b%{ endif }\n  E\n}\n";
    for (at, _) in whole.char_indices() {
        let (head, tail) = whole.split_at(at);
        for text in [head, tail] {
            let (_, issues) = config::load(&MemoryHost::new([("main.tf", text)]), Path::new(""));
            assert!(issues.iter().all(|i| i.place.is_some() || i.path.is_some()), "{issues:?}");
        }
    }
}

#[test]
fn results_that_would_be_too_large() {
    let long = format!("\"{}\"", "a".repeat(1 << 20));
    let sixteen = "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]";
    let cases = [
        "range(1e9)".to_owned(),
        "range(0, 1e9, 0.001)".to_owned(),
        format!("setproduct({})", [sixteen; 8].join(", ")),
        format!("join({long}, [for x in range(1000) : x])"),
        format!("replace({long}, \"a\", {long})"),
        format!("replace({long}, \"/a/\", \"$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0\")"),
        format!("replace({long}, \"\", {long})"),
        "format(\"%1000000000d\", 1)".to_owned(),
        "format(\"%.1000000000f\", 1)".to_owned(),
        "format(\"%*d\", 1000000000, 1)".to_owned(),
        format!("indent(1000000000, {long})"),
        format!("indent(1000, replace({long}, \"a\", \"\\n\"))"),
        format!("[for x in range(1000) : {long}][*]").replace("[*]", "")
            + " == join(\",\", [for x in range(1000) : 1])",
        format!("jsonencode([for x in range(1000) : {long}])"),
        format!("join(\"\", [for x in range(1000) : {long}])"),
        format!("format(\"{}\", {})", "%s".repeat(100), [long.as_str(); 7].join(", ")),
        "flatten([for x in range(1000) : [for y in range(10000) : y]])".to_owned(),
        "[for x in range(1000) : [for y in range(1000) : [for z in range(1000) : 1]]]".to_owned(),
        "concat([for x in range(10000) : range(10000)]...)".to_owned(),
        "merge([for x in range(3000) : { for y in range(3000) : \"${x}-${y}\" => 1 }]...)".to_owned(),
        "pow(10, 10000)".to_owned(),
        "pow(10, 1e300)".to_owned(),
        "pow(2, 1000000000000)".to_owned(),
        "1e78000 * 1e78000 * 1e78000 * 1e78000".to_owned(),
        "1e999999999".to_owned(),
        "parseint(join(\"\", [for x in range(100000) : \"9\"]), 10)".to_owned(),
        "cidrsubnets(\"10.0.0.0/8\", [for x in range(100000) : 16]...)".to_owned(),
        "chunklist(range(100000), 1)".to_owned(),
        "distinct(range(100000))".to_owned(),
        "sort([for x in range(100000) : \"${x % 100}\"])".to_owned(),
        "toset([for x in range(100000) : \"${x}\"])".to_owned(),
        "reverse([for x in range(100000) : { a = [x] }])".to_owned(),
        "bcrypt(\"a\", 31)".to_owned(),
        "base64gzip(join(\"\", [for x in range(100000) : \"9\"]))".to_owned(),
        "transpose({ for x in range(1000) : x => [for y in range(1000) : \"${y}\"] })".to_owned(),
    ];
    for text in cases {
        // An answer, an error, or "more than we compute": all within the limits of `value`.
        let _ = value(&text);
    }
    let nested =
        "[for x in range(1000) : length([for y in range(1000) : length([for z in range(1000) : 1])])]";
    assert!(declined(nested).message.contains("iterations"));
}

#[test]
fn regexes_of_every_shape() {
    let text = "a".repeat(30_000);
    let shapes = [
        "(a*)*b",
        "(a+)+$",
        "(a|a)*b",
        "(a|aa)+$",
        "((a*)*)*b",
        "(.*)*x",
        "a{1,1000}b",
        "(a{1,1000}){1,1000}",
        "(((a{30}){30}){30}){30}",
        "(?:a?){30000}a{30000}",
        "[a-z]{1000}{1000}",
        "(",
        ")",
        "[",
        "a**",
        "(?P<x",
        "\\",
        "(?i)(É|é)*",
        "\\p{Greek}{1000}",
        "^(a?){50}a{50}$",
        "(?:.*.*.*.*.*.*.*.*)=",
        "(x+x+)+y",
        "()*",
        "(|a)*",
        "(?s).{0,1000}.{0,1000}b",
        "\\pN\\pL*\\b",
    ];
    for shape in shapes {
        let shape = shape.replace('\\', "\\\\");
        for call in ["regex", "regexall"] {
            let _ = value(&format!("{call}(\"{shape}\", \"{text}\")"));
        }
        let _ = value(&format!("replace(\"{text}\", \"/{shape}/\", \"$1\")"));
    }
    let long = "(".repeat(5000) + &")".repeat(5000);
    let _ = value(&format!("regex(\"{long}\", \"a\")"));
    let _ = value(&format!("regex(\"{}\", \"a\")", "a?".repeat(100_000)));
}

#[test]
fn decoders() {
    let n = 20_000;
    let quoted =
        |t: &str| format!("\"{}\"", t.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let aliases = |n: usize| {
        let mut out = "a0: &a0 [x, x]\n".to_owned();
        for i in 1..n {
            let _ = writeln!(out, "a{i}: &a{i} [*a{0}, *a{0}]", i - 1);
        }
        out
    };
    let cases = [
        ("jsondecode", "[".repeat(n)),
        ("jsondecode", "[".repeat(n) + &"]".repeat(n)),
        ("jsondecode", "{\"a\":".repeat(n) + "1" + &"}".repeat(n)),
        ("jsondecode", "1e999999999".to_owned()),
        ("yamldecode", "[".repeat(n) + &"]".repeat(n)),
        ("yamldecode", "- ".repeat(n) + "a"),
        ("yamldecode", (0..2000).map(|i| " ".repeat(i) + "a:\n").collect()),
        ("yamldecode", aliases(60)),
        ("csvdecode", "a,".repeat(n) + "b\n" + &",".repeat(n)),
        ("base64decode", "A".repeat(n)),
        ("urlencode", "%".repeat(n)),
        ("templatestring", "${".repeat(n)),
    ];
    for (function, text) in cases {
        let _ = value(&format!("{function}({})", quoted(&text)));
    }
}

/// A configuration of one file.
fn loaded(text: &str) -> (Config, Vec<Issue>) {
    config::load(&MemoryHost::new([("main.tf", text)]), Path::new(""))
}

/// Traces the value of the root's output `o`, as the program would.
fn traced(files: &[(&str, &str)]) -> Result<Traced, Vec<Issue>> {
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
    let mut tracer = Tracer::new(config, Limits::default(), universes, Meant::default(), &NoSurroundings);
    let target = Target::Output("o".into());
    let site = locate(config.root().unwrap(), &target, &["value".into()]).unwrap();
    let field = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath::from_text("value") };
    tracer.trace(&field, &site, None).0.result
}

fn code(traced: &Traced) -> &'static str {
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
    for (first, step) in [
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
    ] {
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
    for (variable, value) in [
        ("", "local.m[var.k]"),
        (rule.as_str(), "local.m[var.k]"),
        (rule.as_str(), "lookup(local.m, var.k, 0)"),
        (rule.as_str(), "\"${var.k}-${local.m[var.k]}\""),
        (rule.as_str(), "[for k, v in local.m : v if k == var.k][0]"),
        (rule.as_str(), "{ for k, v in local.m : k => v if k != var.k }"),
        (rule.as_str(), "[for a in local.m : [for b in local.m : var.k == \"k${b}\" ? a : b]][0][0]"),
        (rule.as_str(), "var.k == \"k5\" ? 1 : var.k == \"k6\" ? 2 : 3"),
    ] {
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
        ("jsonencode(true ? 1 : \"a${null}\")", "\"\\\"1\\\"\""),
        ("jsonencode(true ? [1] : [\"a\" + 1])", "\"[1]\""),
        ("jsonencode(true ? [1, \"b\"] : [for x in [1, \"b\"] : x.y])", "\"[1,\\\"b\\\"]\""),
    ] {
        let answer = traced(&[("main.tf", &format!("{b}output \"o\" {{\n  value = {value}\n}}\n"))]).unwrap();
        let Traced::Resolved(branch) = &answer else { panic!("{value}: {answer:?}") };
        assert_eq!(tf_phi::value::json::encode(&branch.value).unwrap(), want, "{value}");
    }
}

/// A count of what is done, not of what is held: each of these is small and stays small.
#[test]
fn what_takes_too_many_steps() {
    let list = format!("[{}]", (0..40).map(|i| i.to_string()).collect::<Vec<_>>().join(", "));
    let nest = |body: &str| {
        let open: String = ('a'..='c').map(|v| format!("[for {v} in {list} : ")).collect();
        format!("{open}{body}{}", "]".repeat(3))
    };
    let sum = (0..40).map(|i| format!("(a * {i} + b)")).collect::<Vec<_>>().join(" + ");
    let arms = (0..40).map(|i| format!("a == {i} ? null[b] : ")).collect::<String>();
    let failing = format!("{arms}{}null[c]{}", "(".repeat(3), ")".repeat(3));
    for body in [sum.as_str(), &failing, &format!("try({failing}, 1)"), &format!("[{failing}, {failing}]")] {
        declined(&nest(body));
    }
    // The same list is looked through each time.
    let big = format!("[{}]", "1,".repeat(20_000));
    declined(&format!("[for all in [{big}] : [for x in all : length(all)]]"));
    declined(&format!("[for all in [{big}] : [for x in all : all == all]]"));
    declined(&format!("[for all in [{big}] : [for x in all : x == 1 ? all : tolist(all)][0]]"));
}

#[test]
fn what_takes_many_steps_and_no_more() {
    let fine = |text: &str| assert!(value(text).is_ok(), "{}", text.chars().take(60).collect::<String>());
    let big = format!("[{}]", "1,".repeat(100_000));
    fine(&format!("[for i, x in {big} : x + i if x != i]"));
    fine(&format!("{{ for i, x in {big} : i => upper(x) }}"));
    fine("[for x in range(1024) : [for y in range(100) : x * y + 1]]");
    fine("[for x in range(1000) : contains(range(1000), x)]");
}

/// Collections, too, are refused where they would be too large, and are never taken for unknown.
#[test]
fn collections_that_are_too_large() {
    let big = format!("[{}]", "[1],".repeat(90_000));
    for call in ["tolist(concat(L, L))", "toset(concat(L, L))", "[L, L]", "tolist([L, L])", "try([L, L], 1)"]
    {
        declined(&format!("[for l in [{big}] : {}][0]", call.replace('L', "l")));
    }
    declined("tomap({ for p in setproduct(range(300), range(300)) : \"${p[0]}-${p[1]}\" => [p, p, p] })");
}
