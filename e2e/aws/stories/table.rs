//! The stories, one entry each.

use super::Story;
use super::modules::Origin;

const PROTECTED: &str = "variable \"protect\" {\n  type    = bool\n  default = false\n}\n\n";

fn as_it_is(_: &str) -> Vec<(&'static str, &'static str, String)> {
    Vec::new()
}

const STAGES: &[&str] = &["-var=stage=live", "-var=stage=test"];

/// `random_id` would want a second provider.
const NO_RANDOM: super::Edit = ("modules/rds/modules/db_instance/main.tf", RANDOM, "");
const RANDOM: &str = "resource \"random_id\" \"snapshot_identifier\" {
  count = var.create && !var.skip_final_snapshot ? 1 : 0

  keepers = {
    id                  = var.identifier
    snapshot_identifier = var.snapshot_identifier
  }

  byte_length = 4
}

";
const RANDOM_USE: super::Edit =
    ("modules/rds/modules/db_instance/main.tf", "${try(random_id.snapshot_identifier[0].hex, \"\")}", "last");
const RANDOM_REQUIRED: super::Edit = (
    "modules/rds/modules/db_instance/versions.tf",
    "\n    random = {\n      source  = \"hashicorp/random\"\n      version = \">= 3.1\"\n    }\n",
    "",
);

fn no_random(_: &str) -> Vec<(&'static str, &'static str, String)> {
    [NO_RANDOM, RANDOM_USE, RANDOM_REQUIRED].map(|(f, from, to)| (f, from, to.to_owned())).to_vec()
}

const VPC: &str = "modules/vpc/main.tf";
const VPC_TAGS: &str = "    var.vpc_tags,\n  )\n";
const BUCKET: &str = "modules/s3-bucket/main.tf";
const BUCKET_TAGS: &str =
    "  object_lock_enabled = var.object_lock_enabled\n  tags                = var.tags\n";

/// The variable alone: `prevent_destroy` changes no plan that destroys nothing, and Terraform takes no variable for it.
fn unprotected_network(_: &str) -> Vec<(&'static str, &'static str, String)> {
    vec![("modules/vpc/variables.tf", "", PROTECTED.to_owned())]
}

fn unprotected_bucket(_: &str) -> Vec<(&'static str, &'static str, String)> {
    vec![("modules/s3-bucket/variables.tf", "", PROTECTED.to_owned())]
}

const SERVICE: &str = "modules/ecs/modules/service/main.tf";
const IGNORED: &str = "    ignore_changes = [
      desired_count, # Always ignored
    ]
";
const KEPT: &str = "variable \"keep_strategy\" {\n  type    = bool\n  default = false\n}\n\n";

fn ignored(environment: &str) -> Vec<(&'static str, &'static str, String)> {
    let live = "    ignore_changes = [desired_count, capacity_provider_strategy]\n";
    let list = if environment.contains("live") { live } else { IGNORED };
    vec![
        (SERVICE, IGNORED, list.to_owned()),
        ("modules/ecs/modules/service/variables.tf", "", KEPT.to_owned()),
    ]
}

fn chosen_source(environment: &str) -> Vec<(&'static str, &'static str, String)> {
    let folder = if environment.contains("live") { "cluster" } else { "single" };
    let choice = "var.stage == \"live\" ? \"./modules/cluster\" : \"./modules/single\"";
    vec![("main.tf", choice, format!("\"./modules/{folder}\""))]
}

fn chosen_provider(environment: &str) -> Vec<(&'static str, &'static str, String)> {
    let alias = if environment.contains("america") { "aws.west" } else { "aws.central" };
    vec![("main.tf", "var.continent == \"america\" ? aws.west : aws.central", alias.to_owned())]
}

