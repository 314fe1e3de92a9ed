# A driven text is written as what it is in each template: plainly where that is proved to be the same, else as `${"…"}`.
module "script" {
  source = "./m"
  path   = "C:\\prod \"x\""
}

module "plain" {
  source = "./m"
  path   = "15.4"
}

output "all" {
  value = [module.script.all, module.plain.all]
}
