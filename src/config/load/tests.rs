use super::*;
use crate::addr::{ModulePath, ResourceAddr};
use crate::config::{Config, Origin, Overlay, View, load, load_with};
use crate::host::memory::MemoryHost;
use crate::issue::{Code, Issue};
use crate::syntax::ExprKind;
use std::path::{Path, PathBuf};

fn loaded(files: &[(&str, &str)]) -> (Config, Vec<Issue>) {
    load(&MemoryHost::new(files.iter().copied()), Path::new("."))
}

fn fine(files: &[(&str, &str)]) -> Config {
    let (config, issues) = loaded(files);
    assert!(issues.is_empty(), "{issues:#?}");
    config
}

/// `path:lines code why`
fn faults(files: &[(&str, &str)]) -> Vec<String> {
    let (config, issues) = loaded(files);
    let shown = issues.iter().map(|i| {
        let at = i.place.map_or_else(|| i.path.clone().unwrap_or_default(), |p| config.sources.span_text(p));
        format!("{at} {} {}: {}", i.code, i.summary, i.why)
    });
    shown.collect()
}

const MAIN: &str = r#"
terraform {
  required_version = ">= 1.0"
}
variable "env" {
  type      = string
  default   = "dev"
  sensitive = true
  nullable  = false
  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "No."
  }
}
locals {
  a = 1
  b = local.a
}
provider "aws" {
  alias  = "x"
  region = "eu"
}
module "m" {
  source = "./mods/m"
  count  = 2
  size   = local.a
}
resource "aws_db_instance" "app" {
  for_each = toset(["a"])
  provider = aws.x
  engine   = "postgres"
  lifecycle {
    prevent_destroy = true
    precondition {
      condition     = true
      error_message = "x"
    }
  }
  tags { k = "v" }
  dynamic "set" {
    for_each = []
    content {}
  }
  provisioner "local-exec" { command = "x" }
  _ { count = 3 }
}
data "aws_ami" "x" {}
output "o" {
  value = module.m
}
check "c" {
  data "http" "h" {}
  assert {
    condition     = true
    error_message = "x"
  }
}
moved {
  from = module.a
  to   = module.m
}
"#;

#[test]
fn declarations_of_every_kind() {
    let config = fine(&[("main.tf", MAIN), ("mods/m/v.tf", "variable \"size\" {}"), ("notes.txt", "x")]);
    let root = config.root().unwrap();
    let env = &root.variables["env"];
    assert!(env.sensitive && !env.nullable && env.validations.len() == 1);
    assert_eq!(env.ty, crate::value::Type::String);
    assert_eq!(root.locals.keys().map(|k| &**k).collect::<Vec<_>>(), ["a", "b"]);
    let call = &root.calls["m"];
    assert_eq!(call.source_text(), Some("./mods/m"));
    assert!(call.count.is_some() && call.arg("size").is_some() && call.args.len() == 1);
    let app = &root.resources[&ResourceAddr::managed("aws_db_instance", "app")];
    let names: Vec<_> = app.body.attributes.iter().map(|a| &*a.name.text).collect();
    assert_eq!(names, ["engine", "count"]);
    assert_eq!((app.body.blocks.len(), app.provisioners.len()), (2, 1));
    assert!(
        app.body.blocks.iter().any(|b| &*b.kind.text == "dynamic" && b.label(0) == Some("set"))
            && app.body.blocks.iter().any(|b| &*b.kind.text == "tags")
    );
    assert!(app.lifecycle.prevent_destroy.is_some() && app.lifecycle.preconditions.len() == 1);
    assert!(app.for_each.is_some() && app.provider.is_some() && app.count.is_none());
    assert_eq!(root.providers[0].alias.as_deref(), Some("x"));
    assert!(root.configures_providers());
    assert_eq!((root.checks.len(), root.moved.len(), root.terraform.len()), (1, 1, 1));
    assert!(root.checks[0].data.is_some() && root.checks[0].asserts.len() == 1);
    let child = config.child(&ModulePath::ROOT, "m").unwrap();
    assert_eq!((&*child.dir, &child.origin), (Path::new("mods/m"), &Origin::Local));
    assert!(child.variables.contains_key("size"));
    assert_eq!(config.sources.span_text(call.decl.place()), "main.tf:23");
}

