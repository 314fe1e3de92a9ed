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

#[path = "../evaluated/mod.rs"]
mod evaluated;
#[path = "../sample/mod.rs"]
mod sample;
mod memory;
mod tracer;

use evaluated::eval_text;
use sample::sampled;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;
use tf_phi::config;
use tf_phi::eval::{EvalError, Outcome};
use tf_phi::host::memory::MemoryHost;
use tf_phi::issue::Code;
use tf_phi::syntax;

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
        ("true == false && !true ? [0][0] : ", ""),
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
                let codes = [syntax::parse(&as_file).err(), syntax::parse_expr(&text).err()];
                (file, expr, template, as_file.len(), codes.map(|e| e.map(|e| e.code)))
            });
            assert!(places.0.unwrap_err().start as usize <= places.3);
            // Of a directive in a string that the next one ends, it is the first that is said to be wrong.
            assert!(places.4 == [Some(Code::TooDeep); 2] || open.contains("%{"), "{open}");
        }
    }
    // Nearly as deep as is read: evaluated, on a small stack.
    for (open, close) in shapes {
        // What isn't plain is followed less far.
        let whole = open.contains("<<") || open.contains("%{");
        let n = if whole { 30 } else { 190 / open.matches(['(', '[', '{', '"', '?']).count().max(1) };
        let text = format!("{}1{}", open.repeat(n), close.repeat(n));
        let shallow = format!("{}1{}", open.repeat(n.min(20)), close.repeat(n.min(20)));
        let expected = value(&shallow).is_ok();
        assert_eq!(value(&text).is_ok(), expected, "{open} {n}");
    }
    for text in ["b {\n".repeat(n) + &"}\n".repeat(n), "b {\n".repeat(n), "b \"l\" ".repeat(n) + "{}\n"] {
        on(SMALL, "blocks", move || syntax::parse(&text).map(drop).is_ok());
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
    let error = on(SMALL, "a string of 10 MiB", move || syntax::parse(&long).unwrap_err());
    assert!(error.message.contains("8 MiB"), "{error}");
    let long = format!("\"{}\"", "a".repeat(7 << 20));
    assert!(value(&long).is_ok());
    let list = format!("[{}]", "1,".repeat(100_000));
    assert_eq!(value(&list).unwrap().length(), Some(100_000));
    let files = on(SMALL, "many items", || {
        let attributes: String = (0..50_000).map(|i| format!("a{i} = 1\n")).collect();
        let blocks = "b {}\n".repeat(50_000);
        [attributes, blocks].map(|t| syntax::parse(&t).map(|body| body.items.len()))
    });
    assert!(files.iter().all(|f| f.is_ok()), "{files:?}");
}

#[test]
fn bytes_that_are_no_text() {
    for bytes in [b"x = \"\xff\xfe\"\n".as_slice(), b"\xc3", b"x = 1\n\0", b"\0"] {
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
    for text in sampled(cases, 3, "results") {
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
    for shape in sampled(shapes, 3, "regexes") {
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
    let bodies = [format!("try({failing}, 1)"), format!("[{failing}, {failing}]"), sum, failing];
    for body in sampled(bodies, 4, "steps") {
        declined(&nest(&body));
    }
    // The same list is looked through each time.
    let big = format!("[{}]", "1,".repeat(20_000));
    let bodies = ["length(all)", "all == all", "(x == 1 ? all : tolist(all))[0]"];
    for body in sampled(bodies, 3, "the lists") {
        declined(&format!("[for all in [{big}] : [for x in all : {body}]]"));
    }
}

/// What one call or one conversion takes is counted too, where it is more than a step.
#[test]
fn what_takes_long_each_time() {
    let often =
        |body: &str| format!("length([for i in range(1000) : length([for j in range(200) : {body}])])");
    let bodies = [
        "can(regex(\"${i}-${j}\\\\pL{500}\", \"b\"))",
        "can(regexall(\"(\\\\pN{10}){10}${i}-${j}\", \"b\"))",
        "base64gzip(\"${j}\")",
        "\"x${1e5000 + j}\"",
        "upper(1e500 + j)",
        "join(\",\", [1e-3000 * j])",
        "length(jsonencode([1e7000 + j]))",
    ];
    for body in sampled(bodies, 7, "each time") {
        declined(&often(body));
    }
    // The inner iterations are too many for each of the outer ones.
    declined("[for i in range(1000) : [for j in range(200) : [for k in range(200) : 1]]]");
}

#[test]
fn what_takes_many_steps_and_no_more() {
    let fine = |text: &str| assert!(value(text).is_ok(), "{}", text.chars().take(60).collect::<String>());
    let big = format!("[{}]", "1,".repeat(100_000));
    let texts = [
        format!("[for i, x in {big} : x + i if x != i]"),
        format!("{{ for i, x in {big} : i => upper(x) }}"),
        "[for x in range(1024) : [for y in range(100) : x * y + 1]]".to_owned(),
        "[for x in range(1000) : contains(range(1000), x)]".to_owned(),
        "[for x in range(1000) : [for y in range(10) : regex(\"^([0-9]+)[.]([0-9]+)$\", \"${x}.${y}\")]]"
            .to_owned(),
        "[for x in range(1000) : [for y in range(20) : \"${x * 0.1}-${y / 3}\"]]".to_owned(),
        "[for x in range(1000) : [for y in range(10) : replace(\"a-${x}-${y}\", \"/[^a-z]+/\", \"\")]]"
            .to_owned(),
    ];
    for text in sampled(texts, 4, "no more") {
        fine(&text);
    }
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
