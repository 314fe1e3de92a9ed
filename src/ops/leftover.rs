//! Copies that state still holds, where no record tells of them.
//!
//! A record is lost by `restore`, by deleting `.phi`, or by planning from another checkout. What was applied from the
//! specialised form then stands in state under addresses that nothing in the sources names, and Terraform would destroy
//! it. The names are a contract (`<unit>_<slug>`), so state itself can be asked.

use super::session::Session;
use crate::addr::{FieldAddr, Target};
use crate::issue::Issue;
use crate::specialise::SplitUnit;
use crate::specialise::record::UnitRecord;
use crate::terraform::{Terraform, init};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

/// The units of which state holds copies that aren't among those to be written.
///
/// # Errors
/// Where Terraform can't be started. A directory without state, or one that isn't initialised, has none.
pub(super) fn in_state(
    session: &Session,
    splits: &[SplitUnit],
    terraform: &Terraform,
) -> Result<Vec<UnitRecord>, Issue> {
    if splits.is_empty() || !init::is_initialised(&session.host, Path::new("")) {
        return Ok(Vec::new());
    }
    let words: Vec<OsString> = ["state", "list"].iter().map(Into::into).collect();
    let listed = terraform.capture_without(&session.host.root, &words, &["TF_CLI_ARGS"])?;
    let text = String::from_utf8_lossy(&listed.stdout);
    let held: BTreeSet<String> = text.lines().map(without_keys).collect();
    Ok(splits
        .iter()
        .filter_map(|unit| {
            let former: BTreeSet<String> = held.iter().filter_map(|address| copy_of(unit, address)).collect();
            let gone = |a: &String| !unit.addresses.contains(a) && !declared(session, a);
            let former: Vec<String> = former.into_iter().filter(gone).collect();
            (!former.is_empty()).then(|| UnitRecord {
                original: unit.original.clone(),
                addresses: Vec::new(),
                former_addresses: former,
            })
        })
        .collect())
}

/// The address of the unit's copy that holds an address, where one does.
fn copy_of(unit: &SplitUnit, address: &str) -> Option<String> {
    let rest = address.strip_prefix(&unit.original)?;
    let slug = rest.strip_prefix('_')?.split('.').next()?;
    Some(format!("{}_{slug}", unit.original))
}

/// Whether the configuration declares what an address names: then it is somebody's own, and only named alike.
fn declared(session: &Session, address: &str) -> bool {
    let Ok(field) = address.parse::<FieldAddr>() else { return true };
    session.config.at(&field.module).is_some_and(|module| match &field.target {
        Target::Call(name) => module.calls.contains_key(name),
        Target::Resource(addr) => module.resources.contains_key(addr),
        Target::Output(_) | Target::Local(_) | Target::Variable(_) => true,
    })
}

/// An address without the keys of its instances.
fn without_keys(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    let (mut depth, mut quoted, mut escaped) = (0u32, false, false);
    for c in address.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            c if depth == 0 && !quoted => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_off() {
        assert_eq!(without_keys(r#"module.a["x.y]\""].t.n[0]"#), "module.a.t.n");
    }
}
