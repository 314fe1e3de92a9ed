//! Sources of modules, as calls write them and as Terraform lists them.
//!
//! Terraform writes some in another form into its list: registry addresses in full, shorthands of hosts as the address they
//! stand for, local paths without detours. Invariant: what asks for another version or folder is another source. Absent on
//! purpose: Terraform's own detectors, whose every form would have to be repeated.

use std::path::PathBuf;

/// Returns true if a source is a path within the same package.
pub fn is_local(source: &str) -> bool {
    ["./", "../", ".\\", "..\\"].iter().any(|start| source.starts_with(start))
}

/// The schemes of sources that lead to another machine.
const FAR: &[&str] = &["http", "https", "ssh", "git", "git+ssh"];

/// The folder of this machine that a source's package is taken from, as Terraform or git lists it: a path, or a repository at one. What
/// isn't known to lead to another machine may lead anywhere on this one.
pub fn package_here(source: &str) -> Option<PathBuf> {
    // A getter may be forced: `git::file:///…`.
    let (is_forced, plain) = source.rsplit_once("::").map_or((false, source), |(_, plain)| (true, plain));
    // A repository of Mercurial may have parts that lie anywhere.
    if is_forced && source.get(..4).is_some_and(|force| force.eq_ignore_ascii_case("hg::")) {
        return Some(PathBuf::from("/"));
    }
    let scheme = plain.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let path = match scheme.as_deref() {
        Some("file") => {
            plain.get("file:".len()..).map(|path| path.strip_prefix("//").unwrap_or(path)).unwrap_or_default()
        }
        _ if plain.starts_with('/') => plain,
        Some(scheme) if FAR.contains(&scheme) && plain.contains("://") => return None,
        // `git@host:path`, as ssh has it.
        Some(host) if !plain.contains("://") && !host.contains('/') && !host.is_empty() => return None,
        // The address of a registry has no scheme.
        None if !is_forced => return None,
        _ => "",
    };
    if !path.starts_with('/') {
        return Some(PathBuf::from("/"));
    }
    // What is written in codes may be `..`, and lead anywhere.
    if path.contains('%') {
        return Some(PathBuf::from("/"));
    }
    let path = path.split('?').next().unwrap_or(path);
    // What stands behind two slashes lies within the package.
    let package =
        path.get(1..).and_then(|rest| rest.find("//")).map_or(path, |at| path.get(..at + 1).unwrap_or(path));
    Some(PathBuf::from(package))
}

/// Returns true if a source that Terraform has listed is the one that a call writes.
pub fn same_source(listed: &str, written: &str) -> bool {
    match (is_local(listed), is_local(written)) {
        (true, true) => local_parts(listed) == local_parts(written),
        (false, false) => {
            let (listed, written) = (Remote::of(listed), Remote::of(written));
            listed.query == written.query && (listed.address == written.address || written.is_bucket())
        }
        _ => false,
    }
}

/// Returns true if a call's source is the wanted module, in whatever version or revision where none is asked for.
pub fn is_of(source: &str, wanted: &str) -> bool {
    let plain = match source.split_once('?') {
        Some((plain, _)) if !wanted.contains('?') => plain,
        _ => source,
    };
    !is_local(source) && same_source(plain, wanted)
}

/// A local source without detours, as Terraform lists it.
pub fn plain_local(source: &str) -> String {
    let parts = local_parts(source).join("/");
    if parts == ".." || parts.starts_with("../") { parts } else { format!("./{parts}") }
}