#[test]
fn a_folder_is_loaded_once_and_stands_at_every_path() {
    let config = fine(&[
        ("main.tf", "module \"a\" {\n  source = \"./x\"\n}\nmodule \"b\" {\n  source = \"./y/../x/\"\n}\n"),
        ("x/main.tf", "module \"in\" {\n  source = \"../z\"\n}\n"),
        ("z/main.tf", "locals {}\n"),
    ]);
    assert_eq!(config.modules.len(), 3);
    let paths: Vec<String> = config.paths.keys().map(ToString::to_string).collect();
    assert_eq!(paths, ["", "module.a", "module.a.module.in", "module.b", "module.b.module.in"]);
    let z = config.at(&"module.b.module.in".parse().unwrap()).unwrap().id;
    assert_eq!(config.paths_of(z).count(), 2);
}

#[test]
fn faults_have_places() {
    assert!(faults(&[("a.txt", "")])[0].contains("missing No configuration files"));
    let cycle = faults(&[
        ("main.tf", "module \"a\" {\n  source = \"./a\"\n}\n"),
        ("a/m.tf", "module \"b\" {\n  source = \"../\"\n}\n"),
    ]);
    assert!(cycle[0].starts_with("a/m.tf:2 cycle"), "{cycle:?}");
    let missing = faults(&[("main.tf", "module \"a\" {\n  source = \"./a\"\n}\n")]);
    assert!(missing[0].starts_with("main.tf:2 missing"), "{missing:?}");
    // Terraform takes a folder without configuration for an empty module.
    assert!(faults(&[("main.tf", "module \"a\" {\n  source = \"./a\"\n}\n"), ("a/x.txt", "")]).is_empty());
    let tofu = faults(&[("main.tf", "module \"a\" {\n  source = \"./a\"\n}\n"), ("a/x.tofu", "")]);
    assert!(tofu[0].starts_with("main.tf:2 missing No configuration"), "{tofu:?}");
    let syntax =
        faults(&[("main.tf", "locals {}\nlocals {\n  a = = 1\n}\n"), ("b.tf", "variable \"x\" {}\n")]);
    assert!(syntax.len() == 1 && syntax[0].starts_with("main.tf:3 unparsable"), "{syntax:?}");
    let twice = faults(&[("a.tf", "variable \"x\" {}\n"), ("b.tf", "\nvariable \"x\" {}\n")]);
    assert!(twice[0].starts_with("b.tf:2 invalid") && twice[0].contains("a.tf:1"), "{twice:?}");
    let local = faults(&[("a.tf", "locals {\n  x = 1\n}\nlocals {\n  x = 2\n}\n")]);
    assert!(local[0].starts_with("a.tf:5 invalid") && local[0].contains("a.tf:2"), "{local:?}");
    let label = faults(&[("a.tf", "variable {\n}\nresource \"a\" {\n}\ndata \"a\" \"b\" \"c\" {\n}\n")]);
    assert_eq!(label.len(), 3, "{label:?}");
    let both = faults(&[("a.tf", "resource \"a\" \"b\" {\n  count = 1\n  for_each = {}\n}\n")]);
    assert!(both[0].starts_with("a.tf:3 invalid"), "{both:?}");
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let mut host = MemoryHost::new([("main.tf", "")]);
    host.files.insert("bad.tf".into(), b"locals {}\n\xff".to_vec());
    let (_, issues) = load(&host, Path::new("."));
    assert_eq!(issues[0].path.as_deref(), Some("bad.tf:2"));
    assert_eq!(issues[0].code, Code::Unparsable);
}

#[test]
fn files_that_terraform_passes_over() {
    let config = fine(&[
        ("main.tf", "locals {\n  a = 1\n}\n"),
        (".hidden.tf", "= ="),
        ("#x.tf#", "= ="),
        ("main.tf~", "= ="),
        ("x.tftest.hcl", "= ="),
    ]);
    assert_eq!(config.root().unwrap().files.len(), 1);
}

