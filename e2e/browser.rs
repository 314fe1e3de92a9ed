//! The pages of `review`, `matrix` and `graph` in a headless Chromium, driven from `e2e/browser`.

use crate::support;
use std::io::Write as _;
use std::process::Command;

/// Where no Chromium can be had it says SKIPPED.
#[test]
fn pages_in_a_browser() {
    let found = Command::new("scripts/chromium-get").output().unwrap();
    if !found.status.success() {
        // What a test prints is not shown unless it fails; this is to be seen.
        std::io::stderr().write_all(&found.stderr).unwrap();
        return;
    }
    let paths = String::from_utf8(found.stdout).unwrap();
    let (chromium, driver) = paths.trim_end().split_once('\n').unwrap();
    let mut command = Command::new("python3");
    command.args(["-B", "-m", "unittest", "discover", "-s", "e2e/browser"]);
    command
        .env("TF_PHI_UNDER_TEST", env!("CARGO_BIN_EXE_tf-phi"))
        .env("TF_PHI_TERRAFORM", support::terraform());
    let done = command.env("CHROMIUM", chromium).env("CHROMEDRIVER", driver).output().unwrap();
    let said = [done.stdout, done.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    println!("{said}");
    assert!(done.status.success(), "{said}");
}
