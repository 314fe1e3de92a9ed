//! What is known to be secret without a schema: arguments that providers call sensitive, and those of modules whose variables are.
//!
//! Marks follow values; of an argument of a resource only its provider's schema says that it is secret, and nothing that reads a tree has
//! one. In: a type and a path, or a field. Out: whether its value may be shown. Tables that are made of real schemas stand for the schema
//! (`scripts/secret-names`), and for other providers names that are nearly always a secret's: too many hide a value that anybody may
//! see, too few show one that nobody should. Absent on purpose: values, and where they go ([`crate::pipeline::Secrets`]).

use super::{Config, Variable};
use crate::addr::{FieldAddr, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Tables by provider: a type, and the paths of its secrets.
const TABLES: [&str; 3] = [
    include_str!("secret_names/aws.txt"),
    include_str!("secret_names/azurerm.txt"),
    include_str!("secret_names/google.txt"),
];

/// Names that are a secret's in several types of these providers.
const COMMON: &str = include_str!("secret_names/names.txt");

/// Further names, which other providers have, or which these call sensitive less often.
const FURTHER: &[&str] = &[
    "access_key_secret",
    "access_token",
    "admin_password",
    "api_secret",
    "api_token",
    "app_key",
    "application_secret",
    "auth_password",
    "auth_token",
    "bearer_token",
    "bind_password",
    "certificate_private_key",
    "client_key",
    "client_secret",
    "conn_str",
    "connection_string",
    "custom_data",
    "db_password",
    "kubeconfig",
    "kube_config",
    "login_password",
    "oauth_token",
    "passphrase",
    "passwd",
    "plaintext_password",
    "plaintext_value",
    "preshared_key",
    "pre_shared_key",
    "primary_access_key",
    "primary_connection_string",
    "private_key",
    "private_key_openssh",
    "psk",
    "root_password",
    "routing_authentication_key",
    "secondary_access_key",
    "secret_binary",
    "secret_string",
    "secret_string_wo",
    "secret_text",
    "secret_value",
    "secure_environment_variables",
    "security_token",
    "service_account_key",
    "shared_access_key",
    "shared_key",
    "signing_key",
    "ssl_private_key",
    "storage_connection_string",
    "tde_certificate_password",
    "tunnel1_preshared_key",
    "tunnel2_preshared_key",
    "user_password",
    "webhook_secret",
];

/// Names of a secret where they stand last; blocks of these names hold what names one.
const LAST: [&str; 3] = ["credentials", "secret", "token"];

/// Whole names of a secret, where no schema is known.
const WHOLE: [&str; 4] = ["authorization", "bearer", "license_key", "pwd"];

/// How the name of a secret ends, where no schema is known.
const ENDS: [&str; 12] = [
    "_api_key",
    "_license_key",
    "_pass",
    "_passphrase",
    "_passwd",
    "_password",
    "_private_key",
    "_pwd",
    "_secret",
    "_secret_access_key",
    "_secret_key",
    "_token",
];

/// How names begin that end in that way and say something about a secret: whether there is one, and where it stands.
const ABOUT: [&str; 25] = [
    "allow_",
    "auto_",
    "create_",
    "disable_",
    "enable_",
    "enforce_",
    "force_",
    "generate_",
    "has_",
    "ignore_",
    "image_pull_",
    "is_",
    "manage_",
    "next_",
    "no_",
    "require_",
    "reset_",
    "rotate_",
    "send_",
    "show_",
    "skip_",
    "store_",
    "use_",
    "validate_",
    "with_",
];

/// What tells in a `connection` block who somebody is.
const CONNECTION: [&str; 7] = [
    "bastion_certificate",
    "bastion_password",
    "bastion_private_key",
    "certificate",
    "password",
    "private_key",
    "proxy_user_password",
];

/// Names of what stands beside secrets and is none, where an object is written out in an argument that is secret as a whole.
const BESIDE: [&str; 16] = [
    "database",
    "db_name",
    "dbname",
    "engine",
    "env",
    "environment",
    "host",
    "hostname",
    "name",
    "namespace",
    "port",
    "region",
    "type",
    "user",
    "username",
    "zone",
];

/// Arguments of providers without a table, and such as a schema doesn't call sensitive although they hold secrets. The name is any of the path.
const OF_TYPE: &[(&str, &str)] = &[
    ("aws_appsync_api_key", "key"),
    ("aws_cognito_identity_provider", "provider_details"),
    ("aws_dx_bgp_peer", "bgp_auth_key"),
    ("aws_dx_private_virtual_interface", "bgp_auth_key"),
    ("aws_dx_public_virtual_interface", "bgp_auth_key"),
    ("aws_dx_transit_virtual_interface", "bgp_auth_key"),
    ("azurerm_automation_variable_string", "value"),
    ("azurerm_linux_function_app", "app_settings"),
    ("azurerm_linux_web_app", "app_settings"),
    ("azurerm_windows_function_app", "app_settings"),
    ("azurerm_windows_web_app", "app_settings"),
    ("kubernetes_secret", "data"),
    ("kubernetes_secret", "binary_data"),
    ("kubernetes_secret", "string_data"),
    ("kubernetes_secret_v1", "data"),
    ("kubernetes_secret_v1", "binary_data"),
    ("kubernetes_secret_v1", "string_data"),
    ("helm_release", "repository_password"),
    ("helm_release", "set_sensitive"),
    ("helm_release", "set_wo"),
    ("helm_template", "repository_password"),
    ("helm_template", "set_sensitive"),
    ("helm_template", "set_wo"),
    ("github_actions_secret", "encrypted_value"),
    ("gitlab_project_variable", "value"),
    ("gitlab_group_variable", "value"),
    ("tfe_variable", "value"),
    ("vault_generic_endpoint", "data_json"),
    ("vault_generic_secret", "data_json"),
    ("vault_kv_secret", "data_json"),
    ("vault_kv_secret_v2", "data_json"),
];

/// Types of Terraform's own, whose arguments are the user's to name, but for those of their connections and provisioners.
const BUILT_IN: [&str; 2] = ["terraform_data", "null_resource"];

static ANYWHERE: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| lines(COMMON).chain(FURTHER.iter().copied()).collect());

