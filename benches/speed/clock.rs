//! Taking turns and medians: what is compared is measured in turns, so that a slow second slows both.

use std::time::{Duration, Instant};

/// Runs each contestant `rounds` times in turns, after one round that isn't counted. Gives the sorted times of each.
pub fn in_turns(rounds: usize, contestants: &mut [&mut dyn FnMut() -> Duration]) -> Vec<Vec<Duration>> {
    let mut times = vec![Vec::with_capacity(rounds); contestants.len()];
    for round in 0..=rounds {
        for (at, contestant) in contestants.iter_mut().enumerate() {
            let time = contestant();
            if round > 0 {
                times[at].push(time);
            }
        }
    }
    times.iter_mut().for_each(|t| t.sort_unstable());
    times
}

/// How long something takes.
pub fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

/// The median of sorted times, in milliseconds.
pub fn median(times: &[Duration]) -> f64 {
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// A line: what, its median, its fastest and slowest.
pub fn line(what: &str, times: &[Duration]) {
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    println!(
        "  {what:<58} {:>9.1} ms   ({:.1} to {:.1})",
        median(times),
        ms(times[0]),
        ms(times[times.len() - 1])
    );
}

/// A line: a ratio and what is aimed at.
pub fn ratio(what: &str, value: f64, aim: &str) {
    println!("  {what:<58} {value:>9.2}      (aim: {aim})");
}
