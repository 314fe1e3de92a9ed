//! Services that come with the program.
//!
//! Each is a folder below `services/`: modules as anybody writes them, and `service.hcl` with `service` blocks as `phi.hcl` has
//! them. A form factor that names the folder switches all of its blocks on. Invariant: a block of `phi.hcl` with the same name
//! goes before. Absent on purpose: anything that a user's own service couldn't do.

use super::{PhiConfig, Service};
use crate::config::Overlay;
use std::path::{Path, PathBuf};

/// The folder for the files of such services in a tree.
pub const FOLDER: &str = ".phi/services";

/// The file with the `service` blocks.
pub(super) const BLOCKS: &str = "service.hcl";

/// A folder of `services/`.
#[derive(Debug)]
pub struct Embedded {
    /// The folder's name, which form factors name.
    pub name: &'static str,
    /// Its files: path below the folder, text.
    pub files: &'static [(&'static str, &'static str)],
}

macro_rules! embedded {
    ($($name:literal: [$($file:literal),* $(,)?]),* $(,)?) => {
        /// Every service that comes with the program, by name.
        pub const EMBEDDED: &[Embedded] = &[$(Embedded {
            name: $name,
            files: &[$(($file, include_str!(concat!("../../../services/", $name, "/", $file)))),*],
        }),*];
    };
}

embedded!(
    "cloudnative-pg": [
        "service.hcl",
        "aws_db_instance/main.tf",
        "aws_rds_cluster/main.tf",
        "cluster/main.tf",
        "cluster/chart/Chart.yaml",
        "cluster/chart/templates/manifests.yaml",
        "operator/main.tf",
        "rds_aurora_module/main.tf",
        "rds_module/main.tf",
    ],
    "rabbitmq": [
        "service.hcl",
        "activemq/main.tf",
        "aws_mq_broker/main.tf",
        "aws_mq_configuration/main.tf",
        "cluster/main.tf",
        "cluster/chart/Chart.yaml",
        "cluster/chart/templates/manifests.yaml",
        "operator/main.tf",
        "operator/chart/Chart.yaml",
        "operator/chart/crds/rabbitmqclusters.yaml",
        "operator/chart/templates/manifests.yaml",
    ],
    "rook": [
        "service.hcl",
        "aws_s3_bucket/main.tf",
        "bucket/main.tf",
        "bucket/chart/Chart.yaml",
        "bucket/chart/templates/manifests.yaml",
    ],
    "seaweedfs": [
        "service.hcl",
        "aws_s3_bucket/main.tf",
        "bucket/main.tf",
        "bucket/chart/Chart.yaml",
        "bucket/chart/templates/manifests.yaml",
        "operator/main.tf",
        "operator/chart/Chart.yaml",
        "operator/chart/templates/manifests.yaml",
    ],
    "strimzi": [
        "service.hcl",
        "aws_msk_cluster/main.tf",
        "aws_msk_configuration/main.tf",
        "cluster/main.tf",
        "cluster/chart/Chart.yaml",
        "cluster/chart/templates/manifests.yaml",
        "operator/main.tf",
    ],
    "valkey": [
        "service.hcl",
        "aws_elasticache_cluster/main.tf",
        "aws_elasticache_replication_group/main.tf",
        "release/main.tf",
    ],
);

/// The service of this name.
pub fn embedded(name: &str) -> Option<&'static Embedded> {
    EMBEDDED.iter().find(|e| e.name == name)
}

impl Embedded {
    /// Its folder in a tree.
    pub fn dir(&self) -> PathBuf {
        Path::new(FOLDER).join(self.name)
    }

    /// Its files but for the blocks: path below the folder, text.
    pub fn module(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.files.iter().copied().filter(|(path, _)| *path != BLOCKS)
    }

    /// The text of its `service` blocks.
    pub fn blocks(&self) -> &'static str {
        self.files.iter().find(|(path, _)| *path == BLOCKS).map_or("", |(_, text)| text)
    }
}

impl Service {
    /// How to make a service one's own that comes with the program: a sentence's beginning, and the command.
    pub fn takeover(&self) -> Option<(&'static str, String)> {
        let name = self.embedded?;
        Some(("Take the service over", format!("tf-phi services eject {name} services/{name}")))
    }
}

impl PhiConfig {
    /// The services in use that come with the program.
    pub fn embedded(&self) -> impl Iterator<Item = &'static Embedded> {
        EMBEDDED.iter().filter(|e| self.services.values().any(|s| s.embedded == Some(e.name)))
    }

    /// Their files as they stand in a tree.
    pub fn embedded_files(&self) -> Overlay {
        let files = self.embedded().flat_map(|e| e.module().map(|(path, text)| (e.dir().join(path), text)));
        files.map(|(path, text)| (path, Some(text.to_owned()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Sources;
    use std::collections::BTreeSet;

    fn collect(dir: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => collect(&path, found),
                false => drop(found.insert(path.to_string_lossy().into_owned())),
            }
        }
    }

    #[test]
    fn every_file_comes_with_the_program() {
        let mut stand = BTreeSet::new();
        collect(Path::new("services"), &mut stand);
        let own =
            EMBEDDED.iter().flat_map(|e| e.files.iter().map(|(f, _)| format!("services/{}/{f}", e.name)));
        assert_eq!(own.collect::<BTreeSet<_>>(), stand);
    }

    /// The list for mirroring names exactly the charts and images of the modules.
    #[test]
    fn charts_and_images_are_those_of_the_modules() {
        for embedded in EMBEDDED {
            let text: String = embedded.module().map(|(_, text)| text).collect();
            let (services, _) = embedded.services(&mut Sources::default());
            let mut named = BTreeSet::new();
            for pin in services.iter().flat_map(|s| s.charts.iter().chain(&s.images)) {
                let end = pin.rsplit('/').next().unwrap().split_once(':').unwrap().1;
                assert!(text.contains(&format!("\"{end}\"")), "no module has {pin}");
                named.insert(end.to_owned());
            }
            let versioned = text.split('"').filter(|t| t.contains("@sha256:"));
            for digest in versioned {
                assert!(named.contains(digest), "{digest} is not named");
            }
        }
    }

    #[test]
    fn their_blocks_are_in_order() {
        let mut names = BTreeSet::new();
        for embedded in EMBEDDED {
            let (services, issues) = embedded.services(&mut Sources::default());
            assert!(issues.is_empty(), "{issues:?}");
            assert_eq!(services.first().map(|s| &*s.name), Some(embedded.name));
            for service in services {
                let dir = service.module.0.trim_start_matches("./").to_owned() + "/main.tf";
                assert!(embedded.module().any(|(f, _)| embedded.dir().join(f) == Path::new(&dir)), "{dir}");
                assert!(names.insert(service.name.clone()), "{} stands twice", service.name);
                let reasons = service.drops.values().chain(service.refuses.values());
                let reasons = reasons.chain(service.ignores.values().flatten());
                for reason in reasons {
                    assert!(reason.ends_with('.'), "{reason}");
                }
                assert!(service.ignores.values().all(Option::is_some), "{} without a reason", service.name);
            }
        }
    }
}
