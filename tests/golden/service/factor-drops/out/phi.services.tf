# What the services of the form factor on-prem need once.
module "cloudnative_pg_operator" {
  source = "./.phi/services/cloudnative-pg/operator"
}
