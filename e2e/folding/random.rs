//! Random modules in which driven values decide: each copy plans what the original plans, with and without a state.
//!
//! More cases than CI tries, or one that failed again:
//! `TF_PHI_FOLDING_CASES=300 TF_PHI_FOLDING_SEED=7 cargo test --test e2e folding::random`, `TF_PHI_FOLDING_ONE=12 …`. What is generated:
//! conditions on the values in `count`, `for_each`, arguments and locals, with arms that are texts, numbers, lists,
//! maps, null, and parts of blocks without instances; nested calls; and every form of reference to such a block.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::compare;
use crate::support::Scratch;

const ENVS: [&str; 3] = ["p", "q", "r"];

const PHI: &str = r#"
specialize "terraform_data.pinned" {
  fields = ["input.v", "input.n"]
}
variable "env" {
  universe = ["p", "q", "r"]
}
"#;

const MAIN: &str = r#"
variable "env" {
  type = string
}
variable "flag" {
  type    = bool
  default = true
}
module "m" {
  source = "./m"
  v      = var.env == "p" ? "a" : var.env == "q" ? "b" : "c"
  n      = var.env == "p" ? 1 : 2
  flag   = var.flag
  word   = "w"
  words  = ["x", "y"]
  tags   = { k = "x", l = "y" }
  open   = ["o"]
}
output "all" {
  value = module.m
}
"#;

const HEAD: &str = r#"
variable "v" {
  type = string
}
variable "n" {
  type = number
}
variable "flag" {
  type = bool
}
variable "word" {
  type = string
}
variable "spare" {
  type    = string
  default = "s"
}
variable "size" {
  type    = number
  default = 7
}
variable "words" {
  type = list(string)
}
variable "tags" {
  type = map(string)
}
variable "open" {
  type = any
}
resource "terraform_data" "pinned" {
  input = { v = var.v, n = var.n }
}
"#;

const INNER: &str = r#"
variable "text" {
  type    = string
  default = "inner"
}
variable "list" {
  type    = list(string)
  default = []
}
resource "terraform_data" "inner" {
  input = { text = var.text, list = var.list }
}
output "text" {
  value = var.text
}
"#;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ty {
    Text,
    Number,
    List,
    Map,
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn of<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }
}

/// A block whose instances a condition decides.
struct Block {
    address: String,
    condition: String,
    each: bool,
    attribute: &'static str,
}

struct Made {
    random: Random,
    text: String,
    locals: Vec<(String, Ty)>,
    conditions: Vec<String>,
    blocks: Vec<Block>,
    outputs: usize,
}

impl Made {
    fn condition(&mut self) -> String {
        let kind = self.random.below(12 + self.conditions.len());
        if let Some(local) = kind.checked_sub(12).and_then(|i| self.conditions.get(i)) {
            return format!("local.{local}");
        }
        let (v, n) = (self.random.of(&["a", "b", "c"]), 1 + self.random.below(2));
        match kind {
            0..=3 => format!("var.v == \"{v}\""),
            4 => format!("var.v != \"{v}\""),
            5 => format!("var.n == {n}"),
            6 => format!("!(var.v == \"{v}\")"),
            7 => format!("contains([\"{v}\", \"z\"], var.v)"),
            8 => format!("var.flag && var.v == \"{v}\""),
            9 => format!("var.n > {n} || var.v == \"{v}\""),
            10 => format!("(var.n == {n})"),
            _ => format!("var.v == \"{v}\" && var.n == {n}"),
        }
    }

