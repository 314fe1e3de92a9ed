//! Objects over several lines, which the console's lines can't hold either: where does a value end, and what is a key?

use crate::evaluated::eval_text;
use crate::heredoc::{Rng, outputs};
use serde_json::Value as Json;
use tf_phi::syntax::on_big_stack;
use tf_phi::value::json;

const VALUES: &[&str] = &[
    "1",
    "-1",
    "\"a\"",
    "[1]",
    "[1, 2][0]",
    "[\n 1\n]",
    "length([1])",
    "-length([1,\n 2])",
    "{ a = [1] }",
    "{\n a = [1]\n -1 = 2\n}",
    "[for x in [1] : x]",
    "{ for x in [\"k\"] : x => [x] }",
    "[1] == [2]",
    "[[1]] == [1] ? [2] : [3]",
    "true ? [1] : [\n2\n]",
    "(1\n + 2)",
    "\"${[1][0]}\"",
    "!contains([1], 2)",
    "[{ a = 1 }, { a = 2 }][*].a",
    "[[1], [2]].0",
];

const KEYS: &[&str] = &[
    "b",
    "-1",
    "- 2",
    "!true",
    "!false == true",
    "-1 + 2",
    "-length([1])",
    "![true][0]",
    "(\"c\")",
    "(1\n+ 2)",
    "true ? \"d\" : \"e\"",
    "\"f\"",
    "\"${1}g\"",
    "null",
    "if",
    "in",
    "5",
    "1.5",
    "format(\"%s\", \"h\")",
    "[\"i\"][0]",
];

const ENDS: &[&str] = &[
    "\n",
    "\n\n",
    "\r\n",
    ",",
    ",\n",
    " ,\n\n",
    " # c\n",
    " // c\n # d\n",
    " /* c */\n",
    "\n/* c */ ",
    " , # c\n",
    "\t\n\t",
];

fn object(rng: &mut Rng) -> String {
    let mut out = String::from("{ a");
    for _ in 0..1 + rng.below(4) {
        out += rng.pick(&[" = ", "=", " : ", ": ", "= /* c */ "]);
        out += rng.pick(VALUES);
        out += rng.pick(ENDS);
        out += rng.pick(KEYS);
    }
    out + " = [0]\n}"
}

#[test]
fn objects_over_lines_agree() {
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    let texts: Vec<String> = (0..2000).map(|_| object(&mut rng)).collect();
    let mut differing = String::new();
    for (text, theirs) in texts.iter().zip(outputs::<Json>(&texts)) {
        let ours = on_big_stack(|| eval_text(text)).map(|v| json::to_json(&v).unwrap());
        if ours.as_ref().ok() != Some(&theirs) {
            differing += &format!("{text}\n  terraform: {theirs}\n  tf-phi:    {ours:?}\n");
        }
    }
    assert!(differing.is_empty(), "\n{differing}");
}
