specialize "module.db.module.instance.terraform_data.this" {
  fields = ["input.engine"]
}

specialize "module.db.terraform_data.backup" {
  fields = ["triggers_replace"]
}
