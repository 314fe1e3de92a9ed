use super::*;
use crate::config::{self, View};
use crate::func::NoSurroundings;
use crate::host::Machine;
use crate::trace::{self, Limits, issue_of};
use std::path::Path;

#[test]
fn show_example() {
    let root = Path::new("examples/postgres");
    let (mut config, issues) = config::load(&Machine, root);
    println!("{issues:#?}");
    let view = View { host: &Machine, overlay: &Default::default() };
    let (phi, issues) = config::phi::read(view, root, &mut config.sources);
    println!("{issues:#?}");
    let limits = Limits::default();
    let (universes, issues) = trace::universes(&config, &phi, limits, &NoSurroundings);
    println!("{issues:#?} {universes:#?}");
    let (driven, issues) = trace::drivers(&config, &phi);
    println!("{issues:#?} {:#?}", driven.iter().map(|d| d.field.to_string()).collect::<Vec<_>>());
    let (mut tracer, traces, pinned) = trace::trace_driven(&config, limits, &universes, &NoSurroundings, &driven);
    for t in &traces {
        println!("{:#?}", t.result);
        println!("{:#?}", issue_of(t));
    }
    let request = Request { config: &config, limits, driven: &driven, traces: &traces, pinned: &pinned, older: None, version: "tf-phi 0.1.0" };
    let done = specialise(&request, &mut tracer).unwrap().finished(&[0]);
    for (path, text) in &done.files {
        println!("=== {}\n{text}", path.display());
    }
}