    fn simple(&mut self, ty: Ty) -> String {
        let known: Vec<String> =
            self.locals.iter().filter(|(_, t)| *t == ty).map(|(name, _)| format!("local.{name}")).collect();
        if !known.is_empty() && self.random.below(4) == 0 {
            return known[self.random.below(known.len())].clone();
        }
        let of: &[&str] = match ty {
            Ty::Text => {
                &["\"x\"", "var.word", "var.spare", "\"${var.word}-x\"", "\"${var.word}\"", "upper(var.word)"]
            }
            Ty::Number => &["1", "var.size", "var.size + 1", "length(var.words)", "0"],
            Ty::List => &[
                "[]",
                "[\"x\"]",
                "[var.word, \"y\"]",
                "var.words",
                "tolist([])",
                "[var.spare]",
                "[1, \"x\"]",
            ],
            Ty::Map => &["{}", "{ k = \"x\" }", "{ k = var.word, l = var.spare }", "var.tags", "{ k = 1 }"],
        };
        self.random.of(of).to_owned()
    }

    /// An expression of a type, perhaps null, with conditions on what is driven.
    fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return self.simple(ty);
        }
        let test = self.condition();
        let other = match self.random.below(8) {
            0 | 1 => "null".to_owned(),
            2 if ty == Ty::Text => self.simple(Ty::Number),
            // It fails where it is taken, and is of no type where it isn't.
            4 if ty == Ty::Text => "tostring(var.words[5])".to_owned(),
            4 if ty == Ty::Number => "tostring(var.tags[\"none\"])".to_owned(),
            4 if ty == Ty::List && self.random.below(2) == 0 => "tolist([var.words[5]])".to_owned(),
            3 if ty == Ty::List => "var.open".to_owned(),
            _ => self.expr(ty, depth - 1),
        };
        let own = self.expr(ty, depth - 1);
        if self.random.below(2) == 0 {
            format!("{test} ? {own} : {other}")
        } else {
            format!("{test} ? {other} : ({own})")
        }
    }

    fn local(&mut self) {
        let name = format!("l{}", self.locals.len() + self.conditions.len());
        if self.random.below(3) == 0 {
            let condition = self.condition();
            let _ = writeln!(self.text, "locals {{\n{name} = {condition}\n}}");
            self.conditions.push(name);
            return;
        }
        let ty = [Ty::Text, Ty::Number, Ty::List, Ty::Map][self.random.below(4)];
        let value = self.expr(ty, 2);
        let _ = writeln!(self.text, "locals {{\n{name} = {value}\n}}");
        // The type of what is null, or a list, is seen beside other values.
        let seen = match ty {
            Ty::Text => format!("[var.flag ? local.{name} : 5, local.{name} == \"1\"]"),
            Ty::Number => format!("[var.flag ? local.{name} : \"5\", local.{name} == 1]"),
            Ty::List => {
                format!("[local.{name} == tolist([\"x\"]), local.{name} == [\"x\"], local.{name} == []]")
            }
            Ty::Map => format!("[local.{name} == tomap({{ k = \"x\" }}), local.{name} == {{ k = \"x\" }}]"),
        };
        self.output(&format!("jsonencode([{seen}, local.{name}])"));
        self.locals.push((name, ty));
    }

    fn output(&mut self, value: &str) {
        self.outputs += 1;
        let _ = writeln!(self.text, "output \"o{}\" {{\nvalue = {value}\n}}", self.outputs);
    }

    fn block(&mut self) {
        let name = format!("b{}", self.blocks.len());
        let condition = self.condition();
        let each = self.random.below(3) == 0;
        let repeat = match (each, self.random.below(4)) {
            (false, 0) => format!("count = {condition} ? 0 : 1"),
            (false, 1) => format!("count = {condition} ? length(var.words) : 0"),
            (false, _) => format!("count = {condition} ? 1 : 0"),
            (true, 0) => format!("for_each = {condition} ? var.tags : {{}}"),
            (true, 1) => format!("for_each = toset({condition} ? var.words : [])"),
            (true, 2) => format!("for_each = {condition} ? toset([\"x\"]) : toset([])"),
            (true, _) => format!("for_each = {{ for k in var.words : k => k if {condition} }}"),
        };
        let condition = if repeat.ends_with("? 0 : 1") { format!("!({condition})") } else { condition };
        let (text, list) = (self.expr(Ty::Text, 2), self.expr(Ty::List, 2));
        let call = self.random.below(3) == 0;
        let (head, args) = match call {
            true => (
                format!("module \"{name}\""),
                format!("source = \"../inner\"\n{repeat}\ntext = {text}\nlist = {list}"),
            ),
            false => {
                let reference = self.reference();
                let args = format!("{repeat}\ninput = [{text}, {list}, {reference}]");
                (format!("resource \"terraform_data\" \"{name}\""), args)
            }
        };
        let keep = match self.random.below(8) {
            0 if !call => "\nlifecycle {\ncreate_before_destroy = true\n}",
            1 => "\ndepends_on = [terraform_data.pinned]",
            _ => "",
        };
        let _ = writeln!(self.text, "{head} {{\n{args}{keep}\n}}");
        let address = if call { format!("module.{name}") } else { format!("terraform_data.{name}") };
        self.blocks.push(Block { address, condition, each, attribute: if call { "text" } else { "input" } });
    }

    /// A reference to one of the blocks, that is none where the block has no instance.
    fn reference(&mut self) -> String {
        if self.blocks.is_empty() {
            return "null".to_owned();
        }
        let kind = self.random.below(10);
        let at = self.random.below(self.blocks.len());
        let Block { address, condition, each, attribute } = &self.blocks[at];
        let one =
            if *each { format!("{address}[\"x\"].{attribute}") } else { format!("{address}[0].{attribute}") };
        match (kind, each) {
            (0, false) => format!("one({address}[*].{attribute}) == null"),
            (1, false) => format!("{address}[*].{attribute}"),
            (2, false) => format!("element(concat({address}.*.{attribute}, [\"none\"]), 0)"),
            (0, true) => format!("[for k, b in {address} : {{ (k) = b.{attribute} }}]"),
            (1, true) => format!("values({address})[*].{attribute}"),
            (2, true) => format!("keys(merge({address}, {{}}))"),
            (3, _) => format!("length({address})"),
            (4, _) => format!("length({address}) > 0 ? \"some\" : \"none\""),
            (5, _) => format!("try({one}, \"none\")"),
            (6, _) => format!("try({one}, var.word, null)"),
            (7, _) => format!("jsonencode({condition} ? try({one}, null) : null)"),
            (8, false) => format!("jsonencode({condition} ? {one} : null)"),
            (8, true) => format!("can({one})"),
            (_, false) => format!("jsonencode(length({address}) == 0 ? \"none\" : {one})"),
            (_, true) => format!("{{ for k, b in {address} : k => b.{attribute} }}"),
        }
    }
}

