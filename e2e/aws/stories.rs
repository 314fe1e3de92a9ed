//! Ordinary roots over modules that many use: what is written of each, in lines, and plans that equal the original's.
//!
//! The modules come from a folder that [`ENV`] names (one folder per module, `rds`, `vpc`, …), or else by `git clone`. Where
//! neither gives one, the story is SKIPPED, loudly. Nothing of them is kept.

use crate::compare::same;
use crate::offer;
use crate::support::Scratch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names a folder with modules.
pub const ENV: &str = "TF_PHI_E2E_MODULES";

/// A module of the collection.
struct Module {
    name: &'static str,
    /// One that takes version 5 of the provider.
    tag: &'static str,
    /// The resource that gets `prevent_destroy = var.guarded`.
    guarded: Option<&'static str>,
}

struct Story {
    name: &'static str,
    main: &'static str,
    /// `phi.hcl`, by what it is called in the table, and how many lines it may write.
    forms: &'static [(&'static str, &'static str, usize)],
    module: Module,
    runs: &'static [&'static [&'static str]],
}

const PROVIDER: &str = r#"
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

provider "aws" {
  region                      = "eu-central-1"
  access_key                  = "dummy"
  secret_key                  = "dummy"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}
"#;

const STAGES: &[&[&str]] = &[&["-var=stage=test"], &["-var=stage=live"]];

const STORIES: &[Story] = &[
    Story {
        name: "a database's version by stage",
        main: r#"
variable "stage" {
  type = string

  validation {
    condition     = contains(["test", "live"], var.stage)
    error_message = "test or live."
  }
}

locals {
  engines = { test = "16.4", live = "15.8" }
}

module "ledger" {
  source = "./modules/rds"

  identifier        = "ledger-${var.stage}"
  engine            = "postgres"
  engine_version    = local.engines[var.stage]
  family            = "postgres${split(".", local.engines[var.stage])[0]}"
  instance_class    = var.stage == "live" ? "db.m6g.large" : "db.t4g.small"
  allocated_storage = 50
  username          = "ledger"

  skip_final_snapshot       = true
  create_db_option_group    = false
  create_db_parameter_group = false
}

output "endpoint" {
  value = module.ledger.db_instance_endpoint
}
"#,
        forms: &[
            ("at the call", "specialize \"aws_db_instance\" {\n  fields = [\"engine_version\"]\n}\n", 3_800),
            (
                "at the resource",
                "specialize \"aws_db_instance\" {\n  fields = [\"engine_version\"]\n  at     = \"resource\"\n}\n",
                2_050,
            ),
            (
                "in place",
                "settings {\n  edit = [\"modules/**\"]\n}\nspecialize \"aws_db_instance\" {\n  fields = [\"engine_version\"]\n  at     = \"resource\"\n}\n",
                300,
            ),
        ],
        module: Module { name: "rds", tag: "v6.10.0", guarded: None },
        runs: STAGES,
    },
    Story {
        name: "a network that must stay, in one stage",
        main: r#"
variable "stage" {
  type    = string
  default = "test"
}

module "backbone" {
  source = "./modules/vpc"

  name            = "backbone-${var.stage}"
  cidr            = "10.20.0.0/16"
  azs             = ["eu-central-1a", "eu-central-1b"]
  private_subnets = ["10.20.1.0/24", "10.20.2.0/24"]
  guarded         = var.stage == "live"
}

output "subnets" {
  value = module.backbone.private_subnets
}
"#,
        forms: &[("as it is", "", 4_000), ("in place", "settings {\n  edit = [\"modules/*\"]\n}\n", 70)],
        module: Module { name: "vpc", tag: "v5.21.0", guarded: Some("resource \"aws_vpc\" \"this\" {") },
        runs: STAGES,
    },
    Story {
        name: "machines of another size, by stage",
        main: r#"
variable "stage" {
  type = string
}

module "runner" {
  source = "./modules/ec2-instance"
  count  = var.stage == "live" ? 2 : 1

  name          = "runner-${var.stage}-${count.index}"
  ami           = "ami-0123456789abcdef0"
  instance_type = var.stage == "live" ? "m6i.large" : "t3.small"
  subnet_id     = "subnet-22222222"
}

output "runners" {
  value = module.runner[*].id
}
"#,
        forms: &[
            ("at the call", "specialize \"aws_instance\" {\n  fields = [\"instance_type\"]\n}\n", 2_700),
            (
                "at the resource",
                "specialize \"aws_instance\" {\n  fields = [\"instance_type\"]\n  at     = \"resource\"\n}\n",
                2_000,
            ),
            (
                "in place",
                "settings {\n  edit = [\"modules/*\"]\n}\nspecialize \"aws_instance\" {\n  fields = [\"instance_type\"]\n  at     = \"resource\"\n}\n",
                700,
            ),
        ],
        module: Module { name: "ec2-instance", tag: "v5.8.0", guarded: None },
        runs: STAGES,
    },
];

/// Runs them all; how many passed, and how many were skipped.
pub fn run() -> (usize, usize) {
    let (mut passed, mut skipped) = (0, 0);
    for story in STORIES {
        match module(&story.module) {
            Err(why) => {
                println!("SKIPPED: {}: no module {} ({why});", story.name, story.module.name);
                println!("SKIPPED: {ENV} names a folder that has it");
                skipped += 1;
            }
            Ok(module) => {
                for form in story.forms {
                    told(story, *form, &module);
                }
                passed += 1;
            }
        }
    }
    (passed, skipped)
}

/// One story with one `phi.hcl`.
fn told(story: &Story, (form, phi, most): (&str, &str, usize), module: &Path) {
    let (original, specialised) = (root(story, phi, module, true), root(story, phi, module, false));
    specialised.tf_phi(&["check", "--fix"]).expect(0);
    specialised.init();
    let lines = written(original.dir().as_path(), &specialised);
    println!("{}, {form}: {lines} lines", story.name);
    assert!(lines <= most, "{}, {form}: {lines} lines, {most} at most", story.name);
    for args in story.runs {
        let (plan, _) = specialised.phi_plan(args);
        same(&original.plan(args), &plan, &specialised, &format!("{}, {form}: {args:?}", story.name));
    }
}

/// Terraform takes no variable in `prevent_destroy`, so that the original has a literal there.
fn root(story: &Story, phi: &str, module: &Path, plain: bool) -> Scratch {
    let main = format!("{PROVIDER}{}", story.main);
    let scratch = Scratch::with(&[("main.tf", &main)]);
    let folder = scratch.dir().join("modules").join(story.module.name);
    copy(module, &folder);
    if let Some(head) = story.module.guarded {
        guard(&folder, head, "false");
    }
    offer::offer(&scratch);
    scratch.init();
    if let Some(head) = story.module.guarded.filter(|_| !plain) {
        copy(module, &folder);
        guard(&folder, head, "var.guarded");
    }
    if !phi.is_empty() {
        scratch.write("phi.hcl", phi);
    }
    scratch
}

/// A variable, and a `lifecycle` in the resource that begins with `head`.
fn guard(folder: &Path, head: &str, value: &str) {
    let (main, variables) = (folder.join("main.tf"), folder.join("variables.tf"));
    let text = fs::read_to_string(&main).unwrap();
    let lifecycle = format!("{head}\n  lifecycle {{\n    prevent_destroy = {value}\n  }}\n");
    assert!(text.contains(head), "{head}");
    fs::write(main, text.replacen(head, &lifecycle, 1)).unwrap();
    let text = fs::read_to_string(&variables).unwrap();
    fs::write(
        variables,
        format!("{text}\nvariable \"guarded\" {{\n  type    = bool\n  default = false\n}}\n"),
    )
    .unwrap();
}

/// Lines that a reviewer reads: added or changed, records left out.
fn written(original: &Path, specialised: &Scratch) -> usize {
    let args = ["diff", "--no-index", "--numstat", "--no-renames"];
    let ran = Command::new("git").args(args).arg(original).arg(specialised.dir()).output().unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    let counted =
        |line: &&str| !line.contains("/.phi/") && !line.contains("/.terraform") && !line.contains("phi.hcl");
    let lines = text.lines().filter(counted);
    lines.filter_map(|line| line.split('\t').next()?.parse::<usize>().ok()).sum()
}

/// The folder of a module.
fn module(module: &Module) -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os(ENV) {
        let folder = PathBuf::from(named).join(module.name);
        return if folder.join("main.tf").is_file() {
            Ok(folder)
        } else {
            Err(format!("{folder:?} has none"))
        };
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{}", module.name, module.tag));
    if folder.join("main.tf").is_file() {
        return Ok(folder);
    }
    let url = format!("https://github.com/terraform-aws-modules/terraform-aws-{}", module.name);
    let ran = Command::new("git")
        .args([
            "-c",
            "http.lowSpeedLimit=1000",
            "-c",
            "http.lowSpeedTime=20",
            "clone",
            "--quiet",
            "--depth=1",
        ])
        .args(["--branch", module.tag, &url])
        .arg(&folder)
        .env("GIT_TERMINAL_PROMPT", "0")
        .output()
        .map_err(|e| e.to_string())?;
    if ran.status.success() {
        return Ok(folder);
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    Err(said.lines().last().unwrap_or("git clone fails").to_owned())
}

/// The sources of a module, its own modules included. `random_id` goes, whose provider isn't at hand everywhere.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let shown = name.to_string_lossy();
        if path.is_dir() && (shown == "modules" || from.ends_with("modules")) {
            copy(&path, &to.join(&name));
        } else if path.is_file() && shown.ends_with(".tf") {
            fs::write(to.join(&name), without_random(&fs::read_to_string(&path).unwrap())).unwrap();
        }
    }
}

fn without_random(text: &str) -> String {
    let mut out = String::new();
    let mut skipped = "";
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        let opens = match bare {
            "    random = {" => "    }",
            _ if bare.starts_with("resource \"random_id\"") => "}",
            _ => "",
        };
        if skipped.is_empty() && !opens.is_empty() {
            skipped = opens;
        } else if skipped.is_empty() {
            out.push_str(&line.replace("${try(random_id.snapshot_identifier[0].hex, \"\")}", "last"));
        } else if bare == skipped {
            skipped = "";
        }
    }
    out
}