fn local_parts(source: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in source.split(['/', '\\']).filter(|p| !p.is_empty() && *p != ".") {
        match parts.last() {
            Some(&last) if part == ".." && last != ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts
}

/// A remote source without what only says how it is fetched.
struct Remote<'s> {
    address: String,
    query: Option<&'s str>,
}

impl Remote<'_> {
    fn of(source: &str) -> Remote<'_> {
        let (address, query) = match source.split_once('?') {
            Some((address, query)) => (address, Some(query)),
            None => (source, None),
        };
        let address = address.split_once("::").map_or(address, |(_, rest)| rest);
        let address = address.split_once("://").map_or(address, |(_, rest)| rest);
        let (host, rest) = address.split_once('/').unwrap_or((address, ""));
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host).replace(':', "/");
        let (package, folder) = rest.split_once("//").unwrap_or((rest, ""));
        let package = package.strip_suffix(".git").unwrap_or(package);
        let whole = format!("{host}/{package}//{folder}");
        let registries = ["registry.terraform.io/", "registry.opentofu.org/"];
        let short = registries.iter().find_map(|r| whole.strip_prefix(r)).map(str::to_owned);
        Remote { address: short.unwrap_or(whole), query }
    }

    /// A bucket has many addresses.
    fn is_bucket(&self) -> bool {
        self.address.contains("amazonaws.com") || self.address.contains("googleapis.com")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn packages_of_this_machine() {
        let here = "file:///tmp/x//repo/mod /srv/modules/x git::file:///tmp/far.git//db?ref=v1 git::/tmp/far git::FILE:///tmp/far";
        let packages = ["/tmp/x", "/srv/modules/x", "/tmp/far.git", "/tmp/far", "/tmp/far"];
        let more = [("git::fIlE:/tmp/far", "/tmp/far"), ("FILE:///tmp/far", "/tmp/far")];
        for (source, package) in here.split(' ').zip(packages).chain(more) {
            assert_eq!(package_here(source).as_deref(), Some(Path::new(package)), "{source}");
        }
        let anywhere = "file:///tree/%2e%2e/x git::file://localhost/tmp/far git::../far hg::far git::other:///tmp/far hg::https://x.example/r";
        for source in anywhere.split(' ').chain(["git::ext::sh -c x"]) {
            assert_eq!(package_here(source).as_deref(), Some(Path::new("/")), "{source}");
        }
        let far = "git::git@github.com:o/r.git git@github.com:o/r.git git::ssh://git@github.com/o/r.git \
                   s3::https://s3.amazonaws.com/b/x.zip git::HTTPS://github.com/o/r.git app.terraform.io/o/net/aws \
                   git::https://github.com/o/r.git//sub?ref=v1 registry.terraform.io/a/net/aws//modules/x ../x//y";
        assert_eq!(far.split_whitespace().find_map(package_here), None);
    }

    #[test]
    fn what_is_listed_and_what_is_written() {
        let same = [
            ("./modules/db", "./modules/x/../db/"),
            ("../db", ".././db"),
            ("registry.terraform.io/a/net/aws", "a/net/aws"),
            ("registry.terraform.io/a/net/aws//modules/x", "a/net/aws//modules/x"),
            ("git::https://github.com/o/r.git?ref=v1", "github.com/o/r?ref=v1"),
            ("git::https://github.com/o/r.git//sub?ref=v1", "github.com/o/r//sub?ref=v1"),
            ("git::ssh://git@github.com/o/r.git", "git@github.com:o/r.git"),
            ("git::file:///tmp/x//db", "git::file:///tmp/x//db"),
            ("file:///srv/modules/x", "/srv/modules/x"),
            ("s3::https://s3.amazonaws.com/b/x.zip", "b.s3.amazonaws.com/x.zip"),
        ];
        for (listed, written) in same {
            assert!(same_source(listed, written), "{listed} {written}");
        }
        let other = [
            ("./db", "../db"),
            ("./.phi/modules/far-v1", "git::file:///tmp/far"),
            ("git::https://github.com/o/r.git?ref=v1", "github.com/o/r?ref=v2"),
            ("git::https://github.com/o/r.git?ref=v1", "github.com/o/r"),
            ("git::https://github.com/o/r.git//a", "github.com/o/r//b"),
            ("registry.terraform.io/a/net/aws", "a/other/aws"),
        ];
        for (listed, written) in other {
            assert!(!same_source(listed, written), "{listed} {written}");
        }
        let rds = "terraform-aws-modules/rds/aws";
        assert!(is_of(rds, rds) && is_of(&format!("registry.terraform.io/{rds}"), rds));
        assert!(is_of("git::https://github.com/o/r.git?ref=v1", "github.com/o/r"));
        assert!(!is_of("github.com/o/r?ref=v1", "github.com/o/r?ref=v2") && !is_of("./rds", "./rds"));
        assert!(!is_of(&format!("{rds}//modules/db_instance"), rds));
        assert_eq!(plain_local("./modules/x/../db/"), "./modules/db");
        assert_eq!(plain_local("../a/../../b"), "../../b");
    }
}