static BY_TYPE: LazyLock<FxHashMap<&str, Vec<Vec<&str>>>> = LazyLock::new(|| {
    let entries = TABLES.iter().flat_map(|table| lines(table)).filter_map(|line| {
        let (kind, paths) = line.split_once(' ')?;
        Some((kind, paths.split(' ').map(|path| path.split('.').collect()).collect()))
    });
    entries.collect()
});

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Returns true if a name alone says that what it names is secret.
pub fn is_secret_name(name: &str) -> bool {
    ANYWHERE.contains(name) || LAST.contains(&name) || ends_as_secret(name)
}

/// Names of members that are secret in an argument of some type.
static MEMBERS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let of_tables = BY_TYPE.values().flatten().flatten().copied();
    of_tables.chain(OF_TYPE.iter().map(|(_, name)| *name)).collect()
});

/// Returns true if an entry of this name may be a secret, by what it is handed to.
pub fn may_name_secret(name: &str) -> bool {
    is_secret_name(name) || MEMBERS.contains(name) || is_secret_entry(name)
}

fn ends_as_secret(name: &str) -> bool {
    WHOLE.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end)) && !ABOUT.iter().any(|begin| name.starts_with(begin))
}

/// Returns true if what a program is given in its environment is a secret by its name, as `PGPASSWORD` is.
fn is_secret_entry(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    // There it is the folder in which the program runs.
    name != "pwd" && (is_secret_name(&name) || name.ends_with("password"))
}

/// Returns true if an argument is secret of how a provisioner connects, or of what it gives to a program.
fn is_secret_of_provisioner(path: &[&str]) -> bool {
    let behind = |name: &str| path.iter().position(|own| *own == name).and_then(|at| path.get(at + 1..));
    let is_provisioner = path.first() == Some(&"provisioner");
    if !is_provisioner && path.first() != Some(&"connection") {
        return false;
    }
    if let Some(rest) = behind("connection") {
        return is_known(rest) || rest.last().is_some_and(|last| CONNECTION.contains(last));
    }
    match behind("environment") {
        Some(rest) => rest.iter().any(|name| is_secret_entry(name)),
        None => path.get(1..).is_some_and(is_known),
    }
}

/// Returns true if an entry of an object that is secret as a whole has the name of something that is none.
pub fn stands_beside_secrets(name: &str) -> bool {
    BESIDE.contains(&name.to_ascii_lowercase().as_str())
}

fn is_known(path: &[&str]) -> bool {
    path.iter().any(|name| ANYWHERE.contains(name)) || path.last().is_some_and(|last| LAST.contains(last))
}

/// Returns true if an argument of a resource or data source is secret, or holds one. Indices in its path count for nothing.
pub fn is_secret_argument(kind: &str, path: &[&str]) -> bool {
    let is_index = |name: &&str| name.bytes().all(|b| b.is_ascii_digit());
    let path: Vec<&str> = path.iter().copied().filter(|name| !is_index(name)).collect();
    if is_secret_of_provisioner(&path) || BUILT_IN.contains(&kind) {
        return is_secret_of_provisioner(&path);
    }
    let meets = |own: &Vec<&str>| own.iter().zip(&path).all(|(own, name)| own == name);
    // The tables have all such names that a schema calls sensitive.
    let is_by_end = || !has_known_schema(kind) && path.last().is_some_and(|last| ends_as_secret(last));
    is_known(&path)
        || is_by_end()
        || OF_TYPE.iter().any(|(of, own)| *of == kind && path.contains(own))
        || BY_TYPE.get(kind).is_some_and(|paths| !path.is_empty() && paths.iter().any(meets))
}

/// Returns true if a type of resources has arguments that are secret without a name that says so.
pub fn is_secret_type(kind: &str) -> bool {
    BY_TYPE.contains_key(kind) || OF_TYPE.iter().any(|(of, _)| *of == kind)
}

/// Returns true if the tables hold all that a type's schema says of secrets, so that its other arguments are none.
pub fn has_known_schema(kind: &str) -> bool {
    ["aws_", "azurerm_", "google_"].iter().any(|provider| kind.starts_with(provider))
}

