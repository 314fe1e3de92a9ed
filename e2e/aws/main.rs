//! The real AWS provider: its own program, because it prints what it passes over. Where no provider can be installed
//! it says SKIPPED, and nothing counts as passed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    dead_code
)]

#[path = "../cells.rs"]
mod cells;
#[path = "../compare.rs"]
mod compare;
mod modules;
mod moto;
mod offer;
mod schema;
mod stories;
#[path = "../support.rs"]
mod support;
mod without_copies;

use support::sample::sampled;
use support::{Ran, Scratch};

const EXAMPLE: &str = "examples/aws-postgres";

fn main() {
    // `cargo test --test e2e_aws -- schema`, `-- vendor_app`, `-- without_copies`, `-- stories [NAME]`: these alone.
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "schema") {
        schema::all();
        println!("1 passed, 0 failed: what takes a schema");
        return;
    }
    if args.first().is_some_and(|a| a == "vendor_app") {
        vendor_app();
        println!("1 passed, 0 failed: examples/vendor-app");
        return;
    }
    if args.first().is_some_and(|a| a == "without_copies") {
        match moto::Moto::start() {
            Ok(moto) => {
                without_copies::to_none_and_back(&moto);
                println!("1 passed, 0 failed: from copies to none and back");
            }
            Err(why) => {
                println!("SKIPPED: from copies to none and back ({why})\n0 passed, 0 failed, 1 skipped")
            }
        }
        return;
    }
    if args.first().is_some_and(|a| a == "stories") {
        let (passed, skipped) = stories::all(args.get(1).map_or("", String::as_str));
        println!("{passed} passed, 0 failed, {skipped} skipped: stories");
        return;
    }
    let (original, specialised) = (Scratch::copy_of(EXAMPLE), Scratch::copy_of(EXAMPLE));
    let installed = [&original, &specialised].into_iter().try_for_each(|scratch| {
        offer::offer(scratch);
        let ran = scratch.terraform(&["init", "-input=false", "-no-color"]);
        if ran.code == 0 { Ok(()) } else { Err(ran) }
    });
    if let Err(Ran { stderr, .. }) = installed {
        let last = stderr.lines().find(|l| l.contains("Error")).unwrap_or_default();
        println!("SKIPPED: {EXAMPLE} with the real AWS provider, which can't be installed here ({last}); ");
        println!("SKIPPED: a folder with a mirror of it can be named with {}", offer::ENV);
        println!("0 passed, 0 failed, 1 skipped");
        return;
    }
    let files = [("dev.tfvars", "customer_env = \"dev\"\n"), ("prod.tfvars", "customer_env = \"prod\"\n")];
    let mut plans = Vec::new();
    for (file, text) in files {
        original.write(file, text);
        let env = file.trim_end_matches(".tfvars");
        let (plan, _) = specialised.phi_plan(&[&format!("-var=customer_env={env}")]);
        let planned = original.plan(&[&format!("-var-file={file}")]);
        compare::same(&planned, &plan, &specialised, env);
        plans.push((file, planned));
        let database = plan.resource_changes.iter().find(|c| c.kind == "aws_db_instance").unwrap();
        let want = if env == "prod" { "15.4" } else { "14.9" };
        assert_eq!(database.change.after["engine_version"], want);
    }
    assert!(cells::as_planned(&original, &plans) >= 14, "most arguments have a cell");
    vendor_app();
    schema::all();
    println!("3 passed, 0 failed: {EXAMPLE}, examples/vendor-app, what takes a schema");
    match moto::Moto::start() {
        Err(why) => {
            println!("SKIPPED: {EXAMPLE} applied to a loopback AWS API, which can't be had here ({why});");
            println!("SKIPPED: scripts/moto-get gets one, or {} names a moto_server", moto::ENV);
            println!("3 passed, 0 failed, 1 skipped");
        }
        Ok(moto) => {
            state(&moto);
            without_copies::to_none_and_back(&moto);
            println!(
                "5 passed, 0 failed, 0 skipped: {EXAMPLE}, its state at a loopback AWS API, and from copies to none and back"
            );
        }
    }
    let (passed, skipped) = stories::all("");
    println!("{passed} passed, 0 failed, {skipped} skipped: stories");
}

/// The origin of `examples/vendor-app` plans with the real provider, and without a form factor tf-phi leaves it as it is.
fn vendor_app() {
    let scratch = Scratch::copy_of("examples/vendor-app");
    assert!(offer::offer(&scratch));
    let keys = "  access_key                  = \"dummy\"\n  secret_key                  = \"dummy\"\n  \
                skip_credentials_validation = true\n  skip_metadata_api_check     = true\n  \
                skip_requesting_account_id  = true\n";
    scratch.write("keys_override.tf", &format!("provider \"aws\" {{\n{keys}}}\n"));
    scratch.init();
    let before = scratch.sources();
    for (env, version) in sampled([("dev", "17"), ("prod", "16")], 2, "vendor-app") {
        let args = [&*format!("-var-file=env/{env}.tfvars"), "-var=queue_password=not-a-real-one"];
        let original = scratch.plan(&args);
        let (plan, _) = scratch.phi_plan(&args);
        compare::same(&original, &plan, &scratch, env);
        let database = plan.resource_changes.iter().find(|c| c.kind == "aws_db_instance").unwrap();
        assert_eq!(database.change.after["engine_version"], version);
        assert_eq!(plan.resource_changes.len(), 26);
    }
    assert_eq!(scratch.sources(), before);
}

/// The original is applied; specialised, its state moves and nothing else happens; flipped, it is updated in place.
fn state(moto: &moto::Moto) {
    let scratch = Scratch::copy_of(EXAMPLE);
    offer::offer(&scratch);
    let endpoints: String =
        ["rds", "ssm", "sts", "ec2"].map(|s| format!("    {s} = \"{}\"\n", moto.url())).concat();
    scratch.write("moto_override.tf", &format!("provider \"aws\" {{\n  endpoints {{\n{endpoints}  }}\n}}\n"));
    scratch.init();
    scratch.apply(&["-var=customer_env=prod"]);
    let (plan, file) = scratch.phi_plan(&["-var=customer_env=prod"]);
    for change in &plan.resource_changes {
        assert_eq!(change.change.actions, ["no-op"], "{}: {:?}", change.address, change.change);
    }
    let moved = |c: &&tf_phi::terraform::plan_json::ResourceChange| c.previous_address.is_some();
    assert!(plan.resource_changes.iter().any(|c| moved(&c)));
    scratch.tf_phi(&["apply", "-input=false", "-no-color", file.to_str().unwrap()]).expect(0);
    let (plan, _) = scratch.phi_plan(&["-var=customer_env=dev"]);
    compare::nothing_is_destroyed(
        &tf_phi::terraform::plan_json::Plan {
            // The parameter is named after the environment: the original replaces it as well.
            resource_changes: plan
                .resource_changes
                .iter()
                .filter(|c| c.kind == "aws_db_instance")
                .cloned()
                .collect(),
            ..plan.clone()
        },
        "flipped",
    );
    let database = plan.resource_changes.iter().find(|c| c.kind == "aws_db_instance").unwrap();
    assert_eq!(database.change.actions, ["update"]);
    assert_eq!(database.change.after["engine_version"], "14.9");
}
