//! Categories and scripts in patterns, character by character.

use crate::evaluated::eval_text;
use crate::support::terraform;
use std::process::Command;
use tf_phi::func::PATTERN_PROPERTIES;
use tf_phi::func::unicode::is_assigned;
use tf_phi::syntax::on_big_stack;
use tf_phi::value::normalise;

#[test]
fn properties_hold_the_same_characters() {
    let all = (0x20..=0x10_ffff).filter_map(char::from_u32).filter(|c| is_assigned(*c));
    // In one text, characters must not be drawn together by normalisation.
    // Of the long runs of one kind, an end is enough.
    let runs = |c: u32| matches!(c, 0x3500..=0x9eff | 0xac00..=0xd700 | 0xe100..=0xf800 | 0x1_7100..=0x1_8600 | 0x2_0100..=0x10_ffff);
    let text: Vec<String> = all
        .map(|c| c.to_string())
        .filter(|c| !c.chars().any(|c| runs(u32::from(c))) && *normalise(c) == **c)
        .map(|c| format!("{c}\n"))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("all.txt"), text.concat()).unwrap();
    let names = serde_json::to_string(PATTERN_PROPERTIES).unwrap();
    let matched =
        |pattern: &str| format!("[for n in {names} : sha256(join(\"\\n\", regexall({pattern}, TEXT)))]");
    let patterns = [r#""(?m)^\\p{${n}}$""#, r#""(?m)^\\P{^${n}}$""#];
    let lists = patterns.map(matched).join(", ");
    let main = format!(
        "output \"all\" {{\n  value = jsonencode([{}])\n}}\n",
        lists.replace("TEXT", "file(\"all.txt\")")
    );
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
    let theirs: Vec<Vec<String>> = serde_json::from_str(&run(&["output", "-raw", "all"])).unwrap();
    let literal = serde_json::to_string(&text.concat()).unwrap().replace("${", "$${").replace("%{", "%%{");
    let mut differing = Vec::new();
    for (pattern, theirs) in patterns.iter().zip(theirs) {
        for (name, theirs) in PATTERN_PROPERTIES.iter().zip(theirs) {
            let pattern = pattern.replace("${n}", name);
            let call = format!("sha256(join(\"\\n\", regexall({pattern}, {literal})))");
            let ours = on_big_stack(|| eval_text(&call)).unwrap();
            if ours.as_str() != Some(&theirs) {
                differing.push(pattern);
            }
        }
    }
    assert!(differing.is_empty(), "{differing:?}");
}
