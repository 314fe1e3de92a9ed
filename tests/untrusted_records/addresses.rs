//! Texts of records in the places of addresses: what is written of them is read by Terraform.

use super::cli_common::Scratch;

const MAIN: &str = "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n";

/// Texts that end an address and begin something else, or that are none in another way.
const STRANGE: &[&str] = &[
    "terraform_data.zz\n  to = terraform_data.z\n}\nresource \"terraform_data\" \"evil\" {\n}\nmoved {\n  from = terraform_data.z",
    "terraform_data.zz }",
    "terraform_data.zz # note",
    "terraform_data.zz\u{2028}x",
    "terraform_data.\u{202e}zz",
    "module.a[\"${file(\"x\")}\"]",
    "module.a[0]",
    "module.a.",
    "terraform_data",
    "a b.c",
    "",
];

fn lines(text: &str) -> Vec<(&'static str, String)> {
    let text = serde_json::to_string(text).unwrap();
    let instance = "{\"address\":\"terraform_data.b\",\"original\":\"terraform_data.a\",\"keys\":\"own\",\"applied\":TEXT}";
    let made = "{\"address\":TEXT,\"made_for\":\"terraform_data.a\",\"service\":\"s\",\"form_factor\":\"f\"}";
    let unit = "{\"format_version\":\"1.2\",\"units\":[{\"original\":\"terraform_data.a\",\"addresses\":[TEXT],\"former_addresses\":[]}]}";
    let provenance = "{\"format_version\":\"1.2\",\"naming\":2,\"specializations\":[],\"units\":[{\"original\":\"terraform_data.a\",\"addresses\":[],\"former_addresses\":[TEXT]}],\"files\":[]}";
    let service = "{\"format_version\":\"1.2\",\"naming\":2,\"specializations\":[],\"units\":[],\"services\":[{\"form_factor\":\"f\",\"service\":\"s\",\"resource\":TEXT}],\"files\":[]}";
    [
        (".phi/history.jsonl", "{\"address\":TEXT,\"original\":\"terraform_data.a\",\"keys\":\"own\"}"),
        (".phi/history.jsonl", "{\"address\":\"terraform_data.b\",\"original\":TEXT,\"keys\":\"own\"}"),
        (".phi/history.jsonl", instance),
        (".phi/history.jsonl", made),
        (".phi/history.jsonl", "{\"within\":TEXT}"),
        (".phi/addresses.json", unit),
        (".phi/provenance.json", provenance),
        (".phi/provenance.json", service),
    ]
    .map(|(file, line)| (file, line.replace("TEXT", &text)))
    .into()
}

/// No command writes what such a record holds, and none passes over it.
#[test]
fn are_refused_wherever_they_stand() {
    for strange in STRANGE {
        for (file, text) in lines(strange) {
            // An instance has keys.
            let is_instance = text.contains("\"applied\":") || text.contains("\"within\":");
            if is_instance && *strange == "module.a[0]" {
                continue;
            }
            let scratch = Scratch::new([("main.tf", MAIN), (file, &*text)]);
            let before = scratch.snapshot();
            for command in ["check", "plan", "restore", "validate", "leave"] {
                let done = scratch.run(&command.split(' ').collect::<Vec<_>>());
                assert_eq!(done.code, Some(1), "{command} {text}\n{}{}", done.out, done.err);
                assert!(done.err.contains("is no address"), "{command} {text}\n{}", done.err);
            }
            assert_eq!(scratch.snapshot(), before, "{text}");
        }
    }
}
