//! A large tree: tf-phi's reading and tracing of everything against hcl-edit's mere parsing of the same bytes.

use std::fs;
use std::process::Stdio;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::clock::{in_turns, line, median, ratio, timed};
use crate::support::Scratch;
use crate::tree;

pub fn against_hcl_edit() {
    let files = tree::files(2000);
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let scratch = Scratch::with(&[]);
    files.iter().for_each(|(path, text)| scratch.write(path, text));
    let paths: Vec<_> =
        files.iter().filter(|(p, _)| p.ends_with(".tf")).map(|(p, _)| scratch.dir().join(p)).collect();
    let texts: Vec<String> = paths.iter().map(|p| fs::read_to_string(p).unwrap()).collect();
    println!("a generated tree: {} files, {:.1} MB", paths.len(), bytes as f64 / 1e6);

    let trace = |args: &[&str]| {
        let mut command = scratch.command(env!("CARGO_BIN_EXE_tf-phi").as_ref());
        command.args(args).stdout(Stdio::null());
        timed(|| assert!(command.status().unwrap().success(), "{args:?} failed"))
    };
    let times = in_turns(
        9,
        &mut [
            &mut || timed(|| texts.iter().for_each(|t| drop(hcl_edit::parser::parse_body(t).unwrap()))),
            &mut || timed(|| texts.par_iter().for_each(|t| drop(hcl_edit::parser::parse_body(t).unwrap()))),
            &mut || timed(|| texts.iter().for_each(|t| drop(tf_phi::syntax::parse(t).unwrap()))),
            &mut || timed(|| texts.par_iter().for_each(|t| drop(tf_phi::syntax::parse(t).unwrap()))),
            &mut || {
                timed(|| {
                    let config = tf_phi::config::load(&tf_phi::host::Machine, &scratch.dir());
                    assert!(config.1.is_empty(), "{:?}", config.1.first());
                    config
                })
            },
            &mut || trace(&["trace"]),
            &mut || trace(&["trace", "--all", "--json"]),
        ],
    );
    let names = [
        "hcl-edit parses, one thread",
        "hcl-edit parses, all threads",
        "tf_phi::syntax::parse (parse and lower), one thread",
        "tf_phi::syntax::parse, all threads",
        "tf_phi::config::load (read, parse, lower, modules)",
        "tf-phi trace: the driven fields, as a program",
        "tf-phi trace --all: every argument, as a program",
    ];
    names.iter().zip(&times).for_each(|(name, times)| line(name, times));
    println!("  {:<58} {:>9.1} MB/s", "hcl-edit, one thread", bytes as f64 / 1e3 / median(&times[0]));
    let over = |at: usize, under: usize| median(&times[at]) / median(&times[under]);
    ratio("parse and lower / hcl-edit, one thread", over(2, 0), "none of its own");
    ratio("driven fields, as `plan` analyses / hcl-edit, one thread", over(5, 0), "at most 2.5");
    ratio("every argument (trace --all) / hcl-edit, one thread", over(6, 0), "at most 2.5");
    ratio("every argument (trace --all) / hcl-edit, all threads", over(6, 1), "none of its own");
}
