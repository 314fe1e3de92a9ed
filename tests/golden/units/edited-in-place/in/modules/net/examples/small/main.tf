module "net" {
  source  = "../.."
  protect = false
}
