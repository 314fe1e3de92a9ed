//! What is known to be secret without a schema: arguments that providers call sensitive, and those of modules whose variables are.
//!
//! Marks follow values; of an argument of a resource only its provider's schema says that it is secret, and nothing that reads a tree has
//! one. In: a field. Out: whether its value may be shown. Well-known names stand for the schema: too many hide a value that anybody may
//! see, too few show one that nobody should. Absent on purpose: values.

use super::Config;
use crate::addr::{FieldAddr, Target};

/// Names of arguments that hold a secret in whatever resource of a provider they stand.
const ANYWHERE: &[&str] = &[
    "access_key",
    "access_key_secret",
    "access_token",
    "account_key",
    "admin_password",
    "administrator_login_password",
    "administrator_password",
    "api_key",
    "api_secret",
    "api_token",
    "app_key",
    "application_secret",
    "auth_password",
    "auth_token",
    "bearer_token",
    "bind_password",
    "certificate_password",
    "certificate_private_key",
    "client_certificate_password",
    "client_key",
    "client_secret",
    "connection_string",
    "credentials",
    "custom_data",
    "db_password",
    "encryption_key",
    "kubeconfig",
    "kube_config",
    "login_password",
    "master_password",
    "master_user_password",
    "oauth_token",
    "passphrase",
    "passwd",
    "password",
    "password_wo",
    "passwords",
    "plaintext_password",
    "plaintext_value",
    "preshared_key",
    "pre_shared_key",
    "primary_access_key",
    "primary_connection_string",
    "private_key",
    "private_key_openssh",
    "private_key_pem",
    "protected_settings",
    "psk",
    "raw_key",
    "root_password",
    "routing_authentication_key",
    "rsa_encrypted_key",
    "sas_token",
    "secondary_access_key",
    "secret",
    "secret_access_key",
    "secret_binary",
    "secret_data",
    "secret_key",
    "secret_string",
    "secret_string_wo",
    "secret_text",
    "secret_value",
    "secure_environment_variables",
    "security_token",
    "service_account_key",
    "shared_access_key",
    "shared_key",
    "shared_secret",
    "signing_key",
    "ssh_private_key",
    "ssl_private_key",
    "storage_account_access_key",
    "storage_account_key",
    "storage_connection_string",
    "tde_certificate_password",
    "token",
    "tunnel1_preshared_key",
    "tunnel2_preshared_key",
    "user_password",
    "webhook_secret",
];

/// Arguments with names that elsewhere are none of a secret's, by type. The name is that of the last part of the path.
const OF_TYPE: &[(&str, &str)] = &[
    ("aws_amplify_app", "basic_auth_credentials"),
    ("aws_amplify_branch", "basic_auth_credentials"),
    ("aws_api_gateway_api_key", "value"),
    ("aws_appsync_api_key", "key"),
    ("aws_cognito_identity_provider", "provider_details"),
    ("aws_cognito_user", "temporary_password"),
    ("aws_dms_endpoint", "sasl_password"),
    ("aws_dx_bgp_peer", "bgp_auth_key"),
    ("aws_dx_private_virtual_interface", "bgp_auth_key"),
    ("aws_dx_public_virtual_interface", "bgp_auth_key"),
    ("aws_dx_transit_virtual_interface", "bgp_auth_key"),
    ("aws_glue_connection", "connection_properties"),
    ("aws_kms_ciphertext", "plaintext"),
    ("aws_kms_external_key", "key_material_base64"),
    ("aws_quicksight_data_source", "credential_pair"),
    ("aws_ssm_parameter", "value"),
    ("aws_ssm_parameter", "value_wo"),
    ("aws_ssm_parameter", "insecure_value"),
    ("azurerm_api_management_named_value", "value"),
    ("azurerm_automation_variable_string", "value"),
    ("azurerm_container_app", "value"),
    ("azurerm_data_factory_linked_service_azure_blob_storage", "sas_uri"),
    ("azurerm_key_vault_certificate", "contents"),
    ("azurerm_key_vault_secret", "value"),
    ("azurerm_key_vault_secret", "value_wo"),
    ("azurerm_linux_function_app", "app_settings"),
    ("azurerm_linux_web_app", "app_settings"),
    ("azurerm_windows_function_app", "app_settings"),
    ("azurerm_windows_web_app", "app_settings"),
    ("google_kms_secret_ciphertext", "plaintext"),
    ("kubernetes_secret", "data"),
    ("kubernetes_secret", "binary_data"),
    ("kubernetes_secret", "string_data"),
    ("kubernetes_secret_v1", "data"),
    ("kubernetes_secret_v1", "binary_data"),
    ("kubernetes_secret_v1", "string_data"),
    ("helm_release", "repository_password"),
    ("helm_release", "set_sensitive"),
    ("github_actions_secret", "encrypted_value"),
    ("gitlab_project_variable", "value"),
    ("gitlab_group_variable", "value"),
    ("tfe_variable", "value"),
    ("vault_generic_secret", "data_json"),
    ("vault_kv_secret", "data_json"),
    ("vault_kv_secret_v2", "data_json"),
];

/// Types of Terraform's own, whose arguments are the user's to name.
const BUILT_IN: [&str; 2] = ["terraform_data", "null_resource"];

/// Returns true if the value of a field isn't to be shown, whatever marks it carries.
pub fn is_secret_field(config: &Config, field: &FieldAddr) -> bool {
    let names = || field.path.0.iter().map(|name| &**name);
    let known = || names().any(|name| ANYWHERE.contains(&name));
    match &field.target {
        Target::Resource(resource) => {
            let of_type =
                |name: &str| OF_TYPE.iter().any(|(kind, own)| *kind == &*resource.kind && *own == name);
            !BUILT_IN.contains(&&*resource.kind) && (known() || names().any(of_type))
        }
        Target::Provider(_) => known(),
        Target::Call(call) => {
            let module = config.at(&field.module.child(call.clone()));
            let variable = names().next().and_then(|name| module?.variables.get(name));
            variable.is_some_and(|variable| variable.sensitive || variable.ephemeral)
        }
        Target::Output(name) => {
            let output = config.at(&field.module).and_then(|module| module.outputs.get(name));
            output.is_some_and(|output| output.sensitive || output.ephemeral)
        }
        Target::Variable(name) => {
            let variable = config.at(&field.module).and_then(|module| module.variables.get(name));
            variable.is_some_and(|variable| variable.sensitive || variable.ephemeral)
        }
        Target::Local(_) => false,
    }
}
