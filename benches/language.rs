//! What reading and evaluating the language costs: a few figures, nothing passes or fails.
//!
//!     cargo bench --bench language

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

#[path = "../tests/evaluated/mod.rs"]
mod evaluated;

use evaluated::eval_text;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use tf_phi::addr::{FieldAddr, FieldPath, ModulePath, Target};
use tf_phi::config::{self, Config};
use tf_phi::func::NoSurroundings;
use tf_phi::host::memory::MemoryHost;
use tf_phi::syntax;
use tf_phi::trace::site::locate;
use tf_phi::trace::{Limits, Traced, Tracer, Universes};

/// The shortest of several runs.
fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    let time = |work: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    (0..runs).map(|_| time(&mut work)).min().unwrap_or_default()
}

fn main() {
    syntax::on_big_stack(|| {
        parsing();
        locals();
        rows();
    });
}

/// A file as people write them, about a megabyte long.
fn text() -> String {
    let mut out = String::new();
    for i in 0..2_500 {
        let _ = write!(
            out,
            r#"# The database of stack {i}.
resource "aws_db_instance" "db_{i}" {{
  count          = var.enabled && local.stacks["s{i}"].on ? 1 : 0
  engine         = "postgres"
  engine_version = lookup(local.versions, var.env, "15.{i}")
  identifier     = "${{var.prefix}}-db-{i}"
  tags = merge(local.tags, {{
    Name  = "db-{i}" // by hand
    Owner = upper(var.owner)
  }})
  subnet_ids = [for s in data.aws_subnets.all[0].ids : s if s != "subnet-{i}"]
}}
"#
        );
    }
    out
}

fn parsing() {
    let text = text();
    let megabytes = text.len() as f64 / 1e6;
    let ours = best(10, || syntax::parse(&text).unwrap().items.len());
    let bare = best(10, || hcl_edit::parser::parse_body(&text).unwrap().len());
    let rate = |time: Duration| megabytes / time.as_secs_f64();
    println!("parse and lower   {:>8.1} MB/s   hcl-edit alone {:.1} MB/s", rate(ours), rate(bare));
}

/// A module of a thousand locals, each of which reads two others.
fn locals() {
    let mut text = "locals {\n  a0 = 1\n  a1 = 2\n".to_owned();
    for i in 2..1_000 {
        let (one, two) = (i - 1, i / 2);
        let _ = match i % 4 {
            0 => writeln!(text, "  a{i} = (local.a{one} + local.a{two}) % 1000"),
            1 => writeln!(text, "  a{i} = length(\"${{local.a{one}}}-${{local.a{two}}}\")"),
            2 => writeln!(text, "  a{i} = {{ x = [local.a{one}], y = local.a{two} }}.x[0]"),
            _ => writeln!(text, "  a{i} = local.a{one} > 500 ? local.a{two} : max(local.a{one}, 3)"),
        };
    }
    text.push_str("}\noutput \"o\" {\n  value = local.a999\n}\n");
    let host = MemoryHost::new([("main.tf", text.as_str())]);
    let loading = best(10, || config::load(&host, Path::new("")).1.len());
    let (config, issues) = config::load(&host, Path::new(""));
    assert!(issues.is_empty(), "{issues:?}");
    let tracing = best(10, || traced(&config));
    println!(
        "1000 locals       {:>8.2} ms     loading {:.2} ms",
        milliseconds(tracing),
        milliseconds(loading)
    );
}

fn traced(config: &Config) {
    let universes = Universes::new();
    let mut tracer = Tracer::new(config, Limits::default(), &universes, Default::default(), &NoSurroundings);
    let target = Target::Output("o".into());
    let site = locate(config.root().unwrap(), &target, &["value".into()]).unwrap();
    let field = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath::from_text("value") };
    let (trace, _) = tracer.trace(&field, &site, None);
    assert!(matches!(trace.result, Traced::Resolved(_)), "{:?}", trace.result);
}

/// Every expression of the differential run against Terraform.
fn rows() {
    let mut all = Vec::new();
    let mut folders = vec![std::path::PathBuf::from("e2e/differential")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.ends_with("language") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "txt") {
                let text = std::fs::read_to_string(&path).unwrap();
                let rows = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
                all.extend(rows.map(str::to_owned));
            }
        }
    }
    let time = best(5, || all.iter().filter(|row| eval_text(row).is_ok()).count());
    println!("{} expressions  {:>8.1} ms", all.len(), milliseconds(time));
    let mut slow: Vec<(Duration, &String)> =
        all.iter().map(|row| (best(1, || eval_text(row)), row)).collect();
    slow.sort_by(|a, b| b.cmp(a));
    for (time, row) in slow.iter().take(5) {
        let short: String = row.chars().take(70).collect();
        println!("  {:>6.2} ms  {short}", milliseconds(*time));
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
