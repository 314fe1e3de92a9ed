//! Move chains: state comes along from every former address to the active one.
//!
//! One linear chain per unit: original address → every former address on record → each inactive branch → the active
//! branch. It works from every prior state; two moves into one address, or both directions between two, would be
//! errors (measured on Terraform 1.11 and 1.15). The addresses of a `moved` block are static, so the chain is
//! written per run; a stale one makes Terraform stop with "Moved object still exists".

use crate::syntax::emit::Writer;

/// The file in the root module.
pub const FILE: &str = "phi.moved.tf";

/// One unit's addresses in the order of the chain, the active one last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Addresses, each once.
    pub addresses: Vec<String>,
}

impl Chain {
    /// The chain through these addresses; an address that comes again counts where it comes last.
    pub fn new(addresses: impl IntoIterator<Item = String>) -> Chain {
        let mut kept: Vec<String> = Vec::new();
        for address in addresses {
            kept.retain(|a| *a != address);
            kept.push(address);
        }
        Chain { addresses: kept }
    }
}

/// The text of the file; nothing where there is nothing to move.
pub fn text(chains: &[Chain]) -> Option<String> {
    let mut writer = Writer::new("", "\n");
    writer.comment("Written by tf-phi for this run's variables: which addresses state comes from.");
    let mut any = false;
    for chain in chains {
        for (from, to) in chain.addresses.iter().zip(chain.addresses.iter().skip(1)) {
            any = true;
            writer.blank();
            writer.block("moved", &[], |w| {
                w.attribute("from", from).attribute("to", to);
            });
        }
    }
    any.then(|| writer.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_linear() {
        let chain = Chain::new(["x", "x_a[0]", "x_b[0]", "x_a[0]"].map(String::from));
        assert_eq!(chain.addresses, ["x", "x_b[0]", "x_a[0]"]);
        let text = text(&[chain]).unwrap();
        assert!(text.contains("moved {\n  from = x\n  to   = x_b[0]\n}"), "{text}");
        assert_eq!(super::text(&[]), None);
    }
}
