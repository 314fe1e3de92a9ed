//! What each function costs, and what it is charged: figures, nothing passes or fails. A charge is true where a unit takes about as long in each of them.
//!
//!     cargo bench --bench functions

#![allow(clippy::print_stdout, clippy::cast_precision_loss, missing_docs)]

#[path = "../tests/functions/mod.rs"]
mod functions;

use functions::{args_of, growing, run};
use std::time::Instant;
use tf_phi::syntax;

/// The bytes of each call.
const BYTES: usize = 1 << 18;

fn main() {
    syntax::on_big_stack(|| {
        println!("{:<20} {:>10} {:>12} {:>10}", "function", "ns/byte", "units/byte", "ns/unit");
        for function in growing() {
            let args = args_of(function, BYTES);
            let time = || {
                let start = Instant::now();
                let found = run(function, &args);
                (start.elapsed(), found)
            };
            let Some((took, (found, units))) = (0..3).map(|_| time()).min_by_key(|(took, _)| *took) else {
                continue;
            };
            let per_byte = took.as_nanos() as f64 / BYTES as f64;
            let charged = units as f64 / BYTES as f64;
            let error = found.err().map(|e| e.chars().take(80).collect::<String>()).unwrap_or_default();
            println!(
                "{:<20} {per_byte:>10.2} {charged:>12.4} {:>10.1} {error}",
                function.name,
                per_byte / charged
            );
        }
    });
}
