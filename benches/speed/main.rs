//! What tf-phi costs, side by side in one run; `scripts/bench` runs it. Nothing here passes or fails: machines differ,
//! so each figure stands beside what it is to be compared with.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    dead_code
)]

mod adversarial;
mod analysis;
mod clock;
mod environments;
mod limits;
#[path = "../../e2e/aws/offer.rs"]
mod offer;
mod plans;
mod scale;
mod stacks;
#[path = "../../e2e/support.rs"]
mod support;
mod tree;

/// The program's allocator, so that hcl-edit has the same one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // `cargo bench` hands over `--bench`; any other word names the parts to run.
    let words: Vec<String> = std::env::args().skip(1).filter(|w| !w.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|w| w == name);
    if wanted("own") {
        plans::own_time();
    }
    if wanted("plan") {
        plans::against_terraform();
    }
    if wanted("literals") {
        plans::without_copies();
    }
    if wanted("analysis") {
        analysis::against_hcl_edit();
    }
    if wanted("environments") {
        environments::at_once();
    }
    if wanted("stacks") {
        stacks::matrix();
    }
    if wanted("growth") {
        limits::growth();
    }
    if wanted("units") {
        limits::units();
    }
    if wanted("scale") {
        limits::scale();
    }
    if wanted("hostile") {
        limits::hostile();
    }
}
