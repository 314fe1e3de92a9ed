//! `base64gzip`, byte for byte: texts of many sizes, from random ones to repetitive ones.

use crate::evaluated::eval_text;
use crate::support::terraform;
use std::process::Command;
use tf_phi::syntax::on_big_stack;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A text of about that size, of one of several kinds.
fn text(random: &mut Random, size: usize, kind: usize) -> String {
    let letters: Vec<char> = match kind % 6 {
        0 => ('a'..='c').collect(),
        1 => ('\u{20}'..='\u{7e}').collect(),
        2 => "aé漢😀\n".chars().collect(),
        3 => vec!['x'],
        _ => ('a'..='z').chain(" \n".chars()).collect(),
    };
    let mut out = String::new();
    while out.len() < size {
        // Some kinds repeat what came before, near by or far away.
        if kind % 6 >= 4 && !out.is_empty() && random.below(3) == 0 {
            let far = if kind % 6 == 4 { 200 } else { 60_000 };
            let back = 1 + random.below(out.len().min(far));
            let start = out.len() - back;
            let end = (start + 3 + random.below(300)).min(out.len());
            let again = out[start..end].to_owned();
            out.push_str(&again);
        } else {
            out.push(letters[random.below(letters.len())]);
        }
    }
    out
}

#[test]
fn compressed_as_terraform_does() {
    let mut random = Random(7);
    let mut texts: Vec<String> = Vec::new();
    for size in
        (0..60).chain([100, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 300, 500, 1000, 2000, 5000])
    {
        texts.extend((0..6).map(|kind| text(&mut random, size, kind)));
    }
    for size in [
        16_384, 20_000, 32_767, 32_768, 33_000, 65_273, 65_274, 65_535, 65_536, 65_537, 66_000, 98_304,
        100_000,
    ] {
        texts.extend((0..6).map(|kind| text(&mut random, size, kind)));
    }
    for _ in 0..60 {
        let (size, kind) = (random.below(100_000), random.below(6));
        texts.push(text(&mut random, size, kind));
    }
    texts.extend((0..3).map(|kind| text(&mut random, 400_000, [1, 4, 5][kind])));
    texts.push(include_str!("../../docs/architecture.md").repeat(6));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("texts.json"), serde_json::to_string(&texts).unwrap()).unwrap();
    let main = "output \"all\" {\n  value = jsonencode([for t in jsondecode(file(\"texts.json\")) : base64gzip(t)])\n}\n";
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
    let theirs: Vec<String> = serde_json::from_str(&run(&["output", "-raw", "all"])).unwrap();
    let mut differing = Vec::new();
    on_big_stack(|| {
        for (i, (text, theirs)) in texts.iter().zip(&theirs).enumerate() {
            let literal = serde_json::to_string(text).unwrap().replace("${", "$${").replace("%{", "%%{");
            let ours = eval_text(&format!("base64gzip({literal})")).unwrap();
            if ours.as_str() != Some(theirs.as_str()) {
                differing.push((i, text.len(), text.chars().take(20).collect::<String>()));
            }
        }
    });
    assert!(differing.is_empty(), "{} of {}: {differing:?}", differing.len(), texts.len());
}