fn module(seed: u64) -> String {
    let random = Random(seed);
    let (locals, conditions, blocks) = (Vec::new(), Vec::new(), Vec::new());
    let mut made = Made { random, text: HEAD.to_owned(), locals, conditions, blocks, outputs: 0 };
    for _ in 0..8 + made.random.below(8) {
        match made.random.below(5) {
            0 | 1 => made.local(),
            2 | 3 => made.block(),
            _ => {
                let value = if made.random.below(2) == 0 { made.reference() } else { made.expr(Ty::Text, 3) };
                made.output(&value);
            }
        }
    }
    let count = made.blocks.len();
    for _ in 0..count {
        let value = made.reference();
        made.output(&value);
    }
    made.text
}

fn tree(module: &str) -> Scratch {
    let scratch = Scratch::with(&[
        ("main.tf", MAIN),
        ("phi.hcl", PHI),
        ("m/main.tf", module),
        ("inner/main.tf", INNER),
    ]);
    scratch.terraform(&["fmt", "-recursive"]).expect(0);
    scratch.init();
    scratch
}

/// What came of a case.
#[derive(Default)]
struct Seen {
    compared: usize,
    gone: usize,
}

fn case(seed: u64) -> Seen {
    let module = module(seed);
    let mut seen = Seen::default();
    let (original, specialised) = (tree(&module), tree(&module));
    let first = ENVS[(seed % 3) as usize];
    let applied = original.terraform(&[
        "apply",
        "-auto-approve",
        "-input=false",
        "-no-color",
        &format!("-var=env={first}"),
    ]);
    if applied.code == 0 {
        let args = ["apply", "-auto-approve", "-input=false", "-no-color", &*format!("-var=env={first}")];
        let ran = specialised.tf_phi(&args);
        assert!(ran.code == 0, "case {seed}: {first}\n{}\n{module}", ran.stderr);
    }
    for env in ENVS {
        let args = [&*format!("-var=env={env}")];
        let probe = original.terraform(&["plan", "-input=false", "-no-color", "-out=own.plan", args[0]]);
        if probe.code != 0 {
            continue;
        }
        let ran = specialised.tf_phi(&["plan", "-input=false", "-no-color", "-out=phi.plan", args[0]]);
        assert!(ran.code == 0, "case {seed}: {env}\n{}\n{module}", ran.stderr);
        let plan = specialised.show(&specialised.dir().join("phi.plan"));
        let want = original.show(&original.dir().join("own.plan"));
        compare::same(&want, &plan, &specialised, &format!("case {seed}: {env}\n{module}"));
        seen.compared += 1;
    }
    if seen.compared > 0 {
        let fmt = specialised.terraform(&["fmt", "-check", "-recursive", "-diff"]);
        assert!(fmt.code == 0, "case {seed}: {}", fmt.stdout);
        seen.gone = unused(&specialised, &module, seed);
    }
    seen
}

