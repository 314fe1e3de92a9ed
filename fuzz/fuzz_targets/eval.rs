#![no_main]

use tf_phi_fuzz::{bounded, eval, mutate};

libfuzzer_sys::fuzz_target!(|data: &[u8]| bounded(|| eval::check(data)));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::mutate(data, size, max_size, seed, mutate::Form::Expression, libfuzzer_sys::fuzzer_mutate)
});
