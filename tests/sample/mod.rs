//! How much of a long list a test runs: a part of it, or all of it with `TF_PHI_WHOLE=1`.

#![allow(dead_code)] // no test program needs all of it

/// Whether the whole of every list is asked for.
pub fn whole() -> bool {
    std::env::var_os("TF_PHI_WHOLE").is_some_and(|text| !text.is_empty())
}

/// One in so many of a list. The name decides where it begins, so that lists with different names leave out different places.
/// A list that is shorter than `every` still gives one.
pub fn sampled<T>(all: impl IntoIterator<Item = T>, every: usize, name: &str) -> Vec<T> {
    let all: Vec<T> = all.into_iter().collect();
    let every = if whole() { 1 } else { every.min(all.len()).max(1) };
    let first = name.bytes().map(usize::from).sum::<usize>() % every;
    all.into_iter().skip(first).step_by(every).collect()
}
