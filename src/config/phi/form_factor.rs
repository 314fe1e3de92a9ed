//! The words of `environment`, `connectivity` and `posture` in a form factor, and what follows from each.

/// A kind of place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Environment {
    /// As it is written.
    pub name: &'static str,
    /// The providers that are reached there: `helm` is `hashicorp/helm`.
    pub providers: &'static [&'static str],
}

impl Environment {
    /// The kinds that are known.
    pub const NAMES: [(&'static str, Environment); 4] = [
        ("kubernetes", Environment { name: "kubernetes", providers: &["helm", "kubernetes"] }),
        ("aws", Environment { name: "aws", providers: &["aws", "awscc", "helm", "kubernetes"] }),
        (
            "azure",
            Environment {
                name: "azure",
                providers: &["azurerm", "azuread", "azure/azapi", "helm", "kubernetes"],
            },
        ),
        (
            "google",
            Environment { name: "google", providers: &["google", "google-beta", "helm", "kubernetes"] },
        ),
    ];
}

/// The connection to networks outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Connectivity {
    /// Networks outside can be reached.
    Connected,
    /// Networks outside can't be reached: everything comes from a mirror.
    AirGapped,
}

impl Connectivity {
    /// As it is written.
    pub const NAMES: [(&'static str, Connectivity); 2] =
        [("connected", Connectivity::Connected), ("air-gapped", Connectivity::AirGapped)];
}

/// The Pod Security Standards of Kubernetes, from wide to narrow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Posture {
    /// Anything.
    Privileged,
    /// No known way to more privileges.
    Baseline,
    /// Pods have no more rights than the restricted Pod Security Standard grants.
    Restricted,
}

impl Posture {
    /// As it is written.
    pub const NAMES: [(&'static str, Posture); 3] = [
        ("privileged", Posture::Privileged),
        ("baseline", Posture::Baseline),
        ("restricted", Posture::Restricted),
    ];
}
