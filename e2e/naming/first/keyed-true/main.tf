module "inner" {
  source  = "../keyed/inner-true"
}
