//! Servers that say where a module is, and may say that it is on this machine.
//!
//! A registry answers with another source, and so does a page at an address of the web. Where that names a folder of this machine,
//! Terraform copies it, and nothing that is installed tells. So what comes from such a server isn't read before the user knows the server.
//! In: a source, as a call writes it or Terraform lists it. Known are the public registries, hosts for which the user has a token or
//! a block in Terraform's own configuration, and those that the user names. Absent on purpose: asking a server.

use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::text::shell_word;
use std::path::{Path, PathBuf};

/// The environment variable that names hosts, with commas between them.
pub(crate) const TRUSTED_HOSTS: &str = "TF_PHI_TRUSTED_HOSTS";

/// Registries that answer with addresses of the web alone.
const PUBLIC: &[&str] = &[
    "registry.terraform.io",
    "registry.opentofu.org",
    "app.terraform.io",
    "app.eu.terraform.io",
    "gitlab.com",
    "spacelift.io",
];

/// What an archive is called. An archive is unpacked as it is, whatever else the answer says.
const ARCHIVES: &[&str] = &["zip", "tar.gz", "tgz", "tar.bz2", "tbz2", "tar.xz", "txz", "tar.zst", "tzst"];

/// The host that says where a source's module is; `None` where the source says it by itself.
pub fn redirecting_host(source: &str) -> Option<&str> {
    let (force, plain) =
        source.rsplit_once("::").map_or((None, source), |(force, plain)| (Some(force), plain));
    let is_web = |scheme: &str| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    match plain.split_once("://") {
        Some((scheme, rest)) if is_web(scheme) && force.is_none_or(is_web) => {
            (!is_archive(rest)).then(|| host_of(rest))
        }
        None if force.is_none() => registry_host(plain),
        _ => None,
    }
}

/// The host of an address without its scheme, without who asks and without a port.
fn host_of(address: &str) -> &str {
    let host = address.split(['/', '?', '#']).next().unwrap_or(address);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    host.split_once(':').map_or(host, |(host, _)| host)
}

/// Returns true if go-getter takes what an address names for an archive. Sources: go-getter's `Client.Get`.
fn is_archive(address: &str) -> bool {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    if let Some(kind) = query.split('&').find_map(|part| part.strip_prefix("archive=")) {
        return ARCHIVES.contains(&kind);
    }
    // What stands behind two slashes lies within the archive.
    let path = path.split_once("//").map_or(path, |(path, _)| path);
    ARCHIVES.iter().any(|kind| path.strip_suffix(kind).is_some_and(|name| name.ends_with('.')))
}

/// The host of a registry's address, `HOST/NAMESPACE/NAME/SYSTEM`. Without a host it is the public one.
fn registry_host(source: &str) -> Option<&str> {
    let package = source.split_once("//").map_or(source, |(package, _)| package);
    let parts: Vec<&str> = package.split('/').collect();
    let [host, _, _, _] = parts.as_slice() else { return None };
    // Terraform takes these two for addresses of Git, and what begins with a dot for a path.
    let is_git = ["github.com", "bitbucket.org"].contains(host);
    (host.contains(['.', ':']) && !host.starts_with('.') && !is_git).then(|| host_of(host))
}

/// Returns true if the user knows a host.
pub fn is_trusted_host(host: &dyn Host, name: &str) -> bool {
    let is = |known: &str| known.trim().eq_ignore_ascii_case(name);
    let named = host.env(TRUSTED_HOSTS).unwrap_or_default();
    if PUBLIC.iter().any(|known| is(known)) || named.split(',').any(is) {
        return true;
    }
    let token = |key: &String| {
        let key = key.strip_prefix("TF_TOKEN_");
        key.is_some_and(|key| is(&key.replace("__", "-").replace('_', ".")))
    };
    host.env_all().keys().any(token) || is_configured(host, name)
}

/// Returns true if Terraform's own configuration, or what `terraform login` keeps, has a block for a host.
fn is_configured(host: &dyn Host, name: &str) -> bool {
    let named = ["TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"].iter().find_map(|name| host.env(name));
    let home = host.env("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let at_home = |file: &str| home.as_ref().map(|home| home.join(file));
    let own = named.map(PathBuf::from).or_else(|| at_home(".terraformrc"));
    let quoted = format!("\"{}\"", name.to_ascii_lowercase());
    // Only where it stands without the tree's saying.
    let files = own
        .into_iter()
        .chain(at_home(".terraform.d/credentials.tfrc.json"))
        .filter(|file| file.is_absolute());
    files
        .filter_map(|file| host.read_named(&file).ok())
        .any(|bytes| String::from_utf8_lossy(&bytes).to_ascii_lowercase().contains(&quoted))
}

/// Says that a module isn't read, since a server says where it is.
pub(crate) fn refuse_host(name: &str) -> Issue {
    let why = format!(
        "What {name} answers may name a folder of this machine, which Terraform copies then, and nothing that is installed tells. So \
         nothing in it is read: a tree is not to show what else is on the machine."
    );
    let paste = format!("export {TRUSTED_HOSTS}=\"${TRUSTED_HOSTS},\"{}", shell_word(name));
    Issue::error(Code::Outside, "A module comes from a server that nobody named", why)
        .fix("If you trust that server, say so in the environment:", paste)
        .fix("Or name the module by a source that says itself where it is, as `git::https://…` or as an archive.", "")
}

/// The host that says where a source's module is, where the user doesn't know it and the tree has a border.
pub fn find_unknown_host<'s>(host: &dyn Host, source: &'s str) -> Option<&'s str> {
    redirecting_host(source).filter(|name| host.is_outside(Path::new("/")) && !is_trusted_host(host, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_that_a_server_answers() {
        for (source, host) in [
            ("http://x.example/m", Some("x.example")),
            ("HTTPS://u:p@x.example:8443/m?ref=1", Some("x.example")),
            ("https::https://x.example/m", Some("x.example")),
            ("https://x.example/m.zip?archive=false", Some("x.example")),
            ("https://x.example/m?archive=rar", Some("x.example")),
            ("https://x.example/m//x.zip", Some("x.example")),
            ("https://x.example/m.gz", Some("x.example")),
            ("https://x.example/m.zip//sub?checksum=md5:1", None),
            ("https://x.example/m?archive=tar.gz", None),
            ("git::https://x.example/m.git//sub?ref=1", None),
            ("s3::https://s3.amazonaws.com/b/x", None),
            ("git@x.example:o/r.git", None),
            ("github.com/o/r", None),
            ("./m", None),
            ("../a/b/c", None),
            ("a/net/aws", None),
            ("registry.terraform.io/a/net/aws//modules/x", Some("registry.terraform.io")),
            ("x.example:8443/a/net/aws", Some("x.example")),
            ("localhost:1/a/net/aws", Some("localhost")),
            ("bücher.example/a/net/aws", Some("bücher.example")),
            ("github.com/o/r/sub", None),
        ] {
            assert_eq!(redirecting_host(source), host, "{source}");
        }
    }
}
