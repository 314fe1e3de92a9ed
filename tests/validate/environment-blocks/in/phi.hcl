environment "test" {
  var_files = ["env/test.tfvars"]
}

environment "live" {
  workspace = "live"
  var_files = ["env/live.tfvars"]
  variables = { size = "huge" }
}

environment "spare" {
  workspace = "spare"
  variables = { env = "spare" }
}
