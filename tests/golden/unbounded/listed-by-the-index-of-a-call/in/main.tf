# The index of a call is not known within its module.
module "m" {
  source = "./m"
  count  = 2
  number = count.index
}
