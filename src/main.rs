//! The exit code and nothing else.

use std::ffi::OsString;
use std::process::ExitCode;
use tf_phi::host::threads;
use tf_phi::terraform::leash;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = leash::become_child(&words) {
        return ExitCode::from(code);
    }
    let work = || {
        threads::stay();
        tf_phi::cli::run(std::env::args_os())
    };
    let thread = std::thread::Builder::new().name("main".to_owned()).stack_size(threads::STACK).spawn(work);
    let code = match thread {
        Ok(thread) => thread.join().unwrap_or(101),
        Err(_) => tf_phi::cli::run(std::env::args_os()),
    };
    ExitCode::from(code)
}

/// The C library's allocator grows page by page on other threads than the first, and all work is done on such.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
