output "address" {
  value = module.instance.address
}
