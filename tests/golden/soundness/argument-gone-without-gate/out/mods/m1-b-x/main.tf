module "inner" {
  source = "../m2-b-x"
}