/// Returns true if an argument of a provider is secret. Schemas of providers hardly ever say so.
pub fn is_secret_setting(path: &[&str]) -> bool {
    is_known(path) || path.last().is_some_and(|last| ends_as_secret(last))
}

/// Returns true if the value of a field isn't to be shown, whatever marks it carries.
pub fn is_secret_field(config: &Config, field: &FieldAddr) -> bool {
    let names = || field.path.0.iter().map(|name| &**name).collect::<Vec<&str>>();
    match &field.target {
        Target::Resource(resource) => is_secret_argument(&resource.kind, &names()),
        Target::Provider(_) | Target::Block(_) => is_secret_setting(&names()),
        Target::Call(call) => {
            let behind = config.behind(&field.module, call);
            if behind.is_empty() {
                // What isn't installed says nothing of its variables.
                return is_secret_setting(&names());
            }
            let name = field.path.0.first();
            let mut variables = behind.iter().filter_map(|module| module.variables.get(name?));
            variables.any(Variable::is_hidden)
        }
        Target::Output(name) => {
            let output = config.at(&field.module).and_then(|module| module.outputs.get(name));
            output.is_some_and(|output| output.sensitive || output.ephemeral)
        }
        Target::Variable(name) => {
            let variable = config.at(&field.module).and_then(|module| module.variables.get(name));
            variable.is_some_and(Variable::is_hidden)
        }
        Target::Local(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_by_type_and_path() {
        for (kind, path, secret) in [
            ("aws_db_instance", "password", true),
            ("aws_db_instance", "engine_version", false),
            ("aws_mq_broker", "user.password", true),
            ("aws_mq_broker", "user.1.password", true),
            ("aws_ssm_parameter", "value", true),
            ("aws_ssm_parameter", "name", false),
            ("azurerm_container_app", "secret.0.value", true),
            ("azurerm_container_app", "secret.0.name", false),
            ("azurerm_container_app", "template.container.env.value", false),
            ("azurerm_container_app", "secret", true),
            ("azurerm_key_vault_secret", "value", true),
            ("azurerm_linux_virtual_machine", "custom_data", true),
            ("google_sql_user", "password_wo", true),
            ("google_compute_ssl_certificate", "private_key", true),
            ("google_sql_database_instance", "settings.tier", false),
            ("kubernetes_secret_v1", "data", true),
            ("kubernetes_config_map", "data", false),
            ("helm_release", "set_wo.value", true),
            ("helm_release", "set.value", false),
            ("helm_template", "set_sensitive.0.value", true),
            ("some_thing", "api_token", true),
            ("some_thing", "tokens", false),
            ("terraform_data", "input.password", false),
            ("null_resource", "triggers.token", false),
            ("null_resource", "connection.password", true),
            ("null_resource", "connection.host", false),
            ("aws_instance", "provisioner.remote-exec.connection.certificate", true),
            ("terraform_data", "provisioner.local-exec.environment.PGPASSWORD", true),
            ("terraform_data", "provisioner.local-exec.environment.PWD", false),
            ("terraform_data", "provisioner.local-exec.command", false),
            ("openstack_compute_instance_v2", "admin_pass", true),
            ("linode_instance", "root_pass", true),
            ("some_thing", "smtp_password", true),
            ("some_thing", "manage_user_password", false),
            ("some_thing", "password_policy", false),
            ("some_thing", "login_secret_name", false),
            ("some_thing", "login_secret_id", false),
            ("some_thing", "login_secret_arn", false),
            ("some_thing", "pwd", true),
            ("some_thing", "login.smtp_pwd", true),
            ("some_thing", "pwd_length", false),
            ("some_thing", "authorization", true),
            ("some_thing", "authorization_type", false),
            ("some_thing", "authorization.type", false),
            ("some_thing", "enable_authorization", false),
            ("some_thing", "bearer", true),
            ("some_thing", "bearer.format", false),
            ("some_thing", "license_key", true),
            ("some_thing", "agent_license_key", true),
            ("some_thing", "license_key_arn", false),
            ("some_thing", "show_license_key", false),
            ("aws_api_gateway_method", "authorization", false),
            ("vault_generic_endpoint", "data_json", true),
            ("aws_some_thing", "next_token", false),
        ] {
            let names: Vec<&str> = path.split('.').collect();
            assert_eq!(is_secret_argument(kind, &names), secret, "{kind}.{path}");
        }
    }

    /// The tables are read whole: each line is a type of its provider and paths.
    #[test]
    fn tables_are_what_the_script_makes() {
        for (table, prefix) in TABLES.iter().zip(["aws_", "azurerm_", "google_"]) {
            assert!(table.starts_with("# Arguments of ") && table.lines().count() > 50);
            for line in lines(table) {
                let plain = |c: char| c.is_ascii_alphanumeric() || "_. -".contains(c);
                assert!(line.starts_with(prefix) && line.contains(' ') && line.chars().all(plain), "{line}");
            }
        }
        assert!(BY_TYPE.len() > 300 && ANYWHERE.len() > 100);
    }
}
