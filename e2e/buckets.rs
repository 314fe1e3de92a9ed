//! Buckets of S3 in SeaweedFS and Ceph, planned and applied by the real Terraform against a provider that makes nothing.

use crate::manifests::{all_values, faults, manifest, scratch, values};
use crate::provider::Provider;
use crate::support::Scratch;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

const FIELDS: &str = include_str!("provider/buckets.tsv");

const PHI: &str = r#"
settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "air-gapped"
  mirror       = "registry.example"
  services     = ["seaweedfs"]

  inputs "seaweedfs" {
    namespace     = "storage"
    storage       = 500
    storage_class = "fast"
  }
}
"#;

const ROOK: &str = r#"
settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  environment = "kubernetes"
  posture     = "restricted"
  services    = ["rook"]

  inputs "rook" {
    storage_class = "rook-ceph-bucket"
    max_size      = "100G"
  }
}
"#;

/// A bucket as people write it, with all that belongs to it.
fn bucket(name: &str, status: &str, more: &str) -> String {
    format!(
        r#"
resource "aws_s3_bucket" "{name}" {{
  bucket = "{name}"
  tags   = {{ team = "web" }}
  {more}
}}
resource "aws_s3_bucket_versioning" "{name}" {{
  bucket = aws_s3_bucket.{name}.id
  versioning_configuration {{
    status = "{status}"
  }}
}}
resource "aws_s3_bucket_lifecycle_configuration" "{name}" {{
  bucket = aws_s3_bucket.{name}.bucket
  rule {{
    id     = "old"
    status = "Enabled"
    filter {{
      prefix = "logs/"
    }}
    expiration {{
      days = 90
    }}
    noncurrent_version_expiration {{
      noncurrent_days = 30
    }}
  }}
  rule {{
    id     = "cold"
    status = "Enabled"
    filter {{}}
    transition {{
      days          = 30
      storage_class = "GLACIER"
    }}
  }}
  rule {{
    id     = "parts"
    status = "Disabled"
    abort_incomplete_multipart_upload {{
      days_after_initiation = 7
    }}
  }}
  depends_on = [aws_s3_bucket_versioning.{name}]
}}
resource "aws_s3_bucket_public_access_block" "{name}" {{
  bucket              = aws_s3_bucket.{name}.id
  block_public_policy = true
}}
resource "aws_s3_bucket_ownership_controls" "{name}" {{
  bucket = aws_s3_bucket.{name}.id
  rule {{
    object_ownership = "BucketOwnerEnforced"
  }}
}}
resource "aws_s3_bucket_server_side_encryption_configuration" "{name}" {{
  bucket = aws_s3_bucket.{name}.id
  rule {{
    apply_server_side_encryption_by_default {{
      sse_algorithm = "AES256"
    }}
  }}
}}
data "aws_iam_policy_document" "{name}" {{
  statement {{
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.{name}.arn]
  }}
}}
resource "aws_s3_bucket_policy" "{name}" {{
  bucket     = aws_s3_bucket.{name}.id
  policy     = data.aws_iam_policy_document.{name}.json
  depends_on = [aws_s3_bucket_public_access_block.{name}]
}}
output "{name}" {{
  value = [aws_s3_bucket.{name}.id, aws_s3_bucket.{name}.arn]
}}
"#
    )
}

fn sound(values: &BTreeMap<String, Json>) -> usize {
    let all: Vec<&Json> = values.values().flat_map(|v| v["manifests"].as_array().unwrap()).collect();
    all.iter().for_each(|m| assert_eq!(faults(m, FIELDS), [] as [String; 0], "{m:#}"));
    all.len()
}

#[test]
fn every_form_of_a_bucket_is_planned_in_seaweedfs() {
    let provider = Provider::start();
    let main = [
        bucket("kept", "Enabled", ""),
        bucket("gone", "Suspended", "force_destroy = true"),
        bucket("plain", "Disabled", ""),
        bucket("locked", "Enabled", "object_lock_enabled = true"),
    ];
    let scratch = scratch(&provider, &[("main.tf", &main.concat()), ("phi.hcl", PHI)]);
    let mut all = all_values(&scratch, &[]);
    let operator = all.remove("module.seaweedfs_operator.helm_release.operator").unwrap();
    assert_eq!(faults(&operator, FIELDS), [] as [String; 0]);
    assert_eq!(operator["image"]["registry"], "registry.example/chrislusf");
    assert_eq!(sound(&all), 1 + 4 * 4);
    let cluster = &manifest(&all, "Seaweed", "seaweedfs")["spec"];
    assert_eq!(cluster["image"], "registry.example/chrislusf/seaweedfs:4.44");
    assert_eq!(cluster["volume"]["requests"]["storage"], "500Gi");
    let of = |name: &str| manifest(&all, "Bucket", name)["spec"].clone();
    let said =
        |name: &str| ["versioning", "reclaimPolicy", "objectLock"].map(|field| of(name)[field].clone());
    assert_eq!(said("kept"), [json!("Enabled"), json!("Retain"), json!(false)]);
    assert_eq!(said("gone"), [json!("Suspended"), json!("Delete"), json!(false)]);
    assert_eq!(said("plain"), [json!("Off"), json!("Retain"), json!(false)]);
    assert_eq!(said("locked"), [json!("Enabled"), json!("Retain"), json!(true)]);
    let rules = manifest(&all, "BucketLifecyclePolicy", "kept")["spec"]["rules"].clone();
    assert_eq!(
        rules,
        json!([
            { "id": "old", "status": "Enabled", "prefix": "logs/", "expiration": { "days": 90 },
              "noncurrentVersionExpiration": { "noncurrentDays": 30 } },
            { "id": "parts", "status": "Disabled", "prefix": "",
              "abortIncompleteMultipartUpload": { "daysAfterInitiation": 7 } },
        ])
    );
    let (plan, _) = scratch.phi_plan(&[]);
    assert_eq!(plan.output_changes["kept"].after, json!(["kept", "arn:aws:s3:::kept"]));
    // The proof can fail.
    let mut broken = manifest(&all, "Bucket", "kept");
    broken["spec"]["versioning"] = "Disabled".into();
    broken["spec"]["acl"] = "private".into();
    assert_eq!(faults(&broken, FIELDS).len(), 2);
}

