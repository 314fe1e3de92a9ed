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

#[path = "../compare.rs"]
mod compare;
mod offer;
#[path = "../support.rs"]
mod support;

use support::{Ran, Scratch};

const EXAMPLE: &str = "examples/aws-postgres";

fn main() {
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
    for env in ["prod", "dev"] {
        let arg = format!("-var=customer_env={env}");
        let (plan, _) = specialised.phi_plan(&[&arg]);
        compare::same(&original.plan(&[&arg]), &plan, &specialised, env);
        let database = plan.resource_changes.iter().find(|c| c.kind == "aws_db_instance").unwrap();
        let want = if env == "prod" { "15.4" } else { "14.9" };
        assert_eq!(database.change.after["engine_version"], want);
    }
    println!("1 passed, 0 failed, 0 skipped: {EXAMPLE} with the real AWS provider");
}
