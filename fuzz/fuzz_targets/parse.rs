#![no_main]

use tf_phi_fuzz::{bounded, mutate, parse};

libfuzzer_sys::fuzz_target!(|data: &[u8]| bounded(|| parse::check(data)));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::mutate(data, size, max_size, seed, mutate::Form::File, libfuzzer_sys::fuzzer_mutate)
});