#[test]
fn buckets_by_key_keep_their_satellites() {
    let provider = Provider::start();
    let main = r#"
locals {
  buckets = { a = "Enabled", b = "Suspended" }
}
resource "aws_s3_bucket" "all" {
  for_each = local.buckets
  bucket   = "bucket-${each.key}"
}
resource "aws_s3_bucket_versioning" "all" {
  for_each = local.buckets
  bucket   = aws_s3_bucket.all[each.key].id
  versioning_configuration {
    status = each.value
  }
}
output "names" {
  value = [aws_s3_bucket.all["a"].id, values(aws_s3_bucket.all)[*].id]
}
"#;
    let scratch = scratch(&provider, &[("main.tf", main), ("phi.hcl", PHI)]);
    let all = values(&scratch, &[]);
    sound(&all);
    let of = |name: &str| manifest(&all, "Bucket", name)["spec"]["versioning"].clone();
    assert_eq!((of("bucket-a"), of("bucket-b")), (json!("Enabled"), json!("Suspended")));
    let (plan, _) = scratch.phi_plan(&[]);
    assert_eq!(plan.output_changes["names"].after, json!(["bucket-a", ["bucket-a", "bucket-b"]]));
}

#[test]
fn buckets_take_one_apply_in_seaweedfs() {
    let provider = Provider::start();
    let child = bucket("assets", "Enabled", "");
    let main = "module \"web\" {\n  source = \"./web\"\n}\n";
    let scratch = scratch(&provider, &[("main.tf", main), ("web/main.tf", &child), ("phi.hcl", PHI)]);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color"]).expect(0);
    assert_eq!(provider.made(), ["seaweedfs-operator", "seaweedfs", "assets"]);
    let before = scratch.sources();
    scratch.tf_phi(&["plan", "-input=false", "-no-color", "-detailed-exitcode"]).expect(0);
    assert_eq!(scratch.sources(), before, "a second run changed something");
}

#[test]
fn every_form_of_a_bucket_is_planned_in_ceph() {
    let provider = Provider::start();
    let main =
        [bucket("plain", "Disabled", "force_destroy = true"), bucket("once", "Suspended", "")].concat();
    let scratch = scratch(&provider, &[("main.tf", &main), ("phi.hcl", ROOK)]);
    let all = values(&scratch, &[]);
    assert_eq!(sound(&all), 2);
    let claim = manifest(&all, "ObjectBucketClaim", "plain")["spec"].clone();
    assert_eq!(
        (&claim["bucketName"], &claim["storageClassName"]),
        (&json!("plain"), &json!("rook-ceph-bucket"))
    );
    assert_eq!(claim["additionalConfig"]["maxSize"], "100G");
    let rules: Json =
        serde_json::from_str(claim["additionalConfig"]["bucketLifecycle"].as_str().unwrap()).unwrap();
    let ids: Vec<&Json> = rules["Rules"].as_array().unwrap().iter().map(|r| &r["ID"]).collect();
    assert_eq!(ids, ["old", "parts"]);
    assert_eq!(rules["Rules"][0]["Expiration"]["Days"], 90);
}

#[test]
fn what_buckets_can_not_do_stops_the_plan() {
    let main = bucket("app", "Enabled", "");
    let refused = [
        (
            main.replace("prefix = \"logs/\"", "tag {\n key = \"a\"\n value = \"b\"\n}"),
            PHI,
            "more objects would go",
        ),
        (main.replace("days = 90", "date = \"2030-01-01T00:00:00Z\""), PHI, "Say days"),
        (bucket("app", "Enabled", "website {\n index_document = \"x\"\n}"), PHI, "no web server"),
        (bucket("app", "Disabled", "object_lock_enabled = true"), ROOK, "no bucket with locks"),
        (
            format!(
                "{main}\nresource \"aws_s3_bucket_notification\" \"n\" {{\n  bucket = aws_s3_bucket.app.id\n}}\n"
            ),
            PHI,
            "aws_s3_bucket_notification",
        ),
    ];
    for (own, phi, said) in refused {
        let scratch = Scratch::with(&[("main.tf", &own), ("phi.hcl", phi)]);
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let provider = Provider::start();
    for (own, phi, said) in [
        (main.clone(), ROOK, "no bucket with versions"),
        (main.replace("bucket = \"app\"", "bucket = \"App_1\""), PHI, "lower-case letters"),
    ] {
        let scratch = scratch(&provider, &[("main.tf", &own), ("phi.hcl", phi)]);
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        let text = ran.stderr.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{}", ran.stderr);
    }
}
