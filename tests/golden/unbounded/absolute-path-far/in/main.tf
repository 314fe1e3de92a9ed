# What differs is named where the field is far from it.
module "m" {
  source = "./m"
  path   = abspath(path.module)
}
