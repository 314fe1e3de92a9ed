module "inner" {
  source  = "../keyed/inner-false"
}