#[test]
fn overrides_replace_arguments_and_blocks() {
    let config = fine(&[
        (
            "main.tf",
            "variable \"v\" {\n  default = 1\n  sensitive = true\n}\nlocals {\n  l = 1\n}\nresource \"t\" \"n\" {\n  a = 1\n  b = 2\n  \
             s { x = 1 }\n  s { x = 2 }\n  dynamic \"d\" {\n    for_each = []\n    content {}\n  }\n  e { y = 1 }\n  lifecycle {\n    prevent_destroy = true\n    \
             create_before_destroy = true\n  }\n}\nmodule \"m\" {\n  source = \"./x\"\n  p = 1\n}\n",
        ),
        (
            "x_override.tf",
            "variable \"v\" {\n  default = 2\n}\nlocals {\n  l = 2\n}\nresource \"t\" \"n\" {\n  b = 3\n  c = 4\n  s { x = 3 }\n  d {}\n  \
             lifecycle {\n    prevent_destroy = false\n  }\n}\nmodule \"m\" {\n  source = \"./y\"\n  q = 2\n}\nprovider \"aws\" {\n  region = \"x\"\n}\n",
        ),
        ("override.tf", "locals {\n  l = 9\n}\n"),
        ("y/m.tf", "variable \"p\" {}\nvariable \"q\" {}\n"),
    ]);
    let root = config.root().unwrap();
    let text =
        |a: &crate::config::In<crate::syntax::Attribute>| config.sources.slice(a.value_place()).to_owned();
    let v = &root.variables["v"];
    assert_eq!(text(v.default.as_ref().unwrap()), "2");
    assert!(v.sensitive && v.decl.overrides.len() == 1);
    // Later names win: x_override.tf comes after override.tf.
    assert_eq!(text(&root.locals["l"].attr), "2");
    let r = &root.resources[&ResourceAddr::managed("t", "n")];
    let attrs: Vec<String> =
        r.body.attributes.iter().map(|a| format!("{}={}", a.name.text, text(a))).collect();
    assert_eq!(attrs, ["a=1", "b=3", "c=4"]);
    let blocks: Vec<&str> = r.body.blocks.iter().map(|b| &*b.kind.text).collect();
    assert_eq!(blocks, ["e", "s", "d"]);
    assert_eq!(text(r.lifecycle.prevent_destroy.as_ref().unwrap()), "false");
    assert_eq!(text(r.lifecycle.create_before_destroy.as_ref().unwrap()), "true");
    assert_eq!(root.calls["m"].source_text(), Some("./y"));
    assert_eq!(root.calls["m"].args.len(), 2);
    assert_eq!(root.providers.len(), 1);
    let faults = faults(&[("main.tf", ""), ("override.tf", "variable \"v\" {}\nmoved {}\n")]);
    assert_eq!(faults.len(), 2, "{faults:?}");
}

#[test]
fn installed_modules_come_from_the_manifest() {
    let manifest = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},
        {"Key":"vpc","Source":"registry.terraform.io/a/vpc/aws","Version":"1.2.3","Dir":".terraform/modules/vpc"},
        {"Key":"vpc.sub","Source":"./sub","Dir":".terraform/modules/vpc/sub"},
        {"Key":"old","Source":"registry.terraform.io/a/old/aws","Version":"1.0.0","Dir":".terraform/modules/old"}]}"#;
    let main = "module \"vpc\" {\n  source = \"a/vpc/aws\"\n}\nmodule \"gone\" {\n  source = \"git::https://x/y\"\n}\n\
                module \"old\" {\n  source = \"a/new/aws\"\n}\n";
    let files = [
        ("main.tf", main),
        (".terraform/modules/modules.json", manifest),
        (".terraform/modules/vpc/main.tf", "module \"sub\" {\n  source = \"./sub\"\n}\n"),
        (".terraform/modules/vpc/sub/main.tf", "locals {}\n"),
        (".terraform/modules/old/main.tf", "locals {}\n"),
    ];
    let (config, issues) = loaded(&files);
    let codes: Vec<_> = issues.iter().map(|i| (i.code, config.sources.span_text(i.place.unwrap()))).collect();
    assert_eq!(
        codes,
        [(Code::NotInstalled, "main.tf:5".to_owned()), (Code::NotInstalled, "main.tf:8".to_owned())]
    );
    assert_eq!(issues[0].fixes[0].paste, "terraform init");
    let vpc = config.child(&ModulePath::ROOT, "vpc").unwrap();
    assert_eq!(vpc.origin, Origin::Installed { source: "a/vpc/aws".into(), version: Some("1.2.3".into()) });
    assert!(config.at(&"module.vpc.module.sub".parse().unwrap()).is_some());
    let mut host = MemoryHost::new(files);
    host.env.insert("TF_DATA_DIR".into(), "data".into());
    assert_eq!(load(&host, Path::new(".")).1.len(), 3);
    host.files.insert("data/modules/modules.json".into(), b"{".to_vec());
    assert!(load(&host, Path::new(".")).1.iter().any(|i| i.code == Code::Environment));
}

