module "inner" {
  source = "../m2-a-x"
}
