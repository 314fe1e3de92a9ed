module "deep" {
  source = "../sub/deep-x-14-9"
}
output "all" { value = [module.deep.all, file("modules/db/sub/sub.txt"), "modules/db/sub"] }