#[test]
fn a_source_that_is_an_expression_is_attached_later() {
    let host = MemoryHost::new([
        ("main.tf", "module \"a\" {\n  source = \"./${var.x}\"\n}\n"),
        ("b/main.tf", "variable \"q\" {}\n"),
    ]);
    let (mut config, issues) = load(&host, Path::new("."));
    assert!(issues.is_empty(), "{issues:?}");
    let call = config.root().unwrap().calls["a"].clone();
    assert!(matches!(call.source.as_ref().unwrap().expr.kind, ExprKind::Template(_)));
    assert!(config.child(&ModulePath::ROOT, "a").is_none());
    let overlay = Overlay::new();
    let view = View { host: &host, overlay: &overlay };
    assert!(attach(view, &mut config, &ModulePath::ROOT, &"a_b".into(), "./b", &call).is_empty());
    assert!(config.child(&ModulePath::ROOT, "a_b").unwrap().variables.contains_key("q"));
    assert_eq!(attach(view, &mut config, &ModulePath::ROOT, &"a_c".into(), "./c", &call).len(), 1);
}

#[test]
fn an_overlay_stands_in_for_files() {
    let host = MemoryHost::new([("w/main.tf", "locals {\n  a = 1\n}\n"), ("w/new.tf", "= =")]);
    let overlay = Overlay::from([
        (PathBuf::from("w/main.tf"), Some("locals {\n  b = 1\n}\n".to_owned())),
        (PathBuf::from("w/new.tf"), None),
    ]);
    let (config, issues) = load_with(&host, &overlay, Path::new("./w"));
    assert!(issues.is_empty(), "{issues:?}");
    assert!(config.root().unwrap().locals.contains_key("b"));
    assert_eq!(config.sources.iter().count(), 1);
}

#[test]
fn overrides_that_terraform_takes_in_its_own_way() {
    let base = "variable \"v\" {\n  type = number\n  default = \"05\"\n}\nresource \"t\" \"n\" {\n  count = 1\n  \
                lifecycle {\n    ignore_changes = all\n  }\n}\n";
    let over = |text: &str| faults(&[("main.tf", base), ("override.tf", text)]);
    assert_eq!(over("variable \"v\" {\n  type = number\n}\n").len(), 0);
    assert!(over("variable \"v\" {\n  type = string\n}\n")[0].starts_with("override.tf:1 unsupported"));
    assert!(over("resource \"t\" \"n\" {\n  for_each = {}\n}\n")[0].starts_with("override.tf:1 unsupported"));
    assert!(over("resource \"t\" \"n\" {\n  depends_on = [t.x]\n}\n")[0].contains("may not be overridden"));
    let text = "resource \"t\" \"n\" {\n  depends_on = []\n  lifecycle {\n    ignore_changes = [a]\n  }\n}\n";
    let config = fine(&[("main.tf", base), ("override.tf", text)]);
    let n = &config.root().unwrap().resources[&ResourceAddr::managed("t", "n")];
    assert!(matches!(n.lifecycle.ignore_changes.as_ref().unwrap().expr.kind, ExprKind::Variable(_)));
}

