use crate::addr::ResourceAddr;
use crate::config::{Config, load};
use crate::host::memory::MemoryHost;
use crate::issue::Issue;
use crate::syntax::ExprKind;
use crate::value::Type;
use std::path::Path;

fn loaded(files: &[(&str, &str)]) -> (Config, Vec<Issue>) {
    load(&MemoryHost::new(files.iter().copied()), Path::new("."))
}

const MAIN: &str = r#"{
  "//": "a comment",
  "terraform": {"required_version": ">= 1.0"},
  "variable": {
    "env": {"type": "string", "default": "${x}", "validation": {"condition": "${var.env != \"\"}", "error_message": "m"}},
    "o": [{"type": "object({ a = optional(number, 3) })"}]
  },
  "locals": [{"a": 1, "b": "${local.a + 1}"}, {"c": ["x-${local.a}", {"k": true}]}],
  "module": {"m": {"source": "./m", "size": "${var.env}", "depends_on": ["aws_db_instance.app"]}},
  "resource": {
    "aws_db_instance": {
      "app": {
        "count": 2,
        "engine": "postgres",
        "tags": {"k": "v"},
        "lifecycle": {"prevent_destroy": true, "ignore_changes": ["engine"]},
        "dynamic": {"set": {"for_each": ["a"], "content": {"name": "${set.value}"}}}
      },
      "other": [{"engine": "x"}]
    }
  },
  "output": {"o": {"value": "${module.m.x}"}}
}"#;

#[test]
fn the_same_declarations_as_in_native_files() {
    let (config, issues) =
        loaded(&[("main.tf.json", MAIN), ("m/m.tf.json", "{\"variable\": {\"size\": {}}}")]);
    assert!(issues.is_empty(), "{issues:#?}");
    let root = config.root().unwrap();
    let env = &root.variables["env"];
    assert_eq!((&env.ty, env.decl.json, env.validations.len()), (&Type::String, true, 1));
    assert!(matches!(&env.default.as_ref().unwrap().expr.kind, ExprKind::String(s) if &**s == "${x}"));
    assert_eq!(root.variables["o"].defaults.as_ref().unwrap().values.len(), 1);
    assert_eq!(root.locals.len(), 3);
    let app = &root.resources[&ResourceAddr::managed("aws_db_instance", "app")];
    let names: Vec<_> = app.body.attributes.iter().map(|a| &*a.name.text).collect();
    assert_eq!(names, ["engine", "tags"]);
    assert!(app.body.blocks.iter().any(|b| &*b.kind.text == "dynamic" && b.label(0) == Some("set")));
    let ignore = app.lifecycle.ignore_changes.as_ref().unwrap();
    assert!(matches!(&ignore.expr.kind, ExprKind::Tuple(t) if matches!(t[0].kind, ExprKind::Variable(_))));
    assert!(root.resources.contains_key(&ResourceAddr::managed("aws_db_instance", "other")));
    assert_eq!(root.calls["m"].args.len(), 1);
    assert_eq!(config.modules.len(), 2);
    let b = &root.locals["b"].attr;
    assert!(matches!(&b.expr.kind, ExprKind::Template(_)));
    assert_eq!(config.sources.slice(b.value_place()), "${local.a + 1}");
}

#[test]
fn json_overrides_native() {
    let (config, issues) = loaded(&[
        ("main.tf", "resource \"t\" \"n\" {\n  a = 1\n}\n"),
        ("x_override.tf.json", "{\"resource\": {\"t\": {\"n\": {\"a\": 2}}}}"),
    ]);
    assert!(issues.is_empty(), "{issues:?}");
    let n = &config.root().unwrap().resources[&ResourceAddr::managed("t", "n")];
    assert_eq!(config.sources.slice(n.body.attribute("a").unwrap().value_place()), "2");
}

#[test]
fn faults_have_places() {
    for (text, line) in [
        ("{\n  \"variable\": 1\n}", 2),
        ("{\n  \"locals\": {\n    \"a\": \"${\"\n  }\n}", 3),
        ("{\n  \"resource\": {\"t\": {\"n\": \n  \"x\"}}\n}", 3),
        ("{\n  \"locals\": {\"a\": 1,\n  \"a\": 2}\n}", 3),
        ("{\n", 2),
    ] {
        let (config, issues) = loaded(&[("main.tf.json", text)]);
        assert_eq!(issues.len(), 1, "{text}");
        assert_eq!(
            config.sources.span_text(issues[0].place.unwrap()),
            format!("main.tf.json:{line}"),
            "{text}"
        );
    }
}