/// Fails if a copy declares a variable or local that it doesn't use and that the module does use. Returns how many blocks went.
fn unused(scratch: &Scratch, module: &str, seed: u64) -> usize {
    let mut gone = 0;
    for (path, text) in scratch.sources() {
        let path = path.to_string_lossy().into_owned();
        if !path.starts_with("m-") {
            continue;
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        let names = declared(&text);
        for (kind, name) in &names {
            let used = |text: &str| {
                let full = format!("{kind}.{name}");
                text.match_indices(&full).any(|(at, _)| {
                    let next = text[at + full.len()..].chars().next();
                    !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
                })
            };
            assert!(used(&text) || !used(module), "case {seed}: {path}: {kind}.{name} is unused\n{text}");
        }
        let blocks = |text: &str| text.matches("\" \"b").count() + text.matches("module \"b").count();
        gone += blocks(module) - blocks(&text);
    }
    gone
}

/// The variables and locals that a text declares. Locals stand alone in their blocks.
fn declared(text: &str) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("variable \"") {
            out.push(("var", rest.split('"').next().unwrap().to_owned()));
        } else if line.starts_with("locals {") {
            let name = lines.next().unwrap().trim().split(' ').next().unwrap();
            out.push(("local", name.to_owned()));
        }
    }
    out
}

#[test]
fn random_modules_plan_what_the_original_plans() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(or);
    let (cases, seed) = (number("TF_PHI_FOLDING_CASES", 6), number("TF_PHI_FOLDING_SEED", 1));
    let one: Option<u64> = std::env::var("TF_PHI_FOLDING_ONE").ok().and_then(|n| n.parse().ok());
    let all: Vec<u64> =
        one.map_or_else(|| (0..cases).map(|i| seed * 1_000_000 + i).collect(), |one| vec![one]);
    let mut total: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in &all {
        let seen = case(*seed);
        *total.entry("compared").or_default() += seen.compared;
        *total.entry("gone").or_default() += seen.gone;
        *total.entry("usable").or_default() += usize::from(seen.compared > 0);
    }
    eprintln!("{} cases: {total:?}", all.len());
    if one.is_none() {
        assert!(total["usable"] * 2 > all.len() && total["gone"] > all.len(), "{total:?}");
    }
}
