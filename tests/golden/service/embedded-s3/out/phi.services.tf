# What the services of the form factor on-prem need once.
module "seaweedfs_operator" {
  source = "./.phi/services/seaweedfs/operator"

  namespace = "storage"
  storage   = 500
  mirror    = "registry.example"
}
