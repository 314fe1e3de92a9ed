//! Heredocs, which the console's lines can't hold: random ones in one file, and their values as Terraform outputs them.

use crate::evaluated::eval_text;
use crate::support::terraform;
use serde::de::DeserializeOwned;
use std::process::Command;
use tf_phi::syntax::on_big_stack;

/// What a line may hold, after its indentation.
const CONTENTS: &[&str] = &[
    "",
    "plain text",
    "  ",
    "\t",
    "é日本 👍",
    "${1 + 1} and ${\"x\"}",
    "${\"\\n  two\\n  lines\"}",
    "${~ \"stripped\" ~}",
    "before ${~ 1 } after",
    "before ${ 1 ~} after",
    "$${escaped} %%{escaped}",
    "a \\n stays \\t \\\" \"quoted\" \\\\",
    "$ % $$ %% { } ~",
    "${<<X\n  inner\n X\n}",
    "${<<-X\n  inner\n    more\n X\n} tail",
    "EO",
    "EOT2",
    "# no comment",
    "// nor this /* nor this */",
    "trailing   ",
    "%{ if true }yes%{ else }no%{ endif }",
    "%{ for i, x in [\"a\", \"b\"] }${i}=${x} %{ endfor }",
];

/// Directives on lines of their own, around others.
const AROUND: &[(&str, &str)] = &[
    ("%{ if true }", "%{ endif }"),
    ("%{ if true ~}", "%{ endif ~}"),
    ("%{~ if true }", "%{~ endif }"),
    ("%{~ if false ~}", "%{~ endif ~}"),
    ("%{ for x in [1, 2] }", "%{ endfor }"),
    ("%{ for x in [1, 2] ~}", "%{ endfor ~}"),
    ("%{ for x in [] ~}", "%{ endfor }"),
    ("%{ if false ~}\nno\n%{ else ~}", "%{ endif ~}"),
];

pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Lines with their indentation.
fn lines(rng: &mut Rng, depth: usize, out: &mut String) {
    for _ in 0..rng.below(4) {
        let indent = |rng: &mut Rng| rng.pick(&["", "  ", "    ", "      ", "\t", " \t", "   "]);
        if depth < 2 && rng.below(4) == 0 {
            let (open, close) = rng.pick(AROUND);
            *out += &format!("{}{open}\n", indent(rng));
            lines(rng, depth + 1, out);
            *out += &format!("{}{close}\n", indent(rng));
        } else {
            *out += &format!("{}{}\n", indent(rng), rng.pick(CONTENTS));
        }
    }
}

fn heredoc(rng: &mut Rng) -> String {
    let mut body = String::new();
    lines(rng, 0, &mut body);
    let flush = rng.pick(&["<<", "<<-", "<<-"]);
    format!("{flush}EOT\n{body}{}EOT\n", rng.pick(&["", "  ", "\t"]))
}

/// What Terraform makes of expressions that may go over several lines.
pub fn outputs<T: DeserializeOwned>(all: &[String]) -> Vec<T> {
    let folder = tempfile::tempdir().unwrap();
    let main = format!("output \"all\" {{\n  value = jsonencode([\n{}\n  ])\n}}\n", all.join(",\n"));
    std::fs::write(folder.path().join("main.tf"), main).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(terraform());
        command.args(args).current_dir(folder.path());
        command.env("TF_CLI_CONFIG_FILE", "").env("CHECKPOINT_DISABLE", "1").env_remove("TF_DATA_DIR");
        let done = command.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    run(&["apply", "-auto-approve", "-no-color"]);
    serde_json::from_str(&run(&["output", "-raw", "all"])).unwrap()
}

#[test]
fn heredocs_agree() {
    let mut rng = Rng(0x2545_f491_4f6c_dd1d);
    let mut texts: Vec<String> = (0..1500).map(|_| heredoc(&mut rng)).collect();
    for i in (0..texts.len()).step_by(7) {
        texts[i] = texts[i].replace('\n', "\r\n");
    }
    let all: Vec<String> = texts.iter().map(|t| format!("[{t}]")).collect();
    let theirs: Vec<(String,)> = outputs(&all);
    assert_eq!(theirs.len(), texts.len());
    let mut differing = String::new();
    for (text, (theirs,)) in texts.iter().zip(theirs) {
        let ours = on_big_stack(|| eval_text(&format!("[\n{text}]\n")));
        let ours = ours.map(|v| v.as_seq().and_then(|s| s[0].as_str().map(str::to_owned)));
        if ours.as_ref().ok().and_then(Option::as_deref) != Some(&theirs) {
            differing += &format!("{text}\n  terraform: {theirs:?}\n  tf-phi:    {ours:?}\n");
        }
    }
    assert!(differing.is_empty(), "\n{differing}");
}