const RDS: &[Origin] = &[Origin::Release("rds", "v6.12.0")];
const VPCS: &[Origin] = &[Origin::Release("vpc", "v5.21.0")];
const PROTECT_VPC: &[super::Edit] = &[
    ("modules/vpc/variables.tf", "", PROTECTED),
    (VPC, VPC_TAGS, "    var.vpc_tags,\n  )\n\n  lifecycle {\n    prevent_destroy = var.protect\n  }\n"),
];

/// All of them.
pub const STORIES: &[Story] = &[
    Story {
        name: "rds",
        roots: &["rds"],
        modules: RDS,
        edits: &[NO_RANDOM, RANDOM_USE, RANDOM_REQUIRED],
        plain: no_random,
        environments: &["-var=stage=test", "-var=stage=preview", "-var=stage=live"],
        most: 480,
    },
    Story {
        name: "vpc",
        roots: &["vpc"],
        modules: VPCS,
        edits: PROTECT_VPC,
        plain: unprotected_network,
        environments: STAGES,
        most: 2300,
    },
    Story {
        name: "rds at the resource",
        roots: &["rds", "rds-at-resource"],
        modules: RDS,
        edits: &[NO_RANDOM, RANDOM_USE, RANDOM_REQUIRED],
        plain: no_random,
        environments: &["-var=stage=test", "-var=stage=live"],
        most: 700,
    },
    Story {
        name: "vpc in place",
        roots: &["vpc", "vpc-in-place"],
        modules: VPCS,
        edits: PROTECT_VPC,
        plain: unprotected_network,
        environments: STAGES,
        most: 60,
    },
    Story {
        name: "s3",
        roots: &["s3"],
        modules: &[Origin::Release("s3-bucket", "v4.11.0")],
        edits: &[
            ("modules/s3-bucket/variables.tf", "", PROTECTED),
            (
                BUCKET,
                BUCKET_TAGS,
                "  object_lock_enabled = var.object_lock_enabled\n  tags                = var.tags\n\n  lifecycle {\n    \
                 prevent_destroy = var.protect\n  }\n",
            ),
        ],
        plain: unprotected_bucket,
        environments: STAGES,
        most: 1450,
    },
    Story {
        name: "asg",
        roots: &["asg"],
        modules: &[Origin::Release("autoscaling", "v8.3.1")],
        edits: &[],
        plain: as_it_is,
        environments: &["-var=stage=live -var=machine=c6i.xlarge", "-var=stage=test -var=machine=t3.large"],
        most: 1300,
    },
    Story {
        name: "ec2",
        roots: &["ec2"],
        modules: &[Origin::Release("ec2-instance", "v5.8.0")],
        edits: &[],
        plain: as_it_is,
        environments: &["workspace default", "workspace live"],
        most: 750,
    },
    Story {
        name: "ecs",
        roots: &["ecs"],
        modules: &[Origin::Release("ecs", "v5.12.1")],
        edits: &[
            ("modules/ecs/modules/service/variables.tf", "", KEPT),
            (
                SERVICE,
                IGNORED,
                "    ignore_changes = var.keep_strategy ? [desired_count, capacity_provider_strategy] : [desired_count]\n",
            ),
        ],
        plain: ignored,
        environments: STAGES,
        most: 1750,
    },
    Story {
        name: "lambda",
        roots: &["lambda"],
        modules: &[],
        edits: &[],
        plain: as_it_is,
        environments: STAGES,
        most: 90,
    },
    Story {
        name: "source",
        roots: &["source"],
        modules: &[],
        edits: &[],
        plain: chosen_source,
        environments: STAGES,
        most: 15,
    },
    Story {
        name: "alias",
        roots: &["alias"],
        modules: &[],
        edits: &[],
        plain: chosen_provider,
        environments: &["-var=continent=europe", "-var=continent=america"],
        most: 20,
    },
    Story {
        name: "efs",
        roots: &["efs"],
        modules: &[Origin::Package("network"), Origin::Package("efs")],
        edits: &[],
        plain: as_it_is,
        environments: STAGES,
        most: 65,
    },
];
