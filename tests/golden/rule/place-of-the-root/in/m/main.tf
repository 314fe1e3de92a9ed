resource "terraform_data" "y" {
  input = basename(dirname(abspath(path.module))) == "w" ? 1 : 2
}