#[test]
fn an_argument_given_twice_is_a_fault() {
    let twice = faults(&[("main.tf", "resource \"t\" \"n\" {\n  a = 1\n  a = 2\n}\n")]);
    assert!(twice.len() == 1 && twice[0].starts_with("main.tf:3"), "{twice:?}");
    let twice = faults(&[("main.tf", "locals {\n  a = 1\n  a = 2\n}\n")]);
    assert!(twice.len() == 1 && twice[0].starts_with("main.tf:3"), "{twice:?}");
    let twice = faults(&[("main.tf", "resource \"t\" \"n\" {\n  s {\n    a = 1\n    a = 2\n  }\n}\n")]);
    assert!(twice.len() == 1 && twice[0].starts_with("main.tf:4"), "{twice:?}");
}

#[test]
fn providers_configured_below_a_call() {
    let config = fine(&[
        ("main.tf", "module \"a\" {\n  source = \"./a\"\n}\nmodule \"c\" {\n  source = \"./c\"\n}\n"),
        ("a/m.tf", "module \"b\" {\n  source = \"../b\"\n}\n"),
        ("b/m.tf", "provider \"aws\" {\n  region = \"x\"\n}\n"),
        ("c/m.tf", "provider \"aws\" {\n}\n"),
    ]);
    assert!(config.configures_providers(&"module.a".parse().unwrap()));
    assert!(!config.configures_providers(&"module.c".parse().unwrap()));
}

/// Names go into addresses that are written into files, so they have to be names.
#[test]
fn labels_are_names() {
    let text = "module \"'b\" {\n  source = \"./x\"\n}\nresource \"a_b\" \"y)\" {}\nvariable \"a b\" {}\noutput \"1x\" {\n  value = 1\n}\n\
                resource \"a.b\" \"y\" {}\nprovider \"\" {}\nvariable \"\u{e9}-\u{e0}_1\" {}\n";
    let (config, issues) = loaded(&[("main.tf", text)]);
    assert_eq!(issues.len(), 6, "{issues:#?}");
    assert!(issues.iter().all(|i| i.code == Code::Invalid && i.place.is_some()));
    assert_eq!(config.root().unwrap().variables.len(), 1);
}

/// Many small root modules may call one tree of modules on many paths each: together they have no more than a run may.
#[test]
fn the_root_modules_of_a_run_share_its_paths() {
    let calls = |to: &str| -> String {
        (0..7).map(|n| format!("module \"m{n}\" {{\n  source = \"{to}\"\n}}\n")).collect()
    };
    let (top, first, second) = (calls("./a"), calls("../b"), calls("../c"));
    let files = [("main.tf", &*top), ("a/m.tf", &first), ("b/m.tf", &second), ("c/m.tf", "locals {}\n")];
    for (roots, is_too_much) in [(1, false), (20, false), (2_000, true)] {
        let host = MemoryHost { roots_of_run: roots, ..MemoryHost::new(files) };
        let (config, issues) = load(&host, Path::new("."));
        let is_one = |issue: &Issue| issue.code == Code::TooLarge && issue.why.contains("a run over 2000");
        assert_eq!(
            issues.iter().filter(|issue| is_one(issue)).count(),
            usize::from(is_too_much),
            "{issues:#?}"
        );
        assert_eq!(config.paths.len() < 300, is_too_much, "{}", config.paths.len());
    }
}

#[test]
fn a_submodule_that_is_not_there_yet() {
    let main = "module \"a\" {\n  source = \"../../vendor/net/a\"\n}\nmodule \"b\" {\n  source = \"../../vendor/other\"\n}\n";
    let modules = "[submodule \"net\"]\n\tpath = vendor/net\n\turl = https://example.com/net\n";
    let host = MemoryHost::new([("live/app/main.tf", main), (".gitmodules", modules)]);
    let (_, issues) = load(&host, Path::new("live/app"));
    let fixes: Vec<Vec<&str>> =
        issues.iter().map(|issue| issue.fixes.iter().map(|fix| &*fix.paste).collect()).collect();
    assert_eq!(fixes, [vec!["git submodule update --init --recursive"], vec![]], "{issues:#?}");
    assert!(issues[0].fixes[0].title.contains("vendor/net"), "{issues:#?}");
}
