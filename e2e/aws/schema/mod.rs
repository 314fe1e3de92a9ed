//! What takes a provider with a schema. All of it is one root with one pair of plans per environment, since the provider takes
//! its time to start.

mod entries;
mod folded;
mod sensitive;

use crate::compare::same;
use crate::modules::{ENVS, PROVIDER, scratch};

/// The plans are those of the original, and each part has what it looks for.
pub fn all() {
    let variable = "variable \"env\" {}\n";
    let main = [PROVIDER, variable, entries::ROOT, folded::ROOT, sensitive::ROOT].concat();
    let pins = [entries::PINS, folded::PINS, sensitive::PINS].concat();
    let files = [("main.tf", &*main), ("m/main.tf", folded::MODULE), ("phi.hcl", &*pins)];
    let (original, specialised) = (scratch(&files), scratch(&files));
    for env in ENVS {
        let (want, got) = (original.plan(&[env]), specialised.phi_plan(&[env]).0);
        same(&want, &got, &specialised, env);
        sensitive::planned(&want, &got);
    }
    let [_, last] = ENVS;
    sensitive::shown(&specialised, last);
    specialised.tf_phi(&["verify", last]).expect(0);
    entries::written(&specialised);
    folded::written(&specialised);
    specialised.tf_phi(&["restore"]).expect(0);
    assert_eq!(specialised.read("main.tf"), main);
}
